/* What the parts of the search for rings share: ring.c, register_ring.c and ring_*.c. */
#ifndef COALDA_RING_SEARCH_H
#define COALDA_RING_SEARCH_H

#include "analysis/rings/rings.h"

typedef struct {
    Kernel *kernel;
    Scope *scope;
    IrLoop *loop;
    Ring *ring;
    List barriers; /* of LLVMValueRef: in the order in which an iteration meets them */
    LLVMBasicBlockRef latch;
    int phase; /* only the copies behind so many barriers of an iteration; ALL_PHASES: they stand between two */
} Search;

enum { ALL_PHASES = -1 };

/* Keeps the first reason, and the instruction that gives it; NULL: the loop as a whole does. False. */
bool refuse(Search *search, Why why, LLVMValueRef obstacle);
/* Calls `visit` for the instructions of the loop until it returns false. */
bool each_instruction(Search *search, bool (*visit)(Search *, LLVMValueRef));
/* The store, or memory copy, as a copy of what is loaded in the same iteration; false where it is none. */
bool copy_match(Search *search, LLVMValueRef instruction, RingCopy *copy);
const RingCopy *copy_by(const Ring *ring, LLVMValueRef store);
bool is_zero(LLVMValueRef value);
LLVMValueRef condition_of(LLVMValueRef terminator);
/* Does the instruction run among the copies: before filled, and behind freed where that comes first? */
bool is_among_copies(const Search *search, LLVMValueRef instruction);
/* Adds what tile.c found to the copies by `add`; the barriers around them become filled and freed. */
bool copies_find(Search *search, const Tile *tile, bool (*add)(Search *search, LLVMValueRef instruction));
/* Does the pointer lead into global memory, or can a test on entry tell? */
bool is_copied_from_global(Search *search, LLVMValueRef pointer);
/* The widest piece, to 16 bytes, that both alignments allow. */
int piece_of(int bytes, int from, int to);
/* As the program says. */
int source_alignment(const RingCopy *copy);
int target_alignment(const RingCopy *copy);
/* Adds the way to the copies, and whether there is a next iteration, to what the ring needs ahead. */
bool path_needs(Search *search);
bool value_needs(Search *search, LLVMValueRef value);

/* One way in, one way out, barriers in every iteration, and no copies of the user's own that are asynchronous. */
bool shape_check(Search *search, const Tile *tile);
/* The lanes of a warp may come to its loop together, and no warp counts on another one. */
bool warp_check(Search *search);
/* Of the tile. */
void array_add(Ring *ring, LLVMValueRef array);

/* ---- register_ring.c: loads whose bytes registers hold until their tile's turn ---- */

bool register_ring_check(Search *search, const Tile *tile);
void register_ring_choose(const Kernel *kernel, Ring *ring);

/* ---- tile_uses.c: which places the copies fill, and who else touches them ---- */

/* Every iteration fills the same places: what another tile left there is never seen. */
bool place_is_alike(Search *search, const RingCopy *copy);
/* The same of what is made of the copy where this block is met. */
bool place_is_alike_at(Search *search, const RingCopy *copy, LLVMBasicBlockRef block);
bool place_check(Search *search);

/* ---- partial_fill.c: places that not every iteration fills ---- */

/* Which stores put zeros where a copy does not come. */
void gaps_find(Search *search);
/* Every iteration fills the same places, or what stands there otherwise can be had as well: the copy is then late. */
bool gaps_close(Search *search, RingCopy *copy);
const RingBlank *blank_by(const Ring *ring, LLVMValueRef store);

/* ---- copy_loops.c: copies in loops of their own, whose iterations lanes may deal out among them ---- */

/* Notes with the copy in which such loop it stands, if in any. */
void row_find(const Search *search, RingCopy *copy);
/* The first copy of such a loop, whose only block it is; NULL: it is none's. */
const RingCopy *row_copy_in(const Ring *ring, LLVMBasicBlockRef block);

/* ---- thread_disjoint.c ---- */

/* No two threads fill one place of the copy's array, or a test on entry can tell. */
bool disjoint_add(Search *search, const RingCopy *copy);

/* ---- iteration_disjoint.c ---- */

/* The innermost, which may be the tile loop. */
IrLoop *loop_of_copy(const Search *search, const RingCopy *copy);
/* Of its place. */
Cut cut_of_copy(const Search *search, const RingCopy *copy);
/* No thread fills a place twice in an iteration. */
bool moves_check(Search *search);

/* ---- before_loop.c ---- */

/* Does a way lead to the loop, and through no barrier, from what its copies must not be made before? */
bool entry_awaits(const Search *search);
/* May copies go on into the next run of the loop? Of a ring for which all else holds. */
void runs_find(Search *search);
/* Is it asked on entry whether there are tiles enough? Of a ring that is to be made. */
void tiles_ask(Search *search);

/* ---- side_effects.c: what else the loop does ---- */

bool effect_check(Search *search);
/* May copies pass it? */
bool effect_passes(Search *search, LLVMValueRef instruction);

/* ---- invariant_tile.c ---- */

/* Does every iteration copy the same bytes? The places are the same in any ring. */
bool once_find(Search *search);
/* Stores of what is known in front of the loop, to arrays of their own; none of its phase is another copy. */
bool known_check(Search *search, const Tile *tile);

/* ---- overlap_tests.c ---- */

/* Does the store, through this pointer, leave alone what the copies read, or can a test on entry tell? */
bool overlap_tested(Search *search, LLVMValueRef writer, LLVMValueRef pointer);

/* ---- profit.c: what may be made of the ring, and what decides whether it pays ---- */

void profit_weigh(Search *search);

#endif
