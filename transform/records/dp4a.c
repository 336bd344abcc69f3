/* Products of bytes that lie in the same places of two words, summed one after the other, are one instruction. Integers
 * wrap: the order of the sum changes no bit.
 *
 *     s1 = s0 + byte 0 of a * byte 0 of b
 *     s2 = s1 + byte 1 of a * byte 1 of b          ->      s4 = idp4a(a, b, s0)
 *     s3 = s2 + byte 2 of a * byte 2 of b
 *     s4 = s3 + byte 3 of a * byte 3 of b */
#include "pass/base/ir.h"
#include "transform/emit/words.h"

enum { BYTES = 4 };

/* sum = rest + a * b */
typedef struct {
    Byte a, b;
    LLVMValueRef rest;
} Step;

static bool step_of(LLVMValueRef sum, Step *step)
{
    if (!is_op(sum, LLVMAdd))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef product = LLVMGetOperand(sum, i);
        step->rest = LLVMGetOperand(sum, 1 - i);
        if (is_op(product, LLVMMul) && words_is_byte(LLVMGetOperand(product, 0), &step->a) &&
            words_is_byte(LLVMGetOperand(product, 1), &step->b))
            return true;
    }
    return false;
}

static bool is_like(const Byte *a, const Byte *b) { return a->word == b->word && a->is_signed == b->is_signed; }

/* Four steps that touch each byte of the same two words once; the first of them holds what was summed before. */
static bool steps_of(LLVMValueRef sum, Step *last, LLVMValueRef *before)
{
    unsigned seen = 0;
    for (int i = 0; i < BYTES; i++) {
        Step step = {0};
        if ((i > 0 && !is_used_once(sum)) || !step_of(sum, &step) || step.a.place != step.b.place)
            return false;
        if (i == 0)
            *last = step;
        bool same = is_like(&step.a, &last->a) && is_like(&step.b, &last->b);
        bool crossed = is_like(&step.a, &last->b) && is_like(&step.b, &last->a);
        if (!same && !crossed)
            return false;
        seen |= 1u << step.a.place;
        sum = step.rest;
    }
    *before = sum;
    return seen == (1u << BYTES) - 1;
}

void dots_fuse(Emit *emit, LLVMBasicBlockRef block)
{
    static const char *const names[2][2] = {{"llvm.nvvm.idp4a.u.u", "llvm.nvvm.idp4a.u.s"},
                                            {"llvm.nvvm.idp4a.s.u", "llvm.nvvm.idp4a.s.s"}};
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        Step step = {0};
        LLVMValueRef before;
        if (!LLVMGetFirstUse(i) || LLVMTypeOf(i) != emit->i32 || !steps_of(i, &step, &before))
            continue;
        emit_before(emit, i);
        LLVMValueRef args[] = {step.a.word, step.b.word, before};
        LLVMReplaceAllUsesWith(i, emit_call(emit, names[step.a.is_signed][step.b.is_signed], emit->i32, args, 3));
    }
}
