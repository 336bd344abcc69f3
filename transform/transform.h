/* What is made of what the analysis has found. Each writes what it is told to, and decides nothing. */
#ifndef COALDA_TRANSFORM_H
#define COALDA_TRANSFORM_H

#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "analysis/banks/banks.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/rings/rings.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/jam.h"
#include "analysis/walks/walks.h"

/* The threads of a block, where it is not higher than wide, change places: number k along x comes to be number k along y. */
void turn_rewrite(LLVMValueRef function);

/* What the number comes to is chosen from now on, part by part, for all who use it. */
void count_choose(const Counting *count);

/* One load brings all of the words, where the first one was. */
void whole_load(const Whole *whole);

/* The sum is made first, and the higher one of it and what it is at least takes its place. */
void clamp_turn(const Clamp *clamp);

/* ---- lift_hints.c, lower_hints.c ---- */

/* What is assembly for what it tells the caches is loads and stores from now on, that are told apart by a mark; and assembly again. */
void hints_lift(Arena *arena, IrModule *ir, LLVMModuleRef module);
void hints_lower(Arena *arena, IrModule *ir, LLVMModuleRef module);
/* Is there any such assembly? */
bool hints_are_there(LLVMModuleRef module);

/* ---- relax_exchanges.c ---- */

/* Marks exchanges on condition that are CUDA's, while functions tell them apart; relaxes those of a function, or only drops the mark. True where
 * there are any. */
void exchanges_mark(LLVMModuleRef module);
bool exchanges_relax(LLVMValueRef function, bool relaxes);

/* ---- end_barriers.c ---- */

/* Gives the destructors of cuda::barrier the body that include/coalda/cccl has left out. */
void barriers_end(LLVMModuleRef module);

/* Some of the loop's loads, by their numbers among them, are to come first when the loop has been made longer; and moves
 * them there. */
void hoist_mark(IrModule *ir, LLVMBasicBlockRef header, const List *numbers, const char *name);
void hoist_raise(IrModule *ir, LLVMValueRef function, const Map *longer); /* in the loops of those headers */
/* The first iterations of the loop are made in front of it where its pieces begin with sectors then. */
void rows_begin(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const RowBegin *begin);
/* Two versions of the loop: one for threads whose stores in it are apart from its loads, which is the one that the header is of, and the
 * original; that makes fewer iterations than so many. */
/* The loop becomes one for blocks of so many threads and fewer, whose warps all have a shelf; returns the one for larger blocks. */
LLVMBasicBlockRef shelf_version(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, int threads);
void apart_version(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const EntryTests *tests, int trips);
/* Its loads, or its stores and atomics, in the order of its blocks. */
List loop_accesses(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, bool writes);
/* Two versions of a loop: one whose bounds, which are loads by their numbers among its loads, are loaded once, and the original. False where
 * nobody can tell where its stores lead: then the original always runs. */
bool bounds_load(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const List *numbers);
/* Words of rows come where an iteration begins, and once more where they were if the loop has written to a row. */
void doubted_rows_load(Arena *arena, IrModule *ir, LLVMBasicBlockRef header, const DoubtedRows *found);
/* Two versions of a loop: one that loads words of rows in every iteration, where both ends of them are there by what the original loads, and
 * the original, which makes few iterations as well. False where the first one has still several ways. */
bool whole_rows_version(Arena *arena, IrModule *ir, const SomeRows *some, LLVMBasicBlockRef header);
/* Loops for the iterations that the conditions hold in, for those in front of them and for those behind, and the original, which is the last one of them
 * as well. False where that could not be made: nothing is gained then. */
bool index_set_part(Arena *arena, IrModule *ir, const IndexSet *found, LLVMBasicBlockRef header);
/* Pieces of those rows are loaded at once where the rows of all lanes that are here begin with one; else the loop runs as it was. */
bool sought_rows_load(Arena *arena, IrModule *ir, const SoughtRows *sought);
/* Two versions of the loop around a walk: one for rows that are long enough, and the original, whose blocks those of `again`
 * are from now on. Returns the block in front of the first. */
