/* The structures that the pipeline of run.c passes on, in its order:
 *
 *     Function -> Kernel -> Access[] -> Record[] / Walk[] / Tile[] -> verdict -> remarks, rows of the report
 */
#ifndef COALDA_H
#define COALDA_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "bridge.h"
#include "cost.h"
#include "figure.h"
#include "form.h"
#include <limits.h>

#include "row.h"

/* ---- what is asked of IR everywhere ---- */

enum { WORD_BYTES = 4 };

static inline bool text_begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Of what is called; "" where that is not known. */
static inline const char *callee_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    return callee ? LLVMGetValueName2(callee, &length) : "";
}

static inline bool is_call_of(LLVMValueRef instruction, const char *name)
{
    return LLVMIsACallInst(instruction) && strcmp(callee_name(instruction), name) == 0;
}

static inline bool is_op(LLVMValueRef value, LLVMOpcode op)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == op;
}

static inline bool jumps_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (LLVMGetSuccessor(jump, s) == next)
            return true;
    return false;
}

/* ---- options (options.def) ---- */

typedef bool OptionFlag;
typedef Shape OptionShape;
typedef int OptionArch;
typedef int OptionBytes;
typedef int OptionStages;
typedef int OptionTiles;
typedef Costs OptionCost;

typedef struct {
#define OPTION(name, Type, field, help) Option##Type field;
#include "options.def"
#undef OPTION
} Options;

/* Sets one option from "name" or "name=value" (length bytes). NULL, or what is wrong, allocated in the arena. */
const char *option_set(Options *options, const char *text, size_t length, Arena *arena);
/* A list separated by ';'. */
const char *options_parse(Options *options, const char *text, size_t length, Arena *arena);
/* What is set in `over` wins. */
Options options_merge(Options base, Options over);

/* ---- verdicts (why.def) ---- */

typedef enum {
    WHY_NONE,
#define WHY(id, name, sentence, remedy) id,
#include "why.def"
#undef WHY
    WHY_COUNT
} Why;

typedef struct {
    const char *name, *sentence, *remedy;
} WhyText;

const WhyText *why_text(Why why);

/* ---- kernel.c: what is looked at ---- */

typedef struct Scope Scope;
typedef struct Plan Plan;
typedef struct Turn Turn;
typedef struct Block Block;

typedef struct {
    Arena *arena;
    IrModule *ir;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    LLVMValueRef function;
    const char *name;      /* as linked */
    bool is_entry;         /* a kernel; false: a device function that no kernel of the module calls */
    Why left;              /* nothing that its warps would do together can be worth it: records and walks stay as they are */
    Options options;       /* the module's, with the kernel's own annotations */
    FormSpace *forms;
    Scope *scope;          /* the kernel's own body */
    Plan *plan;            /* the module's; NULL where none is made */
    Map *stray;            /* function -> Scope with unknown arguments, where its calls are not followed */
    Map *pressures;        /* function -> Pressure, once it is asked for */
    const Turn *turn;      /* NULL where the threads of its blocks had no reason to change places */
    int loops;             /* whose number of iterations was asked for */
    bool calls_elsewhere;  /* functions of other modules, or of nobody knows which */
    bool is_collected, has_tiles, has_fills, has_tallies, is_measured, is_planned; /* steps of steps.c that are done */
    List scopes;           /* of Scope: the bodies that the kernel runs, its own first */
    List accesses;         /* of Access, in program order, callees where they are called */
    List records;          /* of Record */
    List tiles;            /* of Tile */
    List fills;            /* of Fill */
} Kernel;

typedef struct Portions Portions;
typedef struct {
    List roots;     /* of LLVMValueRef: kernels, then device functions that none of them runs */
    List functions; /* that they run; one that several do is there as often */
} Portion;

Portions *portions_of(Arena *arena, LLVMModuleRef module);
/* Without roots when nothing is left. */
Portion portion_next(Portions *portions);
Portion portion_whole(Arena *arena, LLVMModuleRef module);
bool module_is_device(LLVMModuleRef module);
Kernel *kernel_open(Arena *arena, IrModule *ir, LLVMModuleRef module, LLVMValueRef function, const Options *options,
                    Plan *plan);
bool function_is_kernel(LLVMValueRef function);
/* What an attribute of the kernel says, up to a comma; 0 where it has none of that name. */
int64_t kernel_number(const Kernel *kernel, const char *attribute);
/* Have the architecture, and the version of PTX that the backend writes for it, products of 8 x 16 bytes? */
bool kernel_has_mma(const Kernel *kernel);
/* May a block have enough threads for any of what a warp does together? */
bool kernel_fills_warps(const Kernel *kernel);
/* Numbers the threads of a block along y first, before anything else is asked of the kernel. */
void kernel_turn(Kernel *kernel);

/* ---- automaton.c: what an address is made of ---- */

typedef enum { MEETING_UNASKED, MEETING_ALL, MEETING_NOT } Meeting;
typedef enum { ORDER_UNASKED, ORDER_BY_BARRIERS, ORDER_OTHERWISE } Order;

/* One function body as one call runs it: arguments are known as forms of the kernel. */
struct Scope {
    Kernel *kernel;
    LLVMValueRef function;
    Scope *caller;          /* NULL for the kernel */
    LLVMValueRef call;
    const Form **argument;  /* by index */
    Map *forms;             /* LLVMValueRef -> Form */
    Map *guards;            /* LLVMBasicBlockRef -> List of Guard */
    Map *callees;           /* call -> Scope, NULL value where refused */
    Map *returning;         /* blocks that lead to a return; NULL until it is asked */
    Meeting meeting;        /* at its barriers, once that is asked */
    Order order;            /* kept by its threads among themselves, once that is asked */
    Map *accesses;          /* group: instruction -> List of Access */
    double time;            /* weigh: of its body, as estimated, in bytes of DRAM time; 0 where that was not asked */
    Map *trips;             /* weigh: header -> double, how often its loop runs; NULL until it is asked */
    List journal;           /* values evaluated while a loop's recurrence is being found */
    int depth;              /* calls between this body and the kernel */
    int nesting;            /* of evaluations under way */
};

Scope *scope_open(Kernel *kernel, LLVMValueRef function, Scope *caller, LLVMValueRef call);
/* The body that a call runs; NULL where it has none, recurses, or lies too deep. */
Scope *scope_of_call(Scope *scope, LLVMValueRef call);
/* The body of a function whose calls are not followed, with unknown arguments: made once, NULL after that. */
Scope *scope_stray(Kernel *kernel, LLVMValueRef function);
/* The value as a form: bytes for a pointer, its integer for an integer. Never NULL. */
const Form *automaton_form(Scope *scope, LLVMValueRef value);
/* The cause that an unknown part of a form was given; WHY_NONE where all of it is known. */
Why automaton_cause(const Form *form);
/* What holds, of thread indices alone, of every thread that reaches the block. */
const List *automaton_guards(Scope *scope, LLVMBasicBlockRef block);

