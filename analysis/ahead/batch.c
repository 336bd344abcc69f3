/* Loops of which several iterations stand in one body, whose loads wait for the stores in front of them.
 *
 *     x = a[i]; out[i] = f(x); y = a[i + p]; out[i + p] = f(y); ...      the second load may read what the first store wrote: it comes
 *                                                                        behind it, and an iteration waits for each load by itself
 *
 * Such loads may come first where they are apart from what the iteration stores before them, which is known, or is asked on entry: how
 * far two places are apart is the same number in every iteration. Each is made in every iteration, and follows from the loop's counters
 * by arithmetic alone, so nothing is read that the original would not read; and each passes stores of its own iteration alone, whatever
 * later ones do. */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"

#include <string.h>

enum {
    ADDRESS_WORDS = 2,
    MOST_STORES = 64, /* bounds of the search, which compares each load with each store, */
    MOST_LOADS = 256, /* and with each other */
};

/* Loads come to the first of them, which stays where it is, until registers hold no more; then to the next one. */
typedef struct {
    BatchSearch found;
    LLVMValueRef place, last; /* of the loads; the load in front */
    int words, held;          /* at that place */
    int unit, together;       /* held, and words, of those with nothing stored between them */
} Search;

/* ---- the loop ---- */

/* Every store of the loop; false where it does anything that loads may not pass, or that may not stand there twice. */
static bool find_stores(BatchSearch *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(search->loop, b); i = LLVMGetNextInstruction(i)) {
            if (!is_unordered(i) || (LLVMIsACallInst(i) && ir_is_convergent(i)))
                return false;
            if (LLVMIsAStoreInst(i))
                list_add(&search->stores, i);
        }
    return search->stores.count <= MOST_STORES;
}

/* ---- one load ---- */

