#ifndef COALDA_PREFETCH_ROWS_H
#define COALDA_PREFETCH_ROWS_H

#include "transform/records/member.h"

/* In the version that is being made, where the builder stands: behind the group's loads, whose latency hides what is asked here. */
void prefetch_of_row(Split *split, const Group *group);

#endif
