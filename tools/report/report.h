/* coalda-report: reads modules or remarks, gathers their rows, prints them in one of four formats. */
#ifndef COALDA_REPORT_H
#define COALDA_REPORT_H

#include <stdio.h>

#include "pass/base/options.h"
#include "pass/report/table.h"

/* Adds the file's rows to the table. NULL, or what is wrong with the file. */
const char *report_read(const char *path, const Options *options, Table *table);

typedef void (*ReportPrinter)(const Table *table, FILE *out);
void report_csv(const Table *table, FILE *out);
void report_json(const Table *table, FILE *out);
void report_html(const Table *table, FILE *out);

#endif
