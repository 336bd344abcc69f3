/* Walks of warps that lack lanes: rows whose number is no multiple of 32, and edges.
 *
 *     if (i < 1 || i >= n - 1) return;                31 lanes of the first warp's 32, and fewer of the last one's
 *     for (j = 1; j < n; j++) x[i*n + j] -= x[i*n + j-1] * c[j];
 *
 * Such warps are one or two, but all wait for them: where the others take an eighth of the time, these take what they took. They need no
 * other lane to have more on its way: each loads its own pieces of rows before it works on them, in a version without shuffles, and tests
 * for itself what stands in the way of that. */
#include "analysis/plan/plan.h"

static bool moves_own(Group *group)
{
    return group->choice.action == ACTION_EXCHANGE && !group_has_conditions(group) &&
           !ir_is_marked(group->root->instruction, REST_METADATA) && layout_for_few(group);
}

/* What has a way out is a loop that has been made longer. */
static bool suits(const Region *region)
{
    bool all = region->leave && !region->never && !region->shelf_only && !region->edge && region->blocks.count == 0;
    for (size_t i = 0; all && i < region->groups.count; i++) {
        Group *group = region->groups.item[i];
        all = group_is_uniform(group) || moves_own(group);
    }
    return all;
}

/* Do the loop's lanes end together? Where rows differ in length, lanes that are through leave the others behind as a rule. */
static bool ends_alike(const Kernel *kernel, const Region *region)
{
    const Group *first = region->groups.item[0];
    IrLoop *loop = ir_loop_of(kernel->ir, first->block);
    return loop && ir_loop_header(loop) == first->block && uniform_leave(first->scope, loop);
}

void few_lanes_plan(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    for (size_t i = from; i < regions->count && !feature_is_off(&kernel->options, FEATURE_EDGES); i++) {
        Region *region = regions->item[i];
        region->few = suits(region) && ends_alike(kernel, region);
    }
}
