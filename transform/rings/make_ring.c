/* A tile loop becomes a ring: its copies run ahead, asynchronously, into slots of a larger tile.
 *
 *                                        counters' = counters; fill = at = first slot
 *                                        for each stage but one: copy ahead; commit
 *     loop:                              loop:
 *       copy the tile                      wait for all but the last stages - 2 groups
 *       filled                      ->     filled
 *       use the tile                       copy ahead, into the slot that was used last; commit
 *       freed                              use slot `at`; at = next slot
 *
 *     slots   | 0 | 1 | 2 |     `at` is read, the slots after it are filled or being filled, and the one
 *               at      fill    before it is refilled: filled stands between its last reader and the copy
 *
 * With a batch of tiles in a stage, waiting, filled and copying happen at the first of them alone. */
#include "transform/rings/make_ring.h"
#include "transform/transform.h"

/* ---- locals ---- */

LLVMValueRef ring_local(RingMaker *maker, LLVMTypeRef type, const char *name)
{
    LLVMValueRef local = emit_local(&maker->emit, maker->ring->function, type, name);
    list_add(&maker->locals, local);
    return local;
}

LLVMValueRef ring_get(RingMaker *maker, LLVMValueRef local, LLVMTypeRef type)
{
    return LLVMBuildLoad2(maker->emit.builder, type, local, "");
}

void ring_set(RingMaker *maker, LLVMValueRef local, LLVMValueRef value) { LLVMBuildStore(maker->emit.builder, value, local); }

void ring_step(RingMaker *maker, LLVMValueRef slot, int tiles)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    LLVMValueRef next = emit_binary(emit, LLVMAdd, ring_get(maker, slot, emit->i32), tiles * ring->tile.bytes);
    LLVMValueRef ends = LLVMBuildICmp(emit->builder, LLVMIntEQ, next, emit_int(emit, ring_slots(ring) * ring->tile.bytes), "");
    ring_set(maker, slot, emit_select(emit, ends, emit_int(emit, 0), next));
}

LLVMValueRef ring_before(RingMaker *maker, LLVMValueRef slot)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    LLVMValueRef here = ring_get(maker, slot, emit->i32);
    LLVMValueRef first = LLVMBuildICmp(emit->builder, LLVMIntEQ, here, emit_int(emit, 0), "");
    LLVMValueRef end = emit_select(emit, first, emit_int(emit, ring_slots(ring) * ring->tile.bytes), here);
    return emit_binary(emit, LLVMSub, end, ring->tile.bytes);
}

LLVMBasicBlockRef ring_block(RingMaker *maker) { return LLVMInsertBasicBlockInContext(maker->emit.context, maker->use, ""); }

LLVMValueRef source_of(const RingCopy *copy) { return LLVMGetOperand(copy->load, LLVMIsALoadInst(copy->load) ? 0 : 1); }
LLVMValueRef target_of(const RingCopy *copy) { return LLVMGetOperand(copy->store, LLVMIsAStoreInst(copy->store) ? 1 : 0); }

/* ---- the larger tile ---- */

/* The array's uses, or those of the loop alone where there are others, lead into the ring. */
static void put_into_ring(RingMaker *maker, LLVMValueRef array, uint64_t offset)
{
    LLVMValueRef at = LLVMConstInt(maker->emit.i32, offset, false);
    LLVMValueRef place = offset ? LLVMConstGEP2(maker->emit.i8, maker->array, &at, 1) : maker->array;
    if (maker->ring->tile.outside) {
        state_part(maker, array, place);
        return;
    }
    LLVMReplaceAllUsesWith(array, place);
    LLVMDeleteGlobal(array);
}

/* One array for all slots; the tile's arrays lie one behind the other in each. */
static void make_array(RingMaker *maker)
{
    const Ring *ring = maker->ring;
    Emit *emit = &maker->emit;
    size_t length;
    const char *name = arena_text(emit->arena, "%s.ring", LLVMGetValueName2(ring->tile.arrays.item[0], &length));
    LLVMTypeRef type = LLVMArrayType2(emit->i8, (uint64_t)(ring_slots(ring) * ring->tile.bytes));
    LLVMValueRef larger = LLVMAddGlobalInAddressSpace(emit->module, type, name, SHARED_SPACE);
    LLVMSetLinkage(larger, LLVMInternalLinkage);
    LLVMSetInitializer(larger, LLVMGetUndef(type));
    LLVMSetAlignment(larger, COPY_WIDEST);
    uint64_t offset = 0;
    maker->array = larger;
    for (size_t i = 0; i < ring->tile.arrays.count; i++) {
        LLVMValueRef array = ring->tile.arrays.item[i];
        uint64_t size = LLVMABISizeOfType(emit->layout, LLVMGlobalGetValueType(array));
        if (LLVMGetAlignment(array) > LLVMGetAlignment(larger))
            LLVMSetAlignment(larger, LLVMGetAlignment(array));
        put_into_ring(maker, array, offset);
        offset += (uint64_t)ring_part_bytes(ring, (int64_t)size);
    }
}

