/* Loops that do something in some of their iterations, which all lanes have alike (analysis/walks/strips.c):
 *
 *     for (; 32 iterations and one more are left, the warp is whole, and at one iteration in all lanes; j += 32)
 *         bits = ballot(c(j + lane))
 *         if (many are set)
 *             v[0..31] = the words of this lane's row, of which each was loaded by the lane that has asked for it, handed on by shuffles
 *             for (t = 0..31) s = bits & 1 << t ? s + v[t] * x(j + t) : s
 *         else
 *             for (; bits; four at a time)
 *                 t0, t1, t2, t3 = the first bits that are set
 *                 v0 = a[i*m + j + t0]; if (t1 is there) v1 = a[i*m + j + t1]; ...
 *                 s = s + v0 * x(j + t0); s = t1 is there ? s + v1 * x(j + t1) : s; ...
 *     the loop as it was does what remains
 *
 * What all lanes load alike, x, each lane loads for the iteration that it has asked, and a shuffle hands it on. The rows of the lanes move together where
 * they are found on entry to lie as far apart as those of the first two, and each to go on evenly. */
#include "analysis/address/warp.h"
#include "analysis/walks/walks.h"
#include "pass/base/marks.h"
#include "transform/emit/clone.h"
#include "transform/emit/version.h"
#include "transform/records/network.h"
#include "transform/transform.h"

enum { LANES = WARP_LANES, ABREAST = 4 };

typedef struct {
    const StripRow *row;
    LLVMValueRef load;         /* in the loop */
    LLVMValueRef stride,
        skew; /* locals, then what they hold: from lane to lane; how far the first row that a lane moves lies before its own */
    LLVMValueRef value[LANES]; /* of the iterations that are done */
    int units;                 /* words of a row that move at once */
} Row;

/* A phi of the loop's header: a number that counts, or what goes on only where something is done. */
typedef struct {
    LLVMValueRef phi, next; /* next: what it becomes then; NULL: */
    int64_t step;           /* it counts */
    LLVMValueRef start, now; /* in front of the loop; at the 32 iterations */
    LLVMValueRef done;       /* a phi, of what it is behind them */
} State;

/* What all lanes load alike; in each lane, for the iteration that it has asked. */
typedef struct {
    LLVMValueRef load, asked;
    bool is_used; /* by what is done */
} Shared;

typedef struct {
    Arena *arena;
    IrModule *ir;
    const Strips *strips;
    LLVMValueRef function;
    LLVMBasicBlockRef header, latch, block;
    List way; /* of LLVMBasicBlockRef: from the block up to the header */
    Map *among; /* instructions of the loop */
    Row row[STRIP_ROWS];
    State *state;
    size_t states;
    Shared *shared;
    size_t shares;
    LLVMValueRef even, many, last; /* do rows lie as they have to; how many are many; the number of the last iteration */
    LLVMValueRef number, bits,
        asks; /* of iterations that are done; of those of the next 32 that do something; is the lane's own one of them? */
    LLVMBasicBlockRef rest, end; /* blocks: in front of the loop as it was; behind 32 iterations */
    List locals;
    Emit emit;
} Maker;

static LLVMBasicBlockRef block_new(Maker *maker)
{
    return LLVMInsertBasicBlockInContext(maker->emit.context, maker->rest ? maker->rest : maker->header, "");
}

static LLVMBasicBlockRef here(const Maker *maker) { return LLVMGetInsertBlock(maker->emit.builder); }

static void go_on_in(Maker *maker, LLVMBasicBlockRef block) { LLVMPositionBuilderAtEnd(maker->emit.builder, block); }

static LLVMValueRef phi_of(Maker *maker, LLVMTypeRef type, LLVMValueRef value, LLVMBasicBlockRef from)
{
    LLVMValueRef phi = LLVMBuildPhi(maker->emit.builder, type, "");
    LLVMAddIncoming(phi, &value, &from, 1);
    return phi;
}

static void phi_gets(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) { LLVMAddIncoming(phi, &value, &from, 1); }

/* ---- the loop as it was ---- */

