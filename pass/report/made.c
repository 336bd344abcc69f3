/* What is made: counted among LLVM's statistics, and a line of the trace. */
#include "pass/report/trace.h"

/* A kernel is there for whatever is made. */
static void count(const Kernel *kernel, IrCount what, size_t times)
{
    if (!kernel->plan->is_copy)
        ir_count(what, times);
}

void made_ring(const Kernel *kernel, const Ring *ring)
{
    count(kernel, COUNT_RINGS, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: ring, %s", trace_loop(kernel, ring->header));
}

void made_fills(const Kernel *kernel, const List *fills)
{
    count(kernel, COUNT_FILLS, fills->count);
    trace(kernel, "made: %zu fill%s", fills->count, fills->count == 1 ? "" : "s");
}

void made_tally(const Kernel *kernel, const Tally *tally)
{
    count(kernel, COUNT_TALLIES, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: tally, %s", trace_loop(kernel, tally->header));
}

void made_arrays(const Kernel *kernel)
{
    count(kernel, COUNT_ARRAYS, 1);
    trace(kernel, "made: arrays that loops index are registers");
}

void made_batch(const Kernel *kernel, const Batch *batch)
{
    count(kernel, COUNT_BATCHES, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: loads come first, %s", trace_loop(kernel, batch->header));
}

void made_sought(const Kernel *kernel, const SoughtRows *sought)
{
    count(kernel, COUNT_SOUGHT, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: pieces of %zu rows are loaded at once, for %d iterations, %s", sought->rows.count, sought->iterations,
              trace_loop(kernel, sought->header));
}

void made_lookahead(const Kernel *kernel, const Lookahead *ahead)
{
    count(kernel, COUNT_LOOKAHEADS, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: loads one iteration ahead, %s", trace_loop(kernel, ahead->header));
}

void made_additions(const Kernel *kernel, const AddedStretch *stretch)
{
    count(kernel, COUNT_REDUCTIONS, stretch->records.count);
    for (size_t i = 0; i < stretch->records.count; i++) {
        const AddedRecord *record = stretch->records.item[i];
        trace(kernel, "made: %d reductions of %zu atomic additions to one record", pieces_made(record), record->additions.count);
    }
}

void made_walk(const Kernel *kernel, const Block *block, LLVMBasicBlockRef header)
{
    count(kernel, block->pays ? COUNT_WALKS : COUNT_UNDONE, 1);
    if (!trace_is_on(kernel))
        return;
    if (block->pays)
        trace(kernel, "made: walk, %s, %d times as long", trace_loop(kernel, header), block->factor[0]);
    else
        trace(kernel, "undone: walk, %s: %s", trace_loop(kernel, header), trace_walk_why(kernel, block));
}

void made_tail(const Kernel *kernel, const Tail *tail)
{
    trace(kernel, "made: a version of %zu loads under conditions where all of them hold", tail->blocks.count / 2);
}

void made_gate(const Kernel *kernel)
{
    count(kernel, COUNT_GATES, 1);
    trace(kernel, "made: lanes come together in front of records");
}

void made_jam(const Kernel *kernel, const Jam *jam)
{
    count(kernel, COUNT_JAMS, 1);
    if (trace_is_on(kernel))
        trace(kernel, "made: %d iterations of the loop around side by side, %s", jam->times, trace_loop(kernel, jam->header));
}

static IrCount count_of(Action action) { return action == ACTION_WIDEN ? COUNT_WIDENED : COUNT_EXCHANGED; }

/* The members' instructions may be gone: groups are known by their numbers. */
void made_region(const Region *region)
{
    const Kernel *kernel = ((const Group *)region->groups.item[0])->scope->kernel;
    count(kernel, COUNT_REGIONS, 1);
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        count(kernel, count_of(group->choice.action), group->members.count);
        trace(kernel, "made: %s of group %d", action_text(group->choice.action), group->number);
    }
}

void made_turn(const Kernel *kernel)
{
    count(kernel, COUNT_TURNS, 1);
    trace(kernel, "made: turn");
}

void made_padding(const Kernel *kernel, const Padding *padding)
{
    count(kernel, COUNT_PADDINGS, 1);
    trace(kernel, "made: rows of %lld bytes, %lld longer", (long long)padding->row, (long long)padding->pad);
}

void made_spare(const Kernel *kernel, const char *name) { trace(kernel, "made: spare %s", name); }

void made_limit(const Kernel *kernel, int registers)
{
    INVARIANT(registers > 0 && kernel->is_entry);
    count(kernel, COUNT_LIMITS, 1);
    trace(kernel, "made: limit of %d registers", registers);
}

void made_totals(const Options *options)
{
    if (!options->trace.is_given || *options->trace.part)
        return;
    Arena *arena = arena_new();
    Text text = text_new(arena);
    for (IrCount i = 0; i < COUNTS; i++)
        text_add(&text, "%s%s %zu", i ? ", " : "", ir_count_name(i), ir_counted(i));
    ir_print(arena_text(arena, "coalda: trace: in all: %s\n", text.data));
    arena_free(arena);
}
