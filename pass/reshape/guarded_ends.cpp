// Exits that what is known in front of the loop may tell not to be there.
//
//     for (k = 0; k < n; k++) { if (capped && k >= limit) break; ... }   ->   k >= (capped ? limit : n)
//
// ScalarEvolution knows no number of iterations of an exit that asks two things. Where the other one does not change in the loop, the bound
// is chosen in front of it: the exit's own, or one that the counter does not come to before the loop ends by another exit.
#include "pass/bridge/bridge_internal.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// The loop ends by it where a value is true, or where it is false.
struct End {
  Value *value;
  bool if_true;
};

// One that asks whether a counter has come to a bound, and what it asks besides, which is known in front of the loop.
struct Guarded {
  Instruction *whole;
  bool if_true;
  bool lazy; // what is asked later decides nothing, not even as poison, where what is asked before says no
  SmallVector<Value *, 2> flags; // of End's kind as well: all of them say so where the loop may end here
  ICmpInst *asked;
  const SCEVAddRecExpr *counter;
  Value *bound;
  CmpInst::Predicate leaves; // counter .. bound
};

class Ends {
public:
  Ends(Loop &loop, ScalarEvolution &evolution, DominatorTree &tree)
      : loop(loop), evolution(evolution), tree(tree), before(loop.getLoopPredecessor()) {}

  bool find();
  bool make();

private:
  Loop &loop;
  ScalarEvolution &evolution;
  DominatorTree &tree;
  BasicBlock *before;
  SmallVector<std::pair<Guarded, BasicBlock *>, 2> found;
  SmallVector<std::pair<BasicBlock *, End>, 4> plain; // the others

  void part(End end, BasicBlock *block);
  bool all_of(End end, Guarded &guarded);
  bool asks_bound(Guarded &guarded);
  const SCEV *last_by(const Guarded &guarded, BasicBlock *block, const End &other, BasicBlock *others);
  Value *never(const Guarded &guarded, BasicBlock *block);
  Value *chosen(const Guarded &guarded, Value *instead);
};

// Parts of which each ends the loop by itself. What else uses a choice of them is not to see that one of them asks something else.
void Ends::part(End end, BasicBlock *block) {
  Value *a, *b;
  bool is_either = end.if_true ? match(end.value, m_LogicalOr(m_Value(a), m_Value(b)))
                               : match(end.value, m_LogicalAnd(m_Value(a), m_Value(b)));
  if (is_either && end.value->hasOneUse() &&
      loop.contains(dyn_cast<Instruction>(end.value) ? cast<Instruction>(end.value)->getParent() : nullptr)) {
    part({a, end.if_true}, block);
    part({b, end.if_true}, block);
    return;
  }
  Guarded guarded = {dyn_cast<Instruction>(end.value), end.if_true, false, {}, nullptr, nullptr, nullptr,
                     CmpInst::BAD_ICMP_PREDICATE};
  if (all_of(end, guarded) && !guarded.flags.empty() && guarded.asked && asks_bound(guarded))
    found.push_back({guarded, block});
  else
    plain.push_back({block, end});
}

// Parts that have to say so together. One of them changes in the loop, a comparison.
bool Ends::all_of(End end, Guarded &guarded) {
  if (loop.isLoopInvariant(end.value)) {
    guarded.flags.push_back(end.value);
    return !isa<Constant>(end.value);
  }
  Value *a, *b;
  if (end.if_true ? match(end.value, m_LogicalAnd(m_Value(a), m_Value(b)))
                  : match(end.value, m_LogicalOr(m_Value(a), m_Value(b)))) {
    guarded.lazy |= isa<SelectInst>(end.value);
    return end.value->hasOneUse() && all_of({a, end.if_true}, guarded) && all_of({b, end.if_true}, guarded);
  }
  bool first = !guarded.asked;
  guarded.asked = dyn_cast<ICmpInst>(end.value);
  return first && guarded.asked;
}

