// What plugin.cpp and the rest of the bridge share: the C++ side of IrModule, whose analyses are a pipeline's or its own, and loops that
// LLVM would unroll before they can become rings.
#ifndef COALDA_BRIDGE_MODULE_H
#define COALDA_BRIDGE_MODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class Loop;
class ScalarEvolution;
class TargetMachine;
} // namespace llvm

struct IrModule {
  llvm::FunctionAnalysisManager *functions;
  llvm::TargetMachine *machine = nullptr; // what the pipeline compiles for
};

bool has_barriers(llvm::Module &module);
using LoopsToKeep = llvm::SmallVector<llvm::Loop *>;

// If the loop has barriers and fills a shared array: which loops of it would LLVM unroll, though nobody has said so, that it may be a ring
// only as it stands? Itself, if it runs a known number of times, and, if they are asked for, those inside that fill the array and do not.
LoopsToKeep loops_for_ring(llvm::Loop &loop, llvm::ScalarEvolution &evolution, bool inside);
// Does `pays` hold of a copy of the ring's function, optimized to the end with the loops kept as they are?
bool loops_rehearse(llvm::Loop &ring, llvm::ArrayRef<llvm::Loop *> loops, llvm::OptimizationLevel level,
                    llvm::TargetMachine *machine, llvm::function_ref<bool(IrModule *, llvm::Module &)> pays);
// No unroller touches them until they are released, or a ring is made of the first one.
void loops_keep(llvm::Loop &ring, llvm::ArrayRef<llvm::Loop *> loops);
// Unrolls loops of the function that were kept in vain, as LLVM would have; true where there were any.
bool loops_release(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, llvm::OptimizationLevel level);

#endif
