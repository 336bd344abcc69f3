/* A Form is an address or an index as a sum: constant + coefficient * symbol * ... + ...
 * A Symbol is one thing the compiler does not know: a thread index, a kernel argument, a loop's iteration,
 * a loaded value, or an operation on forms that is not linear (tid / 16) and is evaluated lane by lane.
 * No LLVM here: the same arithmetic serves the automaton, the warp figures and the tests.
 *
 *     p + 4 * (blockIdx.x * blockDim.x + threadIdx.x) + 8
 *       =  1*p  +  4*blockIdx.x*blockDim.x  +  4*threadIdx.x  +  8
 *
 * Arithmetic is modulo 2^64. Forms and symbols are immutable once made; equal symbols are one object. */
#ifndef COALDA_FORM_H
#define COALDA_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/address/integer.h"
#include "pass/base/arena.h"
#include "pass/base/shape.h"

enum {
    FORM_DEGREE = 4,    /* most symbols in one product */
    FORM_TERMS = 24,    /* most terms in a sum */
    FORM_WEIGHT = 400,  /* most terms that one evaluation visits */
};

#define SYMBOL_KINDS(X) \
    X(SYM_TID, "threadIdx") \
    X(SYM_LANE, "lane") \
    X(SYM_BLOCK, "blockIdx") \
    X(SYM_BLOCKDIM, "blockDim") \
    X(SYM_GRIDDIM, "gridDim") \
    X(SYM_LOOP, "iteration") \
    X(SYM_BASE, "base") \
    X(SYM_UNIFORM, "uniform") \
    X(SYM_LOADED, "loaded") \
    X(SYM_OPAQUE, "opaque") \
    X(SYM_OP, "op")

typedef enum {
#define X(kind, text) kind,
    SYMBOL_KINDS(X)
#undef X
} SymbolKind;

/* Operations that keep their operands. Integers of `bits`; U and S say how operands are read. */
#define FORM_OPS(X) \
    X(OP_UDIV, "udiv") \
    X(OP_UREM, "urem") \
    X(OP_SDIV, "sdiv") \
    X(OP_SREM, "srem") \
    X(OP_AND, "and") \
    X(OP_OR, "or") \
    X(OP_XOR, "xor") \
    X(OP_ASHR, "ashr") \
    X(OP_SHL, "shl") \
    X(OP_SMIN, "min") \
    X(OP_SMAX, "max") \
    X(OP_UMIN, "umin") \
    X(OP_UMAX, "umax") \
    X(OP_WRAP_U, "zext") \
    X(OP_WRAP_S, "sext") \
    X(OP_SELECT, "select") \
    X(OP_KEPT, "load")

typedef enum {
#define X(op, text) op,
    FORM_OPS(X)
#undef X
} FormOp;

#define COMPARES(X) \
    X(CMP_EQ, "==") \
    X(CMP_NE, "!=") \
    X(CMP_LT, "<") \
    X(CMP_LE, "<=") \
    X(CMP_GT, ">") \
    X(CMP_GE, ">=")

typedef enum {
#define X(compare, text) compare,
    COMPARES(X)
#undef X
} Compare;

typedef struct Symbol Symbol;
typedef struct Form Form;

/* A comparison that holds, of a lane, where the access is reached; or that chooses, in OP_SELECT. */
typedef struct {
    Compare compare;
    const Form *left, *right;
} Guard;

struct Symbol {
    SymbolKind kind;
    int id;
    int cause;        /* BASE to OPAQUE: why nothing better is known (why.def) */
    const void *loop; /* the innermost loop that gives it a new value each time; LOOP: the loop itself */
    int axis;         /* TID, BLOCK, BLOCKDIM, GRIDDIM: 0..2 */
    const char *name; /* as a reader of the source would call it */
    int64_t low, high; /* range, INT64_MIN and INT64_MAX where unknown */
    int64_t trips;    /* LOOP: iterations when constant, else 0 */
    bool varies;      /* may differ between the lanes of a warp, ... */
    bool restless;    /* ... and most likely from each to the next: no quotient by a number that run time knows */
    bool loaded;      /* depends on a value loaded at an address that varies */
    bool open;        /* known only at run time: no sample stands for it, or for a part of it */
    bool unknown;     /* cannot be evaluated: depends on SYM_LOADED or SYM_OPAQUE */
    FormOp op;        /* OP: */
    int bits;
    const Form *a, *b;
    const Guard *guard; /* OP_SELECT: guard ? a : b */
    int weight;
};

typedef struct {
    int64_t coefficient;
    int degree; /* at least 1 */
    const Symbol *symbol[FORM_DEGREE];
} Term;