LLVMBasicBlockRef reuse_open(Arena *arena, IrModule *ir, Reuse *reuse, const ReuseSize *size);
/* When the walk has been made longer: what its first iterations load of the row is loaded at the end of that block. */
void reuse_hold(IrModule *ir, LLVMBasicBlockRef around, LLVMBasicBlockRef walk, LLVMBasicBlockRef before, const ReuseSize *size);
/* Rows of different lengths; in launches of fewer threads only those of so many pieces are walked. 0: that is no matter. */
typedef struct {
    Arena *arena;
    int64_t threads;
    int pieces;
} UnevenRows;

/* An IrPast, of UnevenRows: no thread takes the longer loop unless all that come to it with this one do. */
void uneven_rows_hold(void *rows, LLVMValueRef jump, LLVMValueRef left);
/* A version of the loop around others where the tests of its iterations side by side hold, which is to have them; and the original. */
void jam_version(Arena *arena, IrModule *ir, const Jam *jam);
/* Of the sums and products of the function, those that the backend fuses (ir_backend_makes) are one from now on, and the others
 * stay two. */
void products_settle(IrModule *ir, LLVMValueRef function, const uint8_t *made);
/* Those of which nobody knows are as they were before, where nothing around them has changed since. */
void open_products_give_back(LLVMValueRef function);
/* Moves the members together. Of all regions that gather, before any is rewritten: blocks are whole until then. */
void region_gather(const Region *region);
/* A version of the chain where all of its conditions hold: returns its one block. */
LLVMBasicBlockRef tail_version(Arena *arena, IrModule *ir, const Tail *tail);
/* What is no longer needed is added to `dead`: tests of later regions may still ask for its operands. */
void region_rewrite(const Region *region, List *dead);
/* What asks whether a pointer leads into shared or global memory is told so, where the function shows it to be so whoever calls it. */
void spaces_tell(Scope *scope);
/* Matrices of tensor cores that are asked for by a generic pointer; true where there are any. */
bool matrices_tell(Scope *scope);

/* ---- whole_barriers.c ---- */

/* Barriers of loops that stand under a condition, by which all threads of the block go one way, stand in front of it. */
void barriers_complete(Scope *scope);
void ring_rewrite(IrModule *ir, const Ring *ring);
/* Two versions of a loop, if anything is asked: one that is to become another, and the original. */
void original_version(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const RingOriginal *asks);
/* Where another ring of its loop fills its first stages, in front: the header of that loop; NULL. */
LLVMBasicBlockRef ring_filling(IrModule *ir, const Ring *ring);
/* Of all rings of the function: each waits for its own groups alone. */
void waits_settle(Arena *arena, LLVMValueRef function);
/* Keeps what the loop adds up in memory in registers while it runs. */
void tally_rewrite(IrModule *ir, const Tally *tally);
/* What several atomic additions do is done by reductions of several words. */
void additions_rewrite(const AddedStretch *stretch);
/* Each iteration of the loop, which one block alone leads into, makes those loads for the next one. */
void lookahead_rewrite(IrModule *ir, const Lookahead *ahead);
/* So many of its iterations stand in one body, where the tests of the whole loop hold. */
void batch_repeat(IrModule *ir, const Batch *batch);
/* Those loads come first in each iteration of the loop, which one block alone leads into. */
void batch_rewrite(IrModule *ir, const Batch *batch);
/* Of PartedLoad: each comes in front of what parts it from those before. */
void parted_raise(Arena *arena, const List *parted);
/* Several iterations of the loop stand in one body; what remains of them is done by the loop as it was. */
void iterations_repeat(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times);
/* Behind the last of the function's loops for which that was done: what it left over is gone. */
void iterations_clean(IrModule *ir, LLVMValueRef function);
/* The array's place is taken by a larger one, to which all its uses lead. Returns it. */
LLVMValueRef padding_rewrite(IrModule *ir, const Padding *padding);
/* All fills of one function. */
void fill_rewrite(Arena *arena, const List *fills);

#endif
