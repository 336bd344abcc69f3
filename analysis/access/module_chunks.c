/* A module is gone through in portions: as few kernels in a row as run no function that a later one runs too.
 *
 *     k0 runs f    k1 runs f, g    k2    k3 runs g    k4        {k0 k1 k2 k3} {k4}
 *
 * What was found out about one portion is let go before the next is looked at, so that memory does not grow with the module;
 * short kernels share a portion, as each costs a look at the whole module. */
#include "analysis/address/kernel.h"

enum { LEAST_INSTRUCTIONS = 8192 };

struct Portions {
    Arena *arena;
    List roots; /* kernels, then functions that none of them runs */
    List runs;  /* of List: the functions that each of them runs, itself the first */
    Map *last;  /* function -> number of the last root that runs it, from 1 */
    size_t next;
};

static void reach(Map *reached, List *found, LLVMValueRef function)
{
    if (!function || LLVMIsDeclaration(function) || map_get(reached, function))
        return;
    map_put(reached, function, function);
    list_add(found, function);
}

List *function_runs(Arena *arena, LLVMValueRef root)
{
    List *found = list_make(arena);
    Map *reached = map_new(arena);
    reach(reached, found, root);
    for (size_t f = 0; f < found->count; f++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(found->item[f]); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i))
                    reach(reached, found, LLVMIsAFunction(LLVMGetCalledValue(i)));
    return found;
}

static void root_add(Portions *portions, LLVMValueRef root)
{
    List *runs = function_runs(portions->arena, root);
    list_add(&portions->roots, root);
    list_add(&portions->runs, runs);
    for (size_t i = 0; i < runs->count; i++)
        map_put(portions->last, runs->item[i], (void *)(uintptr_t)portions->roots.count);
}

/* Other modules may call it, or it is called through a pointer; else, where no kernel of this one runs it, nobody does. */
static bool may_run(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_kept = linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && !is_kept; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        is_kept = !LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function;
    }
    return is_kept;
}

Portions *portions_of(Arena *arena, LLVMModuleRef module)
{
    Portions *portions = ARENA_NEW(arena, Portions);
    *portions = (Portions){.arena = arena, .roots = list_new(arena), .runs = list_new(arena), .last = map_new(arena)};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && function_is_kernel(f))
            root_add(portions, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !map_get(portions->last, f) && may_run(f))
            root_add(portions, f);
    return portions;
}

size_t function_length(LLVMValueRef function)
{
    size_t length = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            length++;
    return length;
}

/* The roots that are left, up to `least` instructions, and more where they belong together. */
static Portion portion_of(Portions *portions, size_t least)
{
    Portion portion = {list_new(portions->arena), list_new(portions->arena)};
    size_t length = 0, until = 0;
    while (portions->next < portions->roots.count && (portions->next < until || length < least)) {
        const List *runs = portions->runs.item[portions->next];
        for (size_t i = 0; i < runs->count; i++) {
            size_t last = (size_t)(uintptr_t)map_get(portions->last, runs->item[i]);
            until = last > until ? last : until;
            length += function_length(runs->item[i]);
            list_add(&portion.functions, runs->item[i]);
        }
        list_add(&portion.roots, portions->roots.item[portions->next++]);
    }
    return portion;
}

Portion portion_next(Portions *portions) { return portion_of(portions, LEAST_INSTRUCTIONS); }

Portion portion_whole(Arena *arena, LLVMModuleRef module) { return portion_of(portions_of(arena, module), SIZE_MAX); }
