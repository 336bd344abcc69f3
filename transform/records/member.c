/* The members of a region's groups in one version of it: what loads gave is taken from the exchanged words, what stores
 * wrote is put into them.
 *
 *     x = p[0]; y = p[1]                  w = words of the record, exchanged; x = bits of w0; y = bits of w1
 *     q[0] = a; q[1] = b         ->       w0 = bits of a; w1 = bits of b; exchange the words into the record */
#include "analysis/rings/rings.h"
#include "transform/records/make_shelf.h"
#include "transform/records/prefetch_rows.h"

LLVMValueRef pointer_in(const Access *access)
{
    bool second = LLVMIsAStoreInst(access->instruction) || (access->partner && access->op == OP_LOAD);
    return LLVMGetOperand(access->instruction, second ? 1 : 0);
}

LLVMValueRef pointer_of(const Split *split, const Access *access)
{
    LLVMValueRef pointer = pointer_in(access), frozen = map_get(split->frozen, pointer);
    return frozen ? frozen : pointer;
}

LLVMValueRef root_of(const Split *split, const Group *group) { return pointer_of(split, group->root); }

LLVMValueRef in_fast(const Split *split, LLVMValueRef value) { return clone_of(&split->fast->twins, value); }

LLVMBasicBlockRef block_in_fast(const Split *split, LLVMBasicBlockRef block) { return clone_of_block(&split->fast->twins, block); }

/* ---- checks ---- */

/* Widest access at this distance from the start that the alignment allows and that stays inside. */
static int piece_bytes(const Access *access, int64_t at, int widest)
{
    int64_t limit = (at | access->alignment) & -(at | access->alignment), left = access->bytes - at;
    int piece = limit > widest ? widest : (int)limit;
    while (piece > left)
        piece /= 2;
    return piece;
}

/* Checks a member's bytes in memory against what the exchange moved, in pieces that its alignment allows. */
static void verify(Split *split, const Member *member, LLVMValueRef pointer, const List *contents)
{
    Emit *emit = &split->emit;
    const Access *access = member->access;
    Location location = location_of(access->scope, access->instruction);
    LLVMValueRef same = NULL;
    for (int64_t at = 0, piece; at < access->bytes; at += piece) {
        piece = piece_bytes(access, at, WORD);
        Unit wanted = words_unit(emit, contents, member->offset + at, (int)piece);
        Unit found = emit_load(emit, emit_advance_by(emit, pointer, at), (int)piece);
        LLVMValueRef equal = LLVMBuildICmp(emit->builder, LLVMIntEQ, wanted.word[0], found.word[0], "");
        same = emit_both(emit, same, equal);
    }
    emit_check(emit, same, location.line ? location.file : "", location.line);
}

static void verify_all(Split *split, const Group *group, const List *contents)
{
    for (size_t i = 0; split->region->verified && i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        LLVMValueRef written = member->under ? words_written(contents, member->offset) : NULL;
        if (written)
            emit_if(&split->emit, written);
        verify(split, member, emit_advance_by(&split->emit, root_of(split, group), member->offset), contents);
        if (written)
            emit_end_if(&split->emit);
    }
}

static List contents_of_words(Arena *arena, const Group *group, const List *words)
{
    List contents = list_new(arena);
    Content *all = ARENA_NEW(arena, Content);
    *all = (Content){.offset = group->low, .bytes = (int)(group->high - group->low), .words = words};
    list_add(&contents, all);
    return contents;
}

static List *words_moved(Arena *arena, const List *words, int64_t by)
{
    List *moved = list_make(arena);
    for (size_t i = 0; i < words->count; i++) {
        Word *word = ARENA_NEW(arena, Word);
        *word = *(const Word *)words->item[i];
        word->offset += by;
        list_add(moved, word);
    }
    return moved;
}

/* ---- copies of which the warp moves one side alone: the thread moves the other as it did ---- */

/* Reads what a copy reads before the instruction, through the pointer. */
static List *read_directly(Emit *emit, const Access *source, LLVMValueRef pointer, LLVMValueRef before)
{
    List *words = list_make(emit->arena);
    emit_before(emit, before);
    for (int64_t at = 0, piece; at < source->bytes; at += piece) {
        piece = piece_bytes(source, at, UNIT_WORDS * WORD);
        Unit unit = emit_load(emit, emit_advance_by(emit, pointer, at), (int)piece);
        words_add(words, emit->arena, at, (int)piece, &unit);
    }
    return words;
}

