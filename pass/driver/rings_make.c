/* Rings, fills, and tallies: each that is made changes what the others were found in. */
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* Has the module shared arrays, and such barriers? */
static bool may_stage(LLVMModuleRef module, bool (*is_barrier)(const char *name))
{
    return pass_declares(module, is_barrier) && has_shared_arrays(module);
}

/* `header` names the loop of the ring, and then those to be unrolled. */
static void unroll_inside(IrModule *ir, const Ring *ring, LLVMBasicBlockRef *header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header[0]);
    for (size_t i = 0; i < ring->choice.loops.count; i++) {
        ir_unroll(ir, function, header[i + 1], &((const RingLoop *)ring->choice.loops.item[i])->trips, 1, NULL, NULL);
        ir_changed(ir, function);
    }
    ir_tidy(ir, function);
}

static size_t rings_by(const Plan *plan, RingEngine engine)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->rings.count; i++)
        count += ((const Ring *)plan->rings.item[i])->choice.engine == engine;
    return count;
}

static bool keeps_rings(const Pass *pass, const Kernel *kernel, const Ring *ring, LLVMBasicBlockRef *header)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->function, &length);
    Map *running = map_new(pass->arena);
    map_put(running, ring->function, pass->module);
    Rehearsal rehearsal = rehearsal_open(pass, running, header, ring->choice.loops.count + 1);
    unroll_inside(rehearsal.ir, ring, header);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    Kernel *twin = pass_kernel(&copy, LLVMGetNamedFunction(rehearsal.module, name));
    trace(kernel, "tried: the loops inside unrolled, on a copy");
    kernel_find_tiles(twin);
    bool keeps = rings_by(copy.plan, ring->choice.engine) >= rings_by(pass->plan, ring->choice.engine);
    trace(kernel,
          keeps ? "made: the loops inside unrolled" : "undone: the loops inside unrolled: fewer rings are found on the copy");
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return keeps;
}

static void headers_of(const Ring *ring, LLVMBasicBlockRef *header)
{
    header[0] = ring->header;
    for (size_t i = 0; i < ring->choice.loops.count; i++)
        header[i + 1] = ((const RingLoop *)ring->choice.loops.item[i])->header;
}

/* Inner loops of few iterations come first, where a rehearsal shows that the ring is still found without them. True where that
 * has been settled now: the ring is to be looked for again, which may have counted on it. */
static bool ring_unroll(const Pass *pass, const Kernel *kernel, const Ring *ring)
{
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, ring->choice.loops.count + 1);
    if (map_get(pass->plan->unrolled, ring->header))
        return false;
    map_put(pass->plan->unrolled, ring->header, ring->header);
    headers_of(ring, header);
    if (!ring->choice.loops.count)
        return false;
    if (keeps_rings(pass, kernel, ring, header)) {
        headers_of(ring, header);
        unroll_inside(pass->ir, ring, header);
    }
    return true;
}

bool loop_settle(const Pass *pass, LLVMValueRef function, LLVMBasicBlockRef header)
{
    bool changed = pass_settle(pass, function);
    if (changed)
        ir_changed(pass->ir, function);
    return ir_loop_simplify(pass->ir, function, header) || changed;
}

/* Makes the first of the rings that were found, or something that it is to come after. The function that has changed. */
static LLVMValueRef ring_make(const Pass *pass, Kernel *kernel)
{
    const Ring *ring = pass->plan->rings.item[0];
    LLVMBasicBlockRef around = ring->entry.least.full ? ring->runs.around : NULL; /* of which there will be two versions */
    if (loop_settle(pass, ring->function, ring->header) || (around && ir_loop_simplify(pass->ir, ring->function, around)) ||
        ring_unroll(pass, kernel, ring))
        return ring->function;
    if (tile_make_longer(pass, kernel)) /* what is unrolled reads neighbours at once */
        return kernel->function;
    LLVMBasicBlockRef filling = ring_filling(pass->ir, ring);
    if (filling && ir_loop_simplify(pass->ir, ring->function, filling))
        return ring->function;
    made_ring(kernel, ring);
    ring_rewrite(pass->ir, ring);
    return ring->function;
}

