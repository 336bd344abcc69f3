/* Inline assembly of one instruction: loads, stores and atomics on memory, and reads of the lane's number.
 *
 *     asm("ld.global.nc.v2.u64 {$0, $1}, [$2];")      a load of 16 bytes at the call's first operand */
#include <stdlib.h>
#include <string.h>

#include "analysis/address/kernel.h"

static const char *assembly_text(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    return LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, &length) : NULL;
}

/* Results are numbered before operands. */
static unsigned result_count(LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return 0;
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 1;
}

static bool has_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at + length <= end; at++)
        if (strncmp(at, word, length) == 0)
            return true;
    return false;
}

/* Bytes by the type suffix, the last one of the instruction: .u32 is 4, .v4.f32 is 16. */
static int bytes_of(const char *text, const char *end)
{
    int vector = has_word(text, end, ".v2.") ? 2 : has_word(text, end, ".v4.") ? 4 : 1;
    for (const char *at = end; at > text; at--)
        if (at[-1] == '.' && strchr("usbf", *at)) {
            int bits = atoi(at + 1);
            return bits % 8 == 0 ? vector * bits / 8 : 0;
        }
    return 0;
}

static bool is_one_statement(const char *text)
{
    const char *rest = text + strcspn(text, ";");
    return rest[strspn(rest, "; \t\r\n")] == '\0';
}

bool assembly_access(LLVMValueRef call, AccessOp *op, unsigned *operand, int *bytes)
{
    static const struct {
        const char *start;
        AccessOp op;
    } kinds[] = {{"ld.", OP_LOAD}, {"st.", OP_STORE}, {"atom.", OP_ATOMIC}, {"red.", OP_ATOMIC}};
    const char *text = assembly_text(call);
    while (text && (*text == ' ' || *text == '\t' || *text == '\n'))
        text++;
    for (size_t i = 0; text && is_one_statement(text) && i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(text, kinds[i].start, strlen(kinds[i].start)) != 0)
            continue;
        const char *address = strstr(text, "[$");
        const char *end = text + strcspn(text, " \t");
        if (!address || strchr(text, '[') != address || strchr(address + 1, '['))
            return false;
        unsigned number = (unsigned)atoi(address + 2), results = result_count(call);
        *op = kinds[i].op;
        *operand = number - results;
        *bytes = bytes_of(text, end);
        return *bytes > 0 && number >= results && *operand < LLVMGetNumArgOperands(call);
    }
    return false;
}

/* A part of ld.global.L1::no_allocate.v2.f32: where, of what type, or how long caches are to keep it. Whatever orders memory, or asks for it
 * anew (cv), is none. */
static bool is_hint(const char *part, size_t length)
{
    static const char *const words[] = {"global", "weak", "nc", "ca", "cg", "cs", "lu", "wb", "wt", "v2", "v4"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncmp(part, words[i], length) == 0)
            return true;
    bool is_type = strchr("busf", *part) && strspn(part + 1, "0123456789") == length - 1;
    return length > 1 && (is_type || text_begins(part, "L1::") || text_begins(part, "L2::"));
}

bool assembly_is_hinted(LLVMValueRef call)
{
    AccessOp op;
    unsigned operand;
    int bytes;
    if (!LLVMIsACallInst(call) || !assembly_access(call, &op, &operand, &bytes) || op == OP_ATOMIC)
        return false;
    const char *text = assembly_text(call), *at = strchr(text, '.'), *end = at + strcspn(at, " \t");
    for (bool all = true; all; at += 1 + strcspn(at + 1, ".")) {
        if (at >= end)
            return true;
        size_t length = strcspn(at + 1, ". \t");
        all = length && is_hint(at + 1, length);
    }
    return false;
}

bool assembly_reads_lane(LLVMValueRef call)
{
    const char *text = assembly_text(call);
    return text && is_one_statement(text) && text_begins(text, "mov.u32 $0, %laneid;");
}

bool assembly_names(LLVMValueRef call, const char *word)
{
    const char *text = assembly_text(call);
    return text && strstr(text, word);
}
