/* What may be made of the ring, and what decides whether it pays. */
#include "analysis/address/automaton.h"
#include "analysis/rings/search.h"
#include "pass/base/marks.h"

/* ---- wide copies ---- */

/* Do neighbours fill neighbouring places, as far as is known? */
static bool follows(const Search *search, const RingCopy *copy)
{
    const Form *place = automaton_form(search->scope, copy->target);
    Point first = {0}, second = {.thread = {1}, .lane = 1};
    return form_unknown_in(place) || form_eval(place, &second) - form_eval(place, &first) == copy->bytes;
}

/* Do the rows of the block fill whole pieces, as far as is known? In padded rows, every other may begin between two of them. */
static bool is_whole(const Search *search, const RingCopy *copy)
{
    enum { AXES = 3 };
    const Form *place = automaton_form(search->scope, copy->target);
    for (int axis = 1; axis < AXES && !form_unknown_in(place); axis++) {
        Point first = {0}, next = {0};
        next.thread[axis] = 1;
        if ((form_eval(place, &next) - form_eval(place, &first)) % COPY_WIDEST)
            return false;
    }
    return true;
}

/* Is a whole warp known not to come to the copy? */
static bool is_for_few(const Search *search, const RingCopy *copy)
{
    static const Point ends[] = {{.lane = 0}, {.thread = {WARP_LANES - 1}, .lane = WARP_LANES - 1}};
    const List *guards = automaton_guards(search->scope, LLVMGetInstructionParent(copy->store));
    for (size_t i = 0; i < guards->count; i++)
        if (!guard_holds(guards->item[i], &ends[0]) || !guard_holds(guards->item[i], &ends[1]))
            return true;
    return false;
}

static bool is_unconditional(const Search *search, const RingCopy *copy)
{
    return ir_dominates(search->kernel->ir, LLVMGetInstructionParent(copy->store),
                        LLVMGetInstructionParent(search->ring->shape.filled));
}

/* Made in every iteration, or in all or none. */
static bool is_regular(const Search *search, const RingCopy *copy)
{
    return is_unconditional(search, copy) || (search->ring->shape.parted && !is_for_few(search, copy));
}

/* Once in an iteration, from a place that moves on by one distance, to one that does not. */
static bool is_straight(const Search *search, const RingCopy *copy)
{
    return loop_of_copy(search, copy) == search->loop && next_tile_is_anywhere(search->kernel->arena, search->loop, copy->target) &&
           ir_recurrence(search->kernel->ir, search->scope->function, search->ring->header, copy->source, NULL, NULL, NULL, NULL);
}

/* What keeps lanes from sharing pieces of 16 bytes of the copy; those that it is made of anyhow need not be shared. How its source moves on is asked
 * first: what is known of it then tells how many tiles there are. */
static Why why_narrow(const Search *search, const RingCopy *copy)
{
    if (copy->piece == COPY_WIDEST)
        return WHY_NONE;
    if (copy->bytes != copy->piece)
        return source_alignment(copy) < COPY_WIDEST ? WHY_MOVE_ALIGNED : WHY_MOVE_PLACE;
    if (copy->merge || copy->kind != COPY_ALIKE || !is_regular(search, copy))
        return WHY_MOVE_GUARD;
    if (!copy->row && !is_straight(search, copy))
        return WHY_MOVE_NARROW;
    if (!follows(search, copy))
        return WHY_MOVE_LANES;
    return is_whole(search, copy) ? WHY_NONE : WHY_MOVE_PLACE;
}

/* Is the way from here known in front of the loop? That on from a row is. */
static bool visit_way(Search *search, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMIsATerminatorInst(instruction) ? condition_of(instruction) : NULL;
    if (!condition || !is_among_copies(search, instruction) || row_copy_in(search->ring, LLVMGetInstructionParent(instruction)))
        return true;
    return is_conditional(instruction) && next_tile_is_anywhere(search->kernel->arena, search->loop, condition) &&
           ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(instruction)) == search->loop;
}

