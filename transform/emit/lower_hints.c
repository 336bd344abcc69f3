/* Loads and stores that tell the caches something are assembly again, behind all that has been moved (lift_hints.c):
 *
 *     v = load float, p, !{cs, text, ...}                 ->    v = asm "ld.global.cs.f32 $0, [$1];"(p)                  as it was
 *     w = load <4 x i32>, q, !{cs}                        ->    w = asm "ld.global.cs.v4.b32 {$0,$1,$2,$3}, [$4];"(q)    for a warp
 *
 * One that is as it was has the text and the attributes that it had. Those by which a warp moves what its threads asked for have a text for their
 * width, and are volatile and clobber memory: other lanes store what they load, and LLVM is to keep that order. */
#include "transform/emit/hints.h"
#include "transform/transform.h"

enum { MOST_ELEMENTS = 4 };

/* How an access is to be written. */
typedef struct {
    Arena *arena;
    LLVMBuilderRef builder;
    LLVMContextRef context;
    LLVMValueRef access;
    const char *text, *constraints, *flags;
    LLVMTypeRef one; /* of a register that holds an element */
    unsigned elements;
} Writing;

static bool has_flag(const Writing *w, char letter) { return strchr(w->flags, letter); }

static bool is_vector(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMVectorTypeKind; }

static LLVMTypeRef element_type(LLVMValueRef access)
{
    LLVMTypeRef type = type_of_access(access);
    return is_vector(type) ? LLVMGetElementType(type) : type;
}

/* ---- texts ---- */

static const char *operands_of(const Writing *w, unsigned first)
{
    const char *all = arena_text(w->arena, "$%u", first);
    for (unsigned i = 1; i < w->elements; i++)
        all = arena_text(w->arena, "%s,$%u", all, first + i);
    return w->elements > 1 ? arena_text(w->arena, "{%s}", all) : all;
}

static const char *repeated(const Writing *w, const char *constraint)
{
    const char *all = constraint;
    for (unsigned i = 1; i < w->elements; i++)
        all = arena_text(w->arena, "%s,%s", all, constraint);
    return all;
}

/* That a word is read for the last time holds of one access, not of the warp's: in global memory that is a streaming load (PTX ISA, "Cache
 * Operators"). */
static const char *without_last_use(Arena *arena, const char *head)
{
    const char *at = strstr(head, ".lu");
    return at ? arena_text(arena, "%.*s.cs%s", (int)(at - head), head, at + 3) : head;
}

static void write_wide(Writing *w, const char *head)
{
    LLVMTypeRef one = element_type(w->access);
    INVARIANT(LLVMGetTypeKind(one) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(one) <= 32);
    unsigned bits = LLVMGetIntTypeWidth(one);
    const char *count = w->elements > 1 ? arena_text(w->arena, ".v%u", w->elements) : "", *letter = bits == 16 ? "h" : "r";
    const char *name = arena_text(w->arena, "%s%s.%c%u", without_last_use(w->arena, head), count, bits == 8 ? 'u' : 'b', bits);
    bool is_load = LLVMIsALoadInst(w->access);
    w->one = bits == 8 ? LLVMInt32TypeInContext(w->context) : one;
    w->flags = arena_text(w->arena, "%c%c%c", HINT_VOLATILE, HINT_CONVERGENT, HINT_NOTHROW);
    if (is_load) {
        w->text = arena_text(w->arena, "%s %s, [$%u];", name, operands_of(w, 0), w->elements);
        w->constraints = arena_text(w->arena, "%s,l,~{memory}", repeated(w, arena_text(w->arena, "=%s", letter)));
    } else {
        w->text = arena_text(w->arena, "%s [$0], %s;", name, operands_of(w, 1));
        w->constraints = arena_text(w->arena, "l,%s,~{memory}", repeated(w, letter));
    }
}

static const char *text_at(LLVMValueRef const *part, int i)
{
    unsigned length;
    return LLVMGetMDString(part[i], &length);
}

