/* A copy, and a load that may read what it has not brought yet: threads_meet.c, last_iterations.c. */
#ifndef COALDA_MEETING_H
#define COALDA_MEETING_H

#include "analysis/explain/spot.h"

enum { MOST_ROUNDS = 64 }; /* iterations that are looked at one by one */

typedef struct {
    Kernel *kernel;
    Kernel **in_shape; /* the kernel as blocks of each shape have it, if it was asked for */
    bool by_shape; /* what divides by the block's extents is known there alone */
    bool by_turns; /* pointers change places: where they are is known of one iteration */
    const Access *read;
    LLVMValueRef array, copy;
    LLVMValueRef at; /* what reads, as the kernel's own body has it: a call, perhaps */
    IrLoop *around; /* the innermost loop around both; NULL: none is */
    int lag; /* 1: the copy is that of the iteration behind the load's; -1: of the one before it, -2: of the second before; 0: of the same one */
    bool is_behind; /* the load stands behind the loop, whose last iteration is looked at */
    LLVMValueRef argument; /* NULL: none. By which the loop ends, as if it were that: */
    int64_t value;
    bool counts_groups; /* a wait that leaves the copy's group under way is none */
    const List *stops; /* of the kernel: waits, or all that orders what threads do */
    int16_t *cell; /* room for all of shared memory */
    Spot fills, reads;
    int64_t size;
} Pair;

typedef bool Stops(LLVMValueRef instruction);

/* ---- threads_meet.c ---- */

bool awaits(LLVMValueRef instruction);
int64_t shared_size(const Kernel *kernel, LLVMValueRef array);
/* Are the places of both known? */
bool spots_find(Pair *pair, Scope *filling, Scope *reading);
/* Do they meet where the copy is of that iteration, in blocks of all shapes? */
bool meets_in(Pair *pair, int iteration, bool across);
/* Where an iteration of the loop around both begins; NULL: there is none. */
LLVMValueRef begin_of(const Pair *pair);
/* The outermost loop around the copy that does not read. */
IrLoop *copying_loop(const Pair *pair);
/* Somewhere in the functions that are called to read. */
bool stops_inside(const Pair *pair, Stops *stops);
/* In the copy's loop, some of whose iterations that would part from the load. */
bool stops_in_loop(const Pair *pair);
/* Does the wait leave as many groups as have ended behind the copy? Then the copy may go on. */
bool leaves_copy(const Pair *pair, LLVMValueRef from, LLVMValueRef wait);

/* ---- last_iterations.c ---- */

/* Does the loop's last iteration, or the one before, copy what is read behind it, though nobody has waited since? */
bool is_left_under_way(const Pair *of_both);
/* Is what an earlier iteration copied read in the last one, which begins no more copies and waits for fewer than it would have to? */
bool is_left_in_last(const Pair *of_both);

#endif
