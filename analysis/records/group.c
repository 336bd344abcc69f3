/* A group: members of one record that one block touches, with nothing between them that keeps them apart.
 *
 *     x = p[i].x                      p[i].x   p[i].y       one group of two loads: y may be read where x is,
 *     q[i].x = x + 1       ->                               if q[i].x is apart from p[i].y (tested at run time)
 *     y = p[i].y                      q[i].x   q[i].y       one group of two stores: x may be written where y is
 *     q[i].y = y + 1
 *
 * Loads move up to their first member and stores down to their last. What stands between is harmless, or known to be
 * apart, or tested, or it ends the group. Fences, calls and volatile accesses always end it; barriers mostly do
 * (across_barrier.c), and atomics, but for loads of what nobody writes (memory_order.c). Along a chain of conditions (conditional_records.c) stores go on from block to block. */
#include "analysis/records/records.h"
#include "analysis/rings/rings.h"

enum {
    LONGEST_CHUNK = 136,
    MOST_BETWEEN = 256, /* a group with more accesses between its members ends: each is compared with each */
};

static const char *const texts[] = {
#define X(action, text) text,
    ACTIONS(X)
#undef X
};

const char *action_text(Action action) { return texts[action]; }

Member *member_at(const Group *group, size_t i)
{
    INVARIANT(i < group->members.count);
    return group->members.item[i];
}

size_t group_places(const Group *group) { return group->members.count + group->follows.count; }

Member *group_place(const Group *group, size_t i)
{
    size_t members = group->members.count;
    INVARIANT(i < group_places(group));
    return i < members ? member_at(group, i) : &((Follow *)group->follows.item[i - members])->load;
}

int member_first(const Group *group) { return member_at(group, 0)->position; }
int member_last(const Group *group) { return member_at(group, group->members.count - 1)->position; }

/* ---- candidates ---- */

static bool is_copy(LLVMValueRef instruction) { return LLVMIsAMemCpyInst(instruction) || LLVMIsAMemMoveInst(instruction); }

bool group_is_copy(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (!is_copy(member_at(group, i)->access->instruction))
            return false;
    return true;
}

bool group_has_member(const Group *group, LLVMValueRef instruction)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (member_at(group, i)->access->instruction == instruction)
            return true;
    return false;
}

bool group_has_conditions(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (member_at(group, i)->under)
            return true;
    return false;
}

static LLVMTypeRef type_of(const Access *access)
{
    return access->op == OP_LOAD ? LLVMTypeOf(access->instruction) : LLVMTypeOf(LLVMGetOperand(access->instruction, 0));
}

/* Every bit of it is in memory: words can be put together to it and taken from it. */
static bool is_plain_type(LLVMTargetDataRef layout, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return LLVMSizeOfTypeInBits(layout, type) == 8 * LLVMStoreSizeOfType(layout, type);
    case LLVMVectorTypeKind:
        return LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMPointerTypeKind && is_plain_type(layout, LLVMGetElementType(type));
    default: return false;
    }
}

/* Of those that are simple. */
static bool can_be_grouped(const Access *access)
{
    if ((access->space != SPACE_GLOBAL && access->space != SPACE_GENERIC) || ir_is_marked(access->instruction, AHEAD_METADATA) ||
        ir_is_marked(access->instruction, QUESTION_METADATA))
        return false;
    if (access->kind == CLASS_UNIT && access->piece >= access->bytes)
        return false;
    if (access->kind == CLASS_UNIFORM && (access->op != OP_LOAD || access->partner))
        return false;
    return is_copy(access->instruction) || LLVMIsAMemSetInst(access->instruction) ||
           is_plain_type(access->scope->kernel->layout, type_of(access));
}

/* ---- order ---- */

bool access_is_in_other_space(const Access *a, const Access *b)
{
    Space of_a = space_proved(a->scope, a->pointer), of_b = space_proved(b->scope, b->pointer);
    return of_a != SPACE_GENERIC && of_b != SPACE_GENERIC && of_a != of_b;
}

/* Of the same place, where no index wraps. */
static int64_t distance_between(const Access *from, const Access *to)
{
    return wrap_add(to->address->constant, wrap_mul(from->address->constant, -1));
}

typedef enum { APART, TOGETHER, PERHAPS } Distance;

