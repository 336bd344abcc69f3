/* What is rewritten: groups that are legal and pay, gathered into regions of one block.
 *
 * A region has two versions of the code from its first member to its last: the one with exchanges, taken when all
 * 32 lanes are here and the tests hold, and the original. What the tests need must be known where the region begins. */
#include <limits.h>

#include "analysis/plan/plan.h"

enum {
    COPY_GROUPS = 16, /* how many groups later a copy's store is looked for: all others are compared with its load */
};

Plan *plan_new(Arena *arena)
{
    Plan *plan = ARENA_NEW(arena, Plan);
    plan->arena = arena;
    plan->planned = map_new(arena);
    plan->grouped = map_new(arena);
    plan->handed = map_new(arena);
    plan->regions = list_new(arena);
    plan->rings = list_new(arena);
    plan->fills = list_new(arena);
    plan->tallies = list_new(arena);
    plan->lookaheads = list_new(arena);
    plan->batches = list_new(arena);
    plan->beside = map_new(arena);
    plan->leading = map_new(arena);
    plan->leads = map_new(arena);
    plan->in_vain = map_new(arena);
    plan->turns = map_new(arena);
    plan->paddings = map_new(arena);
    plan->padded = map_new(arena);
    plan->latched = map_new(arena);
    plan->repeated = map_new(arena);
    plan->thick = map_new(arena);
    plan->unrolled = map_new(arena);
    plan->lengthened = map_new(arena);
    plan->before = map_new(arena);
    plan->parted = map_new(arena);
    plan->choosing = map_new(arena);
    plan->gated = map_new(arena);
    plan->crowded = map_new(arena);
    plan->packed = map_new(arena);
    plan->jammed = map_new(arena);
    plan->jams = map_new(arena);
    plan->longer = map_new(arena);
    plan->rows = map_new(arena);
    plan->accompanied = map_new(arena);
    plan->arrays = map_new(arena);
    plan->dissolved = map_new(arena);
    plan->blocks = list_new(arena);
    plan->tried = map_new(arena);
    plan->tails = map_new(arena);
    return plan;
}

/* ---- before the region ---- */

/* Positions of the instructions of one block, from 1. */
static Map *positions_of(Arena *arena, LLVMBasicBlockRef block)
{
    Map *map = map_new(arena);
    intptr_t position = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        map_put(map, i, (void *)++position);
    return map;
}

typedef struct {
    const Map *positions;
    int position;
} Hoist;

/* Constants, arguments, what is of a block before or earlier in this one: else it must be pure. */
static SlicePart ask_hoist(Slice *slice, const void *context, LLVMValueRef value)
{
    const Hoist *hoist = context;
    (void)slice;
    intptr_t at = (intptr_t)map_get(hoist->positions, value);
    if (at == 0 || at <= hoist->position)
        return SLICE_KNOWN;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Can the value be known before the instruction at `position` (from 0)? */
static bool is_hoistable(Arena *arena, const Map *positions, LLVMValueRef value, int position)
{
    const Hoist hoist = {positions, position};
    return slice_of(arena, value, ask_hoist, &hoist);
}

/* ---- regions being made ---- */

typedef struct {
    Kernel *kernel;
    const Map *positions;
    List groups;  /* of Group, active ones of one block, by first member */
    List uniform; /* of Group: what all lanes load, worth being loaded in wider pieces */
    int planned;  /* up to this position */
} Blocked;

static bool conflict_hoists(const Map *positions, const Conflict *conflict, int position)
{
    Arena *arena = conflict->access->scope->kernel->arena;
    if (!is_hoistable(arena, positions, conflict->access->pointer, position))
        return false;
    for (size_t i = 0; i < conflict->claimed.count; i++)
        if (!is_hoistable(arena, positions, ((const Member *)conflict->claimed.item[i])->access->pointer, position))
            return false;
    return true;
}

Why group_hoists(const Map *positions, const Group *group, int position)
{
    if (group->tests.conflicts.count > (size_t)costs_of(group)->TESTS)
        return WHY_OVERLAPS;
    for (size_t i = 0; i < group_places(group); i++) {
        const Member *member = group_place(group, i);
        if ((i == 0 || member->tested) && !is_hoistable(group->scope->kernel->arena, positions, member->access->pointer, position))
            return WHY_LATE_ADDRESS;
    }
    for (size_t i = 0; i < group->tests.conflicts.count; i++)
        if (!conflict_hoists(positions, group->tests.conflicts.item[i], position))
            return WHY_OVERLAPS;
    return WHY_NONE;
}

/* The groups that span [first, last] with this one; each must be testable where the first of them begins. */
typedef struct {
    int first, last;
    List groups;
} Span;

bool conflict_is_known(const List *groups, const Group *group, const Conflict *conflict)
{
    for (size_t i = 0; i < groups->count && groups->item[i] != group; i++) {
        const Group *earlier = groups->item[i];
        for (size_t j = 0; earlier == conflict->group && j < earlier->tests.conflicts.count; j++)
            if (((const Conflict *)earlier->tests.conflicts.item[j])->group == group)
                return true;
    }
    return false;
}

static size_t count_conflicts(const Span *span, const Group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->tests.conflicts.count; i++)
        count += !conflict_is_known(&span->groups, group, group->tests.conflicts.item[i]);
    return count;
}

