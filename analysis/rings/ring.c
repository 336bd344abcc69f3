/* Tile loops that become rings: is the loop one of those whose copies may run ahead?
 *
 *     for (...) {
 *         s[t] = g[i];          the copies: nothing but shared memory is written, at the same places every time
 *         barrier               filled
 *         use s                 reads; what else is written cannot be what a later copy reads
 *         barrier               freed
 *     }
 *
 * Every check here is one that the transform relies on: the copies of a later iteration are made while this one uses
 * its tile, in another slot of the ring, by counters that run ahead (next_tile.c). */
#include "analysis/rings/search.h"

/* Code of other functions may change without this one's being looked at again: nothing in them is kept. */
bool refuse(Search *search, Why why, LLVMValueRef obstacle)
{
    bool here = obstacle && LLVMIsAInstruction(obstacle) &&
                LLVMGetBasicBlockParent(LLVMGetInstructionParent(obstacle)) == search->scope->function;
    if (!search->ring->why) {
        search->ring->why = why;
        search->ring->obstacle = here ? obstacle : NULL;
    }
    return false;
}

bool each_instruction(Search *search, bool (*visit)(Search *, LLVMValueRef))
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!ir_loop_has_block(search->loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!visit(search, i))
                return false;
    }
    return true;
}

/* ---- shape ---- */

/* One block that jumps back, and it alone leaves. */
static bool find_latch(Search *search)
{
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool back = false, out = false;
        for (unsigned s = 0; ir_loop_has_block(search->loop, b) && s < LLVMGetNumSuccessors(end); s++) {
            back |= LLVMGetSuccessor(end, s) == header;
            out |= !ir_loop_has_block(search->loop, LLVMGetSuccessor(end, s));
        }
        if (back != out || (back && search->latch) || (back && LLVMGetInstructionOpcode(end) != LLVMBr))
            return refuse(search, WHY_RING_SHAPE, end);
        if (back)
            search->latch = b;
    }
    return true;
}

/* The barrier of all threads of the block. */
static bool is_plain_barrier(LLVMValueRef instruction)
{
    bool all = is_call_of(instruction, "llvm.nvvm.barrier.cta.sync.aligned.all") ||
               is_call_of(instruction, "llvm.nvvm.barrier.cta.sync.all");
    LLVMValueRef number = all ? LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) : NULL;
    return number && LLVMConstIntGetZExtValue(number) == 0;
}

bool is_ring_barrier(const Ring *ring, LLVMValueRef instruction)
{
    return ring->shape.of_warp ? is_warp_barrier(instruction) : is_block_barrier(instruction);
}

/* Barriers of one kind count: between those of the block, those of the warp are nothing to its copies; the other way round there are
 * none, as loops inside would have to have them. */
static bool visit_barrier(Search *search, LLVMValueRef instruction)
{
    bool of_warp = search->ring->shape.of_warp;
    if (of_warp && is_block_barrier(instruction))
        return refuse(search, WHY_RING_BARRIERS, instruction);
    if (!is_ring_barrier(search->ring, instruction))
        return true;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    if (ir_loop_of(search->kernel->ir, block) != search->loop || !ir_dominates(search->kernel->ir, block, search->latch))
        return refuse(search, WHY_RING_SHAPE, instruction);
    if (!(of_warp ? is_full_warp_barrier(instruction) : is_plain_barrier(instruction)))
        return refuse(search, WHY_RING_BARRIERS, instruction);
    size_t place = search->barriers.count;
    list_add(&search->barriers, instruction);
    for (; place && ir_precedes(search->kernel->ir, instruction, search->barriers.item[place - 1]); place--)
        search->barriers.item[place] = search->barriers.item[place - 1];
    search->barriers.item[place] = instruction;
    return true;
}