static void states_find(Maker *maker)
{
    size_t count = 0;
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(maker->ir, maker->header));
    for (LLVMValueRef phi = LLVMGetFirstInstruction(maker->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        count++;
    maker->state = ARENA_ARRAY(maker->arena, State, count + 1);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(maker->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        State *state = &maker->state[maker->states++];
        *state = (State){.phi = phi, .start = phi_value_from(phi, before)};
        if (!some_is_number(phi) || !ir_step(maker->ir, maker->function, maker->header, phi, &state->step))
            state->next = phi_value_from(phi_value_from(phi, maker->latch), maker->block);
    }
}

static bool is_among(const void *among, LLVMValueRef value) { return map_get(among, value) && !LLVMIsAPHINode(value); }

static void shared_find(Maker *maker, const List *loads)
{
    Map *used = map_new(maker->arena);
    for (size_t i = 0; i < maker->states; i++) {
        const List order = maker->state[i].next ? slice_order(maker->arena, maker->state[i].next, is_among, maker->among)
                                                : list_new(maker->arena);
        for (size_t k = 0; k < order.count; k++)
            map_put(used, order.item[k], order.item[k]);
    }
    maker->shared = ARENA_ARRAY(maker->arena, Shared, maker->strips->shared.count + 1);
    for (size_t i = 0; i < maker->strips->shared.count; i++) {
        LLVMValueRef load = loads->item[(intptr_t)maker->strips->shared.item[i]];
        maker->shared[maker->shares++] = (Shared){load, NULL, map_get(used, load) != NULL};
    }
}

static void loop_read(Maker *maker)
{
    IrLoop *loop = ir_loop_of(maker->ir, maker->header);
    const List loads = loop_accesses(maker->arena, maker->ir, maker->header, false);
    maker->latch = ir_loop_latch(loop);
    maker->among = map_new(maker->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(maker->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            map_put(maker->among, i, i);
    int words = 0;
    for (size_t i = 0; i < maker->strips->rows.count; i++) {
        maker->row[i] = (Row){.row = maker->strips->rows.item[i]};
        maker->row[i].load = loads.item[maker->row[i].row->load];
        words += maker->row[i].row->bytes / WORD_BYTES;
    }
    for (size_t i = 0; i < maker->strips->rows.count; i++)
        maker->row[i].units = words > 2 ? LANES / 4 : LANES / words; /* as many words as there are lanes */
    maker->block = LLVMGetInstructionParent(maker->row[0].load);
    for (LLVMBasicBlockRef b = maker->block; b; b = b == maker->header ? NULL : some_parent(maker->ir, b))
        list_add(&maker->way, b);
    states_find(maker);
    shared_find(maker, &loads);
}

/* ---- on entry ---- */

/* That the load moves as it is taken to, and nothing wraps around on the way. */
static LLVMValueRef want_even(Version *version, LLVMValueRef load, LLVMValueRef length)
{
    const IrExtent extent = version_extent(version, LLVMGetOperand(load, 0), 0);
    LLVMBuilderRef builder = version->emit.builder;
    emit_before(&version->emit, version->place);
    version_want(version, LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildSub(builder, extent.high, extent.low, ""), length, ""));
    return LLVMBuildFreeze(builder, extent.low, "");
}

/* Of that lane, if it is here. */
static LLVMValueRef of_lane(Emit *emit, LLVMValueRef address, int lane)
{
    LLVMValueRef there = emit_is_here(emit, emit_int(emit, lane));
    return emit_address_of_lane(emit, address, emit_select(emit, there, emit_int(emit, lane), emit_lane(emit)));
}

/* That all lanes are here, and each lane's row lies as far behind the one before. */
static void want_lanes(Version *version, const Row *row, LLVMValueRef low)
{
    Emit *emit = &version->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef lane = emit_lane(emit);
    emit->here = emit_lanes_here(emit);
    version_want(version, emit_are_all(emit, emit->here));
    LLVMValueRef first = of_lane(emit, low, 0), stride = LLVMBuildSub(builder, of_lane(emit, low, 1), first, "");
    emit->here = NULL;
    LLVMValueRef place = LLVMBuildAdd(builder, first, LLVMBuildMul(builder, stride, emit_wide(emit, lane), ""), "");
    version_want(version, LLVMBuildICmp(builder, LLVMIntEQ, low, place, ""));
    LLVMValueRef seat = emit_wide(emit, emit_binary(emit, LLVMAnd, lane, row->units - 1));
    LLVMValueRef skew = LLVMBuildMul(builder, seat, stride, "");
    LLVMBuildStore(builder, stride, row->stride);
    LLVMBuildStore(builder, skew, row->skew);
}

static LLVMValueRef local_of(Maker *maker, Emit *emit)
{
    LLVMValueRef local = emit_local(emit, maker->function, emit->i64, "");
    list_add(&maker->locals, local);
    return local;
}

/* Leaves the builder in front of the jump into the loop. */
static void ask_on_entry(Maker *maker)
{
    Version version = version_open_after(maker->arena, maker->ir, maker->function, maker->header, LANES + 1);
    Emit *emit = &version.emit;
    LLVMValueRef last = emit_wide(emit, ir_loop_last(maker->ir, maker->function, maker->header, version.place));
    for (size_t i = 0; i < maker->strips->rows.count; i++) {
        Row *row = &maker->row[i];
        row->stride = local_of(maker, emit);
        row->skew = local_of(maker, emit);
        emit_before(emit, version.place);
        LLVMValueRef low = want_even(&version, row->load, emit_binary(emit, LLVMMul, last, row->row->bytes));
        want_lanes(&version, row, low);
    }
    version_vote(&version);
    maker->even = version.holds;
    maker->last = emit_wide(emit, ir_loop_last(maker->ir, maker->function, maker->header, version.jump));
    emit_close(emit);
    maker->emit = emit_open(maker->arena, maker->function);
    emit_before(&maker->emit, version.jump);
    for (size_t i = 0; i < maker->strips->rows.count; i++) {
        maker->row[i].stride = LLVMBuildLoad2(maker->emit.builder, maker->emit.i64, maker->row[i].stride, "");
        maker->row[i].skew = LLVMBuildLoad2(maker->emit.builder, maker->emit.i64, maker->row[i].skew, "");
    }
    LLVMValueRef small = emit_launch_is_small(&maker->emit, maker->function, maker->strips->few);
    maker->many = emit_select(&maker->emit, small, emit_int(&maker->emit, maker->strips->least_few),
                              emit_int(&maker->emit, maker->strips->least));
    maker->many = emit_select(&maker->emit, maker->even, maker->many, emit_int(&maker->emit, LANES + 1));
}

/* ---- an iteration ---- */

/* What the state is in the iteration that comes so many behind the first of the 32. */
static LLVMValueRef counter_at(Maker *maker, const State *state, LLVMValueRef behind)
{
    LLVMBuilderRef builder = maker->emit.builder;
    LLVMValueRef by = LLVMConstInt(maker->emit.i64, (unsigned long long)state->step, true);
    LLVMValueRef on = LLVMBuildMul(builder, emit_wide(&maker->emit, behind), by, "");
    LLVMTypeRef type = LLVMTypeOf(state->phi);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildGEP2(builder, maker->emit.i8, state->now, &on, 1, "");
    return LLVMBuildAdd(builder, state->now, LLVMBuildIntCast2(builder, on, type, true, ""), "");
}

static Twins twins_at(Maker *maker, LLVMValueRef behind)
{
    Twins twins = twins_open(maker->arena, maker->emit.builder);
    for (size_t i = 0; i < maker->states; i++)
        if (!maker->state[i].next)
            map_put(twins.value, maker->state[i].phi, counter_at(maker, &maker->state[i], behind));
    return twins;
}

/* A condition inside of another one may be poison where that does not hold. */
static LLVMValueRef condition_of(Maker *maker, Twins *twins)
{
    Emit *emit = &maker->emit;
    LLVMValueRef all = NULL;
    for (size_t i = 1; i < maker->way.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(maker->way.item[i]);
        LLVMValueRef condition = clone_deep(twins, maker->among, LLVMGetCondition(end), false);
        condition = LLVMGetSuccessor(end, 0) == maker->way.item[i - 1] ? condition : LLVMBuildNot(emit->builder, condition, "");
        all = all ? emit_select(emit, condition, all, LLVMConstInt(emit->i1, 0, false)) : condition;
    }
    return LLVMBuildFreeze(emit->builder, all, "");
}

/* ---- what each lane asks ---- */

static bool is_of_block(const Maker *maker, const Shared *shared) { return LLVMGetInstructionParent(shared->load) == maker->block; }

/* Loads under the condition are made under it. */
static void load_shared(Maker *maker, Twins *twins)
{
    LLVMBasicBlockRef from = here(maker), then = NULL;
    for (size_t i = 0; i < maker->shares; i++)
        if (maker->shared[i].is_used && !is_of_block(maker, &maker->shared[i]))
            maker->shared[i].asked = clone_deep(twins, maker->among, maker->shared[i].load, false);
    for (size_t i = 0; i < maker->shares; i++) {
        if (!maker->shared[i].is_used || !is_of_block(maker, &maker->shared[i]))
            continue;
        if (!then) {
            then = block_new(maker);
            LLVMBasicBlockRef next = block_new(maker);
            LLVMBuildCondBr(maker->emit.builder, maker->asks, then, next);
            go_on_in(maker, next);
            LLVMPositionBuilderAtEnd(maker->emit.builder, then);
            LLVMBuildBr(maker->emit.builder, next);
        }
        LLVMPositionBuilderBefore(maker->emit.builder, LLVMGetBasicBlockTerminator(then));
        maker->shared[i].asked = clone_deep(twins, maker->among, maker->shared[i].load, true);
    }
    if (!then)
        return;
    go_on_in(maker, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(then), 0));
    for (size_t i = 0; i < maker->shares; i++)
        if (maker->shared[i].is_used && is_of_block(maker, &maker->shared[i])) {
            LLVMTypeRef type = LLVMTypeOf(maker->shared[i].load);
            maker->shared[i].asked = phi_of(maker, type, maker->shared[i].asked, then);
            phi_gets(maker->shared[i].asked, LLVMGetUndef(type), from);
        }
    for (size_t i = 0; i < maker->shares; i++)
        if (maker->shared[i].is_used && is_of_block(maker, &maker->shared[i]))
            maker->shared[i].asked = LLVMBuildFreeze(maker->emit.builder, maker->shared[i].asked, "");
}

/* ---- words and lanes ---- */

static Unit unit_of(Emit *emit, LLVMValueRef value)
{
    LLVMBuilderRef builder = emit->builder;
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(emit->layout, LLVMTypeOf(value));
    Unit unit = {.words = bits > 32 ? 2 : 1};
    value = LLVMBuildBitCast(builder, value, LLVMIntTypeInContext(emit->context, bits), "");
    for (int i = 0; i < unit.words; i++) {
        LLVMValueRef part = i ? emit_binary(emit, LLVMLShr, value, 32) : value;
        unit.word[i] = LLVMBuildIntCast2(builder, part, emit->i32, false, "");
    }
    return unit;
}

static LLVMValueRef value_of(Emit *emit, const Unit *unit, LLVMTypeRef type)
{
    LLVMBuilderRef builder = emit->builder;
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(emit->layout, type);
    LLVMTypeRef number = LLVMIntTypeInContext(emit->context, bits);
    LLVMValueRef value = LLVMBuildIntCast2(builder, unit->word[0], number, false, "");
    if (unit->words > 1) {
        LLVMValueRef high = emit_binary(emit, LLVMShl, LLVMBuildZExt(builder, unit->word[1], number, ""), 32);
        value = LLVMBuildOr(builder, value, high, "");
    }
    return LLVMBuildBitCast(builder, value, type, "");
}

/* In the iteration that comes so many behind: what all lanes load alike is the lane's that has asked for it. */
static Twins twins_of_done(Maker *maker, LLVMValueRef behind)
{
    Emit *emit = &maker->emit;
    Twins twins = twins_at(maker, behind);
    for (size_t i = 0; i < maker->shares; i++) {
        const Shared *shared = &maker->shared[i];
        if (!shared->is_used)
            continue;
        const Unit asked = unit_of(emit, shared->asked), unit = emit_unit_of_lane(emit, &asked, behind);
        map_put(twins.value, shared->load, value_of(emit, &unit, LLVMTypeOf(shared->load)));
    }
    return twins;
}

/* The states as the iteration leaves them; `now` becomes that. */
static void do_iteration(Maker *maker, Twins *twins, LLVMValueRef does, size_t number, LLVMValueRef *now)
{
    for (size_t i = 0; i < maker->strips->rows.count; i++)
        map_put(twins->value, maker->row[i].load, maker->row[i].value[number]);
    LLVMValueRef *next = ARENA_ARRAY(maker->arena, LLVMValueRef, maker->states + 1);
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            map_put(twins->value, maker->state[i].phi, now[i]);
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            next[i] = clone_deep(twins, maker->among, maker->state[i].next, true);
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            now[i] = does ? emit_select(&maker->emit, does, next[i], now[i]) : next[i];
}

static LLVMValueRef *states_now(Maker *maker)
{
    LLVMValueRef *now = ARENA_ARRAY(maker->arena, LLVMValueRef, maker->states + 1);
    for (size_t i = 0; i < maker->states; i++)
        now[i] = maker->state[i].now;
    return now;
}

static void leave(Maker *maker, LLVMValueRef *now)
{
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            phi_gets(maker->state[i].done, now[i], here(maker));
}

/* ---- many ---- */

static LLVMValueRef first_bit(Emit *emit, LLVMValueRef bits)
{
    static const char name[] = "llvm.cttz";
    LLVMTypeRef types[] = {emit->i32, emit->i1};
    LLVMValueRef args[] = {bits, LLVMConstInt(emit->i1, 0, false)};
    LLVMValueRef count = LLVMGetIntrinsicDeclaration(emit->module, LLVMLookupIntrinsicID(name, sizeof name - 1), types, 1);
    return LLVMBuildCall2(emit->builder, LLVMFunctionType(emit->i32, types, 2, false), count, args, 2, "");
}

/* The words that this lane moves of the rows of its neighbours; of iterations that do nothing the word of one that does, which is there. */
static void load_moved(Maker *maker, const Row *row, int part, Unit *unit)
{
    Emit *emit = &maker->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef seat = emit_binary(emit, LLVMAnd, emit_lane(emit), row->units - 1);
    LLVMValueRef word = emit_binary(emit, LLVMAdd, seat, (int64_t)part * row->units);
    word = emit_select(emit, emit_is_among(emit, maker->bits, word), word, first_bit(emit, maker->bits));
    Twins twins = twins_at(maker, emit_int(emit, 0));
    LLVMValueRef place = emit_address(emit, clone_deep(&twins, maker->among, LLVMGetOperand(row->load, 0), false));
    place = LLVMBuildSub(builder, place, row->skew, "");
    place = LLVMBuildAdd(builder, place, emit_binary(emit, LLVMMul, emit_wide(emit, word), row->row->bytes), "");
    for (int k = 0; k < row->units; k++) {
        unit[k] = emit_load(emit, emit_pointer(emit, place), row->row->bytes);
        place = LLVMBuildAdd(builder, place, row->stride, "");
    }
}

static void move_row(Maker *maker, Row *row, int part)
{
    Emit *emit = &maker->emit;
    const Network network = network_of(row->units);
    Unit unit[LANES];
    if (row->row->written)
        emit_warp_barrier(emit);
    load_moved(maker, row, part, unit);
    network_gather(emit, &network, unit);
    if (row->row->written)
        emit_warp_barrier(emit);
    for (int k = 0; k < row->units; k++)
        row->value[part * row->units + k] = value_of(emit, &unit[k], LLVMTypeOf(row->load));
}

static void do_many(Maker *maker)
{
    Emit *emit = &maker->emit;
    LLVMValueRef *now = states_now(maker);
    int units = maker->row[0].units;
    emit_together(emit);
    for (int part = 0; part < LANES / units; part++) {
        for (size_t i = 0; i < maker->strips->rows.count; i++)
            move_row(maker, &maker->row[i], part);
        for (int k = part * units; k < (part + 1) * units; k++) {
            LLVMValueRef behind = emit_int(emit, k);
            Twins twins = twins_of_done(maker, behind);
            do_iteration(maker, &twins, emit_is_among(emit, maker->bits, behind), (size_t)k, now);
        }
    }
    leave(maker, now);
    LLVMBuildBr(emit->builder, maker->end);
}

/* ---- few ---- */

static void load_rows(Maker *maker, LLVMValueRef behind, size_t number)
{
    Twins twins = twins_at(maker, behind);
    for (size_t i = 0; i < maker->strips->rows.count; i++)
        maker->row[i].value[number] = clone_deep(&twins, maker->among, maker->row[i].load, true);
}

/* By the lane itself, where the iteration does something; NULL: it does. */
static void load_own(Maker *maker, LLVMValueRef behind, LLVMValueRef does, size_t number)
{
    if (!does) {
        load_rows(maker, behind, number);
        return;
    }
    LLVMBuilderRef builder = maker->emit.builder;
    LLVMBasicBlockRef from = here(maker), then = block_new(maker), next = block_new(maker);
    LLVMBuildCondBr(builder, does, then, next);
    go_on_in(maker, then);
    load_rows(maker, behind, number);
    LLVMBuildBr(builder, next);
    go_on_in(maker, next);
    for (size_t i = 0; i < maker->strips->rows.count; i++) {
        LLVMTypeRef type = LLVMTypeOf(maker->row[i].load);
        maker->row[i].value[number] = phi_of(maker, type, maker->row[i].value[number], then);
        phi_gets(maker->row[i].value[number], LLVMGetUndef(type), from);
    }
}

static void do_few(Maker *maker)
{
    Emit *emit = &maker->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMBasicBlockRef before = here(maker), again = block_new(maker);
    Twins twins[ABREAST];
    LLVMValueRef *now = states_now(maker), behind[ABREAST], does[ABREAST], zero = emit_int(emit, 0);
    LLVMBuildBr(builder, again);
    go_on_in(maker, again);
    LLVMValueRef left = phi_of(maker, emit->i32, maker->bits, before), bits = left, *loop = states_now(maker);
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            now[i] = loop[i] = phi_of(maker, LLVMTypeOf(now[i]), now[i], before);
    for (size_t k = 0; k < ABREAST; k++) {
        does[k] = LLVMBuildICmp(builder, LLVMIntNE, bits, zero, "");
        behind[k] = emit_binary(emit, LLVMAnd, first_bit(emit, bits), LANES - 1);
        bits = LLVMBuildAnd(builder, bits, emit_binary(emit, LLVMSub, bits, 1), "");
    }
    for (size_t k = 0; k < ABREAST; k++)
        twins[k] = twins_of_done(maker, behind[k]);
    for (size_t k = 0; k < ABREAST; k++)
        load_own(maker, behind[k], k ? does[k] : NULL, k);
    emit_together(emit);
    for (size_t k = 0; k < ABREAST; k++)
        do_iteration(maker, &twins[k], k ? does[k] : NULL, k, now);
    phi_gets(left, bits, here(maker));
    for (size_t i = 0; i < maker->states; i++)
        if (maker->state[i].next)
            phi_gets(loop[i], now[i], here(maker));
    leave(maker, now);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntNE, bits, zero, ""), again, maker->end);
}