/* Why the groups cannot be tested there. */
static Why span_hoists(const Blocked *block, const Span *span)
{
    const Costs *costs = &block->kernel->options.cost;
    size_t conflicts = 0;
    for (size_t i = 0; i < span->groups.count; i++) {
        const Group *group = span->groups.item[i];
        Why why = group_hoists(block->positions, group, span->first);
        conflicts += count_conflicts(span, group);
        if (why)
            return why;
    }
    return conflicts > (size_t)costs->TESTS ? WHY_OVERLAPS : span->groups.count > (size_t)costs->GROUPS ? WHY_CROWD : WHY_NONE;
}

bool group_is_copied(const Group *load, const Group *store)
{
    if (load->op != OP_LOAD || store->op != OP_STORE || store->follows.count || load->members.count != store->members.count)
        return false;
    for (size_t i = 0; i < store->members.count; i++) {
        LLVMValueRef instruction = member_at(store, i)->access->instruction;
        bool found = false;
        for (size_t j = 0; j < load->members.count && !found; j++) {
            const Member *read = member_at(load, j);
            LLVMValueRef from = read->access->instruction;
            bool moved = instruction == from || (LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 0) == from);
            found = moved && read->offset - load->low == member_at(store, i)->offset - store->low;
        }
        if (!found)
            return false;
    }
    return true;
}

/* Nothing in between that a second version of the code must not hold. */
static bool is_quiet(const Blocked *block, const Group *from, int last)
{
    LLVMValueRef i = member_at(from, 0)->access->instruction;
    for (; i && (intptr_t)map_get(block->positions, i) <= last; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && ir_is_convergent(i))
            return false;
    return true;
}

static bool joins(const Blocked *block, const Span *span, const Group *group)
{
    if (member_first(group) <= span->last)
        return true;
    const Group *before = span->groups.item[span->groups.count - 1];
    return group_is_copied(before, group) && member_last(group) - span->first <= block->kernel->options.cost.REGION &&
           !group_hoists(block->positions, group, span->first) && is_quiet(block, before, member_first(group));
}

static void span_add(Span *span, Group *group)
{
    INVARIANT(group->choice.chosen || group_is_uniform(group));
    if (!span->groups.count || member_first(group) < span->first)
        span->first = member_first(group);
    if (member_last(group) > span->last)
        span->last = member_last(group);
    list_add(&span->groups, group);
}

static LLVMValueRef instruction_at(const Span *span, int position)
{
    for (size_t i = 0; i < span->groups.count; i++) {
        const Group *group = span->groups.item[i];
        if (member_first(group) == position)
            return member_at(group, 0)->access->instruction;
        if (member_last(group) == position)
            return member_at(group, group->members.count - 1)->access->instruction;
    }
    return NULL;
}

static bool returns(const List *groups, const Group *store)
{
    for (size_t i = 0; store->op == OP_STORE && i < groups->count; i++) {
        const Group *load = groups->item[i];
        if (load->op == OP_LOAD && !group_is_uniform(load))
            return true;
    }
    return false;
}

/* Groups of one block, or one along a chain, none of which was refused. */
static bool is_region(const List *groups, LLVMValueRef first, LLVMValueRef last)
{
    bool holds = groups->count > 0 && first && last;
    for (size_t i = 0; holds && i < groups->count; i++) {
        const Group *group = groups->item[i];
        bool in_block = LLVMGetInstructionParent(first) == group->block && LLVMGetInstructionParent(last) == group->block;
        bool few = group->tests.conflicts.count <= (size_t)costs_of(group)->TESTS;
        holds = !group->choice.why && few && (in_block || group->chosen || (group->along && groups->count == 1));
    }
    return holds;
}

