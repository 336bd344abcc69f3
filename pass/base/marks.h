/* Marks: names of metadata by which a rewrite tells those that come later what it has made. All else that was found out of a function is
 * thrown away when its code has changed. Those of loops that were made longer are the bridge's (pass/bridge/bridge.h). */
#ifndef COALDA_MARKS_H
#define COALDA_MARKS_H

/* Of the copies of a ring; operands: ring_text, the members of Resident, and Ring.told. */
#define RING_METADATA "coalda.ring"
/* Of the commits of a ring, and of where it waits for them; operands: which ring, and how many of its own groups may be under way there. */
#define GROUP_METADATA "coalda.group"
/* Of a loop that is there as the slow path of another: nothing more is done with it. */
#define ASIDE_METADATA "coalda.aside"
/* Of loads of rows that are made once the loop has written to those: earlier ones stand for them. */
#define DOUBT_METADATA "coalda.doubt"
#define SHELF_METADATA "coalda.shelf"
#define UNSHELVED_METADATA "coalda.unshelved"
/* Of branches and choices of a loop whose first iterations, in which they went the other way, run by themselves. */
#define LATE_METADATA "coalda.late"
/* Of accesses of a loop that loads words of rows in every iteration, as data tell that many are wanted; and of the loop as it was, where others of its rows move:
 * it is not asked again. */
#define MASKED_METADATA "coalda.masked"
#define SPARSE_METADATA "coalda.sparse"
/* Of loads in front of a loop that ask which version of it runs: they move by themselves, and the loop speaks for them. */
#define QUESTION_METADATA "coalda.question"
/* Of the jump at the end of a tile loop, and in the version of it that is its slow path; operand: which loop. */
#define TWIN_METADATA "coalda.twin"
/* Of the jump at the end of a tile loop whose threads read a list for themselves, and did so through a shared array; its slow path, as it was,
 * is there before a ring is made of it. */
#define NAMED_METADATA "coalda.named"
/* Branches back of tile loops that loaded each tile an iteration before they stored it, and do no more. */
#define HELD_METADATA "coalda.held"
/* Of accesses of a loop of which there is another version, which speaks for them. */
#define ORIGINAL_METADATA "coalda.original"
/* Of atomic additions of which there is another version, where one reduction makes several of them. */
#define ADDED_METADATA "coalda.added"
/* Of loads that wait in registers for a later iteration: to pass them on by shuffles would be to wait for them at once. */
#define AHEAD_METADATA "coalda.ahead"
/* Of loads that are apart from all that their loop stores, as was asked on entry. */
#define APART_METADATA "coalda.apart"
/* Of loads that come first in an iteration. */
#define BATCH_METADATA "coalda.batch"
/* Of copies that a loop which fills a shared array makes without waiting for each. */
#define FILL_METADATA "coalda.fill"
/* Of copies that were made once for all iterations of a tile loop. */
#define ONCE_METADATA "coalda.once"
/* Of the store behind a loop that keeps a sum in a register. */
#define TALLY_METADATA "coalda.tally"
/* Of loads that come first in a loop that has been made longer; operand: their number among its loads. */
#define HOIST_METADATA "coalda.early"
/* Of accesses of a walk's loop in front of which so many iterations were made that its pieces begin with sectors. */
#define BEGIN_METADATA "coalda.begin"
/* Of loads of a row that is met again; where the walk has been made longer, of those that registers hold. */
#define REUSE_METADATA "coalda.again"
/* Of those that registers do not hold: the row may be written. */
#define ANEW_METADATA "coalda.anew"
/* Of what stands under conditions of which there is a version where all of them hold, which speaks for it. */
#define GUARDED_METADATA "coalda.guarded"
/* Of accesses of a loop around others whose iterations stand side by side, one behind the other. */
#define JAM_METADATA "coalda.jam"
/* Of loads and stores that were assembly for what they tell the caches (transform/emit/hints.c); operands: that, then, where such a load or store
 * is still what it was, how it was written. */
#define HINT_METADATA "coalda.hint"
/* Of products that are settled though nobody knows what ptxas made of them; operand: what stands around them, and how they might be fused. */
#define OPEN_METADATA "coalda.open"
/* Of exchanges on condition that are CUDA's own, from the very beginning to the very end: they are relaxed. */
#define RELAXED_METADATA "coalda.relaxed"
/* An attribute of kernels for which a profile decided: the decision, as written there. It is taken off when all is done. */
#define DECIDED_ATTRIBUTE "coalda-decided"
/* The same, of kernels whose launches a profile knows: what they are like (pass/profile/launched.h). */
#define LAUNCHED_ATTRIBUTE "coalda-launched"
/* And of kernels of which it decided parts: array and decision, lines one after the other. */
#define PARTS_ATTRIBUTE "coalda-parts"
/* Of kernels that were asked whether they are what they require: they are not asked again where a later step runs the plugin once more. */
#define REQUIRED_ATTRIBUTE "coalda-required"

/* And of spares: they are left as they are, or first rewritten in all but their walks, or without shelves. */
#define SPARE_ATTRIBUTE "coalda-spare"
#define SPARE_STAY ""
#define SPARE_RECORDS "records"
#define SPARE_SHUFFLES "shuffles"

#endif
