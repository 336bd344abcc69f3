/* Which additions are made together, and what has to hold for that.
 *
 *     atomicAdd(&f[j].x, v[3*i]);                 the additions are relaxed, and of different words: they may all be made where the
 *     atomicAdd(&f[j].y, v[3*i + 1]);             last one is, if what they pass on their way neither orders memory nor touches these
 *     atomicAdd(&f[j].z, v[3*i + 2]);             words: of v that is known, or asked in front of the first
 *
 * A stretch is code of one block, from an addition to another, with nothing between that orders. What touches memory there is a touch;
 * where one may meet a record, its address has to be known in front of the first addition, by arithmetic that may be done there. */
#include "analysis/reductions/stretch.h"

enum {
    FARTHEST = 64 * WORD_BYTES, /* between additions to one record, */
    MOST_TOUCHES = 128, /* and bounds of the search, which compares each record with each touch */
    MOST_RECORDS = 16
};

/* ---- what is known of two places ---- */

static int place_of(const BlockSearch *search, LLVMValueRef instruction)
{
    return (int)(intptr_t)map_get(search->places, instruction);
}

typedef struct {
    const BlockSearch *search;
    int place;
} Front;

static SlicePart ask_known(Slice *slice, const void *context, LLVMValueRef value)
{
    const Front *front = context;
    int place = place_of(front->search, value);
    (void)slice;
    if (!place || place < front->place || LLVMIsAPHINode(value))
        return SLICE_KNOWN;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

bool is_known_before(const BlockSearch *search, LLVMValueRef first, LLVMValueRef value)
{
    const Front front = {search, place_of(search, first)};
    return slice_of(search->arena, value, ask_known, &front);
}

static bool distance_is_known(const BlockSearch *search, const Addition *from, const Touch *to, int64_t *bytes)
{
    const Access first = {.instruction = from->instruction, .pointer = from->pointer};
    const Access second = {.instruction = to->instruction, .pointer = to->pointer};
    return access_distance(search->scope, &first, &second, bytes);
}

bool distance_is_proved(const BlockSearch *search, const Addition *from, const Addition *to, int64_t bytes)
{
    int64_t distance;
    const Touch there = {.instruction = to->instruction, .pointer = to->pointer};
    return distance_is_known(search, from, &there, &distance) && distance == bytes;
}

/* No vector form is made but where all of them are in global memory. */
static bool may_be_global(const BlockSearch *search, LLVMValueRef pointer)
{
    Space space = space_proved(search->scope, pointer);
    return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* What lies in shared or local memory is apart from a record that is known to lie elsewhere; another record may be there as well, and stays as it is then. */
static Relation relation_of(const BlockSearch *search, const Addition *addition, const Touch *touch)
{
    int64_t distance;
    if (distance_is_known(search, addition, touch, &distance))
        return distance >= addition->bytes || distance <= -touch->bytes ? RELATION_APART : RELATION_MEETS;
    bool is_apart = ir_is_marked(touch->instruction, "invariant.load") ||
                    ir_bytes_are_apart(search->scope->kernel->ir, addition->instruction, addition->pointer, addition->bytes,
                                       touch->instruction, touch->pointer, touch->bytes);
    if (is_apart || may_be_global(search, touch->pointer))
        return is_apart ? RELATION_APART : RELATION_UNKNOWN;
    return space_proved(search->scope, addition->pointer) == SPACE_GLOBAL ? RELATION_APART : RELATION_MEETS;
}

Relation relation_to_record(const BlockSearch *search, const AddedRecord *record, const Touch *touch)
{
    Relation all = RELATION_APART;
    for (size_t i = 0; i < record->additions.count; i++) {
        const Addition *addition = addition_at(record, i);
        Relation one = addition->place < touch->place ? relation_of(search, addition, touch) : RELATION_APART;
        all = one > all ? one : all;
    }
    return all;
}

/* May all open records be added to behind it? */
static bool is_passed(const BlockSearch *search, const Touch *touch)
{
    bool asks = false;
    for (size_t i = 0; i < search->records.count; i++) {
        const AddedRecord *record = search->records.item[i];
        Relation relation = record == touch->record ? RELATION_APART : relation_to_record(search, record, touch);
        if (relation == RELATION_MEETS)
            return false;
        asks |= relation == RELATION_UNKNOWN;
    }
    return !asks || is_known_before(search, search->first, touch->pointer);
}

/* ---- records ---- */

static bool is_alike(const Addition *a, const Addition *b)
{
    return a->added == b->added && a->bytes == b->bytes && a->operation == b->operation && strcmp(a->scope, b->scope) == 0 &&
           a->why == b->why;
}

/* Where the addition seems to lie, from the record's first one on; false: somewhere else. */
static bool offset_in(const BlockSearch *search, const AddedRecord *record, const Addition *addition, int64_t *offset)
{
    const Addition *first = addition_at(record, 0);
    const Form *from = automaton_form(search->scope, first->pointer), *to = automaton_form(search->scope, addition->pointer);
    const Touch there = {.instruction = addition->instruction, .pointer = addition->pointer};
    if (!is_alike(first, addition))
        return false;
    if (form_same_place(from, to))
        *offset = wrap_sub(to->constant, from->constant);
    else if (!distance_is_known(search, first, &there, offset) && !lies_in_record(search, record, first, addition, offset))
        return false;
    return *offset % WORD_BYTES == 0 && *offset < FARTHEST && *offset > -FARTHEST;
}

static bool has_word(const AddedRecord *record, int64_t offset, int bytes)
{
    for (size_t i = 0; i < record->additions.count; i++) {
        int64_t distance = offset - addition_at(record, i)->offset;
        if (distance < addition_at(record, i)->bytes && distance > -bytes)
            return true;
    }
    return false;
}

static AddedRecord *record_among(const BlockSearch *search, const List *records, const Addition *addition, int64_t *offset)
{
    for (size_t i = records->count; i-- > 0;)
        if (offset_in(search, records->item[i], addition, offset))
            return records->item[i];
    return NULL;
}

/* One of those before the stretch to a word near this one's. */
static AddedRecord *neighbour_before(const BlockSearch *search, const Addition *addition)
{
    int64_t offset;
    AddedRecord *record = record_among(search, &search->before, addition, &offset);
    return record && magnitude(offset) < IR_WIDEST ? record : NULL;
}

static AddedRecord *record_new(BlockSearch *search, const Addition *addition)
{
    AddedRecord *record = ARENA_NEW(search->arena, AddedRecord);
    const AddedRecord *parted = neighbour_before(search, addition);
    *record = (AddedRecord){.scope = search->scope,
                            .additions = list_new(search->arena),
                            .is_global = space_proved(search->scope, addition->pointer) == SPACE_GLOBAL,
                            .why = addition->why,
                            .obstacle = parted ? search->parting : NULL};
    list_add(&search->records, record);
    return record;
}

/* ---- from one instruction to the next ---- */

static void stretch_end(BlockSearch *search, LLVMValueRef parting)
{
    if (!search->first)
        return;
    together_choose(search);
    for (size_t i = 0; i < search->records.count; i++)
        list_add(&search->before, search->records.item[i]);
    search->records = list_new(search->arena);
    search->touches = list_new(search->arena);
    search->parting = parting;
    search->first = NULL;
}

static void touch_add(BlockSearch *search, const Touch *touch)
{
    Touch *kept = ARENA_NEW(search->arena, Touch);
    *kept = *touch;
    list_add(&search->touches, kept);
}

static void pass_access(BlockSearch *search, LLVMValueRef i)
{
    bool loads = LLVMIsALoadInst(i);
    LLVMTypeRef type = LLVMTypeOf(loads ? i : LLVMGetOperand(i, 0));
    const Touch touch = {.instruction = i,
                         .pointer = LLVMGetOperand(i, loads ? 0 : 1),
                         .bytes = (int64_t)LLVMStoreSizeOfType(search->scope->kernel->layout, type),
                         .place = place_of(search, i)};
    if (search->first && search->touches.count < MOST_TOUCHES && is_passed(search, &touch))
        touch_add(search, &touch);
    else
        stretch_end(search, i);
}

static void take_addition(BlockSearch *search, const Addition *found)
{
    Addition *addition = ARENA_NEW(search->arena, Addition);
    *addition = *found;
    addition->offset = 0;
    AddedRecord *record = record_among(search, &search->records, addition, &addition->offset);
    const Touch touch = {addition->instruction, addition->pointer, addition->bytes, addition->place, record};
    bool has_room = search->touches.count < MOST_TOUCHES && (record || search->records.count < MOST_RECORDS);
    if (search->first &&
        (!has_room || (record && has_word(record, addition->offset, addition->bytes)) || !is_passed(search, &touch))) {
        stretch_end(search, addition->instruction);
        record = NULL;
    }
    if (!search->first)
        search->first = addition->instruction;
    if (!record) {
        record = record_new(search, addition);
        addition->offset = 0;
    }
    list_add(&record->additions, addition);
    const Touch kept = {addition->instruction, addition->pointer, addition->bytes, addition->place, record};
    touch_add(search, &kept);
}

/* Nothing passes it. What is told of it is told where it has a neighbour. */
static void leave_alone(BlockSearch *search, const Addition *found)
{
    stretch_end(search, found->instruction);
    AddedRecord *neighbour = neighbour_before(search, found);
    take_addition(search, found);
    AddedRecord *record = search->records.item[0];
    stretch_end(search, found->instruction);
    record->why = neighbour ? found->why : WHY_NONE;
    if (neighbour)
        neighbour->why = found->why;
}

static bool is_alone(const Addition *addition) { return addition->why == WHY_ADDED_ORDER || addition->why == WHY_ADDED_ASKED; }

/* Of additions that are marked another version speaks. */
static void pass_by(BlockSearch *search, LLVMValueRef i)
{
    Addition addition;
    if (!ir_is_marked(i, ADDED_METADATA) && addition_of(search->scope, i, &addition) && may_be_global(search, addition.pointer)) {
        addition.place = place_of(search, i);
        if (is_alone(&addition))
            leave_alone(search, &addition);
        else
            take_addition(search, &addition);
    } else if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && is_plain(i)) {
        pass_access(search, i);
    } else if (!is_harmless(i) || LLVMIsATerminatorInst(i)) {
        stretch_end(search, i);
    }
}

/* ---- blocks, functions ---- */

static void find_in_block(Scope *scope, LLVMBasicBlockRef block)
{
    Arena *arena = scope->kernel->arena;
    BlockSearch search = {.scope = scope,
                          .arena = arena,
                          .places = map_new(arena),
                          .touches = list_new(arena),
                          .records = list_new(arena),
                          .before = list_new(arena)};
    intptr_t place = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        map_put(search.places, i, (void *)++place);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        pass_by(&search, i);
}

static bool block_may_be(LLVMBasicBlockRef block)
{
    int atomics = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && atomics < 2; i = LLVMGetNextInstruction(i))
        atomics += LLVMIsAAtomicRMWInst(i) || (LLVMIsACallInst(i) && (LLVMIsAInlineAsm(LLVMGetCalledValue(i)) ||
                                                                      text_begins(callee_name(i), "llvm.nvvm.atomic.add.gen.f.")));
    return atomics > 1;
}

bool additions_may_be(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (block_may_be(b))
            return true;
    return false;
}

void additions_find(Kernel *kernel)
{
    Map *met = map_new(kernel->arena);
    kernel->found.added = map_new(kernel->arena);
    kernel->found.stretches = list_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.scopes.count; i++) {
        Scope *scope = kernel->found.scopes.item[i];
        if (map_get(met, scope->function) || ir_is_optnone(scope->function) || feature_is_off(&kernel->options, FEATURE_REDUCTIONS))
            continue;
        map_put(met, scope->function, scope);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
            if (block_may_be(b))
                find_in_block(scope, b);
    }
}
