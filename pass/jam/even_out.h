// Loops inside of one whose iterations are to stand side by side that run unequally often in them: what jam_loop.cpp asks even_out.cpp for.
#ifndef COALDA_EVEN_OUT_H
#define COALDA_EVEN_OUT_H

#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

// What differs from one iteration of the loop around to the next.
using Values = llvm::SmallSetVector<llvm::Value *, 32>;

struct UnevenLoop {
  llvm::Loop *loop;
  llvm::BasicBlock *guard; // leads past the loop where it does not run at all; null: it always runs
  llvm::BasicBlock *join; // of a guard: where both ways meet
};

// Its last block, and its guard, are all of it that decides by what differs. Empty where it cannot be made of loops that run equally often,
// and rests.
std::optional<UnevenLoop> uneven_of(llvm::Loop &inner, const Values &values, llvm::ScalarEvolution &evolution);

// One value for all iterations that stand side by side, made of the value that each of them has: of `at`, which stands for it until then.
struct SharedValue {
  enum Kind { LARGEST, SMALLEST, FEWEST, ALL } kind; // the first two are of signed numbers, the third of unsigned ones
  llvm::Instruction *at;
};

// Blocks that only one iteration at a time runs, from the first to the last, which all ways through them meet.
struct OwnBlocks {
  llvm::BasicBlock *first, *last;
};

struct EvenedOut {
  llvm::SmallVector<SharedValue, 8> shared;
  llvm::SmallVector<OwnBlocks, 4> own;
};

// The loop comes to run as often in all iterations as in the one where it runs least, and rests of it before and behind that for each
// alone. Nothing that is known of the function holds afterwards.
void even_out(const UnevenLoop &uneven, const Values &values, llvm::ScalarEvolution &evolution, EvenedOut *made);

#endif
