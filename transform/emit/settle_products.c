/* What is rounded, and how often, is settled before any code is moved: the backend fuses those products and sums that it sees in
 * one block, and must not see others when the blocks are cut in another way.
 *
 *     m = a * b                 contract            ->        s = fma(a, b, c)          where it does so now
 *     s = m + c                 contract            ->        m = mul.rn(a, b)          where it does not
 *
 * A sign is settled as well: neg.f32 may make one NaN of another, and the exclusive or that an integer gets does not. */
#include "transform/emit/emit.h"
#include "transform/transform.h"

static LLVMValueRef build_intrinsic(Emit *emit, const char *name, LLVMTypeRef type, LLVMValueRef *args, unsigned count)
{
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(emit->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    return LLVMBuildCall2(emit->builder, LLVMGlobalGetValueType(callee), callee, args, count, "");
}

/* The value, of which the backend knows nothing. */
static LLVMValueRef fenced(Emit *emit, LLVMValueRef value)
{
    return build_intrinsic(emit, "llvm.arithmetic.fence", LLVMTypeOf(value), &value, 1);
}

/* ---- sums that are one with a product ---- */

/* The product that the value is, or is the negation of. */
static LLVMValueRef product_of(LLVMValueRef value)
{
    LLVMValueRef taken = is_op(value, LLVMFNeg) ? LLVMGetOperand(value, 0) : value;
    return is_op(taken, LLVMFMul) ? taken : NULL;
}

/* a * b + c,   a * b - c = a * b + -c,   c - a * b = -a * b + c,   -(a * b) + c = -a * b + c */
static LLVMValueRef fused(Emit *emit, LLVMValueRef sum, int at)
{
    LLVMValueRef taken = LLVMGetOperand(sum, (unsigned)at), other = LLVMGetOperand(sum, 1 - (unsigned)at);
    LLVMValueRef product = product_of(taken);
    LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), other};
    bool minus = LLVMGetInstructionOpcode(sum) == LLVMFSub;
    if ((product != taken) != (minus && at == 1))
        args[0] = LLVMBuildFNeg(emit->builder, args[0], "");
    if (minus && at == 0)
        args[2] = LLVMBuildFNeg(emit->builder, args[2], "");
    LLVMValueRef call = build_intrinsic(emit, "llvm.fma", LLVMTypeOf(sum), args, 3);
    LLVMSetFastMathFlags(call, LLVMGetFastMathFlags(sum));
    return call;
}

static void note_taken(const Emit *emit, const Settled *settled, LLVMValueRef product, TakenSum sum)
{
    List *sums = map_get(settled->taken, product);
    if (!sums) {
        sums = ARENA_NEW(emit->arena, List);
        *sums = list_new(emit->arena);
        map_put(settled->taken, product, sums);
    }
    TakenSum *noted = ARENA_NEW(emit->arena, TakenSum);
    *noted = sum;
    list_add(sums, noted);
}

static void settle_sum(Emit *emit, LLVMValueRef sum, int made, Settled *settled)
{
    static const int side[] = {[IR_MADE_APART] = -1, [IR_MADE_FIRST] = 0, [IR_MADE_SECOND] = 1};
    int at = made == IR_MADE_UNKNOWN ? product_in(sum) : side[made];
    if (at < 0)
        return;
    emit_before(emit, sum);
    LLVMValueRef taken = LLVMGetOperand(sum, (unsigned)at), product = product_of(taken), call = fused(emit, sum, at);
    note_taken(emit, settled, product, (TakenSum){call, product == taken ? at : -1, LLVMGetInstructionOpcode(sum) == LLVMFSub});
    LLVMReplaceAllUsesWith(sum, call);
    LLVMInstructionEraseFromParent(sum);
}

/* ---- sums that the backend makes in front of the block that they stand in ---- */

/* The one of its operands that is a phi of its block to which one product comes; -1: none is. */
static int phi_of_product(IrModule *ir, LLVMValueRef sum)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    IrLoop *loop = ir_loop_of(ir, block);
    for (int at = 0; at < 2; at++) {
        LLVMValueRef phi = LLVMGetOperand(sum, (unsigned)at), other = LLVMGetOperand(sum, 1 - (unsigned)at);
        bool is_beside = LLVMIsAInstruction(other) && LLVMGetInstructionParent(other) == block;
        if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != block || is_beside || (loop && ir_loop_header(loop) == block))
            continue;
        int products = 0;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            products += product_of(LLVMGetIncomingValue(phi, i)) != NULL;
        if (products == 1)
            return at;
    }
    return -1;
}

