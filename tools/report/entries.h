/* Accesses of the source from the rows of a report, and what each loses. */
#ifndef COALDA_ENTRIES_H
#define COALDA_ENTRIES_H

#include "pass/report/table.h"

/* Bytes that memory moves in vain while a warp makes an access once: as the source has it, and once it is rewritten. */
typedef struct {
    double written, rewritten;
} Loss;

/* An access of the source: of the copies that unrolling and inlining made of it, the one that loses most. */
typedef struct {
    const Row *row;
    Loss loss;
    int copies;
    bool taken; /* has its partner */
} Entry;

typedef struct {
    const char *kernel;
    List entries; /* of Entry, in the order of the source */
} Side;

/* Of a table's kernels, by name. */
List sides_of(const Table *table);
/* The larger of the two. */
double worst_of(Loss loss);
/* "" where the cell is empty. */
const char *cell_text(const Row *row, RowField field);
bool cells_are_equal(const Row *a, const Row *b, const RowField *field, size_t count);

#endif
