/* Two versions of a stretch of code, and the tests that choose between them.
 *
 *     head:  ...                                   head:  ...
 *            x = p[0]; y = p[1]                           all 32 lanes here? ----------- no ---> slow
 *            ...                         ->        test:  all lanes pass the tests? ---- no ---> slow
 *            q[0] = x; q[1] = y                    fast:  exchange loads; ...; exchange stores; to tail
 *            ...                                   slow:  the original; to tail
 *                                                  tail:  ...
 *
 * Of a longer loop, slow is a way out: the loop that does the rest does all that is left (analysis/plan/way_out.c).
 * Along a chain of conditions (analysis/plan/conditional_records.c) the slow side has several blocks, and so has its copy, the fast side.
 * Every lane of the warp takes the same side, so the exchanges may name all lanes. Where lanes are missing as a rule, at the edge of a
 * grid, there is one more version, whose exchanges name those that are here (analysis/plan/partial_warp.c). */
#include "transform/records/early_addresses.h"
#include "transform/records/leave_loop.h"
#include "transform/records/make_shelf.h"
#include "transform/transform.h"

/* ---- the two versions ---- */

static void move_before(LLVMBuilderRef builder, LLVMValueRef instruction, LLVMValueRef place)
{
    LLVMInstructionRemoveFromParent(instruction);
    LLVMPositionBuilderBefore(builder, place);
    LLVMInsertIntoBuilder(builder, instruction);
}

static bool is_along(const Region *region) { return ((const Group *)region->groups.item[0])->along; }

static bool is_among(const void *inside, LLVMValueRef value) { return map_get(inside, value) != NULL; }

/* Moves a pure computation before the region's first instruction. */
static void hoist(const Region *region, LLVMBuilderRef builder, LLVMValueRef value, Map *inside)
{
    const List order = slice_order(region->arena, value, is_among, inside);
    for (size_t i = 0; i < order.count; i++) {
        map_put(inside, order.item[i], NULL);
        move_before(builder, order.item[i], region->first);
        if (is_along(region))
            ir_forget_promises(order.item[i]);
    }
}

/* The region's instructions but its last: what hoisting may move. */
static Map *inside_of(const Region *region)
{
    Map *inside = map_new(region->arena);
    size_t next = 0;
    for (LLVMValueRef i = region->first; i != region->last;) {
        map_put(inside, i, i);
        LLVMValueRef following = LLVMGetNextInstruction(i);
        i = following ? following : LLVMGetFirstInstruction(region->blocks.item[next++]);
    }
    return inside;
}

/* Hoists the pointer; along a chain, where it may be computed for nothing, it is frozen too. */
static void hoist_pointer(Split *split, const Access *access, Map *inside)
{
    LLVMValueRef pointer = pointer_in(access);
    LLVMBuilderRef builder = split->emit.builder;
    hoist(split->region, builder, pointer, inside);
    if (!is_along(split->region) || map_get(split->frozen, pointer))
        return;
    LLVMPositionBuilderBefore(builder, split->region->first);
    map_put(split->frozen, pointer, LLVMBuildFreeze(builder, pointer, ""));
}

/* Of Access: those whose pointers the tests ask for. */
static List accesses_tested(const Region *region)
{
    List accesses = list_new(region->arena);
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        for (size_t j = 0; j < group_places(group); j++)
            if (j == 0 || group_place(group, j)->tested)
                list_add(&accesses, (void *)group_place(group, j)->access);
        for (size_t j = 0; j < group->tests.conflicts.count; j++) {
            const Conflict *conflict = group->tests.conflicts.item[j];
            list_add(&accesses, (void *)conflict->access);
            for (size_t k = 0; k < conflict->claimed.count; k++)
                list_add(&accesses, (void *)((const Member *)conflict->claimed.item[k])->access);
        }
    }
    return accesses;
}

static void hoist_addresses(Split *split)
{
    const Region *region = split->region;
    if (region->gathers)
        return; /* loads' went along; stores' are known where the stores are now */
    const List accesses = accesses_tested(region);
    if (region->under)
        addresses_come(&split->emit, region, &accesses);
    Map *inside = inside_of(region);
    for (size_t i = 0; i < accesses.count; i++)
        hoist_pointer(split, accesses.item[i], inside);
}

