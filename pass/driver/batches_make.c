/* Loops whose loads come first: behind those that load an iteration ahead, of what nothing else was made of. */
#include "analysis/ahead/batch.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static const Batch *first_made(const List *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (!((const Batch *)found->item[i])->why)
            return found->item[i];
    return NULL;
}

/* One of those that were found. False where there is none. */
static bool batch_make(Pass *pass, const Kernel *kernel)
{
    const Batch *batch = first_made(&pass->plan->batches);
    if (!batch)
        return false;
    if (loop_settle(pass, batch->function, batch->header))
        return true;
    if (batch->times > 1) {
        map_put(pass->plan->beside, batch->header, pass);
        trace(kernel, "made: %d iterations side by side", batch->times);
        batch_repeat(pass->ir, batch);
        return true;
    }
    if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
        remark_batch(kernel, batch);
    made_batch(kernel, batch);
    batch_rewrite(pass->ir, batch);
    pass_check(pass, "loads that come first");
    return true;
}

/* What stays as it is, told once all is made. */
static void tell_left(const Pass *pass, const Kernel *kernel)
{
    for (size_t i = 0; i < pass->plan->batches.count; i++)
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            remark_batch(kernel, pass->plan->batches.item[i]);
}

static bool kernel_make(Pass *pass, Kernel **kernel)
{
    Map *changed = map_new(pass->arena);
    bool any = false;
    map_put(changed, (*kernel)->function, pass);
    for (;;) {
        pass_renew(pass, changed);
        pass->plan->batches.count = 0;
        kernel_find_batches(*kernel);
        if (!batch_make(pass, *kernel))
            break;
        any = true;
    }
    tell_left(pass, *kernel);
    return any;
}

bool batches_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel **kernel = (Kernel **)&pass->kernels.item[i];
        if ((*kernel)->is_entry && batch_may_be(pass->ir, (*kernel)->function))
            any |= kernel_make(pass, kernel);
    }
    return any;
}
