/* How many stages a ring has, and how many tiles a stage. */
#include <stdlib.h>

#include "analysis/rings/rings.h"

/* May the lanes that share a piece take it from so many tiles? Rows need no tiles for that. */
static bool tiles_suit(const Ring *ring)
{
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (!copy->row && ring->choice.batch * copy->piece % COPY_WIDEST)
            return false;
    }
    return true;
}

static bool is_like(const RingCopy *a, const RingCopy *b)
{
    return !a->row && !b->row && a->piece == b->piece && LLVMTypeOf(a->source) == LLVMTypeOf(b->source) &&
           LLVMTypeOf(a->target) == LLVMTypeOf(b->target);
}

/* Lanes that share a piece take it from as many tiles, or from as many copies of a tile, or some of both; 0: it cannot be. */
static int together_of(const Ring *ring)
{
    const RingCopy *first = ring->copies.item[0];
    if (tiles_suit(ring))
        return 1;
    for (size_t i = 1; i < ring->copies.count; i++)
        if (!is_like(first, ring->copies.item[i]))
            return 0;
    int lanes = COPY_WIDEST / first->piece, together = lanes;
    while (together > 1 && (ring->copies.count % (size_t)together || ring->choice.batch % (lanes / together)))
        together /= 2;
    return together > 1 ? together : 0;
}

/* ---- the block, and how many of it an SM holds ---- */

/* Threads of a block: as the kernel says, or its launches, or as many as fill the tile. */
static int64_t threads_of(const Kernel *kernel, const Ring *ring)
{
    enum { LEAST = WARP_LANES, MOST = 1024 }; /* of a block: CUDA C++ Programming Guide, compute capabilities */
    int64_t copied = 0;
    if (kernel->options.shape.limit)
        return kernel->options.shape.limit;
    if (kernel->launched.threads)
        return kernel->launched.threads;
    for (size_t i = 0; i < ring->copies.count; i++)
        copied += ((const RingCopy *)ring->copies.item[i])->bytes;
    int64_t threads = ring->price.looped ? (int64_t)kernel->options.cost.BLOCK : ring->tile.bytes / copied;
    return threads < LEAST ? LEAST : threads > MOST ? MOST : threads;
}

/* Static shared memory of the kernel beside the ring. */
static int64_t other_bytes(const Kernel *kernel, const Ring *ring)
{
    return shared_bytes(kernel, ring->tile.outside ? NULL : &ring->tile.arrays);
}

/* Runs of the loop may have few tiles each: then it is better to have more blocks, and stages that are soon filled. */
static bool is_of_rows(const Ring *ring) { return ring->shape.nested && !ring->shape.trips; }

/* Blocks that an SM is to have room for: no more than its part of a launch, as far as launches are known. */
static int64_t blocks_beside(const Kernel *kernel, const Ring *ring, int64_t resident)
{
    int64_t blocks = resident / threads_of(kernel, ring), sms = (int64_t)kernel->options.cost.SMS;
    int64_t part = kernel->launched.known ? (kernel->launched.blocks + sms - 1) / sms : blocks;
    return part < blocks ? part : blocks;
}

/* Bytes of shared memory that leave an SM the blocks that are wanted, and threads enough to hide what the ring does not. */
static int64_t budget_of(const Kernel *kernel, const Ring *ring)
{
    enum { RESERVED = 1024 }; /* bytes that every block takes besides its own */
    const Costs *costs = &kernel->options.cost;
    int64_t resident = (int64_t)(is_of_rows(ring) || ring->price.named ? costs->ROW_RESIDENT : costs->RESIDENT);
    int64_t blocks = blocks_beside(kernel, ring, resident), wanted = blocks_wanted(kernel);
    int64_t share = shared_of_sm(kernel->options.arch) / (wanted > blocks ? wanted : blocks) - RESERVED;
    return (share < SHARED_BUDGET ? share : SHARED_BUDGET) - other_bytes(kernel, ring);
}

/* ---- gain ---- */

/* How many words of the tile does a thread read for each that it copies? Much for a tile on its own, which then keeps other
 * blocks' tiles away; CROWDS times as much for several in a stage, where a guard says whether a word or zeros are copied. */