static void make_twins(Split *split)
{
    LLVMBuilderRef builder = split->emit.builder;
    Twins *twins = &split->fast->twins;
    const List *blocks = &split->original;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks->item[blocks->count - 1]);
    for (size_t b = 0; b < blocks->count; b++) {
        LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(split->emit.context, split->slow, "");
        map_put(twins->block, blocks->item[b], block);
    }
    split->fast->block = block_in_fast(split, split->slow);
    for (size_t b = 0; b < blocks->count; b++) {
        LLVMPositionBuilderAtEnd(builder, block_in_fast(split, blocks->item[b]));
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->item[b]); i && i != end; i = LLVMGetNextInstruction(i))
            clone_make(twins, i);
    }
    split->fast->end = LLVMBuildBr(builder, split->tail);
    for (size_t b = 0; b < blocks->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->item[b]); i && i != end; i = LLVMGetNextInstruction(i))
            clone_link(twins, i);
}

static void gather_loads(const Region *region, const Group *group, LLVMBuilderRef builder)
{
    Map *inside = inside_of(region);
    for (size_t i = 1; i < group->members.count; i++) {
        const Access *access = member_at(group, i)->access;
        hoist(region, builder, pointer_in(access), inside);
        LLVMValueRef place = LLVMGetNextInstruction(member_at(group, i - 1)->access->instruction);
        if (place != access->instruction)
            move_before(builder, access->instruction, place);
    }
}

static void gather_stores(const Region *region, const Group *group, LLVMBuilderRef builder)
{
    for (size_t i = 0; i + 1 < group->members.count; i++)
        move_before(builder, member_at(group, i)->access->instruction, region->last);
}

void region_gather(const Region *region)
{
    const Group *group = region->groups.item[0];
    INVARIANT(region->gathers && region->groups.count == 1 && !group->tests.conflicts.count);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(region->function)));
    if (group->op == OP_LOAD)
        gather_loads(region, group, builder);
    else
        gather_stores(region, group, builder);
    LLVMDisposeBuilder(builder);
}

/* Every thread moves its own bytes, as it did: there is nothing to test and one version will do. */
static bool is_unconditional(const Region *region)
{
    for (size_t i = 0; i < region->groups.count; i++)
        if (((const Group *)region->groups.item[i])->choice.moves != MOVES_WIDENED)
            return false;
    return true;
}

static void version_open(Split *split, LayoutKind kind, bool shelved)
{
    Arena *arena = split->region->arena;
    split->fast = &split->version[split->versions++];
    *split->fast = (Fast){.kind = kind,
                          .shelved = shelved,
                          .twins = twins_open(arena, split->emit.builder),
                          .copied = map_new(arena)};
    if (split->slow)
        make_twins(split);
}

/* A region that ends under a condition ends where the ways meet again: in a block made for it. */
static LLVMValueRef end_of(const Region *region)
{
    LLVMValueRef last = region->last;
    LLVMBasicBlockRef above = region->under ? LLVMGetInstructionParent(region->first) : NULL;
    return LLVMIsATerminatorInst(last) ? LLVMGetBasicBlockTerminator(ir_join_before(above, LLVMGetInstructionParent(last)))
                                       : LLVMGetNextInstruction(last);
}

static List original_blocks(const Split *split)
{
    const Region *region = split->region;
    LLVMValueRef last = region->last;
    List blocks = list_new(region->arena);
    list_add(&blocks, split->slow);
    for (size_t i = 0; i < region->blocks.count; i++)
        list_add(&blocks, region->blocks.item[i]);
    if (LLVMIsATerminatorInst(last))
        list_add(&blocks, LLVMGetSuccessor(last, 0));
    return blocks;
}

static Split split_open(const Region *region, List *dead)
{
    Split split = {.region = region,
                   .emit = emit_open(region->arena, region->function),
                   .frozen = map_new(region->arena),
                   .dead = dead};
    hoist_addresses(&split);
    if (is_unconditional(region))
        return split;
    split.head = LLVMGetInstructionParent(region->first);
    split.tail = ir_split_before(end_of(region));
    split.slow = ir_split_before(region->first);
    split.original = original_blocks(&split);
    return split;
}

/* ---- tests ---- */

