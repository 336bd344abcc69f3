/* A row that the loop around its walk meets again in each iteration is held in registers (analysis/walks/row_reuse.c):
 *
 *     for (c...)                                   if (the walk has 32 iterations or more) {
 *         for (k...) s += x[k] * w[c][k]               x0 = x[0]; x1 = x[1]; ...
 *                                          ->          for (c...) {
 *                                                          s += x0 * w[c][0]; s += x1 * w[c][1]; ...
 *                                                          for (k = 32...) s += x[k] * w[c][k]
 *                                                      }
 *                                                  } else
 *                                                      for (c...) ...                            as it is
 *
 * Other passes make the walk longer and move what stands in front of it together. */
#include "transform/emit/version.h"
#include "transform/transform.h"

/* ---- two versions ---- */

/* What is asked for later may mean nothing where what was asked for first does not hold. */
static LLVMValueRef both(Emit *emit, LLVMValueRef first, LLVMValueRef then)
{
    return first ? emit_select(emit, first, then, LLVMConstInt(emit->i1, 0, false)) : then;
}

static LLVMValueRef jump_of(const Again *again, size_t way)
{
    return LLVMGetBasicBlockTerminator(again_block(again, AGAIN_WAYS + way));
}

static LLVMValueRef goes_way(Emit *emit, const Again *again, size_t way)
{
    LLVMValueRef condition = LLVMGetCondition(jump_of(again, way));
    return again->ways.item[way] ? LLVMBuildNot(emit->builder, condition, "") : condition;
}

static void want_long(Version *version, const Again *again, const AgainSize *size)
{
    LLVMBasicBlockRef walk = again_block(again, AGAIN_WALK);
    Emit *emit = &version->emit;
    int iterations = size->factor[0] * (size->times ? size->times : 1);
    for (size_t i = 0; i < again->ways.count; i++)
        version->holds = both(emit, version->holds, goes_way(emit, again, i));
    version->holds = both(emit, version->holds, ir_loop_reaches(version->ir, version->function, walk, iterations, version->place));
}

static void take_ways(const Again *again)
{
    for (size_t i = 0; i < again->ways.count; i++) {
        LLVMValueRef jump = jump_of(again, i);
        LLVMSetCondition(jump, LLVMConstInt(LLVMTypeOf(LLVMGetCondition(jump)), !again->ways.item[i], false));
    }
}

LLVMBasicBlockRef again_open(Arena *arena, IrModule *ir, Again *again, const AgainSize *size)
{
    LLVMBasicBlockRef around = again_block(again, AGAIN_AROUND), walk = again_block(again, AGAIN_WALK);
    LLVMValueRef function = LLVMGetBasicBlockParent(around);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, around);
    Version version = version_open(arena, ir, function, around);
    want_long(&version, again, size);
    Again first = *again;
    first.blocks = list_copy(arena, &again->blocks);
    LLVMBasicBlockRef before = version_close(&version, (LLVMBasicBlockRef *)again->blocks.item, again->blocks.count, ir_touches_memory,
                                             ORIGINAL_METADATA);
    take_ways(&first);
    early_mark(ir, walk, &again->loads, AGAIN_METADATA);
    return before;
}

/* ---- loads in front ---- */

typedef struct {
    Arena *arena;
    IrLoop *around;
    LLVMBuilderRef builder;
} Front;

static bool is_inside(const void *front, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && ir_loop_has_block(((const Front *)front)->around, LLVMGetInstructionParent(value));
}

/* Is all that it is made of arithmetic, down to what is known in front? */
static SlicePart ask_come(Slice *slice, const void *front, LLVMValueRef value)
{
    (void)slice;
    return !is_inside(front, value) ? SLICE_KNOWN : ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

static void come(const Front *front, LLVMValueRef value)
{
    const List order = slice_order(front->arena, value, is_inside, front);
    for (size_t i = 0; i < order.count; i++) {
        LLVMInstructionRemoveFromParent(order.item[i]);
        LLVMInsertIntoBuilder(front->builder, order.item[i]);
    }
}

static bool comes_in_front(const Front *front, LLVMValueRef load)
{
    bool can = slice_of(front->arena, LLVMGetOperand(load, 0), ask_come, front);
    if (can) {
        come(front, load);
        mark_forget_iteration(load);
    }
    return can;
}

static void clear(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (ir_is_marked(i, AGAIN_METADATA))
            mark_drop(i, AGAIN_METADATA);
}

static void each_marked(const Front *front, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (ir_is_marked(i, AGAIN_METADATA))
            comes_in_front(front, i);
    }
}

void again_hold(IrModule *ir, LLVMBasicBlockRef around, LLVMBasicBlockRef walk, LLVMBasicBlockRef before, const AgainSize *size)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(walk);
    Front front = {arena_new(), NULL, LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)))};
    for (int i = 0; i < size->times; i++) {
        LLVMBasicBlockRef first = ir_peel(ir, function, walk, size->last);
        front.around = ir_loop_of(ir, around);
        LLVMPositionBuilderBefore(front.builder, LLVMGetBasicBlockTerminator(before));
        LLVMSetCurrentDebugLocation2(front.builder, NULL); /* every load keeps its own */
        each_marked(&front, first);
    }
    front.around = ir_loop_of(ir, around);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(front.around, b))
            clear(b);
    LLVMDisposeBuilder(front.builder);
    arena_free(front.arena);
    ir_changed(ir, function);
}