struct Form {
    int64_t constant;
    int count;
    bool exact_signed;   /* the sum is the value read as a signed integer of its width ... */
    bool exact_unsigned; /* ... or as an unsigned one: nothing wrapped on the way */
    bool bounded;        /* a clamp was taken as not reached, or a wrap-around as not happening */
    Term term[];
};

/* Makes the forms of one kernel. */
typedef struct FormSpace FormSpace;

FormSpace *form_space(Arena *arena, Shape shape);
Shape form_shape(const FormSpace *space);
Arena *form_arena(const FormSpace *space);

/* Leaves. The sreg symbols are one object per axis; a known extent makes a constant of them. */
const Form *form_constant(FormSpace *space, int64_t value);
const Form *form_sreg(FormSpace *space, SymbolKind kind, int axis);
const Form *form_unknown(FormSpace *space, SymbolKind kind, const char *name, int cause, const void *loop);
/* The start of an object, and what is kept at a fixed address: one symbol for one key. */
const Form *form_named_base(FormSpace *space, const void *key, const char *name);
const Form *form_op_leaf(FormSpace *space, const Form *address, SymbolKind kind);
const Form *form_loop(FormSpace *space, const void *loop, int64_t trips);
/* The same where something has been said of it already; else NULL. */
const Form *form_loop_known(const FormSpace *space, const void *loop);
const Form *form_of_term(FormSpace *space, const Term *term);
const Form *form_ranged(FormSpace *space, const Form *leaf, int64_t low, int64_t high);
/* Of a leaf, that most lanes have it from their neighbours. */
const Form *form_calmed(const Form *leaf);

/* Sums and products; NULL when the result is too large to be worth keeping. */
const Form *form_add(FormSpace *space, const Form *a, const Form *b);
const Form *form_sub(FormSpace *space, const Form *a, const Form *b);
const Form *form_scale(FormSpace *space, const Form *a, int64_t factor);
const Form *form_mul(FormSpace *space, const Form *a, const Form *b);
const Form *form_flagged(FormSpace *space, const Form *a, bool exact_signed, bool exact_unsigned);
const Form *form_bounded(FormSpace *space, const Form *a);

/* Operations; NULL when nothing better than an unknown is left. */
const Form *form_op(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b);
/* Bits that are crossed: what is crossed with few bits keeps the others. Of n ^ x, x below 8, that is n - n % 8 + (n % 8 ^ x).
 * NULL where nobody knows how few. */
typedef struct {
    const Form *form;
    int bits; /* it is known to have no more; 0: nobody knows */
} Crossed;
const Form *form_xor(FormSpace *space, int bits, Crossed a, Crossed b);
const Form *form_select(FormSpace *space, const Guard *guard, const Form *a, const Form *b);
/* The form of the same bits read at a larger width. */
const Form *form_extend(FormSpace *space, const Form *a, int bits, bool is_signed);

bool form_equal(const Form *a, const Form *b);
/* Equal but for the constants: two offsets from one place. */
bool form_same_place(const Form *a, const Form *b);
uint64_t form_place_hash(const Form *form);
bool form_varies(const Form *form);
bool form_restless(const Form *form);
bool form_loaded(const Form *form);
bool form_open(const Form *form);
bool form_unknown_in(const Form *form);
bool form_range(const Form *form, int64_t *low, int64_t *high);
bool form_is_constant(const Form *form, int64_t *value);
/* The symbol that the form is and nothing else; NULL where it is more. */
const Symbol *form_symbol(const Form *form);
int form_weight(const Form *form);
bool form_mentions(const Form *form, const Symbol *symbol);
bool term_varies(const Term *term);
const char *form_text(Arena *arena, const Form *form);
/* The factor of one axis of the thread index: 4*n in 4*n*threadIdx.x; NULL where it is not a product. */
const Form *form_factor(FormSpace *space, const Form *form, const Symbol *symbol);

/* The symbol for one operation on these operands, the same object for the same operands. */
const Form *form_op_symbol(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b, const Guard *guard);

typedef struct {
    const Symbol *symbol;
    int64_t value;
} Given;

/* What only run time knows is taken as an odd multiple of it, each symbol as another one. */
enum { FORM_LARGE = 1 << 20 };

/* Where an evaluation stands: one lane, and values for some symbols. The others stand at a value that is large,
 * distinct and a multiple of a line, so that a stride made of them is long. */
typedef struct {
    int64_t thread[3];
    int lane;
    const Given *given;
    int count;
} Point;

/* Constants and thread indices only: what a lane computes is known once its place in the block is. */
bool form_of_threads(const Form *form);
bool term_of_threads(const Term *term);
int64_t form_eval(const Form *form, const Point *point);
/* Is there a value for each number in it that only run time knows? */
bool form_is_given(const Form *form, const Point *point);
bool guard_holds(const Guard *guard, const Point *point);

#endif
