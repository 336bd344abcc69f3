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

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

using Values = SmallSetVector<Value *, 32>;

// What differs from one iteration to the next: the counters, and all that is computed from them.
static Values differing(const Loop &loop) {
  Values values;
  for (PHINode &phi : loop.getHeader()->phis())
    values.insert(&phi);
  for (unsigned i = 0; i < values.size(); i++)
    for (User *user : values[i]->users())
      if (loop.contains(cast<Instruction>(user)))
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

static bool goes_one_way(const Loop &loop, const Values &values) {
  for (BasicBlock *block : loop.blocks()) {
    Instruction *end = block->getTerminator();
    bool decides = block != loop.getLoopLatch() && any_of(end->operands(), [&](Use &use) { return values.contains(use); });
    if (decides || !isa<BranchInst, SwitchInst>(end))
      return false;
  }
  return true;
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
  Values values;
  DenseMap<Value *, SmallVector<Instruction *, 8>> twins; // in the iterations behind the first
  DenseMap<Instruction *, int64_t> bytes; // from the access to its next twin, where that is known

  Jam(Loop &loop, unsigned times) : loop(loop), times(times), values(differing(loop)) {}

  Value *in(Value *value, unsigned iteration) const {
    auto found = twins.find(value);
    return iteration == 0 || found == twins.end() ? value : found->second[iteration - 1];
  }

  // Before anything is changed.
  void measure(ScalarEvolution &evolution) {
    for (Value *value : values) {
      Value *pointer = getLoadStorePointerOperand(value);
      const SCEV *address = pointer ? shallow_form(evolution, pointer) : nullptr;
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
        if (!values.contains(&i) || i.isTerminator() || twins.contains(&i))
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

  // A twin of the access lies so many bytes behind it: computed in one step, as whoever looks at the two can see.
  void place(Instruction *access, Instruction *twin, int64_t distance) const {
    unsigned operand = isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex();
    IRBuilder<> builder(twin);
    twin->setOperand(operand, builder.CreatePtrAdd(access->getOperand(operand), builder.getInt64(uint64_t(distance))));
  }

  void link() {
    for (Value *value : values) {
      auto *i = cast<Instruction>(value);
      if (i->isTerminator() || (isa<PHINode>(i) && i->getParent() == loop.getHeader()))
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

static void jam(IrModule *ir, Function &f, BasicBlock *header, unsigned times) {
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(f);
  Loop *loop = loops.getLoopFor(header), *rest = nullptr;
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  formLCSSARecursively(*loop, tree, &loops, &evolution);
  unsigned trips = evolution.getSmallConstantTripCount(loop);
  bool is_whole = trips && trips % times == 0;
  if (!is_whole && !UnrollRuntimeLoopRemainder(loop, times, true, true, false, false, &loops, &evolution, &tree, &assumptions,
                                               &analyses.getResult<TargetIRAnalysis>(f), true, 16, false, &rest))
    return;
  if (rest) {
    mark_rest(*rest);
    loop_forget(*rest, {KEPT});
  }
  Jam side_by_side(*loop, times);
  evolution.forgetLoop(loop);
  side_by_side.measure(evolution);
  side_by_side.mark_accesses();
  side_by_side.forget_promises();
  side_by_side.count();
  side_by_side.repeat(loops);
  side_by_side.link();
  side_by_side.finish();
  loop_forget(*loop, {KEPT});
  loop->setLoopAlreadyUnrolled();
}

extern "C" {

IrJam ir_may_jam(IrLoop *loop) {
  const Loop &outer = *loop_in(loop);
  bool ends = outer.getLoopLatch() && outer.getExitingBlock() == outer.getLoopLatch();
  if (!ends || !goes_one_way(outer, differing(outer)))
    return IR_JAM_WAYS;
  return carries_counters_alone(outer) ? IR_JAM_MAY : IR_JAM_CARRIES;
}

bool ir_loop_repeats(IrLoop *loop, LLVMValueRef value) { return !differing(*loop_in(loop)).contains(unwrap(value)); }

void ir_jam(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times) {
  jam(ir, *unwrap<Function>(function), unwrap(header), unsigned(times));
  ir_changed(ir, function);
}

} // extern "C"
