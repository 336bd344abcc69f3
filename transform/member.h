#ifndef COALDA_MEMBER_H
#define COALDA_MEMBER_H

#include "exchange.h"

/* A version with exchanges. */
typedef struct {
    LLVMBasicBlockRef block; /* NULL where the original itself is rewritten */
    LayoutKind kind;
    Map *value;              /* instruction of the original -> its value here */
    Map *copied;             /* memcpy -> List of Word: what it read, offsets from its source */
    List erased;             /* of LLVMValueRef: members' twins here, no longer needed */
} Fast;

typedef struct {
    const Region *region;
    Emit emit;
    LLVMBasicBlockRef head, slow, tail; /* NULL where there is one version alone */
    Fast version[LAYOUTS];
    int versions;
    Fast *fast; /* the one being made */
} Split;

/* Through which the access goes now: a region before this one may have replaced what the analysis saw. */
LLVMValueRef pointer_of(const Access *access);
LLVMValueRef root_of(const Group *group);
/* The original's value in the version that is being made. */
LLVMValueRef in_fast(const Split *split, LLVMValueRef value);

/* Exchanges the groups of the version that is being made. */
void members_rewrite(Split *split);
/* Struct copies of the original read before they write: the backend would make them by turns. */
void members_unfold(Split *split);

#endif
