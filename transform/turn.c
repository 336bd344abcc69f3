/* The threads of a block change places: what is numbered row by row becomes numbered column by column.
 *
 *     x = threadIdx.x; y = threadIdx.y         t = threadIdx.x + threadIdx.y * blockDim.x
 *                                       ->     x = t / blockDim.y; y = t % blockDim.y      if blockDim.x >= blockDim.y
 *
 * Every pair (x, y) of the block still occurs once. A block of one row stays as it is: t / 1, t % 1. */
#include "emit.h"

enum { AXES = 2 };

static bool is_read_of(LLVMValueRef instruction, const char *name)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
    return callee && callee == LLVMGetNamedFunction(LLVMGetGlobalParent(callee), name);
}

/* The reads of threadIdx.x and threadIdx.y. */
static void reads_find(LLVMValueRef function, List read[AXES])
{
    static const char *const names[AXES] = {TURN_X, TURN_Y};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int axis = 0; axis < AXES; axis++)
                if (is_read_of(i, names[axis]))
                    list_add(&read[axis], i);
}

static LLVMValueRef sreg(Emit *emit, const char *name) { return emit_call(emit, name, emit->i32, NULL, 0); }

/* None of the sums and products can wrap: a block has 1024 threads at most. */
static void indices_build(Emit *emit, LLVMValueRef index[AXES])
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef x = sreg(emit, TURN_X), y = sreg(emit, TURN_Y);
    LLVMValueRef wide = sreg(emit, "llvm.nvvm.read.ptx.sreg.ntid.x"), high = sreg(emit, "llvm.nvvm.read.ptx.sreg.ntid.y");
    LLVMValueRef number = LLVMBuildNUWAdd(builder, LLVMBuildNUWMul(builder, y, wide, ""), x, "");
    LLVMValueRef column = LLVMBuildUDiv(builder, number, high, "");
    LLVMValueRef row = LLVMBuildNUWSub(builder, number, LLVMBuildNUWMul(builder, column, high, ""), "");
    LLVMValueRef turns = LLVMBuildICmp(builder, LLVMIntUGE, wide, high, "");
    index[0] = emit_select(emit, turns, column, x);
    index[1] = emit_select(emit, turns, row, y);
}

void turn_rewrite(LLVMValueRef function)
{
    Arena *arena = arena_new();
    List read[AXES] = {list_new(arena), list_new(arena)};
    LLVMValueRef index[AXES];
    Emit emit = emit_open(arena, function);
    reads_find(function, read);
    emit_before(&emit, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    indices_build(&emit, index);
    for (int axis = 0; axis < AXES; axis++)
        for (size_t i = 0; i < read[axis].count; i++) {
            LLVMReplaceAllUsesWith(read[axis].item[i], index[axis]);
            LLVMInstructionEraseFromParent(read[axis].item[i]);
        }
    emit_close(&emit);
    arena_free(arena);
}
