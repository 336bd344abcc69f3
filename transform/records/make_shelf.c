/* Blocks of rows that arrive on the warp's shelf while the one before is in use.
 *
 *     loop:  all 32 lanes here? tests?            loop:  row at hand? ------------------------------- yes -> use
 *            load pieces of 32 rows                      all 32 lanes here? tests? no -> other versions
 *            shuffle                       ->            copy pieces of 32 rows to the shelf
 *            use                                         wait; each lane takes its row; copy the next block
 *                                                 use:   use
 *                                                        all lanes go on? wait; each takes its row; copy the one after
 *
 * The pieces of a row lie in another order in each of eight rows, so that the same piece of all of them lies in different banks,
 * as those of one do. With gaps between rows instead, long rows took 11 to 16% longer (H200).
 *
 * Where rows do not begin at multiples of a piece, the aligned pieces that hold each are copied, one more than its words would fill, and read
 * word by word from where it begins. */
#include "analysis/rings/rings.h"
#include "transform/records/make_shelf.h"
#include "transform/records/next_iteration.h"
#include "transform/records/network.h"

enum { PIECE = COPY_WIDEST, MOST_UNITS = GROUP_BYTES / WORD };

struct ShelfMade {
    LLVMValueRef warp;         /* pointer to the warp's own */
    LLVMValueRef large;        /* the block has warps for more than half of the shelves */
    LLVMValueRef ready;        /* phi: the row has been taken from there */
    LLVMValueRef next;         /* has the lane another block? */
    LLVMValueRef goes_on;      /* and so have all; then it has been taken */
    LLVMValueRef side;         /* of two, on which lies what rides along with the block */
    LLVMValueRef aligned;      /* do all rows lie so that pieces can be copied? NULL: that is known, or there is no shelf */
    List carried;              /* of LLVMValueRef, phis of the header: the row's words, and the side */
    Units units[SHELF_GROUPS]; /* the row, by group */
};

typedef struct {
    const Group *group;
    const Part *part;
    int64_t offset; /* on the shelf */
    int number;     /* of its group */
} Stretch;

/* The n-th part of all groups that are exchanged; false: there are no more. */
static bool part_at(const Split *split, int n, Stretch *place, int *among)
{
    *place = (Stretch){0};
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
        for (int j = 0; !group_is_uniform(group) && j < layout->parts; j++) {
            place->group = group;
            place->part = &layout->part[j];
            place->number = (int)i;
            *among = j;
            if (n-- == 0)
                return true;
            place->offset += shelf_part_bytes(place->part);
        }
    }
    return false;
}

/* ---- the shelf ---- */

static LLVMValueRef shelf_array(Emit *emit, LLVMValueRef function, const Shelf *shelf)
{
    const char *name = shelf_name(emit->arena, function);
    LLVMTypeRef type = LLVMArrayType2(emit->i8, (uint64_t)(shelf->warps * shelf->bytes));
    LLVMValueRef array = LLVMGetNamedGlobal(emit->module, name);
    if (array)
        return array;
    array = LLVMAddGlobalInAddressSpace(emit->module, type, name, SHARED_SPACE);
    LLVMSetLinkage(array, LLVMInternalLinkage);
    LLVMSetInitializer(array, LLVMGetUndef(type));
    LLVMSetAlignment(array, LINE_BYTES);
    return array;
}

/* A row's piece `unit` lies where another one's would, of a number that differs in the bits of the row's own. */
static LLVMValueRef on_shelf(Emit *emit, const struct ShelfMade *made, const Stretch *place, LLVMValueRef record, LLVMValueRef unit)
{
    int pieces = place->part->count, row = pieces * PIECE;
    LLVMValueRef part = emit_advance_by(emit, made->warp, place->offset);
    if (pieces == warp_pairs(pieces) && row <= LINE_BYTES) {
        LLVMValueRef turn = emit_binary(emit, LLVMAnd, emit_binary(emit, LLVMUDiv, record, LINE_BYTES / row), pieces - 1);
        unit = LLVMBuildXor(emit->builder, unit, turn, "");
    }
    LLVMValueRef at = emit_binary(emit, LLVMMul, unit, PIECE);
    return emit_advance(emit, part, emit_wide(emit, LLVMBuildAdd(emit->builder, emit_binary(emit, LLVMMul, record, row), at, "")));
}

/* Rows that begin within a piece have one more, and lie so that the lanes whose words are apart by less than a piece find them in the same
 * banks: the four words of these, as neighbouring rows of an odd length begin a word further each. */
