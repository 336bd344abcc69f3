/* Would a longer loop, or one without its jumps, show the backend products and sums in one block that are in two now? It would
 * fuse them, and round once where the original rounds twice.
 *
 *     last = 0
 *     for (...) { s += last; last = a * b }      s + last is a sum; in a longer body it would be fma(a, b, s) */
#include <string.h>

#include "analysis/facts/facts.h"

/* ---- what the backend fuses of what it sees in one block: an addition takes up its first factor that is a product, or its second
 * where fewer others use that one ---- */

static bool contracts(LLVMValueRef value)
{
    return LLVMCanValueUseFastMathFlags(value) && LLVMGetFastMathFlags(value) & LLVMFastMathAllowContract;
}

static bool is_product(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return is_op(value, LLVMFMul) && LLVMGetInstructionParent(value) == block && contracts(value);
}

/* As the backend counts, which looks at one block at a time: all others are one. */
static int uses_of(LLVMValueRef product)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(product);
    int here = 0;
    bool elsewhere = false;
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool inside = LLVMGetInstructionParent(user) == block && !LLVMIsAPHINode(user);
        here += inside;
        elsewhere |= !inside;
    }
    return here + elsewhere;
}

bool is_sum(LLVMValueRef value) { return is_op(value, LLVMFAdd) || is_op(value, LLVMFSub); }

int product_in(LLVMValueRef sum)
{
    if (!is_sum(sum) || !contracts(sum))
        return -1;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = LLVMGetOperand(sum, 0), second = LLVMGetOperand(sum, 1);
    bool is_first = is_product(first, block), is_second = is_product(second, block);
    if (first == second || !(is_first || is_second))
        return -1;
    return is_first && !(is_second && uses_of(first) > uses_of(second)) ? 0 : 1;
}

/* ---- what the backend is asked for ---- */

static bool is_sign(LLVMValueRef instruction)
{
    static const char *const names[] = {"llvm.fabs.", "llvm.copysign."};
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return is_op(instruction, LLVMFNeg) || strncmp(name, names[0], strlen(names[0])) == 0 ||
           strncmp(name, names[1], strlen(names[1])) == 0;
}

/* Its result is the same for every NaN. */
static bool is_arithmetic(LLVMValueRef user)
{
    static const char fma[] = "llvm.fma.";
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (callee && LLVMIsAFunction(callee))
        return strncmp(LLVMGetValueName2(callee, &length), fma, sizeof fma - 1) == 0;
    return is_sum(user) || is_op(user, LLVMFMul) || is_op(user, LLVMFDiv) || is_op(user, LLVMFCmp);
}

bool product_is_moved(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!is_arithmetic(LLVMGetUser(use)))
            return true;
    return false;
}

bool product_is_any(const IrModule *ir, LLVMValueRef function)
{
    bool all = ir_backend_fuses_all(ir);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((is_op(i, LLVMFMul) && (all || contracts(i))) || (is_sign(i) && product_is_moved(i)))
                return true;
    return false;
}

/* ---- products of other blocks ---- */

static LLVMValueRef without_sign(LLVMValueRef value) { return is_op(value, LLVMFNeg) ? LLVMGetOperand(value, 0) : value; }

/* Might they be fused wherever they are seen together? What the backend may not contract it writes with its rounding, mul.rn and add.rn,
 * which ptxas keeps. */
static bool may_be_one(const IrModule *ir, LLVMValueRef sum, LLVMValueRef product)
{
    return ir_backend_fuses_all(ir) || (contracts(sum) && contracts(product));
}

/* A product that comes to the sum's block from another. */
static bool is_foreign_product(const IrModule *ir, LLVMValueRef sum, LLVMValueRef value)
{
    value = without_sign(value);
    if (is_op(value, LLVMFMul))
        return LLVMGetInstructionParent(value) != LLVMGetInstructionParent(sum) && may_be_one(ir, sum, value);
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++) {
        LLVMValueRef product = without_sign(LLVMGetIncomingValue(value, i));
        if (is_op(product, LLVMFMul) && may_be_one(ir, sum, product))
            return true;
    }
    return false;
}

/* A sum that takes up a product of its own block is settled with it, and takes up no other (transform/emit/settle_products.c). */
static bool adds_foreign_product(const IrModule *ir, LLVMValueRef instruction)
{
    if (!is_sum(instruction) || product_in(instruction) >= 0)
        return false;
    return is_foreign_product(ir, instruction, LLVMGetOperand(instruction, 0)) ||
           is_foreign_product(ir, instruction, LLVMGetOperand(instruction, 1));
}

/* Of what is not a sum: does it make something of the product that is none any more? */
static bool ends_product(LLVMValueRef user)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMStore:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMFPToSI:
    case LLVMFPToUI: return true;
    default: return false;
    }
}

/* Outside of the loop, may a sum meet the product, whichever way it comes there? */
static bool is_added_behind(const IrModule *ir, IrLoop *loop, LLVMValueRef product, LLVMValueRef value, int steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool passes = LLVMIsAPHINode(user) || is_op(user, LLVMSelect) || is_op(user, LLVMFNeg);
        if (ir_loop_has_block(loop, LLVMGetInstructionParent(user)) || ends_product(user))
            continue;
        if (is_sum(user) ? may_be_one(ir, user, product) : !passes || !steps || is_added_behind(ir, loop, product, user, steps - 1))
            return true;
    }
    return false;
}

