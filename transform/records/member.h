#ifndef COALDA_MEMBER_H
#define COALDA_MEMBER_H

#include "analysis/plan/plan.h"
#include "transform/emit/clone.h"
#include "transform/records/exchange.h"

/* A version with exchanges. */
typedef struct {
    LLVMBasicBlockRef block; /* that it begins with; NULL where the original itself is rewritten */
    LLVMValueRef end;        /* the jump to the tail */
    LayoutKind kind;
    Twins twins;             /* of the original -> here */
    bool shelved;            /* takes its rows from the warp's shelf */
    LLVMValueRef here;       /* bits of the lanes that take it; NULL: all 32 */
    Map *copied;             /* memcpy -> List of Word: what it read, offsets from its source */
} Fast;

typedef struct {
    const Region *region;
    Emit emit;
    LLVMBasicBlockRef head, slow, tail; /* NULL where there is one version alone; slow: the first of */
    LLVMBasicBlockRef otherwise;        /* where those go that can take no version: slow, or out of the loop */
    List original;                      /* blocks: one, or those of a chain in order */
    Map *frozen;                        /* pointer that may mean nothing -> one that means something */
    Fast version[LAYOUTS + 1];          /* likely, sure, from a shelf, for warps that lack lanes: those that there are */
    int versions;
    struct ShelfMade *shelf; /* NULL where no version has one */
    Fast *fast; /* the one being made */
    LLVMValueRef takes; /* of a region under a condition: does the lane go there? NULL: it is under none */
    List *dead; /* of LLVMValueRef: members and their twins, no longer needed */
} Split;

/* Through which the access goes now: a region before this one may have replaced what the analysis saw. */
LLVMValueRef pointer_in(const Access *access);
/* And of which all lanes may ask, whether they make the access or not. */
LLVMValueRef pointer_of(const Split *split, const Access *access);
LLVMValueRef root_of(const Split *split, const Group *group);
/* The original's value in the version that is being made. */
LLVMValueRef in_fast(const Split *split, LLVMValueRef value);
LLVMBasicBlockRef block_in_fast(const Split *split, LLVMBasicBlockRef block);

/* Exchanges the groups of the version that is being made. */
void members_rewrite(Split *split);
/* Struct copies of the original read before they write: the backend would make them by turns. */
void members_unfold(Split *split);

#endif