static bool is_read_much(const Costs *costs, const Ring *ring)
{
    double reads = ring->price.reads / ring->price.copied;
    bool alone = ring->choice.batch == 1 && ring->price.reads >= ring->price.copying;
    bool crowds = ring->price.guarded && ring->choice.batch > 1;
    return ((alone || ring->price.scatters || ring->tile.late) && reads >= costs->MANY_READS) ||
           (crowds && reads >= costs->CROWDS * costs->MANY_READS);
}

/* Streams whose tiles keep values pay for them, copy by copy: 1.56 of plain clang with 132 blocks, and 0.87 with 1056, where
 * the loads of many blocks hide each other; pairs 2.53 and 1.46, held in registers 1.80 and 1.75 (H200).
 * Where launches are known to be small, they pay.
 *
 * Slots that are filled in part keep blocks away all the same: rows of 256 floats in tiles of 2048 at 0.81 of plain clang, longer
 * ones at 1.02 to 1.22 (H200). */
static bool pays(const Kernel *kernel, const Ring *ring)
{
    const Costs *costs = &kernel->options.cost;
    bool many_sums = ring->price.sums >= costs->FEW_SUMS && !ring->price.scatters;
    bool stream = ring->tile.keeps && ring->tile.late && !many_sums && !ring->price.scatters && !launches_are_small(kernel);
    return !stream && (many_sums || (ring->price.instructions < costs->LONG_USE && !is_read_much(costs, ring)));
}

/* Tables lie in the first-level cache, and a ring's slots leave it less room: so much as is read there had better be there. */
static bool looks_up_much(const Kernel *kernel, const Ring *ring)
{
    double words = kernel->options.cost.LOOKED_UP * ring->price.copied;
    return ring->price.looked_up > 0 && ring->price.looked_up >= words;
}

/* Whoever launches it. */
static bool never_pays(const Ring *ring) { return ring->price.turns || ring->tile.unsized || ring->tile.waits; }

/* Of a stage: a power of two, as it is halved until there is room. */
static int most_tiles(const Costs *costs, const Ring *ring)
{
    double most = is_of_rows(ring) ? costs->ROW_TILES : costs->TILES;
    if (ring->next.indices.count && costs->INDEX_TILES < most)
        most = costs->INDEX_TILES;
    if (ring->price.named && costs->NAMED_TILES < most)
        most = costs->NAMED_TILES;
    int tiles = 1;
    while (2 * tiles <= most)
        tiles *= 2;
    return tiles;
}

static void choose_sizes(const Kernel *kernel, Ring *ring)
{
    const Options *options = &kernel->options;
    const Costs *costs = &options->cost;
    bool carries = ring->price.sums >= costs->FEW_SUMS;
    bool batches = ring->shape.quiet && !ring->shape.freed_stays && !ring->tile.inherits; /* few slots are filled sooner */
    int64_t room = SHARED_BUDGET - other_bytes(kernel, ring);
    int64_t budget = ring->choice.wanted && !blocks_wanted(kernel) ? room : budget_of(kernel, ring);
    int stages = (int)(carries ? costs->SUMS_STAGES : is_of_rows(ring) ? costs->ROW_STAGES : costs->STAGES);
    if (ring->choice.wanted)
        stages = ring->choice.wanted;
    ring->choice.batch = !batches ? 1 : options->batch ? options->batch : most_tiles(costs, ring);
    while (ring->choice.batch > 1 && !options->batch && ring->choice.batch * ring->price.instructions > costs->LONG_STAGE)
        ring->choice.batch /= 2;
    int least = ring->choice.wanted || carries ? 2 : (int)costs->LEAST_STAGES;
    for (; ring->choice.batch > 1 && least * ring->choice.batch * ring->tile.bytes > budget; ring->choice.crowded = true)
        ring->choice.batch /= 2;
    ring->choice.stages = stages;
    bool ends = ring->shape.trips && !ring->choice.wanted && !options->always;
    while (ends && ring->runs.around && ring->choice.batch > 1 && ring->choice.batch / 2 >= ring->shape.trips)
        ring->choice.batch /= 2; /* a stage ends with its run */
    if (ends && !ring->runs.around)
        while (ring->choice.stages > 2 && (ring->choice.stages - 2) * ring->choice.batch >= ring->shape.trips)
            ring->choice.stages--; /* the others would hold nothing */
    for (; ring->choice.stages > 2 && ring_slots(ring) * ring->tile.bytes > budget; ring->choice.crowded = true)
        ring->choice.stages--;
    if (ring_slots(ring) * ring->tile.bytes > (blocks_wanted(kernel) ? budget : room))
        ring->choice.stages = 0;
}

