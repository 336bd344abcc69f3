// Iterations of a loop around others side by side.
//
//     for (j < d) {                                  for (; j + 4 <= d; j += 4) {
//       s = 0                                          s0 = 0; s1 = 0; s2 = 0; s3 = 0
//       for (k) s += w[j][k] * x[k]        ->          for (k) { v = x[k]; s0 += w[j][k] * v; ... s3 += w[j + 3][k] * v }
//       o[j] = s                                       o[j] = s0; ... o[j + 3] = s3
//     }                                              }
//                                                    for (; j < d; ...) as before
//
// What differs from iteration to iteration stands there so many times, one behind the other, and all else once: every iteration does the
// same operations in the same order as before. All of them take the same ways, as nothing that differs decides about one.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/jam/even_out.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

// From the first of them to the last.
static SmallVector<BasicBlock *, 16> blocks_of(const OwnBlocks &own) {
  SmallSetVector<BasicBlock *, 16> blocks;
  blocks.insert(own.first);
  for (unsigned i = 0; i < blocks.size(); i++)
    if (blocks[i] != own.last)
      blocks.insert_range(successors(blocks[i]));
  return SmallVector<BasicBlock *, 16>(blocks.begin(), blocks.end());
}

static bool is_shared(const EvenedOut &evened, const User *user) {
  return any_of(evened.shared, [&](const SharedValue &shared) { return shared.at == user; });
}

// What differs from one iteration to the next: the counters, what is done by each alone, and all that is computed from them.
static Values differing(const Loop &loop, const EvenedOut &evened = {}) {
  Values values;
  for (PHINode &phi : loop.getHeader()->phis())
    values.insert(&phi);
  for (const OwnBlocks &own : evened.own)
    for (BasicBlock *block : blocks_of(own))
      for (Instruction &i : *block)
        values.insert(&i);
  for (unsigned i = 0; i < values.size(); i++)
    for (User *user : values[i]->users())
      if (loop.contains(cast<Instruction>(user)) && !is_shared(evened, user))
        values.insert(user);
  return values;
}

// What the counter is in the next iteration, if that is one step further; else null.
static Instruction *step_of(const PHINode &phi, const Loop &loop) {
  auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  bool steps = next && next->getNumOperands() == 2 &&
               (isa<GetElementPtrInst>(next) || next->getOpcode() == Instruction::Add || next->getOpcode() == Instruction::Sub);
  if (!steps)
    return nullptr;
  bool is_first = next->getOperand(0) == &phi, is_second = next->getOpcode() == Instruction::Add && next->getOperand(1) == &phi;
  return is_first != is_second && loop.isLoopInvariant(next->getOperand(is_first)) ? next : nullptr;
}

static bool carries_counters_alone(const Loop &loop) {
  return all_of(loop.getHeader()->phis(), [&](const PHINode &phi) { return step_of(phi, loop); });
}

static bool decides(const BasicBlock *block, const Values &values) {
  return any_of(block->getTerminator()->operands(), [&](const Use &use) { return values.contains(use.get()); });
}

// Loops inside that run unequally often, if nothing but them goes ways of its own.
static std::optional<SmallVector<UnevenLoop, 2>> uneven_loops(const Loop &loop, const Values &values, ScalarEvolution &evolution,
                                                              const EvenedOut &evened = {}) {
  SmallVector<UnevenLoop, 2> all;
  SmallPtrSet<const BasicBlock *, 16> known;
  known.insert(loop.getLoopLatch());
  for (const OwnBlocks &own : evened.own)
    known.insert_range(blocks_of(own));
  for (Loop *inner : loop.getSubLoops()) {
    BasicBlock *latch = inner->getLoopLatch();
    bool is_uneven = latch && !known.contains(latch) && decides(latch, values);
    auto uneven = is_uneven ? uneven_of(*inner, values, evolution) : std::nullopt;
    if (uneven) {
      known.insert(latch);
      known.insert(uneven->guard);
      all.push_back(*uneven);
    }
  }
  for (BasicBlock *block : loop.blocks())
    if (!isa<BranchInst, SwitchInst>(block->getTerminator()) || (!known.contains(block) && decides(block, values)))
      return std::nullopt;
  return all;
}

