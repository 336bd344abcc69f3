/* Words of rows are loaded early, though what the loop writes may lie there (analysis/walks/doubted_rows.c).
 *
 *     for (j...) {                             if (low ... high, all that the loop loads of the row, is known, and no short row) {
 *         v = in[i*m + j];                         met = false
 *         atomicAdd(&count[v], 1);       ->        for (j...) {
 *     }                                                early = in[i*m + j];             which may pass what the loop writes
 *                                                      v = met ? in[i*m + j] : early;
 *                                                      atomicAdd(&count[v], 1);
 *                                                      met |= count + v lies within low ... high
 *                                                  }
 *                                              } else the loop as it is
 *
 * Each thread asks of what it writes itself: what another one writes meanwhile it writes in no order with these loads, in the original as well. */
#include "transform/emit/version.h"
#include "transform/transform.h"

typedef struct {
    IrModule *ir;
    IrLoop *loop;
    Version version;
    LLVMValueRef met;  /* a local: has anything been written to a row? */
    IrExtent *row;
    size_t rows;
} Doubting;

static void extents_find(Arena *arena, Doubting *doubting, const DoubtedRows *found, const List *loads)
{
    doubting->row = ARENA_ARRAY(arena, IrExtent, found->rows.count);
    doubting->rows = found->rows.count;
    for (size_t i = 0; i < found->rows.count; i++) {
        const LoopSpan *span = found->rows.item[i];
        LLVMValueRef pointer = pointer_of_access(loads->item[span->number]);
        doubting->row[i] = version_extent_between(&doubting->version, pointer, span->low, span->high);
    }
}

/* ---- loads ---- */

static bool is_in_loop(const void *loop, LLVMValueRef value)
{
    bool inside = ir_loop_has((IrLoop *)loop, value);
    return inside && !(LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header((IrLoop *)loop));
}

/* Where the iteration begins, with all that its place is made of. */
static LLVMValueRef load_early(Arena *arena, Doubting *doubting, LLVMValueRef load)
{
    LLVMBuilderRef builder = doubting->version.emit.builder;
    const List order = slice_order(arena, pointer_of_access(load), is_in_loop, doubting->loop);
    LLVMValueRef place = phis_end(ir_loop_header(doubting->loop));
    for (size_t i = 0; i < order.count; i++) {
        if (order.item[i] == place) { /* it is there */
            place = LLVMGetNextInstruction(place);
            continue;
        }
        LLVMPositionBuilderBefore(builder, place);
        LLVMInstructionRemoveFromParent(order.item[i]);
        LLVMInsertIntoBuilder(builder, order.item[i]);
    }
    LLVMPositionBuilderBefore(builder, place);
    LLVMValueRef early = LLVMInstructionClone(load);
    LLVMInsertIntoBuilder(builder, early);
    mark_forget_iteration(early);
    ir_forget_promises(early); /* what it brings may be thrown away */
    return early;
}

/* A place that nobody takes for the one of the early load: where no write stands between the two now, some will when the loop has been made longer. */
static LLVMValueRef place_unseen(Emit *emit, LLVMValueRef place)
{
    static const char constraints[] = "=l,0";
    LLVMTypeRef pointer = LLVMTypeOf(place), type = LLVMFunctionType(pointer, &pointer, 1, false);
    LLVMValueRef same = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, false, false, LLVMInlineAsmDialectATT,
                                         false);
    LLVMValueRef call = LLVMBuildCall2(emit->builder, type, same, &place, 1, "");
    call_promise(call, "memory"); /* it touches none */
    call_promise(call, "nounwind");
    call_promise(call, "willreturn");
    return call;
}

