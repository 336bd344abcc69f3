/* Loops that would become rings, or more of them, if they were written otherwise: they are, where a rehearsal shows that. */
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static bool counts_any(const Ring *ring)
{
    (void)ring;
    return true;
}

/* They ask what shared memory there is. */
static bool counts_slots(const Ring *ring) { return ring->choice.engine == ENGINE_ASYNC && !ring->shape.once; }

/* Their copies need a list. */
static bool counts_indices(const Ring *ring) { return counts_slots(ring) && ring->next.loads.count; }

/* What the rings ask of the loops that theirs were; the one that asks most. */
static void ask_most(const List *rings, RingLeast *original)
{
    for (size_t i = 0; i < rings->count; i++) {
        const RingLeast *asks = &((const Ring *)rings->item[i])->entry.original;
        *original = asks->full > original->full ? *asks : *original;
    }
}

/* Of all phases of their loops. */
static size_t rings_in(Pass *pass, bool (*counts)(const Ring *ring), RingLeast *original)
{
    size_t count = 0;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        kernel_find_tiles(kernel);
        for (size_t k = 0; k < kernel->found.tiles.count; k++) {
            List rings = rings_of_tile(kernel, kernel->found.tiles.item[k]);
            for (size_t r = 0; r < rings.count; r++)
                count += counts(rings.item[r]);
            ask_most(&rings, original);
        }
    }
    return count;
}

static void show(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    (void)least; /* their ring asks of the loops as they are then */
    kernel_measure(kernel); /* its scope is read */
    ir_show_calls(ir, kernel->function, (size_t)kernel->options.cost.CALLED);
    spaces_tell(kernel->scope);
    ir_index_pointers(ir, kernel->function);
    ir_tidy(ir, kernel->function); /* a way that no pointer takes, and the copies on it, are gone */
    ir_show_copies(ir, kernel->function);
    ir_tidy(ir, kernel->function);
}

/* Do the threads of the block that come to the loop make the same iterations, each time that any do? No other module has a part in it. */
static bool run_together(void *kernel, LLVMBasicBlockRef latch)
{
    Kernel *asks = kernel;
    IrLoop *loop = ir_loop_of(asks->ir, latch);
    return !asks->found.calls_elsewhere && uniform_ends(asks->scope, loop) &&
           (!ir_loop_parent(loop) || converges_all(asks->scope, latch));
}

typedef struct {
    Kernel *kernel;
    const RingLeast *least; /* NULL: on a copy, where all loops are made so */
} Original;

/* A loop of few iterations stays as it is, where all threads know alike how many there are; in a launch that fills the GPU others may, too. */
static void keep_short(void *original, LLVMBasicBlockRef header)
{
    Kernel *kernel = ((const Original *)original)->kernel;
    const RingLeast *least = ((const Original *)original)->least;
    IrLoop *loop = ir_loop_of(kernel->ir, header);
    RingOriginal asks = {.least = *least,
                         .counted = ir_loop_is_countable(kernel->ir, loop) && run_together(kernel, ir_loop_latch(loop))};
    if (asks.counted || least->full == NEVER_FULL)
        original_version(kernel->arena, kernel->ir, kernel->function, header, &asks);
}

/* Loops of which some iterations do nothing, or leave out a barrier. */
static void straighten(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    Original original = {kernel, least};
    kernel_measure(kernel);
    barriers_complete(kernel->scope);
    ir_tidy(ir, kernel->function);
    ir_narrow_loops(ir, kernel->function);
    ir_tidy(ir, kernel->function);
    ir_skip_ahead(ir, kernel->function, least && least->full ? keep_short : NULL, &original);
    ir_tidy(ir, kernel->function);
}

/* Arrays that hold one tile, and then another, in an iteration. */
static void split_arrays(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    (void)least;
    kernel_measure(kernel);
    ir_split_arrays(ir, kernel->function, run_together, kernel);
}

static bool is_alike(void *original, LLVMValueRef value)
{
    return uniform_in_block(((const Original *)original)->kernel->scope, value);
}

/* All threads of the block come to each iteration, and nothing that the loop writes changes the lists, as far as is not asked on entry. */
static bool may_name(void *original, const IrNamed *named)
{
    Kernel *kernel = ((const Original *)original)->kernel;
    const RingLeast *least = ((const Original *)original)->least;
    IrLoop *loop = ir_loop_of(kernel->ir, named->header);
    LLVMBasicBlockRef latch = ir_loop_latch(loop);
    RingOriginal asks = {.counted = true, .along_x = named->along_x, .along_y = named->along_y, .in_plane = named->in_plane};
    bool may = ir_loop_is_countable(kernel->ir, loop) && run_together(kernel, latch) && converges_all(kernel->scope, latch) &&
               lists_stay(kernel, loop, named->lists, named->count, &asks.tests);
    if (!may || !least)
        return may;
    asks.least = *least;
    original_version(kernel->arena, kernel->ir, kernel->function, named->header, &asks);
    return true;
}

/* Threads read a list for themselves, not through the tile of its indices that they share. */
static void name_directly(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    Original original = {kernel, least};
    const IrNaming naming = {(int64_t)kernel->options.cost.NAMED_BYTES, is_alike, may_name, &original};
    kernel_measure(kernel);
    ir_name_directly(ir, kernel->function, &naming);
    ir_tidy(ir, kernel->function);
}

