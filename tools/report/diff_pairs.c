/* Which accesses of two reports are one.
 *
 * Lines shift, so no line counts. Accesses pair off in rounds, each round those that the ones before it left, the n-th of a report with
 * the n-th of the other in the order of the source: first those that are alike in all that the analysis sees of the address, then
 * those of one array, then those of one form, then those that do the same. An access that did not change finds itself in the first
 * round wherever it went. */
#include <string.h>

#include "diff.h"

typedef bool (*AreAlike)(const Row *a, const Row *b);

static bool have_one_address(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space, ROW_bytes, ROW_class, ROW_stride, ROW_address, ROW_sectors, ROW_ways};
    return cells_are_equal(a, b, same, sizeof same / sizeof *same);
}

static bool do_the_same(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space};
    return cells_are_equal(a, b, same, sizeof same / sizeof *same);
}

/* An address begins with what it is counted from. */
static bool have_one_array(const Row *a, const Row *b)
{
    const char *first = cell_text(a, ROW_address), *second = cell_text(b, ROW_address);
    size_t length = strcspn(first, " ");
    return do_the_same(a, b) && length && length == strcspn(second, " ") && strncmp(first, second, length) == 0;
}

static bool have_one_form(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space, ROW_bytes, ROW_class, ROW_stride, ROW_sectors, ROW_ways};
    return cells_are_equal(a, b, same, sizeof same / sizeof *same);
}

static void pair_off(const Side *old, const Side *new, AreAlike are_alike, List *pairs)
{
    for (size_t i = 0; i < old->entries.count; i++) {
        Entry *mine = old->entries.item[i];
        for (size_t j = 0; j < new->entries.count && !mine->taken; j++) {
            Entry *other = new->entries.item[j];
            if (other->taken || !are_alike(mine->row, other->row))
                continue;
            EntryPair *pair = ARENA_NEW(pairs->arena, EntryPair);
            *pair = (EntryPair){mine, other};
            mine->taken = other->taken = true;
            list_add(pairs, pair);
        }
    }
}

List entries_paired(const Side *old, const Side *new)
{
    static const AreAlike rounds[] = {have_one_address, have_one_array, have_one_form, do_the_same};
    List pairs = list_new(old->entries.arena);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        pair_off(old, new, rounds[i], &pairs);
    return pairs;
}

bool sides_are_alike(const Side *old, const Side *new)
{
    bool alike = old->entries.count == new->entries.count;
    for (size_t i = 0; alike && i < old->entries.count; i++) {
        const Entry *mine = old->entries.item[i], *other = new->entries.item[i];
        alike = have_one_form(mine->row, other->row);
    }
    return alike;
}