// A counter that goes towards the bound, and past it. One that is poison where nobody asked for it has to be nobody's either way.
bool Ends::asks_bound(Guarded &guarded) {
  guarded.leaves = guarded.if_true ? guarded.asked->getPredicate() : guarded.asked->getInversePredicate();
  Value *number = guarded.asked->getOperand(0);
  guarded.bound = guarded.asked->getOperand(1);
  if (loop.isLoopInvariant(number)) {
    std::swap(number, guarded.bound);
    guarded.leaves = CmpInst::getSwappedPredicate(guarded.leaves);
  }
  if (!loop.isLoopInvariant(guarded.bound) || !evolution.isSCEVable(number->getType()))
    return false;
  guarded.counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(number));
  if (!guarded.counter || guarded.counter->getLoop() != &loop || !guarded.counter->isAffine())
    return false;
  auto *step = dyn_cast<SCEVConstant>(guarded.counter->getStepRecurrence(evolution));
  bool up = step && step->getAPInt().isStrictlyPositive(), down = step && step->getAPInt().isNegative();
  bool passes = guarded.leaves == CmpInst::ICMP_EQ || (up && (ICmpInst::isGE(guarded.leaves) || ICmpInst::isGT(guarded.leaves))) ||
                (down && (ICmpInst::isLE(guarded.leaves) || ICmpInst::isLT(guarded.leaves)));
  auto *counts = dyn_cast<Instruction>(number);
  if (number->getType()->isPointerTy() && guarded.leaves != CmpInst::ICMP_EQ)
    return false;
  return (up || down) && passes && (!guarded.lazy || (counts && programUndefinedIfPoison(counts)));
}

// What the counter is in the iteration by which the loop ends at the latest, by another exit; null where that is not known, or it may have
// wrapped around by then.
const SCEV *Ends::last_by(const Guarded &guarded, BasicBlock *block, const End &other, BasicBlock *others) {
  const SCEVAddRecExpr *counter = guarded.counter;
  const SCEV *start = counter->getStart(), *step = counter->getStepRecurrence(evolution);
  if (!counter->getType()->isIntegerTy() || (!step->isOne() && !step->isAllOnesValue()))
    return nullptr;
  const SCEV *times = others == block ? evolution.computeExitLimitFromCond(&loop, other.value, other.if_true, false).ExactNotTaken
                                      : evolution.getExitCount(&loop, others);
  if (isa<SCEVCouldNotCompute>(times) ||
      evolution.getTypeSizeInBits(times->getType()) > evolution.getTypeSizeInBits(counter->getType()))
    return nullptr;
  times = evolution.getNoopOrZeroExtend(times, counter->getType());
  const SCEV *last = evolution.getAddExpr(start, evolution.getMulExpr(times, step));
  bool at_once = others == block; // both are asked at once, and that one says so
  const SCEV *end = at_once ? last : evolution.getAddExpr(last, step);
  CmpInst::Predicate along = ICmpInst::isEquality(guarded.leaves) ? (step->isOne() ? CmpInst::ICMP_UGE : CmpInst::ICMP_ULE)
                                                                  : ICmpInst::getNonStrictPredicate(guarded.leaves);
  if (!at_once)
    along = ICmpInst::getStrictPredicate(along);
  else if (guarded.leaves == CmpInst::ICMP_EQ)
    return end; // met once in as many iterations as there are numbers
  return evolution.isKnownPredicate(along, end, start) || evolution.isLoopEntryGuardedByCond(&loop, along, end, start) ? end
                                                                                                                       : nullptr;
}