static SlicePart ask_follows(Slice *slice, const void *context, LLVMValueRef value)
{
    IrLoop *loop = (IrLoop *)context;
    (void)slice;
    if (!ir_loop_has(loop, value))
        return SLICE_KNOWN;
    if (LLVMIsAPHINode(value))
        return LLVMGetInstructionParent(value) == ir_loop_header(loop) ? SLICE_KNOWN : SLICE_FAILS;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

bool batch_may_move(const BatchSearch *search, LLVMValueRef i)
{
    LLVMValueRef source = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
    return source && space_of(search->scope, source) == SPACE_GLOBAL &&
           ir_dominates(search->scope->kernel->ir, LLVMGetInstructionParent(i), search->batch->latch) &&
           slice_of(search->batch->arena, source, ask_follows, search->loop);
}

static int64_t bytes_of(const BatchSearch *search, LLVMTypeRef type)
{
    return (int64_t)LLVMStoreSizeOfType(search->scope->kernel->layout, type);
}

/* ---- stores that it passes ---- */

/* May the store come between the two, of which the first runs before the other? */
static bool is_between(const BatchSearch *search, LLVMValueRef first, LLVMValueRef store, LLVMValueRef load)
{
    IrModule *ir = search->scope->kernel->ir;
    return !ir_precedes(ir, load, store) && !ir_precedes(ir, store, first);
}

/* From where both count; false where that is not known. */
static bool find_bases(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load, IrExtent *stored, IrExtent *loaded)
{
    const Batch *batch = search->batch;
    IrModule *ir = search->scope->kernel->ir;
    return ir_extent(ir, batch->function, batch->header, LLVMGetOperand(store, 1), 0, NULL, stored) &&
           ir_extent(ir, batch->function, batch->header, LLVMGetOperand(load, 0), 0, NULL, loaded);
}

/* Pointers that several iterations have moved are followed back no further than a few steps: what they count from is asked as well. */
bool batch_may_meet(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load)
{
    IrModule *ir = search->scope->kernel->ir;
    IrExtent stored, loaded;
    Space space = space_of(search->scope, LLVMGetOperand(store, 1));
    if (space == SPACE_SHARED || space == SPACE_LOCAL) /* what is loaded is in global memory */
        return false;
    return ir_may_change(ir, store, load) &&
           (!find_bases(search, store, load, &stored, &loaded) || !ir_is_elsewhere(ir, store, stored.base, load, loaded.base));
}

/* Tests of the whole loop: of what is not the same object. */
static bool spans_are_known(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load)
{
    IrExtent stored, loaded;
    return find_bases(search, store, load, &stored, &loaded) && stored.base != loaded.base;
}

static const void *gap_of(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load)
{
    return ir_gap(search->scope->kernel->ir, search->batch->function, search->batch->header, LLVMGetOperand(load, 0),
                  LLVMGetOperand(store, 1), NULL, NULL);
}

static bool is_asked(const BatchSearch *search, const BatchTest *test, const void *gap)
{
    for (size_t i = 0; i < search->asked.count; i++) {
        const BatchTest *other = search->batch->tests.item[i];
        if (search->asked.item[i] == gap && !test->whole && other->stored >= test->stored && other->loaded >= test->loaded)
            return true;
    }
    return false;
}

bool batch_want_apart(BatchSearch *search, LLVMValueRef store, LLVMValueRef load, bool whole)
{
    Batch *batch = search->batch;
    const void *gap = whole ? NULL : gap_of(search, store, load);
    const BatchTest test = {store, load, bytes_of(search, LLVMTypeOf(LLVMGetOperand(store, 0))), bytes_of(search, LLVMTypeOf(load)),
                            whole};
    if (whole ? !spans_are_known(search, store, load) : !gap)
        return false;
    if (is_asked(search, &test, gap))
        return true;
    if (batch->tests.count >= (size_t)search->scope->kernel->options.cost.BATCH_TESTS)
        return false;
    BatchTest *kept = ARENA_NEW(batch->arena, BatchTest);
    *kept = test;
    list_add(&batch->tests, kept);
    list_add(&search->asked, (void *)gap);
    return true;
}

/* Notes what has to be asked; `passes`: is there any? */
static bool may_pass(BatchSearch *search, LLVMValueRef place, LLVMValueRef load, bool *passes)
{
    size_t tests = search->batch->tests.count;
    for (size_t i = 0; i < search->stores.count; i++) {
        LLVMValueRef store = search->stores.item[i];
        if (!is_between(search, place, store, load))
            continue;
        *passes = true;
        if (!ir_is_marked(load, APART_METADATA) && !ir_is_apart(search->scope->kernel->ir, store, load) &&
            batch_may_meet(search, store, load) && !batch_want_apart(search, store, load, false)) {
            search->batch->tests.count = search->asked.count = tests;
            return false;
        }
    }
    return true;
}

/* ---- where it comes ---- */

/* What comes there too at a known distance, and may load the same: `same`. */
static LLVMValueRef near(const Search *search, LLVMValueRef load, bool same)
{
    const Batch *batch = search->found.batch;
    IrModule *ir = search->found.scope->kernel->ir;
    int64_t bytes;
    for (size_t i = 0; search->place != load && i < batch->loads.count; i++) {
        LLVMValueRef other = batch->loads.item[i];
        bool is_there = other == search->place || map_get(batch->place, other) == search->place;
        if (is_there && !map_get(batch->same, other) &&
            ir_distance(ir, batch->function, LLVMGetOperand(other, 0), LLVMGetOperand(load, 0), &bytes) &&
            (!same || (bytes == 0 && LLVMTypeOf(other) == LLVMTypeOf(load))))
            return other;
    }
    return NULL;
}

static bool stores_between(const BatchSearch *search, LLVMValueRef first, LLVMValueRef load)
{
    bool any = false;
    for (size_t i = 0; i < search->stores.count && !any; i++)
        any = is_between(search, first, search->stores.item[i], load);
    return any;
}

/* Loads with nothing stored between them stay together: is there room for as many as stood together before? */
static bool is_full(Search *search, LLVMValueRef load)
{
    if (!stores_between(&search->found, search->last, load))
        return false;
    int unit = search->unit;
    search->unit = search->together = 0;
    return search->held + unit > search->found.scope->kernel->options.cost.BATCH;
}

static void begin_at(Search *search, LLVMValueRef load)
{
    search->place = load;
    search->words = search->held = search->unit = search->together = 0;
}

/* It comes to the place. */
static void take(Search *search, LLVMValueRef load)
{
    Batch *batch = search->found.batch;
    LLVMValueRef same = near(search, load, true);
    int words = same ? 0 : words_of_load(search->found.scope->kernel, load),
        held = words + (near(search, load, false) ? 0 : ADDRESS_WORDS);
    list_add(&batch->loads, load);
    if (search->place != load)
        map_put(batch->place, load, search->place);
    if (same)
        map_put(batch->same, load, same);
    search->words += words;
    search->held += held;
    search->unit += held;
    search->together += words;
    batch->together = search->together > batch->together ? search->together : batch->together;
    batch->words = search->words > batch->words ? search->words : batch->words;
    batch->held = search->held > batch->held ? search->held : batch->held;
}

static void add_load(Search *search, LLVMValueRef load)
{
    Batch *batch = search->found.batch;
    bool passes = false;
    if (!search->place || is_full(search, load)) {
        begin_at(search, load);
    } else if (!may_pass(&search->found, search->place, load, &passes)) {
        batch->why = WHY_BATCH_WRITTEN;
        begin_at(search, load);
        passes = false;
    }
    take(search, load);
    search->last = load;
    batch->passed += passes ? words_of_load(search->found.scope->kernel, load) : 0;
}

/* Blocks that dominate the latch come in one order, which is that of the dominators. */
static void add_loads(Search *search, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef above = block == search->found.batch->header ? NULL : ir_idom(search->found.scope->kernel->ir, block);
    if (above)
        add_loads(search, above);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (search->found.batch->loads.count < MOST_LOADS && batch_may_move(&search->found, i))
            add_load(search, i);
}

/* ---- the kernel ---- */

static bool is_promising(IrLoop *loop) { return ir_loop_is_innermost(loop) && loop_leaves_at_latch(loop) && !loop_is_made(loop); }

/* A body that is longer already is taken to be that of a few iterations. */
static int trips_for(const BatchSearch *search)
{
    enum { FEW = 4 };
    const Kernel *kernel = search->scope->kernel;
    int trips = kernel->options.cost.BATCH_TRIPS;
    if (!ir_loop_is_countable(kernel->ir, search->loop))
        return 0;
    return search->batch->times > 1 ? trips : (trips + FEW - 1) / FEW;
}

/* `told`: the beginning of the name of what tells it. */
static SlicePart ask_not_told(Slice *slice, const void *told, LLVMValueRef value)
{
    (void)slice;
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value))
        return SLICE_KNOWN;
    return LLVMIsACallInst(value) && text_begins(callee_name(value), told) ? SLICE_FAILS : SLICE_MADE;
}

