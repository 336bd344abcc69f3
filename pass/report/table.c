#include "pass/report/table.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/address/warp.h"

Table table_new(Arena *arena)
{
    return (Table){.arena = arena, .rows = list_new(arena), .totals = list_new(arena), .transfers = list_new(arena)};
}

void table_add(Table *table, const Row *row)
{
    Row *copy = ARENA_NEW(table->arena, Row);
    *copy = *row;
    for (int i = 0; i < ROW_FIELDS; i++)
        if (row->cell[i].text)
            copy->cell[i].text = arena_copy(table->arena, row->cell[i].text, strlen(row->cell[i].text));
    list_add(&table->rows, copy);
}

void table_add_transfer(Table *table, const Transfer *transfer)
{
    Transfer *copy = transfer_new(table->arena);
    for (int i = 0; i < TRANSFER_FIELDS; i++)
        copy->cell[i] = arena_copy(table->arena, transfer->cell[i], strlen(transfer->cell[i]));
    list_add(&table->transfers, copy);
}

/* ---- totals ---- */

double total_ratio(const Total *total) { return total->ideal > 0 ? total->sectors / total->ideal : 1; }

double total_ratio_after(const Total *total) { return total->ideal > 0 ? total->after / total->ideal : 1; }

double total_lost(const Total *total) { return (total->sectors - total->ideal) * SECTOR_BYTES; }

double total_lost_after(const Total *total) { return (total->after - total->ideal) * SECTOR_BYTES; }

static double ratio_of(const Row *row, double sectors)
{
    double ideal = row_value(row, ROW_ideal, 0);
    return sectors >= 0 && ideal > 0 ? sectors / ideal : 0;
}

/* Remarks of older builds have no cell for it. */
static double sectors_after(const Row *row) { return row_value(row, ROW_sectors_after, row_value(row, ROW_sectors, -1)); }

double row_ratio(const Row *row) { return ratio_of(row, row_value(row, ROW_sectors, -1)); }

double row_ratio_after(const Row *row) { return ratio_of(row, sectors_after(row)); }

bool row_is_rewritten(const Row *row)
{
    const char *action = row->cell[ROW_action].text;
    return action && strcmp(action, "none") != 0;
}

static void total_take(Total *total, const Row *row)
{
    double ideal = row_value(row, ROW_ideal, -1);
    total->accesses++;
    total->count++;
    total->conflicts += row_value(row, ROW_ways, 1) > 1;
    total->rewritten += row_is_rewritten(row);
    if (ideal < 0)
        return;
    if (!row->cell[ROW_sectors].text) {
        total->unknown++;
        return;
    }
    total->sectors += row_value(row, ROW_sectors, 0);
    total->after += sectors_after(row);
    total->ideal += ideal;
}

static const char *kernel_of(const Row *row) { return row->cell[ROW_kernel].text ? row->cell[ROW_kernel].text : ""; }

/* Rows of one kernel stand together as long as nothing was sorted by cost. */
static void totals_make(Table *table)
{
    Total *total = NULL;
    for (size_t i = 0; i < table->rows.count; i++) {
        const Row *row = table->rows.item[i];
        if (!total || strcmp(total->kernel, kernel_of(row)) != 0) {
            total = ARENA_NEW(table->arena, Total);
            total->kernel = kernel_of(row);
            total->first = i;
            list_add(&table->totals, total);
        }
        total_take(total, row);
    }
}

/* ---- order ---- */

static double excess(const Row *row)
{
    double sectors = row_value(row, ROW_sectors, -1);
    return sectors < 0 ? 0 : sectors - row_value(row, ROW_ideal, 0);
}

static int descending(double a, double b) { return a < b ? 1 : a > b ? -1 : 0; }

static int ascending_place(const Row *a, const Row *b)
{
    int order = descending(row_value(b, ROW_line, 0), row_value(a, ROW_line, 0));
    if (!order)
        order = descending(row_value(b, ROW_column, 0), row_value(a, ROW_column, 0));
    return order ? order : descending(row_value(b, ROW_offset, 0), row_value(a, ROW_offset, 0));
}

static int by_excess(const void *left, const void *right)
{
    const Row *a = *(Row *const *)left, *b = *(Row *const *)right;
    int order = descending(excess(a), excess(b));
    if (!order)
        order = descending(row_value(a, ROW_ways, 0), row_value(b, ROW_ways, 0));
    return order ? order : ascending_place(a, b);
}

static int by_kernel(const void *left, const void *right)
{
    const Row *a = *(Row *const *)left, *b = *(Row *const *)right;
    return strcmp(kernel_of(a), kernel_of(b));
}

/* By time; without, by what is still lost, and what was. */
static int by_weight(const void *left, const void *right)
{
    const Total *a = *(Total *const *)left, *b = *(Total *const *)right;
    int order = descending(a->microseconds, b->microseconds);
    if (!order)
        order = descending(total_lost_after(a), total_lost_after(b));
    if (!order)
        order = descending(total_lost(a), total_lost(b));
    return order ? order : strcmp(a->kernel, b->kernel);
}

