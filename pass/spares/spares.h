/* Kernels as they were, beside what their walks become (pass/host/spare_name.h). */
#ifndef COALDA_SPARES_H
#define COALDA_SPARES_H

#include "analysis/ahead/batch.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

typedef struct Spares Spares;

/* The spares that the module has from before, as the plugin may meet it again: their names. */
List spares_there(Arena *arena, LLVMModuleRef module);
/* May another kernel stand beside it, for some of its launches? None of those that are there does, blocks do not wait for each other, and spares are
 * asked for. */
bool kernel_may_stand_twice(Arena *arena, const Kernel *kernel, const List *there);
/* Of kernels as the program has them, without those that have a spare. Of none, NULL, the others do nothing. */
Spares *spares_open(Arena *arena, const List *kernels, const List *there);
/* A function's walks are about to be tried, or iterations of its loops to stand side by side: what it is by now is put aside, if it may have a spare. */
void spare_keep(const Spares *spares, LLVMValueRef function);
/* The loop is about to become several, or to load words in all of its iterations, so that it has walks of at least so many: the same. How long its rows
 * are is asked of it as it is. */
void spare_keep_loop(const Spares *spares, const Kernel *kernel, LLVMBasicBlockRef header, int trips, bool by_sectors);
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
/* When all is planned: what gains by records beside its walks has a spare that does. */
void spares_compare(const Spares *spares, const Plan *plan);
/* When all is done. What was put aside is let go, whether or not spares were made. Those that are to be rewritten themselves are added to a list. */
void spares_make(const Spares *spares, const List *kernels, List *unmade);

/* Kernels without loops that may stand a second time, of kernels as the program has them: their functions. */
List loopless_find(Arena *arena, const List *kernels, const List *there);

/* ---- straight_kernels.c ---- */

/* The threads of the kernel are about to change places, and nothing else of it is rewritten: if it is one of those, it stands a second time as it is, for launches of blocks
 * that leave them in their places. */
void straight_make(Arena *arena, const List *loopless, const Kernel *kernel, const Plan *plan);

/* ---- coarse_kernels.c ---- */

/* Of the pass: a kernel as it is by now, and its accesses, measured; and what a function rounds, settled. */
typedef struct {
    Kernel *(*kernel)(void *pass, LLVMValueRef function);
    void (*measure)(Kernel *kernel);
    void (*settle)(void *pass, LLVMValueRef function);
    void *pass;
} CoarseSteps;

/* Of those, when all is done. True where any does. */
bool coarse_make(Arena *arena, const List *found, const CoarseSteps *steps);

#endif
