// A loop once more, and a loop that runs a number of times which is known in front of it.
#ifndef COALDA_LOOP_COPY_H
#define COALDA_LOOP_COPY_H

#include "pass/base/marks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

// Nothing leads into it yet: what its header's phis begin with comes from where the loop itself is entered.
struct LoopCopy {
  llvm::BasicBlock *header, *latch;
  llvm::ValueToValueMapTy twins;
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks;

  explicit LoopCopy(llvm::Loop &loop) {
    for (llvm::BasicBlock *own : loop.blocks()) {
      llvm::BasicBlock *twin = llvm::CloneBasicBlock(own, twins, ".own", own->getParent());
      twins[own] = twin;
      blocks.push_back(twin);
    }
    llvm::remapInstructionsInBlocks(blocks, twins);
    header = llvm::cast<llvm::BasicBlock>(twins.lookup(loop.getHeader()));
    latch = llvm::cast<llvm::BasicBlock>(twins.lookup(loop.getLoopLatch()));
  }

  // What stands for the value there.
  llvm::Value *of(llvm::Value *value) const {
    llvm::Value *twin = twins.lookup(value);
    return twin ? twin : value;
  }
};

// Nothing more is done with the accesses of those blocks.
inline void set_aside(llvm::ArrayRef<llvm::BasicBlock *> blocks) {
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &i : *block)
      if (i.mayReadOrWriteMemory())
        i.setMetadata(ASIDE_METADATA, llvm::MDNode::get(i.getContext(), {}));
}

// It leaves its last block `ends` for `to` when it has run so often, whatever it was left by before; returns what counts that, from 0 on. `times` is no less than 1,
// and an integer of 64 bits.
inline llvm::PHINode *run_times(llvm::BasicBlock *from, llvm::BasicBlock *begins, llvm::BasicBlock *ends, llvm::BasicBlock *to,
                                llvm::Value *times) {
  llvm::IRBuilder<> builder(begins, begins->begin());
  llvm::PHINode *at = builder.CreatePHI(builder.getInt64Ty(), 2);
  llvm::Instruction *end = ends->getTerminator();
  builder.SetInsertPoint(end);
  llvm::Value *next = builder.CreateAdd(at, builder.getInt64(1), "", true);
  at->addIncoming(builder.getInt64(0), from);
  at->addIncoming(next, ends);
  llvm::BranchInst *branch = builder.CreateCondBr(builder.CreateICmpEQ(next, times), to, begins);
  branch->setMetadata(llvm::LLVMContext::MD_loop, end->getMetadata(llvm::LLVMContext::MD_loop));
  end->eraseFromParent();
  return at;
}

#endif
