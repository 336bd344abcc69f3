/* Walks of warps that lack lanes: rows whose number is no multiple of 32, and edges.
 *
 *     if (i < 1 || i >= n - 1) return;                31 lanes of the first warp's 32, and fewer of the last one's
 *     for (j = 1; j < n; j++) x[i*n + j] -= x[i*n + j-1] * c[j];
 *
 * Such warps are one or two, but the launch ends with the last of them: where the others take an eighth of the time, these took what they
 * took. They need no other lane to have more on its way. Each loads its own pieces of rows before it works on them, in a version without
 * shuffles, and tests for itself what stands in the way of that: 8191 rows of 2048 floats, each a sweep, came from 6.8 to 12.9 of plain
 * clang, sums in place from 4.1 to 7.7, 65537 rows of 511 words in blocks of 48 from 0.86 to 2.5 (H100).
 *
 * Loops that only load find in their rest what lets them load ahead, and pay for more code with time: 1024 rows of 1024 bytes or words,
 * whose warps are whole, came to 0.90 to 0.97 of what they are without such a version, 1000 rows to 0.87. */
#include "analysis/plan/plan.h"

static bool moves_own(Group *group)
{
    return group->choice.action == ACTION_EXCHANGE && !group_has_conditions(group) &&
           !ir_is_marked(group->root->instruction, REST_METADATA) && layout_for_few(group);
}

/* What has a way out is a loop that has been made longer. */
static bool suits(const Kernel *kernel, const Region *region)
{
    int64_t words = 0;
    bool stores = false, all = region->leave && !region->never && !region->shelf_only && !region->edge && region->blocks.count == 0;
    for (size_t i = 0; all && i < region->groups.count; i++) {
        Group *group = region->groups.item[i];
        stores |= group->op == OP_STORE;
        words += group->op == OP_LOAD && !group_is_uniform(group) ? (group->high - group->low) / WORD_BYTES : 0;
        all = group_is_uniform(group) || moves_own(group);
    }
    return all && stores && words <= (int64_t)kernel->options.cost.FEW_WORDS;
}

/* Do the loop's lanes end together? Where rows differ in length, lanes that are through leave the others behind as a rule; and those whose tests fail
 * go on in another loop than the others: nobody may wait for them. */
static bool ends_alike(const Kernel *kernel, const Region *region)
{
    const Group *first = region->groups.item[0];
    IrLoop *loop = ir_loop_of(kernel->ir, first->block);
    return loop && ir_loop_header(loop) == first->block && !loop_waits_for_lanes(loop) &&
           uniform_counts_in_warp(first->scope, loop);
}

void few_lanes_plan(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    for (size_t i = from; i < regions->count && !feature_is_off(&kernel->options, FEATURE_EDGES); i++) {
        Region *region = regions->item[i];
        region->few = !region->full && suits(kernel, region) && ends_alike(kernel, region);
    }
}
