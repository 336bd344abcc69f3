/* What else the loop does: copies of a later iteration may pass it, or there is no ring. */
#include "analysis/rings/search.h"

/* Does freed alone order the instruction against what other threads did in the use of the tile before? */
static bool rests_on_freed(const Search *search, LLVMValueRef instruction)
{
    const Ring *ring = search->ring;
    return is_among_copies(search, instruction) ||
           (!ring->shape.freed_first && ir_precedes(search->kernel->ir, ring->shape.freed, instruction));
}

static bool are_spaces_apart(Space a, Space b) { return a != b && a != SPACE_GENERIC && b != SPACE_GENERIC; }

/* Does the load, or what asks for the next iteration, read what it may write in this space? */
static bool may_meet(const Search *search, LLVMValueRef writer, Space space, LLVMValueRef load)
{
    IrModule *ir = search->kernel->ir;
    if (LLVMIsALoadInst(load))
        return !are_spaces_apart(space, space_of(search->scope, LLVMGetOperand(load, 0))) && ir_may_change(ir, writer, load);
    for (unsigned i = 0; i < ir_step_reads(load); i++) {
        IrExtent read;
        ir_step_read(load, i, &read);
        if (!are_spaces_apart(space, space_of(search->scope, read.base)) && ir_step_is_changed(ir, writer, load, i))
            return true;
    }
    return false;
}

/* What the computation of the copies' addresses loads at another iteration, and it may write, in this space; NULL: nothing. */
static LLVMValueRef changed_load(const Search *search, LLVMValueRef writer, Space space)
{
    const List *loads = &search->ring->next.loads;
    for (size_t i = 0; i < loads->count; i++)
        if (may_meet(search, writer, space, loads->item[i]))
            return loads->item[i];
    return NULL;
}

static bool settle_write(Search *search, LLVMValueRef writer, LLVMValueRef pointer)
{
    Space space = space_of(search->scope, pointer);
    bool ours = space == SPACE_LOCAL || space == SPACE_SHARED; /* no copy reads there */
    LLVMValueRef load = ours ? changed_load(search, writer, space) : NULL;
    if (load)
        return refuse(search, space == SPACE_SHARED && is_among_copies(search, load) ? WHY_RING_NAMED : WHY_RING_AHEAD, load);
    if (space == SPACE_LOCAL)
        return true;
    search->ring->shape.quiet = false;
    search->ring->shape.freed_stays |= rests_on_freed(search, writer);
    return ours || overlap_tested(search, writer, pointer) || refuse(search, WHY_RING_SOURCE, writer);
}

/* Of the warp alone: no copy is ordered by it. */
static bool is_warp_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.nvvm.shfl.",  "llvm.nvvm.vote.",      "llvm.nvvm.match.",
                                        "llvm.nvvm.redux.", "llvm.nvvm.activemask", "llvm.nvvm.bar.warp.sync"};
    const char *name = callee_name(call);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(name, names[i]))
            return true;
    return false;
}

/* Its copies, or where they are waited for: found in a loop that has a ring already, of another phase. */
static bool is_of_another_ring(const Search *search, LLVMValueRef call)
{
    const char *name = callee_name(call);
    bool waits = text_begins(name, "llvm.nvvm.cp.async.wait.") || text_begins(name, "llvm.nvvm.cp.async.commit.");
    return search->phase != ALL_PHASES &&
           (waits || (text_begins(name, "llvm.nvvm.cp.async.") && ir_is_marked(call, RING_METADATA)));
}

static bool settle_call(Search *search, LLVMValueRef call)
{
    const char *name = callee_name(call);
    bool moves = text_begins(name, "llvm.memcpy.") || text_begins(name, "llvm.memmove.") || text_begins(name, "llvm.memset.");
    if (is_of_another_ring(search, call))
        return text_begins(name, "llvm.nvvm.cp.async.c") && LLVMGetNumArgOperands(call)
                   ? settle_write(search, call, LLVMGetOperand(call, 0))
                   : true;
    if (is_block_barrier(call) || is_harmless(call) || is_warp_call(call) || ir_only_reads(call) || ir_is_step(call))
        return true;
    return moves ? settle_write(search, call, LLVMGetOperand(call, 0)) : refuse(search, WHY_RING_ORDER, call);
}

/* In shared memory, where copies read nothing, it is a write like others; elsewhere, if nobody asks what was there, so that nothing
 * can be waited for by it. */
static bool settle_atomic(Search *search, LLVMValueRef atomic)
{
    LLVMValueRef pointer = LLVMGetOperand(atomic, 0);
    bool is_silent = LLVMIsAAtomicRMWInst(atomic) && !LLVMGetFirstUse(atomic);
    bool passes = is_silent || space_of(search->scope, pointer) == SPACE_SHARED;
    return passes ? settle_write(search, atomic, pointer) : refuse(search, WHY_RING_ORDER, atomic);
}

bool effect_passes(Search *search, LLVMValueRef instruction)
{
    if (!ir_touches_memory(instruction))
        return true;
    if (copy_by(search->ring, instruction) || blank_by(search->ring, instruction)) {
        LLVMValueRef load = changed_load(search, instruction, SPACE_SHARED);
        return !load || refuse(search, WHY_RING_AHEAD, load);
    }
    if (LLVMIsACallInst(instruction))
        return settle_call(search, instruction);
    if (LLVMIsALoadInst(instruction) && is_plain(instruction))
        return true;
    if (LLVMIsAStoreInst(instruction) && is_plain(instruction))
        return settle_write(search, instruction, LLVMGetOperand(instruction, 1));
    if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction))
        return settle_atomic(search, instruction);
    return refuse(search, WHY_RING_ORDER, instruction);
}

/* What is read where freed stood between: it keeps the value from what others write. */
static bool visit_read(Search *search, LLVMValueRef instruction)
{
    bool reads = LLVMIsALoadInst(instruction) || (ir_touches_memory(instruction) && ir_only_reads(instruction));
    bool counts = reads && rests_on_freed(search, instruction);
    for (size_t i = 0; counts && i < search->ring->copies.count; i++)
        counts = ((const RingCopy *)search->ring->copies.item[i])->load != instruction;
    search->ring->shape.freed_stays |= counts && !map_get(search->ring->next.ahead, instruction) && !search->ring->shape.quiet;
    return true;
}

/* Calls that may come to any barrier are not those of the kernel's own functions. */
static bool refuse_meeting(Search *search)
{
    LLVMValueRef parting = search->scope->parting;
    LLVMValueRef called = LLVMIsACallInst(parting) ? LLVMGetCalledValue(parting) : NULL;
    bool elsewhere = called && !LLVMIsAInlineAsm(called) && (!LLVMIsAFunction(called) || LLVMIsDeclaration(called)) &&
                     !is_block_barrier(parting);
    return refuse(search, elsewhere ? WHY_RING_ELSEWHERE : WHY_RING_MEETING, parting);
}

bool effect_check(Search *search)
{
    search->ring->shape.awaits = entry_awaits(search);
    return each_instruction(search, effect_passes) && each_instruction(search, visit_read) &&
           (barriers_meet(search->scope) || refuse_meeting(search));
}
