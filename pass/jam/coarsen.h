/* Kernels whose blocks each do the work of several. */
#ifndef COALDA_COARSEN_H
#define COALDA_COARSEN_H

#include "pass/bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Another kernel of its module that has the same body, of that name, and is given a number of 32 bits behind its arguments. */
LLVMValueRef ir_copy_with_number(LLVMValueRef kernel, const char *name);

/* Blocks of such a copy, which are launched with so many times fewer along x, do the work of as many. The number is how many blocks there were. The
 * kernel is one that may (analysis/plan/several_blocks.c). */
void ir_coarsen(LLVMValueRef kernel, unsigned blocks);

#ifdef __cplusplus
}
#endif
#endif
