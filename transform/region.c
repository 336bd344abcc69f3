/* Two versions of a stretch of code, and the tests that choose between them.
 *
 *     head:  ...                                   head:  ...
 *            x = p[0]; y = p[1]                           all 32 lanes here? ----------- no ---> slow
 *            ...                         ->        test:  all lanes pass the tests? ---- no ---> slow
 *            q[0] = x; q[1] = y                    fast:  exchange loads; ...; exchange stores; to tail
 *            ...                                   slow:  the original; to tail
 *                                                  tail:  ...
 *
 * Every lane of the warp takes the same side, so the exchanges may name all lanes. */
#include "exchange.h"

/* A version with exchanges. */
typedef struct {
    LLVMBasicBlockRef block; /* NULL where the original itself is rewritten */
    LayoutKind kind;
    Map *value;              /* instruction of the original -> its value here */
    Map *copied;             /* memcpy -> List of Word: what it read, offsets from its source */
    List erased;             /* of LLVMValueRef: members' twins here, no longer needed */
} Fast;

typedef struct {
    const Region *region;
    Emit emit;
    LLVMBasicBlockRef head, slow, tail; /* NULL where there is one version alone */
    Fast version[LAYOUTS];
    int versions;
    Fast *fast; /* the one being made */
} Split;

/* Through which the access goes now: a region before this one may have replaced what the analysis saw. */
static LLVMValueRef pointer_of(const Access *access)
{
    bool second = LLVMIsAStoreInst(access->instruction) || (access->partner && access->op == OP_LOAD);
    return LLVMGetOperand(access->instruction, second ? 1 : 0);
}

static LLVMValueRef root_of(const Group *group) { return pointer_of(group->root); }

static LLVMValueRef in_fast(const Split *split, LLVMValueRef value)
{
    LLVMValueRef twin = map_get(split->fast->value, value);
    return twin ? twin : value;
}

/* ---- the two versions ---- */

/* Moves a pure computation before the region's first instruction. */
static void hoist(const Region *region, LLVMBasicBlockRef block, LLVMBuilderRef builder, LLVMValueRef value, Map *inside)
{
    if (!map_get(inside, value) || LLVMGetInstructionParent(value) != block)
        return;
    map_put(inside, value, NULL);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        hoist(region, block, builder, LLVMGetOperand(value, (unsigned)i), inside);
    LLVMInstructionRemoveFromParent(value);
    LLVMPositionBuilderBefore(builder, region->first);
    LLVMInsertIntoBuilder(builder, value);
}

static void hoist_addresses(const Region *region, LLVMBuilderRef builder)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(region->first);
    Map *inside = map_new(region->arena);
    for (LLVMValueRef i = region->first; i != region->last; i = LLVMGetNextInstruction(i))
        map_put(inside, i, i);
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        for (size_t j = 0; j < group->members.count; j++)
            if (j == 0 || member_at(group, j)->tested)
                hoist(region, block, builder, pointer_of(member_at(group, j)->access), inside);
        for (size_t j = 0; j < group->conflicts.count; j++)
            hoist(region, block, builder, pointer_of(((const Conflict *)group->conflicts.item[j])->access), inside);
    }
}

static void make_twins(Split *split)
{
    LLVMBuilderRef builder = split->emit.builder;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->slow);
    split->fast->block = LLVMInsertBasicBlockInContext(split->emit.context, split->slow, "");
    LLVMPositionBuilderAtEnd(builder, split->fast->block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->slow); i != end; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef twin = LLVMInstructionClone(i);
        for (int j = 0; j < LLVMGetNumOperands(twin); j++)
            LLVMSetOperand(twin, (unsigned)j, in_fast(split, LLVMGetOperand(twin, (unsigned)j)));
        LLVMInsertIntoBuilder(builder, twin);
        map_put(split->fast->value, i, twin);
    }
    LLVMBuildBr(builder, split->tail);
}

