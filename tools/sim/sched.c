/* Who runs next. Seed 0: blocks in order, warps in order, each until it waits. Other seeds: any resident block, any warp, any
 * fragment, for slices of random length; convergent lanes part now and then. Either way a slice ends, so that a thread that
 * spins for another always lets the other run. */
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_PLAIN = 20000,            /* instructions, seed 0 */
    RESIDENT = 8,                   /* blocks in flight, seeds other than 0 */
    RESIDENT_MOST = 4096,           /* when blocks wait for each other (a barrier of the whole grid) */
    PATIENCE = 64,                  /* slices without an end before another block is admitted */
    GIVE_UPS = 64,
    IDLE_RELEASE = 8,               /* slices before lanes at a join go on without the others */
};

static uint64_t pick(Sim *sim, uint64_t count) { return count < 2 ? 0 : random_next(&sim->random) % count; }

/* ---- blocks ---- */

static void warp_start(Sim *sim, Warp *warp)
{
    const Func *kernel = sim->image->kernel;
    Frame *frame = frame_new(sim, kernel, NULL);
    frame->lanes = warp->alive;
    for (unsigned i = 0; i < kernel->arguments; i++)
        for (int lane = 0; lane < LANES; lane++)
            frame->value[(size_t)i * LANES + lane] = sim->argument[i];
    fragment_new(warp, warp->alive, frame, 0, NULL);
}

/* Struct arguments live at the bottom of each thread's local memory; the bytes come from a buffer argument. */
static void params_copy(Block *block)
{
    const Sim *sim = block->sim;
    const Func *kernel = sim->image->kernel;
    for (unsigned i = 0; i < kernel->byval_count; i++) {
        const ByVal *by = &kernel->byval[i];
        const Object *object = sim->buffer[by->argument];
        for (uint32_t t = 0; t < block->threads; t++) {
            Warp *warp = &block->warp[t / LANES];
            Ctx c = {.sim = block->sim, .block = block, .warp = warp};
            uint32_t offset = local_take(&c, (int)(t % LANES), by->bytes, by->align);
            Local *local = &block->local[t];
            memcpy(local->data + offset, object->data, by->bytes);
            memset(local->undef + offset, 0, by->bytes);
            local->param_end = local->top;
            Fragment *f = &warp->fragment[0];
            f->frame->value[(size_t)by->slot * LANES + t % LANES] = LOCAL_BASE + offset;
        }
    }
}

static Block *block_start(Sim *sim, uint32_t index)
{
    const Options *o = sim->options;
    Block *block = calloc(1, sizeof *block);
    if (!block)
        abort();
    block->sim = sim;
    block->index = index;
    block->id = (Dim){index % o->grid.x, index / o->grid.x % o->grid.y, index / o->grid.x / o->grid.y};
    block->threads = block->live = o->block.x * o->block.y * o->block.z;
    block->warps = (block->threads + LANES - 1) / LANES;
    block->warp = calloc(block->warps, sizeof *block->warp);
    block->local = calloc(block->threads, sizeof *block->local);
    if (!block->warp || !block->local || !shared_setup(block))
        abort();
    for (uint32_t w = 0; w < block->warps; w++) {
        uint32_t lanes = block->threads - w * LANES;
        Warp *warp = &block->warp[w];
        warp->block = block;
        warp->index = w;
        warp->alive = lanes >= LANES ? FULL_MASK : (1u << lanes) - 1;
        warp_start(sim, warp);
    }
    params_copy(block);
    async_setup(block);
    if (sim->check)
        race_block_start(block);
    return block;
}

static void block_end(Block *block)
{
    if (block->sim->check)
        race_block_end(block);
    async_free(block);
    for (uint32_t t = 0; t < block->threads; t++) {
        free(block->local[t].data);
        free(block->local[t].undef);
        free(block->local[t].ok);
    }
    object_unmap(&block->shared);
    free(block->shared_owner);
    free(block->local);
    free(block->warp);
    free(block);
}

