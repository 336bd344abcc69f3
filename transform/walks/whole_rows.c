/* Words of rows that some iterations load are loaded in every one, where the ends of the rows are there (analysis/walks/some_rows.c).
 *
 *     for (j...) if (c(j)) s += a[i*m + j]    ->    if (m is large && (much of the row is wanted) && one of its first words is loaded, and one of its last,
 *                                                       or what the warp's first and last lane load lies around it)
 *                                                       for (j...) { v = a[i*m + j]; t = s + v; s = c(j) ? t : s }
 *                                                   else
 *                                                       for (j...) if (c(j)) s += a[i*m + j]      as it is; where data decide, with several iterations in one body */
#include "analysis/walks/walks.h"
#include "transform/transform.h"
#include "transform/walks/asker.h"

/* What is known in front of the loop of one row. */
typedef struct {
    const SomeRow *row;
    LLVMValueRef *load;
    LLVMValueRef low, last; /* where its first iteration begins; the last iteration, of 64 bits */
    bool is_of_all; /* the rows of all lanes are of one object */
    size_t words; /* at either end, one of which is to be loaded */
} Row;

static Emit *emit_of(const Asker *asker) { return &asker->version->emit; }

/* ---- the ends of a row ---- */

static LLVMValueRef sector_of(const Asker *asker, const Row *row, LLVMValueRef iteration, size_t load)
{
    Emit *emit = emit_of(asker);
    LLVMValueRef on = LLVMBuildMul(emit->builder, iteration, asker_number(asker, row->row->step), "");
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
    LLVMValueRef end = is_last ? row->last : asker_number(asker, 0);
    LLVMValueRef iteration = LLVMBuildBinOp(emit->builder, is_last ? LLVMSub : LLVMAdd, end,
                                            asker_number(asker, (int64_t)(word / count)), "");
    Twins twins = asker_iteration(asker, iteration);
    LLVMValueRef there = asker_comes_to(asker, &twins, row->load[load]);
    LLVMValueRef same = LLVMBuildICmp(emit->builder, LLVMIntEQ, sector_of(asker, row, iteration, load),
                                      sector_of(asker, row, end, ends), "");
    return word ? LLVMBuildAnd(emit->builder, there, same, "") : there;
}

/* Or is there what the warp's first lane or its last one loads at the end of its row, no nearer? All rows are of one object, and so is what is between
 * them. A lane of whose row anything else is not as it is wanted tells nothing. */
static LLVMValueRef others_are_there(const Asker *asker, const Row *row, bool is_last, LLVMValueRef there)
{
    Emit *emit = emit_of(asker);
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef iteration = is_last ? row->last : asker_number(asker, 0), nowhere = asker_number(asker, is_last ? 0 : -1);
    LLVMValueRef own = LLVMBuildFreeze(builder, sector_of(asker, row, iteration, is_last ? row->row->loads.count - 1 : 0), "");
    LLVMValueRef sure = LLVMBuildFreeze(builder, emit_both(emit, asker->version->holds, there), "");
    LLVMValueRef told = LLVMBuildSelect(builder, sure, own, nowhere, ""), any = NULL;
    emit->here = emit_lanes_here(emit);
    for (int end = 0; end < 2; end++) {
        LLVMValueRef lane = end ? emit_last_lane(emit) : emit_first_lane(emit);
        LLVMValueRef beyond = LLVMBuildICmp(builder, is_last ? LLVMIntUGE : LLVMIntULE, emit_address_of_lane(emit, told, lane), own,
                                            "");
        any = any ? LLVMBuildOr(builder, any, beyond, "") : beyond;
    }
    emit->here = NULL;
    return any;
}

static void want_end(const Asker *asker, const Row *row, bool is_last)
{
    LLVMBuilderRef builder = emit_of(asker)->builder;
    LLVMValueRef any = end_is_there(asker, row, is_last, 0);
    for (size_t word = 1; word < row->words; word++)
        any = LLVMBuildOr(builder, any, end_is_there(asker, row, is_last, word), "");
    if (row->is_of_all)
        any = LLVMBuildOr(builder, any, others_are_there(asker, row, is_last, any), "");
    version_want(asker->version, any);
}

