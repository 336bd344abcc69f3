/* Atomic additions to neighbouring words, of the code as it is by now: behind all that makes other versions of it. */
#include "analysis/reductions/reductions.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static bool may_be(const Kernel *kernel)
{
    bool may = false;
    for (size_t i = 0; i < kernel->found.scopes.count && !may; i++)
        may = additions_may_be(((const Scope *)kernel->found.scopes.item[i])->function);
    return may;
}

static bool kernel_make(Pass *pass, Kernel **kernel)
{
    Map *changed = map_new(pass->arena);
    map_put(changed, (*kernel)->function, pass);
    pass_renew(pass, changed); /* what was found of it may be gone */
    kernel_find_additions(*kernel);
    const List *stretches = &(*kernel)->found.stretches;
    for (size_t i = 0; i < stretches->count; i++)
        pass_settle(pass, ((const AddedStretch *)stretches->item[i])->function);
    for (size_t i = 0; i < stretches->count; i++) {
        const AddedStretch *stretch = stretches->item[i];
        made_additions(*kernel, stretch);
        additions_rewrite(stretch);
        spare_refuse(pass->spares, stretch->function);
        map_put(changed, stretch->function, pass);
        ir_changed(pass->ir, stretch->function);
    }
    if (!stretches->count)
        return false;
    pass_check(pass, "reductions of several words");
    pass_renew(pass, changed);
    return true;
}

bool reductions_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel **kernel = (Kernel **)&pass->kernels.item[i];
        if (may_be(*kernel))
            any |= kernel_make(pass, kernel);
    }
    return any;
}