static void move_before(LLVMBuilderRef builder, LLVMValueRef instruction, LLVMValueRef place)
{
    LLVMInstructionRemoveFromParent(instruction);
    LLVMPositionBuilderBefore(builder, place);
    LLVMInsertIntoBuilder(builder, instruction);
}

/* Loads go up behind the first, stores down before the last. */
static void gather_members(const Region *region, LLVMBuilderRef builder)
{
    const Group *group = region->groups.item[0];
    Map *inside = map_new(region->arena);
    for (LLVMValueRef i = region->first; i != region->last; i = LLVMGetNextInstruction(i))
        map_put(inside, i, i);
    if (group->op == OP_STORE) {
        for (size_t i = 0; i + 1 < group->members.count; i++)
            move_before(builder, member_at(group, i)->access->instruction, region->last);
        return;
    }
    for (size_t i = 1; i < group->members.count; i++) {
        const Access *access = member_at(group, i)->access;
        hoist(region, group->block, builder, pointer_of(access), inside);
        LLVMValueRef place = LLVMGetNextInstruction(member_at(group, i - 1)->access->instruction);
        if (place != access->instruction)
            move_before(builder, access->instruction, place);
    }
}

/* Every thread moves its own bytes, as it did: there is nothing to test and one version will do. */
static bool is_unconditional(const Region *region)
{
    for (size_t i = 0; i < region->groups.count; i++)
        if (!((const Group *)region->groups.item[i])->widens)
            return false;
    return true;
}

static LLVMValueRef member_of(const Region *region, bool last)
{
    const Group *group = region->groups.item[0];
    return member_at(group, last ? group->members.count - 1 : 0)->access->instruction;
}

/* Where the members have moved together, the region is no longer than they are. */
static LLVMValueRef first_of(const Region *region) { return region->gathers ? member_of(region, false) : region->first; }
static LLVMValueRef last_of(const Region *region) { return region->gathers ? member_of(region, true) : region->last; }

static void version_open(Split *split, LayoutKind kind)
{
    Arena *arena = split->region->arena;
    split->fast = &split->version[split->versions++];
    *split->fast = (Fast){NULL, kind, map_new(arena), map_new(arena), list_new(arena)};
    if (split->slow)
        make_twins(split);
}

static Split split_open(const Region *region)
{
    Split split = {.region = region, .emit = emit_open(region->arena, region->function)};
    hoist_addresses(region, split.emit.builder);
    if (region->gathers)
        gather_members(region, split.emit.builder);
    if (is_unconditional(region))
        return split;
    split.head = LLVMGetInstructionParent(first_of(region));
    split.tail = ir_split_before(LLVMGetNextInstruction(last_of(region)));
    split.slow = ir_split_before(first_of(region));
    return split;
}

/* ---- tests ---- */

/* The thread's bytes of the group and of the other access have none in common. */
static LLVMValueRef is_apart(Emit *emit, const Group *group, const Conflict *conflict)
{
    const Group *all = conflict->group;
    LLVMValueRef root = emit_address(emit, root_of(group));
    LLVMValueRef from = emit_address(emit, pointer_of(conflict->access));
    LLVMValueRef low = emit_binary(emit, LLVMAdd, root, group->low), high = emit_binary(emit, LLVMAdd, root, group->high);
    LLVMValueRef end = emit_binary(emit, LLVMAdd, from, all ? all->high : conflict->high);
    LLVMValueRef start = emit_binary(emit, LLVMAdd, from, all ? all->low : conflict->low);
    LLVMValueRef below = LLVMBuildICmp(emit->builder, LLVMIntULE, end, low, "");
    LLVMValueRef above = LLVMBuildICmp(emit->builder, LLVMIntUGE, start, high, "");
    return LLVMBuildOr(emit->builder, below, above, "");
}

static LLVMValueRef is_at_offset(Emit *emit, const Group *group, const Member *member)
{
    LLVMValueRef root = emit_address(emit, root_of(group)), address = emit_address(emit, pointer_of(member->access));
    LLVMValueRef expected = emit_binary(emit, LLVMAdd, root, member->offset);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, address, expected, "");
}

