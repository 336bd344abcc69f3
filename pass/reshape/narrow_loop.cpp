// Tile loops whose iterations do something in one stretch of the counter alone: causal products, windows, rows that end early.
//
//     for (k = 0; k < n; k++) {                     first = max(0, least), last = min(n - 1, most)
//       if (k < least || k > most) continue;   ->   if (first <= last)
//       fill; barrier; use; barrier;                  for (k = first;; k++) { fill; barrier; use; barrier; if (k == last) break; }
//     }
//
// A comparison of a counter with what stays changes once at most, and ScalarEvolution tells in which iteration. Those in front of the
// stretch and behind it are not made at all: they did nothing, and what leaves the loop is what they had been given.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/reshape/skips.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// A comparison of a counter with what stays, which lets iterations do something where it is `keeps`: from one of them on, or up to one.
struct Bound {
  ICmpInst *compared;
  bool keeps, begins;
  ICmpInst::Predicate kept; // of what the counter begins with, and what stays
  const SCEV *start, *stays;
  const SCEV *way; // from one to the other, in the direction of the counter
  APInt step; // by which the counter moves there
  bool down;
  bool asked; // by the first iteration, or it may be asked for anywhere
};

struct Narrowing {
  Skips &skips;
  ScalarEvolution &evolution;
  const SCEV *last; // number of the last iteration; null: ...
  std::optional<Bound> goes; // ... as many as this lets follow
  SmallVector<Bound, 2> bounds;

  SmallVector<const Bound *, 4> all() const {
    SmallVector<const Bound *, 4> known;
    if (goes)
      known.push_back(&*goes);
    for (const Bound &bound : bounds)
      known.push_back(&bound);
    return known;
  }
};

// ---- what is looked at ----

// May it be computed where nobody has asked for it? It may be poison then.
bool is_sound(const Narrowing &narrowing, const SCEV *value) {
  return !SCEVExprContains(value, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && !isGuaranteedNotToBePoison(unknown->getValue(), nullptr, narrowing.skips.preheader->getTerminator());
  });
}

// The value as a counter of the loop; null: it is none.
const SCEVAddRecExpr *counter_of(const Narrowing &narrowing, Value *value) {
  auto *counter = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(narrowing.evolution, value));
  return counter && counter->isAffine() && counter->getLoop() == &narrowing.skips.loop ? counter : nullptr;
}

// All that the front moves can begin anywhere.
bool may_begin_later(const Narrowing &narrowing) {
  return all_of(narrowing.skips.moved, [&](PHINode *head) {
    const SCEVAddRecExpr *counter = counter_of(narrowing, head);
    return counter && is_sound(narrowing, counter->getStepRecurrence(narrowing.evolution));
  });
}

bool never_wraps(const Operator &operation, bool is_signed) {
  if (auto *combined = dyn_cast<PossiblyDisjointInst>(&operation))
    return combined->isDisjoint();
  auto *counted = dyn_cast<OverflowingBinaryOperator>(&operation);
  return counted && (is_signed ? counted->hasNoSignedWrap() : counted->hasNoUnsignedWrap());
}

// Of a counter's start. Where the first iteration does not ask for what is computed of it, that may have wrapped there, and not later on.
bool begins_whole(const Narrowing &narrowing, Value *counter, Instruction::BinaryOps operation, bool is_signed, const SCEV *other) {
  const SCEVAddRecExpr *moves = counter_of(narrowing, counter);
  return narrowing.evolution.willNotOverflow(operation, is_signed, moves->getStart(), other);
}

std::optional<APInt> step_of(const Narrowing &narrowing, Value *value, bool is_signed, bool decides);

std::optional<APInt> added_step(const Narrowing &narrowing, Value *moved, Value *stays, bool is_signed, bool decides) {
  std::optional<APInt> step = step_of(narrowing, moved, is_signed, decides);
  bool whole = step && (decides || begins_whole(narrowing, moved, Instruction::Add, is_signed, narrowing.evolution.getSCEV(stays)));
  return whole ? step : std::nullopt;
}

std::optional<APInt> scaled_step(const Narrowing &narrowing, Value *moved, const APInt &times, bool is_signed, bool decides) {
  std::optional<APInt> step = step_of(narrowing, moved, is_signed, decides);
  if (!step || (!decides && !begins_whole(narrowing, moved, Instruction::Mul, is_signed, narrowing.evolution.getConstant(times))))
    return {};
  bool overflows;
  APInt product = is_signed ? step->smul_ov(times, overflows) : step->umul_ov(times, overflows);
  return overflows ? std::nullopt : std::optional(product);
}

