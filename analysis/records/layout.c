/* How a group's bytes are cut into parts that the warp moves together: exactly the bytes that the members touch,
 * in the largest units that their alignment may allow.
 *
 *     bytes 0..27 of records of 28 bytes     7 units of 4
 *     bytes 0..31 of records of 64 bytes     2 units of 16
 *     bytes 0..6  of records of 8 bytes      1 unit of 4, 1 of 2, 1 of 1 */
#include "analysis/records/records.h"

enum { UNIT_BYTES = 16, PART_BYTES = 128, PART_UNITS = 33 };

static int64_t lowest_bit(int64_t value) { return value & -value; }

/* A row's length is likely to be a multiple of a unit; a distance between threads that is a number is what it is. */
static bool is_likely_aligned(const Term *term)
{
    for (int i = 0; i < term->degree; i++)
        if (term->symbol[i]->kind == SYM_BASE || (term->degree > 1 && term->symbol[i]->kind == SYM_UNIFORM))
            return true;
    return false;
}

/* A row that is walked from its end begins one row's length further: as likely a multiple of a unit as all the lengths before it. */
static bool is_length(const Form *address, const Term *term)
{
    bool is = false;
    for (int i = 0; i < address->count && term->degree == 1 && term->symbol[0]->kind == SYM_UNIFORM && !is; i++) {
        const Term *rows = &address->term[i];
        bool longer = rows->degree > 1 && rows->coefficient && term->coefficient % rows->coefficient == 0;
        for (int j = 0; longer && j < rows->degree; j++)
            is |= rows->symbol[j] == term->symbol[0];
    }
    return is;
}

static bool is_likely_multiple(const Form *address, const Term *term)
{
    return is_likely_aligned(term) || is_length(address, term);
}

/* Of the loop that walks the row. */
static bool is_counter(const Access *access, const Term *term)
{
    return term->degree == 1 && term->symbol[0]->kind == SYM_LOOP && term->symbol[0]->loop == access->loop;
}

bool layout_begins(const Access *access, int64_t *byte)
{
    const Form *address = access->address;
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        if (!is_counter(access, term) && term->coefficient % LINE_BYTES && !is_likely_multiple(address, term))
            return false;
    }
    *byte = address->constant;
    return true;
}

/* What the bytes behind its address are a multiple of, as far as allocations and rows are; `begins`: where its loop does. */
static int64_t seen_alignment(const Access *access, int64_t offset, bool begins)
{
    const Form *address = access->address;
    int64_t bits = UNIT_BYTES | wrap_add(address->constant, offset);
    for (int i = 0; i < address->count; i++)
        if (!(begins && is_counter(access, &address->term[i])) && !is_likely_multiple(address, &address->term[i]))
            bits |= address->term[i].coefficient;
    return lowest_bit(bits);
}

int64_t layout_row_unit(const Access *access) { return seen_alignment(access, 0, true); }

/* The same where masks hide it: `8 * (t / 8) + 32 * (t % 8)`, of which each factor by itself says little. */
static int64_t masked_alignment(const Access *root, int64_t offset)
{
    int64_t unit = UNIT_BYTES;
    while (unit > 1 && !LLVMIsAArgument(ir_aligned_alike(root->pointer, (int)unit)))
        unit /= 2;
    return lowest_bit(unit | offset);
}

/* What the address is a multiple of if allocations and rows are; at most a unit. */
static int64_t likely_alignment(const Access *root, int64_t offset)
{
    if (ir_is_marked(root->instruction, BEGIN_METADATA)) /* upwards its first byte begins a piece, downwards its last one ends it */
        return lowest_bit(UNIT_BYTES | (root->step < 0 ? offset - root->bytes : offset));
    int64_t seen = seen_alignment(root, offset, false), masked = seen < UNIT_BYTES ? masked_alignment(root, offset) : seen;
    return masked > seen ? masked : seen;
}

/* What the compiler knows of it: from each member, its own alignment and its distance. Under conditions only a member that
 * is made vouches for its thread, so the least of them counts. */
static int64_t known_alignment(const Group *group, int64_t offset)
{
    bool least = group_has_conditions(group) && !group->chosen;
    int64_t best = least ? UNIT_BYTES : 1;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        int64_t known = lowest_bit(UNIT_BYTES | member->access->alignment | (offset - member->offset));
        if (least ? known < best : !member->tested && known > best)
            best = known;
    }
    return best;
}

