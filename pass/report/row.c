#include "pass/report/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *remark, *meaning;
} fields[] = {
#define FIELD(key, remark, meaning) {#key, remark, meaning},
#include "pass/report/row.def"
#undef FIELD
};

const char *row_key(RowField field) { return fields[field].key; }
const char *row_remark_key(RowField field) { return fields[field].remark; }
const char *row_meaning(RowField field) { return fields[field].meaning; }

RowField row_field_of_remark(const char *key, size_t length)
{
    int field = 0;
    while (field < ROW_FIELDS && (strlen(fields[field].remark) != length || strncmp(fields[field].remark, key, length) != 0))
        field++;
    return (RowField)field;
}

RowField row_field_of_key(const char *key)
{
    int field = 0;
    while (field < ROW_FIELDS && strcmp(fields[field].key, key) != 0)
        field++;
    return (RowField)field;
}

void row_text(Row *row, RowField field, const char *text) { row->cell[field] = (Cell){.text = text}; }

void row_number(Row *row, Arena *arena, RowField field, double value)
{
    bool whole = value == floor(value) && fabs(value) < 1e15;
    row->cell[field].text = whole ? arena_text(arena, "%.0f", value) : arena_text(arena, "%.6g", value);
    row->cell[field].is_number = true;
}

double row_value(const Row *row, RowField field, double otherwise)
{
    const Cell *cell = &row->cell[field];
    return cell->text && cell->is_number ? strtod(cell->text, NULL) : otherwise;
}

/* Parameters are what the last parenthesis closes: others are a namespace without a name, or in arguments of a template. */
size_t bare_length(const char *name)
{
    size_t end = strlen(name), depth = 0;
    if (!end || name[end - 1] != ')')
        return end;
    do {
        end--;
        depth += name[end] == ')';
        depth -= name[end] == '(';
    } while (end && depth);
    return end;
}
