/* Tile loops and loops that fill shared arrays: what they are, and what may be made of them. */
#ifndef COALDA_RINGS_H
#define COALDA_RINGS_H

#include "analysis/facts/facts.h"
#include "analysis/facts/footprint.h"

/* ---- tile.c: loops that stage global memory in shared memory between barriers ---- */

struct Tile {
    Scope *scope;
    IrLoop *loop;
    LLVMValueRef at;    /* where the loop begins, for its source line */
    int copies;         /* global to shared, value unchanged */
    int converting;     /* global to shared, computed on the way */
    int barriers;
    bool of_warp;       /* they are the warp's, and none is the block's */
    int64_t trips;      /* 0 where not constant */
    bool guarded;       /* a copy under a condition inside the loop */
    bool called;        /* all copies stand in functions that the loop calls, ... */
    LLVMValueRef call;  /* ... the first of them here; NULL otherwise */
    const Ring *ring;   /* NULL until it was asked for */
};

void tile_find(Kernel *kernel);
/* What fills shared memory from global memory by this access: the load, or the copy itself, or the store of a ring of registers; NULL: it does
 * not. `before` is the access before it; computed on the way? */
LLVMValueRef staged_from(const Access *access, const Access *before, bool *changed);
/* Of its ring, as the user says: a number of stages, 0: as many as pay, or -1: none. */
int stages_wanted(const Kernel *kernel, IrLoop *loop);
/* "1 copy unchanged, 0 computed on the way, 2 barriers an iteration, 16 iterations" */
const char *tile_facts(Arena *arena, const Tile *tile);

/* ---- ring.c: tile loops whose copies run ahead of the iteration that uses them ---- */

enum { HELD_WORDS = 16 }; /* most that a thread may be told to hold of tiles that wait in registers (HELD) */
enum { ASYNC_ARCH = 80 }; /* the first architecture with asynchronous copies */
enum { COPY_WIDEST = 16 }; /* bytes of an asynchronous copy; slots and the arrays in them are aligned to it */

typedef enum {
    ENGINE_ASYNC, /* the copies are asynchronous, into slots of a larger tile */
    ENGINE_REGISTERS, /* the loads alone run ahead, and registers hold what they bring until it is stored as it was */
    ENGINE_KNOWN /* what is stored is known in front of the loop, and is stored there, as it was */
} RingEngine;

/* What an iteration's copy brings where it stands under a condition that is not the same in all of them. */
typedef enum {
    COPY_ALIKE, /* every iteration fills the same places, and the copy is made where it stands */
    COPY_LATE, /* made when all ways meet behind the copies, of what stands at its place then */
    COPY_AGAIN, /* and what the last copy brought may still stand there: that is copied again, ... */
    COPY_CARRIED, /* ... or taken from the slot before, once it has come */
} CopyKind;

/* Bytes of the tile that one thread copies from global memory, unchanged. Of registers, a load or a memory copy: what
 * is done with its bytes is no matter. */
typedef struct {
    LLVMValueRef load, store; /* one and the same where it is a memory copy, or of what is known; of registers, no store */
    LLVMValueRef merge; /* phi or select of the loaded value and zero; NULL where the value is stored as loaded */
    LLVMValueRef source, target; /* pointers */
    int bytes, piece; /* in pieces of 4, 8 or 16; of registers, of less too */
    LLVMBasicBlockRef row; /* a loop inside of the tile loop whose iterations lanes may deal out; NULL: none */
    CopyKind kind;
    LLVMBasicBlockRef begins, meets; /* of late ones: made in an iteration of the innermost loop inside of the tile loop, its
                                        header and latch; NULL: of the tile loop itself */
    int64_t offset, room; /* of carried ones: where the array lies in a slot, and how long it is */
    List needs; /* of carried ones, of RingNeed: where one fails, the place is never filled */
    bool lacks; /* an iteration may fill nothing there */
    bool stops; /* its loop does not run as often in every iteration: places that it does not come to are
                                     carried as well, of those that it came to before */
    List counters; /* and of its loop's phis, the only ones that have to be known where that begins: those that
                                     the place is made of */
    Why narrow; /* what keeps its lanes from sharing pieces of 16 bytes; WHY_NONE: nothing */
} RingCopy;

/* What no iteration of the tile loop changes. */
typedef struct {
    LLVMValueRef condition;
    bool holds;
} RingNeed;

/* A store of zeros to the place of a copy, or memory set to them. */
typedef struct {
    LLVMValueRef store;
    const RingCopy *copy;
} RingBlank;

