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

/* What stays as it is, told once all is made. */
static void tell_left(const Pass *pass, const Kernel *kernel)
{
    for (size_t i = 0; i < pass->plan->lookaheads.count; i++)
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            remark_lookahead(kernel, pass->plan->lookaheads.item[i]);
}

static bool kernel_make(Pass *pass, Kernel **kernel)
{
    Map *changed = map_new(pass->arena);
    bool any = false;
    map_put(changed, (*kernel)->function, pass);
    for (;;) {
        pass_renew(pass, changed);
        pass->plan->lookaheads.count = 0;
        kernel_find_lookaheads(*kernel);
        if (!lookahead_make(pass, *kernel))
            break;
        any = true;
    }
    tell_left(pass, *kernel);
    return any;
}

bool lookaheads_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel **kernel = (Kernel **)&pass->kernels.item[i];
        if ((*kernel)->is_entry && lookahead_may_be(pass->ir, (*kernel)->function))
            any |= kernel_make(pass, kernel);
    }
    return any;
}
