/* Stores and atomics of a walk's loop that may write what later iterations load, at places too many to be told from the rows piece by piece, or in
 * some iterations alone.
 *
 *     for (j = 0; j < m; j++) out[i + n*j] = in[i*m + j]          for (j = 0; j < m; j++) if (in[i*m + j] > limit) atomicAdd(&count[i % 256], 1)
 *
 *     in ---- all that the loop loads ----        out ---- all that it stores ----        apart: each within its own side
 *
 * Where both stay within bounds that are known on entry, a test there tells whether they meet; the original runs where they do. Each thread
 * asks of what it loads and stores itself: what another one stores meanwhile it stores in no order with these loads, in the original as
 * well. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

enum { MOST_PAIRS = 512 }; /* of a load and a store: a bound of the search */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    EntryTests *tests;
    List loads, writes; /* of LLVMValueRef: of the loop */
    Map *bases; /* what they count from */
} Search;

static Search search_open(Scope *scope, IrLoop *loop)
{
    Arena *arena = scope->kernel->arena;
    return (Search){scope, loop, NULL, list_new(arena), list_new(arena), map_new(arena)};
}

static IrModule *ir_of(const Search *search) { return search->scope->kernel->ir; }

bool loop_memory_find(const Scope *scope, IrLoop *loop, List *loads, List *writes)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i)) {
            if (!is_unordered(i) && !order_is_silent(i))
                return false;
            if (writes_place(i) || LLVMIsALoadInst(i))
                list_add(writes_place(i) ? writes : loads, i);
        }
    return true;
}

bool may_meet(const Scope *scope, LLVMValueRef write, LLVMValueRef load)
{
    if (ir_is_promised_apart(load, write))
        return false;
    return LLVMIsAStoreInst(write) ? ir_may_change(scope->kernel->ir, write, load) : order_may_write(scope, write, load);
}

/* ---- what can be asked ---- */

/* What the access counts from, if it is known between which bounds it stays; else NULL. */
static LLVMValueRef base_of(const Search *search, LLVMValueRef access)
{
    IrExtent extent;
    LLVMValueRef pointer = pointer_of_access(access), base = map_get(search->bases, access);
    Space space = base ? SPACE_GLOBAL : space_proved(search->scope, pointer);
    if (!base && (space == SPACE_GLOBAL || space == SPACE_GENERIC) &&
        ir_extent(ir_of(search), search->scope->function, ir_loop_header(search->loop), pointer, 0, NULL, &extent))
        map_put(search->bases, access, base = extent.base);
    return base;
}

/* Of one object, rows and columns cross each other: a test would seldom hold. */
static bool can_be_asked(const Search *search, LLVMValueRef load)
{
    LLVMValueRef loaded = base_of(search, load);
    bool can = loaded != NULL;
    for (size_t i = 0; i < search->writes.count && can; i++) {
        bool meets = write_reaches(search->scope, search->loop, search->writes.item[i], load);
        LLVMValueRef written = meets ? base_of(search, search->writes.item[i]) : NULL;
        can = !meets || (written && written != loaded);
    }
    return can;
}

/* ---- what is asked ---- */

static int64_t bytes_in(const Scope *scope, LLVMValueRef access)
{
    return (int64_t)LLVMStoreSizeOfType(scope->kernel->layout, type_of_access(access));
}

static LoopSpan *span_over(const Scope *scope, const List *spans, LLVMValueRef access)
{
    const Kernel *kernel = scope->kernel;
    int64_t offset, bytes = bytes_in(scope, access);
    for (size_t i = 0; i < spans->count; i++) {
        LoopSpan *span = spans->item[i];
        if (!ir_distance(kernel->ir, scope->function, pointer_of_access(span->access), pointer_of_access(access), &offset) ||
            magnitude(offset) > (uint64_t)kernel->options.cost.NEAR)
            continue;
        span->low = offset < span->low ? offset : span->low;
        span->high = offset + bytes > span->high ? offset + bytes : span->high;
        return span;
    }
    return NULL;
}