static Writing writing_of(Arena *arena, LLVMBuilderRef builder, LLVMValueRef access)
{
    LLVMTypeRef type = type_of_access(access);
    Writing w = {arena,  builder, LLVMGetTypeContext(type),
                 access, NULL,    NULL,
                 NULL,   NULL,    is_vector(type) ? LLVMGetVectorSize(type) : 1};
    LLVMValueRef part[HINT_WRITTEN], mark = LLVMGetMetadata(access, metadata_kind(w.context, HINT_METADATA));
    unsigned parts = LLVMGetMDNodeNumOperands(mark);
    INVARIANT(parts == HINT_TOLD || parts == HINT_WRITTEN);
    LLVMGetMDNodeOperands(mark, part);
    if (parts == HINT_TOLD) {
        write_wide(&w, text_at(part, HINT_HEAD));
        return w;
    }
    w.text = text_at(part, HINT_TEXT);
    w.constraints = text_at(part, HINT_CONSTRAINTS);
    w.flags = text_at(part, HINT_FLAGS);
    w.one = LLVMTypeOf(part[HINT_TYPE]);
    return w;
}

/* ---- calls ---- */

static LLVMValueRef call_make(const Writing *w, LLVMTypeRef result, LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef types[MOST_ELEMENTS + 1];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef callee = LLVMGetInlineAsm(type, w->text, strlen(w->text), w->constraints, strlen(w->constraints),
                                           has_flag(w, HINT_VOLATILE), false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(w->builder, type, callee, args, count, "");
    if (has_flag(w, HINT_CONVERGENT))
        call_promise(call, "convergent");
    if (has_flag(w, HINT_NOTHROW))
        call_promise(call, "nounwind");
    if (has_flag(w, HINT_NO_MEMORY))
        call_promise(call, "memory");
    LLVMValueRef source = LLVMGetMetadata(w->access, metadata_kind(w->context, SOURCE_METADATA));
    if (source)
        LLVMSetMetadata(call, metadata_kind(w->context, SOURCE_METADATA), source);
    return call;
}

/* ---- results ---- */

/* What extends the element takes the register, which holds it so; whatever else wants it takes so much of that. */
static void give(const Writing *w, LLVMValueRef element, LLVMValueRef held)
{
    LLVMOpcode extension = has_flag(w, HINT_SIGNED) ? LLVMSExt : LLVMZExt;
    bool is_narrow = LLVMTypeOf(element) != LLVMTypeOf(held);
    for (LLVMUseRef use = LLVMGetFirstUse(element), next; use && is_narrow; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!is_op(user, extension) || LLVMTypeOf(user) != LLVMTypeOf(held))
            continue;
        LLVMReplaceAllUsesWith(user, held);
        LLVMInstructionEraseFromParent(user);
    }
    if (LLVMGetFirstUse(element))
        LLVMReplaceAllUsesWith(element, is_narrow ? LLVMBuildTrunc(w->builder, held, LLVMTypeOf(element), "") : held);
}

static bool takes_known(LLVMValueRef user)
{
    return is_op(user, LLVMExtractElement) && LLVMIsAConstantInt(LLVMGetOperand(user, 1));
}

/* Elements that are taken one by one are results of the call. */
static void give_taken(const Writing *w, LLVMValueRef call)
{
    for (LLVMUseRef use = LLVMGetFirstUse(w->access), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!takes_known(user))
            continue;
        unsigned number = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1));
        LLVMPositionBuilderBefore(w->builder, user);
        give(w, user, LLVMBuildExtractValue(w->builder, call, number, ""));
        LLVMInstructionEraseFromParent(user);
    }
}

