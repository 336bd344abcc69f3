/* Bounds of loops are loaded once, where a rehearsal shows that more is made of such a loop then. */
#include "analysis/tally/tally.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static bool has_tally(const Plan *plan, LLVMBasicBlockRef header)
{
    for (size_t i = 0; i < plan->tallies.count; i++)
        if (((const Tally *)plan->tallies.item[i])->header == header)
            return true;
    return false;
}

static bool has_walk(const Plan *plan, LLVMBasicBlockRef header)
{
    for (size_t i = 0; i < plan->blocks.count; i++) {
        const Block *block = plan->blocks.item[i];
        if (block->header == header && block->pays)
            return true;
    }
    return false;
}

static void find_more(Pass *copy)
{
    for (size_t i = 0; i < copy->kernels.count; i++)
        kernel_find_tallies(copy->kernels.item[i]);
    walks_lengthen(copy, false);
}

/* Those of which a copy shows that it pays. */
static List rehearse(const Pass *pass, const Kernel *kernel, const List *found)
{
    List paying = list_new(pass->arena);
    Map *functions = map_new(pass->arena);
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, found->count);
    bool *known = ARENA_ARRAY(pass->arena, bool, found->count);
    map_put(functions, kernel->function, kernel->function);
    for (size_t i = 0; i < found->count; i++)
        header[i] = ((const LoadedBounds *)found->item[i])->header;
    Rehearsal rehearsal = rehearsal_open(pass, functions, header, found->count);
    for (size_t i = 0; i < found->count; i++)
        known[i] = bounds_load(pass->arena, rehearsal.ir, header[i], &((const LoadedBounds *)found->item[i])->loads);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    find_more(&copy);
    for (size_t i = 0; i < found->count; i++) {
        bool pays = known[i] && (has_tally(copy.plan, header[i]) || has_walk(copy.plan, header[i]));
        trace(kernel, "tried: the bound of a loop loaded once, on a copy: %s",
              pays ? "more is made of it" : "nothing is made of it");
        if (pays)
            list_add(&paying, found->item[i]);
    }
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return paying;
}

static bool kernel_make(Pass *pass, Kernel *kernel)
{
    kernel_measure(kernel);
    List found = bounds_find(kernel);
    if (found.count)
        found = rehearse(pass, kernel, &found);
    if (!found.count)
        return false;
    Map *changed = map_new(pass->arena);
    map_put(changed, kernel->function, pass);
    pass_settle(pass, kernel->function);
    for (size_t i = 0; i < found.count; i++) {
        const LoadedBounds *bounds = found.item[i];
        trace(kernel, "made: the bound of a loop loaded once, %s", trace_loop(kernel, bounds->header));
        bounds_load(pass->arena, pass->ir, bounds->header, &bounds->loads);
    }
    pass_check(pass, "bounds that are loaded once");
    pass_renew(pass, changed);
    return true;
}

bool bounds_make(Pass *pass)
{
    const List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++)
        any |= kernel_make(pass, *(Kernel **)looping.item[i]);
    return any;
}
