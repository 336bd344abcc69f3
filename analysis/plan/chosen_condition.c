/* Conditions that hold of some lanes of a warp and not of their neighbours, as far as anybody knows:
 *
 *     flag[i] > 3                    data decide
 *     i % 5, i & 1, hash(i) % 3      what is left of a number, or a mix of its bits, decides
 *
 * A bound, `i < n`, holds of whole warps but for one; rows of any length, `i % width > 0`, of whole warps but for two of each row. */
#include "analysis/plan/plan.h"

static bool is_number(LLVMValueRef value, LLVMOpcode op)
{
    return is_op(value, op) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 1;
}

static bool is_short_rest(LLVMValueRef value)
{
    LLVMValueRef by = is_number(value, LLVMURem) || is_number(value, LLVMSRem) ? LLVMIsAConstantInt(LLVMGetOperand(value, 1))
                                                                               : NULL;
    return by && LLVMConstIntGetSExtValue(by) > 0 && LLVMConstIntGetSExtValue(by) <= WARP_LANES;
}

static bool is_low_bit(LLVMValueRef value)
{
    LLVMValueRef bits = is_number(value, LLVMAnd) ? LLVMIsAConstantInt(LLVMGetOperand(value, 1)) : NULL;
    bool is_one = is_op(value, LLVMTrunc) && LLVMTypeOf(value) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
    return is_one || (bits && LLVMConstIntGetZExtValue(bits) < WARP_LANES);
}

static bool scatters(LLVMValueRef value) { return is_short_rest(value) || is_low_bit(value) || is_number(value, LLVMXor); }

/* Nothing in it that scatters, but of what the whole block knows alike. */
static SlicePart ask_even(Slice *slice, const void *context, LLVMValueRef value)
{
    Scope *scope = (Scope *)context;
    (void)slice;
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || LLVMIsALoadInst(value))
        return SLICE_KNOWN;
    return scatters(value) && !uniform_between_barriers(scope, value) ? SLICE_FAILS : SLICE_MADE;
}

static bool scatters_somewhere(Scope *scope, LLVMValueRef condition)
{
    return !slice_of(scope->kernel->arena, condition, ask_even, scope);
}

bool condition_chooses(Scope *scope, LLVMValueRef condition)
{
    return !uniform_is_told(scope, condition) || scatters_somewhere(scope, condition);
}
