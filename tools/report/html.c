/* One page that needs nothing else: totals, then every source file with the figures beside its lines. */
#include <limits.h>
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
    "dark;--line:#e4e4e4;--dim:#595959;--bad:#fde4e1;--warn:#fff3d6;--good:#e6f4e6;--used:#2563a8;--vain:#e2b3ab}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1200px;padding:0 1em;color:#222;background:#fff}\n"
    ".wide{overflow-x:auto;margin:.5em 0 2em}table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.2em .7em;vertical-align:top}th{border-bottom:2px solid #888;font-weight:600}\n"
    "td{border-bottom:1px solid var(--line)}.n{text-align:right}tr:target td{outline:2px solid var(--used)}\n"
    "pre,code{font:13px/1.5 ui-monospace,monospace;margin:0;white-space:pre-wrap}a{color:inherit}\n"
    ".bad{background:var(--bad)}.warn{background:var(--warn)}.good{background:var(--good)}.dim{color:var(--dim)}\n"
    "h2 code{font-size:1em}figure{margin:.5em 0}svg{width:100%;min-width:18em;max-width:52em;display:block}svg text{font:11px "
    "system-ui;fill:currentColor}\n"
    "svg "
    "line{stroke:currentColor;opacity:.6}.lane,.used{fill:var(--used)}.vain{fill:var(--vain);stroke:currentColor;stroke-width:.6}"
    "summary{cursor:pointer}\n"
    "caption{text-align:left;color:var(--dim);padding:.2em .7em}tbody th{border-bottom:1px solid var(--line);font-weight:400}nav "
    "ul{display:flex;flex-wrap:wrap;gap:.3em "
    "1.2em;padding:0;list-style:none}nav a{overflow-wrap:anywhere}\n"
    ".unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}\n"
    ":focus-visible{outline:2px solid var(--used);outline-offset:2px}\n"
    "@media(prefers-color-scheme:dark){:root{--line:#333;--dim:#aaa;--bad:#4a2320;--warn:#453813;--good:#1f3a22;--used:#6cb0f5;"
    "--vain:#7a4a42}body{background:#181818;color:#ddd}}\n"
    "@media(max-width:40em){body{margin:1em auto;padding:0 .6em}h1{font-size:1.4em}h2{font-size:1.1em;overflow-wrap:anywhere}"
    "code{overflow-wrap:anywhere}svg{min-width:0}.wide{overflow-x:visible}table,tbody,tr,caption{display:block}"
    "tbody th,td{display:block;text-align:left;border:0;padding:.1em .35em}tr{border-bottom:1px solid var(--line)}"
    "thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}td:empty{display:none}"
    "td[data-k]:not(:empty){display:inline-block}td[data-k]::before{content:attr(data-k) \" \";color:var(--dim)}}\n"
    "</style></head><body>\n<header><h1>Memory accesses</h1></header>\n";

void html_text(FILE *out, const char *text)
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

/* ---- tables ---- */

/* Roles are said, as rows that stand one below the other on a narrow screen would lose them. What is too wide for a screen moves by itself, under
 * the keyboard as well. */
