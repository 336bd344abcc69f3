/* What instructions take: slots, as many as an SM starts of those that it starts fastest in a clock (CUDA C++ Programming Guide,
 * "Arithmetic Instructions", compute capability 9.0: 128 lanes a clock of sums and products of floats, 64 of integers and of doubles, 32 of
 * shuffles, 16 of reciprocals, roots, powers of 2 and sines). */
#include "analysis/records/records.h"

enum { PLAIN = 1, WORD_BITS = WORD_BYTES * 8 };

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_double(LLVMTypeRef type) { return LLVMGetTypeKind(element_of(type)) == LLVMDoubleTypeKind; }

static bool is_wide(LLVMTypeRef type)
{
    LLVMTypeRef element = element_of(type);
    return is_double(element) || (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) > WORD_BITS);
}

/* Of a quotient or a root. Quotients of integers go by way of those of floats, there and back. */
static double slots_of_quotient(const Costs *costs, LLVMTypeRef type)
{
    bool whole = LLVMGetTypeKind(element_of(type)) == LLVMIntegerTypeKind;
    return costs->QUOTIENT * (is_wide(type) ? 2 : 1) * (whole ? 2 : 1);
}

/* By a number that is known, a product and shifts do. */
static double slots_of_division(const Costs *costs, LLVMValueRef division)
{
    enum { STEPS = 3 };
    double words = is_wide(LLVMTypeOf(division)) ? 2 : 1;
    bool known = LLVMIsAConstantInt(LLVMGetOperand(division, 1)) != NULL;
    return known ? STEPS * words * costs->HALF_RATE : slots_of_quotient(costs, LLVMTypeOf(division));
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_begins(name, names[i]))
            return true;
    return false;
}

static double slots_of_call(const Costs *costs, LLVMValueRef call)
{
    static const char *const turns[] = {"llvm.fshl.", "llvm.fshr."};
    static const char *const specials[] = {"llvm.nvvm.div.approx",  "llvm.nvvm.div.full",     "llvm.nvvm.rcp.approx",
                                           "llvm.nvvm.sqrt.approx", "llvm.nvvm.rsqrt.approx", "llvm.nvvm.ex2.",
                                           "llvm.nvvm.lg2.",        "llvm.nvvm.sin.",         "llvm.nvvm.cos.",
                                           "llvm.nvvm.tanh."};
    static const char *const roots[] = {"llvm.sqrt.", "llvm.nvvm.sqrt.", "llvm.nvvm.div.", "llvm.nvvm.rcp."};
    const char *name = callee_name(call);
    if (is_one_of(name, turns, sizeof turns / sizeof *turns))
        return costs->HALF_RATE;
    if (is_one_of(name, specials, sizeof specials / sizeof *specials))
        return costs->SPECIAL;
    if (is_one_of(name, roots, sizeof roots / sizeof *roots))
        return slots_of_quotient(costs, LLVMTypeOf(call));
    if (is_harmless(call) && ir_touches_memory(call)) /* debug information, assumptions */
        return 0;
    return is_double(LLVMTypeOf(call)) ? costs->HALF_RATE : PLAIN;
}

/* Two sums, or two or three logical operations, become one instruction at half the rate, as a sum and a product of floats become
 * one at the full rate; a shift stays one of its own. */
static double slots_of(const Costs *costs, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMPHI:
    case LLVMBitCast:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast: return 0;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return costs->HALF_RATE;
    case LLVMFDiv:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return slots_of_division(costs, instruction);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul: return is_double(LLVMTypeOf(instruction)) ? costs->HALF_RATE : PLAIN;
    case LLVMCall: return slots_of_call(costs, instruction);
    default: return PLAIN;
    }
}

double slots_of_block(const Costs *costs, LLVMBasicBlockRef block)
{
    double slots = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        slots += slots_of(costs, i);
    return slots;
}
