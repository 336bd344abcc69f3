/* A place whose bits are crossed (swizzled), so that neighbours in memory are not neighbours in a bank:
 *
 *     s[r][c ^ (r & 7)]       c 0..7, elements of 16 bytes: the address's bits are    r5 r4 r3 r2 r1 r0 c2^r2 c1^r1 c0^r0 0 0 0 0
 *
 * Each bit of the address is the sum, without carries, of bits of a few numbers: r and c, or n of s[n ^ (n >> 3 & 7)]. Where no
 * two choices of those bits have one address, as the columns of the matrix over GF(2) are independent, the place tells the
 * numbers, and what is asked of places may be asked of numbers. */
#ifndef COALDA_CROSSING_H
#define COALDA_CROSSING_H

#include "analysis/address/automaton.h"

enum { CROSSING_NUMBERS = 4, CROSSING_BITS = 16, CROSSING_ROWS = 32 };

typedef struct {
    Scope *scope;
    LLVMValueRef number[CROSSING_NUMBERS];
    int bits[CROSSING_NUMBERS], count;
    uint64_t row[CROSSING_ROWS]; /* of a bit of the address, from its array on: which bits of numbers are summed up */
    uint64_t constant;           /* what is added to all of them, without carries */
} Crossing;

/* False where the address is anything else. */
bool crossing_of(Scope *scope, LLVMValueRef pointer, Crossing *crossing);
/* Bits of the numbers that the loop may change; of all, where it is NULL. */
uint64_t crossing_columns(const Crossing *crossing, IrLoop *loop);
/* Does the place, which is so many bytes long, tell these bits if it is known what the others are? */
bool crossing_tells(const Crossing *crossing, uint64_t columns, int bytes);
/* The numbers of these bits as one, which tells each of them; NULL where they make none. */
const Form *crossing_number(const Crossing *crossing, uint64_t columns);
/* Do two places of so many bytes never meet, whatever these bits are in the one and in the other? All others are the same. */
bool crossing_is_apart(const Crossing *a, const Crossing *b, uint64_t columns, int bytes);

#endif
