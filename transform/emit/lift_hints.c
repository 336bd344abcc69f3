/* Loads and stores that tell the caches something are assembly in clang's headers, which nothing looks into. While accesses are moved they are
 * loads and stores, and a mark says what they tell:
 *
 *     v = asm "ld.global.cs.f32 $0, [$1];"(p)             ->    v = load float, p, !coalda.hint
 *     asm "st.global.wt.v2.f32 [$0], {$1,$2};"(p, a, b)   ->    store <2 x float> (a, b), p, !coalda.hint
 *
 * By the pointer that was given, which ScalarEvolution follows through no cast: whether it leads to global memory is asked where that matters, as
 * of any other. The plugin's own steps alone see them so, behind all that LLVM does: a pass that knows nothing of the mark would drop it. */
#include "transform/emit/hints.h"
#include "transform/transform.h"

/* ---- the mark ---- */

static LLVMMetadataRef text_node(LLVMContextRef context, const char *text, size_t length)
{
    return LLVMMDStringInContext2(context, text, length);
}

static LLVMContextRef context_of(LLVMValueRef value) { return LLVMGetTypeContext(LLVMTypeOf(value)); }

static void mark_set(LLVMValueRef access, LLVMMetadataRef *part, size_t count)
{
    LLVMContextRef context = context_of(access);
    LLVMValueRef node = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, part, count));
    LLVMSetMetadata(access, metadata_kind(context, HINT_METADATA), node);
}

void hint_give(LLVMValueRef access, const char *hint)
{
    LLVMMetadataRef head = text_node(context_of(access), hint, strlen(hint));
    mark_set(access, &head, HINT_TOLD);
}

static bool has_attribute(LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef found = LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return found && LLVMGetEnumAttributeValue(found) == 0;
}

static const char *flags_of(Arena *arena, LLVMValueRef call, const HintedAccess *hinted)
{
    bool is_volatile = LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(call));
    const struct {
        bool holds;
        char letter;
    } all[] = {{hinted->kind == 's', HINT_SIGNED},
               {is_volatile, HINT_VOLATILE},
               {has_attribute(call, "convergent"), HINT_CONVERGENT},
               {has_attribute(call, "nounwind"), HINT_NOTHROW},
               {has_attribute(call, "memory"), HINT_NO_MEMORY}};
    const char *flags = "";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        flags = all[i].holds ? arena_text(arena, "%s%c", flags, all[i].letter) : flags;
    return flags;
}

static void mark_written(Arena *arena, LLVMValueRef access, LLVMValueRef call, const HintedAccess *hinted)
{
    LLVMContextRef context = context_of(call);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t text_length, constraints_length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &text_length), *flags = flags_of(arena, call, hinted);
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraints_length);
    LLVMMetadataRef part[HINT_WRITTEN] = {[HINT_HEAD] = text_node(context, hinted->head, hinted->head_length),
                                          [HINT_TEXT] = text_node(context, text, text_length),
                                          [HINT_CONSTRAINTS] = text_node(context, constraints, constraints_length),
                                          [HINT_FLAGS] = text_node(context, flags, strlen(flags)),
                                          [HINT_TYPE] = LLVMValueAsMetadata(LLVMGetPoison(hinted->type))};
    mark_set(access, part, HINT_WRITTEN);
    LLVMValueRef source = LLVMGetMetadata(call, metadata_kind(context, SOURCE_METADATA));
    if (source)
        LLVMSetMetadata(access, metadata_kind(context, SOURCE_METADATA), source);
}

/* ---- accesses ---- */

/* A register is wider than what of it is in memory. */
static bool is_narrow(const HintedAccess *hinted)
{
    return LLVMGetTypeKind(hinted->type) == LLVMIntegerTypeKind && (int)LLVMGetIntTypeWidth(hinted->type) > hinted->bits;
}

static LLVMTypeRef element_type(LLVMContextRef context, const HintedAccess *hinted)
{
    return is_narrow(hinted) ? LLVMIntTypeInContext(context, (unsigned)hinted->bits) : hinted->type;
}