static LLVMValueRef is_at_offset(Split *split, const Access *from, int64_t offset, const Access *access)
{
    Emit *emit = &split->emit;
    LLVMValueRef root = emit_address(emit, pointer_of(split, from));
    LLVMValueRef address = emit_address(emit, pointer_of(split, access));
    LLVMValueRef expected = emit_binary(emit, LLVMAdd, root, offset);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, address, expected, "");
}

/* The thread's bytes of the group and of the other access have none in common. */
static LLVMValueRef is_apart(Split *split, const Group *group, const Conflict *conflict)
{
    Emit *emit = &split->emit;
    const Group *all = conflict->group;
    if (conflict->same)
        return is_at_offset(split, group->root, group_offset(group, conflict->access), conflict->access);
    LLVMValueRef root = emit_address(emit, root_of(split, group));
    LLVMValueRef from = emit_address(emit, pointer_of(split, conflict->access));
    LLVMValueRef low = emit_binary(emit, LLVMAdd, root, group->low), high = emit_binary(emit, LLVMAdd, root, group->high);
    LLVMValueRef end = emit_binary(emit, LLVMAdd, from, all ? all->high - conflict->offset : conflict->high);
    LLVMValueRef start = emit_binary(emit, LLVMAdd, from, all ? all->low - conflict->offset : conflict->low);
    return emit_is_apart(emit, start, end, low, high);
}

static bool holds(const Group *group, const Member *member)
{
    for (size_t i = 0; i < group_places(group); i++)
        if (group_place(group, i) == member)
            return true;
    return false;
}

static void group_tests(Split *split, const Group *group, List *tests)
{
    exchange_tests(&split->emit, group, root_of(split, group), tests);
    for (size_t i = 0; i < group_places(group); i++) {
        const Member *member = group_place(group, i);
        if (member->tested)
            list_add(tests, is_at_offset(split, group->root, member->offset, member->access));
    }
    for (size_t i = 0; i < group->tests.conflicts.count; i++) {
        const Conflict *conflict = group->tests.conflicts.item[i];
        const List *groups = &split->region->groups;
        if (!conflict_is_known(groups, group, conflict))
            list_add(tests, is_apart(split, group, conflict));
        for (size_t j = 0; j < conflict->claimed.count; j++) {
            const Member *member = conflict->claimed.item[j];
            if (list_has(groups, conflict->group) && holds(conflict->group, member))
                continue; /* tested along with its own */
            list_add(tests, is_at_offset(split, conflict->access, member->offset - conflict->offset, member->access));
        }
    }
}

/* The fast side is the likely one. */
static void branch(Split *split, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    emit_branch(&split->emit, condition, yes, no, true);
}

/* Builds in a new block, before the versions, which `condition` leads to; else to slow. */
static void go_on_if(Split *split, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
    branch(split, condition, next, split->otherwise);
    LLVMPositionBuilderAtEnd(emit->builder, next);
}

/* In lanes that stay away nothing is asked of what they would touch. */
static LLVMValueRef holds_where_taken(Split *split, const List *tests)
{
    Emit *emit = &split->emit;
    LLVMValueRef all = emit_all_of(emit, tests);
    if (!split->takes)
        return all;
    return LLVMBuildOr(emit->builder, all, LLVMBuildNot(emit->builder, split->takes, ""), "");
}

/* Of a region under a condition: goes on where lanes enough go there. The original comes first: code that stands elsewhere is fetched when
 * the lanes are counted, and warps with few of them would wait for it in small launches. */
static void go_on_if_enough(Split *split)
{
    Emit *emit = &split->emit;
    LLVMValueRef jump = split->region->first, condition = LLVMGetCondition(jump);
    bool is_first = LLVMGetSuccessor(jump, 0) == split->region->under;
    split->takes = is_first ? condition : LLVMBuildNot(emit->builder, condition, "");
    LLVMValueRef least = emit_int(emit, split->region->least);
    LLVMValueRef enough = LLVMBuildICmp(emit->builder, LLVMIntUGE, emit_lanes(emit, split->takes), least, "");
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
    emit_branch(&split->emit, enough, next, split->otherwise, false);
    LLVMPositionBuilderAtEnd(emit->builder, next);
}

static void tests_of_region(Split *split, List *tests, List *likely)
{
    Emit *emit = &split->emit;
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        group_tests(split, group, tests);
        if (likely)
            exchange_likely(emit, group, root_of(split, group), likely);
    }
}

