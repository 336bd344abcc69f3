/* What the parts of the search for rings share: ring.c, held.c, ring_place.c, ring_moves.c, ring_effect.c and ring_gain.c. */
#ifndef COALDA_RING_SEARCH_H
#define COALDA_RING_SEARCH_H

#include "coalda.h"


typedef struct {
    Kernel *kernel;
    Scope *scope;
    IrLoop *loop;
    Ring *ring;
    List barriers; /* of LLVMValueRef: in the order in which an iteration meets them */
    LLVMBasicBlockRef latch;
} Search;

/* Keeps the first reason; false. */
bool refuse(Search *search, Why why);
/* Calls `visit` for the instructions of the loop until it returns false. */
bool each_instruction(Search *search, bool (*visit)(Search *, LLVMValueRef));
/* Of an instruction or a constant expression; 0 of anything else. */
LLVMOpcode opcode_of(LLVMValueRef value);
/* The shared array that the pointer leads into; NULL where it is not known. */
LLVMValueRef array_of(LLVMValueRef pointer);
/* The store, or memory copy, as a copy of what is loaded in the same iteration; false where it is none. */
bool copy_match(Search *search, LLVMValueRef instruction, RingCopy *copy);
const RingCopy *copy_by(const Ring *ring, LLVMValueRef store);
LLVMValueRef condition_of(LLVMValueRef terminator);
/* Does the instruction run among the copies: before filled, and behind freed where that comes first? */
bool is_among_copies(const Search *search, LLVMValueRef instruction);
/* Adds what tile.c found to the copies by `add`; the barriers around them become filled and freed. */
bool copies_find(Search *search, const Tile *tile, bool (*add)(Search *search, LLVMValueRef instruction));
/* The widest piece, to 16 bytes, that both alignments allow. */
int piece_of(int bytes, int from, int to);
/* Adds the way to the copies, and whether there is a next iteration, to what the ring needs ahead. */
bool path_needs(Search *search);
bool value_needs(Search *search, LLVMValueRef value);

/* One way in, one way out, barriers in every iteration, and no copies of the user's own that are asynchronous. */
bool shape_check(Search *search, const Tile *tile);

/* ---- held.c: loads whose bytes registers hold until their tile's turn ---- */

bool held_check(Search *search, const Tile *tile);
void held_choose(const Kernel *kernel, Ring *ring);

/* ---- ring_place.c: which places the copies fill, and who else touches them ---- */

/* Every iteration fills the same places: what another tile left there is never seen. */
bool place_is_alike(Search *search, const RingCopy *copy);
bool place_check(Search *search);

/* ---- ring_moves.c ---- */

/* No thread fills a place twice in an iteration. */
bool moves_check(Search *search);

/* ---- ring_effect.c: what else the loop does ---- */

bool effect_check(Search *search);

/* ---- ring_once.c ---- */

/* Does every iteration copy the same bytes? The places are the same in any ring. */
bool once_find(Search *search);

/* ---- ring_apart.c ---- */

/* Does the store, through this pointer, leave alone what the copies read, or can a test on entry tell? */
bool apart_or_tested(Search *search, LLVMValueRef writer, LLVMValueRef pointer);

/* ---- ring_gain.c: what may be made of the ring, and what decides whether it pays ---- */

void gain_weigh(Search *search);

#endif