static void write_directly(Emit *emit, const Access *target, LLVMValueRef pointer, LLVMValueRef before, const List *words)
{
    List contents = list_new(emit->arena);
    Content all = {.bytes = target->bytes, .words = words};
    list_add(&contents, &all);
    emit_before(emit, before);
    for (int64_t at = 0, piece; at < target->bytes; at += piece) {
        piece = piece_bytes(target, at, UNIT_WORDS * WORD);
        Unit unit = words_unit(emit, &contents, at, (int)piece);
        emit_store(emit, emit_advance_by(emit, pointer, at), &unit, (int)piece);
    }
}

/* The original reads and writes by turns where the backend expands a copy: loads first are as exact, and faster. */
void members_unfold(Split *split)
{
    const List *groups = &split->region->groups;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        for (size_t j = 0; group->op == OP_STORE && j < group->members.count; j++) {
            const Access *target = member_at(group, j)->access;
            if (!target->partner)
                continue;
            const List *words = read_directly(&split->emit, target->partner, pointer_in(target->partner), target->instruction);
            write_directly(&split->emit, target, pointer_in(target), target->instruction, words);
            list_add(split->dead, target->instruction);
        }
    }
}

static bool is_stored_by_group(const Split *split, LLVMValueRef instruction)
{
    const List *groups = &split->region->groups;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        for (size_t j = 0; group->op == OP_STORE && j < group->members.count; j++)
            if (member_at(group, j)->access->instruction == instruction)
                return true;
    }
    return false;
}

/* A byte that is at once extended to a word is cut out and extended in one. */
static void extend_bytes(Split *split, const Member *member, LLVMValueRef twin, const List *words)
{
    LLVMTypeRef word = split->emit.i32;
    LLVMValueRef made[2] = {NULL, NULL};
    for (LLVMUseRef use = LLVMGetFirstUse(twin); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_signed = LLVMIsASExtInst(user);
        if ((!is_signed && !LLVMIsAZExtInst(user)) || LLVMTypeOf(user) != word)
            continue;
        if (!made[is_signed])
            made[is_signed] = words_byte(&split->emit, words, member->offset, is_signed);
        LLVMReplaceAllUsesWith(user, made[is_signed]);
    }
}

/* What the member's instruction gave is now taken from the words. */
static void member_take(Split *split, const Member *member, const List *words)
{
    LLVMValueRef instruction = member->access->instruction, twin = in_fast(split, instruction);
    if (LLVMIsALoadInst(instruction)) {
        if (member->access->bytes == 1)
            extend_bytes(split, member, twin, words);
        LLVMValueRef value = words_value(&split->emit, words, member->offset, LLVMTypeOf(instruction));
        LLVMReplaceAllUsesWith(twin, value);
        map_put(split->fast->twins.value, instruction, value);
        list_add(split->dead, twin);
        return;
    }
    List *rebased = words_moved(split->emit.arena, words, -member->offset);
    if (is_stored_by_group(split, instruction)) {
        map_put(split->fast->copied, instruction, rebased);
        return;
    }
    const Access *target = member->access->partner;
    write_directly(&split->emit, target, in_fast(split, pointer_in(target)), twin, rebased);
    list_add(split->dead, twin);
}

/* Is a load's value used by anything but the stores of this group? */
static bool is_used_beyond(const Group *load, const Group *store)
{
    for (size_t i = 0; i < load->members.count; i++) {
        LLVMValueRef instruction = member_at(load, i)->access->instruction;
        for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use)) {
            bool stored = false;
            for (size_t j = 0; j < store->members.count; j++)
                stored |= member_at(store, j)->access->instruction == LLVMGetUser(use);
            if (!stored)
                return true;
        }
    }
    return false;
}

static void values_dropped(Split *split, const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++) {
        LLVMValueRef twin = in_fast(split, member_at(group, i)->access->instruction);
        if (LLVMIsALoadInst(twin))
            list_add(split->dead, twin);
    }
}

static Units units_copy(Arena *arena, const Layout *layout, const Units *units)
{
    Units copy = *units;
    for (int i = 0; i < layout->parts; i++)
        copy.unit[i] = units_twin(arena, units->unit[i], layout->part[i].count);
    return copy;
}

