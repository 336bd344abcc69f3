/* The way from a longer loop into the one that does the rest (analysis/plan/way_out.c). */
#ifndef COALDA_LEAVE_H
#define COALDA_LEAVE_H

#include "analysis/plan/plan.h"
#include "transform/emit/emit.h"

/* Opens one more: a block, put before this one, that leads into the rest. */
LLVMBasicBlockRef leave_open(Emit *emit, const Leave *leave, LLVMBasicBlockRef before);

#endif
