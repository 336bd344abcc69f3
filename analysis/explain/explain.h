/* One verdict for each access, and why it is not rewritten. */
#ifndef COALDA_EXPLAIN_H
#define COALDA_EXPLAIN_H

#include "analysis/records/records.h"

/* ---- verdict.c ---- */

void verdict_give(Kernel *kernel);

/* ---- not_grouped.c: accesses of records that are in no group with the others ---- */

/* Record -> List of Access. */
Map *fellows_of(const Kernel *kernel);
/* What stands between the access and the others of its record; WHY_NONE where nothing does. */
Why alone_because(const Access *access, const Map *fellows);

/* ---- refusal.c: what stands in the way of each rewrite; after the verdicts ---- */

void refusal_give(Kernel *kernel);
/* Of a group in a longer loop: that a part of its row would not pay says nothing of the row. */
Why refusal_in_block(const Group *group);

#endif
