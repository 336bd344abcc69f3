#ifndef COALDA_NEXT_ITERATION_H
#define COALDA_NEXT_ITERATION_H

#include "transform/records/member.h"

/* Has the lane another iteration after so many more? It means nothing where it has not so many. */
LLVMValueRef iteration_follows(Split *split, int ahead);
/* Has the lane so many more iterations? */
LLVMValueRef iterations_follow(Split *split, int count);

#endif