/* Whatever else wants the vector has it put together. */
static void give_vector(const Writing *w, LLVMValueRef call)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(w->context), one = element_type(w->access);
    LLVMValueRef all = LLVMGetPoison(LLVMTypeOf(w->access));
    LLVMPositionBuilderBefore(w->builder, w->access);
    for (unsigned i = 0; i < w->elements; i++) {
        LLVMValueRef held = LLVMBuildExtractValue(w->builder, call, i, "");
        LLVMValueRef element = LLVMTypeOf(held) == one ? held : LLVMBuildTrunc(w->builder, held, one, "");
        all = LLVMBuildInsertElement(w->builder, all, element, LLVMConstInt(word, i, false), "");
    }
    LLVMReplaceAllUsesWith(w->access, all);
}

static void lower_load(const Writing *w)
{
    LLVMTypeRef results[] = {w->one, w->one, w->one, w->one};
    LLVMTypeRef result = w->elements > 1 ? LLVMStructTypeInContext(w->context, results, w->elements, false) : w->one;
    LLVMValueRef address = LLVMGetOperand(w->access, 0), call = call_make(w, result, &address, 1);
    if (w->elements == 1) {
        give(w, w->access, call);
        return;
    }
    give_taken(w, call);
    if (LLVMGetFirstUse(w->access))
        give_vector(w, call);
}

/* ---- what is stored ---- */

static LLVMValueRef element_at(const Writing *w, LLVMValueRef value, unsigned number)
{
    if (w->elements == 1)
        return value;
    for (; is_op(value, LLVMInsertElement) && LLVMIsAConstantInt(LLVMGetOperand(value, 2)); value = LLVMGetOperand(value, 0))
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2)) == number)
            return LLVMGetOperand(value, 1);
    return LLVMBuildExtractElement(w->builder, value, LLVMConstInt(LLVMInt32TypeInContext(w->context), number, false), "");
}

static LLVMValueRef register_with(const Writing *w, LLVMValueRef element)
{
    if (LLVMTypeOf(element) == w->one)
        return element;
    if (is_op(element, LLVMTrunc) && LLVMTypeOf(LLVMGetOperand(element, 0)) == w->one)
        return LLVMGetOperand(element, 0);
    return has_flag(w, HINT_SIGNED) ? LLVMBuildSExt(w->builder, element, w->one, "")
                                    : LLVMBuildZExt(w->builder, element, w->one, "");
}

static void lower_store(const Writing *w)
{
    LLVMValueRef args[MOST_ELEMENTS + 1] = {LLVMGetOperand(w->access, 1)};
    for (unsigned i = 0; i < w->elements; i++)
        args[i + 1] = register_with(w, element_at(w, LLVMGetOperand(w->access, 0), i));
    call_make(w, LLVMVoidTypeInContext(w->context), args, w->elements + 1);
}

/* ---- accesses ---- */

/* What put the vector together for the access alone. */
static void erase_unused(LLVMValueRef value)
{
    if (LLVMGetFirstUse(value) || !(is_op(value, LLVMInsertElement) || is_op(value, LLVMTrunc)))
        return;
    LLVMValueRef first = LLVMGetOperand(value, 0), second = is_op(value, LLVMInsertElement) ? LLVMGetOperand(value, 1) : NULL;
    LLVMInstructionEraseFromParent(value);
    erase_unused(first);
    if (second)
        erase_unused(second);
}

static void lower(Arena *arena, LLVMBuilderRef builder, LLVMValueRef access)
{
    LLVMPositionBuilderBefore(builder, access);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(access));
    Writing w = writing_of(arena, builder, access);
    LLVMValueRef stored = LLVMIsALoadInst(access) ? NULL : LLVMGetOperand(access, 0);
    if (stored)
        lower_store(&w);
    else
        lower_load(&w);
    LLVMInstructionEraseFromParent(access);
    if (stored)
        erase_unused(stored);
}

void hints_lower(Arena *arena, IrModule *ir, LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        List accesses = list_new(arena);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (access_hint(i))
                    list_add(&accesses, i);
        for (size_t i = 0; i < accesses.count; i++)
            lower(arena, builder, accesses.item[i]);
        if (accesses.count)
            ir_changed(ir, f);
    }
    LLVMDisposeBuilder(builder);
}
