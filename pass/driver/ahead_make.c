/* Loops that load one iteration ahead, of what nothing else was made of; and behind those, of the same, loops whose loads come first. */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* ---- all of one search ---- */

/* Those that are to be made, which `is_wanted` says. */
static List wanted_of(const Pass *pass, const List *found, bool (*is_wanted)(const void *found))
{
    List wanted = list_new(pass->arena);
    for (size_t i = 0; i < found->count; i++)
        if (is_wanted(found->item[i]))
            list_add(&wanted, found->item[i]);
    return wanted;
}

/* ---- one iteration ahead ---- */

static bool lookahead_is_wanted(const void *found) { return !((const Lookahead *)found)->why; }

static bool settle_lookaheads(const Pass *pass, const List *wanted)
{
    bool changed = false;
    for (size_t i = 0; i < wanted->count; i++) {
        const Lookahead *ahead = wanted->item[i];
        changed |= loop_settle(pass, ahead->function, ahead->header);
    }
    return changed;
}

static void lookahead_make(Pass *pass, const Kernel *kernel, const Lookahead *ahead)
{
    if (ahead->times > 1) {
        map_put(pass->plan->beside, ahead->header, pass);
        map_put(pass->plan->repeated, ahead->function, pass);
        map_put(pass->plan->thick, ahead->function, pass);
        trace(kernel, "made: %d iterations side by side", ahead->times);
        iterations_repeat(pass->ir, ahead->function, ahead->header, ahead->times);
        return;
    }
    if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
        remark_lookahead(kernel, ahead);
    made_lookahead(kernel, ahead);
    lookahead_rewrite(pass->ir, ahead);
    pass_check(pass, "loads one iteration ahead");
}

static bool lookahead_holds(IrModule *ir, const Lookahead *ahead)
{
    return ahead->times < 2 || ir_loop_is_countable(ir, ir_loop_of(ir, ahead->header));
}

/* All of those that were found, which are loops apart from each other. False where there is none. */
static bool lookaheads_make_found(Pass *pass, const Kernel *kernel)
{
    const List wanted = wanted_of(pass, &pass->plan->lookaheads, lookahead_is_wanted);
    bool repeats = false;
    if (!wanted.count || settle_lookaheads(pass, &wanted))
        return wanted.count;
    for (size_t i = 0; i < wanted.count; i++) {
        const Lookahead *ahead = wanted.item[i];
        if (i > 0 && !lookahead_holds(pass->ir, ahead))
            continue;
        repeats |= ahead->times > 1;
        lookahead_make(pass, kernel, ahead);
    }
    if (repeats)
        iterations_clean(pass->ir, kernel->function);
    return true;
}

static void lookahead_tell(const Kernel *kernel, const void *found) { remark_lookahead(kernel, found); }

bool lookaheads_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->lookaheads, lookahead_may_be, kernel_find_lookaheads, lookaheads_make_found,
                           lookahead_tell};
    return pass_make_by_turns(pass, &turns);
}

/* ---- loads first ---- */

static bool batch_is_wanted(const void *found) { return !((const Batch *)found)->why; }

/* What a loop asks on entry hangs on what is known there, of which another version of a loop in front leaves less, or more, as that is made first or last: each that
 * asks is made alone, once all in front of it are. */
static void keep_together(List *wanted)
{
    size_t count = 0;
    for (const Batch *batch; count < wanted->count; count++) {
        batch = wanted->item[count];
        if (batch->asks || batch->tests.count)
            break;
    }
    wanted->count = count || !wanted->count ? count : 1;
}

static bool batch_holds(IrModule *ir, const Batch *batch)
{
    return batch->times < 2 || ir_loop_is_countable(ir, ir_loop_of(ir, batch->header));
}

static bool settle_batches(const Pass *pass, const List *wanted)
{
    bool changed = false;
    for (size_t i = 0; i < wanted->count; i++) {
        const Batch *batch = wanted->item[i];
        spare_keep(pass->spares, batch->function);
        changed |= loop_settle(pass, batch->function, batch->header);
    }
    return changed;
}

/* Words that are live at once where that is done to all loops of which it was found; in which of those loads come first then is noted. */
static int words_beside(const Pass *pass, LLVMValueRef function)
{
    List headers = list_new(pass->arena);
    Map *functions = map_new(pass->arena);
    map_put(functions, function, function);
    for (size_t i = 0; i < pass->plan->batches.count; i++) {
        const Batch *batch = pass->plan->batches.item[i];
        if (batch->function == function && batch_is_wanted(batch) && batch->times > 1)
            list_add(&headers, batch->header);
    }
    const List own = list_copy(pass->arena, &headers);
    Rehearsal rehearsal = rehearsal_open(pass, functions, (LLVMBasicBlockRef *)headers.item, headers.count);
    LLVMValueRef copied = LLVMGetBasicBlockParent((LLVMBasicBlockRef)headers.item[0]);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    copy.plan->is_copy = true;
    batches_make(&copy);
    int words = pressure_most(pressure_of(pass->arena, copied));
    for (size_t i = 0; i < own.count; i++)
        map_put(map_get(copy.plan->leading, headers.item[i]) ? pass->plan->leads : pass->plan->in_vain, own.item[i], pass->plan);
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return words;
}

