/* Sums in memory. */
#ifndef COALDA_TALLY_H
#define COALDA_TALLY_H

#include "analysis/access/access.h"

enum { TALLY_PLACES = 4 };

typedef struct {
    LLVMValueRef pointer; /* known in front of the loop */
    LLVMTypeRef type;
    int64_t bytes;
    LLVMValueRef store, load; /* the first of each; no load: NULL */
} TallyPlace;

/* Bytes that the loop touches from the pointer on, which are to be apart from the places. */
typedef struct {
    LLVMValueRef pointer;
    int64_t bytes;
    List places; /* of TallyPlace */
} TallyRead;

/* A loop of one block that writes nothing but few places. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    List places; /* of TallyPlace */
    List reads;  /* of TallyRead: tested on entry */
} Tally;

void tally_find(Kernel *kernel);

#endif
