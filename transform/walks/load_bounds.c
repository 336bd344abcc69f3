/* The bound of a loop is loaded once, where nothing that the loop stores lies there (analysis/walks/loaded_bounds.c).
 *
 *     for (j = a; j < rp[1]; j++) o[j] = ...    ->    n = rp[1]
 *                                                     if (o[a ... n - 1] lies apart from rp[1])
 *                                                         for (j = a; j < n; j++) o[j] = ...
 *                                                     else
 *                                                         for (j = a; j < rp[1]; j++) o[j] = ...       as it is
 *
 * The loop is entered, and each iteration loads the bound: to load it in front touches nothing that the original does not. */
#include "transform/emit/version.h"
#include "transform/transform.h"

/* Loads the bounds in front of the loop, and in front of a block that is there for the tests. What holds of the values that the loop would
 * find need not hold of these. */
static List load_first(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const List *loads)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header),
                 jump = LLVMGetBasicBlockTerminator(ir_loop_before(ir_loop_of(ir, header)));
    List bounds = list_new(arena);
    Emit emit = emit_open(arena, function);
    emit_before(&emit, jump);
    for (size_t i = 0; i < loads->count; i++) {
        LLVMValueRef first = LLVMInstructionClone(loads->item[i]);
        mark_forget_iteration(first);
        LLVMInsertIntoBuilder(emit.builder, first);
        ir_forget_promises(first);
        list_add(&bounds, first);
    }
    emit_close(&emit);
    ir_split_before(jump);
    ir_changed(ir, function);
    return bounds;
}

static bool is_outside(IrLoop *loop, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsAInstruction(operand) && ir_loop_has_block(loop, LLVMGetInstructionParent(operand)))
            return false;
    }
    return true;
}

/* What is computed from them alone is the same in all iterations now: comes behind them. */
static void settle(IrModule *ir, LLVMBasicBlockRef header, LLVMValueRef bound)
{
    IrLoop *loop = ir_loop_of(ir, header);
    LLVMValueRef place = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(bound));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(bound)));
    LLVMPositionBuilderBefore(builder, place);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header)); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i && ir_loop_has_block(loop, b); i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsATerminatorInst(i) || !ir_is_pure(i) || !is_outside(loop, i))
                continue;
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(builder, i);
        }
    LLVMDisposeBuilder(builder);
}

static int64_t bytes_of(const Emit *emit, LLVMTypeRef type) { return (int64_t)LLVMStoreSizeOfType(emit->layout, type); }

/* That the store leaves the bounds alone, in all iterations. False where nobody knows where it leads. */
static bool want_store(Version *version, LLVMValueRef store, const List *bounds)
{
    Emit *emit = &version->emit;
    bool wanted = false;
    for (size_t i = 0; i < bounds->count; i++)
        wanted |= ir_may_change(version->ir, store, bounds->item[i]);
    if (!wanted)
        return true;
    const IrExtent stored = version_extent(version, LLVMGetOperand(store, 1), bytes_of(emit, LLVMTypeOf(LLVMGetOperand(store, 0))));
    emit_before(emit, version->place);
    for (size_t i = 0; i < bounds->count; i++) {
        LLVMValueRef low = emit_address(emit, LLVMGetOperand(bounds->item[i], 0));
        LLVMValueRef high = emit_binary(emit, LLVMAdd, low, bytes_of(emit, LLVMTypeOf(bounds->item[i])));
        version_want(version, emit_is_apart(emit, stored.low, stored.high, low, high));
    }
    return !LLVMIsAConstantInt(stored.holds) || LLVMConstIntGetZExtValue(stored.holds);
}

/* In place of `asked`, of which the loop's version was made. */
static bool ask(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, LLVMValueRef asked, const List *bounds)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    Version version = {.ir = ir, .function = function, .header = header, .place = asked, .emit = emit_open(arena, function)};
    const List stores = loop_accesses(arena, ir, header, true);
    bool known = stores.count > 0;
    emit_before(&version.emit, asked);
    for (size_t i = 0; i < stores.count && known; i++)
        known = want_store(&version, stores.item[i], bounds);
    emit_before(&version.emit, asked);
    LLVMValueRef holds = known && version.holds ? version.holds : LLVMConstInt(version.emit.i1, 0, false);
    LLVMReplaceAllUsesWith(asked, emit_all_here(&version.emit, LLVMBuildFreeze(version.emit.builder, holds, "")));
    LLVMInstructionEraseFromParent(asked);
    emit_close(&version.emit);
    return known;
}

bool bounds_load(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const List *numbers)
{
    LLVMBasicBlockRef original = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    const List all = loop_accesses(arena, ir, header, false);
    List loads = list_new(arena);
    for (size_t i = 0; i < numbers->count; i++)
        list_add(&loads, all.item[(intptr_t)numbers->item[i]]);
    const List bounds = load_first(arena, ir, header, &loads);
    Version version = version_open(arena, ir, function, header);
    LLVMValueRef asked = LLVMBuildFreeze(version.emit.builder, LLVMConstInt(version.emit.i1, 1, false), "");
    version_want(&version, asked);
    version_close(&version, &original, 1, ir_touches_memory, ASIDE_METADATA);
    for (size_t i = 0; i < loads.count; i++) {
        LLVMReplaceAllUsesWith(loads.item[i], bounds.item[i]);
        LLVMInstructionEraseFromParent(loads.item[i]);
    }
    settle(ir, header, bounds.item[0]);
    ir_changed(ir, function);
    bool known = ask(arena, ir, header, asked, &bounds);
    ir_changed(ir, function);
    return known;
}