// Bytes by which the address is further in the next iteration, if they are the same number wherever the loops inside are.
static std::optional<int64_t> bytes_on(ScalarEvolution &evolution, const SCEV *address, const Loop &loop, const Values &values) {
  auto differs = [&](const SCEV *part) {
    auto *counter = dyn_cast<SCEVAddRecExpr>(part);
    auto *leaf = dyn_cast<SCEVUnknown>(part);
    return (counter && counter->getLoop() == &loop) || (leaf && values.contains(leaf->getValue()));
  };
  if (!SCEVExprContains(address, differs))
    return 0;
  if (auto *counter = dyn_cast<SCEVAddRecExpr>(address)) {
    const SCEV *step = counter->getStepRecurrence(evolution);
    auto *constant = dyn_cast<SCEVConstant>(step);
    if (!counter->isAffine() || SCEVExprContains(step, differs))
      return std::nullopt;
    if (counter->getLoop() != &loop)
      return bytes_on(evolution, counter->getStart(), loop, values);
    bool fits = constant && constant->getAPInt().isSignedIntN(32) && !SCEVExprContains(counter->getStart(), differs);
    return fits ? std::optional(constant->getAPInt().getSExtValue()) : std::nullopt;
  }
  auto *sum = dyn_cast<SCEVAddExpr>(address);
  int64_t all = 0;
  for (unsigned i = 0; sum && i < sum->getNumOperands(); i++) {
    auto part = bytes_on(evolution, sum->getOperand(i), loop, values);
    if (!part)
      return std::nullopt;
    all += *part;
  }
  return sum ? std::optional(all) : std::nullopt;
}

namespace {
// A loop whose iterations come to stand side by side.
struct Jam {
  Loop &loop;
  unsigned times;
  EvenedOut &evened;
  Values values;
  SmallPtrSet<const BasicBlock *, 16> own; // blocks that one iteration at a time runs
  DenseMap<Value *, SmallVector<Instruction *, 8>> twins; // in the iterations behind the first
  DenseMap<Instruction *, int64_t> bytes; // from the access to its next twin, where that is known

  Jam(Loop &loop, unsigned times, EvenedOut &evened) : loop(loop), times(times), evened(evened), values(differing(loop, evened)) {
    for (const OwnBlocks &part : evened.own)
      own.insert_range(blocks_of(part));
  }

  Value *in(Value *value, unsigned iteration) const {
    auto found = twins.find(value);
    return iteration == 0 || found == twins.end() ? value : found->second[iteration - 1];
  }

  // Before anything is changed.
  void measure(ScalarEvolution &evolution) {
    for (Value *value : values) {
      Value *pointer = getLoadStorePointerOperand(value);
      const SCEV *address = pointer && !own.contains(cast<Instruction>(value)->getParent()) ? shallow_form(evolution, pointer)
                                                                                            : nullptr;
      auto on = address ? bytes_on(evolution, address, loop, values) : std::nullopt;
      if (on && *on)
        bytes[cast<Instruction>(value)] = *on;
    }
  }

  void mark_accesses() const {
    for (Value *value : values)
      if (auto *i = cast<Instruction>(value); i->mayReadOrWriteMemory())
        i->setMetadata(JAM_METADATA, MDNode::get(i->getContext(), {}));
  }

  // What a call that was inlined promises is said of one iteration.
  void forget_promises() const {
    bool any = any_of(loop.blocks(), [](BasicBlock *block) {
      return any_of(*block, [](Instruction &i) { return isa<NoAliasScopeDeclInst>(i); });
    });
    for (BasicBlock *block : loop.blocks())
      for (Instruction &i : *block)
        if (any && i.mayReadOrWriteMemory()) {
          i.setMetadata(LLVMContext::MD_alias_scope, nullptr);
          i.setMetadata(LLVMContext::MD_noalias, nullptr);
        }
  }

  // The counters of all iterations, where the first begins.
  void count() {
    BasicBlock *header = loop.getHeader();
    auto place = header->getFirstInsertionPt();
    for (PHINode &phi : header->phis()) {
      Instruction *step = step_of(phi, loop);
      Value *at = &phi;
      for (unsigned i = 1; i < times; i++) {
        Instruction *twin = step->clone();
        twin->replaceUsesOfWith(&phi, at);
        twin->insertBefore(place);
        twins[&phi].push_back(twin);
        at = twin;
      }
    }
  }

  void repeat(LoopInfo &loops) {
    LoopBlocksRPO order(&loop);
    order.perform(&loops);
    for (BasicBlock *block : order)
      for (Instruction &i : make_early_inc_range(*block)) {
        if (!values.contains(&i) || i.isTerminator() || twins.contains(&i) || own.contains(block))
          continue;
        Instruction *last = &i;
        SmallVector<Instruction *, 8> own;
        for (unsigned k = 1; k < times; k++) {
          own.push_back(i.clone());
          own.back()->insertAfter(last);
          last = own.back();
        }
        twins[&i] = own;
      }
  }