/* All of the kernel at once: what is left of loops that copy to shared memory. */
static LLVMValueRef fill_make(const Pass *pass, Kernel *kernel)
{
    const List *fills = &pass->plan->fills;
    if (!pass_settle(pass, kernel->function)) {
        fill_rewrite(pass->arena, fills);
        made_fills(kernel, fills);
    }
    ir_changed(pass->ir, kernel->function);
    return kernel->function;
}

static LLVMValueRef tally_make(const Pass *pass, Kernel *kernel)
{
    const Tally *tally = pass->plan->tallies.item[0];
    if (loop_settle(pass, tally->function, tally->header))
        return tally->function;
    made_tally(kernel, tally);
    tally_rewrite(pass->ir, tally);
    return tally->function;
}

/* Finds and makes by turns, until nothing more is found. True where anything was. */
static bool make_all(Pass *pass, List *found, void (*find)(Kernel *kernel), LLVMValueRef (*make)(const Pass *pass, Kernel *kernel))
{
    List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++) {
        Kernel **kernel = looping.item[i];
        for (find(*kernel); found->count; find(*kernel)) {
            Map *changed = map_new(pass->arena);
            map_put(changed, make(pass, *kernel), pass);
            pass_check(pass, "a ring, a fill or a tally");
            found->count = 0;
            pass_renew(pass, changed);
            any = true;
        }
    }
    return any;
}

/* ---- loops that stage shared memory elsewhere ---- */

/* Of all phases of their loops; those of slots alone, which ask what shared memory there is. */
static size_t rings_in(Pass *pass, bool of_slots)
{
    size_t rings = 0;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        kernel_find_tiles(kernel);
        for (size_t k = 0; k < kernel->found.tiles.count; k++) {
            const Tile *tile = kernel->found.tiles.item[k];
            bool has_slots = tile->ring->choice.engine == ENGINE_ASYNC && !tile->ring->shape.once;
            rings += has_slots || !of_slots ? rings_of_tile(kernel, tile) : 0;
        }
    }
    return rings;
}

static void show(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    (void)least;
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
    const RingLeast *least;
} Straight;

/* A loop of few iterations stays as it is, where all threads know alike how many there are; in a launch that fills the GPU others may, too. */
static void keep_short(void *straight, LLVMBasicBlockRef header)
{
    Kernel *kernel = ((const Straight *)straight)->kernel;
    const RingLeast *least = ((const Straight *)straight)->least;
    IrLoop *loop = ir_loop_of(kernel->ir, header);
    bool counted = ir_loop_is_countable(kernel->ir, loop) && run_together(kernel, ir_loop_latch(loop));
    if (counted || least->full == NEVER_FULL)
        straight_version(kernel->arena, kernel->ir, kernel->function, header, least, counted);
}

/* Loops of which some iterations do nothing, or leave out a barrier. */
static void straighten(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    Straight straight = {kernel, least};
    kernel_measure(kernel);
    barriers_complete(kernel->scope);
    ir_tidy(ir, kernel->function);
    ir_narrow_loops(ir, kernel->function);
    ir_tidy(ir, kernel->function);
    ir_skip_ahead(ir, kernel->function, least->full ? keep_short : NULL, &straight);
    ir_tidy(ir, kernel->function);
}

/* Arrays that hold one tile, and then another, in an iteration. */
static void split_arrays(IrModule *ir, Kernel *kernel, const RingLeast *least)
{
    (void)least;
    kernel_measure(kernel);
    ir_split_arrays(ir, kernel->function, run_together, kernel);
}