/* The pieces that the member lies in, if no member before it has loaded them. */
static void load_pieces(Split *split, const Group *group, const Member *member, bool *loaded, List *words)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        if (loaded[i] || part->offset >= member->offset + member->access->bytes || member->offset >= part->offset + part->unit)
            continue;
        split->emit.hint = group_hint(group);
        Unit unit = emit_load(&split->emit, emit_advance_by(&split->emit, root_of(split, group), part->offset), part->unit);
        split->emit.hint = NULL;
        words_add(words, split->emit.arena, part->offset, part->unit, &unit);
        loaded[i] = true;
    }
}

/* Each piece only where it is needed first: registers are full of what was exchanged. */
static void load_uniform(Split *split, const Group *group)
{
    bool loaded[GROUP_PARTS] = {false};
    List words = list_new(split->emit.arena), contents = contents_of_words(split->emit.arena, group, &words);
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        emit_before(&split->emit, in_fast(split, member->access->instruction));
        load_pieces(split, group, member, loaded, &words);
        if (split->region->verified)
            verify(split, member, emit_advance_by(&split->emit, root_of(split, group), member->offset), &contents);
        member_take(split, member, &words);
    }
}

/* What rides on the shelf, 16 bytes at a time where they are needed first. */
static void load_rider(Split *split, const Group *group)
{
    enum { PIECE = COPY_WIDEST, PIECES = GROUP_BYTES / PIECE };
    Emit *emit = &split->emit;
    bool loaded[PIECES] = {false};
    List words = list_new(emit->arena), contents = contents_of_words(emit->arena, group, &words);
    emit_before(emit, in_fast(split, member_at(group, 0)->access->instruction));
    LLVMValueRef start = shelf_rider(split, group);
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        int64_t from = member->offset - group->low, to = from + member->access->bytes;
        emit_before(emit, in_fast(split, member->access->instruction));
        for (int64_t k = from / PIECE; k * PIECE < to; k++) {
            if (loaded[k])
                continue;
            Unit unit = emit_load(emit, emit_advance_by(emit, start, k * PIECE), PIECE);
            words_add(&words, emit->arena, group->low + k * PIECE, PIECE, &unit);
            loaded[k] = true;
        }
        if (split->region->verified)
            verify(split, member, emit_advance_by(emit, root_of(split, group), member->offset), &contents);
        member_take(split, member, &words);
    }
}

/* Every lane's words of what all lanes load: its own number, and those that follow at a warp's distance. */
static LLVMValueRef *spread_load(Split *split, const Group *group)
{
    Emit *emit = &split->emit;
    int64_t stretch = WARP_LANES * WORD, stretches = (group->high - group->low) / stretch;
    LLVMValueRef *word = ARENA_ARRAY(emit->arena, LLVMValueRef, (size_t)stretches);
    emit_before(emit, in_fast(split, split->region->first));
    emit_warp_barrier(emit);
    LLVMValueRef own = LLVMBuildZExt(emit->builder, emit_binary(emit, LLVMMul, emit_lane(emit), WORD), emit->i64, "");
    LLVMValueRef start = emit_advance(emit, root_of(split, group), own);
    emit->hint = group_hint(group);
    for (int64_t i = 0; i < stretches; i++)
        word[i] = emit_load(emit, emit_advance_by(emit, start, group->low + i * stretch), WORD).word[0];
    emit->hint = NULL;
    return word;
}

/* Each word is handed out where it is needed. */
static void spread_take(Split *split, const Group *group, LLVMValueRef *word)
{
    Emit *emit = &split->emit;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        int64_t number = (member->offset - group->low) / WORD;
        List words = list_new(emit->arena), contents = contents_of_words(emit->arena, group, &words);
        emit_before(emit, in_fast(split, member->access->instruction));
        Unit unit = {.word = {emit_word_of_lane(emit, word[number / WARP_LANES], emit_int(emit, number % WARP_LANES))}, .words = 1};
        words_add(&words, emit->arena, member->offset, WORD, &unit);
        if (split->region->verified)
            verify(split, member, emit_advance_by(emit, root_of(split, group), member->offset), &contents);
        member_take(split, member, &words);
    }
}

/* Where each is made that is under a condition. */
static void verify_under(Split *split, const Group *group, const List *contents)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(split->emit.builder);
    for (size_t i = 0; split->region->verified && i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        emit_before(&split->emit, in_fast(split, member->access->instruction));
        verify(split, member, emit_advance_by(&split->emit, root_of(split, group), member->offset), contents);
    }
    emit_before(&split->emit, LLVMGetBasicBlockTerminator(block));
}

