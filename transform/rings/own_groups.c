/* Where several rings live in one loop, each waits for its own groups alone. cp.async.wait_group N lets the last N groups of the thread be
 * under way, whichever ring's they are; a ring that may leave k of its own may leave all that were committed since the stage it wants:
 *
 *     commit k; commit v;  commit k; commit v;  ...  wait for k: all but its last 1        wait_group 1      ->      wait_group 3
 *              '------- since the stage that is waited for: 3 -------'
 *
 * Counted along every way that leads to the wait, backwards to the commit of that stage; the way with the fewest says how many. Ways
 * that no thread goes, and commits that are not seen (in functions, in assembly), make it fewer, which is more to wait for. A way on
 * which so many of the ring's own were never committed has no such stage. */
#include <stdlib.h>

#include "transform/rings/make_ring.h"
#include "transform/transform.h"

enum { MOST_GROUPS = 31, UNSEEN = MOST_GROUPS + 1 }; /* a bound of the search: to let fewer be under way is to wait for more */

typedef struct {
    Arena *arena;
    LLVMValueRef ring; /* the node that tells its commits and waits */
    int own; /* of its groups, how many may be under way */
    int fewest; /* of all, since the stage that is wanted, on the ways seen so far */
    Map *seen; /* block -> int of each number of own groups: the fewest of all, where a way comes to its end with so many */
    List pending; /* of LLVMBasicBlockRef */
} Count;

static LLVMValueRef node_of(LLVMValueRef call)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    return LLVMGetMetadata(call, LLVMGetMDKindIDInContext(context, GROUP_METADATA, sizeof GROUP_METADATA - 1));
}

static bool is_commit(LLVMValueRef i) { return is_call_of(i, "llvm.nvvm.cp.async.commit.group"); }

static bool is_wait(LLVMValueRef i) { return is_call_of(i, "llvm.nvvm.cp.async.wait.group") && ir_is_marked(i, GROUP_METADATA); }

static void come_to(Count *count, LLVMBasicBlockRef block, int own, int all)
{
    int *fewest = map_get(count->seen, block);
    if (!fewest) {
        fewest = ARENA_ARRAY(count->arena, int, (size_t)count->own + 1);
        for (int i = 0; i <= count->own; i++)
            fewest[i] = UNSEEN;
        map_put(count->seen, block, fewest);
    }
    if (all >= fewest[own] || all >= count->fewest)
        return;
    fewest[own] = all;
    list_add(&count->pending, block);
}

/* Upwards from this instruction, with so many groups of its own seen, and of all. */
static void go_up(Count *count, LLVMBasicBlockRef block, LLVMValueRef i, int own, int all)
{
    for (; i; i = LLVMGetPreviousInstruction(i)) {
        if (!is_commit(i))
            continue;
        if (node_of(i) == count->ring && own++ == count->own) {
            count->fewest = all < count->fewest ? all : count->fewest;
            return;
        }
        all++;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        if (LLVMIsATerminatorInst(LLVMGetUser(use)))
            come_to(count, LLVMGetInstructionParent(LLVMGetUser(use)), own, all);
}

/* Groups that may be under way at the wait; UNSEEN where no way tells. */
static int count_groups(Arena *arena, LLVMValueRef wait, int own)
{
    Count count = {arena, node_of(wait), own, UNSEEN, map_new(arena), list_new(arena)};
    go_up(&count, LLVMGetInstructionParent(wait), wait, 0, 0);
    while (count.pending.count) {
        LLVMBasicBlockRef block = count.pending.item[--count.pending.count];
        const int *fewest = map_get(count.seen, block);
        for (int k = 0; k <= own; k++)
            if (fewest[k] < count.fewest)
                go_up(&count, block, LLVMGetLastInstruction(block), k, fewest[k]);
    }
    return count.fewest;
}

/* As its ring was told. */
static int own_of(LLVMValueRef wait)
{
    LLVMValueRef part[OWNER_PARTS];
    unsigned length;
    LLVMGetMDNodeOperands(node_of(wait), part);
    const char *text = LLVMGetMDString(part[1], &length);
    return text ? (int)strtol(text, NULL, 10) : 0;
}

/* Adds the waits of rings; false where a commit is nobody's, which may be a ring's that has lost its mark. */
static bool find_waits(LLVMValueRef function, List *waits)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_commit(i) && !ir_is_marked(i, GROUP_METADATA))
                return false;
            if (is_wait(i))
                list_add(waits, i);
        }
    return true;
}

void waits_settle(Arena *arena, LLVMValueRef function)
{
    List waits = list_new(arena);
    bool known = find_waits(function, &waits);
    for (size_t i = 0; known && i < waits.count; i++) {
        LLVMValueRef wait = waits.item[i];
        int own = own_of(wait), groups = count_groups(arena, wait, own);
        INVARIANT(groups >= own);
        if (groups != UNSEEN)
            LLVMSetOperand(wait, 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(wait, 0)), (unsigned)groups, false));
    }
}