  // The blocks once more, behind what is the last of them so far, which is returned anew.
  BasicBlock *follow(const OwnBlocks &part, ArrayRef<BasicBlock *> blocks, BasicBlock *last, LoopInfo &loops) {
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 16> made;
    BasicBlock *onward = last->getSingleSuccessor();
    for (BasicBlock *block : blocks) {
      made.push_back(CloneBasicBlock(block, map, "", block->getParent()));
      map[block] = made.back();
      loop.addBasicBlockToLoop(made.back(), loops);
      for (auto [i, twin] : zip(*block, *made.back()))
        twins[&i].push_back(&twin);
    }
    auto *end = cast<BasicBlock>(map.lookup(part.last));
    end->getTerminator()->replaceSuccessorWith(end->getSingleSuccessor(), onward);
    for (BasicBlock *block : made)
      for (Instruction &i : *block) {
        for (unsigned k = 0; i.isTerminator() && k < i.getNumSuccessors(); k++)
          if (Value *to = map.lookup(i.getSuccessor(k)))
            i.setSuccessor(k, cast<BasicBlock>(to));
        for (unsigned k = 0; isa<PHINode>(i) && k < cast<PHINode>(i).getNumIncomingValues(); k++)
          cast<PHINode>(i).setIncomingBlock(k, cast<BasicBlock>(map.lookup(cast<PHINode>(i).getIncomingBlock(k))));
      }
    last->getTerminator()->replaceSuccessorWith(onward, cast<BasicBlock>(map.lookup(part.first)));
    onward->replacePhiUsesWith(last, end);
    return end;
  }

  // What each iteration does alone, one behind the other.
  void repeat_own(LoopInfo &loops) {
    for (const OwnBlocks &part : evened.own) {
      const auto blocks = blocks_of(part);
      BasicBlock *last = part.last;
      for (unsigned k = 1; k < times; k++)
        last = follow(part, blocks, last, loops);
    }
  }

  Value *shared_by(IRBuilder<> &builder, const SharedValue &shared, Value *one, Value *other) {
    switch (shared.kind) {
    case SharedValue::LARGEST: return builder.CreateBinaryIntrinsic(Intrinsic::smax, one, other);
    case SharedValue::SMALLEST: return builder.CreateBinaryIntrinsic(Intrinsic::smin, one, other);
    case SharedValue::FEWEST: return builder.CreateBinaryIntrinsic(Intrinsic::umin, one, other);
    default: return builder.CreateAnd(one, other);
    }
  }

  void share() {
    for (const SharedValue &shared : evened.shared) {
      IRBuilder<> builder(shared.at);
      Value *own_value = shared.at->getOperand(0), *all = own_value;
      for (unsigned k = 1; k < times; k++)
        all = shared_by(builder, shared, all, in(own_value, k));
      shared.at->replaceAllUsesWith(all);
      shared.at->eraseFromParent();
    }
  }

  // A twin of the access lies so many bytes behind it: computed in one step, as whoever looks at the two can see.
  void place(Instruction *access, Instruction *twin, int64_t distance) const {
    unsigned operand = isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex();
    IRBuilder<> builder(twin);
    twin->setOperand(operand, builder.CreatePtrAdd(access->getOperand(operand), builder.getInt64(uint64_t(distance))));
  }

  void link() {
    for (Value *value : values) {
      auto *i = cast<Instruction>(value);
      if ((i->isTerminator() && !twins.contains(i)) || (isa<PHINode>(i) && i->getParent() == loop.getHeader()))
        continue;
      auto known = bytes.find(i);
      for (unsigned k = 1; k < times; k++) {
        auto *twin = cast<Instruction>(in(i, k));
        for (Use &use : twin->operands())
          use.set(in(use, k));
        if (known != bytes.end())
          place(i, twin, known->second * k);
      }
    }
  }

  // What comes next, and what is behind the loop, has to do with the last one.
  void finish() {
    unsigned last = times - 1;
    for (PHINode &phi : loop.getHeader()->phis())
      phi.setIncomingValueForBlock(loop.getLoopLatch(), in(phi.getIncomingValueForBlock(loop.getLoopLatch()), last));
    auto *end = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
    end->setCondition(in(end->getCondition(), last));
    for (auto &[value, own] : twins)
      value->replaceUsesWithIf(own[last - 1], [&](Use &use) { return !loop.contains(cast<Instruction>(use.getUser())); });
  }
};
} // namespace