// By how much the value moves with each iteration, as a number that never wraps where the loop asks for it: a way that a wrapped one
// chooses leads nowhere. What is added stays; what is multiplied is known. `decides`: the first iteration asks.
std::optional<APInt> step_of(const Narrowing &narrowing, Value *value, bool is_signed, bool decides) {
  ScalarEvolution &evolution = narrowing.evolution;
  const SCEVAddRecExpr *counter = counter_of(narrowing, value);
  auto *step = counter ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution)) : nullptr;
  if (!step)
    return {};
  if (is_signed ? counter->hasNoSignedWrap() : counter->hasNoUnsignedWrap())
    return step->getAPInt();
  auto *operation = dyn_cast<Operator>(value);
  Value *moved;
  Constant *factor;
  if (!operation || !never_wraps(*operation, is_signed))
    return {};
  for (unsigned k : {0u, 1u})
    if (match(value, m_AddLike(m_Value(), m_Value())) &&
        evolution.isLoopInvariant(evolution.getSCEV(operation->getOperand(k)), &narrowing.skips.loop))
      return added_step(narrowing, operation->getOperand(1 - k), operation->getOperand(k), is_signed, decides);
  if (match(value, m_Mul(m_Value(moved), m_ImmConstant(factor))))
    return scaled_step(narrowing, moved, factor->getUniqueInteger(), is_signed, decides);
  if (match(value, m_Shl(m_Value(moved), m_ImmConstant(factor))) &&
      factor->getUniqueInteger().ult(step->getAPInt().getBitWidth() - 1))
    return scaled_step(narrowing, moved,
                       APInt::getOneBitSet(step->getAPInt().getBitWidth(), factor->getUniqueInteger().getZExtValue()), is_signed,
                       decides);
  return {};
}

std::optional<Bound> bound_of(const Narrowing &narrowing, ICmpInst *compared, bool keeps, bool decides) {
  ScalarEvolution &evolution = narrowing.evolution;
  const Loop &loop = narrowing.skips.loop;
  if (!shallow_form(evolution, compared))
    return {};
  unsigned moves = evolution.isLoopInvariant(evolution.getSCEV(compared->getOperand(0)), &loop) ? 1 : 0;
  ICmpInst::Predicate kept = keeps ? compared->getPredicate() : compared->getInversePredicate();
  if (moves)
    kept = ICmpInst::getSwappedPredicate(kept);
  Value *other = compared->getOperand(1 - moves); /* computed in front already, it is taken as it is */
  const SCEV *stays = loop.isLoopInvariant(other) ? evolution.getUnknown(other) : evolution.getSCEV(other);
  std::optional<APInt> step = step_of(narrowing, compared->getOperand(moves), ICmpInst::isSigned(kept), decides);
  if (!step || step->isZero() || ICmpInst::isEquality(kept) || !evolution.isLoopInvariant(stays, &loop))
    return {};
  bool down = ICmpInst::isSigned(kept) && step->isNegative();
  const SCEV *start = counter_of(narrowing, compared->getOperand(moves))->getStart();
  const SCEV *way = down ? evolution.getMinusSCEV(start, stays) : evolution.getMinusSCEV(stays, start);
  if (isa<SCEVCouldNotCompute>(way))
    return {};
  bool begins = (ICmpInst::isGT(kept) || ICmpInst::isGE(kept)) != down;
  return Bound{compared, keeps, begins, kept, start, stays, way, down ? step->abs() : *step, down, true};
}

// Of several that must hold together. `decides`: the first iteration asks for it, whatever else it asks.
void add_bounds(Narrowing &narrowing, Value *condition, bool keeps, bool decides) {
  Value *one, *other;
  if (match(condition, m_Not(m_Value(one))))
    add_bounds(narrowing, one, !keeps, decides);
  else if (keeps ? match(condition, m_LogicalAnd(m_Value(one), m_Value(other)))
                 : match(condition, m_LogicalOr(m_Value(one), m_Value(other)))) {
    add_bounds(narrowing, one, keeps, decides);
    add_bounds(narrowing, other, keeps, false);
  } else if (auto *compared = dyn_cast<ICmpInst>(condition)) {
    std::optional<Bound> bound = bound_of(narrowing, compared, keeps, decides);
    if (!bound || (bound->begins && !may_begin_later(narrowing)))
      return;
    bound->asked = decides || (is_sound(narrowing, bound->start) && is_sound(narrowing, bound->stays));
    if (bound->asked || bound->stays->getType()->isIntegerTy())
      narrowing.bounds.push_back(*bound);
  }
}

// From blocks that every iteration comes to which does something, past which the rest of them leads to the latch at once.
void find_bounds(Narrowing &narrowing, DominatorTree &tree) {
  const Skips &skips = narrowing.skips;
  for (BasicBlock *block : skips.front) {
    auto *jump = dyn_cast<BranchInst>(block->getTerminator());
    if (!jump || !jump->isConditional() || block == skips.latch || !tree.dominates(block, skips.body))
      continue;
    for (unsigned way : {0u, 1u})
      if (jump->getSuccessor(way) == skips.latch && jump->getSuccessor(1 - way) != skips.latch)
        add_bounds(narrowing, jump->getCondition(), way == 1, block == skips.header);
  }
}

