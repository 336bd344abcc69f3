/* Loads that a loop waits for.
 *
 *     c = col[j]; s += x[c]                   x[c] cannot be asked for before c is there: two latencies an iteration
 *     s[t] = g[j]; barrier; use s; barrier    no thread goes on before the slowest has its load
 *
 * Of all other loads several iterations may be under way at once, which is the backend's affair. */
#include "analysis/ahead/lookahead.h"

static bool has_barrier(IrLoop *loop)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && is_block_barrier(i))
                return true;
    return false;
}

enum { MOST_USERS = 64 }; /* of the search: a bound, not a choice */

/* Arithmetic, and what is chosen by it or with it: loads and stores end the way. */
static void follow(IrLoop *loop, LLVMValueRef value, List *made)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && made->count < MOST_USERS; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool carried = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == ir_loop_header(loop);
        if (ir_loop_has(loop, user) && !carried && !list_has(made, user))
            list_add(made, user);
    }
}

bool load_leads_on(IrLoop *loop, LLVMValueRef load)
{
    Arena *arena = arena_new();
    List made = list_new(arena);
    bool leads = false;
    follow(loop, load, &made);
    for (size_t i = 0; i < made.count && !leads; i++) {
        leads = LLVMIsALoadInst(made.item[i]) != NULL;
        if (!ir_touches_memory(made.item[i]) && !LLVMIsATerminatorInst(made.item[i]))
            follow(loop, made.item[i], &made);
    }
    arena_free(arena);
    return leads;
}

bool load_is_awaited(IrLoop *loop, LLVMValueRef load) { return load_leads_on(loop, load) || has_barrier(loop); }
