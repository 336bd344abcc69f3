#include <string.h>

#include "pass/report/table.h"
#include "report.h"

static void print_cell(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\n\r")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void report_csv(const Table *table, FILE *out)
{
    for (int i = 0; i < ROW_FIELDS; i++)
        fprintf(out, "%s%s", i ? "," : "", row_key((RowField)i));
    fputc('\n', out);
    for (size_t i = 0; i < table->rows.count; i++) {
        const Row *row = table->rows.item[i];
        for (int j = 0; j < ROW_FIELDS; j++) {
            if (j)
                fputc(',', out);
            print_cell(out, row->cell[j].text ? row->cell[j].text : "");
        }
        fputc('\n', out);
    }
}