Region *region_new(const Kernel *kernel, List groups, LLVMValueRef first, LLVMValueRef last)
{
    INVARIANT(is_region(&groups, first, last));
    Plan *plan = kernel->plan;
    Region *region = ARENA_NEW(plan->arena, Region);
    *region = (Region){.arena = plan->arena,
                       .function = LLVMGetBasicBlockParent(((const Group *)groups.item[0])->block),
                       .first = first,
                       .last = last,
                       .groups = groups,
                       .blocks = list_new(plan->arena),
                       .verified = kernel->options.verify,
                       .full = kernel->options.full &&
                               LLVMGetBasicBlockParent(((const Group *)groups.item[0])->block) == kernel->function,
                       .together = kernel_has_mma(kernel)};
    list_add(&plan->regions, region);
    return region;
}

/* Does every thread move its own bytes, some of them if they are aligned? */
static bool is_own(const Span *span)
{
    bool any = false;
    for (size_t i = 0; i < span->groups.count; i++) {
        const Group *group = span->groups.item[i];
        if (!group_widens(group))
            return false;
        any |= group->choice.moves == MOVES_ALIGNED;
    }
    return any;
}

/* A store next to the load that it copies takes the units as they came. */
void groups_copy(const List *groups)
{
    for (size_t i = 1; i < groups->count; i++) {
        Group *load = groups->item[i - 1], *store = groups->item[i];
        if (!group_widens(load) && !group_widens(store) && group_is_copied(load, store) && layout_same(load, store))
            load->choice.action = store->choice.action = ACTION_COPY;
    }
}

static bool has_narrow_members(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (member_at(group, i)->access->bytes < WORD_BYTES)
            return true;
    return false;
}

static Region *region_add(const Blocked *block, const Span *span)
{
    Region *region = region_new(block->kernel, span->groups, instruction_at(span, span->first), instruction_at(span, span->last));
    for (size_t i = 0; i < span->groups.count; i++) {
        Group *group = span->groups.item[i];
        group->choice.action = group_widens(group) || group_is_uniform(group) ? ACTION_WIDEN : ACTION_EXCHANGE;
        group->choice.returns = returns(&span->groups, group);
        for (size_t j = 0; j < group->follows.count; j++)
            map_put(block->kernel->plan->handed, ((const Follow *)group->follows.item[j])->load.access->instruction, group);
        region->only_likely |= !group_is_uniform(group) && !layout_fits(group);
        if (has_narrow_members(group))
            map_put(block->kernel->plan->packed, region->function, region->function);
    }
    region->own = is_own(span);
    groups_copy(&span->groups);
    return region;
}

/* ---- one block ---- */

static bool is_unchanged(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    return group->members.count == 1 && layout->parts == 1 && layout->part[0].count == 1 && !group->cost.fewer;
}

static bool is_vector(const Group *group, const Part *part)
{
    const Member *first = NULL;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        first = member->offset == part->offset ? member : first;
    }
    return part->count == 1 && first && LLVMGetAlignment(first->access->instruction) >= (unsigned)part->unit;
}

/* NULL of what is neither a load nor a store. */
static LLVMTypeRef moved_type(LLVMValueRef instruction)
{
    if (LLVMIsAStoreInst(instruction))
        return LLVMTypeOf(LLVMGetOperand(instruction, 0));
    return LLVMIsALoadInst(instruction) ? LLVMTypeOf(instruction) : NULL;
}

static bool is_of_one_type(const Group *group)
{
    LLVMTypeRef type = moved_type(member_at(group, 0)->access->instruction);
    bool same = type;
    for (size_t i = 1; same && i < group->members.count; i++)
        same = moved_type(member_at(group, i)->access->instruction) == type;
    return same;
}

/* Are they loads of a loop, or stores, of one type, that follow each other and of which the IR says how they are aligned? The backend makes vectors of those
 * by itself: rows of float4, of which a loop had up to three left, came to 0.95 of plain clang for code that did the same (H100), and pairs of
 * char4, compared byte by byte, to 0.86 (H200), as they were taken apart in another way; forces of listed angles, which a store of four ends, to
 * 0.95 (H200), as all that was added before had been settled for it. */
