/* The copies of a tile, made again for a later iteration: the part of the loop's body that leads to them, with counters of
 * its own, and asynchronous copies in place of loads and stores.
 *
 *     header:  i = phi ...                          if (alive) {
 *              x = g[i * 16 + t]          ->            copy s[fill + t] <- g[i' * 16 + t], asynchronously
 *              s[t] = x                                 i' = i' + 1; alive = i' < n
 *     use:     barrier                              } */
#include "transform/rings/make_ring.h"

typedef struct {
    RingMaker *maker;
    Twins twins; /* of the loop -> ahead of it */
    Map *size;  /* merge -> bytes that are copied, the rest being zeros; its value is the source */
    LLVMBasicBlockRef after;
    bool speculates; /* the iteration may not run */
    Map *waits;      /* loads of which registers have what they bring */
} Ahead;

static LLVMValueRef mapped(const Ahead *ahead, LLVMValueRef value) { return clone_of(&ahead->twins, value); }

static const RingCopy *copy_by_merge(const Ahead *ahead, LLVMValueRef merge)
{
    const List *copies = &ahead->maker->ring->copies;
    for (size_t i = 0; i < copies->count; i++)
        if (((const RingCopy *)copies->item[i])->merge == merge)
            return copies->item[i];
    return NULL;
}

/* ---- twins ---- */

/* Where a phi chooses between the load and zero: where from, and how much. */
static void make_merge(Ahead *ahead, LLVMValueRef phi)
{
    Emit *emit = &ahead->maker->emit;
    LLVMTypeRef pointer = LLVMTypeOf(source_of(copy_by_merge(ahead, phi)));
    map_put(ahead->twins.value, phi, LLVMBuildPhi(emit->builder, pointer, ""));
    map_put(ahead->size, phi, LLVMBuildPhi(emit->builder, emit->i32, ""));
}

static void make_twin(Ahead *ahead, LLVMValueRef instruction)
{
    LLVMValueRef index = ahead->waits ? index_get(ahead->maker, instruction) : NULL;
    if (index) {
        map_put(ahead->twins.value, instruction, index);
        map_put(ahead->waits, instruction, index);
    } else if (LLVMIsAPHINode(instruction) && copy_by_merge(ahead, instruction))
        make_merge(ahead, instruction);
    else if (LLVMIsATerminatorInst(instruction) || map_get(ahead->maker->ring->next.ahead, instruction))
        clone_make(&ahead->twins, instruction);
}

static void make_twins(Ahead *ahead, LLVMBasicBlockRef block)
{
    RingMaker *maker = ahead->maker;
    LLVMBuilderRef builder = maker->emit.builder;
    LLVMPositionBuilderAtEnd(builder, map_get(ahead->twins.block, block));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) || block != maker->ring->header)
            make_twin(ahead, i);
}

/* Arithmetic that an iteration does before the copies begin comes first. */
static void make_above(Ahead *ahead)
{
    RingMaker *maker = ahead->maker;
    List blocks = list_new(maker->emit.arena);
    ring_blocks(maker, maker->ring->header, map_new(maker->emit.arena), &blocks);
    LLVMPositionBuilderAtEnd(maker->emit.builder, clone_of_block(&ahead->twins, maker->first));
    for (size_t i = 0; i < blocks.count; i++)
        for (LLVMValueRef k = LLVMGetFirstInstruction(blocks.item[i]); k; k = LLVMGetNextInstruction(k))
            if (!map_get(ahead->twins.block, blocks.item[i]))
                clone_deep(&ahead->twins, maker->ring->next.ahead, k, true);
}

/* ---- what they refer to ---- */

static void link_merge(Ahead *ahead, LLVMValueRef phi)
{
    Emit *emit = &ahead->maker->emit;
    const RingCopy *copy = copy_by_merge(ahead, phi);
    LLVMValueRef from = mapped(ahead, phi), size = map_get(ahead->size, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        bool loads = LLVMGetIncomingValue(phi, i) == copy->load;
        LLVMBasicBlockRef block = map_get(ahead->twins.block, LLVMGetIncomingBlock(phi, i));
        LLVMValueRef source = loads ? mapped(ahead, source_of(copy)) : emit_unread(emit, LLVMTypeOf(from));
        LLVMValueRef bytes = emit_int(emit, loads ? copy->piece : 0);
        LLVMAddIncoming(from, &source, &block, 1);
        LLVMAddIncoming(size, &bytes, &block, 1);
    }
}