/* ---- where things stand ---- */

void ring_blocks(const RingMaker *maker, LLVMBasicBlockRef block, Map *seen, List *blocks)
{
    List pending = list_new(maker->emit.arena);
    for (list_add(&pending, block); pending.count;) {
        block = pending.item[--pending.count];
        if (block == maker->use || map_get(seen, block))
            continue;
        map_put(seen, block, block);
        list_add(blocks, block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned s = block == maker->latch ? 0 : LLVMGetNumSuccessors(end); s-- > 0;)
            list_add(&pending, LLVMGetSuccessor(end, s));
    }
}

static LLVMBasicBlockRef find_latch(const Ring *ring, LLVMBasicBlockRef before)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ring->function); b; b = LLVMGetNextBasicBlock(b))
        if (b != before && jumps_to(b, ring->header))
            return b;
    return NULL;
}

LLVMBasicBlockRef ring_exit(const RingMaker *maker) { return block_behind(maker->latch, maker->ring->header); }

static RingMaker maker_open(const Ring *ring, LLVMBasicBlockRef before)
{
    Arena *arena = ring->arena;
    RingMaker maker = {.ring = ring,
                       .emit = emit_open(arena, ring->function),
                       .blocks = list_new(arena),
                       .locals = list_new(arena),
                       .counter = map_new(arena),
                       .index_counter = map_new(arena),
                       .indices = map_new(arena),
                       .wide = list_new(arena),
                       .held = map_new(arena),
                       .late = map_new(arena)};
    maker.first = ring->shape.freed_first ? ir_split_before(LLVMGetNextInstruction(ring->shape.freed)) : ring->header;
    maker.use = ir_split_before(ring->shape.filled);
    maker.latch = find_latch(ring, before);
    ring_blocks(&maker, maker.first, map_new(arena), &maker.blocks);
    return maker;
}

/* ---- stages ---- */

/* Of the ring, that may be under way where its oldest stage is waited for. */
static int own_groups(const Ring *ring) { return ring->choice.stages - 2; }

/* Repeats what `body` builds, as long as the local says so (NULL: always); the builder goes on behind the loop. */
static void repeat(RingMaker *maker, int times, LLVMValueRef as_long_as, void (*body)(RingMaker *))
{
    Emit *emit = &maker->emit;
    if (times == 1) {
        body(maker);
        return;
    }
    LLVMValueRef count = ring_local(maker, emit->i32, "count");
    LLVMBasicBlockRef again = ring_block(maker), after = ring_block(maker);
    ring_set(maker, count, emit_int(emit, times));
    LLVMBuildBr(emit->builder, again);
    LLVMPositionBuilderAtEnd(emit->builder, again);
    body(maker);
    LLVMValueRef left = emit_binary(emit, LLVMSub, ring_get(maker, count, emit->i32), 1);
    ring_set(maker, count, left);
    LLVMValueRef goes_on = LLVMBuildICmp(emit->builder, LLVMIntNE, left, emit_int(emit, 0), "");
    if (as_long_as)
        goes_on = LLVMBuildAnd(emit->builder, goes_on, ring_get(maker, as_long_as, emit->i1), "");
    LLVMBuildCondBr(emit->builder, goes_on, again, after);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}

/* Says in the module which ring's groups are committed here, or waited for. Copies that are made once have the array as it is. */
static void mark_group(RingMaker *maker, LLVMValueRef call)
{
    Emit *emit = &maker->emit;
    size_t length;
    const char *ring = LLVMGetValueName2(maker->array ? maker->array : maker->ring->tile.arrays.item[0], &length);
    const char *part[OWNER_PARTS] = {arena_copy(emit->arena, ring, length), arena_text(emit->arena, "%d", own_groups(maker->ring))};
    mark_texts(call, GROUP_METADATA, part, OWNER_PARTS);
}

