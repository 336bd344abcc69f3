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

/* Is a floating-point number made of others, or compared with one? Signs are no instructions to ptxas, and two of one value, which sums ask for that are
 * one with products, become one. */
static bool is_computed(LLVMValueRef instruction)
{
    bool is_moved = LLVMIsALoadInst(instruction) || LLVMIsAPHINode(instruction) || is_op(instruction, LLVMFNeg) ||
                    is_op(instruction, LLVMFreeze) || is_op(instruction, LLVMBitCast) || is_op(instruction, LLVMExtractValue);
    bool is_asked = is_op(instruction, LLVMFCmp) || is_op(instruction, LLVMFPToSI) || is_op(instruction, LLVMFPToUI);
    return is_asked || (is_real_kind(LLVMGetTypeKind(LLVMTypeOf(instruction))) && !is_moved);
}

/* What a block computes, one after the other: addresses, and what is stored behind it, are no matter. */
static uint64_t shape_of(const Shapes *shapes, LLVMBasicBlockRef block)
{
    uint64_t *shape = map_get(shapes->shape, block);
    if (shape)
        return *shape;
    shape = ARENA_NEW(shapes->arena, uint64_t);
    *shape = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_computed(i))
            continue;
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

/* The blocks of a product, of all that it comes to, and of the sums that are one with it. */
static const char *surroundings(const Shapes *shapes, LLVMValueRef product, const List *sums)
{
    enum { STEPS = 4 }; /* as far as a sum is looked for (settle_products.c) */
    uint64_t shape = mixed(shape_of(shapes, LLVMGetInstructionParent(product)), shape_beyond(shapes, product, STEPS));
    for (size_t i = 0; i < sums->count; i++)
        shape += mixed(shape_of(shapes, LLVMGetInstructionParent(sums->item[i])), sums->count);
    return arena_text(shapes->arena, "%016" PRIx64, shape);
}

/* ---- when they are settled ---- */

/* The sums that are one with it are noted; false where one of them cannot be two instructions again. */
static bool note_sums(Arena *arena, const List *taken, size_t number, List *sums)
{
    bool can = true;
    for (size_t i = 0; i < taken->count; i++)
        can &= ((const TakenSum *)taken->item[i])->at >= 0;
    for (size_t i = 0; can && i < taken->count; i++) {
        const TakenSum *sum = taken->item[i];
        const char *text = arena_text(arena, "sum %zu %d %d", number, sum->at, sum->minus);
        mark_texts(sum->fused, OPEN_METADATA, &text, 1);
        list_add(sums, sum->fused);
    }
    return can;
}

void open_products_note(Arena *arena, const Settled *settled)
{
    Shapes shapes = {arena, map_new(arena)};
    for (size_t i = 0; i < settled->open.count; i++) {
        const OpenProduct *open = settled->open.item[i];
        const List *taken = map_get(settled->taken, open->product);
        List sums = list_new(arena);
        if (taken && !note_sums(arena, taken, i, &sums))
            continue;
        const char *text = arena_text(arena, "%s %x %zu %zu", surroundings(&shapes, open->settled, &sums), (unsigned)open->flags, i,
                                      sums.count);
        mark_texts(open->settled, OPEN_METADATA, &text, 1);
    }
}

/* ---- when all is done ---- */

/* What is noted of a product that was settled. */
typedef struct {
    unsigned flags;
    size_t number, sums;
} Noted;

static bool is_noted(LLVMValueRef instruction, Noted *noted)
{
    const char *text = ir_mark_text(instruction, OPEN_METADATA);
    return text && sscanf(text, "%*16[0-9a-f] %x %zu %zu", &noted->flags, &noted->number, &noted->sums) == 3;
}

static List *sums_of(Arena *arena, Map *all, size_t number)
{
    void *key = (void *)(number + 1);
    List *sums = map_get(all, key);
    if (!sums) {
        sums = ARENA_NEW(arena, List);
        *sums = list_new(arena);
        map_put(all, key, sums);
    }
    return sums;
}

static bool is_as_it_was(const Shapes *shapes, LLVMValueRef settled, const Noted *noted, const List *sums)
{
    return sums->count == noted->sums && text_begins(ir_mark_text(settled, OPEN_METADATA), surroundings(shapes, settled, sums));
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

static void part_sums(LLVMBuilderRef builder, LLVMValueRef product, const List *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        int at = 0, minus = 0;
        int known = sscanf(ir_mark_text(sums->item[i], OPEN_METADATA), "sum %*u %d %d", &at, &minus);
        INVARIANT(known == 2);
        part(builder, sums->item[i], product, at == 0, minus);
    }
}

static void give_back(LLVMBuilderRef builder, LLVMValueRef settled, const Noted *noted, const List *sums)
{
    LLVMPositionBuilderBefore(builder, settled);
    LLVMValueRef product = LLVMBuildFMul(builder, LLVMGetOperand(settled, 0), LLVMGetOperand(settled, 1), "");
    if (LLVMIsAInstruction(product)) {
        LLVMSetFastMathFlags(product, (LLVMFastMathFlags)noted->flags);
        part_sums(builder, product, sums);
    }
    LLVMReplaceAllUsesWith(settled, product);
    LLVMInstructionEraseFromParent(settled);
}

/* What is noted of the function: products, and for the number of each the sums that were one with it. */
static List find_noted(Arena *arena, LLVMValueRef function, Map *sums)
{
    List products = list_new(arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *text = ir_mark_text(i, OPEN_METADATA);
            size_t number;
            if (text && sscanf(text, "sum %zu", &number) == 1)
                list_add(sums_of(arena, sums, number), i);
            else if (text)
                list_add(&products, i);
        }
    return products;
}

/* All are asked before any is given back, which changes the blocks. */
void open_products_give_back(LLVMValueRef function)
{
    Arena *arena = arena_new();
    Shapes shapes = {arena, map_new(arena)};
    Map *sums = map_new(arena);
    const List products = find_noted(arena, function, sums);
    List there = list_new(arena);
    Noted noted;
    for (size_t i = 0; i < products.count; i++)
        if (is_noted(products.item[i], &noted) &&
            is_as_it_was(&shapes, products.item[i], &noted, sums_of(arena, sums, noted.number)))
            list_add(&there, products.item[i]);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
    for (size_t i = 0; i < there.count; i++) {
        is_noted(there.item[i], &noted);
        give_back(builder, there.item[i], &noted, sums_of(arena, sums, noted.number));
    }
    LLVMDisposeBuilder(builder);
    arena_free(arena);
}