/* ---- space.c ---- */

#define SPACES(X)             \
    X(SPACE_GENERIC, "generic") \
    X(SPACE_GLOBAL, "global")   \
    X(SPACE_SHARED, "shared")   \
    X(SPACE_CONSTANT, "constant") \
    X(SPACE_LOCAL, "local")     \
    X(SPACE_PARAM, "param")

typedef enum {
#define X(space, text) space,
    SPACES(X)
#undef X
} Space;

Space space_of(Scope *scope, LLVMValueRef pointer);
/* The same whoever calls the function, which is rewritten once for all its callers. */
Space space_proved(Scope *scope, LLVMValueRef pointer);
const char *space_text(Space space);
bool is_shared_array(LLVMValueRef global);

/* ---- access.c: every access with its address ---- */

#define CLASSES(X)            \
    X(CLASS_UNIFORM, "uniform") \
    X(CLASS_UNIT, "unit")       \
    X(CLASS_STRIDED, "strided") \
    X(CLASS_RECORD, "record")   \
    X(CLASS_WALK, "walk")       \
    X(CLASS_GATHER, "gather")   \
    X(CLASS_SCATTER, "scatter") \
    X(CLASS_OPAQUE, "opaque")

typedef enum {
#define X(kind, text) kind,
    CLASSES(X)
#undef X
} Class;

typedef enum { OP_LOAD, OP_STORE, OP_ATOMIC } AccessOp;

typedef struct Record Record;
typedef struct Tile Tile;
typedef struct Ring Ring;
typedef struct Group Group;
typedef struct Shelf Shelf;

typedef struct Access Access;

struct Access {
    Scope *scope;
    LLVMValueRef instruction;
    LLVMValueRef pointer;
    AccessOp op;
    Space space;
    int bytes;           /* of one thread */
    int piece;           /* most bytes an instruction moves of them */
    int alignment;       /* of the address, as the instruction says */
    const Form *address;
    IrLoop *loop;        /* innermost, in its own function */
    int depth;           /* loops around it, those of its callers counted */
    Figure figure;       /* figure: from here on */
    Class kind;
    const Form *stride;  /* from lane to lane; NULL where there is none */
    int64_t step;        /* walk: bytes per iteration */
    const Record *record;
    const Tile *tile;
    const Access *partner; /* the other side of a memory copy */
    const Block *block;  /* verdict: of its loop, where that would be made longer and the access exchanged */
    const Access *turned; /* verdict: what it becomes when the threads of the block have changed places */
    const Group *group;  /* plan: of the group that it is rewritten with, or was refused with */
    Why why;             /* verdict */
    Why refusal;         /* refusal: why it is not rewritten; WHY_NONE where there is nothing to say */
};

void access_collect(Kernel *kernel);
/* Of a load or a store: neither volatile nor atomic. */
bool is_plain(LLVMValueRef access);
/* Is it volatile, or an atomic that orders what others see of places which it does not touch? A relaxed one does not. */
bool access_orders(LLVMValueRef instruction);
/* What a call on memory promises of the pointer. */
int alignment_of_operand(LLVMValueRef call, unsigned operand);
const char *class_text(Class kind);
const char *op_text(AccessOp op);

/* ---- assembly.c ---- */

/* Is the call one inline instruction on memory, and at which of its operands? */
bool assembly_access(LLVMValueRef call, AccessOp *op, unsigned *operand, int *bytes);
bool assembly_reads_lane(LLVMValueRef call);

/* ---- measure.c: figure and class of each access ---- */

void access_measure(Kernel *kernel);

/* ---- walk.c ---- */

/* Does the thread walk memory of its own in a loop, and by how many bytes an iteration? */
bool walk_step(const Access *access, int64_t *step);
/* The IrLoop that moves it. */
const void *walk_loop(const Access *access);
/* Is it a row that the loop around its own meets in each of its iterations? */
bool walk_meets_again(const Access *access);
/* Is the access of a loop that was made longer, or of what remains of one? */
bool walk_is_longer(LLVMValueRef access);

/* ---- record.c: accesses side by side ---- */

struct Record {
    Scope *scope;
    AccessOp op;
    int members;
    int64_t offset;  /* of the first byte, from the place that the members share */
    int64_t bytes;   /* from the first to the last */
    int64_t covered; /* of them, touched */
};

void record_group(Kernel *kernel);

/* ---- tile.c: loops that stage global memory in shared memory between barriers ---- */

struct Tile {
    Scope *scope;
    IrLoop *loop;
    LLVMValueRef at;    /* where the loop begins, for its source line */
    int copies;         /* global to shared, value unchanged */
    int converting;     /* global to shared, computed on the way */
    int barriers;
    int64_t trips;      /* 0 where not constant */
    bool guarded;       /* a copy under a condition inside the loop */
    const Ring *ring;   /* NULL until it was asked for */
};

void tile_find(Kernel *kernel);

/* ---- ring.c: tile loops whose copies run ahead of the iteration that uses them ---- */

enum { HELD_WORDS = 16 }; /* most that a thread holds of tiles that wait in registers */
enum { ASYNC_ARCH = 80 }; /* the first architecture with asynchronous copies */
enum { COPY_WIDEST = 16 }; /* bytes of an asynchronous copy; slots and the arrays in them are aligned to it */

typedef enum {
    ENGINE_ASYNC,    /* the copies are asynchronous, into slots of a larger tile */
    ENGINE_REGISTERS /* the loads alone run ahead, and registers hold what they bring until it is stored as it was */
} RingEngine;

/* Bytes of the tile that one thread copies from global memory, unchanged. Of registers, a load or a memory copy: what
 * is done with its bytes is no matter. */
typedef struct {
    LLVMValueRef load, store;     /* one and the same where it is a memory copy; of registers, no store */
    LLVMValueRef merge;           /* phi or select of the loaded value and zero; NULL where the value is stored as loaded */
    LLVMValueRef source, target;  /* pointers */
    int bytes, piece;             /* in pieces of 4, 8 or 16; of registers, of less too */
    LLVMBasicBlockRef row;        /* a loop inside of the tile loop whose iterations lanes may deal out; NULL: none */
    bool late;                    /* made when all ways meet behind the copies, of what stands at its place then ... */
    LLVMBasicBlockRef begins, meets; /* ... in an iteration of the innermost loop inside of the tile loop: its header and
                                        latch; NULL: of the tile loop itself */
    int64_t offset, room;         /* late: where its array lies in a slot, and how long it is */
    bool lacks;                   /* an iteration may fill nothing there, ... */
    bool keeps;                   /* ... so that what the last copy brought may still stand there: copied again, or ... */
    bool carries;                 /* ... taken from the slot before, once it has come, ... */
    List needs;                   /* ... of RingNeed: where one fails, the place is never filled */
    bool stops;                   /* its loop does not run as often in every iteration: places that it does not come to are
                                     carried as well, of those that it came to before */
    List counters;                /* ... and of its loop's phis, the only ones that have to be known where that begins: those that
                                     the place is made of */
} RingCopy;

