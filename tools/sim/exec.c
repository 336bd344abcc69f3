/* The interpreter's loop: one decoded instruction at a time for all lanes of a fragment. */
#include "sim.h"

enum { SPINS = 32 };    /* such accesses in one slice, before the slice ends */

static uint64_t sreg_value(const Ctx *c, int lane, int64_t which)
{
    const Options *o = c->sim->options;
    uint32_t t = thread_index(c->warp, lane);
    Mask bit = 1u << lane;
    switch (which) {
    case SREG_TID_X: return t % o->block.x;
    case SREG_TID_Y: return t / o->block.x % o->block.y;
    case SREG_TID_Z: return t / o->block.x / o->block.y;
    case SREG_NTID_X: return o->block.x;
    case SREG_NTID_Y: return o->block.y;
    case SREG_NTID_Z: return o->block.z;
    case SREG_CTAID_X: return c->block->id.x;
    case SREG_CTAID_Y: return c->block->id.y;
    case SREG_CTAID_Z: return c->block->id.z;
    case SREG_NCTAID_X: return o->grid.x;
    case SREG_NCTAID_Y: return o->grid.y;
    case SREG_NCTAID_Z: return o->grid.z;
    case SREG_LANEID: return (uint64_t)lane;
    case SREG_WARPID: return c->warp->index;
    case SREG_NWARPID: return c->block->warps;
    case SREG_WARPSIZE: return LANES;
    case SREG_SMID: return c->block->index % c->sim->resident_limit;
    case SREG_NSMID: return c->sim->resident_limit;
    case SREG_LANEMASK_EQ: return bit;
    case SREG_LANEMASK_LT: return bit - 1;
    case SREG_LANEMASK_LE: return bit | (bit - 1);
    case SREG_LANEMASK_GT: return ~(bit | (bit - 1));
    case SREG_LANEMASK_GE: return ~(bit - 1);
    case SREG_CLOCK: return c->sim->steps;
    case SREG_DYNAMIC_SMEM: return o->shared;
    case SREG_TOTAL_SMEM: return c->block->shared.size;
    case SREG_RESERVED_END: return SHARED_FIRST;
    case SREG_RESERVED_0: return SHARED_FIRST / 4;
    case SREG_RESERVED_1: return SHARED_FIRST / 2;
    case SREG_ONE: return 1;
    default: return 0;
    }
}

static void op_sreg(Ctx *c)
{
    uint64_t m = width_ones(c->inst->width);
    int lane;
    EACH_LANE(lane, c->mask)
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = sreg_value(c, lane, c->inst->imm) & m;
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
}

static void op_refuse(Ctx *c)
{
    c->sim->refusal = arena_text(c->sim->arena, "cannot run: %s", (const char *)c->inst->ext);
    c->sim->stopped = true;
}

static void op_unreachable(Ctx *c)
{
    finding_add(c, __builtin_ctz(c->mask), FIND_UNREACHABLE, "a thread came where the program says that none can");
    lanes_exit(c->sim, c->warp, c->fragment, c->mask);
}

static void op_assume(Ctx *c)
{
    const uint64_t *condition = ref_value(c, c->inst->src[0]);
    int lane;
    if (!c->sim->check)
        return;
    EACH_LANE(lane, c->mask)
        if (!(condition[lane] & 1) && !tainted(c, c->inst->src[0], 1u << lane))
            finding_add(c, lane, FIND_ASSUME, "llvm.assume of false");
}

static void op_nop(Ctx *c) { (void)c; }

/* Makes way for the others: a hint in the program. */
static void op_nanosleep(Ctx *c) { c->fragment->spins = ~0u; }

