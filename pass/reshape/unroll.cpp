// Loops that are made longer, and what is put in front of them.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace PatternMatch;

extern "C" {

bool ir_loop_simplify(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header) {
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  bool changes = simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
  changes |= formLCSSARecursively(*loop, tree, &loops, nullptr);
  if (changes)
    ir_changed(ir, function);
  return changes;
}

// LLVM puts what remains behind the longer loop, so that its pieces start where the rows do, if a counter starts at a number.
static void count_from_zero(Loop *loop) {
  BasicBlock *header = loop->getHeader(), *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
  IRBuilder<> builder(header, header->begin());
  PHINode *counter = builder.CreatePHI(builder.getInt64Ty(), 2);
  builder.SetInsertPoint(latch->getTerminator());
  counter->addIncoming(builder.getInt64(0), before);
  counter->addIncoming(builder.CreateAdd(counter, builder.getInt64(1)), latch);
}

static void mark(Instruction &i, const char *name) { i.setMetadata(name, MDNode::get(i.getContext(), {})); }

// The comparison that ends the loop, found again in what is made of it by a mark that is copied with it; null where that is a count as well, or had better be:
// where pieces come before few iterations, of numbers whose steps no quotient counts, and of those that run until two pointers are equal.
static const char END_METADATA[] = "coalda.end";

static ICmpInst *end_of(Loop *loop, ScalarEvolution &evolution, bool remains_whole) {
  auto *jump = dyn_cast<BranchInst>(loop->getLoopLatch()->getTerminator());
  auto *compare = jump && jump->isConditional() ? dyn_cast<ICmpInst>(jump->getCondition()) : nullptr;
  const SCEV *again = evolution.getBackedgeTakenCount(loop);
  if (!compare || compare->getParent() != loop->getLoopLatch() || isa<SCEVCouldNotCompute>(again))
    return nullptr;
  if (compare->isEquality())
    return remains_whole && compare->getOperand(0)->getType()->isPointerTy() ? compare : nullptr;
  auto divides = [](const SCEV *part) { return isa<SCEVUDivExpr>(part); };
  bool moves = compare->getOperand(0)->getType()->isPointerTy() || SCEVExprContains(again, divides);
  return moves || remains_whole ? compare : nullptr;
}

// How many iterations the rest does, which its end asks for; null where it asks for something else.
static Value *left_for(Loop *rest) {
  Value *left = nullptr;
  auto *again = dyn_cast<BranchInst>(rest->getLoopLatch()->getTerminator());
  return again && again->isConditional() && match(again->getCondition(), m_ICmp(m_Value(), m_Value(left))) ? left : nullptr;
}

// The loop that does what remains, whose end was made to be its count, ends as the original does, whose comparison stands there: unused, or it is left as it is. ptxas unrolls such a
// loop by four in one stretch, with a way out of each iteration, and one that is counted in pieces, of which lanes that have more and fewer iterations left
// take different ones, one after the other. Where 32 lanes share rows of 48 floats, half of them have one iteration and the others two: a derivative of softmax
// came to 0.72 of plain clang with a counted loop (H100); sums over listed neighbours by a moving pointer to 0.76 at least and 1.01 in the mean, and come to 0.83 and 1.06 (H200).
static void end_as_before(Loop *rest, bool goes_on) {
  if (!left_for(rest)) // it ends by something else already
    return;
  auto *jump = cast<BranchInst>(rest->getLoopLatch()->getTerminator());
  for (Instruction &i : *rest->getLoopLatch()) {
    if (!i.getMetadata(END_METADATA) || !i.use_empty())
      continue;
    jump->setCondition(&i);
    if ((jump->getSuccessor(0) == rest->getHeader()) != goes_on)
      jump->swapSuccessors();
  }
}

static void drop_ends(Function &function) {
  for (Instruction &i : instructions(function))
    i.setMetadata(END_METADATA, nullptr);
}

static void mark_block(Loop *loop) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (i.mayReadOrWriteMemory())
        mark(i, BLOCK_METADATA);
}

// What lies at the same place in every iteration is of no row.
static void mark_rest(Loop *loop) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (Value *pointer = getLoadStorePointerOperand(&i); pointer && !loop->isLoopInvariant(pointer)) {
        mark(i, REST_METADATA);
        i.setMetadata(BLOCK_METADATA, nullptr);
      }
}

