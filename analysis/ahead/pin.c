/* Loads that the backend would bring behind a condition.
 *
 *     x = in[t]; y = in[t + n]; if (x == 0) return; use y         x, wait, then y, wait: MachineSink takes a load that is used behind a jump alone
 *                                                                 to where it is used
 *
 * As long as they went into an array in memory, they were made one behind the other, and waited for together. Now that it is registers they are to
 * stay where the program makes them. */
#include "analysis/ahead/lookahead.h"

/* Notes what an instruction of the block is made of. */
static void need(Map *needed, LLVMValueRef instruction)
{
    for (int n = 0; n < LLVMGetNumOperands(instruction); n++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)n);
        if (LLVMIsAInstruction(operand))
            map_put(needed, operand, instruction);
    }
}

LLVMValueRef pin_place(Arena *arena, IrModule *ir, LLVMBasicBlockRef block)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block), last = NULL;
    Map *needed = map_new(arena); /* before the jump */
    if (ir_loop_of(ir, block) || !LLVMIsABranchInst(jump) || !LLVMIsConditional(jump))
        return NULL;
    for (LLVMValueRef i = jump; i; i = LLVMGetPreviousInstruction(i)) {
        bool is_load = LLVMIsALoadInst(i) != NULL;
        if (map_get(needed, i) || !(is_load || ir_is_pure(i)))
            need(needed, i);
        else if (is_load && !last)
            last = i;
    }
    return last;
}
