/* Pieces of rows that loops search are loaded at once, each by the lane that walks it (analysis/walks/searched_rows.c, pass/jam/sought_loop.cpp). */
#include "analysis/address/integer.h"
#include "analysis/walks/walks.h"
#include "transform/emit/version.h"
#include "transform/transform.h"

static LLVMValueRef is_multiple(Emit *emit, LLVMValueRef place, int64_t bytes)
{
    LLVMValueRef within = emit_binary(emit, LLVMAnd, place, bytes - 1);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, within, LLVMConstInt(emit->i64, 0, false), "");
}

/* Does the row begin with a piece, or come to where one begins before it ends, which it does where `many` holds (NULL: nobody knows)? Where it is walked downwards
 * its first word ends one. False where that cannot be computed any more: other loops have changed. */
static bool want_aligned(Version *version, const SoughtRows *sought, const SoughtRow *row, LLVMValueRef many, IrApproach *approach)
{
    Emit *emit = &version->emit;
    LLVMValueRef start = NULL, step = NULL, holds = NULL;
    int64_t way = (int64_t)magnitude(row->step), bytes = way * sought->iterations;
    if (!ir_recurrence(version->ir, version->function, version->header, LLVMGetOperand(row->loads.item[0], 0), version->place,
                       &start, &step, &holds))
        return false;
    emit_before(emit, version->place);
    LLVMValueRef place = emit_binary(emit, LLVMAdd, emit_address(emit, start), row->base + (row->step < 0 ? way : 0));
    LLVMValueRef begins = is_multiple(emit, place, bytes);
    if (holds)
        version_want(version, holds);
    if (many)
        begins = LLVMBuildOr(emit->builder, begins, emit_both(emit, many, is_multiple(emit, place, way)), "");
    version_want(version, begins);
    *approach = (IrApproach){place, row->step, bytes};
    return true;
}

bool sought_rows_load(Arena *arena, IrModule *ir, const SoughtRows *sought)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(sought->header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, sought->header);
    Version version = version_open(arena, ir, function, sought->header);
    IrSoughtRow *rows = ARENA_ARRAY(arena, IrSoughtRow, sought->rows.count);
    LLVMValueRef many = sought->nearer ? ir_loop_may_reach(ir, function, sought->header, sought->nearer) : NULL;
    bool known = many || !sought->never_lies;
    IrApproach approach;
    for (size_t i = 0; i < sought->rows.count && known; i++) {
        const SoughtRow *row = sought->rows.item[i];
        rows[i] = (IrSoughtRow){(const LLVMValueRef *)row->loads.item, row->from, row->loads.count, row->step, row->base};
        known = want_aligned(&version, sought, row, many, &approach);
    }
    emit_before(&version.emit, version.place);
    if (known) {
        version_vote(&version);
        ir_loop_seek(ir, function, sought->header, rows, sought->rows.count, sought->iterations, version.holds,
                     many ? &approach : NULL);
    }
    emit_close(&version.emit);
    return known;
}