static void link_twins(Ahead *ahead, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (map_get(ahead->size, i))
            link_merge(ahead, i);
        else if (map_get(ahead->twins.value, i) && !map_get(ahead->maker->counter, i) &&
                 !(ahead->waits && map_get(ahead->waits, i)))
            clone_link(&ahead->twins, i);
}

/* ---- copies ---- */

/* Bytes of the source that count, where the copy may be of zeros; NULL where it never is. */
static LLVMValueRef size_of(Ahead *ahead, const RingCopy *copy)
{
    Emit *emit = &ahead->maker->emit;
    if (!copy->merge || !LLVMIsASelectInst(copy->merge))
        return copy->merge ? map_get(ahead->size, copy->merge) : NULL;
    bool loads_first = LLVMGetOperand(copy->merge, 1) == copy->load;
    return emit_select(emit, mapped(ahead, LLVMGetOperand(copy->merge, 0)), emit_int(emit, loads_first ? copy->piece : 0),
                       emit_int(emit, loads_first ? 0 : copy->piece));
}

/* Remarks are made when all is done: they find here what was. */
void ring_mark(RingMaker *maker, LLVMValueRef copy)
{
    Emit *emit = &maker->emit;
    const Resident *resident = &maker->ring->choice.resident;
    const char *text[RING_PARTS] = {ring_text(maker->ring), arena_text(emit->arena, "%d", resident->before),
                                    arena_text(emit->arena, "%d", resident->after), maker->ring->told ? maker->ring->told : ""};
    mark_texts(copy, RING_METADATA, text, RING_PARTS);
    if (maker->ring->shape.once)
        mark_add(copy, ONCE_METADATA);
}

void ahead_pieces(RingMaker *maker, const RingCopy *copy, LLVMValueRef target, LLVMValueRef source, LLVMValueRef size)
{
    Emit *emit = &maker->emit;
    target = emit_advance(emit, target, ring_get(maker, maker->fill, emit->i32));
    for (int at = 0; at < copy->bytes; at += copy->piece) {
        LLVMValueRef to = emit_advance_by(emit, target, at), from = emit_advance_by(emit, source, at);
        ring_mark(maker, emit_copy_async(emit, to, from, copy->piece, size));
    }
}

/* Of what is known: the store as it stands, at the end of the block. */
static void make_store(Ahead *ahead, const RingCopy *copy)
{
    LLVMValueRef twin = LLVMInstructionClone(copy->store);
    LLVMSetOperand(twin, 1, mapped(ahead, copy->target));
    emit_before(&ahead->maker->emit,
                LLVMGetBasicBlockTerminator(clone_of_block(&ahead->twins, LLVMGetInstructionParent(copy->store))));
    LLVMInsertIntoBuilder(ahead->maker->emit.builder, twin);
    mark_add(twin, ONCE_METADATA);
}

static void make_copy(Ahead *ahead, const RingCopy *copy)
{
    RingMaker *maker = ahead->maker;
    Emit *emit = &maker->emit;
    emit_before(emit, LLVMGetBasicBlockTerminator(map_get(ahead->twins.block, LLVMGetInstructionParent(copy->store))));
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(copy->load));
    LLVMValueRef size = size_of(ahead, copy);
    LLVMValueRef source = copy->merge && LLVMIsAPHINode(copy->merge) ? mapped(ahead, copy->merge) : mapped(ahead, source_of(copy));
    if (copy->kind != COPY_ALIKE) {
        late_note(maker, copy, source, size);
        return;
    }
    ahead_pieces(maker, copy, mapped(ahead, target_of(copy)), source, size);
}

/* Of a copy in a loop of its own, in each iteration of it; else at the end of the block. */
static void make_late_copy(Ahead *ahead, const RingCopy *copy, LLVMBasicBlockRef block)
{
    RingMaker *maker = ahead->maker;
    Emit *emit = &maker->emit;
    Twins here = twins_open(emit->arena, emit->builder);
    for (size_t i = 0; i < maker->blocks.count; i++)
        for (LLVMValueRef k = LLVMGetFirstInstruction(maker->blocks.item[i]); LLVMIsAPHINode(k); k = LLVMGetNextInstruction(k))
            map_put(here.value, k, mapped(ahead, k));
    emit_before(emit, phis_end(clone_of_block(&ahead->twins, copy->begins ? copy->begins : maker->first)));
    if (late_is_anew(copy))
        late_begin(maker, copy);
    emit_before(emit, LLVMGetBasicBlockTerminator(copy->meets ? clone_of_block(&ahead->twins, copy->meets) : block));
    if (copy->stops)
        late_row_step(maker, &here, copy);
    if (late_is_anew(copy))
        late_copy_anew(maker, &here, copy);
    else
        late_copy(maker, copy);
}

