/* The loop of a walk that stores, where what it stores is found on entry to lie apart from what it loads (analysis/walks/entry_apart.c):
 *
 *     for (j...) out[i + n*j] = in[i*m + j]   ->   if (out[i ... i + n*(m-1)] lies apart from in[i*m ... i*m + m-1])
 *                                                      for (j...) out[i + n*j] = in[i*m + j]    its loads told to be apart
 *                                                  else
 *                                                      for (j...) out[i + n*j] = in[i*m + j]    as it is
 *
 * Other passes make the first of them longer. */
#include "transform/emit/version.h"
#include "transform/transform.h"

List loop_accesses(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, bool writes)
{
    List found = list_new(arena);
    IrLoop *loop = ir_loop_of(ir, header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header)); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (writes ? writes_place(i) : LLVMIsALoadInst(i) != NULL)
                list_add(&found, i);
    return found;
}

static IrExtent extent_of(Version *version, const List *accesses, const LoopSpan *span)
{
    return version_extent_between(version, pointer_of_access(accesses->item[span->number]), span->low, span->high);
}

static void want_apart(Version *version, const EntryTests *tests, const List *loads, const List *writes)
{
    Arena *arena = version->emit.arena;
    IrExtent *written = ARENA_ARRAY(arena, IrExtent, tests->writes.count);
    for (size_t i = 0; i < tests->writes.count; i++)
        written[i] = extent_of(version, writes, tests->writes.item[i]);
    for (size_t i = 0; i < tests->loads.count; i++) {
        const LoopSpan *load = tests->loads.item[i];
        if (!load->apart.count)
            continue;
        const IrExtent from = extent_of(version, loads, load);
        for (size_t k = 0; k < tests->writes.count; k++)
            if (list_has(&load->apart, tests->writes.item[k]))
                version_want(version, emit_is_apart(&version->emit, from.low, from.high, written[k].low, written[k].high));
    }
}

void apart_version(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const EntryTests *tests, int trips)
{
    INVARIANT(tests->writes.count && tests->apart.count);
    LLVMBasicBlockRef original = header;
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    List loads = loop_accesses(arena, ir, header, false), told = list_new(arena);
    const List writes = loop_accesses(arena, ir, header, true);
    Version version = version_open_after(arena, ir, function, header, trips);
    want_apart(&version, tests, &loads, &writes);
    version_vote(&version);
    version_close(&version, &original, 1, ir_touches_memory, ASIDE_METADATA);
    for (size_t i = 0; i < tests->apart.count; i++)
        list_add(&told, loads.item[(intptr_t)tests->apart.item[i]]);
    List others = list_new(arena);
    for (size_t i = 0; i < writes.count; i++)
        if (!list_has(&tests->beside, (const void *)i))
            list_add(&others, writes.item[i]);
    ir_promise_apart((LLVMValueRef *)told.item, told.count, (LLVMValueRef *)others.item, others.count);
    ir_changed(ir, function);
}
