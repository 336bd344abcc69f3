// How an address moves from one iteration to the next, as ScalarEvolution has it: by a step, from a start, along the axes of a nest of loops.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

// Can all that the predicate asks be computed at the place, and how often the loop goes on, which bounds whatever may wrap in it?
bool can_be_asked(const SCEVPredicate &predicate, const SCEV *times, SCEVExpander &expander, Instruction *place) {
  auto can = [&](const SCEV *value) { return !isa<SCEVCouldNotCompute>(value) && expander.isSafeToExpandAt(value, place); };
  if (auto *all = dyn_cast<SCEVUnionPredicate>(&predicate))
    return all_of(all->getPredicates(), [&](const SCEVPredicate *one) { return can_be_asked(*one, times, expander, place); });
  if (auto *compare = dyn_cast<SCEVComparePredicate>(&predicate))
    return can(compare->getLHS()) && can(compare->getRHS());
  return can(times) && all_of(cast<SCEVWrapPredicate>(predicate).getExpr()->operands(), can);
}

using Numbers = SmallDenseMap<const Value *, Constant *>;

// What is computed of constants and of the numbers that the loop's header has; null: it hangs on something else.
static Constant *folded(Value *value, const Numbers &numbers, const DataLayout &layout, unsigned depth = 0) {
  const unsigned deepest = 8;
  if (auto *constant = dyn_cast<Constant>(value))
    return constant;
  if (auto *known = numbers.lookup(value))
    return known;
  auto *made = dyn_cast<Instruction>(value);
  if (!made || isa<PHINode>(made) || made->mayReadOrWriteMemory() || depth == deepest)
    return nullptr;
  SmallVector<Constant *, 3> operands;
  for (Value *operand : made->operands()) {
    operands.push_back(folded(operand, numbers, layout, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  return ConstantFoldInstOperands(made, operands, layout);
}

// The header's phis in its first iteration, or in the one behind that whose numbers are given.
static Numbers numbers_of(Loop *loop, BasicBlock *from, const Numbers &before) {
  Numbers numbers;
  for (PHINode &phi : loop->getHeader()->phis())
    if (phi.getType()->isIntegerTy())
      if (Constant *value = folded(phi.getIncomingValueForBlock(from), before, phi.getDataLayout()))
        numbers[&phi] = value;
  return numbers;
}

extern "C" {

bool ir_number_in(IrLoop *loop, LLVMValueRef phi, int iteration, int64_t *number) {
  Loop *l = loop_in(loop);
  BasicBlock *outside = l->getLoopPredecessor(), *latch = l->getLoopLatch();
  if (!outside || !latch)
    return false;
  Numbers numbers = numbers_of(l, outside, Numbers());
  for (int i = 0; i < iteration && !numbers.empty(); i++)
    numbers = numbers_of(l, latch, numbers);
  auto *value = dyn_cast_or_null<ConstantInt>(numbers.lookup(unwrap(phi)));
  if (!value || value->getValue().getSignificantBits() > 64)
    return false;
  *number = value->getSExtValue();
  return true;
}

bool ir_step(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t *bytes) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  auto *recurrence = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, unwrap(pointer)));
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine())
    return false;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 64)
    return false;
  *bytes = step->getAPInt().getSExtValue();
  return true;
}

// Of a sum, a multiple or an extension, what changes in the loop; null where that is not one of them.
static const SCEV *changing_part(ScalarEvolution &evolution, Loop *loop, const SCEV *form, APInt &factor) {
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(form))
    return cast<SCEVIntegralCastExpr>(form)->getOperand();
  if (!isa<SCEVAddExpr, SCEVMulExpr>(form))
    return nullptr;
  if (auto *product = dyn_cast<SCEVMulExpr>(form)) {
    auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (!constant || product->getNumOperands() != 2)
      return nullptr;
    factor *= constant->getAPInt().sextOrTrunc(factor.getBitWidth());
    return product->getOperand(1);
  }
  const SCEV *changing = nullptr;
  for (const SCEV *part : form->operands()) {
    if (evolution.isLoopInvariant(part, loop))
      continue;
    if (changing)
      return nullptr;
    changing = part;
  }
  return changing;
}

