/* What the files of the reference machine offer each other; included by sim.h. */
#ifndef PARTS_H
#define PARTS_H

enum {
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_WARPSIZE,
    SREG_SMID,
    SREG_NSMID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_GT,
    SREG_LANEMASK_GE,
    SREG_CLOCK,
    SREG_DYNAMIC_SMEM,
    SREG_TOTAL_SMEM,
    SREG_RESERVED_END,
    SREG_RESERVED_0,
    SREG_RESERVED_1,
    SREG_ZERO,
    SREG_ONE
};
enum { CPASYNC_SIZED = 64 };
enum { BULK_IN, BULK_OUT };
enum { PROXY_SHARED = 1, PROXY_GLOBAL = 2, PROXY_INIT = 4 };
enum { PRMT_DEFAULT, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
enum {
    MBAR_INIT,
    MBAR_INVAL,
    MBAR_ARRIVE,
    MBAR_DROP,
    MBAR_ARRIVE_TX,
    MBAR_EXPECT,
    MBAR_COMPLETE,
    MBAR_TEST,
    MBAR_TEST_PARITY,
    MBAR_TRY,
    MBAR_TRY_PARITY,
    MBAR_PENDING,
    MBAR_ARRIVE_NC,
    MBAR_DROP_NC,
    MBAR_DROP_TX
};
enum { MBAR_KIND = 31, MBAR_RELAXED = 32 };
enum { BARRIER_KIND = 7, BARRIER_ALIGNED = 8, BARRIER_COUNTED = 16, BARRIER_NO_ID = 32, BARRIER_ARRIVE = 4 };

/* alu.c */
void alu_run(const Inst *inst, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c, Mask mask);
uint64_t double_to_half(double value);
float half_to_float(uint64_t bits);

/* shadow.c: definedness of results. Requires that the values are already computed. */
void shadow_alu(Ctx *c, Mask mask);
/* Marks the lanes whose flags (nsw, exact...) make the result poison. */
void shadow_poison(Ctx *c, Mask mask);
/* Lanes of mask whose operand has undefined bits. */
static inline Mask tainted(const Ctx *c, uint32_t ref, Mask mask) { return c->sim->check ? ref_taint(c, ref).dirty & mask : 0; }
void result_taint(const Ctx *c, uint32_t slot, int lane, uint64_t undef, bool poison);

/* finding.c */
#define FINDINGS(X) \
    X(BOUNDS, "out of bounds") \
    X(RETURN, "use after return") \
    X(SCOPE, "use after scope") \
    X(ALIGN, "misaligned") \
    X(READONLY, "write to constant memory") \
    X(UNDEF_BRANCH, "branch on an undefined value") \
    X(UNDEF_ADDRESS, "undefined address") \
    X(UNDEF_STORE, "undefined value stored to global memory") \
    X(POISON, "poison") \
    X(RACE, "race") \
    X(BARRIER, "barrier") \
    X(DEADLOCK, "deadlock") \
    X(SYNC, "bad .sync mask") \
    X(ASYNC, "asynchronous copy") \
    X(MBARRIER, "mbarrier") \
    X(TRAP, "trap") \
    X(ASSERT, "assertion failed") \
    X(DIVIDE, "division by zero") \
    X(ASSUME, "broken assumption") \
    X(UNREACHABLE, "unreachable") \
    X(STACK, "stack overflow") \
    X(CALL, "bad call") \
    X(LIMIT, "no end")
typedef enum {
#define X(name, text) FIND_##name,
    FINDINGS(X)
#undef X
        FIND_COUNT
} FindKind;
Findings *findings_new(Arena *arena, uint64_t seed);
/* One line on stderr, unless this kind was told often enough for this instruction. c->inst may be NULL. */
void finding_add(const Ctx *c, int lane, FindKind kind, const char *format, ...) __attribute__((format(printf, 4, 5)));
uint64_t findings_count(const Findings *findings);
void findings_summary(const Findings *findings);
const char *where_text(const Sim *sim, uint32_t where, char *buffer, size_t size);
/* "buffer 2+16", "shared s+8", "local+32" */
const char *address_text(const Ctx *c, uint64_t address, unsigned space, char *buffer, size_t size);
enum { TEXT_SIZE = 256 };

/* memory.c */
typedef struct {
    uint8_t *data, *undef;      /* undef: NULL without checks */
    uint8_t flip;
    Space space;
    Object *object;             /* NULL: local */
    uint64_t offset;
} Place;
typedef enum { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;
bool memory_setup(Sim *sim);
void memory_free(Sim *sim);
void object_map(Object *object, bool check, bool undefined);
void object_unmap(Object *object);
bool shared_setup(Block *block);
/* False after a finding: the lane must not touch memory. */
bool place_find(Ctx *c, int lane, uint64_t address, unsigned space, uint64_t bytes, unsigned align, AccessKind kind, Place *place);
/* Stack memory of one thread; the offset, or 0 after a finding. */
uint32_t local_take(Ctx *c, int lane, uint64_t bytes, uint64_t align);
void local_drop(Ctx *c, int lane, uint32_t top);
void local_mark(Ctx *c, int lane, uint32_t offset, uint64_t bytes, bool valid);
uint64_t bytes_read(const uint8_t *data, unsigned bytes);
void bytes_write(uint8_t *data, unsigned bytes, uint64_t value);
bool is_strong(const Access *access);

/* access.c */
/* Lanes whose access found its place, and where that is. */
typedef struct {
    Mask mask;
    Space space[LANES];
} Served;
static inline void served_add(Served *served, int lane, Space space)
{
    served->mask |= 1u << lane;
    served->space[lane] = space;
}
/* False after a finding: the address is undefined. what: "load"... */
bool address_good(Ctx *c, int lane, uint32_t ref, const char *what);
/* One lane of an access; place is NULL after a finding: the lane must not touch memory. */
typedef void Serve(Ctx *c, int lane, const Access *access, const Place *place);
/* What all accesses have in common: every lane's address is checked and served, and the traffic is counted. */
void access_run(Ctx *c, AccessKind kind, Serve *serve);
/* What every access does once its place is known: copies in flight and races are checked. access may be NULL. */
void access_touch(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind, const Access *access);

/* access.c, atomic.c: handlers */
typedef void Handler(Ctx *c);
Handler op_load, op_store, op_memcpy, op_memset, op_alloca, op_lifetime, op_stacksave, op_stackrestore, op_isspace, op_atomic,
    op_cmpxchg, op_fence, op_wide, op_malloc, op_free;

/* warp.c: control */
Handler op_jump, op_branch, op_switch, op_exit;
/* NULL when there are too many. */
Join *join_new(Warp *warp, Frame *frame, uint32_t pc, Mask want, Join *up);
/* Lanes of mask will never come to `join`. */
void join_leave(Sim *sim, Warp *warp, Join *join, Mask mask);
/* A fragment that goes on from a join or a return, maybe straight into the next. */
void fragment_go_on(Sim *sim, Warp *warp, Fragment *fragment);
Fragment *fragment_new(Warp *warp, Mask mask, Frame *frame, uint32_t pc, Join *join);
/* Splits off the lanes of mask, at the same place. */
Fragment *fragment_split(Warp *warp, Fragment *fragment, Mask mask);
void lanes_exit(Sim *sim, Warp *warp, Fragment *fragment, Mask mask);
bool joins_release(Sim *sim, Warp *warp);
void fragments_merge(Warp *warp);
void fragment_part(Sim *sim, Warp *warp, Fragment *fragment, Mask mask);
void fragment_shake(Sim *sim, Warp *warp, Fragment *fragment);

/* frame.c */
Handler op_call, op_calli, op_ret;
Frame *frame_new(Sim *sim, const Func *func, Frame *up);
/* No lane is left in it. */
void frame_drop(Sim *sim, Frame *frame);
void frames_free(Sim *sim);

/* tensor.c: what a warp's lanes bring to an instruction of the tensor cores, by the fragments that they came in. */
void tensor_run(Ctx *come, int count);

/* sync.c, barrier.c */
Handler op_sync, op_activemask, op_barrier;
void syncs_check(Sim *sim, Warp *warp);
void barriers_check(Sim *sim, Block *block);

/* exec.c: runs a fragment until it waits, ends, or the budget of instructions is used. */
void fragment_run(Sim *sim, Warp *warp, Fragment *fragment, uint32_t budget);

/* sched.c */
void grid_run(Sim *sim);

/* race.c */
bool race_setup(Sim *sim);
void race_free(Sim *sim);
void race_block_start(Block *block);
void race_block_end(Block *block);
void race_access(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind, const Access *access);
void race_barrier(Block *block);
/* Some threads of the block meet: mask by warp. */
void race_meet(Block *block, const Mask *masks);
void race_warp_sync(Warp *warp, Mask mask);
void race_fence(Ctx *c, Scope scope);
void race_release(Ctx *c, int lane, const Place *place);
void race_acquire(Ctx *c, int lane, const Place *place);

/* async.c */
bool async_setup(Block *block);
void async_free(Block *block);
Handler op_prefetch;
Handler op_cpasync, op_cpcommit, op_cpwait, op_cpmbar, op_bulk, op_bulkcommit, op_bulkwait, op_mbar, op_proxyfence;
/* All threads of the block have exited. */
void async_end(Block *block);
/* Something may land now: sometimes, or (forced) because nobody else can go on. True when something did. */
bool async_progress(Block *block, bool forced);
/* A lane touches memory that a copy in flight reads or writes. */
void async_touch(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind);
bool mbar_ready(Ctx *c);

/* print.c */
Handler op_printf, op_assertfail, op_trap;

/* stats.c */
struct Stats *stats_new(const Image *image, Arena *arena);
/* One execution of access `id` by the lanes that were served, together; address by lane. Without --stats: nothing. */
void stats_access(const Ctx *c, uint32_t id, AccessKind kind, const uint64_t *address, const Served *served, uint64_t bytes,
                  unsigned align);
bool stats_write(const struct Stats *stats, const Image *image, const char *path, const Sim *sim);

/* sim.c */
Sim *sim_new(const Options *options, const Image *image, uint64_t seed, struct Stats *stats);
void sim_free(Sim *sim);

#endif
