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
    const char *name = LLVMIsACallInst(instruction) ? callee_name(instruction) : "";
    return is_op(instruction, LLVMFNeg) || text_begins(name, "llvm.fabs.") || text_begins(name, "llvm.copysign.");
}

/* Its result is the same for every NaN. */
static bool is_arithmetic(LLVMValueRef user)
{
    if (LLVMIsACallInst(user))
        return text_begins(callee_name(user), "llvm.fma.");
    return is_sum(user) || is_op(user, LLVMFMul) || is_op(user, LLVMFDiv) || is_op(user, LLVMFCmp);
}

bool product_is_moved(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!is_arithmetic(LLVMGetUser(use)))
            return true;
    return false;
}

bool product_is_any(IrModule *ir, LLVMValueRef function)
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
static bool may_be_one(IrModule *ir, LLVMValueRef sum, LLVMValueRef product)
{
    return ir_backend_fuses_all(ir) || (contracts(sum) && contracts(product));
}

/* ---- what ptxas makes of a product and of sums in other blocks ----
 *
 *     x = a * 3;  for (...) d = v[j] - x      d = fma(a, -3, v[j]): nothing but sums use x, and one factor is no register
 *     x = a * b;  for (...) d = v[j] - x      as it is: in each sum two registers would take the place of one
 *     x = a * a;  for (...) d = v[j] - x      d = fma(a, -a, v[j]), as one register takes the place of one, but not always: nobody knows
 *     x = a * 3;  for (...) d = v[j] - x;  o = x      as it is: something else uses x
 *     x = a * 3;  y = c - x;  ...  d = v - x          y = fma(a, -3, c) by the backend, which leaves x to d alone: d = fma(a, -3, v)
 *     x = a * 3;  y = b * c + x;  ...  d = v - x      as it is: y = fma(b, c, x), which is no sum any more
 *     x = a * 3, u = b * c;  ...  d = x + u           d = fma(a, 3, u): u is of registers
 *     x = a * 3, u = b * 5;  ...  d = x + u           d = fma(a, 3, u): that with fewer users, or the first one, and u is no sum of its own
 *     x = a * b;  y = c - x;  if (...) d = v - x      d = fma(a, -b, v): LLVM has moved x to its only user by then, and the two are in one block
 *     x = a * b;  y = c - x;  if (...) d = u / v - x  as it is: x comes to stand in front of the quotient, which is several blocks
 *
 * So it was with ptxas 11.8, 12.4, 12.8, 13.0 and 13.5 at -O1 to -O3, for sm_80 to sm_120, in floats and doubles, however many sums there
 * were, 1 to 9, and whatever made the factors; the last six with ptxas 13.0 for sm_90. Products and sums of one block it fuses in any case, and of blocks that it makes one. */

/* What of the users of a product counts there. */
typedef struct {
    int sums, inner; /* of other blocks, with no other product; of them those in loops that it stands in front of */
    bool ended, held; /* by something that is no sum; by a loop, where it goes on in a phi of the header */
    bool others; /* nobody knows */
    LLVMValueRef sum; /* one of the sums */
} Users;

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

static bool is_in_front(IrModule *ir, LLVMValueRef product, LLVMBasicBlockRef block)
{
    IrLoop *loop = ir_loop_of(ir, block);
    return loop && !ir_loop_has_block(loop, LLVMGetInstructionParent(product));
}

/* In the loop that the product stands in? What is used behind it is used of the last iteration alone, if ptxas unrolls the loop. */
static bool is_used_each_time(IrModule *ir, LLVMValueRef product, LLVMValueRef user)
{
    IrLoop *loop = ir_loop_of(ir, LLVMGetInstructionParent(product));
    return !loop || ir_loop_has_block(loop, LLVMGetInstructionParent(user));
}

