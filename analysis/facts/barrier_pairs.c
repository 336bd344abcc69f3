/* Do the threads of a block meet at its barriers as the program reads: all that come to any, at one instruction?
 *
 *     if (t < 64)                               barrier 0 counts threads, and does not ask where they come from: each
 *         for (...) { ...; barrier; ... }       barrier of the one loop is met by one of the other. Had one loop fewer of
 *     else                                      them, or were an access moved over one, the other would tell
 *         for (...) { ...; barrier; ... }
 *
 * A branch that threads take differently parts them if barriers may follow on more than one of its ways, and not all of them come
 * to the same ones (block_converges.c). Where one way alone leads to barriers, who takes the others ends, and is not waited for. Barriers
 * of other numbers do not meet those of number 0; what counts threads, or goes on without waiting, at number 0, or at a number
 * that only run time knows, may meet anything. So may functions of other modules. */
#include <string.h>

#include "analysis/facts/facts.h"
#include "pass/base/ptx_statement.h"

typedef enum { NO_BARRIER, WHOLE_BARRIER, OTHER_BARRIER } Barrier;

typedef struct {
    Scope *scope;
    Map *holding;  /* blocks that hold barriers */
    List barriers; /* those blocks */
} Search;

/* ---- what is a barrier ---- */

static Barrier barrier_of_intrinsic(LLVMValueRef call)
{
    static const char whole[] = ".all";
    const char *name = callee_name(call), *end = name + strlen(name);
    if (!is_block_barrier(call))
        return NO_BARRIER;
    LLVMValueRef number = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
    if (number && LLVMConstIntGetZExtValue(number))
        return NO_BARRIER;
    return number && strcmp(end - strlen(whole), whole) == 0 ? WHOLE_BARRIER : OTHER_BARRIER;
}

bool is_whole_barrier(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && barrier_of_intrinsic(instruction) == WHOLE_BARRIER;
}

static Barrier barrier_of_assembly(LLVMValueRef assembly)
{
    static const Barrier barriers[] = {[TEXT_NO_BARRIER] = NO_BARRIER,
                                       [TEXT_BARRIER] = WHOLE_BARRIER,
                                       [TEXT_OTHER_BARRIER] = OTHER_BARRIER};
    size_t length;
    return barriers[text_barrier(LLVMGetInlineAsmAsmString(assembly, &length))];
}

/* Of the system's own, and of the mathematical library. */
bool is_system_function(const char *name)
{
    static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail", "__nv_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(name, names[i]))
            return true;
    return false;
}

static bool may_hold_barrier(LLVMValueRef function, Map *seen);

static bool may_come_to_barrier(LLVMValueRef call, Map *seen)
{
    LLVMValueRef called = LLVMGetCalledValue(call), callee = LLVMIsAFunction(called);
    if (LLVMIsAInlineAsm(called))
        return barrier_of_assembly(called) != NO_BARRIER;
    if (callee && LLVMGetIntrinsicID(callee))
        return barrier_of_intrinsic(call) != NO_BARRIER;
    if (callee && !LLVMIsDeclaration(callee))
        return may_hold_barrier(callee, seen);
    return ir_is_convergent(call) && !is_system_function(callee_name(call));
}

static bool may_hold_barrier(LLVMValueRef function, Map *seen)
{
    if (map_get(seen, function))
        return false;
    map_put(seen, function, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && may_come_to_barrier(i, seen))
                return true;
    return false;
}

/* A function's barriers are one where it is called, if all that call it together meet there. */
static Barrier barrier_of(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call), callee = LLVMIsAFunction(called);
    if (LLVMIsAInlineAsm(called))
        return barrier_of_assembly(called);
    if (callee && LLVMGetIntrinsicID(callee))
        return barrier_of_intrinsic(call);
    if (!may_come_to_barrier(call, map_new(scope->kernel->arena)))
        return NO_BARRIER;
    Scope *inside = map_get(scope->callees, call);
    return inside && barriers_meet(inside) ? WHOLE_BARRIER : OTHER_BARRIER;
}

/* ---- whether threads part ---- */

/* Does a way from the block's beginning lead to a barrier? */
static bool leads_to_barrier(const Search *search, LLVMBasicBlockRef block)
{
    return map_get(search->holding, block) || path_leads_to_any(search->scope->kernel->arena, block, search->holding, NULL);
}

/* Who takes another way than the one ends, in a kernel; a function hands back to its caller. */
static bool ends_others(const Search *search, LLVMValueRef jump)
{
    int ways = 0;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        ways += leads_to_barrier(search, LLVMGetSuccessor(jump, s));
    return ways < 2 && !search->scope->caller;
}

static bool parts(const Search *search, LLVMBasicBlockRef branch)
{
    const Kernel *kernel = search->scope->kernel;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    if (LLVMGetNumSuccessors(jump) < 2 || uniform_between_barriers(search->scope, LLVMGetOperand(jump, 0)) ||
        !path_leads_to_any(kernel->arena, branch, search->holding, ir_meeting(kernel->ir, branch)) || ends_others(search, jump))
        return false;
    for (size_t i = 0; i < search->barriers.count; i++)
        if (converges_parts(search->scope, branch, search->barriers.item[i], uniform_between_barriers))
            return true;
    return false;
}

static bool find_barriers(Search *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_reachable(search->scope->kernel->ir, b);
             i = LLVMGetNextInstruction(i)) {
            Barrier barrier = LLVMIsACallInst(i) ? barrier_of(search->scope, i) : NO_BARRIER;
            if (barrier == OTHER_BARRIER) {
                search->scope->parting = i;
                return false;
            }
            if (barrier && !map_get(search->holding, b)) {
                map_put(search->holding, b, b);
                list_add(&search->barriers, b);
            }
        }
    return true;
}

static bool meet(Scope *scope)
{
    Arena *arena = scope->kernel->arena;
    Search search = {scope, map_new(arena), list_new(arena)};
    bool together = find_barriers(&search);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b && together; b = LLVMGetNextBasicBlock(b)) {
        together = !ir_reachable(scope->kernel->ir, b) || !parts(&search, b);
        if (!together)
            scope->parting = LLVMGetBasicBlockTerminator(b);
    }
    return together;
}

bool barriers_meet(Scope *scope)
{
    if (!scope->meeting)
        scope->meeting = meet(scope) ? MEETING_ALL : MEETING_NOT;
    return scope->meeting == MEETING_ALL;
}

bool is_barrier_name(const char *name) { return text_begins(name, "llvm.nvvm.barrier.cta."); }

bool is_block_barrier(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && is_barrier_name(callee_name(instruction));
}
