/* Accesses of the source from the rows of a report, and which of two reports are one access.
 *
 * Lines shift, so no line counts. Accesses pair off in rounds, each round those that the ones before it left, the n-th of a report with
 * the n-th of the other in the order of the source: first those that are alike in all that the analysis sees of the address, then
 * those of one array, then those that do the same. An access that did not change finds itself in the first round wherever it went. */
#include <stdlib.h>
#include <string.h>

#include "diff.h"

static const char *cell_of(const Row *row, RowField field) { return row->cell[field].text ? row->cell[field].text : ""; }

/* ---- losses ---- */

enum { SECTOR_BYTES = 32, PASS_BYTES = 128 }; /* 32 banks of 4 bytes in a pass */

/* Where only run time can tell, as much as it may be. */
static Loss loss_of(const Row *row)
{
    double ideal = row_value(row, ROW_ideal, -1), ways = row_value(row, ROW_ways, 1);
    if (ideal < 0) {
        double banks = (ways - 1) * PASS_BYTES;
        return (Loss){banks, banks};
    }
    double written = row_value(row, ROW_sectors, row_value(row, ROW_sectors_max, ideal));
    double rewritten = row->cell[ROW_sectors].text ? row_value(row, ROW_sectors_after, written) : written;
    double least = rewritten < ideal ? rewritten : ideal; /* what a register hands on moves nothing */
    return (Loss){(written - ideal) * SECTOR_BYTES, (rewritten - least) * SECTOR_BYTES};
}

/* ---- entries ---- */

static int by_place(const void *left, const void *right)
{
    const Row *a = *(Row *const *)left, *b = *(Row *const *)right;
    int order = strcmp(cell_of(a, ROW_kernel), cell_of(b, ROW_kernel));
    if (!order)
        order = strcmp(cell_of(a, ROW_file), cell_of(b, ROW_file));
    const RowField keys[] = {ROW_line, ROW_column, ROW_bytes, ROW_offset};
    for (size_t i = 0; !order && i < sizeof keys / sizeof *keys; i++) {
        double first = row_value(a, keys[i], 0), second = row_value(b, keys[i], 0);
        order = (first > second) - (first < second);
    }
    if (!order)
        order = strcmp(cell_of(a, ROW_op), cell_of(b, ROW_op));
    return order ? order : strcmp(cell_of(a, ROW_address), cell_of(b, ROW_address));
}

static bool are_copies(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_file, ROW_line, ROW_column, ROW_op, ROW_space, ROW_bytes};
    if (!a->cell[ROW_line].text)
        return false;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(cell_of(a, same[i]), cell_of(b, same[i])) != 0)
            return false;
    return true;
}

static double worst_of(Loss loss) { return loss.written > loss.rewritten ? loss.written : loss.rewritten; }

static void entries_take(List *entries, const Row *row)
{
    const Loss loss = loss_of(row);
    for (size_t i = entries->count; i-- > 0;) {
        Entry *entry = entries->item[i];
        if (strcmp(cell_of(entry->row, ROW_line), cell_of(row, ROW_line)) != 0)
            break;
        if (!are_copies(entry->row, row))
            continue;
        entry->copies++;
        if (worst_of(loss) > worst_of(entry->loss))
            entry->row = row;
        entry->loss.written = loss.written > entry->loss.written ? loss.written : entry->loss.written;
        entry->loss.rewritten = loss.rewritten > entry->loss.rewritten ? loss.rewritten : entry->loss.rewritten;
        return;
    }
    Entry *entry = ARENA_NEW(entries->arena, Entry);
    *entry = (Entry){.row = row, .loss = loss, .copies = 1};
    list_add(entries, entry);
}

List sides_of(const Table *table)
{
    List rows = list_copy(table->arena, &table->rows), sides = list_new(table->arena);
    Side *side = NULL;
    if (rows.count)
        qsort(rows.item, rows.count, sizeof(void *), by_place);
    for (size_t i = 0; i < rows.count; i++) {
        const Row *row = rows.item[i];
        if (!side || strcmp(side->kernel, cell_of(row, ROW_kernel)) != 0) {
            side = ARENA_NEW(table->arena, Side);
            *side = (Side){.kernel = cell_of(row, ROW_kernel), .entries = list_new(table->arena)};
            list_add(&sides, side);
        }
        entries_take(&side->entries, row);
    }
    return sides;
}

/* ---- pairs ---- */

typedef bool (*AreAlike)(const Row *a, const Row *b);

static bool all_equal(const Row *a, const Row *b, const RowField *field, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(cell_of(a, field[i]), cell_of(b, field[i])) != 0)
            return false;
    return true;
}

static bool have_one_address(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space, ROW_bytes, ROW_class, ROW_stride, ROW_address, ROW_sectors, ROW_ways};
    return all_equal(a, b, same, sizeof same / sizeof *same);
}

static bool do_the_same(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space};
    return all_equal(a, b, same, sizeof same / sizeof *same);
}

/* An address begins with what it is counted from. */
static bool have_one_array(const Row *a, const Row *b)
{
    const char *first = cell_of(a, ROW_address), *second = cell_of(b, ROW_address);
    size_t length = strcspn(first, " ");
    return do_the_same(a, b) && length && length == strcspn(second, " ") && strncmp(first, second, length) == 0;
}

static bool have_one_form(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_op, ROW_space, ROW_bytes, ROW_class, ROW_stride, ROW_sectors, ROW_ways};
    return all_equal(a, b, same, sizeof same / sizeof *same);
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
