/* A region's version that takes the warp's rows from its shelf (analysis/plan/shelf.c). */
#ifndef COALDA_SHELF_H
#define COALDA_SHELF_H

#include "transform/records/member.h"

/* Opens the version: returns the block that leads into it, or past it to `otherwise` where the block has too many warps. The
 * builder, which stands where the region begins, goes on in a block that is passed by where the row is at hand already. */
LLVMBasicBlockRef shelf_open(Split *split, LLVMBasicBlockRef otherwise);
/* Do rows lie so that pieces of them can be copied? Asked on the way into a version that copies them word by word if they do not; else NULL. */
LLVMValueRef shelf_aligned(const Split *split);
/* Before the block is used: how many iterations on the first block is that will not be on its way then (a value of 32 bits)? Returns whether it
 * is there. */
LLVMValueRef shelf_ahead(Split *split, LLVMValueRef *ahead);
/* What the lane's own row holds of the group. */
void shelf_take(Split *split, const Group *group, List *words);
/* Where what rides beside the rows lies, from its lowest byte. */
LLVMValueRef shelf_rider(Split *split, const Group *group);
/* When its members are rewritten: at its end, the next block is taken from the shelf. */
void shelf_close(Split *split);

#endif
