/* The cache is told of pieces of rows before their turn comes, in launches with few threads (analysis/plan/rows_ahead.c).
 *
 *     loop:  load pieces of 32 rows              loop:  few threads, and long rows?  two more iterations?  prefetch the lane's row there
 *            shuffle                     ->             load pieces of 32 rows
 *            use                                        shuffle; use
 *
 * Nobody says what becomes of a prefetch from where there is no memory: only what the loop will load is asked for, and what lies in front
 * of it, behind what the iteration before will. From a shelf, which has the next pieces on their way, the one after those is asked for. */
#include "transform/records/make_shelf.h"
#include "transform/records/prefetch_rows.h"
#include "transform/records/next_iteration.h"

enum { AHEAD = 2 };

/* Of pieces that are half a line long, every other one begins a line: the byte of it that comes last, on the row's way, tells. */
static void prefetch_half(Split *split, LLVMValueRef last, bool downwards, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    LLVMValueRef half = emit_binary(emit, LLVMAnd, emit_address(emit, last), LINE_BYTES / 2);
    LLVMValueRef begins = LLVMBuildICmp(emit->builder, downwards ? LLVMIntNE : LLVMIntEQ, half, LLVMConstNull(emit->i64), "");
    emit_prefetch(emit, last, LLVMBuildAnd(emit->builder, condition, begins, ""), split->region->ahead.threads);
}

/* From one piece's end to the next one's; or, where the row is walked downwards, from the start of the next one to that of the one before it. */
static void prefetch_row(Split *split, const RowAhead *row, LLVMValueRef iterations, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    const Group *group = row->group;
    int64_t bytes = row->step < 0 ? -row->step : row->step, from = row->step < 0 ? group->low : group->high - bytes;
    LLVMValueRef root = root_of(split, group);
    if (bytes < LINE_BYTES) {
        LLVMValueRef last = emit_advance_times(emit, root, iterations, row->step, row->step < 0 ? from : from + bytes - 1);
        prefetch_half(split, last, row->step < 0, condition);
        return;
    }
    for (int64_t at = 0; at < bytes; at += LINE_BYTES) {
        LLVMValueRef line = emit_advance_times(emit, root, iterations, row->step, from + at);
        emit_prefetch(emit, line, condition, split->region->ahead.threads);
    }
}

static const RowAhead *row_of(const RowsAhead *ahead, const Group *group)
{
    for (size_t i = 0; i < ahead->rows.count; i++)
        if (((const RowAhead *)ahead->rows.item[i])->group == group)
            return ahead->rows.item[i];
    return NULL;
}

void prefetch_of_row(Split *split, const Group *group)
{
    Emit *emit = &split->emit;
    const RowsAhead *ahead = &split->region->ahead;
    const RowAhead *row = row_of(ahead, group);
    if (!row || (split->fast->kind != LAYOUT_LIKELY && split->fast->kind != LAYOUT_OWN) || !split->slow)
        return;
    emit_before(emit, in_fast(split, member_at(group, 0)->access->instruction));
    LLVMValueRef iterations = emit_int(emit, AHEAD);
    LLVMValueRef many = split->fast->shelved ? shelf_ahead(split, &iterations) : iterations_follow(split, AHEAD);
    LLVMValueRef is_long = iteration_is_there(split, (int)(ahead->bytes / (int64_t)magnitude(row->step)));
    prefetch_row(split, row, iterations, LLVMBuildAnd(emit->builder, many, is_long, ""));
}
