/* Rows gathered into a report: order, totals, and the table as text. No LLVM: rows may come from remarks as well. */
#ifndef COALDA_TABLE_H
#define COALDA_TABLE_H

#include "pass/report/row.h"
#include "pass/report/transfer_row.h"

/* The global accesses of one kernel, added up. */
typedef struct {
    const char *kernel;
    int accesses;          /* all of them */
    int unknown;           /* global ones whose sectors only run time can tell: not in the sums */
    double sectors, ideal; /* one execution of each access by one warp ... */
    double after;          /* ... and the sectors of it once rewritten */
    int rewritten;         /* accesses that are */
    int conflicts;         /* shared-memory accesses with bank conflicts */
    double microseconds;   /* of all its launches that a profile saw ... */
    double launches;       /* ... of which there are so many; 0: no profile knows it */
    size_t first, count;   /* its rows */
} Total;

typedef struct {
    Arena *arena;
    List rows;   /* of Row; table_finish: by kernel, worst kernel and worst access first */
    List totals; /* of Total: those of a profile by their time, others by the bytes that move in vain */
    List transfers; /* of Transfer, in the order in which they were read */
    char *(*shown)(const char *linked); /* how the text says a kernel's name, to be freed; NULL: as linked */
    bool has_report; /* a report's JSON is among what was read: it tells of accesses alone */
} Table;

Table table_new(Arena *arena);
/* Copies the row into the table's arena. */
void table_add(Table *table, const Row *row);
void table_add_transfer(Table *table, const Transfer *transfer);
/* Sorts, and adds up. Once, when all rows are in. */
void table_finish(Table *table);
/* Puts the kernels in order anew, when times have come to be known. */
void table_order(Table *table);

/* Bytes that move in vain while a warp makes each access once: as written, and once rewritten. */
double total_lost(const Total *total);
double total_lost_after(const Total *total);
/* sectors / ideal; 1 where nothing is known. */
double total_ratio(const Total *total);
double total_ratio_after(const Total *total);
double row_ratio(const Row *row);
/* The same, of sectors once rewritten. */
double row_ratio_after(const Row *row);
bool row_is_rewritten(const Row *row);

/* Would they print alike? Copies that unrolling or inlining made of one access do. */
bool row_prints_alike(const Row *a, const Row *b);

void table_text(const Table *table, Text *out);

#endif
