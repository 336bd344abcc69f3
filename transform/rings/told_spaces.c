/* Libraries ask which memory a pointer leads into, and copy one way or another. What the program says already is not asked again:
 *
 *     if (isspacep.shared(s + t) && isspacep.global(g + i)) cp.async ...; else s[t] = g[i];        ->        cp.async ...; */
#include "analysis/rings/search.h"
#include "transform/transform.h"

/* A pointer into a shared array is shared, and none of another block's; one that is proved to be global is not. */
static bool is_told(Scope *scope, LLVMValueRef pointer, Space *space)
{
    *space = array_of(pointer) ? SPACE_SHARED : space_proved(scope, pointer);
    return *space == SPACE_GLOBAL || array_of(pointer);
}

static void tell(Scope *scope, LLVMValueRef call)
{
    bool global = is_call_of(call, "llvm.nvvm.isspacep.global"), shared = is_call_of(call, "llvm.nvvm.isspacep.shared");
    Space space;
    if ((!global && !shared) || !is_told(scope, LLVMGetOperand(call, 0), &space))
        return;
    LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), global == (space == SPACE_GLOBAL), false));
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