/* How many barriers of its iteration an instruction has passed. */
static size_t barriers_passed(const Search *search, LLVMValueRef instruction)
{
    size_t passed = 0;
    while (passed < search->barriers.count && ir_precedes(search->kernel->ir, search->barriers.item[passed], instruction))
        passed++;
    return passed;
}

/* ---- copies ---- */

bool is_zero(LLVMValueRef value) { return LLVMIsConstant(value) && LLVMIsNull(value); }

/* The load behind a phi or a select whose other sides are zero. */
static LLVMValueRef merged_load(LLVMValueRef merge)
{
    LLVMValueRef load = NULL;
    int first = LLVMIsASelectInst(merge) ? 1 : 0;
    for (int i = first; i < LLVMGetNumOperands(merge); i++) {
        LLVMValueRef side = LLVMGetOperand(merge, (unsigned)i);
        if (is_zero(side))
            continue;
        if (load || !LLVMIsALoadInst(side))
            return NULL;
        load = side;
    }
    return load;
}

int piece_of(int bytes, int from, int to)
{
    int piece = COPY_WIDEST;
    while (piece > from || piece > to || bytes % piece)
        piece /= 2;
    return piece;
}

int source_alignment(const RingCopy *copy)
{
    return LLVMIsALoadInst(copy->load) ? (int)LLVMGetAlignment(copy->load) : alignment_of_operand(copy->load, 1);
}

int target_alignment(const RingCopy *copy)
{
    return LLVMIsAStoreInst(copy->store) ? (int)LLVMGetAlignment(copy->store) : alignment_of_operand(copy->store, 0);
}

static bool match_memory_copy(Search *search, LLVMValueRef call, RingCopy *copy)
{
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
    if (!size || LLVMConstIntGetZExtValue(size) > INT16_MAX || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)))
        return refuse(search, WHY_RING_VALUE, call);
    int bytes = (int)LLVMConstIntGetZExtValue(size);
    *copy = (RingCopy){.load = call,
                       .store = call,
                       .source = LLVMGetOperand(call, 1),
                       .target = LLVMGetOperand(call, 0),
                       .bytes = bytes,
                       .piece = piece_of(bytes, alignment_of_operand(call, 1), alignment_of_operand(call, 0))};
    return true;
}

/* Is it what an iteration hands to the next one, and was loaded there? */
static bool is_carried_load(const Search *search, LLVMValueRef value)
{
    bool carried = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == search->ring->header;
    LLVMValueRef next = carried ? next_tile_value(search->loop, value) : NULL;
    if (next && LLVMIsAPHINode(next))
        for (unsigned i = 0; i < LLVMCountIncoming(next); i++)
            if (LLVMIsALoadInst(LLVMGetIncomingValue(next, i)))
                return true;
    return next && LLVMIsALoadInst(next);
}

/* Is it assembly that has loaded it, whole or as a part of a vector? */
static Why why_not_loaded(LLVMValueRef value)
{
    while (value && (is_op(value, LLVMExtractValue) || is_op(value, LLVMInsertElement)))
        value = LLVMGetOperand(value, is_op(value, LLVMExtractValue) ? 0 : 1);
    return value && assembly_is_hinted(value) ? WHY_RING_HINTED : WHY_RING_VALUE;
}

static bool match_store(Search *search, LLVMValueRef store, RingCopy *copy)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), merge = NULL;
    if (is_carried_load(search, value))
        return refuse(search, WHY_RING_EARLY, store);
    if ((LLVMIsAPHINode(value) || LLVMIsASelectInst(value)) && ir_loop_has_block(search->loop, LLVMGetInstructionParent(value))) {
        merge = value;
        value = merged_load(merge);
    }
    if (!value || !LLVMIsALoadInst(value) || !is_used_once(value) || (merge && !is_used_once(merge)) || !is_plain(value) ||
        !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)))
        return refuse(search, why_not_loaded(value), store);
    int bytes = (int)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(value));
    *copy = (RingCopy){.load = value,
                       .store = store,
                       .merge = merge,
                       .source = LLVMGetOperand(value, 0),
                       .target = LLVMGetOperand(store, 1),
                       .bytes = bytes,
                       .piece = piece_of(bytes, (int)LLVMGetAlignment(value), (int)LLVMGetAlignment(store))};
    return true;
}

