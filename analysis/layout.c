/* How a group's bytes are cut into parts that the warp moves together: exactly the bytes that the members touch,
 * in the largest units that their alignment may allow.
 *
 *     bytes 0..27 of records of 28 bytes     7 units of 4
 *     bytes 0..31 of records of 64 bytes     2 units of 16
 *     bytes 0..6  of records of 8 bytes      1 unit of 4, 1 of 2, 1 of 1 */
#include "coalda.h"

enum { UNIT_BYTES = 16, WORD_BYTES = 4, PART_BYTES = 128, PART_UNITS = 33 };

static int64_t lowest_bit(int64_t value) { return value & -value; }

/* What the address is a multiple of if the objects it points into are aligned as an allocation is; at most a unit. */
static int64_t likely_alignment(const Form *address, int64_t offset)
{
    int64_t bits = UNIT_BYTES | wrap_add(address->constant, offset);
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        if (term->degree != 1 || term->symbol[0]->kind != SYM_BASE)
            bits |= term->coefficient;
    }
    return lowest_bit(bits);
}

/* What the compiler knows of it: from each member, its own alignment and its distance. */
static int64_t known_alignment(const Group *group, int64_t offset)
{
    int64_t best = 1;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        int64_t known = lowest_bit(member->access->alignment | (offset - member->offset));
        if (!member->tested && known > best)
            best = known;
    }
    return best;
}

static bool own_cut(Group *group, int64_t from, int64_t to)
{
    while (from < to) {
        int64_t unit = known_alignment(group, from);
        unit = unit < UNIT_BYTES ? unit : UNIT_BYTES;
        while (unit > to - from)
            unit /= 2;
        if (group->parts == GROUP_PARTS)
            return false;
        group->part[group->parts++] = (Part){.offset = from, .unit = (int)unit, .count = 1, .aligned = true};
        from += unit;
    }
    return true;
}

static bool part_add(Group *group, int64_t offset, int unit, int count)
{
    if (group->parts == GROUP_PARTS)
        return false;
    bool several = count > 1;
    enum { POINTERS_PAY = 3 }; /* up to so many units of 8 bytes, pointers by shuffle cost nothing (measured, H200) */
    bool cheap_pointers = unit == UNIT_BYTES || (unit == UNIT_BYTES / 2 && count <= POINTERS_PAY);
    group->part[group->parts++] = (Part){
        .offset = offset,
        .unit = unit,
        .count = count,
        .aligned = known_alignment(group, offset) >= unit,
        .consecutive = several && group->has_stride && !cheap_pointers,
    };
    return true;
}

/* The unit for the bytes that start here: one that divides them all, or a word that leaves less than a word over. */
static int unit_at(const Group *group, int64_t offset, int64_t left)
{
    int64_t aligned = likely_alignment(group->root->address, offset);
    if (group->has_stride)
        aligned = lowest_bit(aligned | group->stride);
    int64_t dividing = lowest_bit(aligned | left);
    if (dividing >= WORD_BYTES || left < WORD_BYTES || aligned < WORD_BYTES)
        return (int)(dividing <= left ? dividing : lowest_bit(left));
    return WORD_BYTES;
}

static bool run_cut(Group *group, int64_t from, int64_t to)
{
    while (from < to) {
        int unit = unit_at(group, from, to - from);
        int64_t count = (to - from) / unit;
        int64_t most = PART_BYTES / unit;
        if (count > most && (count > PART_UNITS || unit > WORD_BYTES))
            count = most;
        if (!part_add(group, from, unit, (int)count))
            return false;
        from += count * unit;
    }
    return true;
}

/* Every run of bytes that the members touch, cut by `cut`. */
static bool runs_cut(Group *group, bool (*cut)(Group *group, int64_t from, int64_t to))
{
    bool touched[GROUP_BYTES + 1] = {false};
    int64_t bytes = group->high - group->low;
    group->parts = group->covered = 0;
    if (bytes > GROUP_BYTES)
        return false;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        for (int64_t b = 0; b < member->access->bytes; b++)
            touched[member->offset - group->low + b] = true;
    }
    for (int64_t from = 0, to; from < bytes; from = to + 1) {
        for (to = from; touched[to]; to++)
            group->covered++;
        if (to > from && !cut(group, group->low + from, group->low + to))
            return false;
    }
    return true;
}

bool layout_make(Group *group)
{
    group->has_stride = group->root->stride && form_is_constant(group->root->stride, &group->stride) && group->stride != 0;
    return runs_cut(group, run_cut);
}

bool layout_own(Group *group) { return runs_cut(group, own_cut); }

bool layout_same(const Group *a, const Group *b)
{
    bool same = a->parts == b->parts && a->has_stride == b->has_stride && (!a->has_stride || a->stride == b->stride);
    for (int i = 0; same && i < a->parts; i++) {
        const Part *x = &a->part[i], *y = &b->part[i];
        same = x->offset - a->low == y->offset - b->low && x->unit == y->unit && x->count == y->count;
    }
    return same;
}