/* ---- the version ---- */

/* That the load moves as it is taken to, nothing wraps around on the way, and all of it is aligned: a lane may want nothing of its row, which others say is there. */
static LLVMValueRef want_even(Version *version, LLVMValueRef load, LLVMValueRef length, bool *is_of_all)
{
    const IrExtent extent = version_extent(version, LLVMGetOperand(load, 0), 0);
    emit_before(&version->emit, version->place);
    *is_of_all &= extent.base && (LLVMIsAArgument(extent.base) || LLVMIsAGlobalVariable(extent.base));
    LLVMValueRef moved = LLVMBuildSub(version->emit.builder, extent.high, extent.low, "");
    version_want(version, LLVMBuildICmp(version->emit.builder, LLVMIntEQ, moved, length, ""));
    LLVMValueRef within = emit_binary(&version->emit, LLVMAnd, extent.low, (int64_t)LLVMGetAlignment(load) - 1);
    version_want(version, LLVMBuildIsNull(version->emit.builder, within, ""));
    return extent.low;
}

/* Where data decide, those of a sector. */
static size_t words_of_end(const SomeRow *row, bool by_data)
{
    size_t words = (size_t)(SECTOR_BYTES / row->step) * row->loads.count;
    return by_data && words > SOME_ENDS ? words : SOME_ENDS;
}

static Row row_known(Arena *arena, Version *version, const SomeRow *some, const List *loads, LLVMValueRef last, bool by_data)
{
    LLVMBuilderRef builder = version->emit.builder;
    Row row = {some, ARENA_ARRAY(arena, LLVMValueRef, some->loads.count), NULL, last, true, words_of_end(some, by_data)};
    LLVMValueRef length = LLVMBuildMul(builder, last, LLVMConstInt(version->emit.i64, (unsigned long long)some->step, true), "");
    LLVMValueRef *low = ARENA_ARRAY(arena, LLVMValueRef, some->loads.count);
    for (size_t i = 0; i < some->loads.count; i++) {
        row.load[i] = loads->item[(intptr_t)some->loads.item[i]];
        low[i] = want_even(version, row.load[i], length, &row.is_of_all);
    }
    row.low = low[0];
    version_want(version, LLVMBuildIsNull(builder, emit_binary(&version->emit, LLVMAnd, row.low, some->begins - 1), ""));
    for (size_t i = 1; i < some->loads.count; i++) {
        LLVMValueRef place = emit_binary(&version->emit, LLVMAdd, row.low, some->offset[i] - some->offset[0]);
        version_want(version, LLVMBuildICmp(builder, LLVMIntEQ, low[i], place, ""));
    }
    return row;
}

/* What is loaded to ask is no access of the program's. */
static void mark_questions(const Version *version)
{
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(version->jump), first = ir_idom(version->ir, rest);
    for (LLVMBasicBlockRef b = LLVMGetInstructionParent(version->place); b != first; b = ir_idom(version->ir, b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i))
                mark_add(i, QUESTION_METADATA);
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
    if (some->least)
        rows_sample(&asker, some, &loads, last);
    for (size_t i = 0; i < some->rows.count; i++) {
        emit_before(&version.emit, version.place);
        const Row row = row_known(arena, &version, some->rows.item[i], &loads, last, some->by_data);
        emit_before(&version.emit, version.place);
        want_end(&asker, &row, false);
        want_end(&asker, &row, true);
    }
    mark_questions(&version);
    version_vote(&version);
    version_close(&version, &original, 1, ir_touches_memory, some->is_kept ? SPARSE_METADATA : ASIDE_METADATA);
    ir_changed(ir, function);
    bool is_one = ir_loop_choose(ir, function, header);
    ir_changed(ir, function);
    if (some->by_data)
        mark_loop(ir, header, ir_touches_memory, MASKED_METADATA);
    if (some->times > 1)
        iterations_repeat(ir, function, original, some->times);
    return is_one;
}
