/* Numbers that go on by a constant under a condition.
 *
 *     for (...) below += key[j] < k;        LLVM writes below + (key[j] < k ? 1 : 0): ptxas adds 1, and takes the number as it was where that does not
 *                                           hold, two instructions and a register beside the comparison;
 *                                           of key[j] < k ? below + 1 : below it makes one, an addition under a predicate
 *
 * So it is with additions, subtractions and exclusive ors of up to 32 bits by a constant: loops of sixteen such numbers came to 42 instructions instead
 * of 58, of one to 60 instead of 74. What runs may choose ptxas adds by threes, and 64 bits are chosen as two words: those came to more instructions,
 * 52 to 64 and 60 to 91. Where the number is made anew in each iteration, as in flags * 2 + (a < b), both forms take as many (ptxas 13.0, sm_90). */
#include "analysis/ahead/lookahead.h"

enum { WIDEST = 32 };

/* Two conditions in one, of which the backend makes two choices, one behind the other. */
static bool is_split(LLVMValueRef condition)
{
    return is_used_once(condition) && (is_op(condition, LLVMAnd) || is_op(condition, LLVMOr) || is_op(condition, LLVMSelect));
}

/* Is it a constant where a condition holds, or where it does not, and else nothing? */
static bool is_part(LLVMValueRef value, CountPart *part)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef condition = LLVMIsAInstruction(value) && LLVMGetNumOperands(value) ? LLVMGetOperand(value, 0) : NULL;
    bool widens = is_op(value, LLVMZExt) || is_op(value, LLVMSExt), chooses = is_op(value, LLVMSelect);
    if (!(widens || chooses) || LLVMTypeOf(condition) != LLVMInt1TypeInContext(LLVMGetTypeContext(type)) || is_split(condition))
        return false;
    LLVMValueRef then = chooses ? LLVMGetOperand(value, 1) : LLVMConstInt(type, is_op(value, LLVMZExt) ? 1 : UINT64_MAX, true);
    LLVMValueRef otherwise = chooses ? LLVMGetOperand(value, 2) : LLVMConstNull(type);
    if (!LLVMIsAConstantInt(then) || !LLVMIsAConstantInt(otherwise) || LLVMIsNull(then) == LLVMIsNull(otherwise))
        return false;
    *part = (CountPart){condition, LLVMIsNull(then) ? otherwise : then, LLVMIsNull(then)};
    return true;
}

static bool may_count(LLVMValueRef sum) { return is_op(sum, LLVMAdd) || is_op(sum, LLVMSub) || is_op(sum, LLVMXor); }

/* Where something else uses it, the backend has it in a register, and adds that. */
static bool is_for_counts_alone(LLVMValueRef part)
{
    for (LLVMUseRef use = LLVMGetFirstUse(part); use; use = LLVMGetNextUse(use))
        if (!may_count(LLVMGetUser(use)))
            return false;
    return true;
}

/* All that is added: one part, or several that are added to each other first. */
static bool find_parts(LLVMValueRef value, bool several, Counting *count)
{
    if (count->parts == COUNT_PARTS)
        return false;
    if (is_part(value, &count->part[count->parts]) && is_for_counts_alone(value))
        return ++count->parts;
    return several && is_op(value, LLVMAdd) && is_used_once(value) && find_parts(LLVMGetOperand(value, 0), true, count) &&
           find_parts(LLVMGetOperand(value, 1), true, count);
}

/* A number that goes on: what is computed anew takes as much either way. */
static bool goes_on(LLVMValueRef number) { return LLVMIsAPHINode(number) || is_op(number, LLVMSelect); }

static bool is_counted_by(LLVMValueRef sum, unsigned number, Counting *count)
{
    LLVMValueRef before = LLVMGetOperand(sum, number);
    *count = (Counting){.sum = sum, .before = before};
    return goes_on(before) && find_parts(LLVMGetOperand(sum, 1 - number), is_op(sum, LLVMAdd), count);
}

bool count_find(IrModule *ir, LLVMValueRef sum, Counting *count)
{
    bool commutes = !is_op(sum, LLVMSub);
    if (!may_count(sum) || LLVMGetTypeKind(LLVMTypeOf(sum)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(sum)) > WIDEST || !ir_loop_of(ir, LLVMGetInstructionParent(sum)))
        return false;
    return is_counted_by(sum, 0, count) || (commutes && is_counted_by(sum, 1, count));
}
