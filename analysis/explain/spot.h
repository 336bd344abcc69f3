/* What a copy writes, or a load reads, by each thread of a block: spot.c. */
#ifndef COALDA_SPOT_H
#define COALDA_SPOT_H

#include "analysis/address/kernel.h"

enum { SPOT_GIVEN = 16 }; /* numbers that are given: counters of loops, extents of the block, where the array begins */

typedef struct {
    Kernel *kernel;
    Scope *inner; /* whose instruction it is */
    LLVMValueRef instruction;
    Scope *scope; /* that is looked at */
    const Form *place; /* in bytes, from the array on */
    List guards;       /* of Guard: with which a thread comes there, and without which it does not */
    Given given[SPOT_GIVEN];
    int count;
    const IrLoop *around;
    const Symbol *round; /* of its innermost loop; NULL: its first iteration alone is known */
    Guard again;         /* with which that goes on */
} Spot;

/* Is the pointer made of where the shared array begins? */
bool leads_into(Scope *scope, LLVMValueRef pointer, LLVMValueRef array);
/* False where it is not known. Of the loop `around` one iteration is looked at, as of all but the innermost one; or it stands in front, and has come to
 * its last iteration. */
bool spot_find(Spot *spot, Scope *scope, LLVMValueRef instruction, LLVMValueRef pointer, LLVMValueRef array, const IrLoop *around);
void spot_give(Spot *spot, SymbolKind kind, const void *loop, int axis, int64_t value);
/* The same of one of the function's arguments. */
void spot_give_argument(Spot *spot, LLVMValueRef argument, int64_t value);
/* Of that thread, by the order of the hardware: goes its loop on to that round, the one before having been looked at? */
bool spot_again(Spot *spot, const int extent[3], int rank, int round);
bool spot_comes(const Spot *spot, const int extent[3], int rank);
int64_t spot_at(const Spot *spot, const int extent[3], int rank);

/* Do the numbers that are given settle the condition, for all threads alike, whatever else anybody passes? */
bool is_settled(Scope *scope, LLVMValueRef condition, const Given *given, int count, bool *holds);

/* ---- swapped.c ---- */

/* As array_behind, also where pointers change places in the loop: the array in that iteration. */
LLVMValueRef array_in_turn(const Kernel *kernel, IrLoop *loop, LLVMValueRef number, int iteration);
/* The kernel's own scope, in which the loop's pointers that change places are where they are in that iteration, and its numbers are what
 * constants tell of them. */
Scope *scope_in_turn(const Kernel *kernel, IrLoop *loop, int iteration);
/* The same, where that iteration is the loop's last one: what it hands on is what is found behind it. */
Scope *scope_behind(const Kernel *kernel, IrLoop *loop, int last);
/* As array_in_turn, behind the loop, whose last iteration that is. */
LLVMValueRef array_behind_loop(const Kernel *kernel, IrLoop *loop, LLVMValueRef number, int last);

#endif
