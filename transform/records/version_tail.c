/* Two versions of loads that are each under a condition of their own: one in which all of them hold, and the original.
 *
 *     B0: if (a) T1: x = p[0]          B0: if (a && b) F: x = p[0]; y = p[1]
 *     B1: if (b) T2: y = p[1]    ->        else        S: if (a) T1: x = p[0];  B1: if (b) T2: y = p[1]
 *     B2: use x, y                     J:  use x, y
 *
 * What B0 loads of the record itself, S and F do instead. A thread goes one way or the other: whether its warp is whole the exchange asks for
 * itself. All conditions of the original are asked whatever they are, so that each may be asked before. */
#include "pass/base/marks.h"
#include "transform/emit/clone.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

typedef struct {
    Emit emit;
    List blocks;                      /* S, T1, B1, ..., the last T */
    LLVMBasicBlockRef first, all, join; /* B0, F, J */
    Twins twins;                      /* in F */
} Versions;

static LLVMBasicBlockRef block_at(const Versions *versions, size_t i) { return versions->blocks.item[i]; }

/* ---- the question ---- */

static Map *instructions_inside(const Versions *versions)
{
    Map *inside = map_new(versions->emit.arena);
    for (size_t i = 0; i < versions->blocks.count; i++)
        for (LLVMValueRef k = LLVMGetFirstInstruction(block_at(versions, i)); k; k = LLVMGetNextInstruction(k))
            map_put(inside, k, k);
    return inside;
}

/* ---- places ---- */

static bool is_inside(const Versions *versions, LLVMBasicBlockRef block)
{
    return list_has(&versions->blocks, block) || block == versions->join;
}

/* Of what is known in front of both versions, and wanted behind them? */
static bool is_place_for_both(const Versions *versions, const Map *inside, LLVMValueRef i)
{
    bool behind = false, is_place = LLVMIsAGetElementPtrInst(i) || LLVMIsASExtInst(i) || LLVMIsAZExtInst(i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (map_get(inside, LLVMGetOperand(i, (unsigned)k)))
            return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use && !behind; use = LLVMGetNextUse(use))
        behind = !is_inside(versions, LLVMGetInstructionParent(LLVMGetUser(use)));
    return behind && is_place;
}

/* Such a place is computed in front: of two that come from both versions the backend does not know that they are neighbours, and four stores to one piece
 * of 16 bytes behind them would be three. A step of erosion, two launches, came to 0.97 of plain clang so, and with few threads to 0.86 (H200). */
static void places_come(Versions *versions, Map *inside, LLVMValueRef jump)
{
    LLVMPositionBuilderBefore(versions->emit.builder, jump);
    for (size_t b = 0; b < versions->blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_at(versions, b)), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_place_for_both(versions, inside, i))
                continue;
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(versions->emit.builder, i);
            map_put(inside, i, NULL);
        }
}

/* Do all conditions hold? At the end of B0. */
static LLVMValueRef all_hold(Versions *versions, const Map *inside)
{
    Emit *emit = &versions->emit;
    Twins early = twins_open(emit->arena, emit->builder);
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < versions->blocks.count; i += 2) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(block_at(versions, i));
        LLVMValueRef holds = clone_deep(&early, inside, LLVMGetCondition(jump), true);
        if (LLVMGetSuccessor(jump, 0) != block_at(versions, i + 1))
            holds = LLVMBuildNot(emit->builder, holds, "");
        all = emit_both(emit, all, holds);
    }
    return all;
}

/* ---- the version without conditions ---- */

