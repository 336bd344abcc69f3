/* What is looked at: kernels, and the bodies that they run; what an address is made of, and which memory it points into. */
#ifndef COALDA_KERNEL_H
#define COALDA_KERNEL_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/address/form.h"
#include "pass/base/invariant.h"
#include "pass/base/ir.h"
#include "pass/base/marks.h"
#include "pass/base/options.h"
#include "pass/base/why.h"
#include "pass/bridge/bridge.h"
#include "pass/profile/launched.h"

/* ---- kernel.c: what is looked at ---- */

typedef struct Scope Scope;
typedef struct Plan Plan;
typedef struct Turn Turn;
typedef struct Block Block;

/* What the steps of steps.c have found; each of them once, and again only where code has changed. */
typedef struct {
    List scopes;          /* of Scope: the bodies that the kernel runs, its own first */
    List accesses;        /* of Access, in program order, callees where they are called */
    List records;         /* of Record */
    List tiles;           /* of Tile */
    List fills;           /* of Fill */
    List stretches;       /* of AddedStretch */
    Map *added;           /* atomic additions -> AddedRecord; NULL until they are looked for */
    bool calls_elsewhere; /* functions of other modules, or of nobody knows which */
} KernelFound;

/* Which of the steps are done: any of them may be, after those that it builds on. */
typedef struct {
    bool collected, tiles, fills, tallies, measured, planned;
} KernelSteps;

/* What is found out once it is asked for. */
typedef struct {
    Map *stray;     /* function -> Scope with unknown arguments, where its calls are not followed */
    Map *pressures; /* function -> Pressure */
    int loops;      /* whose number of iterations was asked for */
    int threads;    /* that a block has at most; 0 until it is asked */
} KernelAsked;

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
    Launched launched;     /* what a profile knows of its launches: of prices alone */
    const char *parts;     /* decisions on arrays, as marks.h has them; NULL: none */
    FormSpace *forms;
    Scope *scope;          /* the kernel's own body */
    Plan *plan;            /* the module's; NULL where none is made */
    const Turn *turn;      /* NULL where the threads of its blocks had no reason to change places */
    KernelFound found;
    KernelSteps done;
    KernelAsked asked;
} Kernel;

/* The threads of a block and their places. */
struct Turn {
    const Kernel *before; /* as measured with its threads in their places; NULL where its code has changed since */
    Why why;              /* they stay there, and why */
};

static inline bool kernel_is_turned(const Kernel *kernel) { return kernel->turn && !kernel->turn->why; }

/* What is found out and decided of a module, as far as it is to outlive the kernels that are thrown away when code has changed. */
struct Plan {
    Arena *arena;
    Map *before;     /* function -> words that were live in it at most, before anything was rewritten */
    Map *longer;     /* functions with a loop that was made longer, ... */
    Map *rows;       /* ... and is no list that the compiler has unrolled */
    Map *accompanied; /* ... or is, but one with other rows beside it */
    Map *packed;     /* functions that move records with elements of less than a word */
    Map *jammed;     /* functions with a loop around others whose iterations stand side by side */
    Map *jams;       /* headers of such loops that would, where nothing is rewritten */
    Map *parted;     /* functions with loops that go several ways, of which two iterations stand in one body -> themselves */
    Map *choosing;   /* functions with records that data choose -> themselves; this map, where a loop is around such */
    Map *gated;      /* blocks for which a gate has been tried */
    Map *crowded;    /* headers of loops whose rows would take too many registers */
    Map *lengthened; /* headers of loops that are among the blocks */
    List blocks;     /* of Block */
    Map *tried;      /* header -> Block that has been tried, if its loop is still there: as it was, or nothing is rewritten */
    Map *tails;      /* loads and stores under conditions -> Tail that was tried, and whose version would not pay */
    Map *planned;    /* functions */
    Map *grouped;    /* instruction -> List of Group */
    Map *handed;     /* loads that are given what the thread has stored before -> Group that hands it on */
    int groups;      /* remembered there */
    List regions;    /* of Region */
    List rings;      /* of Ring */
    List fills;      /* of Fill */
    List tallies;    /* of Tally */
    List lookaheads; /* of Lookahead */
    List batches;    /* of Batch */
    Map *beside;     /* headers of loops whose iterations stand side by side */
    Map *leading;    /* of those, the ones whose loads came first then */
    Map *leads, *in_vain; /* of loops whose iterations may: their loads would come first, as a copy has told; none would */
    Map *turns;      /* kernel -> Turn */
    Map *latched;    /* functions that have a loop whose latch was turned: what ptxas unrolls takes registers */
    Map *repeated;   /* functions that have a loop several of whose iterations stand in one body, for their loads */
    Map *thick;      /* of those, the ones with such a loop that stores nothing, goes one way or loads many words */
    Map *paddings;   /* shared array -> Padding: those that stay as they are, or are only told of */
    Map *padded;     /* shared array -> Padding that has made its rows longer */
    Map *unrolled;   /* headers of tile loops whose inner loops have been unrolled */
    Map *dissolved;  /* functions whose arrays were made registers */
    Map *arrays;     /* kernel -> WhyText of its arrays that stay in local memory */
    bool is_copy;    /* of a copy of the module, which is thrown away, or of spares: what is made there is not counted */
};