/* Have they no byte in common, some at every run (or whenever no index wraps around), or can only run time tell? */
static Distance distance_of(const Scope *scope, const Access *a, const Access *b)
{
    int64_t bytes;
    bool is_fixed = access_distance(scope, a, b, &bytes);
    if ((is_fixed && (bytes >= a->bytes || bytes <= -(int64_t)b->bytes)) || access_is_in_other_space(a, b) ||
        ir_is_apart(scope->kernel->ir, a->instruction, b->instruction))
        return APART;
    if (!is_fixed && !form_same_place(a->address, b->address))
        return PERHAPS;
    bytes = is_fixed ? bytes : distance_between(a, b);
    return bytes < a->bytes && bytes > -(int64_t)b->bytes ? TOGETHER : PERHAPS;
}

static void conflict_claim(Conflict *conflict, Member *member)
{
    for (size_t i = 0; i < conflict->claimed.count; i++)
        if (conflict->claimed.item[i] == member)
            return;
    if (member->access != conflict->access && (member->tested || conflict->tested))
        list_add(&conflict->claimed, member);
}

/* Is the other part of what is kept apart already, or next to it? Then one test will do for both. */
static bool conflict_takes(const Group *group, Conflict *known, const Other *other)
{
    uint64_t near = (uint64_t)costs_of(group)->NEAR;
    int64_t distance;
    if (known->group && known->group == other->group) {
        conflict_claim(known, other->member);
        return true;
    }
    if (known->group || known->same != form_same_place(group->root->address, other->access->address) ||
        !access_distance(group->scope, known->access, other->access, &distance) || magnitude(distance) > near)
        return false;
    if (distance < known->low)
        known->low = distance;
    if (distance + other->access->bytes > known->high)
        known->high = distance + other->access->bytes;
    return true;
}

/* What is made before the group begins may stand in another region, and be known on one way through it alone. */
static void conflict_anchor(Conflict *conflict, const Group *group, Member *between)
{
    const Member *root = member_at(conflict->group, 0);
    const Member *anchor = root->position < member_first(group) ? between : root;
    conflict->access = anchor->access;
    conflict->offset = anchor->offset;
    conflict->tested = anchor->tested;
    conflict_claim(conflict, between);
}

/* More than a region may test need no telling apart. */
static void conflict_add(Group *group, const Other *other)
{
    if (group->tests.conflicts.count > (size_t)costs_of(group)->TESTS)
        return;
    for (size_t i = 0; i < group->tests.conflicts.count; i++)
        if (conflict_takes(group, group->tests.conflicts.item[i], other))
            return;
    Arena *arena = group->scope->kernel->arena;
    Conflict *conflict = ARENA_NEW(arena, Conflict);
    *conflict = (Conflict){.access = other->access, .group = other->group, .high = other->access->bytes};
    conflict->claimed = list_new(arena);
    if (other->group)
        conflict_anchor(conflict, group, other->member);
    conflict->same = form_same_place(group->root->address, conflict->access->address);
    list_add(&group->tests.conflicts, conflict);
}

/* May the member and the other change their order? Where only run time can tell, the other becomes a conflict, if all
 * may that the member has to pass: a group that is not joined keeps what it had. */
static bool settle(const Group *group, const Access *member, Other *other, List *perhaps)
{
    if (other->instruction == member->instruction)
        return true;
    Distance distance = distance_of(group->scope, member, other->access);
    if (distance == PERHAPS)
        list_add(perhaps, other);
    return distance != TOGETHER; /* a test would never pass */
}

static bool conflicts_add(Group *group, const List *others)
{
    for (size_t i = 0; i < others->count; i++)
        conflict_add(group, others->item[i]);
    return true;
}

/* Stores move down over all that follows them. */
static bool stores_settle(Group *group)
{
    List perhaps = list_new(group->scope->kernel->arena);
    for (; group->search.settled < group->search.between.count; group->search.settled++) {
        Other *other = group->search.between.item[group->search.settled];
        for (size_t i = 0; i < group->members.count; i++) {
            Member *member = member_at(group, i);
            if (member->position < other->position && !settle(group, member->access, other, &perhaps))
                return false;
        }
    }
    return conflicts_add(group, &perhaps);
}

/* How many of the other's group stand before this one. */
static size_t count_before(const Group *group, const Other *other)
{
    size_t count = 0;
    while (member_at(other->group, count)->position < member_first(group))
        count++;
    return count;
}

