#ifndef COALDA_RING_H
#define COALDA_RING_H

#include "analysis/rings/rings.h"
#include "transform/emit/clone.h"
#include "transform/emit/emit.h"

enum { OWNER_PARTS = 2 }; /* operands of GROUP_METADATA */

/* Where a copy begins in the first iteration, and how it goes on. */
typedef struct {
    LLVMValueRef source, target;
    LLVMValueRef step;  /* bytes from tile to tile, of the source */
    LLVMValueRef holds; /* for which this must hold; NULL: always */
    IrGrid from, to;    /* of a row: of the source, which begins and goes on so, and of the target */
} RingCourse;

/* Copies that are made together: each by one lane, for all that share a piece. */
typedef struct {
    const RingCopy *copy;  /* the first of them */
    LLVMValueRef source;   /* local: where this lane's piece of the next tiles comes from */
    LLVMValueRef target;   /* local: and where in a slot it goes */
    LLVMValueRef step;     /* local: and how far on that of the next tile is */
    const RingCourse *row; /* of a row: how far on the next iterations are; else NULL */
} Wide;

/* What goes on into the next run of the loop, in the one around. */
typedef struct {
    IrModule *ir;
    LLVMBasicBlockRef before, gate; /* in front of the loop around; leads into it */
    IrNextRun next;
    LLVMValueRef state[IR_STATES]; /* locals: how far ahead the loop around is */
    List wanted;                   /* of LLVMValueRef: made around the loop, and what copies depend on */
    Map *ahead;                    /* each of them -> its local */
} Runs;

/* A ring that is being made. What runs ahead is kept in locals, which become registers at the end. */
typedef struct {
    const Ring *ring;
    Emit emit;
    LLVMBasicBlockRef first, use, latch; /* of the copies; after them; jumps back */
    List blocks;                         /* of LLVMBasicBlockRef: from first to use */
    List locals;                         /* of LLVMValueRef: all of the following */
    Map *counter;                        /* phi of the loop's header -> local that is ahead of it */
    LLVMValueRef alive;                  /* will that iteration run? */
    bool some;                           /* it is known to run where its copies are built */
    LLVMValueRef until;                  /* iterations that the stage in use still has; NULL where a stage is one tile */
    LLVMValueRef fill, at;               /* bytes from the first slot to the one that is filled next, and to the one in use */
    LLVMValueRef is_wide;                /* may the warp copy 16 bytes a lane? NULL: it may not */
    RingCourse *courses;                 /* of the copies, where they may be wide; NULL: they may not */
    List wide;                           /* of Wide */
    LLVMValueRef array;                  /* of all slots */
    LLVMBasicBlockRef gate;              /* leads into the loop */
    Runs *runs;                          /* NULL: each run of the loop begins anew */
    LLVMValueRef beside; /* behind which the first stages are copied: see fill_by_turns.c; NULL: in front of the loop */
    Map *held; /* load of registers -> its locals */
    Map *late; /* late copy -> its Late */
    Map *indices;                        /* load that waits in registers until its copy is made -> its locals, of each tile */
    int tile;                            /* of a stage, whose indices are meant */
    Map *index_counter;                  /* as counter and alive, of the indices: a stage ahead of those */
    LLVMValueRef index_alive;
    int turn; /* of those that wait in registers, the tile that is loaded */
    LLVMValueRef full; /* where a stage begins: will all its tiles be used? NULL where nobody asks */
    LLVMBasicBlockRef asked; /* at the end of which block */
} RingMaker;

/* The use of a tile, in the slot where it is. */
typedef struct {
    LLVMValueRef start; /* instruction: the first behind the copies */
    LLVMValueRef at; /* the slot's offset there */
    Map *moved; /* pointer into the tile -> into the slot */
    Map *loop; /* blocks of the loop from `start` on ... */
    List blocks; /* ... in order */
} RingUse;

LLVMValueRef ring_local(RingMaker *maker, LLVMTypeRef type, const char *name);
LLVMValueRef ring_get(RingMaker *maker, LLVMValueRef local, LLVMTypeRef type);
void ring_set(RingMaker *maker, LLVMValueRef local, LLVMValueRef value);
/* Moves the local on by so many slots, which end together with the ring. */
void ring_step(RingMaker *maker, LLVMValueRef slot, int tiles);
/* The slot before the one that the local says. */
LLVMValueRef ring_before(RingMaker *maker, LLVMValueRef slot);
/* Pointers of the copy as the module has them now. */
LLVMValueRef source_of(const RingCopy *copy);
LLVMValueRef target_of(const RingCopy *copy);
LLVMBasicBlockRef ring_block(RingMaker *maker);
/* The blocks that an iteration meets from this one on, until the use of its tile begins or the iteration ends. */
void ring_blocks(const RingMaker *maker, LLVMBasicBlockRef block, Map *seen, List *blocks);
/* Where the loop leads. */
LLVMBasicBlockRef ring_exit(const RingMaker *maker);