static void find_wide(Search *search)
{
    Ring *ring = search->ring;
    LLVMValueRef condition = condition_of(LLVMGetBasicBlockTerminator(search->latch));
    ring->shape.steps = next_tile_steps_alone(ring, search->loop, condition);
    for (size_t i = 0; i < ring->copies.count; i++) {
        row_find(search, ring->copies.item[i]);
        ring->shape.parted |= !is_unconditional(search, ring->copies.item[i]);
    }
    ring->shape.parted &= each_instruction(search, visit_way);
    ring->choice.wide = ring->shape.fixed_paths && ring->shape.steps &&
                        !feature_is_off(&search->kernel->options, FEATURE_WIDE_COPIES);
    for (size_t i = 0; i < ring->copies.count; i++) {
        RingCopy *copy = ring->copies.item[i];
        copy->narrow = why_narrow(search, copy);
        ring->choice.wide &= !copy->narrow && copy->piece < COPY_WIDEST;
    }
}

/* ---- indices ---- */

static bool is_copied(const Ring *ring, LLVMValueRef load)
{
    bool copied = false;
    for (size_t i = 0; i < ring->copies.count; i++)
        copied |= ((const RingCopy *)ring->copies.item[i])->load == load;
    return copied;
}

/* What is loaded of global memory to know where the copies read: it can come a stage before them, where an iteration loads it once, and
 * its counters do without. What all threads of the block read is in the first-level cache: rows that a list names came to 0.90 with it
 * loaded early, 1056 blocks (H200). */
static void find_indices(Search *search)
{
    Ring *ring = search->ring;
    LLVMValueRef condition = condition_of(LLVMGetBasicBlockTerminator(search->latch));
    if (!next_tile_steps_alone(ring, search->loop, condition))
        return;
    for (size_t i = 0; i < ring->next.loads.count; i++) {
        LLVMValueRef load = ring->next.loads.item[i];
        bool once = ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(load)) == search->loop;
        if (once && !is_copied(ring, load) && !uniform_in_block(search->scope, LLVMGetOperand(load, 0)) &&
            space_of(search->scope, LLVMGetOperand(load, 0)) == SPACE_GLOBAL)
            list_add(&ring->next.indices, load);
    }
}

/* ---- what decides whether it pays ---- */

/* Iterations after which a read of the tile that moves with the loop has come to the end of its array; 0: none moves. */
static int64_t trips_through_tile(const Search *search, IrLoop *loop)
{
    const List *reads = &search->ring->tile.reads;
    int64_t least = 0;
    for (size_t i = 0; i < reads->count; i++) {
        const RingRead *read = reads->item[i];
        LLVMValueRef place = LLVMGetOperand(read->at, read->operand), array = shared_array_of(place);
        Term term;
        if (!array || !ir_loop_has_block(loop, LLVMGetInstructionParent(read->at)) ||
            !term_of_counter(search->scope, automaton_form(search->scope, place), loop, &term) || term.degree != 1)
            continue;
        uint64_t size = LLVMABISizeOfType(search->kernel->layout, LLVMGlobalGetValueType(array));
        int64_t trips = (int64_t)(size / magnitude(term.coefficient));
        least = least && least < trips ? least : trips;
    }
    return least;
}

/* How often a block of the loop runs in one iteration; where nobody knows, a few times, or as often as a read of the tile takes
 * to go through all of it: tiles that are cut short are the last ones. */
static double runs_of(const Search *search, LLVMBasicBlockRef block)
{
    double unknown = search->kernel->options.cost.NESTED;
    bool uses = !next_tile_is_before_use(search->ring, search->scope, LLVMGetFirstInstruction(block));
    double runs = 1;
    for (IrLoop *l = ir_loop_of(search->kernel->ir, block); l && l != search->loop; l = ir_loop_parent(l)) {
        int64_t trips = ir_loop_trips(search->kernel->ir, l), most = ir_loop_most_trips(search->kernel->ir, l), fewest, seen;
        if (trips <= 0 && launches_count(search->kernel, l, &fewest, &seen))
            trips = (fewest + seen + 1) / 2;
        int64_t through = trips <= 0 && uses ? trips_through_tile(search, l) : 0;
        if (through > 0 && (most <= 0 || through < most))
            most = through;
        runs *= trips > 0 ? (double)trips : most > 0 && (through || (double)most < unknown) ? (double)most : unknown;
    }
    return runs;
}

/* A product and a sum count as such, also where they are one already. */
static int weight_of(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && text_begins(callee_name(instruction), "llvm.fma.") ? 2 : 1;
}

