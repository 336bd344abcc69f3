// Loops that leave in the middle of an iteration, after a number of whole ones that is known when they begin: what LLVM's unroller makes
// of 91 iterations, eight at a time.
//
//     for (;;) { E; if (done) break; R; }      ->      for (k = 0; k < whole; k++) { E; R; }      E; if (done) goto out; R; not here
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

// Each way out is a branch that ScalarEvolution can be asked about.
static bool leaves_by_branches(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && shallow_form(evolution, branch->getCondition());
  });
}

static bool is_one_way(const Loop &loop) {
  return all_of(loop.blocks(), [&](BasicBlock *block) {
    return count_if(successors(block), [&](BasicBlock *next) { return loop.contains(next); }) == 1;
  });
}

namespace {
// A loop in simplified form, and one iteration more behind it.
struct Split {
  Loop &loop;
  BasicBlock *before, *header, *latch, *behind = nullptr; // behind: where the last iteration begins
  ValueToValueMapTy twins;
  SmallVector<BasicBlock *, 8> blocks; // of the last iteration

  Split(Loop &loop) : loop(loop), before(loop.getLoopPreheader()), header(loop.getHeader()), latch(loop.getLoopLatch()) {}

  Value *twin_of(Value *value) const {
    auto found = twins.find(value);
    return found == twins.end() ? value : &*found->second;
  }
  BasicBlock *twin_of(BasicBlock *block) const { return cast<BasicBlock>(twin_of(static_cast<Value *>(block))); }

  // What lies at the same place in every iteration is of no row.
  void mark_rest(Instruction &i, Instruction &twin) {
    if (Value *pointer = getLoadStorePointerOperand(&i); pointer && !loop.isLoopInvariant(pointer))
      twin.setMetadata(REST_METADATA, MDNode::get(i.getContext(), {}));
  }

  void copy_blocks() {
    for (BasicBlock *block : loop.blocks()) {
      BasicBlock *twin = CloneBasicBlock(block, twins, "", header->getParent());
      twins[block] = twin;
      blocks.push_back(twin);
      for (auto [i, copy] : zip(*block, *twin))
        mark_rest(i, copy);
    }
    remapInstructionsInBlocks(blocks, twins);
  }

  // Values that leave the loop come from the last iteration alone, once the loop itself is left behind its latch only.
  void leave_from_twins() {
    for (BasicBlock *block : loop.blocks())
      for (BasicBlock *out : successors(block))
        if (!loop.contains(out))
          for (PHINode &phi : out->phis())
            phi.addIncoming(twin_of(phi.getIncomingValueForBlock(block)), twin_of(block));
  }

  void never_leave() {
    for (BasicBlock *block : loop.blocks()) {
      auto *branch = cast<BranchInst>(block->getTerminator());
      if (branch->isUnconditional() || (loop.contains(branch->getSuccessor(0)) && loop.contains(branch->getSuccessor(1))))
        continue;
      unsigned inside = loop.contains(branch->getSuccessor(0)) ? 0 : 1;
      branch->getSuccessor(1 - inside)->removePredecessor(block, true);
      BranchInst *jump = BranchInst::Create(branch->getSuccessor(inside));
      jump->copyMetadata(*branch, {LLVMContext::MD_loop});
      ReplaceInstWithInst(branch, jump);
    }
  }

  // A whole iteration is followed by the next one, or by the last.
  void count_whole(Value *whole) {
    IRBuilder<> builder(header, header->begin());
    PHINode *counter = builder.CreatePHI(whole->getType(), 2);
    Instruction *end = latch->getTerminator();
    builder.SetInsertPoint(end);
    Value *next = builder.CreateAdd(counter, ConstantInt::get(whole->getType(), 1), "", true, false);
    counter->addIncoming(ConstantInt::get(whole->getType(), 0), before);
    counter->addIncoming(next, latch);
    behind = BasicBlock::Create(header->getContext(), "", header->getParent(), blocks.front());
    BranchInst::Create(twin_of(header), behind);
    BranchInst *jump = builder.CreateCondBr(builder.CreateICmpEQ(next, whole), behind, header);
    jump->copyMetadata(*end, {LLVMContext::MD_loop});
    end->eraseFromParent();
  }