/* ---- copy_ahead.c ---- */

/* At the end of a block: copies the tile that is next into its slot, or loads it, if there is one, and steps on; goes on in a
 * new block. */
void ahead_copy(RingMaker *maker);
/* The same of the indices of the tile alone, which are a stage ahead. */
void ahead_load(RingMaker *maker);
/* Between filled and the use of a tile: the counters become those of the next iteration. */
void ahead_follow(RingMaker *maker);
/* From the counters of an iteration, and whether it runs: do this one and those after it run, `tiles` in all? Leaves the
 * counters of the iteration behind them, and whether that runs. `of_next`: of the run that is ahead, not of the one in use. */
LLVMValueRef ahead_try_steps(RingMaker *maker, int tiles, LLVMValueRef *alive, LLVMValueRef *counters, bool of_next);
void ahead_get(RingMaker *maker, LLVMValueRef *alive, LLVMValueRef *counters);
void ahead_set(RingMaker *maker, LLVMValueRef alive, LLVMValueRef *counters);
/* Copies, to the slot that is filled next. */
void ahead_pieces(RingMaker *maker, const RingCopy *copy, LLVMValueRef target, LLVMValueRef source, LLVMValueRef size);
/* Says in the module which ring a copy, or a store, was made for. */
void ring_mark(RingMaker *maker, LLVMValueRef copy);

/* ---- index_ahead.c ---- */

/* Where the first stage is copied next: loads its indices. */
void indices_open(RingMaker *maker);
/* Where the copies of a stage have been made: loads the indices of the one after it. */
void indices_load(RingMaker *maker);
/* What the load has brought, where a copy needs it; NULL where it is no index that waits. */
LLVMValueRef index_get(RingMaker *maker, LLVMValueRef load);
/* Ahead of that, where `ahead` has the twins: keeps what the loads bring. */
void indices_keep(RingMaker *maker, const Twins *ahead);

/* ---- carry_on.c ---- */

/* Before anything is changed: what tells of the next run. NULL where nothing does for the courses. */
Runs *runs_ask(IrModule *ir, const Ring *ring, const RingCourse *courses);
/* In front of the loop around: the first run. */
void runs_open(RingMaker *maker);
/* At the end of a block, and so again: where the run that is ahead has no more tiles, the next one is. */
void runs_follow(RingMaker *maker);
/* Behind the loop: the next run begins with a stage. */
void runs_leave(RingMaker *maker);
/* What the value is in the run that is ahead; for all that copies depend on. */
LLVMValueRef runs_now(RingMaker *maker, LLVMValueRef value);
void runs_map(RingMaker *maker, Twins *twins);

/* ---- wide_copy.c ---- */

/* At the end of the block, in front of the loop: where the copies come from. NULL where LLVM cannot tell; asked while it still
 * knows the loop. */
RingCourse *wide_courses(IrModule *ir, const Ring *ring, LLVMBasicBlockRef before);
/* Tests at the end of the block, in front of the loop, whether wide copies may be made; returns the one that leads into the
 * loop then. */
LLVMBasicBlockRef wide_open(RingMaker *maker, LLVMBasicBlockRef before);
/* Copies are not wide until a test says so. */
void wide_none(RingMaker *maker);
/* Builds a stage of wide copies where they may be made and all of its tiles will be used; else `otherwise` builds it. */
void wide_stage(RingMaker *maker, void (*otherwise)(RingMaker *));

/* How many lanes share a piece of 16 bytes, and the lane's place among them. */
int wide_lanes(const RingCopy *copy);
LLVMValueRef wide_rank(Emit *emit, const RingCopy *copy);
/* Is the step the leader's, and a multiple of 16? */
LLVMValueRef wide_is_same_step(Emit *emit, LLVMValueRef step, LLVMValueRef leader);
LLVMValueRef wide_local(RingMaker *maker, LLVMValueRef value);
/* Of the copies of this number, which are made from there on. */
void wide_at(RingMaker *maker, size_t number, Wide first);

/* ---- row_copies.c ---- */

