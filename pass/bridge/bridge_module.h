// What plugin.cpp and the rest of the bridge share: the C++ side of IrModule, whose analyses are a pipeline's or its own, and loops of constant
// trips that LLVM would unroll before they can become rings.
#ifndef COALDA_BRIDGE_MODULE_H
#define COALDA_BRIDGE_MODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"
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
// Does it run a known number of times, with barriers, and fill a shared array, and has nobody said how it is to be unrolled?
bool loop_may_be_ring(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
// Does `pays` hold of a copy of the loop's function, optimized to the end with the loop kept as it is?
bool loop_rehearse(llvm::Loop &loop, llvm::OptimizationLevel level, llvm::function_ref<bool(IrModule *, llvm::Module &)> pays);
// No unroller touches it until it is released, or a ring is made of it.
void loop_keep(llvm::Loop &loop);
// Unrolls loops of the function that were kept in vain, as LLVM would have; true where there were any.
bool loops_release(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, llvm::OptimizationLevel level);

#endif