/* What no iteration of the tile loop changes. */
typedef struct {
    LLVMValueRef condition;
    bool holds;
} RingNeed;

/* A store of zeros to the place of a copy. */
typedef struct {
    LLVMValueRef store;
    const RingCopy *copy;
} RingBlank;

/* How far apart the places of threads, copies or iterations are that follow each other along an axis. */
typedef struct {
    int64_t step;     /* bytes, or numbers, ... */
    unsigned extents; /* ... times the block's extents along these axes, a bit each */
    int number;       /* of the block's axis; -1: of copies, or of iterations of a loop */
    int count;        /* of them; 0: an axis of the block, or a loop of nobody knows how many */
    LLVMBasicBlockRef loop; /* its header; NULL: none */
    int64_t most;     /* loop of nobody knows how many: bytes that it reaches with all shorter axes; 0: nothing is longer */
} RingAxis;

enum { OWN_AXES = 7 }; /* of the block, of loops around a copy, and of its copies */

/* What is tested on entry of copies to one array: that no two threads of the block fill a place. */
typedef struct {
    LLVMValueRef array;
    int64_t bytes; /* of a place */
    RingAxis axis[OWN_AXES]; /* from the shortest step to the longest */
    int axes;
} RingOwn;

/* Pointers of which it is tested on entry that what they lead to lies apart. */
typedef struct {
    LLVMValueRef written, read;
    int64_t bytes_written, bytes_read;
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
    Resident resident;
} RingMade;

/*     for (...) { s[t] = g[i]; filled; use s; freed; }   or   for (...) { freed; s[t] = g[i]; filled; use s; } */
struct Ring {
    Arena *arena;
    RingEngine engine;
    const char *facts;            /* of the tile loop, for its remark */
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    LLVMValueRef filled, freed;   /* barriers: when the copies are done, and when the tile may be overwritten */
    bool freed_first;             /* in an iteration, that is; else at its end */
    bool freed_stays;             /* it guards more than the tile */
    bool awaits;                  /* what stands before the loop: a barrier more, in front */
    bool fixed_paths;             /* every iteration takes the same way to the end of its copies */
    bool quiet;                   /* nothing but the copies writes memory that other threads see */
    List copies;                  /* of RingCopy */
    List stores;                  /* of LLVMValueRef: of registers, what writes the tile */
    List arrays;                  /* of LLVMValueRef: shared arrays that make up the tile */
    List uses;                    /* of LLVMValueRef: loads of the arrays */
    bool outside;                 /* the arrays are used outside of the loop as well, ... */
    bool inherits, leaves;        /* ... so that what they hold before the loop, or after it, may be read */
    List state;                   /* of LLVMValueRef: phis of the loop's header that the next copies depend on */
    Map *ahead;                   /* instructions that are needed to know the next copies */
    List loads;                   /* of LLVMValueRef: those of them that read memory */
    List blanks;                  /* of RingBlank */
    bool late;                    /* some copies are: each lane makes its own, and takes more instructions for it */
    bool keeps;                   /* an iteration's tile may hold what one before it was filled with, ... */
    bool waits;                   /* ... for which iterations wait that are not the last */
    int64_t most;                 /* threads of a launch that takes it; 0: any. In larger ones, ... */
    List owns;                    /* ... and where one of RingOwn ... */
    List tests;                   /* ... or of RingTest fails, the original loop runs */
    bool guarded;                 /* some bring zeros instead, and none moves along with its neighbours' */
    bool looped;                  /* copies stand in a loop of their own */
    bool scatters;                /* neighbours do not fill neighbouring places */
    bool turns;                   /* what one wide load reads goes to places apart */
    bool unsized;                 /* how much of the tile is filled is not known */
    double instructions, reads;   /* of a thread: in the use of one tile, and how many of them read it */
    double copying;               /* and up to there: to find out what is copied, and to copy it */
    double copied;                /* how many copies of a tile a thread makes */
    int size;                     /* instructions of an iteration as they stand */
    int sums;                     /* values that the loop carries from tile to tile */
    bool once;                    /* every iteration copies the same: done once, in front of the loop, to the tile as it is */
    bool wide;                    /* lanes that copy neighbours may copy 16 bytes each: of several tiles, or of several copies ... */
    int together;                 /* ... that are made together: so many, for one tile; a power of two */
    bool parted;                  /* copies stand under conditions, which no iteration changes */
    bool steps;                   /* the counters alone say which iterations run */
    bool joins;                   /* several iterations may stand in one block */
    bool unrolls;                 /* the uses of a stage's tiles follow each other without tests */
    int64_t trips;                /* of the loop; 0 where not constant */
    int64_t bytes;                /* of one tile */
    int words;                    /* of registers: that a thread holds of one tile */
    int wanted;                   /* stages that the user asks for: 0: as many as pay, -1: none */
    int stages, batch;            /* stages of the ring, tiles of a stage */
    List loops;                   /* of RingLoop: inner loops of few iterations, to be unrolled first */
    Resident resident;
    Why why;                      /* why there is none */
    const RingMade *made;         /* the loop is one that was rewritten */
};

void ring_find(Kernel *kernel);

/* Tiles that there is room for. */
static inline int ring_slots(const Ring *ring) { return ring->stages * ring->batch; }
/* What an array takes of a slot: the next one is aligned as copies need it. */
static inline int64_t ring_part_bytes(int64_t size) { return (size + COPY_WIDEST - 1) / COPY_WIDEST * COPY_WIDEST; }

/* ---- stages.c: how many stages the ring has, or why there had better be none ---- */

void ring_choose(const Kernel *kernel, Ring *ring);
/* "...; rewritten: asynchronous copies run ahead in a ring of 3 stages of 1 tile, 6144 bytes of shared memory" */
const char *ring_text(const Ring *ring);
/* Of the ring that an asynchronous copy, or a store, was made for; NULL where it is the user's own. */
const RingMade *ring_of_copy(Arena *arena, LLVMValueRef copy);
enum { RING_PARTS = 3 };
#define RING_METADATA "coalda.ring" /* operands: ring_text, and the members of Resident */
/* Of a loop that is there as the slow path of another: nothing more is done with it. */
#define ASIDE_METADATA "coalda.aside"
/* Of accesses of a loop of which there is another version, which speaks for them. */
#define ORIGINAL_METADATA "coalda.original"
/* Of loads whose tile waits in registers: to pass them on by shuffles would be to wait for them at once. */
#define AHEAD_METADATA "coalda.ahead"

