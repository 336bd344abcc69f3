/* Loads that are each under a condition of their own, which all hold but at the end of an array: the tail of a tile.
 *
 *     if (16*t < n) x0 = p[16*t];               B0 --.       where all conditions hold, the loads may stand side by side, and make a
 *     if (16*t + 1 < n) x1 = p[16*t + 1];       |    T1      record: there come to be two versions of the chain, and one of them asks
 *                                               B1 <-'       for nothing in between (transform/records/version_tail.c)
 *
 * All conditions have to be known where the chain begins, and hold or not whatever is loaded. Nothing in it stores, or orders memory:
 * stores under conditions wait for the last of them without a version of their own (conditional_records.c). What all threads load in
 * between stays where all of them come: a walk may need it there. No product of one of its
 * blocks is added in another: side by side, the backend would fuse them. */
#include "analysis/plan/plan.h"

enum { MOST_LOADS = 64, MOST_INSTRUCTIONS = 1024 }; /* of a chain: bounds of the search */

typedef struct {
    Kernel *kernel;
    Map *loads;  /* those that waste sectors */
    Map *inside; /* blocks of the chain, without the first */
    Map *taken;  /* blocks of chains */
    int length;
} Search;

static bool is_wasteful_load(const Access *access)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && access->op == OP_LOAD && LLVMIsALoadInst(access->instruction) &&
           !ir_is_marked(access->instruction, GUARDED_METADATA) && access->kind != CLASS_UNIFORM &&
           (!access->figure.known || access->figure.sectors > access->figure.ideal);
}

static Map *wasteful_loads(Kernel *kernel)
{
    Map *loads = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (is_wasteful_load(access))
            map_put(loads, access->instruction, (void *)access);
    }
    return loads;
}

/* May it be made again where no condition is asked? */
static bool can_be_copied(Search *search, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!is_unordered(i) || LLVMIsAStoreInst(i) || ++search->length > MOST_INSTRUCTIONS)
            return false;
    return !product_comes_in(search->kernel->ir, block);
}

static bool has_load(const Search *search, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (map_get(search->loads, i))
            return true;
    return false;
}

/* Is the value the same where the chain begins? */
static SlicePart ask_early(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    (void)slice;
    if (!LLVMIsAInstruction(value) || !map_get(search->inside, LLVMGetInstructionParent(value)))
        return SLICE_KNOWN;
    return !LLVMIsAPHINode(value) && ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Adds T and B; false where the chain ends without them. */
static bool load_add(Search *search, List *blocks)
{
    LLVMBasicBlockRef block = blocks->item[blocks->count - 1];
    const Triangle t = triangle_below(block);
    bool middle = blocks->count > 1;
    if (!t.then || map_get(search->taken, t.then) || t.join == blocks->item[0] || !has_load(search, t.then))
        return false;
    if (middle && (ways_into(block) != 2 || has_load(search, block) || !can_be_copied(search, block)))
        return false;
    if (!slice_of(search->kernel->arena, LLVMGetCondition(LLVMGetBasicBlockTerminator(block)), ask_early, search) ||
        !can_be_copied(search, t.then))
        return false;
    map_put(search->inside, t.then, t.then);
    map_put(search->inside, t.join, t.join);
    list_add(blocks, t.then);
    list_add(blocks, t.join);
    return blocks->count / 2 < MOST_LOADS;
}

static Tail *tail_from(Search *search, LLVMBasicBlockRef block)
{
    const Plan *plan = search->kernel->plan;
    Tail *tail = ARENA_NEW(plan->arena, Tail);
    *tail = (Tail){LLVMGetBasicBlockParent(block), list_new(plan->arena)};
    search->inside = map_new(search->kernel->arena);
    search->length = 0;
    list_add(&tail->blocks, block);
    while (load_add(search, &tail->blocks))
        ;
    return tail->blocks.count > 3 ? tail : NULL;
}

static void find_in(Search *search, LLVMValueRef function, List *tails)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        Tail *tail = map_get(search->taken, b) ? NULL : tail_from(search, b);
        for (size_t i = 0; tail && i + 1 < tail->blocks.count; i++)
            map_put(search->taken, tail->blocks.item[i], tail);
        if (tail)
            list_add(tails, tail);
    }
}

List tails_find(Kernel *kernel)
{
    List tails = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    Search search = {.kernel = kernel, .loads = wasteful_loads(kernel), .taken = map_new(kernel->arena)};
    for (size_t i = 0; i < kernel->found.scopes.count && !feature_is_off(&kernel->options, FEATURE_CHAINS); i++) {
        LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[i])->function;
        if (!map_get(seen, function) && !ir_is_optnone(function))
            find_in(&search, function, &tails);
        map_put(seen, function, function);
    }
    return tails;
}
