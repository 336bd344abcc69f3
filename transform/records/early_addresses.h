#ifndef COALDA_EARLY_ADDRESSES_H
#define COALDA_EARLY_ADDRESSES_H

#include "analysis/plan/plan.h"
#include "transform/emit/emit.h"

/* What the pointers of these (a List of Access) are loaded from comes in front of the branch that the region begins with. */
void addresses_come(Emit *emit, const Region *region, const List *accesses);

#endif
