/* Tile loops whose next tile waits in registers: where copies cannot be asynchronous, their loads alone run ahead.
 *
 *     for (...) {
 *         v = g[i]              found from the stored value backwards: whatever is made of v on the way stays where it is
 *         s[t] = convert(v)
 *         barrier               filled: here v is loaded for the next iteration
 *         use s
 *         barrier
 *     }
 *
 * Of the tile nothing need be known. What must hold is that nobody writes what is loaded early (side_effects.c), and that
 * where it lies, and whether it is loaded at all, is known ahead (next_tile.c). */
#include "analysis/rings/search.h"

enum { REGISTER_BYTES = 4 };

/* ---- what is held ---- */

static bool hold(Search *search, const RingCopy *copy)
{
    Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->load == copy->load)
            return true;
    RingCopy *held = ARENA_NEW(ring->arena, RingCopy);
    *held = *copy;
    list_add(&ring->copies, held);
    return true;
}

static bool hold_load(Search *search, LLVMValueRef load)
{
    LLVMValueRef source = LLVMGetOperand(load, 0);
    int bytes = (int)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(load));
    return !is_copied_from_global(search, source) ||
           hold(search, &(RingCopy){.load = load, .source = source, .bytes = bytes, .piece = bytes});
}

/* The loads of this iteration that the value is computed from. */
static SlicePart ask_loads(Slice *slice, const void *context, LLVMValueRef value)
{
    Search *search = (Search *)context;
    (void)slice;
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    bool carried = LLVMIsAPHINode(value) && block == search->ring->header;
    if (!block || carried || !ir_loop_has_block(search->loop, block))
        return SLICE_KNOWN;
    if (LLVMIsALoadInst(value))
        return hold_load(search, value) ? SLICE_KNOWN : SLICE_FAILS;
    return SLICE_MADE;
}

static bool hold_memory_copy(Search *search, LLVMValueRef call)
{
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
    if (!size || LLVMConstIntGetZExtValue(size) > HELD_WORDS * REGISTER_BYTES || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)))
        return refuse(search, WHY_RING_VALUE, call);
    int bytes = (int)LLVMConstIntGetZExtValue(size);
    return hold(search, &(RingCopy){.load = call,
                                    .store = call,
                                    .source = LLVMGetOperand(call, 1),
                                    .bytes = bytes,
                                    .piece = piece_of(bytes, alignment_of_operand(call, 1), alignment_of_operand(call, 0))});
}

static bool held_add(Search *search, LLVMValueRef instruction)
{
    if (!LLVMIsAStoreInst(instruction))
        return hold_memory_copy(search, instruction);
    list_add(&search->ring->stores, instruction);
    return slice_of(search->kernel->arena, LLVMGetOperand(instruction, 0), ask_loads, search) ||
           refuse(search, WHY_RING_VALUE, instruction);
}

/* ---- what is known ahead ---- */

/* Loads may also stand before the barrier in front of the stores. */
static bool find_ahead(Search *search)
{
    Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++)
        ring->shape.freed_first &= ir_precedes(search->kernel->ir, ring->shape.freed,
                                               ((const RingCopy *)ring->copies.item[i])->load);
    if (!path_needs(search))
        return false;
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (!is_among_copies(search, copy->load))
            return refuse(search, WHY_RING_VALUE, copy->load);
        if (!value_needs(search, copy->store ? copy->source : copy->load))
            return false;
    }
    return true;
}

/* A barrier more in front of the loop, and a vote there, are for lanes that come together; in the loop all of them stay. */
static bool find_entry(Search *search)
{
    Ring *ring = search->ring;
    ring->entry.together = ring->shape.of_warp && (ring->shape.awaits || ring_votes(ring));
    return true;
}

bool register_ring_check(Search *search, const Tile *tile)
{
    return shape_check(search, tile) && copies_find(search, tile, held_add) && find_ahead(search) && effect_check(search) &&
           find_entry(search);
}

