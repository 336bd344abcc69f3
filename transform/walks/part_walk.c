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

bool index_set_part(Arena *arena, IrModule *ir, const IndexSet *found, LLVMBasicBlockRef header)
{
    LLVMBasicBlockRef twin = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    IrIndexSet *set = ir_index_set(ir, function, header);
    if (!set)
        return false;
    IrIterations iterations;
    Version version = version_open(arena, ir, function, header);
    ir_index_set_compute(set, version.place, found->multiple, &iterations);
    emit_before(&version.emit, version.place);
    LLVMBuilderRef builder = version.emit.builder;
    LLVMValueRef count = LLVMBuildSub(builder, iterations.behind, iterations.first, "");
    version_want(&version, iterations.holds);
    version_want(&version,
                 LLVMBuildICmp(builder, LLVMIntSGE, count, LLVMConstInt(version.emit.i64, (unsigned)found->trips, false), ""));
    version_vote(&version);
    version_close(&version, &twin, 1, found->is_kept ? NULL : ir_touches_memory, ASIDE_METADATA);
    bool is_parted = ir_index_set_part(ir, function, set, header, twin, &iterations, found->is_kept);
    ir_index_set_forget(set);
    return is_parted;
}