static double stored_by(const Search *search, LLVMValueRef instruction)
{
    bool leaves = LLVMIsAStoreInst(instruction) && space_of(search->scope, LLVMGetOperand(instruction, 1)) != SPACE_SHARED;
    return leaves ? (double)LLVMStoreSizeOfType(search->kernel->layout, type_of_access(instruction)) : 0;
}

/* Does each thread read there what data name? */
static bool is_named_by_data(const Form *address)
{
    for (int i = 0; i < address->count; i++)
        for (int j = 0; j < address->term[i].degree; j++)
            if (address->term[i].symbol[j]->unknown && address->term[i].symbol[j]->varies)
                return true;
    return false;
}

/* Is it the copy of another tile of the iteration, which has a ring of its own or waits for this one's? */
static bool is_for_tile(const Search *search, LLVMValueRef load)
{
    LLVMUseRef use = LLVMGetFirstUse(load);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == load &&
           space_of(search->scope, LLVMGetOperand(user, 1)) == SPACE_SHARED;
}

/* Words of global memory that data name, as of a table: no copy of the tile, and nothing that leads to one. */
static double looked_up_by(const Search *search, LLVMValueRef instruction)
{
    if (!LLVMIsALoadInst(instruction) || !is_plain(instruction) || is_copied(search->ring, instruction) ||
        is_for_tile(search, instruction) || map_get(search->ring->next.ahead, instruction) ||
        space_of(search->scope, LLVMGetOperand(instruction, 0)) != SPACE_GLOBAL)
        return 0;
    bool named = is_named_by_data(automaton_form(search->scope, LLVMGetOperand(instruction, 0)));
    return named ? (double)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(instruction)) / WORD_BYTES : 0;
}

static bool visit_weight(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    ring->price.skips |= ir_is_step(instruction);
    int weight = weight_of(instruction);
    double runs = LLVMIsAPHINode(instruction) ? 0 : runs_of(search, LLVMGetInstructionParent(instruction));
    *(next_tile_is_before_use(ring, search->scope, instruction) ? &ring->price.copying : &ring->price.instructions) += weight *
                                                                                                                       runs;
    ring->price.size += weight;
    ring->price.stored += stored_by(search, instruction) * runs;
    ring->price.looked_up += looked_up_by(search, instruction) * runs;
    return true;
}

/* Do the two copies read what one wide load could, into places that no wide store could write? */
static bool turns(const Search *search, const RingCopy *a, const RingCopy *b)
{
    int64_t from = 0, to = 0;
    LLVMValueRef function = search->scope->function;
    bool beside = ir_distance(search->kernel->ir, function, a->source, b->source, &from) && from == a->bytes;
    return beside && source_alignment(a) > a->bytes &&
           !(ir_distance(search->kernel->ir, function, a->target, b->target, &to) && to == from);
}

/* Lanes deal out its iterations, which may be far fewer than there are at most: it steps by what only the launch says. Steps that
 * are known are as many as they seem, and better unrolled: products of 64 x 64 patches 2.56 of plain clang, 2.29 dealt out (H200). */
static bool is_dealt_out(const Search *search, IrLoop *loop)
{
    const RingCopy *copy = row_copy_in(search->ring, ir_loop_header(loop));
    int64_t step;
    return search->ring->choice.wide && copy &&
           !ir_step(search->kernel->ir, search->scope->function, ir_loop_header(loop), copy->target, &step);
}

/* Does it copy, in each of iterations that nobody has counted? What waits in registers has to be unrolled. */
static bool copies_uncounted(const Search *search, IrLoop *loop)
{
    if (search->ring->choice.engine != ENGINE_ASYNC || ir_loop_trips(search->kernel->ir, loop) > 0)
        return false;
    for (size_t i = 0; i < search->ring->copies.count; i++)
        if (ir_loop_has_block(loop, LLVMGetInstructionParent(((const RingCopy *)search->ring->copies.item[i])->load)))
            return true;
    return false;
}

