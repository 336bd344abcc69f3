/* Several iterations of a loop come to stand in one body, and a loop behind it does what remains.
 *
 *     do x(j), j += 32; while (j < m)     ->     n = (m - j + 31) / 32; for (i = n / 8; i; i--) x(j), ..., x(j + 224), j += 256
 *                                                do x(j), j += 32; while (j < m)          if any remain
 *
 * LLVM counts what remains, and ends its loop by that; it ends as the original does instead (pass/reshape/unroll.cpp). */
#include "transform/emit/emit.h"
#include "transform/transform.h"

void iterations_repeat(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times)
{
    ir_unroll(ir, function, header, &times, 1, NULL, NULL);
    ir_changed(ir, function);
    IrLoop *loop = ir_loop_of(ir, header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && loop && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            mark_drop(i, BLOCK_METADATA);
    ir_changed(ir, function);
}

void iterations_clean(IrModule *ir, LLVMValueRef function)
{
    ir_forget_left(ir, function);
    ir_clean(ir, function);
    ir_changed(ir, function);
}