/* What is tested on entry of copies to one array: that no two threads of the block fill a place. */
typedef struct {
    LLVMValueRef array;
    Footprint
        footprint; /* along the threads of the block, loops around the copies, and the copies; what the test needs is numbers */
} RingOwn;

/* The operand of an instruction that reads the tile: a pointer into it, or an address as a number. */
typedef struct {
    LLVMValueRef at;
    unsigned operand;
} RingRead;

static inline bool ring_reads_number(const RingRead *read)
{
    return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(read->at, read->operand))) == LLVMIntegerTypeKind;
}

/* Pointers of which it is tested on entry that what they lead to lies apart. */
typedef struct {
    LLVMValueRef written, read;
    int64_t bytes_written, bytes_read;
    unsigned number; /* what is read is that place of a call that asks for the next iteration */
} RingTest;

typedef struct {
    LLVMBasicBlockRef header;
    int trips; /* at most */
} RingLoop;

/* Blocks that an SM holds at once, with the tile and with the ring in its place; 0: unknown. */
typedef struct {
    int before, after;
} Resident;

/* What was said of a ring when it was made. */
typedef struct {
    const char *text;
    const char *copies; /* Ring.told */
    Resident resident;
} RingMade;

/* What the loop is, as its copies' engine needs it. */
typedef struct {
    LLVMValueRef filled, freed; /* barriers: when the copies are done, and when the tile may be overwritten */
    bool of_warp; /* they wait for the lanes of the warp: each warp runs the loop on its own */
    bool freed_first; /* in an iteration, that is; else at its end */
    bool freed_stays; /* it guards more than the tile */
    bool awaits; /* what stands before the loop: a barrier more, in front */
    bool fixed_paths; /* every iteration takes the same way to the end of its copies */
    bool quiet; /* nothing but the copies writes memory that other threads see */
    bool once; /* every iteration copies the same: done once, in front of the loop, to the tile as it is */
    bool parted; /* copies stand under conditions, which no iteration changes */
    bool steps; /* the counters alone say which iterations run */
    bool joins; /* several iterations may stand in one block */
    int64_t trips; /* of the loop; 0 where not constant */
    bool nested; /* it stands in another loop */
} RingShape;

/* The shared memory that it fills and reads. */
typedef struct {
    List arrays; /* of LLVMValueRef: shared arrays that make up the tile */
    List reads; /* of RingRead: of the arrays */
    int64_t bytes; /* of one tile */
    int64_t unit; /* that all of them are aligned to, and COPY_WIDEST */
    bool outside; /* the arrays are used outside of the loop as well, ... */
    LLVMValueRef user; /* ... here, where that hands on what they hold; NULL: nobody knows where */
    bool inherits, leaves; /* ... so that what they hold before the loop, or after it, may be read */
    bool unsized; /* how much of the tile is filled is not known */
    bool late; /* some copies are: each lane makes its own, and takes more instructions for it */
    bool keeps; /* an iteration's tile may hold what one before it was filled with, ... */
    bool waits; /* ... for which iterations wait that are not the last */
} RingTile;

/* What is computed to know the next tile's copies. */
typedef struct {
    List state; /* of LLVMValueRef: phis of the loop's header that the next copies depend on */
    Map *ahead; /* instructions that are needed to know the next copies */
    List loads; /* of LLVMValueRef: those of them that read memory, asking for the next iteration among them ... */
    List indices; /* ... of which these may be made a stage before the copies that they lead to */
    LLVMValueRef unknown; /* the first that cannot be known ahead; NULL: none, or there are too many to tell */
} RingNext;

/* Copies that go on into the next run of the loop, of the one around it. */
typedef struct {
    LLVMBasicBlockRef around; /* its header; NULL: each run begins anew */
    bool awaits; /* what stands before it: a barrier more, in front */
    List values; /* of LLVMValueRef: made there, outside of the loop, and what copies depend on */
} RingRuns;

enum { NEVER_FULL = INT32_MAX };

/* Tiles of a run of the loop, of fewer of which the original is faster. */
typedef struct {
    int any; /* in whatever launch */
    int full; /* in one of so many threads that an SM has others to run while some wait; NEVER_FULL: all; 0: neither is asked */
    int64_t threads;
} RingLeast;

