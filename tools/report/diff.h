/* Two reports held against each other: what became worse, better, new, gone, by kernel and access. */
#ifndef COALDA_DIFF_H
#define COALDA_DIFF_H

#include "entries.h"
#include "report.h"

typedef enum { CHANGE_NONE, CHANGE_WORSE, CHANGE_NEW, CHANGE_OTHER, CHANGE_BETTER, CHANGE_GONE, CHANGES } Change;

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

/* ---- diff_pairs.c: which of two reports are one ---- */

typedef struct {
    Entry *old, *new;
} EntryPair;
/* Of one kernel: takes what it pairs. */
List entries_paired(const Side *old, const Side *new);
/* Of kernels with other names: are their accesses alike, one by one? */
bool sides_are_alike(const Side *old, const Side *new);

/* ---- diff_print.c ---- */

void diff_text(const Diff *diff, Arena *arena, FILE *out);
void diff_json(const Diff *diff, Arena *arena, FILE *out);

#endif