static bool is_made_vectors(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    LLVMValueRef first = member_at(group, 0)->access->instruction;
    LLVMValueRef last = member_at(group, group->members.count - 1)->access->instruction;
    bool stays = group->op == OP_STORE || ir_loop_of(group->root->scope->kernel->ir, LLVMGetInstructionParent(first));
    bool same = stays && group->choice.moves == MOVES_WIDENED && group->cost.fewer && !group->along && !group->chosen &&
                is_of_one_type(group);
    for (LLVMValueRef i = first; same && i != last; i = LLVMGetNextInstruction(i))
        same = group->op == OP_LOAD ? LLVMIsALoadInst(i) || is_harmless(i) : group_has_member(group, i) || is_harmless(i);
    for (int i = 0; same && i < layout->parts; i++)
        same = is_vector(group, &layout->part[i]);
    return same;
}

/* The backend makes a struct copy of loads and stores that take turns, each load waiting for the store before it. Loads
 * before stores cost nothing and need no test. */
static bool unfolds(Group *group)
{
    if (!group_is_copy(group))
        return false;
    bool fits = layout_own(group, LAYOUT_SURE) && group->choice.layout[LAYOUT_LIKELY].parts > 1;
    if (fits)
        cost_estimate(group);
    if (fits && group_widens(group))
        return true;
    layout_make(group);
    cost_estimate(group);
    return false;
}

/* No two accesses touch one piece. */
static bool has_gaps(const Group *group)
{
    return group->members.count > 1 && (size_t)group->choice.layout[LAYOUT_LIKELY].parts == group->members.count;
}

static void give_up(Group *group, Why why)
{
    group->choice.chosen = false;
    group->choice.why = why;
}

/* Do registers hold what the group exchanges? Of a longer loop that was asked before (strip_mine.c). What goes round among the lanes is
 * there twice: pieces of half the size are swapped instead, for the most part. */
static bool fits(Kernel *kernel, Group *group)
{
    LLVMValueRef first = member_at(group, 0)->access->instruction;
    if (walk_is_longer(first))
        return true;
    int live = registers_live(group->scope, first);
    if (registers_hold(kernel, live + registers_of_group(group)))
        return true;
    group->choice.narrow = true;
    if (layout_make(group))
        cost_estimate(group);
    return registers_hold(kernel, live + registers_of_group(group));
}

/* What the warp would not move faster, each thread may move in wide pieces of its own. */
static bool stays_own(Kernel *kernel, Group *group)
{
    bool may = group->high - group->low <= SECTOR_BYTES && layout_own(group, LAYOUT_LIKELY);
    int live = may ? registers_live(group->scope, member_at(group, 0)->access->instruction) : 0;
    if (may)
        cost_estimate(group);
    if (may && group->choice.moves == MOVES_ALIGNED && cost_pays(group) && registers_hold(kernel, live + registers_of_group(group)))
        return true;
    layout_make(group);
    cost_estimate(group);
    return false;
}

void group_choose(Kernel *kernel, Group *group)
{
    if (!layout_make(group)) {
        group->choice.why = group_is_uniform(group) ? WHY_NONE : WHY_PIECES;
        return;
    }
    cost_estimate(group);
    if (is_unchanged(group) || group_is_uniform(group))
        return;
    if (!kernel->options.always && is_made_vectors(group)) {
        group->choice.why = WHY_VECTORS;
        return;
    }
    if (kernel->left && !group_widens(group)) {
        group->choice.why = kernel->left;
        return;
    }
    group->choice.chosen = kernel->options.always || cost_pays(group) || unfolds(group) || stays_own(kernel, group);
    if (!group->choice.chosen)
        group->choice.why = has_gaps(group) ? WHY_GAPS : group_is_chased(group) ? WHY_CHASED : WHY_NO_GAIN;
    else if (!kernel->options.always && !group_widens(group) && !fits(kernel, group))
        give_up(group, WHY_REGISTERS);
    if (group->choice.chosen && access_is_without(group->root, group_widens(group) ? FEATURE_WIDENING : FEATURE_EXCHANGES))
        give_up(group, WHY_UNWANTED);
}

