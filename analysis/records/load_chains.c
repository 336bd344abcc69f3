/* Loads that wait for each other: the next one's address is made of what the last one brought, or chosen by it.
 *
 *     while (lo < hi) { mid = (lo + hi) / 2; if (sorted[mid].key < x) lo = mid + 1; else hi = mid; }
 *     for (p = first; p; p = p->next) sum += p->a + p->b + p->c; */
#include "analysis/records/records.h"

enum { MOST_VALUES = 64 /* that are looked at; longer ways hide a latency anyway */ };

typedef struct {
    const Group *group;
    IrLoop *loop;
    Map *known;
    List open; /* of LLVMValueRef */
} Chase;

static void chase_add(Chase *chase, LLVMValueRef value)
{
    LLVMValueRef instruction = LLVMIsAInstruction(value);
    if (!instruction || map_get(chase->known, instruction) ||
        !ir_loop_has_block(chase->loop, LLVMGetInstructionParent(instruction)))
        return;
    map_put(chase->known, instruction, instruction);
    list_add(&chase->open, instruction);
}

/* A phi is made of what comes in, and of what decides from where. */
static void chase_phi(Chase *chase, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
        chase_add(chase, LLVMGetIncomingValue(phi, i));
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetInstructionParent(phi) != ir_loop_header(chase->loop))
            chase_add(chase, LLVMGetCondition(end));
    }
}

static bool is_own(const Group *group, LLVMValueRef load)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (member_at(group, i)->access->instruction == load)
            return true;
    return false;
}

bool group_is_chased(const Group *group)
{
    Arena *arena = group->scope->kernel->arena;
    Chase chase = {group, group->root->loop, map_new(arena), list_new(arena)};
    if (group->op != OP_LOAD || !chase.loop)
        return false;
    chase_add(&chase, group->root->pointer);
    for (size_t i = 0; i < chase.open.count && i < MOST_VALUES; i++) {
        LLVMValueRef value = chase.open.item[i];
        if (is_own(group, value))
            return true;
        if (LLVMIsAPHINode(value))
            chase_phi(&chase, value);
        for (int j = 0; !LLVMIsAPHINode(value) && j < LLVMGetNumOperands(value); j++)
            chase_add(&chase, LLVMGetOperand(value, (unsigned)j));
    }
    return false;
}