// What remains behind a loop that makes several iterations at a time, for which that one speaks.
static void mark_rest(const Loop &rest) {
  Values values = differing(rest);
  for (Value *value : values)
    if (auto *i = cast<Instruction>(value); i->mayReadOrWriteMemory())
      i->setMetadata(ORIGINAL_METADATA, MDNode::get(i->getContext(), {}));
}

// Analyses of a function that has been changed since.
static Loop *loop_anew(IrModule *ir, Function &f, BasicBlock *header) {
  FunctionAnalysisManager &analyses = *ir->functions;
  ir_changed(ir, wrap(&f));
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = loops.getLoopFor(header);
  simplifyLoop(loop, &tree, &loops, &evolution, &analyses.getResult<AssumptionAnalysis>(f), nullptr, false);
  formLCSSARecursively(*loop, tree, &loops, &evolution);
  return loop;
}

// Loops inside come to run equally often in all iterations, one after the other: what is known of one is no longer once another is changed.
static Loop *even_out_all(IrModule *ir, Function &f, Loop *loop, EvenedOut *evened) {
  BasicBlock *header = loop->getHeader();
  for (;;) {
    auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
    const Values values = differing(*loop, *evened);
    auto uneven = uneven_loops(*loop, values, evolution, *evened);
    if (!uneven)
      return nullptr;
    if (uneven->empty())
      return loop;
    even_out(uneven->front(), values, evolution, evened);
    loop = loop_anew(ir, f, header);
  }
}

// What remains is done by the original; false where that cannot be.
static bool leave_rest(IrModule *ir, Function &f, Loop *loop, unsigned times) {
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  unsigned trips = evolution.getSmallConstantTripCount(loop);
  Loop *rest = nullptr;
  bool is_whole = trips && trips % times == 0;
  if (!is_whole &&
      !UnrollRuntimeLoopRemainder(loop, times, true, true, false, false, &analyses.getResult<LoopAnalysis>(f), &evolution,
                                  &analyses.getResult<DominatorTreeAnalysis>(f), &analyses.getResult<AssumptionAnalysis>(f),
                                  &analyses.getResult<TargetIRAnalysis>(f), true, 16, false, &rest))
    return false;
  if (rest) {
    mark_rest(*rest);
    loop_forget(*rest, {KEPT});
  }
  return true;
}

static void jam(IrModule *ir, Function &f, BasicBlock *header, unsigned times) {
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &known = analyses.getResult<LoopAnalysis>(f);
  auto &found = analyses.getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = known.getLoopFor(header);
  simplifyLoop(loop, &tree, &known, &found, &analyses.getResult<AssumptionAnalysis>(f), nullptr, false);
  formLCSSARecursively(*loop, tree, &known, &found);
  if (!leave_rest(ir, f, loop, times))
    return;
  EvenedOut evened;
  auto uneven = uneven_loops(*loop, differing(*loop), found);
  if (uneven && !uneven->empty())
    loop = even_out_all(ir, f, loop_anew(ir, f, header), &evened);
  if (!loop)
    return;
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  Jam side_by_side(*loop, times, evened);
  evolution.forgetLoop(loop);
  side_by_side.measure(evolution);
  side_by_side.mark_accesses();
  side_by_side.forget_promises();
  side_by_side.count();
  side_by_side.repeat(loops);
  side_by_side.repeat_own(loops);
  side_by_side.link();
  side_by_side.share();
  side_by_side.finish();
  loop_forget(*loop, {KEPT});
  loop->setLoopAlreadyUnrolled();
}

extern "C" {

IrJam ir_may_jam(IrModule *ir, IrLoop *loop) {
  const Loop &outer = *loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*outer.getHeader()->getParent());
  bool ends = outer.getLoopLatch() && outer.getExitingBlock() == outer.getLoopLatch();
  auto uneven = ends ? uneven_loops(outer, differing(outer), evolution) : std::nullopt;
  if (!uneven)
    return IR_JAM_WAYS;
  if (!carries_counters_alone(outer))
    return IR_JAM_CARRIES;
  return uneven->empty() ? IR_JAM_MAY : IR_JAM_UNEVEN;
}

bool ir_loop_repeats(IrLoop *loop, LLVMValueRef value) { return !differing(*loop_in(loop)).contains(unwrap(value)); }

void ir_jam(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times) {
  jam(ir, *unwrap<Function>(function), unwrap(header), unsigned(times));
  ir_changed(ir, function);
}

} // extern "C"