/* Where it was, once its word is doubted. */
static void load_late(Doubting *doubting, LLVMValueRef load, LLVMValueRef early)
{
    Emit *emit = &doubting->version.emit;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(load), behind = ir_split_before(load);
    LLVMBasicBlockRef late = LLVMInsertBasicBlockInContext(emit->context, behind, "");
    emit_before(emit, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef met = LLVMBuildLoad2(emit->builder, emit->i1, doubting->met, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderAtEnd(emit->builder, before);
    LLVMBuildCondBr(emit->builder, met, late, behind);
    LLVMPositionBuilderBefore(emit->builder, LLVMGetFirstInstruction(behind));
    LLVMValueRef word = LLVMBuildPhi(emit->builder, LLVMTypeOf(load), "");
    LLVMReplaceAllUsesWith(load, word);
    LLVMInstructionRemoveFromParent(load);
    LLVMPositionBuilderAtEnd(emit->builder, late);
    LLVMSetOperand(load, 0, place_unseen(emit, pointer_of_access(load)));
    LLVMInsertIntoBuilder(emit->builder, load);
    LLVMBuildBr(emit->builder, behind);
    mark_add(load, DOUBT_METADATA);
    LLVMAddIncoming(word, (LLVMValueRef[]){early, load}, (LLVMBasicBlockRef[]){before, late}, 2);
}

/* ---- writes ---- */

/* Any of its bytes, in any of the rows. */
static void ask(Doubting *doubting, LLVMValueRef write)
{
    Emit *emit = &doubting->version.emit;
    int64_t more = (int64_t)LLVMStoreSizeOfType(emit->layout, type_of_access(write)) - 1;
    for (size_t i = 0; i < doubting->rows; i++) {
        emit_before(emit, doubting->version.place);
        LLVMValueRef low = emit_binary(emit, LLVMSub, doubting->row[i].low, more);
        LLVMValueRef length = LLVMBuildSub(emit->builder, doubting->row[i].high, low, "");
        emit_before(emit, LLVMGetNextInstruction(write));
        LLVMValueRef from = LLVMBuildSub(emit->builder, emit_address(emit, pointer_of_access(write)), low, "");
        LLVMValueRef meets = LLVMBuildICmp(emit->builder, LLVMIntULT, from, length, "");
        LLVMValueRef met = LLVMBuildLoad2(emit->builder, emit->i1, doubting->met, "");
        LLVMBuildStore(emit->builder, LLVMBuildOr(emit->builder, met, meets, ""), doubting->met);
    }
}

/* Returns the block in front of the loop that is for rows whose place is known, and which are long enough. */
static LLVMBasicBlockRef part_version(Arena *arena, Doubting *doubting, LLVMBasicBlockRef header, const DoubtedRows *found)
{
    LLVMBasicBlockRef original = header;
    const List loads = loop_accesses(arena, doubting->ir, header, false);
    doubting->version = version_open(arena, doubting->ir, LLVMGetBasicBlockParent(header), header);
    Version *version = &doubting->version;
    LLVMValueRef many = ir_loop_reaches(version->ir, version->function, header, found->trips, version->place);
    if (many)
        version_want(version, many);
    extents_find(arena, doubting, found, &loads);
    version_vote(version);
    LLVMBasicBlockRef before = version_close(version, &original, 1, ir_touches_memory, ASIDE_METADATA);
    ir_changed(doubting->ir, version->function);
    return before;
}

void doubted_rows_load(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const DoubtedRows *found)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_changed(ir, function);
    ir_loop_simplify(ir, function, header);
    List early = list_new(arena), asked = list_new(arena);
    Doubting doubting = {.ir = ir};
    LLVMBasicBlockRef before = part_version(arena, &doubting, header, found);
    const List loads = loop_accesses(arena, ir, header, false), writes = loop_accesses(arena, ir, header, true);
    Emit *emit = &doubting.version.emit;
    *emit = emit_open(arena, function);
    doubting.loop = ir_loop_of(ir, header);
    doubting.version.place = LLVMGetBasicBlockTerminator(before);
    doubting.met = emit_local(emit, function, emit->i1, "met");
    emit_before(emit, doubting.version.place);
    LLVMBuildStore(emit->builder, LLVMConstInt(emit->i1, 0, false), doubting.met);
    for (size_t i = 0; i < found->writes.count; i++)
        list_add(&asked, writes.item[(intptr_t)found->writes.item[i]]);
    for (size_t i = 0; i < found->loads.count; i++)
        list_add(&early, load_early(arena, &doubting, loads.item[(intptr_t)found->loads.item[i]]));
    for (size_t i = 0; i < asked.count; i++)
        ask(&doubting, asked.item[i]);
    for (size_t i = 0; i < early.count; i++)
        load_late(&doubting, loads.item[(intptr_t)found->loads.item[i]], early.item[i]);
    ir_promise_apart_for_now((LLVMValueRef *)early.item, early.count, (LLVMValueRef *)asked.item, asked.count);
    ir_changed(ir, function);
    ir_locals_to_registers(ir, function, &doubting.met, 1);
    ir_changed(ir, function);
    emit_close(emit);
}