static LLVMTypeRef type_of_all(LLVMContextRef context, const HintedAccess *hinted)
{
    LLVMTypeRef one = element_type(context, hinted);
    return hinted->elements > 1 ? LLVMVectorType(one, (unsigned)hinted->elements) : one;
}

static LLVMValueRef index_of(LLVMContextRef context, unsigned i) { return LLVMConstInt(LLVMInt32TypeInContext(context), i, false); }

static LLVMValueRef extended(LLVMBuilderRef builder, LLVMValueRef element, const HintedAccess *hinted)
{
    if (!is_narrow(hinted))
        return element;
    return hinted->kind == 's' ? LLVMBuildSExt(builder, element, hinted->type, "")
                               : LLVMBuildZExt(builder, element, hinted->type, "");
}

/* What takes one of the call's results takes one of the load's elements. */
static void give_elements(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef load, const HintedAccess *hinted)
{
    while (LLVMGetFirstUse(call)) {
        LLVMValueRef taken = LLVMGetUser(LLVMGetFirstUse(call));
        LLVMPositionBuilderBefore(builder, taken);
        LLVMValueRef element = LLVMBuildExtractElement(builder, load, index_of(context_of(load), *LLVMGetIndices(taken)), "");
        LLVMReplaceAllUsesWith(taken, extended(builder, element, hinted));
        LLVMInstructionEraseFromParent(taken);
    }
}

static LLVMValueRef load_of(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef pointer, const HintedAccess *hinted)
{
    LLVMValueRef load = LLVMBuildLoad2(builder, type_of_all(context_of(call), hinted), pointer, "");
    if (hinted->is_steady)
        mark_add(load, "invariant.load");
    if (hinted->elements > 1)
        give_elements(builder, call, load, hinted);
    else
        LLVMReplaceAllUsesWith(call, extended(builder, load, hinted));
    return load;
}

static LLVMValueRef store_of(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef pointer, const HintedAccess *hinted)
{
    LLVMContextRef context = context_of(call);
    LLVMTypeRef one = element_type(context, hinted), all = type_of_all(context, hinted);
    LLVMValueRef value = LLVMGetPoison(all);
    for (unsigned i = 0; i < (unsigned)hinted->elements; i++) {
        LLVMValueRef element = LLVMGetOperand(call, i + 1);
        element = is_narrow(hinted) ? LLVMBuildTrunc(builder, element, one, "") : element;
        value = all == one ? element : LLVMBuildInsertElement(builder, value, element, index_of(context, i), "");
    }
    return LLVMBuildStore(builder, value, pointer);
}

static void lift(Arena *arena, LLVMBuilderRef builder, LLVMValueRef call, const HintedAccess *hinted)
{
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef pointer = LLVMGetOperand(call, 0);
    LLVMValueRef access = hinted->is_store ? store_of(builder, call, pointer, hinted) : load_of(builder, call, pointer, hinted);
    LLVMSetAlignment(access, (unsigned)(hinted->elements * hinted->bits / 8));
    mark_written(arena, access, call, hinted);
    LLVMInstructionEraseFromParent(call);
}

/* ---- functions ---- */

static void calls_of(LLVMValueRef function, List *calls)
{
    HintedAccess hinted;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (assembly_hint(i, &hinted))
                list_add(calls, i);
}

void hints_lift(Arena *arena, IrModule *ir, LLVMModuleRef module)
{
    HintedAccess hinted;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        List calls = list_new(arena);
        calls_of(f, &calls);
        for (size_t i = 0; i < calls.count; i++)
            if (assembly_hint(calls.item[i], &hinted))
                lift(arena, builder, calls.item[i], &hinted);
        if (calls.count)
            ir_changed(ir, f);
    }
    LLVMDisposeBuilder(builder);
}

bool hints_are_there(LLVMModuleRef module)
{
    HintedAccess hinted;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMIsDeclaration(f) ? NULL : LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (assembly_hint(i, &hinted))
                    return true;
    return false;
}
