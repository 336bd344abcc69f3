// Tile loops of which some iterations do nothing: what is known of one (find_skips.cpp).
#pragma once
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"

// A loop of one latch, a preheader and one block behind it.
struct Skips {
  llvm::Loop &loop;
  llvm::BasicBlock *header, *latch, *preheader, *exit;
  llvm::BasicBlock *body = nullptr; // what is done begins there: all barriers are dominated by it
  llvm::SmallSetVector<llvm::BasicBlock *, 8> front; // the loop's blocks that are not
  llvm::SmallVector<llvm::PHINode *, 4> moved; // of the header: what an iteration that does nothing changes
  llvm::SmallVector<llvm::LoadInst *, 4> reads; // of the front: what may be written

  explicit Skips(llvm::Loop &of)
      : loop(of), header(of.getHeader()), latch(of.getLoopLatch()), preheader(of.getLoopPreheader()),
        exit(of.getUniqueExitBlock()) {}
};

// Is there a barrier that not every iteration comes to, or an early end of a loop with barriers?
bool may_skip(const llvm::Loop &loop, llvm::DominatorTree &tree);

// Fills in what is known; false: iterations of this loop cannot be told by what stands in front of what they do.
bool find_skips(Skips &skips, llvm::DominatorTree &tree);

bool latch_is_front(const Skips &skips);

// The front's blocks from which a way leads to the body, without another iteration; and the body.
llvm::SmallSetVector<llvm::BasicBlock *, 8> leading(const Skips &skips);

// How a block that leads to the body goes on.
struct Ways {
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> on;
  bool elsewhere = false;

  Ways(const llvm::SmallSetVector<llvm::BasicBlock *, 8> &leads, llvm::BasicBlock *block) {
    for (llvm::BasicBlock *next : successors(block))
      if (leads.contains(next))
        on.insert(next);
      else
        elsewhere = true;
  }
};

// The phi of the header that the value is in an iteration that does nothing; null: another value.
llvm::PHINode *kept_as(const Skips &skips, llvm::Value *value, unsigned depth = 0);

// The phi of the header whose value in the next iteration the exit's phi takes; null: another value.
llvm::PHINode *head_of(const Skips &skips, const llvm::PHINode &phi);
