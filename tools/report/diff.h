/* Two reports held against each other: what became worse, better, new, gone, by kernel and access. */
#ifndef COALDA_DIFF_H
#define COALDA_DIFF_H

#include "pass/report/table.h"
#include "report.h"

typedef enum { CHANGE_NONE, CHANGE_WORSE, CHANGE_NEW, CHANGE_OTHER, CHANGE_BETTER, CHANGE_GONE, CHANGES } Change;

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
    Change change;
    const Entry *old, *new; /* NULL: new, gone */
    double by;              /* bytes more that are lost; negative: fewer */
} AccessChange;

typedef struct {
    Change change;
    const char *old, *new; /* linked names; NULL: new, gone */
    Loss lost_old, lost_new;
    List accesses; /* of AccessChange, but those with no change: worst first */
    double by;
} KernelChange;

typedef struct {
    List kernels;             /* of KernelChange, but those with no change: worst first */
    int accesses[CHANGES];    /* of all kernels */
    bool is_worse;            /* an access of both lost more, or all accesses of a kernel of both did */
} Diff;

Diff diff_of(const Table *old, const Table *new);
const char *change_text(Change change);

/* ---- diff_entries.c: accesses of the source, and which of two reports are one ---- */

typedef struct {
    const char *kernel;
    List entries; /* of Entry, in the order of the source */
} Side;

/* Tables are finished ones. Pairs are EntryPair. */
List sides_of(const Table *table);
typedef struct {
    Entry *old, *new;
} EntryPair;
List entries_paired(const Side *old, const Side *new);
/* Of kernels with other names: are their accesses alike, one by one? */
bool sides_are_alike(const Side *old, const Side *new);

/* ---- diff_print.c ---- */

void diff_text(const Diff *diff, Arena *arena, FILE *out);
void diff_json(const Diff *diff, Arena *arena, FILE *out);

#endif
