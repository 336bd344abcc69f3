/* Sums in memory: a loop that stores to the same place in every iteration, and writes nothing else.
 *
 *     for (j = 0; j < m; j++) y[i] += A[i*m + j] * x[j]
 *
 * The compiler stores y[i] each time, because A or x may lie there. Where both stay within bounds that are known on entry, a
 * test there tells whether they do; if not, the tally is kept in a register until the loop ends. Then the loop does nothing but
 * load, which is what other rewrites ask for. */
#include "analysis/rings/rings.h"
#include "analysis/tally/tally.h"

typedef struct {
    Scope *scope;
    IrLoop *loop;
    Tally *tally;
} Search;

static bool is_in_memory(Scope *scope, LLVMValueRef pointer)
{
    Space space = space_proved(scope, pointer);
    return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

static bool is_known_before(const Search *search, LLVMValueRef value) { return !ir_loop_has(search->loop, value); }

static int64_t size_of(const Search *search, LLVMTypeRef type)
{
    return (int64_t)LLVMStoreSizeOfType(search->scope->kernel->layout, type);
}

static TallyPlace *place_at(const Tally *tally, LLVMValueRef pointer)
{
    for (size_t i = 0; i < tally->places.count; i++) {
        TallyPlace *place = tally->places.item[i];
        if (place->pointer == pointer)
            return place;
    }
    return NULL;
}

/* ---- places ---- */

static TallyPlace *place_add(Search *search, LLVMValueRef store)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    if (search->tally->places.count == TALLY_PLACES || !is_known_before(search, pointer) || !is_in_memory(search->scope, pointer))
        return NULL;
    TallyPlace *place = ARENA_NEW(search->tally->arena, TallyPlace);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    *place = (TallyPlace){.pointer = pointer, .type = type, .bytes = size_of(search, type), .store = store};
    list_add(&search->tally->places, place);
    return place;
}

/* Every store is to one of few places, always of one type. */
static bool find_places(Search *search)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(search->tally->header); i; i = LLVMGetNextInstruction(i)) {
        if (!is_unordered(i) || ir_is_marked(i, ASIDE_METADATA))
            return false;
        if (!LLVMIsAStoreInst(i))
            continue;
        TallyPlace *place = place_at(search->tally, LLVMGetOperand(i, 1));
        if (!place)
            place = place_add(search, i);
        if (!place || place->type != LLVMTypeOf(LLVMGetOperand(i, 0)))
            return false;
    }
    return search->tally->places.count > 0;
}

/* ---- what else the loop touches ---- */

/* The loop's other accesses through it are there already: their bytes are among those asked for. */
static TallyRead *read_from(const Search *search, LLVMValueRef pointer, int64_t *offset)
{
    const List *reads = &search->tally->reads;
    for (size_t i = 0; i < reads->count; i++) {
        TallyRead *read = reads->item[i];
        if (ir_distance(search->scope->kernel->ir, search->scope->function, read->pointer, pointer, offset) && *offset >= 0)
            return read;
    }
    return NULL;
}

/* That the bytes are apart from the place is to be tested; false where that cannot be. */
static bool want_apart(Search *search, LLVMValueRef pointer, int64_t bytes, TallyPlace *place)
{
    int64_t offset = 0;
    IrExtent extent;
    size_t most = (size_t)search->scope->kernel->options.cost.ENTRY_TESTS;
    TallyRead *read = read_from(search, pointer, &offset);
    if (!read) {
        if (search->tally->reads.count >= most || !is_in_memory(search->scope, pointer) ||
            !ir_extent(search->scope->kernel->ir, search->scope->function, search->tally->header, pointer, 0, NULL, &extent))
            return false;
        read = ARENA_NEW(search->tally->arena, TallyRead);
        *read = (TallyRead){.pointer = pointer, .places = list_new(search->tally->arena)};
        list_add(&search->tally->reads, read);
    }
    if (offset + bytes > read->bytes)
        read->bytes = offset + bytes;
    if (!list_has(&read->places, place))
        list_add(&read->places, place);
    return true;
}

/* Of a load: it reads one of the places, or lies apart from all of them, if tests say so. */
static bool is_apart(Search *search, LLVMValueRef load)
{
    const Tally *tally = search->tally;
    TallyPlace *own = place_at(tally, LLVMGetOperand(load, 0));
    if (own && own->type != LLVMTypeOf(load))
        return false;
    if (own && !own->load)
        own->load = load;
    for (size_t i = 0; !own && i < tally->places.count; i++) {
        TallyPlace *place = tally->places.item[i];
        if (ir_may_change(search->scope->kernel->ir, place->store, load) &&
            !want_apart(search, LLVMGetOperand(load, 0), size_of(search, LLVMTypeOf(load)), place))
            return false;
    }
    return true;
}

static bool loads_are_apart(Search *search)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(search->tally->header); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) && !is_apart(search, i))
            return false;
    return true;
}

static bool places_are_apart(Search *search)
{
    const List *places = &search->tally->places;
    for (size_t i = 0; i < places->count; i++)
        for (size_t j = 0; j < i; j++) {
            TallyPlace *place = places->item[i];
            const TallyPlace *other = places->item[j];
            if (!ir_is_apart(search->scope->kernel->ir, place->store, other->store) &&
                !want_apart(search, other->pointer, other->bytes, place))
                return false;
        }
    return true;
}

/* ---- the loop ---- */

static Tally *tally_of(Scope *scope, IrLoop *loop)
{
    const Kernel *kernel = scope->kernel;
    if (!ir_loop_is_innermost(loop) || !ir_loop_is_one_block(loop) || (!kernel->options.always && loop_is_rounded(scope, loop)))
        return NULL;
    Arena *arena = kernel->plan->arena;
    Tally *tally = ARENA_NEW(arena, Tally);
    *tally = (Tally){.arena = arena,
                     .function = scope->function,
                     .header = ir_loop_header(loop),
                     .places = list_new(arena),
                     .reads = list_new(arena)};
    Search search = {scope, loop, tally};
    bool found = find_places(&search) && ir_loop_is_countable(kernel->ir, loop) && loads_are_apart(&search) &&
                 places_are_apart(&search);
    return found && tally->reads.count ? tally : NULL; /* the compiler keeps what needs no test */
}

static void find_in(Kernel *kernel, Scope *scope)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        Tally *tally = loop && ir_loop_header(loop) == b ? tally_of(scope, loop) : NULL;
        if (tally)
            list_add(&kernel->plan->tallies, tally);
    }
}

void tally_find(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.scopes.count; i++) {
        Scope *scope = kernel->found.scopes.item[i];
        if (!ir_is_optnone(scope->function) && !feature_is_off(&kernel->options, FEATURE_TALLIES))
            find_in(kernel, scope);
    }
}
