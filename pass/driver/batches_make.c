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

static void tell(const Kernel *kernel, const void *found) { remark_batch(kernel, found); }

bool batches_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->batches, batch_may_be, kernel_find_batches, batch_make, tell};
    return pass_make_by_turns(pass, &turns);
}