enum { PIECE_WORDS = PIECE / WORD, LINE_PIECES = LINE_BYTES / PIECE };

static int64_t row_pitch(const Stretch *place) { return (int64_t)PIECE * (place->part->count + 1); }

static LLVMValueRef row_anyhow(Emit *emit, const struct ShelfMade *made, const Stretch *place, LLVMValueRef record)
{
    LLVMValueRef low = emit_binary(emit, LLVMMul, emit_binary(emit, LLVMAnd, record, PIECE_WORDS - 1), LINE_PIECES);
    LLVMValueRef slot = LLVMBuildAdd(emit->builder, low, emit_binary(emit, LLVMUDiv, record, PIECE_WORDS), "");
    LLVMValueRef at = emit_binary(emit, LLVMMul, slot, row_pitch(place));
    return emit_advance(emit, emit_advance_by(emit, made->warp, place->offset), emit_wide(emit, at));
}

/* From the first of rows that follow each other, as many as a whole number of times four, to the k-th of them. */
static int64_t rows_further(const Stretch *place, int k)
{
    return row_pitch(place) * (k % PIECE_WORDS * LINE_PIECES + k / PIECE_WORDS);
}

/* ---- copies ---- */

/* Bytes of a copy: none where the condition does not hold; NULL: it does. Around a branch the compiler would move what is to be done
 * meanwhile. */
static LLVMValueRef size_of(Emit *emit, LLVMValueRef condition, int bytes)
{
    return condition ? LLVMBuildSelect(emit->builder, condition, emit_int(emit, bytes), emit_int(emit, 0), "") : NULL;
}

static LLVMValueRef root_ahead(Split *split, const Stretch *place, int ahead)
{
    return emit_advance_by(&split->emit, root_of(split, place->group), ahead * split->region->shelf->step[place->number]);
}

static void copy_pieces(Split *split, const Stretch *place, int ahead, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    Network network = network_of(place->part->count);
    LLVMValueRef from[MOST_UNITS];
    exchange_places(emit, place->group, root_ahead(split, place, ahead), place->part, from);
    for (int k = 0; k < place->part->count; k++) {
        LLVMValueRef record, unit;
        network_place(emit, &network, k, &record, &unit);
        LLVMValueRef target = on_shelf(emit, split->shelf, place, record, unit);
        emit_copy_async(emit, target, from[k], PIECE, size_of(emit, condition, PIECE));
    }
}

typedef LLVMValueRef Copy(Emit *emit, LLVMValueRef target, LLVMValueRef source, int bytes, LLVMValueRef size);

/* The aligned pieces that hold the row. The first may hold words in front of the row as well, of whoever they are: nobody looks at them. */
static void copy_pieces_anyhow(Split *split, Copy *copy, const Stretch *place, LLVMValueRef *from, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    int count = place->part->count;
    bool follow = count >= PIECE_WORDS;
    Network network = network_of(count);
    LLVMValueRef first = NULL, record, unit;
    for (int k = 0; k < count; k++) {
        network_place(emit, &network, k, &record, &unit);
        if (k == 0 || !follow) {
            LLVMValueRef row = row_anyhow(emit, split->shelf, place, record);
            first = emit_advance(emit, row, emit_wide(emit, emit_binary(emit, LLVMMul, unit, PIECE)));
        }
        LLVMValueRef source = emit_pointer(emit, emit_binary(emit, LLVMAnd, emit_address(emit, from[k]), -PIECE));
        LLVMValueRef target = follow ? emit_advance_by(emit, first, rows_further(place, k)) : first;
        copy(emit, target, source, PIECE, size_of(emit, condition, PIECE));
    }
}

/* The end of the lane's own row, in the piece behind those: as many bytes as the row begins behind the first one's start, and no more, which
 * might not be there. */
static void copy_end(Split *split, Copy *copy, const Stretch *place, int ahead, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    int count = place->part->count;
    LLVMValueRef at = emit_address(emit, root_ahead(split, place, ahead));
    at = emit_binary(emit, LLVMAdd, at, place->part->offset + (int64_t)count * PIECE);
    LLVMValueRef source = emit_pointer(emit, emit_binary(emit, LLVMAnd, at, -PIECE));
    LLVMValueRef size = LLVMBuildTrunc(emit->builder, emit_binary(emit, LLVMAnd, at, PIECE - 1), emit->i32, "");
    if (condition)
        size = LLVMBuildSelect(emit->builder, condition, size, emit_int(emit, 0), "");
    LLVMValueRef row = row_anyhow(emit, split->shelf, place, emit_lane(emit));
    copy(emit, emit_advance_by(emit, row, (int64_t)count * PIECE), source, PIECE, size);
}

