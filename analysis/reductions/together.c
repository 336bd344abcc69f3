/* Of a stretch that is over: the records that one reduction adds to several words of, and what is to be tested in front of them.
 *
 *     f[i].x += a;  f[j].x -= a;  f[i].y += b;  f[j].y -= b        two records, one behind the other's words: added to together, where
 *                                                                  a test shows that i is not j
 *     f[i].x += a;  f[i].y += b;  f[j].x -= a;  f[j].y -= b        one after the other: nothing to test */
#include <stdlib.h>

#include "analysis/reductions/stretch.h"

/* ---- one record ---- */

static int compare(const void *a, const void *b)
{
    const Addition *first = *(Addition *const *)a, *second = *(Addition *const *)b;
    return first->offset < second->offset ? -1 : first->offset > second->offset;
}

/* By their offsets, from the lowest word on. */
static void put_in_order(AddedRecord *record)
{
    List *additions = &record->additions;
    qsort(additions->item, additions->count, sizeof *additions->item, compare);
    int64_t low = addition_at(record, 0)->offset;
    for (size_t i = 0; i < additions->count; i++)
        addition_at(record, i)->offset -= low;
}

static bool has_neighbours(const AddedRecord *record)
{
    for (size_t i = 1; i < record->additions.count; i++)
        if (addition_at(record, i)->offset == addition_at(record, i - 1)->offset + addition_at(record, i - 1)->bytes)
            return true;
    return false;
}

/* Is each word somebody else's, as far as anybody can tell? What all lanes add to ptxas makes one of. */
static bool differs_by_lane(const AddedRecord *record)
{
    const Form *address = automaton_form(record->scope, addition_at(record, 0)->pointer);
    return address && form_varies(address);
}

static bool is_shuffled(const Addition *addition)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(addition->value));
    bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    return is_number && (addition->bytes == WORD_BYTES || addition->bytes == 2 * WORD_BYTES);
}

/* Those that PTX has, relaxed as CUDA's are: of others the backend makes loops, in the order that they were asked for. */
static bool is_native(LLVMValueRef atomic)
{
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(atomic);
    return operation_commutes(atomic) || operation == LLVMAtomicRMWBinOpXchg || operation == LLVMAtomicRMWBinOpFAdd;
}

/* One operation of a warp makes both. */
static bool is_like(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMTypeOf(a) == LLVMTypeOf(b) && LLVMGetOrdering(a) == LLVMGetOrdering(b) &&
           LLVMGetAtomicSyncScopeID(a) == LLVMGetAtomicSyncScopeID(b);
}

/* May the lanes of a warp add for each other? What has no vector form alone. */
static bool may_be_across(const AddedRecord *record)
{
    const Kernel *kernel = record->scope->kernel;
    bool may = !kernel->left && added_bytes(record) <= (int64_t)kernel->options.cost.ADDED_ACROSS && differs_by_lane(record);
    for (size_t i = 0; i < record->additions.count && may; i++) {
        const Addition *addition = addition_at(record, i);
        may = LLVMIsAAtomicRMWInst(addition->instruction) && is_native(addition->instruction) &&
              is_like(addition->instruction, addition_at(record, 0)->instruction) &&
              (addition->why == WHY_ADDED_TYPE || (!addition->why && !kernel_has_vector_reductions(kernel))) &&
              is_shuffled(addition);
    }
    return may;
}

/* Does one reduction add to several of its words? Else why not, where there is something to say. */
static bool gains(AddedRecord *record)
{
    LLVMValueRef parting = record->obstacle;
    record->obstacle = NULL;
    bool neighbours = has_neighbours(record);
    if (neighbours && may_be_across(record)) {
        record->why = WHY_NONE;
        pieces_cut_across(record);
        return true;
    }
    if (record->why) {
        record->why = neighbours ? record->why : WHY_NONE;
        return false;
    }
    pieces_cut(record);
    if (neighbours && !kernel_has_vector_reductions(record->scope->kernel))
        record->why = WHY_ADDED_ARCH;
    else if (pieces_made(record) == (int)record->additions.count && neighbours)
        record->why = WHY_ADDED_UNEVEN;
    else if (pieces_made(record) == (int)record->additions.count && parting)
        record->why = LLVMIsALoadInst(parting) || LLVMIsAStoreInst(parting) ? WHY_ADDED_BETWEEN : WHY_ADDED_PARTED;
    record->obstacle = record->why == WHY_ADDED_PARTED || record->why == WHY_ADDED_BETWEEN ? parting : NULL;
    return !record->why && pieces_made(record) < (int)record->additions.count;
}