/* ---- 32 iterations at a time ---- */

/* The loop as it was goes on from where those that were done have come to: a block in front of it, of whose phis each gets what it is given. */
static LLVMValueRef *rest_open(Maker *maker, LLVMBasicBlockRef before)
{
    LLVMValueRef *start = ARENA_ARRAY(maker->arena, LLVMValueRef, maker->states + 1);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(maker->emit.context);
    maker->rest = ir_split_before(LLVMGetBasicBlockTerminator(before));
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(maker->rest));
    for (size_t i = 0; i < maker->states; i++) {
        LLVMValueRef phi = maker->state[i].phi;
        start[i] = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        phi_gets(start[i], maker->state[i].start, before);
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == maker->rest)
                LLVMSetOperand(phi, k, start[i]);
    }
    LLVMDisposeBuilder(builder);
    return start;
}

/* Are all lanes here, and at one iteration? */
static LLVMValueRef are_together(Maker *maker)
{
    Emit *emit = &maker->emit;
    emit->here = emit_lanes_here(emit);
    LLVMValueRef theirs = of_lane(emit, maker->number, 0);
    LLVMValueRef same = emit_all(emit, LLVMBuildICmp(emit->builder, LLVMIntEQ, maker->number, theirs, ""));
    LLVMValueRef all = emit_are_all(emit, emit->here);
    emit->here = NULL;
    return LLVMBuildAnd(emit->builder, same, all, "");
}