typedef struct Portions Portions;
typedef struct {
    List roots;     /* of LLVMValueRef: kernels, then device functions that none of them runs */
    List functions; /* that they run; one that several do is there as often */
} Portion;

/* The functions that it calls, and those that they call; itself the first. */
List *function_runs(Arena *arena, LLVMValueRef root);
Portions *portions_of(Arena *arena, LLVMModuleRef module);
/* Without roots when nothing is left. */
Portion portion_next(Portions *portions);
Portion portion_whole(Arena *arena, LLVMModuleRef module);
bool module_is_device(LLVMModuleRef module);
size_t function_length(LLVMValueRef function); /* in instructions */
Kernel *kernel_open(Arena *arena, IrModule *ir, LLVMModuleRef module, LLVMValueRef function, const Options *options, Plan *plan);
bool function_is_kernel(LLVMValueRef function);
/* Is it the function of clang's headers that atomicCAS is made of? And is the instruction an exchange on condition, ordered as clang writes one? */
bool function_is_cuda_exchange(LLVMValueRef function);
bool exchange_is_ordered(LLVMValueRef instruction);
/* What holds of the function: the module's options, what a profile decided, and its own annotations, the last counting most. */
Options function_options(Arena *arena, LLVMModuleRef module, LLVMValueRef function, const Options *options);
bool kernel_has(const Kernel *kernel, const char *attribute);
/* What an attribute of the kernel says, up to a comma; 0 where it has none of that name. */
int64_t kernel_number(const Kernel *kernel, const char *attribute);
/* Have the architecture, and the version of PTX that the backend writes for it, products of 8 x 16 bytes? */
bool kernel_has_mma(const Kernel *kernel);
/* And reductions of several words at once? */
bool kernel_has_vector_reductions(const Kernel *kernel);
/* And fences behind which barriers in shared memory are set up? */
bool kernel_has_barrier_fences(const Kernel *kernel);
/* Numbers the threads of a block along y first, before anything else is asked of the kernel. */
void kernel_turn(Kernel *kernel);

/* ---- automaton.c: what an address is made of ---- */

typedef enum { MEETING_UNASKED, MEETING_ALL, MEETING_NOT } Meeting;
typedef enum { ORDER_UNASKED, ORDER_BY_BARRIERS, ORDER_OTHERWISE } Order;