/* Where the builder stands, what loops that stopped have left; they began behind the other block's phis. */
static void make_rows(Ahead *ahead, LLVMBasicBlockRef first)
{
    RingMaker *maker = ahead->maker;
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        LLVMBasicBlockRef here = LLVMGetInsertBlock(maker->emit.builder);
        if (!copy->stops)
            continue;
        emit_before(&maker->emit, phis_end(first));
        late_row_begin(maker, copy);
        emit_before(&maker->emit, LLVMGetBasicBlockTerminator(here));
        late_row_end(maker, copy);
    }
}

/* At the end of the block, where all ways have met; the builder goes on behind. */
static void make_late(Ahead *ahead, LLVMBasicBlockRef last)
{
    RingMaker *maker = ahead->maker;
    const Ring *ring = maker->ring;
    for (size_t i = 0; i < ring->blanks.count; i++) {
        const RingBlank *blank = ring->blanks.item[i];
        LLVMBasicBlockRef block = clone_of_block(&ahead->twins, LLVMGetInstructionParent(blank->store));
        emit_before(&maker->emit, LLVMGetBasicBlockTerminator(block));
        late_note(maker, blank->copy, NULL, NULL);
    }
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (copy->kind != COPY_ALIKE)
            make_late_copy(ahead, copy, last);
        if (copy->kind != COPY_ALIKE && !copy->meets)
            last = LLVMGetInsertBlock(maker->emit.builder);
    }
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(last));
    make_rows(ahead, clone_of_block(&ahead->twins, maker->first));
}

/* ---- the next iteration ---- */

/* Arithmetic after the copies is repeated here. */
static LLVMValueRef next_value(Ahead *ahead, LLVMValueRef value)
{
    return clone_deep(&ahead->twins, ahead->maker->ring->next.ahead, value, !ahead->speculates);
}

/* The counters of the iteration after the one that `ahead` stands for, and whether there is one. */
static LLVMValueRef next_counters(Ahead *ahead, LLVMValueRef *next)
{
    RingMaker *maker = ahead->maker;
    const List *state = &maker->ring->next.state;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(maker->latch);
    for (size_t i = 0; i < state->count; i++)
        next[i] = next_value(ahead, phi_value_from(state->item[i], maker->latch));
    LLVMValueRef again = next_value(ahead, LLVMGetCondition(jump));
    return LLVMGetSuccessor(jump, 0) == maker->ring->header ? again : LLVMBuildNot(maker->emit.builder, again, "");
}

void ahead_get(RingMaker *maker, LLVMValueRef *alive, LLVMValueRef *counters)
{
    const List *state = &maker->ring->next.state;
    *alive = ring_get(maker, maker->alive, maker->emit.i1);
    for (size_t i = 0; i < state->count; i++)
        counters[i] = ring_get(maker, map_get(maker->counter, state->item[i]), LLVMTypeOf(state->item[i]));
}

void ahead_set(RingMaker *maker, LLVMValueRef alive, LLVMValueRef *counters)
{
    const List *state = &maker->ring->next.state;
    for (size_t i = 0; i < state->count; i++)
        ring_set(maker, map_get(maker->counter, state->item[i]), counters[i]);
    ring_set(maker, maker->alive, alive);
}

static void step_counters(Ahead *ahead)
{
    LLVMValueRef *next = ARENA_ARRAY(ahead->maker->emit.arena, LLVMValueRef, ahead->maker->ring->next.state.count);
    LLVMValueRef again = next_counters(ahead, next);
    ahead_set(ahead->maker, again, next);
}

LLVMValueRef ahead_try_steps(RingMaker *maker, int tiles, LLVMValueRef *alive, LLVMValueRef *counters, bool of_next)
{
    Emit *emit = &maker->emit;
    const List *state = &maker->ring->next.state;
    LLVMValueRef all = NULL;
    for (int tile = 0; tile < tiles; tile++) {
        Ahead ahead = {.maker = maker, .twins = twins_open(emit->arena, emit->builder), .speculates = true};
        if (of_next)
            runs_map(maker, &ahead.twins);
        for (size_t i = 0; i < state->count; i++)
            map_put(ahead.twins.value, state->item[i], counters[i]);
        all = emit_both(emit, all, *alive);
        *alive = next_counters(&ahead, counters);
    }
    return all;
}

