/* One page that needs nothing else: totals, then every source file with the figures beside its lines. */
#include <stdlib.h>
#include <string.h>

#include "pass/bridge/bridge.h"
#include "drawing.h"
#include "entries.h"
#include "pass/report/table.h"
#include "report.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width,initial-scale=1\">"
    "<title>COALDA report</title><style>\n"
    ":root{color-scheme:light "
    "dark;--line:#e4e4e4;--dim:#666;--bad:#fde4e1;--warn:#fff3d6;--good:#e6f4e6;--used:#2563a8;--vain:#e2b3ab}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#222;background:#fff}\n"
    ".wide{overflow-x:auto;margin:.5em 0 2em}table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.2em .7em;vertical-align:top}th{border-bottom:2px solid #888;font-weight:600}\n"
    "td{border-bottom:1px solid var(--line)}.n{text-align:right}tr:target td{outline:2px solid var(--used)}\n"
    "pre,code{font:13px/1.5 ui-monospace,monospace;margin:0;white-space:pre-wrap}a{color:inherit}\n"
    ".bad{background:var(--bad)}.warn{background:var(--warn)}.good{background:var(--good)}.dim{color:var(--dim)}\n"
    "figure{margin:.5em 0}svg{width:100%;min-width:18em;max-width:52em;display:block}svg text{font:11px "
    "system-ui;fill:currentColor}\n"
    "svg line{stroke:currentColor;opacity:.45}.lane,.used{fill:var(--used)}.vain{fill:var(--vain)}summary{cursor:pointer}\n"
    ":focus-visible{outline:2px solid var(--used);outline-offset:2px}\n"
    "@media(prefers-color-scheme:dark){:root{--line:#333;--dim:#aaa;--bad:#4a2320;--warn:#453813;--good:#1f3a22;--used:#6cb0f5;"
    "--vain:#7a4a42}body{background:#181818;color:#ddd}}\n"
    "@media(max-width:40em){body{margin:1em auto;padding:0 .6em}th,td{padding:.2em .35em}h1{font-size:1.4em}h2{font-size:1.1em;"
    "overflow-wrap:anywhere}"
    ".rows tr,.rows td{display:block;text-align:left}.rows td{border:0}.rows tr{border-bottom:1px solid var(--line)}.rows th,.rows "
    "td:empty{display:none}.rows td[data-k]:not(:empty){display:inline-block}.rows td[data-k]::before{content:attr(data-k) \" "
    "\";color:var(--dim)}}\n"
    "</style></head><body><main>\n<h1>Memory accesses</h1>\n";

/* What is too wide for a screen moves by itself, under the keyboard as well. */
static void print_table_head(FILE *out, const char *style, const char *label)
{
    fprintf(out, "<div class=\"wide %s\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>", style, label);
}

static void print_table_end(FILE *out) { fputs("</table></div>\n", out); }

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
    print_table_head(out, "", "kernels");
    fputs("<tr><th scope=\"col\">kernel</th><th scope=\"col\" class=\"n\">accesses</th><th scope=\"col\" "
          "class=\"n\">rewritten</th><th scope=\"col\" class=\"n\">sectors before</th>"
          "<th scope=\"col\" class=\"n\">after</th><th scope=\"col\" class=\"n\">ideal</th><th scope=\"col\" class=\"n\">ratio "
          "before</th><th scope=\"col\" class=\"n\">after</th><th scope=\"col\" "
          "class=\"n\">known only at run time</th><th scope=\"col\" class=\"n\">bank conflicts</th></tr>\n",
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
    print_table_end(out);
}

/* ---- links ---- */

/* The name of an access of the source, the same in each report: links to it stay good as long as its line does. */
static void print_anchor(FILE *out, const Row *row)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    const char *file = cell_text(row, ROW_file), *slash = strrchr(file, '/');
    for (const char *c = slash ? slash + 1 : file; *c; c++)
        fputc(strchr(plain, *c) ? *c : '_', out);
    fprintf(out, ":%s:%s:%s:%s", cell_text(row, ROW_line), cell_text(row, ROW_column), cell_text(row, ROW_op),
            cell_text(row, ROW_bytes));
}

/* ---- what is lost most ---- */

static int by_loss(const void *left, const void *right)
{
    const Entry *a = *(Entry *const *)left, *b = *(Entry *const *)right;
    if (a->loss.rewritten != b->loss.rewritten)
        return a->loss.rewritten < b->loss.rewritten ? 1 : -1;
    return (a->loss.written < b->loss.written) - (a->loss.written > b->loss.written);
}