/* Some of less than a word: there are more words that all lanes load than words of rows. */
static bool is_narrow(const Span *span)
{
    for (size_t i = 0; i < span->groups.count; i++)
        if (member_at(span->groups.item[i], 0)->access->bytes < WORD_BYTES)
            return true;
    return false;
}

static bool is_of_loads(const Span *span)
{
    for (size_t i = 0; i < span->groups.count; i++) {
        const Group *group = span->groups.item[i];
        if (group->op != OP_LOAD || group->crosses)
            return false;
    }
    return true;
}

/* From where the region begins to the group, and so for the whole region, nothing is written: the words may be loaded first,
 * and what shuffles take time for is there by then. Rows of halves: 3430 GB/s with words loaded one by one, 4106 so (H200). */
static bool may_spread(const Span *span, const Group *group)
{
    if (!is_of_loads(span) || !layout_spreads(group))
        return false;
    LLVMValueRef last = instruction_at(span, span->last);
    for (LLVMValueRef i = instruction_at(span, span->first); i != last; i = LLVMGetNextInstruction(i))
        if (!LLVMIsALoadInst(i) && !is_harmless(i))
            return false;
    return true;
}

/* What all lanes load between the members of other groups rides along: the tests and the second version are there anyway.
 * Up to `end`, where the next region may begin. */
static void take_uniform(const Blocked *block, Span *span, int end)
{
    for (size_t i = 0; i < block->uniform.count && !is_own(span); i++) {
        Group *group = block->uniform.item[i];
        if (member_first(group) > span->last || member_last(group) < span->first || member_first(group) <= block->planned ||
            member_last(group) >= end)
            continue;
        Span longer = {span->first, span->last, list_copy(block->kernel->plan->arena, &span->groups)};
        span_add(&longer, group);
        bool spreads = may_spread(&longer, group);
        group->choice.spreads = spreads && group->choice.moves == MOVES_RIDING;
        if (spreads && is_narrow(&longer))
            group->choice.moves = MOVES_SPREAD;
        else if (group->choice.moves == MOVES_SPREAD)
            group->choice.moves = MOVES_ALIKE;
        if ((group->choice.moves != MOVES_ALIKE || group->cost.fewer) && !span_hoists(block, &longer))
            *span = longer;
    }
}

/* Of several groups, the one that gains least. */
static size_t least_of(const List *groups)
{
    size_t least = 0;
    for (size_t i = 1; i < groups->count; i++) {
        const Group *a = groups->item[i], *b = groups->item[least];
        if (a->cost.plain - a->cost.rewritten < b->cost.plain - b->cost.rewritten)
            least = i;
    }
    return least;
}

/* Where the members of the group move together. */
static int place_of(const Group *group) { return group->op == OP_LOAD ? member_first(group) : member_last(group); }

/* Registers that hold members of the groups there that come later, as they have been loaded, or came before, as they are still to be stored. */
static int words_held(const List *groups, int position)
{
    int words = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        bool is_open = member_first(group) <= position && position <= member_last(group) && !group_is_uniform(group);
        for (size_t j = 0; is_open && j < group->members.count; j++) {
            const Member *member = member_at(group, j);
            bool is_held = (member->position <= position) == (group->op == OP_STORE);
            words += is_held ? ((int)member->access->bytes + WORD_BYTES - 1) / WORD_BYTES : 0;
        }
    }
    return words;
}

/* Of groups that move together: do blocks launch that did, where all of them hold their words at once? A kernel whose loops were made longer is bounded in the
 * end (registers_to_bound_near). */
static bool span_stays(Kernel *kernel, const Span *span)
{
    bool stays = true, asked = !is_own(span) && !walk_is_longer(member_at(span->groups.item[0], 0)->access->instruction);
    for (size_t i = 0; asked && stays && i < span->groups.count; i++)
        stays = registers_stay(kernel, words_held(&span->groups, place_of(span->groups.item[i])));
    return stays;
}

static void leave_all(const Span *span, Why why)
{
    for (size_t i = 0; i < span->groups.count; i++)
        ((Group *)span->groups.item[i])->choice.why = why;
}

/* Groups whose spans overlap share a region; where it cannot be tested, the one that gains least is left as it is: for what is
 * wrong with it, or with them all. */