static void take_words(Split *split, const Group *group, const List *words)
{
    List contents = contents_of_words(split->emit.arena, group, words);
    if (split->takes)
        verify_under(split, group, &contents);
    else
        verify_all(split, group, &contents);
    for (size_t i = 0; i < group->members.count; i++)
        member_take(split, member_at(group, i), words);
}

static void load_from_shelf(Split *split, const Group *group)
{
    List words = list_new(split->emit.arena);
    prefetch_of_row(split, group);
    emit_before(&split->emit, in_fast(split, member_at(group, 0)->access->instruction));
    shelf_take(split, group, &words);
    take_words(split, group, &words);
}

/* Of records that some lanes have. */
static List wanted_by_members(Split *split, const Group *group)
{
    List wanted = list_new(split->emit.arena);
    for (size_t i = 0; split->takes && i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        Content *content = ARENA_NEW(split->emit.arena, Content);
        *content = (Content){.offset = member->offset, .bytes = member->access->bytes, .written = split->takes};
        list_add(&wanted, content);
    }
    return wanted;
}

/* A copy's units go on as they came (`raw`), and no lane need own its record unless it is used besides. */
static void load_group(Split *split, const Group *group, const Group *store, Units *raw)
{
    Emit *emit = &split->emit;
    const Layout *layout = &group->choice.layout[split->fast->kind];
    List words = list_new(emit->arena), wanted = wanted_by_members(split, group);
    LLVMValueRef first = in_fast(split, member_at(group, 0)->access->instruction);
    prefetch_of_row(split, group);
    emit_before(emit, split->takes ? LLVMGetBasicBlockTerminator(split->fast->block) : first);
    Units units = exchange_load(emit, group, root_of(split, group), split->fast->kind, split->takes ? &wanted : NULL);
    if (store) {
        *raw = units_copy(emit->arena, layout, &units);
        if (!split->region->verified && !is_used_beyond(group, store)) {
            values_dropped(split, group);
            exchange_loaded(emit, layout);
            return;
        }
    }
    exchange_gather(emit, layout, &units, &words);
    exchange_loaded(emit, layout);
    take_words(split, group, &words);
}

/* ---- members under conditions: what they would have written, and whether, is known behind their blocks ---- */

/* By which those come to the join that do not go through the block. */
static LLVMBasicBlockRef way_around(LLVMBasicBlockRef then, LLVMBasicBlockRef join)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(join)); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
        if (from != then)
            return from;
    }
    return NULL;
}

/* Behind the block: the value where the thread came through it, else the other. */
static LLVMValueRef carry(Split *split, LLVMBasicBlockRef then, LLVMValueRef value, LLVMValueRef other)
{
    LLVMBasicBlockRef join = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(then), 0);
    LLVMBasicBlockRef around = way_around(then, join);
    LLVMPositionBuilderBefore(split->emit.builder, LLVMGetFirstInstruction(join));
    LLVMSetCurrentDebugLocation2(split->emit.builder, NULL);
    LLVMValueRef phi = LLVMBuildPhi(split->emit.builder, LLVMTypeOf(value), "");
    LLVMAddIncoming(phi, &value, &then, 1);
    LLVMAddIncoming(phi, &other, &around, 1);
    return phi;
}

/* A copy that the thread has read for itself. */
static List *carry_words(Split *split, LLVMBasicBlockRef then, const List *words)
{
    List *carried = list_make(split->emit.arena);
    for (size_t i = 0; i < words->count; i++) {
        Word *word = ARENA_NEW(split->emit.arena, Word);
        *word = *(const Word *)words->item[i];
        word->value = carry(split, then, word->value, LLVMGetPoison(LLVMTypeOf(word->value)));
        list_add(carried, word);
    }
    return carried;
}

static const List *words_of_copy(Split *split, const Member *member)
{
    LLVMValueRef instruction = member->access->instruction;
    const Access *source = member->access->partner;
    const List *words = map_get(split->fast->copied, instruction);
    if (words)
        return words;
    words = read_directly(&split->emit, source, in_fast(split, pointer_in(source)), in_fast(split, instruction));
    return member->under ? carry_words(split, block_in_fast(split, member->under), words) : words;
}

