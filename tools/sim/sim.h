/* The reference machine: shared structures, in the order in which a run meets them.
 *
 *   file.ll -> Image (decoded functions, constants, initial globals)
 *   Image + arguments -> Sim (memory, race clocks, findings) -> Block[] -> Warp[] -> Fragment (lanes that run together)
 *
 * Lifetimes: an Image lives in the arena of main; a Sim is made and freed for every seed. Nothing is global and mutable. */
#ifndef SIM_H
#define SIM_H

#include "pass/base/arena.h"
#include "where.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LANES = 32, MAX_SOURCES = 4 };
typedef uint32_t Mask;                  /* one bit a lane */
#define FULL_MASK 0xffffffffu
#define EACH_LANE(lane, mask) \
    for (Mask rest_##lane = (mask); rest_##lane && (lane = __builtin_ctz(rest_##lane), 1); rest_##lane &= rest_##lane - 1)

/* ---- options.c, args.c ---- */

typedef enum { ARG_I32, ARG_I64, ARG_F32, ARG_F64, ARG_NULL, ARG_BUFFER, ARG_REF } ArgKind;
typedef enum {
    FILL_NONE,
    FILL_ZERO,
    FILL_RAND,
    FILL_FRAND,
    FILL_DRAND,
    FILL_IOTA,
    FILL_BITS,
    FILL_PERM,
    FILL_FILE,
    FILL_STRUCT
} Fill;

typedef struct {
    ArgKind kind;
    const char *text;       /* as written */
    uint64_t value;         /* bits of a number; offset of a reference */
    unsigned target;        /* reference: the argument that it points into */
    Fill fill;
    uint64_t bytes, seed;
    const char *path;       /* FILL_STRUCT: the items */
} Arg;

typedef struct {
    unsigned arg;
    const char *path;
} Dump;

typedef struct {
    uint32_t x, y, z;
} Dim;

typedef struct {
    const char *file, *compare, *kernel, *stats, *arch;
    Dim grid, block;
    uint64_t shared, seed, seeds, limit;
    bool check, strict, verbose, help;
    Arg *args;
    unsigned arg_count;
    Dump *dumps;
    unsigned dump_count;
    List *modules;              /* that were read so far */
} Options;

/* False after one sentence on stderr. */
bool options_parse(Options *options, Arena *arena, int argc, char **argv);
void options_usage(FILE *out);
bool arg_parse(Arg *arg, const char *text);
/* Reads the next of a struct's items: where it lies, and where it ends, which is where the one before ended. */
bool arg_member(const char **items, Arg *member, uint64_t *offset, uint64_t *end);
/* Writes the argument's initial bytes (of a struct: nothing yet); false after one sentence on stderr. */
bool arg_fill(const Arg *arg, uint8_t *data);
/* The next number of a stream (xorshift64*); state is never zero. */
uint64_t random_next(uint64_t *state);
uint64_t random_seed(uint64_t seed, uint64_t stream);

/* ---- image.c, decode.c: what LLVM's module becomes ---- */

typedef enum {
#define BINARY(name, rule, value) OP_##name,
#define REAL(name, value) OP_##name,
#define OTHER(name) OP_##name,
#include "ops.def"
    OP_COUNT
} Op;
#define OP_FIRST_CONTROL OP_WIDE

/* An operand: a slot of the frame, or with this bit a slot of the constant pool. */
#define REF_CONST 0x80000000u

enum {
    /* real arithmetic */
    FLAG_BF16 = 1 << 0,
    FLAG_FTZ = 1 << 1,
    FLAG_RZ = 1 << 2,
    FLAG_RM = 1 << 3,
    FLAG_RP = 1 << 4,
    FLAG_SAT = 1 << 5,
    FLAG_FROM_BF16 = 1 << 6,
    FLAG_RELU = 1 << 7,
    FLAG_ROUND = FLAG_RZ | FLAG_RM | FLAG_RP,
    /* what makes poison */
    FLAG_NSW = 1 << 8,
    FLAG_NUW = 1 << 9,
    FLAG_EXACT = 1 << 10,
    FLAG_DISJOINT = 1 << 11,
    FLAG_NNEG = 1 << 12,
    FLAG_SHIFT = 1 << 13,
    FLAG_POISON = FLAG_NSW | FLAG_NUW | FLAG_EXACT | FLAG_DISJOINT | FLAG_NNEG | FLAG_SHIFT,
    FLAG_DIVIDES = 1 << 14,     /* a zero divisor is a fault */
    FLAG_COPIED = 1 << 15,      /* the stored value comes straight from a load: padding may be undefined */
    FLAG_FREE = 1 << 16,        /* not an instruction of the program: not counted */
};

typedef struct {
    uint16_t op;
    uint8_t width, from;        /* bits of result and of operands */
    uint32_t flags;
    uint32_t dst;
    uint32_t src[MAX_SOURCES];
    uint32_t where;             /* index into Image.where */
    int64_t imm;
    const void *ext;            /* by op: Access, CallSite, Targets... */
} Inst;

/* Ext of LOAD, STORE, ATOMIC, CMPXCHG, MEMCPY, MEMSET: pieces are the scalars of the value. */
typedef struct {
    uint32_t ref;               /* STORE: operand; LOAD: slot; CMPXCHG: the value expected */
    uint32_t offset;
    uint8_t bytes, width;
    uint32_t wanted;            /* CMPXCHG: operand that takes its place */
} Piece;

typedef enum { ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_BOTH } Order;
typedef enum { SCOPE_BLOCK, SCOPE_GPU, SCOPE_SYSTEM } Scope;

typedef struct {
    uint32_t id;                /* unique in the image; index of its statistics */
    uint32_t bytes, align, align2;
    uint8_t space, space2;      /* address spaces of the pointers; 2: source of a copy */
    Order order;
    Scope scope;
    bool is_volatile;
    unsigned count;
    const Piece *piece;
    unsigned rmw;               /* LLVMAtomicRMWBinOp */
    uint32_t ok_slot;           /* CMPXCHG: where success goes */
} Access;

typedef struct Func Func;

typedef struct {
    Func *callee;               /* NULL: through src[0] */
    unsigned count, results;
    const uint32_t *ref;        /* arguments, flattened */
} CallSite;

typedef struct {
    uint32_t yes, no;           /* BRANCH; JUMP: yes */
    uint32_t join;              /* where the paths meet; PC_RETURN: at the function's end */
    unsigned cases;             /* SWITCH: no is the default */
    const uint64_t *value;
    const uint32_t *target;
} Targets;

#define PC_RETURN 0xfffffffeu
#define PC_NONE 0xffffffffu

typedef struct {
    uint32_t start, join;
} Region;

typedef struct {
    uint32_t slot;              /* holds the pointer */
    uint64_t bytes;
    uint32_t align;
    unsigned argument;
} ByVal;

struct Func {
    const char *name;
    LLVMValueRef value;
    unsigned id;                /* its address is FUNC_BASE + 16 * id */
    bool decoded, is_kernel;
    const Inst *code;
    uint32_t count, slots;
    unsigned params, results;   /* parameters occupy the first slots, flattened */
    unsigned arguments;
    const uint8_t *param_width; /* by argument: bits of a scalar, 0: byval or aggregate */
    const uint8_t *param_kind;  /* 'i', 'f', 'p', 'b' byval, '?' */
    const ByVal *byval;
    unsigned byval_count;
    const Region *region;       /* blocks by start, for splits in the middle */
    unsigned region_count;
};

typedef struct {
    const char *name;
    uint8_t space;
    uint64_t bytes, align;
    uint8_t *data;              /* initial bytes; NULL: zero */
    bool undefined;             /* no initial value */
    bool readonly, dynamic;
    uint64_t address;           /* generic for global and constant, offset for shared */
} Variable;

typedef struct {
    Arena *arena;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    const char *path;
    Func **func;
    unsigned func_count;
    Variable *variable;
    unsigned variable_count;
    Where *where;
    unsigned where_count;
    Access **access;
    unsigned access_count;
    uint64_t *constant;         /* LANES equal values each */
    uint64_t *constant_undef;
    Mask *constant_dirty;
    unsigned constant_count;
    uint64_t shared_static, shared_dynamic;   /* bytes used; offset of the dynamic part */
    Func *kernel;
    unsigned first_window;      /* windows before this one hold the buffers of arguments */
    char *error;                /* one sentence, or NULL */
} Image;

/* A module is read once, and kept in the list of options for the runs to come; after the last one all of them go. */
void modules_free(List *modules);
Image *image_load(Arena *arena, const char *path, const Options *options);

/* ---- memory.c: the simulated address space ---- */

#define GLOBAL_BASE 0x0000200000000000ull
#define WINDOW_SHIFT 36                         /* 64 GiB apart: any stray address still names its buffer */
#define WINDOW_MARGIN 0x10000000ull             /* redzone below a buffer */
#define WINDOWS 1024u
#define SHARED_BASE 0x00007f0000000000ull
#define LOCAL_BASE 0x00007f1000000000ull
#define FUNC_BASE 0x00007f2000000000ull
#define SPACE_WINDOW 0x0000000100000000ull      /* bytes of the shared and the local window */
#define SHARED_FIRST 1024u                      /* sm_90 keeps the first KiB of shared memory to itself */
#define SHARED_REDZONE 128u

typedef struct Cell Cell;

/* Some bytes of memory. undef holds one bit a bit, xored with flip (so that a fresh zero page can mean either). */
typedef struct {
    uint64_t base, size;
    uint8_t *data, *undef;
    uint8_t flip;
    Cell *cells;                /* race state by 4-byte granule; NULL until needed */
    const char *name;           /* "buffer 2", or the variable's name */
    bool readonly, freed, output;
    int argument;               /* -1: a variable */
    uint32_t id;
} Object;

/* A thread's stack. ok[i] counts the valid first bytes of granule i of 8 bytes, or says what ended their life. */
typedef struct {
    uint8_t *data, *undef, *ok;
    uint32_t size, top;
    uint32_t param_end;
} Local;

typedef enum { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONSTANT, SPACE_PARAM, SPACE_COUNT } Space;
extern const char *const space_names[SPACE_COUNT];

/* ---- warp.c ---- */

typedef struct Frame Frame;
typedef struct {
    Mask dirty, poison;         /* lanes with undefined bits; those of them that hold poison */
} Taint;

struct Frame {
    const Func *func;
    Frame *up;
    uint32_t return_pc;
    uint32_t return_slot;
    Mask lanes;                 /* threads still in this activation */
    uint64_t *value;            /* [slot][lane] */
    uint64_t *undef;            /* [slot][lane]; meaningful where taint says so */
    Taint *taint;               /* [slot] */
    uint32_t top[LANES];        /* stack height at entry */
    Frame *next_free, *next_made;
};

/* Where the paths of a divergent branch wait for each other. */
typedef struct Join Join;
struct Join {
    Frame *frame;
    uint32_t pc;
    Mask want, here;
    Join *up;
    bool used;
};

typedef enum { RUN_FREE, RUN_READY, RUN_BARRIER, RUN_SYNC, RUN_MBAR } RunState;

/* Lanes of one warp that run together. */
typedef struct {
    RunState state;
    Mask mask;
    Frame *frame;
    uint32_t pc;
    Join *join;
    uint32_t spins;             /* accesses of this slice that may be waiting; ~0: make way now */
    bool gives_up;              /* RUN_MBAR: its wait shall return false */
    /* RUN_SYNC, RUN_BARRIER */
    Mask sync_mask;
    const Inst *waiting;
    uint32_t age;
} Fragment;

enum { MAX_JOINS = 256, BARRIERS = 16 };

typedef struct Block Block;
typedef struct Sim Sim;

typedef struct {
    Block *block;
    uint32_t index;             /* in its block */
    Mask alive;
    Fragment fragment[LANES];
    Join join[MAX_JOINS];
    uint32_t idle_slices;
    uint32_t rounds;
} Warp;

typedef struct {
    uint32_t arrived, expected; /* expected 0: every live thread */
    uint32_t predicate_count;
    const Inst *first;          /* by whom it is used; NULL: by nobody */
} Barrier;

struct Clocks;
struct Async;

struct Block {
    Sim *sim;
    uint32_t index;
    Dim id;
    uint32_t threads, live, warps;
    Warp *warp;
    Object shared;
    uint16_t *shared_owner;     /* by 16-byte granule: 1 + variable, 0: nobody's */
    Local *local;               /* by thread */
    Barrier barrier[BARRIERS];
    struct Clocks *clocks;
    struct Async *async;
    bool done;
    uint64_t progress;
    uint32_t next_warp;
};

/* ---- finding.c ---- */

typedef struct Findings Findings;

/* ---- sim.c ---- */

struct Sim {
    const Options *options;
    const Image *image;
    Arena *arena;               /* of this seed */
    uint64_t seed, random;
    bool adversarial;           /* seed other than 0 */
    bool check;
    Object *window[WINDOWS];
    unsigned windows;
    uint64_t *argument;         /* bits by argument */
    Object **buffer;            /* by argument; NULL: a number */
    Frame *free_frame, *made_frame;
    Block **resident;
    uint32_t resident_count, resident_limit;
    uint32_t next_block, block_total;
    uint32_t *block_order;
    uint64_t steps, lane_steps;
    struct Race *race;
    struct Stats *stats;
    Findings *findings;
    uint32_t copies_out;        /* bulk copies to global memory in flight */
    uint32_t give_ups;          /* waits that returned false because nobody could go on, in a row */
    bool stopped;               /* trap, assert or unsupported: the grid ends */
    char *refusal;              /* exit 1 with this sentence */
};

/* What a handler of one instruction works on. */
typedef struct {
    Sim *sim;
    Warp *warp;
    Block *block;
    Fragment *fragment;
    Frame *frame;
    const Inst *inst;
    Mask mask;
} Ctx;

static inline uint64_t *ref_value(const Ctx *c, uint32_t ref)
{
    return ref & REF_CONST ? c->sim->image->constant + (size_t)(ref & ~REF_CONST) * LANES : c->frame->value + (size_t)ref * LANES;
}
static inline uint64_t *ref_undef(const Ctx *c, uint32_t ref)
{
    return ref & REF_CONST ? c->sim->image->constant_undef + (size_t)(ref & ~REF_CONST) * LANES
                           : c->frame->undef + (size_t)ref * LANES;
}
static inline Taint ref_taint(const Ctx *c, uint32_t ref)
{
    if (ref & REF_CONST)
        return (Taint){c->sim->image->constant_dirty[ref & ~REF_CONST], 0};
    return c->frame->taint[ref];
}
/* The results of lanes in mask are wholly defined. */
static inline void result_defined(const Ctx *c, uint32_t slot, Mask mask)
{
    c->frame->taint[slot].dirty &= ~mask;
    c->frame->taint[slot].poison &= ~mask;
}
static inline uint64_t width_ones(unsigned width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }
static inline uint32_t thread_index(const Warp *warp, int lane) { return warp->index * LANES + (uint32_t)lane; }

#include "parts.h"
#endif
