/* Neighbours that are kept within bounds.
 *
 *     in[min(max(x + 2, 0), w - 1)]      LLVM writes min(max(x, -2) + 2, w - 1): ptxas makes the sum and the lower one of one instruction, whose third
 *                                        operand cannot be a number that all lanes share, so that w - 1 takes a register of each lane;
 *                                        of min(max(x + 2, 0), w - 1) it makes the sum and the higher one of one, and w - 1 is shared
 *
 * As many instructions, and as long as there are many such places, some registers less: of sixteen loads of a bicubic filter all are under way
 * instead of eight (ptxas 13.0, sm_90). Where nothing compares the sum with a number of run time it stays: it is part of an address then. */
#include "analysis/ahead/lookahead.h"

static LLVMValueRef callee_of(LLVMValueRef value) { return LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL; }

/* The signed higher one, or lower one, of two. */
static bool is_of_two(LLVMValueRef value, const char *name, size_t length)
{
    LLVMValueRef callee = callee_of(value);
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, length) &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

static bool is_higher(LLVMValueRef value) { return is_of_two(value, "llvm.smax", sizeof "llvm.smax" - 1); }
static bool is_lower(LLVMValueRef value) { return is_of_two(value, "llvm.smin", sizeof "llvm.smin" - 1); }

static bool is_bounded_by_run_time(LLVMValueRef sum)
{
    for (LLVMUseRef use = LLVMGetFirstUse(sum); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_lower(user) || LLVMIsAConstant(LLVMGetOperand(user, LLVMGetOperand(user, 0) == sum)))
            return false;
    }
    return LLVMGetFirstUse(sum) != NULL;
}

/* The higher one of the number and what the sum is at least, in the same block: it is there if a neighbour at no distance is asked for. */
static LLVMValueRef own_place(LLVMValueRef number, LLVMValueRef least, LLVMValueRef higher)
{
    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_higher(user) && LLVMGetOperand(user, 0) == number && LLVMGetOperand(user, 1) == least &&
            LLVMGetInstructionParent(user) == LLVMGetInstructionParent(higher))
            return user;
    }
    return NULL;
}

bool clamp_find(LLVMValueRef sum, Clamp *clamp)
{
    enum { WORD = 32 };
    if (!is_op(sum, LLVMAdd) || !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)) ||
        LLVMGetTypeKind(LLVMTypeOf(sum)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(sum)) != WORD)
        return false;
    LLVMValueRef higher = LLVMGetOperand(sum, 0);
    if (!is_higher(higher) || !is_used_once(higher) || !LLVMIsAConstantInt(LLVMGetOperand(higher, 1)) ||
        !is_bounded_by_run_time(sum))
        return false;
    int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1)), least = LLVMConstIntGetSExtValue(LLVMGetOperand(higher, 1)) + by;
    *clamp = (Clamp){.sum = sum, .higher = higher, .number = LLVMGetOperand(higher, 0), .by = by, .least = least};
    if (least < INT32_MIN || least > INT32_MAX)
        return false;
    /* Below its bound the number plus what is positive wraps around nowhere, and above it the program says so. */
    if (by > 0)
        return LLVMGetNSW(sum);
    /* Minus something it may wrap around far below its bound: it has to be at least least by then, and so not much less is left of it. */
    LLVMValueRef bound = LLVMConstInt(LLVMTypeOf(sum), (uint64_t)least, true);
    clamp->is_behind_own = least + by >= INT32_MIN && own_place(clamp->number, bound, higher);
    return clamp->is_behind_own;
}