/* Blocks of rows that begin anywhere share sectors with the next ones. Of large blocks the first-level cache has room for these until then;
 * with many small ones the shelves leave none (131072 rows of 999 floats with nothing beside them, in blocks of 256 and 64 threads: 1.72 and 1.06
 * of plain clang through it, 1.50 and 1.49 past it, H200). Beside other rows, to ask would spill. */
static void copy_anyhow(Split *split, const Stretch *place, int ahead, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    LLVMValueRef from[MOST_UNITS];
    exchange_places(emit, place->group, root_ahead(split, place, ahead), place->part, from);
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(emit->builder);
    bool alone = split->region->shelf->alone;
    if (alone) {
        emit_if(emit, split->shelf->large);
        copy_pieces_anyhow(split, emit_copy_cached, place, from, condition);
        copy_end(split, emit_copy_cached, place, ahead, condition);
        emit_else(emit, asked);
    }
    copy_pieces_anyhow(split, emit_copy_async, place, from, condition);
    copy_end(split, emit_copy_async, place, ahead, condition);
    if (alone)
        emit_end_if(emit);
}

static void copy_rows(Split *split, bool anyhow, int ahead, LLVMValueRef condition)
{
    Stretch place;
    for (int n = 0, among; part_at(split, n, &place, &among); n++)
        (anyhow ? copy_anyhow : copy_pieces)(split, &place, ahead, condition);
}

/* ---- what all lanes load alike, beside the rows ---- */

/* Where the group lies on the side of that number. */
static LLVMValueRef rider_at(Split *split, const Group *group, LLVMValueRef side)
{
    Emit *emit = &split->emit;
    Stretch place;
    int n = 0, among;
    while (part_at(split, n, &place, &among))
        n++;
    int64_t offset = place.offset;
    for (size_t i = 0; split->region->groups.item[i] != group; i++)
        offset += SHELF_SIDES * shelf_rider_bytes(split->region->groups.item[i]);
    LLVMValueRef on = emit_wide(emit, emit_binary(emit, LLVMMul, side, shelf_rider_bytes(group)));
    return emit_advance(emit, emit_advance_by(emit, split->shelf->warp, offset), on);
}

/* Each lane copies its word of every line; of half a line, half of the lanes copy once more what nobody looks at. */
static void copy_riders(Split *split, int ahead, LLVMValueRef condition, LLVMValueRef side)
{
    Emit *emit = &split->emit;
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        int64_t room = shelf_rider_bytes(group), bytes = room ? group->high - group->low : 0;
        LLVMValueRef lane = emit_lane(emit), word = bytes < LINE_BYTES ? emit_binary(emit, LLVMAnd, lane, bytes / WORD - 1) : lane;
        LLVMValueRef own = emit_wide(emit, emit_binary(emit, LLVMMul, lane, WORD));
        LLVMValueRef wanted = emit_wide(emit, emit_binary(emit, LLVMMul, word, WORD));
        for (int64_t at = 0; at < room; at += LINE_BYTES) {
            LLVMValueRef from = emit_advance(emit, root_of(split, group), wanted);
            from = emit_advance_by(emit, from, group->low + at + ahead * split->region->shelf->step[i]);
            LLVMValueRef to = emit_advance_by(emit, emit_advance(emit, rider_at(split, group, side), own), at);
            emit_copy_async(emit, to, from, WORD, size_of(emit, condition, WORD));
        }
    }
}

/* The block so many iterations on. */
static void copy_all(Split *split, bool anyhow, int ahead, LLVMValueRef condition, LLVMValueRef side)
{
    copy_rows(split, anyhow, ahead, condition);
    copy_riders(split, ahead, condition, side);
}

static Unit take_anyhow(Emit *emit, LLVMValueRef row, int k)
{
    Unit unit = {.words = UNIT_WORDS};
    for (int w = 0; w < UNIT_WORDS; w++)
        unit.word[w] = emit_load(emit, emit_advance_by(emit, row, k * PIECE + w * WORD), WORD).word[0];
    return unit;
}

