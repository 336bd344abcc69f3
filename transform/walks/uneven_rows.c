/* Rows of different lengths: a warp takes a longer loop only where all of its rows are long enough for it.
 *
 *     n < 32? -> rest          by 32 ...; n & 31 are left    ->    n < 32 in any lane here? -> rest, which does all n
 *
 * Lanes in the longer loop alone would keep the others waiting, and then wait for them: 48 iterations would take 32 and 31. */
#include "transform/emit/emit.h"
#include "transform/transform.h"

static void replace_but(LLVMValueRef value, LLVMValueRef by, LLVMValueRef user)
{
    LLVMReplaceAllUsesWith(value, by);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == by)
            LLVMSetOperand(user, (unsigned)i, value);
}

void uneven_rows_hold(void *arena, LLVMValueRef jump, LLVMValueRef left)
{
    Emit emit = emit_open(arena, LLVMGetBasicBlockParent(LLVMGetInstructionParent(jump)));
    emit_before(&emit, jump);
    LLVMValueRef few = LLVMGetCondition(jump), all = LLVMGetOperand(left, 0);
    LLVMValueRef apart = LLVMBuildNot(emit.builder, emit_all_here(&emit, LLVMBuildNot(emit.builder, few, "")), "");
    LLVMValueRef known = LLVMBuildICmp(emit.builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
    LLVMValueRef past = LLVMBuildOr(emit.builder, few, LLVMBuildAnd(emit.builder, apart, known, ""), "");
    LLVMValueRef rest = LLVMBuildSelect(emit.builder, past, all, left, "");
    replace_but(left, rest, rest);
    LLVMSetCondition(jump, past);
    emit_close(&emit);
}