/* Does each iteration make of the product, which goes around the loop in the phi, something that is none? */
static bool ends_next_time(IrLoop *loop, LLVMValueRef phi)
{
    bool any = false;
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!ir_loop_has_block(loop, LLVMGetInstructionParent(user)))
            continue;
        if (!ends_product(user))
            return false;
        any = true;
    }
    return any;
}

/* A phi at the head of a loop that nobody unrolls to its end: what a sum of the loop adds is the phi. */
static bool is_held(IrModule *ir, LLVMValueRef product, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = LLVMIsAPHINode(phi) ? ir_loop_of(ir, block) : NULL;
    if (!loop || ir_loop_header(loop) != block || ir_loop_trips(ir, loop))
        return false;
    return !ir_loop_has_block(loop, LLVMGetInstructionParent(product)) || ends_next_time(loop, phi);
}

/* An immediate, or what lies among the constants as the kernel's own parameters do. */
static bool is_no_register(LLVMValueRef factor)
{
    bool given = LLVMIsAArgument(factor) && function_is_kernel(LLVMGetParamParent(factor));
    return LLVMIsAConstantFP(factor) || given;
}

/* Of what is loaded, constants and parameters may be no registers. */
static bool is_from_memory(LLVMValueRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return space == GLOBAL_SPACE || space == SHARED_SPACE || (LLVMIsAArgument(pointer) && !argument_is_struct(pointer));
}

static bool is_register(LLVMValueRef factor)
{
    if (LLVMIsALoadInst(factor))
        return is_from_memory(LLVMGetOperand(factor, 0));
    return is_sum(factor) || is_op(factor, LLVMFMul) || is_op(factor, LLVMFDiv) || is_op(factor, LLVMSIToFP) ||
           is_op(factor, LLVMUIToFP) || LLVMIsAPHINode(factor);
}

static bool is_of_registers(LLVMValueRef product)
{
    return is_register(LLVMGetOperand(product, 0)) && is_register(LLVMGetOperand(product, 1));
}

static bool has_no_register(LLVMValueRef product)
{
    return is_no_register(LLVMGetOperand(product, 0)) || is_no_register(LLVMGetOperand(product, 1));
}

static bool is_taken_up(LLVMValueRef product, LLVMValueRef user)
{
    int at = product_in(user);
    return at >= 0 && LLVMGetOperand(user, (unsigned)at) == product;
}

/* But for sums that the backend makes one with it. */
static int uses_left(LLVMValueRef product)
{
    int uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use))
        uses += !is_taken_up(product, LLVMGetUser(use));
    return uses;
}

/* Has it a factor in no register, and do nothing but sums use it, that are no other's? */
static bool may_be_taken(IrModule *ir, LLVMValueRef product)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_added = is_sum(user) && may_be_one(ir, user, product) && product_in(user) < 0;
        if (!is_added && !is_taken_up(product, user))
            return false;
    }
    return has_no_register(product);
}

static LLVMValueRef other_of(LLVMValueRef sum, LLVMValueRef value)
{
    return without_sign(LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == value));
}

/* Of two products of other blocks that may be, the sum takes up that with fewer users, or the first one. */
static bool is_of_other(IrModule *ir, LLVMValueRef sum, LLVMValueRef product)
{
    LLVMValueRef other = other_of(sum, product);
    if (!is_op(other, LLVMFMul) || !may_be_taken(ir, other))
        return false;
    int own = uses_left(product), others = uses_left(other);
    return !has_no_register(product) || others < own || (others == own && LLVMGetOperand(sum, 0) != product);
}

/* Is it a sum of another block? ptxas compares the two where the sum is compared with 0, and then none is one with it. */
static bool is_plain_sum(LLVMValueRef product, LLVMValueRef sum)
{
    for (LLVMUseRef use = LLVMGetFirstUse(sum); use; use = LLVMGetNextUse(use))
        if (is_op(LLVMGetUser(use), LLVMFCmp))
            return false;
    return LLVMGetInstructionParent(sum) != LLVMGetInstructionParent(product) && other_of(sum, product) != product;
}