/* Does a counter, or a pointer, go on by what that tells? Launches that go on by the number of blocks have as many threads as the GPU has room for, more
 * often than not; threads that go on by that of a block share a row. */
static bool goes_by(const BatchSearch *search, const char *told)
{
    LLVMBasicBlockRef header = search->batch->header;
    bool any = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi) && !any; phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef next = phi_value_from(phi, search->batch->latch);
        bool moves = next && (is_op(next, LLVMAdd) || LLVMIsAGetElementPtrInst(next));
        for (int i = 0; moves && i < LLVMGetNumOperands(next); i++)
            any |= !slice_of(search->batch->arena, LLVMGetOperand(next, (unsigned)i), ask_not_told, told);
    }
    return any;
}

/* Words of loads that come from behind branches of the iteration. */
static int words_behind_branches(const Search *search)
{
    const Batch *batch = search->found.batch;
    int words = 0;
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i], place = map_get(batch->place, load);
        words += place && LLVMGetInstructionParent(place) != LLVMGetInstructionParent(load)
                     ? words_of_load(search->found.scope->kernel, load)
                     : 0;
    }
    return words;
}

/* Iterations stand alone where one multiplies what the next one adds. */
static int times_together(const BatchSearch *search, int times)
{
    return times > 1 && product_returns(search->scope->kernel->ir, search->loop) ? 1 : times;
}

static Batch *batch_of(Scope *scope, IrLoop *loop)
{
    Arena *arena = scope->kernel->plan->arena;
    Batch *batch = ARENA_NEW(arena, Batch);
    *batch = (Batch){.arena = arena,
                     .function = scope->function,
                     .header = ir_loop_header(loop),
                     .latch = ir_loop_latch(loop),
                     .loads = list_new(arena),
                     .place = map_new(arena),
                     .same = map_new(arena),
                     .tests = list_new(arena)};
    Search search = {.found = {scope, loop, batch, list_new(arena), list_new(arena)}};
    if (!find_stores(&search.found) || (!scope->kernel->options.always && loop_is_rounded(scope, loop)))
        return NULL;
    batch->apart = list_new(arena);
    add_loads(&search, batch->latch);
    batch->stores = search.found.stores.count > 0;
    if (!batch->stores) {
        batch->times = times_together(&search.found, batch_times_alone(&search.found));
        batch->passed = batch->times > 1 ? 0 : words_behind_branches(&search);
        bool gains = batch->times == 1 && batch->passed && batch_gains_alone(&search.found);
        if (gains)
            batch_leave_last(&search.found);
        return batch->times > 1 || gains ? batch : NULL;
    }
    batch->times = batch->loads.count ? times_together(&search.found, batch_times(&search.found)) : 1;
    batch->by_grid = goes_by(&search.found, "llvm.nvvm.read.ptx.sreg.nctaid.");
    batch->by_block = !batch->by_grid && goes_by(&search.found, "llvm.nvvm.read.ptx.sreg.ntid.");
    batch->parts = batch->by_grid && !ir_loop_is_one_block(loop);
    batch->trips = trips_for(&search.found);
    if (!batch_gains(&search.found))
        return batch->why ? batch : NULL;
    batch->why = batch_obstacle(scope, batch);
    return batch;
}

bool batch_may_be(IrModule *ir, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(ir, b);
        if (loop && ir_loop_header(loop) == b && is_promising(loop))
            return true;
    }
    return false;
}

void batch_find(Kernel *kernel)
{
    Scope *scope = kernel->scope;
    if (!kernel->is_entry || ir_is_optnone(scope->function) || feature_is_off(&kernel->options, FEATURE_BATCHES))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        bool begins = loop && ir_loop_header(loop) == b && is_promising(loop);
        Batch *batch = begins ? batch_of(scope, loop) : NULL;
        if (batch)
            list_add(&kernel->plan->batches, batch);
    }
}