static void tests_of_uniform(Split *split, List *likely)
{
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        if (group_is_uniform(group))
            exchange_likely(&split->emit, group, root_of(split, group), likely);
    }
}

static bool is_likely_tested(const Region *region)
{
    for (size_t i = 0; i < region->groups.count; i++)
        if (exchange_has_likely(region->groups.item[i]))
            return true;
    return false;
}

/* Goes on where all lanes are here; where most are, and the tests hold in them, their version is next. */
static void go_on_unless_edge(Split *split)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena);
    Fast *fast = &split->version[split->versions - 1]; /* made last */
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
    LLVMBasicBlockRef edge = LLVMInsertBasicBlockInContext(emit->context, fast->block, "");
    fast->here = emit->here = emit_lanes_here(emit);
    branch(split, emit_are_all(emit, emit->here), next, edge);
    LLVMPositionBuilderAtEnd(emit->builder, edge);
    for (size_t i = 0; i < split->region->groups.count; i++)
        group_tests(split, split->region->groups.item[i], &tests);
    LLVMValueRef least = emit_int(emit, split->region->edge);
    LLVMValueRef enough = LLVMBuildICmp(emit->builder, LLVMIntUGE, emit_count(emit, emit->here), least, "");
    list_add(&tests, enough);
    branch(split, emit_all(emit, emit_all_of(emit, &tests)), fast->block, split->otherwise);
    emit->here = NULL;
    LLVMPositionBuilderAtEnd(emit->builder, next);
}

/* Goes on where all lanes are here; where some are missing, each of the others asks for itself whether the tests hold. */
static void go_on_unless_few(Split *split)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena);
    const Fast *own = split->version;
    while (own->kind != LAYOUT_OWN)
        own++;
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
    LLVMBasicBlockRef few = LLVMInsertBasicBlockInContext(emit->context, own->block, "");
    branch(split, emit_full_warp(emit), next, few);
    LLVMPositionBuilderAtEnd(emit->builder, few);
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        group_tests(split, group, &tests);
        if (!group_is_uniform(group))
            exchange_aligned(emit, group, root_of(split, group), LAYOUT_OWN, &tests);
    }
    if (tests.count)
        branch(split, LLVMBuildFreeze(emit->builder, emit_all_of(emit, &tests), ""), own->block, split->otherwise);
    else
        LLVMBuildBr(emit->builder, own->block);
    LLVMPositionBuilderAtEnd(emit->builder, next);
}

/* That all lanes are at one place, of what rides beside rows: asked last, as rows that do not lie as is likely need not. */
static bool are_alike(Split *split, List *tests)
{
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        if (group->choice.spreads)
            exchange_alike(&split->emit, group, root_of(split, group), tests);
    }
    return tests->count > 0;
}

/* Of rows that a shelf takes however they are aligned. */
static void go_on_if_consecutive(Split *split)
{
    List tests = list_new(split->emit.arena);
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        if (!group_is_uniform(group))
            exchange_consecutive(&split->emit, group, root_of(split, group), &tests);
    }
    if (tests.count)
        go_on_if(split, emit_all(&split->emit, emit_all_of(&split->emit, &tests)));
}

/* From a block that leads past the shelf. */
static void go_past_shelf(Split *split, LLVMBasicBlockRef past, LLVMBasicBlockRef likeliest)
{
    Emit *emit = &split->emit;
    List likely = list_new(emit->arena), alike = list_new(emit->arena);
    LLVMPositionBuilderAtEnd(emit->builder, past);
    if (!shelf_aligned(split)) {
        LLVMBuildBr(emit->builder, likeliest);
        return;
    }
    go_on_if(split, shelf_aligned(split));
    tests_of_uniform(split, &likely);
    if (likely.count)
        go_on_if(split, emit_all(emit, emit_all_of(emit, &likely)));
    if (are_alike(split, &alike))
        go_on_if(split, emit_all(emit, emit_all_of(emit, &alike)));
    LLVMBuildBr(emit->builder, likeliest);
}

