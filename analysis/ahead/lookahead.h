/* Loops that load one iteration ahead. */
#ifndef COALDA_LOOKAHEAD_H
#define COALDA_LOOKAHEAD_H

#include "analysis/facts/facts.h"

/* A loop that is left at its latch alone, and loads that each of its iterations is to make for the next one. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMBasicBlockRef header, latch;
    List
        loads; /* of LLVMValueRef, in the order in which an iteration makes them: those of the next are made in front of the first */
    Map *needed; /* instructions of the loop that tell where they lie, and whether there is a next iteration; phis of the header
                    are among them */
    int words; /* that they bring */
    int times; /* so many iterations are to stand in one body first, and then it is looked for again */
    bool beside; /* that has been done */
    Why why; /* it stays as it is */
} Lookahead;

/* ---- lookahead.c ---- */

/* Is the loop left at the end of its iterations alone? */
bool loop_leaves_at_latch(IrLoop *loop);
/* Has it what a rewrite made, or is there another version of it? */
bool loop_is_made(IrLoop *loop);
/* Words that it brings. */
int words_of_load(const Kernel *kernel, LLVMValueRef load);
/* May the function have such a loop? Asked of it alone, before anything else is found out of it. */
bool lookahead_may_be(IrModule *ir, LLVMValueRef function);
/* The loops of the kernel's own body that have such loads, those that stay as they are among them. */
void lookahead_find(Kernel *kernel);

/* ---- awaited_loads.c ---- */

/* Is there a load in the loop whose address is made of it? */
bool load_leads_on(IrLoop *loop, LLVMValueRef load);
/* Does the loop wait for the load before it can go on: to load what it leads to, or to come to its barrier? */
bool load_is_awaited(IrLoop *loop, LLVMValueRef load);

/* ---- passed_effects.c ---- */

/* What the loads of a later iteration would pass. */
typedef struct {
    Scope *scope;
    IrLoop *loop;
    List writers; /* of LLVMValueRef */
    bool ordered; /* other threads' writes may be seen from a place in the loop on */
} Passed;

/* False where something in the loop may not be passed, whatever is loaded. */
bool passed_find(Passed *passed);
/* What keeps the load from being made an iteration ahead; WHY_NONE where nothing does. */
Why passed_obstacle(const Passed *passed, LLVMValueRef load);

/* ---- lookahead_gain.c ---- */

/* Why it had better not be made, in a body that is so many times as long; WHY_NONE where it pays, or is wanted whatever it costs. */
Why lookahead_obstacle(Scope *scope, const Lookahead *ahead, int times);

/* ---- side_by_side.c ---- */

/* Says a pragma how often the loop is to be unrolled, or an earlier pass that it has been? */
bool loop_is_told(const Kernel *kernel, IrLoop *loop);
/* How many iterations had better stand in one body first: 1 where it stays as long as it is. */
int side_by_side(Scope *scope, const Lookahead *ahead);

/* ---- pin.c ---- */

/* The last load of the block, which no loop has, that the backend would bring behind its jump; NULL. */
LLVMValueRef pin_place(Arena *arena, IrModule *ir, LLVMBasicBlockRef block);

/* ---- parted.c ---- */

/* A load, and the quotient or root of its block that it comes in front of. */
typedef struct {
    LLVMValueRef load, place;
} PartedLoad;

/* Those of the scope's loops: a List of PartedLoad, in program order. */
List parted_find(Scope *scope);
/* Does the backend make a branch of it, or a call of a function of its own? */
bool operation_parts(LLVMValueRef i);

/* ---- jump_table.c ---- */

/* Has the function switches that the backend would look up in a table, and had it better compare all of them? */
bool switches_are_compared(Scope *scope);
/* Is the jump a switch of a loop whose ways are so short that all of them had better be computed, and one chosen? */
bool ways_are_chosen(Scope *scope, LLVMValueRef jump);

/* ---- count.c ---- */

enum { COUNT_PARTS = 4 };

/* A constant that is added, taken away or joined where the condition holds, or unless it does. */
typedef struct {
    LLVMValueRef condition, by;
    bool unless;
} CountPart;

/* A number of a loop that goes on by parts: sum is what it comes to, by an addition, a subtraction or an exclusive or. */
typedef struct {
    LLVMValueRef sum, before;
    int parts;
    CountPart part[COUNT_PARTS];
} Counting;

/* Had what the number comes to better be chosen, for each part? */
bool count_find(IrModule *ir, LLVMValueRef sum, Counting *count);

/* ---- whole_words.c ---- */

enum { WHOLE_OTHERS = 16 };

typedef struct {
    LLVMValueRef load;
    unsigned number;
} WholeWord;

/* A word of 32 bits that is loaded at a place, and others behind it that are loaded later on: two or four words hold all of them. */
typedef struct {
    LLVMValueRef first, place;
    WholeWord other[WHOLE_OTHERS];
    int others;
    unsigned words;
} Whole;

/* Had the words better be loaded together, where the first one is? */
bool whole_find(Scope *scope, LLVMValueRef load, Whole *whole);

/* ---- clamp.c ---- */

/* The sum of by and the higher one of a number and a constant, which is least at least, and is kept below what run time knows. */
typedef struct {
    LLVMValueRef sum, higher, number;
    int64_t by, least;
    bool is_behind_own; /* the number may wrap around: by is added to what is not below least */
} Clamp;

/* Had the sum better be made first? */
bool clamp_find(LLVMValueRef sum, Clamp *clamp);

/* ---- latch.c ---- */

/* Does ptxas unroll the loop by itself, or will it, once its latch is turned? */
bool latch_leads_on(Scope *scope, IrLoop *loop);
/* Is its latch to be turned? */
bool latch_is_turned(Scope *scope, IrLoop *loop);

#endif