/* ---- tally.c: places to which a loop stores in every iteration ---- */

enum { TALLY_PLACES = 4 };

typedef struct {
    LLVMValueRef pointer; /* known in front of the loop */
    LLVMTypeRef type;
    int64_t bytes;
    LLVMValueRef store, load; /* the first of each; no load: NULL */
} TallyPlace;

/* Bytes that the loop touches from the pointer on, which are to be apart from the places. */
typedef struct {
    LLVMValueRef pointer;
    int64_t bytes;
    List places; /* of TallyPlace */
} TallyRead;

/* A loop of one block that writes nothing but few places. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    List places; /* of TallyPlace */
    List reads;  /* of TallyRead: tested on entry */
} Tally;

void tally_find(Kernel *kernel);
#define TALLY_METADATA "coalda.tally" /* of the store behind the loop */

/* ---- fill.c: loops that fill a shared array, and are not tile loops ---- */

/* A copy whose thread need not wait for it in every iteration. */
typedef struct {
    LLVMValueRef function;
    LLVMValueRef at; /* the store, or what was made of it */
    RingCopy copy;
    List waits;      /* of LLVMValueRef: instructions before which the thread waits for its copies */
    Why why;         /* it stays as it is */
    bool made;       /* it is asynchronous by our hand, ... */
    bool once;       /* ... and stood in a tile loop */
} Fill;

void fill_find(Kernel *kernel);
#define FILL_METADATA "coalda.fill"
/* Of copies that were made once for all iterations of a tile loop. */
#define ONCE_METADATA "coalda.once"

/* ---- resident.c ---- */

int64_t shared_of_sm(int arch); /* bytes */
/* Of a kernel whose blocks have so many bytes of shared memory. */
int resident_blocks(const Kernel *kernel, int64_t shared);

/* Is it used in the kernel, or in a function that the kernel may call? */
bool value_is_used(const Kernel *kernel, LLVMValueRef value);
/* Static shared memory of the kernel, without some arrays; and what is left of what a block may have. */
int64_t shared_bytes(const Kernel *kernel, const List *without);
int64_t shared_room(const Kernel *kernel);
/* Does the kernel, collected, call what may have shared memory that nobody knows of before the modules are linked? */
bool shared_is_elsewhere(const Kernel *kernel);
/* Has the kernel shared memory of the host's choice? What it asks for may just fit beside what there is. */
bool shared_is_dynamic(const Kernel *kernel);
/* Blocks that the kernel's launch bounds want on an SM. */
int64_t blocks_wanted(const Kernel *kernel);
enum { SHARED_BUDGET = 48 * 1024 }; /* static shared memory of a block */

/* ---- pressure.c ---- */

/* Of one function, as it is when that is asked for. */
typedef struct Pressure Pressure;
Pressure *pressure_of(Arena *arena, LLVMValueRef function);
/* The most 32-bit words that are live at once; PRESSURE_UNKNOWN of a function that is too large to be counted. */
int pressure_most(const Pressure *pressure);
/* Those that are live behind the instruction. */
int pressure_at(const Pressure *pressure, LLVMValueRef instruction);
enum { PRESSURE_UNKNOWN = 1 << 20 };

/* ---- registers.c ---- */

/* Registers that a thread of the kernel may have: as many as let every block be launched that could be launched without the plugin. */
int registers_limit(const Kernel *kernel);
/* Words that are live behind the instruction, in the body that the scope runs. */
int registers_live(Scope *scope, LLVMValueRef instruction);
/* Do the kernel's registers hold so many words, live at once, without spilling? */
bool registers_hold(Kernel *kernel, int words);
/* Words that a group of records takes while it is exchanged. */
int registers_of_group(const Group *group);
/* Has the backend to be told the limit? 0: the kernel's launch bounds say it already, or it may need more as it is. */
int registers_to_cap(Kernel *kernel);

/* ---- phi.c ---- */

/* What the phi has where control comes from the block; NULL where it never does. */
LLVMValueRef phi_value_from(LLVMValueRef phi, LLVMBasicBlockRef block);

/* ---- way.c ---- */

/* Does a way lead from the block's end to `to` (NULL: to a return), through neither `around` nor, any further, `end`? */
bool way_leads(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around, LLVMBasicBlockRef end);
/* The same, to any of those in the map, and no farther than to the end. */
bool way_leads_to_any(Arena *arena, LLVMBasicBlockRef from, const Map *those, LLVMBasicBlockRef end);
/* Does a way lead from the block to a return, and not all into traps or around for ever? */
bool way_returns(Scope *scope, LLVMBasicBlockRef block);
/* Is it the branch that says whether, or how often, the place is met, on ways that come to no `end` before? */
bool way_decides(const Kernel *kernel, LLVMBasicBlockRef branch, LLVMBasicBlockRef place, LLVMBasicBlockRef end);

/* ---- present.c ---- */

/* Do all threads of the block come to this one together, every time, and go on from it together? Of a kernel's body. */
bool present_all(Scope *scope, LLVMBasicBlockRef block);
/* Does the branch at the block's end part threads of the block, of which some come to the place and others end without it? */
bool present_parts(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place,
                   bool (*alike)(Scope *scope, LLVMValueRef value));

/* ---- meet.c ---- */

/* Barrier 0, of all threads of the block: sync, or a reduction. */
bool is_whole_barrier(LLVMValueRef instruction);
/* A declaration that the system answers for, or the mathematical library: it neither waits for other threads nor orders them. */
bool is_system_function(const char *name);
/* Do all threads that come to a barrier 0 come to the same one at a time, in this body and in those that it calls? */
bool barriers_meet(Scope *scope);

/* ---- order.c ---- */

/* Can no two threads of the block that load it between the same two barriers, from one address, have loaded what differs? */
bool order_is_of_block(const Scope *scope, LLVMValueRef load);

/* ---- alike.c ---- */

/* Is the value the same in all threads of the block? */
bool alike_in_block(Scope *scope, LLVMValueRef value);
/* The same, or loaded, or told by a barrier: in threads that come to it between the same two barriers. */
bool alike_between_barriers(Scope *scope, LLVMValueRef value);
/* Does the loop let go of all threads that come to it together at one iteration? */
bool alike_leave(Scope *scope, IrLoop *loop);
/* Has each thread loaded for itself whether it comes to the block? */
bool alike_is_chosen(Scope *scope, LLVMBasicBlockRef block);
/* Has each thread loaded for itself how many iterations it makes? */
bool alike_is_list(Scope *scope, IrLoop *loop);
/* Is this the name of a register that they all read alike? */
bool alike_register(const char *name);