// The number that the step is a multiple of, so many times, without wrapping around as it is made wider: none is 0 alone.
static const SCEV *root_of(ScalarEvolution &evolution, const SCEV *step, APInt &times, bool is_signed = false,
                           bool is_unsigned = false) {
  if (auto *wider = dyn_cast<SCEVIntegralCastExpr>(step); wider && !isa<SCEVTruncateExpr>(step))
    return root_of(evolution, wider->getOperand(), times, is_signed || isa<SCEVSignExtendExpr>(step),
                   is_unsigned || isa<SCEVZeroExtendExpr>(step));
  auto *product = dyn_cast<SCEVMulExpr>(step);
  auto *factor = product && product->getNumOperands() == 2 ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
  if (!factor || !factor->getAPInt().isStrictlyPositive())
    return step;
  bool over = false;
  APInt most = evolution.getUnsignedRangeMax(product->getOperand(1)).umul_ov(factor->getAPInt(), over);
  bool fits = !over && !most.isNegative();
  bool wraps_signed = !product->hasNoSignedWrap() && !fits, wraps_unsigned = !product->hasNoUnsignedWrap() && over;
  if ((is_signed && wraps_signed) || (is_unsigned && wraps_unsigned) || (wraps_signed && wraps_unsigned))
    return step;
  times *= factor->getAPInt().zextOrTrunc(times.getBitWidth());
  return root_of(evolution, product->getOperand(1), times, is_signed, is_unsigned);
}

// Has the loop no next iteration where the number is 0? It would ask the same in each, and never end; of a loop that must end, as it does nothing
// else that others see, that is undefined behaviour.
//
//     for (e = warp; e < rows; e += blockDim.x / 32) s[e][lane] = ...          in a block of fewer than 32 threads
static bool ends_by(ScalarEvolution &evolution, Loop *loop, const SCEV *number) {
  BasicBlock *exiting = loop->getExitingBlock();
  auto *branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !evolution.loopIsFiniteByAssumption(loop))
    return false;
  APInt times(128, 1);
  bool asks = false;
  for (Value *side : compare->operands()) {
    const SCEV *asked = evolution.getSCEV(side);
    auto *counter = dyn_cast<SCEVAddRecExpr>(asked);
    bool counts = counter && counter->getLoop() == loop && counter->isAffine() &&
                  root_of(evolution, counter->getStepRecurrence(evolution), times) == number;
    if (!counts && !evolution.isLoopInvariant(asked, loop))
      return false;
    asks |= counts;
  }
  return asks;
}

// The least that the pointer of a recurrence moves by, in whichever direction; 0: it may stay.
static APInt least_step(ScalarEvolution &evolution, const SCEVAddRecExpr *recurrence) {
  const SCEV *step = recurrence->getStepRecurrence(evolution);
  ConstantRange range = evolution.getSignedRange(step);
  APInt times(128, 1);
  if (!range.contains(APInt(range.getBitWidth(), 0)))
    return range.abs().getUnsignedMin().zextOrTrunc(times.getBitWidth());
  const SCEV *root = root_of(evolution, step, times);
  return ends_by(evolution, const_cast<Loop *>(recurrence->getLoop()), root) ? times : APInt(times.getBitWidth(), 0);
}

