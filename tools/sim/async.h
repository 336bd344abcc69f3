/* Copies in flight and mbarriers of one block; shared by async.c, bulk.c, flight.c and mbarrier.c. */
#ifndef ASYNC_H
#define ASYNC_H

#include "clock.h"

typedef enum { COPY_FREE, COPY_GROUP, COPY_BULK_IN, COPY_BULK_OUT, COPY_TOKEN } CopyKind;

typedef struct {
    CopyKind kind;
    bool landed;                /* the bytes moved; still in flight for the program until it waits */
    bool source_done;           /* COPY_BULK_OUT: its source was waited for, its target not yet */
    uint32_t thread;            /* who issued it */
    uint32_t group;
    uint32_t bytes, source_bytes;
    Place to, from;
    const Inst *inst;
    uint64_t mbar;              /* shared offset of its mbarrier */
    Clock issued;               /* with an mbarrier: what its thread knew when it issued the copy */
    uint64_t order;             /* of issue */
    uint32_t next;              /* of the same thread, or free: 1 + index */
} Copy;

typedef struct {
    uint64_t offset;
    bool used;
    uint32_t expected, pending;
    int64_t tx;
    uint64_t phase;             /* phases completed */
    uint32_t agent;             /* who writes what its copies write (race.h) */
    uint32_t made;              /* time of its init */
} Mbar;

#define SLOT_MBAR 0xffffffffu

struct Async {
    Copy *copy;
    uint32_t copies, capacity, flying;
    uint32_t spare;             /* 1 + first free copy */
    uint32_t *first;            /* by thread: 1 + newest copy */
    uint32_t *open, *bulk_open; /* by thread: the group that is being filled */
    uint32_t *slot;             /* by 4-byte granule of shared memory: 1 + copy that writes it, or SLOT_MBAR */
    uint64_t order;
    uint64_t low, high;         /* around all that copies in flight read, or write in global memory; as addresses */
    Mbar *mbar;
    uint32_t mbars, mbar_capacity;
    bool tokens;                /* some thread's copies arrive at an mbarrier */
    uint32_t fenced, fenced_init;       /* times of the last fences: of shared memory, and of mbarrier inits, for the proxy */
};

enum { COPY_GRANULE = 4 };

/* ---- async.c: the list ---- */

/* The tables come with the first copy: most kernels have none. */
struct Async *async_tables(Block *block);
Copy *copy_new(Block *block, uint32_t thread, CopyKind kind, const Inst *inst);
/* Is this operand of a copy, its `what`, known to the last bit? False after a finding. */
bool operand_defined(Ctx *c, int lane, unsigned operand, const char *what);
/* Places of one lane's copy into `copy`, from operands; false after a finding. */
bool copy_places(Ctx *c, int lane, unsigned to, unsigned from, unsigned to_space, unsigned from_space, unsigned align, Copy *copy);
/* Into the list, with what `made` says of it. */
Copy *copy_start(Ctx *c, int lane, CopyKind kind, const Copy *made, uint32_t group);
void copy_land(Copy *copy);
/* The copy is complete for its thread or, when an agent says so, for those that wait for that. */
void copy_finish(Block *block, Copy *copy, uint32_t agent);
/* The copies of a thread before `order` are complete. */
void copies_complete(Block *block, uint32_t thread, CopyKind kind, uint32_t before_group, uint64_t before_order, uint32_t agent);
/* The group that is being filled ends here, and the next begins. */
void groups_close(const Ctx *c, uint32_t *open);
/* Drops the finished copies of a thread from its list. */
void copies_sweep(struct Async *a, uint32_t thread);
Ctx issuer_ctx(Block *block, const Copy *copy, int *lane);
uint64_t place_address(const Place *place);

/* ---- bulk.c ---- */

/* What a thread learns at its own wait of copies that an mbarrier was told of. */
uint64_t token_key(const Block *block, uint32_t thread);

/* ---- flight.c ---- */

/* Stores that the asynchronous proxy need not see are findings. */
void proxy_check(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind);

/* ---- mbarrier.c ---- */

uint64_t shared_offset(uint64_t address);
Mbar *mbar_find(Block *block, uint64_t offset);
void mbar_arrive(Ctx *c, int lane, Mbar *mbar, uint32_t count);
/* A copy's bytes have come. */
void mbar_bytes(Block *block, Mbar *mbar, const Clock *issued, int64_t bytes);
/* The copies that a thread issued before have come: one arrival. */
void mbar_arrive_copies(Ctx *c, int lane, Mbar *mbar, const Clock *issued);
#endif
