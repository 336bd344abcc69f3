/* Several iterations of a loop come to stand in one body, and a loop behind it does what remains.
 *
 *     do x(j), j += 32; while (j < m)     ->     n = (m - j + 31) / 32; for (i = n / 8; i; i--) x(j), ..., x(j + 224), j += 256
 *                                                do x(j), j += 32; while (j < m)          if any remain
 *
 * LLVM counts what remains, and ends its loop by that. It ends as the original does instead: ptxas unrolls such a loop by four in one stretch,
 * with a way out of each iteration, and one that is counted in pieces, of which lanes that have more and fewer iterations left take different
 * ones, one after the other. Where 32 lanes share rows of 48 floats, half of them have one iteration and the others two: a derivative of softmax
 * came to 0.72 of plain clang with a counted loop (H100). */
#include "transform/emit/emit.h"
#include "transform/transform.h"

/* How a loop ends, found again in what is made of it by a mark that is copied with the comparison. */
typedef struct {
    LLVMValueRef compare; /* NULL where it is none, or a count as well */
    bool goes_on;         /* where it holds */
} End;

static const char END_METADATA[] = "coalda.end";

static LLVMValueRef jump_of(LLVMBasicBlockRef latch) { return latch ? LLVMGetBasicBlockTerminator(latch) : NULL; }

static bool is_conditional_jump(LLVMValueRef jump) { return jump && LLVMIsABranchInst(jump) && LLVMIsConditional(jump); }

static bool is_count(LLVMValueRef compare)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    return predicate == LLVMIntEQ || predicate == LLVMIntNE;
}

static End end_of(IrModule *ir, LLVMBasicBlockRef header)
{
    LLVMBasicBlockRef latch = ir_loop_latch(ir_loop_of(ir, header));
    LLVMValueRef jump = jump_of(latch), compare = is_conditional_jump(jump) ? LLVMGetCondition(jump) : NULL;
    if (!compare || !LLVMIsAICmpInst(compare) || LLVMGetInstructionParent(compare) != latch || is_count(compare))
        return (End){NULL, false};
    return (End){compare, LLVMGetSuccessor(jump, 0) == header};
}

/* The loop that does what remains ends as the original does, whose comparison stands in its end, unused. */
static void end_as_before(IrModule *ir, LLVMValueRef compare, bool goes_on)
{
    LLVMBasicBlockRef latch = LLVMGetInstructionParent(compare);
    IrLoop *rest = ir_loop_of(ir, latch);
    LLVMValueRef jump = jump_of(latch);
    if (!rest || ir_loop_latch(rest) != latch || !is_conditional_jump(jump) || LLVMGetFirstUse(compare))
        return;
    LLVMBasicBlockRef first = LLVMGetSuccessor(jump, 0), second = LLVMGetSuccessor(jump, 1);
    LLVMSetCondition(jump, compare);
    if ((first == ir_loop_header(rest)) != goes_on) {
        LLVMSetSuccessor(jump, 0, second);
        LLVMSetSuccessor(jump, 1, first);
    }
}

/* The longer loop ends by its own count: some of its iterations are no end. */
static void rest_end_as_before(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool goes_on)
{
    IrLoop *longer = ir_loop_of(ir, header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!ir_is_marked(i, END_METADATA))
                continue;
            mark_drop(i, END_METADATA);
            if (longer && ir_loop_header(longer) == header && !ir_loop_has_block(longer, b))
                end_as_before(ir, i, goes_on);
        }
}

void iterations_repeat(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times)
{
    End end = end_of(ir, header);
    if (end.compare)
        mark_add(end.compare, END_METADATA);
    ir_unroll(ir, function, header, &times, 1, NULL, NULL);
    ir_changed(ir, function);
    if (end.compare)
        rest_end_as_before(ir, function, header, end.goes_on);
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