/* What the backend makes one with the product uses its factors; what it makes one with another product, to which it adds this one, is no sum. */
static void note_settled_sum(IrModule *ir, LLVMValueRef product, LLVMValueRef sum, Users *users)
{
    if (!is_taken_up(product, sum) && is_used_each_time(ir, product, sum))
        users->ended = true;
}

static void note_user(IrModule *ir, LLVMValueRef product, LLVMValueRef user, Users *users)
{
    if (product_in(user) >= 0) {
        note_settled_sum(ir, product, user, users);
    } else if (is_sum(user) && may_be_one(ir, user, product)) {
        bool plain = is_plain_sum(product, user);
        users->sums += plain;
        users->inner += plain && is_in_front(ir, product, LLVMGetInstructionParent(user));
        users->others |= !plain;
        users->ended |= plain && is_of_other(ir, user, product);
        users->sum = user;
    } else if ((is_sum(user) || ends_product(user)) && is_used_each_time(ir, product, user)) {
        users->ended = true;
    } else if (is_held(ir, product, user)) {
        users->held = true;
    } else {
        users->others = true;
    }
}

/* Does the block run in some of the cases alone in which the product's does, and behind no loop that is entered for certain? LLVM moves what is used there alone to it. */
static bool is_on_a_way(IrModule *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
    for (LLVMBasicBlockRef b = block; b && b != from; b = ir_idom(ir, b))
        if (ir_loop_of(ir, b) != ir_loop_of(ir, from))
            return false;
    LLVMBasicBlockRef meeting = ir_meeting(ir, from);
    while (meeting && meeting != block)
        meeting = ir_meeting(ir, meeting);
    return !meeting && ir_dominates(ir, from, block);
}

/* Quotients and roots that are rounded right, and calls, are several blocks to ptxas. */
static bool is_branched(LLVMValueRef instruction)
{
    static const char *const straight[] = {"llvm.fma.", "llvm.fabs.", "llvm.copysign.", "llvm.m", "llvm.nvvm.f", "llvm.nvvm.read."};
    bool is_straight = !LLVMIsACallInst(instruction);
    for (size_t i = 0; !is_straight && i < sizeof straight / sizeof *straight; i++)
        is_straight = text_begins(callee_name(instruction), straight[i]);
    return is_op(instruction, LLVMFDiv) || is_op(instruction, LLVMFRem) || !is_straight;
}

/* Is it in one block with what stands in front of all there, to ptxas as well? */
static bool is_behind_branches(LLVMValueRef sum)
{
    for (LLVMValueRef i = LLVMGetPreviousInstruction(sum); i; i = LLVMGetPreviousInstruction(i))
        if (is_branched(i))
            return true;
    return false;
}

static bool is_moved_to_sum(IrModule *ir, LLVMValueRef product, const Users *users)
{
    return users->sums == 1 && uses_left(product) == 1 && !is_op(other_of(users->sum, product), LLVMFMul) &&
           is_on_a_way(ir, LLVMGetInstructionParent(product), LLVMGetInstructionParent(users->sum)) &&
           !is_behind_branches(users->sum);
}

/* Of a square one register takes the place of one, and in front of loops ptxas makes 96 of 96 one with their sums; where another sum is one with it
 * already, or another product is added, it does not. */
static bool is_square(LLVMValueRef product)
{
    return LLVMGetOperand(product, 0) == LLVMGetOperand(product, 1) && is_register(LLVMGetOperand(product, 0));
}

ProductFate product_fate(IrModule *ir, LLVMValueRef product)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(product));
    Users users = {0};
    if (!is_op(product, LLVMFMul) || (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind))
        return PRODUCT_OPEN;
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use))
        note_user(ir, product, LLVMGetUser(use), &users);
    bool in_front = users.sums && is_of_registers(product) && !is_square(product) && users.inner == users.sums && !users.others;
    if (users.ended || users.held || in_front)
        return PRODUCT_KEPT;
    bool fused = has_no_register(product) || (is_of_registers(product) && is_moved_to_sum(ir, product, &users));
    return users.sums && !users.others && fused ? PRODUCT_FUSED : PRODUCT_OPEN;
}