static void fill(Versions *versions)
{
    Twins *twins = &versions->twins;
    LLVMPositionBuilderAtEnd(twins->builder, versions->all);
    for (size_t i = 0; i < versions->blocks.count; i++)
        for (LLVMValueRef k = LLVMGetFirstInstruction(block_at(versions, i));
             k != LLVMGetBasicBlockTerminator(block_at(versions, i)); k = LLVMGetNextInstruction(k)) {
            if (LLVMIsAPHINode(k)) {
                map_put(twins->value, k, clone_of(twins, phi_value_from(k, block_at(versions, i - 1))));
                continue;
            }
            clone_make(twins, k);
            clone_link(twins, k);
            if (ir_touches_memory(k))
                mark_add(k, GUARDED_METADATA);
        }
    LLVMBuildBr(twins->builder, versions->join);
}

/* ---- what is used behind ---- */

/* The uses behind the join are of what comes there by all three ways. */
static void merge(Versions *versions, LLVMValueRef value)
{
    List users = list_new(versions->emit.arena);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!is_inside(versions, LLVMGetInstructionParent(LLVMGetUser(use))))
            list_add(&users, LLVMGetUser(use));
    if (!users.count)
        return;
    size_t last = versions->blocks.count - 1;
    LLVMBasicBlockRef from[] = {block_at(versions, last), block_at(versions, last - 1), versions->all};
    LLVMValueRef values[] = {value, value, clone_of(&versions->twins, value)};
    LLVMPositionBuilderBefore(versions->emit.builder, LLVMGetFirstInstruction(versions->join));
    LLVMValueRef phi = LLVMBuildPhi(versions->emit.builder, LLVMTypeOf(value), "");
    LLVMAddIncoming(phi, values, from, 3);
    for (size_t i = 0; i < users.count; i++)
        for (int k = 0; k < LLVMGetNumOperands(users.item[i]); k++)
            if (LLVMGetOperand(users.item[i], (unsigned)k) == value)
                LLVMSetOperand(users.item[i], (unsigned)k, phi);
}

static void merge_all(Versions *versions)
{
    clone_leaves(&versions->twins, block_at(versions, versions->blocks.count - 1), versions->join);
    for (size_t i = 0; i + 1 < versions->blocks.count; i += 2)
        for (LLVMValueRef k = LLVMGetFirstInstruction(block_at(versions, i)); k; k = LLVMGetNextInstruction(k))
            merge(versions, k);
}

/* ---- the whole ---- */

/* With that the chain begins: the jump of B0, or what is loaded in front of it. */
static LLVMValueRef begin_of(const Tail *tail)
{
    LLVMValueRef begin = LLVMGetBasicBlockTerminator(tail->blocks.item[0]);
    for (int i = 0; i < tail->head; i++)
        begin = LLVMGetPreviousInstruction(begin);
    return begin;
}

LLVMBasicBlockRef tail_version(Arena *arena, IrModule *ir, const Tail *tail)
{
    Versions versions = {.emit = emit_open(arena, tail->function), .blocks = list_new(arena)};
    size_t count = tail->blocks.count;
    INVARIANT(count % 2 == 1 && count > 3);
    versions.first = tail->blocks.item[0];
    versions.join = ir_join_before(NULL, tail->blocks.item[count - 2]);
    list_add(&versions.blocks, ir_split_before(begin_of(tail)));
    for (size_t i = 1; i + 1 < count; i++)
        list_add(&versions.blocks, tail->blocks.item[i]);
    versions.all = LLVMInsertBasicBlockInContext(versions.emit.context, block_at(&versions, 0), "");
    versions.twins = twins_open(arena, versions.emit.builder);
    map_put(versions.twins.block, block_at(&versions, versions.blocks.count - 1), versions.all);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(versions.first);
    Map *inside = instructions_inside(&versions);
    places_come(&versions, inside, jump);
    emit_before(&versions.emit, jump);
    LLVMValueRef holds = all_hold(&versions, inside);
    emit_branch(&versions.emit, holds, versions.all, block_at(&versions, 0), true);
    LLVMInstructionEraseFromParent(jump);
    fill(&versions);
    merge_all(&versions);
    emit_close(&versions.emit);
    ir_changed(ir, tail->function);
    return versions.all;
}
