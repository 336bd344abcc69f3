/* Atomic operations on neighbouring words, which one vector reduction makes at once, or lanes side by side. */
#ifndef COALDA_REDUCTIONS_H
#define COALDA_REDUCTIONS_H

#include "analysis/facts/facts.h"

/* ---- addition.c: one atomic operation ---- */

/* What is added. The three that have a vector form are words of four bytes. */
#define ADDED(X) \
    X(ADDED_FLOAT, "f32") \
    X(ADDED_HALVES, "f16x2") \
    X(ADDED_BFLOATS, "bf16x2") \
    X(ADDED_OTHER, "")

typedef enum {
#define X(added, name) added,
    ADDED(X)
#undef X
} Added;

const char *added_text(Added added); /* as PTX calls it */

typedef struct {
    LLVMValueRef instruction, pointer, value;
    Added added;
    int bytes;
    int operation;     /* of ADDED_OTHER: which */
    const char *scope; /* as PTX calls the threads for which it is atomic */
    int place;         /* among the instructions of its block */
    int64_t offset;    /* from the first addition to its record that was found; then from its lowest word */
    Why why;           /* it is made alone, whatever its neighbours are */
} Addition;

/* Is the instruction an atomic operation that is asked for nothing but its sum, or may look like one? */
bool addition_of(const Scope *scope, LLVMValueRef instruction, Addition *addition);

/* ---- pieces.c: which of them are made at once ---- */

/* Words one behind the other; a turned piece of an odd number of words begins at a multiple of eight bytes, or four behind one, as the
 * thread finds, and is made of pairs, and one word in front of them or behind. */
typedef struct {
    size_t first; /* among the additions */
    int words;
    bool turned;
} Piece;

struct AddedRecord {
    Scope *scope;
    List additions; /* of Addition, of one kind, each to a word of its own, by their offsets */
    List pieces; /* of Piece */
    bool across; /* the lanes of a warp add for each other: a piece is what lies in one sector, of which each has its own word */
    int alignment; /* that its lowest word is to have, ... */
    int phase; /* ... less so many bytes; 0: any will do */
    bool is_global; /* it is known to lie in global memory */
    Why why; /* it is added to word by word */
    LLVMValueRef obstacle;
};

Addition *addition_at(const AddedRecord *record, size_t number);
int64_t added_bytes(const AddedRecord *record); /* from the lowest word to the end of the highest */
/* How many operations on memory it takes. */
int pieces_made(const AddedRecord *record);
/* Is that one of its additions made with others? */
bool addition_is_joined(const AddedRecord *record, LLVMValueRef instruction);
/* Of a record whose additions stand by their offsets. */
void pieces_cut(AddedRecord *record);
void pieces_cut_across(AddedRecord *record);
/* That of its additions which comes first in the code, or last. */
const Addition *addition_end(const AddedRecord *record, bool last);

/* ---- stretch.c: what stands together ---- */

/* Bytes that are to lie apart from the record; or `there`: what is added to through the pointer is that word of it. */
typedef struct {
    const AddedRecord *record;
    LLVMValueRef access; /* through whose pointer, whatever that is by the time it is asked */
    int64_t bytes, offset;
    bool there;
} AddedTest;

/* Code of one block in which additions to one or more records are made, and which all of them may leave for its end. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMValueRef first, last; /* additions: where it begins and ends */
    List records; /* of AddedRecord */
    List tests; /* of AddedTest, whose pointers follow from what is known at its beginning by arithmetic alone */
} AddedStretch;

/* Of all bodies that the kernel runs; each function once. */
void additions_find(Kernel *kernel);
/* Is there any addition in the function that may be one of several? */
bool additions_may_be(LLVMValueRef function);

#endif
