/* Rows walked by loops that leave early by what they have read.
 *
 *     for (k = 0; k < m; k++) { s += a[i*m + k]; if (s > limit) break; }          while (k < m && a[i*m + k] != key) k++
 *
 * How many words the row's piece has that are wanted is known only when they are read, and the lanes of a warp leave one by one: nothing moves through the warp.
 * But a lane may load a piece of its own row at once: its first word is loaded for certain, and no part of an aligned piece of 32 bytes and less can be missing. Each iteration
 * takes its words from there, and leaves as it did (pass/jam/sought_loop.cpp). That is done where the rows of all lanes begin with a piece, as is asked on entry: lanes
 * that begin their pieces at different iterations go different ways. Of one long row of words that pays all the same. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

enum { MOST_ROWS = 4, MOST_EARLY = 64, LONGEST_LOAD = 8 }; /* bounds of a search; bytes: of longer ones a sector is two */

/* A load of the loop that may be made early. */
typedef struct {
    const Access *access;
    int64_t step; /* bytes that an iteration has of its row, if every iteration makes it; else 0 */
} Early;

typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
    LLVMBasicBlockRef latch;
    List stores;      /* of LLVMValueRef, of the loop */
    int instructions; /* that it has */
    Early *early;
    size_t count;
} Search;

/* ---- the loop ---- */

static bool may_be_repeated(Search *search)
{
    const Kernel *kernel = search->kernel;
    for (size_t n = 0; n < ir_loop_size(search->loop); n++) {
        LLVMBasicBlockRef block = ir_loop_block(search->loop, n);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i), search->instructions++) {
            if (!is_unordered(i))
                return false;
            if (LLVMIsAStoreInst(i))
                list_add(&search->stores, i);
        }
        if (product_comes_in(kernel->ir, block))
            return false;
    }
    return !product_crosses(kernel->ir, search->loop) && !product_wanders(kernel->ir, search->loop) &&
           !product_returns(kernel->ir, search->loop);
}

/* What decides where the block goes on to, if anything does. */
static void add_condition(List *pending, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetNumSuccessors(end) > 1)
        list_add(pending, LLVMGetOperand(end, 0));
}

/* Is one of the values made of what the loop loads, or chosen by it? */
static bool are_of_loads(const Kernel *kernel, IrLoop *loop, List pending)
{
    enum { MOST = 256 }; /* a bound of the search */
    Map *seen = map_new(kernel->arena);
    for (size_t next = 0; next < pending.count && next < MOST; next++) {
        LLVMValueRef at = pending.item[next];
        if (!ir_loop_has(loop, at) || map_get(seen, at))
            continue;
        if (LLVMIsALoadInst(at))
            return true;
        map_put(seen, at, at);
        for (int i = 0; i < LLVMGetNumOperands(at); i++)
            list_add(&pending, LLVMGetOperand(at, (unsigned)i));
        for (unsigned i = 0; LLVMIsAPHINode(at) && i < LLVMCountIncoming(at); i++)
            if (ir_loop_has_block(loop, LLVMGetIncomingBlock(at, i)))
                add_condition(&pending, LLVMGetIncomingBlock(at, i));
    }
    return false;
}

/* Loops that counters alone leave, as the compiler unrolls them, have rows that are moved otherwise. */
static bool is_left_by_load(const Kernel *kernel, IrLoop *loop)
{
    List conditions = list_new(kernel->arena);
    for (size_t n = 0; n < ir_loop_size(loop); n++) {
        LLVMBasicBlockRef block = ir_loop_block(loop, n);
        if (!loop_leaves(loop, block))
            continue;
        add_condition(&conditions, block);
        for (LLVMBasicBlockRef b = block; b != ir_loop_header(loop) && !ir_dominates(kernel->ir, block, ir_loop_latch(loop));) {
            b = ir_idom(kernel->ir, b);
            add_condition(&conditions, b);
        }
    }
    return are_of_loads(kernel, loop, conditions);
}

/* Asked first, as it takes no time. */
static bool is_search(const Kernel *kernel, IrLoop *loop)
{
    return ir_loop_latch(loop) && ir_loop_is_innermost(loop) && !ir_loop_is_countable(kernel->ir, loop) &&
           !ir_loop_leaves_inside(kernel->ir, loop) && ir_loop_may_be_sought(loop) && is_left_by_load(kernel, loop);
}

/* ---- rows ---- */

static bool is_written(const Search *search, LLVMValueRef load)
{
    for (size_t i = 0; i < search->stores.count; i++)
        if (ir_may_change(search->kernel->ir, search->stores.item[i], load))
            return true;
    return false;
}

