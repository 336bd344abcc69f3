/* The threads of a block change places: what is numbered row by row becomes numbered column by column.
 *
 *     x = threadIdx.x; y = threadIdx.y         t = threadIdx.x + threadIdx.y * blockDim.x
 *                                       ->     x = t / blockDim.y; y = t % blockDim.y      if blockDim.x >= blockDim.y > 1
 *
 * Every pair (x, y) of the block still occurs once. Within one warp nothing is to be had by it, as the same pairs meet
 * there in another order: such blocks stay as they are. */
#include "analysis/address/warp.h"
#include "analysis/turn/turn.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

enum { AXES = 2 };

/* The reads of threadIdx.x and threadIdx.y. */
static void reads_find(LLVMValueRef function, List read[AXES])
{
    static const char *const names[AXES] = {TURN_X, TURN_Y};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int axis = 0; axis < AXES; axis++)
                if (is_call_of(i, names[axis]))
                    list_add(&read[axis], i);
}

static LLVMValueRef sreg(Emit *emit, const char *name) { return emit_call(emit, name, emit->i32, NULL, 0); }

/* number / divisor, of integers of a block: below 1025. In floats half a step is far more than what the approximate division
 * (PTX ISA, div.approx: 2 ulp) may be off, and takes half as many instructions. */
static LLVMValueRef divide(Emit *emit, LLVMValueRef number, LLVMValueRef divisor)
{
    LLVMTypeRef real = LLVMFloatTypeInContext(emit->context);
    LLVMValueRef middle = LLVMBuildFAdd(emit->builder, LLVMBuildUIToFP(emit->builder, number, real, ""), LLVMConstReal(real, 0.5),
                                        "");
    LLVMValueRef quotient = LLVMBuildFDiv(emit->builder, middle, LLVMBuildUIToFP(emit->builder, divisor, real, ""), "");
    LLVMSetFastMathFlags(quotient, LLVMFastMathApproxFunc);
    return LLVMBuildFPToUI(emit->builder, quotient, emit->i32, "");
}

static LLVMValueRef either(Emit *emit, LLVMBasicBlockRef from[2], LLVMValueRef first, LLVMValueRef second)
{
    LLVMValueRef values[] = {first, second}, phi = LLVMBuildPhi(emit->builder, emit->i32, "");
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

/* At the builder's place, in front of a jump. None of the sums and products can wrap: a block has 1024 threads at most. */
static void indices_build(Emit *emit, LLVMValueRef index[AXES])
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef x = sreg(emit, TURN_X), y = sreg(emit, TURN_Y);
    LLVMValueRef wide = sreg(emit, "llvm.nvvm.read.ptx.sreg.ntid.x"), high = sreg(emit, "llvm.nvvm.read.ptx.sreg.ntid.y");
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(builder), NULL};
    LLVMValueRef has_rows = LLVMBuildICmp(builder, LLVMIntUGT, high, emit_int(emit, 1), "");
    LLVMValueRef warps_meet = LLVMBuildICmp(builder, LLVMIntUGT, LLVMBuildNUWMul(builder, wide, high, ""),
                                            emit_int(emit, WARP_LANES), "");
    has_rows = LLVMBuildAnd(builder, has_rows, warps_meet, "");
    emit_if(emit, LLVMBuildAnd(builder, LLVMBuildICmp(builder, LLVMIntUGE, wide, high, ""), has_rows, ""));
    LLVMValueRef number = LLVMBuildNUWAdd(builder, LLVMBuildNUWMul(builder, y, wide, ""), x, "");
    LLVMValueRef column = divide(emit, number, high);
    LLVMValueRef row = LLVMBuildNUWSub(builder, number, LLVMBuildNUWMul(builder, column, high, ""), "");
    from[1] = LLVMGetInsertBlock(builder);
    emit_end_if(emit);
    index[0] = either(emit, from, x, column);
    index[1] = either(emit, from, y, row);
}

/* The end of the entry block, behind the locals alone: what was there follows. */
static LLVMValueRef place_before_all(Emit *emit, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    for (LLVMValueRef i = first, next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || i == first)
            continue;
        LLVMInstructionRemoveFromParent(i);
        emit_before(emit, LLVMGetFirstInstruction(entry));
        LLVMInsertIntoBuilder(emit->builder, i);
    }
    for (first = LLVMGetFirstInstruction(entry); LLVMIsAAllocaInst(first);)
        first = LLVMGetNextInstruction(first);
    ir_split_before(first);
    return LLVMGetBasicBlockTerminator(entry);
}

void turn_rewrite(LLVMValueRef function)
{
    INVARIANT(function_is_kernel(function));
    Arena *arena = arena_new();
    List read[AXES] = {list_new(arena), list_new(arena)};
    LLVMValueRef index[AXES];
    Emit emit = emit_open(arena, function);
    reads_find(function, read);
    emit_before(&emit, place_before_all(&emit, function));
    indices_build(&emit, index);
    for (int axis = 0; axis < AXES; axis++)
        for (size_t i = 0; i < read[axis].count; i++) {
            LLVMReplaceAllUsesWith(read[axis].item[i], index[axis]);
            LLVMInstructionEraseFromParent(read[axis].item[i]);
        }
    emit_close(&emit);
    arena_free(arena);
}