/* Where a tile is left: up to the last. The next run begins with the stage after. */
static void make_tiles_left(RingMaker *maker)
{
    LLVMValueRef begin = ring_get(maker, maker->fill, maker->emit.i32);
    maker->some = true;
    repeat(maker, maker->ring->choice.batch, maker->alive, ahead_copy);
    maker->some = false;
    if (!maker->runs)
        return;
    ring_set(maker, maker->fill, begin);
    ring_step(maker, maker->fill, maker->ring->choice.batch);
}

/* Tiles whose indices wait have registers of their own. */
static void make_tiles(RingMaker *maker)
{
    if (!maker->ring->choice.leads && maker->ring->choice.ends) {
        make_tiles_left(maker);
        return;
    }
    if (!maker->ring->choice.leads) {
        repeat(maker, maker->ring->choice.batch, NULL, ahead_copy);
        return;
    }
    for (maker->tile = 0; maker->tile < maker->ring->choice.batch; maker->tile++)
        ahead_copy(maker);
}

static void stage_tiles(RingMaker *maker)
{
    if (maker->is_wide)
        wide_stage(maker, make_tiles);
    else
        make_tiles(maker);
}

/* Behind the last tile a stage is an empty group: to find out of each of its tiles that there is none takes longer than a tile does. */
static void stage_tiles_if_any(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    LLVMBasicBlockRef some = ring_block(maker), after = ring_block(maker);
    LLVMBuildCondBr(emit->builder, ring_get(maker, maker->alive, emit->i1), some, after);
    LLVMPositionBuilderAtEnd(emit->builder, some);
    stage_tiles(maker);
    LLVMBuildBr(emit->builder, after);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}

static void make_stage(RingMaker *maker)
{
    if (maker->runs)
        runs_follow(maker);
    (maker->ring->choice.ends ? stage_tiles_if_any : stage_tiles)(maker);
    if (maker->ring->choice.engine == ENGINE_ASYNC)
        mark_group(maker, emit_commit(&maker->emit));
    if (maker->ring->choice.leads)
        indices_load(maker);
}

static void open_slots(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    maker->fill = ring_local(maker, emit->i32, "fill");
    maker->at = ring_local(maker, emit->i32, "at");
    ring_set(maker, maker->fill, emit_int(emit, 0));
    ring_set(maker, maker->at, emit_int(emit, 0));
}

/* Counters that are to run ahead, at the loop's own beginning; and whether their iteration runs. */
static LLVMValueRef open_ahead(RingMaker *maker, LLVMBasicBlockRef before, Map *counter)
{
    Emit *emit = &maker->emit;
    LLVMValueRef alive = ring_local(maker, emit->i1, "alive");
    ring_set(maker, alive, LLVMConstInt(emit->i1, 1, false));
    for (size_t i = 0; i < maker->ring->next.state.count; i++) {
        LLVMValueRef phi = maker->ring->next.state.item[i], local = ring_local(maker, LLVMTypeOf(phi), "ahead");
        ring_set(maker, local, phi_value_from(phi, before));
        map_put(counter, phi, local);
    }
    return alive;
}

static void open_stage(RingMaker *maker)
{
    if (maker->ring->choice.batch == 1)
        return;
    maker->until = ring_local(maker, maker->emit.i32, "until");
    ring_set(maker, maker->until, emit_int(&maker->emit, 0));
}

static void open_counters(RingMaker *maker, LLVMBasicBlockRef before)
{
    const Ring *ring = maker->ring;
    maker->alive = open_ahead(maker, before, maker->counter);
    if (ring->choice.leads)
        maker->index_alive = open_ahead(maker, before, maker->index_counter);
}

/* All stages but one, on the way to that block, or behind those of another ring; where the way goes on. */
static LLVMBasicBlockRef fill_slots(RingMaker *maker, LLVMBasicBlockRef on)
{
    Emit *emit = &maker->emit;
    if (!maker->beside) {
        repeat(maker, maker->ring->choice.stages - 1, NULL, make_stage);
        return on;
    }
    LLVMBuildBr(emit->builder, on);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(maker->beside),
                      rest = ir_split_before(LLVMGetNextInstruction(maker->beside));
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
    LLVMPositionBuilderAtEnd(emit->builder, block);
    make_stage(maker);
    return rest;
}

