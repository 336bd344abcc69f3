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
        map_put(pass->plan->padded, padding_rewrite(pass->ir, padding), (void *)padding);
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

/* ---- tiles of rings, whose rows come first ---- */

static void make_longer(const Pass *pass, const Padding *padding)
{
    map_put(pass->plan->padded, padding_rewrite(pass->ir, padding), (void *)padding);
    ir_changed(pass->ir, padding->function);
}

static Padding *find_of_rings(Kernel *kernel)
{
    kernel_find_tiles(kernel);
    kernel_measure(kernel);
    return banks_find_of_rings(kernel);
}

/* On a copy: are there as many rings, by whatever engine, if the rows are longer first? */
static bool keeps_rings(const Pass *pass, const Kernel *kernel)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->function, &length);
    Map *running = map_new(pass->arena);
    map_put(running, kernel->function, kernel->function);
    Rehearsal rehearsal = rehearsal_open(pass, running, NULL, 0);
    Pass before = rehearsal_pass(&rehearsal, pass);
    const Padding *padding = find_of_rings(pass_kernel(&before, LLVMGetNamedFunction(rehearsal.module, name)));
    if (padding)
        make_longer(&before, padding);
    pass_close(&before);
    Pass after = rehearsal_pass(&rehearsal, pass);
    trace(kernel, "tried: longer rows before the ring, on a copy");
    kernel_find_tiles(pass_kernel(&after, LLVMGetNamedFunction(rehearsal.module, name)));
    bool keeps = padding && after.plan->rings.count >= pass->plan->rings.count;
    if (!keeps)
        trace(kernel, "undone: longer rows: fewer rings are found on the copy");
    pass_close(&after);
    rehearsal_close(&rehearsal);
    return keeps;
}

/* An array that a ring is to fill, whose rows become longer first; NULL where there is none. */
static const Padding *tile_padding(const Pass *pass, Kernel *kernel)
{
    for (Padding *padding = find_of_rings(kernel); padding; padding = banks_find_of_rings(kernel)) {
        if (keeps_rings(pass, kernel))
            return padding;
        padding->why = WHY_PAD_TILE;
        map_put(pass->plan->paddings, padding->array, padding);
    }
    return NULL;
}

bool tile_make_longer(const Pass *pass, Kernel *kernel)
{
    const Padding *padding = find_of_rings(kernel);
    if (!padding)
        return false;
    if (pass_settle(pass, kernel->function))
        return true;
    padding = tile_padding(pass, kernel);
    if (!padding)
        return false;
    if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
        remark_padding(kernel, padding);
    made_padding(kernel, padding);
    make_longer(pass, padding);
    return true;
}

/* ---- what would be made ---- */

static void tell(const Pass *pass, const Kernel *kernel, const Padding *padding)
{
    map_put(pass->plan->paddings, padding->array, (void *)padding);
    remark_padding(kernel, padding);
}

void banks_tell(Pass *pass)
{
    bool arrays = has_shared_arrays(pass->module);
    for (size_t i = 0; arrays && i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        for (const Padding *padding = tile_padding(pass, kernel); padding; padding = tile_padding(pass, kernel))
            tell(pass, kernel, padding);
        for (const Padding *padding = banks_find(kernel); padding; padding = banks_find(kernel))
            tell(pass, kernel, padding);
    }
}