/* Stores from before the group move down to the other, and so over where the load moves up to:
 *
 *     p[i].a = x; u = p[i].b; p[i].c = y; v = p[i].a       v may not be read where u is, if x is written where y is */
static bool earlier_settle(const Group *group, const Access *access, Other *other, List *perhaps)
{
    size_t before = other->group ? count_before(group, other) : 0;
    bool apart = true;
    if (before && member_at(other->group, before) != other->member)
        return true; /* asked of the first that stands between */
    for (size_t i = 0; i < before; i++) {
        Distance distance = distance_of(group->scope, access, member_at(other->group, i)->access);
        if (distance == TOGETHER)
            return false;
        apart &= distance == APART;
    }
    if (!apart)
        list_add(perhaps, other); /* a test of all of its group */
    return true;
}

/* Loads move up over what was written since the first member. */
static bool load_settles(Group *group, const Access *access)
{
    List perhaps = list_new(group->scope->kernel->arena);
    for (size_t i = 0; i < group->search.between.count; i++) {
        Other *other = group->search.between.item[i];
        bool is_store = other->access->op == OP_STORE;
        if (is_store && !(settle(group, access, other, &perhaps) && earlier_settle(group, access, other, &perhaps)))
            return false;
    }
    return conflicts_add(group, &perhaps);
}

int64_t group_offset(const Group *group, const Access *access) { return distance_between(group->root, access); }

/* Which of two stores wins depends on the conditions that they are under. */
static bool is_contested(const Group *group, const Access *access, LLVMBasicBlockRef under)
{
    int64_t offset = group_offset(group, access);
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        if (member->under != under && offset < member->offset + member->access->bytes && member->offset < offset + access->bytes)
            return true;
    }
    return false;
}

/* The load moves up over atomics. */
static bool may_pass_atomics(const Group *group, const Access *access)
{
    for (size_t i = 0; i < group->search.atomics.count; i++)
        if (!order_lets_pass(group->scope, group->search.atomics.item[i], access->instruction))
            return false;
    return true;
}

static bool may_join(Group *group, const Access *access, LLVMBasicBlockRef under)
{
    bool crosses = group->barriers.count > 0;
    if (!may_pass_atomics(group, access) || (crosses && (group->follows.count || !may_cross(group, access))) ||
        is_contested(group, access, under))
        return false;
    return access->op == OP_LOAD ? load_settles(group, access) : stores_settle(group);
}

/* ---- groups ---- */

typedef struct {
    Scope *scope;
    List open;     /* of Group */
    List *done;
    bool along;    /* a chain */
    bool chosen;   /* all of it under one condition */
    bool beside;   /* what comes now stays where it is; loads of what is chosen may move all the same, but for */
    const Map *stay; /* those */
    Alone *alone;  /* NULL: along a chain, where that was told before */
    LLVMBasicBlockRef under; /* the condition of what comes now */
} Grouping;

static int64_t chunk_of(const Access *access)
{
    if (!access->record || access->record->bytes <= LONGEST_CHUNK)
        return 0;
    return (access->address->constant - access->record->offset) / CHUNK_BYTES;
}

bool access_is_beside(const Access *access, const Access *other)
{
    return access->op == other->op && access->record && access->record == other->record && chunk_of(access) == chunk_of(other);
}

const char *group_hint(const Group *group)
{
    const char *hint = access_hint(group->root->instruction);
    for (size_t i = 0; i < group->members.count; i++)
        hint = hint_of_both(hint, access_hint(member_at(group, i)->access->instruction));
    return hint;
}

static Group *group_open(Grouping *grouping, const Access *access)
{
    Arena *arena = access->scope->kernel->arena;
    Group *group = ARENA_NEW(arena, Group);
    group->scope = grouping->scope;
    group->op = access->op;
    group->block = LLVMGetInstructionParent(access->instruction);
    group->root = access;
    group->along = grouping->along;
    group->chosen = grouping->chosen;
    group->choice.moves = access->kind == CLASS_UNIFORM ? MOVES_ALIKE : MOVES_EXCHANGED;
    group->members = list_new(arena);
    group->search.between = list_new(arena);
    group->search.atomics = list_new(arena);
    group->follows = list_new(arena);
    group->barriers = list_new(arena);
    group->tests.conflicts = list_new(arena);
    list_add(&grouping->open, group);
    list_add(grouping->done, group);
    return group;
}

