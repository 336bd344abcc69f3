/* The exchange: a warp moves the records of its 32 threads together.
 *
 *     each thread:  x = p[0]; y = p[1]; ... p of its own          32 places a request, 4 bytes of each
 *
 *     the warp:     request k of lane L moves unit u of the record of lane r          (network_place)
 *                   address = pointer of lane r + u * size                            whole sectors a request
 *                   shuffles bring each unit to the lane whose record it is of        (network_gather)
 *
 * Stores are the mirror image. Lanes touch each other's bytes, and shuffles order no memory: a warp barrier stands before
 * and after what one lane moves for another (PTX ISA, bar.warp.sync). */
#include "transform/records/exchange.h"
#include "transform/records/network.h"

static bool is_shared_out(const Part *part) { return part->count > 1; }

static bool shares_out(const Layout *layout)
{
    for (int i = 0; i < layout->parts; i++)
        if (is_shared_out(&layout->part[i]))
            return true;
    return false;
}

/* ---- tests ---- */

/* In a variable of the module's, whose alignment is known, or behind an argument of which it is promised, at multiples of the unit: what is
 * asked is a constant, and the way that is not taken goes when LLVM finds it so. Of variables seen as generic pointers it does not find it by
 * itself. */
static bool is_surely_aligned(LLVMValueRef pointer, const Part *part)
{
    LLVMValueRef of = ir_aligned_alike(pointer, part->unit);
    if (LLVMIsAConstantExpr(of) && LLVMGetConstOpcode(of) == LLVMAddrSpaceCast)
        of = LLVMGetOperand(of, 0);
    if (ir_promised_alignment(of) >= part->unit && part->offset % part->unit == 0)
        return true;
    return LLVMIsAGlobalVariable(of) && (int)LLVMGetAlignment(of) >= part->unit && part->offset % part->unit == 0;
}

/* A thread that asks for itself alone asks of where its array begins, as far as that tells: the same each time, in loops as well. */
static LLVMValueRef is_aligned(Emit *emit, LLVMValueRef pointer, const Part *part)
{
    if (is_surely_aligned(pointer, part))
        return LLVMConstInt(LLVMInt1TypeInContext(emit->context), 1, false);
    LLVMValueRef of = is_shared_out(part) ? pointer : ir_aligned_alike(pointer, part->unit);
    LLVMValueRef at = emit_binary(emit, LLVMAdd, emit_address(emit, of), part->offset);
    LLVMValueRef low = emit_binary(emit, LLVMAnd, at, part->unit - 1);
    if (emit->takes) /* what a lane that stays away would touch is no matter */
        low = emit_select(emit, emit->takes, low, LLVMConstNull(emit->i64));
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, low, LLVMConstNull(emit->i64), "");
}

/* From lane to lane: the number that it is, or the distance of the first two lanes. */
static LLVMValueRef stride_of(Emit *emit, const Group *group, LLVMValueRef address, LLVMValueRef first)
{
    if (group->has_stride)
        return LLVMConstInt(emit->i64, (unsigned long long)group->stride, true);
    return LLVMBuildSub(emit->builder, emit_address_of_lane(emit, address, emit_int(emit, 1)), first, "");
}

static LLVMValueRef is_consecutive(Emit *emit, const Group *group, LLVMValueRef address)
{
    LLVMValueRef first = emit_address_of_lane(emit, address, emit_int(emit, 0));
    LLVMValueRef stride = stride_of(emit, group, address, first);
    LLVMValueRef distance = LLVMBuildMul(emit->builder, emit_wide(emit, emit_lane(emit)), stride, "");
    LLVMValueRef expected = LLVMBuildAdd(emit->builder, first, distance, "");
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, address, expected, "");
}

void exchange_tests(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests)
{
    if (group->tests.generic && !group_is_uniform(group) && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0)
        list_add(tests, emit_is_global(emit, pointer));
}

/* Is the part aligned if one before it is? */
static bool is_tested_before(const Layout *layout, int i)
{
    const Part *part = &layout->part[i];
    for (int j = 0; j < i; j++) {
        const Part *before = &layout->part[j];
        if (!before->aligned && before->unit % part->unit == 0 && (part->offset - before->offset) % part->unit == 0)
            return true;
    }
    return false;
}

void exchange_alike(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests)
{
    LLVMValueRef address = emit_address(emit, pointer), first = emit_address_of_lane(emit, address, emit_int(emit, 0));
    list_add(tests, LLVMBuildICmp(emit->builder, LLVMIntEQ, address, first, ""));
    if (group->tests.generic && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0)
        list_add(tests, emit_is_global(emit, pointer));
}

/* What rides beside rows alone and cannot be handed out stays as it is where there is no shelf. */
bool exchange_has_likely(const Group *group)
{
    bool moves = group->cost.fewer || group->choice.moves != MOVES_RIDING || group->choice.spreads;
    return moves && layout_is_tested(group);
}