static void plan_span(Blocked *block, Span span, int end)
{
    Why why;
    while (span.groups.count && (why = span_hoists(block, &span)) != WHY_NONE) {
        size_t least = least_of(&span.groups);
        Group *left = span.groups.item[least];
        Why own = group_hoists(block->positions, left, span.first);
        left->choice.why = own ? own : why;
        Span rest = {.groups = list_new(block->kernel->plan->arena)};
        for (size_t i = 0; i < span.groups.count; i++)
            if (i != least)
                span_add(&rest, span.groups.item[i]);
        span = rest;
    }
    if (!span.groups.count)
        return;
    if (!span_stays(block->kernel, &span)) {
        leave_all(&span, WHY_REGISTERS);
        return;
    }
    take_uniform(block, &span, end);
    region_add(block, &span);
    block->planned = span.last;
}

bool group_copies_along(Group *load, const Group *store)
{
    return store->choice.chosen && !group_widens(store) && group_is_copied(load, store) && layout_make(load) &&
           layout_same(load, store);
}

/* A store that pays takes the load that it copies along: units that go on as they came need no shuffles at all. */
static void choose_copied(const List *groups, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        Group *load = groups->item[i];
        bool pays = load->choice.chosen && !group_widens(load);
        if (load->op != OP_LOAD || pays || (!load->choice.chosen && load->choice.why != WHY_NO_GAIN))
            continue;
        for (size_t j = i + 1; j < to && j <= i + COPY_GROUPS; j++)
            if (group_copies_along(load, groups->item[j])) {
                cost_estimate(load);
                load->choice.chosen = true;
                load->choice.why = WHY_NONE;
                break;
            } else if (group_widens(load)) {
                unfolds(load);
            }
    }
}

/* ---- groups that barriers pass through ---- */

static bool stands_in_region(const Blocked *block, const Group *group)
{
    const List *regions = &block->kernel->plan->regions;
    for (size_t i = 0; i < regions->count; i++) {
        const Region *region = regions->item[i];
        intptr_t first = (intptr_t)map_get(block->positions, region->first) - 1;
        intptr_t last = (intptr_t)map_get(block->positions, region->last) - 1;
        if (first >= 0 && !region->gathers && place_of(group) >= first && place_of(group) <= last)
            return true;
    }
    return false;
}

/* A copy stays where it is: another region may move its other side. */
static bool can_gather(const Blocked *block, const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++) {
        const Access *access = member_at(group, i)->access;
        if (access->partner ||
            (group->op == OP_LOAD && !is_hoistable(block->kernel->arena, block->positions, access->pointer, member_first(group))))
            return false;
    }
    return group->tests.conflicts.count == 0 && !stands_in_region(block, group);
}

/* The members move together, so that no barrier is made twice: all threads of a block meet at the same one. */
static void plan_crossing(const Blocked *block, const List *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = groups->item[i];
        bool is_off = feature_is_off(&block->kernel->options, FEATURE_BARRIERS);
        if (is_off || !can_gather(block, group)) {
            group->choice.why = is_off ? WHY_UNWANTED : WHY_BARRIER;
            continue;
        }
        Span span = {.groups = list_new(block->kernel->plan->arena)};
        span_add(&span, group);
        region_add(block, &span)->gathers = true;
    }
}

/* Loads come along with stores of as wide pieces. */
static void choose_aligned(const List *groups, size_t from, size_t to)
{
    bool stores = false;
    for (size_t i = to; i-- > from;) {
        Group *group = groups->item[i];
        bool is_aligned = group->choice.moves == MOVES_ALIGNED && group->cost.few;
        stores |= is_aligned && group->op == OP_STORE && group->choice.chosen;
        if (stores && is_aligned && group->op == OP_LOAD && group->choice.why == WHY_NO_GAIN) {
            group->choice.chosen = true;
            group->choice.why = WHY_NONE;
        }
    }
}

/* Of one block: what is worth it there. */
static void choose_block(Kernel *kernel, const List *groups, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        group_choose(kernel, groups->item[i]);
    choose_copied(groups, from, to);
    choose_aligned(groups, from, to);
    if (!kernel->options.always)
        overlap_settle(kernel, groups, from, to);
}

/* What a barrier passes through, which gains more, has no room beside what each thread would move in wider pieces. */
static void keep_exchanged(List *groups)
{
    size_t kept = 0;
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = groups->item[i];
        if (group->choice.moves == MOVES_ALIGNED)
            give_up(group, WHY_NO_GAIN);
        else
            groups->item[kept++] = group;
    }
    groups->count = kept;
}

