/* Records whose members stand in several blocks: each under a condition of its own, or where all ways meet again.
 *
 *     if (a) p[2*t] = x;                    B0 --.         the values and the conditions are kept until the last member,
 *     if (b) p[2*t + 1] = y;                |    T1        and the warp then writes the records together, each unit
 *                                           B1 <-'         where its own condition held
 *     a chain: every T is entered from      |  --.
 *     the B before it alone and leads       |    T2
 *     to the B behind it                    B2 <-'
 *
 *     if (x > 1) x = 1 + log(x);            B0 ----.       what stands beside the chain is not moved: blocks, loops
 *     p[2*t] = x;                           |   (blocks)   too, that are entered from the B before them alone and
 *     if (y > 1) y = 1 + log(y);            B1 <---'       lead to the B behind them alone
 *     p[2*t + 1] = y;                       ...
 *
 * Chains of conditions are planned first, and then, with what they have left, those that have something beside them. Where all
 * threads write all members, and nothing in between may touch them, the stores go down to the last of them. Every T holds
 * nothing but simple accesses and what no other thread could tell. An address that is computed under a condition may mean
 * nothing where the condition does not hold; it is frozen before it is tested. */
#include "analysis/plan/plan.h"

enum {
    MOST_MEETINGS = 5, /* that are looked at behind a block, but the last: a bound of the search */
    MOST_BESIDE = 48,  /* blocks that stand beside a chain between two of its own, another: more are hardly as few instructions */
};

/* ---- finding ---- */

int ways_into(LLVMBasicBlockRef block)
{
    int count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        count++;
    return count;
}

static bool is_jump(LLVMValueRef end) { return LLVMIsABranchInst(end) && !LLVMIsConditional(end); }

bool leads_only_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return is_jump(end) && LLVMGetSuccessor(end, 0) == next;
}

bool is_unordered_or_copy(LLVMValueRef instruction)
{
    return is_unordered(instruction) || (LLVMIsAMemCpyInst(instruction) && is_simple(instruction));
}

bool block_holds_only(LLVMBasicBlockRef block, bool (*is_such)(LLVMValueRef instruction))
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!is_such(i))
            return false;
    return true;
}

Triangle triangle_below(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; LLVMIsABranchInst(end) && LLVMIsConditional(end) && i < 2; i++) {
        LLVMBasicBlockRef then = LLVMGetSuccessor(end, i), join = LLVMGetSuccessor(end, 1 - i);
        if (ways_into(then) == 1 && leads_only_to(then, join) && block_holds_only(then, is_unordered))
            return (Triangle){then, join};
    }
    return (Triangle){NULL, NULL};
}

void link_add(Arena *arena, List *links, LLVMBasicBlockRef block, LinkRole role)
{
    Link *link = ARENA_NEW(arena, Link);
    *link = (Link){block, role};
    list_add(links, link);
}

/* Adds T and B; false where the chain ends with them. B is left out where other ways lead to it as well. */
static bool triangle_add(const Kernel *kernel, LLVMBasicBlockRef block, List *links)
{
    Triangle t = triangle_below(block);
    if (!t.then)
        return false;
    link_add(kernel->arena, links, t.then, LINK_UNDER);
    if (ways_into(t.join) != 2)
        return false;
    link_add(kernel->arena, links, t.join, LINK_ALL);
    return true;
}

bool is_entered_from(LLVMBasicBlockRef block, const Map *those)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAInstruction(LLVMGetUser(use)) || !map_get(those, LLVMGetInstructionParent(LLVMGetUser(use))))
            return false;
    return true;
}

static void followers_add(LLVMBasicBlockRef block, LLVMBasicBlockRef join, Map *known, List *found)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        if (next == join || map_get(known, next))
            continue;
        map_put(known, next, next);
        list_add(found, next);
    }
}

/* Blocks that stand between the block and the join; false where there are other ways in, as into a loop that leads back to
 * one of them, or too many. */
static bool is_closed(const Kernel *kernel, LLVMBasicBlockRef block, LLVMBasicBlockRef join, List *found)
{
    Map *known = map_new(kernel->arena);
    *found = list_new(kernel->arena);
    followers_add(block, join, known, found);
    for (size_t i = 0; i < found->count && found->count <= MOST_BESIDE; i++)
        followers_add(found->item[i], join, known, found);
    map_put(known, block, block);
    bool closed = found->count <= MOST_BESIDE && is_entered_from(join, known);
    for (size_t i = 0; closed && i < found->count; i++)
        closed = is_entered_from(found->item[i], known);
    return closed;
}

/* Adds what stands between the block and the one where all ways from it meet again, and that one. All ways into a loop that
 * always runs meet where it begins; behind it they meet the next time. */
