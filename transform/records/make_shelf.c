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
 * A warp has several slots where its block has fewer warps than there are shelves. They take turns, and each block is copied to the slot of the one
 * that has just been taken:
 *
 *     slots = 4:  copy 0, 1, 2, 3; wait for 0, take it, copy 4; use 0; wait for 1, take it, copy 5; use 1; ...
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
    LLVMValueRef slots;        /* that it has, each for a block: a power of two */
    LLVMValueRef slot;         /* pointer to the one that is filled or read */
    LLVMValueRef large;        /* the block has warps for more than half of the shelves */
    LLVMValueRef ready;        /* phi: the row has been taken from there */
    LLVMValueRef next;         /* has the lane another block? */
    LLVMValueRef goes_on;      /* and so have all; then it has been taken */
    LLVMValueRef
        turn; /* counts the blocks: tells the slot of the one in use, and the side of two on which lies what rides along with it */
    LLVMValueRef *follows; /* of several slots: have all lanes another block behind that which was copied last? */
    LLVMValueRef aligned; /* do all rows lie so that pieces can be copied? NULL: that is known, or there is no shelf */
    List carried; /* of LLVMValueRef, phis of the header: the row's words, whether another block follows, and the turn */
    Units units[SHELF_GROUPS]; /* the row, by group */
};

typedef struct {
    const Group *group;
    const Part *part;
    int64_t offset; /* on the shelf */
    int number; /* of its group */
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
    LLVMValueRef part = emit_advance_by(emit, made->slot, place->offset);
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
    return emit_advance(emit, emit_advance_by(emit, made->slot, place->offset), emit_wide(emit, at));
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

static LLVMValueRef root_ahead(Split *split, const Stretch *place, LLVMValueRef ahead)
{
    int64_t step = split->region->shelf->step[place->number];
    return emit_advance_times(&split->emit, root_of(split, place->group), ahead, step, 0);
}

static void copy_pieces(Split *split, const Stretch *place, LLVMValueRef ahead, LLVMValueRef condition)
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
static void copy_end(Split *split, Copy *copy, const Stretch *place, LLVMValueRef ahead, LLVMValueRef condition)
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
static void copy_anyhow(Split *split, const Stretch *place, LLVMValueRef ahead, LLVMValueRef condition)
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

static void copy_rows(Split *split, bool anyhow, LLVMValueRef ahead, LLVMValueRef condition)
{
    Stretch place;
    for (int n = 0, among; part_at(split, n, &place, &among); n++)
        (anyhow ? copy_anyhow : copy_pieces)(split, &place, ahead, condition);
}

static bool has_slots(const Split *split) { return split->region->shelf->slots > 1; }

/* The turn of the block after. Of one slot, it is that of two sides. */
static LLVMValueRef turn_after(Split *split, LLVMValueRef turn)
{
    LLVMValueRef one = emit_int(&split->emit, 1);
    return has_slots(split) ? LLVMBuildAdd(split->emit.builder, turn, one, "") : LLVMBuildXor(split->emit.builder, turn, one, "");
}

/* ---- what all lanes load alike, beside the rows ---- */

/* Where the group's block of that turn lies: the sides change when all slots have had their turn. */
static LLVMValueRef rider_at(Split *split, const Group *group, LLVMValueRef turn)
{
    Emit *emit = &split->emit;
    Stretch place;
    int n = 0, among;
    while (part_at(split, n, &place, &among))
        n++;
    int64_t offset = place.offset;
    for (size_t i = 0; split->region->groups.item[i] != group; i++)
        offset += SHELF_SIDES * shelf_rider_bytes(split->region->groups.item[i]);
    LLVMValueRef side = turn;
    if (has_slots(split)) {
        side = LLVMBuildAnd(emit->builder, turn, split->shelf->slots, "");
        side = LLVMBuildICmp(emit->builder, LLVMIntNE, side, emit_int(emit, 0), "");
        side = LLVMBuildZExt(emit->builder, side, emit->i32, "");
    }
    LLVMValueRef on = emit_wide(emit, emit_binary(emit, LLVMMul, side, shelf_rider_bytes(group)));
    return emit_advance(emit, emit_advance_by(emit, split->shelf->slot, offset), on);
}

/* Each lane copies its word of every line; of half a line, half of the lanes copy once more what nobody looks at. */
static void copy_riders(Split *split, LLVMValueRef ahead, LLVMValueRef condition, LLVMValueRef turn)
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
            from = emit_advance_times(emit, from, ahead, split->region->shelf->step[i], group->low + at);
            LLVMValueRef to = emit_advance_by(emit, emit_advance(emit, rider_at(split, group, turn), own), at);
            emit_copy_async(emit, to, from, WORD, size_of(emit, condition, WORD));
        }
    }
}

