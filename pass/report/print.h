/* The table of one kernel on LLVM's error stream: print<coalda> and coalda<report>. */
#ifndef COALDA_PRINT_H
#define COALDA_PRINT_H

#include "analysis/address/kernel.h"

/* A KernelSink. */
void kernel_print(void *context, const Kernel *kernel);

#endif