/* A product that comes to the sum's block from another. */
static bool is_foreign_product(IrModule *ir, LLVMValueRef sum, LLVMValueRef value)
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

/* One that may become one with the sum, and may not: what ptxas makes of the others is settled. */
static bool is_open_product(IrModule *ir, LLVMValueRef sum, LLVMValueRef value)
{
    value = without_sign(value);
    if (!LLVMIsAPHINode(value))
        return is_foreign_product(ir, sum, value) && product_fate(ir, value) == PRODUCT_OPEN;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        LLVMValueRef product = without_sign(LLVMGetIncomingValue(value, i));
        if (is_op(product, LLVMFMul) && may_be_one(ir, sum, product) && product_fate(ir, product) != PRODUCT_KEPT)
            return true;
    }
    return false;
}

/* A sum that takes up a product of its own block is settled with it, and takes up no other (transform/emit/settle_products.c). */
static bool adds_product(IrModule *ir, LLVMValueRef instruction, bool (*is)(IrModule *ir, LLVMValueRef sum, LLVMValueRef value))
{
    return is_sum(instruction) && product_in(instruction) < 0 &&
           (is(ir, instruction, LLVMGetOperand(instruction, 0)) || is(ir, instruction, LLVMGetOperand(instruction, 1)));
}

/* Outside of the loop, may a sum meet the product, whichever way it comes there? */
static bool is_added_behind(IrModule *ir, IrLoop *loop, LLVMValueRef product, LLVMValueRef value, int steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool passes = LLVMIsAPHINode(user) || is_op(user, LLVMSelect) || is_op(user, LLVMFNeg);
        if (ir_loop_has_block(loop, LLVMGetInstructionParent(user)) || ends_product(user) || product_in(user) >= 0)
            continue;
        if (is_sum(user) ? may_be_one(ir, user, product) : !passes || !steps || is_added_behind(ir, loop, product, user, steps - 1))
            return true;
    }
    return false;
}

/* Is a product of the loop added to something behind it? */
static bool leaves(IrModule *ir, IrLoop *loop, LLVMValueRef instruction)
{
    enum { STEPS = 4 }; /* the bound of a search */
    LLVMValueRef product = without_sign(instruction);
    return is_op(product, LLVMFMul) && product_fate(ir, product) != PRODUCT_KEPT &&
           is_added_behind(ir, loop, product, instruction, STEPS);
}

static LLVMValueRef any_of_loop(IrModule *ir, IrLoop *loop, bool (*holds)(IrModule *ir, IrLoop *loop, LLVMValueRef instruction))
{
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (holds(ir, loop, i))
                return i;
    return NULL;
}

static bool crosses(IrModule *ir, IrLoop *loop, LLVMValueRef instruction)
{
    return adds_product(ir, instruction, is_open_product) || leaves(ir, loop, instruction);
}

bool product_comes_in(IrModule *ir, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (adds_product(ir, i, is_foreign_product))
            return true;
    return false;
}

bool product_crosses(IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, crosses) != NULL; }

/* ---- loops that stay as they are ---- */

/* A phi of the loop's header that has a product from the loop. */
static bool is_carried(IrModule *ir, IrLoop *loop, LLVMValueRef sum, LLVMValueRef value)
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

static bool adds_carried(IrModule *ir, IrLoop *loop, LLVMValueRef sum)
{
    return is_sum(sum) && (is_carried(ir, loop, sum, LLVMGetOperand(sum, 0)) || is_carried(ir, loop, sum, LLVMGetOperand(sum, 1)));
}

LLVMValueRef product_carried(IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, adds_carried); }