void exchange_aligned(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, List *tests)
{
    const Layout *layout = &group->choice.layout[kind];
    for (int i = 0; i < layout->parts; i++)
        if (!layout->part[i].aligned && !is_tested_before(layout, i))
            list_add(tests, is_aligned(emit, pointer, &layout->part[i]));
}

void exchange_consecutive(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    bool consecutive = false;
    for (int i = 0; i < layout->parts; i++)
        consecutive |= layout->part[i].consecutive;
    if (consecutive)
        list_add(tests, is_consecutive(emit, group, emit_address(emit, pointer)));
}

void exchange_likely(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests)
{
    if (group->choice.spreads)
        return; /* region.c asks, where rows have been found to lie as is likely */
    if (group_is_spread(group)) {
        exchange_alike(emit, group, pointer, tests);
        return;
    }
    if (!exchange_has_likely(group))
        return;
    exchange_aligned(emit, group, pointer, LAYOUT_LIKELY, tests);
    exchange_consecutive(emit, group, pointer, tests);
}

/* ---- places ---- */

typedef struct {
    const Part *part;
    Network network;
    LLVMValueRef own; /* pointer to the lane's own part, where no other lane moves it */
    LLVMValueRef address; /* of the lane's own part; consecutive: of lane 0's */
    LLVMValueRef stride; /* consecutive: from lane to lane */
    LLVMValueRef next; /* regular: pointer to what the next request moves */
    LLVMValueRef step; /* and from that to the one after it */
    bool marked; /* the lane's number has been added to its address: it is another one than a load has passed on */
} Places;

static bool is_dense(const Group *group, const Part *part)
{
    return part->consecutive && group->has_stride && group->stride == (int64_t)part->unit * part->count;
}

static LLVMValueRef place_of(Emit *emit, const Places *places, int k)
{
    LLVMValueRef record, unit, start;
    network_place(emit, &places->network, k, &record, &unit);
    if (places->part->consecutive) {
        LLVMValueRef distance = LLVMBuildMul(emit->builder, emit_wide(emit, record), places->stride, "");
        start = LLVMBuildAdd(emit->builder, places->address, distance, "");
    } else {
        start = emit_address_of_lane(emit, places->address, record);
        if (places->marked) /* it came with its lane's number */
            start = LLVMBuildSub(emit->builder, start, emit_wide(emit, record), "");
    }
    LLVMValueRef bytes = emit_binary(emit, LLVMMul, emit_wide(emit, unit), places->part->unit);
    return emit_advance(emit, emit_pointer(emit, start), bytes);
}

/* Where the distance between two requests is the same for every lane, one pointer serves them all. */
static void make_regular(Emit *emit, const Group *group, Places *places)
{
    const Part *part = places->part;
    if (places->network.turns == 1) {
        places->next = place_of(emit, places, 0);
        places->step = places->stride;
    } else if (is_dense(group, part)) {
        LLVMValueRef distance = emit_binary(emit, LLVMMul, emit_wide(emit, emit_lane(emit)), part->unit);
        places->next = emit_advance(emit, emit_pointer(emit, places->address), distance);
        places->step = LLVMConstInt(emit->i64, (unsigned long long)WARP_LANES * (unsigned)part->unit, false);
    }
}

/* Lane 0's address, found from the last lane's. The backend does not see that it is the one that a load of the same records has
 * found from lane 0, and so does not keep each request's address in registers from the load to the store: a sweep over rows,
 * 128 bytes of each at a time, spilled 620 bytes under a limit of 64 registers, and spills none so (ptxas 13.0, sm_90). */
static LLVMValueRef counted_back(Emit *emit, LLVMValueRef address, LLVMValueRef stride)
{
    LLVMValueRef last = emit_address_of_lane(emit, address, emit_int(emit, WARP_LANES - 1));
    LLVMValueRef distance = emit_binary(emit, LLVMMul, stride, WARP_LANES - 1);
    return LLVMBuildSub(emit->builder, last, distance, "");
}

/* Of a walk the backend would keep the address of each piece in registers, beside all that the loop holds, if it saw where they lie. */
static bool keeps_pointer(const Group *group, const Part *part) { return !is_shared_out(part) && group->root->kind != CLASS_WALK; }