/* Where the lane's own row begins on the shelf, if it may begin within a piece. */
static LLVMValueRef own_row_anyhow(Split *split, const Stretch *place)
{
    Emit *emit = &split->emit;
    LLVMValueRef at = emit_binary(emit, LLVMAdd, emit_address(emit, root_of(split, place->group)), place->part->offset);
    LLVMValueRef row = row_anyhow(emit, split->shelf, place, emit_lane(emit));
    return emit_advance(emit, row, emit_binary(emit, LLVMAnd, at, PIECE - 1));
}

static Unit *take_part(Split *split, const Stretch *place, bool anyhow)
{
    Emit *emit = &split->emit;
    Unit *unit = ARENA_ARRAY(emit->arena, Unit, (size_t)place->part->count);
    LLVMValueRef row = anyhow ? own_row_anyhow(split, place) : NULL;
    for (int k = 0; k < place->part->count; k++)
        unit[k] = anyhow ? take_anyhow(emit, row, k)
                         : emit_load(emit, on_shelf(emit, split->shelf, place, emit_lane(emit), emit_int(emit, k)), PIECE);
    return unit;
}

static void take_all(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    Stretch place;
    emit_wait_all(emit);
    emit_warp_barrier(emit);
    for (int n = 0, among; part_at(split, n, &place, &among); n++)
        split->shelf->units[place.number].unit[among] = take_part(split, &place, anyhow);
    emit_warp_barrier(emit);
}

/* ---- the next blocks ---- */

static LLVMValueRef phi_before(Emit *emit, LLVMBasicBlockRef block, LLVMTypeRef type)
{
    LLVMPositionBuilderBefore(emit->builder, LLVMGetFirstInstruction(block));
    return LLVMBuildPhi(emit->builder, type, "");
}

/* The words of all groups, in one order. */
static List words_of(Split *split)
{
    List words = list_new(split->emit.arena);
    Stretch place;
    for (int n = 0, among; part_at(split, n, &place, &among); n++)
        for (int k = 0; k < place.part->count; k++)
            for (int w = 0; w < UNIT_WORDS; w++)
                list_add(&words, &split->shelf->units[place.number].unit[among][k].word[w]);
    return words;
}

/* Words that come from either of two blocks, in place of the second's; `others` NULL: nobody looks at the first's. */
static void meet(Split *split, const List *others, LLVMBasicBlockRef other, LLVMBasicBlockRef block)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef from[] = {other, block};
    const List words = words_of(split);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(emit->builder));
    for (size_t i = 0; i < words.count; i++) {
        LLVMValueRef *word = words.item[i];
        LLVMValueRef values[] = {others ? *(LLVMValueRef *)others->item[i] : LLVMGetPoison(emit->i32), *word};
        *word = phi_before(emit, LLVMGetInsertBlock(emit->builder), emit->i32);
        LLVMAddIncoming(*word, values, from, 2);
    }
    emit_before(emit, end);
}

typedef void Step(Split *split, bool anyhow);

/* A step where the condition holds. */
static void step_if(Split *split, Step *step, bool anyhow, LLVMValueRef condition)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(emit->builder), block;
    emit_if(emit, condition);
    step(split, anyhow);
    block = LLVMGetInsertBlock(emit->builder);
    emit_end_if(emit);
    meet(split, NULL, asked, block);
}

/* Do the lane's rows lie so that pieces can be copied? NULL: that is known. */
static LLVMValueRef lies_aligned(Split *split)
{
    Emit *emit = &split->emit;
    List tests = list_new(emit->arena);
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        if (!group_is_uniform(group))
            exchange_aligned(emit, group, root_of(split, group), LAYOUT_LIKELY, &tests);
    }
    return tests.count ? emit_all_of(emit, &tests) : NULL;
}

/* Do those of all lanes? */
static LLVMValueRef are_aligned(Split *split)
{
    LLVMValueRef aligned = lies_aligned(split);
    return aligned ? emit_all(&split->emit, aligned) : NULL;
}

/* A step for rows that lie as is likely, or for others; `goes_on`: where that holds, NULL: in any case. What is asked before the likely step is
 * one condition: two of them took 12 to 20% of the time of few rows (H200). */
static void step_either(Split *split, Step *step, LLVMValueRef likely, LLVMValueRef goes_on)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(emit->builder), block, past;
    emit_if(emit, likely);
    step(split, false);
    block = LLVMGetInsertBlock(emit->builder);
    const List others = words_of(split);
    emit_else(emit, asked);
    if (goes_on)
        step_if(split, step, true, goes_on);
    else
        step(split, true);
    past = LLVMGetInsertBlock(emit->builder);
    emit_end_if(emit);
    meet(split, &others, block, past);
}

