/* Kernels as they were, beside what their walks become (pass/host/spare_name.h). */
#ifndef COALDA_SPARES_H
#define COALDA_SPARES_H

#include "analysis/ahead/batch.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

typedef struct Spares Spares;

/* Of kernels as the program has them. Of none, NULL, the others do nothing. */
Spares *spares_open(Arena *arena, const List *kernels);
/* A function's walks are about to be tried, or iterations of its loops to stand side by side: what it is by now is put aside, if it may have a spare. */
void spare_keep(const Spares *spares, LLVMValueRef function);
/* The loop is about to become several, or to load words in all of its iterations, so that it has walks of at least so many: the same. How long its rows
 * are is asked of it as it is. */
void spare_keep_loop(const Spares *spares, const Kernel *kernel, LLVMBasicBlockRef header, int trips);
/* And has: what the function is by now is as it was, but for that. */
void spare_go_on(const Spares *spares, LLVMValueRef function);
/* The walk pays: its kernel has a spare only if its rows are told. */
void spare_ask(const Spares *spares, const Block *block);
/* Iterations of the loop are about to stand side by side. Where walks are told, they alone decide: they gain more on long rows, and lose more on short
 * ones. */
void spare_ask_beside(const Spares *spares, const Kernel *kernel, const Batch *batch);
/* Something is made of the function that gains on short rows as well. */
void spare_gains(const Spares *spares, LLVMValueRef function);
/* The same, and as much beside walks. */
void spare_refuse(const Spares *spares, LLVMValueRef function);
/* When all is planned: what gains beside its walks has no spare. */
void spares_compare(const Spares *spares, const Plan *plan);
/* When all is done. What was put aside is let go, whether or not spares were made. */
void spares_make(const Spares *spares, const List *kernels);

#endif