static Places places_open(Emit *emit, const Group *group, const Part *part, LLVMValueRef pointer)
{
    LLVMValueRef address = emit_binary(emit, LLVMAdd, emit_address(emit, pointer), part->offset);
    LLVMValueRef own = keeps_pointer(group, part) ? emit_advance_by(emit, emit_as_global(emit, pointer), part->offset) : NULL;
    Places places = {part, network_of(part->count), own, address, NULL, NULL, NULL, false};
    if (group->choice.returns && !part->consecutive && is_shared_out(part)) {
        places.address = LLVMBuildAdd(emit->builder, address, emit_wide(emit, emit_lane(emit)), "");
        places.marked = true;
    }
    if (part->consecutive) {
        places.address = emit_address_of_lane(emit, address, emit_int(emit, 0));
        places.stride = stride_of(emit, group, address, places.address);
        if (group->choice.returns && !group->has_stride)
            places.address = counted_back(emit, address, places.stride);
        make_regular(emit, group, &places);
    }
    return places;
}

/* What request k moves; to be asked for in order. */
static LLVMValueRef place(Emit *emit, Places *places, int k)
{
    if (!is_shared_out(places->part))
        return places->own ? places->own : emit_pointer(emit, places->address);
    if (!places->next)
        return place_of(emit, places, k);
    LLVMValueRef here = places->next;
    if (LLVMIsAConstantInt(places->step))
        return emit_advance(emit, here, emit_binary(emit, LLVMMul, places->step, k));
    places->next = emit_advance(emit, here, places->step);
    return here;
}

/* ---- memory ---- */

Unit *units_twin(Arena *arena, const Unit *unit, int count)
{
    Unit *twin = ARENA_ARRAY(arena, Unit, (size_t)count);
    for (int k = 0; k < count; k++)
        twin[k] = unit[k];
    return twin;
}

static Units units_new(Emit *emit, const Layout *layout)
{
    Units units = {.unit = {NULL}};
    for (int i = 0; i < layout->parts; i++)
        units.unit[i] = ARENA_ARRAY(emit->arena, Unit, (size_t)layout->part[i].count);
    return units;
}

/* Each word of the unit, where the condition holds; else nothing is read. */
static Unit load_where(Emit *emit, LLVMValueRef asked, LLVMValueRef place, int bytes)
{
    LLVMBasicBlockRef around = LLVMGetInsertBlock(emit->builder);
    emit_if(emit, asked);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(emit->builder);
    Unit unit = emit_load(emit, place, bytes);
    emit_end_if(emit);
    for (int i = 0; i < unit.words; i++) {
        LLVMValueRef word = LLVMBuildPhi(emit->builder, emit->i32, ""), none = LLVMGetPoison(emit->i32);
        LLVMAddIncoming(word, &unit.word[i], &then, 1);
        LLVMAddIncoming(word, &none, &around, 1);
        unit.word[i] = word;
    }
    return unit;
}

static LLVMValueRef *written_by_request(Emit *emit, const Part *part, const List *contents);

static Unit load_unit(Emit *emit, LLVMValueRef place, const LLVMValueRef *asked, int k, int bytes)
{
    return asked ? load_where(emit, asked[k], place, bytes) : emit_load(emit, place, bytes);
}

Units exchange_load(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, const List *wanted)
{
    const Layout *layout = &group->choice.layout[kind];
    Units units = units_new(emit, layout);
    if (shares_out(layout))
        emit_warp_barrier(emit);
    emit->hint = group_hint(group);
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        Places places = places_open(emit, group, part, pointer);
        LLVMValueRef *asked = wanted ? written_by_request(emit, part, wanted) : NULL;
        units.written[i] = asked; /* as a copy stores them */
        for (int k = 0; k < part->count; k++)
            units.unit[i][k] = load_unit(emit, place(emit, &places, k), asked, k, part->unit);
    }
    emit->hint = NULL;
    return units;
}

void exchange_places(Emit *emit, const Group *group, LLVMValueRef pointer, const Part *part, LLVMValueRef *at)
{
    Places places = places_open(emit, group, part, pointer);
    for (int k = 0; k < part->count; k++)
        at[k] = place(emit, &places, k);
}

/* Behind the network rather than before it: what the program loads next then waits until registers are free. */
void exchange_loaded(Emit *emit, const Layout *layout)
{
    if (shares_out(layout))
        emit_warp_barrier(emit);
}

static void store_unit(Emit *emit, LLVMValueRef place, const Units *units, int part, int k, int bytes)
{
    LLVMValueRef *written = units->written[part];
    if (written)
        emit_if(emit, written[k]);
    emit_store(emit, place, &units->unit[part][k], bytes);
    if (written)
        emit_end_if(emit);
}

/* What a missing lane would have moved of this lane's record. */
static void store_for_missing(Emit *emit, const Part *part, LLVMValueRef address, const Unit *own)
{
    Network network = network_of(part->count);
    for (int k = 0; k < part->count; k++) {
        emit_if(emit, LLVMBuildNot(emit->builder, emit_is_here(emit, network_mover(emit, &network, k)), ""));
        emit_store(emit, emit_advance_by(emit, emit_pointer(emit, address), (int64_t)k * part->unit), &own[k], part->unit);
        emit_end_if(emit);
    }
}