/* ---- which of them are rewritten together ---- */

static AddedStretch *stretch_new(const BlockSearch *search)
{
    AddedStretch *stretch = ARENA_NEW(search->arena, AddedStretch);
    *stretch = (AddedStretch){.arena = search->arena,
                              .function = search->scope->function,
                              .records = list_new(search->arena),
                              .tests = list_new(search->arena)};
    return stretch;
}

static int place_of(const BlockSearch *search, LLVMValueRef i) { return (int)(intptr_t)map_get(search->places, i); }

/* Records come in the order of their first additions: one that begins before the stretch ends is of it. */
static AddedStretch *stretch_for(const BlockSearch *search, List *stretches, const AddedRecord *record)
{
    AddedStretch *last = stretches->count ? stretches->item[stretches->count - 1] : NULL;
    if (last && addition_end(record, false)->place < place_of(search, last->last))
        return last;
    AddedStretch *stretch = stretch_new(search);
    stretch->first = stretch->last = addition_end(record, false)->instruction;
    list_add(stretches, stretch);
    return stretch;
}

static void stretch_take(const BlockSearch *search, AddedStretch *stretch, AddedRecord *record)
{
    LLVMValueRef end = addition_end(record, true)->instruction;
    list_add(&stretch->records, record);
    if (place_of(search, end) > place_of(search, stretch->last))
        stretch->last = end;
}

/* ---- what is to be tested ---- */

typedef struct {
    const BlockSearch *search;
    AddedStretch *stretch;
} Testing;

static bool is_tested(const Testing *testing, const AddedTest *wanted)
{
    const List *tests = &testing->stretch->tests;
    for (size_t i = 0; i < tests->count; i++) {
        AddedTest *test = tests->item[i];
        int64_t distance;
        const Kernel *kernel = testing->search->scope->kernel;
        if (test->record != wanted->record || test->there != wanted->there || test->there ||
            !ir_distance(kernel->ir, testing->stretch->function, pointer_of_access(test->access), pointer_of_access(wanted->access),
                         &distance) ||
            magnitude(distance) > (uint64_t)kernel->options.cost.NEAR)
            continue;
        int64_t low = distance < 0 ? distance : 0, end = distance + wanted->bytes;
        test->bytes = (end > test->bytes ? end : test->bytes) - low;
        test->access = distance < 0 ? wanted->access : test->access;
        return true;
    }
    return false;
}

static bool want(const Testing *testing, const AddedTest *wanted)
{
    const Kernel *kernel = testing->search->scope->kernel;
    AddedStretch *stretch = testing->stretch;
    if (is_tested(testing, wanted))
        return true;
    if (stretch->tests.count >= (size_t)kernel->options.cost.ADDED_TESTS)
        return false;
    AddedTest *test = ARENA_NEW(stretch->arena, AddedTest);
    *test = *wanted;
    list_add(&stretch->tests, test);
    return true;
}

/* The record's additions pass it. */
static bool pass_touch(const Testing *testing, const AddedRecord *record, const Touch *touch)
{
    const AddedTest wanted = {record, touch->instruction, touch->bytes, 0, false};
    switch (relation_to_record(testing->search, record, touch)) {
    case RELATION_APART: return true;
    case RELATION_UNKNOWN: return want(testing, &wanted);
    default: return false;
    }
}

/* What is added to by the words of a record is all of that record. */
static bool pass_touches(const Testing *testing, AddedRecord *record)
{
    const BlockSearch *search = testing->search;
    int begin = addition_end(record, false)->place, end = place_of(search, testing->stretch->last);
    for (size_t i = 0; i < search->touches.count; i++) {
        const Touch *touch = search->touches.item[i];
        if (touch->record == record || touch->place < begin || touch->place > end || pass_touch(testing, record, touch))
            continue;
        record->obstacle = touch->instruction;
        return false;
    }
    return true;
}

