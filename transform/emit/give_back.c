/* Of some products nobody knows whether ptxas makes them one with sums of other blocks (PRODUCT_OPEN). They are settled as if it did
 * not, before anything is moved. Where nothing was moved in the end, they are given back to ptxas as they were:
 *
 *     x = mul.rn(a, a)                                           x = a * a             contract
 *     if (x + y < 4) { d = x - y; ... }           ->             if (x + y < 4) { d = x - y; ... }
 *     o[i] = ...                                                 o[i] = ... in two versions, which is far from there
 *
 * That is where the product's block, and those that it comes to, have the instructions that they had when it was settled. The sums beside it
 * that had become one with it are two instructions again as well: the backend counts who uses it, and fuses the same again. */
#include <inttypes.h>
#include <stdio.h>

#include "pass/base/invariant.h"
#include "pass/base/ir.h"
#include "pass/base/marks.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

typedef struct {
    Arena *arena;
    Map *shape; /* LLVMBasicBlockRef -> uint64_t, of those that were asked for */
} Shapes;

static uint64_t mixed(uint64_t shape, uint64_t more)
{
    enum { SHIFT = 29 };
    shape = (shape ^ more) * 0x9E3779B97F4A7C15u;
    return shape ^ shape >> SHIFT;
}

/* What the instructions of a block are, one after the other. */
static uint64_t shape_of(const Shapes *shapes, LLVMBasicBlockRef block)
{
    uint64_t *shape = map_get(shapes->shape, block);
    if (shape)
        return *shape;
    shape = ARENA_NEW(shapes->arena, uint64_t);
    *shape = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        *shape = mixed(*shape, (uint64_t)LLVMGetInstructionOpcode(i));
        *shape = mixed(*shape, (uint64_t)LLVMGetNumOperands(i));
        for (const char *c = LLVMIsACallInst(i) ? callee_name(i) : ""; *c; c++)
            *shape = mixed(*shape, (unsigned char)*c);
    }
    map_put(shapes->shape, block, shape);
    return *shape;
}

/* Of all blocks that the value comes to, whatever the order of its uses. */
static uint64_t shape_beyond(const Shapes *shapes, LLVMValueRef value, int steps)
{
    uint64_t shape = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool passes = LLVMIsAPHINode(user) || is_op(user, LLVMSelect) || is_op(user, LLVMFNeg);
        shape += mixed(shape_of(shapes, LLVMGetInstructionParent(user)), (uint64_t)LLVMGetInstructionOpcode(user));
        shape += passes && steps ? shape_beyond(shapes, user, steps - 1) : 0;
    }
    return shape;
}

/* The blocks of a product, and of all that it comes to. */
static const char *surroundings(const Shapes *shapes, LLVMValueRef product)
{
    enum { STEPS = 4 }; /* as far as a sum is looked for (settle_products.c) */
    uint64_t shape = mixed(shape_of(shapes, LLVMGetInstructionParent(product)), shape_beyond(shapes, product, STEPS));
    return arena_text(shapes->arena, "%016" PRIx64, shape);
}

/* ---- when they are settled ---- */

/* Can all sums that are one with it be two instructions again? */
static bool can_be_given_back(const List *taken)
{
    bool can = true;
    for (size_t i = 0; taken && i < taken->count; i++)
        can &= ((const TakenSum *)taken->item[i])->at >= 0;
    return can;
}

static void note_sums(Arena *arena, const List *taken, size_t number)
{
    for (size_t i = 0; taken && i < taken->count; i++) {
        const TakenSum *sum = taken->item[i];
        const char *text = arena_text(arena, "sum %zu %d %d", number, sum->at, sum->minus);
        mark_texts(sum->fused, OPEN_METADATA, &text, 1);
    }
}

void open_products_note(Arena *arena, const Settled *settled)
{
    Shapes shapes = {arena, map_new(arena)};
    for (size_t i = 0; i < settled->open.count; i++) {
        const OpenProduct *open = settled->open.item[i];
        const List *taken = map_get(settled->taken, open->product);
        if (!can_be_given_back(taken))
            continue;
        const char *text = arena_text(arena, "%s %x %zu %zu", surroundings(&shapes, open->settled), (unsigned)open->flags, i,
                                      taken ? taken->count : 0);
        mark_texts(open->settled, OPEN_METADATA, &text, 1);
        note_sums(arena, taken, i);
    }
}

/* ---- when all is done ---- */

static bool is_as_it_was(const Shapes *shapes, LLVMValueRef settled)
{
    const char *text = ir_mark_text(settled, OPEN_METADATA);
    return text && text_begins(text, surroundings(shapes, settled));
}

static LLVMValueRef without_negation(LLVMBuilderRef builder, LLVMValueRef value)
{
    return is_op(value, LLVMFNeg) ? LLVMGetOperand(value, 0) : LLVMBuildFNeg(builder, value, "");
}

/* fma(a, b, c)  ->  x + c     for x = a * b, or   c + x;   fma(a, b, -c)  ->  x - c;   fma(-a, b, c)  ->  c - x */
static void part(LLVMBuilderRef builder, LLVMValueRef fused, LLVMValueRef product, bool first, bool minus)
{
    LLVMPositionBuilderBefore(builder, fused);
    LLVMValueRef other = LLVMGetOperand(fused, 2);
    other = minus && first ? without_negation(builder, other) : other;
    LLVMValueRef left = first ? product : other, right = first ? other : product;
    LLVMValueRef sum = minus ? LLVMBuildFSub(builder, left, right, "") : LLVMBuildFAdd(builder, left, right, "");
    if (LLVMIsAInstruction(sum))
        LLVMSetFastMathFlags(sum, LLVMGetFastMathFlags(fused));
    LLVMReplaceAllUsesWith(fused, sum);
    LLVMInstructionEraseFromParent(fused);
}

/* So many sums of its block that were one with it. */
static void part_sums(LLVMBuilderRef builder, LLVMValueRef product, size_t number, size_t left)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(product), next; i && left; i = next) {
        const char *text = ir_mark_text(i, OPEN_METADATA);
        size_t own;
        int at, minus;
        next = LLVMGetNextInstruction(i);
        if (!text || sscanf(text, "sum %zu %d %d", &own, &at, &minus) != 3 || own != number)
            continue;
        part(builder, i, product, at == 0, minus);
        left--;
    }
}

static void give_back(LLVMBuilderRef builder, LLVMValueRef settled)
{
    unsigned flags = 0;
    size_t number = 0, sums = 0;
    int known = sscanf(ir_mark_text(settled, OPEN_METADATA), "%*s %x %zu %zu", &flags, &number, &sums);
    INVARIANT(known == 3);
    LLVMPositionBuilderBefore(builder, settled);
    LLVMValueRef product = LLVMBuildFMul(builder, LLVMGetOperand(settled, 0), LLVMGetOperand(settled, 1), "");
    if (LLVMIsAInstruction(product)) {
        LLVMSetFastMathFlags(product, (LLVMFastMathFlags)flags);
        part_sums(builder, product, number, sums);
    }
    LLVMReplaceAllUsesWith(settled, product);
    LLVMInstructionEraseFromParent(settled);
}

void open_products_give_back(LLVMValueRef function)
{
    Arena *arena = arena_new();
    Shapes shapes = {arena, map_new(arena)};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
    List there = list_new(arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_as_it_was(&shapes, i))
                list_add(&there, i);
    for (size_t i = 0; i < there.count; i++)
        give_back(builder, there.item[i]);
    LLVMDisposeBuilder(builder);
    arena_free(arena);
}