static void group_tests(Emit *emit, const Group *group, List *tests)
{
    exchange_tests(emit, group, root_of(group), tests);
    for (size_t i = 0; i < group->members.count; i++)
        if (member_at(group, i)->tested)
            list_add(tests, is_at_offset(emit, group, member_at(group, i)));
    for (size_t i = 0; i < group->conflicts.count; i++)
        list_add(tests, is_apart(emit, group, group->conflicts.item[i]));
}

/* The fast side is the likely one: the branch says so. */
static void branch(Split *split, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    static const char name[] = "prof";
    Emit *emit = &split->emit;
    enum { LIKELY = 2000, UNLIKELY = 1 };
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(emit->context, "branch_weights", 14),
                               LLVMValueAsMetadata(emit_int(emit, LIKELY)), LLVMValueAsMetadata(emit_int(emit, UNLIKELY))};
    LLVMValueRef jump = LLVMBuildCondBr(emit->builder, condition, yes, no);
    LLVMSetMetadata(jump, LLVMGetMDKindIDInContext(emit->context, name, sizeof name - 1),
                    LLVMMetadataAsValue(emit->context, LLVMMDNodeInContext2(emit->context, parts, 3)));
}

static LLVMValueRef all_of(Emit *emit, const List *tests)
{
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < tests->count; i++)
        all = all ? LLVMBuildAnd(emit->builder, all, tests->item[i], "") : tests->item[i];
    return all;
}

/* Builds in a new block, before the versions, which `condition` leads to; else to slow. */
static void go_on_if(Split *split, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
    branch(split, condition, next, split->slow);
    LLVMPositionBuilderAtEnd(emit->builder, next);
}

static void tests_of_region(Split *split, List *tests, List *likely)
{
    Emit *emit = &split->emit;
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        group_tests(emit, group, tests);
        exchange_likely(emit, group, root_of(group), likely);
    }
}

static bool is_likely_tested(const Region *region)
{
    for (size_t i = 0; i < region->groups.count; i++)
        if (layout_is_tested(region->groups.item[i]))
            return true;
    return false;
}

/* Replaces the head's way into slow by the choice of a version. */
static void choose(Split *split)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena), likely = list_new(emit->arena);
    LLVMValueRef old = LLVMGetBasicBlockTerminator(split->head);
    emit_before(emit, first_of(split->region));
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    version_open(split, LAYOUT_LIKELY);
    if (is_likely_tested(split->region))
        version_open(split, LAYOUT_SURE);
    LLVMPositionBuilderBefore(emit->builder, old);
    LLVMSetCurrentDebugLocation2(emit->builder, location);
    emit_lane(emit); /* where every version sees it */
    go_on_if(split, emit_full_warp(emit));
    LLVMInstructionEraseFromParent(old);
    tests_of_region(split, &tests, &likely);
    if (tests.count)
        go_on_if(split, emit_all(emit, all_of(emit, &tests)));
    if (split->versions > 1)
        branch(split, emit_all(emit, all_of(emit, &likely)), split->version[0].block, split->version[1].block);
    else
        LLVMBuildBr(emit->builder, split->version[0].block);
}

/* ---- members ---- */

/* Widest access at this distance from the start that the alignment allows and that stays inside. */
static int piece_bytes(const Access *access, int64_t at, int widest)
{
    int64_t limit = (at | access->alignment) & -(at | access->alignment), left = access->bytes - at;
    int piece = limit > widest ? widest : (int)limit;
    while (piece > left)
        piece /= 2;
    return piece;
}

