/* A record: accesses of one thread that differ by constants alone, closer together than the threads are.
 *
 *     p[3*t], p[3*t + 1], p[3*t + 2]     12*threadIdx.x + {0, 4, 8}: one record of 12 bytes, all of it touched
 *
 * Offsets are matched, never types: a struct's fields and a hand-indexed array look the same here. */
#include <stdlib.h>

#include "analysis/access/access.h"

/* Between members of a record whose stride is not a number: no gap is longer than a sector. */
enum { LONGEST_GAP = 32, BUCKETS = 256 };
/* Offsets that no allocation reaches, which sums of offsets could not hold either. */
static const uint64_t FARTHEST = UINT64_C(1) << 48;

/* Of rows that divisions and remainders tell, what is known is that each thread goes along its own: a loop that has been made longer
 * takes larger steps than a walk's, and its pieces are records all the same. */
static bool is_piece_of_row(const Access *access) { return access->kind == CLASS_OPAQUE && walk_is_longer(access->instruction); }

static bool can_be_member(const Access *access)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && access->op != OP_ATOMIC && magnitude(access->address->constant) < FARTHEST &&
           (access->kind == CLASS_UNIFORM || access->kind == CLASS_STRIDED || access->kind == CLASS_GATHER ||
            access->kind == CLASS_SCATTER || access->kind == CLASS_WALK || is_piece_of_row(access));
}

static bool same_place(const Access *a, const Access *b)
{
    return a->scope == b->scope && a->op == b->op && form_same_place(a->address, b->address);
}

bool record_may_hold(const Access *access, const Access *other)
{
    uint64_t apart = magnitude((int64_t)((uint64_t)access->address->constant - (uint64_t)other->address->constant));
    int64_t stride;
    bool is_number = access->stride && form_is_constant(access->stride, &stride) && stride != 0;
    return same_place(access, other) && (!is_number || apart < magnitude(stride));
}

static int by_offset(const void *left, const void *right)
{
    const Access *a = *(Access *const *)left, *b = *(Access *const *)right;
    if (a->address->constant != b->address->constant)
        return a->address->constant < b->address->constant ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* How far a record may reach: to the neighbour's where the stride is a number, from member to member else. */
static bool continues(const Access *first, int64_t end, const Access *next)
{
    int64_t stride;
    if (first->stride && form_is_constant(first->stride, &stride) && stride != 0)
        return (uint64_t)(next->address->constant - first->address->constant + next->bytes) <= magnitude(stride);
    return next->address->constant - end <= LONGEST_GAP;
}

static void record_close(Kernel *kernel, Access *const *member, size_t count, int64_t end, int64_t covered)
{
    const Access *first = member[0];
    if (covered <= first->bytes && end - first->address->constant <= first->bytes)
        return; /* one place, however often it is touched */
    Record *record = ARENA_NEW(kernel->arena, Record);
    record->scope = first->scope;
    record->op = first->op;
    record->members = (int)count;
    record->offset = first->address->constant;
    record->bytes = end - record->offset;
    record->covered = covered;
    list_add(&kernel->found.records, record);
    for (size_t i = 0; i < count; i++) {
        member[i]->record = record;
        if (member[i]->kind == CLASS_STRIDED)
            member[i]->kind = CLASS_RECORD;
    }
}

/* Cuts accesses to one place, in order of offset, into records. */
static void records_of_place(Kernel *kernel, List *place)
{
    qsort(place->item, place->count, sizeof *place->item, by_offset);
    for (size_t from = 0, to; from < place->count; from = to) {
        const Access *first = place->item[from];
        int64_t end = first->address->constant + first->bytes, covered = first->bytes;
        for (to = from + 1; to < place->count && continues(first, end, place->item[to]); to++) {
            const Access *next = place->item[to];
            int64_t start = next->address->constant, next_end = start + next->bytes;
            if (next_end > end) {
                covered += next_end - (start > end ? start : end);
                end = next_end;
            }
        }
        record_close(kernel, (Access *const *)&place->item[from], to - from, end, covered);
    }
}

static void place_add(Kernel *kernel, List *bucket, Access *access)
{
    for (size_t i = 0; i < bucket->count; i++) {
        List *place = bucket->item[i];
        if (same_place(place->item[0], access)) {
            list_add(place, access);
            return;
        }
    }
    List *place = list_make(kernel->arena);
    list_add(place, access);
    list_add(bucket, place);
}

void record_group(Kernel *kernel)
{
    INVARIANT(kernel->done.measured);
    size_t buckets = BUCKETS + kernel->found.accesses.count;
    List *bucket = ARENA_ARRAY(kernel->arena, List, buckets);
    for (size_t i = 0; i < buckets; i++)
        bucket[i] = list_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        if (can_be_member(access))
            place_add(kernel, &bucket[form_place_hash(access->address) % buckets], access);
    }
    for (size_t i = 0; i < buckets; i++)
        for (size_t j = 0; j < bucket[i].count; j++)
            records_of_place(kernel, bucket[i].item[j]);
}
