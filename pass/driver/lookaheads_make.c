/* Loops that load one iteration ahead: last of all, of what nothing else was made of. */
#include "analysis/ahead/lookahead.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static const Lookahead *first_made(const List *found)
{
    for (size_t i = 0; i < found->count; i++)
        if (!((const Lookahead *)found->item[i])->why)
            return found->item[i];
    return NULL;
}

/* One of those that were found. False where there is none. */
static bool lookahead_make(Pass *pass, const Kernel *kernel)
{
    const Lookahead *ahead = first_made(&pass->plan->lookaheads);
    if (!ahead)
        return false;
    if (!loop_settle(pass, ahead->function, ahead->header)) {
        if (ahead->times > 1) {
            map_put(pass->plan->beside, ahead->header, pass);
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

static void tell(const Kernel *kernel, const void *found) { remark_lookahead(kernel, found); }

bool lookaheads_make(Pass *pass)
{
    const ByTurns turns = {&pass->plan->lookaheads, lookahead_may_be, kernel_find_lookaheads, lookahead_make, tell};
    return pass_make_by_turns(pass, &turns);
}