/* Checks a member's bytes in memory against what the exchange moved, in pieces that its alignment allows. */
static void verify(Split *split, const Member *member, LLVMValueRef pointer, const List *contents)
{
    Emit *emit = &split->emit;
    const Access *access = member->access;
    Location location = location_of(access->scope, access->instruction);
    LLVMValueRef same = NULL;
    for (int64_t at = 0, piece; at < access->bytes; at += piece) {
        piece = piece_bytes(access, at, WORD);
        Unit wanted = words_unit(emit, contents, member->offset + at, (int)piece);
        LLVMValueRef from = emit_advance(emit, pointer, LLVMConstInt(emit->i64, (unsigned long long)at, false));
        Unit found = emit_load(emit, from, (int)piece);
        LLVMValueRef equal = LLVMBuildICmp(emit->builder, LLVMIntEQ, wanted.word[0], found.word[0], "");
        same = same ? LLVMBuildAnd(emit->builder, same, equal, "") : equal;
    }
    emit_check(emit, same, location.line ? location.file : "", location.line);
}

static void verify_all(Split *split, const Group *group, const List *contents)
{
    for (size_t i = 0; split->region->verified && i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        LLVMValueRef distance = LLVMConstInt(split->emit.i64, (unsigned long long)member->offset, true);
        verify(split, member, emit_advance(&split->emit, root_of(group), distance), contents);
    }
}

static List contents_of_words(Arena *arena, const Group *group, const List *words)
{
    List contents = list_new(arena);
    Content *all = ARENA_NEW(arena, Content);
    *all = (Content){group->low, (int)(group->high - group->low), NULL, words};
    list_add(&contents, all);
    return contents;
}

static List *words_moved(Arena *arena, const List *words, int64_t by)
{
    List *moved = ARENA_NEW(arena, List);
    *moved = list_new(arena);
    for (size_t i = 0; i < words->count; i++) {
        Word *word = ARENA_NEW(arena, Word);
        *word = *(const Word *)words->item[i];
        word->offset += by;
        list_add(moved, word);
    }
    return moved;
}

/* ---- copies of which the warp moves one side alone: the thread moves the other as it did ---- */

/* Reads what a copy reads before the instruction, through the pointer. */
static List *read_directly(Emit *emit, const Access *source, LLVMValueRef pointer, LLVMValueRef before)
{
    List *words = ARENA_NEW(emit->arena, List);
    *words = list_new(emit->arena);
    emit_before(emit, before);
    for (int64_t at = 0, piece; at < source->bytes; at += piece) {
        piece = piece_bytes(source, at, UNIT_WORDS * WORD);
        LLVMValueRef distance = LLVMConstInt(emit->i64, (unsigned long long)at, false);
        Unit unit = emit_load(emit, emit_advance(emit, pointer, distance), (int)piece);
        words_add(words, emit->arena, at, (int)piece, &unit);
    }
    return words;
}

static void write_directly(Emit *emit, const Access *target, LLVMValueRef pointer, LLVMValueRef before, const List *words)
{
    List contents = list_new(emit->arena);
    Content all = {0, target->bytes, NULL, words};
    list_add(&contents, &all);
    emit_before(emit, before);
    for (int64_t at = 0, piece; at < target->bytes; at += piece) {
        piece = piece_bytes(target, at, UNIT_WORDS * WORD);
        LLVMValueRef distance = LLVMConstInt(emit->i64, (unsigned long long)at, false);
        Unit unit = words_unit(emit, &contents, at, (int)piece);
        emit_store(emit, emit_advance(emit, pointer, distance), &unit, (int)piece);
    }
}

/* The original reads and writes by turns where the backend expands a copy: loads first are as exact, and faster. */
static void unfold_slow(Split *split)
{
    const List *groups = &split->region->groups;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        for (size_t j = 0; group->op == OP_STORE && j < group->members.count; j++) {
            const Access *target = member_at(group, j)->access;
            if (!target->partner)
                continue;
            const List *words = read_directly(&split->emit, target->partner, pointer_of(target->partner), target->instruction);
            write_directly(&split->emit, target, pointer_of(target), target->instruction, words);
            LLVMInstructionEraseFromParent(target->instruction);
        }
    }
}

