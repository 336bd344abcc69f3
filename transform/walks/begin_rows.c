/* Iterations in front of a walk, behind which its pieces begin with sectors (analysis/walks/row_begin.c):
 *
 *     for (j = 1; j < m; j++) ...      ->      if (of all lanes, row + 64 is a multiple of 16, and m is large)
 *                                                  j = 1: ...; j = 2: ...; to j = 15
 *                                              for (; j < m; j++) ...        to be made longer */
#include "transform/emit/clone.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

/* Where the access of a loop of one block goes in its first iteration, computed in front of it. */
static LLVMValueRef first_place(Emit *emit, LLVMBasicBlockRef header, LLVMBasicBlockRef before, LLVMValueRef pointer)
{
    Twins twins = twins_open(emit->arena, emit->builder);
    Map *among = map_new(emit->arena);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i; i = LLVMGetNextInstruction(i)) {
        map_put(among, i, i);
        if (LLVMIsAPHINode(i))
            map_put(twins.value, i, phi_value_from(i, before));
    }
    return clone_deep(&twins, among, pointer, true);
}

static void mark_those(const List *accesses, const List *numbers)
{
    for (size_t i = 0; i < numbers->count; i++)
        mark_add(accesses->item[(intptr_t)numbers->item[i]], BEGIN_METADATA);
}

void rows_begin(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const RowBegin *begin)
{
    enum { WIDEST = 16 };
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(ir, header));
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
    const List loads = loop_accesses(arena, ir, header, false), stores = loop_accesses(arena, ir, header, true);
    LLVMValueRef by = (begin->op == OP_LOAD ? &loads : &stores)->item[begin->by];
    LLVMValueRef many = ir_loop_reaches(ir, function, header, begin->least, jump);
    if (!many)
        return;
    Emit emit = emit_open(arena, function);
    emit_before(&emit, jump);
    LLVMValueRef place = first_place(&emit, header, before, pointer_of_access(by));
    LLVMValueRef at = emit_binary(&emit, LLVMAdd, emit_address(&emit, place), begin->ahead);
    LLVMValueRef low = emit_binary(&emit, LLVMAnd, at, WIDEST - 1);
    LLVMValueRef begins = LLVMBuildICmp(emit.builder, LLVMIntEQ, low, LLVMConstNull(emit.i64), "");
    LLVMValueRef holds = LLVMBuildFreeze(emit.builder, emit_both(&emit, many, begins), "");
    ir_loop_begin(ir, function, header, begin->iterations, emit_all_here(&emit, holds));
    mark_those(&loads, &begin->loads);
    mark_those(&stores, &begin->stores);
    emit_close(&emit);
}
