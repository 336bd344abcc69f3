// What plugin.cpp and the rest of the bridge share: the C++ side of IrModule, whose analyses are a pipeline's or its own, and loops that
// LLVM would unroll before they can become rings.
#ifndef COALDA_BRIDGE_MODULE_H
#define COALDA_BRIDGE_MODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class DominatorTree;
class Loop;
class ScalarEvolution;
class TargetMachine;
} // namespace llvm

struct IrModule {
  llvm::FunctionAnalysisManager *functions;
  llvm::TargetMachine *machine = nullptr; // what the pipeline compiles for
};

bool has_barriers(llvm::Module &module);
// Loops that LLVM would unroll, and of which a ring is made only as they stand: a tile loop that runs a known number of times, and those
// inside that fill its array and do not.
struct LoopsToKeep {
  bool itself = false;
  llvm::SmallVector<llvm::Loop *> inside;
};

// None where the loop has no barriers, or fills no shared array.
LoopsToKeep loops_for_ring(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// A loop around others that runs so few times that LLVM would unroll it away, and whose iterations had better stand side by side.
bool loop_is_for_jam(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// A loop that is left by what it loads of a row, as often as a constant says at most.
bool loop_is_for_search(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// A loop around others, which run unequally often in its iterations, that had better stand side by side: those inside, or none.
LoopsToKeep loops_for_uneven_jam(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// Does `pays` hold of a copy of the ring's function, optimized to the end with the loops kept as they are?
bool loops_rehearse(llvm::Loop &ring, const LoopsToKeep &keep, llvm::OptimizationLevel level, llvm::TargetMachine *machine,
                    llvm::function_ref<bool(IrModule *, llvm::Module &)> pays);
// No unroller touches them until they are released, or a ring is made.
void loops_keep(llvm::Loop &ring, const LoopsToKeep &keep);
// Of a loop that the program keeps from being unrolled that is known later on as well, when LLVM says so of loops that it has unrolled.
void loop_tell(llvm::Loop &loop);
// Bits of the loop's counter and of what is shifted above it are said to be added where they are joined. True where there are any.
bool loop_add_joined(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// A counter that is narrower than its bound does not wrap around: the loop would go on for ever. True where that is said anew.
bool loop_count_on(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// Exits that ask what is known in front of the loop besides: their bounds are chosen there, if the loop is counted then.
bool loop_guard_ends(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::DominatorTree &tree);
// A loop that ends by what it loads, or after so few iterations that all had better stand one behind the other; and says so to LLVM.
bool loop_is_search(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
void loop_repeat_search(llvm::Loop &loop);
// Does any kernel say that a loop of its own is kept, or was tried? What is inlined does not.
bool has_kept_loops(const llvm::Module &module);
// Unrolls loops of the function that were kept in vain, as LLVM would have; true where there were any.
bool loops_release(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, llvm::OptimizationLevel level);

#endif