  // The last iteration goes on from where the loop ends; from in front of it, where it has no whole one.
  void begin_last(Value *whole, bool may_be_none) {
    for (PHINode &phi : header->phis()) {
      auto *twin = dyn_cast<PHINode>(twin_of(&phi));
      if (!twin || twin == &phi) // the counter
        continue;
      twin->addIncoming(phi.getIncomingValueForBlock(latch), behind);
      if (!may_be_none)
        twin->removeIncomingValue(before, false);
    }
    if (!may_be_none)
      return;
    IRBuilder<> builder(before->getTerminator());
    Value *none = builder.CreateICmpEQ(whole, ConstantInt::get(whole->getType(), 0));
    ReplaceInstWithInst(before->getTerminator(), BranchInst::Create(twin_of(header), header, none));
  }

  // It leaves where the loop does: at one place, or at its end, or before that.
  void end_last(BasicBlock *only_exiting) {
    BasicBlock *end = twin_of(only_exiting ? only_exiting : latch);
    auto *branch = cast<BranchInst>(end->getTerminator());
    bool goes_on = branch->isUnconditional() || is_contained(blocks, branch->getSuccessor(0));
    BasicBlock *next = branch->getSuccessor(goes_on ? 0 : 1);
    BasicBlock *out = branch->isConditional() ? branch->getSuccessor(goes_on ? 1 : 0) : nullptr;
    next->removePredecessor(end, true);
    if (out)
      ReplaceInstWithInst(branch, BranchInst::Create(out));
    else
      ReplaceInstWithInst(branch, new UnreachableInst(end->getContext()));
  }
};
} // namespace

// How many iterations are whole; null where that cannot be computed in front of the loop.
static const SCEV *whole_iterations(Loop &loop, ScalarEvolution &evolution) {
  BasicBlock *before = loop.getLoopPredecessor();
  const SCEV *times = before && leaves_by_branches(loop, evolution) ? evolution.getBackedgeTakenCount(&loop) : nullptr;
  SCEVExpander expander(evolution, "coalda");
  bool known = times && !isa<SCEVCouldNotCompute>(times) && expander.isSafeToExpandAt(times, before->getTerminator());
  return known ? times : nullptr;
}

static void merge_blocks(Loop &loop, BasicBlock *header) {
  for (BasicBlock *block : SmallVector<BasicBlock *, 8>(loop.blocks()))
    if (block != header)
      MergeBlockIntoPredecessor(block);
}

extern "C" {

bool ir_loop_is_one_way(IrLoop *loop) { return is_one_way(*loop_in(loop)); }

bool ir_loop_leaves_inside(IrModule *ir, IrLoop *loop) {
  Loop &l = *loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l.getHeader()->getParent());
  bool at_end = !l.getLoopLatch() || l.getExitingBlock() == l.getLoopLatch();
  return !at_end && l.isInnermost() && whole_iterations(l, evolution);
}

void ir_loop_split(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header) {
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop &loop = *loops.getLoopFor(unwrap(header));
  simplifyLoop(&loop, &tree, &loops, &evolution, nullptr, nullptr, false);
  formLCSSARecursively(loop, tree, &loops, &evolution);
  const SCEV *times = whole_iterations(loop, evolution);
  bool may_be_none = !evolution.isKnownNonZero(times), is_chain = is_one_way(loop);
  auto *number = dyn_cast<SCEVConstant>(times);
  bool is_small = number && number->getAPInt().isIntN(31);
  Value *whole = is_small ? ConstantInt::get(Type::getInt32Ty(f.getContext()), number->getAPInt().getZExtValue())
                          : unwrap(ir_loop_last(ir, function, header, wrap(loop.getLoopPreheader()->getTerminator())));
  BasicBlock *only_exiting = loop.getExitingBlock();
  Split split(loop);
  split.copy_blocks();
  split.leave_from_twins();
  split.never_leave();
  split.count_whole(whole);
  split.begin_last(whole, may_be_none);
  split.end_last(only_exiting);
  if (is_chain)
    merge_blocks(loop, unwrap(header));
  EliminateUnreachableBlocks(f);
  ir_changed(ir, function);
}

} // extern "C"
