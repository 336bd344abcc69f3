/* Places that an iteration may leave as they are, because its copy stands under a condition that changes:
 *
 *     s[t] = 0;                          the place is blanked before: where nothing is copied, zeros are
 *     if (k < n) s[t] = g[k];
 *
 *     if (k < n) s[t] = g[k];            it keeps what the last copy brought: nothing writes the source, so that the slot of
 *                                        this iteration has the same when it is copied again from there
 *
 * Such a copy is late: made when all ways through the copies have met, of what would stand at its place then. A thread that
 * brings back its own element must not undo what another one did: where places are kept, no two threads share one, which a test
 * on entry finds out (ring_own.c). */
#include "ring.h"

static bool is_zero_store(Search *search, LLVMValueRef instruction)
{
    return LLVMIsAStoreInst(instruction) && is_plain(instruction) && is_zero(LLVMGetOperand(instruction, 0)) &&
           is_among_copies(search, instruction) && !copy_by(search->ring, instruction);
}

/* In no loop inside of the tile loop. */
static bool is_once(const Search *search, LLVMValueRef instruction)
{
    return ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(instruction)) == search->loop;
}

static bool is_blank_of(const Search *search, LLVMValueRef store, const RingCopy *copy)
{
    int64_t distance;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    return LLVMStoreSizeOfType(search->kernel->layout, type) == (unsigned)copy->bytes && is_once(search, copy->store) &&
           LLVMGetInstructionParent(store) != LLVMGetInstructionParent(copy->store) &&
           ir_distance(search->kernel->ir, search->scope->function, copy->target, LLVMGetOperand(store, 1), &distance) && !distance;
}

static bool visit_blank(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    if (!is_zero_store(search, instruction) || !is_once(search, instruction))
        return true;
    for (size_t i = 0; i < ring->copies.count; i++) {
        RingCopy *copy = ring->copies.item[i];
        if (!is_blank_of(search, instruction, copy))
            continue;
        RingBlank *blank = ARENA_NEW(ring->arena, RingBlank);
        *blank = (RingBlank){instruction, copy};
        list_add(&ring->blanks, blank);
        copy->late = true;
        return true;
    }
    return true;
}

void gaps_find(Search *search) { each_instruction(search, visit_blank); }

const RingBlank *blank_by(const Ring *ring, LLVMValueRef store)
{
    for (size_t i = 0; i < ring->blanks.count; i++)
        if (((const RingBlank *)ring->blanks.item[i])->store == store)
            return ring->blanks.item[i];
    return NULL;
}

/* ---- is the place filled in every iteration? ---- */

/* Is it filled in the block, by the copy or with zeros? */
static bool fills(const Search *search, LLVMBasicBlockRef block, const RingCopy *copy)
{
    bool any = LLVMGetInstructionParent(copy->store) == block;
    for (size_t i = 0; i < search->ring->blanks.count; i++) {
        const RingBlank *blank = search->ring->blanks.item[i];
        any |= blank->copy == copy && LLVMGetInstructionParent(blank->store) == block;
    }
    return any;
}

/* From the end of the block to where the copies are done: is there a way that fills the place, is there one that does not? */
static void follow(const Search *search, LLVMBasicBlockRef block, const RingCopy *copy, Map *seen, bool *filling,
                   bool *passing)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    if (block == LLVMGetInstructionParent(search->ring->filled)) {
        *passing = true;
        return;
    }
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
        bool fill = fills(search, next, copy);
        *filling |= fill;
        if (fill || map_get(seen, next))
            continue;
        map_put(seen, next, next);
        follow(search, next, copy, seen, filling, passing);
    }
}

static bool decides_gap(const Search *search, LLVMBasicBlockRef branch, const RingCopy *copy)
{
    bool filling = false, passing = false;
    follow(search, branch, copy, map_new(search->kernel->arena), &filling, &passing);
    return filling && passing;
}

/* Is it settled by what no iteration changes whether the place is filled? */
static bool is_settled(Search *search, const RingCopy *copy)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef condition = ir_loop_has_block(search->loop, b) ? condition_of(end) : NULL;
        if (condition && is_among_copies(search, end) && !fills(search, b, copy) && decides_gap(search, b, copy) &&
            !ahead_is_fixed(search->ring, search->scope, search->loop, condition))
            return false;
    }
    return true;
}

/* Does a way lead past all that fills the place? */
static bool may_lack(const Search *search, const RingCopy *copy)
{
    const Ring *ring = search->ring;
    bool filling = false, passing = false;
    LLVMBasicBlockRef first = ring->freed_first ? LLVMGetInstructionParent(ring->freed) : ring->header;
    if (!fills(search, first, copy))
        follow(search, first, copy, map_new(search->kernel->arena), &filling, &passing);
    return passing;
}

static bool may_be_late(Search *search, const RingCopy *copy)
{
    return is_once(search, copy->store) && ahead_is_anywhere(search->loop, copy->target) &&
           ahead_is_fixed(search->ring, search->scope, search->loop, copy->target);
}

bool gaps_close(Search *search, RingCopy *copy)
{
    if (!copy->late && place_is_alike(search, copy))
        return true;
    copy->late = search->ring->late = true;
    if (!may_be_late(search, copy))
        return false;
    copy->keeps = !is_settled(search, copy);
    copy->lacks = may_lack(search, copy);
    search->ring->keeps |= copy->keeps;
    return !copy->keeps || own_add(search, copy);
}
