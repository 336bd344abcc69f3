/* May the members of a group move over a barrier of the block?
 *
 *     s[0] = p[i].x; barrier; s[1] = p[i].y; barrier; ...; q[i].x = a; barrier; q[i].y = b;
 *
 * A barrier orders what the threads of one block do. A load may be made before it if no thread of the block can have
 * written the place by then: if nothing that may write it leads to the barrier. A store may be made after it if no thread
 * of the block touches the place from the barrier on, in this or a later iteration; the group's own stores are the one
 * exception, where the threads' records never overlap in part: each of them moves over as many barriers in every iteration.
 *
 * Threads of other blocks are not ordered by a barrier alone. But what one thread acquires, a barrier hands on to its block, and
 * what the block has written before, one thread releases for all of them, wherever the two lie:
 *
 *     p[i].a = x; barrier; p[i].b = y; if (t == 0) release(flag)          whoever sees the flag sees all of p.a, and not p.b
 *
 * So a load moves over no barrier that anything ordered leads to, and a store over none that leads to such. All this counts on
 * threads that wait at the one barrier together (barrier_pairs.c). */
#include "analysis/facts/footprint.h"
#include "analysis/records/records.h"

/* No two threads that make the accesses touch a common byte, at whatever time. That one thread's pointers differ by a known
 * distance says nothing here: the bytes after its record are its neighbour's. */
static bool is_elsewhere(const Access *a, const Access *b)
{
    return access_is_in_other_space(a, b) ||
           ir_is_elsewhere(a->scope->kernel->ir, a->instruction, a->pointer, b->instruction, b->pointer);
}

/* Can the instruction not touch what the access does, or not write it where reading does not count? */
static bool leaves_alone(const Scope *scope, const Access *access, LLVMValueRef instruction, bool reads_count)
{
    if (is_harmless(instruction) || is_block_barrier(instruction))
        return true;
    const List *found = map_get(scope->accesses, instruction);
    if (!found || access_orders(instruction) || (LLVMIsACallInst(instruction) && !is_simple(instruction)))
        return false; /* what an instruction in assembly orders, nobody has read */
    for (size_t i = 0; i < found->count; i++) {
        const Access *other = found->item[i];
        bool counts = reads_count || other->op != OP_LOAD;
        if (counts && !is_elsewhere(access, other))
            return false;
    }
    return true;
}

/* Has it one value for all threads of the block? What does not vary within a warp may still differ from warp to warp. */
static bool is_of_block(const Scope *kernel, const Symbol *symbol)
{
    bool found = symbol->kind == SYM_BLOCK || symbol->kind == SYM_BLOCKDIM || symbol->kind == SYM_GRIDDIM;
    for (unsigned i = 0; !found && i < LLVMCountParams(kernel->function); i++)
        found = form_mentions(kernel->argument[i], symbol);
    return found;
}

static bool form_is_of_block(const Scope *kernel, const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++)
            if (!is_of_block(kernel, form->term[i].symbol[k]))
                return false;
    return !form->bounded;
}

/* Distinct threads of the block have the same record, or records without a common byte. */
static bool is_own_record(const Group *group)
{
    Footprint records = footprint_of(group->scope, group->root->address, group->high - group->low, false);
    return footprint_along_block(&records) && records.axes > 0 && form_is_of_block(group->scope, records.rest) &&
           footprint_is_injective(&records);
}

static bool is_of_group(const Group *group, const Access *joining, LLVMValueRef instruction)
{
    return joining->instruction == instruction || group_has_member(group, instruction);
}

/* Nothing that may write the place leads to the barrier. */
static bool is_unwritten_before(const Scope *scope, const Access *load, LLVMValueRef barrier)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!leaves_alone(scope, load, i, false) && ir_leads_to(scope->kernel->ir, i, barrier))
                return false;
    return true;
}

/* The barrier leads to nothing that may touch the place, but to the group itself. */
static bool is_untouched_after(const Group *group, const Access *store, const Access *joining, LLVMValueRef barrier)
{
    const Scope *scope = group->scope;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!leaves_alone(scope, store, i, true) && !is_of_group(group, joining, i) &&
                ir_leads_to(scope->kernel->ir, barrier, i))
                return false;
    return true;
}

static bool is_small(LLVMValueRef function)
{
    enum { MOST_INSTRUCTIONS = 4000 }; /* each member is held against every one of them */
    int count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++count > MOST_INSTRUCTIONS)
                return false;
    return true;
}

/* Are they barriers at which all threads of the block meet that come to any? */
static bool are_met_by_all(const Group *group)
{
    for (size_t i = 0; i < group->barriers.count; i++)
        if (!is_whole_barrier(group->barriers.item[i]))
            return false;
    return barriers_meet(group->scope);
}

bool may_cross(const Group *group, const Access *joining)
{
    const Scope *scope = group->scope;
    if (!scope->kernel->is_entry || scope->caller || !is_small(scope->function) || !are_met_by_all(group))
        return false;
    LLVMValueRef first = group->barriers.item[0], last = group->barriers.item[group->barriers.count - 1];
    if (joining->op == OP_LOAD)
        return is_unwritten_before(scope, joining, last);
    if (!is_own_record(group))
        return false;
    for (size_t i = 0; i < group->members.count; i++)
        if (!is_untouched_after(group, member_at(group, i)->access, joining, first))
            return false;
    return true;
}
