/* Rows of different lengths: a warp takes a longer loop only where all of its rows are long enough for it.
 *
 *     n < 32? -> rest          by 32 ...; n & 31 are left    ->    n < 32 in any lane here? -> rest, which does all n
 *
 * Lanes in the longer loop alone would keep the others waiting, and then wait for them: 48 iterations would take 32 and 31. Where few threads are
 * there, whose loads nobody else's hide, lists of one or two pieces are through sooner one iteration at a time:
 *
 *     n < (launch is small ? 3 * 32 : 32) in any lane here? -> rest */
#include "transform/emit/emit.h"
#include "transform/transform.h"

static void replace_but(LLVMValueRef value, LLVMValueRef by, LLVMValueRef user)
{
    LLVMReplaceAllUsesWith(value, by);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == by)
            LLVMSetOperand(user, (unsigned)i, value);
}

/* `few` asks whether the number of the last iteration is below that of a piece's. */
static LLVMValueRef is_too_few(Emit *emit, const UnevenRows *rows, LLVMValueRef few)
{
    LLVMValueRef last = LLVMGetOperand(few, 0), least = LLVMGetOperand(few, 1);
    unsigned long long piece = LLVMConstIntGetZExtValue(least) + 1, wanted = piece * (unsigned)rows->pieces - 1;
    LLVMValueRef small = emit_launch_is_small(emit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(few)), rows->threads);
    LLVMValueRef most = LLVMBuildSelect(emit->builder, small, LLVMConstInt(LLVMTypeOf(least), wanted, false), least, "");
    return LLVMBuildICmp(emit->builder, LLVMIntULT, last, most, "");
}

void uneven_rows_hold(void *rows, LLVMValueRef jump, LLVMValueRef left)
{
    const UnevenRows *uneven = rows;
    Emit emit = emit_open(uneven->arena, LLVMGetBasicBlockParent(LLVMGetInstructionParent(jump)));
    emit_before(&emit, jump);
    LLVMValueRef few = LLVMGetCondition(jump), all = LLVMGetOperand(left, 0);
    if (uneven->threads)
        few = is_too_few(&emit, uneven, few);
    LLVMValueRef apart = LLVMBuildNot(emit.builder, emit_all_here(&emit, LLVMBuildNot(emit.builder, few, "")), "");
    LLVMValueRef known = LLVMBuildICmp(emit.builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
    LLVMValueRef past = LLVMBuildOr(emit.builder, few, LLVMBuildAnd(emit.builder, apart, known, ""), "");
    LLVMValueRef rest = LLVMBuildSelect(emit.builder, past, all, left, "");
    replace_but(left, rest, rest);
    LLVMSetCondition(jump, past);
    emit_close(&emit);
}
