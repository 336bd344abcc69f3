/* coalda-report: reads modules, remarks or reports, gathers their rows, prints them or what changed from one to the other. */
#ifndef COALDA_REPORT_H
#define COALDA_REPORT_H

#include <stdio.h>

#include "pass/base/options.h"
#include "pass/report/table.h"

/* Adds the file's rows to the table. NULL, or what is wrong with the file. */
const char *report_read(const char *path, const Options *options, Table *table);
/* The same, of the text of a report that was written as JSON. */
const char *report_read_json(const char *text, Table *table);

/* Says of the table's kernels how long their launches took, where the profile tells; they stand in that order then. NULL, or what is wrong. */
const char *times_read(const char *path, Table *table);

typedef void (*ReportPrinter)(const Table *table, FILE *out);
void report_csv(const Table *table, FILE *out);
void report_json(const Table *table, FILE *out);
void report_html(const Table *table, FILE *out);
void report_sarif(const Table *table, FILE *out);

/* Text of a page, or of an attribute's value. */
void html_text(FILE *out, const char *text);

void json_string(FILE *out, const char *text);
/* Is it written as JSON writes numbers? */
bool json_is_number(const char *text);
void json_row(FILE *out, const Row *row);

#endif
