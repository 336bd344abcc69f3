/* Records that some lanes touch which come there by several ways, or by one out of many: lanes that stay away have gone elsewhere then,
 * and where the records are, warps are seldom whole.
 *
 *     if (a && b) T        if (a || b) T        if (a) S; else T        switch (a) { case 1: S; break; case 2: T; }
 *
 * In a gate in front of T (pass/reshape/gate.cpp) all lanes come together, and T stands under one condition (chosen_records.c): from the
 * block above, whose ways part by what data decide, all ways lead to T or to the join. In between nobody waits for another lane, or a
 * lane at the gate would be waited for: no atomic, fence, barrier or volatile access is there. */
#include "analysis/plan/plan.h"

enum { MOST_ABOVE = 16, MOST_BETWEEN = 64 }; /* conditions around one block, blocks in between: bounds of the search */

static bool may_move(const Access *access)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && access->kind != CLASS_UNIFORM && (!access->figure.known || access->figure.sectors > access->figure.ideal);
}

/* Block -> how many bytes each thread moves there by accesses that waste sectors. */
static Map *bytes_by_block(Kernel *kernel)
{
    Map *bytes = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMBasicBlockRef block = LLVMGetInstructionParent(access->instruction);
        if (may_move(access))
            map_put(bytes, block, (void *)((intptr_t)map_get(bytes, block) + access->bytes));
    }
    return bytes;
}

/* Do its ways part by what data or arithmetic decide of each lane? */
static bool is_choice(Scope *scope, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool parts = (LLVMIsABranchInst(end) && LLVMIsConditional(end)) || LLVMIsASwitchInst(end);
    return parts && (ir_is_marked(end, GATE_METADATA) || condition_chooses(scope, LLVMGetOperand(end, 0)));
}

static bool adds_product(IrModule *ir, const List *links, LLVMBasicBlockRef join)
{
    bool any = product_comes_in(ir, join);
    for (size_t l = 0; l < links->count; l++)
        any |= product_comes_in(ir, ((const Link *)links->item[l])->block);
    return any;
}

/* All that the ways come through from the block above to T and to the join; false where anybody might wait there, or other ways lead in. */
static bool is_open_between(const Kernel *kernel, const Gate *gate)
{
    List blocks = list_new(kernel->arena);
    Map *those = map_new(kernel->arena);
    list_add(&blocks, gate->above);
    map_put(those, gate->above, gate->above);
    for (size_t b = 0; b < blocks.count && b < MOST_BETWEEN; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks.item[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
            if (next == gate->then || next == gate->join || map_get(those, next))
                continue;
            map_put(those, next, next);
            list_add(&blocks, next);
        }
    }
    bool is_open = blocks.count < MOST_BETWEEN && is_entered_from(gate->then, those);
    for (size_t b = 1; is_open && b < blocks.count; b++)
        is_open = block_holds_only(blocks.item[b], is_unordered_or_copy) && is_entered_from(blocks.item[b], those);
    return is_open;
}

static bool is_header(const Kernel *kernel, LLVMBasicBlockRef block)
{
    IrLoop *loop = ir_loop_of(kernel->ir, block);
    return loop && ir_loop_header(loop) == block;
}

/* Does T, as far as the join, stand under one condition of the block above already? */
static bool is_chosen(const Kernel *kernel, LLVMBasicBlockRef above, LLVMBasicBlockRef then)
{
    const List links = chosen_part(kernel, above);
    return links.count && ((const Link *)links.item[0])->block == then;
}

/* As much as a record that is worth it, of what all threads touch that come there. */
static bool holds_enough(const Kernel *kernel, const List *links, const Map *bytes)
{
    int64_t sum = 0;
    for (size_t l = 0; l < links->count; l++) {
        const Link *link = links->item[l];
        sum += link->role == LINK_UNDER ? (intptr_t)map_get(bytes, link->block) : 0;
    }
    return sum >= (int64_t)kernel->options.cost.PARTED;
}

/* Where lanes that come to T part first, as far as they meet again where T's do. No block where they do not, where T has nothing that
 * moves, or what is above it in between has it as a part. */
static LLVMBasicBlockRef find_above(Scope *scope, LLVMBasicBlockRef then, const Map *bytes, LLVMBasicBlockRef *join)
{
    const Kernel *kernel = scope->kernel;
    IrModule *ir = kernel->ir;
    LLVMBasicBlockRef found = NULL, above = ir_idom(ir, then);
    for (int n = 0; above && n < MOST_ABOVE && ir_loop_of(ir, above) == ir_loop_of(ir, then); above = ir_idom(ir, above), n++) {
        LLVMBasicBlockRef meeting = ir_meeting(ir, above);
        if (!meeting || meeting == then)
            continue;
        const List links = part_under(kernel->arena, then, meeting);
        const Gate gate = {scope->function, above, then, meeting};
        if (!holds_enough(kernel, &links, bytes) || !is_choice(scope, above) || ir_loop_of(ir, meeting) != ir_loop_of(ir, then) ||
            is_header(kernel, meeting) || is_header(kernel, then) || adds_product(ir, &links, meeting) ||
            !is_open_between(kernel, &gate))
            continue;
        found = above;
        *join = meeting;
    }
    return found;
}

static bool is_inner(const Kernel *kernel, LLVMBasicBlockRef then, LLVMBasicBlockRef above, LLVMBasicBlockRef join)
{
    for (LLVMBasicBlockRef b = ir_idom(kernel->ir, then); b && b != above; b = ir_idom(kernel->ir, b))
        if (part_under(kernel->arena, b, join).count)
            return true;
    return false;
}

static void find_in(Scope *scope, const Map *bytes, List *gates)
{
    Kernel *kernel = scope->kernel;
    Plan *plan = kernel->plan;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMBasicBlockRef join = NULL;
        LLVMBasicBlockRef above = map_get(plan->gated, b) ? NULL : find_above(scope, b, bytes, &join);
        if (!above || is_chosen(kernel, above, b) || is_inner(kernel, b, above, join))
            continue;
        Gate *gate = ARENA_NEW(plan->arena, Gate);
        *gate = (Gate){scope->function, above, b, join};
        list_add(gates, gate);
    }
}

List gates_find(Kernel *kernel)
{
    List gates = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    const Map *bytes = bytes_by_block(kernel);
    for (size_t i = 0; i < kernel->found.scopes.count && !feature_is_off(&kernel->options, FEATURE_CHAINS); i++) {
        Scope *scope = kernel->found.scopes.item[i];
        if (!map_get(seen, scope->function) && !ir_is_optnone(scope->function))
            find_in(scope, bytes, &gates);
        map_put(seen, scope->function, scope);
    }
    return gates;
}