Member member_of(const Group *group, const Access *access, int position)
{
    int64_t proved, offset = group_offset(group, access);
    bool is_proved = access_distance(group->scope, group->root, access, &proved) && proved == offset;
    return (Member){.access = access, .offset = offset, .position = position, .tested = !is_proved};
}

/* Where an access is not made, its address may mean nothing. */
static bool is_made_by_some(const Group *group, const Member *member)
{
    return member->under || (group->members.count && member_at(group, 0)->under);
}

static Member *member_add(const Grouping *grouping, Group *group, const Access *access, int position)
{
    Member *member = ARENA_NEW(access->scope->kernel->arena, Member);
    *member = member_of(group, access, position);
    member->under = grouping->under;
    member->tested |= !group->chosen && is_made_by_some(group, member) && access != group->root;
    group->tests.generic |= space_proved(group->scope, access->pointer) == SPACE_GENERIC;
    if (!group->members.count || member->offset < group->low)
        group->low = member->offset;
    if (!group->members.count || member->offset + access->bytes > group->high)
        group->high = member->offset + access->bytes;
    list_add(&group->members, member);
    return member;
}

/* The member's index, counted from that of `base`; 0 where that is not all that differs. */
static int64_t steps_of(const Group *group, const Member *base, const Member *member, LLVMValueRef *index)
{
    int64_t steps;
    LLVMValueRef found;
    if (!member->tested || member == base ||
        !access_steps(group->scope, base->access, member->access, member->offset - base->offset, &found, &steps))
        return 0;
    if (!*index)
        *index = found;
    return found == *index ? steps : 0;
}

/* An index of which one value is a number of steps from another, neither wrapped, has not wrapped in between: the first
 * and the last of them are tested. */
static void test_ends_from(Group *group, const Member *base)
{
    size_t count = group_places(group);
    int64_t low = 0, high = 0, *steps = ARENA_ARRAY(group->scope->kernel->arena, int64_t, count);
    LLVMValueRef index = NULL;
    for (size_t i = 0; i < count; i++) {
        steps[i] = steps_of(group, base, group_place(group, i), &index);
        low = steps[i] < low ? steps[i] : low;
        high = steps[i] > high ? steps[i] : high;
    }
    for (size_t i = 0; i < count; i++)
        group_place(group, i)->tested &= steps[i] == 0 || steps[i] == low || steps[i] == high;
}

/* Counted from the root, and, where that has an index of another kind, from the first that is tested. */
static void test_ends(Group *group)
{
    test_ends_from(group, member_at(group, 0));
    for (size_t i = 0; i < group_places(group); i++)
        if (group_place(group, i)->tested) {
            test_ends_from(group, group_place(group, i));
            return;
        }
}

static void group_close(Grouping *grouping, size_t i) { grouping->open.item[i] = grouping->open.item[--grouping->open.count]; }

/* What an access has become: a member, or one that is given what a member stores. */
typedef struct {
    Group *group; /* NULL where it is neither */
    Member *member;
    Met met;
} Joined;

static Joined group_new(Grouping *grouping, const Access *access, int position)
{
    Group *group = group_open(grouping, access);
    return (Joined){group, member_add(grouping, group, access, position), {position, MET_FIRST, NOWHERE, NOWHERE}};
}

static Joined follow_any(const Grouping *grouping, const Access *access, int position)
{
    bool is_off = feature_is_off(&access->scope->kernel->options, FEATURE_FORWARDING);
    for (size_t i = 0; i < grouping->open.count && !is_off; i++) {
        Group *group = grouping->open.item[i];
        Follow *follow = follow_add(group, access, position);
        if (follow)
            return (Joined){group, &follow->load, {position, MET_FIRST, follow->store->position, follow->store->position}};
    }
    return (Joined){0};
}

static void met_touch(Met *met, int position)
{
    met->touched = met->touched == NOWHERE || position < met->touched ? position : met->touched;
    met->touched_last = position > met->touched_last ? position : met->touched_last;
}

