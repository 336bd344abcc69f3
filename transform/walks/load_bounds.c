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

static bool is_outside(IrLoop *loop, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (ir_loop_has(loop, operand))
            return false;
    }
    return true;
}

/* Is there anything that has come? */
static bool settle_once(IrLoop *loop, LLVMBasicBlockRef place)
{
    bool any = false;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMGetBasicBlockTerminator(place))));
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(place));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(place)); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i && ir_loop_has_block(loop, b); i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsATerminatorInst(i) || LLVMIsAPHINode(i) || !ir_is_pure(i) || !is_outside(loop, i))
                continue;
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(builder, i);
            any = true;
        }
    LLVMDisposeBuilder(builder);
    return any;
}

/* What is computed from them alone is the same in all iterations now: comes behind them, in whatever order the blocks stand. */
static void settle(IrLoop *loop, LLVMBasicBlockRef place)
{
    while (settle_once(loop, place))
        ;
}

/* As it is at the end of the block in front of the loop. Whoever asks whether the loop is entered has loaded it, as a rule; else what holds of the values that
 * the loop would find need not hold of this one. Where another load tells its place, the loop may have stored there before: it has to have been loaded already.
 * NULL: it has not. */
static LLVMValueRef load_there(Arena *arena, IrModule *ir, LLVMValueRef load, LLVMBasicBlockRef place, bool is_told)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(place), first = LLVMInstructionClone(load);
    Emit emit = emit_open(arena, function);
    emit_before(&emit, LLVMGetBasicBlockTerminator(place));
    mark_forget_iteration(first);
    LLVMInsertIntoBuilder(emit.builder, first);
    emit_close(&emit);
    ir_changed(ir, function);
    LLVMValueRef known = ir_loaded_before(ir, first);
    if (known || is_told)
        LLVMInstructionEraseFromParent(first);
    else
        ir_forget_promises(first);
    ir_changed(ir, function);
    return known || is_told ? known : first;
}

/* False where one of them cannot be. */
static bool load_first(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const List *loads, LLVMBasicBlockRef place,
                       List *bounds)
{
    bool *is_told = ARENA_ARRAY(arena, bool, loads->count);
    for (size_t i = 0; i < loads->count; i++)
        is_told[i] = !is_outside(ir_loop_of(ir, header), loads->item[i]);
    for (size_t i = 0; i < loads->count; i++) {
        settle(ir_loop_of(ir, header), place);
        LLVMValueRef first = load_there(arena, ir, loads->item[i], place, is_told[i]);
        if (!first)
            return false;
        LLVMReplaceAllUsesWith(loads->item[i], first);
        LLVMInstructionEraseFromParent(loads->item[i]);
        if (!list_has(bounds, first))
            list_add(bounds, first);
    }
    settle(ir_loop_of(ir, header), place);
    return true;
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

/* And that the loop does end by these bounds, when it is said to: one that would never do so may have ended by what it stores there. */
static bool want_stores(Version *version, const List *stores, const List *bounds)
{
    LLVMValueRef ends = stores->count ? ir_loop_ends(version->ir, version->function, version->header, version->place) : NULL;
    if (ends)
        version_want(version, ends);
    for (size_t i = 0; i < stores->count && ends; i++)
        if (!want_store(version, stores->item[i], bounds))
            return false;
    return ends != NULL;
}

/* In place of `asked`, of which the loop's version was made; NULL: there is nothing that could be. */
static bool ask(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, LLVMValueRef asked, const List *bounds)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    Version version = {.ir = ir, .function = function, .header = header, .place = asked, .emit = emit_open(arena, function)};
    const List stores = loop_accesses(arena, ir, header, true);
    emit_before(&version.emit, asked);
    bool known = bounds && want_stores(&version, &stores, bounds);
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
    LLVMBasicBlockRef place = ir_loop_before(ir_loop_of(ir, header));
    ir_split_before(LLVMGetBasicBlockTerminator(place)); /* a block for the tests */
    ir_changed(ir, function);
    Version version = version_open(arena, ir, function, header);
    LLVMValueRef asked = LLVMBuildFreeze(version.emit.builder, LLVMConstInt(version.emit.i1, 1, false), "");
    version_want(&version, asked);
    version_close(&version, &original, 1, ir_touches_memory, ASIDE_METADATA);
    ir_changed(ir, function);
    List bounds = list_new(arena);
    bool loaded = load_first(arena, ir, header, &loads, place, &bounds);
    ir_changed(ir, function);
    bool known = ask(arena, ir, header, asked, loaded ? &bounds : NULL);
    ir_changed(ir, function);
    return known;
}