void ring_fill(RingMaker *maker, LLVMBasicBlockRef before)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    LLVMBasicBlockRef on = ir_split_before(LLVMGetBasicBlockTerminator(before));
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
    bool stores = ring->choice.engine != ENGINE_REGISTERS; /* to the tile, or to a slot */
    bool votes = ring_votes(ring) && !ring->shape.of_warp; /* which is a barrier of the block */
    if ((stores && ring->shape.freed_first) || (ring->shape.awaits && !votes)) {
        emit_before(emit, jump);
        LLVMInsertIntoBuilder(emit->builder, LLVMInstructionClone(ring->shape.freed));
    }
    LLVMInstructionEraseFromParent(jump);
    LLVMPositionBuilderAtEnd(emit->builder, before);
    maker->gate = maker->beside ? maker->gate : on;
    if (ring->tile.inherits && !ring->shape.once)
        state_spread(maker);
    open_stage(maker);
    open_counters(maker, maker->gate);
    if (stores) {
        open_slots(maker);
        late_open(maker);
        if (ring->choice.leads)
            indices_open(maker);
        on = fill_slots(maker, on);
    } else {
        register_ring_fill(maker);
    }
    LLVMBuildBr(emit->builder, on);
}

/* The same in front of the loop around: its runs go on from one to the next. */
static void runs_fill(RingMaker *maker, LLVMBasicBlockRef before)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    Runs *runs = maker->runs;
    maker->gate = before;
    runs->gate = ir_split_before(LLVMGetBasicBlockTerminator(runs->before));
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(runs->before);
    emit_before(emit, jump);
    if (ring->shape.freed_first || ring->runs.awaits)
        LLVMInsertIntoBuilder(emit->builder, LLVMInstructionClone(ring->shape.freed));
    emit_lane(emit);
    LLVMInstructionEraseFromParent(jump);
    LLVMPositionBuilderAtEnd(emit->builder, runs->before);
    open_stage(maker);
    open_slots(maker);
    runs_open(maker);
    repeat(maker, ring->choice.stages - 1, NULL, make_stage);
    LLVMBuildBr(emit->builder, runs->gate);
}

/* The stage begins where the tiles of the one before are used up; until then the iterations go straight to their use. */
static void skip_until(RingMaker *maker, LLVMBasicBlockRef stage, LLVMBasicBlockRef rest)
{
    Emit *emit = &maker->emit;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(maker->use);
    emit_before(emit, jump);
    LLVMValueRef left = ring_get(maker, maker->until, emit->i32);
    LLVMValueRef begins = LLVMBuildICmp(emit->builder, LLVMIntEQ, left, emit_int(emit, 0), "");
    LLVMValueRef after = emit_select(emit, begins, emit_int(emit, maker->ring->choice.batch), left);
    ring_set(maker, maker->until, emit_binary(emit, LLVMSub, after, 1));
    LLVMBuildCondBr(emit->builder, begins, stage, rest);
    LLVMInstructionEraseFromParent(jump);
}

/* Will the iterations of the whole stage run, of which this is the first? */
static void ask_full(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    const List *state = &maker->ring->next.state;
    LLVMValueRef alive = LLVMConstInt(emit->i1, 1, false), *counters = ARENA_ARRAY(emit->arena, LLVMValueRef, state->count);
    for (size_t i = 0; i < state->count; i++)
        counters[i] = state->item[i];
    maker->full = ahead_try_steps(maker, maker->ring->choice.batch, &alive, counters, false);
    maker->asked = LLVMGetInsertBlock(emit->builder);
}

/* Between filled and the use of the tile: the stage that takes the place of the one used last. */
static LLVMValueRef refill_ring(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    LLVMBasicBlockRef rest = ir_split_before(LLVMGetNextInstruction(ring->shape.filled));
    if (maker->latch == maker->use)
        maker->latch = rest;
    if (ring->choice.batch > 1)
        skip_until(maker, ir_split_before(ring->shape.filled), rest);
    emit_before(emit, ring->shape.filled);
    mark_group(maker, emit_wait(emit, own_groups(ring)));
    LLVMBasicBlockRef block = LLVMGetInstructionParent(ring->shape.filled);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
    LLVMPositionBuilderAtEnd(emit->builder, block);
    make_stage(maker);
    if (ring->choice.unrolls)
        ask_full(maker);
    LLVMBuildBr(emit->builder, rest);
    return LLVMGetFirstInstruction(rest);
}

/* ---- the use of a tile, in the slot where it is ---- */