// A bound by which the loop never ends here and not elsewhere as well; null where none is known.
Value *Ends::never(const Guarded &guarded, BasicBlock *block) {
  SCEVExpander expander(evolution, "coalda");
  for (auto &[others, end] : plain) {
    auto *same = others == block ? dyn_cast<ICmpInst>(end.value) : nullptr;
    Value *number = guarded.asked->getOperand(guarded.bound == guarded.asked->getOperand(0) ? 1 : 0);
    if (same && same->getOperand(0) == number && loop.isLoopInvariant(same->getOperand(1)) &&
        ICmpInst::getNonStrictPredicate(guarded.leaves) == guarded.leaves &&
        (end.if_true ? same->getPredicate() : same->getInversePredicate()) == guarded.leaves)
      return same->getOperand(1);
    const SCEV *last = last_by(guarded, block, end, others);
    if (last && expander.isSafeToExpandAt(last, before->getTerminator()))
      return expander.expandCodeFor(last, guarded.bound->getType(), before->getTerminator());
  }
  return nullptr;
}

// A bound that has to be passed is one behind it, if there is one.
Value *Ends::chosen(const Guarded &guarded, Value *instead) {
  IRBuilder<> builder(before->getTerminator());
  Value *holds = nullptr, *bound = guarded.bound;
  for (Value *flag : guarded.flags) {
    if (!isGuaranteedNotToBeUndefOrPoison(flag))
      flag = builder.CreateFreeze(flag);
    if (!guarded.if_true)
      flag = builder.CreateNot(flag);
    holds = holds ? builder.CreateAnd(holds, flag) : flag;
  }
  if (ICmpInst::isGT(guarded.leaves) || ICmpInst::isLT(guarded.leaves)) {
    bool is_signed = ICmpInst::isSigned(guarded.leaves), up = ICmpInst::isGT(guarded.leaves);
    unsigned bits = bound->getType()->getIntegerBitWidth();
    APInt edge = up ? (is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits))
                    : (is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits));
    if (!isGuaranteedNotToBeUndefOrPoison(bound))
      bound = builder.CreateFreeze(bound);
    holds = builder.CreateAnd(holds, builder.CreateICmpNE(bound, ConstantInt::get(bound->getType(), edge)));
    bound = builder.CreateAdd(bound, ConstantInt::getSigned(bound->getType(), up ? 1 : -1));
  }
  return builder.CreateSelect(holds, bound, instead);
}

// The loop is not counted, and these exits may be why.
bool Ends::find() {
  BasicBlock *latch = loop.getLoopLatch();
  if (!before || !latch || !loop.isInnermost())
    return false;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (BasicBlock *block : exiting) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !tree.dominates(block, latch) || !shallow_form(evolution, branch->getCondition()))
      return false;
    part({branch->getCondition(), !loop.contains(branch->getSuccessor(0))}, block);
  }
  return !found.empty() && !plain.empty() && isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
}

bool Ends::make() {
  SmallVector<Use *, 4> changed;
  SmallVector<Value *, 4> original;
  bool all = true;
  for (auto &[guarded, block] : found) {
    Value *instead = guarded.whole->hasOneUse() ? never(guarded, block) : nullptr;
    all &= instead != nullptr;
    if (!instead)
      break;
    bool swapped = guarded.bound == guarded.asked->getOperand(0);
    Value *bound = chosen(guarded, instead), *number = guarded.asked->getOperand(swapped ? 1 : 0);
    CmpInst::Predicate leaves = ICmpInst::getNonStrictPredicate(guarded.leaves);
    IRBuilder<> builder(guarded.whole);
    Use &use = *guarded.whole->use_begin();
    original.push_back(guarded.whole);
    changed.push_back(&use);
    use.set(builder.CreateICmp(guarded.if_true ? leaves : ICmpInst::getInversePredicate(leaves), number, bound));
  }
  evolution.forgetTopmostLoop(&loop);
  bool counted = all && !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  for (size_t i = 0; i < changed.size(); i++) {
    Value *made = changed[i]->get();
    if (!counted)
      changed[i]->set(original[i]);
    RecursivelyDeleteTriviallyDeadInstructions(counted ? original[i] : made);
  }
  if (!counted)
    evolution.forgetTopmostLoop(&loop);
  return counted;
}

} // namespace

bool loop_guard_ends(Loop &loop, ScalarEvolution &evolution, DominatorTree &tree) {
  Ends ends(loop, evolution, tree);
  return ends.find() && ends.make();
}
