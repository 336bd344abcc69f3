/* What stands before the loop, and around it.
 *
 * Before it, and no barrier between: copies of later iterations, made in front of the loop, would come before the
 * barriers of the first one, which tell them of it.
 *
 *     g[t] = x                                g[t] = x
 *     for (i ...)                             barrier                  added
 *         s[t] = g[(t + i) % 64]      ->      copies of i = 0, 1, ...  g[t + 1] is another thread's
 *         filled; use; freed
 *
 * So may a thread have written what is copied, or have acquired what others have. One barrier in front is enough: all threads that
 * come to the loop come to it, as they come to those of its first iteration. */
#include "analysis/rings/search.h"

/* May it write what the copies, or the computation of their addresses, read? */
static bool changes_any(const Search *search, LLVMValueRef writer)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; ring->choice.engine != ENGINE_KNOWN && i < ring->copies.count; i++)
        if (ir_may_change(search->kernel->ir, writer, ((const RingCopy *)ring->copies.item[i])->load))
            return true;
    for (size_t i = 0; i < ring->next.loads.count; i++)
        if (ir_may_change(search->kernel->ir, writer, ring->next.loads.item[i]))
            return true;
    return false;
}

static bool is_awaited(const Search *search, LLVMValueRef i)
{
    if (!ir_touches_memory(i) || is_harmless(i) || (LLVMIsALoadInst(i) && is_plain(i)) || ir_only_reads(i) || ir_is_step(i))
        return false;
    return !is_simple(i) || changes_any(search, i);
}

/* From the block's end up to a barrier, or to its beginning, which `open` tells. */
static bool awaits_in(const Search *search, LLVMBasicBlockRef block, bool *open)
{
    *open = false;
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (is_whole_barrier(i))
            return false;
        if (is_awaited(search, i))
            return true;
    }
    *open = true;
    return false;
}

static void add_ways_in(const Search *search, LLVMBasicBlockRef block, Map *seen, List *pending)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
        if (map_get(seen, from) || ir_loop_has_block(search->loop, from))
            continue;
        map_put(seen, from, from);
        list_add(pending, from);
    }
}

bool entry_awaits(const Search *search)
{
    Map *seen = map_new(search->kernel->arena);
    List pending = list_new(search->kernel->arena);
    add_ways_in(search, search->ring->header, seen, &pending);
    for (size_t i = 0; i < pending.count; i++) {
        bool open;
        if (awaits_in(search, pending.item[i], &open))
            return true;
        if (open)
            add_ways_in(search, pending.item[i], seen, &pending);
    }
    return false;
}

/* ---- the loop around ----
 *
 *     for (r ...) {                              copies of the first tiles
 *         sum = 0                                for (r ...) {
 *         for (k ...) {                ->            sum = 0
 *             copy; filled; use; freed               for (k ...) { filled; copies of later tiles, of the next r as well; use }
 *         }                                          out[r] = sum
 *         out[r] = sum                           }
 *     }
 *
 * What stands between two runs is passed by copies as the rest of the loop is. What the next run begins with must be had without it. */

static void value_add(List *values, LLVMValueRef value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->item[i] == value)
            return;
    list_add(values, value);
}

/* Made around the loop, and needed ahead. */
static bool visit_needed(Search *search, LLVMValueRef i)
{
    Ring *ring = search->ring;
    const IrLoop *around = ir_loop_parent(search->loop);
    bool jumps = LLVMIsATerminatorInst(i) && (is_among_copies(search, i) || LLVMGetInstructionParent(i) == search->latch);
    bool copies = false;
    for (size_t k = 0; k < ring->copies.count; k++) {
        const RingCopy *copy = ring->copies.item[k];
        copies |= copy->load == i || copy->store == i || copy->merge == i;
    }
    if (!jumps && !copies && !map_get(ring->next.ahead, i))
        return true;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        LLVMBasicBlockRef block = LLVMIsAInstruction(operand) ? LLVMGetInstructionParent(operand) : NULL;
        if (block && ir_loop_has_block((IrLoop *)around, block) && !ir_loop_has_block(search->loop, block))
            value_add(&ring->runs.values, operand);
    }
    return true;
}

/* Threads that carry much from tile to tile have no registers for it: a product of 64 x 64 tiles took 111 in place of 60.
 * Every slot is filled anew by each tile, whoever comes to the loop, and nothing is left of it behind. */
static bool is_plain_ring(const Costs *costs, const Ring *ring)
{
    bool keeps = ring->tile.outside || ring->tile.keeps || ring->tile.late || ring->blanks.count;
    return ring->choice.engine == ENGINE_ASYNC && !ring->shape.once && !ring->shape.of_warp && !ring->price.named &&
           !ring->price.held && !ring_tests(ring) && !keeps && ring->price.sums < costs->FEW_SUMS;
}

/* Where each run has another number of tiles, it is better asked for that, and takes the original if they are few: rows of 1 to 15 tiles came
 * to 1.72 of plain clang going on, and to 2.03 so, of 1 to 3 to 0.65 and 0.94, 1056 blocks; to 1.21 and 1.07 with 132 (H200). */
