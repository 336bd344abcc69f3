/* Loops that load one iteration ahead, of what nothing else was made of; and behind those, of the same, loops whose loads come first. */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* ---- one iteration ahead ---- */

static const Lookahead *first_lookahead(const List *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (!((const Lookahead *)found->item[i])->why)
            return found->item[i];
    return NULL;
}

/* One of those that were found. False where there is none. */
static bool lookahead_make(Pass *pass, const Kernel *kernel)
{
    const Lookahead *ahead = first_lookahead(&pass->plan->lookaheads);
    if (!ahead)
        return false;
    if (!loop_settle(pass, ahead->function, ahead->header)) {
        if (ahead->times > 1) {
            map_put(pass->plan->beside, ahead->header, pass);
            map_put(pass->plan->repeated, ahead->function, pass);
            trace(kernel, "made: %d iterations side by side", ahead->times);
            iterations_repeat(pass->ir, ahead->function, ahead->header, ahead->times);
            return true;
        }
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            remark_lookahead(kernel, ahead);
        made_lookahead(kernel, ahead);
        lookahead_rewrite(pass->ir, ahead);
        pass_check(pass, "loads one iteration ahead");
    }
    return true;
}

static void lookahead_tell(const Kernel *kernel, const void *found) { remark_lookahead(kernel, found); }

bool lookaheads_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->lookaheads, lookahead_may_be, kernel_find_lookaheads, lookahead_make, lookahead_tell};
    return pass_make_by_turns(pass, &turns);
}

/* ---- loads first ---- */

static const Batch *first_batch(const List *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (!((const Batch *)found->item[i])->why)
            return found->item[i];
    return NULL;
}

/* Words that are live at once where that is done: on a copy. */
static int words_beside(const Pass *pass, const Batch *batch)
{
    Map *functions = map_new(pass->arena);
    LLVMBasicBlockRef header = batch->header;
    map_put(functions, batch->function, batch->function);
    Rehearsal rehearsal = rehearsal_open(pass, functions, &header, 1);
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    copy.plan->is_copy = true;
    batches_make(&copy);
    int words = pressure_most(pressure_of(pass->arena, function));
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return words;
}

/* Has a grid that fills the GPU no room for its threads then? */
static bool is_too_wide(const Pass *pass, const Kernel *kernel, const Batch *batch)
{
    const Costs *costs = &kernel->options.cost;
    int words = batch->parts && !kernel->options.always && !pass->plan->is_copy ? words_beside(pass, batch) : 0;
    if (words)
        trace(kernel, "tried: %d iterations side by side, on a copy: %d words at once", batch->times, words);
    return words > costs->SLIM_MOST;
}

/* One of those that were found. False where there is none. */
static bool batch_make(Pass *pass, const Kernel *kernel)
{
    const Batch *batch = first_batch(&pass->plan->batches);
    if (!batch)
        return false;
    spare_keep(pass->spares, batch->function);
    if (loop_settle(pass, batch->function, batch->header))
        return true;
    if (batch->times > 1) {
        map_put(pass->plan->beside, batch->header, pass);
        if (is_too_wide(pass, kernel, batch))
            return true;
        map_put(pass->plan->repeated, batch->function, pass);
        spare_ask_beside(pass->spares, kernel, batch);
        if (batch->parts)
            map_put(pass->plan->parted, batch->function, batch->function);
        trace(kernel, "made: %d iterations side by side", batch->times);
        batch_repeat(pass->ir, batch);
        return true;
    }
    if (!map_get(pass->plan->beside, batch->header))
        spare_gains(pass->spares, batch->function); /* in a body as it was */
    if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
        remark_batch(kernel, batch);
    if (!pass->plan->is_copy)
        made_batch(kernel, batch);
    batch_rewrite(pass->ir, batch);
    pass_check(pass, "loads that come first");
    return true;
}

static void batch_tell(const Kernel *kernel, const void *found) { remark_batch(kernel, found); }

bool batches_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->batches, batch_may_be, kernel_find_batches, batch_make, batch_tell};
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