/* Do the farthest two of what is at these distances from the first lane's lie so far apart? */
static LLVMValueRef are_far(Emit *emit, LLVMValueRef from_first, const Lookup *lookup)
{
    LLVMValueRef args[] = {LLVMBuildXor(emit->builder, from_first, emit_int(emit, INT32_MIN), ""), emit_int(emit, -1)};
    LLVMValueRef most = emit_call(emit, "llvm.nvvm.redux.sync.umax", emit->i32, args, 2);
    LLVMValueRef least = emit_call(emit, "llvm.nvvm.redux.sync.umin", emit->i32, args, 2);
    LLVMValueRef apart = LLVMBuildSub(emit->builder, most, least, ""), within = emit_binary(emit, LLVMAnd, apart, SECTOR_BYTES - 1);
    LLVMValueRef far = emit_int(emit, lookup->far);
    if (lookup->far_odd > lookup->far)
        far = emit_select(emit, LLVMBuildICmp(emit->builder, LLVMIntEQ, within, emit_int(emit, 0), ""), far,
                          emit_int(emit, lookup->far_odd));
    return LLVMBuildICmp(emit->builder, LLVMIntUGE, apart, far, "");
}

/* Are more lanes than that elsewhere than their neighbours? */
static LLVMValueRef are_many(Emit *emit, LLVMValueRef low, LLVMValueRef from_first, const Lookup *lookup)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef next = LLVMBuildAnd(builder, emit_binary(emit, LLVMAdd, emit_lane(emit), 1), emit_int(emit, WARP_LANES - 1), "");
    LLVMValueRef elsewhere = LLVMBuildICmp(builder, LLVMIntNE, low, emit_word_of_lane(emit, low, next), "");
    LLVMValueRef within = emit_binary(emit, LLVMAnd, from_first, BANKS_BYTES - 1);
    LLVMValueRef same_banks = emit_all(emit, LLVMBuildICmp(builder, LLVMIntEQ, within, emit_int(emit, 0), ""));
    LLVMValueRef few = emit_select(emit, same_banks, emit_int(emit, lookup->few_in_banks), emit_int(emit, lookup->few));
    return LLVMBuildICmp(builder, LLVMIntUGT, emit_lanes(emit, elsewhere), few, "");
}

/* Goes on where the warp's records may be many: by the low words of their addresses. */
static void go_on_if_many(Split *split)
{
    Emit *emit = &split->emit;
    const Lookup *lookup = &split->region->lookup;
    LLVMValueRef low = LLVMBuildTrunc(emit->builder, emit_address(emit, root_of(split, lookup->group)), emit->i32, "");
    LLVMValueRef first = emit_word_of_lane(emit, low, emit_int(emit, 0));
    LLVMValueRef from_first = LLVMBuildSub(emit->builder, low, first, "");
    go_on_if(split, lookup->far ? are_far(emit, from_first, lookup) : are_many(emit, low, from_first, lookup));
}

/* Goes on to the first version that suits, where `likeliest` leads into the first of them. */
static void go_to_version(Split *split, LLVMBasicBlockRef likeliest)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena), likely = list_new(emit->arena), alike = list_new(emit->arena);
    const Fast *sure = &split->version[LAYOUT_SURE];
    if (split->region->edge)
        go_on_unless_edge(split);
    else if (split->region->few)
        go_on_unless_few(split);
    else
        go_on_if(split, split->region->full ? LLVMConstInt(emit->i1, 1, false) : emit_full_warp(emit));
    if (split->region->under)
        go_on_if_enough(split);
    if (split->region->together)
        emit_together(emit);
    if (split->region->lookup.group)
        go_on_if_many(split);
    emit->takes = split->takes;
    bool anyhow = split->shelf && shelf_aligned(split); /* rows are taken however they are aligned */
    tests_of_region(split, &tests, anyhow ? NULL : &likely);
    emit->takes = NULL;
    if (tests.count)
        go_on_if(split, emit_all(emit, holds_where_taken(split, &tests)));
    if (sure->block && sure->kind == LAYOUT_SURE)
        split->otherwise = sure->block;
    if (anyhow) {
        go_on_if_consecutive(split);
        LLVMBuildBr(emit->builder, likeliest);
        return;
    }
    if (likely.count)
        go_on_if(split, emit_all(emit, emit_all_of(emit, &likely)));
    if (are_alike(split, &alike))
        go_on_if(split, emit_all(emit, emit_all_of(emit, &alike)));
    LLVMBuildBr(emit->builder, likeliest);
}

