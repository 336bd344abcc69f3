/* Where a warp goes on that cannot take the exchange of a longer loop: in the loop that does what remains, with all that is left.
 *
 *     longer:  all 32 lanes here? tests? - no -> 32 iterations one by one          longer:  ... - no -> rest: all n - done of them
 *              exchange; 32 iterations; again                               ->              exchange; 32 iterations; again
 *     rest:    n & 31 iterations                                                   rest:    n & 31 iterations
 *
 * The iterations are in the code twice instead of three times. What stands before the exchange is done again in the rest, and so
 * may only load and compute; and each value that the rest begins with must be one that the longer loop's iteration begins with. */
#include "analysis/plan/plan.h"

typedef struct {
    LLVMBasicBlockRef header, latch, exit; /* of the longer loop; what it leads to */
    Leave *leave;
} Search;

/* Is the value, wherever else than from `but` the block is entered, the one that the loop's own began with? */
static bool begins_alike(const Search *search, LLVMValueRef phi, LLVMValueRef own)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        for (unsigned j = 0; j < LLVMCountIncoming(own); j++)
            if (LLVMGetIncomingBlock(phi, i) != search->exit && LLVMGetIncomingBlock(own, j) != search->latch &&
                LLVMGetIncomingValue(phi, i) != LLVMGetIncomingValue(own, j))
                return false;
    return LLVMCountIncoming(phi) > 1;
}

/* What the loop's iteration begins with of that which the rest is given by this phi; NULL: that is not known. */
static LLVMValueRef value_of(const Search *search, LLVMValueRef phi)
{
    LLVMValueRef last = phi_value_from(phi, search->exit);
    if (last && LLVMIsAPHINode(last) && LLVMGetInstructionParent(last) == search->exit)
        last = phi_value_from(last, search->latch);
    for (LLVMValueRef own = LLVMGetFirstInstruction(search->header); last && LLVMIsAPHINode(own); own = LLVMGetNextInstruction(own))
        if (phi_value_from(own, search->latch) == last && begins_alike(search, phi, own))
            return own;
    return NULL;
}

static LLVMValueRef left_in(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && ir_is_marked(i, LEFT_METADATA))
            return i;
    return NULL;
}

/* The phi that counts the iterations done, as many at once as the mark says. */
static LLVMValueRef find_done(const Search *search)
{
    LLVMTypeRef type = LLVMTypeOf(search->leave->left);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(search->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef next = phi_value_from(phi, search->latch);
        bool counts = LLVMTypeOf(phi) == type && LLVMCountIncoming(phi) == 2 && LLVMIsAInstruction(next) &&
                      LLVMGetInstructionOpcode(next) == LLVMAdd && LLVMGetOperand(next, 0) == phi &&
                      LLVMIsAConstantInt(LLVMGetOperand(next, 1)) &&
                      LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1)) == ir_mark_number(search->leave->left, LEFT_METADATA);
        if (counts && LLVMIsNull(LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == search->latch)))
            return phi;
    }
    return NULL;
}

/* Finds the block in front of the rest, which the loop leads to and another way leads past the loop to. */
static bool find_rest(Search *search)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(search->latch);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) != search->header)
            search->exit = LLVMGetSuccessor(end, i);
    end = search->exit ? LLVMGetBasicBlockTerminator(search->exit) : NULL;
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end) && !search->leave->left; i++) {
        search->leave->rest = LLVMGetSuccessor(end, i);
        search->leave->left = left_in(search->leave->rest);
    }
    return search->leave->left && LLVMIsAPHINode(LLVMGetFirstInstruction(search->leave->rest));
}

static Leave *leave_of(Scope *scope, LLVMBasicBlockRef header)
{
    IrLoop *loop = ir_loop_of(scope->kernel->ir, header);
    Leave *leave = ARENA_NEW(scope->kernel->plan->arena, Leave);
    Search search = {header, loop ? ir_loop_latch(loop) : NULL, NULL, leave};
    *leave = (Leave){.values = list_new(scope->kernel->plan->arena)};
    if (!search.latch || ir_loop_header(loop) != header || !find_rest(&search))
        return NULL;
    leave->done = find_done(&search);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(leave->rest); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = value_of(&search, phi);
        if (!value)
            return NULL;
        list_add(&leave->values, value);
    }
    return leave->done ? leave : NULL;
}