// Where LLVM asks whether enough iterations are left for the longer loop, in the block that knows how many remain behind it.
static void ask_past(ScalarEvolution &evolution, Loop *rest, unsigned factor, IrPast past, void *context) {
  Value *left = left_for(rest), *all = nullptr, *last = nullptr;
  if (!left || !match(left, m_And(m_Value(all), m_SpecificInt(factor - 1))))
    return;
  BasicBlock *before = cast<Instruction>(left)->getParent();
  auto *jump = dyn_cast<BranchInst>(before->getTerminator());
  if (!jump || !jump->isConditional() ||
      !match(jump->getCondition(), m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(last), m_SpecificInt(factor - 1))) ||
      any_of(left->users(), [=](User *user) { return cast<Instruction>(user)->getParent() == before; }))
    return;
  evolution.forgetValue(left);
  past(context, wrap(jump), wrap(left));
}

// How many iterations the rest does is asked of a call in front of it: who leaves the longer loop early has more to say.
static void mark_left(Loop *rest, unsigned factor) {
  Value *left = left_for(rest), *all = nullptr, *past = nullptr;
  BasicBlock *before = rest->getLoopPreheader();
  if (!before || !left)
    return;
  if (!match(left, m_And(m_Value(all), m_SpecificInt(factor - 1))) && // or as uneven_rows_hold has it
      !match(left, m_Select(m_Value(past), m_Value(all), m_And(m_Deferred(all), m_SpecificInt(factor - 1)))))
    return;
  for (Instruction &i : make_early_inc_range(*before))
    if (isa<AssumeInst>(i)) // of all iterations there may be one more than a word can tell
      i.eraseFromParent();
  IRBuilder<> builder(before, before->getFirstInsertionPt());
  CallInst *call = builder.CreateIntrinsic(Intrinsic::expect, {left->getType()}, {left, all});
  call->setMetadata(LEFT_METADATA, MDNode::get(call->getContext(), ConstantAsMetadata::get(builder.getInt32(factor))));
  left->replaceUsesWithIf(call, [=](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return user != call && (user->getParent() == before || rest->contains(user));
  });
}

// What is cut off by four is cut off by two, and ScalarEvolution finds even what is left. False: nothing is changed.
static bool cut_by_two(BasicBlock *before, Value *left) {
  const unsigned four = 4;
  Value *all = nullptr;
  auto *jump = dyn_cast<BranchInst>(before->getTerminator());
  if (!left || !match(left, m_And(m_Value(all), m_SpecificInt(four - 1))) || !jump || !jump->isConditional() ||
      !match(jump->getCondition(), m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(), m_SpecificInt(four - 1))))
    return false;
  auto *compare = cast<Instruction>(jump->getCondition());
  compare->setOperand(1, ConstantInt::get(compare->getOperand(0)->getType(), 1));
  cast<Instruction>(left)->setOperand(1, ConstantInt::get(left->getType(), 1));
  for (User *user : make_early_inc_range(left->users()))
    if (match(user, m_Sub(m_Specific(all), m_Specific(left)))) {
      auto *even = cast<Instruction>(user);
      even->replaceAllUsesWith(IRBuilder<>(even).CreateAnd(all, ConstantInt::getSigned(left->getType(), -2)));
      even->eraseFromParent();
    }
  return true;
}

// What counts from a row's end is ~(j | 1) to the compiler, and that is -2 ^ j: as j is even, -2 - j. Of differences it can be told
// how far apart they are.
static void subtract(Loop *loop, const SimplifyQuery &query) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : make_early_inc_range(*block)) {
      Value *counter;
      const APInt *end;
      if (!match(&i, m_Xor(m_Value(counter), m_APInt(end))) || !end->isNegative() || end->isAllOnes() ||
          !MaskedValueIsZero(counter, ~*end, query.getWithInstruction(&i)))
        continue;
      auto *difference = BinaryOperator::CreateNSWSub(ConstantInt::get(i.getType(), *end), counter, "", i.getIterator());
      difference->setDebugLoc(i.getDebugLoc());
      i.replaceAllUsesWith(difference);
      i.eraseFromParent();
    }
}