/* What is asked in front of a loop that becomes another one before there is a ring: else it runs as it is, for good. */
typedef struct {
    RingLeast least; /* if it is counted, or in small launches alone */
    bool counted;
    int64_t along_x, along_y, in_plane; /* threads of a block, at least; 0: whatever there are */
    List tests; /* of RingTest */
} RingOriginal;

/* What is tested on entry: else the original loop runs. */
typedef struct {
    RingLeast least;
    RingLeast
        original; /* of the loop that this one was: some of its iterations did nothing, its threads shared indices, or it held a tile; its second version is
                           made before the ring */
    bool together; /* where the lanes of the warp do not come to the loop together ... */
    bool counted; /* ... or in how many iterations they are to make ... */
    List alike; /* ... or in one of these, of LLVMValueRef, of which that follows ... */
    List owns; /* ... and where one of RingOwn ... */
    List tests; /* ... or of RingTest fails, ... */
    List globals; /* ... or one of these pointers, of LLVMValueRef, does not lead into global memory, ... */
    List aligned; /* ... or the source of one of these copies, of RingCopy, is not always a multiple of its piece, the
                                     original loop runs */
} RingEntry;

/* What decides whether it pays. */
typedef struct {
    bool guarded; /* some copies bring zeros instead, and none moves along with its neighbours' */
    bool looped; /* copies stand in a loop of their own */
    bool scatters; /* neighbours do not fill neighbouring places */
    bool turns; /* what one wide load reads goes to places apart */
    double instructions, reads; /* of a thread: in the use of one tile, and how many of them read it */
    double copying; /* and up to there: to find out what is copied, and to copy it */
    double copied; /* words of a tile that a thread copies */
    double looked_up; /* words of global memory besides, which data name: of one thread, in the use of one tile */
    bool rims; /* copies that conditions alone keep apart: planes of a stencil with four of them came to 1.44 of plain
                                     clang by asynchronous copies, and to 1.79 held in registers (H200) */
    bool uncounted; /* nobody knows how often a loop inside runs */
    bool held; /* each tile was loaded an iteration before */
    bool named; /* threads of the loop that this one was shared the indices of what is copied */
    bool skips; /* a function tells which iteration is the next, as some do nothing */
    double stored; /* bytes of a thread that are not the tile's */
    int size; /* instructions of an iteration as they stand */
    int sums; /* values that the loop carries from tile to tile */
} RingPrice;

/* How it is made. */
typedef struct {
    RingEngine engine;
    int wanted; /* stages that the user asks for: 0: as many as pay, -1: none */
    int stages, batch; /* stages of the ring, tiles of a stage ... */
    bool crowded; /* ... of which there would be more if there were more shared memory */
    bool wide; /* lanes that copy neighbours may copy 16 bytes each: of several tiles, or of several copies ... */
    int together; /* ... that are made together: so many, for one tile; a power of two */
    bool leads; /* indices are loaded a stage before the copies, and wait in registers */
    bool better_held; /* in registers, where those can hold it */
    bool ends; /* of each stage it is asked whether any of its tiles is left */
    bool unrolls; /* the uses of a stage's tiles follow each other without tests */
    int words; /* of registers: that a thread holds of one tile */
    List loops; /* of RingLoop: inner loops of few iterations, to be unrolled first */
    Resident resident;
} RingChoice;

/*     for (...) { s[t] = g[i]; filled; use s; freed; }   or   for (...) { freed; s[t] = g[i]; filled; use s; } */
struct Ring {
    Arena *arena;
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    const char *facts; /* of the tile loop, for its remark */
    RingShape shape;
    List copies; /* of RingCopy */
    List stores; /* of LLVMValueRef: of registers, what writes the tile */
    List blanks; /* of RingBlank */
    RingTile tile;
    RingNext next;
    RingRuns runs;
    RingEntry entry;
    RingPrice price;
    RingChoice choice;
    Why why; /* why there is none */
    LLVMValueRef obstacle; /* what stands in the way, in the loop's function; NULL: the loop as a whole */
    const Ring *nor; /* why there is none of registers either; NULL: for the same reason, or nobody asked */
    const Ring *instead; /* of registers: the asynchronous one that there is not; NULL where nobody asked */
    const RingMade *made; /* the loop is one that was rewritten */
    const char *told; /* of its copies, for remarks once it is made (pass/report/transfers.c); NULL before that is said */
};

/* Is something tested on entry that threads of the block may find each its own way? */
static inline bool ring_votes(const Ring *ring)
{
    return ring->entry.tests.count || ring->entry.globals.count || ring->entry.aligned.count;
}