static Resident resident_of(const Kernel *kernel, const Ring *ring)
{
    int64_t others = other_bytes(kernel, ring), tile = 0;
    for (size_t i = 0; !ring->tile.outside && i < ring->tile.arrays.count; i++)
        tile += (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(ring->tile.arrays.item[i]));
    return (Resident){resident_blocks(kernel, others + tile),
                      resident_blocks(kernel, others + ring_slots(ring) * ring->tile.bytes)};
}

/* Narrow copies take an instruction each, as loads and stores do, and slots keep away other blocks, of which there are few where threads
 * carry much from tile to tile. Zeros that the loop stores beforehand cost asynchronous copies nothing. */
static bool is_better_held(const Costs *costs, const Ring *ring)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->piece == COPY_WIDEST)
            return false;
    return !ring->choice.wide && ring->price.sums >= costs->FEW_SUMS && !ring->blanks.count;
}

/* Which tile is the next is asked one by one: slots keep away the blocks that hide that. Streams through masks came to 0.92 and 1.27 of plain
 * clang held in registers, and to 0.77 and 1.10 in slots, in launches that fill the GPU; to 1.07 and 1.21, 1.07 and 1.18 in few blocks (H200).
 * Sums of tiles that a mask or a counter leaves out came to 0.45 to 0.73 in slots with 1056 blocks and more (H100). */
static bool skips_briefly(const Costs *costs, const Ring *ring) { return ring->price.skips && ring->price.sums < costs->FEW_SUMS; }

/* Of the indices of a tile, that a thread holds. */
static int64_t index_words(const Kernel *kernel, const Ring *ring)
{
    int64_t words = 0;
    for (size_t i = 0; i < ring->next.indices.count; i++)
        words += ((int64_t)LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(ring->next.indices.item[i])) + WORD_BYTES - 1) /
                 WORD_BYTES;
    return words;
}

/* Is there room in registers for the indices of a stage, and in the code for each of its tiles by itself? */
bool ring_leads(const Kernel *kernel, const Ring *ring)
{
    const Costs *costs = &kernel->options.cost;
    int64_t words = index_words(kernel, ring);
    return words && !ring->choice.wide && !ring->runs.around && ring->choice.batch * words <= (int64_t)costs->INDICES &&
           (ring->choice.batch == 1 || ring->choice.batch * ring->price.copying <= costs->INDEX_CODE);
}

/* Indices that threads shared take registers of each, which keep blocks away from the loop as it was. Where loops inside are to be unrolled
 * first, each copy has one of its own; in those that stay, it would be waited for. */
static bool names_much(const Kernel *kernel, const Ring *ring)
{
    bool unrolls = ring->choice.loops.count;
    double words = unrolls ? ring->price.copied : (double)index_words(kernel, ring);
    return ring->price.named && ring->next.loads.count &&
           ((!unrolls && ring->price.looped) || words > kernel->options.cost.NAMED_WORDS);
}

/* The tile stays where it is, and the loop loses its copies whatever they cost. */
static void choose_once(Ring *ring)
{
    ring->choice.stages = 2; /* the one that is copied ahead is the last */
    ring->choice.batch = 1;
    ring->choice.wide = false;
}