/* Maps the counters of the copy's row that the value is made of to what they begin with. */
void row_begin(Twins *outside, const Map *among, const RingCopy *copy, LLVMValueRef value);
/* Do the lanes that share a piece go through the row alike? The answer joins `all`. */
LLVMValueRef row_test(Emit *emit, const RingCourse *course, LLVMValueRef leader, LLVMValueRef all);
void row_open(RingMaker *maker, size_t number, const RingCopy *copy, const RingCourse *now, const RingCourse *course);
/* A loop over the lane's iterations, to the slot that is `fill` bytes on; the builder goes on behind it. */
void row_copy(RingMaker *maker, const Wide *wide, LLVMValueRef fill);

/* ---- path_condition.c ---- */

/* Does an iteration make all the copies? Built where the builder stands, in front of the loop. */
LLVMValueRef reach_copies(RingMaker *maker);

/* ---- fill_by_turns.c ---- */

/* In front of the loop, where another ring of it fills as many stages: the commit of each of them, behind which those of this ring may
 * be filled as well, and the block in front of all that. NULL where there is none. */
LLVMValueRef turns_with(IrModule *ir, const Ring *ring, LLVMBasicBlockRef *before);

/* ---- version_loop.c ---- */

/* Tests at the end of the block, in front of the loop, whether there may be a ring; returns the one that leads into the loop
 * then. */
LLVMBasicBlockRef ring_version(IrModule *ir, const Ring *ring);

/* ---- thread_disjoint_test.c ---- */

/* Do the block's threads fill places of their own? Built where the builder stands, the same in all of them. */
LLVMValueRef disjoint_test(Emit *emit, const Footprint *footprint);

/* ---- late_copy.c ---- */

/* Before the first tile: nothing was copied to the places of late copies. */
void late_open(RingMaker *maker);
/* Ahead: keeps where the copy is from and how much of it counts, or that zeros stand in its place. */
void late_note(RingMaker *maker, const RingCopy *copy, LLVMValueRef source, LLVMValueRef size);
/* Does each iteration begin with nothing noted? */
bool late_is_anew(const RingCopy *copy);
void late_begin(RingMaker *maker, const RingCopy *copy);
/* Where its ways have met, at the counters that the twins have: what was noted; or what the slot before has. */
void late_copy_anew(RingMaker *maker, Twins *here, const RingCopy *copy);
/* Of a copy whose loop may stop: ahead of it; where an iteration ends; and behind it, where what is left is carried. */
void late_row_begin(RingMaker *maker, const RingCopy *copy);
void late_row_step(RingMaker *maker, Twins *here, const RingCopy *copy);
void late_row_end(RingMaker *maker, const RingCopy *copy);
/* Where all ways have met: what was noted last, unless nothing ever was. */
void late_copy(RingMaker *maker, const RingCopy *copy);

/* ---- outside_uses.c ---- */

/* What the loop does with the array, it does with its part of the ring. */
void state_part(RingMaker *maker, LLVMValueRef array, LLVMValueRef part);
/* At the end of a block in front of the loop: every slot holds what the arrays do. */
void state_spread(RingMaker *maker);
/* In the block behind the loop: the arrays hold what the slot in use last does. */
void state_return(RingMaker *maker, LLVMBasicBlockRef exit);

/* ---- make_register_ring.c ---- */

/* Builds what lies before the loop, at the end of `before`: the first tiles. */
void ring_fill(RingMaker *maker, LLVMBasicBlockRef before);
/* The first tiles, into registers. */
void register_ring_fill(RingMaker *maker);
/* The next tile waits in registers. */
void register_ring_rewrite(RingMaker *maker, LLVMBasicBlockRef before);
/* Ahead, where `ahead` has the twins: keeps what the copy loads. */
void register_ring_keep(RingMaker *maker, const Twins *ahead, const RingCopy *copy);
/* Maps the copy's registers of the first turn to those of another. */
void register_ring_turn(RingMaker *maker, const RingCopy *copy, int turn, Map *map);

/* ---- unroll_register_ring.c ---- */

/* Copies the iteration for every further tile that waits. */
void register_ring_turns_make(RingMaker *maker, LLVMBasicBlockRef exit);

/* ---- stage_unroll.c ---- */

/* What one iteration hands to the next is kept in locals from here on, not in the phis of the header. */
void ring_carry(RingMaker *maker);
/* Behind a stage all of whose tiles will be used (maker->full), their uses follow each other. */
void batch_unroll(RingMaker *maker, const RingUse *use, LLVMBasicBlockRef exit);

#endif
