// The C++ side of IrModule: shared by plugin.cpp, which borrows a pipeline's analyses, and bridge.cpp, which owns some.
#ifndef COALDA_BRIDGE_MODULE_H
#define COALDA_BRIDGE_MODULE_H

#include "llvm/IR/PassManager.h"

struct IrModule {
  llvm::FunctionAnalysisManager *functions;
};

#endif