// How many iterations are there? Where a loop steps by more than one, and may not be known to end, its own comparison tells.
bool find_end(Narrowing &narrowing) {
  const Skips &skips = narrowing.skips;
  auto *jump = cast<BranchInst>(skips.latch->getTerminator());
  if (!shallow_form(narrowing.evolution, jump->getCondition()))
    return false;
  const SCEV *last = narrowing.evolution.getExitCount(&skips.loop, skips.latch);
  if (!isa<SCEVCouldNotCompute>(last))
    narrowing.last = last;
  else if (auto *compared = dyn_cast<ICmpInst>(jump->getCondition()))
    narrowing.goes = bound_of(narrowing, compared, jump->getSuccessor(0) == skips.header, true);
  return narrowing.last || (narrowing.goes && !narrowing.goes->begins);
}

bool is_told_in_front(const Narrowing &narrowing) {
  const Skips &skips = narrowing.skips;
  SCEVExpander expander(narrowing.evolution, "narrow");
  SmallVector<const SCEV *, 8> told;
  if (narrowing.last)
    told.push_back(narrowing.last);
  for (const Bound *bound : narrowing.all())
    told.append({bound->start, bound->stays, bound->way});
  for (PHINode *head : skips.moved)
    if (const SCEVAddRecExpr *counter = counter_of(narrowing, head))
      told.append({counter->getStart(), counter->getStepRecurrence(narrowing.evolution)});
  return all_of(told, [&](const SCEV *value) { return expander.isSafeToExpandAt(value, skips.preheader->getTerminator()); });
}

// ---- the loop ----

// Iterations of the loop as it was, and whether there is any.
struct Stretch {
  Value *first, *last, *any;
};

Type *widest(const Narrowing &narrowing) {
  Type *type = narrowing.last ? narrowing.last->getType() : narrowing.goes->way->getType();
  for (const Bound *bound : narrowing.all())
    type = narrowing.evolution.getWiderType(type, bound->way->getType());
  return type;
}

// Computes the stretch, in front of the loop. No number is too large for its type: a way is only gone where the first iteration tells
// that it leads on, and what comes behind it is compared by what it comes behind.
class Measure {
  SCEVExpander &expander;
  Instruction *at;
  IRBuilder<> builder;
  Type *type;

  DenseMap<const SCEV *, Value *> frozen;

  Value *made(const SCEV *value) { return expander.expandCodeFor(value, value->getType(), at); }

  // One number, whichever, where it was not asked for: all iterations do nothing then, by what stands before it.
  Value *side(const Bound &bound, const SCEV *value) {
    Value *&known = frozen[value];
    if (!bound.asked && !known)
      known = builder.CreateFreeze(made(value));
    return bound.asked ? made(value) : known;
  }

  Value *way(const Bound &bound) {
    if (bound.asked)
      return made(bound.way);
    Value *start = side(bound, bound.start), *stays = side(bound, bound.stays);
    return bound.down ? builder.CreateSub(start, stays) : builder.CreateSub(stays, start);
  }

public:
  Measure(SCEVExpander &with, Instruction *before, Type *of) : expander(with), at(before), builder(before), type(of) {}

  Stretch whole(const Narrowing &narrowing) {
    Value *zero = Constant::getNullValue(type);
    if (narrowing.last)
      return {zero, builder.CreateZExt(made(narrowing.last), type), builder.getTrue()};
    Value *follow = builder.CreateAdd(steps(*narrowing.goes, ICmpInst::isStrictPredicate(narrowing.goes->kept)),
                                      ConstantInt::get(type, 1));
    return {zero, builder.CreateSelect(is_kept(*narrowing.goes), follow, zero), builder.getTrue()};
  }

  // Does the first iteration do something, by this bound?
  Value *is_kept(const Bound &bound) { return builder.CreateICmp(bound.kept, side(bound, bound.start), side(bound, bound.stays)); }

  // How many steps lead there, and not over it; `less` than there.
  Value *steps(const Bound &bound, bool less) {
    Value *steps = way(bound);
    if (less)
      steps = builder.CreateSub(steps, ConstantInt::get(steps->getType(), 1));
    return builder.CreateZExt(builder.CreateUDiv(steps, ConstantInt::get(steps->getType(), bound.step)), type);
  }

  void end(Stretch &stretch, const Bound &bound) {
    stretch.any = builder.CreateAnd(stretch.any, is_kept(bound));
    Value *last = steps(bound, ICmpInst::isStrictPredicate(bound.kept));
    stretch.last = builder.CreateBinaryIntrinsic(Intrinsic::umin, stretch.last, last);
  }