/* What stands behind the group's last member and touches that, or what was to join it. */
static void met_touches(const Group *group, const Access *access, Met *met)
{
    const Member *last = member_at(group, group->members.count - 1);
    for (size_t i = 0; i < group->search.between.count; i++) {
        const Other *other = group->search.between.item[i];
        bool touches = distance_of(group->scope, last->access, other->access) == TOGETHER ||
                       distance_of(group->scope, access, other->access) == TOGETHER;
        if (other->position > last->position && touches)
            met_touch(met, other->position);
    }
    for (size_t i = 0; i < group->follows.count; i++) {
        const Follow *follow = group->follows.item[i];
        if (follow->load.position > last->position)
            met_touch(met, follow->load.position);
    }
}

static Joined group_join(Grouping *grouping, const Access *access, int position)
{
    for (size_t i = 0; i < grouping->open.count; i++) {
        Group *group = grouping->open.item[i];
        if (!access_is_beside(group->root, access))
            continue;
        Joined joined = follow_any(grouping, access, position);
        if (joined.group)
            return joined;
        if (may_join(group, access, grouping->under)) {
            group->crosses |= group->barriers.count > 0;
            return (Joined){group, member_add(grouping, group, access, position), {position, MET_JOINED, NOWHERE, NOWHERE}};
        }
        group_close(grouping, i);
        joined = group_new(grouping, access, position);
        joined.met.how = MET_REFUSED;
        met_touches(group, access, &joined.met);
        return joined;
    }
    return group_new(grouping, access, position);
}

/* The access stands between the members of every group that is open, but its own; loads may pass loads. */
static void stand_between(Grouping *grouping, const Access *access, Joined joined, int position)
{
    Other *other = NULL;
    for (size_t i = grouping->open.count; i-- > 0;) {
        Group *group = grouping->open.item[i];
        if (group == joined.group || (group->op == OP_LOAD && access->op == OP_LOAD))
            continue;
        if (group->search.between.count == MOST_BETWEEN) {
            group_close(grouping, i);
            continue;
        }
        if (!other) {
            other = ARENA_NEW(access->scope->kernel->arena, Other);
            *other = (Other){access, joined.group, joined.member, access->instruction, position};
        }
        list_add(&group->search.between, other);
    }
}

static bool is_candidate(const Grouping *grouping, const Access *access)
{
    bool may_wait = LLVMIsAStoreInst(access->instruction) || (grouping->chosen && !LLVMIsAMemSetInst(access->instruction));
    bool may_move = !grouping->beside ||
                    (grouping->chosen && LLVMIsALoadInst(access->instruction) && !map_get(grouping->stay, access->instruction));
    return may_move && can_be_grouped(access) && (!grouping->along || may_wait);
}

/* One that is not simple joins nothing, nor does anything move over it. */
static void group_access(Grouping *grouping, Access *access, int position)
{
    Joined joined = {.met = {position, MET_FIRST, NOWHERE, NOWHERE}};
    bool simple = is_simple(access->instruction);
    if (simple && is_candidate(grouping, access))
        joined = group_join(grouping, access, position);
    if (simple)
        stand_between(grouping, access, joined, position);
    if (grouping->alone)
        alone_note(grouping->alone, access, &joined.met);
}

static void obstacle_pass(const Grouping *grouping, int position, Why why)
{
    if (grouping->alone)
        alone_obstacle(grouping->alone, position, why);
}

/* What stands in order with other accesses ends the groups that are open, or only those of stores. */
static void groups_order(Grouping *grouping, LLVMValueRef instruction)
{
    bool one_place = order_is_of_one_place(instruction);
    for (size_t i = grouping->open.count; i-- > 0;) {
        Group *group = grouping->open.item[i];
        if (one_place && group->op == OP_LOAD)
            list_add(&group->search.atomics, instruction);
        else
            group_close(grouping, i);
    }
}

static void group_instruction(Grouping *grouping, LLVMValueRef instruction, int position)
{
    const List *accesses = map_get(grouping->scope->accesses, instruction);
    if (is_block_barrier(instruction) && !grouping->along) {
        for (size_t i = 0; i < grouping->open.count; i++)
            list_add(&((Group *)grouping->open.item[i])->barriers, instruction);
        obstacle_pass(grouping, position, WHY_BARRIER);
        return;
    }
    for (size_t i = 0; accesses && i < accesses->count; i++)
        group_access(grouping, accesses->item[i], position);
    if ((!accesses || !is_simple(instruction)) && !is_harmless(instruction)) {
        groups_order(grouping, instruction);
        obstacle_pass(grouping, position, WHY_ORDERED);
    }
}

