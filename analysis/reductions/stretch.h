/* The search for additions that are made together: of one block. */
#ifndef COALDA_STRETCH_H
#define COALDA_STRETCH_H

#include "analysis/reductions/reductions.h"

/* What touches memory in a stretch: a load or a store; or an addition, which is one as well. */
typedef struct {
    LLVMValueRef instruction, pointer;
    int64_t bytes;
    int place;
    const AddedRecord *record; /* of an addition */
} Touch;

typedef struct {
    Scope *scope;
    Arena *arena;
    Map *places;          /* of the block's instructions, from 1 */
    List touches;         /* of Touch: of this stretch */
    List records;         /* of AddedRecord: of this stretch */
    List before;          /* of AddedRecord: of those before it in the block */
    LLVMValueRef first;   /* NULL: it has not begun */
    LLVMValueRef parting; /* what ended the last one; NULL: nothing yet */
} BlockSearch;

typedef enum { RELATION_APART, RELATION_UNKNOWN, RELATION_MEETS } Relation;

/* ---- stretch.c ---- */

/* Of the record's additions that come before the touch. */
Relation relation_to_record(const BlockSearch *search, const AddedRecord *record, const Touch *touch);
/* Does the value follow, by arithmetic alone, from what is known in front of that instruction? */
bool is_known_before(const BlockSearch *search, LLVMValueRef first, LLVMValueRef value);
/* Does the addition lie where it seems to, so many bytes from the other one, whatever wraps around? */
bool distance_is_proved(const BlockSearch *search, const Addition *from, const Addition *to, int64_t bytes);

/* ---- same_place.c ---- */

/* Does the later addition lie so many bytes from the other, where all loads that both addresses are made of and that the record's additions
 * stand between lie apart from the record? */
bool lies_in_record(const BlockSearch *search, const AddedRecord *record, const Addition *from, const Addition *to, int64_t *bytes);

/* ---- together.c ---- */

/* The stretch is over: which of its records are added to at once, and what is to be tested for it. */
void together_choose(BlockSearch *search);

#endif
