/* A footprint: the places that an instruction touches, as a base and steps along axes: the threads of a block, the iterations of
 * loops that it stands in, and copies of it at known distances.
 *
 *     for (i = x; i < 256; i += blockDim.x)     along x steps of 4 bytes, as many as the block is wide; along i steps of
 *         s[y][i] = ...                         4 * blockDim.x bytes, none beyond 1024 bytes; along y steps of 1024 bytes
 *
 * It is injective where no two points of its axes share a byte. They do not if, in order, each step is at least as long as all
 * that the shorter ones reach, a place's bytes included; how many steps there are along the longest axis is no matter. */
#ifndef COALDA_FOOTPRINT_H
#define COALDA_FOOTPRINT_H

#include "analysis/address/automaton.h"

/* ---- footprint.c ---- */

typedef enum { AXIS_THREADS, AXIS_ITERATIONS, AXIS_COPIES } AxisKind;

typedef struct {
    AxisKind kind;
    int number;       /* THREADS: of the block's axis, as the hardware counts them */
    IrLoop *loop;     /* ITERATIONS: of no use once the code has changed */
    int64_t step;     /* bytes, or numbers, ... */
    unsigned extents; /* ... times the block's extents along these axes, a bit each, ... */
    int64_t divisor;  /* ... of which the only one is divided by this (0: is not), and rounded down: blockDim.x / 32, ... */
    bool grows;       /* ... and times what is not known, but no less than 1 */
    int64_t count;    /* at most so many points; 0: as many as the block has threads there, or nobody knows how many */
    int64_t most;     /* ITERATIONS that nobody counted: what they reach with all shorter axes; 0: nothing is longer */
} FootprintAxis;

enum { FOOTPRINT_AXES = 7 }; /* of the block, of loops, and of copies */

typedef struct {
    Scope *scope;
    const Form *place; /* an address, or a number */
    const Form *rest;  /* what no axis moves */
    int64_t bytes;     /* of a place; 1 of a number */
    bool tested;       /* a test on entry, which knows the block's extents, is to find out the rest */
    FootprintAxis axis[FOOTPRINT_AXES]; /* from the shortest step to the longest */
    int axes;
} Footprint;

/* A place without axes. */
Footprint footprint_of(Scope *scope, const Form *place, int64_t bytes, bool tested);
/* What the loop moves by no steps, but within known bounds, makes the place longer; false where there are none. */
bool footprint_widen(Footprint *footprint, IrLoop *loop);
/* The iterations of the loops from the inner one out, as far as they are inside of the outer one; `stops`: one of them may run less
 * often than it is known to. False where a loop moves the place by anything but steps, or not at all. */
bool footprint_along_loops(Footprint *footprint, IrLoop *inner, IrLoop *outer, bool stops);
/* The iterations of the one loop, as ScalarEvolution has the pointer: of a form that is none, or not a sum. */
bool footprint_along_recurrence(Footprint *footprint, IrLoop *loop, LLVMValueRef pointer);
/* All threads of the block; where no test is to come, those that have other places. */
bool footprint_along_block(Footprint *footprint);
/* Copies at these distances from the place, which are put in order. */
bool footprint_along_copies(Footprint *footprint, int64_t *offset, size_t count);
/* Is it injective, whatever the block is, or if a test on entry finds each step as long as it has to be? Finds how far axes reach
 * whose iterations nobody counted. */
bool footprint_is_injective(Footprint *footprint);
/* Is it never farther along the axis, of iterations, than the limit? */
bool footprint_stays_within(const Footprint *footprint, const FootprintAxis *axis, uint64_t limit);
/* The footprint is from `low` to `high` behind a place of so many bytes, in each iteration, and moves by the same steps: is no byte
 * of the one ever one of the other's, be they in one iteration or in two? Not of footprints along threads. */
bool footprint_is_apart(const Footprint *footprint, int64_t low, int64_t high, int64_t bytes);

/* The outermost of the loops from the inner one out that are inside of the outer one; NULL where both are the same. */
IrLoop *loop_below(IrLoop *inner, IrLoop *outer);
/* Made of what all threads of the block share? */
bool symbol_is_shared(const Symbol *symbol);
bool form_is_shared(const Form *form);
/* The one term with the loop's counter, which is a factor of it once; others are at least 1 where the loop has a next iteration. */
bool term_of_counter(Scope *scope, const Form *form, IrLoop *loop, Term *found);
/* How many of the other term, which has the same symbols, make up this one; 0 where they are not alike. */
uint64_t multiple_of(const Term *term, const Term *other);
/* An index of a loop that never wraps around, and so stays below the bound as its form does. */
bool is_index_below(Scope *scope, LLVMValueRef phi, const Form *index, uint64_t bound);

/* ---- cut.c: numbers that are cut into rows ---- */

/* A place: row * (number / width) + column * (number % width) + rest. */
typedef struct {
    const Form *number; /* NULL: the rest is all there is */
    const Form *rest;
    int64_t width, row, column;
    int bits; /* of the number, which is read without a sign; 64: nothing of it is lost */
} Cut;

/* Of a place in the loop; NULL: in none that matters. */
Cut cut_of(Scope *scope, IrLoop *loop, const Form *place);
bool cut_is_whole(const Cut *cut);
/* How far two numbers can be apart and still differ in the bits that count. */
uint64_t cut_most_apart(const Cut *cut);
/* Rows one behind the other: numbers that differ have places that are `bytes` apart, at least. */
bool cut_has_rows(const Cut *cut, int bytes);
/* The same of columns beside each other, which a bound of the loop keeps from being longer than there is room. */
bool cut_has_columns(Scope *scope, IrLoop *loop, const Cut *cut, int bytes);
/* From the one number to the other; whole rows between the places are so many more. */
bool cut_distance(FormSpace *forms, const Cut *from, const Cut *to, int64_t *numbers);

#endif
