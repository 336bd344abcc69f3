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
/* Has the program asynchronous copies of its own there? */
bool begins_copies(LLVMValueRef function);

/* ---- ways.c ---- */

/* May control come from one instruction to another without coming to a third one? */
bool leads_past(Arena *arena, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to);
/* And without coming to the begin of any of these blocks. */
bool leads_past_closed(Arena *arena, const List *closed, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to);
/* From one instruction of the kernel to the next time that control comes to another one, each of them met once. */
typedef struct {
    LLVMValueRef from, to;
    Map *entered; /* blocks whose begin control comes to on the way */
    Map *leading; /* blocks from whose begin it may come there */
} Ways;
Ways ways_between(Kernel *kernel, LLVMValueRef from, LLVMValueRef to);
/* Does any of them have the instruction, which is no jump? */
bool ways_have(const Ways *ways, LLVMValueRef instruction);
/* How many groups of asynchronous copies end on ways from one instruction to another that do not come to a third one; -1: nobody knows. */
int groups_between(Kernel *kernel, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to);
/* Nor to the begin of any of these blocks. */
int groups_between_closed(Kernel *kernel, const List *closed, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to);

/* ---- awaited_twice.c ---- */

/* The program's waits for such copies that have nothing to wait for, whichever way control comes to them: of LLVMValueRef. */
List idle_waits_find(Kernel *kernel);

/* ---- filled_early.c ---- */

/* The instruction behind which the copy has filled again, in each iteration of its outermost loop alike, what it filled before; NULL: nobody
 * knows of one. */
LLVMValueRef fills_again_behind(Kernel *kernel, LLVMValueRef copy);

/* Is what is loaded of any use in each iteration of the loop, to more than the last one's? */
bool is_used_in(Kernel *kernel, IrLoop *loop, LLVMValueRef load);

/* Such copies that fill, behind the load or an iteration later, what other threads may still be reading: of LLVMValueRef. */
List refilled_find(Kernel *kernel);

/* ---- spot.c ---- */

/* The shared array that the pointer, or the number that assembly is given, leads into; depth is 0. NULL: nobody knows. */
LLVMValueRef array_behind(LLVMValueRef number, int depth);

/* ---- threads_meet.c ---- */

/* Such copies whose bytes, or some of them, a thread reads behind them, without a wait between: of LLVMValueRef. */
List early_reads_meet(Kernel *kernel);
/* Such copies that fill what a thread of another warp may still be reading. */
List early_fills_meet(Kernel *kernel);
/* Is the load inside of the array for the threads of two warps, as far as anybody knows? Else a block has one. */
bool two_warps_read(Kernel *kernel, LLVMValueRef array, LLVMValueRef load);

#endif