static Handler *const handlers[OP_COUNT] = {
    [OP_WIDE] = op_wide,
    [OP_JUMP] = op_jump,
    [OP_BRANCH] = op_branch,
    [OP_SWITCH] = op_switch,
    [OP_CALL] = op_call,
    [OP_CALLI] = op_calli,
    [OP_RET] = op_ret,
    [OP_UNREACHABLE] = op_unreachable,
    [OP_TRAP] = op_trap,
    [OP_EXIT] = op_exit,
    [OP_REFUSE] = op_refuse,
    [OP_ASSUME] = op_assume,
    [OP_NOP] = op_nop,
    [OP_ALLOCA] = op_alloca,
    [OP_LIFETIME] = op_lifetime,
    [OP_STACKSAVE] = op_stacksave,
    [OP_STACKRESTORE] = op_stackrestore,
    [OP_LOAD] = op_load,
    [OP_STORE] = op_store,
    [OP_MEMCPY] = op_memcpy,
    [OP_MEMSET] = op_memset,
    [OP_ATOMIC] = op_atomic,
    [OP_CMPXCHG] = op_cmpxchg,
    [OP_FENCE] = op_fence,
    [OP_ISSPACE] = op_isspace,
    [OP_SREG] = op_sreg,
    [OP_BARRIER] = op_barrier,
    [OP_WARPSYNC] = op_sync,
    [OP_SHFL] = op_sync,
    [OP_VOTE] = op_sync,
    [OP_MATCH] = op_sync,
    [OP_REDUX] = op_sync,
    [OP_ELECT] = op_sync,
    [OP_TENSOR] = op_sync,
    [OP_ACTIVEMASK] = op_activemask,
    [OP_NANOSLEEP] = op_nanosleep,
    [OP_PREFETCH] = op_prefetch,
    [OP_CPASYNC] = op_cpasync,
    [OP_CPCOMMIT] = op_cpcommit,
    [OP_CPWAIT] = op_cpwait,
    [OP_CPMBAR] = op_cpmbar,
    [OP_BULK] = op_bulk,
    [OP_BULKCOMMIT] = op_bulkcommit,
    [OP_BULKWAIT] = op_bulkwait,
    [OP_MBAR] = op_mbar,
    [OP_PROXYFENCE] = op_proxyfence,
    [OP_PRINTF] = op_printf,
    [OP_ASSERTFAIL] = op_assertfail,
    [OP_MALLOC] = op_malloc,
    [OP_FREE] = op_free,
};

static void check_divisor(Ctx *c)
{
    const uint64_t *b = ref_value(c, c->inst->src[1]);
    int lane;
    EACH_LANE(lane, c->mask)
        if (b[lane] == 0 && !tainted(c, c->inst->src[1], 1u << lane))
            finding_add(c, lane, FIND_DIVIDE, "the divisor is 0");
}

/* Requires: the result is computed. */
static inline void follow_shadow(Ctx *c)
{
    const Inst *inst = c->inst;
    Mask dirty = (ref_taint(c, inst->src[0]).dirty | ref_taint(c, inst->src[1]).dirty | ref_taint(c, inst->src[2]).dirty) & c->mask;
    result_defined(c, inst->dst, c->mask & ~dirty);    /* the others' taints may be the operand's: dst may be a source */
    if (dirty)
        shadow_alu(c, dirty);
    if (inst->flags & (FLAG_POISON | FLAG_DIVIDES)) {
        if (inst->flags & FLAG_DIVIDES)
            check_divisor(c);
        if (inst->flags & FLAG_POISON)
            shadow_poison(c, c->mask);
    }
}

/* Atomics and volatile loads: a thread that does many may be waiting for another, which must then run. */
static bool maybe_spins(const Inst *inst)
{
    return inst->op == OP_CMPXCHG || inst->op == OP_ATOMIC || (inst->op == OP_LOAD && is_strong(inst->ext));
}

void fragment_run(Sim *sim, Warp *warp, Fragment *f, uint32_t budget)
{
    Ctx c = {.sim = sim, .warp = warp, .block = warp->block, .fragment = f, .frame = f->frame, .mask = f->mask};
    const Inst *code = c.frame->func->code;
    uint32_t pc = f->pc;
    uint64_t lanes = (uint64_t)__builtin_popcount(c.mask);
    const bool check = sim->check;
    for (uint32_t left = budget; left; left--) {
        const Inst *inst = &code[pc++];
        c.inst = inst;
        if (!(inst->flags & FLAG_FREE))
            sim->lane_steps += lanes;
        if (inst->op < OP_FIRST_CONTROL) {
            alu_run(inst, c.frame->value + (size_t)inst->dst * LANES, ref_value(&c, inst->src[0]), ref_value(&c, inst->src[1]),
                    ref_value(&c, inst->src[2]), c.mask);
            if (check)
                follow_shadow(&c);
            continue;
        }
        f->pc = pc;
        sim->steps++;
        handlers[inst->op](&c);
        if (f->state != RUN_READY || sim->stopped)
            return;
        if (maybe_spins(inst) && f->spins < ~0u)
            f->spins++;
        if (f->spins >= SPINS) {
            f->spins = 0;
            return;
        }
        c.frame = f->frame;
        c.mask = f->mask;
        lanes = (uint64_t)__builtin_popcount(c.mask);
        code = c.frame->func->code;
        pc = f->pc;
    }
    f->pc = pc;
}