static bool admit(Sim *sim)
{
    if (sim->next_block == sim->block_total || sim->resident_count == RESIDENT_MOST)
        return false;
    sim->resident[sim->resident_count++] = block_start(sim, sim->block_order[sim->next_block++]);
    return true;
}

/* ---- warps ---- */

static Fragment *fragment_pick(Sim *sim, Warp *warp)
{
    Fragment *best = NULL;
    uint64_t seen = 0;
    for (int i = 0; i < LANES; i++) {
        Fragment *f = &warp->fragment[i];
        if (f->state == RUN_MBAR) {
            Ctx c = {.sim = sim,
                     .warp = warp,
                     .block = warp->block,
                     .fragment = f,
                     .frame = f->frame,
                     .inst = f->waiting,
                     .mask = f->mask};
            if (mbar_ready(&c))
                f->state = RUN_READY;
        }
        if (f->state != RUN_READY)
            continue;
        if (!best || (sim->adversarial ? pick(sim, ++seen + 1) == 0 : f->age < best->age))
            best = f;
    }
    return best;
}

static uint32_t slice(Sim *sim)
{
    if (!sim->adversarial)
        return SLICE_PLAIN;
    return 1u + (uint32_t)(random_next(&sim->random) % (4u << (random_next(&sim->random) % 9)));
}

/* Runs one fragment for a slice. False: every lane waits. */
static bool warp_step(Sim *sim, Warp *warp)
{
    if (!warp->alive)
        return false;
    Fragment *f = fragment_pick(sim, warp);
    if (!f) {
        if (!joins_release(sim, warp))
            return false;
        f = fragment_pick(sim, warp);
        if (!f)
            return true;
    }
    if (sim->adversarial)
        fragment_shake(sim, warp, f);
    f->age = ++warp->rounds;
    fragment_run(sim, warp, f, slice(sim));
    bool ran_out = f->state == RUN_READY;
    warp->idle_slices = ran_out ? warp->idle_slices + 1 : 0;
    if (warp->idle_slices > IDLE_RELEASE * (sim->adversarial ? 8u : 1u)) {
        joins_release(sim, warp);
        async_progress(warp->block, true);      /* it may be what the warp spins for */
        warp->idle_slices = 0;
    }
    if (sim->adversarial)
        async_progress(warp->block, false);
    return true;
}

/* One slice of one warp of the block. False: every thread waits. */
static bool block_step(Sim *sim, Block *block)
{
    uint32_t start = sim->adversarial ? (uint32_t)pick(sim, block->warps) : block->next_warp;
    for (uint32_t i = 0; i < block->warps; i++) {
        uint32_t w = (start + i) % block->warps;
        if (!warp_step(sim, &block->warp[w]))
            continue;
        block->next_warp = w + 1 < block->warps ? w + 1 : 0;
        block->progress++;
        return true;
    }
    return async_progress(block, true);
}

/* ---- deadlock ---- */

static void tell_waiting(Sim *sim, Block *block)
{
    for (uint32_t w = 0; w < block->warps; w++)
        for (int i = 0; i < LANES; i++) {
            Fragment *f = &block->warp[w].fragment[i];
            if (f->state != RUN_BARRIER && f->state != RUN_SYNC && f->state != RUN_MBAR)
                continue;
            Ctx c = {.sim = sim, .warp = &block->warp[w], .block = block, .inst = f->waiting};
            int lane = __builtin_ctz(f->mask);
            if (f->state == RUN_BARRIER)
                finding_add(&c, lane, FIND_DEADLOCK, "%u of %u threads wait at this barrier for threads that do not come",
                            block->barrier[f->sync_mask].arrived,
                            block->barrier[f->sync_mask].expected ? block->barrier[f->sync_mask].expected : block->live);
            else if (f->state == RUN_SYNC)
                finding_add(&c, lane, FIND_DEADLOCK, "lanes 0x%08x wait for lanes 0x%08x that do not come", f->mask,
                            f->sync_mask & block->warp[w].alive & ~f->mask);
            else
                finding_add(&c, lane, FIND_DEADLOCK, "lanes 0x%08x wait for an mbarrier phase that does not end", f->mask);
            return;
        }
}