static bool is_stored_by_group(const Split *split, LLVMValueRef instruction)
{
    const List *groups = &split->region->groups;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        for (size_t j = 0; group->op == OP_STORE && j < group->members.count; j++)
            if (member_at(group, j)->access->instruction == instruction)
                return true;
    }
    return false;
}

/* What the member's instruction gave is now taken from the words. */
static void member_take(Split *split, const Member *member, const List *words)
{
    LLVMValueRef instruction = member->access->instruction, twin = in_fast(split, instruction);
    if (LLVMIsALoadInst(instruction)) {
        LLVMValueRef value = words_value(&split->emit, words, member->offset, LLVMTypeOf(instruction));
        LLVMReplaceAllUsesWith(twin, value);
        map_put(split->fast->value, instruction, value);
        list_add(&split->fast->erased, twin);
        return;
    }
    List *rebased = words_moved(split->emit.arena, words, -member->offset);
    if (is_stored_by_group(split, instruction)) {
        map_put(split->fast->copied, instruction, rebased);
        return;
    }
    const Access *target = member->access->partner;
    write_directly(&split->emit, target, in_fast(split, pointer_of(target)), twin, rebased);
    list_add(&split->fast->erased, twin);
}

/* Is a load's value used by anything but the stores of this group? */
static bool is_used_beyond(const Group *load, const Group *store)
{
    for (size_t i = 0; i < load->members.count; i++) {
        LLVMValueRef instruction = member_at(load, i)->access->instruction;
        for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
            bool stored = false;
            for (size_t j = 0; j < store->members.count; j++)
                stored |= member_at(store, j)->access->instruction == LLVMGetUser(use);
            if (!stored)
                return true;
        }
    }
    return false;
}

static void values_dropped(Split *split, const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++) {
        LLVMValueRef twin = in_fast(split, member_at(group, i)->access->instruction);
        if (LLVMIsALoadInst(twin))
            list_add(&split->fast->erased, twin);
    }
}

static Units units_copy(Arena *arena, const Layout *layout, const Units *units)
{
    Units copy = *units;
    for (int i = 0; i < layout->parts; i++) {
        copy.unit[i] = ARENA_ARRAY(arena, Unit, (size_t)layout->part[i].count);
        for (int k = 0; k < layout->part[i].count; k++)
            copy.unit[i][k] = units->unit[i][k];
    }
    return copy;
}

/* A copy's units go on as they came (`raw`), and no lane need own its record unless it is used besides. */
static void load_group(Split *split, const Group *group, const Group *store, Units *raw)
{
    Emit *emit = &split->emit;
    const Layout *layout = &group->layout[split->fast->kind];
    List words = list_new(emit->arena);
    emit_before(emit, in_fast(split, member_at(group, 0)->access->instruction));
    Units units = exchange_load(emit, group, root_of(group), split->fast->kind);
    if (store) {
        *raw = units_copy(emit->arena, layout, &units);
        if (!split->region->verified && !is_used_beyond(group, store)) {
            values_dropped(split, group);
            exchange_loaded(emit, layout);
            return;
        }
    }
    exchange_gather(emit, layout, &units, &words);
    exchange_loaded(emit, layout);
    List contents = contents_of_words(emit->arena, group, &words);
    verify_all(split, group, &contents);
    for (size_t i = 0; i < group->members.count; i++)
        member_take(split, member_at(group, i), &words);
}

static List contents_of_members(Split *split, const Group *group)
{
    List contents = list_new(split->emit.arena);
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        LLVMValueRef instruction = member->access->instruction;
        Content *content = ARENA_NEW(split->emit.arena, Content);
        *content = (Content){member->offset, member->access->bytes, NULL, NULL};
        if (LLVMIsAStoreInst(instruction)) {
            content->value = LLVMGetOperand(in_fast(split, instruction), 0);
        } else {
            const List *words = map_get(split->fast->copied, instruction);
            if (!words)
                words = read_directly(&split->emit, member->access->partner,
                                      in_fast(split, pointer_of(member->access->partner)), in_fast(split, instruction));
            content->words = words_moved(split->emit.arena, words, member->offset);
        }
        list_add(&contents, content);
    }
    return contents;
}

