/* Records that data decide which threads touch.
 *
 *     if (flag[i]) {                        B --.         warps are seldom whole in T, but in B they are: there the warp loads the
 *         P q = p[i];                       |    T        records of those lanes that go on to T, and it stores them where the ways
 *         q.x += q.vx; p[i] = q;            J  <-'        meet again; what lanes that stay away would touch is not touched
 *     }
 *
 * Arithmetic may decide as well (chosen_condition.c), and there may be branches and loops in T (chosen_part.c).
 *
 * How many lanes go there is asked at run time: where they are few, each moves its own, as it did. What is loaded first in T only to
 * tell where the records are, `p[idx[i]]`, is loaded under the condition in front of it (transform/records/early_addresses.c). */
#include "analysis/plan/plan.h"

typedef struct {
    Scope *scope;
    List links;     /* of Link: what stands under the condition (chosen_part.c) */
    int64_t least;  /* bytes of a record, shorter than which it stays */
    List groups;    /* of Group: that are worth it */
    Map *positions; /* instructions that cannot be had in front, from 1 */
} Chosen;

static LLVMBasicBlockRef block_at(const Chosen *chosen, size_t l) { return ((const Link *)chosen->links.item[l])->block; }

static LLVMBasicBlockRef last_block(const Chosen *chosen) { return block_at(chosen, chosen->links.count - 1); }

/* What writes, or is written to. */
static bool may_write(LLVMValueRef instruction) { return !LLVMIsALoadInst(instruction) && ir_touches_memory(instruction); }

static bool is_moved(const Chosen *chosen, LLVMValueRef load)
{
    for (size_t i = 0; i < chosen->groups.count; i++) {
        const Group *group = chosen->groups.item[i];
        for (size_t k = 0; k < group->members.count; k++)
            if (member_at(group, k)->access->instruction == load)
                return true;
    }
    return false;
}

/* Is it known in front of what has a position, or made of such? */
static SlicePart ask_known(Slice *slice, const void *context, LLVMValueRef value)
{
    const Chosen *chosen = context;
    (void)slice;
    if (!map_get(chosen->positions, value))
        return SLICE_KNOWN;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Loads that all make which come there, with nothing in front that writes, can be made where the branch is, under its condition, but for
 * those that move and what is read where those lead. */
static bool can_come(Chosen *chosen, size_t l, LLVMValueRef instruction)
{
    bool is_for_all = ((const Link *)chosen->links.item[l])->role == LINK_UNDER;
    return is_for_all && LLVMIsALoadInst(instruction) && !is_moved(chosen, instruction) &&
           slice_of(chosen->scope->kernel->arena, LLVMGetOperand(instruction, 0), ask_known, chosen);
}

static void find_positions(Chosen *chosen)
{
    bool written = false;
    int position = 0;
    chosen->positions = map_new(chosen->scope->kernel->arena);
    for (size_t l = 0; l < chosen->links.count; l++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_at(chosen, l)); i; i = LLVMGetNextInstruction(i)) {
            ++position;
            written |= may_write(i);
            if (written || !can_come(chosen, l, i))
                map_put(chosen->positions, i, (void *)(intptr_t)position);
        }
}

static bool can_move(const Group *group)
{
    return !group->search.broken && !group->crosses && !group->follows.count && !group_is_uniform(group);
}

static bool is_worth(const Chosen *chosen, Group *group)
{
    const Kernel *kernel = chosen->scope->kernel;
    bool is_long = group->high - group->low >= chosen->least;
    return kernel->options.always || (is_long && overlap_allows(kernel, group, &chosen->links));
}

/* It pays by itself, or is what a store that does copies. */
static bool pays(const Chosen *chosen, Group *group, const List *groups)
{
    if (group->choice.chosen && !group_widens(group))
        return is_worth(chosen, group);
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]) && group_copies_along(group, groups->item[i])) {
            cost_estimate(group);
            group->choice.chosen = true;
            group->choice.why = WHY_NONE;
            return true;
        }
    return false;
}

static void choose(Chosen *chosen, const List *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]))
            group_choose(chosen->scope->kernel, groups->item[i]);
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]) && pays(chosen, groups->item[i], groups))
            list_add(&chosen->groups, groups->item[i]);
}

static bool may_change_any(const Chosen *chosen, LLVMValueRef writer, const Group *group)
{
    for (size_t k = 0; k < group->members.count; k++)
        if (ir_may_change(chosen->scope->kernel->ir, writer, member_at(group, k)->access->instruction))
            return true;
    return false;
}

/* Loads come before what T writes in front of them. */
static bool passes_writes(const Chosen *chosen, const Group *group)
{
    LLVMValueRef first = member_at(group, 0)->access->instruction;
    for (size_t l = 0; group->op == OP_LOAD && l < chosen->links.count; l++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_at(chosen, l)); i; i = LLVMGetNextInstruction(i)) {
            if (i == first)
                return true;
            if (may_write(i) && may_change_any(chosen, i, group))
                return false;
        }
    return true;
}

static Why late_because(const Chosen *chosen, const Group *group)
{
    return passes_writes(chosen, group) ? group_hoists(chosen->positions, group, 0) : WHY_TOUCHED;
}