/* ---- beside.c ---- */

typedef struct {
    LLVMValueRef pointer;
    int bytes;
} Place;

/* Do the two places never meet, in one iteration of whatever loops, and with a loop, which makes both, in any two of its own? */
bool place_is_beside(Scope *scope, IrLoop *loop, Place a, Place b);

/* ---- fill_place.c ---- */

/* Is the place of the copy, which stands in the loop, another one in every iteration of it? */
bool fill_moves_on(Scope *scope, IrLoop *loop, const RingCopy *copy);
/* And in every iteration of the loop around, too? */
bool fill_moves_on_outside(Scope *scope, IrLoop *around, Place place);

/* ---- product.c ---- */

/* Would the backend fuse products and sums that it does not see together now, if the loop's iterations were to stand in one
 * block? */
bool product_crosses(IrLoop *loop);
/* Does one iteration add what another has multiplied? ptxas unrolls such loops as it likes, and fuses what meets then. */
bool product_is_carried(IrLoop *loop);
/* Would the backend fuse other products and sums of the function if a loop of it were unrolled, or had not been? */
bool product_is_open(LLVMValueRef function);
/* The operand of a sum that is the product which the backend would make one with it; -1 where there is none. */
int product_in(LLVMValueRef sum);
bool is_sum(LLVMValueRef value);
/* Is there anything in the function that the backend may round in one way or another? */
bool product_is_any(const IrModule *ir, LLVMValueRef function);
/* Does more than arithmetic use it, which takes every NaN alike? */
bool product_is_moved(LLVMValueRef value);

/* ---- slice.c: what a value is computed from ---- */

typedef enum {
    SLICE_KNOWN, /* as it is: not looked into */
    SLICE_MADE,  /* if its operands hold */
    SLICE_FAILS
} SlicePart;

typedef struct Slice Slice;
/* Of each value once. May add others that have to hold as well. */
typedef SlicePart SliceAsk(Slice *slice, const void *context, LLVMValueRef value);

Slice *slice_open(Arena *arena, SliceAsk *ask, const void *context);
void slice_add(Slice *slice, LLVMValueRef value);
/* Does all that was added so far hold? Never of more values than a slice has room for. */
bool slice_holds(Slice *slice);
/* Of one value. */
bool slice_of(Arena *arena, LLVMValueRef value, SliceAsk *ask, const void *context);
/* The value and what it is computed from, as far as that is inside, operands first; phis are not among what is inside. */
List slice_order(Arena *arena, LLVMValueRef value, bool (*is_inside)(const void *context, LLVMValueRef value), const void *context);

/* ---- ahead.c ---- */

/* Adds what the value is computed from, in the loop, to what the ring needs ahead; false where that is more than
 * arithmetic on the loop's own counters. */