/* Are 32 iterations left behind so many, and one more? */
static LLVMValueRef are_left(Maker *maker, LLVMValueRef number)
{
    LLVMValueRef end = emit_binary(&maker->emit, LLVMAdd, number, LANES);
    return LLVMBuildICmp(maker->emit.builder, LLVMIntULE, end, maker->last, "");
}

static void ask(Maker *maker)
{
    Emit *emit = &maker->emit;
    Twins twins = twins_at(maker, emit_lane(emit));
    maker->asks = condition_of(maker, &twins);
    maker->bits = emit_bits(emit, maker->asks);
    LLVMBasicBlockRef some = block_new(maker), many = block_new(maker), few = block_new(maker);
    leave(maker, states_now(maker));
    LLVMBuildCondBr(emit->builder, LLVMBuildICmp(emit->builder, LLVMIntNE, maker->bits, emit_int(emit, 0), ""), some, maker->end);
    go_on_in(maker, some);
    load_shared(maker, &twins);
    LLVMBuildCondBr(emit->builder, LLVMBuildICmp(emit->builder, LLVMIntUGE, emit_count(emit, maker->bits), maker->many, ""), many,
                    few);
    go_on_in(maker, many);
    do_many(maker);
    go_on_in(maker, few);
    do_few(maker);
}