/* Each thread for itself: only its own bytes are moved. */
static void choose_own(Split *split)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena);
    LLVMValueRef old = LLVMGetBasicBlockTerminator(split->head);
    emit_before(emit, split->region->first);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    version_open(split, LAYOUT_LIKELY, false);
    LLVMInstructionEraseFromParent(old);
    LLVMPositionBuilderAtEnd(emit->builder, split->head);
    LLVMSetCurrentDebugLocation2(emit->builder, location);
    tests_of_region(split, &tests, &tests);
    branch(split, LLVMBuildFreeze(emit->builder, emit_all_of(emit, &tests), ""), split->version[0].block, split->slow);
}

/* Replaces the head's way into slow by the choice of a version. */
static void choose(Split *split)
{
    Emit *emit = &split->emit;
    LLVMValueRef old = LLVMGetBasicBlockTerminator(split->head);
    emit_before(emit, split->region->first);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    if (!split->region->shelf_only)
        version_open(split, LAYOUT_LIKELY, false);
    split->otherwise = split->region->leave ? leave_open(emit, split->region->leave, split->slow) : split->slow;
    if (is_likely_tested(split->region) && !split->region->only_likely && !split->region->shelf_only)
        version_open(split, LAYOUT_SURE, false);
    if (split->region->few)
        version_open(split, LAYOUT_OWN, false);
    LLVMBasicBlockRef likeliest = split->region->shelf_only ? split->otherwise : split->version[0].block;
    if (split->region->shelf)
        version_open(split, LAYOUT_LIKELY, true);
    if (split->region->edge)
        version_open(split, LAYOUT_EDGE, false);
    LLVMPositionBuilderBefore(emit->builder, old);
    LLVMSetCurrentDebugLocation2(emit->builder, location);
    emit_lane(emit); /* where every version sees it */
    LLVMBasicBlockRef past = NULL, into = likeliest;
    if (split->region->shelf) {
        past = LLVMInsertBasicBlockInContext(emit->context, split->version[0].block, "");
        into = shelf_open(split, past);
    } else {
        LLVMInstructionEraseFromParent(old);
        LLVMPositionBuilderAtEnd(emit->builder, split->head);
        LLVMSetCurrentDebugLocation2(emit->builder, location);
    }
    go_to_version(split, into);
    if (past)
        go_past_shelf(split, past, likeliest);
}

/* ---- after both ---- */

static bool is_original(const Split *split, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < split->original.count; i++)
        if (split->original.item[i] == block)
            return true;
    return false;
}

static List users_beyond(const Split *split, LLVMValueRef instruction)
{
    List users = list_new(split->emit.arena);
    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use))
        if (!is_original(split, LLVMGetInstructionParent(LLVMGetUser(use))))
            list_add(&users, LLVMGetUser(use));
    return users;
}

static void use_instead(const List *users, LLVMValueRef instruction, LLVMValueRef other)
{
    for (size_t i = 0; i < users->count; i++)
        for (int j = 0; j < LLVMGetNumOperands(users->item[i]); j++)
            if (LLVMGetOperand(users->item[i], (unsigned)j) == instruction)
                LLVMSetOperand(users->item[i], (unsigned)j, other);
}

/* Behind all versions, where it starts: what is made again there. */
typedef struct {
    Twins twins;
    Map *among; /* the original's instructions */
    LLVMValueRef first;
} Behind;

static Map *originals_of(const Split *split)
{
    Map *among = map_new(split->emit.arena);
    for (size_t b = 0; b < split->original.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(split->original.item[b]); i; i = LLVMGetNextInstruction(i))
            map_put(among, i, i);
    return among;
}

/* An index of a few instructions is made again of what there is in front of the region: it would take a register from there to its use. */
static bool is_made_again(const Split *split, Map *among, LLVMValueRef instruction)
{
    const List order = slice_order(split->emit.arena, instruction, is_among, among);
    bool again = order.count <= MOST_ANEW;
    for (size_t i = 0; i < order.count; i++)
        again = again && is_index_step(order.item[i]);
    return again;
}

static bool use_again(Split *split, Behind *behind, const List *users, LLVMValueRef instruction)
{
    if (!is_made_again(split, behind->among, instruction))
        return false;
    LLVMPositionBuilderBefore(split->emit.builder, behind->first);
    use_instead(users, instruction, clone_deep(&behind->twins, behind->among, instruction, true));
    return true;
}