static void first_step(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    copy_all(split, anyhow, 0, NULL, emit_int(emit, 0));
    take_all(split, anyhow);
    copy_all(split, anyhow, 1, emit_all(emit, iteration_follows(split, 0)), emit_int(emit, 1));
}

/* Copies of a loop that was left may still be on their way, and lanes still read what has arrived. */
static void take_first(Split *split)
{
    Emit *emit = &split->emit;
    emit_wait_all(emit);
    emit_warp_barrier(emit);
    if (split->shelf->aligned)
        step_either(split, first_step, split->shelf->aligned, NULL);
    else
        first_step(split, false);
}

static void next_step(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    take_all(split, anyhow);
    LLVMValueRef after = LLVMBuildSelect(emit->builder, split->shelf->next, iteration_follows(split, 1), LLVMConstNull(emit->i1),
                                         "");
    copy_all(split, anyhow, 2, emit_all(emit, after), split->shelf->side);
}

/* Behind the block's use, for which the copies of the next one had time: behind a branch, as the compiler would have the wait for
 * them stand in front of it. */
static void take_next(Split *split)
{
    Emit *emit = &split->emit;
    split->shelf->next = iteration_follows(split, 0);
    split->shelf->goes_on = emit_all(emit, split->shelf->next);
    if (!split->shelf->aligned) {
        step_if(split, next_step, false, split->shelf->goes_on);
        return;
    }
    LLVMValueRef likely = LLVMBuildAnd(emit->builder, split->shelf->next, lies_aligned(split), "");
    step_either(split, next_step, emit_all(emit, likely), split->shelf->goes_on);
}

/* ---- the version ---- */

/* A phi of the loop's header, `first` where the loop is entered. */
static LLVMValueRef open_phi(Split *split, LLVMValueRef first)
{
    return emit_phi_like(&split->emit, LLVMGetFirstInstruction(split->head), first, split->tail);
}

/* In front of the loop. Returns whether the block's warps all have a shelf. */
static LLVMValueRef find_shelf(Split *split)
{
    Emit *emit = &split->emit;
    const Shelf *shelf = split->region->shelf;
    LLVMValueRef threads, phi = LLVMGetFirstInstruction(split->head);
    LLVMBasicBlockRef before = LLVMGetIncomingBlock(phi, LLVMGetIncomingBlock(phi, 0) == split->tail);
    emit_before(emit, LLVMGetBasicBlockTerminator(before));
    LLVMValueRef number = emit_number_of_thread(emit, &threads);
    LLVMValueRef at = emit_binary(emit, LLVMMul, emit_binary(emit, LLVMUDiv, number, WARP_LANES), shelf->bytes);
    split->shelf->warp = emit_advance(emit, shelf_array(emit, split->region->function, shelf), emit_wide(emit, at));
    int64_t most = (int64_t)shelf->warps * WARP_LANES;
    split->shelf->large = LLVMBuildICmp(emit->builder, LLVMIntUGT, threads, emit_int(emit, most / 2), "");
    return LLVMBuildICmp(emit->builder, LLVMIntULE, threads, emit_int(emit, most), "");
}

LLVMValueRef shelf_aligned(const Split *split) { return split->shelf->aligned; }

static void open_word(Split *split, LLVMValueRef *word, LLVMBasicBlockRef from[2])
{
    Emit *emit = &split->emit;
    LLVMValueRef values[] = {open_phi(split, LLVMConstNull(LLVMTypeOf(*word))), *word};
    list_add(&split->shelf->carried, values[0]);
    *word = phi_before(emit, split->fast->block, LLVMTypeOf(values[0]));
    LLVMAddIncoming(*word, values, from, 2);
}

/* Where the version begins, the block's words are those that the last iteration has taken, or the first ones. */
static void open_words(Split *split, LLVMBasicBlockRef filled)
{
    Emit *emit = &split->emit;
    const List words = words_of(split);
    LLVMBasicBlockRef from[] = {split->head, filled};
    split->shelf->carried = list_new(emit->arena);
    for (size_t i = 0; i < words.count; i++)
        open_word(split, words.item[i], from);
    split->shelf->side = emit_int(emit, 0);
    open_word(split, &split->shelf->side, from);
}

/* Copies the first block, where the block's warps all have a shelf and all lanes find at one place what they should; else goes on
 * to `otherwise`. */