static void strips_make(Maker *maker)
{
    Emit *emit = &maker->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMBasicBlockRef before = here(maker);
    /* Lanes that are together later have come in together: what they have alike is that of one run of the loop. */
    LLVMValueRef first = LLVMBuildAnd(builder, emit_full_warp(emit), are_left(maker, LLVMConstInt(emit->i64, 0, false)), "");
    LLVMValueRef *start = rest_open(maker, before);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    go_on_in(maker, before);
    LLVMBasicBlockRef top = block_new(maker), body = block_new(maker);
    maker->end = block_new(maker);
    LLVMBuildCondBr(builder, first, top, maker->rest);
    go_on_in(maker, top);
    maker->number = phi_of(maker, emit->i64, LLVMConstInt(emit->i64, 0, false), before);
    for (size_t i = 0; i < maker->states; i++)
        maker->state[i].now = phi_of(maker, LLVMTypeOf(maker->state[i].phi), maker->state[i].start, before);
    emit->lane = NULL;
    LLVMValueRef together = are_together(maker);
    LLVMBuildCondBr(builder, together, body, maker->rest);
    go_on_in(maker, maker->end);
    for (size_t i = 0; i < maker->states; i++) {
        State *state = &maker->state[i];
        phi_gets(start[i], state->now, top);
        if (state->next)
            state->done = LLVMBuildPhi(builder, LLVMTypeOf(state->phi), "");
    }
    go_on_in(maker, body);
    ask(maker);
    go_on_in(maker, maker->end);
    LLVMValueRef number = emit_binary(emit, LLVMAdd, maker->number, LANES);
    phi_gets(maker->number, number, maker->end);
    for (size_t i = 0; i < maker->states; i++) {
        State *state = &maker->state[i];
        LLVMValueRef next = state->next ? state->done : counter_at(maker, state, emit_int(emit, LANES));
        phi_gets(state->now, next, maker->end);
        phi_gets(start[i], next, maker->end);
    }
    LLVMBuildCondBr(builder, are_left(maker, number), top, maker->rest);
}

