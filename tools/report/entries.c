/* Accesses of the source from the rows of a report, and what each loses. */
#include "entries.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/address/warp.h"

const char *cell_text(const Row *row, RowField field) { return row->cell[field].text ? row->cell[field].text : ""; }

bool cells_are_equal(const Row *a, const Row *b, const RowField *field, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(cell_text(a, field[i]), cell_text(b, field[i])) != 0)
            return false;
    return true;
}

/* ---- losses ---- */

enum { PASS_BYTES = BANKS * BANK_BYTES };

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
    int order = strcmp(cell_text(a, ROW_kernel), cell_text(b, ROW_kernel));
    if (!order)
        order = strcmp(cell_text(a, ROW_file), cell_text(b, ROW_file));
    const RowField keys[] = {ROW_line, ROW_column, ROW_bytes, ROW_offset};
    for (size_t i = 0; !order && i < sizeof keys / sizeof *keys; i++) {
        double first = row_value(a, keys[i], 0), second = row_value(b, keys[i], 0);
        order = (first > second) - (first < second);
    }
    if (!order)
        order = strcmp(cell_text(a, ROW_op), cell_text(b, ROW_op));
    return order ? order : strcmp(cell_text(a, ROW_address), cell_text(b, ROW_address));
}

static bool are_copies(const Row *a, const Row *b)
{
    static const RowField same[] = {ROW_file, ROW_line, ROW_column, ROW_op, ROW_space, ROW_bytes};
    return a->cell[ROW_line].text && cells_are_equal(a, b, same, sizeof same / sizeof *same);
}

double worst_of(Loss loss) { return loss.written > loss.rewritten ? loss.written : loss.rewritten; }

static void entries_take(List *entries, const Row *row)
{
    const Loss loss = loss_of(row);
    for (size_t i = entries->count; i-- > 0;) {
        Entry *entry = entries->item[i];
        if (strcmp(cell_text(entry->row, ROW_line), cell_text(row, ROW_line)) != 0)
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
        if (!side || strcmp(side->kernel, cell_text(row, ROW_kernel)) != 0) {
            side = ARENA_NEW(table->arena, Side);
            *side = (Side){.kernel = cell_text(row, ROW_kernel), .entries = list_new(table->arena)};
            list_add(&sides, side);
        }
        entries_take(&side->entries, row);
    }
    return sides;
}