static LLVMBasicBlockRef fill(Split *split, LLVMBasicBlockRef otherwise)
{
    Emit *emit = &split->emit;
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(emit->context, split->fast->block, "");
    List tests = list_new(emit->arena);
    LLVMValueRef all_fit = find_shelf(split);
    if (!split->region->shelf->sized)
        list_add(&tests, all_fit);
    LLVMBasicBlockRef asks = LLVMInsertBasicBlockInContext(emit->context, first, "");
    LLVMPositionBuilderAtEnd(emit->builder, asks);
    split->shelf->aligned = split->region->shelf->anyhow ? are_aligned(split) : NULL;
    LLVMSetCurrentDebugLocation2(emit->builder, location);
    LLVMPositionBuilderAtEnd(emit->builder, first);
    LLVMPositionBuilderBefore(emit->builder, LLVMBuildBr(emit->builder, split->fast->block));
    take_first(split);
    LLVMBasicBlockRef filled = LLVMGetInsertBlock(emit->builder);
    LLVMSetCurrentDebugLocation2(emit->builder, NULL);
    open_words(split, filled);
    LLVMPositionBuilderAtEnd(emit->builder, asks);
    for (size_t i = 0; i < split->region->groups.count; i++) {
        const Group *group = split->region->groups.item[i];
        if (group->choice.moves == MOVES_RIDING)
            exchange_alike(emit, group, root_of(split, group), &tests);
    }
    if (tests.count)
        LLVMBuildCondBr(emit->builder, emit_all(emit, emit_all_of(emit, &tests)), first, otherwise);
    else
        LLVMBuildBr(emit->builder, first);
    return asks;
}

LLVMBasicBlockRef shelf_open(Split *split, LLVMBasicBlockRef otherwise)
{
    Emit *emit = &split->emit;
    split->shelf = ARENA_NEW(emit->arena, struct ShelfMade);
    LLVMValueRef old = LLVMGetBasicBlockTerminator(split->head);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    LLVMBasicBlockRef first = fill(split, otherwise);
    split->shelf->ready = open_phi(split, LLVMConstNull(emit->i1));
    LLVMSetCurrentDebugLocation2(emit->builder, location);
    LLVMBasicBlockRef ask = LLVMInsertBasicBlockInContext(emit->context, first, "");
    LLVMPositionBuilderBefore(emit->builder, old);
    LLVMBuildCondBr(emit->builder, split->shelf->ready, split->fast->block, ask);
    LLVMInstructionEraseFromParent(old);
    LLVMPositionBuilderAtEnd(emit->builder, ask);
    return first;
}

LLVMValueRef shelf_rider(Split *split, const Group *group) { return rider_at(split, group, split->shelf->side); }

void shelf_take(Split *split, const Group *group, List *words)
{
    for (size_t i = 0; i < split->region->groups.count; i++)
        if (split->region->groups.item[i] == group)
            exchange_words(&split->emit, &group->choice.layout[LAYOUT_LIKELY], &split->shelf->units[i], words);
}

/* Behind all versions: the value that the shelf's has, else none; the header's phi takes it on. */
static void close_phi(Split *split, LLVMValueRef phi, LLVMValueRef value, LLVMValueRef none)
{
    LLVMValueRef last = phi_before(&split->emit, split->tail, LLVMTypeOf(phi));
    LLVMBasicBlockRef end = split->original.item[split->original.count - 1];
    LLVMAddIncoming(last, &none, &end, 1);
    for (int i = 0; i < split->versions; i++) {
        end = LLVMGetInstructionParent(split->version[i].end);
        LLVMAddIncoming(last, split->version[i].shelved ? &value : &none, &end, 1);
    }
    LLVMAddIncoming(phi, &last, &split->tail, 1);
}

void shelf_close(Split *split)
{
    struct ShelfMade *made = split->shelf;
    emit_before(&split->emit, split->fast->end);
    take_next(split);
    const List words = words_of(split);
    emit_before(&split->emit, split->fast->end);
    LLVMValueRef other_side = LLVMBuildXor(split->emit.builder, made->side, emit_int(&split->emit, 1), "");
    LLVMValueRef none = LLVMConstNull(split->emit.i32);
    LLVMSetCurrentDebugLocation2(split->emit.builder, NULL);
    for (size_t i = 0; i < words.count; i++)
        close_phi(split, made->carried.item[i], *(LLVMValueRef *)words.item[i], none);
    close_phi(split, made->carried.item[words.count], other_side, none);
    close_phi(split, made->ready, made->goes_on, LLVMConstNull(split->emit.i1));
}
