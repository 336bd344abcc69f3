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

static LLVMValueRef jump_of(const Reuse *reuse, size_t way)
{
    return LLVMGetBasicBlockTerminator(reuse_block(reuse, REUSE_WAYS + way));
}

static LLVMValueRef goes_way(Emit *emit, const Reuse *reuse, size_t way)
{
    LLVMValueRef condition = LLVMGetCondition(jump_of(reuse, way));
    return reuse->ways.item[way] ? LLVMBuildNot(emit->builder, condition, "") : condition;
}

static void want_long(Version *version, const Reuse *reuse, const ReuseSize *size)
{
    LLVMBasicBlockRef walk = reuse_block(reuse, REUSE_WALK);
    Emit *emit = &version->emit;
    int iterations = size->factor[0] * (size->times ? size->times : 1);
    for (size_t i = 0; i < reuse->ways.count; i++)
        version->holds = both(emit, version->holds, goes_way(emit, reuse, i));
    version->holds = both(emit, version->holds, ir_loop_reaches(version->ir, version->function, walk, iterations, version->place));
}

static void take_ways(const Reuse *reuse)
{
    for (size_t i = 0; i < reuse->ways.count; i++) {
        LLVMValueRef jump = jump_of(reuse, i);
        LLVMSetCondition(jump, LLVMConstInt(LLVMTypeOf(LLVMGetCondition(jump)), !reuse->ways.item[i], false));
    }
}

LLVMBasicBlockRef reuse_open(Arena *arena, IrModule *ir, Reuse *reuse, const ReuseSize *size)
{
    LLVMBasicBlockRef around = reuse_block(reuse, REUSE_AROUND), walk = reuse_block(reuse, REUSE_WALK);
    LLVMValueRef function = LLVMGetBasicBlockParent(around);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, around);
    Version version = version_open(arena, ir, function, around);
    want_long(&version, reuse, size);
    Reuse first = *reuse;
    first.blocks = list_copy(arena, &reuse->blocks);
    LLVMBasicBlockRef before = version_close(&version, (LLVMBasicBlockRef *)reuse->blocks.item, reuse->blocks.count,
                                             ir_touches_memory, ORIGINAL_METADATA);
    take_ways(&first);
    hoist_mark(ir, walk, &reuse->loads, REUSE_METADATA);
    return before;
}

/* ---- loads in front ---- */

typedef struct {
    Arena *arena;
    IrLoop *around;
    LLVMBuilderRef builder;
} Front;

static bool is_inside(const void *front, LLVMValueRef value) { return ir_loop_has(((const Front *)front)->around, value); }

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
        if (ir_is_marked(i, REUSE_METADATA))
            mark_drop(i, REUSE_METADATA);
}

static void each_marked(const Front *front, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (ir_is_marked(i, REUSE_METADATA))
            comes_in_front(front, i);
    }
}

void reuse_hold(IrModule *ir, LLVMBasicBlockRef around, LLVMBasicBlockRef walk, LLVMBasicBlockRef before, const ReuseSize *size)
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
