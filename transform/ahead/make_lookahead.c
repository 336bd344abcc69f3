/* A loop loads for its next iteration (analysis/ahead/lookahead.c).
 *
 *                                      c0 = col[begin]
 *     loop:                            loop:   c = c0, n
 *       c = col[j]                       if (j + 1 < end) n = col[j + 1]
 *       use x[c]               ->        use x[c]
 *       j = j + 1                        j = j + 1
 *       if (j < end) loop                if (j < end) loop
 *
 * The loads stand under a guard, and not at the address of one iteration or the other: nobody moves them to the end of the iteration, where
 * the last one does not want them. */
#include "transform/emit/clone.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

typedef struct {
    const Lookahead *ahead;
    Emit emit;
    LLVMBasicBlockRef before, guard, next, rest; /* in front of the loop; and of its header, or what is left of it: */
    LLVMValueRef more;                           /* is there a next iteration? */
    Twins later;                                 /* of the loop -> of its next iteration */
} Maker;

static Twins twins_at(Maker *maker, LLVMValueRef place)
{
    emit_before(&maker->emit, place);
    return twins_open(maker->emit.arena, maker->emit.builder);
}

static LLVMValueRef load_again(Maker *maker, Twins *twins, LLVMValueRef load)
{
    LLVMValueRef source = clone_deep(twins, maker->ahead->needed, LLVMGetOperand(load, 0), true);
    LLVMValueRef twin = LLVMInstructionClone(load);
    LLVMSetOperand(twin, 0, source);
    mark_forget_iteration(twin);
    mark_add(twin, AHEAD_METADATA);
    LLVMInsertIntoBuilder(maker->emit.builder, twin);
    return twin;
}

/* ---- what the next iteration begins with ---- */

static void find_later(Maker *maker)
{
    const Lookahead *ahead = maker->ahead;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(ahead->latch), place = ahead->loads.item[0];
    Twins now = twins_at(maker, place);
    LLVMValueRef holds = clone_deep(&now, ahead->needed, LLVMGetCondition(jump), true);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(ahead->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (map_get(ahead->needed, phi))
            map_put(maker->later.value, phi, clone_deep(&now, ahead->needed, phi_value_from(phi, ahead->latch), true));
    bool goes_on = LLVMGetSuccessor(jump, 0) == ahead->header;
    maker->more = goes_on ? holds : LLVMBuildNot(maker->emit.builder, holds, "");
}

/* ---- the guard ---- */

static void open_guard(Maker *maker)
{
    LLVMBuilderRef builder = maker->emit.builder;
    LLVMValueRef first = maker->ahead->loads.item[0];
    maker->guard = LLVMGetInstructionParent(first);
    maker->rest = ir_split_before(first);
    maker->next = LLVMInsertBasicBlockInContext(maker->emit.context, maker->rest, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(maker->guard));
    LLVMPositionBuilderAtEnd(builder, maker->guard);
    LLVMBuildCondBr(builder, maker->more, maker->next, maker->rest);
    LLVMPositionBuilderAtEnd(builder, maker->next);
    LLVMBuildBr(builder, maker->rest);
}

/* What is loaded for the next iteration; in the last one, what is there already. */
static LLVMValueRef load_next(Maker *maker, LLVMValueRef load, LLVMValueRef present)
{
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(maker->next));
    LLVMValueRef values[] = {load_again(maker, &maker->later, load), present};
    LLVMBasicBlockRef blocks[] = {maker->next, maker->guard};
    LLVMPositionBuilder(maker->emit.builder, maker->rest, LLVMGetFirstInstruction(maker->rest));
    LLVMValueRef phi = LLVMBuildPhi(maker->emit.builder, LLVMTypeOf(load), "");
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

/* ---- all of it ---- */

static LLVMValueRef carry(Maker *maker, LLVMValueRef load)
{
    const Lookahead *ahead = maker->ahead;
    LLVMPositionBuilder(maker->emit.builder, ahead->header, LLVMGetFirstInstruction(ahead->header));
    return LLVMBuildPhi(maker->emit.builder, LLVMTypeOf(load), "");
}

static LLVMValueRef load_first(Maker *maker, Twins *first, LLVMValueRef load)
{
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(maker->before));
    return load_again(maker, first, load);
}

static Twins twins_of_first(Maker *maker)
{
    const Lookahead *ahead = maker->ahead;
    Twins first = twins_at(maker, LLVMGetBasicBlockTerminator(maker->before));
    for (LLVMValueRef phi = LLVMGetFirstInstruction(ahead->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (map_get(ahead->needed, phi))
            map_put(first.value, phi, phi_value_from(phi, maker->before));
    return first;
}

void lookahead_rewrite(IrModule *ir, const Lookahead *ahead)
{
    INVARIANT(!ahead->why && ahead->loads.count && LLVMGetBasicBlockParent(ahead->header) == ahead->function);
    Maker maker = {.ahead = ahead, .emit = emit_open(ahead->arena, ahead->function)};
    maker.before = ir_loop_before(ir_loop_of(ir, ahead->header));
    maker.later = twins_open(ahead->arena, maker.emit.builder);
    Twins first = twins_of_first(&maker);
    find_later(&maker);
    LLVMBasicBlockRef parted = LLVMGetInstructionParent(ahead->loads.item[0]);
    open_guard(&maker);
    LLVMBasicBlockRef latch = parted == ahead->latch ? maker.rest : ahead->latch;
    for (size_t i = 0; i < ahead->loads.count; i++) {
        LLVMValueRef load = ahead->loads.item[i], present = carry(&maker, load);
        LLVMValueRef values[] = {load_first(&maker, &first, load), load_next(&maker, load, present)};
        LLVMBasicBlockRef blocks[] = {maker.before, latch};
        LLVMAddIncoming(present, values, blocks, 2);
        LLVMReplaceAllUsesWith(load, present);
        LLVMInstructionEraseFromParent(load);
    }
    ir_changed(ir, ahead->function);
    emit_close(&maker.emit);
}
