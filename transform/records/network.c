/* The shuffle network: turns units as the requests of a warp move them into units as the lanes own them.
 *
 * Powers of two: a butterfly among `pairs` neighbours, as one transposes a square: request k of lane L moves unit L % P
 * of the record of lane (L - L % P) + k.
 *
 *     lane      0   1   2   3                        0   1   2   3
 *     k = 0    a0  a1  a2  a3     bit 0, bit 1      a0  b0  c0  d0
 *     k = 1    b0  b1  b2  b3        ------>        a1  b1  c1  d1       log2(P) * P/2 shuffles a word,
 *     k = 2    c0  c1  c2  c3                       a2  b2  c2  d2       twice as many selects and as many again
 *     k = 3    d0  d1  d2  d3                       a3  b3  c3  d3
 *
 * Odd numbers Q: request k of lane L moves unit 32*k + L of all, counted through the records. 32 and Q have no common
 * divisor, so in each turn t every lane wants unit t of its record from another lane; registers are first rotated by
 * an amount that depends on the lane, so that each lane offers the right one. Q shuffles a word, log2(Q) * Q selects.
 *
 *     Q = 3    lane     0   1   2   3   4  ...       after rotation, turn t offers    lane  0   1   2   3
 *              k = 0   a0  a1  a2  b0  b1                                      t = 0       a0  ?0  ?0  b0
 *
 * Composites P*Q: the butterfly first, on registers k, k + Q, k + 2Q, ..., which leaves each lane whole groups of P units
 * of the records of its own share (lanes h*B to h*B + B - 1 for the lanes with L % P = h, B = 32/P); then the rotation
 * with B lanes. Words a lane, shuffles, selects (each way):
 *
 *     bytes   24   28   32   36   40   44   48   56   64   80   96   100   112   128
 *     shuffles 6    7    4    9   10   11   12   14   16   20   36    25    28    48
 *     selects 12   21   12   36   30   44   24   42   48   60   84   125    84   144 */
#include "analysis/address/warp.h"
#include "transform/records/network.h"

enum { LANES = WARP_LANES };

Network network_of(int count)
{
    int pairs = warp_pairs(count);
    return (Network){count, pairs, count / pairs};
}

/* x * inverse = 1 modulo m, for x and m without common divisor. */
static int inverse_of(int x, int m)
{
    for (int i = 1; i < m; i++)
        if (x % m * i % m == 1)
            return i;
    return 0; /* m = 1 */
}

void network_place(Emit *emit, const Network *network, int k, LLVMValueRef *record, LLVMValueRef *unit)
{
    LLVMValueRef lane = emit_lane(emit);
    if (network->turns == 1) {
        LLVMValueRef group = emit_binary(emit, LLVMAnd, lane, -network->pairs);
        *record = emit_binary(emit, LLVMOr, group, k);
        *unit = emit_binary(emit, LLVMAnd, lane, network->pairs - 1);
        return;
    }
    LLVMValueRef index = emit_binary(emit, LLVMAdd, lane, (int64_t)k * LANES);
    *record = emit_binary(emit, LLVMUDiv, index, network->count);
    *unit = emit_binary(emit, LLVMURem, index, network->count);
}

/* ---- butterfly ---- */

/* Lanes whose numbers differ in `bit` swap the registers of which one has that bit and the other has not. */
static void butterfly_step(Emit *emit, Unit *unit[], int pairs, int bit)
{
    LLVMValueRef masked = emit_binary(emit, LLVMAnd, emit_lane(emit), bit);
    LLVMValueRef upper = LLVMBuildICmp(emit->builder, LLVMIntNE, masked, emit_int(emit, 0), "");
    for (int i = 0; i < pairs; i++) {
        if (i & bit)
            continue;
        Unit *low = unit[i], *high = unit[i | bit];
        Unit sent = emit_unit_select(emit, upper, low, high);
        Unit got = emit_unit_across(emit, &sent, bit);
        *low = emit_unit_select(emit, upper, &got, low);
        *high = emit_unit_select(emit, upper, high, &got);
    }
}

/* Its own inverse. */
static void butterfly(Emit *emit, const Network *network, Unit *unit)
{
    Unit *row[LANES];
    for (int k = 0; k < network->turns; k++) {
        for (int i = 0; i < network->pairs; i++)
            row[i] = &unit[k + i * network->turns];
        for (int bit = 1; bit < network->pairs; bit *= 2)
            butterfly_step(emit, row, network->pairs, bit);
    }
}

/* ---- rotation ---- */

/* unit[i] becomes unit[i + amount], modulo `turns`. */
static void rotate(Emit *emit, Unit *unit, int turns, LLVMValueRef amount)
{
    Unit *moved = ARENA_ARRAY(emit->arena, Unit, (size_t)turns);
    for (int bit = 1; bit < turns; bit *= 2) {
        LLVMValueRef masked = emit_binary(emit, LLVMAnd, amount, bit);
        LLVMValueRef moves = LLVMBuildICmp(emit->builder, LLVMIntNE, masked, emit_int(emit, 0), "");
        for (int i = 0; i < turns; i++)
            moved[i] = emit_unit_select(emit, moves, &unit[(i + bit) % turns], &unit[i]);
        for (int i = 0; i < turns; i++)
            unit[i] = moved[i];
    }
}