static void mark_aside(LLVMValueRef function, const Map *known)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (!map_get(known, b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (ir_touches_memory(i))
                    mark_add(i, ASIDE_METADATA);
}

bool strips_load(Arena *arena, IrModule *ir, const Strips *strips, LLVMBasicBlockRef header)
{
    Maker maker = {.arena = arena,
                   .ir = ir,
                   .strips = strips,
                   .function = LLVMGetBasicBlockParent(header),
                   .header = header,
                   .way = list_new(arena),
                   .locals = list_new(arena)};
    Map *known = map_new(arena);
    ir_changed(ir, maker.function);
    ir_loop_simplify(ir, maker.function, header);
    loop_read(&maker);
    ask_on_entry(&maker);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(maker.function); b; b = LLVMGetNextBasicBlock(b))
        map_put(known, b, b);
    ir_changed(ir, maker.function);
    strips_make(&maker);
    emit_close(&maker.emit);
    mark_aside(maker.function, known);
    ir_changed(ir, maker.function);
    mark_loop(ir, header, ir_touches_memory, ASIDE_METADATA);
    ir_locals_to_registers(ir, maker.function, (LLVMValueRef *)maker.locals.item, maker.locals.count);
    ir_clean(ir, maker.function);
    ir_changed(ir, maker.function);
    return true;
}