void table_order(Table *table)
{
    List ordered = list_new(table->arena);
    if (table->totals.count)
        qsort(table->totals.item, table->totals.count, sizeof(void *), by_weight);
    for (size_t i = 0; i < table->totals.count; i++) {
        Total *total = table->totals.item[i];
        size_t first = ordered.count;
        for (size_t j = 0; j < total->count; j++)
            list_add(&ordered, table->rows.item[total->first + j]);
        total->first = first;
    }
    table->rows = ordered;
}

void table_finish(Table *table)
{
    if (table->rows.count == 0)
        return;
    qsort(table->rows.item, table->rows.count, sizeof(void *), by_kernel);
    totals_make(table);
    for (size_t i = 0; i < table->totals.count; i++) {
        const Total *total = table->totals.item[i];
        qsort(table->rows.item + total->first, total->count, sizeof(void *), by_excess);
    }
    table_order(table);
}

/* ---- text ---- */

static const char *cell_or(const Row *row, RowField field, const char *otherwise)
{
    return row->cell[field].text ? row->cell[field].text : otherwise;
}

static const char *place_text(Arena *arena, const Row *row)
{
    if (!row->cell[ROW_line].text)
        return "-";
    const char *file = cell_or(row, ROW_file, "");
    const char *base = strrchr(file, '/');
    return arena_text(arena, "%s:%s:%s", base ? base + 1 : file, row->cell[ROW_line].text, cell_or(row, ROW_column, "0"));
}

bool row_prints_alike(const Row *a, const Row *b)
{
    static const RowField printed[] = {ROW_file,  ROW_line,  ROW_column, ROW_op,           ROW_space,
                                       ROW_bytes, ROW_class, ROW_stride, ROW_sectors,      ROW_sectors_after,
                                       ROW_ideal, ROW_ways,  ROW_reason, ROW_tile_refusal, ROW_tile_obstacle};
    if (!a->cell[ROW_line].text)
        return false;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
        if (strcmp(cell_or(a, printed[i], ""), cell_or(b, printed[i], "")) != 0)
            return false;
    return true;
}

static void row_line(Arena *arena, Text *out, const Row *row, int times)
{
    const char *sectors = cell_or(row, ROW_sectors, cell_or(row, ROW_ideal, NULL) ? "?" : "-");
    const char *ways = cell_or(row, ROW_ways, "-"), *staged = cell_or(row, ROW_tile_refusal, NULL);
    const char *obstacle = cell_or(row, ROW_tile_obstacle, NULL);
    text_add(out, "  %-24s %-6s %-8s %5s  %-8s %-20s %8s %6s %5s  %s%s%s%s%s\n", place_text(arena, row), cell_or(row, ROW_op, "?"),
             cell_or(row, ROW_space, "?"), cell_or(row, ROW_bytes, "?"), cell_or(row, ROW_class, "?"),
             cell_or(row, ROW_stride, "-"), sectors, cell_or(row, ROW_ideal, "-"), ways, cell_or(row, ROW_reason, "-"),
             staged ? ", " : "", staged ? staged : "", obstacle ? arena_text(arena, ": %s", obstacle) : "",
             times > 1 ? arena_text(arena, " x%d", times) : "");
}

static void total_line(const Table *table, Text *out, const Total *total)
{
    char *name = table->shown ? table->shown(total->kernel) : NULL;
    text_add(out, "%s: %d access%s, %g sectors where %g would do, ratio %.2f", name ? name : total->kernel, total->accesses,
             total->accesses == 1 ? "" : "es", total->sectors, total->ideal, total_ratio(total));
    free(name);
    if (total->rewritten)
        text_add(out, ", %.4g once %d %s rewritten, ratio %.2f", total->after, total->rewritten,
                 total->rewritten == 1 ? "is" : "are", total_ratio_after(total));
    if (total->unknown)
        text_add(out, ", %d more known only at run time", total->unknown);
    if (total->conflicts)
        text_add(out, ", %d with bank conflicts", total->conflicts);
    if (total->launches > 0)
        text_add(out, ", %.6g us in %g launch%s", total->microseconds, total->launches, total->launches > 1 ? "es" : "");
    text_add(out, "\n");
}

void table_text(const Table *table, Text *out)
{
    for (size_t i = 0; i < table->totals.count; i++) {
        const Total *total = table->totals.item[i];
        total_line(table, out, total);
        text_add(out, "  %-24s %-6s %-8s %5s  %-8s %-20s %8s %6s %5s  %s\n", "place", "op", "space", "bytes", "class", "stride",
                 "sectors", "ideal", "ways", "verdict");
        Row *const *row = (Row *const *)table->rows.item + total->first;
        for (size_t from = 0, to; from < total->count; from = to) {
            for (to = from + 1; to < total->count && row_prints_alike(row[from], row[to]);)
                to++;
            row_line(table->arena, out, row[from], (int)(to - from));
        }
    }
}
