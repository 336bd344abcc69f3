/* Copies of instructions and of the blocks that they stand in. */
#include "analysis/facts/facts.h"
#include "transform/emit/clone.h"

Twins twins_open(Arena *arena, LLVMBuilderRef builder) { return (Twins){arena, builder, map_new(arena), map_new(arena)}; }

LLVMValueRef clone_of(const Twins *twins, LLVMValueRef value)
{
    LLVMValueRef twin = map_get(twins->value, value);
    return twin ? twin : value;
}

LLVMBasicBlockRef clone_of_block(const Twins *twins, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef twin = map_get(twins->block, block);
    return twin ? twin : block;
}

/* A phi's blocks cannot be changed later: it is made anew. */
void clone_make(Twins *twins, LLVMValueRef instruction)
{
    LLVMValueRef twin;
    if (LLVMIsAPHINode(instruction)) {
        twin = LLVMBuildPhi(twins->builder, LLVMTypeOf(instruction), "");
    } else {
        twin = LLVMInstructionClone(instruction);
        LLVMInsertIntoBuilder(twins->builder, twin);
    }
    map_put(twins->value, instruction, twin);
}

static void link_phi(const Twins *twins, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = clone_of(twins, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef block = clone_of_block(twins, LLVMGetIncomingBlock(phi, i));
        LLVMAddIncoming(clone_of(twins, phi), &value, &block, 1);
    }
}

void clone_link(const Twins *twins, LLVMValueRef instruction)
{
    LLVMValueRef twin = clone_of(twins, instruction);
    if (LLVMIsAPHINode(instruction)) {
        link_phi(twins, instruction);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(twin); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMValueIsBasicBlock(operand))
            LLVMSetOperand(twin, (unsigned)i, LLVMBasicBlockAsValue(clone_of_block(twins, LLVMValueAsBasicBlock(operand))));
        else
            LLVMSetOperand(twin, (unsigned)i, clone_of(twins, operand));
    }
}

void twins_fill(Twins *twins, Arena *arena, const List *blocks)
{
    List made = list_new(arena);
    for (size_t i = 0; i < blocks->count; i++) {
        LLVMPositionBuilderAtEnd(twins->builder, clone_of_block(twins, blocks->item[i]));
        for (LLVMValueRef k = LLVMGetFirstInstruction(blocks->item[i]); k; k = LLVMGetNextInstruction(k)) {
            if (map_get(twins->value, k))
                continue;
            clone_make(twins, k);
            list_add(&made, k);
        }
    }
    for (size_t i = 0; i < made.count; i++)
        clone_link(twins, made.item[i]);
}

void clone_leaves(const Twins *twins, LLVMBasicBlockRef block, LLVMBasicBlockRef exit)
{
    LLVMBasicBlockRef from = clone_of_block(twins, block);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(exit); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = clone_of(twins, phi_value_from(phi, block));
        LLVMAddIncoming(phi, &value, &from, 1);
    }
}

typedef struct {
    const Twins *twins;
    const Map *among;
} Deep;

static bool lacks_twin(const void *context, LLVMValueRef value)
{
    const Deep *deep = context;
    return map_get(deep->among, value) && !map_get(deep->twins->value, value) && !LLVMIsAPHINode(value);
}

LLVMValueRef clone_deep(Twins *twins, const Map *among, LLVMValueRef value, bool keeps_promises)
{
    const Deep deep = {twins, among};
    const List order = slice_order(twins->arena, value, lacks_twin, &deep);
    for (size_t i = 0; i < order.count; i++) {
        LLVMValueRef twin = LLVMInstructionClone(order.item[i]);
        for (int k = 0; k < LLVMGetNumOperands(twin); k++)
            LLVMSetOperand(twin, (unsigned)k, clone_of(twins, LLVMGetOperand(order.item[i], (unsigned)k)));
        if (!keeps_promises)
            ir_forget_promises(twin);
        LLVMInsertIntoBuilder(twins->builder, twin);
        map_put(twins->value, order.item[i], twin);
    }
    return clone_of(twins, value);
}