typedef struct {
    bool (*may)(const Kernel *kernel);
    void (*show)(IrModule *ir, Kernel *kernel,
                 const RingLeast *least); /* which rings it leads to ask of their loops as they were */
    const char *what;
    bool takes_shared; /* more of it than there was */
} Showing;

static bool may_show(const Kernel *kernel)
{
    return ir_may_show_staging(kernel->function, (size_t)kernel->options.cost.CALLED) || ir_may_index(kernel->function);
}

static bool may_split(const Kernel *kernel) { return ir_may_split_arrays(kernel->ir, kernel->function); }

static bool may_straighten(const Kernel *kernel) { return ir_may_skip(kernel->function); }

/* What the rings ask of the loops that theirs were; the one that asks most. */
static RingLeast straight_in(const Pass *pass)
{
    RingLeast least = {0};
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const List *tiles = &((const Kernel *)pass->kernels.item[i])->found.tiles;
        for (size_t k = 0; k < tiles->count; k++) {
            const Ring *ring = ((const Tile *)tiles->item[k])->ring;
            least = !ring->why && ring->entry.straight.full > least.full ? ring->entry.straight : least;
        }
    }
    return least;
}

/* On a copy: are there more rings where that has been done, and what do they ask? */
static bool shows_rings(const Pass *pass, const Kernel *kernel, const Showing *showing, RingLeast *least)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->function, &length);
    Map *running = map_new(pass->arena);
    map_put(running, kernel->function, kernel->function);
    Rehearsal rehearsal = rehearsal_open(pass, running, NULL, 0);
    Pass before = rehearsal_pass(&rehearsal, pass);
    size_t rings = rings_in(&before, showing->takes_shared);
    showing->show(rehearsal.ir, pass_kernel(&before, LLVMGetNamedFunction(rehearsal.module, name)), least);
    pass_close(&before);
    Pass after = rehearsal_pass(&rehearsal, pass);
    trace(kernel, "tried: %s, on a copy", showing->what);
    bool more = rings_in(&after, showing->takes_shared) > rings;
    *least = straight_in(&after);
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

/* Of kernels that were made straight. */
static void inline_steps(Pass *pass, const Map *straight)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        if (!map_get(straight, kernel->function))
            continue;
        ir_inline_steps(pass->ir, kernel->function);
        ir_tidy(pass->ir, kernel->function);
    }
    pass_renew(pass, straight);
}

/* Until no more is found; then what each has to wait for is known. */
static bool rings_make_all(Pass *pass)
{
    bool any = make_all(pass, &pass->plan->rings, kernel_find_tiles, ring_make);
    for (size_t i = 0; any && i < pass->kernels.count; i++)
        waits_settle(pass->arena, ((const Kernel *)pass->kernels.item[i])->function);
    return any;
}

bool rings_show(Pass *pass, Map *straight)
{
    static const Showing calls = {may_show, show, "what the loops call, and copies of their own, in the loops", false};
    static const Showing ways = {may_straighten, straighten,
                                 "loops with one way through them, all of whose iterations do something", false};
    static const Showing lives = {may_split, split_arrays, "arrays that serve twice in an iteration, as two", true};
    Map *shown = map_new(pass->arena);
    bool any = show_by(pass, &calls, shown);
    any |= show_by(pass, &ways, straight);
    any |= show_by(pass, &lives, shown);
    return any;
}

bool rings_make(Pass *pass)
{
    if (!may_stage(pass->module, is_barrier_name) && !may_stage(pass->module, is_warp_barrier_name))
        return false;
    Map *straight = map_new(pass->arena);
    bool any = rings_show(pass, straight);
    any |= rings_make_all(pass);
    inline_steps(pass, straight);
    return any;
}

bool fills_make(Pass *pass)
{
    return may_stage(pass->module, is_barrier_name) && make_all(pass, &pass->plan->fills, kernel_find_fills, fill_make);
}

bool tallies_make(Pass *pass) { return make_all(pass, &pass->plan->tallies, kernel_find_tallies, tally_make); }