/* The block of that turn has a slot of the warp's, which those do that come as many turns later or earlier as there are slots. */
static void go_to_slot(Split *split, LLVMValueRef turn)
{
    Emit *emit = &split->emit;
    split->shelf->slot = split->shelf->warp;
    if (!has_slots(split))
        return;
    LLVMValueRef most = LLVMBuildSub(emit->builder, split->shelf->slots, emit_int(emit, 1), "");
    LLVMValueRef number = LLVMBuildAnd(emit->builder, turn, most, "");
    LLVMValueRef at = emit_binary(emit, LLVMMul, number, split->region->shelf->bytes);
    split->shelf->slot = emit_advance(emit, split->shelf->warp, emit_wide(emit, at));
}

/* How many groups may be under way is part of the wait's instruction. So all slots together have as many groups as there are slots at most, of which
 * empty ones make up what is missing, and one wait does for any number of them: to ask there which would part it from what is computed
 * meanwhile, and few rows took 5% longer (H100). Of a kernel's rings, which count groups, none is this one's. */
static void commit(Split *split)
{
    Emit *emit = &split->emit;
    const char *part[] = {shelf_name(emit->arena, split->region->function), "0"};
    mark_texts(emit_commit(emit), GROUP_METADATA, part, sizeof part / sizeof *part);
    emit_commit_more(emit, split->shelf->slots, split->region->shelf->slots);
}

/* The block so many iterations on, to the slot of that turn. */
static void copy_all(Split *split, bool anyhow, LLVMValueRef ahead, LLVMValueRef condition, LLVMValueRef turn)
{
    go_to_slot(split, turn);
    copy_rows(split, anyhow, ahead, condition);
    copy_riders(split, ahead, condition, turn);
}

/* Of several slots, the copies to one are committed, whether they copy anything or not. */
static void copy_group(Split *split, bool anyhow, LLVMValueRef ahead, LLVMValueRef condition, LLVMValueRef turn)
{
    copy_all(split, anyhow, ahead, condition, turn);
    if (has_slots(split))
        commit(split);
}

/* Where a row is short, most slots stay empty, and nothing is done meanwhile that a branch would keep from its place. */
static void copy_group_if(Split *split, bool anyhow, LLVMValueRef ahead, LLVMValueRef condition, LLVMValueRef turn)
{
    emit_if(&split->emit, condition);
    copy_all(split, anyhow, ahead, NULL, turn);
    emit_end_if(&split->emit);
    commit(split);
}

