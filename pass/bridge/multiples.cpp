// Is an address a multiple of a power of two, whatever iteration of a loop, and of those inside, it is asked in?
//
//     g + 4 * (k * 64 + j / 16 * n + j % 16 * 4)       g is, where the loop begins, and so is 4 * n
//
// The low bits of sums and products are made of low bits alone, wherever they wrap around and however they are extended: so it is a start
// that is known in front of the loop, and multiples of what moves it.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

struct Multiples {
  ScalarEvolution &evolution;
  const Loop *loop;
  unsigned bits; // that are to be zero
  Type *number;
  SmallVector<const SCEV *, 4> parts = {}; // each of which has to be a multiple, in front of the loop
  bool never = false;
  int visits = 0;

  const SCEV *as_number(const SCEV *value) { return evolution.getTruncateOrZeroExtend(value, number); }

  const SCEV *product(const SCEV *a, const SCEV *b) { return evolution.getMulExpr(a, b); }

  void want(const SCEV *part) {
    if (evolution.getMinTrailingZeros(part) >= bits)
      return;
    never |= isa<SCEVConstant>(part);
    parts.push_back(part);
  }

  // Of what is no sum of steps: so often that, if that is enough, any number of times is.
  const SCEV *start_of_other(const SCEV *form, const SCEV *factor) {
    unsigned zeros = std::min(evolution.getMinTrailingZeros(form), bits);
    want(product(factor, evolution.getConstant(number, uint64_t(1) << zeros)));
    return evolution.getZero(number);
  }

  const SCEV *start_of_recurrence(const SCEVAddRecExpr *recurrence, const SCEV *factor) {
    for (const SCEV *step : drop_begin(recurrence->operands()))
      want(product(factor, start_of(step, factor)));
    return start_of(recurrence->getStart(), factor);
  }

  const SCEV *start_of_product(const SCEVMulExpr *of, const SCEV *factor) {
    const SCEV *moving = nullptr, *fixed = evolution.getOne(number);
    for (const SCEV *part : of->operands())
      if (evolution.isLoopInvariant(part, loop))
        fixed = product(fixed, as_number(part));
      else if (moving)
        return start_of_other(of, factor);
      else
        moving = part;
    return product(fixed, start_of(moving, product(factor, fixed)));
  }

  // What the form is where nothing has moved yet, of which it is a multiple of the factor that is asked for.
  const SCEV *start_of(const SCEV *form, const SCEV *factor) {
    constexpr int MOST = 200; // parts: they may be shared
    if (evolution.isLoopInvariant(form, loop))
      return as_number(form);
    if (++visits > MOST || evolution.getTypeSizeInBits(form->getType()) < bits)
      return start_of_other(form, factor);
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(form))
      return start_of_recurrence(recurrence, factor);
    if (auto *multiple = dyn_cast<SCEVMulExpr>(form))
      return start_of_product(multiple, factor);
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr, SCEVTruncateExpr>(form))
      return start_of(cast<SCEVIntegralCastExpr>(form)->getOperand(), factor);
    if (!isa<SCEVAddExpr>(form))
      return start_of_other(form, factor);
    const SCEV *sum = evolution.getZero(number);
    for (const SCEV *part : form->operands())
      sum = evolution.getAddExpr(sum, start_of(part, factor));
    return sum;
  }

  // False where it is not, whatever is known in front of the loop.
  bool find(const SCEV *pointer) {
    const SCEV *base = evolution.getPointerBase(pointer), *one = evolution.getOne(number);
    if (!evolution.isLoopInvariant(base, loop))
      return false;
    const SCEV *address = evolution.getPtrToIntExpr(base, number);
    if (isa<SCEVCouldNotCompute>(address))
      return false;
    want(evolution.getAddExpr(address, start_of(evolution.removePointerBase(pointer), one)));
    return !never;
  }
};

} // namespace

extern "C" bool ir_is_multiple(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int bytes,
                               LLVMValueRef place, LLVMValueRef *holds) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  const Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  BasicBlock *before = loop->getLoopPredecessor();
  const SCEV *form = shallow_form(evolution, unwrap(pointer));
  Multiples multiples{evolution, loop, Log2_32(unsigned(bytes)), Type::getInt64Ty(f.getContext())};
  if (!before || !form || !multiples.find(form))
    return false;
  auto *here = place ? unwrap<Instruction>(place) : before->getTerminator();
  SCEVExpander expander(evolution, "coalda");
  if (!all_of(multiples.parts, [&](const SCEV *part) { return expander.isSafeToExpandAt(part, here); }))
    return false;
  if (!place)
    return true;
  IRBuilder<> builder(here);
  Value *low = builder.getInt64(0);
  for (const SCEV *part : multiples.parts)
    low = builder.CreateOr(low, expander.expandCodeFor(part, multiples.number, here));
  *holds = wrap(builder.CreateICmpEQ(builder.CreateAnd(low, uint64_t(bytes) - 1), builder.getInt64(0)));
  return true;
}
