/* What must be known to copy the tile of a later iteration: the loop's counters, and arithmetic on them.
 *
 *     header:  i = phi [0], [i + 1]            state: i
 *              s[t] = g[i * 16 + t]            ahead: i * 16 + t, the address
 *              ...
 *     latch:   if (i + 1 < n) -> header        ahead: i + 1, the comparison
 *
 * A second set of the counters runs ahead of the loop's own, so that no address needs to be linear in anything. */
#include "coalda.h"

static bool is_of_header(const Ring *ring, LLVMValueRef value)
{
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ring->header;
}

static bool in_loop(IrLoop *loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && ir_loop_has_block(loop, LLVMGetInstructionParent(value));
}

bool ahead_is_before_use(const Ring *ring, const Scope *scope, LLVMValueRef instruction)
{
    return !ir_precedes(scope->kernel->ir, ring->filled, instruction);
}

LLVMValueRef ahead_next(IrLoop *loop, LLVMValueRef phi)
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

/* May be made again ahead: among the copies, a choice or a load where it stands; arithmetic anywhere. */
static bool is_repeatable(const Ring *ring, const Scope *scope, LLVMValueRef value)
{
    bool above = ring->freed_first && !ir_precedes(scope->kernel->ir, ring->freed, value);
    if (above || !ahead_is_before_use(ring, scope, value))
        return ir_is_pure(value);
    if (LLVMIsALoadInst(value))
        return is_plain(value);
    return !is_of_moment(value);
}

bool ahead_needs(Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    if (!in_loop(loop, value) || map_get(ring->ahead, value))
        return true;
    if (is_of_header(ring, value)) {
        map_put(ring->ahead, value, value);
        list_add(&ring->state, value);
        return ahead_needs(ring, scope, loop, ahead_next(loop, value));
    }
    if (!is_repeatable(ring, scope, value))
        return false;
    map_put(ring->ahead, value, value);
    if (LLVMIsALoadInst(value))
        list_add(&ring->loads, value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!ahead_needs(ring, scope, loop, LLVMGetOperand(value, (unsigned)i)))
            return false;
    return true;
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
    return inside && (counts || ring->fixed_paths) && ahead_is_before_use(ring, scope, phi);
}

static bool is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, IrLoop *within, LLVMValueRef value, Map *seen)
{
    if (!in_loop(within, value) || map_get(seen, value))
        return true;
    map_put(seen, value, value);
    if (LLVMIsAPHINode(value) ? !is_fixed_phi(ring, scope, loop, value) : is_of_moment(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_fixed(ring, scope, loop, within, LLVMGetOperand(value, (unsigned)i), seen))
            return false;
    return true;
}

bool ahead_is_fixed(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    return is_fixed(ring, scope, loop, outermost(loop), value, map_new(ring->arena));
}

bool ahead_stays(const Ring *ring, const Scope *scope, IrLoop *loop, LLVMValueRef value)
{
    return is_fixed(ring, scope, loop, loop, value, map_new(ring->arena));
}

/* Is it pure arithmetic on what is known outside of the loop, and on its counters where they may be asked for? */
static bool is_made_of(const Ring *counters, IrLoop *loop, LLVMValueRef value)
{
    if (!in_loop(loop, value) || (counters && is_of_header(counters, value)))
        return true;
    if (!ir_is_pure(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_made_of(counters, loop, LLVMGetOperand(value, (unsigned)i)))
            return false;
    return true;
}

bool ahead_steps_alone(const Ring *ring, IrLoop *loop, LLVMValueRef condition)
{
    for (size_t i = 0; i < ring->state.count; i++)
        if (!is_made_of(ring, loop, ahead_next(loop, ring->state.item[i])))
            return false;
    return is_made_of(ring, loop, condition);
}

bool ahead_is_anywhere(IrLoop *loop, LLVMValueRef value) { return is_made_of(NULL, loop, value); }
