/* Loops that load their bound, or where their rows begin, again in each iteration, because what they store may lie there.
 *
 *     for (j = rp[i]; j < rp[i + 1]; j++) o[i] += v[j]                    v, o and rp of one type
 *     for (k = 0; k < m; k++) o[first[i] + k] = v[first[i] + k]           as well
 *
 * The place of the bound is the same in every iteration. Where nothing that the loop stores touches it, the loop runs as often as the bound
 * says on entry; and whether anything does is known there, of as many iterations as that. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

enum { MOST_BOUNDS = 4 }; /* bounds the tests */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    List bounds; /* of LLVMValueRef: loads, each behind those that its own place is loaded from */
    List of_slice; /* those that the value asked about is made of */
} Search;

static bool is_inside(const Search *search, LLVMValueRef value) { return ir_loop_has(search->loop, value); }

/* Before the loop can be left, in the first iteration as in all others. */
static bool is_made_first(const Search *search, LLVMValueRef load)
{
    for (size_t n = 0; n < ir_loop_size(search->loop); n++) {
        LLVMBasicBlockRef block = ir_loop_block(search->loop, n);
        if (loop_leaves(search->loop, block) && !ir_dominates(search->scope->kernel->ir, LLVMGetInstructionParent(load), block))
            return false;
    }
    return true;
}

/* Is its place, then, one that the loop loads in every iteration? The compiler may have put several iterations into one. */
static bool is_made_always(const Search *search, LLVMValueRef load)
{
    LLVMValueRef place = LLVMGetOperand(load, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef other = LLVMGetUser(use);
        if (LLVMIsALoadInst(other) && LLVMTypeOf(other) == LLVMTypeOf(load) && is_inside(search, other) && is_plain(other) &&
            is_made_first(search, other))
            return true;
    }
    return false;
}

static SlicePart ask_place(Slice *slice, const void *context, LLVMValueRef value);

/* A load of one place in all iterations, if its place is computed from such alone. */
static SlicePart ask_load(Search *search, LLVMValueRef load)
{
    if (!is_plain(load) || !is_made_always(search, load) ||
        !slice_of(search->scope->kernel->arena, LLVMGetOperand(load, 0), ask_place, search))
        return SLICE_FAILS;
    list_add(&search->of_slice, load);
    return SLICE_KNOWN;
}

static SlicePart ask_place(Slice *slice, const void *context, LLVMValueRef value)
{
    Search *search = (Search *)context;
    (void)slice;
    if (!is_inside(search, value))
        return SLICE_KNOWN;
    if (LLVMIsALoadInst(value))
        return ask_load(search, value);
    return ir_is_pure(value) && !LLVMIsAPHINode(value) ? SLICE_MADE : SLICE_FAILS;
}

/* What the loop is left by, or its places are, is computed from its counters, from what stands in front of it, and from loads of one place each. */
static SlicePart ask_bound(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    bool counts = is_inside(search, value) && LLVMIsAPHINode(value) &&
                  LLVMGetInstructionParent(value) == ir_loop_header(search->loop);
    return counts ? SLICE_KNOWN : ask_place(slice, context, value);
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

/* Adds those that the value is made of, if it is made of nothing else that an iteration tells alone. */
static bool add_of(Search *search, LLVMValueRef value)
{
    search->of_slice.count = 0;
    if (!slice_of(search->scope->kernel->arena, value, ask_bound, search))
        return false;
    for (size_t i = 0; i < search->of_slice.count; i++)
        if (!list_has(&search->bounds, search->of_slice.item[i]))
            list_add(&search->bounds, search->of_slice.item[i]);
    return true;
}

static bool add_of_ends(Search *search)
{
    bool may = true;
    for (size_t n = 0; n < ir_loop_size(search->loop) && may; n++) {
        LLVMBasicBlockRef block = ir_loop_block(search->loop, n);
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
        if (loop_leaves(search->loop, block))
            may = LLVMIsABranchInst(jump) && LLVMIsConditional(jump) && add_of(search, LLVMGetCondition(jump));
    }
    return may;
}

static void add_of_places(Search *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(search->loop, b); i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                add_of(search, pointer_of_access(i));
}

static int places_of(const List *bounds)
{
    int places = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= LLVMGetOperand(bounds->item[i], 0) == LLVMGetOperand(bounds->item[k], 0);
        places += !again;
    }
    return places;
}

static LoadedBounds *bounds_of(Scope *scope, IrLoop *loop)
{
    const Kernel *kernel = scope->kernel;
    Search search = {scope, loop, list_new(kernel->arena), list_new(kernel->arena)};
    if (!ir_loop_latch(loop) || !ir_loop_is_innermost(loop) || !is_plain_loop(&search) || !add_of_ends(&search))
        return NULL;
    add_of_places(&search);
    if (!search.bounds.count || places_of(&search.bounds) > MOST_BOUNDS)
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