bool ir_moves_on(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
                 bool *unless_wraps) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  const SCEV *form = shallow_form(evolution, unwrap(pointer));
  APInt factor(128, 1);
  while (form && !isa<SCEVAddRecExpr>(form))
    form = changing_part(evolution, loop, form, factor);
  auto *recurrence = dyn_cast_or_null<SCEVAddRecExpr>(form);
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine())
    return false;
  APInt least = least_step(evolution, recurrence);
  if (least.isZero() || factor.abs().uge(uint64_t(INT32_MAX)))
    return false;
  *unless_wraps = !recurrence->hasNoSelfWrap();
  if (*unless_wraps && evolution.getTypeSizeInBits(recurrence->getStepRecurrence(evolution)->getType()) < 32)
    return false;
  return (factor.abs() * least).uge(APInt(factor.getBitWidth(), uint64_t(bytes)));
}

bool ir_is_below(IrModule *ir, LLVMValueRef function, LLVMValueRef value, int64_t bound) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*unwrap<Function>(function));
  const SCEV *form = shallow_form(evolution, unwrap(value));
  unsigned bits = unwrap(value)->getType()->getIntegerBitWidth();
  if (!form || bits > 64 || (bits < 64 && bound >> bits))
    return form && bits < 64;
  return evolution.isKnownPredicate(CmpInst::ICMP_ULT, form, evolution.getConstant(APInt(bits, uint64_t(bound))));
}

// A counter whose sum the branch back asks for does not wrap around, if the sum says so: poison there is undefined behaviour, and
// no other branch leads to a next iteration. LLVM believes it of loops without barriers alone; told so, it counts the others too.
static void believe_counter(ScalarEvolution &evolution, Loop *loop) {
  auto *latch = loop->getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  auto *sum = compare ? dyn_cast<AddOperator>(compare->getOperand(0)) : nullptr;
  auto *counter = sum ? dyn_cast<PHINode>(sum->getOperand(0)) : nullptr;
  if (!counter || counter->getParent() != loop->getHeader() || counter->getIncomingValueForBlock(latch) != sum ||
      !sum->hasNoSignedWrap())
    return;
  auto *next = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(sum));
  if (!next || next->getLoop() != loop || next->hasNoSignedWrap())
    return;
  evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr *>(next), SCEV::FlagNSW);
  evolution.forgetLoop(loop);
}

// How often a loop goes on at most where it may be left by what it loads bounds what may wrap in it as well.
static const SCEV *times_of(PredicatedScalarEvolution &predicated) {
  const SCEV *times = predicated.getBackedgeTakenCount();
  return isa<SCEVCouldNotCompute>(times) ? predicated.getSymbolicMaxBackedgeTakenCount() : times;
}

bool ir_recurrence(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, LLVMValueRef place,
                   LLVMValueRef *start, LLVMValueRef *step, LLVMValueRef *holds) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  if (!shallow_form(evolution, unwrap(pointer)))
    return false;
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  believe_counter(evolution, loop);
  PredicatedScalarEvolution predicated(evolution, *loop);
  auto *recurrence = predicated.getAsAddRec(unwrap(pointer));
  BasicBlock *predecessor = loop->getLoopPredecessor();
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine() || !predecessor)
    return false;
  const SCEV *times = nullptr; // asked for first: that may add to the predicate, and what was had of it before is gone then
  if (!predicated.getPredicate().isAlwaysTrue())
    times = times_of(predicated);
  const SCEVPredicate &predicate = predicated.getPredicate();
  auto *before = place ? unwrap<Instruction>(place) : predecessor->getTerminator();
  SCEVExpander expander(evolution, "coalda");
  auto *first = recurrence->getStart(), *by = recurrence->getStepRecurrence(evolution);
  if (!expander.isSafeToExpandAt(first, before) || !expander.isSafeToExpandAt(by, before) ||
      (times && !can_be_asked(predicate, times, expander, before)))
    return false;
  if (!place)
    return true;
  *start = wrap(expander.expandCodeFor(first, unwrap(pointer)->getType(), before));
  *step = wrap(expander.expandCodeFor(by, Type::getInt64Ty(f.getContext()), before));
  *holds = nullptr;
  if (!predicate.isAlwaysTrue())
    *holds = wrap(IRBuilder<>(before).CreateNot(expander.expandCodeForPredicate(&predicate, before)));
  return true;
}