bool ahead_needs(Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* What the next iteration finds in a phi of the loop's header. */
LLVMValueRef ahead_next(IrLoop *loop, LLVMValueRef phi);
/* Does the instruction run before the copies of its iteration are done? */
bool ahead_is_before_use(const Ring *ring, const Scope *scope, LLVMValueRef instruction);
/* Is the value the same at every iteration? Loops inside may count. */
bool ahead_is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* Is it so at every iteration of this run of the loop, if not of the next? */
bool ahead_stays(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value);
/* Can the counters, and whether there is a next iteration, be known without going the iteration's way to its copies? */
bool ahead_steps_alone(const Ring *ring, IrLoop *loop, LLVMValueRef condition);
/* May it be computed anywhere in the loop, and outside of any condition? */
bool ahead_is_anywhere(Arena *arena, IrLoop *loop, LLVMValueRef value);

/* ---- group.c: members of one record that one block touches, and that may be touched together ---- */

#define ACTIONS(X)            \
    X(ACTION_NONE, "none")      \
    X(ACTION_WIDEN, "widen")    \
    X(ACTION_COPY, "copy")      \
    X(ACTION_EXCHANGE, "exchange") \
    X(ACTION_TURN, "turn")      \
    X(ACTION_KEEP, "keep")

typedef enum {
#define X(action, text) action,
    ACTIONS(X)
#undef X
} Action;

typedef struct {
    const Access *access;
    int64_t offset; /* from the group's root */
    int position;   /* of its instruction in the block */
    bool tested;    /* that it lies at this offset is tested at run time */
    LLVMBasicBlockRef under; /* made only by threads that come through this block; NULL: by all */
} Member;

/* A load that is given what a member has stored before it (follow.c). */
typedef struct {
    Member load;
    const Member *store;
} Follow;

/* A run of bytes that the warp moves together: `count` units of 1, 2, 4, 8 or 16 bytes of every thread's record. */
typedef struct {
    int64_t offset;
    int unit, count;
    bool aligned;     /* known to lie at a multiple of the unit; else tested at run time */
    bool consecutive; /* the threads' records follow each other at one stride: tested at run time */
} Part;

enum { GROUP_BYTES = 256, GROUP_PARTS = 32 };
enum { CHUNK_BYTES = 128 }; /* longer records are moved in pieces of this size: their words are held in registers */

/* How the group's bytes are moved. The likely layout rests on run-time tests of its own; the sure one needs none, nor does that of
 * warps at the edge of a grid (edge.c), which lanes may be missing from. */
typedef struct {
    Part part[GROUP_PARTS];
    int parts;
} Layout;

typedef enum { LAYOUT_LIKELY, LAYOUT_SURE, LAYOUT_EDGE, LAYOUTS } LayoutKind;

/* Another access that stands between the members, and would change its order with some of them. */
typedef struct {
    const Access *access;
    const Group *group; /* that it is a member of, or NULL */
    Member *member;
    LLVMValueRef instruction;
    int position;
} Other;

enum { REGION_CONFLICTS = 8 }; /* that one region tests: each is two compares of addresses */

/* Bytes that must be found apart from the group's at run time: [low, high) from the access's pointer, or all of a group. */
typedef struct {
    const Access *access; /* of a group: its root, or, where that is made before this group begins, one that stands between */
    const Group *group;
    int64_t offset;       /* of the access from that group's root */
    bool tested;          /* that it lies there is tested at run time */
    int64_t low, high;
    bool same;    /* of the group's own place, apart unless an index wraps: tested is whether they lie where they seem to */
    List claimed; /* of Member: those of the group that lie where it says only if a test says so, too */
} Conflict;

struct Group {
    Scope *scope;
    AccessOp op;
    LLVMBasicBlockRef block;
    List members;        /* of Member, in program order */
    List follows;        /* of Follow, in program order, before the last member */
    List barriers;       /* of LLVMValueRef: passed since the first member */
    bool crosses;        /* there are barriers between its members */
    bool along;          /* its members stand along a chain of conditions (chain.c) */
    bool broken;         /* and its last member cannot go down to where the condition ends */
    List between;        /* of Other: open groups only */
    size_t settled;      /* of them, found harmless or put among the conflicts */
    List conflicts;      /* of Conflict */
    const Access *root;  /* the first member's: offsets are counted from its pointer */
    int64_t low, high;   /* bytes from the root */
    int covered;         /* of them, touched */
    bool has_stride;
    int64_t stride;      /* layout: a number of bytes from thread to thread */
    bool is_uniform;     /* all lanes load the same bytes: in wider pieces, beside groups that are rewritten */
    bool narrow;         /* moved in pieces of half the size, where registers are few */
    bool spread;         /* and each lane loads one word in 32, which shuffles hand out; that all are at one place is tested */
    bool rides;          /* beside rows on the warp's shelf (shelf.c), where there is one */
    const Shelf *shelf;  /* where it lies; NULL: nowhere */
    bool is_row;         /* each thread's row lies at one distance, number or not, from its neighbour's */
    bool generic;        /* that the pointers lead to global memory is tested at run time */
    Layout layout[LAYOUTS];
    double plain, rewritten; /* cost: bytes of DRAM time that a warp takes as it is, and rewritten */
    bool widens;         /* every thread moves its own bytes in wider pieces: nothing needs testing */
    bool fewer;          /* rewritten, it takes fewer requests */
    double requests, sectors; /* of a warp, rewritten */
    int number;          /* plan: from 1; tells the module's groups apart */
    bool returns;        /* plan: stores to where a group of its region loads from */
    bool chosen;         /* plan: to be rewritten, if its region can be tested */
    Action action;
    Why why;
};

/* The groups of every block of the scope: a List of Group. */
List group_collect(Scope *scope);
/* A block of a chain: every thread comes through it; or only where a condition holds; or some threads do while others go
 * another way, and what it touches is not moved. */
typedef enum { LINK_ALL, LINK_UNDER, LINK_BESIDE } LinkRole;

typedef struct {
    LLVMBasicBlockRef block;
    LinkRole role;
} Link;

/* Groups of stores whose members may stand in several of the chain's blocks: a List of Link. */
List group_collect_along(Scope *scope, const List *links);
/* The access as one of the group, at its place: that it is there may have to be tested. */
Member member_of(const Group *group, const Access *access, int position);
/* From the root, where no index wraps; for accesses to the same place. */
int64_t group_offset(const Group *group, const Access *access);
/* All members are struct copies. */
bool group_is_copy(const Group *group);
/* Where they stand in program order. */
int member_first(const Group *group);
/* Some members are made only by threads that come through a block of their own. */
bool group_has_conditions(const Group *group);
int member_last(const Group *group);
Member *member_at(const Group *group, size_t i);
/* Of all whose places may have to be tested: the members, then the loads that are given what those store. */
size_t group_places(const Group *group);
Member *group_place(const Group *group, size_t i);
const char *action_text(Action action);

/* Would they be members of one group, if nothing stood between them? */
bool access_moves_with(const Access *access, const Access *other);
/* A load, a store, a copy of memory or one byte all over it, neither volatile nor ordered. */
bool is_simple(LLVMValueRef instruction);
/* Touches no memory, or none that another access could tell. */
bool is_harmless(LLVMValueRef instruction);
/* The same, or a load or store that is neither volatile nor atomic: no order but that of the places they touch. */
bool is_unordered(LLVMValueRef instruction);
/* Is the one access in another memory than the other, whoever calls their function? */
bool access_is_in_other_space(const Access *a, const Access *b);

/* ---- follow.c ---- */

/* The load as one that is given what the group has stored, if more is stored later; NULL where it is not just that. */
Member *follow_add(Group *stores, const Access *load, int position);
/* When all members are known: what comes after the last reads memory. */
void follows_end(Group *stores);

/* ---- distance.c ---- */

/* Bytes from the one address to the other, where they are the same whenever both accesses are made. */
bool access_distance(const Scope *scope, const Access *from, const Access *to, int64_t *bytes);
/* Are the two `offset` bytes apart if an index of fewer bits than an address does not wrap between the values that it has
 * in them? Those are `steps` apart, and `index` is the first. */
bool access_steps(const Scope *scope, const Access *from, const Access *to, int64_t offset, LLVMValueRef *index,
                  int64_t *steps);

/* ---- crossing.c ---- */

bool is_barrier_name(const char *name);
bool is_block_barrier(LLVMValueRef instruction);
/* May the access join a group that barriers have passed? */
bool may_cross(const Group *group, const Access *joining);

/* ---- layout.c ---- */

/* Cuts the group's bytes into parts, by what is likely and by what is known; false where they are too many. */
bool layout_make(Group *group);
/* Parts that each thread moves itself, in pieces as wide as is known to be aligned. */
bool layout_own(Group *group);
/* What all lanes load is words without a gap, a multiple of as many as a warp has lanes. */
bool layout_spreads(const Group *group);
/* From the sure one: no units are swapped by pairs of lanes, one of which may be missing. */
void layout_for_edge(Group *group);
/* Do the warp's requests move the same bytes of both records, in both layouts? */
bool layout_same(const Group *a, const Group *b);
/* Does the likely layout rest on a test? */
bool layout_is_tested(const Group *group);
/* Do registers hold the layout's units, of which each takes one or more? */
bool layout_fits(const Layout *layout);

/* ---- cost.c ---- */

void cost_estimate(Group *group);
bool cost_pays(const Group *group);

/* ---- chase.c ---- */

/* Does where its loads lead depend on what they brought the iteration before, as in lists, trees and binary searches? */
bool group_is_chased(const Group *group);

/* ---- busy.c ---- */

/* Of groups of one block, those that are chosen and gain nothing, because arithmetic takes longer, are given up; loads that the
 * cache serves are taken along with others where they hold up the block all the same. */
void busy_settle(const Kernel *kernel, const List *groups, size_t from, size_t to);
/* Does a chosen group along a chain gain anything, with all that those of its blocks have to do? */
bool busy_allows(const Kernel *kernel, Group *group, const List *links);

/* What a warp takes for the block, in bytes of DRAM time, as it is or with those of its groups exchanged that are chosen. */
double busy_time(const Scope *scope, LLVMBasicBlockRef block, const List *groups, size_t from, size_t to, bool plain);

/* ---- weigh.c: what is gained beside all that the kernel does ---- */

/* Chosen groups of the scope, all of whose groups are given, are given up where that is little. */
void weigh_settle(Scope *scope, const List *groups);
/* Is what is saved, all times that the function runs it, enough? Where nothing was weighed, anything is. */
bool weigh_allows(const Scope *scope, double saved);
/* How often the block runs for one time that its function does. */
double weigh_block(Scope *scope, LLVMBasicBlockRef block);

/* ---- shelf.c ---- */

/* Will a shelf serve the loop of the walk, if its blocks are short? */
bool shelf_awaits(const Kernel *kernel, const Access *walk);
/* Bytes of such a group, beside the rows of one block; there are two sides: for the block in use, and for the next one. */
int64_t shelf_rider_bytes(const Group *group);
enum { SHELF_SIDES = 2 };
/* Of the array that holds them. */
const char *shelf_name(Arena *arena, LLVMValueRef kernel);
/* May what all lanes load lie there, too? */
bool shelf_carries(const Kernel *kernel, const Group *group);
/* Gives the regions from this one on their shelves. */
void shelf_plan(const Kernel *kernel, size_t from);

/* ---- edge.c: warps at the edge of a grid ---- */

/* Which of the regions from this one on have a version for them. */
void edge_plan(const Kernel *kernel, size_t from);

/* ---- leave.c: ways from a longer loop into the one that does the rest ---- */

/* Which of the regions from this one on have one instead of the original. */
void leave_plan(Kernel *kernel, size_t from);

/* ---- plan.c: what is rewritten ---- */

/* Shared memory of each warp, where the next block of its rows arrives (shelf.c). */
enum { SHELF_GROUPS = 8 };

struct Shelf {
    int warps;                  /* of a block, that have one */
    bool sized;                 /* no block has more; else that is tested */
    int64_t bytes;              /* of one warp, the same in all loops of the kernel */
    int element;                /* bytes of the widest of its elements */
    int64_t step[SHELF_GROUPS]; /* by which each group of the region moves on, an iteration */
};

/* From a longer loop into the one that does the rest (leave.c). */
typedef struct {
    LLVMBasicBlockRef rest; /* the block in front of it */
    LLVMValueRef left;      /* the call there that says how many iterations it does, of how many */
    LLVMValueRef done;      /* phi: how many there have been, where the longer loop's iteration begins */
    List values;            /* of LLVMValueRef: of each phi of the block, what it is then */
} Leave;

/* Groups of one block (or one group along a chain) that are rewritten together: two versions of the code from the first to
 * the last of them. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMValueRef first, last; /* instructions; a chain's region may begin and end with branches, which belong to it */
    List blocks;              /* a chain's, after the one that it begins in */
    List groups;              /* of Group */
    bool verified;            /* every exchange is checked against direct accesses */
    bool together;            /* ptxas can be told where the lanes of the warp are together */
    bool only_likely;         /* the sure layouts would take too many registers: the original runs instead */
    Shelf *shelf;             /* NULL: exchanged by shuffles alone */
    bool shelf_only, never;   /* of versions that leave: none but the shelf's; none at all */
    Leave *leave;             /* where those go on that can take none of the versions; NULL: in the original */
    bool edge;                /* warps with few lanes missing have a version of their own */
    bool gathers;             /* barriers between the members are not to be made twice: the members of its one group move
                                 together first */
} Region;

