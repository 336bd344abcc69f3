/* Rings, fills, and tallies: each that is made changes what the others were found in. */
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
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
    Ring *ring = pass->plan->rings.item[0];
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
    kernel_measure(kernel);
    ring->told = transfers_told(kernel, ring); /* as long as its loads are there */
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
