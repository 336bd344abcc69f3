// How far two pointers of a loop are apart, where that is the same in all of its iterations.
//
//     for (...) { q[i + 2 * p] = ...; ... x[i + p] ... }         x - q - p elements
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

constexpr unsigned MOST_COST = 12; // instructions that one distance may take: a bound of what is tested, which other tests share

static const SCEV *address_form(ScalarEvolution &evolution, Value *pointer) {
  const SCEV *form = shallow_form(evolution, pointer);
  return form ? evolution.getPtrToIntExpr(form, evolution.getEffectiveSCEVType(pointer->getType()))
              : evolution.getCouldNotCompute();
}

// By the same number of bytes in each iteration: so do several iterations that stand in one body.
static bool moves_evenly(ScalarEvolution &evolution, const SCEV *address, const Loop *loop) {
  auto *moves = dyn_cast<SCEVAddRecExpr>(address);
  return evolution.isLoopInvariant(address, loop) || (moves && moves->getLoop() == loop && moves->isAffine());
}

const void *ir_gap(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef from, LLVMValueRef to,
                   LLVMValueRef place, LLVMValueRef *gap) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &target = ir->functions->getResult<TargetIRAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  BasicBlock *before = loop->getLoopPredecessor();
  const SCEV *start = address_form(evolution, unwrap(from)), *end = address_form(evolution, unwrap(to));
  if (!before || isa<SCEVCouldNotCompute>(start) || isa<SCEVCouldNotCompute>(end) || start->getType() != end->getType())
    return nullptr;
  if (!moves_evenly(evolution, start, loop) || !moves_evenly(evolution, end, loop))
    return nullptr;
  const SCEV *difference = evolution.getMinusSCEV(end, start);
  SCEVExpander expander(evolution, "coalda");
  Instruction *at = place ? unwrap<Instruction>(place) : before->getTerminator();
  if (!evolution.isLoopInvariant(difference, loop) || !expander.isSafeToExpandAt(difference, at) ||
      expander.isHighCostExpansion(difference, loop, MOST_COST, &target, at))
    return nullptr;
  if (place)
    *gap = wrap(expander.expandCodeFor(difference, difference->getType(), at));
  return difference;
}