static void carry_member(Split *split, const Member *member, Content *content)
{
    LLVMBasicBlockRef then = block_in_fast(split, member->under);
    LLVMValueRef value = LLVMGetOperand(in_fast(split, member->access->instruction), 0);
    bool is_one_block = split->region->blocks.count == 1 || !split->takes;
    bool is_made_there = LLVMIsAInstruction(value) && (!is_one_block || LLVMGetInstructionParent(value) == then);
    if (member->access->partner)
        content->words = words_moved(split->emit.arena, words_of_copy(split, member), member->offset);
    else
        content->value = is_made_there ? carry(split, then, value, LLVMGetPoison(LLVMTypeOf(value))) : value;
    content->written = split->takes;
    if (!content->written)
        content->written = carry(split, then, LLVMConstInt(split->emit.i1, 1, false), LLVMConstInt(split->emit.i1, 0, false));
}

/* Where the member is stored, behind all of them: what was not tested is computed in every thread. */
static LLVMValueRef pointer_behind(const Split *split, const Access *access) { return in_fast(split, pointer_of(split, access)); }

/* The thread's own stores, where the warp has too little to write for an exchange. */
static void store_directly(Split *split, const Group *group, const List *contents)
{
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        const Content *content = contents->item[i];
        LLVMValueRef store = LLVMInstructionClone(member->access->instruction);
        LLVMSetOperand(store, 0, content->value);
        LLVMSetOperand(store, 1, pointer_behind(split, member->access));
        if (content->written)
            emit_if(&split->emit, content->written);
        LLVMInsertIntoBuilder(split->emit.builder, store);
        if (content->written)
            emit_end_if(&split->emit);
    }
}

/* Do the warp's threads write at least half of the members? */
static LLVMValueRef is_worth_exchanging(Emit *emit, const List *contents)
{
    LLVMValueRef stores = emit_int(emit, 0);
    for (size_t i = 0; i < contents->count; i++) {
        const Content *content = contents->item[i];
        LLVMValueRef lanes = content->written ? emit_lanes(emit, content->written) : emit_int(emit, WARP_LANES);
        stores = LLVMBuildAdd(emit->builder, stores, lanes, "");
    }
    LLVMValueRef half = emit_int(emit, (int64_t)contents->count * WARP_LANES / 2);
    return LLVMBuildICmp(emit->builder, LLVMIntUGE, stores, half, "");
}

/* One byte all over the member; of the last word, as much as lies in it. */
static List *words_of_fill(Split *split, const Member *member)
{
    enum { EVERY_BYTE = 0x01010101 };
    Emit *emit = &split->emit;
    LLVMValueRef fill = in_fast(split, member->access->instruction);
    List *words = list_make(emit->arena);
    emit_before(emit, fill);
    LLVMValueRef byte = LLVMBuildZExt(emit->builder, LLVMGetOperand(fill, 1), emit->i32, "");
    LLVMValueRef value = emit_binary(emit, LLVMMul, byte, EVERY_BYTE);
    for (int at = 0; at < member->access->bytes; at += WORD) {
        Word *word = ARENA_NEW(emit->arena, Word);
        *word = (Word){member->offset + at, WORD, value};
        list_add(words, word);
    }
    return words;
}

static List contents_of_members(Split *split, const Group *group)
{
    List contents = list_new(split->emit.arena);
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        LLVMValueRef instruction = member->access->instruction;
        Content *content = ARENA_NEW(split->emit.arena, Content);
        *content = (Content){.offset = member->offset, .bytes = member->access->bytes};
        if (member->under) {
            carry_member(split, member, content);
        } else if (LLVMIsAStoreInst(instruction)) {
            content->value = LLVMGetOperand(in_fast(split, instruction), 0);
        } else if (LLVMIsAMemSetInst(instruction)) {
            content->words = words_of_fill(split, member);
        } else {
            content->words = words_moved(split->emit.arena, words_of_copy(split, member), member->offset);
        }
        list_add(&contents, content);
    }
    return contents;
}

static void store_contents(Split *split, const Group *group, const Units *raw, const List *contents)
{
    Emit *emit = &split->emit;
    Units units = raw ? *raw : exchange_scatter(emit, &group->choice.layout[split->fast->kind], contents);
    exchange_store(emit, group, root_of(split, group), split->fast->kind, &units);
    verify_all(split, group, contents);
}