/* What comes before the use of the tile is done in this iteration, and need not be made again. */
void ahead_follow(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    Ahead ahead = {.maker = maker, .twins = twins_open(emit->arena, emit->builder)};
    List blocks = list_new(emit->arena);
    ring_blocks(maker, maker->ring->header, map_new(emit->arena), &blocks);
    for (size_t i = 0; i < blocks.count; i++)
        for (LLVMValueRef k = LLVMGetFirstInstruction(blocks.item[i]); k; k = LLVMGetNextInstruction(k))
            map_put(ahead.twins.value, k, k);
    step_counters(&ahead);
}

/* ---- all of it ---- */

static Ahead ahead_open(RingMaker *maker)
{
    Arena *arena = maker->emit.arena;
    Ahead ahead = {maker, twins_open(arena, maker->emit.builder), map_new(arena), NULL, false, NULL};
    for (size_t i = 0; i < maker->blocks.count; i++)
        map_put(ahead.twins.block, maker->blocks.item[i], ring_block(maker));
    for (size_t i = 0; i < maker->ring->next.state.count; i++) {
        LLVMValueRef phi = maker->ring->next.state.item[i];
        map_put(ahead.twins.value, phi, ring_get(maker, map_get(maker->counter, phi), LLVMTypeOf(phi)));
    }
    runs_map(maker, &ahead.twins);
    ahead.after = ring_block(maker);
    map_put(ahead.twins.block, maker->use, ahead.after);
    return ahead;
}

/* At the end of a block: the way to the copies, if that iteration runs. Its last block. */
static LLVMBasicBlockRef make_way(Ahead *ahead)
{
    RingMaker *maker = ahead->maker;
    Emit *emit = &maker->emit;
    LLVMBasicBlockRef last = NULL;
    LLVMBasicBlockRef first = clone_of_block(&ahead->twins, maker->first);
    if (maker->some)
        LLVMBuildBr(emit->builder, first);
    else
        LLVMBuildCondBr(emit->builder, ring_get(maker, maker->alive, emit->i1), first, ahead->after);
    make_above(ahead);
    for (size_t i = 0; i < maker->blocks.count; i++)
        make_twins(ahead, maker->blocks.item[i]);
    for (size_t i = 0; i < maker->blocks.count; i++) {
        LLVMBasicBlockRef block = maker->blocks.item[i];
        link_twins(ahead, block);
        if (LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), 0) == maker->use)
            last = map_get(ahead->twins.block, block);
    }
    return last;
}

static void change_counters(RingMaker *maker)
{
    LLVMValueRef alive = maker->alive;
    Map *counter = maker->counter;
    maker->alive = maker->index_alive;
    maker->counter = maker->index_counter;
    maker->index_alive = alive;
    maker->index_counter = counter;
}

void ahead_load(RingMaker *maker)
{
    change_counters(maker);
    Ahead ahead = ahead_open(maker);
    LLVMBasicBlockRef last = make_way(&ahead);
    indices_keep(maker, &ahead.twins);
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(last));
    step_counters(&ahead);
    LLVMPositionBuilderAtEnd(maker->emit.builder, ahead.after);
    change_counters(maker);
}

void ahead_copy(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    Ahead ahead = ahead_open(maker);
    ahead.waits = maker->ring->choice.leads ? map_new(emit->arena) : NULL;
    LLVMBasicBlockRef last = make_way(&ahead);
    for (size_t i = 0; i < maker->ring->copies.count; i++)
        if (maker->ring->choice.engine == ENGINE_REGISTERS)
            register_ring_keep(maker, &ahead.twins, maker->ring->copies.item[i]);
        else if (maker->ring->choice.engine == ENGINE_KNOWN)
            make_store(&ahead, maker->ring->copies.item[i]);
        else
            make_copy(&ahead, maker->ring->copies.item[i]);
    make_late(&ahead, last);
    step_counters(&ahead);
    LLVMPositionBuilderAtEnd(emit->builder, ahead.after);
    if (maker->fill)
        ring_step(maker, maker->fill, 1);
}
