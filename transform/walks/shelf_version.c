/* The loop of several rows, where shelves would find no room beside shuffles (analysis/walks/strip_mine.c):
 *
 *     for (j...) s += A[i*m + j] * x[j], t += B[i*m + j] * x[j]   ->   if (the block has at most 128 threads)
 *                                                                          for (j...) s += ..., t += ...    from shelves, or as it is
 *                                                                      else
 *                                                                          for (j...) s += ..., t += ...    by shuffles, or as it is
 *
 * Either is made longer. */
#include "transform/emit/version.h"
#include "transform/transform.h"

LLVMBasicBlockRef shelf_version(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, int threads)
{
    LLVMBasicBlockRef larger = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header), block;
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    Version version = version_open(arena, ir, function, header);
    emit_number_of_thread(&version.emit, &block);
    version_want(&version, LLVMBuildICmp(version.emit.builder, LLVMIntULE, block, emit_int(&version.emit, threads), ""));
    version_close(&version, &larger, 1, ir_touches_memory, UNSHELVED_METADATA);
    mark_loop(ir, header, ir_touches_memory, SHELF_METADATA);
    ir_changed(ir, function);
    return larger;
}