static void print_table_head(FILE *out, const char *label, const char *of)
{
    fputs("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
    html_text(out, label);
    html_text(out, of);
    fputs("\"><table role=\"table\"><caption>", out);
    html_text(out, label);
    html_text(out, of);
    fputs("</caption><thead role=\"rowgroup\"><tr role=\"row\">", out);
}

static void print_th(FILE *out, const char *style, const char *text)
{
    fprintf(out, "<th role=\"columnheader\" scope=\"col\" class=\"%s\">%s</th>", style, text);
}

static void print_table_body(FILE *out) { fputs("</tr></thead><tbody role=\"rowgroup\">\n", out); }

static void print_table_end(FILE *out) { fputs("</tbody></table></div>\n", out); }

/* On a narrow screen its name stands before it (data-k), as the head of the table has no room. */
static void open_td(FILE *out, const char *style, const char *key)
{
    fprintf(out, "<td role=\"cell\" class=\"%s\"", style);
    if (key)
        fprintf(out, " data-k=\"%s\"", key);
    fputc('>', out);
}

static void print_td(FILE *out, const char *style, const char *key, const char *text)
{
    open_td(out, style, key);
    html_text(out, text ? text : "");
    fputs("</td>", out);
}

static void print_number(FILE *out, const char *key, const char *format, double number)
{
    open_td(out, "n", key);
    fprintf(out, format, number);
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
    html_text(out, name);
    free(name);
}

static bool is_timed(const Table *table)
{
    for (size_t i = 0; i < table->totals.count; i++)
        if (((const Total *)table->totals.item[i])->launches > 0)
            return true;
    return false;
}

static void print_total(FILE *out, const Total *total, bool timed)
{
    fprintf(out, "<tr role=\"row\" class=\"%s\"><th role=\"rowheader\" scope=\"row\"><code>", grade(total_ratio_after(total)));
    print_kernel_name(out, total->kernel);
    fputs("</code></th>", out);
    if (timed && total->launches > 0)
        print_number(out, "microseconds", "%.6g", total->microseconds);
    else if (timed)
        print_td(out, "n", "microseconds", "");
    print_number(out, "accesses", "%g", total->accesses);
    print_number(out, "rewritten", "%g", total->rewritten);
    print_number(out, "sectors before", "%g", total->sectors);
    print_number(out, "after", "%.4g", total->after);
    print_number(out, "ideal", "%g", total->ideal);
    print_number(out, "ratio before", "%.2f", total_ratio(total));
    print_number(out, "after", "%.2f", total_ratio_after(total));
    print_number(out, "only at run time", "%g", total->unknown);
    print_number(out, "bank conflicts", "%g", total->conflicts);
    fputs("</tr>\n", out);
}

static void print_totals(const Table *table, FILE *out)
{
    static const char *const heads[] = {"accesses",     "rewritten", "sectors before",         "after",         "ideal",
                                        "ratio before", "after",     "known only at run time", "bank conflicts"};
    bool timed = is_timed(table);
    fputs("<section aria-labelledby=\"kernels\"><h2 id=\"kernels\">Kernels</h2>\n", out);
    print_table_head(out, timed ? "kernels, the longest first" : "kernels, the most bytes in vain first", "");
    print_th(out, "", "kernel");
    if (timed)
        print_th(out, "n", "microseconds");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        print_th(out, "n", heads[i]);
    print_table_body(out);
    for (size_t i = 0; i < table->totals.count; i++)
        print_total(out, table->totals.item[i], timed);
    print_table_end(out);
    fputs("</section>\n", out);
}

/* ---- links ---- */

static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* The name of an access of the source, the same in each report: links to it stay good as long as its line does. */
static void print_anchor(FILE *out, const Row *row)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    static const RowField parts[] = {ROW_file, ROW_line, ROW_column, ROW_op, ROW_bytes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = cell_text(row, parts[i]);
        if (i > 0)
            fputc(':', out);
        for (const char *c = i > 0 ? text : base_of(text); *c; c++)
            fputc(strchr(plain, *c) ? *c : '_', out);
    }
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
    fputs("<tr role=\"row\"><th role=\"rowheader\" scope=\"row\"><a href=\"#", out);
    print_anchor(out, row);
    fputs("\"><code>", out);
    html_text(out, cell_text(row, ROW_line)[0] ? base_of(cell_text(row, ROW_file)) : "?");
    fputc(':', out);
    html_text(out, cell_text(row, ROW_line));
    fputs("</code></a></th>", out);
    print_number(out, "as written", "%g", entry->loss.written);
    print_number(out, "rewritten", "%g", entry->loss.rewritten);
    open_td(out, "", NULL);
    html_text(out, cell_text(row, ROW_op));
    fputs(" of ", out);
    html_text(out, cell_text(row, ROW_bytes));
    fputs(" bytes</td><td role=\"cell\"><code>", out);
    print_kernel_name(out, cell_text(row, ROW_kernel));
    fputs("</code></td>", out);
    print_td(out, "", NULL, cell_text(row, ROW_reason));
    fputs("</tr>\n", out);
}

static List losses_of(const Table *table)
{
    List losses = list_new(table->arena), sides = sides_of(table);
    for (size_t i = 0; i < sides.count; i++) {
        const Side *side = sides.item[i];
        for (size_t j = 0; j < side->entries.count; j++)
            if (worst_of(((const Entry *)side->entries.item[j])->loss) > 0)
                list_add(&losses, side->entries.item[j]);
    }
    if (losses.count)
        qsort(losses.item, losses.count, sizeof(void *), by_loss);
    return losses;
}