static bool is_always(const Search *search, const Access *access)
{
    return ir_dominates(search->kernel->ir, LLVMGetInstructionParent(access->instruction), search->latch);
}

/* A load of the loop that nothing in it disturbs. */
static bool may_be_early(const Search *search, const Access *access)
{
    return access->loop == search->loop && access->scope == search->kernel->scope && access->op == OP_LOAD &&
           access->kind == CLASS_WALK && access->space == SPACE_GLOBAL && LLVMIsALoadInst(access->instruction) &&
           is_plain(access->instruction) && !ir_is_marked(access->instruction, HINT_METADATA) && access->bytes <= LONGEST_LOAD &&
           !(access->bytes & (access->bytes - 1)) && access->alignment >= access->bytes && !is_written(search, access->instruction);
}

/* Is it asked in the header whether there is another iteration, and loaded behind that? An index that goes down to 0 wraps around where there is none. */
static bool is_asked_first(const Search *search, const Access *access)
{
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    return loop_leaves(search->loop, header) && LLVMGetInstructionParent(access->instruction) != header;
}

/* Bytes that an iteration has of the load's row; 0 where it is none whose pieces could be loaded. */
static int64_t step_of(const Search *search, const Access *access)
{
    const Kernel *kernel = search->kernel;
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    int64_t step;
    bool always = ir_step(kernel->ir, kernel->function, header, access->pointer, &step);
    if ((!always && is_asked_first(search, access)) || !ir_step_if(kernel->ir, kernel->function, header, access->pointer, &step))
        return 0;
    int64_t bytes = magnitude(step);
    return bytes >= access->bytes && bytes <= SECTOR_BYTES && !(bytes & (bytes - 1)) ? step : 0;
}

/* Is each lane, wherever its row begins, to come to where a piece does? Of bytes and halves that takes too long. Where lists begin nobody knows, and they are short. */
static bool may_approach(const SoughtRows *sought)
{
    const SoughtRow *row = sought->rows.count == 1 ? sought->rows.item[0] : NULL;
    return row && sought->iterations > 1 && magnitude(row->step) >= WORD_BYTES && row->first->stride;
}

/* Do the rows of all lanes, in all iterations of loops around, begin with such pieces, as far as numbers are known? Those that a list names begin anywhere. */
static bool may_lie(const Search *search, const SoughtRow *row, int64_t piece)
{
    int64_t stride, begin = row->base + (row->step < 0 ? -row->step : 0);
    const Access *access = row->first;
    const Form *address = access->address;
    if (search->kernel->options.always)
        return true;
    if ((address->constant + begin) % piece)
        return false; /* such as the second member of structs, or a row's second word */
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        bool is_around = term->degree == 1 && term->symbol[0]->kind == SYM_LOOP && (IrLoop *)term->symbol[0]->loop != search->loop;
        if (is_around && term->coefficient % piece)
            return false;
    }
    return access->stride && !(form_is_constant(access->stride, &stride) && stride % piece);
}

static bool find_early(Search *search)
{
    const Kernel *kernel = search->kernel;
    search->early = ARENA_ARRAY(kernel->arena, Early, MOST_EARLY);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (!may_be_early(search, access))
            continue;
        if (search->count == MOST_EARLY)
            return false;
        search->early[search->count++] = (Early){access, is_always(search, access) ? step_of(search, access) : 0};
    }
    return true;
}

/* Is the other one of the row that this one begins, and made behind it? */
static bool is_behind(const Search *search, const Access *first, const Access *access, int64_t *from)
{
    return access != first && access_distance_behind(search->kernel->scope, first, access, from) &&
           magnitude(*from) <= SECTOR_BYTES;
}

static void row_add(SoughtRow *row, LLVMValueRef load, int64_t from)
{
    row->from[row->loads.count] = from;
    list_add(&row->loads, load);
}

/* The row's piece begins with the word that comes first of those that are loaded together with the first one. */
static void find_base(SoughtRow *row)
{
    for (size_t i = 0; i < row->loads.count; i++) {
        bool together = LLVMGetInstructionParent(row->loads.item[i]) == LLVMGetInstructionParent(row->loads.item[0]);
        bool before = row->step > 0 ? row->from[i] < row->base : row->from[i] > row->base;
        if (together && before)
            row->base = row->from[i];
    }
}

