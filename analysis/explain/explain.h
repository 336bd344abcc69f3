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
/* Has the program asynchronous copies of its own there? */
bool begins_copies(LLVMValueRef function);

#endif
