/* Conditions of a loop's iterations, asked in front of it: made again with its counters as they are then.
 *
 *     for (j...) if (j != i) if (use[j]) ...      of iteration 7:  j7 = start + 7; c = j7 != i; u = *(c ? &use[j7] : &zeros); all = c ? u : false */
#include "transform/walks/asker.h"

static Emit *emit_of(const Asker *asker) { return &asker->version->emit; }

LLVMValueRef asker_number(const Asker *asker, int64_t value)
{
    return LLVMConstInt(emit_of(asker)->i64, (unsigned long long)value, true);
}

static void phis_find(Asker *asker, LLVMBasicBlockRef header)
{
    const Version *version = asker->version;
    Arena *arena = version->emit.arena;
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(version->ir, header));
    size_t count = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        count++;
    asker->steps = ARENA_ARRAY(arena, int64_t, count + 1);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        int64_t step;
        if (!some_is_number(phi) || !ir_step(version->ir, version->function, header, phi, &step))
            continue;
        asker->steps[asker->phis.count] = step;
        list_add(&asker->phis, phi);
        list_add(&asker->starts, phi_value_from(phi, before));
    }
}

Asker asker_open(Version *version)
{
    Arena *arena = version->emit.arena;
    IrLoop *loop = ir_loop_of(version->ir, version->header);
    Asker asker = {version, ir_loop_latch(loop), map_new(arena), list_new(arena), list_new(arena), NULL};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(version->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            map_put(asker.among, i, i);
    phis_find(&asker, version->header);
    return asker;
}

static LLVMValueRef counter_in(const Asker *asker, size_t i, LLVMValueRef iteration)
{
    Emit *emit = emit_of(asker);
    LLVMValueRef start = asker->starts.item[i], step = asker_number(asker, asker->steps[i]);
    LLVMValueRef on = LLVMBuildMul(emit->builder, iteration, step, "");
    LLVMTypeRef type = LLVMTypeOf(start);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildGEP2(emit->builder, emit->i8, start, &on, 1, "");
    return LLVMBuildAdd(emit->builder, start, LLVMBuildIntCast2(emit->builder, on, type, true, ""), "");
}

Twins asker_iteration(const Asker *asker, LLVMValueRef iteration)
{
    Emit *emit = emit_of(asker);
    Twins twins = twins_open(emit->arena, emit->builder);
    for (size_t i = 0; i < asker->phis.count; i++)
        map_put(twins.value, asker->phis.item[i], counter_in(asker, i, iteration));
    return twins;
}

/* ---- conditions inside of others ---- */

typedef struct {
    const Asker *asker;
    const Twins *twins;
} Missing;

static bool is_missing(const void *context, LLVMValueRef value)
{
    const Missing *missing = context;
    return map_get(missing->asker->among, value) && !map_get(missing->twins->value, value);
}

static LLVMValueRef comes_to_block(const Asker *asker, Twins *twins, LLVMBasicBlockRef block);

/* What the iteration loads under a condition is loaded from elsewhere where that does not hold: it may not be there. */
static void load_if_there(const Asker *asker, Twins *twins, LLVMValueRef load)
{
    Emit *emit = emit_of(asker);
    LLVMValueRef there = comes_to_block(asker, twins, LLVMGetInstructionParent(load));
    LLVMValueRef place = clone_deep(twins, asker->among, LLVMGetOperand(load, 0), false);
    place = emit_select(emit, there, place, emit_unread(emit, LLVMTypeOf(place)));
    LLVMValueRef twin = LLVMBuildLoad2(emit->builder, LLVMTypeOf(load), place, "");
    LLVMSetAlignment(twin, LLVMGetAlignment(load));
    map_put(twins->value, load, twin);
}

/* A condition inside of another one may be poison where that does not hold. NULL: every iteration comes to the block. */
static LLVMValueRef comes_to_block(const Asker *asker, Twins *twins, LLVMBasicBlockRef block)
{
    Emit *emit = emit_of(asker);
    IrModule *ir = asker->version->ir;
    if (ir_dominates(ir, block, asker->latch))
        return NULL;
    LLVMBasicBlockRef above = some_parent(ir, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above), outer = comes_to_block(asker, twins, above);
    const Missing missing = {asker, twins};
    const List order = slice_order(emit->arena, LLVMGetCondition(end), is_missing, &missing);
    for (size_t i = 0; i < order.count; i++)
        if (LLVMIsALoadInst(order.item[i]) && !ir_dominates(ir, LLVMGetInstructionParent(order.item[i]), asker->latch))
            load_if_there(asker, twins, order.item[i]);
    LLVMValueRef condition = clone_deep(twins, asker->among, LLVMGetCondition(end), false);
    condition = LLVMGetSuccessor(end, 0) == block ? condition : LLVMBuildNot(emit->builder, condition, "");
    return outer ? emit_select(emit, outer, condition, LLVMConstInt(emit->i1, 0, false)) : condition;
}

LLVMValueRef asker_comes_to(const Asker *asker, Twins *twins, LLVMValueRef load)
{
    return comes_to_block(asker, twins, LLVMGetInstructionParent(load));
}