void ring_choose(const Kernel *kernel, Ring *ring)
{
    const Options *options = &kernel->options;
    if (ring->shape.once) {
        choose_once(ring);
        return;
    }
    choose_sizes(kernel, ring);
    ring->choice.together = ring->choice.wide ? together_of(ring) : 0;
    ring->choice.wide = ring->choice.together > 0;
    bool asked = ring->choice.wanted || options->always;
    bool gains = asked || (!never_pays(ring) && pays(kernel, ring) && !names_much(kernel, ring));
    ring->choice.leads = ring_leads(kernel, ring);
    ring->choice.ends = ring->choice.batch >= options->cost.EMPTY ||
                        ((is_of_rows(ring) || ring->runs.around) && ring->choice.batch > 1);
    ring->choice.unrolls = ring->shape.steps && ring->shape.joins && ring->choice.batch > 1 &&
                           ring->choice.batch * ring->price.size <= options->cost.STAGE_CODE;
    if (shared_is_dynamic(kernel))
        ring->why = WHY_RING_DYNAMIC;
    else if (kernel->found.calls_elsewhere)
        ring->why = WHY_RING_ELSEWHERE;
    else if (ring->choice.stages < 2)
        ring->why = WHY_RING_ROOM;
    else if (!gains)
        ring->why = WHY_RING_NO_GAIN;
    else if (!asked && looks_up_much(kernel, ring))
        ring->why = WHY_RING_LOOKS_UP;
    ring->choice.better_held = ring->price.rims || is_better_held(&options->cost, ring) ||
                               (!asked && skips_briefly(&options->cost, ring));
    ring->choice.resident = resident_of(kernel, ring);
    INVARIANT(ring->why || (ring->choice.stages >= 2 && ring->choice.batch >= 1));
    INVARIANT(!ring->choice.wide ||
              (ring->choice.together > 0 && (ring->choice.together & (ring->choice.together - 1)) == 0)); /* a power of two */
}

static const char *least_text(const Ring *ring)
{
    const RingLeast *least = &ring->entry.least;
    if (!least->full)
        return "";
    return arena_text(ring->arena, "; fewer than %d tiles take the original loop in a launch of %lld threads or more", least->full,
                      (long long)least->threads);
}

const char *ring_text(const Ring *ring)
{
    const char *led = ring->choice.leads ? ", indices a stage ahead" : "", *few = least_text(ring);
    if (ring->choice.engine == ENGINE_REGISTERS)
        return arena_text(ring->arena,
                          "rewritten: %d tile%s ahead held in registers, %d word%s of a thread each; shared memory as it was%s%s",
                          ring->choice.stages - 1, ring->choice.stages == 2 ? "" : "s", ring->choice.words,
                          ring->choice.words == 1 ? "" : "s", led, few);
    if (ring->shape.once)
        return "rewritten: every iteration copies the same, which is done once, in front of the loop";
    return arena_text(ring->arena,
                      "rewritten: asynchronous copies run ahead in a ring of %d stages of %d tile%s, "
                      "%lld bytes of shared memory, %d block%s on an SM (%d before)%s%s%s%s",
                      ring->choice.stages, ring->choice.batch, ring->choice.batch == 1 ? "" : "s",
                      (long long)(ring_slots(ring) * ring->tile.bytes), ring->choice.resident.after,
                      ring->choice.resident.after == 1 ? "" : "s", ring->choice.resident.before, led,
                      ring->runs.around ? ", and go on into the next run of the loop" : "",
                      ring->entry.tests.count ? ", where a test on entry shows that no store of the loop meets them" : "", few);
}

static LLVMContextRef context_of(LLVMValueRef instruction)
{
    return LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
}

static const char *text_of(Arena *arena, LLVMValueRef part)
{
    unsigned length;
    const char *text = LLVMGetMDString(part, &length);
    return text ? arena_copy(arena, text, length) : "";
}

const RingMade *ring_of_copy(Arena *arena, LLVMValueRef copy)
{
    if (!ir_is_marked(copy, RING_METADATA))
        return NULL;
    unsigned kind = LLVMGetMDKindIDInContext(context_of(copy), RING_METADATA, sizeof RING_METADATA - 1);
    LLVMValueRef node = LLVMGetMetadata(copy, kind), part[RING_PARTS];
    if (!node || LLVMGetMDNodeNumOperands(node) != RING_PARTS)
        return NULL;
    LLVMGetMDNodeOperands(node, part);
    RingMade *made = ARENA_NEW(arena, RingMade);
    made->text = text_of(arena, part[0]);
    made->resident.before = (int)strtol(text_of(arena, part[1]), NULL, 10);
    made->resident.after = (int)strtol(text_of(arena, part[2]), NULL, 10);
    made->copies = text_of(arena, part[3]);
    return made;
}