/* try_wait may always return false after a while: before a deadlock is told, those that wait so get their chance. */
static bool waits_give_up(Sim *sim)
{
    bool any = false;
    if (++sim->give_ups > GIVE_UPS)
        return false;
    for (uint32_t i = 0; i < sim->resident_count; i++)
        for (uint32_t w = 0; w < sim->resident[i]->warps; w++)
            for (int k = 0; k < LANES; k++) {
                Fragment *f = &sim->resident[i]->warp[w].fragment[k];
                if (f->state != RUN_MBAR)
                    continue;
                f->state = RUN_READY;
                f->gives_up = any = true;
            }
    return any;
}

/* ---- the grid ---- */

static void order_blocks(Sim *sim)
{
    sim->block_order = ARENA_ARRAY(sim->arena, uint32_t, sim->block_total);
    for (uint32_t i = 0; i < sim->block_total; i++)
        sim->block_order[i] = i;
    for (uint32_t i = sim->block_total; sim->adversarial && i > 1; i--) {
        uint32_t k = (uint32_t)pick(sim, i), swap = sim->block_order[i - 1];
        sim->block_order[i - 1] = sim->block_order[k];
        sim->block_order[k] = swap;
    }
}

static void drop(Sim *sim, uint32_t slot)
{
    block_end(sim->resident[slot]);
    for (uint32_t i = slot + 1; i < sim->resident_count; i++)
        sim->resident[i - 1] = sim->resident[i];
    sim->resident_count--;
}

static bool too_long(Sim *sim, Block *block)
{
    if (sim->lane_steps <= sim->options->limit)
        return false;
    for (uint32_t w = 0; w < block->warps; w++)
        for (int i = 0; i < LANES; i++) {
            Fragment *f = &block->warp[w].fragment[i];
            if (f->state != RUN_READY)
                continue;
            Ctx c = {.sim = sim, .warp = &block->warp[w], .block = block, .inst = &f->frame->func->code[f->pc]};
            finding_add(&c, __builtin_ctz(f->mask), FIND_LIMIT, "still running after %" PRIu64 " thread-instructions (--limit)",
                        sim->options->limit);
            return true;
        }
    return false;
}

/* True while some block goes on. Blocks that wait for others bring in new ones. */
static bool round_of_blocks(Sim *sim)
{
    bool moved = false;
    uint32_t start = sim->adversarial ? (uint32_t)pick(sim, sim->resident_count) : 0;
    for (uint32_t i = 0; i < sim->resident_count && !moved; i++) {
        uint32_t slot = (start + i) % sim->resident_count;
        Block *block = sim->resident[slot];
        moved = block_step(sim, block);
        if (too_long(sim, block)) {
            sim->stopped = true;
            return false;
        }
        if (!block->live) {
            if (sim->check)
                async_end(block);
            drop(sim, slot);
            return true;
        }
        if (!moved)
            continue;
        if (!sim->adversarial && sim->resident_count > 1) {
            memmove(sim->resident + slot, sim->resident + slot + 1, (sim->resident_count - slot - 1) * sizeof *sim->resident);
            sim->resident[sim->resident_count - 1] = block;
        }
        if (block->progress % (PATIENCE * (uint64_t)block->warps * (sim->adversarial ? 8 : 1)) == 0)
            admit(sim);
    }
    return moved;
}

void grid_run(Sim *sim)
{
    order_blocks(sim);
    sim->resident = ARENA_ARRAY(sim->arena, Block *, RESIDENT_MOST);
    sim->resident_limit = sim->adversarial ? 1 + (uint32_t)pick(sim, RESIDENT) : 1;
    while (!sim->stopped) {
        while (sim->resident_count < sim->resident_limit && admit(sim))
            ;
        if (!sim->resident_count)
            break;
        if (round_of_blocks(sim) || sim->stopped)
            continue;
        if (admit(sim) || waits_give_up(sim))
            continue;
        for (uint32_t i = 0; i < sim->resident_count; i++)
            tell_waiting(sim, sim->resident[i]);
        break;
    }
    while (sim->resident_count)
        drop(sim, sim->resident_count - 1);
}
