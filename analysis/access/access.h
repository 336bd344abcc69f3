/* Every access with its address, its figures and its class; and those that lie side by side. */
#ifndef COALDA_ACCESS_H
#define COALDA_ACCESS_H

#include <llvm-c/DebugInfo.h>

#include "analysis/address/figure.h"
#include "analysis/address/kernel.h"

/* ---- access.c: every access with its address ---- */

#define CLASSES(X) \
    X(CLASS_UNIFORM, "uniform") \
    X(CLASS_UNIT, "unit") \
    X(CLASS_STRIDED, "strided") \
    X(CLASS_RECORD, "record") \
    X(CLASS_WALK, "walk") \
    X(CLASS_GATHER, "gather") \
    X(CLASS_SCATTER, "scatter") \
    X(CLASS_OPAQUE, "opaque")

typedef enum {
#define X(kind, text) kind,
    CLASSES(X)
#undef X
} Class;

typedef struct Record Record;
typedef struct Tile Tile;
typedef struct Ring Ring;
typedef struct Group Group;
typedef struct Shelf Shelf;
typedef struct AddedRecord AddedRecord;

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
    const AddedRecord *added; /* verdict: of an atomic addition that has neighbours */
    Why alone;           /* group: what keeps it from the others of its record */
    Why why;             /* verdict */
    Why refusal;         /* refusal: why it is not rewritten; WHY_NONE where there is nothing to say */
};

void access_collect(Kernel *kernel);
/* Of a load or a store: neither volatile nor atomic. */
bool is_plain(LLVMValueRef access);
/* Is it volatile, or an atomic that orders what others see of places which it does not touch? A relaxed one does not. */
bool access_orders(LLVMValueRef instruction);
/* A load, a store, a copy of memory or one byte all over it, neither volatile nor ordered. */
bool is_simple(LLVMValueRef instruction);
/* Touches no memory, or none that another access could tell. */
bool is_harmless(LLVMValueRef instruction);
/* The same, or a load or store that is neither volatile nor atomic: no order but that of the places they touch. */
bool is_unordered(LLVMValueRef instruction);
/* Of an asynchronous copy to shared memory, by the intrinsic's name. */
int async_bytes(const char *name);
/* What a call on memory promises of the pointer. */
int alignment_of_operand(LLVMValueRef call, unsigned operand);
const char *class_text(Class kind);
const char *op_text(AccessOp op);

/* ---- measure.c: figure and class of each access ---- */

void access_measure(Kernel *kernel);
/* What the figure of the access would be if it were made at that address. */
Figure access_figure(const Kernel *kernel, const Access *access, const Form *address);

/* ---- walk.c ---- */

/* Does the thread walk memory of its own in a loop, and by how many bytes an iteration? */
bool walk_step(const Access *access, int64_t *step);
/* The IrLoop that moves it. */
const void *walk_loop(const Access *access);
/* Bytes of rows that all lanes share, of which the loop takes the next in each iteration. */
int64_t walks_shared(const Kernel *kernel, IrLoop *loop);
/* Is it a row that the loop around its own meets in each of its iterations? */
bool walk_meets_again(const Access *access);
/* Or nearly the same, a few words further: x[t] and x[t + lag] of one lag after the other. */
bool walk_stays_near(const Access *access);
/* Is the access of a loop that was made longer, or of what remains of one? */
bool walk_is_longer(LLVMValueRef access);

/* What the instruction loads, stores or adds to by itself, in that body; NULL where it is none that was found. */
const Access *access_of(const Scope *scope, LLVMValueRef instruction, AccessOp op);
/* The access that a load of the scope's function makes there; NULL where it makes none. */
const Access *access_of_load(const Scope *scope, LLVMValueRef load);

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
/* Before records are found: would one hold both? */
bool record_may_hold(const Access *access, const Access *other);

/* ---- location.c ---- */

typedef struct {
    LLVMMetadataRef metadata; /* NULL without debug information */
    const char *file, *directory;
    unsigned line, column;    /* 0 where unknown */
} Location;

Location location_of(const Scope *scope, LLVMValueRef instruction);
Location location_read(Arena *arena, LLVMMetadataRef metadata);
/* Known, and not in a header of the toolkit. */
bool location_is_users(const Location *location);

/* ---- distance.c ---- */

/* Bytes from the one address to the other, where they are the same whenever both accesses are made. */
bool access_distance(const Scope *scope, const Access *from, const Access *to, int64_t *bytes);
/* The same, where it is known that whoever makes the one makes the other in the same iteration. */
bool access_distance_of_both(const Scope *scope, const Access *from, const Access *to, int64_t *bytes);
/* The same, of the second, where that is made only once the first has been, as dominators tell; in one iteration. */
bool access_distance_behind(const Scope *scope, const Access *from, const Access *to, int64_t *bytes);
/* Are the two `offset` bytes apart if an index of fewer bits than an address does not wrap between the values that it has
 * in them? Those are `steps` apart, and `index` is the first. */
bool access_steps(const Scope *scope, const Access *from, const Access *to, int64_t offset, LLVMValueRef *index, int64_t *steps);

/* ---- launches.c: what a profile knows of launches, and decides of parts. Of prices alone: launches may be others ---- */

/* Do most launches, by their time, leave an SM few threads, or fill the GPU? Neither where nobody knows. */
bool launches_are_small(const Kernel *kernel);
bool launches_are_full(const Kernel *kernel);
/* Does a loop of the kernel's own body run so often, least and most, in all launches that were seen? */
bool launches_count(const Kernel *kernel, IrLoop *loop, int64_t *least, int64_t *most);
/* The most alone; INT64_MAX where nobody knows. */
int64_t launches_most(const Kernel *kernel, IrLoop *loop);
/* Is the feature left out of what is done with the access, in the kernel or with its array? */
bool access_is_without(const Access *access, Feature feature);
/* The number of the kernel's argument that the symbol is; -1: it is none. */
int argument_of(const Kernel *kernel, const Symbol *symbol);
/* The same of a variable, whatever accesses it. */
bool array_is_without(const Kernel *kernel, LLVMValueRef array, Feature feature);

#endif
