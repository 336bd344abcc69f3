/* Shared arrays whose rows become longer, one after the other. */
#include "analysis/banks/banks.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* Finds one, and makes it. True where the kernel is to be looked at again. */
static bool bank_make(Pass *pass, Kernel *kernel, bool speaks)
{
    kernel_measure(kernel);
    const Padding *padding = banks_find(kernel);
    if (!padding)
        return false;
    Map *changed = map_new(pass->arena);
    map_put(changed, kernel->function, pass);
    if (!pass_settle(pass, kernel->function)) {
        if (speaks)
            remark_padding(kernel, padding);
        made_padding(kernel, padding);
        padding_rewrite(pass->ir, padding);
        pass_check(pass, "a padded array");
    }
    ir_changed(pass->ir, kernel->function);
    pass_renew(pass, changed);
    return true;
}

bool banks_make(Pass *pass, bool speaks)
{
    bool any = false, arrays = has_shared_arrays(pass->module);
    for (size_t i = 0; arrays && i < pass->kernels.count; i++)
        while (bank_make(pass, pass->kernels.item[i], speaks))
            any = true;
    return any;
}

/* What would be made of the code as it is, beside its rings. */
void banks_tell(Pass *pass)
{
    bool arrays = has_shared_arrays(pass->module);
    for (size_t i = 0; arrays && i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        kernel_find_tiles(kernel);
        kernel_measure(kernel);
        for (Padding *padding = banks_find(kernel); padding; padding = banks_find(kernel)) {
            map_put(pass->plan->paddings, padding->array, padding);
            remark_padding(kernel, padding);
        }
    }
}
