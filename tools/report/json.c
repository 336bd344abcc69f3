/* {"version": ..., "accesses": [row...], "totals": [kernel...]}: rows carry the keys of row.def, null where empty. */
#include <string.h>

#include "pass/report/table.h"
#include "report.h"

void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static const char *digits_end(const char *at) { return at + strspn(at, "0123456789"); }

bool json_is_number(const char *text)
{
    const char *at = text + (*text == '-'), *end = digits_end(at);
    if (end == at || (*at == '0' && end > at + 1))
        return false;
    if (*end == '.') {
        at = end + 1;
        if ((end = digits_end(at)) == at)
            return false;
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1;
        at += *at == '-' || *at == '+';
        if ((end = digits_end(at)) == at)
            return false;
    }
    return *end == 0;
}

static void print_cell(FILE *out, const Cell *cell)
{
    if (!cell->text)
        fputs("null", out);
    else if (cell->is_number)
        fputs(cell->text, out);
    else
        json_string(out, cell->text);
}

void json_row(FILE *out, const Row *row)
{
    for (int i = 0; i < ROW_FIELDS; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "{", row_key((RowField)i));
        print_cell(out, &row->cell[i]);
    }
    fputc('}', out);
}

static void print_total(FILE *out, const Total *total)
{
    fputs("    {\"kernel\": ", out);
    json_string(out, total->kernel);
    fprintf(out,
            ", \"accesses\": %d, \"unknown\": %d, \"sectors\": %.6g, \"ideal\": %.6g, \"ratio\": %.6g, "
            "\"rewritten\": %d, \"sectors_after\": %.6g, \"ratio_after\": %.6g, \"bank_conflicts\": %d, \"lost\": %.6g, "
            "\"lost_rewritten\": %.6g",
            total->accesses, total->unknown, total->sectors, total->ideal, total_ratio(total), total->rewritten, total->after,
            total_ratio_after(total), total->conflicts, total_lost(total), total_lost_after(total));
    if (total->launches > 0)
        fprintf(out, ", \"launches\": %.15g, \"microseconds\": %.9g}", total->launches, total->microseconds);
    else
        fputs(", \"launches\": null, \"microseconds\": null}", out);
}

void report_json(const Table *table, FILE *out)
{
    fputs("{\n  \"version\": ", out);
    json_string(out, COALDA_VERSION);
    fputs(",\n  \"accesses\": [\n", out);
    for (size_t i = 0; i < table->rows.count; i++) {
        fputs("    ", out);
        json_row(out, table->rows.item[i]);
        fputs(i + 1 < table->rows.count ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"totals\": [\n", out);
    for (size_t i = 0; i < table->totals.count; i++) {
        print_total(out, table->totals.item[i]);
        fputs(i + 1 < table->totals.count ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}
