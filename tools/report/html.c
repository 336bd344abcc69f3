/* One page that needs nothing else: totals, then every source file with the figures beside its lines. */
#include <stdlib.h>
#include <string.h>

#include "pass/bridge/bridge.h"
#include "pass/report/table.h"
#include "report.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>COALDA report</title><style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:.5em 0 2em;width:100%}th,td{text-align:left;padding:.2em .7em;vertical-align:top}\n"
    "th{border-bottom:2px solid #888;font-weight:600}td{border-bottom:1px solid #e4e4e4}.n{text-align:right}\n"
    "pre,code{font:13px/1.5 ui-monospace,monospace;margin:0;white-space:pre-wrap}\n"
    ".bad{background:#fde4e1}.warn{background:#fff3d6}.good{background:#e6f4e6}.dim{color:#777}\n"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}td{border-color:#333}\n"
    ".bad{background:#4a2320}.warn{background:#453813}.good{background:#1f3a22}}\n"
    "</style></head><body>\n<h1>Memory accesses</h1>\n";

static void print_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

static void print_td(FILE *out, const char *style, const char *text)
{
    fprintf(out, "<td class=\"%s\">", style);
    print_escaped(out, text ? text : "");
    fputs("</td>", out);
}

static const char *grade(double ratio)
{
    enum { WASTEFUL = 2 };
    return ratio >= WASTEFUL ? "bad" : ratio > 1 ? "warn" : "good";
}

static void print_kernel_name(FILE *out, const char *linked)
{
    char *name = ir_demangled(linked);
    print_escaped(out, name);
    free(name);
}

static void print_totals(const Table *table, FILE *out)
{
    fputs("<table><tr><th>kernel</th><th class=\"n\">accesses</th><th class=\"n\">rewritten</th><th class=\"n\">sectors before</th>"
          "<th class=\"n\">after</th><th class=\"n\">ideal</th><th class=\"n\">ratio before</th><th class=\"n\">after</th><th "
          "class=\"n\">known only at run time</th><th class=\"n\">bank conflicts</th></tr>\n",
          out);
    for (size_t i = 0; i < table->totals.count; i++) {
        const Total *total = table->totals.item[i];
        fprintf(out, "<tr class=\"%s\"><td><code>", grade(total_ratio_after(total)));
        print_kernel_name(out, total->kernel);
        fprintf(out,
                "</code></td><td class=\"n\">%d</td><td class=\"n\">%d</td><td class=\"n\">%g</td><td class=\"n\">%.4g</td><td "
                "class=\"n\">%g</td>"
                "<td class=\"n\">%.2f</td><td class=\"n\">%.2f</td><td class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n",
                total->accesses, total->rewritten, total->sectors, total->after, total->ideal, total_ratio(total),
                total_ratio_after(total), total->unknown, total->conflicts);
    }
    fputs("</table>\n", out);
}

/* ---- rows ---- */

static const RowField columns[] = {ROW_op,      ROW_space,         ROW_bytes, ROW_class, ROW_stride,
                                   ROW_sectors, ROW_sectors_after, ROW_ideal, ROW_ways};

static const char *column_style(RowField column)
{
    return column == ROW_op || column == ROW_space || column == ROW_class ? "" : "n";
}

/* Of a copy to shared memory that its loop waits for: why, and what stands in the way. */
static void print_staging(FILE *out, const Row *row)
{
    if (!row->cell[ROW_tile_refusal].text)
        return;
    fputs("<br>", out);
    print_escaped(out, row->cell[ROW_tile_refusal].text);
    if (row->cell[ROW_tile_obstacle].text) {
        fputs(": ", out);
        print_escaped(out, row->cell[ROW_tile_obstacle].text);
    }
}

static void print_row(FILE *out, const Row *row, bool with_place, int times)
{
    double ways = row_value(row, ROW_ways, 1);
    double ratio = row_ratio_after(row) > 0 ? row_ratio_after(row) : ways;
    bool unknown = row->cell[ROW_ideal].text && !row->cell[ROW_sectors].text;
    fprintf(out, "<tr class=\"%s\">", row_is_rewritten(row) ? "good" : unknown ? "warn" : grade(ratio));
    print_td(out, "n", with_place ? row->cell[ROW_line].text : NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_td(out, column_style(columns[i]), row->cell[columns[i]].text);
    fputs("<td>", out);
    print_escaped(out, row->cell[ROW_reason].text ? row->cell[ROW_reason].text : "");
    if (times > 1)
        fprintf(out, " &times;%d", times);
    if (row->cell[ROW_remedy].text) {
        fputs("<br><span class=\"dim\">", out);
        print_escaped(out, row->cell[ROW_remedy].text);
        fputs("</span>", out);
    }
    print_staging(out, row);
    fputs("</td></tr>\n", out);
}

static void print_row_head(FILE *out)
{
    fputs("<table><tr><th class=\"n\">line</th>", out);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fprintf(out, "<th class=\"%s\">%s</th>", column_style(columns[i]), row_key(columns[i]));
    fputs("<th>verdict</th></tr>\n", out);
}

/* ---- sources ---- */

static const char *file_of(const Row *row) { return row->cell[ROW_file].text ? row->cell[ROW_file].text : ""; }

static int by_place(const void *left, const void *right)
{
    const Row *a = *(Row *const *)left, *b = *(Row *const *)right;
    int order = strcmp(file_of(a), file_of(b));
    const RowField keys[] = {ROW_line, ROW_column, ROW_bytes, ROW_sectors, ROW_offset};
    for (size_t i = 0; !order && i < sizeof keys / sizeof *keys; i++) {
        double first = row_value(a, keys[i], 0), second = row_value(b, keys[i], 0);
        order = (first > second) - (first < second);
    }
    return order;
}

static void print_source_line(FILE *out, long line, const char *text)
{
    fprintf(out, "<tr><td class=\"n dim\">%ld</td><td colspan=\"10\"><pre>", line);
    print_escaped(out, text);
    fputs("</pre></td></tr>\n", out);
}

static FILE *source_open(const Row *row)
{
    enum { LONGEST_PATH = 4096 };
    char path[LONGEST_PATH];
    const char *directory = row->cell[ROW_directory].text;
    bool is_relative = directory && file_of(row)[0] != '/';
    snprintf(path, sizeof path, "%s%s%s", is_relative ? directory : "", is_relative ? "/" : "", file_of(row));
    return fopen(path, "r");
}

/* The file's lines that have accesses, each followed by its rows. */
static void print_file(FILE *out, Row *const *row, size_t count)
{
    enum { LONGEST_LINE = 1000 };
    char text[LONGEST_LINE];
    FILE *source = source_open(row[0]);
    long at = 0;
    fputs("<h2><code>", out);
    print_escaped(out, *file_of(row[0]) ? file_of(row[0]) : "source unknown: compile with -gline-tables-only");
    fputs("</code></h2>\n", out);
    print_row_head(out);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && row_prints_alike(row[i], row[next]);)
            next++;
        long line = (long)row_value(row[i], ROW_line, 0);
        bool first = i == 0 || line != (long)row_value(row[i - 1], ROW_line, 0);
        while (source && first && at < line && fgets(text, sizeof text, source))
            at += strchr(text, '\n') != NULL || strlen(text) < sizeof text - 1;
        bool shown = source && first && at == line && line > 0;
        if (shown)
            print_source_line(out, line, text);
        print_row(out, row[i], !source && first, (int)(next - i));
    }
    fputs("</table>\n", out);
    if (source)
        fclose(source);
}

void report_html(const Table *table, FILE *out)
{
    fputs(head, out);
    print_totals(table, out);
    List rows = list_new(table->arena);
    for (size_t i = 0; i < table->rows.count; i++)
        list_add(&rows, table->rows.item[i]);
    if (rows.count)
        qsort(rows.item, rows.count, sizeof(void *), by_place);
    for (size_t from = 0, to; from < rows.count; from = to) {
        for (to = from; to < rows.count && strcmp(file_of(rows.item[from]), file_of(rows.item[to])) == 0;)
            to++;
        print_file(out, (Row *const *)&rows.item[from], to - from);
    }
    fputs("</body></html>\n", out);
}