/* Nothing that the loop writes changes what is read, as far as is not asked on entry, for which its threads come together. */
static bool may_load(void *original, const IrNamed *held)
{
    Kernel *kernel = ((const Original *)original)->kernel;
    const RingLeast *least = ((const Original *)original)->least;
    IrLoop *loop = ir_loop_of(kernel->ir, held->header);
    LLVMBasicBlockRef latch = ir_loop_latch(loop);
    RingOriginal asks = {.counted = ir_loop_is_countable(kernel->ir, loop)};
    bool may = run_together(kernel, latch) && converges_all(kernel->scope, latch) &&
               lists_stay(kernel, loop, held->lists, held->count, &asks.tests);
    if (!may || !least)
        return may;
    asks.least = *least;
    original_version(kernel->arena, kernel->ir, kernel->function, held->header, &asks);
    return true;
}

/* Tiles that wait in registers for the next iteration are loaded there. */
static void load_late(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    Original original = {kernel, least};
    const IrNaming asks = {.may = may_load, .context = &original};
    kernel_measure(kernel);
    ir_release_tiles(ir, kernel->function, &asks);
    ir_tidy(ir, kernel->function);
}

typedef struct {
    bool (*may)(const Kernel *kernel);
    void (*show)(IrModule *ir, Kernel *kernel,
                 const RingLeast *least); /* which rings it leads to ask of their loops as they were; NULL: nobody knows yet */
    const char *what;
    bool (*counts)(const Ring *ring); /* of which there are to be more */
} Showing;

static bool may_show(const Kernel *kernel)
{
    return ir_may_show_staging(kernel->function, (size_t)kernel->options.cost.CALLED) || ir_may_index(kernel->function);
}

static bool may_split(const Kernel *kernel) { return ir_may_split_arrays(kernel->ir, kernel->function); }

static bool may_have_indices(const Kernel *kernel) { return ir_may_name(kernel->function); }

/* Where somebody asks for stages: in launches that fill the GPU, of few tiles, slots and registers keep blocks away from the loop as it was, which
 * has one tile ahead already. */
static bool may_load_late(const Kernel *kernel)
{
    return (kernel->options.always || kernel->options.stages > 0) && ir_may_hold_tiles(kernel->function);
}

static bool may_straighten(const Kernel *kernel) { return ir_may_skip(kernel->function); }

/* On a copy: are there more rings where that has been done, and what do they ask? */
static bool shows_rings(const Pass *pass, const Kernel *kernel, const Showing *showing, RingLeast *least)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->function, &length);
    Map *running = map_new(pass->arena);
    map_put(running, kernel->function, kernel->function);
    Rehearsal rehearsal = rehearsal_open(pass, running, NULL, 0);
    Pass before = rehearsal_pass(&rehearsal, pass);
    size_t rings = rings_in(&before, showing->counts, least);
    showing->show(rehearsal.ir, pass_kernel(&before, LLVMGetNamedFunction(rehearsal.module, name)), NULL);
    pass_close(&before);
    Pass after = rehearsal_pass(&rehearsal, pass);
    trace(kernel, "tried: %s, on a copy", showing->what);
    *least = (RingLeast){0};
    bool more = rings_in(&after, showing->counts, least) > rings;
    pass_close(&after);
    rehearsal_close(&rehearsal);
    return more;
}

/* Adds the functions that have changed; true where there are any. */
static bool show_by(Pass *pass, const Showing *showing, Map *changed)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!kernel->is_entry || !showing->may(kernel))
            continue;
        kernel_measure(kernel); /* says what it runs, which a copy is made of */
        RingLeast least = {0};
        if (!shows_rings(pass, kernel, showing, &least))
            continue;
        for (size_t k = 0; k < kernel->found.scopes.count; k++)
            pass_settle(pass, ((const Scope *)kernel->found.scopes.item[k])->function);
        showing->show(pass->ir, kernel, &least);
        for (size_t k = 0; k < kernel->found.scopes.count; k++) { /* what was called rounds what it returns, whoever calls it */
            LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[k])->function;
            ir_changed(pass->ir, function);
            map_put(changed, function, pass);
        }
        trace(kernel, "made: %s", showing->what);
        any = true;
    }
    pass_renew(pass, changed);
    return any;
}

bool rings_show(Pass *pass, Map *straight)
{
    static const Showing calls = {may_show, show, "what the loops call, and copies of their own, in the loops", counts_any};
    static const Showing ways = {may_straighten, straighten,
                                 "loops with one way through them, all of whose iterations do something", counts_any};
    static const Showing lives = {may_split, split_arrays, "arrays that serve twice in an iteration, as two", counts_slots};
    static const Showing held = {may_load_late, load_late, "tiles that are stored in the iteration that loads them", counts_slots};
    static const Showing names = {may_have_indices, name_directly, "lists that each thread reads for itself", counts_indices};
    Map *shown = map_new(pass->arena);
    bool any = show_by(pass, &calls, shown);
    any |= show_by(pass, &ways, straight);
    any |= show_by(pass, &lives, shown);
    any |= show_by(pass, &held, shown);
    any |= show_by(pass, &names, shown);
    return any;
}