static LLVMValueRef moved_pointer(RingMaker *maker, RingUse *use, LLVMValueRef pointer);

/* (array + 64)[i]: the constant goes behind the index and the slot, so that all such accesses share their sum. */
static LLVMValueRef move_behind(RingMaker *maker, RingUse *use, LLVMValueRef pointer)
{
    Emit *emit = &maker->emit;
    int64_t bytes;
    LLVMValueRef twin = LLVMInstructionClone(pointer);
    LLVMSetOperand(twin, 0, ir_without_offset(LLVMGetOperand(pointer, 0), &bytes));
    ir_forget_promises(twin);
    emit_before(emit, pointer);
    LLVMInsertIntoBuilder(emit->builder, twin);
    emit_before(emit, use->start);
    return emit_advance_by(emit, emit_advance(emit, twin, use->at), bytes);
}

/* Addresses that are computed in the loop are computed again from what they start at; the others are moved. */
static LLVMValueRef move_pointer(RingMaker *maker, RingUse *use, LLVMValueRef pointer)
{
    Emit *emit = &maker->emit;
    int64_t bytes;
    LLVMValueRef base = ir_without_offset(pointer, &bytes);
    if (base != pointer) {
        LLVMValueRef moved = moved_pointer(maker, use, base);
        emit_before(emit, use->start);
        if (LLVMIsAInstruction(moved) && LLVMIsAInstruction(base) && map_get(use->loop, LLVMGetInstructionParent(base)))
            emit_before(emit, LLVMGetNextInstruction(moved));
        return emit_advance_by(emit, moved, bytes);
    }
    if (LLVMIsAGetElementPtrInst(pointer) && map_get(use->loop, LLVMGetInstructionParent(pointer))) {
        LLVMValueRef twin = LLVMInstructionClone(pointer);
        LLVMSetOperand(twin, 0, moved_pointer(maker, use, LLVMGetOperand(pointer, 0)));
        emit_before(emit, pointer);
        LLVMInsertIntoBuilder(emit->builder, twin);
        return twin;
    }
    if (LLVMIsAGetElementPtrInst(pointer) && ir_without_offset(LLVMGetOperand(pointer, 0), &bytes) != LLVMGetOperand(pointer, 0))
        return move_behind(maker, use, pointer);
    emit_before(emit, use->start);
    return emit_advance(emit, pointer, use->at);
}

static LLVMValueRef moved_pointer(RingMaker *maker, RingUse *use, LLVMValueRef pointer)
{
    LLVMValueRef moved = map_get(use->moved, pointer);
    if (!moved) {
        moved = move_pointer(maker, use, pointer);
        map_put(use->moved, pointer, moved);
    }
    return moved;
}

/* An address as a number, which inline assembly is given. */
static LLVMValueRef moved_number(RingMaker *maker, const RingUse *use, LLVMValueRef reader, LLVMValueRef number)
{
    Emit *emit = &maker->emit;
    emit_before(emit, reader);
    LLVMValueRef at = LLVMBuildZExtOrBitCast(emit->builder, use->at, LLVMTypeOf(number), "");
    return LLVMBuildAdd(emit->builder, number, at, "");
}

static RingUse move_uses(RingMaker *maker, LLVMValueRef start)
{
    Emit *emit = &maker->emit;
    RingUse use = {start, NULL, map_new(emit->arena), map_new(emit->arena), list_new(emit->arena)};
    ring_blocks(maker, LLVMGetInstructionParent(start), use.loop, &use.blocks);
    emit_before(emit, start);
    use.at = emit_binary(emit, LLVMAnd, ring_get(maker, maker->at, emit->i32), -COPY_WIDEST); /* it is one: says so */
    for (size_t i = 0; i < maker->ring->tile.reads.count; i++) {
        const RingRead *read = maker->ring->tile.reads.item[i];
        LLVMValueRef place = LLVMGetOperand(read->at, read->operand);
        LLVMSetOperand(read->at, read->operand,
                       ring_reads_number(read) ? moved_number(maker, &use, read->at, place) : moved_pointer(maker, &use, place));
    }
    return use;
}

/* ---- what is left of the original ---- */

