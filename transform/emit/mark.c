/* Marks: metadata that says nothing but its name, for the passes that come later (their names are in marks.h). */
#include "pass/base/invariant.h"
#include "pass/bridge/bridge.h"
#include "transform/emit/emit.h"

static unsigned kind_of(LLVMValueRef instruction, const char *name)
{
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)), name, (unsigned)strlen(name));
}

void mark_add(LLVMValueRef instruction, const char *name)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    LLVMValueRef nothing = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0));
    LLVMSetMetadata(instruction, kind_of(instruction, name), nothing);
}

void call_promise(LLVMValueRef call, const char *attribute)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMAttributeRef made = LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)), 0);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, made);
}

void mark_texts(LLVMValueRef instruction, const char *name, const char *const *text, size_t count)
{
    enum { MOST_TEXTS = 4 };
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    LLVMMetadataRef part[MOST_TEXTS];
    INVARIANT(count <= MOST_TEXTS);
    for (size_t i = 0; i < count; i++)
        part[i] = LLVMMDStringInContext2(context, text[i], strlen(text[i]));
    LLVMSetMetadata(instruction, kind_of(instruction, name),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, part, count)));
}

void mark_drop(LLVMValueRef instruction, const char *name) { LLVMSetMetadata(instruction, kind_of(instruction, name), NULL); }

void mark_forget_iteration(LLVMValueRef access)
{
    mark_drop(access, "alias.scope");
    mark_drop(access, "noalias");
}

void mark_loop(IrModule *ir, LLVMBasicBlockRef header, bool (*is_such)(LLVMValueRef instruction), const char *name)
{
    IrLoop *loop = ir_loop_of(ir, header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header)); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (is_such(i))
                mark_add(i, name);
}

void order_keep(LLVMBuilderRef builder)
{
    static const char memory[] = "~{memory}";
    LLVMContextRef context = LLVMGetBuilderContext(builder);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, memory, sizeof memory - 1, true, false, LLVMInlineAsmDialectATT, false);
    call_promise(LLVMBuildCall2(builder, type, nothing, NULL, 0, ""), "nounwind");
}

static const char *register_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return "f";
    case LLVMDoubleTypeKind: return "d";
    default: return LLVMGetIntTypeWidth(type) == 32 ? "r" : "l";
    }
}

void order_compute(LLVMBuilderRef builder, LLVMValueRef number)
{
    LLVMTypeRef of = LLVMTypeOf(number), type = LLVMFunctionType(LLVMVoidTypeInContext(LLVMGetTypeContext(of)), &of, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, register_of(of), 1, true, false, LLVMInlineAsmDialectATT, false);
    call_promise(LLVMBuildCall2(builder, type, nothing, &number, 1, ""), "nounwind");
}

void order_hold(Emit *emit)
{
    emit_call(emit, "llvm.nvvm.fence.mbarrier_init.release.cluster", LLVMVoidTypeInContext(LLVMGetBuilderContext(emit->builder)),
              NULL, 0);
}