/* ---- whether there is room, and whether it pays ---- */

/* How many times an iteration makes the copy once inner loops are unrolled; 0 where that is not known. */
static int times_of(const Kernel *kernel, const Ring *ring, const RingCopy *copy)
{
    IrLoop *loop = ir_loop_of(kernel->ir, LLVMGetInstructionParent(copy->load));
    if (ir_loop_header(loop) == ring->header)
        return 1;
    for (size_t i = 0; i < ring->choice.loops.count && !map_get(kernel->plan->unrolled, ring->header); i++) {
        const RingLoop *unrolled = ring->choice.loops.item[i];
        if (unrolled->header == ir_loop_header(loop) && ir_loop_header(ir_loop_parent(loop)) == ring->header)
            return unrolled->trips;
    }
    return 0;
}

static bool fits(const Kernel *kernel, Ring *ring)
{
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        int times = times_of(kernel, ring, copy);
        int words = copy->piece < REGISTER_BYTES ? copy->bytes / copy->piece : copy->bytes / REGISTER_BYTES;
        ring->choice.words += times * words;
        if (!times)
            return false;
    }
    return ring->choice.words <= kernel->options.cost.HELD;
}

static int turns_of(const Costs *costs, const Ring *ring)
{
    int turns = ring->choice.wanted > 0                        ? ring->choice.wanted - 1
                : ring->price.instructions <= costs->SHORT_USE ? (int)costs->HELD_TILES
                                                               : 1;
    if (!ring->shape.joins)
        turns = 1;
    while (turns > 1 && (turns * ring->choice.words > costs->HELD || turns * ring->price.size > costs->HELD_CODE))
        turns /= 2;
    return turns;
}

static bool is_by_words(const Ring *ring)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->bytes > REGISTER_BYTES)
            return false;
    return true;
}

/* Is each of its copies made in every iteration? */
static bool copies_always(const Kernel *kernel, const Ring *ring)
{
    bool always = true;
    LLVMBasicBlockRef filled = LLVMGetInstructionParent(ring->shape.filled);
    for (size_t i = 0; i < ring->copies.count; i++)
        always &= ir_dominates(kernel->ir, LLVMGetInstructionParent(((const RingCopy *)ring->copies.item[i])->load), filled);
    return always;
}

/* Does it take next to nothing, in front of loops that are counted? Where these are long, twice as much is nothing, but a copy that
 * only some threads make is no longer. */
static bool is_easy(const Kernel *kernel, const Ring *ring)
{
    const Costs *costs = &kernel->options.cost;
    double use = ring->price.instructions, most = (use < costs->LONG_USE ? 1 : 2) * costs->HELD_ALONE;
    return ring->choice.words <= most && !ring->price.uncounted && !ring->price.looped &&
           (use <= costs->HELD_USE || copies_always(kernel, ring));
}

/* One tile is worth its wait where few threads are there to hide it, or where it takes next to nothing. */
static bool pays(const Kernel *kernel, const Ring *ring)
{
    const Costs *costs = &kernel->options.cost;
    bool few = ring->price.sums >= costs->FEW_SUMS && ring->choice.words <= costs->HELD_EASILY && is_by_words(ring);
    return ring->choice.stages > 2 || ring->price.sums >= costs->MANY_SUMS || few || is_easy(kernel, ring);
}

void register_ring_choose(const Kernel *kernel, Ring *ring)
{
    const Options *options = &kernel->options;
    if (!fits(kernel, ring)) {
        ring->why = WHY_RING_WORDS;
        return;
    }
    ring->choice.batch = 1;
    ring->choice.stages = 1 + turns_of(&options->cost, ring);
    ring->choice.leads = ring->choice.stages == 2 &&
                         ring_leads(kernel, ring); /* several iterations are over before an index has come */
    if (!ring->choice.wanted && !options->always && !pays(kernel, ring))
        ring->why = WHY_RING_NO_GAIN;
}
