/* Words of rows that some iterations load are loaded in every one, where the ends of the rows are there (analysis/walks/some_rows.c).
 *
 *     for (j...) if (c(j)) s += a[i*m + j]    ->    if (m is large && the row's first word or its neighbour is loaded, and so is the last, or the next lane's)
 *                                                       for (j...) { v = a[i*m + j]; t = s + v; s = c(j) ? t : s }
 *                                                   else
 *                                                       for (j...) if (c(j)) s += a[i*m + j]      as it is */
#include "analysis/walks/walks.h"
#include "transform/emit/clone.h"
#include "transform/emit/version.h"
#include "transform/transform.h"

/* What is known in front of the loop of one row. */
typedef struct {
    const SomeRow *row;
    LLVMValueRef *load;
    LLVMValueRef low, last; /* where its first iteration begins; the last iteration, of 64 bits */
    bool is_of_all; /* the rows of all lanes are of one object */
} Row;

typedef struct {
    Version *version;
    LLVMBasicBlockRef latch;
    Map *among; /* instructions of the loop */
    List phis; /* of its header: */
    List starts; /* what they are on entry, */
    int64_t *steps; /* and by how much they go on */
} Asker;

static Emit *emit_of(const Asker *asker) { return &asker->version->emit; }

static LLVMValueRef number(const Asker *asker, int64_t value)
{
    return LLVMConstInt(emit_of(asker)->i64, (unsigned long long)value, true);
}

/* ---- the loop ---- */

static void phis_find(Asker *asker, LLVMBasicBlockRef header)
{
    const Version *version = asker->version;
    Arena *arena = version->emit.arena;
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(version->ir, header));
    size_t count = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        count++;
    asker->steps = ARENA_ARRAY(arena, int64_t, count + 1);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        int64_t step;
        if (!some_is_number(phi) || !ir_step(version->ir, version->function, header, phi, &step))
            continue;
        asker->steps[asker->phis.count] = step;
        list_add(&asker->phis, phi);
        list_add(&asker->starts, phi_value_from(phi, before));
    }
}