/* Each of them was used by the one before alone. */
static void erase_copies(RingMaker *maker)
{
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        LLVMInstructionEraseFromParent(copy->store);
        if (copy->merge)
            LLVMInstructionEraseFromParent(copy->merge);
        if (copy->load != copy->store)
            LLVMInstructionEraseFromParent(copy->load);
    }
    for (size_t i = 0; i < maker->ring->blanks.count; i++)
        LLVMInstructionEraseFromParent(((const RingBlank *)maker->ring->blanks.item[i])->store);
}

/* Behind the loop, freed stands for all its iterations: who leaves it may find the last tile still in use. Before the
 * loop it was made by ring_fill; state_return has one of its own. */
static void erase_freed(RingMaker *maker)
{
    const Ring *ring = maker->ring;
    if (ring->shape.freed_stays)
        return;
    if (!ring->shape.freed_first && (ring->shape.once || !ring->tile.leaves)) {
        emit_before(&maker->emit, phis_end(ring_exit(maker)));
        LLVMInsertIntoBuilder(maker->emit.builder, LLVMInstructionClone(ring->shape.freed));
    }
    LLVMInstructionEraseFromParent(ring->shape.freed);
}

static void async_rewrite(RingMaker *maker, LLVMBasicBlockRef before)
{
    make_array(maker);
    if (maker->courses && !maker->runs)
        before = wide_open(maker, before);
    (maker->runs ? runs_fill : ring_fill)(maker, before);
    RingUse use = move_uses(maker, refill_ring(maker));
    erase_copies(maker);
    erase_freed(maker);
    if (maker->full)
        batch_unroll(maker, &use, ring_exit(maker));
    if (maker->ring->tile.leaves)
        state_return(maker, ring_exit(maker));
    if (maker->runs)
        runs_leave(maker);
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(maker->latch));
    ring_step(maker, maker->at, 1);
}

/* The first stage is all there is. */
static void once_rewrite(RingMaker *maker, LLVMBasicBlockRef before)
{
    ring_fill(maker, before);
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(maker->gate));
    if (maker->ring->choice.engine == ENGINE_ASYNC)
        mark_group(maker, emit_wait(&maker->emit, own_groups(maker->ring)));
    erase_copies(maker);
    erase_freed(maker);
}

/* Asynchronous copies move 4, 8 or 16 bytes. */
static bool is_copied(const RingCopy *copy)
{
    bool of_size = copy->piece == WORD_BYTES || copy->piece == 2 * WORD_BYTES || copy->piece == COPY_WIDEST;
    return copy->load && copy->store && of_size && copy->bytes % copy->piece == 0;
}

static bool is_to_be_made(const Ring *ring)
{
    bool holds = !ring->why && !ring->made && ring->copies.count && ring->choice.stages >= 2 && ring->choice.batch >= 1;
    for (size_t i = 0; holds && ring->choice.engine == ENGINE_ASYNC && i < ring->copies.count; i++)
        holds = is_copied(ring->copies.item[i]);
    return holds && LLVMGetBasicBlockParent(ring->header) == ring->function;
}

void ring_rewrite(IrModule *ir, const Ring *ring)
{
    INVARIANT(is_to_be_made(ring));
    IrLoop *loop = ir_loop_of(ir, ring->header);
    LLVMBasicBlockRef before = ir_loop_before(loop);
    INVARIANT(before && ir_loop_header(loop) == ring->header);
    ir_loop_settle(loop);
    if (ring_tests(ring))
        before = ring_version(ir, ring);
    LLVMBasicBlockRef gate = before;
    LLVMValueRef beside = turns_with(ir, ring, &before);
    RingCourse *courses = ring->choice.wide ? wide_courses(ir, ring, before) : NULL;
    Runs *runs = ring->runs.around ? runs_ask(ir, ring, courses) : NULL;
    if (ring->runs.around && !runs) {
        courses = NULL;
        runs = runs_ask(ir, ring, NULL);
    }
    RingMaker maker = maker_open(ring, gate);
    maker.gate = gate;
    maker.beside = beside;
    maker.courses = courses;
    maker.runs = runs;
    if (ring->shape.once)
        once_rewrite(&maker, before);
    else if (ring->choice.engine == ENGINE_ASYNC)
        async_rewrite(&maker, before);
    else
        register_ring_rewrite(&maker, before);
    if (runs)
        ir_inline_next_run(ir, &runs->next);
    ir_locals_to_registers(ir, ring->function, (LLVMValueRef *)maker.locals.item, maker.locals.count);
    ir_tidy(ir, ring->function);
    ir_name_spaces(ir, ring->function);
    emit_close(&maker.emit);
}