static bool is_counted_before(const Search *search, IrLoop *around)
{
    return search->ring->shape.trips || ir_loop_is_countable_before(search->kernel->ir, search->loop, around);
}

void runs_find(Search *search)
{
    Ring *ring = search->ring;
    IrLoop *around = ir_loop_parent(search->loop);
    if (!around || !ir_loop_before(around) || search->phase != ALL_PHASES || !is_plain_ring(&search->kernel->options.cost, ring) ||
        !is_counted_before(search, around))
        return;
    Ring trial = *ring;
    trial.header = ir_loop_header(around);
    trial.entry.tests = list_new(ring->arena);
    Search wider = *search;
    wider.ring = &trial;
    wider.loop = around;
    if (!each_instruction(&wider, effect_passes) || trial.entry.tests.count)
        return;
    each_instruction(search, visit_needed);
    if (!ir_next_run(search->kernel->ir, ring->function, ring->header, (LLVMValueRef *)ring->runs.values.item,
                     ring->runs.values.count, NULL))
        return;
    ring->runs.around = trial.header;
    ring->runs.awaits = entry_awaits(&wider);
}

/* ---- how many tiles there are ----
 *
 * To fill a ring, and to ask of each stage how far it goes, takes longer than to wait for a few tiles, all the more where others run in the
 * meantime. What tells is known in front of the loop, or of the one around where copies go on into the next run, and to all threads alike. */

/* In a launch that fills the GPU, of a run: where tiles are copied one by one, and the launch does nothing else, all that it reads may be in
 * the second-level cache, for which nobody waits long. */
static double full_bytes(const Costs *costs, const Ring *ring)
{
    if (!ring->shape.nested)
        return ring->choice.batch == 1 || ring->choice.leads ? costs->LONE_RUN : costs->FULL_RUN;
    return ring->runs.around ? costs->FULL_RUN : costs->FULL_ROW;
}

/* A loop that leaves iterations out asks for each tile by itself which it is, one after the other. In a launch that fills the GPU that takes
 * longer than to wait for what is little. */
static void ask_skipping(const Costs *costs, Ring *ring)
{
    bool is_held = ring->choice.engine != ENGINE_ASYNC;
    double loaded = is_held ? ring->choice.words * WORD_BYTES : (double)ring->tile.bytes / costs->BLOCK; /* by a thread */
    bool moves_little = loaded + ring->price.stored < costs->SKIP_BYTES;
    int full = moves_little ? NEVER_FULL : (int)(costs->LONE_RUN / (loaded * costs->BLOCK));
    if (full >= 2)
        ring->entry.original = (RingLeast){.any = (int)costs->SKIP_TILES, .full = full, .threads = (int64_t)costs->FULL};
}

/* Tiles of a run, of fewer of which nothing is gained: the original would run, or all that waits in registers is loaded in front. */
static int64_t tiles_enough(const Search *search, const RingLeast *least)
{
    const Ring *ring = search->ring;
    bool skips = ring->entry.original.full, held = ring->choice.engine != ENGINE_ASYNC;
    int64_t streamed = ring->shape.nested || skips ? 0 : (int64_t)search->kernel->options.cost.SEEN_TILES;
    int64_t enough = held && !skips ? ring->choice.stages - 1 : launches_are_full(search->kernel) ? least->full : least->any;
    return enough > streamed ? enough : streamed;
}

/* Does no launch that was seen gain by a ring? */
static Why seen_few(const Search *search, const RingLeast *least)
{
    int64_t enough = tiles_enough(search, least);
    if (enough == NEVER_FULL)
        return WHY_SEEN_FULL;
    return launches_most(search->kernel, search->loop) < enough ? WHY_SEEN_FEW : WHY_NONE;
}

static RingLeast least_of(const Costs *costs, const Ring *ring)
{
    int full = ring->choice.engine == ENGINE_ASYNC ? (int)(full_bytes(costs, ring) / (double)ring->tile.bytes) : 0;
    bool begins_anew = ring->shape.nested && !ring->runs.around && ring->choice.batch > 1;
    return (RingLeast){.any = begins_anew ? (int)costs->LEAST_TILES : 1, .full = full, .threads = (int64_t)costs->FULL};
}

void tiles_ask(Search *search)
{
    const Costs *costs = &search->kernel->options.cost;
    Ring *ring = search->ring;
    if (ring->price.sums >= costs->FEW_SUMS) /* the use of a tile takes longer than to fill the ring */
        return;
    if (ring->price.skips)
        ask_skipping(costs, ring);
    const RingLeast usual = least_of(costs, ring);
    if (!ring->shape.once)
        ring->why = seen_few(search, ring->entry.original.full ? &ring->entry.original : &usual);
    if (ring->why || ring->choice.engine != ENGINE_ASYNC || ring->shape.once || usual.full < 2 || ring->shape.trips >= usual.full ||
        (!ring->runs.around && !ir_loop_is_countable(search->kernel->ir, search->loop)))
        return;
    if (ring->price.named && !ring->next.loads.count)
        return; /* the tile whose copies go by the list asks for both */
    *(ring->price.named || ring->price.held ? &ring->entry.original : &ring->entry.least) = usual;
}
