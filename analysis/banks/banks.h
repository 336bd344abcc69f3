/* Shared arrays whose rows had better be longer, so that fewer threads want different words of one bank. */
#ifndef COALDA_BANKS_H
#define COALDA_BANKS_H

#include "analysis/rings/rings.h"

/* ---- exact_offset.c ---- */

/* factor * value, the value read as a signed or as an unsigned integer of its width; low and high bound the product. */
typedef struct {
    LLVMValueRef value;
    bool is_signed;
    bool is_wide; /* of more than 32 bits, and not known to be less than that */
    int zeros;    /* lowest bits of the value that are known to be so */
    int64_t factor, low, high;
} OffsetTerm;

/* Bytes from the start of an array to a place in it: the sum of the terms and of the constant. Of a place inside the array it is that
 * number itself where it is exact, without any wrap-around; else one that equals it modulo 2^64. */
typedef struct {
    List terms; /* of OffsetTerm, of no two the same value */
    int64_t constant;
    bool exact;
} Offset;

/* Of a pointer that is made from the array by indices alone; false where an index is of no kind that is understood. */
bool offset_of(Kernel *kernel, LLVMValueRef pointer, Offset *offset);
/* Does the term move by whole rows, and by nothing else? */
bool offset_moves_rows(const Offset *offset, const OffsetTerm *term, int64_t row);
/* Between which bounds its column lies, which is what remains without those terms and without whole rows of the constant; false where
 * 32 bits do not hold it, as far as is known. */
bool offset_column(const Offset *offset, int64_t row, int64_t *low, int64_t *high);

/* Is its column known to stay in its row? */
bool offset_stays(const Offset *offset, int64_t row);
/* The power of two, at most REQUEST_BYTES, that divides whatever the terms come to in rows that are so much longer. */
int64_t offset_alignment(const Offset *offset, int64_t row, int64_t pad);

/* ---- array_uses.c ---- */

typedef struct {
    LLVMValueRef at;
    unsigned operand; /* the pointer */
    int unit; /* bytes: the access lies in one unit of so many, or begins with one */
    int64_t bytes; /* of one that more than a unit may hold, and only its columns keep in its row; else 0 */
    Offset offset;
    const List
        *neighbours; /* of ArrayUse: itself, and others whose distance is a number, in one piece of code; NULL of one by itself */
    int joined; /* bytes of the piece, aligned, that the backend moves at once for it and its neighbours, once the rows are longer */
} ArrayUse;

/* An array whose rows become longer: what stood at `offset` stands at offset + offset / row * pad. */
typedef struct {
    Arena *arena;
    LLVMValueRef function, array;
    List uses; /* of ArrayUse: all that the module has */
    int unit; /* the largest of theirs: it divides row and pad */
    const Ring *ring; /* is to fill it; NULL: none is */
    int64_t bytes; /* of the array as it is */
    int64_t row, pad;
    double before, after; /* passes over the banks of all accesses, as often as they are made */
    int rounds; /* so many times its rows have become longer, this one among them */
    LLVMValueRef at; /* the first access whose threads want one bank */
    Why why; /* it stays as it is, and why */
} Padding;

/* Finds the uses; WHY_NONE where all are known, and every access lies in one unit. */
Why array_uses(Kernel *kernel, Padding *padding);
int64_t padded_bytes(const Padding *padding, int64_t row, int64_t pad);

/* ---- join.c ---- */

void find_neighbours(Padding *padding);
/* Bytes of the piece that the backend moves at once for the access and its neighbours in rows that are so much longer; its own unit, if
 * it is moved by itself. */
int joined_bytes(const ArrayUse *use, int64_t row, int64_t pad);

/* ---- array_time.c ---- */

typedef struct {
    Kernel *kernel;
    const Padding *padding;
    List trials; /* of Kernel, each in a block of another shape */
    List spots; /* of accesses to the array */
} Layouts;

typedef struct {
    double passes; /* over the banks, of all accesses, as often as they are made */
    double time; /* with what it takes to issue them; in passes, too */
    bool is_known;
} ArrayTime;

Layouts layouts_find(Kernel *kernel, const Padding *padding);
/* The mean of all blocks, if the rows were so much longer; no pad: as they are. */
ArrayTime array_time(const Layouts *layouts, int64_t row, int64_t pad);

/* ---- row_length.c ---- */

/* How long the rows had better be; WHY_NONE where row and pad are found. */
Why row_length(Kernel *kernel, Padding *padding);

/* ---- banks.c ---- */

/* Of a kernel that is measured: the first array that no ring is to fill whose rows become longer, NULL where there is none. What keeps
 * others as they are is put into the plan. */
Padding *banks_find(Kernel *kernel);
/* The same of the arrays that rings are to fill. */
Padding *banks_find_of_rings(Kernel *kernel);

#endif
