/* Rows of different lengths: a warp takes a longer loop only where all of its rows are long enough for it.
 *
 *     n < 32? -> rest          by 32 ...; n & 31 are left    ->    n < 32 in any lane here? -> rest, which does all n
 *
 * Lanes in the longer loop alone would keep the others waiting, and then wait for them: 48 iterations would take 32 and 31. Where few threads are
 * there, whose loads nobody else's hide, lists of one or two pieces are through sooner one iteration at a time:
 *
 *     n < 32 in any lane here, or launch is small && (n < 3 * 32 in any && n < 6 * 32 in more than one of four)? -> rest */
#include "transform/emit/emit.h"
#include "transform/transform.h"

static void replace_but(LLVMValueRef value, LLVMValueRef by, LLVMValueRef user)
{
    LLVMReplaceAllUsesWith(value, by);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == by)
            LLVMSetOperand(user, (unsigned)i, value);
}

/* Has a lane fewer pieces than that in a launch of few threads, and one lane of four fewer than twice as many? Whoever walks by pieces there is the last one
 * through: two warps of 312 that walked lists of 16 to 31 neighbours took the launch to 0.76 of plain clang (H200). `few` asks whether the number of the
 * last iteration is below that of a piece's. */
static LLVMValueRef are_short(Emit *emit, const UnevenRows *rows, LLVMValueRef few)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef last = LLVMGetOperand(few, 0);
    unsigned long long wanted = (LLVMConstIntGetZExtValue(LLVMGetOperand(few, 1)) + 1) * (unsigned)rows->pieces;
    LLVMValueRef small = emit_launch_is_small(emit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(few)), rows->threads);
    LLVMValueRef enough = LLVMBuildICmp(builder, LLVMIntUGE, last, LLVMConstInt(LLVMTypeOf(last), wanted - 1, false), "");
    LLVMValueRef twice = LLVMBuildICmp(builder, LLVMIntUGE, last, LLVMConstInt(LLVMTypeOf(last), 2 * wanted - 1, false), "");
    LLVMValueRef four = emit_binary(emit, LLVMMul, emit_count(emit, emit_bits_here(emit, twice)), 4);
    LLVMValueRef three = emit_binary(emit, LLVMMul, emit_count(emit, emit_lanes_here(emit)), 3);
    LLVMValueRef short_ones = LLVMBuildNot(builder, emit_all_here(emit, enough), "");
    return emit_both(emit, small, emit_both(emit, short_ones, LLVMBuildICmp(builder, LLVMIntULT, four, three, "")));
}

void uneven_rows_hold(void *rows, LLVMValueRef jump, LLVMValueRef left)
{
    const UnevenRows *uneven = rows;
    Emit emit = emit_open(uneven->arena, LLVMGetBasicBlockParent(LLVMGetInstructionParent(jump)));
    emit_before(&emit, jump);
    LLVMValueRef few = LLVMGetCondition(jump), all = LLVMGetOperand(left, 0);
    LLVMValueRef apart = LLVMBuildNot(emit.builder, emit_all_here(&emit, LLVMBuildNot(emit.builder, few, "")), "");
    if (uneven->threads)
        apart = LLVMBuildOr(emit.builder, apart, are_short(&emit, uneven, few), "");
    LLVMValueRef known = LLVMBuildICmp(emit.builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
    LLVMValueRef past = LLVMBuildOr(emit.builder, few, LLVMBuildAnd(emit.builder, apart, known, ""), "");
    LLVMValueRef rest = LLVMBuildSelect(emit.builder, past, all, left, "");
    replace_but(left, rest, rest);
    LLVMSetCondition(jump, past);
    emit_close(&emit);
}