static LLVMBasicBlockRef condition_at(const Group *group, int64_t offset)
{
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        if (offset >= member->offset && offset < member->offset + member->access->bytes)
            return member->under;
    }
    return NULL;
}

/* Where the condition changes, no unit may lie on both sides: distances from the start, or-ed together. */
static int64_t cuts_between(const Group *group, int64_t from, int64_t to)
{
    int64_t cuts = 0;
    for (int64_t at = from + 1; group->along && at < to; at++)
        if (condition_at(group, at) != condition_at(group, at - 1))
            cuts |= at - from;
    return cuts;
}

/* ---- cutting ---- */

typedef struct {
    Group *group;
    LayoutKind kind;
    Layout *layout;
} Cutter;

static bool part_add(Layout *layout, Part part)
{
    if (layout->parts == GROUP_PARTS)
        return false;
    layout->part[layout->parts++] = part;
    return true;
}

/* Pointers by shuffle, for few units of 8 bytes, cost nothing. */
static bool pointers_are_cheap(const Group *group, int unit, int64_t count)
{
    return unit == UNIT_BYTES || (unit == UNIT_BYTES / 2 && count <= (int64_t)costs_of(group)->POINTERS);
}

static Part shared_part(const Cutter *cutter, int64_t offset, int unit, int64_t count)
{
    const Group *group = cutter->group;
    bool likely = cutter->kind == LAYOUT_LIKELY && count > 1;
    return (Part){
        .offset = offset,
        .unit = unit,
        .count = (int)count,
        .aligned = known_alignment(group, offset) >= unit,
        .consecutive = likely && (group->is_row || (group->has_stride && !pointers_are_cheap(group, unit, count))),
    };
}

static int64_t alignment_at(const Cutter *cutter, int64_t offset)
{
    if (cutter->kind == LAYOUT_SURE)
        return known_alignment(cutter->group, offset);
    int64_t aligned = likely_alignment(cutter->group->root, offset), known = known_alignment(cutter->group, offset);
    if (cutter->group->has_stride)
        aligned = lowest_bit(aligned | cutter->group->stride);
    return aligned > known ? aligned : known;
}

/* The unit for the bytes that start here: one that divides them all, or a word that leaves less than a word over. */
static int unit_at(const Cutter *cutter, int64_t offset, int64_t left)
{
    int64_t aligned = alignment_at(cutter, offset);
    int64_t cuts = cuts_between(cutter->group, offset, offset + left);
    int64_t dividing = lowest_bit(aligned | left | cuts);
    if (dividing >= WORD_BYTES || left < WORD_BYTES || aligned < WORD_BYTES || cuts % WORD_BYTES)
        return (int)(dividing <= left ? dividing : lowest_bit(left));
    return WORD_BYTES;
}

static bool cut_shared(Cutter *cutter, int64_t from, int64_t to)
{
    while (from < to) {
        int unit = unit_at(cutter, from, to - from);
        int64_t count = (to - from) / unit;
        int64_t most = unit > WORD_BYTES ? PART_BYTES / unit : cutter->group->along ? WARP_LANES : PART_UNITS;
        int64_t usual = unit > WORD_BYTES ? most : WARP_LANES;
        if (cutter->group->choice.narrow)
            most = usual = usual / 2;
        if (count > most)
            count = usual;
        if (!part_add(cutter->layout, shared_part(cutter, from, unit, count)))
            return false;
        from += count * unit;
    }
    return true;
}

/* Pieces that each thread moves itself. */
static bool cut_own(Cutter *cutter, int64_t from, int64_t to)
{
    while (from < to) {
        int64_t unit = alignment_at(cutter, from);
        while (unit > to - from)
            unit /= 2;
        bool aligned = known_alignment(cutter->group, from) >= unit;
        if (!part_add(cutter->layout, (Part){.offset = from, .unit = (int)unit, .count = 1, .aligned = aligned}))
            return false;
        from += unit;
    }
    return true;
}

