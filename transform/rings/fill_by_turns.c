/* The rings of one loop fill their first stages by turns, as they go on in the loop: so as many groups are committed between any stage and
 * where it is waited for, from the first iteration on (own_groups.c).
 *
 *     for each stage but one: copy k ahead; commit           for each stage but one: copy k ahead; commit; copy v ahead; commit
 *     for each stage but one: copy v ahead; commit     ->
 *     loop: ...                                              loop: ... */
#include "transform/rings/make_ring.h"
#include "transform/transform.h"

/* Between the other ring's first stages and the loop. */
typedef struct {
    IrModule *ir;
    const Ring *ring;
    IrLoop *filling; /* the other ring's first stages, one an iteration */
    List between; /* of LLVMBasicBlockRef: from there to the loop */
} Turns;

/* The only block that leads to this one. */
static LLVMBasicBlockRef sole_way_to(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef jump = use && !LLVMGetNextUse(use) ? LLVMIsATerminatorInst(LLVMGetUser(use)) : NULL;
    return jump ? LLVMGetInstructionParent(jump) : NULL;
}

/* Upwards from the block: the end of a loop that the ring's own is not in, or NULL. */
static LLVMBasicBlockRef end_of_filling(Turns *turns, LLVMBasicBlockRef block)
{
    IrLoop *around = ir_loop_of(turns->ir, block);
    for (; block; block = sole_way_to(block)) {
        turns->filling = ir_loop_of(turns->ir, block);
        if (turns->filling != around)
            return turns->filling && ir_loop_parent(turns->filling) == around ? block : NULL;
        if (turns->between.count && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) != 1)
            return NULL;
        list_add(&turns->between, block);
    }
    return NULL;
}

static LLVMValueRef last_commit(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetLastInstruction(block);
    while (i && !ir_is_marked(i, GROUP_METADATA))
        i = LLVMGetPreviousInstruction(i);
    return i;
}

/* Does the other ring's filling say what it is? */
static bool is_of_filling(const Turns *turns, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    return block && (ir_loop_has_block(turns->filling, block) || (LLVMIsAPHINode(value) && list_has(&turns->between, block)));
}

static bool asks_filling(const Turns *turns, LLVMValueRef instruction)
{
    bool asks = false;
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        asks |= is_of_filling(turns, LLVMGetOperand(instruction, (unsigned)i));
    return asks;
}

/* Of the loop, nothing that the ring's copies are made of needs what the filling leaves: its phis alone do, and none of the ring's. */
static bool stands_alone(const Turns *turns)
{
    IrLoop *loop = ir_loop_of(turns->ir, turns->ring->header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(turns->ring->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i)) {
            bool carried = LLVMIsAPHINode(i) && b == turns->ring->header && !map_get(turns->ring->next.ahead, i);
            if (asks_filling(turns, i) && !carried)
                return false;
        }
    return true;
}

static bool may_move(const Turns *turns)
{
    for (size_t k = 0; k < turns->between.count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(turns->between.item[k]); i; i = LLVMGetNextInstruction(i))
            if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i) && (!ir_is_pure(i) || asks_filling(turns, i)))
                return false;
    return true;
}

/* What stands between, arithmetic that the ring may need, comes in front of all. */
static void move_up(const Turns *turns, LLVMBasicBlockRef front)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(turns->ring->function)));
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(front));
    for (size_t k = turns->between.count; k-- > 0;)
        for (LLVMValueRef next, i = phis_end(turns->between.item[k]); !LLVMIsATerminatorInst(i); i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(builder, i);
        }
    LLVMDisposeBuilder(builder);
}

LLVMBasicBlockRef ring_filling(IrModule *ir, const Ring *ring)
{
    Turns turns = {ir, ring, NULL, list_new(ring->arena)};
    LLVMBasicBlockRef end = end_of_filling(&turns, ir_loop_before(ir_loop_of(ir, ring->header)));
    return end && last_commit(end) ? ir_loop_header(turns.filling) : NULL;
}

LLVMValueRef turns_with(IrModule *ir, const Ring *ring, LLVMBasicBlockRef *before)
{
    Turns turns = {ir, ring, NULL, list_new(ring->arena)};
    if (ring_tests(ring) /* the loop has become two */ || ring->choice.engine != ENGINE_ASYNC || ring->shape.once ||
        ring->tile.inherits || ring->choice.stages < 3)
        return NULL;
    LLVMBasicBlockRef end = end_of_filling(&turns, *before);
    LLVMValueRef commit = end ? last_commit(end) : NULL;
    LLVMBasicBlockRef front = commit ? ir_loop_before(turns.filling) : NULL;
    if (!front || !jumps_to(end, ir_loop_header(turns.filling)) || ir_loop_trips(ir, turns.filling) != ring->choice.stages - 1 ||
        !stands_alone(&turns) || !may_move(&turns))
        return NULL;
    move_up(&turns, front);
    *before = front;
    return commit;
}
