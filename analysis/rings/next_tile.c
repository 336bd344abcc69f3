/* What must be known to copy the tile of a later iteration: the loop's counters, and arithmetic on them.
 *
 *     header:  i = phi [0], [i + 1]            state: i
 *              s[t] = g[i * 16 + t]            ahead: i * 16 + t, the address
 *              ...
 *     latch:   if (i + 1 < n) -> header        ahead: i + 1, the comparison
 *
 * A second set of the counters runs ahead of the loop's own, so that no address needs to be linear in anything. */
#include "analysis/rings/rings.h"

static bool is_of_header(const Ring *ring, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ring->header;
}

static bool in_loop(IrLoop *loop, LLVMValueRef value) { return ir_loop_has(loop, value); }

bool next_tile_is_before_use(const Ring *ring, const Scope *scope, LLVMValueRef instruction)
{
    return !ir_precedes(scope->kernel->ir, ring->shape.filled, instruction);
}

LLVMValueRef next_tile_value(IrLoop *loop, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)))
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* Reads what may have changed: memory, or what other threads, or a clock, say. */
static bool is_of_moment(LLVMValueRef value)
{
    return ir_touches_memory(value) || (LLVMIsACallInst(value) && ir_is_convergent(value));
}

/* May be made again ahead: among the copies, a choice where it stands; arithmetic anywhere. So may a load: outside of the copies, what
 * is needed is made of no choice, so that every iteration comes to it. */
static bool is_repeatable(const Ring *ring, const Scope *scope, LLVMValueRef value)
{
    bool above = ring->shape.freed_first && !ir_precedes(scope->kernel->ir, ring->shape.freed, value);
    bool among = !above && next_tile_is_before_use(ring, scope, value);
    if (LLVMIsALoadInst(value))
        return is_plain(value);
    return ir_is_step(value) || (among ? !is_of_moment(value) : ir_is_pure(value));
}

typedef struct {
    Ring *ring;
    const Scope *scope;
    IrLoop *loop;
} Needs;

static SlicePart ask_needs(Slice *slice, const void *context, LLVMValueRef value)
{
    const Needs *needs = context;
    Ring *ring = needs->ring;
    if (!in_loop(needs->loop, value) || map_get(ring->next.ahead, value))
        return SLICE_KNOWN;
    bool counts = is_of_header(ring, value);
    if (!counts && !is_repeatable(ring, needs->scope, value)) {
        ring->next.unknown = value;
        return SLICE_FAILS;
    }
    map_put(ring->next.ahead, value, value);
    if (counts || LLVMIsALoadInst(value) || ir_step_reads(value))
        list_add(counts ? &ring->next.state : &ring->next.loads, value);
    if (counts)
        slice_add(slice, next_tile_value(needs->loop, value));
    return counts ? SLICE_KNOWN : SLICE_MADE;
}

bool next_tile_needs(Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    const Needs needs = {ring, scope, loop};
    return slice_of(ring->arena, value, ask_needs, &needs);
}

/* Loops around this one count as well: each of its runs fills what the others fill. */
static IrLoop *outermost(IrLoop *loop)
{
    while (ir_loop_parent(loop))
        loop = ir_loop_parent(loop);
    return loop;
}

/* The counter of a loop inside, or a choice between values by which the same way is taken every time. */
static bool is_fixed_phi(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *inner = ir_loop_of(scope->kernel->ir, block);
    bool counts = inner != loop && inner && ir_loop_header(inner) == block;
    bool inside = in_loop(loop, phi) && !is_of_header(ring, phi);
    return inside && (counts || ring->shape.fixed_paths) && next_tile_is_before_use(ring, scope, phi);
}

typedef struct {
    const Ring *ring;
    const Scope *scope;
    IrLoop *loop, *within;
} Fixed;

static SlicePart ask_fixed(Slice *slice, const void *context, LLVMValueRef value)
{
    const Fixed *fixed = context;
    (void)slice;
    if (!in_loop(fixed->within, value))
        return SLICE_KNOWN;
    bool may = LLVMIsAPHINode(value) ? is_fixed_phi(fixed->ring, fixed->scope, fixed->loop, value) : !is_of_moment(value);
    return may ? SLICE_MADE : SLICE_FAILS;
}

static bool is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, IrLoop *within, LLVMValueRef value)
{
    const Fixed fixed = {ring, scope, loop, within};
    return slice_of(ring->arena, value, ask_fixed, &fixed);
}

bool next_tile_is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    return is_fixed(ring, scope, loop, outermost(loop), value);
}

bool next_tile_stays(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    return is_fixed(ring, scope, loop, loop, value);
}

typedef struct {
    const Ring *counters; /* NULL: they may not be asked for */
    IrLoop *loop;
} Arithmetic;

/* Is it pure arithmetic on what is known outside of the loop, and on its counters where they may be asked for? */
static SlicePart ask_arithmetic(Slice *slice, const void *context, LLVMValueRef value)
{
    const Arithmetic *made = context;
    (void)slice;
    if (!in_loop(made->loop, value) || (made->counters && is_of_header(made->counters, value)))
        return SLICE_KNOWN;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

bool next_tile_steps_alone(const Ring *ring, IrLoop *loop, LLVMValueRef condition)
{
    const Arithmetic made = {ring, loop};
    Slice *slice = slice_open(ring->arena, ask_arithmetic, &made);
    slice_add(slice, condition);
    for (size_t i = ring->next.state.count; i-- > 0;)
        slice_add(slice, next_tile_value(loop, ring->next.state.item[i]));
    return slice_holds(slice);
}

bool next_tile_is_anywhere(Arena *arena, IrLoop *loop, LLVMValueRef value)
{
    const Arithmetic made = {NULL, loop};
    return slice_of(arena, value, ask_arithmetic, &made);
}