/* For the oldest of the blocks that are on their way, one for each slot. */
static void wait_for_oldest(Split *split)
{
    if (has_slots(split))
        emit_wait(&split->emit, split->region->shelf->slots - 1);
    else
        emit_wait_all(&split->emit);
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

static void take_all(Split *split, bool anyhow, LLVMValueRef turn)
{
    Emit *emit = &split->emit;
    Stretch place;
    wait_for_oldest(split);
    emit_warp_barrier(emit);
    go_to_slot(split, turn);
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

/* The words of all groups, in one order, and whether another block follows. */
static List words_of(Split *split)
{
    List words = list_new(split->emit.arena);
    Stretch place;
    for (int n = 0, among; part_at(split, n, &place, &among); n++)
        for (int k = 0; k < place.part->count; k++)
            for (int w = 0; w < UNIT_WORDS; w++)
                list_add(&words, &split->shelf->units[place.number].unit[among][k].word[w]);
    if (has_slots(split))
        list_add(&words, split->shelf->follows);
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
        LLVMValueRef values[] = {others ? *(LLVMValueRef *)others->item[i] : LLVMGetPoison(LLVMTypeOf(*word)), *word};
        *word = phi_before(emit, LLVMGetInsertBlock(emit->builder), LLVMTypeOf(*word));
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

/* A block for each slot, as many as there are; returns whether all lanes have one more. */
static LLVMValueRef fill_slots(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(emit->builder), body = emit_do(emit);
    LLVMValueRef turn = phi_before(emit, body, emit->i32), there = phi_before(emit, body, emit->i1);
    LLVMValueRef first = emit_int(emit, 0), sure = LLVMConstInt(emit->i1, 1, false);
    emit_before(emit, LLVMGetBasicBlockTerminator(body));
    copy_group_if(split, anyhow, turn, there, turn);
    LLVMValueRef next = LLVMBuildAdd(emit->builder, turn, emit_int(emit, 1), "");
    LLVMValueRef follows = LLVMBuildAnd(emit->builder, there, iteration_follows_far(split, turn), "");
    follows = emit_all(emit, follows);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(emit->builder);
    emit_while(emit, body, LLVMBuildICmp(emit->builder, LLVMIntULT, next, split->shelf->slots, ""));
    LLVMAddIncoming(turn, &first, &before, 1);
    LLVMAddIncoming(turn, &next, &end, 1);
    LLVMAddIncoming(there, &sure, &before, 1);
    LLVMAddIncoming(there, &follows, &end, 1);
    return follows;
}

static LLVMValueRef *word_of(Split *split, LLVMValueRef value)
{
    LLVMValueRef *word = ARENA_NEW(split->emit.arena, LLVMValueRef);
    *word = value;
    return word;
}

static void first_step(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    struct ShelfMade *made = split->shelf;
    LLVMValueRef first = emit_int(emit, 0);
    if (has_slots(split)) {
        LLVMValueRef follows = fill_slots(split, anyhow);
        take_all(split, anyhow, first);
        copy_group_if(split, anyhow, made->slots, follows, made->slots);
        made->follows = word_of(split, follows);
    } else {
        copy_all(split, anyhow, first, NULL, first);
        take_all(split, anyhow, first);
        copy_all(split, anyhow, made->slots, emit_all(emit, iteration_follows(split, 0)), made->slots);
    }
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

/* To the slot that the block was taken from. */
static void next_step(Split *split, bool anyhow)
{
    Emit *emit = &split->emit;
    struct ShelfMade *made = split->shelf;
    LLVMValueRef turn = turn_after(split, made->turn), follows;
    take_all(split, anyhow, turn);
    if (has_slots(split)) {
        follows = *made->follows;
    } else {
        follows = LLVMBuildSelect(emit->builder, made->next, iteration_follows(split, 1), LLVMConstNull(emit->i1), "");
        follows = emit_all(emit, follows);
    }
    LLVMValueRef ahead = LLVMBuildAdd(emit->builder, made->slots, emit_int(emit, 1), "");
    LLVMValueRef later = has_slots(split) ? LLVMBuildAdd(emit->builder, turn, made->slots, "") : made->turn;
    copy_group(split, anyhow, ahead, follows, later);
    made->follows = word_of(split, follows);
}

/* Behind the block's use, for which the copies of the next one had time: behind a branch, as the compiler would have the wait for
 * them stand in front of it. */
static void take_next(Split *split)
{
    Emit *emit = &split->emit;
    split->shelf->next = iteration_follows(split, 0);
    split->shelf->goes_on = emit_all(emit, split->shelf->next);
    if (has_slots(split)) {
        LLVMValueRef follows = iteration_follows_far(split, split->shelf->slots);
        follows = LLVMBuildAnd(emit->builder, *split->shelf->follows, follows, "");
        split->shelf->follows = word_of(split, emit_all(emit, follows));
    }
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

/* Of each warp: as many as the shelves of those that the block has not leave for it. */
static LLVMValueRef slots_of(Emit *emit, const Shelf *shelf, LLVMValueRef threads)
{
    LLVMValueRef slots = emit_int(emit, 1);
    for (int n = 2; n <= shelf->slots; n *= 2) {
        LLVMValueRef few = LLVMBuildICmp(emit->builder, LLVMIntULE, threads, emit_int(emit, shelf->warps / n * WARP_LANES), "");
        slots = LLVMBuildSelect(emit->builder, few, emit_int(emit, n), slots, "");
    }
    return slots;
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
    split->shelf->slots = slots_of(emit, shelf, threads);
    LLVMValueRef at = emit_binary(emit, LLVMMul, emit_binary(emit, LLVMUDiv, number, WARP_LANES), shelf->bytes);
    at = LLVMBuildMul(emit->builder, at, split->shelf->slots, "");
    split->shelf->warp = emit_advance(emit, shelf_array(emit, split->region->function, shelf), emit_wide(emit, at));
    int64_t most = (int64_t)shelf->warps * WARP_LANES;
    split->shelf->large = LLVMBuildICmp(emit->builder, LLVMIntUGT, threads, emit_int(emit, most / 2), "");
    return LLVMBuildICmp(emit->builder, LLVMIntULE, threads, emit_int(emit, most), "");
}

LLVMValueRef shelf_ahead(Split *split, LLVMValueRef *ahead)
{
    enum { BEHIND = 2 }; /* those that are on their way, the one that takes the slot of the block after this */
    Emit *emit = &split->emit;
    *ahead = LLVMBuildAdd(emit->builder, split->shelf->slots, emit_int(emit, BEHIND), "");
    if (!has_slots(split))
        return iterations_follow(split, 1 + BEHIND);
    LLVMValueRef there = *split->shelf->follows;
    for (int i = 0; i < BEHIND; i++) {
        LLVMValueRef more = LLVMBuildAdd(emit->builder, split->shelf->slots, emit_int(emit, i), "");
        there = LLVMBuildAnd(emit->builder, there, iteration_follows_far(split, more), "");
    }
    return there;
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
    split->shelf->turn = emit_int(emit, 0);
    open_word(split, &split->shelf->turn, from);
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

LLVMValueRef shelf_rider(Split *split, const Group *group)
{
    go_to_slot(split, split->shelf->turn);
    return rider_at(split, group, split->shelf->turn);
}

void shelf_take(Split *split, const Group *group, List *words)
{
    for (size_t i = 0; i < split->region->groups.count; i++)
        if (split->region->groups.item[i] == group)
            exchange_words(&split->emit, &group->choice.layout[LAYOUT_LIKELY], &split->shelf->units[i], words);
}

/* Behind all versions: the value that the shelf's has, else zero; the header's phi takes it on. */
static void close_phi(Split *split, LLVMValueRef phi, LLVMValueRef value)
{
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(phi));
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
    LLVMValueRef turn = turn_after(split, made->turn);
    LLVMSetCurrentDebugLocation2(split->emit.builder, NULL);
    for (size_t i = 0; i < words.count; i++)
        close_phi(split, made->carried.item[i], *(LLVMValueRef *)words.item[i]);
    close_phi(split, made->carried.item[words.count], turn);
    close_phi(split, made->ready, made->goes_on);
}
