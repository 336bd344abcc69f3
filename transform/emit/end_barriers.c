/* What the destructor of cuda::barrier does, where include/coalda/cccl has left its body out so that clang takes barriers in __shared__:
 *
 *     define void @~barrier(ptr %this) "dontcall-error"="..." noinline optnone { ret void }
 *                ->    define void @~barrier(ptr %this) { asm "... @p mbarrier.inval.shared.b64 [a]; ..."; ret void }
 *
 * Nobody calls it for a variable in __shared__; programs do (b->~barrier()), and cuda::pipeline does when it ends. At the very beginning, before
 * anything is inlined, and whether or not the kernels are rewritten: where the plugin is not loaded, such a call is an error. */
#include <string.h>

#include "transform/emit/emit.h"
#include "transform/transform.h"

static const char left_out[] = "dontcall-error";
/* As that header says it. */
static const char message[] = "the destructor of cuda::barrier needs the COALDA plugin (docs/nvcc.md)";
/* As the toolkit's header has it: a barrier in the block's own memory is invalidated, one in another block's memory is a mistake. */
#define OWN "isspacep.shared s, $0; cvta.to.shared.u64 a, $0; cvt.u32.u64 b, a; @s mbarrier.inval.shared.b64 [b];"
#define OTHER "isspacep.shared::cluster c, $0; not.pred s, s; and.pred c, c, s; @c trap;"
static const char body[] = "{ .reg .pred s; .reg .b64 a; .reg .b32 b; " OWN " }";
static const char body_of_clusters[] = "{ .reg .pred s, c; .reg .b64 a; .reg .b32 b; " OWN " " OTHER " }";

static bool is_left_out(LLVMValueRef function)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, left_out, sizeof left_out - 1);
    unsigned length;
    if (!attribute || LLVMIsDeclaration(function) || LLVMCountParams(function) != 1)
        return false;
    const char *value = LLVMGetStringAttributeValue(attribute, &length);
    return length == sizeof message - 1 && memcmp(value, message, length) == 0;
}

/* The destructor of the whole object calls that of the object as a base: the body belongs to the latter. */
static bool calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i))
                return true;
    return false;
}

static bool has_clusters(LLVMValueRef function)
{
    static const char cpu[] = "target-cpu", ampere[] = "sm_8"; /* the header leaves nothing out for older ones */
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, cpu, sizeof cpu - 1);
    unsigned length;
    return attribute && strncmp(LLVMGetStringAttributeValue(attribute, &length), ampere, sizeof ampere - 1) != 0;
}

static void fill(LLVMValueRef function)
{
    static const char operands[] = "l,~{memory}";
    LLVMValueRef object = LLVMGetParam(function, 0), end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function));
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMTypeRef operand = LLVMTypeOf(object), type = LLVMFunctionType(LLVMVoidTypeInContext(context), &operand, 1, false);
    const char *says = has_clusters(function) ? body_of_clusters : body;
    LLVMValueRef text = LLVMGetInlineAsm(type, says, strlen(says), operands, sizeof operands - 1, true, false,
                                         LLVMInlineAsmDialectATT, false);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, end);
    call_promise(LLVMBuildCall2(builder, type, text, &object, 1, ""), "nounwind");
    LLVMDisposeBuilder(builder);
}

static void forget(LLVMValueRef function, const char *attribute)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)));
}

void barriers_end(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!is_left_out(f))
            continue;
        if (!calls(f))
            fill(f);
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, left_out, sizeof left_out - 1);
        forget(f, "optnone");
        forget(f, "noinline");
    }
}
