#ifndef COALDA_PREFETCH_ROWS_H
#define COALDA_PREFETCH_ROWS_H

#include "transform/records/member.h"

/* In the likely version, if that is being made, in front of the group's first load. */
void prefetch_of_row(Split *split, const Group *group);

#endif