/* ---- products that wander ---- */

/* Where a product is looked for among what sums add. */
typedef struct Wandering {
    IrModule *ir;
    IrLoop *loop; /* no sum behind it counts; NULL: all do */
    LLVMValueRef product;
    bool (*is_far)(const struct Wandering *wandering, LLVMValueRef user); /* from that user on sums count */
} Wandering;

/* Does the value, which is the product, or one of several that may be it, come to a sum that counts? It is taken to where the search ends. */
static bool comes_to_sum(const Wandering *wandering, LLVMValueRef value, bool far, int steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (wandering->loop && !ir_loop_has_block(wandering->loop, LLVMGetInstructionParent(user)))
            continue;
        bool further = far || wandering->is_far(wandering, user);
        bool passes = LLVMIsAPHINode(user) || is_op(user, LLVMSelect) || is_op(user, LLVMFNeg);
        if (is_sum(user) ? further && may_be_one(wandering->ir, user, wandering->product)
                         : passes && (!steps || comes_to_sum(wandering, user, further, steps - 1)))
            return true;
    }
    return false;
}

/* In another block, or in whatever order phis bring it there. */
static bool is_elsewhere(const Wandering *wandering, LLVMValueRef user)
{
    return LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(wandering->product);
}

static bool wanders(IrModule *ir, IrLoop *loop, LLVMValueRef product)
{
    enum { STEPS = 6 }; /* the bound of a search */
    (void)loop;
    const Wandering wandering = {ir, NULL, product, is_elsewhere};
    return is_op(product, LLVMFMul) && comes_to_sum(&wandering, product, false, STEPS);
}

bool product_wanders(IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, wanders) != NULL; }

static bool is_next_time(const Wandering *wandering, LLVMValueRef user)
{
    return LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == ir_loop_header(wandering->loop);
}

static bool returns(IrModule *ir, IrLoop *loop, LLVMValueRef product)
{
    enum { STEPS = 4 }; /* the bound of a search */
    const Wandering wandering = {ir, loop, product, is_next_time};
    return is_op(product, LLVMFMul) && product_fate(ir, product) != PRODUCT_KEPT && comes_to_sum(&wandering, product, false, STEPS);
}

bool product_returns(IrModule *ir, IrLoop *loop) { return any_of_loop(ir, loop, returns) != NULL; }

static bool is_used_elsewhere(LLVMValueRef product)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use))
        if (LLVMIsAPHINode(LLVMGetUser(use)) || LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(product))
            return true;
    return false;
}

/* Of two products the backend takes that with fewer users, and all users in other blocks are one to it. */
static bool is_open(IrModule *ir, LLVMValueRef sum)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = without_sign(LLVMGetOperand(sum, 0)), second = without_sign(LLVMGetOperand(sum, 1));
    return is_foreign_product(ir, sum, first) || is_foreign_product(ir, sum, second) ||
           (contracts(sum) && is_product(first, block) && is_product(second, block) &&
            (is_used_elsewhere(first) || is_used_elsewhere(second)));
}

bool product_is_open(IrModule *ir, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_sum(i) && is_open(ir, i))
                return true;
    return false;
}

/* ---- products in arrays of a thread ---- */

static bool is_any_product(LLVMValueRef value) { return is_op(value, LLVMFMul); }

/* ... as far as is known of what a call returns: of sums that the hardware makes of a product itself, that they are none. */
static bool may_return_product(LLVMValueRef value)
{
    static const char *const sums[] = {"llvm.fma.", "llvm.nvvm.fma.", "llvm.nvvm.add."};
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    bool known = false;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        known |= strncmp(name, sums[i], strlen(sums[i])) == 0;
    return is_any_product(value) || (callee && !known);
}

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
    return is_real_kind(LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type));
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
        found->out |= from && !to && may_be(may_return_product, LLVMGetOperand(i, 0), STEPS);
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
