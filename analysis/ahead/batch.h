/* Loops whose iterations' loads had better come first. */
#ifndef COALDA_BATCH_H
#define COALDA_BATCH_H

#include "analysis/facts/facts.h"

/* A store and a load that passes it, which are to be apart: in each iteration, where how far is the same in all of them; or all that the
 * loop stores there from all that it loads there. */
typedef struct {
    LLVMValueRef store, load;
    int64_t stored, loaded; /* bytes */
    bool whole;
} BatchTest;

/* A loop that is left at its latch alone, and loads that each iteration makes before it stores. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMBasicBlockRef header, latch;
    List loads; /* of LLVMValueRef, in the order in which an iteration makes them */
    Map *place; /* those of them that are moved -> an earlier one, which is not: where they come */
    Map *same; /* those of them that load what another of their place does -> that one */
    int trips; /* fewer iterations than that are not worth a test; 0: how many there are is not known on entry */
    List tests; /* of BatchTest, on entry; no two ask for the same */
    bool asks; /* is any to be made now, or once iterations stand in one body? */
    int words; /* that the loads of one place bring, at most */
    int together; /* of those with nothing stored between them, at most */
    int held; /* those, and words of their addresses, of which the backend has as many at once */
    int passed; /* words of loads that pass a store, or a branch of a loop that stores nothing */
    bool by_grid; /* it stores, and goes on by as many as the launch has blocks, or threads */
    bool by_block; /* it stores, and goes on by as many as a block has threads, which nobody knows */
    bool parts; /* it stores, its iterations go several ways, and it goes on by as many as the launch has threads */
    int times; /* so many iterations are to stand in one body first, and then it is looked for again: */
    bool stores; /* any: where it does not, what comes in front of a branch is kept there */
    int slides; /* iterations of the program in its body, if what a lane loads in one of them, one beside it has loaded in the one before; else 0 */
    List apart; /* loads that are then known to be apart from all that the loop stores, as tests of the whole loop say */
    Why why; /* it stays as it is */
} Batch;

/* What is looked for in one loop. */
typedef struct {
    Scope *scope;
    IrLoop *loop;
    Batch *batch;
    List stores; /* of LLVMValueRef, of the loop */
    List asked; /* of each test, what is alike for tests of the same number */
} BatchSearch;

/* ---- batch.c ---- */

/* Is it a load that every iteration makes, at a place that follows from counters? */
/* May the one write what the other reads, of this iteration or of any? */
bool batch_may_meet(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load);
/* Notes that the two are to be apart in every iteration, or whatever iterations they are of; false where that cannot be asked. */
bool batch_want_apart(BatchSearch *search, LLVMValueRef store, LLVMValueRef load, bool whole);
bool batch_may_move(const BatchSearch *search, LLVMValueRef instruction);
/* May the function have such a loop? Asked of it alone, before anything else is found out of it. */
bool batch_may_be(IrModule *ir, LLVMValueRef function);
/* The loops of the kernel's own body that have such loads, those that stay as they are among them. */
void batch_find(Kernel *kernel);

/* ---- own_places.c ---- */

/* Of loads that all threads of a block make alike, and that are to come in front of branches, the last one stays behind them. */
void batch_leave_last(const BatchSearch *search);

/* ---- sliding_window.c ---- */

/* Of a body of so many iterations of the program: do all of its loads slide, but those that all lanes make alike? */
bool batch_slides(const BatchSearch *search, int iterations);

/* ---- batch_gain.c ---- */

/* How many iterations had better stand in one body first: 1 where it stays as long as it is. What has to be asked for that is noted. */
int batch_times(BatchSearch *search);
/* The same of a loop that stores nothing. */
int batch_times_alone(BatchSearch *search);
/* Do all threads of the block load the same there, or those that have one place of its second axis? */
bool batch_is_alike(const BatchSearch *search, LLVMValueRef load);
/* Do the loads of a loop that stores nothing, some of which stand behind branches, come first? */
bool batch_gains_alone(const BatchSearch *search);
/* Is there anything that the backend would not do by itself? */
bool batch_gains(const BatchSearch *search);
/* Why it had better stay as it is; WHY_NONE where it pays, or is wanted whatever it costs. */
Why batch_obstacle(Scope *scope, const Batch *batch);

#endif