static bool detour_add(const Kernel *kernel, LLVMBasicBlockRef block, List *links)
{
    LLVMBasicBlockRef join = ir_meeting(kernel->ir, block);
    List found = list_new(kernel->arena);
    int meetings = 1;
    while (join && meetings < MOST_MEETINGS && !is_closed(kernel, block, join, &found)) {
        join = ir_meeting(kernel->ir, join);
        meetings++;
    }
    if (!join || meetings == MOST_MEETINGS)
        return false;
    for (size_t i = 0; i < found.count; i++)
        link_add(kernel->arena, links, found.item[i], LINK_BESIDE);
    link_add(kernel->arena, links, join, LINK_ALL);
    return true;
}

static bool any_add(const Kernel *kernel, LLVMBasicBlockRef block, List *links)
{
    return triangle_below(block).then ? triangle_add(kernel, block, links) : detour_add(kernel, block, links);
}

/* What makes a chain longer. */
typedef bool (*LinksAdd)(const Kernel *kernel, LLVMBasicBlockRef block, List *links);

static LLVMBasicBlockRef block_at(const List *links, size_t l) { return ((const Link *)links->item[l])->block; }

static List chain_from(const Kernel *kernel, LLVMBasicBlockRef block, LinksAdd add)
{
    List links = list_new(kernel->arena);
    link_add(kernel->arena, &links, block, LINK_ALL);
    while (add(kernel, block_at(&links, links.count - 1), &links))
        ;
    return links;
}

/* ---- one chain ---- */

typedef struct {
    Kernel *kernel;
    List links, order;  /* order: their instructions */
    Map *positions;     /* theirs, from 1 */
    Map *taken;         /* instructions that are part of a region */
} Chain;