enum { BLOCK_FACTORS = 3 }; /* usual, shortest that pays, a sector */

enum { AGAIN_SIZES = 4 };

/* Of the loop around a walk, the version that holds so much of each row. */
typedef struct {
    int factor[BLOCK_FACTORS], factors; /* by which the walk is made longer: the first so many iterations are held, ... */
    int times;                          /* ... so many times; 0: none, of rows that are that long */
    bool last;                          /* no row is as long again: there is a version for those that are */
} AgainSize;

/* The loop around a walk meets the same row in each of its iterations: what comes first of it is held in registers meanwhile. */
typedef struct {
    List blocks; /* of LLVMBasicBlockRef: header of the loop around, header of the walk, and on the way between them blocks whose
                    branch goes one way in every iteration that meets the row: */
    List ways;   /* of numbers of successors, for each of those */
    List loads;  /* of numbers among the walk's loads: those of the row */
    AgainSize size[AGAIN_SIZES]; /* from the longest to the shortest */
    int sizes;
    Why why;     /* none is held */
} Again;

enum { AGAIN_AROUND, AGAIN_WALK, AGAIN_WAYS }; /* of its blocks */

static inline LLVMBasicBlockRef again_block(const Again *again, size_t i)
{
    return (LLVMBasicBlockRef)again->blocks.item[i];
}

/* A loop whose body is to be made longer before records are looked for. */
struct Block {
    LLVMBasicBlockRef header;
    int factor[BLOCK_FACTORS], factors; /* times as long: the loop, and what is left of it, and of that */
    List early;       /* of numbers among the loop's loads: those that come first in the longer loop */
    bool apart;       /* the rows of its threads may differ in length */
    const Again *again; /* NULL where its rows are not met again */
    List held;        /* of LLVMBasicBlockRef: walks: where what is held is loaded, and headers of the loops for what is not */
    bool pays;        /* its longer body is rewritten: */
    bool moves[OP_ATOMIC]; /* loads of walks, stores of walks */
    Why why[OP_ATOMIC];    /* and those that are not rewritten in it */
};

struct Plan {
    Arena *arena;
    Map *before;     /* function -> words that were live in it at most, before anything was rewritten */
    Map *longer;     /* functions with a loop that was made longer */
    Map *crowded;    /* headers of loops whose rows would take too many registers */
    Map *lengthened; /* headers of loops that are among the blocks */
    List blocks;     /* of Block */
    List failed;     /* of Block: their loops are as they were again */
    Map *planned;    /* functions */
    Map *grouped;    /* instruction -> List of Group */
    int groups;      /* remembered there */
    List regions;    /* of Region */
    List rings;      /* of Ring */
    List fills;      /* of Fill */
    List tallies;    /* of Tally */
    Map *turns;      /* kernel -> Turn */
    Map *unrolled;   /* headers of tile loops whose inner loops have been unrolled */
};

Plan *plan_new(Arena *arena);
void plan_make(Kernel *kernel);
/* Legal groups that are worth it are marked chosen; else says why. */
void group_choose(Kernel *kernel, Group *group);
/* Positions (from 1) of instructions that may stand behind others; what keeps the addresses that the group's tests need from
 * being known before the one at `position` (from 0)? */
Why group_hoists(const Map *positions, const Group *group, int position);
/* Of groups that are tested together: has an earlier one been found apart from this one, with the same test? */
bool conflict_is_known(const List *groups, const Group *group, const Conflict *conflict);
void group_remember(Plan *plan, Group *group);

