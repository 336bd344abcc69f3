/* Records whose members are each under a condition of its own.
 *
 *     if (a) p[2*t] = x;                    B0 --.         the values and the conditions are kept until the last member,
 *     if (b) p[2*t + 1] = y;                |    T1        and the warp then writes the records together, each unit
 *                                           B1 <-'         where its own condition held
 *     a chain: every T is entered from      |  --.
 *     the B before it alone and leads       |    T2
 *     to the B behind it                    B2 <-'
 *
 * Every T holds nothing but simple accesses and what no other thread could tell. An address that is computed under a
 * condition may mean nothing where the condition does not hold; it is frozen before it is tested. */
#include "coalda.h"

enum { LONGEST_REGION = 400 }; /* instructions: a region is made twice */

/* ---- finding ---- */

static int ways_into(LLVMBasicBlockRef block)
{
    int count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        count++;
    return count;
}

static bool is_jump(LLVMValueRef end) { return LLVMIsABranchInst(end) && !LLVMIsConditional(end); }

static bool leads_only_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return ways_into(block) == 1 && is_jump(end) && LLVMGetSuccessor(end, 0) == next;
}

/* Neither volatile accesses nor atomics, fences, barriers or calls. */
static bool is_quiet(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        if (is_access ? LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic : !is_harmless(i))
            return false;
    }
    return true;
}

typedef struct {
    LLVMBasicBlockRef then, join; /* NULL where the block ends otherwise */
} Triangle;

static Triangle triangle_below(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; LLVMIsABranchInst(end) && LLVMIsConditional(end) && i < 2; i++) {
        LLVMBasicBlockRef then = LLVMGetSuccessor(end, i), join = LLVMGetSuccessor(end, 1 - i);
        if (leads_only_to(then, join) && is_quiet(then))
            return (Triangle){then, join};
    }
    return (Triangle){NULL, NULL};
}

/* B0, T1, B1, ..., Tn and Bn, which is left out where other ways lead to it as well. */
static List chain_from(Arena *arena, LLVMBasicBlockRef block)
{
    List blocks = list_new(arena);
    list_add(&blocks, block);
    for (Triangle t = triangle_below(block); t.then; t = triangle_below(t.join)) {
        list_add(&blocks, t.then);
        if (ways_into(t.join) != 2)
            break;
        list_add(&blocks, t.join);
    }
    return blocks;
}

/* ---- one chain ---- */

typedef struct {
    Kernel *kernel;
    List blocks, order; /* order: its instructions */
    Map *positions;     /* theirs, from 1 */
    Map *taken;         /* instructions that are part of a region */
} Chain;

static Chain chain_open(Kernel *kernel, List blocks, Map *taken)
{
    Chain chain = {kernel, blocks, list_new(kernel->arena), map_new(kernel->arena), taken};
    for (size_t b = 0; b < blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks.item[b]); i; i = LLVMGetNextInstruction(i)) {
            list_add(&chain.order, i);
            map_put(chain.positions, i, (void *)(intptr_t)chain.order.count);
        }
    return chain;
}

static int position_of(const Chain *chain, LLVMValueRef instruction)
{
    return (int)(intptr_t)map_get(chain->positions, instruction) - 1;
}

/* A member under a condition begins with the branch before its block and ends with the one behind. */
static int start_of(const Chain *chain, const Member *member)
{
    return member->under ? position_of(chain, LLVMGetFirstInstruction(member->under)) - 1 : member->position;
}

static int end_of(const Chain *chain, const Member *member)
{
    return member->under ? position_of(chain, LLVMGetBasicBlockTerminator(member->under)) : member->position;
}

static int first_of(const Chain *chain, const Group *group) { return start_of(chain, member_at(group, 0)); }

static int last_of(const Chain *chain, const Group *group)
{
    return end_of(chain, member_at(group, group->members.count - 1));
}

static bool is_free(const Chain *chain, const Group *group)
{
    int first = first_of(chain, group), last = last_of(chain, group);
    for (int i = first; i <= last; i++)
        if (map_get(chain->taken, chain->order.item[i]))
            return false;
    return last - first < LONGEST_REGION;
}

static bool is_in_one_block(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (LLVMGetInstructionParent(member_at(group, i)->access->instruction) != group->block)
            return false;
    return true;
}

static void region_add(const Chain *chain, Group *group)
{
    Plan *plan = chain->kernel->plan;
    int first = first_of(chain, group), last = last_of(chain, group);
    Region *region = ARENA_NEW(plan->arena, Region);
    region->arena = plan->arena;
    region->function = LLVMGetBasicBlockParent(group->block);
    region->groups = region->blocks = list_new(plan->arena);
    list_add(&region->groups, group);
    region->first = chain->order.item[first];
    region->last = chain->order.item[last];
    region->verified = chain->kernel->options.verify;
    for (size_t b = 0; b < chain->blocks.count; b++) {
        int start = position_of(chain, LLVMGetFirstInstruction(chain->blocks.item[b]));
        if (start > first && start <= last)
            list_add(&region->blocks, chain->blocks.item[b]);
    }
    list_add(&plan->regions, region);
    group->action = ACTION_EXCHANGE;
    for (int i = first; i <= last; i++)
        map_put(chain->taken, chain->order.item[i], region);
}

static void group_plan(const Chain *chain, Group *group)
{
    if (group->broken || is_in_one_block(group) || !is_free(chain, group))
        return;
    group_choose(chain->kernel, group);
    if (!group->chosen)
        return;
    group->why = group_hoists(chain->positions, group, first_of(chain, group));
    if (!group->why)
        region_add(chain, group);
    group_remember(chain->kernel->plan, group);
}

/* ---- all chains of a function ---- */

static Map *instructions_of_regions(const Kernel *kernel, size_t from)
{
    Map *taken = map_new(kernel->arena);
    for (size_t i = from; i < kernel->plan->regions.count; i++) {
        Region *region = kernel->plan->regions.item[i];
        for (LLVMValueRef j = region->first; j != region->last; j = LLVMGetNextInstruction(j))
            map_put(taken, j, region);
        map_put(taken, region->last, region);
    }
    return taken;
}

static bool stores_under_condition(const List *blocks)
{
    for (size_t b = 1; b < blocks->count; b += 2)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->item[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i))
                return true;
    return false;
}

/* Blocks that a chain comes to, rather than begins in. */
static Map *blocks_inside(Arena *arena, LLVMValueRef function)
{
    Map *inside = map_new(arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        Triangle t = triangle_below(b);
        if (t.then && ways_into(t.join) == 2)
            map_put(inside, t.join, b);
    }
    return inside;
}

void chain_plan(Scope *scope, size_t from)
{
    Kernel *kernel = scope->kernel;
    Map *inside = blocks_inside(kernel->arena, scope->function), *taken = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        List blocks = list_new(kernel->arena);
        if (!map_get(inside, b))
            blocks = chain_from(kernel->arena, b);
        if (!stores_under_condition(&blocks))
            continue;
        if (!taken)
            taken = instructions_of_regions(kernel, from);
        Chain chain = chain_open(kernel, blocks, taken);
        List groups = group_collect_along(scope, &chain.blocks);
        for (size_t i = 0; i < groups.count; i++)
            group_plan(&chain, groups.item[i]);
    }
}
