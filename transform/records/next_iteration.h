#ifndef COALDA_NEXT_ITERATION_H
#define COALDA_NEXT_ITERATION_H

#include "transform/records/member.h"

/* Has the lane another iteration after so many more? It means nothing where it has not so many. */
LLVMValueRef iteration_follows(Split *split, int ahead);
/* The same of any number ahead, a value of 32 bits, where the loop's counters tell (loop_tells_far). */
LLVMValueRef iteration_follows_far(Split *split, LLVMValueRef ahead);
/* Has the lane so many more iterations? */
LLVMValueRef iterations_follow(Split *split, int count);
/* Is there that iteration, counted from this one, by the loop's counters alone? A guess, which may be wrong where a counter wraps, or meets its end
 * from the other side; true where nobody can tell. */
LLVMValueRef iteration_is_there(Split *split, int iteration);

#endif
