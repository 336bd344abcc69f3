/* Libraries ask which memory a pointer leads into, and copy one way or another. What the program says already is not asked again:
 *
 *     if (isspacep.shared(s + t) && isspacep.global(g + i)) cp.async ...; else s[t] = g[i];        ->        cp.async ...; */
#include "transform/transform.h"

static void tell(Scope *scope, LLVMValueRef call)
{
    bool answer;
    if (!space_is_told(scope, call, &answer))
        return;
    LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), answer, false));
    LLVMInstructionEraseFromParent(call);
}

void spaces_tell(Scope *scope)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            tell(scope, i);
        }
}