void ir_unroll(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const int *factors, int count, IrPast past,
               void *context) {
  Function &f = *unwrap<Function>(function);
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(f);
  auto &target = analyses.getResult<TargetIRAnalysis>(f);
  OptimizationRemarkEmitter remarks(&f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (auto *call = dyn_cast<CallBase>(&i); call && is_pure_assembly(*call))
        call->setNotConvergent();
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  subtract(loop, SimplifyQuery(f.getDataLayout(), &tree, &assumptions));
  evolution.forgetLoop(loop);
  count_from_zero(loop);
  mark_block(loop);
  ICmpInst *end = loop_is_counted(*loop, evolution, target) ? nullptr : end_of(loop, evolution, count == 1 || factors[1] == 1);
  bool goes_on = loop->getLoopLatch()->getTerminator()->getSuccessor(0) == loop->getHeader();
  if (end)
    mark(*end, END_METADATA);
  MDNode *id = loop->getLoopID();
  UnrollLoopOptions options = {};
  options.Force = true;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  options.ForgetAllSCEV = true;
  options.SCEVExpansionBudget = 16;
  auto tidy = [&] {
    simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
    formLCSSARecursively(*loop, tree, &loops, &evolution);
  };
  for (int i = 0; i < count && loop && factors[i] > 1; i++) {
    tidy();
    options.Count = static_cast<unsigned>(factors[i]);
    Loop *rest = nullptr;
    BasicBlock *before = loop->getLoopPreheader();
    // LLVM makes a loop of three iterations that remain, but not of one.
    bool loops_on = factors[i] == 2 && i + 1 < count && factors[i + 1] == 1;
    bool cuts = loops_on && UnrollRuntimeLoopRemainder(loop, 4, true, true, false, true, &loops, &evolution, &tree, &assumptions,
                                                       &target, true, options.SCEVExpansionBudget, false, &rest);
    options.Runtime = !cuts || !rest || !cut_by_two(before, left_for(rest));
    if (cuts) {
      evolution.forgetAllLoops();
      tidy();
    }
    UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions, &target, &remarks, true, options.Runtime ? &rest : nullptr);
    if (rest) {
      rest->setLoopAlreadyUnrolled();
      mark_rest(rest);
      if (past && i == 0)
        ask_past(evolution, rest, options.Count, past, context);
      mark_left(rest, options.Count);
      evolution.forgetLoop(rest);
    }
    loop = rest;
    if (rest && (i + 1 == count || factors[i + 1] <= 1)) {
      rest->setLoopID(id); // it may have all iterations to do: whoever unrolls the original may unroll it
      if (end)
        end_as_before(rest, goes_on);
    }
  }
  if (end)
    drop_ends(f);
}

namespace {
// A loop of one block in simplified form, the first iterations of which are made in front of it, where it has as many.
struct Begin {
  Loop &loop;
  ScalarEvolution &evolution;
  BasicBlock *before, *body, *first = nullptr, *ahead = nullptr; // first: those iterations; ahead: behind them
  DenseMap<PHINode *, Value *> counters; // and what they begin with behind those iterations
  DenseMap<PHINode *, Value *> now; // what the loop's phis are in the next iteration that is made
  SmallVector<MDNode *, 4> scopes; // of what is promised of one iteration alone

  Begin(Loop &loop, ScalarEvolution &evolution)
      : loop(loop), evolution(evolution), before(loop.getLoopPreheader()), body(loop.getHeader()) {
    identifyNoAliasScopesToClone({body}, scopes);
    for (PHINode &phi : body->phis())
      now[&phi] = phi.getIncomingValueForBlock(before);
  }

  // A sum without a phi, as which places are told. To be called while the loop is as it was.
  void find_counters(int iterations, Value *condition) {
    IRBuilder<> builder(before->getTerminator());
    for (PHINode &phi : body->phis()) {
      auto *runs = evolution.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
      bool even = runs && runs->getLoop() == &loop && runs->isAffine();
      auto *step = even ? dyn_cast<SCEVConstant>(runs->getStepRecurrence(evolution)) : nullptr;
      if (!step)
        continue;
      APInt way = step->getAPInt() * APInt(step->getAPInt().getBitWidth(), static_cast<uint64_t>(iterations));
      Value *by = builder.CreateSelect(condition, builder.getInt(way), builder.getInt(way * 0));
      Value *start = phi.getIncomingValueForBlock(before);
      counters[&phi] = phi.getType()->isPointerTy() ? builder.CreatePtrAdd(start, by) : builder.CreateAdd(start, by);
    }
  }

