// How often a loop would run if arguments had certain values. No expression is made for that: those that ScalarEvolution makes are there
// once for all, and what were said of one for supposed values would be believed of others.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace {
using Number = std::optional<APInt>;

struct Supposed {
  const unsigned *argument;
  const int64_t *value;
  size_t count;
  bool *used;
  int left = 500; // of parts that are looked at

  Number of(const SCEV *form) {
    if (left-- <= 0)
      return std::nullopt;
    switch (form->getSCEVType()) {
    case scConstant: return cast<SCEVConstant>(form)->getAPInt();
    case scUnknown: return of_argument(cast<SCEVUnknown>(form)->getValue());
    case scTruncate:
    case scZeroExtend:
    case scSignExtend: return of_cast(*cast<SCEVIntegralCastExpr>(form));
    case scUDivExpr: return of_quotient(*cast<SCEVUDivExpr>(form));
    case scAddExpr:
    case scMulExpr:
    case scSMaxExpr:
    case scUMaxExpr:
    case scSMinExpr:
    case scUMinExpr:
    case scSequentialUMinExpr: return of_all(*form);
    default: return std::nullopt;
    }
  }

  Number of_argument(const Value *value_at) {
    auto *known = dyn_cast<Argument>(value_at);
    if (!known || !known->getType()->isIntegerTy() || known->getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    for (size_t i = 0; i < count; i++)
      if (argument[i] == known->getArgNo()) {
        used[i] = true;
        return APInt(64, uint64_t(value[i])).zextOrTrunc(known->getType()->getIntegerBitWidth());
      }
    return std::nullopt;
  }

  Number of_cast(const SCEVIntegralCastExpr &form) {
    Number inside = of(form.getOperand());
    unsigned bits = form.getType()->getIntegerBitWidth();
    if (!inside)
      return std::nullopt;
    return isa<SCEVSignExtendExpr>(form)   ? inside->sext(bits)
           : isa<SCEVZeroExtendExpr>(form) ? inside->zext(bits)
                                           : inside->trunc(bits);
  }

  Number of_quotient(const SCEVUDivExpr &form) {
    Number above = of(form.getLHS()), below = of(form.getRHS());
    if (!above || !below || below->isZero())
      return std::nullopt;
    // Less than nothing is left: a condition in front of the loop keeps from it.
    return above->isNegative() ? APInt::getAllOnes(above->getBitWidth()) : above->udiv(*below);
  }

  static APInt joined(SCEVTypes type, const APInt &a, const APInt &b) {
    switch (type) {
    case scAddExpr: return a + b;
    case scMulExpr: return a * b;
    case scSMaxExpr: return APIntOps::smax(a, b);
    case scUMaxExpr: return APIntOps::umax(a, b);
    case scSMinExpr: return APIntOps::smin(a, b);
    default: return APIntOps::umin(a, b);
    }
  }

  Number of_all(const SCEV &form) {
    Number sum;
    for (const SCEV *part : form.operands()) {
      Number here = of(part);
      if (!here || (sum && sum->getBitWidth() != here->getBitWidth()))
        return std::nullopt;
      sum = sum ? joined(form.getSCEVType(), *sum, *here) : *here;
    }
    return sum;
  }
};
} // namespace

extern "C" int64_t ir_loop_trips_if(IrModule *ir, IrLoop *loop, const unsigned *argument, const int64_t *value, size_t count,
                                    bool *used) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  const SCEV *again = evolution.getBackedgeTakenCount(l);
  Number times = isa<SCEVCouldNotCompute>(again) || again->getType()->isPointerTy()
                     ? Number()
                     : Supposed{argument, value, count, used}.of(again);
  if (!times || times->getBitWidth() > 64)
    return -1;
  if (times->isNegative()) // what stands in front of the loop keeps from it
    return 0;
  const uint64_t most = uint64_t(1) << 40; // more are as many
  // A loop that leaves at its top enters its header once more than its body.
  BasicBlock *exiting = l->getExitingBlock();
  return int64_t(std::min(times->getZExtValue(), most)) + (exiting && exiting != l->getLoopLatch() ? 0 : 1);
}