/* All that is loaded of the row that begins with that load. */
static SoughtRow *row_of(const Search *search, Map *seen, const Early *first)
{
    Arena *arena = search->kernel->plan->arena;
    SoughtRow *row = ARENA_NEW(arena, SoughtRow);
    *row = (SoughtRow){.first = first->access,
                       .loads = list_new(arena),
                       .from = ARENA_ARRAY(arena, int64_t, MOST_EARLY),
                       .step = first->step};
    row_add(row, first->access->instruction, 0);
    for (size_t i = 0; i < search->count; i++) {
        const Access *access = search->early[i].access;
        int64_t from;
        if (map_get(seen, access->instruction) || !is_behind(search, first->access, access, &from))
            continue;
        row_add(row, access->instruction, from);
        map_put(seen, access->instruction, row);
    }
    map_put(seen, first->access->instruction, row);
    find_base(row);
    return row;
}

/* Is there none of the same row that is made in front of it? */
static bool is_first(const Search *search, const Access *first)
{
    int64_t from;
    for (size_t i = 0; i < search->count; i++)
        if (search->early[i].step && is_behind(search, search->early[i].access, first, &from))
            return false;
    return true;
}

static void find_rows(const Search *search, SoughtRows *sought)
{
    Map *seen = map_new(search->kernel->arena);
    for (size_t i = 0; i < search->count && sought->rows.count < MOST_ROWS; i++) {
        const Early *early = &search->early[i];
        if (early->step && !map_get(seen, early->access->instruction) && is_first(search, early->access))
            list_add(&sought->rows, row_of(search, seen, early));
    }
}

/* Iterations of a piece, so that the longest row has as many bytes; rows of which a piece is no more than they load at once are left. */
static void find_iterations(const Search *search, SoughtRows *sought)
{
    const Kernel *kernel = search->kernel;
    int64_t longest = 0, words = 0;
    size_t kept = 0;
    for (size_t i = 0; i < sought->rows.count; i++) {
        int64_t step = magnitude(((const SoughtRow *)sought->rows.item[i])->step);
        longest = step > longest ? step : longest;
    }
    const Costs *costs = &kernel->options.cost;
    int64_t bytes = longest < WORD_BYTES ? (int64_t)costs->SOUGHT_NARROW : (int64_t)costs->SOUGHT;
    sought->iterations = 1;
    while (longest && 2 * sought->iterations * longest <= bytes)
        sought->iterations *= 2;
    sought->nearer = may_approach(sought) ? (int)costs->SOUGHT_NEARER : 0;
    for (size_t i = 0; i < sought->rows.count; i++) {
        SoughtRow *row = sought->rows.item[i];
        int64_t own = magnitude(row->step) * sought->iterations;
        bool lies = may_lie(search, row, own);
        if (own < WORD_BYTES || (sought->iterations == 1 && row->loads.count == 1) || !(lies || sought->nearer))
            continue;
        sought->never_lies = !lies;
        sought->rows.item[kept++] = row;
        words += (own + WORD_BYTES - 1) / WORD_BYTES;
    }
    sought->rows.count = kept;
    sought->words = (int)words;
}

static bool pays(const Search *search, const SoughtRows *sought)
{
    const Kernel *kernel = search->kernel;
    const Costs *costs = &kernel->options.cost;
    int64_t most = ir_loop_most_trips(kernel->ir, search->loop);
    if (kernel->options.always)
        return true;
    if ((most && most < 2 * sought->iterations) || search->instructions * sought->iterations > (int)costs->SOUGHT_CODE)
        return false;
    const SoughtRow *row = sought->rows.item[0];
    return registers_live(kernel->scope, row->loads.item[0]) + sought->words <= (int)costs->SOUGHT_WORDS;
}

static SoughtRows *sought_of(Kernel *kernel, IrLoop *loop)
{
    Search search = {kernel, loop, ir_loop_latch(loop), list_new(kernel->arena), 0, NULL, 0};
    if (!may_be_repeated(&search) || !find_early(&search))
        return NULL;
    SoughtRows *sought = ARENA_NEW(kernel->plan->arena, SoughtRows);
    *sought = (SoughtRows){.header = ir_loop_header(loop), .rows = list_new(kernel->plan->arena)};
    find_rows(&search, sought);
    find_iterations(&search, sought);
    return sought->rows.count && pays(&search, sought) ? sought : NULL;
}

List sought_rows_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    bool off = feature_is_off(&kernel->options, FEATURE_SECTORS) || kernel->options.block < 0 || kernel->left;
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || off)
        return found;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool may = access->loop && access->op == OP_LOAD && access->kind == CLASS_WALK && access->scope == kernel->scope;
        if (!may || map_get(seen, ir_loop_header(access->loop)))
            continue;
        map_put(seen, ir_loop_header(access->loop), access->loop);
        SoughtRows *sought = is_search(kernel, access->loop) ? sought_of(kernel, access->loop) : NULL;
        if (sought)
            list_add(&found, sought);
    }
    return found;
}
