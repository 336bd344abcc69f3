/* An access as text and numbers, without LLVM: what remarks carry and the report prints. */
#ifndef COALDA_ROW_H
#define COALDA_ROW_H

#include <stdbool.h>

#include "pass/base/arena.h"

typedef struct {
    const char *text; /* NULL where the cell is empty */
    bool is_number;
} Cell;

typedef enum {
#define FIELD(key, remark, meaning) ROW_##key,
#include "pass/report/row.def"
#undef FIELD
    ROW_FIELDS
} RowField;

typedef struct {
    Cell cell[ROW_FIELDS];
} Row;

const char *row_key(RowField field);
const char *row_remark_key(RowField field);
const char *row_meaning(RowField field);
/* The field of a remark's argument, or ROW_FIELDS. */
RowField row_field_of_remark(const char *key, size_t length);
/* The same, of a report's key. */
RowField row_field_of_key(const char *key);

void row_text(Row *row, RowField field, const char *text);
void row_number(Row *row, Arena *arena, RowField field, double value);
/* The cell as a number; `otherwise` where it is none. */
double row_value(const Row *row, RowField field, double otherwise);
/* Of a demangled name, up to its parameters. */
size_t bare_length(const char *name);

#endif