/* Are there two versions of the loop? */
static inline bool ring_tests(const Ring *ring)
{
    return ring->entry.together || ring->entry.least.full || ring->entry.owns.count || ring_votes(ring);
}

void ring_find(Kernel *kernel);
/* Does the loop, whose iterations have barriers, write nothing that the loads read, at any time, as far as tests on entry, of RingTest, tell? */
bool lists_stay(Kernel *kernel, IrLoop *loop, const LLVMValueRef *loads, size_t count, List *tests);
/* Of all phases of an iteration, where there is one of it: those by the same engine, each found by itself. */
List rings_of_tile(Kernel *kernel, const Tile *tile);
/* Of the kind that its loop waits at: the block's, or the warp's. */
bool is_ring_barrier(const Ring *ring, LLVMValueRef instruction);

/* Tiles that there is room for. */
static inline int ring_slots(const Ring *ring) { return ring->choice.stages * ring->choice.batch; }
/* What an array takes of a slot: the next one is aligned as copies need it, and as any array of the tile is. */
static inline int64_t ring_part_bytes(const Ring *ring, int64_t size)
{
    return (size + ring->tile.unit - 1) / ring->tile.unit * ring->tile.unit;
}

/* ---- depth.c: how many stages the ring has, or why there had better be none ---- */

void ring_choose(const Kernel *kernel, Ring *ring);
/* Are its indices to be loaded a stage ahead of the copies, as wide and as many as those are? */
bool ring_leads(const Kernel *kernel, const Ring *ring);
/* "rewritten: asynchronous copies run ahead in a ring of 3 stages of 1 tile, 6144 bytes of shared memory" */
const char *ring_text(const Ring *ring);
/* Of the ring that an asynchronous copy, or a store, was made for; NULL where it is the user's own. */
const RingMade *ring_of_copy(Arena *arena, LLVMValueRef copy);
enum { RING_PARTS = 4 };

/* ---- fill.c: loops that fill a shared array, and are not tile loops ---- */

/* A copy whose thread need not wait for it in every iteration. */
typedef struct {
    LLVMValueRef function;
    LLVMValueRef at; /* the store, or what was made of it */
    RingCopy copy;
    List waits; /* of LLVMValueRef: instructions before which the thread waits for its copies */
    Why why; /* it stays as it is */
    LLVMValueRef obstacle; /* what stands in the way, where it is not the copy itself */
    bool made; /* it is asynchronous by our hand, ... */
    bool once; /* ... and stood in a tile loop */
} Fill;

void fill_find(Kernel *kernel);

/* ---- place_disjoint.c ---- */

typedef struct {
    LLVMValueRef pointer;
    int bytes;
    LLVMBasicBlockRef block; /* it is filled there alone, so that conditions hold; NULL: nobody knows where */
} Place;

/* Do the two places never meet, in any two iterations of the loops from the inner one out, as far as they are inside of the outer
 * one? Both are made in the inner one; of an outer one alone, in one iteration of whatever loops. */
bool place_is_disjoint(Scope *scope, IrLoop *inner, IrLoop *outer, Place a, Place b);

/* ---- place_per_iteration.c ---- */

/* Is the place of the copy, which stands in the loop, another one in every iteration of it? */
bool fill_moves_on(Scope *scope, IrLoop *loop, const RingCopy *copy);
/* And in every iteration of the loop around, too? */
bool fill_moves_on_outside(Scope *scope, IrLoop *around, Place place);

/* ---- next_tile.c ---- */

/* Adds what the value is computed from, in the loop, to what the ring needs ahead; false where that is more than
 * arithmetic on the loop's own counters. */
bool next_tile_needs(Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* What the next iteration finds in a phi of the loop's header. */
LLVMValueRef next_tile_value(IrLoop *loop, LLVMValueRef phi);
/* Does the instruction run before the copies of its iteration are done? */
bool next_tile_is_before_use(const Ring *ring, const Scope *scope, LLVMValueRef instruction);
/* Is the value the same at every iteration? Loops inside may count. */
bool next_tile_is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* Is it so at every iteration of this run of the loop, if not of the next? */
bool next_tile_stays(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* Can the counters, and whether there is a next iteration, be known without going the iteration's way to its copies? */
bool next_tile_steps_alone(const Ring *ring, IrLoop *loop, LLVMValueRef condition);
/* May it be computed anywhere in the loop, and outside of any condition? */
bool next_tile_is_anywhere(Arena *arena, IrLoop *loop, LLVMValueRef value);

#endif
