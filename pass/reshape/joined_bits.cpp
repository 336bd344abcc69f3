// Powers of two by which loops count, where LLVM knows no more of them than that a shift has made them.
//
//     for (i = 0; i < (1 << g); i++) s += a[(id << g) | i];   ->   a[(id << g) + i]
//
// A counter that is less than 1 << g, and what has been shifted by g, have no bit in common: joining them is adding them, which is said
// by `or disjoint`, and ScalarEvolution then sees the row that is walked. And the bound of such a counter, if it is unsigned, has become
//
//     (i >> g) == 0   ->   i < (1 << g)
//
// of which ScalarEvolution knows no number of iterations.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// A number that does not change with its type: an amount that is negative is one of too many bits in each of them.
static Value *bare(Value *number) {
  Value *inner;
  while (match(number, m_ZExtOrSExt(m_Value(inner))))
    number = inner;
  return number;
}

// The powers in the function that are 1 << amount.
static SmallVector<Value *, 4> powers_by(Value *amount) {
  SmallVector<Value *, 4> powers;
  SmallVector<Value *, 8> amounts{amount};
  for (size_t k = 0; k < amounts.size(); k++)
    for (User *user : amounts[k]->users()) {
      if (isa<ZExtInst, SExtInst>(user))
        amounts.push_back(user);
      else if (match(user, m_Shl(m_One(), m_Specific(amounts[k]))))
        powers.push_back(user);
    }
  return powers;
}

// Is the counter less than `power` wherever the loop has it? It goes on by one: in the last iteration it is power - 1, or 0, if that is negative
// where it is asked. In the first one, where nothing may have been asked yet, it is less as well: 0 is by itself.
static bool ends_before(ScalarEvolution &evolution, const SCEVAddRecExpr *counter, const SCEV *times, Value *power) {
  Type *type = counter->getType();
  if (times->getType() != type || evolution.getTypeSizeInBits(power->getType()) > evolution.getTypeSizeInBits(type))
    return false;
  const SCEV *start = counter->getStart(), *one = evolution.getOne(type), *after = evolution.getAddExpr(times, start, one);
  const SCEV *bound = evolution.getNoopOrZeroExtend(evolution.getSCEV(power), type);
  bool begins_below = start->isZero() || evolution.isLoopEntryGuardedByCond(counter->getLoop(), ICmpInst::ICMP_ULT, start, bound);
  bool is_once = start->isZero() && (after == evolution.getUMaxExpr(bound, one) || after == evolution.getSMaxExpr(bound, one));
  return begins_below && (after == bound || is_once);
}

// A counter of the loop, shown less than 1 << amount by an exit that each iteration comes to.
static bool counts_below(ScalarEvolution &evolution, const Loop &loop, Value *number, Value *amount) {
  auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(bare(number))); // less than half of what its type holds, and positive
  if (!counter || counter->getLoop() != &loop || !counter->isAffine() || !counter->getStepRecurrence(evolution)->isOne() ||
      !isa<SCEVConstant>(counter->getStart()))
    return false;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (Value *power : powers_by(amount))
    for (BasicBlock *block : exiting) {
      const SCEV *times = evolution.getExitCount(&loop, block); // told of exits alone that each iteration comes to
      if (!isa<SCEVCouldNotCompute>(times) && ends_before(evolution, counter, times, power))
        return true;
    }
  return false;
}

// The bits of `number` lie below those of what is shifted.
static bool are_apart(ScalarEvolution &evolution, const Loop &loop, Value *shifted, Value *number) {
  Value *amount;
  return match(shifted, m_Shl(m_Value(), m_Value(amount))) && counts_below(evolution, loop, number, bare(amount));
}

bool loop_add_joined(Loop &loop, ScalarEvolution &evolution) {
  bool any = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      auto *joined = dyn_cast<PossiblyDisjointInst>(&i);
      if (!joined || joined->isDisjoint() || !joined->getType()->isIntegerTy())
        continue;
      Value *a = joined->getOperand(0), *b = joined->getOperand(1);
      if (!are_apart(evolution, loop, a, b) && !are_apart(evolution, loop, b, a))
        continue;
      joined->setIsDisjoint(true);
      evolution.forgetValue(joined);
      any = true;
    }
  return any;
}

// An exit of the loop that asks whether a number has bits from `amount` on.
static bool compare_exits(ScalarEvolution &evolution, Loop &loop) {
  bool any = false;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    CmpPredicate asked;
    Value *number, *amount;
    if (!branch || !match(branch->getCondition(), m_ICmp(asked, m_LShr(m_Value(number), m_Value(amount)), m_Zero())) ||
        !ICmpInst::isEquality(asked) || !number->getType()->isIntegerTy() || isa<Constant>(amount) ||
        !loop.isLoopInvariant(amount) || !loop.getLoopPreheader())
      continue;
    Value *power = IRBuilder<>(loop.getLoopPreheader()->getTerminator())
                       .CreateShl(ConstantInt::get(number->getType(), 1), amount, "", true);
    IRBuilder<> builder(branch);
    Value *before = branch->getCondition();
    branch->setCondition(builder.CreateICmp(asked == ICmpInst::ICMP_EQ ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE, number, power));
    RecursivelyDeleteTriviallyDeadInstructions(before);
    any = true;
  }
  if (any)
    evolution.forgetTopmostLoop(&loop);
  return any;
}

extern "C" bool ir_add_joined(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  bool any = false;
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  for (Loop *loop : ir->functions->getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
    any |= compare_exits(evolution, *loop); // which makes the loop one that is counted
    any |= loop_guard_ends(*loop, evolution, tree);
    any |= loop_count_on(*loop, evolution);
    any |= loop_add_joined(*loop, evolution);
  }
  return any;
}