static void print_loss(FILE *out, const Entry *entry)
{
    const Row *row = entry->row;
    fprintf(out, "<tr><td class=\"n\">%g</td><td class=\"n\">%g</td><td><a href=\"#", entry->loss.written, entry->loss.rewritten);
    print_anchor(out, row);
    fputs("\"><code>", out);
    print_escaped(out, cell_text(row, ROW_line)[0] ? strrchr(cell_text(row, ROW_file), '/')
                                                         ? strrchr(cell_text(row, ROW_file), '/') + 1
                                                         : cell_text(row, ROW_file)
                                                   : "?");
    fprintf(out, ":%s</code></a></td><td>%s of %s bytes</td><td><code>", cell_text(row, ROW_line), cell_text(row, ROW_op),
            cell_text(row, ROW_bytes));
    print_kernel_name(out, cell_text(row, ROW_kernel));
    fprintf(out, "</code></td><td>%s</td></tr>\n", cell_text(row, ROW_reason));
}

static void print_losses(const Table *table, FILE *out)
{
    List losses = list_new(table->arena), sides = sides_of(table);
    for (size_t i = 0; i < sides.count; i++) {
        const Side *side = sides.item[i];
        for (size_t j = 0; j < side->entries.count; j++)
            if (worst_of(((const Entry *)side->entries.item[j])->loss) > 0)
                list_add(&losses, side->entries.item[j]);
    }
    if (!losses.count)
        return;
    qsort(losses.item, losses.count, sizeof(void *), by_loss);
    fputs("<h2>What moves in vain</h2>\n<p>Bytes while a warp makes the access once, the most of what is left first.</p>\n", out);
    print_table_head(out, "", "accesses by bytes that move in vain");
    fputs("<tr><th scope=\"col\" class=\"n\">as written</th><th scope=\"col\" class=\"n\">rewritten</th><th "
          "scope=\"col\">place</th><th scope=\"col\">access</th><th scope=\"col\">kernel</th><th scope=\"col\">verdict</th>"
          "</tr>\n",
          out);
    for (size_t i = 0; i < losses.count; i++)
        print_loss(out, losses.item[i]);
    print_table_end(out);
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

/* On a narrow screen its name stands before it (data-k), as the head of the table has no room. */
static void print_figure(FILE *out, const Row *row, RowField column)
{
    fprintf(out, "<td class=\"%s\" data-k=\"%s\">", column_style(column), row_key(column));
    print_escaped(out, cell_text(row, column));
    fputs("</td>", out);
}

/* Rows that stand in one place are told apart by the first alone: a link leads there. */
static void print_row(FILE *out, const Row *row, const Row *before, bool with_place, int times)
{
    double ways = row_value(row, ROW_ways, 1);
    double ratio = row_ratio_after(row) > 0 ? row_ratio_after(row) : ways;
    bool unknown = row->cell[ROW_ideal].text && !row->cell[ROW_sectors].text;
    static const RowField anchor[] = {ROW_file, ROW_line, ROW_column, ROW_op, ROW_bytes};
    bool is_named = row->cell[ROW_line].text && !(before && cells_are_equal(row, before, anchor, sizeof anchor / sizeof *anchor));
    if (is_named) {
        fputs("<tr id=\"", out);
        print_anchor(out, row);
        fputs("\"", out);
    }
    fprintf(out, "%s class=\"%s\">", is_named ? "" : "<tr", row_is_rewritten(row) ? "good" : unknown ? "warn" : grade(ratio));
    print_td(out, "n", with_place ? row->cell[ROW_line].text : NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_figure(out, row, columns[i]);
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
    drawing_print(out, row);
    fputs("</td></tr>\n", out);
}

static void print_row_head(FILE *out)
{
    print_table_head(out, "rows", "accesses beside their source");
    fputs("<tr><th scope=\"col\" class=\"n\">line</th>", out);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fprintf(out, "<th scope=\"col\" class=\"%s\">%s</th>", column_style(columns[i]), row_key(columns[i]));
    fputs("<th scope=\"col\">verdict</th></tr>\n", out);
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
        print_row(out, row[i], i ? row[i - 1] : NULL, !source && first, (int)(next - i));
    }
    print_table_end(out);
    if (source)
        fclose(source);
}

void report_html(const Table *table, FILE *out)
{
    fputs(head, out);
    print_totals(table, out);
    print_losses(table, out);
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
    fputs("</main></body></html>\n", out);
}