/* ---- chain.c: records whose members are each under a condition of its own ---- */

/* To be called when all blocks of the scope are planned: chains take what its regions, from the `from`-th on, have left. */
void chain_plan(Scope *scope, size_t from);

/* ---- block.c: walks whose loops are worth lengthening ---- */

void block_find(Kernel *kernel);
/* What keeps the loop of a walk from being made longer, or from being worth it; WHY_NONE where nothing does. */
Why block_obstacle(Kernel *kernel, const Access *access);

/* ---- again.c: rows that the loop around a walk meets in each of its iterations ---- */

/* Where the load stands among those of the loop, in the order of its blocks: the same in a copy of the loop, and when sums and
 * products have been settled. */
intptr_t number_in(IrLoop *loop, LLVMValueRef load);
/* NULL where the loop around meets no row again, or the row had better not be held. */
Again *again_find(Scope *scope, IrLoop *walk, const List *loads);
bool again_has(const Again *again, const Access *access);

/* ---- early.c ---- */

/* What keeps the load from being made for all iterations of a longer loop where that begins; WHY_NONE where nothing does. */
Why early_obstacle(const Kernel *kernel, IrLoop *loop, LLVMValueRef load);

/* ---- turn.c: blocks whose threads had better be numbered along y first; turn_hazard.c: whether they may ---- */

#define TURN_X "llvm.nvvm.read.ptx.sreg.tid.x"
#define TURN_Y "llvm.nvvm.read.ptx.sreg.tid.y"

struct Turn {
    const Kernel *before; /* as measured with its threads in their places; NULL where its code has changed since */
    Why why;              /* they stay there, and why */
};

static inline bool kernel_is_turned(const Kernel *kernel) { return kernel->turn && !kernel->turn->why; }


/* Does it read both indices, in blocks that are not known to be flat or higher than wide? */
bool turn_is_possible(const Kernel *kernel);
/* Measured: is an access wasteful that depends on threadIdx.y? */
bool turn_is_wanted(const Kernel *kernel);
bool turn_pays(const Kernel *kernel);
/* WHY_NONE where the threads may change places. */
Why turn_hazard(Kernel *kernel);

/* ---- transform ---- */

/* The threads of a block, where it is not higher than wide, change places: number k along x comes to be number k along y. */
void turn_rewrite(LLVMValueRef function);

/* Some of the loop's loads, by their numbers among them, are to come first when the loop has been made longer; and moves
 * them there. */
#define EARLY_METADATA "coalda.early"
/* Of loads of a row that is met again; where the walk has been made longer, of those that registers hold. */
#define AGAIN_METADATA "coalda.again"
#define ANEW_METADATA "coalda.anew" /* of those that registers do not hold: the row may be written */
void early_mark(IrModule *ir, LLVMBasicBlockRef header, const List *numbers, const char *name);
void early_raise(IrModule *ir, LLVMValueRef function, const Map *longer); /* in the loops of those headers */
/* Two versions of the loop around a walk: one for rows that are long enough, and the original, whose blocks those of `again`
 * are from now on. Returns the block in front of the first. */
LLVMBasicBlockRef again_open(Arena *arena, IrModule *ir, Again *again, const AgainSize *size);
/* When the walk has been made longer: what its first iterations load of the row is loaded at the end of that block. */
void again_hold(IrModule *ir, LLVMBasicBlockRef around, LLVMBasicBlockRef walk, LLVMBasicBlockRef before, const AgainSize *size);
/* An IrPast: no thread takes the longer loop unless all that come to it with this one do. */
void longer_hold(void *arena, LLVMValueRef jump, LLVMValueRef left);
/* Of the sums and products of the function, those that the backend fuses (ir_backend_makes) are one from now on, and the others
 * stay two. */
void fuse_settle(IrModule *ir, LLVMValueRef function, const uint8_t *made);
/* Moves the members together. Of all regions that gather, before any is rewritten: blocks are whole until then. */
void region_gather(const Region *region);
/* What is no longer needed is added to `dead`: tests of later regions may still ask for its operands. */
void region_rewrite(const Region *region, List *dead);
void ring_rewrite(IrModule *ir, const Ring *ring);
/* Keeps what the loop adds up in memory in registers while it runs. */
void tally_rewrite(IrModule *ir, const Tally *tally);
/* All fills of one function. */
void fill_rewrite(Arena *arena, const List *fills);

/* ---- verdict.c ---- */

void verdict_give(Kernel *kernel);

/* ---- alone.c: accesses of records that are in no group with the others ---- */

/* Record -> List of Access. */
Map *fellows_of(const Kernel *kernel);
/* What stands between the access and the others of its record; WHY_NONE where nothing does. */
Why alone_because(const Access *access, const Map *fellows);

/* ---- refusal.c: what stands in the way of each rewrite; after the verdicts ---- */

void refusal_give(Kernel *kernel);
/* Of a group in a longer loop: that a part of its row would not pay says nothing of the row. */
Why refusal_in_block(const Group *group);

/* ---- location.c ---- */

typedef struct {
    LLVMMetadataRef metadata; /* NULL without debug information */
    const char *file, *directory;
    unsigned line, column;    /* 0 where unknown */
} Location;

Location location_of(const Scope *scope, LLVMValueRef instruction);
/* Known, and not in a header of the toolkit. */
bool location_is_users(const Location *location);

/* ---- speaker.c: one access of those that an access of the source has become ---- */

typedef struct {
    Map *of[OP_ATOMIC]; /* loads, stores: source location -> Access of a walk's longer loop */
} Speakers;

Speakers speakers_of(const Kernel *kernel);
bool is_speaker(const Speakers *speakers, const Access *access);

/* ---- remark.c: what the user is told ---- */

Row row_of_access(const Access *access);
const char *access_sentence(const Access *access, const Row *row);
const char *tile_sentence(Arena *arena, const Tile *tile);
const char *fill_sentence(Arena *arena, const Fill *fill);
/* "1 copy unchanged, 0 computed on the way, 2 barriers an iteration, 16 iterations" */
const char *tile_facts(Arena *arena, const Tile *tile);
void remark_emit(const Kernel *kernel);

/* ---- run.c ---- */

/* Receives each kernel when its table is complete; the kernel lives until it returns. */
typedef void (*KernelSink)(void *context, const Kernel *kernel);

/* Would a loop that was kept from being unrolled become a ring? */
bool coalda_has_kept_ring(IrModule *ir, LLVMModuleRef module, const Options *options);
/* True where the module has changed. */
bool coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, bool rewrites, KernelSink sink, void *context);

#endif
