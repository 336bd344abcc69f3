/* Tails of tiles: loads, and stores beside them, that are each under a condition get a version without, where a rehearsal shows that they move together there. */
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static LLVMBasicBlockRef *blocks_of(const Pass *pass, const List *tails, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < tails->count; i++)
        *count += ((const Tail *)tails->item[i])->blocks.count;
    LLVMBasicBlockRef *block = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, *count);
    for (size_t i = 0, n = 0; i < tails->count; i++) {
        const List *own = &((const Tail *)tails->item[i])->blocks;
        for (size_t k = 0; k < own->count; k++)
            block[n++] = (LLVMBasicBlockRef)own->item[k];
    }
    return block;
}

/* The tails, made of those blocks; returns for each what the version without conditions is. */
static List versions_make(const Pass *pass, IrModule *ir, const List *tails, LLVMBasicBlockRef *block)
{
    List versions = list_new(pass->arena);
    Map *cleaned = map_new(pass->arena);
    for (size_t i = 0, n = 0; i < tails->count; i++) {
        const Tail *found = tails->item[i];
        Tail tail = {.function = LLVMGetBasicBlockParent(block[n]), .blocks = list_new(pass->arena), .head = found->head};
        for (size_t k = found->blocks.count; k > 0; k--)
            list_add(&tail.blocks, block[n++]);
        list_add(&versions, tail_version(pass->arena, ir, &tail));
        map_put(cleaned, tail.function, NULL);
    }
    for (size_t i = 0; i < versions.count; i++) {
        LLVMValueRef function = LLVMGetBasicBlockParent(versions.item[i]);
        if (!map_get(cleaned, function))
            ir_clean(ir, function);
        map_put(cleaned, function, function);
    }
    return versions;
}

/* At places in global memory of each lane's own, as a kernel has them that comes there. */
static size_t accesses_in(const Pass *pass, LLVMBasicBlockRef block, AccessOp op)
{
    size_t count = 0;
    Map *seen = map_new(pass->arena);
    for (size_t k = 0; k < pass->kernels.count; k++) {
        const List *accesses = &((const Kernel *)pass->kernels.item[k])->found.accesses;
        for (size_t i = 0; i < accesses->count; i++) {
            const Access *access = accesses->item[i];
            bool counts = !map_get(seen, access->instruction) && access->op == op && access->space == SPACE_GLOBAL &&
                          access->kind != CLASS_UNIFORM;
            count += counts && LLVMGetInstructionParent(access->instruction) == block;
            map_put(seen, access->instruction, access->instruction);
        }
    }
    return count;
}

/* More in one piece than without the version. Where that is but a thread's own piece, more than half of what the version loads, or stores: a step of erosion, two of
 * whose neighbours, and two words of its own record, are each under a condition, came to 0.97 of plain clang, and in few blocks, half of which have
 * an edge, to 0.85 (H200). */
static bool moves_together(const Pass *pass, LLVMBasicBlockRef block, size_t apart)
{
    size_t together[OP_ATOMIC] = {0};
    const Plan *plan = pass->plan;
    bool pays = false;
    for (size_t i = 0; i < plan->regions.count; i++) {
        const List *groups = &((const Region *)plan->regions.item[i])->groups;
        for (size_t k = 0; k < groups->count; k++) {
            const Group *group = groups->item[k];
            bool counts = group->block == block && group->members.count > apart;
            if (counts)
                together[group->op] += group->members.count;
            pays |= counts && !group_widens(group);
        }
    }
    for (AccessOp op = OP_LOAD; op < OP_ATOMIC && !pays; op++)
        pays = together[op] && 2 * together[op] > accesses_in(pass, block, op);
    return pays;
}

/* What the largest group of the version was refused for, if it has more than one member. */
static Why refusal_of(const Plan *plan, LLVMBasicBlockRef block)
{
    const Group *largest = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const List *groups = map_get(plan->grouped, i);
        for (size_t k = 0; groups && k < groups->count; k++) {
            const Group *group = groups->item[k];
            if (group->members.count > (largest ? largest->members.count : 1))
                largest = group;
        }
    }
    return largest ? largest->choice.why : WHY_NONE;
}

static void note_refused(const Plan *plan, Tail *tail, Why why)
{
    tail->why = why;
    for (size_t i = 0; i < tail->blocks.count; i++)
        for (LLVMValueRef at = LLVMGetFirstInstruction(tail->blocks.item[i]); at; at = LLVMGetNextInstruction(at))
            if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at))
                map_put(plan->tails, at, tail);
}

/* Those that pay, as a copy shows. */
static List rehearse(const Pass *pass, const Kernel *kernel, const List *tails)
{
    size_t count;
    List paying = list_new(pass->arena);
    Map *functions = map_new(pass->arena);
    LLVMBasicBlockRef *block = blocks_of(pass, tails, &count);
    for (size_t i = 0; i < tails->count; i++)
        map_put(functions, ((const Tail *)tails->item[i])->function, functions);
    Rehearsal rehearsal = rehearsal_open(pass, functions, block, count);
    const List versions = versions_make(pass, rehearsal.ir, tails, block);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    for (size_t i = 0; i < copy.kernels.count; i++)
        kernel_plan(copy.kernels.item[i]);
    for (size_t i = 0; i < tails->count; i++) {
        Tail *tail = tails->item[i];
        bool pays = moves_together(&copy, versions.item[i], tail->apart);
        trace(kernel, "tried: %d accesses under conditions, on a copy: %s", (int)tail->blocks.count / 2,
              pays ? "they move together where all hold" : "they do not move together");
        if (pays)
            list_add(&paying, tail);
        else
            note_refused(pass->plan, tail, refusal_of(copy.plan, versions.item[i]));
    }
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return paying;
}

static bool kernel_make(Pass *pass, Kernel *kernel)
{
    size_t count;
    kernel_measure(kernel);
    List tails = tails_find(kernel);
    if (tails.count)
        tails = rehearse(pass, kernel, &tails);
    if (!tails.count)
        return false;
    Map *changed = map_new(pass->arena);
    for (size_t i = 0; i < tails.count; i++) {
        const Tail *tail = tails.item[i];
        pass_settle(pass, tail->function);
        map_put(changed, tail->function, pass);
        made_tail(kernel, tail);
    }
    versions_make(pass, pass->ir, &tails, blocks_of(pass, &tails, &count));
    pass_check(pass, "loads under conditions");
    pass_renew(pass, changed);
    return true;
}

bool tails_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++)
        any |= kernel_make(pass, pass->kernels.item[i]);
    return any;
}