static void store_chain(Split *split, const Group *group, const List *contents)
{
    Emit *emit = &split->emit;
    emit_before(emit, split->fast->end);
    LLVMValueRef worth = is_worth_exchanging(emit, contents);
    emit_if(emit, worth);
    store_contents(split, group, NULL, contents);
    emit_end_if(emit);
    emit_if(emit, LLVMBuildNot(emit->builder, worth, ""));
    store_directly(split, group, contents);
    emit_end_if(emit);
}

/* The instruction begins a block of its own; the jump that leads there. */
static LLVMValueRef end_before(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    ir_split_before(instruction);
    return LLVMGetBasicBlockTerminator(block);
}

static void store_group(Split *split, const Group *group, const Units *raw)
{
    const Member *last = member_at(group, group->members.count - 1);
    List contents = list_new(split->emit.arena);
    if (!raw || split->region->verified)
        contents = contents_of_members(split, group);
    if (split->takes) {
        emit_before(&split->emit, split->fast->end);
        store_contents(split, group, raw, &contents);
    } else if (group_has_conditions(group)) {
        store_chain(split, group, &contents);
    } else {
        LLVMValueRef place = in_fast(split, last->access->instruction);
        emit_before(&split->emit, split->fast->kind == LAYOUT_EDGE ? end_before(place) : place);
        store_contents(split, group, raw, &contents);
    }
    for (size_t i = 0; i < group->members.count; i++)
        list_add(split->dead, in_fast(split, member_at(group, i)->access->instruction));
}

/* The store group that does nothing but write what this one reads. */
static const Group *copied_by(const List *groups, size_t i)
{
    const Group *load = groups->item[i], *next = i + 1 < groups->count ? groups->item[i + 1] : NULL;
    bool copies = load->choice.action == ACTION_COPY && next && next->choice.action == ACTION_COPY && next->op == OP_STORE;
    return copies ? next : NULL;
}

static LLVMValueRef given_to(const Split *split, const Follow *follow)
{
    return LLVMGetOperand(in_fast(split, follow->store->access->instruction), 0);
}

/* What the stores write is what these loads would have read. */
static void give_follows(Split *split, const Group *group)
{
    for (size_t i = 0; i < group->follows.count; i++) {
        const Follow *follow = group->follows.item[i];
        LLVMValueRef twin = in_fast(split, follow->load.access->instruction);
        LLVMReplaceAllUsesWith(twin, given_to(split, follow));
        list_add(split->dead, twin);
    }
}

/* When each has been given its own, which may have come from another. */
static void note_follows(Split *split, const Group *group)
{
    for (size_t i = 0; i < group->follows.count; i++) {
        const Follow *follow = group->follows.item[i];
        map_put(split->fast->twins.value, follow->load.access->instruction, given_to(split, follow));
    }
}

static bool is_spread_here(const Split *split, const Group *group)
{
    bool rides = split->fast->shelved && group->choice.moves == MOVES_RIDING;
    return split->fast->kind == LAYOUT_LIKELY && group_is_spread(group) && !rides;
}

/* Loads first: a store may take what they read, and they what it has written. */
void members_rewrite(Split *split)
{
    const List *groups = &split->region->groups;
    Units *raw = ARENA_ARRAY(split->emit.arena, Units, groups->count + 1);
    LLVMValueRef **spread = ARENA_ARRAY(split->emit.arena, LLVMValueRef *, groups->count);
    bool likely = split->fast->kind == LAYOUT_LIKELY;
    for (size_t i = 0; i < groups->count; i++)
        spread[i] = is_spread_here(split, groups->item[i]) ? spread_load(split, groups->item[i]) : NULL;
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (spread[i])
            spread_take(split, group, spread[i]);
        else if (group->choice.moves == MOVES_RIDING && split->fast->shelved)
            load_rider(split, group);
        else if (group_is_uniform(group) && likely && (group->cost.fewer || group->choice.moves != MOVES_RIDING))
            load_uniform(split, group);
        else if (group->op == OP_LOAD && !group_is_uniform(group) && split->fast->shelved)
            load_from_shelf(split, group);
        else if (group->op == OP_LOAD && !group_is_uniform(group))
            load_group(split, group, copied_by(groups, i), &raw[i + 1]);
    }
    for (size_t i = 0; i < groups->count; i++)
        give_follows(split, groups->item[i]);
    for (size_t i = 0; i < groups->count; i++)
        note_follows(split, groups->item[i]);
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == OP_STORE)
            store_group(split, group, raw[i].unit[0] ? &raw[i] : NULL);
    }
}
