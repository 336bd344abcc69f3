#ifndef COALDA_NETWORK_H
#define COALDA_NETWORK_H

#include "transform/emit/emit.h"

/* How `count` units of 32 records are spread over the warp: count = pairs * turns, pairs a power of two, turns odd. */
typedef struct {
    int count, pairs, turns;
} Network;

Network network_of(int count);
/* Whose record, and which of its units, the lane moves in request k. */
void network_place(Emit *emit, const Network *network, int k, LLVMValueRef *record, LLVMValueRef *unit);
/* Which lane moves unit k of the lane's own record; of odd counts. */
LLVMValueRef network_mover(Emit *emit, const Network *network, int k);
/* Units as requests loaded them -> each lane its own record's; and back, as requests store them. In place. */
void network_gather(Emit *emit, const Network *network, Unit *unit);
void network_scatter(Emit *emit, const Network *network, Unit *unit);

#endif