bool copy_match(Search *search, LLVMValueRef instruction, RingCopy *copy)
{
    return LLVMIsAStoreInst(instruction) ? match_store(search, instruction, copy) : match_memory_copy(search, instruction, copy);
}

void array_add(Ring *ring, LLVMValueRef array)
{
    for (size_t i = 0; i < ring->tile.arrays.count; i++)
        if (ring->tile.arrays.item[i] == array)
            return;
    list_add(&ring->tile.arrays, array);
    if (LLVMGetAlignment(array) > ring->tile.unit)
        ring->tile.unit = LLVMGetAlignment(array);
}

static LLVMValueRef without_steps(LLVMValueRef pointer)
{
    while (pointer && LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* What the first iteration finds in a phi of the loop's header; NULL where several ways lead there. */
static LLVMValueRef value_before(const Search *search, LLVMValueRef phi)
{
    LLVMValueRef value = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (ir_loop_has_block(search->loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        if (value)
            return NULL;
        value = LLVMGetIncomingValue(phi, i);
    }
    return value;
}

/* Where the pointer comes from, in front of the loop: it may be a counter that steps on from there. */
static LLVMValueRef root_of(const Search *search, LLVMValueRef pointer)
{
    enum { MOST_STEPS = 64 };
    for (int i = 0; i < MOST_STEPS && pointer && LLVMIsAInstruction(pointer); i++) {
        bool inside = ir_loop_has_block(search->loop, LLVMGetInstructionParent(pointer));
        bool counts = inside && LLVMIsAPHINode(pointer) && LLVMGetInstructionParent(pointer) == search->ring->header;
        if (!inside)
            return pointer;
        if (counts && without_steps(next_tile_value(search->loop, pointer)) != pointer)
            return NULL;
        pointer = counts ? value_before(search, pointer) : LLVMIsAGetElementPtrInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    }
    return NULL;
}

bool is_copied_from_global(Search *search, LLVMValueRef pointer)
{
    List *globals = &search->ring->entry.globals;
    Space space = space_of(search->scope, pointer);
    bool is_open = space == SPACE_GENERIC && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0;
    LLVMValueRef root = is_open ? root_of(search, pointer) : NULL;
    for (size_t i = 0; root && i < globals->count; i++)
        if (globals->item[i] == root)
            return true;
    if (root)
        list_add(globals, root);
    return root || space == SPACE_GLOBAL;
}

/* The widest piece that the place allows, where it is known on entry whether what is copied there lies as it needs in every iteration. */
static int piece_if_aligned(Search *search, RingCopy *copy, LLVMValueRef array)
{
    int piece = piece_of(copy->bytes, COPY_WIDEST, ir_alignment_in(copy->target, array));
    while (piece > copy->piece &&
           !ir_is_multiple(search->kernel->ir, search->scope->function, search->ring->header, copy->source, piece, NULL, NULL))
        piece /= 2;
    if (piece > copy->piece)
        list_add(&search->ring->entry.aligned, copy);
    return piece > copy->piece ? piece : copy->piece;
}

static bool copy_add(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    RingCopy *copy = ARENA_NEW(ring->arena, RingCopy);
    bool is_store = LLVMIsAStoreInst(instruction);
    if (!copy_match(search, instruction, copy))
        return false;
    LLVMValueRef array = shared_array_of(copy->target);
    if (!array || !is_copied_from_global(search, copy->source) || (is_store && !is_plain(instruction)))
        return refuse(search, WHY_RING_VALUE, instruction);
    /* its part of a slot is aligned as copies need it */
    copy->piece = piece_of(copy->bytes, source_alignment(copy), ir_alignment_in(copy->target, array));
    copy->piece = piece_if_aligned(search, copy, array);
    if (copy->piece < WORD_BYTES)
        return refuse(search, WHY_RING_SIZE, instruction);
    list_add(&ring->copies, copy);
    array_add(ring, array);
    return true;
}

static bool is_async_copy(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && text_begins(callee_name(call), "llvm.nvvm.cp.async.");
}

/* No copies of the user's own that are asynchronous, nor those of a ring that was made before, but of another phase. */
static bool is_synchronous(Search *search, const Tile *tile)
{
    for (size_t i = 0; i < search->kernel->found.accesses.count; i++) {
        const Access *access = search->kernel->found.accesses.item[i];
        if (access->tile != tile)
            continue;
        const RingMade *made = ring_of_copy(search->ring->arena, access->instruction);
        if (made && is_async_copy(access->instruction) && search->phase != ALL_PHASES)
            continue;
        search->ring->made = made;
        if (made || is_async_copy(access->instruction))
            return refuse(search, WHY_RING_ASYNC, access->instruction);
    }
    return true;
}

/* Of the phase that is searched? */
static bool is_of_phase(const Search *search, LLVMValueRef instruction, size_t passed)
{
    return search->phase == ALL_PHASES || ((int)passed == search->phase && !is_async_copy(instruction));
}

bool copies_find(Search *search, const Tile *tile, bool (*add)(Search *search, LLVMValueRef instruction))
{
    Ring *ring = search->ring;
    size_t passed = 0;
    for (size_t i = 0; i < search->kernel->found.accesses.count; i++) {
        const Access *access = search->kernel->found.accesses.item[i];
        if (access->tile != tile)
            continue;
        size_t here = barriers_passed(search, access->instruction);
        if (!is_of_phase(search, access->instruction, here))
            continue;
        if (here == search->barriers.count || (ring->copies.count && here != passed))
            return refuse(search, WHY_RING_BARRIERS, access->instruction);
        passed = here;
        if (!add(search, access->instruction))
            return false;
    }
    if (!ring->copies.count)
        return refuse(search, WHY_RING_BARRIERS, NULL);
    ring->shape.filled = search->barriers.item[passed];
    ring->shape.freed_first = passed > 0;
    ring->shape.freed = search->barriers.item[passed ? passed - 1 : search->barriers.count - 1];
    return true;
}

const RingCopy *copy_by(const Ring *ring, LLVMValueRef store)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->store == store)
            return ring->copies.item[i];
    return NULL;
}

/* ---- what is known ahead ---- */

bool is_among_copies(const Search *search, LLVMValueRef instruction)
{
    return next_tile_is_before_use(search->ring, search->scope, instruction) &&
           (!search->ring->shape.freed_first || ir_precedes(search->kernel->ir, search->ring->shape.freed, instruction));
}

LLVMValueRef condition_of(LLVMValueRef terminator)
{
    bool conditional = LLVMGetInstructionOpcode(terminator) == LLVMBr ? LLVMIsConditional(terminator)
                                                                      : LLVMGetNumOperands(terminator) > 0;
    return conditional
               ? (LLVMGetInstructionOpcode(terminator) == LLVMBr ? LLVMGetCondition(terminator) : LLVMGetOperand(terminator, 0))
               : NULL;
}

static bool visit_path(Search *search, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMIsATerminatorInst(instruction) ? condition_of(instruction) : NULL;
    if (!condition || !is_among_copies(search, instruction))
        return true;
    search->ring->shape.fixed_paths &= next_tile_is_fixed(search->ring, search->scope, search->loop, condition);
    return next_tile_needs(search->ring, search->scope, search->loop, condition) ||
           refuse(search, WHY_RING_AHEAD, search->ring->next.unknown);
}

bool value_needs(Search *search, LLVMValueRef value)
{
    return next_tile_needs(search->ring, search->scope, search->loop, value) ||
           refuse(search, WHY_RING_AHEAD, search->ring->next.unknown);
}

bool path_needs(Search *search)
{
    search->ring->shape.fixed_paths = true;
    return each_instruction(search, visit_path) && value_needs(search, condition_of(LLVMGetBasicBlockTerminator(search->latch)));
}

static bool find_ahead(Search *search)
{
    Ring *ring = search->ring;
    if (search->barriers.count < 2)
        return refuse(search, WHY_RING_BARRIERS, NULL);
    if (!path_needs(search))
        return false;
    gaps_find(search);
    for (size_t i = 0; i < ring->copies.count; i++) {
        RingCopy *copy = ring->copies.item[i];
        if (!is_among_copies(search, copy->load))
            return refuse(search, WHY_RING_VALUE, copy->load);
        if (!value_needs(search, copy->source) || !value_needs(search, copy->target) ||
            (copy->merge && LLVMIsASelectInst(copy->merge) && !value_needs(search, LLVMGetOperand(copy->merge, 0))))
            return false;
        if (!gaps_close(search, copy))
            return refuse(search, WHY_RING_PLACE, copy->store);
    }
    return true;
}

/* ---- all of it ---- */

/* More blocks than anybody writes: ways through them are followed from each. */
static bool is_large(const Search *search)
{
    enum { MOST_BLOCKS = 500 };
    return ir_loop_size(search->loop) > MOST_BLOCKS;
}

bool shape_check(Search *search, const Tile *tile)
{
    if (!is_synchronous(search, tile))
        return false;
    if (search->ring->choice.wanted < 0)
        return refuse(search, WHY_RING_UNWANTED, NULL);
    if (tile->called)
        return refuse(search, WHY_RING_CALLED, tile->call);
    if (!search->kernel->is_entry)
        return refuse(search, WHY_UNRUN, NULL);
    if (tile->scope != search->kernel->scope)
        return refuse(search, WHY_RING_FUNCTION, NULL);
    if (is_large(search))
        return refuse(search, WHY_RING_LONG, NULL);
    LLVMValueRef sum = product_carried(search->kernel->ir, search->loop);
    if (sum)
        return refuse(search, WHY_RING_FUSED, sum);
    return find_latch(search) && each_instruction(search, visit_barrier);
}

/* A ring of a warp has one barrier in the place of two: its lanes come to the loop together, and leave it together, or the original
 * loop runs. No warp may count on what another one has left in the tile. */
bool warp_check(Search *search)
{
    RingEntry *entry = &search->ring->entry;
    if (!search->ring->shape.of_warp)
        return true;
    bool known = warp_leaves_by(search->scope, search->loop, &entry->alike);
    entry->together = true;
    entry->counted = (!known || entry->alike.count) && ir_loop_is_countable(search->kernel->ir, search->loop);
    if (!known && !entry->counted)
        return refuse(search, WHY_RING_LANES, LLVMGetBasicBlockTerminator(search->latch));
    LLVMValueRef handing = warps_hand_on(search->scope, search->loop);
    return !handing || refuse(search, WHY_RING_HANDED, handing);
}

/* What a thread that is gone has left stands in one slot, if in any. Each warp has a tile of its own. */
static bool ends_check(Search *search)
{
    return search->ring->shape.of_warp || uniform_ends(search->scope, search->loop) ||
           refuse(search, WHY_RING_LEFT, LLVMGetBasicBlockTerminator(search->latch));
}

static bool async_check(Search *search, const Tile *tile)
{
    if (search->kernel->options.arch < ASYNC_ARCH)
        return refuse(search, WHY_RING_ARCH, NULL);
    return shape_check(search, tile) && copies_find(search, tile, copy_add) && find_ahead(search) && place_check(search) &&
           moves_check(search) && effect_check(search) && ends_check(search) && warp_check(search);
}

static const struct {
    bool (*check)(Search *search, const Tile *tile);
    void (*choose)(const Kernel *kernel, Ring *ring);
    Feature feature;
} engines[] = {
    [ENGINE_ASYNC] = {async_check, ring_choose, FEATURE_RINGS},
    [ENGINE_REGISTERS] = {register_ring_check, register_ring_choose, FEATURE_REGISTER_RINGS},
    [ENGINE_KNOWN] = {known_check, ring_choose, FEATURE_RINGS},
};

static int count_phis(LLVMBasicBlockRef block)
{
    int count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        count++;
    return count;
}

static int count_rings(const Tile *tile)
{
    int count = 0;
    for (size_t n = 0; n < ir_loop_size(tile->loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(tile->loop, n)); i; i = LLVMGetNextInstruction(i))
            count += is_call_of(i, "llvm.nvvm.cp.async.wait.group") && ir_is_marked(i, GROUP_METADATA);
    return count;
}

/* What the program carries from tile to tile: not what rings of other phases do, whether and where from there is a next copy, the slot that
 * it fills, and the one in use. */
static int count_sums(const Tile *tile)
{
    enum { OF_A_RING = 4 };
    int sums = count_phis(ir_loop_header(tile->loop)) - OF_A_RING * count_rings(tile);
    return sums > 0 ? sums : 0;
}

/* Is it a copy, or does it fill an array that the loop fills? */
static bool is_of_ring(const Kernel *kernel, const Ring *ring, const Access *access)
{
    bool fills = access->op == OP_STORE && access->space == SPACE_SHARED &&
                 ir_loop_has_block(ir_loop_of(kernel->ir, ring->header), LLVMGetInstructionParent(access->instruction));
    for (size_t k = 0; k < ring->copies.count && !fills; k++)
        fills = ((const RingCopy *)ring->copies.item[k])->load == access->instruction;
    return fills;
}

/* Of the kernel, of an array of the tile, or of what is copied there. */
static bool ring_is_without(const Kernel *kernel, const Ring *ring, Feature feature)
{
    bool is_without = feature_is_off(&kernel->options, feature);
    for (size_t i = 0; i < kernel->found.accesses.count && kernel->parts && !is_without; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMValueRef array = access->space == SPACE_SHARED ? shared_array_of(access->pointer) : NULL;
        if (is_of_ring(kernel, ring, access))
            is_without = access_is_without(access, feature) || (array && array_is_without(kernel, array, feature));
    }
    return is_without;
}

static Ring *ring_by(RingEngine engine, Kernel *kernel, const Tile *tile, int phase)
{
    Arena *arena = kernel->plan->arena;
    Ring *ring = ARENA_NEW(arena, Ring);
    LLVMBasicBlockRef header = ir_loop_header(tile->loop);
    *ring = (Ring){
        .arena = arena,
        .function = tile->scope->function,
        .header = header,
        .facts = tile_facts(arena, tile),
        .shape = {.of_warp = tile->of_warp, .quiet = true, .trips = tile->trips, .nested = ir_loop_parent(tile->loop)},
        .copies = list_new(arena),
        .stores = list_new(arena),
        .blanks = list_new(arena),
        .tile = {.arrays = list_new(arena), .reads = list_new(arena), .unit = COPY_WIDEST},
        .runs = {.values = list_new(arena)},
        .next = {.state = list_new(arena), .ahead = map_new(arena), .loads = list_new(arena), .indices = list_new(arena)},
        .entry = {.alike = list_new(arena),
                  .owns = list_new(arena),
                  .tests = list_new(arena),
                  .globals = list_new(arena),
                  .aligned = list_new(arena)},
        .price = {.sums = count_sums(tile)},
        .choice = {.engine = engine, .wanted = stages_wanted(kernel, tile->loop), .loops = list_new(arena)}};
    Search search = {kernel, tile->scope, tile->loop, ring, list_new(kernel->arena), NULL, phase};
    if (engines[engine].check(&search, tile)) {
        profit_weigh(&search);
        runs_find(&search);
        engines[engine].choose(kernel, ring);
        bool asked = ring->choice.wanted > 0 || kernel->options.always;
        if (!ring->why && ring_is_without(kernel, ring, engines[engine].feature))
            ring->why = WHY_RING_UNWANTED;
        if (!ring->why && !asked && !ring->shape.once && !registers_may_grow(kernel))
            ring->why = WHY_RING_REGISTERS;
        if (!ring->why && !asked && !count_rings(tile)) /* a ring that was made before has asked */
            tiles_ask(&search);
    }
    return ring;
}

/* The iteration fills several tiles, each before a barrier of its own: a ring for each.
 *
 *     for (...) { k[t] = g[i]; barrier; use k; v[t] = h[i]; barrier; use v; barrier; } */
static Ring *ring_of_phase(RingEngine engine, Kernel *kernel, const Tile *tile)
{
    Ring *first = NULL; /* that has copies, and is refused for another reason */
    for (int phase = 0; phase < tile->barriers; phase++) {
        Ring *ring = ring_by(engine, kernel, tile, phase);
        if (!ring->why)
            return ring;
        first = first || ring->why == WHY_RING_BARRIERS ? first : ring;
    }
    return first;
}

/* There is something to hold, and another reason not to. */
static bool refuses_too(const Ring *held, const Ring *async)
{
    return held->copies.count && held->why != async->why && held->why != WHY_RING_UNWANTED;
}

static bool is_seen(Why why) { return why == WHY_SEEN_FEW || why == WHY_SEEN_FULL; }

/* What need not be copied at all comes first; asynchronous copies where they are possible and pay, else registers; where neither,
 * what stands in the way of the first, and of the second where that is something else. */
static const Ring *ring_of(Kernel *kernel, const Tile *tile)
{
    Ring *known = ring_of_phase(ENGINE_KNOWN, kernel, tile);
    if (known && !known->why)
        return known;
    Ring *async = ring_by(ENGINE_ASYNC, kernel, tile, ALL_PHASES);
    Ring *part = async->why == WHY_RING_BARRIERS || async->made ? ring_of_phase(ENGINE_ASYNC, kernel, tile) : NULL;
    if (part && !part->why)
        return part;
    if (async->why == WHY_RING_LOOKS_UP || (part && part->why == WHY_RING_LOOKS_UP))
        return part ? part : async; /* held in registers, nobody has timed it */
    bool better_held = !async->why && async->choice.better_held;
    if ((!async->why || async->made) && !better_held)
        return async;
    Ring *held = ring_by(ENGINE_REGISTERS, kernel, tile, ALL_PHASES);
    Ring *first = part ? part : async;
    held->instead = first;
    if (better_held)
        return held->why && !is_seen(held->why) ? async : held;
    bool speaks = !held->why || held->made || (async->why == WHY_RING_ARCH && held->why != WHY_RING_NO_GAIN);
    first->nor = refuses_too(held, first) ? held : NULL;
    return speaks ? held : first;
}

List rings_of_tile(Kernel *kernel, const Tile *tile)
{
    List rings = list_new(kernel->arena);
    for (int phase = 0; !tile->ring->why && phase < tile->barriers; phase++) {
        Ring *ring = ring_by(tile->ring->choice.engine, kernel, tile, phase);
        if (!ring->why)
            list_add(&rings, ring);
    }
    if (!rings.count && !tile->ring->why)
        list_add(&rings, (void *)tile->ring);
    return rings;
}

void ring_find(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.tiles.count; i++) {
        Tile *tile = kernel->found.tiles.item[i];
        tile->ring = ring_of(kernel, tile);
        if (!tile->ring->why)
            list_add(&kernel->plan->rings, (void *)tile->ring);
    }
}