bool ir_step_if(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t *bytes) {
  Function &f = *unwrap<Function>(function);
  if (!ir_recurrence(ir, function, header, pointer, nullptr, nullptr, nullptr, nullptr))
    return false;
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  PredicatedScalarEvolution predicated(evolution, *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)));
  auto *recurrence = predicated.getAsAddRec(unwrap(pointer));
  auto *step = recurrence ? dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution)) : nullptr;
  if (!step || step->getAPInt().getSignificantBits() > 64)
    return false;
  *bytes = step->getAPInt().getSExtValue();
  return true;
}

namespace {
// What moves in a loop and in the one around it, and by how much in one iteration of each.
struct Grid {
  ScalarEvolution &evolution;
  const Loop *inner, *outer;
  int extensions = 0; // of a part that moves: it may wrap around before
  int visits = 0;

  struct Steps {
    const SCEV *inner, *outer;
  };

  std::optional<Steps> scaled(std::optional<Steps> steps, const SCEV *factor) {
    if (!steps)
      return {};
    return Steps{evolution.getMulExpr(steps->inner, factor), evolution.getMulExpr(steps->outer, factor)};
  }

  std::optional<Steps> steps_of_sum(const SCEVNAryExpr *sum) {
    const SCEV *none = evolution.getZero(steps_type(sum));
    Steps steps{none, none};
    for (const SCEV *part : sum->operands()) {
      auto more = steps_of(part);
      if (!more)
        return {};
      steps = {evolution.getAddExpr(steps.inner, more->inner), evolution.getAddExpr(steps.outer, more->outer)};
    }
    return steps;
  }

  // Of the one factor that moves.
  std::optional<Steps> steps_of_product(const SCEVMulExpr *product) {
    const SCEV *moving = nullptr, *factor = evolution.getOne(product->getType());
    for (const SCEV *part : product->operands()) {
      if (evolution.isLoopInvariant(part, outer))
        factor = evolution.getMulExpr(factor, part);
      else if (moving)
        return {};
      else
        moving = part;
    }
    return scaled(steps_of(moving), factor);
  }

  std::optional<Steps> steps_of_recurrence(const SCEVAddRecExpr *recurrence) {
    const SCEV *by = recurrence->getStepRecurrence(evolution);
    auto steps = steps_of(recurrence->getStart());
    if (!steps || !recurrence->isAffine() || !evolution.isLoopInvariant(by, outer))
      return {};
    if (recurrence->getLoop() == inner)
      return Steps{evolution.getAddExpr(steps->inner, by), steps->outer};
    return recurrence->getLoop() == outer ? std::optional(Steps{steps->inner, evolution.getAddExpr(steps->outer, by)})
                                          : std::nullopt;
  }

  std::optional<Steps> steps_of_extension(const SCEVIntegralCastExpr *cast) {
    const SCEV *from = cast->getOperand();
    auto steps = steps_of(from);
    if (extensions++ || !steps)
      return {};
    Type *type = cast->getType();
    return Steps{evolution.getSignExtendExpr(steps->inner, type), evolution.getSignExtendExpr(steps->outer, type)};
  }

  Type *steps_type(const SCEV *form) { return evolution.getEffectiveSCEVType(form->getType()); }

  std::optional<Steps> steps_of(const SCEV *form) {
    const int most = 200; // parts: they may be shared
    const SCEV *none = evolution.getZero(steps_type(form));
    if (evolution.isLoopInvariant(form, outer))
      return Steps{none, none};
    if (++visits > most)
      return {};
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(form))
      return steps_of_recurrence(recurrence);
    if (auto *sum = dyn_cast<SCEVAddExpr>(form))
      return steps_of_sum(sum);
    if (auto *product = dyn_cast<SCEVMulExpr>(form))
      return steps_of_product(product);
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(form))
      return steps_of_extension(cast<SCEVIntegralCastExpr>(form));
    return {};
  }

  const SCEV *at(const SCEV *form, const SCEV *i, const SCEV *t) {
    LoopToScevMapT iteration{{inner, i}, {outer, t}};
    return SCEVLoopAddRecRewriter::rewrite(form, iteration, evolution);
  }
};
} // namespace