static void store_group(Split *split, const Group *group, const Units *raw)
{
    Emit *emit = &split->emit;
    const Member *last = member_at(group, group->members.count - 1);
    List contents = list_new(emit->arena);
    if (!raw || split->region->verified)
        contents = contents_of_members(split, group);
    emit_before(emit, in_fast(split, last->access->instruction));
    Units units = raw ? *raw : exchange_scatter(emit, &group->layout[split->fast->kind], &contents);
    exchange_store(emit, group, root_of(group), split->fast->kind, &units);
    verify_all(split, group, &contents);
    for (size_t i = 0; i < group->members.count; i++)
        list_add(&split->fast->erased, in_fast(split, member_at(group, i)->access->instruction));
}

/* The store group that does nothing but write what this one reads. */
static const Group *copied_by(const List *groups, size_t i)
{
    const Group *load = groups->item[i], *next = i + 1 < groups->count ? groups->item[i + 1] : NULL;
    bool copies = load->action == ACTION_COPY && next && next->action == ACTION_COPY && next->op == OP_STORE;
    return copies ? next : NULL;
}

/* Loads first: a store may take what they read. */
static void rewrite_groups(Split *split)
{
    const List *groups = &split->region->groups;
    Units *raw = ARENA_ARRAY(split->emit.arena, Units, groups->count + 1);
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == OP_LOAD)
            load_group(split, group, copied_by(groups, i), &raw[i + 1]);
    }
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == OP_STORE)
            store_group(split, group, raw[i].unit[0] ? &raw[i] : NULL);
    }
    for (size_t i = 0; i < split->fast->erased.count; i++) {
        LLVMValueRef twin = split->fast->erased.item[i];
        if (LLVMGetFirstUse(twin))
            LLVMReplaceAllUsesWith(twin, LLVMGetPoison(LLVMTypeOf(twin)));
        LLVMInstructionEraseFromParent(twin);
    }
}

/* ---- after both ---- */

static List users_beyond(const Split *split, LLVMValueRef instruction)
{
    List users = list_new(split->emit.arena);
    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != split->slow)
            list_add(&users, LLVMGetUser(use));
    return users;
}

static void use_in_tail(Split *split, LLVMValueRef instruction)
{
    List users = users_beyond(split, instruction);
    if (!users.count)
        return;
    LLVMPositionBuilderBefore(split->emit.builder, LLVMGetFirstInstruction(split->tail));
    LLVMValueRef phi = LLVMBuildPhi(split->emit.builder, LLVMTypeOf(instruction), "");
    for (size_t i = 0; i < users.count; i++)
        for (int j = 0; j < LLVMGetNumOperands(users.item[i]); j++)
            if (LLVMGetOperand(users.item[i], (unsigned)j) == instruction)
                LLVMSetOperand(users.item[i], (unsigned)j, phi);
    LLVMAddIncoming(phi, &instruction, &split->slow, 1);
    for (int i = 0; i < split->versions; i++) {
        split->fast = &split->version[i];
        LLVMValueRef value = in_fast(split, instruction);
        LLVMAddIncoming(phi, &value, &split->fast->block, 1);
    }
}

static void join(Split *split)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->slow);
    LLVMSetCurrentDebugLocation2(split->emit.builder, NULL);
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->slow); i != end; i = LLVMGetNextInstruction(i))
        use_in_tail(split, i);
}

void region_rewrite(const Region *region)
{
    Split split = split_open(region);
    if (split.slow)
        choose(&split);
    else
        version_open(&split, LAYOUT_LIKELY);
    for (int i = 0; i < split.versions; i++) {
        split.fast = &split.version[i];
        rewrite_groups(&split);
    }
    if (split.slow) {
        join(&split);
        unfold_slow(&split);
    }
    emit_close(&split.emit);
}