  // In a block of its own, which ends as the loop's does.
  BasicBlock *iteration() {
    ValueToValueMapTy twins;
    BasicBlock *twin = CloneBasicBlock(body, twins, "", body->getParent());
    twin->moveBefore(body);
    for (PHINode &phi : body->phis()) {
      auto *copy = cast<PHINode>(twins[&phi]);
      twins[&phi] = now[&phi];
      copy->eraseFromParent();
    }
    remapInstructionsInBlocks({twin}, twins);
    for (PHINode &phi : body->phis()) {
      auto found = twins.find(phi.getIncomingValueForBlock(body));
      next[&phi] = found == twins.end() ? phi.getIncomingValueForBlock(body) : &*found->second;
    }
    now = next;
    cloneAndAdaptNoAliasScopes(scopes, {twin}, body->getContext(), "begun");
    for (Instruction &i : *twin)
      if (i.mayReadOrWriteMemory())
        mark(i, BLOCK_METADATA);
    return twin;
  }

  void copy(int iterations) {
    ahead = BasicBlock::Create(body->getContext(), "", body->getParent(), body);
    BasicBlock *last = nullptr;
    for (int i = 0; i < iterations; i++) {
      BasicBlock *twin = iteration();
      ReplaceInstWithInst(twin->getTerminator(), BranchInst::Create(ahead));
      if (last)
        last->getTerminator()->setSuccessor(0, twin);
      last = twin;
      first = first ? first : twin;
    }
    while (first->getSingleSuccessor() != ahead)
      MergeBlockIntoPredecessor(first->getSingleSuccessor());
  }

  void go_on(Value *condition) {
    IRBuilder<> builder(ahead);
    for (PHINode &phi : body->phis()) {
      Value *start = counters.lookup(&phi);
      if (!start) {
        PHINode *meet = builder.CreatePHI(phi.getType(), 2);
        meet->addIncoming(phi.getIncomingValueForBlock(before), before);
        meet->addIncoming(now[&phi], first);
        start = meet;
      }
      phi.setIncomingValueForBlock(before, start);
      phi.replaceIncomingBlockWith(before, ahead);
    }
    builder.CreateBr(body);
    ReplaceInstWithInst(before->getTerminator(), BranchInst::Create(first, ahead, condition));
  }

private:
  DenseMap<PHINode *, Value *> next;
};
} // namespace

void ir_loop_begin(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations, LLVMValueRef condition) {
  Function &f = *unwrap<Function>(function);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Begin begin(*loops.getLoopFor(unwrap(header)), evolution);
  begin.find_counters(iterations, unwrap(condition));
  begin.copy(iterations);
  begin.go_on(unwrap(condition));
  ir_changed(ir, function);
}

// From the end of a loop's iteration, or of what stands for one, the way to the next is gone.
static void never_again(BasicBlock *end, unsigned next) {
  auto *jump = cast<BranchInst>(end->getTerminator());
  if (jump->isUnconditional())
    return;
  BasicBlock *out = jump->getSuccessor(1 - next);
  jump->getSuccessor(next)->removePredecessor(end);
  ReplaceInstWithInst(jump, BranchInst::Create(out));
  EliminateUnreachableBlocks(*end->getParent());
}

LLVMBasicBlockRef ir_peel(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool only) {
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = ir->functions->getResult<AssumptionAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header))
    return header;
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  formLCSSARecursively(*loop, tree, &loops, &evolution);
  ValueToValueMapTy first;
  peelLoop(loop, 1, false, &loops, &evolution, tree, &assumptions, true, first);
  BasicBlock *latch = loop->getLoopLatch(), *begin = cast<BasicBlock>(first.lookup(loop->getHeader()));
  if (only)
    never_again(cast<BasicBlock>(first.lookup(latch)), latch->getTerminator()->getSuccessor(1) == loop->getHeader());
  ir_changed(ir, function);
  return wrap(begin);
}

} // extern "C"
