/* One verdict for each access, and why it is not rewritten. */
#ifndef COALDA_EXPLAIN_H
#define COALDA_EXPLAIN_H

#include "analysis/records/records.h"

/* ---- verdict.c ---- */

void verdict_give(Kernel *kernel);

/* ---- refusal.c: what stands in the way of each rewrite; after the verdicts ---- */

void refusal_give(Kernel *kernel);
/* Of a group in a longer loop: that a part of its row would not pay says nothing of the row. */
Why refusal_in_block(const Group *group);

/* ---- unawaited.c ---- */

/* Asynchronous copies of the kernel, begun by the program, that nobody waits for on any way to where their array is read, which nothing
 * else writes: of LLVMValueRef. */
List unawaited_find(Kernel *kernel);
/* A shared array that nothing but such copies of the kernel writes, and all of whose reads are known. */
typedef struct {
    LLVMValueRef array;
    List copies, reads; /* of LLVMValueRef */
} CopiedArray;

/* Of CopiedArray. */
List copied_arrays(Kernel *kernel);
/* May control come from one instruction to another without coming to a third one? */
bool leads_past(Arena *arena, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to);
/* Has the program asynchronous copies of its own there? */
bool begins_copies(LLVMValueRef function);

/* ---- awaited_twice.c ---- */

/* The program's waits for such copies that have nothing to wait for, whichever way control comes to them: of LLVMValueRef. */
List idle_waits_find(Kernel *kernel);

/* ---- filled_early.c ---- */

/* The instruction behind which the copy has filled again, in each iteration of its outermost loop alike, what it filled before; NULL: nobody
 * knows of one. */
LLVMValueRef fills_again_behind(Kernel *kernel, LLVMValueRef copy);

/* Such copies that fill, an iteration later, what other threads may still be reading: of LLVMValueRef. */
List refilled_find(Kernel *kernel);

#endif