static Asker asker_open(Version *version)
{
    Arena *arena = version->emit.arena;
    IrLoop *loop = ir_loop_of(version->ir, version->header);
    Asker asker = {version, ir_loop_latch(loop), map_new(arena), list_new(arena), list_new(arena), NULL};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(version->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            map_put(asker.among, i, i);
    phis_find(&asker, version->header);
    return asker;
}

/* ---- conditions of an iteration ---- */

static LLVMValueRef counter_in(const Asker *asker, size_t i, LLVMValueRef iteration)
{
    Emit *emit = emit_of(asker);
    LLVMValueRef start = asker->starts.item[i], on = LLVMBuildMul(emit->builder, iteration, number(asker, asker->steps[i]), "");
    LLVMTypeRef type = LLVMTypeOf(start);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildGEP2(emit->builder, emit->i8, start, &on, 1, "");
    return LLVMBuildAdd(emit->builder, start, LLVMBuildIntCast2(emit->builder, on, type, true, ""), "");
}

/* Of the iteration; conditions that are made of its counters there. */
static Twins twins_in(const Asker *asker, LLVMValueRef iteration)
{
    Emit *emit = emit_of(asker);
    Twins twins = twins_open(emit->arena, emit->builder);
    for (size_t i = 0; i < asker->phis.count; i++)
        map_put(twins.value, asker->phis.item[i], counter_in(asker, i, iteration));
    return twins;
}

/* Does the iteration come to the load? A condition inside of another one may be poison where that does not hold. */
static LLVMValueRef comes_to(const Asker *asker, Twins *twins, LLVMValueRef load)
{
    Emit *emit = emit_of(asker);
    IrModule *ir = asker->version->ir;
    LLVMValueRef all = NULL;
    for (LLVMBasicBlockRef b = LLVMGetInstructionParent(load); !ir_dominates(ir, b, asker->latch);) {
        LLVMBasicBlockRef above = some_parent(ir, b);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
        LLVMValueRef condition = clone_deep(twins, asker->among, LLVMGetCondition(end), false);
        condition = LLVMGetSuccessor(end, 0) == b ? condition : LLVMBuildNot(emit->builder, condition, "");
        all = all ? emit_select(emit, condition, all, LLVMConstInt(emit->i1, 0, false)) : condition;
        b = above;
    }
    return all;
}

/* ---- the ends of a row ---- */

static LLVMValueRef sector_of(const Asker *asker, const Row *row, LLVMValueRef iteration, size_t load)
{
    Emit *emit = emit_of(asker);
    LLVMValueRef on = LLVMBuildMul(emit->builder, iteration, number(asker, row->row->step), "");
    LLVMValueRef place = LLVMBuildAdd(emit->builder, row->low, on, "");
    place = emit_binary(emit, LLVMAdd, place, row->row->offset[load] - row->row->offset[0]);
    return emit_binary(emit, LLVMAnd, place, -(int64_t)SECTOR_BYTES);
}

/* The word that comes so many behind the row's first, or in front of its last: is it loaded, and of the same sector? There are as many. */
static LLVMValueRef end_is_there(const Asker *asker, const Row *row, bool is_last, size_t word)
{
    Emit *emit = emit_of(asker);
    size_t count = row->row->loads.count, ends = is_last ? count - 1 : 0, on = word % count;
    size_t load = is_last ? count - 1 - on : on;
    LLVMValueRef end = is_last ? row->last : number(asker, 0);
    LLVMValueRef iteration = LLVMBuildBinOp(emit->builder, is_last ? LLVMSub : LLVMAdd, end, number(asker, (int64_t)(word / count)),
                                            "");
    Twins twins = twins_in(asker, iteration);
    LLVMValueRef there = comes_to(asker, &twins, row->load[load]);
    LLVMValueRef same = LLVMBuildICmp(emit->builder, LLVMIntEQ, sector_of(asker, row, iteration, load),
                                      sector_of(asker, row, end, ends), "");
    return word ? LLVMBuildAnd(emit->builder, there, same, "") : there;
}

/* Or is the next lane's row there to its end, which lies no further in front? All rows are of one object, and so is what is between them. */
static LLVMValueRef next_is_there(const Asker *asker, const Row *row, LLVMValueRef there)
{
    Emit *emit = emit_of(asker);
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef own = LLVMBuildFreeze(builder, sector_of(asker, row, row->last, row->row->loads.count - 1), "");
    LLVMValueRef told = LLVMBuildFreeze(builder, LLVMBuildSelect(builder, there, own, number(asker, 0), ""), "");
    emit->here = emit_lanes_here(emit);
    LLVMValueRef lane = emit_lane(emit), next = emit_binary(emit, LLVMAnd, emit_binary(emit, LLVMAdd, lane, 1), WARP_LANES - 1);
    LLVMValueRef theirs = emit_address_of_lane(emit, told, emit_select(emit, emit_is_here(emit, next), next, lane));
    emit->here = NULL;
    return LLVMBuildICmp(builder, LLVMIntUGE, theirs, own, "");
}

static void want_end(const Asker *asker, const Row *row, bool is_last)
{
    LLVMBuilderRef builder = emit_of(asker)->builder;
    LLVMValueRef any = end_is_there(asker, row, is_last, 0);
    for (size_t word = 1; word < SOME_ENDS; word++)
        any = LLVMBuildOr(builder, any, end_is_there(asker, row, is_last, word), "");
    if (is_last && row->is_of_all)
        any = LLVMBuildOr(builder, any, next_is_there(asker, row, any), "");
    version_want(asker->version, any);
}

/* ---- the version ---- */

/* That the load moves as it is taken to, and nothing wraps around on the way. */
static LLVMValueRef want_even(Version *version, LLVMValueRef load, LLVMValueRef length, bool *is_of_all)
{
    const IrExtent extent = version_extent(version, LLVMGetOperand(load, 0), 0);
    emit_before(&version->emit, version->place);
    *is_of_all &= extent.base && (LLVMIsAArgument(extent.base) || LLVMIsAGlobalVariable(extent.base));
    LLVMValueRef moved = LLVMBuildSub(version->emit.builder, extent.high, extent.low, "");
    version_want(version, LLVMBuildICmp(version->emit.builder, LLVMIntEQ, moved, length, ""));
    return extent.low;
}

static Row row_known(Arena *arena, Version *version, const SomeRow *some, const List *loads, LLVMValueRef last)
{
    LLVMBuilderRef builder = version->emit.builder;
    Row row = {.row = some, .load = ARENA_ARRAY(arena, LLVMValueRef, some->loads.count), .last = last, .is_of_all = true};
    LLVMValueRef length = LLVMBuildMul(builder, last, LLVMConstInt(version->emit.i64, (unsigned long long)some->step, true), "");
    LLVMValueRef *low = ARENA_ARRAY(arena, LLVMValueRef, some->loads.count);
    for (size_t i = 0; i < some->loads.count; i++) {
        row.load[i] = loads->item[(intptr_t)some->loads.item[i]];
        low[i] = want_even(version, row.load[i], length, &row.is_of_all);
    }
    row.low = low[0];
    for (size_t i = 1; i < some->loads.count; i++) {
        LLVMValueRef place = emit_binary(&version->emit, LLVMAdd, row.low, some->offset[i] - some->offset[0]);
        version_want(version, LLVMBuildICmp(builder, LLVMIntEQ, low[i], place, ""));
    }
    return row;
}

bool whole_rows_version(Arena *arena, IrModule *ir, const SomeRows *some, LLVMBasicBlockRef header)
{
    LLVMBasicBlockRef original = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    if (!ir_loop_is_countable(ir, ir_loop_of(ir, header)))
        return false; /* it was, before versions of other loops were made */
    const List loads = loop_accesses(arena, ir, header, false);
    LLVMValueRef before = LLVMGetBasicBlockTerminator(ir_loop_before(ir_loop_of(ir, header)));
    LLVMValueRef narrow = ir_loop_last(ir, function, header, before); /* with other blocks in front of it it may not be known */
    Version version = version_open_after(arena, ir, function, header, some->trips);
    const Asker asker = asker_open(&version);
    LLVMValueRef last = emit_wide(&version.emit, narrow);
    for (size_t i = 0; i < some->rows.count; i++) {
        emit_before(&version.emit, version.place);
        const Row row = row_known(arena, &version, some->rows.item[i], &loads, last);
        emit_before(&version.emit, version.place);
        want_end(&asker, &row, false);
        want_end(&asker, &row, true);
    }
    version_vote(&version);
    version_close(&version, &original, 1, ir_touches_memory, ASIDE_METADATA);
    ir_changed(ir, function);
    bool is_one = ir_loop_choose(ir, function, header);
    ir_changed(ir, function);
    return is_one;
}