static Map *accesses_by_instruction(Scope *scope)
{
    Kernel *kernel = scope->kernel;
    Map *map = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        if (access->scope == scope)
            map_add(map, access->instruction, access);
    }
    return map;
}

List group_collect(Scope *scope)
{
    Arena *arena = scope->kernel->arena;
    List done = list_new(arena);
    Alone alone = alone_open(arena);
    Grouping grouping = {.scope = scope, .open = list_new(arena), .done = &done, .alone = &alone};
    scope->accesses = accesses_by_instruction(scope);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        int position = 0;
        grouping.open.count = 0;
        alone_begin_block(&alone);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            group_instruction(&grouping, i, position++);
    }
    for (size_t i = 0; i < done.count; i++) {
        follows_end(done.item[i]);
        test_ends(done.item[i]);
    }
    return done;
}

/* The block under a condition ends: its members go down to there, as far as they may; a group that something has ended before may not. */
static void under_end(const Grouping *grouping)
{
    for (size_t i = 0; i < grouping->done->count; i++) {
        Group *group = grouping->done->item[i];
        bool is_here = group->op == OP_STORE && member_at(group, group->members.count - 1)->under == grouping->under;
        if (is_here)
            group->search.broken |= !list_has(&grouping->open, group) || !stores_settle(group);
    }
}

static void collect_links(Grouping *grouping, const List *links)
{
    int position = 0;
    for (size_t l = 0; l < links->count; l++) {
        const Link *link = links->item[l];
        grouping->under = link->role == LINK_UNDER ? link->block : NULL;
        grouping->beside = link->role == LINK_BESIDE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(link->block); i; i = LLVMGetNextInstruction(i))
            group_instruction(grouping, i, position++);
        if (grouping->under)
            under_end(grouping);
    }
}

List group_collect_along(Scope *scope, const List *links)
{
    Arena *arena = scope->kernel->arena;
    List done = list_new(arena);
    Grouping grouping = {.scope = scope, .open = list_new(arena), .done = &done, .along = true};
    collect_links(&grouping, links);
    return done;
}

/* All of it is under one condition, and stores go down to where that ends. */
static List collect_under(Scope *scope, const List *links, const Map *stay)
{
    Arena *arena = scope->kernel->arena;
    int position = 0;
    List done = list_new(arena);
    Grouping grouping = {.scope = scope, .open = list_new(arena), .done = &done, .along = true, .chosen = true, .stay = stay};
    grouping.under = ((const Link *)links->item[links->count - 1])->block;
    for (size_t l = 0; l < links->count; l++) {
        const Link *link = links->item[l];
        grouping.beside = link->role == LINK_BESIDE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(link->block); i; i = LLVMGetNextInstruction(i))
            group_instruction(&grouping, i, position++);
    }
    under_end(&grouping);
    return done;
}

static bool is_beside(const List *links, const Member *member)
{
    for (size_t l = 0; l < links->count; l++) {
        const Link *link = links->item[l];
        if (link->block == LLVMGetInstructionParent(member->access->instruction))
            return link->role == LINK_BESIDE;
    }
    return false;
}

/* A load that some of the threads make which come there may be made by all of them where it lies between bytes that all of them load:
 * those are in memory, and so is what lies between them. Notes the others of the group; true where there are such. */
static bool note_outside(const Group *group, const List *links, Map *stay)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool any = false;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        if (is_beside(links, member))
            continue;
        low = member->offset < low ? member->offset : low;
        high = member->offset + member->access->bytes > high ? member->offset + member->access->bytes : high;
    }
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        bool is_outside = member->offset < low || member->offset + member->access->bytes > high;
        if (!is_outside || !is_beside(links, member))
            continue;
        map_put(stay, member->access->instruction, (void *)member->access);
        any = true;
    }
    return any;
}

List group_collect_under(Scope *scope, const List *links)
{
    Map *stay = map_new(scope->kernel->arena);
    List groups;
    bool again;
    do {
        again = false;
        groups = collect_under(scope, links, stay);
        for (size_t i = 0; i < groups.count; i++)
            again |= note_outside(groups.item[i], links, stay);
    } while (again);
    for (size_t i = 0; i < groups.count; i++)
        test_ends(groups.item[i]);
    return groups;
}
