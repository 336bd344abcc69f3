/* The next tile of a loop waits in registers, or the next few (unroll_register_ring.c).
 *
 *                                        v = g[0]
 *     loop:                              loop:
 *       v = g[i]                           s[t] = convert(v)
 *       s[t] = convert(v)                  filled
 *       filled                    ->       if (i + 1 < n) v' = g[i + 1]
 *       use the tile                       use the tile
 *       freed                              freed; v = v'
 *
 * Each load is made again ahead (copy_ahead.c) and keeps what it brings in a local, which the original then reads instead. */
#include "transform/rings/make_ring.h"

typedef struct {
    LLVMTypeRef type;
    LLVMValueRef local[HELD_WORDS]; /* of each turn, one for a load, one for each piece of a memory copy */
    int pieces;
} Held;

static LLVMTypeRef type_of_piece(Emit *emit, int bytes)
{
    if (bytes > WORD)
        return LLVMVectorType(emit->i32, (unsigned)(bytes / WORD));
    return LLVMIntTypeInContext(emit->context, (unsigned)(8 * bytes));
}

static void open_held(RingMaker *maker)
{
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        Held *held = ARENA_NEW(maker->emit.arena, Held);
        held->type = copy->store ? type_of_piece(&maker->emit, copy->piece) : LLVMTypeOf(copy->load);
        held->pieces = copy->bytes / copy->piece;
        for (int k = 0; k < held->pieces * (maker->ring->choice.stages - 1); k++)
            held->local[k] = ring_local(maker, held->type, "held");
        map_put(maker->held, copy->load, held);
    }
}

/* ---- ahead: what is loaded goes into the locals ---- */

static LLVMValueRef load_piece(RingMaker *maker, const Held *held, const RingCopy *copy, LLVMValueRef source, int piece)
{
    Emit *emit = &maker->emit;
    LLVMValueRef load = LLVMBuildLoad2(emit->builder, held->type, emit_advance_by(emit, source, piece * copy->piece), "");
    LLVMSetAlignment(load, (unsigned)copy->piece);
    if (access_hint(copy->load))
        hint_give(load, access_hint(copy->load));
    return load;
}

void register_ring_keep(RingMaker *maker, const Twins *ahead, const RingCopy *copy)
{
    const Held *held = map_get(maker->held, copy->load);
    LLVMBasicBlockRef block = clone_of_block(ahead, LLVMGetInstructionParent(copy->load));
    emit_before(&maker->emit, LLVMGetBasicBlockTerminator(block));
    LLVMSetCurrentDebugLocation2(maker->emit.builder, LLVMInstructionGetDebugLoc(copy->load));
    for (int k = 0; k < held->pieces; k++) {
        LLVMValueRef load = copy->store ? load_piece(maker, held, copy, clone_of(ahead, source_of(copy)), k)
                                        : clone_of(ahead, copy->load);
        mark_add(load, AHEAD_METADATA);
        ring_set(maker, held->local[maker->turn * held->pieces + k], load);
    }
}

static void load_tile(RingMaker *maker)
{
    ahead_copy(maker);
    if (maker->ring->choice.leads)
        indices_load(maker);
}

void register_ring_fill(RingMaker *maker)
{
    if (maker->ring->choice.leads)
        indices_open(maker);
    for (maker->turn = 0; maker->turn < maker->ring->choice.stages - 1; maker->turn++)
        load_tile(maker);
    maker->turn = 0;
}

void register_ring_turn(RingMaker *maker, const RingCopy *copy, int turn, Map *map)
{
    const Held *held = map_get(maker->held, copy->load);
    for (int k = 0; k < held->pieces; k++)
        map_put(map, held->local[k], held->local[turn * held->pieces + k]);
}

/* ---- where the original loads, it finds them ---- */

static void give_pieces(RingMaker *maker, const Held *held, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    for (int k = 0; k < held->pieces; k++) {
        LLVMValueRef value = ring_get(maker, held->local[k], held->type);
        LLVMValueRef target = emit_advance_by(emit, target_of(copy), k * copy->piece);
        LLVMValueRef store = LLVMBuildStore(emit->builder, value, target);
        LLVMSetAlignment(store, (unsigned)copy->piece);
        ring_mark(maker, store);
    }
}

static void give(RingMaker *maker, const RingCopy *copy)
{
    const Held *held = map_get(maker->held, copy->load);
    emit_before(&maker->emit, copy->load);
    if (copy->store)
        give_pieces(maker, held, copy);
    else
        LLVMReplaceAllUsesWith(copy->load, ring_get(maker, held->local[0], held->type));
    LLVMInstructionEraseFromParent(copy->load);
}

/* ---- all of it ---- */

static void load_next(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    LLVMBasicBlockRef rest = ir_split_before(LLVMGetNextInstruction(maker->ring->shape.filled));
    if (maker->latch == maker->use)
        maker->latch = rest;
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(maker->use));
    LLVMPositionBuilderAtEnd(emit->builder, maker->use);
    if (maker->ring->choice.stages == 2)
        ahead_follow(maker);
    load_tile(maker);
    LLVMBuildBr(emit->builder, rest);
}

void register_ring_rewrite(RingMaker *maker, LLVMBasicBlockRef before)
{
    open_held(maker);
    ring_fill(maker, before);
    load_next(maker);
    for (size_t i = 0; i < maker->ring->stores.count; i++)
        ring_mark(maker, maker->ring->stores.item[i]);
    for (size_t i = 0; i < maker->ring->copies.count; i++)
        give(maker, maker->ring->copies.item[i]);
    if (maker->ring->choice.stages > 2)
        register_ring_turns_make(maker, ring_exit(maker));
}
