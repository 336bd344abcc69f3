// A loop that runs a number of times, which is known in front of it.
#ifndef COALDA_COUNTED_LOOP_H
#define COALDA_COUNTED_LOOP_H

#include "llvm/IR/IRBuilder.h"

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
