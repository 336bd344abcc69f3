#ifndef COALDA_RING_H
#define COALDA_RING_H

#include "emit.h"

/* A ring that is being made. What runs ahead is kept in locals, which become registers at the end. */
typedef struct {
    const Ring *ring;
    Emit emit;
    LLVMBasicBlockRef first, use, latch; /* of the copies; after them; jumps back */
    List blocks;                         /* of LLVMBasicBlockRef: from first to use */
    List locals;                         /* of LLVMValueRef: all of the following */
    Map *counter;                        /* phi of the loop's header -> local that is ahead of it */
    LLVMValueRef alive;                  /* will that iteration run? */
    LLVMValueRef until;                  /* iterations that the stage in use still has; NULL where a stage is one tile */
    LLVMValueRef fill, at;               /* bytes from the first slot to the one that is filled next, and to the one in use */
} RingMaker;

LLVMValueRef ring_local(RingMaker *maker, LLVMTypeRef type, const char *name);
LLVMValueRef ring_get(RingMaker *maker, LLVMValueRef local, LLVMTypeRef type);
/* The slot after the one that the local stands at. */
void ring_step(RingMaker *maker, LLVMValueRef slot);
LLVMBasicBlockRef ring_block(RingMaker *maker);

/* At the end of a block: copies the tile that is next into its slot, if there is one, and steps on; goes on in a new block. */
void ahead_copy(RingMaker *maker);

#endif