/* Those remain whose addresses are known in front. */
static void keep_testable(Chosen *chosen)
{
    List kept = list_new(chosen->scope->kernel->plan->arena);
    size_t conflicts = 0;
    find_positions(chosen);
    for (size_t i = 0; i < chosen->groups.count; i++) {
        Group *group = chosen->groups.item[i];
        conflicts += group->tests.conflicts.count;
        bool crowded = kept.count >= (size_t)costs_of(group)->GROUPS || conflicts > (size_t)costs_of(group)->TESTS;
        group->choice.why = crowded ? WHY_CROWD : late_because(chosen, group);
        if (!group->choice.why)
            list_add(&kept, group);
    }
    chosen->groups = kept;
}

static bool is_short(const Chosen *chosen)
{
    size_t length = 0;
    for (size_t l = 0; l < chosen->links.count; l++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_at(chosen, l)); i; i = LLVMGetNextInstruction(i))
            length++;
    return length < (size_t)chosen->scope->kernel->options.cost.REGION;
}

bool chosen_note_loop(const Kernel *kernel, LLVMBasicBlockRef block)
{
    Map *choosing = kernel->plan->choosing;
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    if (ir_loop_of(kernel->ir, block))
        map_put(choosing, function, choosing);
    return map_get(choosing, function) == choosing;
}

static void note_function(const Kernel *kernel, LLVMValueRef function, LLVMBasicBlockRef above)
{
    if (!chosen_note_loop(kernel, above))
        map_put(kernel->plan->choosing, function, function);
}

static void region_make(const Chosen *chosen, LLVMBasicBlockRef above)
{
    const Kernel *kernel = chosen->scope->kernel;
    bool loads = false;
    Region *region = region_new(kernel, chosen->groups, LLVMGetBasicBlockTerminator(above),
                                LLVMGetBasicBlockTerminator(last_block(chosen)));
    for (size_t l = 0; l < chosen->links.count; l++)
        list_add(&region->blocks, block_at(chosen, l));
    region->under = block_at(chosen, 0);
    region->least = (int)kernel->options.cost.SOME;
    note_function(kernel, region->function, above);
    region->only_likely = true; /* what another version takes of registers, warps with few such lanes pay as well */
    for (size_t i = 0; i < chosen->groups.count; i++) {
        Group *group = chosen->groups.item[i];
        group->choice.action = ACTION_EXCHANGE;
        group->choice.returns = group->op == OP_STORE && loads;
        loads |= group->op == OP_LOAD;
    }
    groups_copy(&chosen->groups);
}

static bool stands_in(const Chosen *chosen, LLVMBasicBlockRef block)
{
    for (size_t l = 0; l < chosen->links.count; l++)
        if (block_at(chosen, l) == block)
            return true;
    return false;
}

/* What was chosen of a block by itself is moved so, or stays. */
static void give_up(const Chosen *chosen, const List *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = groups->item[i];
        if (stands_in(chosen, group->block))
            group->choice.chosen = false;
    }
}

/* What was weighed beside all that the kernel does, with the threads that come there by themselves. */
static bool is_slight(const Chosen *chosen, const List *groups)
{
    bool any = false;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (!stands_in(chosen, group->block))
            continue;
        if (group->choice.chosen && !group_widens(group))
            return false; /* in another block of them */
        any |= group->choice.why == WHY_SLIGHT;
    }
    return any;
}

/* Blocks that stand in one region stand in no other. */
static bool is_taken(const Chosen *chosen, LLVMBasicBlockRef above, const Map *taken)
{
    bool any = map_get(taken, above);
    for (size_t l = 0; !any && l < chosen->links.count; l++)
        any = map_get(taken, block_at(chosen, l));
    return any;
}

/* What stands under the condition that the block ends with, if lanes part there; of no block otherwise. */
static Chosen chosen_below(Scope *scope, LLVMBasicBlockRef above)
{
    Kernel *kernel = scope->kernel;
    Chosen chosen = {.scope = scope, .links = chosen_part(kernel, above), .groups = list_new(kernel->arena)};
    if (!chosen.links.count)
        return chosen;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above), condition = LLVMGetCondition(end);
    bool is_gate = ir_is_marked(end, GATE_METADATA), is_told = is_gate || uniform_is_told(scope, condition);
    chosen.least = is_told || chosen.links.count > 1 ? (int64_t)kernel->options.cost.PARTED : 0;
    if (!is_gate && !condition_chooses(scope, condition))
        chosen.links.count = 0;
    return chosen;
}

static void plan_under(Scope *scope, LLVMBasicBlockRef above, const List *groups, Map *taken)
{
    Chosen chosen = chosen_below(scope, above);
    if (!chosen.links.count || !is_short(&chosen) || is_slight(&chosen, groups) || is_taken(&chosen, above, taken))
        return;
    const List found = group_collect_under(scope, &chosen.links);
    choose(&chosen, &found);
    keep_testable(&chosen);
    if (!chosen.groups.count)
        return;
    give_up(&chosen, groups);
    region_make(&chosen, above);
    for (size_t l = 0; l < chosen.links.count; l++)
        map_put(taken, block_at(&chosen, l), scope);
    for (size_t i = 0; i < found.count; i++)
        group_remember(scope->kernel->plan, found.item[i]);
}

void chosen_plan(Scope *scope, const List *groups)
{
    if (feature_is_off(&scope->kernel->options, FEATURE_CHAINS))
        return;
    Map *taken = map_new(scope->kernel->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        plan_under(scope, b, groups, taken);
}