typedef struct {
    int share;         /* lanes that take part in one rotation: 32 / pairs */
    LLVMValueRef seat; /* the lane's number among them as it moves units, and as it owns records */
    LLVMValueRef owned;
    LLVMValueRef half; /* L % P, and L / B: which share it moves, and which it owns */
    LLVMValueRef owns;
} Seats;

static Seats seats_of(Emit *emit, const Network *network)
{
    LLVMValueRef lane = emit_lane(emit);
    int share = LANES / network->pairs;
    return (Seats){
        .share = share,
        .seat = emit_binary(emit, LLVMUDiv, lane, network->pairs),
        .half = emit_binary(emit, LLVMURem, lane, network->pairs),
        .owned = emit_binary(emit, LLVMURem, lane, share),
        .owns = emit_binary(emit, LLVMUDiv, lane, share),
    };
}

/* The lane that moves unit t of this lane's record. */
static LLVMValueRef mover(Emit *emit, const Network *network, const Seats *seats, int t)
{
    LLVMValueRef index = emit_binary(emit, LLVMAdd, emit_binary(emit, LLVMMul, seats->owned, network->turns), t);
    LLVMValueRef seat = emit_binary(emit, LLVMAnd, index, seats->share - 1);
    LLVMValueRef first = emit_binary(emit, LLVMMul, seat, network->pairs);
    return LLVMBuildAdd(emit->builder, first, seats->owns, "");
}

/* The lane whose record's unit t this lane moves. */
static LLVMValueRef owner(Emit *emit, const Network *network, const Seats *seats, int t)
{
    int inverse = inverse_of(network->turns, seats->share);
    LLVMValueRef distance = emit_binary(emit, LLVMAdd, seats->seat, (int64_t)seats->share * LANES - t);
    LLVMValueRef record = emit_binary(emit, LLVMAnd, emit_binary(emit, LLVMMul, distance, inverse), seats->share - 1);
    LLVMValueRef first = emit_binary(emit, LLVMMul, seats->half, seats->share);
    return LLVMBuildAdd(emit->builder, first, record, "");
}

/* Register that holds, before the rotation, what seat 0 offers in turn t. */
static int register_of(const Network *network, int t)
{
    return inverse_of(LANES / network->pairs, network->turns) * t % network->turns;
}

/* Units are groups of `pairs` that travel together: unit[t + turns*i], i below pairs, is piece i of group t. */
static void rotation_gather(Emit *emit, const Network *network, Unit *unit)
{
    int turns = network->turns;
    Seats seats = seats_of(emit, network);
    LLVMValueRef seat = emit_binary(emit, LLVMURem, seats.seat, turns);
    LLVMValueRef back = LLVMBuildSub(emit->builder, emit_int(emit, turns), seat, "");
    LLVMValueRef amount = emit_binary(emit, LLVMURem, back, turns);
    Unit *row = ARENA_ARRAY(emit->arena, Unit, (size_t)turns);
    for (int i = 0; i < network->pairs; i++) {
        for (int t = 0; t < turns; t++)
            row[t] = unit[register_of(network, t) + turns * i];
        rotate(emit, row, turns, amount);
        for (int t = 0; t < turns; t++)
            unit[t + turns * i] = emit_unit_of_lane(emit, &row[t], mover(emit, network, &seats, t));
    }
}

static void rotation_scatter(Emit *emit, const Network *network, Unit *unit)
{
    int turns = network->turns;
    Seats seats = seats_of(emit, network);
    LLVMValueRef amount = emit_binary(emit, LLVMURem, seats.seat, turns);
    Unit *row = ARENA_ARRAY(emit->arena, Unit, (size_t)turns);
    for (int i = 0; i < network->pairs; i++) {
        for (int t = 0; t < turns; t++)
            row[t] = emit_unit_of_lane(emit, &unit[t + turns * i], owner(emit, network, &seats, t));
        rotate(emit, row, turns, amount);
        for (int t = 0; t < turns; t++)
            unit[register_of(network, t) + turns * i] = row[t];
    }
}

/* ---- both ---- */

/* The registers of a composite are numbered by turn first; a record's units by piece first. */
static void renumber(Emit *emit, const Network *network, Unit *unit, bool by_piece)
{
    Unit *copy = ARENA_ARRAY(emit->arena, Unit, (size_t)network->count);
    for (int i = 0; i < network->count; i++)
        copy[i] = unit[i];
    for (int t = 0; t < network->turns; t++)
        for (int i = 0; i < network->pairs; i++) {
            int turn_first = t + network->turns * i, piece_first = t * network->pairs + i;
            unit[by_piece ? piece_first : turn_first] = copy[by_piece ? turn_first : piece_first];
        }
}

void network_gather(Emit *emit, const Network *network, Unit *unit)
{
    butterfly(emit, network, unit);
    if (network->turns > 1)
        rotation_gather(emit, network, unit);
    renumber(emit, network, unit, true);
}

LLVMValueRef network_mover(Emit *emit, const Network *network, int k)
{
    LLVMValueRef index = emit_binary(emit, LLVMAdd, emit_binary(emit, LLVMMul, emit_lane(emit), network->count), k);
    return emit_binary(emit, LLVMAnd, index, LANES - 1);
}

void network_scatter(Emit *emit, const Network *network, Unit *unit)
{
    renumber(emit, network, unit, false);
    if (network->turns > 1)
        rotation_scatter(emit, network, unit);
    butterfly(emit, network, unit);
}