static const SCEV *as_number(ScalarEvolution &evolution, const SCEV *count) {
  Type *number = Type::getInt64Ty(evolution.getContext());
  return evolution.getTypeSizeInBits(count->getType()) > 64 ? evolution.getCouldNotCompute()
                                                            : evolution.getNoopOrZeroExtend(count, number);
}

// A sum of multiples that is extended once wraps around nowhere if it is at the corners where it seems to be: what is linear is in
// between there. With fewer iterations than this, and steps of 32 bits, neither do the numbers that say where it seems to be.
enum { MOST_ITERATIONS = 1 << 24 };

bool ir_grid(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, LLVMValueRef place,
             IrGrid *grid) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *inner = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)), *outer = inner->getParentLoop();
  BasicBlock *before = outer ? outer->getLoopPredecessor() : nullptr;
  if (!before || !shallow_form(evolution, unwrap(pointer)))
    return false;
  believe_counter(evolution, outer);
  const SCEV *form = evolution.getSCEV(unwrap(pointer));
  Grid shape{evolution, inner, outer};
  auto steps = shape.steps_of(form);
  bool wraps = shape.extensions > 0;
  const SCEV *zero = evolution.getZero(Type::getInt64Ty(f.getContext()));
  const SCEV *last = evolution.getBackedgeTakenCount(inner), *tiles = wraps ? evolution.getBackedgeTakenCount(outer) : zero;
  if (!steps || isa<SCEVCouldNotCompute>(last) || isa<SCEVCouldNotCompute>(tiles) || !evolution.isLoopInvariant(last, outer) ||
      steps->inner->getType() != zero->getType())
    return false;
  last = as_number(evolution, last), tiles = as_number(evolution, tiles);
  const SCEV *start = shape.at(form, zero, zero);
  std::pair<const SCEV *, const SCEV *> corners[] = {{last, zero}, {zero, tiles}, {last, tiles}};
  SmallVector<const SCEV *, 8> parts = {start, steps->inner, steps->outer, last, tiles};
  for (auto &[i, t] : corners)
    parts.push_back(shape.at(form, i, t));
  auto *here = place ? unwrap<Instruction>(place) : before->getTerminator();
  SCEVExpander expander(evolution, "coalda");
  for (const SCEV *part : parts)
    if (isa<SCEVCouldNotCompute>(part) || !expander.isSafeToExpandAt(part, here))
      return false;
  if (!place)
    return true;
  IRBuilder<> builder(here);
  auto expand = [&](const SCEV *value) { return expander.expandCodeFor(value, value->getType(), here); };
  auto address = [&](const SCEV *value) { return builder.CreatePtrToInt(expand(value), builder.getInt64Ty()); };
  Value *across = expand(steps->inner), *down = expand(steps->outer), *ends = expand(last);
  *grid = {wrap(expand(start)), wrap(down), wrap(across), wrap(ends), nullptr};
  if (!wraps)
    return true;
  Value *holds = builder.CreateICmpULT(expand(evolution.getUMaxExpr(last, tiles)), builder.getInt64(MOST_ITERATIONS));
  for (auto &[i, t] : corners) {
    Value *moved = builder.CreateAdd(builder.CreateMul(across, expand(i)), builder.CreateMul(down, expand(t)));
    Value *seems = builder.CreateAdd(address(start), moved);
    holds = builder.CreateAnd(holds, builder.CreateICmpEQ(address(shape.at(form, i, t)), seems));
  }
  grid->holds = wrap(holds);
  return true;
}

} // extern "C"
