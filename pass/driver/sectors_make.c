/* Loops that are left by what they load of rows: pieces of those are loaded at once. */
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static bool kernel_make(Pass *pass, Kernel *kernel)
{
    kernel_measure(kernel);
    const List found = sought_rows_find(kernel);
    if (!found.count)
        return false;
    Map *changed = map_new(pass->arena);
    map_put(changed, kernel->function, pass);
    pass_settle(pass, kernel->function);
    for (size_t i = 0; i < found.count; i++) {
        const SoughtRows *sought = found.item[i];
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            remark_sought(kernel, sought);
        made_sought(kernel, sought);
        sought_rows_load(pass->arena, pass->ir, sought);
    }
    pass_check(pass, "pieces of rows that are searched");
    pass_renew(pass, changed);
    return true;
}

bool sectors_make(Pass *pass)
{
    const List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++)
        any |= kernel_make(pass, *(Kernel **)looping.item[i]);
    return any;
}