/* Every run of bytes that the members touch, cut by `cut`. */
static bool cut_runs(Cutter *cutter, bool (*cut)(Cutter *cutter, int64_t from, int64_t to))
{
    Group *group = cutter->group;
    bool touched[GROUP_BYTES + 1] = {false};
    int64_t bytes = group->high - group->low;
    cutter->layout->parts = group->covered = 0;
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
        if (to > from && !cut(cutter, group->low + from, group->low + to))
            return false;
    }
    return true;
}

static Cutter cutter_for(Group *group, LayoutKind kind) { return (Cutter){group, kind, &group->choice.layout[kind]}; }

bool layout_make(Group *group)
{
    Cutter likely = cutter_for(group, LAYOUT_LIKELY), sure = cutter_for(group, LAYOUT_SURE);
    if (group_is_uniform(group))
        return cut_runs(&likely, cut_own);
    group->has_stride = group->root->stride && form_is_constant(group->root->stride, &group->stride) && group->stride != 0;
    group->is_row = group->root->kind == CLASS_WALK && group->root->stride && !form_loaded(group->root->address);
    return cut_runs(&likely, cut_shared) && cut_runs(&sure, cut_shared);
}

static bool part_copy(Layout *layout, Part part, int first, int count)
{
    part.offset += (int64_t)first * part.unit;
    part.count = count;
    part.consecutive = false;
    return count == 0 || part_add(layout, part);
}

/* Odd numbers of units go round; of even ones, each thread keeps the last. */
bool layout_for_edge(Group *group)
{
    const Layout *sure = &group->choice.layout[LAYOUT_SURE];
    Layout *edge = &group->choice.layout[LAYOUT_EDGE];
    bool fits = true;
    edge->parts = 0;
    for (int i = 0; fits && i < sure->parts; i++) {
        Part part = sure->part[i];
        int odd = part.count - (part.count % 2 == 0);
        fits = part_copy(edge, part, 0, odd) && part_copy(edge, part, odd, part.count - odd);
    }
    return fits;
}

bool layout_own(Group *group, LayoutKind aligned)
{
    Cutter own = {group, aligned, &group->choice.layout[LAYOUT_LIKELY]};
    return cut_runs(&own, cut_own);
}

/* In pieces as wide as is known, unless those are too many. */
bool layout_for_few(Group *group)
{
    Cutter own = {group, LAYOUT_SURE, &group->choice.layout[LAYOUT_OWN]};
    if (cut_runs(&own, cut_own))
        return true;
    own.kind = LAYOUT_LIKELY; /* bytes and halves */
    return cut_runs(&own, cut_own);
}

bool group_is_spread(const Group *group) { return group->choice.moves == MOVES_SPREAD || group->choice.spreads; }

bool layout_spreads(const Group *group)
{
    int64_t bytes = group->high - group->low;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        if (member->access->bytes != WORD_BYTES || (member->offset - group->low) % WORD_BYTES)
            return false;
    }
    return bytes > 0 && bytes <= GROUP_BYTES && bytes % (WARP_LANES * WORD_BYTES) == 0 && group->covered == bytes &&
           known_alignment(group, group->low) >= WORD_BYTES;
}

/* ---- comparing ---- */

static bool same_parts(const Group *a, const Group *b, LayoutKind kind)
{
    const Layout *x = &a->choice.layout[kind], *y = &b->choice.layout[kind];
    bool same = x->parts == y->parts;
    for (int i = 0; same && i < x->parts; i++) {
        const Part *p = &x->part[i], *q = &y->part[i];
        same = p->offset - a->low == q->offset - b->low && p->unit == q->unit && p->count == q->count;
    }
    return same;
}

bool layout_same(const Group *a, const Group *b) { return same_parts(a, b, LAYOUT_LIKELY) && same_parts(a, b, LAYOUT_SURE); }

bool layout_fits(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_SURE];
    int units = 0;
    for (int i = 0; i < layout->parts; i++)
        units += layout->part[i].count;
    return units <= costs_of(group)->UNITS;
}

bool layout_is_tested(const Group *group)
{
    const Layout *likely = &group->choice.layout[LAYOUT_LIKELY];
    if (group_is_spread(group))
        return true;
    for (int i = 0; i < likely->parts; i++)
        if (!likely->part[i].aligned || likely->part[i].consecutive)
            return true;
    return false;
}
