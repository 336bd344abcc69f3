/* The steps of one kernel: each is made once, after those that it builds on, and again only where a loop has been rewritten. */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "analysis/reductions/reductions.h"
#include "analysis/rings/rings.h"
#include "analysis/tally/tally.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"

static void kernel_collect(Kernel *kernel)
{
    if (kernel->done.collected)
        return;
    access_collect(kernel); /* every access, its address as a form */
    kernel->found.calls_elsewhere = shared_is_elsewhere(kernel);
    kernel->done.collected = true;
}

void kernel_find_tiles(Kernel *kernel)
{
    if (kernel->done.tiles)
        return;
    kernel_collect(kernel);
    tile_find(kernel); /* loops that stage shared memory */
    ring_find(kernel); /* which of them become rings */
    trace_tiles(kernel);
    kernel->done.tiles = true;
}

void kernel_measure(Kernel *kernel)
{
    kernel_collect(kernel);
    if (!kernel->done.measured)
        access_measure(kernel); /* sectors, banks, class */
    kernel->done.measured = true;
}

void kernel_find_fills(Kernel *kernel)
{
    if (kernel->done.fills)
        return;
    kernel_find_tiles(kernel);
    kernel_measure(kernel);
    fill_find(kernel); /* loops that fill shared memory */
    trace_fills(kernel);
    kernel->done.fills = true;
}

void kernel_find_tallies(Kernel *kernel)
{
    if (kernel->done.tallies)
        return;
    size_t tallies = kernel->plan->tallies.count;
    kernel_collect(kernel);
    tally_find(kernel); /* loops that store to one place in every iteration */
    trace_tallies(kernel, tallies);
    kernel->done.tallies = true;
}

void kernel_find_lookaheads(Kernel *kernel)
{
    kernel_collect(kernel);
    lookahead_find(kernel); /* loops that wait for their own loads */
    trace_lookaheads(kernel);
}

void kernel_find_batches(Kernel *kernel)
{
    kernel_collect(kernel);
    batch_find(kernel); /* loops whose loads wait for stores */
    trace_batches(kernel);
}

void kernel_find_additions(Kernel *kernel)
{
    if (kernel->found.added)
        return;
    kernel_collect(kernel);
    additions_find(kernel); /* atomic additions to neighbouring words */
    trace_additions(kernel);
}

void kernel_plan(Kernel *kernel)
{
    if (kernel->done.planned)
        return;
    int groups = kernel->plan->groups;
    size_t regions = kernel->plan->regions.count;
    kernel_measure(kernel);
    record_group(kernel); /* accesses side by side */
    plan_make(kernel);    /* what may be rewritten, and pays */
    trace_plan(kernel, groups, regions);
    kernel->done.planned = true;
}