/* Is a product of the loop added to something behind it? */
static bool leaves(const IrModule *ir, IrLoop *loop, LLVMValueRef instruction)
{
    enum { STEPS = 4 }; /* the bound of a search */
    LLVMValueRef product = without_sign(instruction);
    return is_op(product, LLVMFMul) && is_added_behind(ir, loop, product, instruction, STEPS);
}

static LLVMValueRef any_of_loop(const IrModule *ir, IrLoop *loop,
                                bool (*holds)(const IrModule *ir, IrLoop *loop, LLVMValueRef instruction))
{
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (holds(ir, loop, i))
                return i;
    return NULL;
}

static bool crosses(const IrModule *ir, IrLoop *loop, LLVMValueRef instruction)
{
    return adds_foreign_product(ir, instruction) || leaves(ir, loop, instruction);
}

bool product_comes_in(const IrModule *ir, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (adds_foreign_product(ir, i))
            return true;
    return false;
}

bool product_crosses(const IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, crosses) != NULL; }

/* ---- loops that stay as they are ---- */

/* A phi of the loop's header that has a product from the loop. */
static bool is_carried(const IrModule *ir, IrLoop *loop, LLVMValueRef sum, LLVMValueRef value)
{
    value = without_sign(value);
    if (!LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != ir_loop_header(loop))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        LLVMValueRef product = without_sign(LLVMGetIncomingValue(value, i));
        if (ir_loop_has_block(loop, LLVMGetIncomingBlock(value, i)) && is_op(product, LLVMFMul) && may_be_one(ir, sum, product))
            return true;
    }
    return false;
}

static bool adds_carried(const IrModule *ir, IrLoop *loop, LLVMValueRef sum)
{
    return is_sum(sum) && (is_carried(ir, loop, sum, LLVMGetOperand(sum, 0)) || is_carried(ir, loop, sum, LLVMGetOperand(sum, 1)));
}

LLVMValueRef product_carried(const IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, adds_carried); }

static bool is_used_elsewhere(LLVMValueRef product)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use))
        if (LLVMIsAPHINode(LLVMGetUser(use)) || LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(product))
            return true;
    return false;
}

/* Of two products the backend takes that with fewer users, and all users in other blocks are one to it. */
static bool is_open(const IrModule *ir, LLVMValueRef sum)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = without_sign(LLVMGetOperand(sum, 0)), second = without_sign(LLVMGetOperand(sum, 1));
    return is_foreign_product(ir, sum, first) || is_foreign_product(ir, sum, second) ||
           (contracts(sum) && is_product(first, block) && is_product(second, block) &&
            (is_used_elsewhere(first) || is_used_elsewhere(second)));
}

bool product_is_open(const IrModule *ir, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_sum(i) && is_open(ir, i))
                return true;
    return false;
}

/* ---- products in arrays of a thread ---- */

static bool is_any_product(LLVMValueRef value) { return is_op(value, LLVMFMul); }

static bool is_from_array(LLVMValueRef value) { return LLVMIsALoadInst(value) && ir_is_in_array(value); }

/* Is what comes out one of the operands, or has it elements of theirs? */
static bool hands_on(LLVMValueRef value)
{
    return is_op(value, LLVMSelect) || is_op(value, LLVMFNeg) || is_op(value, LLVMFreeze) || is_op(value, LLVMInsertElement) ||
           is_op(value, LLVMExtractElement) || is_op(value, LLVMShuffleVector);
}

/* Is the value one of those, its negation, has it one as an element, or is it chosen among several of which one is? */
static bool may_be(bool (*is)(LLVMValueRef value), LLVMValueRef value, int steps)
{
    bool chooses = LLVMIsAPHINode(value), passes = chooses || hands_on(value);
    if (!passes || !steps)
        return passes || is(value);
    for (unsigned i = 0; chooses && i < LLVMCountIncoming(value); i++)
        if (may_be(is, LLVMGetIncomingValue(value, i), steps - 1))
            return true;
    for (int i = 0; !chooses && i < LLVMGetNumOperands(value); i++)
        if (may_be(is, LLVMGetOperand(value, (unsigned)i), steps - 1))
            return true;
    return false;
}

static bool is_real(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Bits that an integer holds meanwhile may be anything's, once what was done to them cancels. */
typedef struct {
    bool products, sums; /* are there any? */
    bool stored, added; /* is a product stored to an array; is what an array holds added? */
    bool out, in; /* are numbers taken for integers, or integers for numbers? */
} Products;

static void note_product(Products *found, LLVMValueRef i)
{
    enum { STEPS = 4 }; /* the bound of a search */
    found->products |= is_any_product(i);
    found->stored |= LLVMIsAStoreInst(i) && ir_is_in_array(i) && may_be(is_any_product, LLVMGetOperand(i, 0), STEPS);
    if (is_sum(i)) {
        found->sums = true;
        found->added |= may_be(is_from_array, LLVMGetOperand(i, 0), STEPS) || may_be(is_from_array, LLVMGetOperand(i, 1), STEPS);
    }
    if (is_op(i, LLVMBitCast)) {
        bool from = is_real(LLVMTypeOf(LLVMGetOperand(i, 0))), to = is_real(LLVMTypeOf(i));
        found->out |= from && !to;
        found->in |= to && !from;
    }
}

bool product_lies_in_array(LLVMValueRef function)
{
    Products found = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            note_product(&found, i);
    return (found.stored || (found.products && found.out)) && (found.added || (found.sums && found.in));
}