void exchange_store(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, const Units *units)
{
    const Layout *layout = &group->choice.layout[kind];
    if (shares_out(layout))
        emit_warp_barrier(emit);
    emit->hint = group_hint(group);
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        Places places = places_open(emit, group, part, pointer);
        for (int k = 0; k < part->count; k++)
            store_unit(emit, place(emit, &places, k), units, i, k, part->unit);
        if (units->own[i])
            store_for_missing(emit, part, places.address, units->own[i]);
    }
    emit->hint = NULL;
    if (shares_out(layout))
        emit_warp_barrier(emit);
}

/* ---- registers ---- */

void exchange_words(Emit *emit, const Layout *layout, const Units *units, List *words)
{
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        for (int k = 0; k < part->count; k++)
            words_add(words, emit->arena, part->offset + (int64_t)k * part->unit, part->unit, &units->unit[i][k]);
    }
}

void exchange_gather(Emit *emit, const Layout *layout, Units *units, List *words)
{
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        Network network = network_of(part->count);
        if (is_shared_out(part))
            network_gather(emit, &network, units->unit[i]);
    }
    exchange_words(emit, layout, units, words);
}

/* Bit k: the lane's own unit k is written. */
static LLVMValueRef own_bits(Emit *emit, const Part *part, const List *contents)
{
    LLVMValueRef bits = emit_int(emit, 0);
    for (int k = 0; k < part->count; k++) {
        LLVMValueRef written = words_written(contents, part->offset + (int64_t)k * part->unit);
        LLVMValueRef with = emit_binary(emit, LLVMOr, bits, INT64_C(1) << k);
        bits = written ? emit_select(emit, written, with, bits) : with;
    }
    return bits;
}

static bool is_always_written(const Part *part, const List *contents)
{
    for (int k = 0; k < part->count; k++)
        if (words_written(contents, part->offset + (int64_t)k * part->unit))
            return false;
    return true;
}

/* The one condition under which all of the part's units are; NULL: there are several, or none. */
static LLVMValueRef written_alike(const Part *part, const List *contents)
{
    LLVMValueRef first = words_written(contents, part->offset);
    for (int k = 1; k < part->count; k++)
        if (words_written(contents, part->offset + (int64_t)k * part->unit) != first)
            return NULL;
    return first;
}

/* Of those of the lanes that the bits say. */
static LLVMValueRef *records_by_request(Emit *emit, const Part *part, LLVMValueRef bits)
{
    LLVMValueRef *moved = ARENA_ARRAY(emit->arena, LLVMValueRef, (size_t)part->count);
    Network network = network_of(part->count);
    for (int k = 0; k < part->count; k++) {
        LLVMValueRef record, unit;
        network_place(emit, &network, k, &record, &unit);
        moved[k] = emit_is_among(emit, bits, record);
    }
    return moved;
}

/* Whether a unit is written is known to the lane whose record it is of: the one that stores it asks there. */
static LLVMValueRef *written_by_request(Emit *emit, const Part *part, const List *contents)
{
    if (is_always_written(part, contents))
        return NULL;
    LLVMValueRef alike = is_shared_out(part) ? written_alike(part, contents) : NULL;
    if (alike)
        return records_by_request(emit, part, emit_bits(emit, alike));
    LLVMValueRef own = own_bits(emit, part, contents);
    LLVMValueRef *written = ARENA_ARRAY(emit->arena, LLVMValueRef, (size_t)part->count);
    Network network = network_of(part->count);
    for (int k = 0; k < part->count; k++) {
        LLVMValueRef record, unit = emit_int(emit, 0), bits = own;
        if (is_shared_out(part)) {
            network_place(emit, &network, k, &record, &unit);
            bits = emit_word_of_lane(emit, own, record);
        }
        LLVMValueRef bit = emit_binary(emit, LLVMAnd, LLVMBuildLShr(emit->builder, bits, unit, ""), 1);
        written[k] = LLVMBuildICmp(emit->builder, LLVMIntNE, bit, emit_int(emit, 0), "");
    }
    return written;
}

Units exchange_scatter(Emit *emit, const Layout *layout, const List *contents)
{
    Units units = units_new(emit, layout);
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        Network network = network_of(part->count);
        for (int k = 0; k < part->count; k++)
            units.unit[i][k] = words_unit(emit, contents, part->offset + (int64_t)k * part->unit, part->unit);
        bool misses = emit->here && is_shared_out(part);
        units.own[i] = misses ? units_twin(emit->arena, units.unit[i], part->count) : NULL;
        if (is_shared_out(part))
            network_scatter(emit, &network, units.unit[i]);
        /* What a missing lane gives is anything (PTX ISA, shfl.sync): its record stays as it is. */
        units.written[i] = misses ? records_by_request(emit, part, emit->here) : written_by_request(emit, part, contents);
    }
    return units;
}
