/* Two versions of a loop: one to be rewritten, which runs where tests on entry hold, and the original.
 *
 *     for (...) use a, b      ->      if (a lies apart from b)
 *                                         for (...) use a, b        to be rewritten
 *                                     else
 *                                         for (...) use a, b        as it is, for good */
#include "pass/base/invariant.h"
#include "transform/emit/version.h"

Version version_open(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header)
{
    Version version = {.ir = ir,
                       .function = function,
                       .header = header,
                       .place = LLVMGetBasicBlockTerminator(ir_loop_before(ir_loop_of(ir, header))),
                       .emit = emit_open(arena, function)};
    emit_before(&version.emit, version.place);
    return version;
}

/* ---- tests that few iterations go around ---- */

/* A block for the tests: returns it; the loop has another one in front. */
static LLVMBasicBlockRef open_tests(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int trips)
{
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(ir, header));
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
    LLVMValueRef many = trips > 1 ? ir_loop_reaches(ir, function, header, trips, jump) : NULL;
    LLVMBasicBlockRef rest = ir_split_before(jump);
    Emit emit = emit_open(arena, function);
    LLVMBasicBlockRef tests = LLVMInsertBasicBlockInContext(emit.context, rest, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(emit.builder, before);
    LLVMBuildCondBr(emit.builder, many ? many : LLVMConstInt(emit.i1, 1, false), tests, rest);
    LLVMPositionBuilderAtEnd(emit.builder, tests);
    LLVMBuildBr(emit.builder, rest);
    emit_close(&emit);
    ir_changed(ir, function);
    return tests;
}

Version version_open_after(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int trips)
{
    LLVMBasicBlockRef tests = open_tests(arena, ir, function, header, trips);
    Version version = version_open(arena, ir, function, header);
    version.jump = version.place;
    version.place = LLVMGetBasicBlockTerminator(tests);
    emit_before(&version.emit, version.place);
    return version;
}

void version_ask_if(Version *version, LLVMValueRef condition)
{
    INVARIANT(version->jump && !version->holds);
    LLVMBasicBlockRef tests = LLVMGetInstructionParent(version->place), rest = LLVMGetInstructionParent(version->jump);
    LLVMBasicBlockRef more = LLVMInsertBasicBlockInContext(version->emit.context, rest, "");
    LLVMBuilderRef builder = version->emit.builder;
    LLVMInstructionEraseFromParent(version->place);
    LLVMPositionBuilderAtEnd(builder, tests);
    LLVMBuildCondBr(builder, condition, more, rest);
    LLVMPositionBuilderAtEnd(builder, more);
    version->place = LLVMBuildBr(builder, rest);
    ir_changed(version->ir, version->function);
    emit_before(&version->emit, version->place);
}

/* What the tests say, or that there were too few iterations for them. */
static void told(Version *version)
{
    LLVMBuilderRef builder = version->emit.builder;
    LLVMBasicBlockRef tests = LLVMGetInstructionParent(version->place), rest = LLVMGetInstructionParent(version->jump);
    emit_before(&version->emit, version->place);
    LLVMValueRef tested = LLVMBuildFreeze(builder, version->holds, ""), no = LLVMConstInt(version->emit.i1, 0, false);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(rest));
    version->holds = LLVMBuildPhi(builder, version->emit.i1, "");
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(rest)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef jump = LLVMGetUser(use);
        LLVMBasicBlockRef from = LLVMGetInstructionParent(jump);
        if (LLVMIsATerminatorInst(jump))
            LLVMAddIncoming(version->holds, from == tests ? &tested : &no, &from, 1);
    }
    emit_before(&version->emit, version->jump);
}

void version_vote(Version *version)
{
    if (version->jump)
        told(version);
    version->holds = emit_all_here(&version->emit, version->holds);
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

IrExtent version_extent_between(Version *version, LLVMValueRef pointer, int64_t low, int64_t high)
{
    IrExtent extent = version_extent(version, pointer, high);
    emit_before(&version->emit, version->place);
    extent.low = emit_binary(&version->emit, LLVMAdd, extent.low, low);
    return extent;
}

LLVMBasicBlockRef version_close(Version *version, LLVMBasicBlockRef *blocks, size_t count,
                                bool (*is_such)(LLVMValueRef instruction), const char *mark)
{
    LLVMBasicBlockRef before = ir_loop_version(version->ir, version->function, version->header, version->holds, blocks, count);
    if (is_such)
        mark_loop(version->ir, blocks[0], is_such, mark);
    emit_close(&version->emit);
    return before;
}