static void plan_block(Kernel *kernel, const List *groups, size_t from, size_t to)
{
    Blocked block = {kernel, NULL, list_new(kernel->arena), list_new(kernel->arena), -1};
    List crossing = list_new(kernel->arena);
    for (size_t i = from; i < to; i++) {
        Group *group = groups->item[i];
        if (group->choice.chosen)
            list_add(group->crosses ? &crossing : &block.groups, group);
        else if (group_is_uniform(group) && !group->crosses) {
            group->choice.moves = shelf_carries(kernel, group) ? MOVES_RIDING : MOVES_ALIKE;
            if (group->cost.fewer || group->choice.moves == MOVES_RIDING || layout_spreads(group))
                list_add(&block.uniform, group);
        }
    }
    if (crossing.count)
        keep_exchanged(&block.groups);
    if (!block.groups.count && !crossing.count)
        return;
    block.positions = positions_of(kernel->arena, ((const Group *)groups->item[from])->block);
    Span span = {.groups = list_new(kernel->plan->arena)};
    for (size_t i = 0; i < block.groups.count; i++) {
        Group *group = block.groups.item[i];
        if (span.groups.count && !joins(&block, &span, group)) {
            plan_span(&block, span, member_first(group));
            span = (Span){.groups = list_new(kernel->plan->arena)};
        }
        span_add(&span, group);
    }
    plan_span(&block, span, INT_MAX);
    plan_crossing(&block, &crossing);
}

/* ---- one function ---- */

/* Members in program order, each inside of the group's bytes. */
static bool is_in_order(const Group *group)
{
    bool holds = group->members.count > 0 && group->root && group->low < group->high;
    for (size_t i = 0; holds && i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        holds = (!i || member_at(group, i - 1)->position < member->position) && member->offset >= group->low &&
                member->offset + member->access->bytes <= group->high;
    }
    return holds;
}

void group_remember(Plan *plan, Group *group)
{
    INVARIANT(!group->number && is_in_order(group));
    group->number = ++plan->groups;
    for (size_t i = 0; i < group->members.count; i++)
        map_add(plan->grouped, member_at(group, i)->access->instruction, group);
}

static void blocks_each(Kernel *kernel, const List *groups, void (*settle)(Kernel *, const List *, size_t, size_t))
{
    for (size_t from = 0, to; from < groups->count; from = to) {
        for (to = from; to < groups->count && ((Group *)groups->item[to])->block == ((Group *)groups->item[from])->block; to++)
            ;
        settle(kernel, groups, from, to);
    }
}

static void plan_scope(Scope *scope)
{
    Kernel *kernel = scope->kernel;
    if (map_get(kernel->plan->planned, scope->function) || ir_is_optnone(scope->function))
        return;
    INVARIANT(scope->kernel->done.measured);
    map_put(kernel->plan->planned, scope->function, scope);
    List groups = group_collect(scope);
    size_t regions = kernel->plan->regions.count;
    for (size_t i = 0; i < groups.count; i++)
        group_remember(kernel->plan, groups.item[i]);
    blocks_each(kernel, &groups, choose_block);
    if (!kernel->options.always)
        weigh_settle(scope, &groups);
    chosen_plan(scope, &groups);
    blocks_each(kernel, &groups, plan_block);
    chain_plan(scope, regions);
    shelf_plan(kernel, regions);
    rows_ahead_plan(kernel, regions);
    partial_warp_plan(kernel, regions);
    way_out_plan(kernel, regions);
    few_lanes_plan(kernel, regions);
    looked_up_plan(kernel, regions);
}

/* The decision on each access, also on one of a body that an earlier kernel has planned. A load that is given what its thread has
 * stored is decided on by the group of stores. */
static void access_decide(Access *access)
{
    const List *groups = map_get(access->scope->kernel->plan->grouped, access->instruction);
    for (size_t i = 0; groups && i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == access->op && (group->choice.action || !group_is_uniform(group)))
            access->group = group;
    }
    const Group *stores = map_get(access->scope->kernel->plan->handed, access->instruction);
    if (stores)
        access->group = stores;
}

void plan_make(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.scopes.count; i++)
        plan_scope(kernel->found.scopes.item[i]);
    for (size_t i = 0; i < kernel->found.accesses.count; i++)
        access_decide(kernel->found.accesses.item[i]);
}