static void print_losses(const List *losses, FILE *out)
{
    if (!losses->count)
        return;
    fputs("<section aria-labelledby=\"vain\"><h2 id=\"vain\">What moves in vain</h2>\n<p>Bytes while a warp makes the access once, "
          "the "
          "most of what is left first.</p>\n",
          out);
    print_table_head(out, "accesses by bytes that move in vain", "");
    print_th(out, "", "place");
    print_th(out, "n", "as written");
    print_th(out, "n", "rewritten");
    print_th(out, "", "access");
    print_th(out, "", "kernel");
    print_th(out, "", "verdict");
    print_table_body(out);
    for (size_t i = 0; i < losses->count; i++)
        print_loss(out, losses->item[i]);
    print_table_end(out);
    fputs("</section>\n", out);
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
    html_text(out, row->cell[ROW_tile_refusal].text);
    if (row->cell[ROW_tile_obstacle].text) {
        fputs(": ", out);
        html_text(out, row->cell[ROW_tile_obstacle].text);
    }
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
        fputs("<tr role=\"row\" id=\"", out);
        print_anchor(out, row);
        fputs("\"", out);
    }
    fprintf(out, "%s class=\"%s\">", is_named ? "" : "<tr role=\"row\"",
            row_is_rewritten(row) ? "good"
            : unknown             ? "warn"
                                  : grade(ratio));
    print_td(out, "n", NULL, with_place ? row->cell[ROW_line].text : NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_td(out, column_style(columns[i]), row_key(columns[i]), cell_text(row, columns[i]));
    open_td(out, "", NULL);
    html_text(out, row->cell[ROW_reason].text ? row->cell[ROW_reason].text : "");
    if (times > 1)
        fprintf(out, " &times;%d", times);
    if (row->cell[ROW_remedy].text) {
        fputs("<br><span class=\"dim\">", out);
        html_text(out, row->cell[ROW_remedy].text);
        fputs("</span>", out);
    }
    print_staging(out, row);
    drawing_print(out, row);
    fputs("</td></tr>\n", out);
}

static void print_row_head(FILE *out, const char *file)
{
    print_table_head(out, "accesses beside their source: ", file);
    print_th(out, "n", "line");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_th(out, column_style(columns[i]), row_key(columns[i]));
    print_th(out, "", "verdict");
    print_table_body(out);
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
    fprintf(out,
            "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\" class=\"n dim\">%ld</th><td role=\"cell\" colspan=\"10\"><pre>",
            line);
    html_text(out, text);
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

static const char *title_of(const Row *row)
{
    return *file_of(row) ? file_of(row) : "source unknown: compile with -gline-tables-only";
}

/* Zero where it is not told, or is no number of a line: reports may be written by hand. */
static long line_of(const Row *row)
{
    double line = row_value(row, ROW_line, 0);
    return line >= 1 && line <= INT_MAX ? (long)line : 0;
}

/* The file's lines that have accesses, each followed by its rows. */
static void print_file(FILE *out, Row *const *row, size_t count, size_t number)
{
    enum { LONGEST_LINE = 1000 };
    char text[LONGEST_LINE];
    FILE *source = source_open(row[0]);
    long at = 0;
    fprintf(out, "<section aria-labelledby=\"file%zu\"><h2 id=\"file%zu\"><code>", number, number);
    html_text(out, title_of(row[0]));
    fputs("</code></h2>\n", out);
    print_row_head(out, title_of(row[0]));
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && row_prints_alike(row[i], row[next]);)
            next++;
        long line = line_of(row[i]);
        bool first = i == 0 || line != line_of(row[i - 1]);
        while (source && first && at < line && fgets(text, sizeof text, source))
            at += strchr(text, '\n') != NULL || strlen(text) < sizeof text - 1;
        bool shown = source && first && at == line && line > 0;
        if (shown)
            print_source_line(out, line, text);
        print_row(out, row[i], i ? row[i - 1] : NULL, !source && first, (int)(next - i));
    }
    print_table_end(out);
    fputs("</section>\n", out);
    if (source)
        fclose(source);
}

/* Where the rows of the next file begin. */
static size_t file_end(const List *rows, size_t from)
{
    size_t to = from;
    while (to < rows->count && strcmp(file_of(rows->item[from]), file_of(rows->item[to])) == 0)
        to++;
    return to;
}

static void print_links(FILE *out, const List *losses, const List *rows)
{
    fputs("<nav aria-label=\"parts of this page\"><ul><li><a href=\"#kernels\">Kernels</a></li>", out);
    if (losses->count)
        fputs("<li><a href=\"#vain\">What moves in vain</a></li>", out);
    for (size_t from = 0, number = 1; from < rows->count; from = file_end(rows, from), number++) {
        fprintf(out, "<li><a href=\"#file%zu\">", number);
        html_text(out, title_of(rows->item[from]));
        fputs("</a></li>", out);
    }
    fputs("</ul></nav>\n<main>\n", out);
}

void report_html(const Table *table, FILE *out)
{
    const List losses = losses_of(table), rows = list_copy(table->arena, &table->rows);
    if (rows.count)
        qsort(rows.item, rows.count, sizeof(void *), by_place);
    fputs(head, out);
    print_links(out, &losses, &rows);
    print_totals(table, out);
    print_losses(&losses, out);
    for (size_t from = 0, number = 1; from < rows.count; from = file_end(&rows, from), number++)
        print_file(out, (Row *const *)&rows.item[from], file_end(&rows, from) - from, number);
    fputs("</main></body></html>\n", out);
}
