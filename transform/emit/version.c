/* Two versions of a loop: one to be rewritten, which runs where tests on entry hold, and the original.
 *
 *     for (...) use a, b      ->      if (a lies apart from b)
 *                                         for (...) use a, b        to be rewritten
 *                                     else
 *                                         for (...) use a, b        as it is, for good */
#include "transform/emit/version.h"

Version version_open(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header)
{
    Version version = {
        ir,  function, header, LLVMGetBasicBlockTerminator(ir_loop_before(ir_loop_of(ir, header))), emit_open(arena, function),
        NULL};
    emit_before(&version.emit, version.place);
    return version;
}

void version_want(Version *version, LLVMValueRef condition)
{
    version->holds = emit_both(&version->emit, version->holds, condition);
}

IrExtent version_extent(Version *version, LLVMValueRef pointer, int64_t bytes)
{
    IrExtent extent;
    ir_extent(version->ir, version->function, version->header, pointer, bytes, version->place, &extent);
    version_want(version, extent.holds);
    return extent;
}

LLVMBasicBlockRef version_close(Version *version, LLVMBasicBlockRef *blocks, size_t count,
                                bool (*is_such)(LLVMValueRef instruction), const char *mark)
{
    LLVMBasicBlockRef before = ir_loop_version(version->ir, version->function, version->header, version->holds, blocks, count);
    mark_loop(version->ir, blocks[0], is_such, mark);
    emit_close(&version->emit);
    return before;
}