/* Each of its additions has to be made where it seems to be. */
static bool ask_places(const Testing *testing, const AddedRecord *record)
{
    const Addition *from = addition_end(record, false);
    for (size_t i = 0; i < record->additions.count; i++) {
        const Addition *to = addition_at(record, i);
        const AddedTest wanted = {record, to->instruction, 0, to->offset, true};
        int64_t bytes;
        bool is_there = to == from || distance_is_proved(testing->search, from, to, to->offset - from->offset) ||
                        (lies_in_record(testing->search, record, from, to, &bytes) && bytes == to->offset - from->offset);
        if (!is_there && !want(testing, &wanted))
            return false;
    }
    return true;
}

/* Where something is asked in front of the first addition, all of it has to be known there. */
static bool is_all_known(const BlockSearch *search, const AddedStretch *stretch)
{
    bool known = true;
    for (size_t i = 0; i < stretch->tests.count; i++)
        known &= is_known_before(search, stretch->first, pointer_of_access(((const AddedTest *)stretch->tests.item[i])->access));
    for (size_t i = 0; stretch->tests.count && i < stretch->records.count; i++)
        known &= is_known_before(search, stretch->first, addition_end(stretch->records.item[i], false)->pointer);
    return known;
}

static bool is_between(const BlockSearch *search, const AddedStretch *stretch, const Touch *touch)
{
    return touch->place > place_of(search, stretch->first) && touch->place < place_of(search, stretch->last);
}

/* May a store between the additions change what the load behind it, between them as well, wants? */
static bool waits_for_store(const BlockSearch *search, const AddedStretch *stretch, const Touch *load)
{
    bool waits = false;
    for (size_t i = 0; i < search->touches.count && !waits; i++) {
        const Touch *store = search->touches.item[i];
        waits = is_between(search, stretch, store) && store->place < load->place && LLVMIsAStoreInst(store->instruction) &&
                ir_may_change(search->scope->kernel->ir, store->instruction, load->instruction);
    }
    return waits;
}

/* Do loads wait for stores between the additions, and is it asked whether these may be made behind both? Loads go on to wait, one after the other, behind that
 * question, and shuffles of words of 64 bits, ten for an addition, come behind all of it, where the additions went along. Fees of 6 and 9 sums of 64 bits, each stored back before the next is loaded, came to 0.80 to 0.91 of
 * plain clang, of 32 bits to 1.03 to 1.8, with `__restrict__` to 1.3; three of 64 bits that are loaded first to 1.1 to 1.4 (H200). */
static bool waits_between(const BlockSearch *search, const AddedStretch *stretch)
{
    bool wide = false, waits = false;
    for (size_t i = 0; stretch->tests.count && i < stretch->records.count; i++) {
        const AddedRecord *record = stretch->records.item[i];
        wide |= record->across && addition_at(record, 0)->bytes > WORD_BYTES;
    }
    for (size_t i = 0; wide && i < search->touches.count && !waits; i++) {
        const Touch *touch = search->touches.item[i];
        waits = is_between(search, stretch, touch) && LLVMIsALoadInst(touch->instruction) &&
                waits_for_store(search, stretch, touch);
    }
    return waits;
}

static bool may_be_made(const BlockSearch *search, AddedStretch *stretch)
{
    const Testing testing = {search, stretch};
    bool may = place_of(search, stretch->last) - place_of(search, stretch->first) <= search->scope->kernel->options.cost.REGION;
    for (size_t i = 0; may && i < stretch->records.count; i++)
        may = pass_touches(&testing, stretch->records.item[i]) && ask_places(&testing, stretch->records.item[i]);
    return may && is_all_known(search, stretch) && !waits_between(search, stretch);
}

void together_choose(BlockSearch *search)
{
    Kernel *kernel = search->scope->kernel;
    List stretches = list_new(search->arena);
    for (size_t i = 0; i < search->records.count; i++) {
        AddedRecord *record = search->records.item[i];
        put_in_order(record);
        for (size_t k = 0; k < record->additions.count; k++)
            map_put(kernel->found.added, addition_at(record, k)->instruction, record);
        if (gains(record))
            stretch_take(search, stretch_for(search, &stretches, record), record);
    }
    for (size_t i = 0; i < stretches.count; i++) {
        AddedStretch *stretch = stretches.item[i];
        bool may = may_be_made(search, stretch);
        for (size_t k = 0; !may && k < stretch->records.count; k++)
            ((AddedRecord *)stretch->records.item[k])->why = WHY_ADDED_BETWEEN;
        if (may)
            list_add(&kernel->found.stretches, stretch);
    }
}