/* Loops of few iterations inside: unrolled, their reads of the tile join, and copies need not count. */
static void find_loops(Search *search)
{
    const Costs *costs = &search->kernel->options.cost;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(search->kernel->ir, b);
        if (!loop || loop == search->loop || !ir_loop_inside(loop, search->loop) || ir_loop_header(loop) != b ||
            !ir_loop_is_innermost(loop) || product_crosses(search->kernel->ir, loop) || is_dealt_out(search, loop))
            continue;
        int64_t trips = ir_loop_most_trips(search->kernel->ir, loop);
        int64_t most = (int64_t)(copies_uncounted(search, loop) ? costs->COPY_TRIPS : costs->INNER_TRIPS);
        if (trips < 2 || trips > most || trips * ir_loop_instructions(loop) > (int64_t)costs->INNER_CODE)
            continue;
        RingLoop *found = ARENA_NEW(search->ring->arena, RingLoop);
        *found = (RingLoop){b, (int)trips};
        list_add(&search->ring->choice.loops, found);
    }
}

/* Does nobody know how often some loop inside runs? */
static bool has_uncounted(const Search *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(search->kernel->ir, b);
        bool inside = loop && loop != search->loop && ir_loop_inside(loop, search->loop);
        if (inside && ir_loop_header(loop) == b && ir_loop_most_trips(search->kernel->ir, loop) <= 0)
            return true;
    }
    return false;
}

/* May its copies be made to the arrays themselves? */
static bool is_aligned_as_it_is(const Search *search)
{
    bool aligned = true;
    for (size_t i = 0; aligned && i < search->ring->copies.count; i++) {
        const RingCopy *copy = search->ring->copies.item[i];
        aligned = target_alignment(copy) >= copy->piece;
    }
    return aligned;
}

/* Does a thread read it right behind the other, as the next field of a struct? The backend makes one of them. */
static bool is_next_to(const Search *search, const RingRead *read, const RingRead *other)
{
    int64_t bytes = 0;
    return LLVMIsALoadInst(read->at) && LLVMIsALoadInst(other->at) &&
           LLVMGetInstructionParent(read->at) == LLVMGetInstructionParent(other->at) &&
           ir_distance(search->kernel->ir, search->scope->function, LLVMGetOperand(other->at, 0), LLVMGetOperand(read->at, 0),
                       &bytes) &&
           bytes == (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(other->at));
}

/* Up to sixteen bytes side by side are one. */
static void weigh_reads(Search *search)
{
    Ring *ring = search->ring;
    int64_t together = 0; /* bytes */
    for (size_t i = 0; i < ring->tile.reads.count; i++) {
        const RingRead *read = ring->tile.reads.item[i];
        int64_t bytes = LLVMIsALoadInst(read->at) ? (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(read->at)) : 0;
        bool joins = i && together + bytes <= COPY_WIDEST && is_next_to(search, read, ring->tile.reads.item[i - 1]);
        together = joins ? together + bytes : bytes;
        ring->price.reads += joins ? 0 : runs_of(search, LLVMGetInstructionParent(read->at));
    }
}

/* What is narrower than a word takes one to copy. */
static double words_of(const RingCopy *copy) { return copy->bytes > WORD_BYTES ? (double)copy->bytes / WORD_BYTES : 1; }

void profit_weigh(Search *search)
{
    Ring *ring = search->ring;
    ring->shape.joins = !product_crosses(search->kernel->ir, search->loop);
    if (ring->choice.engine == ENGINE_ASYNC) {
        find_wide(search);
        ring->shape.once = once_find(search) && is_aligned_as_it_is(search);
    }
    if (ring->choice.engine == ENGINE_KNOWN)
        return; /* it costs nothing */
    ring->price.held = ir_is_marked(LLVMGetBasicBlockTerminator(search->latch), HELD_METADATA);
    ring->price.named = ir_is_marked(LLVMGetBasicBlockTerminator(search->latch), NAMED_METADATA);
    find_indices(search);
    find_loops(search);
    ring->price.uncounted = has_uncounted(search);
    each_instruction(search, visit_weight);
    weigh_reads(search);
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        ring->price.copied += words_of(copy) * runs_of(search, LLVMGetInstructionParent(copy->load));
        ring->price.scatters |= copy->target && !follows(search, copy);
        ring->price.guarded |= copy->merge != NULL;
        ring->price.looped |= ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->load)) != search->loop;
        for (size_t j = 0; ring->choice.engine == ENGINE_ASYNC && j < ring->copies.count; j++)
            ring->price.turns |= turns(search, copy, ring->copies.item[j]);
    }
}