/* Only loads and arithmetic, from where the iteration begins. */
static bool may_be_done_again(const Region *region)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(region->first));
    for (; i && i != region->first; i = LLVMGetNextInstruction(i))
        if (!LLVMIsALoadInst(i) && !LLVMIsAPHINode(i) && !is_harmless(i))
            return false;
    return true;
}

/* Do registers hold what is exchanged in the region? */
static bool is_held(Kernel *kernel, const Region *region)
{
    const Group *first = region->groups.item[0];
    int words = registers_live(first->scope, region->first);
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        int own = group_is_uniform(group) ? 0 : (int)(group->high - group->low) / WORD_BYTES;
        words += group_is_uniform(group) ? 0 : registers_of_group(group);
        words += group->root->bytes > WORD_BYTES ? own : 0; /* beside what they are multiplied with */
    }
    return registers_hold(kernel, words);
}

/* Is it of a loop's version for blocks whose warps all have a shelf? */
static bool is_for_shelves(const Kernel *kernel, const Region *region)
{
    const Group *first = region->groups.item[0];
    return ir_is_marked(first->root->instruction, SHELF_METADATA) && region->shelf->warps >= (int)kernel->options.cost.SHELVES;
}

/* What a warp finds on its shelf takes fewer registers than what its lanes exchange: where these are too few for that, whoever has no
 * shelf leaves, be it all. */
static void settle_shelf(Kernel *kernel, Region *region)
{
    if (region->shelf && is_for_shelves(kernel, region)) {
        region->shelf_only = region->leave != NULL;
        return;
    }
    if (!region->leave || kernel->options.always || is_held(kernel, region))
        return;
    region->shelf_only = region->shelf != NULL;
    for (size_t i = 0; i < region->groups.count && !region->shelf; i++) {
        const Group *group = region->groups.item[i];
        region->never |= group->choice.action == ACTION_EXCHANGE && group->op == OP_LOAD &&
                         shelf_awaits(kernel, group->root, false);
    }
}

/* Rows of bytes and halves begin anywhere more often than not, as those of texts do: most warps would go on in the rest then, one by one, and in the longer loop
 * their loads come side by side. Polynomials of 101 to 999 halves that a pointer walks came to 0.30 to 0.64 of plain clang with a way out, and come to 0.77 to 2.4;
 * chunks of texts to 0.67 and 1.07, and to 1.38 and 1.31. Where rows are stored as well, the rest moves those by sectors: bytes to 0.96 to 5.7, and 0.97 to 1.6 with no
 * way out; words that bytes and shorts become, 101 to 2048 of a row, to 1.06 to 11.8, and 0.98 to 12.1 with none, of 101, 250 and 999 of them to a mean of 2.7 and 1.5
 * (H200). */
static bool loads_narrow_rows_alone(const Region *region)
{
    bool loads = false, stores = false;
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        loads |= group->root->bytes < WORD_BYTES && group->op == OP_LOAD;
        stores |= group->op == OP_STORE;
    }
    return loads && !stores;
}

void way_out_plan(Kernel *kernel, size_t from)
{
    Map *found = map_new(kernel->arena);
    for (size_t i = from; i < kernel->plan->regions.count; i++) {
        Region *region = kernel->plan->regions.item[i];
        const Group *group = region->groups.item[0];
        LLVMBasicBlockRef header = LLVMGetInstructionParent(region->first);
        if (region->gathers || region->under || feature_is_off(&kernel->options, FEATURE_WAYS_OUT) || !may_be_done_again(region) ||
            loads_narrow_rows_alone(region))
            continue;
        if (!map_get(found, header))
            map_put(found, header, leave_of(group->scope, header));
        region->leave = map_get(found, header);
        settle_shelf(kernel, region);
    }
}
