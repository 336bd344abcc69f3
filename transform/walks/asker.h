/* What an iteration of a loop does, asked in front of it. */
#ifndef COALDA_ASKER_H
#define COALDA_ASKER_H

#include "analysis/walks/walks.h"
#include "transform/emit/clone.h"
#include "transform/emit/version.h"

typedef struct {
    Version *version;
    LLVMBasicBlockRef latch;
    Map *among; /* instructions of the loop */
    List phis; /* of its header: */
    List starts; /* what they are on entry, */
    int64_t *steps; /* and by how much they go on */
} Asker;

Asker asker_open(Version *version);
LLVMValueRef asker_number(const Asker *asker, int64_t value);
/* Of the iteration, a value of 64 bits; conditions that are made of its counters there. */
Twins asker_iteration(const Asker *asker, LLVMValueRef iteration);
/* Does the iteration come to the load? */
LLVMValueRef asker_comes_to(const Asker *asker, Twins *twins, LLVMValueRef load);

/* ---- sample_rows.c ---- */

/* Are so many of 100 sectors of the rows wanted, as far as the lanes see that look at one each? What the version wants is asked from here on where they
 * are. */
void rows_sample(const Asker *asker, const SomeRows *some, const List *loads, LLVMValueRef last);

#endif