/* Has a grid that fills the GPU no room for its threads then? The copy has all of them side by side: it says the same of each. */
static bool is_too_wide(const Pass *pass, const Kernel *kernel, const List *wanted)
{
    const Costs *costs = &kernel->options.cost;
    const Batch *parted = NULL;
    for (size_t i = 0; i < wanted->count && !parted; i++) {
        const Batch *batch = wanted->item[i];
        parted = batch->parts && batch->times > 1 ? batch : NULL;
    }
    if (!parted || kernel->options.always || pass->plan->is_copy)
        return false;
    int words = words_beside(pass, parted->function);
    trace(kernel, "tried: %d iterations side by side, on a copy: %d words at once", parted->times, words);
    return words > costs->SLIM_MOST;
}

/* Loads that have to be asked for come first, as a copy of the kernel tells for all of its loops at once, or the body is longer for nothing: a wave equation of three arrays, whose tests would have been too many, spilled 24 bytes and came to
 * 0.80 to 0.97 of plain clang (H200). */
static bool is_in_vain(const Pass *pass, const Kernel *kernel, const Batch *batch)
{
    if (!batch->asks || pass->plan->is_copy)
        return false;
    if (!map_get(pass->plan->leads, batch->header) && !map_get(pass->plan->in_vain, batch->header))
        words_beside(pass, batch->function);
    bool vain = map_get(pass->plan->in_vain, batch->header) != NULL;
    if (vain)
        trace(kernel, "tried: %d iterations side by side, on a copy: no load comes first", batch->times);
    return vain;
}

static void batch_put_beside(Pass *pass, const Kernel *kernel, const Batch *batch)
{
    map_put(pass->plan->repeated, batch->function, pass);
    bool ways = !ir_loop_is_one_block(ir_loop_of(pass->ir, batch->header));
    if (!batch->stores || !ways || batch->together >= kernel->options.cost.BATCH_LEAST)
        map_put(pass->plan->thick, batch->function, pass);
    spare_ask_beside(pass->spares, kernel, batch);
    if (batch->parts)
        map_put(pass->plan->parted, batch->function, batch->function);
    if (!pass->plan->is_copy)
        trace(kernel, "made: %d iterations side by side", batch->times);
    batch_repeat(pass->ir, batch);
}

static void batch_make(const Pass *pass, const Kernel *kernel, const Batch *batch)
{
    if (!map_get(pass->plan->beside, batch->header))
        spare_gains(pass->spares, batch->function); /* in a body as it was */
    map_put(pass->plan->leading, batch->header, pass->plan);
    if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
        remark_batch(kernel, batch);
    if (!pass->plan->is_copy)
        made_batch(kernel, batch);
    batch_rewrite(pass->ir, batch);
    pass_check(pass, "loads that come first");
}

/* Those that were found and may be made together, which are loops apart from each other. False where there is none. */
static bool batches_make_found(Pass *pass, const Kernel *kernel)
{
    List wanted = wanted_of(pass, &pass->plan->batches, batch_is_wanted);
    bool repeats = false;
    keep_together(&wanted);
    if (!wanted.count || settle_batches(pass, &wanted))
        return wanted.count;
    bool wide = is_too_wide(pass, kernel, &wanted);
    for (size_t i = 0; i < wanted.count; i++) {
        const Batch *batch = wanted.item[i];
        if (i > 0 && !batch_holds(pass->ir, batch))
            continue;
        if (batch->times < 2) {
            batch_make(pass, kernel, batch);
            continue;
        }
        map_put(pass->plan->beside, batch->header, pass);
        if ((batch->parts && wide) || is_in_vain(pass, kernel, batch))
            continue;
        batch_put_beside(pass, kernel, batch);
        repeats = true;
    }
    if (repeats)
        iterations_clean(pass->ir, kernel->function);
    return true;
}

static void batch_tell(const Kernel *kernel, const void *found) { remark_batch(kernel, found); }

bool batches_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->batches, batch_may_be, kernel_find_batches, batches_make_found, batch_tell};
    return pass_make_by_turns(pass, &turns);
}

/* ---- loads behind quotients ---- */

bool parted_make(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_BATCHES) ||
            !ir_has_loops(pass->ir, kernel->function))
            continue;
        kernel_measure(kernel); /* its scope is read */
        const List found = parted_find(kernel->scope);
        if (!found.count)
            continue;
        trace(kernel, "made: %zu loads in front of quotients", found.count);
        parted_raise(pass->arena, &found);
        ir_changed(pass->ir, kernel->function);
        pass_check(pass, "loads in front of quotients");
        any = true;
    }
    return any;
}
