/* Addresses that are loaded under a condition come in front of it, under the same one:
 *
 *     B: if (c)                              B: if (c)
 *         T: j = idx[i]; x = p[j]               E: j' = idx[i]
 *     J: ...                          ->     M: j = phi j', poison; if (c)
 *                                               T: x = p[j]
 *                                            J: ...
 *
 * In M the warp is whole again, and knows where the records are of those lanes that go on. */
#include "transform/records/early_addresses.h"
#include "transform/records/member.h"

typedef struct {
    Emit *emit;
    LLVMValueRef jump;               /* of B, then of M */
    LLVMBasicBlockRef under;         /* T, or the first block of it */
    LLVMBasicBlockRef before, early; /* B, E; NULL until something comes */
    Map *inside;                     /* of T */
    List come;                       /* of LLVMValueRef: in E */
} Early;

static bool is_among(const void *inside, LLVMValueRef value) { return map_get(inside, value) != NULL; }

static Map *instructions_of(Arena *arena, const List *blocks)
{
    Map *inside = map_new(arena);
    for (size_t b = 0; b < blocks->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->item[b]); i; i = LLVMGetNextInstruction(i))
            map_put(inside, i, i);
    return inside;
}

static void open(Early *early)
{
    Emit *emit = early->emit;
    bool is_first = LLVMGetSuccessor(early->jump, 0) == early->under;
    early->before = LLVMGetInstructionParent(early->jump);
    LLVMBasicBlockRef meeting = ir_split_before(early->jump);
    early->early = LLVMInsertBasicBlockInContext(emit->context, meeting, "");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(early->before));
    LLVMPositionBuilderAtEnd(emit->builder, early->before);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(early->jump));
    LLVMBuildCondBr(emit->builder, LLVMGetCondition(early->jump), is_first ? early->early : meeting,
                    is_first ? meeting : early->early);
    LLVMPositionBuilderAtEnd(emit->builder, early->early);
    LLVMBuildBr(emit->builder, meeting);
}

static void bring(Early *early, LLVMValueRef value)
{
    if (!early->early)
        open(early);
    map_put(early->inside, value, NULL);
    LLVMInstructionRemoveFromParent(value);
    LLVMPositionBuilderBefore(early->emit->builder, LLVMGetBasicBlockTerminator(early->early));
    LLVMInsertIntoBuilder(early->emit->builder, value);
    list_add(&early->come, value);
}

/* The last load and all that stands before it; what is computed of that needs no condition. */
static void bring_loads(Early *early, LLVMValueRef pointer)
{
    const List order = slice_order(early->emit->arena, pointer, is_among, early->inside);
    size_t end = order.count;
    while (end > 0 && !LLVMIsALoadInst(order.item[end - 1]))
        end--;
    for (size_t i = 0; i < end; i++)
        bring(early, order.item[i]);
}

/* What is used behind is what came, or, in threads that stay away, anything. */
static void merge(const Early *early, LLVMValueRef value)
{
    LLVMBasicBlockRef meeting = LLVMGetInstructionParent(early->jump);
    List users = list_new(early->emit->arena);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != early->early)
            list_add(&users, LLVMGetUser(use));
    if (!users.count)
        return;
    LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(value));
    LLVMBasicBlockRef from[] = {early->early, early->before};
    LLVMPositionBuilderBefore(early->emit->builder, LLVMGetFirstInstruction(meeting));
    LLVMValueRef phi = LLVMBuildPhi(early->emit->builder, LLVMTypeOf(value), ""), values[] = {value, none};
    LLVMAddIncoming(phi, values, from, 2);
    for (size_t i = 0; i < users.count; i++)
        for (int k = 0; k < LLVMGetNumOperands(users.item[i]); k++)
            if (LLVMGetOperand(users.item[i], (unsigned)k) == value)
                LLVMSetOperand(users.item[i], (unsigned)k, phi);
}

void addresses_come(Emit *emit, const Region *region, const List *accesses)
{
    Early early = {.emit = emit, .jump = region->first, .under = region->under, .come = list_new(emit->arena)};
    early.inside = instructions_of(emit->arena, &region->blocks);
    for (size_t i = 0; i < accesses->count; i++)
        bring_loads(&early, pointer_in(accesses->item[i]));
    for (size_t i = 0; i < early.come.count; i++)
        merge(&early, early.come.item[i]);
}