  void begin(Stretch &stretch, const Bound &bound) {
    Value *at_once = is_kept(bound), *before = steps(bound, !ICmpInst::isStrictPredicate(bound.kept));
    stretch.any = builder.CreateAnd(stretch.any, builder.CreateOr(at_once, builder.CreateICmpULT(before, stretch.last)));
    Value *first = builder.CreateSelect(at_once, Constant::getNullValue(type),
                                        builder.CreateAdd(before, ConstantInt::get(type, 1)));
    stretch.first = builder.CreateBinaryIntrinsic(Intrinsic::umax, stretch.first, first);
  }
};

// Ends come first: beginnings are held against the last iteration.
Stretch measure(const Narrowing &narrowing, SCEVExpander &expander) {
  Measure measure(expander, narrowing.skips.preheader->getTerminator(), widest(narrowing));
  Stretch stretch = measure.whole(narrowing);
  for (const Bound &bound : narrowing.bounds)
    if (!bound.begins)
      measure.end(stretch, bound);
  for (const Bound &bound : narrowing.bounds)
    if (bound.begins)
      measure.begin(stretch, bound);
  return stretch;
}

void enter(const Narrowing &narrowing, SCEVExpander &expander, const Stretch &stretch) {
  const Skips &skips = narrowing.skips;
  Instruction *jump = skips.preheader->getTerminator();
  bool later = any_of(narrowing.bounds, [](const Bound &bound) { return bound.begins; });
  for (PHINode &phi : skips.exit->phis())
    phi.addIncoming(head_of(skips, phi)->getIncomingValueForBlock(skips.preheader), skips.preheader);
  for (PHINode *head : skips.moved) {
    if (!later)
      continue;
    const SCEVAddRecExpr *counter = counter_of(narrowing, head);
    const SCEV *there = counter->evaluateAtIteration(narrowing.evolution.getUnknown(stretch.first), narrowing.evolution);
    head->setIncomingValueForBlock(skips.preheader, expander.expandCodeFor(there, head->getType(), jump));
  }
  IRBuilder<>(jump).CreateCondBr(stretch.any, skips.header, skips.exit);
  jump->eraseFromParent();
}

void leave(const Skips &skips, const Stretch &stretch) {
  Instruction *jump = skips.latch->getTerminator();
  IRBuilder<> builder(skips.header, skips.header->begin());
  PHINode *counter = builder.CreatePHI(stretch.last->getType(), 2);
  counter->addIncoming(stretch.first, skips.preheader);
  builder.SetInsertPoint(jump);
  counter->addIncoming(builder.CreateAdd(counter, ConstantInt::get(counter->getType(), 1)), skips.latch);
  BranchInst *ends = builder.CreateCondBr(builder.CreateICmpEQ(counter, stretch.last), skips.exit, skips.header);
  ends->copyMetadata(*jump, LLVMContext::MD_loop);
  jump->eraseFromParent();
}

// Within the stretch, all of its bounds hold.
void hold(const Narrowing &narrowing) {
  const Loop &loop = narrowing.skips.loop;
  for (const Bound &bound : narrowing.bounds)
    bound.compared->replaceUsesWithIf(ConstantInt::getBool(bound.compared->getType(), bound.keeps),
                                      [&](Use &use) { return loop.contains(cast<Instruction>(use.getUser())->getParent()); });
}

void narrow(Narrowing &narrowing) {
  SCEVExpander expander(narrowing.evolution, "narrow");
  Stretch stretch = measure(narrowing, expander);
  enter(narrowing, expander, stretch);
  leave(narrowing.skips, stretch);
  hold(narrowing);
}

bool narrow_if_bounded(IrModule *ir, Function &f, Loop &loop) {
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Skips skips(loop);
  if (!may_skip(loop, tree) || !find_skips(skips, tree) || !latch_is_front(skips) || loop.getExitingBlock() != skips.latch)
    return false;
  Narrowing narrowing = {skips, evolution, nullptr, {}, {}};
  if (!find_end(narrowing))
    return false;
  find_bounds(narrowing, tree);
  if (narrowing.bounds.empty() || !is_told_in_front(narrowing))
    return false;
  narrow(narrowing);
  return true;
}

} // namespace

extern "C" void ir_narrow_loops(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  for (bool narrowed = true; narrowed;) {
    narrowed = false;
    bring_in_form(ir, f);
    for (Loop *loop : ir->functions->getResult<LoopAnalysis>(f).getLoopsInPreorder())
      if ((narrowed = narrow_if_bounded(ir, f, *loop)))
        break;
    if (narrowed)
      ir_changed(ir, function);
  }
}