/* The sum as it is made on that way, at its end. */
static LLVMValueRef sum_before(Emit *emit, LLVMValueRef sum, int at, LLVMValueRef value, LLVMBasicBlockRef from, Settled *settled)
{
    emit_before(emit, LLVMGetBasicBlockTerminator(from));
    LLVMValueRef own = LLVMInstructionClone(sum);
    LLVMSetOperand(own, (unsigned)at, value);
    LLVMInsertIntoBuilder(emit->builder, own);
    if (!product_of(value))
        return own;
    emit_before(emit, own);
    LLVMValueRef made = fused(emit, own, at);
    note_taken(emit, settled, product_of(value), (TakenSum){.fused = made, .at = -1});
    LLVMInstructionEraseFromParent(own);
    return made;
}

/*     way:   m = a * b                          way:   m = fma(a, b, c)
 *     else:  -                             ->   else:  n = 0 + c
 *     block: s = phi(m, 0) + c                  block: s = phi(m, n)
 *
 * LLVM's value numbering does so in the backend, where one of the ways has its sum already; what it finds then is one with the product. */
static void settle_before(Emit *emit, IrModule *ir, LLVMValueRef sum, Settled *settled)
{
    int at = phi_of_product(ir, sum);
    if (at < 0)
        return;
    LLVMValueRef phi = LLVMGetOperand(sum, (unsigned)at);
    Map *made = map_new(emit->arena);
    emit_before(emit, phi);
    LLVMValueRef made_before = LLVMBuildPhi(emit->builder, LLVMTypeOf(sum), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef own = map_get(made, from);
        own = own ? own : sum_before(emit, sum, at, LLVMGetIncomingValue(phi, i), from, settled);
        map_put(made, from, own);
        LLVMAddIncoming(made_before, &own, &from, 1);
    }
    LLVMReplaceAllUsesWith(sum, made_before);
    LLVMInstructionEraseFromParent(sum);
    if (!LLVMGetFirstUse(phi))
        LLVMInstructionEraseFromParent(phi);
}

/* ---- products that stay ---- */

static bool passes(IrModule *ir, LLVMValueRef user, ProductFate fate)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
    if (!LLVMIsAPHINode(user))
        return is_op(user, LLVMFNeg) || is_op(user, LLVMSelect);
    IrLoop *loop = ir_loop_of(ir, block);
    return !loop || ir_loop_header(loop) != block || fate == PRODUCT_KEPT;
}

/* Is it added to something, whichever way it comes there? What goes around a loop is left to ptxas where nothing else is done to it: ptxas
 * may unroll that and fuse it with the next iteration's sum, and such a loop stays as it is (product_carried). */
static bool is_added(IrModule *ir, LLVMValueRef value, ProductFate fate, int steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && steps; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_sum(user) || (passes(ir, user, fate) && is_added(ir, user, fate, steps - 1)))
            return true;
    }
    return false;
}

/* Is it added in loops alone that it stands in front of? Nothing brings the two into one block; ptxas fuses them or not, and is to find
 * what it found before. */
static bool is_for_loops(IrModule *ir, LLVMValueRef product)
{
    LLVMUseRef use = LLVMGetFirstUse(product);
    for (; use; use = LLVMGetNextUse(use)) {
        IrLoop *loop = ir_loop_of(ir, LLVMGetInstructionParent(LLVMGetUser(use)));
        if (!is_sum(LLVMGetUser(use)) || !loop || ir_loop_has_block(loop, LLVMGetInstructionParent(product)))
            return false;
    }
    return true;
}

static bool flushes(LLVMValueRef function)
{
    static const char name[] = "denormal-fp-math-f32", plain[] = "ieee";
    unsigned length = 0;
    LLVMAttributeRef known = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    const char *value = known ? LLVMGetStringAttributeValue(known, &length) : plain;
    return strncmp(value, plain, sizeof plain - 1) != 0;
}

/* mul.rn, which nobody fuses; of types that have none, a * b + -0, which is the same. */
static LLVMValueRef rounded(Emit *emit, LLVMValueRef product)
{
    LLVMTypeRef type = LLVMTypeOf(product);
    LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), NULL};
    bool flush = flushes(LLVMGetBasicBlockParent(LLVMGetInstructionParent(product)));
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return emit_call(emit, flush ? "llvm.nvvm.mul.rn.ftz.f" : "llvm.nvvm.mul.rn.f", type, args, 2);
    case LLVMDoubleTypeKind: return emit_call(emit, "llvm.nvvm.mul.rn.d", type, args, 2);
    default: args[2] = fenced(emit, LLVMConstReal(type, -0.0)); return build_intrinsic(emit, "llvm.fma", type, args, 3);
    }
}

