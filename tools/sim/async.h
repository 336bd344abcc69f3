/* Copies in flight and mbarriers of one block; shared by async.c and mbarrier.c. */
#ifndef ASYNC_H
#define ASYNC_H

#include "sim.h"

typedef enum { COPY_FREE, COPY_GROUP, COPY_BULK_IN, COPY_BULK_OUT, COPY_TOKEN } CopyKind;

typedef struct {
    CopyKind kind;
    bool landed;                /* the bytes moved; still in flight for the program until it waits */
    uint32_t thread;            /* who issued it */
    uint32_t group;
    uint32_t bytes, source_bytes;
    Place to, from;
    const Inst *inst;
    uint64_t mbar;              /* shared offset of its mbarrier */
    uint64_t order;             /* of issue */
    uint32_t next;              /* of the same thread: 1 + index */
} Copy;

typedef struct {
    uint64_t offset;
    bool used;
    uint32_t expected, pending;
    int64_t tx;
    uint64_t phase;             /* phases completed */
} Mbar;

struct Async {
    Copy *copy;
    uint32_t copies, capacity, flying;
    uint32_t *first;            /* by thread: 1 + newest copy */
    uint32_t *open, *bulk_open; /* by thread: the group that is being filled */
    uint32_t *slot;             /* by 4-byte granule of shared memory: 1 + copy that writes it */
    uint64_t order;
    uint64_t source_low, source_high;   /* around all sources in flight, as addresses */
    Mbar *mbar;
    uint32_t mbars, mbar_capacity;
};

Ctx issuer_ctx(Block *block, const Copy *copy, int *lane);
/* The copies of a thread before `order` are complete for it. */
void copies_complete(Block *block, uint32_t thread, CopyKind kind, uint32_t before_group, uint64_t before_order);
Mbar *mbar_find(Block *block, uint64_t offset);
void mbar_arrive(Block *block, uint32_t thread, Mbar *mbar, uint32_t count);
void mbar_complete_tx(Block *block, uint32_t thread, Mbar *mbar, int64_t bytes);
uint64_t mbar_key(const Block *block, uint64_t offset);
#endif
