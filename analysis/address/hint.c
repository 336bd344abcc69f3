/* Assembly that is a load or a store like any other, but for what it tells the caches: what of it must be known to write it as one, and as assembly
 * again (transform/emit/hints.c).
 *
 *     asm("ld.global.cs.v2.f32 {$0,$1}, [$2];", "=f,=f,l")      its head is ld.global.cs, its elements are two of 32 bits */
#include <stdlib.h>

#include "analysis/address/kernel.h"

enum { MOST_ELEMENTS = 4 };

static const char *text_of(LLVMValueRef call)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
    return text + strspn(text, " \t\n");
}

/* ---- its name ---- */

/* The last part of the name is the type; in front of it stands how many elements there are. */
static bool read_name(const char *text, HintedAccess *found)
{
    size_t length = strcspn(text, " \t"), at = length;
    while (at && text[at - 1] != '.')
        at--;
    found->kind = text[at];
    found->bits = atoi(text + at + 1);
    found->head = text;
    found->head_length = at - 1;
    bool is_pair = at > 4 && strncmp(text + at - 4, ".v2.", 4) == 0, is_four = at > 4 && strncmp(text + at - 4, ".v4.", 4) == 0;
    found->elements = is_pair ? 2 : is_four ? 4 : 1;
    found->head_length -= is_pair || is_four ? 3 : 0;
    return found->bits == 8 || found->bits == 16 || found->bits == 32 || found->bits == 64;
}

static bool head_has(const char *head, size_t head_length, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strchr(head, '.'); at && at < head + head_length; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, word, length) == 0 && (at + 1 + length == head + head_length || at[1 + length] == '.'))
            return true;
    return false;
}

static bool has_part(const HintedAccess *found, const char *word) { return head_has(found->head, found->head_length, word); }

/* ---- its operands ---- */

/* Are the operands the elements and the address, each in its place, and nothing else? Blanks are all one. */
static bool has_plain_operands(const char *text, const HintedAccess *found)
{
    static const char *const plain[][MOST_ELEMENTS + 1] = {{[1] = "$0,[$1]", [2] = "{$0,$1},[$2]", [4] = "{$0,$1,$2,$3},[$4]"},
                                                           {[1] = "[$0],$1", [2] = "[$0],{$1,$2}", [4] = "[$0],{$1,$2,$3,$4}"}};
    const char *at = text + strcspn(text, " \t"), *wanted = plain[found->is_store][found->elements];
    for (; *at && *at != ';'; at++)
        if (*at != ' ' && *at != '\t' && *at != *wanted++)
            return false;
    return *wanted == '\0';
}

/* "=f,=f,l" of a load, "l,f,f,~{memory}" of a store. */
static bool has_plain_constraints(const char *constraints, HintedAccess *found)
{
    const char *at = constraints, *mark = found->is_store ? "" : "=";
    if (found->is_store && strncmp(at, "l,", 2) != 0)
        return false;
    at += found->is_store ? 2 : 0;
    for (int i = 0; i < found->elements; i++) {
        if (strncmp(at, mark, strlen(mark)) != 0 || !strchr("rhlfd", at[strlen(mark)]) || !at[strlen(mark)])
            return false;
        at += strlen(mark) + 1;
        at += *at == ',';
    }
    if (!found->is_store && *at++ != 'l')
        return false;
    at += *at == ',';
    found->is_barrier = strcmp(at, "~{memory}") == 0;
    return *at == '\0' || found->is_barrier;
}

/* ---- its types ---- */

/* Registers are as wide as the elements in memory, or wider and hold them as integers. */
static bool holds(LLVMTypeRef type, const HintedAccess *found)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return found->bits == 32;
    case LLVMDoubleTypeKind: return found->bits == 64;
    case LLVMIntegerTypeKind: {
        int bits = (int)LLVMGetIntTypeWidth(type);
        return bits == found->bits || (bits > found->bits && bits <= 64 && (found->kind == 'u' || found->kind == 's'));
    }
    default: return false;
    }
}