/* One function body as one call runs it: arguments are known as forms of the kernel. */
struct Scope {
    Kernel *kernel;
    LLVMValueRef function;
    Scope *caller; /* NULL for the kernel */
    LLVMValueRef call;
    const Form **argument; /* by index */
    Map *forms; /* LLVMValueRef -> Form */
    Map *guards; /* LLVMBasicBlockRef -> List of Guard */
    Map *lone; /* LLVMBasicBlockRef -> does one lane of a warp come there, or may more? */
    Map *callees; /* call -> Scope, NULL value where refused */
    Map *returning; /* blocks that lead to a return; NULL until it is asked */
    Meeting meeting; /* at its barriers, once that is asked */
    LLVMValueRef parting; /* and the first branch, or barrier, for which they do not; NULL while they do */
    Order order; /* kept by its threads among themselves, once that is asked */
    Map *accesses; /* group: instruction -> List of Access */
    double time; /* weigh: of its body, as estimated, in bytes of DRAM time; 0 where that was not asked */
    Map *trips; /* weigh: header -> double, how often its loop runs; NULL until it is asked */
    List journal; /* values evaluated while a loop's recurrence is being found */
    int depth; /* calls between this body and the kernel */
    int nesting; /* of evaluations under way */
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
/* Does at most one lane of a warp come to the block, as where its index is to be n - 1? It may be more in blocks of few threads along x:
 * asked for the sake of cost alone. */
bool automaton_is_lone(Scope *scope, LLVMBasicBlockRef block);

/* ---- space.c ---- */

#define SPACES(X) \
    X(SPACE_GENERIC, "generic") \
    X(SPACE_GLOBAL, "global") \
    X(SPACE_SHARED, "shared") \
    X(SPACE_CONSTANT, "constant") \
    X(SPACE_LOCAL, "local") \
    X(SPACE_PARAM, "param")

typedef enum {
#define X(space, text) space,
    SPACES(X)
#undef X
} Space;

Space space_of(Scope *scope, LLVMValueRef pointer);
/* Is it where a struct lies that is handed over as it is? */
bool argument_is_struct(LLVMValueRef argument);
/* The same whoever calls the function, which is rewritten once for all its callers. */
Space space_proved(Scope *scope, LLVMValueRef pointer);
/* Does the call ask whether a pointer leads into global, or shared memory, and does the program say so already, whoever calls the
 * function? */
bool space_is_told(Scope *scope, LLVMValueRef call, bool *answer);
/* Of an intrinsic that loads, stores or multiplies them. */
bool is_matrix_name(const char *name);
/* Where a matrix of tensor cores lies that the call loads or stores by a generic pointer: shared or global memory, whoever calls the
 * function; generic where that is not known, or the call is another one. */
Space space_of_matrix(Scope *scope, LLVMValueRef call);
const char *space_text(Space space);
/* The shared array that the pointer leads into; NULL where it is not known. */
LLVMValueRef shared_array_of(LLVMValueRef pointer);
bool is_shared_array(LLVMValueRef global);
bool has_shared_arrays(LLVMModuleRef module);
/* A load of constant memory at a place that is known: an operand of the instruction that uses it, without a register. */
bool is_bank_operand(LLVMValueRef load);

/* ---- assembly.c ---- */

typedef enum { OP_LOAD, OP_STORE, OP_ATOMIC } AccessOp;
/* Is the call one inline instruction on memory, and at which of its operands? */
bool assembly_access(LLVMValueRef call, AccessOp *op, unsigned *operand, int *bytes);
/* Is it a load or a store like any other, but for what it tells the caches? */
bool assembly_is_hinted(LLVMValueRef call);
bool assembly_reads_lane(LLVMValueRef call);
/* Inline assembly with the word anywhere in it. */
bool assembly_names(LLVMValueRef call, const char *word);

/* ---- hint.c ---- */

/* Of such a load or store. */
typedef struct {
    const char *head; /* its name, without how many elements and of what type: ld.global.cs */
    size_t head_length;
    LLVMTypeRef type; /* of a register with one of its elements */
    int elements, bits; /* of one of them, in memory */
    char kind; /* of its type: u, s, b or f */
    bool is_store;
    bool is_steady; /* nobody writes there while the kernel runs */
    bool is_barrier; /* to the compiler, which is told that all memory may change */
} HintedAccess;

/* Is the call one that can be written as a load or a store, and be moved like one? */
bool assembly_hint(LLVMValueRef call, HintedAccess *found);
/* What the load or store, which was assembly, tells the caches; NULL: nothing. */
const char *access_hint(LLVMValueRef instruction);
/* Is it that the first-level cache is to have no part in it? */
bool hint_passes_first(const char *hint);
/* What one access for two, which both load or both store, may tell instead of what those do, of which each may be NULL. That caches are to have no part in
 * it is kept, as there may be somebody who waits for it; how long they keep the line is worth less than one access for two. */
const char *hint_of_both(const char *a, const char *b);

#endif
