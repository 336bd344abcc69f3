/* Iterations in which conditions of counters hold run by themselves (analysis/walks/index_sets.c, pass/jam/part_loop.cpp).
 *
 *     for (j = 0; j < n; j++) if (j > i) s += u[i*n + j]      ->      if (n - (i + 1) is large, for all lanes) {
 *                                                                         for (j = 0; j < i + 1; j++) as it is
 *                                                                         for (; j < n; j++) s += u[i*n + j]
 *                                                                     } else
 *                                                                         for (j = 0; j < n; j++) as it is */
#include "analysis/walks/walks.h"
#include "transform/emit/version.h"
#include "transform/transform.h"

/* The least, or largest, of what such lanes have: what is below 0 is 0, and what 31 bits do not count their largest number. */
static LLVMValueRef of_lanes(Emit *emit, LLVMValueRef lanes, const char *name, LLVMValueRef value)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef none = LLVMConstInt(emit->i64, 0, false), most = LLVMConstInt(emit->i64, INT32_MAX, false);
    if (LLVMIsAConstantInt(value))
        return value;
    value = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSGT, value, none, ""), value, none, "");
    value = LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntSLT, value, most, ""), value, most, "");
    LLVMValueRef args[] = {LLVMBuildTrunc(builder, value, emit->i32, ""), lanes};
    return LLVMBuildZExt(builder, emit_call(emit, name, emit->i32, args, 2), emit->i64, "");
}

/* Those that all of the lanes have: what they load alike in each iteration stays so, and they come to the rest together. */
static void have_in_common(Emit *emit, LLVMValueRef lanes, IrIterations *iterations)
{
    iterations->first = of_lanes(emit, lanes, "llvm.nvvm.redux.sync.umax", iterations->first);
    iterations->behind = of_lanes(emit, lanes, "llvm.nvvm.redux.sync.umin", iterations->behind);
}

/* All of the lanes begin the rest in one iteration. */
static LLVMValueRef rest_begins(Emit *emit, LLVMValueRef lanes, LLVMValueRef holds, LLVMValueRef behind)
{
    LLVMValueRef done = LLVMBuildSelect(emit->builder, holds, behind, LLVMConstInt(emit->i64, 0, false), "");
    return of_lanes(emit, lanes, "llvm.nvvm.redux.sync.umin", done);
}

bool index_set_part(Arena *arena, IrModule *ir, const IndexSet *found, LLVMBasicBlockRef header)
{
    LLVMBasicBlockRef twin = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    IrIndexSet *set = ir_index_set(ir, function, header, found->is_late);
    if (!set)
        return false;
    ir_index_set_mark(set);
    IrIterations iterations = {0};
    Version version = version_open(arena, ir, function, header);
    ir_index_set_compute(set, version.place, found->multiple, &iterations);
    emit_before(&version.emit, version.place);
    LLVMValueRef lanes = found->is_common ? emit_lanes_here(&version.emit) : NULL;
    if (lanes)
        have_in_common(&version.emit, lanes, &iterations);
    LLVMBuilderRef builder = version.emit.builder;
    LLVMValueRef count = LLVMBuildSub(builder, iterations.behind, iterations.first, "");
    version_want(&version, iterations.holds);
    version_want(&version,
                 LLVMBuildICmp(builder, LLVMIntSGE, count, LLVMConstInt(version.emit.i64, (unsigned)found->trips, false), ""));
    if (lanes) {
        version.holds = emit_all_among(&version.emit, lanes, version.holds);
        iterations.done = rest_begins(&version.emit, lanes, version.holds, iterations.behind);
    } else {
        version_vote(&version);
    }
    version_close(&version, &twin, 1, found->is_kept || found->is_open ? NULL : ir_touches_memory, ASIDE_METADATA);
    bool is_parted = ir_index_set_part(ir, function, set, header, twin, &iterations, found->is_kept);
    ir_index_set_forget(set);
    return is_parted;
}