static Chain chain_open(Kernel *kernel, List links, Map *taken)
{
    Chain chain = {kernel, links, list_new(kernel->arena), map_new(kernel->arena), taken};
    for (size_t l = 0; l < links.count; l++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_at(&links, l)); i; i = LLVMGetNextInstruction(i)) {
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

static int last_of(const Chain *chain, const Group *group) { return end_of(chain, member_at(group, group->members.count - 1)); }

/* All threads make all of its stores, and nothing has to be tested before the last of them. */
static bool can_gather(const Group *group) { return !group_has_conditions(group) && group->tests.conflicts.count == 0; }

static bool is_free(const Chain *chain, const Group *group)
{
    int first = first_of(chain, group), last = last_of(chain, group);
    for (size_t i = 0; i < group->members.count; i++)
        if (map_get(chain->taken, member_at(group, i)->access->instruction))
            return false;
    for (int i = first; !can_gather(group) && i <= last; i++)
        if (map_get(chain->taken, chain->order.item[i]))
            return false;
    return can_gather(group) || last - first < costs_of(group)->REGION;
}

static bool is_in_one_block(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (LLVMGetInstructionParent(member_at(group, i)->access->instruction) != group->block)
            return false;
    return true;
}

static Region *region_add(const Chain *chain, Group *group)
{
    chosen_note_loop(chain->kernel, group->block);
    List groups = list_new(chain->kernel->plan->arena);
    list_add(&groups, group);
    Region *region = region_new(chain->kernel, groups, chain->order.item[first_of(chain, group)],
                                chain->order.item[last_of(chain, group)]);
    group->choice.action = group_widens(group) ? ACTION_WIDEN : ACTION_EXCHANGE;
    return region;
}

static void region_gathers(const Chain *chain, Group *group)
{
    Region *region = region_add(chain, group);
    region->gathers = true;
    for (size_t i = 0; i < group->members.count; i++)
        map_put(chain->taken, member_at(group, i)->access->instruction, region);
}

static void region_spans(const Chain *chain, Group *group)
{
    Region *region = region_add(chain, group);
    int first = first_of(chain, group), last = last_of(chain, group);
    for (size_t l = 0; l < chain->links.count; l++) {
        LLVMBasicBlockRef block = block_at(&chain->links, l);
        int start = position_of(chain, LLVMGetFirstInstruction(block));
        if (start > first && start <= last)
            list_add(&region->blocks, block);
    }
    for (int i = first; i <= last; i++)
        map_put(chain->taken, chain->order.item[i], region);
}

/* From the first member to the last. */
static List links_spanned(const Chain *chain, const Group *group)
{
    List spanned = list_new(chain->kernel->arena);
    const Member *last = member_at(group, group->members.count - 1);
    LLVMBasicBlockRef end = LLVMGetInstructionParent(last->access->instruction);
    bool is_inside = false;
    for (size_t l = 0; l < chain->links.count; l++) {
        LLVMBasicBlockRef block = block_at(&chain->links, l);
        is_inside |= block == group->block;
        if (is_inside)
            list_add(&spanned, chain->links.item[l]);
        if (block == end)
            break;
    }
    return spanned;
}

static bool is_worth(const Chain *chain, Group *group)
{
    const List links = links_spanned(chain, group);
    return chain->kernel->options.always || overlap_allows(chain->kernel, group, &links);
}

/* In a loop each iteration asks for the whole warp, and where threads are few nothing hides that. */
static bool is_seen_small(const Chain *chain, const Group *group)
{
    const Kernel *kernel = chain->kernel;
    return kernel->launched.known && launched_in_flight(&kernel->launched) < (int64_t)kernel->options.cost.SEEN_WAYS &&
           !kernel->options.always && ir_loop_of(kernel->ir, group->block);
}

/* Stores of the end of an array, to which few warps come: another version has them where all conditions hold (guarded_loads.c). */
static bool is_guarded(const Group *group) { return ir_is_marked(group->root->instruction, GUARDED_METADATA); }

static void group_plan(const Chain *chain, Group *group)
{
    if (group->search.broken || is_in_one_block(group) || is_guarded(group) || !is_free(chain, group))
        return;
    group_choose(chain->kernel, group);
    if (group->choice.chosen && !is_worth(chain, group))
        group->choice.why = WHY_BUSY;
    else if (group->choice.chosen && is_seen_small(chain, group))
        group->choice.why = WHY_SEEN_SMALL;
    else if (group->choice.chosen && !can_gather(group))
        group->choice.why = group_hoists(chain->positions, group, first_of(chain, group));
    if (group->choice.chosen && !group->choice.why)
        can_gather(group) ? region_gathers(chain, group) : region_spans(chain, group);
    group_remember(chain->kernel->plan, group);
}

/* ---- all chains of a function ---- */

static Map *instructions_of_regions(const Kernel *kernel, size_t from)
{
    Map *taken = map_new(kernel->arena);
    for (size_t i = from; i < kernel->plan->regions.count; i++) {
        Region *region = kernel->plan->regions.item[i];
        size_t block = 0;
        for (LLVMValueRef j = region->first, next; j != region->last; j = next) {
            map_put(taken, j, region);
            next = LLVMGetNextInstruction(j);
            next = next ? next : LLVMGetFirstInstruction(region->blocks.item[block++]);
        }
        map_put(taken, region->last, region);
    }
    return taken;
}

/* Of those that may be members. */
static bool has_store(const Link *link) { return link->role != LINK_BESIDE && block_stores(link->block); }

static bool has_stores(const List *links)
{
    size_t count = 0, all = 0;
    for (size_t l = 0; l < links->count; l++) {
        const Link *link = links->item[l];
        bool stores = has_store(link);
        count += stores;
        all += stores && link->role == LINK_ALL;
    }
    return count > (all > 0);
}

/* Blocks that a chain comes to, rather than begins in. */
static Map *blocks_inside(const Kernel *kernel, LLVMValueRef function, LinksAdd add)
{
    Map *inside = map_new(kernel->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        List links = list_new(kernel->arena);
        if (add(kernel, b, &links))
            map_put(inside, block_at(&links, links.count - 1), b);
    }
    return inside;
}

static void chains_plan(Scope *scope, LinksAdd add, Map *taken)
{
    Kernel *kernel = scope->kernel;
    const Map *inside = blocks_inside(kernel, scope->function, add);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (map_get(inside, b))
            continue;
        List links = chain_from(kernel, b, add);
        if (!has_stores(&links))
            continue;
        Chain chain = chain_open(kernel, links, taken);
        List groups = group_collect_along(scope, &links);
        for (size_t i = 0; i < groups.count; i++)
            group_plan(&chain, groups.item[i]);
    }
}

/* Do the stores of a record stand in several blocks? */
static bool has_scattered_record(const Scope *scope)
{
    const Kernel *kernel = scope->kernel;
    Map *block_of = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->scope != scope || access->op != OP_STORE || !access->record)
            continue;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(access->instruction), known = map_get(block_of, access->record);
        if (known && known != block)
            return true;
        map_put(block_of, access->record, block);
    }
    return false;
}

void chain_plan(Scope *scope, size_t from)
{
    if (feature_is_off(&scope->kernel->options, FEATURE_CHAINS) || !has_scattered_record(scope))
        return;
    Map *taken = instructions_of_regions(scope->kernel, from);
    chains_plan(scope, triangle_add, taken);
    chains_plan(scope, any_add, taken);
}