/* What ptxas makes one with sums of other blocks is one with them before any of the blocks is another. */
static void fuse_all(Emit *emit, LLVMValueRef product, Settled *settled)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product), next; use; use = next) {
        LLVMValueRef sum = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (is_sum(sum))
            settle_sum(emit, sum, LLVMGetOperand(sum, 0) == product ? IR_MADE_FIRST : IR_MADE_SECOND, settled);
    }
}

/* Of a product that ptxas may have made one with something. */
static void note_open(Emit *emit, LLVMValueRef product, LLVMValueRef rounded, Settled *settled)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(product));
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return;
    OpenProduct *noted = ARENA_NEW(emit->arena, OpenProduct);
    *noted = (OpenProduct){product, rounded, LLVMGetFastMathFlags(product)};
    list_add(&settled->open, noted);
}

/* A product that only loops add which it stands in front of stays as it is, but where a sum beside it has become one with it: the backend makes one with the
 * product what is left alone to use it, across blocks. */
static bool is_left(IrModule *ir, LLVMValueRef product, ProductFate fate, const Settled *settled)
{
    enum { STEPS = 4 };
    bool is_for_others = fate != PRODUCT_KEPT && is_for_loops(ir, product) && !map_get(settled->taken, product);
    return !is_added(ir, product, fate, STEPS) || is_for_others;
}

static void settle_product(Emit *emit, IrModule *ir, LLVMValueRef product, ProductFate fate, Settled *settled)
{
    if (fate == PRODUCT_FUSED)
        fuse_all(emit, product, settled);
    bool is_used = LLVMGetFirstUse(product) != NULL;
    if (is_used && is_left(ir, product, fate, settled))
        return;
    emit_before(emit, product);
    if (is_used) {
        LLVMValueRef alone = rounded(emit, product);
        LLVMReplaceAllUsesWith(product, alone);
        if (fate == PRODUCT_OPEN)
            note_open(emit, product, alone, settled);
    }
    LLVMInstructionEraseFromParent(product);
}

/* ---- signs ---- */

static void settle_sign(Emit *emit, LLVMValueRef sign)
{
    LLVMValueRef value = LLVMGetOperand(sign, 0);
    if (!product_is_moved(sign))
        return;
    emit_before(emit, sign);
    if (LLVMIsAInstruction(value))
        LLVMSetOperand(sign, 0, fenced(emit, value));
    LLVMPositionBuilderBefore(emit->builder, LLVMGetNextInstruction(sign));
    LLVMValueRef result = fenced(emit, sign);
    LLVMReplaceAllUsesWith(sign, result);
    LLVMSetOperand(result, 0, sign);
}

/* ---- all of a function ---- */

typedef struct {
    LLVMValueRef instruction;
    int made;
    bool is_sum;
    ProductFate fate; /* of a product, as long as all of them are as they were */
} Item;

static List items_of(IrModule *ir, Arena *arena, LLVMValueRef function, const uint8_t *made)
{
    List items = list_new(arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            Item *item = ARENA_NEW(arena, Item);
            *item = (Item){i, *made++, is_sum(i), product_fate(ir, i)};
            list_add(&items, item);
        }
    return items;
}

static void settle(Emit *emit, IrModule *ir, const Item *item, Settled *settled)
{
    if (item->made == IR_MADE_BEFORE)
        settle_before(emit, ir, item->instruction, settled);
    else if (item->is_sum)
        settle_sum(emit, item->instruction, item->made, settled);
    else if (item->made == IR_MADE_LOOSE)
        settle_product(emit, ir, item->instruction, item->fate, settled);
    else if (item->made == IR_MADE_SIGN)
        settle_sign(emit, item->instruction);
}

/* Users come before what they use, as in the backend, in one block; so sums of all blocks come before all products. */
void products_settle(IrModule *ir, LLVMValueRef function, const uint8_t *made)
{
    Arena *arena = arena_new();
    Emit emit = emit_open(arena, function);
    const List items = items_of(ir, arena, function, made);
    Settled settled = {list_new(arena), map_new(arena)};
    for (int sums = 1; sums >= 0; sums--)
        for (size_t i = items.count; i-- > 0;) {
            const Item *item = items.item[i];
            if (item->is_sum == sums)
                settle(&emit, ir, item, &settled);
        }
    open_products_note(arena, &settled);
    emit_close(&emit);
    arena_free(arena);
}
