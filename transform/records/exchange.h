#ifndef COALDA_EXCHANGE_H
#define COALDA_EXCHANGE_H

#include "analysis/records/records.h"
#include "transform/emit/words.h"

/* Units of every part of a group, in the order of the parts. */
typedef struct {
    Unit *unit[GROUP_PARTS];
    Unit *own[GROUP_PARTS];             /* of a store, as the lane has them, where lanes are missing; else NULL */
    LLVMValueRef *written[GROUP_PARTS]; /* what each request waits for to store its unit; NULL: nothing */
} Units;

Unit *units_twin(Arena *arena, const Unit *unit, int count);

/* What must hold of the lane, besides that all 32 are here, for the group to be exchanged at all. */
void exchange_tests(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests);
/* Does its likely layout ask for more than that? */
bool exchange_has_likely(const Group *group);
/* What must hold besides for it: that its pieces are aligned, and its records lie one behind the other; both. */
void exchange_aligned(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, List *tests);
void exchange_consecutive(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests);
void exchange_likely(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests);
/* What must hold for all lanes to load the same bytes. */
void exchange_alike(Emit *emit, const Group *group, LLVMValueRef pointer, List *tests);
/* The warp's units as its requests move them: from memory, and to memory. What is wanted of each lane's record, and where, may be
 * told: a List of Content; NULL: all of it. */
Units exchange_load(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, const List *wanted);
void exchange_store(Emit *emit, const Group *group, LLVMValueRef pointer, LayoutKind kind, const Units *units);
/* Stands after what has become of a load's units, and before anything that the lanes write. */
void exchange_loaded(Emit *emit, const Layout *layout);
/* From where its requests load the part: as many pointers as it has units. */
void exchange_places(Emit *emit, const Group *group, LLVMValueRef pointer, const Part *part, LLVMValueRef *places);
/* The words of the lane's own units. */
void exchange_words(Emit *emit, const Layout *layout, const Units *units, List *words);
/* The lane's own record from the warp's units, and back. */
void exchange_gather(Emit *emit, const Layout *layout, Units *units, List *words);
Units exchange_scatter(Emit *emit, const Layout *layout, const List *contents);

#endif
