// Loops that say at their ends that they go on, not that they are done.
//
//     br (i == n), exit, loop      setp.eq; @p bra exit; bra loop        ptxas leaves it rolled
//     br (i != n), loop, exit      setp.ne; @p bra loop                  ptxas may unroll it, and puts its loads first
//
// LLVM's passes bring every condition into the first form, and its backend for NVPTX turns no branch around.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

extern "C" {

bool ir_loop_says_it_goes_on(IrLoop *loop) {
  BasicBlock *header = loop_in(loop)->getHeader(), *latch = loop_in(loop)->getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  bool turns = branch && branch->isConditional() && branch->getSuccessor(0) != header && branch->getSuccessor(1) == header;
  return !turns || !isa<CmpInst>(branch->getCondition());
}

void ir_loop_turn_latch(IrLoop *loop) {
  auto *branch = cast<BranchInst>(loop_in(loop)->getLoopLatch()->getTerminator());
  auto *condition = cast<CmpInst>(branch->getCondition());
  if (!condition->hasOneUse()) {
    auto *own = cast<CmpInst>(condition->clone());
    own->insertBefore(branch->getIterator());
    branch->setCondition(own);
    condition = own;
  }
  condition->setPredicate(condition->getInversePredicate());
  branch->swapSuccessors();
}
}
