/* Loops that load their bound again in each iteration, because what they store may lie there.
 *
 *     for (j = rp[i]; j < rp[i + 1]; j++) o[i] += v[j]          v, o and rp of one type
 *
 * The place of the bound is the same in every iteration. Where nothing that the loop stores touches it, the loop runs as often as the bound
 * says on entry; and whether anything does is known there, of as many iterations as that. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

enum { MOST_BOUNDS = 4 }; /* bounds the tests */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    List bounds; /* of LLVMValueRef: loads */
} Search;

static bool is_inside(const Search *search, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && ir_loop_has_block(search->loop, LLVMGetInstructionParent(value));
}

static bool is_made_always(const Search *search, LLVMValueRef load)
{
    return ir_dominates(search->scope->kernel->ir, LLVMGetInstructionParent(load), ir_loop_latch(search->loop));
}

/* What the loop is left by is computed from its counters, from what stands in front of it, and from loads of one place each. */
static SlicePart ask_bound(Slice *slice, const void *context, LLVMValueRef value)
{
    Search *search = (Search *)context;
    (void)slice;
    if (!is_inside(search, value))
        return SLICE_KNOWN;
    if (LLVMIsAPHINode(value))
        return LLVMGetInstructionParent(value) == ir_loop_header(search->loop) ? SLICE_KNOWN : SLICE_FAILS;
    if (!LLVMIsALoadInst(value))
        return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
    if (!is_plain(value) || is_inside(search, LLVMGetOperand(value, 0)) || !is_made_always(search, value))
        return SLICE_FAILS;
    list_add(&search->bounds, value);
    return SLICE_KNOWN;
}

/* It does nothing but load, store and compute. */
static bool is_plain_loop(const Search *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(search->loop, b); i = LLVMGetNextInstruction(i))
            if (!is_unordered(i))
                return false;
    return true;
}

static LoadedBounds *bounds_of(Scope *scope, IrLoop *loop)
{
    const Kernel *kernel = scope->kernel;
    LLVMBasicBlockRef latch = ir_loop_latch(loop);
    LLVMValueRef jump = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    Search search = {scope, loop, list_new(kernel->arena)};
    if (!jump || !LLVMIsABranchInst(jump) || !LLVMIsConditional(jump) || !ir_loop_is_innermost(loop) ||
        ir_loop_is_countable(kernel->ir, loop) || !is_plain_loop(&search) ||
        !slice_of(kernel->arena, LLVMGetCondition(jump), ask_bound, &search) || !search.bounds.count ||
        search.bounds.count > MOST_BOUNDS)
        return NULL;
    Arena *arena = kernel->plan->arena;
    LoadedBounds *bounds = ARENA_NEW(arena, LoadedBounds);
    *bounds = (LoadedBounds){ir_loop_header(loop), list_new(arena)};
    for (size_t i = 0; i < search.bounds.count; i++)
        list_add(&bounds->loads, (void *)number_in(loop, search.bounds.item[i]));
    return bounds;
}

List bounds_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_WALKS))
        return found;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        bool begins = loop && ir_loop_header(loop) == b && !map_get(kernel->plan->tried, b);
        LoadedBounds *bounds = begins ? bounds_of(kernel->scope, loop) : NULL;
        if (bounds)
            list_add(&found, bounds);
    }
    return found;
}