static bool is_pointer_to(LLVMValueRef operand)
{
    LLVMTypeRef type = LLVMTypeOf(operand);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) <= 1;
}

static bool stores_plainly(LLVMValueRef call, HintedAccess *found)
{
    if (LLVMGetNumArgOperands(call) != (unsigned)found->elements + 1 || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        return false;
    found->type = LLVMTypeOf(LLVMGetOperand(call, 1));
    for (int i = 1; i < found->elements; i++)
        if (LLVMTypeOf(LLVMGetOperand(call, (unsigned)i + 1)) != found->type)
            return false;
    return holds(found->type, found);
}

/* Several results are taken from the struct one by one. */
static bool is_taken_apart(LLVMValueRef call)
{
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!is_op(LLVMGetUser(use), LLVMExtractValue))
            return false;
    return true;
}

static bool loads_plainly(LLVMValueRef call, HintedAccess *found)
{
    LLVMTypeRef result = LLVMTypeOf(call);
    if (LLVMGetNumArgOperands(call) != 1)
        return false;
    bool is_struct = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    if (is_struct != (found->elements > 1))
        return false;
    found->type = is_struct ? LLVMStructGetTypeAtIndex(result, 0) : result;
    for (unsigned i = 0; is_struct && i < LLVMCountStructElementTypes(result); i++)
        if (LLVMStructGetTypeAtIndex(result, i) != found->type)
            return false;
    return holds(found->type, found) && (!is_struct || is_taken_apart(call));
}

/* ---- all of it ---- */

/* What a load is kept from by being volatile, or by a clobber, it is to be kept from; of what nobody writes it is kept from nothing. A store
 * has nothing else to say that it has an effect, and in PTX it is ordered with what touches the same bytes alone. Nor do the toolkit's headers mean more
 * by the clobber of __ldlu, or those who write such a function themselves by both: nobody who waits for another thread's word says that it is wanted once, or not
 * again soon. */
static bool may_be_moved(LLVMValueRef callee, const HintedAccess *found)
{
    bool is_once = has_part(found, "lu") || has_part(found, "cs");
    return found->is_store || has_part(found, "nc") || is_once || !(LLVMGetInlineAsmHasSideEffects(callee) || found->is_barrier);
}

/* As clang writes assembly: no more is kept of how it was called. */
static bool is_plain_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return !LLVMGetNumOperandBundles(call) && !LLVMGetInlineAsmNeedsAlignedStack(callee) && !LLVMGetInlineAsmCanUnwind(callee) &&
           LLVMGetInlineAsmDialect(callee) == LLVMInlineAsmDialectATT;
}

bool assembly_hint(LLVMValueRef call, HintedAccess *found)
{
    size_t length;
    if (!assembly_is_hinted(call) || !is_plain_call(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *text = text_of(call);
    *found = (HintedAccess){.is_store = text_begins(text, "st.")};
    if (!read_name(text, found) || !has_plain_operands(text, found) ||
        !has_plain_constraints(LLVMGetInlineAsmConstraintString(callee, &length), found))
        return false;
    found->is_steady = has_part(found, "nc");
    bool plain = found->is_store ? stores_plainly(call, found) : loads_plainly(call, found);
    return plain && found->bits * found->elements <= 8 * IR_WIDEST && is_pointer_to(LLVMGetOperand(call, 0)) &&
           may_be_moved(callee, found);
}

const char *access_hint(LLVMValueRef instruction) { return ir_mark_text(instruction, HINT_METADATA); }

bool hint_passes_first(const char *hint) { return hint && head_has(hint, strlen(hint), "cg"); }

static bool passes_all(const char *hint) { return hint && head_has(hint, strlen(hint), "wt"); }

const char *hint_of_both(const char *a, const char *b)
{
    if (a && b ? strcmp(a, b) == 0 : a == b)
        return a;
    if (passes_all(a) || passes_all(b))
        return "st.global.wt";
    if (hint_passes_first(a) || hint_passes_first(b))
        return text_begins(hint_passes_first(a) ? a : b, "ld") ? "ld.global.cg" : "st.global.cg";
    return NULL;
}