static LoopSpan *span_of(const Scope *scope, IrLoop *loop, List *spans, LLVMValueRef access)
{
    Arena *arena = scope->kernel->plan->arena;
    LoopSpan *span = span_over(scope, spans, access);
    if (span)
        return span;
    span = ARENA_NEW(arena, LoopSpan);
    *span = (LoopSpan){.access = access,
                       .number = number_in(loop, access),
                       .high = bytes_in(scope, access),
                       .apart = list_new(arena)};
    list_add(spans, span);
    return span;
}

static void ask(const Search *search, LLVMValueRef load)
{
    LoopSpan *span = span_of(search->scope, search->loop, &search->tests->loads, load);
    for (size_t i = 0; i < search->writes.count; i++) {
        LLVMValueRef write = search->writes.item[i];
        bool reaches = write_reaches(search->scope, search->loop, write, load);
        if (!reaches && may_meet(search->scope, write, load))
            list_add(&search->tests->beside, (void *)number_in(search->loop, write));
        LoopSpan *written = reaches ? span_of(search->scope, search->loop, &search->tests->writes, write) : NULL;
        if (written && !list_has(&span->apart, written))
            list_add(&span->apart, written);
    }
    list_add(&search->tests->apart, (void *)number_in(search->loop, load));
}

static EntryTests *tests_new(Arena *arena)
{
    EntryTests *tests = ARENA_NEW(arena, EntryTests);
    *tests = (EntryTests){.loads = list_new(arena), .writes = list_new(arena), .apart = list_new(arena), .beside = list_new(arena)};
    return tests;
}

EntryTests *entry_tests_find(Scope *scope, IrLoop *loop, const List *loads)
{
    const Kernel *kernel = scope->kernel;
    Search search = search_open(scope, loop);
    if (!loop_memory_find(scope, loop, &search.loads, &search.writes) || !search.writes.count ||
        search.loads.count * search.writes.count > MOST_PAIRS)
        return NULL;
    search.tests = tests_new(kernel->plan->arena);
    for (size_t i = 0; i < search.loads.count; i++) {
        LLVMValueRef load = search.loads.item[i];
        bool walks = list_has(loads, load), can = can_be_asked(&search, load);
        if (walks && !can)
            return NULL;
        if (can)
            ask(&search, load);
    }
    size_t spans = search.tests->loads.count + search.tests->writes.count;
    return search.tests->writes.count && spans <= (size_t)kernel->options.cost.ENTRY_TESTS ? search.tests : NULL;
}

/* ---- whether it has to be ---- */

/* In so many iterations that come to stand in one body, one test will not do for it. */
static bool is_loose(const Search *search, LLVMValueRef write, int iterations)
{
    int64_t bytes;
    bool steps = ir_step(ir_of(search), search->scope->function, ir_loop_header(search->loop), pointer_of_access(write), &bytes);
    return !steps || (int64_t)magnitude(bytes) * iterations > (int64_t)search->scope->kernel->options.cost.NEAR;
}

/* Of atomics nothing is asked within a body. */
bool entry_tests_wanted(Scope *scope, IrLoop *loop, const List *loads, int iterations)
{
    Search search = search_open(scope, loop);
    bool adds = false;
    int loose = 0;
    if (!loop_memory_find(scope, loop, &search.loads, &search.writes) || search.loads.count * search.writes.count > MOST_PAIRS)
        return false;
    for (size_t i = 0; i < search.writes.count; i++) {
        LLVMValueRef write = search.writes.item[i];
        bool meets = false;
        for (size_t k = 0; k < loads->count && !meets; k++)
            meets = write_reaches(scope, loop, write, loads->item[k]);
        loose += meets && is_loose(&search, write, iterations);
        adds |= meets && !LLVMIsAStoreInst(write);
    }
    return adds || loose * iterations > (int)scope->kernel->options.cost.TESTS;
}
