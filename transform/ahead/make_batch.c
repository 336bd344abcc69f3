/* The loads of several iterations that stand in one body come first (analysis/ahead/batch.c).
 *
 *     loop:                              if (out is far enough from in) loop:
 *       x = in[i];     out[i] = f(x)         x = in[i]; y = in[i + p]
 *       y = in[i + p]; out[i + p] = f(y)  ->     out[i] = f(x); out[i + p] = f(y)
 *                                        else
 *                                            the loop as it was
 *
 * Those that load the same are one: nothing is stored between them any more.
 *
 *     loop:                              loop:
 *       x = in[i];     if (x) f(x)         x = in[i]; y = in[i + p]
 *       y = in[i + p]; if (y) f(y)  ->     if (x) f(x)
 *                                          if (y) f(y) */
#include "analysis/ahead/batch.h"
#include "transform/emit/version.h"
#include "transform/transform.h"

/* ---- tests ---- */

/* How far the two of each test are apart, in front of the loop: of BatchTest -> LLVMValueRef. Asked before blocks are opened for the tests: that the loop is
 * entered under its guard, which tells that a counter does not wrap around, is not seen any more then. */
static Map *gaps_of(IrModule *ir, const Batch *batch)
{
    Map *gaps = map_new(batch->arena);
    LLVMValueRef place = LLVMGetBasicBlockTerminator(ir_loop_before(ir_loop_of(ir, batch->header)));
    for (size_t i = 0; i < batch->tests.count; i++) {
        BatchTest *test = batch->tests.item[i];
        LLVMValueRef gap = NULL;
        if (test->whole)
            continue;
        const void *known = ir_gap(ir, batch->function, batch->header, LLVMGetOperand(test->load, 0),
                                   LLVMGetOperand(test->store, 1), place, &gap);
        INVARIANT(known);
        map_put(gaps, test, gap);
    }
    return gaps;
}

/* They meet where the store begins less than what it writes in front of the load, or less than what that reads behind where it begins. */
static void want_far(Version *version, const BatchTest *test, LLVMValueRef gap)
{
    Emit *emit = &version->emit;
    emit_before(emit, version->place);
    LLVMValueRef end = emit_binary(emit, LLVMAdd, gap, test->stored - 1);
    LLVMValueRef most = LLVMConstInt(LLVMTypeOf(gap), (unsigned long long)(test->stored + test->loaded - 2), false);
    version_want(version, LLVMBuildICmp(emit->builder, LLVMIntUGT, end, most, ""));
}

/* All that the loop touches through the pointer of a load or store: computed once. */
static const IrExtent *extent_at(Version *version, Arena *arena, Map *extents, LLVMValueRef pointer, int64_t bytes)
{
    IrExtent *extent = map_get(extents, pointer);
    if (!extent) {
        extent = ARENA_NEW(arena, IrExtent);
        *extent = version_extent(version, pointer, bytes);
        map_put(extents, pointer, extent);
    }
    return extent;
}

static bool is_store(LLVMValueRef instruction) { return LLVMIsAStoreInst(instruction); }

static void want_all(Version *version, const Batch *batch, const Map *gaps)
{
    Map *loaded = map_new(batch->arena), *stored = map_new(batch->arena);
    for (size_t i = 0; i < batch->tests.count; i++) {
        const BatchTest *test = batch->tests.item[i];
        if (!test->whole) {
            want_far(version, test, map_get(gaps, test));
            continue;
        }
        const IrExtent *from = extent_at(version, batch->arena, loaded, LLVMGetOperand(test->load, 0), test->loaded);
        const IrExtent *to = extent_at(version, batch->arena, stored, LLVMGetOperand(test->store, 1), test->stored);
        emit_before(&version->emit, version->place);
        version_want(version, emit_is_apart(&version->emit, from->low, from->high, to->low, to->high));
    }
}

static void version_make(IrModule *ir, const Batch *batch)
{
    LLVMBasicBlockRef original = batch->header;
    const Map *gaps = gaps_of(ir, batch);
    Version version = version_open_after(batch->arena, ir, batch->function, batch->header, batch->trips);
    want_all(&version, batch, gaps);
    version_vote(&version);
    version_close(&version, &original, 1, is_store, ASIDE_METADATA);
}

void batch_repeat(IrModule *ir, const Batch *batch)
{
    if (batch->tests.count)
        version_make(ir, batch);
    for (size_t i = 0; i < batch->apart.count; i++)
        mark_add(batch->apart.item[i], APART_METADATA);
    if (batch->tests.count || batch->apart.count) /* else all that is known of it still holds */
        ir_changed(ir, batch->function);
    iterations_repeat(ir, batch->function, batch->header, batch->times);
}

/* ---- moves ---- */

typedef struct {
    IrModule *ir;
    IrLoop *loop;
    LLVMValueRef place;
} Above;

/* Is it made in the iteration, and not yet where the loads come? */
static bool is_below(const void *context, LLVMValueRef value)
{
    const Above *above = context;
    return LLVMIsAInstruction(value) && value != above->place && ir_loop_has_block(above->loop, LLVMGetInstructionParent(value)) &&
           !ir_precedes(above->ir, value, above->place);
}

static void raise(IrModule *ir, const Batch *batch, LLVMBuilderRef builder, LLVMValueRef load)
{
    const Above above = {ir, ir_loop_of(ir, batch->header), map_get(batch->place, load)};
    const List order = slice_order(batch->arena, load, is_below, &above);
    LLVMPositionBuilderBefore(builder, above.place);
    for (size_t i = 0; i < order.count; i++) {
        LLVMInstructionRemoveFromParent(order.item[i]);
        LLVMInsertIntoBuilder(builder, order.item[i]);
    }
}

/* LLVM would bring a load that is used behind a branch alone to where it is used, over nothing that stores. */
static void keep_in_front(const Batch *batch, Emit *emit)
{
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i];
        if (map_get(batch->place, load))
            continue;
        emit_before(emit, LLVMGetNextInstruction(load));
        order_keep(emit->builder);
    }
}

static void unite(const Batch *batch)
{
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i], same = map_get(batch->same, load);
        if (!same)
            continue;
        ir_forget_promises(same);
        LLVMReplaceAllUsesWith(load, same);
        LLVMInstructionEraseFromParent(load);
    }
}

void batch_rewrite(IrModule *ir, const Batch *batch)
{
    INVARIANT(!batch->why && batch->passed && LLVMGetBasicBlockParent(batch->header) == batch->function);
    if (batch->tests.count)
        version_make(ir, batch);
    Emit emit = emit_open(batch->arena, batch->function);
    for (size_t i = 0; i < batch->loads.count; i++)
        if (map_get(batch->place, batch->loads.item[i]))
            raise(ir, batch, emit.builder, batch->loads.item[i]);
    if (!batch->stores)
        keep_in_front(batch, &emit);
    for (size_t i = 0; i < batch->loads.count; i++)
        mark_add(batch->loads.item[i], BATCH_METADATA);
    unite(batch);
    ir_changed(ir, batch->function);
    emit_close(&emit);
}