/* A number that one register or two hold, and more than another name of what was loaded. */
static bool is_computed(LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool whole = kind == LLVMIntegerTypeKind && (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64);
    return (whole || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) && !LLVMIsALoadInst(instruction) &&
           !LLVMIsACastInst(instruction) && !LLVMIsAPHINode(instruction);
}

/* What is computed of the words, and used behind the wait for the next ones, is computed before that: the backend moved it to its use, and the
 * words of two blocks were held at once. Products of rows of doubles by two pointers that move, 452 bytes spilled, came to 0.38 to 1.3 of plain
 * clang, and come to 0.87 to 3.2 so, 76 spilled (H200). */
static void compute_before_wait(Split *split)
{
    Map *among = originals_of(split);
    LLVMPositionBuilderBefore(split->emit.builder, split->fast->end);
    for (size_t b = 0; b < split->original.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(split->original.item[b]); i; i = LLVMGetNextInstruction(i))
            if (is_computed(i) && users_beyond(split, i).count && !is_made_again(split, among, i))
                order_compute(split->emit.builder, in_fast(split, i));
}

static void use_in_tail(Split *split, Behind *behind, LLVMValueRef instruction)
{
    List users = users_beyond(split, instruction);
    if (!users.count || use_again(split, behind, &users, instruction))
        return;
    LLVMPositionBuilderBefore(split->emit.builder, LLVMGetFirstInstruction(split->tail));
    LLVMValueRef phi = LLVMBuildPhi(split->emit.builder, LLVMTypeOf(instruction), "");
    use_instead(&users, instruction, phi);
    LLVMBasicBlockRef end = split->original.item[split->original.count - 1];
    LLVMAddIncoming(phi, &instruction, &end, 1);
    for (int i = 0; i < split->versions; i++) {
        split->fast = &split->version[i];
        LLVMValueRef value = in_fast(split, instruction);
        end = LLVMGetInstructionParent(split->fast->end);
        LLVMAddIncoming(phi, &value, &end, 1);
    }
}

static void join(Split *split)
{
    Arena *arena = split->emit.arena;
    LLVMValueRef first = LLVMGetFirstInstruction(split->tail);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    Behind behind = {twins_open(arena, split->emit.builder), originals_of(split), first};
    LLVMSetCurrentDebugLocation2(split->emit.builder, NULL);
    for (size_t b = 0; b < split->original.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(split->original.item[b]); i; i = LLVMGetNextInstruction(i))
            use_in_tail(split, &behind, i);
}

/* The longer loop is left at once. */
static void leave_always(Split *split)
{
    LLVMValueRef old = LLVMGetBasicBlockTerminator(split->head);
    LLVMBasicBlockRef out = leave_open(&split->emit, split->region->leave, split->slow);
    LLVMPositionBuilderBefore(split->emit.builder, old);
    LLVMBuildBr(split->emit.builder, out);
    LLVMInstructionEraseFromParent(old);
}

/* Every group is told what becomes of it, and has a layout for that. */
static bool is_planned(const Region *region)
{
    bool holds = region->groups.count > 0;
    for (size_t i = 0; holds && i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        int parts = group->choice.layout[LAYOUT_LIKELY].parts;
        holds = group->choice.action != ACTION_NONE && !group->choice.why && parts >= 1 && parts <= GROUP_PARTS;
    }
    return holds && LLVMGetBasicBlockParent(LLVMGetInstructionParent(region->first)) == region->function;
}

void region_rewrite(const Region *region, List *dead)
{
    INVARIANT(is_planned(region));
    Split split = split_open(region, dead);
    if (region->never)
        leave_always(&split);
    else if (split.slow && region->own)
        choose_own(&split);
    else if (split.slow)
        choose(&split);
    else
        version_open(&split, LAYOUT_LIKELY, false);
    for (int i = 0; i < split.versions; i++) {
        split.fast = &split.version[i];
        split.emit.here = split.fast->here;
        members_rewrite(&split);
        if (split.fast->shelved) {
            compute_before_wait(&split);
            shelf_close(&split);
        }
        split.emit.here = NULL;
    }
    if (split.slow) {
        join(&split);
        members_unfold(&split);
        for (int i = 0; i < split.versions; i++)
            dots_fuse(&split.emit, split.version[i].block);
    }
    emit_close(&split.emit);
}
