/* Rows that a loop meets again in each of its iterations, to be held in registers as long as it runs.
 *
 *     for (c = 0; c < C; c++)
 *         for (k = 0; k < K; k++) s += f(x[i*K + k], w[c*K + k])      x[i*K + k] is the same for every c
 *
 * What the first iterations of the walk load is loaded in front of both loops. So the walk must be met in the first iteration of
 * the loop around, whatever that does, with enough iterations, which is tested; nothing in that loop may change the row, or order
 * memory; and where the row lies must follow from the walk's counters alone. All threads of the block pass the test together, or
 * none: those that hold their rows, and those that do not, would wait for each other. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

typedef struct {
    Scope *scope;
    IrModule *ir;
    IrLoop *walk, *around;
    Reuse *reuse;
} Search;

/* ---- what is loaded ---- */

/* Is it, in any one iteration of the walk, the same in all iterations of the loop around? */
static SlicePart ask_fixed(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    (void)slice;
    if (!ir_loop_has(search->around, value))
        return SLICE_KNOWN;
    bool counts = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(search->walk);
    return counts || ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* What is narrower than a word would take a register all the same. */
static bool can_be_held(Search *search, const List *loads)
{
    const Kernel *kernel = search->scope->kernel;
    for (size_t i = 0; i < loads->count; i++) {
        LLVMValueRef load = loads->item[i];
        if (!slice_of(kernel->arena, LLVMGetOperand(load, 0), ask_fixed, search) ||
            LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(load)) % WORD_BYTES)
            return false;
        list_add(&search->reuse->loads, (void *)number_in(search->walk, load));
    }
    return loads->count > 0;
}

/* ---- what else the loop around does ---- */

static bool changes_row(const Search *search, LLVMValueRef store)
{
    LLVMBasicBlockRef block = ir_loop_header(search->walk);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) && ir_may_change(search->ir, store, i))
            return true;
    return false;
}

static bool passes_atomic(const Search *search, LLVMValueRef atomic)
{
    LLVMBasicBlockRef block = ir_loop_header(search->walk);
    bool passes = order_is_of_one_place(atomic);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && passes; i = LLVMGetNextInstruction(i))
        passes = !LLVMIsALoadInst(i) || order_lets_pass(search->scope, atomic, i);
    return passes;
}

static bool disturbs(const Search *search, LLVMValueRef i)
{
    return (!is_unordered(i) && !passes_atomic(search, i)) || (LLVMIsAStoreInst(i) && changes_row(search, i));
}

static bool is_undisturbed(const Search *search)
{
    LLVMValueRef function = search->scope->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_loop_has_block(search->around, b) && disturbs(search, i))
                return false;
    return true;
}

/* ---- the way to the walk ---- */

/* One way alone leads to the walk: it is taken where the condition, which no iteration changes, says so. */
static bool is_decided(Search *search, LLVMBasicBlockRef block, unsigned way)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef condition = LLVMIsABranchInst(jump) ? LLVMGetCondition(jump) : NULL;
    if (!condition || ir_loop_has(search->around, condition) || !uniform_in_block(search->scope, condition))
        return false;
    list_add(&search->reuse->blocks, block);
    list_add(&search->reuse->ways, (void *)(intptr_t)way);
    return true;
}

/* The ways on from the block that have to lead to the walk; false where one of them cannot be told. */
static bool goes_on(Search *search, LLVMBasicBlockRef block, List *pending)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    unsigned ways = LLVMGetNumSuccessors(jump);
    LLVMBasicBlockRef header = ir_loop_header(search->walk);
    for (unsigned i = 0; ways > 1 && i < ways; i++)
        if (ir_edge_dominates(search->ir, block, LLVMGetSuccessor(jump, i), header)) {
            list_add(pending, LLVMGetSuccessor(jump, i));
            return is_decided(search, block, i);
        }
    for (unsigned i = ways; i-- > 0;)
        list_add(pending, LLVMGetSuccessor(jump, i));
    return ways > 0;
}

/* Do all ways on from the block lead to the walk, in this iteration? */
static bool leads_to_walk(Search *search, LLVMBasicBlockRef from)
{
    Map *seen = map_new(search->scope->kernel->arena);
    List pending = list_new(search->scope->kernel->arena);
    bool all = goes_on(search, from, &pending);
    while (all && pending.count) {
        LLVMBasicBlockRef block = pending.item[--pending.count];
        if (block == ir_loop_header(search->walk) || map_get(seen, block))
            continue;
        map_put(seen, block, block);
        all = block != ir_loop_header(search->around) && goes_on(search, block, &pending);
    }
    return all;
}

static bool is_met_first(Search *search) { return leads_to_walk(search, ir_loop_header(search->around)); }

/* ---- the whole ---- */

static Reuse *reuse_new(Arena *arena, IrLoop *walk)
{
    Reuse *reuse = ARENA_NEW(arena, Reuse);
    *reuse = (Reuse){.blocks = list_new(arena), .ways = list_new(arena), .loads = list_new(arena)};
    list_add(&reuse->blocks, ir_loop_header(ir_loop_parent(walk)));
    list_add(&reuse->blocks, ir_loop_header(walk));
    return reuse;
}

Reuse *reuse_find(Scope *scope, IrLoop *walk, const List *loads)
{
    const Kernel *kernel = scope->kernel;
    if (!ir_loop_parent(walk) || !ir_loop_is_one_block(walk) || feature_is_off(&kernel->options, FEATURE_REUSE))
        return NULL;
    Reuse *reuse = reuse_new(kernel->plan->arena, walk);
    Search search = {scope, kernel->ir, walk, ir_loop_parent(walk), reuse};
    if (!ir_loop_latch(search.around) || !ir_loop_is_countable_before(kernel->ir, walk, search.around))
        return NULL;
    if (!can_be_held(&search, loads) || !is_met_first(&search) || product_crosses(kernel->ir, search.around))
        return NULL;
    reuse->why = is_undisturbed(&search) ? WHY_NONE : WHY_AGAIN_WRITTEN;
    return reuse;
}

bool reuse_has(const Reuse *reuse, const Access *access)
{
    intptr_t number = number_in(access->loop, access->instruction);
    for (size_t i = 0; i < reuse->loads.count; i++)
        if ((intptr_t)reuse->loads.item[i] == number)
            return true;
    return false;
}
