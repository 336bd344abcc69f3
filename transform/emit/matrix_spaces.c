/* Tensor cores are told which memory a matrix lies in, as LLVM tells loads and stores:
 *
 *     wmma.load.a.sync.aligned.row.m16n16k16.f16 {...}, [generic]   ->   wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {...}, [shared]
 *
 * where the program says it, whoever calls the function. */
#include "pass/base/invariant.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

enum { MOST_OPERANDS = 16 };

static void retype(LLVMValueRef call, unsigned space)
{
    LLVMValueRef operands[MOST_OPERANDS], function = LLVMGetCalledValue(call);
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, space), type;
    unsigned count = LLVMGetNumArgOperands(call);
    INVARIANT(count <= MOST_OPERANDS);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    operands[0] = LLVMBuildAddrSpaceCast(builder, LLVMGetOperand(call, 0), pointer, "");
    for (unsigned i = 1; i < count; i++)
        operands[i] = LLVMGetOperand(call, i);
    function = LLVMGetIntrinsicDeclaration(module, LLVMGetIntrinsicID(function), &pointer, 1);
    type = LLVMGlobalGetValueType(function);
    LLVMReplaceAllUsesWith(call, LLVMBuildCall2(builder, type, function, operands, count, ""));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(builder);
}

bool matrices_tell(Scope *scope)
{
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            Space space = space_of_matrix(scope, i);
            if (space == SPACE_GENERIC)
                continue;
            retype(i, space == SPACE_SHARED ? SHARED_SPACE : GLOBAL_SPACE);
            any = true;
        }
    return any;
}
