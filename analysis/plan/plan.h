/* What is rewritten, and in which versions. */
#ifndef COALDA_PLAN_H
#define COALDA_PLAN_H

#include "analysis/records/records.h"

/* ---- several_blocks.c ---- */

/* May a block do what several of a launch do, given as many numbers along x? Without loops. */
bool body_is_for_several(const Kernel *kernel);

/* ---- coarse.c ---- */

/* The work of so many blocks may one do, so that launches that weigh at least so much are done sooner. */
typedef struct {
    int blocks; /* 0: its own alone */
    double from;
    int wide; /* blocks have so many threads along x, at least */
} CoarseBlocks;

/* Of a kernel whose body is for several, and whose accesses are measured. */
CoarseBlocks coarse_blocks(const Kernel *kernel);

/* ---- plan.c: what is rewritten ---- */

/* Shared memory of each warp, where the next block of its rows arrives (shelf.c). */
enum { SHELF_GROUPS = 8 };

struct Shelf {
    int warps;                  /* of a block, that have one */
    bool sized;                 /* no block has more; else that is tested */
    bool alone;                 /* a row of words with nothing beside it */
    bool masked;                /* the loop as it was runs instead where data want few of its words */
    bool marked;                /* of a loop's version for blocks that have shelves */
    bool anyhow;                /* rows that do not lie as is likely are copied as well, in one piece more each */
    int64_t bytes;              /* of one warp's block, the same in all loops of the kernel */
    int slots;                  /* of a warp, each for such a block, at most: a power of two, the same in all loops */
    int element;                /* bytes of the widest of its elements */
    int64_t step[SHELF_GROUPS]; /* by which each group of the region moves on, an iteration */
};

/* Pieces of rows that a cache is told of before their turn comes (rows_ahead.c). */
typedef struct {
    const Group *group; /* a piece of it */
    int64_t step;       /* by which that moves on, an iteration */
} RowAhead;

typedef struct {
    List rows;       /* of RowAhead */
    int64_t threads; /* of a launch that has fewer, */
    int64_t bytes;   /* of rows that have more */
} RowsAhead;

/* From a longer loop into the one that does the rest (way_out.c). */
typedef struct {
    LLVMBasicBlockRef rest; /* the block in front of it */
    LLVMValueRef left;      /* the call there that says how many iterations it does, of how many */
    LLVMValueRef done;      /* phi: how many there have been, where the longer loop's iteration begins */
    List values;            /* of LLVMValueRef: of each phi of the block, what it is then */
} Leave;

/* The first architecture whose warps reduce by one instruction. */
enum { REDUX_ARCH = 80 };
/* Words at multiples of it lie in few banks of the first-level cache. */
enum { BANKS_BYTES = 64 };

/* Of records that lanes may share (looked_up.c): where those of a warp are few, the original runs. They are many where the
 * farthest two lie `far` bytes apart; where that is 0, where more than `few` lanes are elsewhere than their neighbours, or more
 * than `few_in_banks`, if all lie at multiples of BANKS_BYTES from each other. Nothing is asked where the group is NULL. */
typedef struct {
    const Group *group;
    int64_t far, far_odd; /* and, where windows are no multiple of a sector apart, at least so many */
    int few, few_in_banks;
} Lookup;

/* Groups of one block (or one group along a chain) that are rewritten together: two versions of the code from the first to
 * the last of them. */
typedef struct {
    Arena *arena;
    LLVMValueRef function;
    LLVMValueRef first, last; /* instructions; a chain's region may begin and end with branches, which belong to it */
    List blocks;              /* a chain's, after the one that it begins in */
    List groups;              /* of Group */
    bool verified;            /* every exchange is checked against direct accesses */
    bool own;                 /* every thread moves its own bytes, and asks for itself whether they are aligned */
    bool full;                /* the program promises that no warp lacks lanes, so that none is asked whether it does */
    bool together;            /* ptxas can be told where the lanes of the warp are together */
    bool only_likely;         /* the sure layouts would take too many registers: the original runs instead */
    Shelf *shelf;             /* NULL: exchanged by shuffles alone */
    bool shelf_only, never;   /* of versions that leave: none but the shelf's; none at all */
    RowsAhead ahead;
    Leave *leave;             /* where those go on that can take none of the versions; NULL: in the original */
    int edge;                 /* warps with so many lanes and more, but not all, have a version of their own; 0: none has */
    Lookup lookup;            /* whether its records are few */
    bool few;                 /* warps that lack lanes have a version in which each lane moves its own bytes */
    LLVMBasicBlockRef
        under; /* with it begins the part that all of its groups are in, and the region with the branch that leads there; NULL: no
                   condition is theirs */
    int least; /* lanes that go there, for which the warp moves their records */
    bool gathers; /* barriers between the members are not to be made twice: the members of its one group move
                                 together first */
} Region;

Plan *plan_new(Arena *arena);
/* A region of these groups, from the one instruction to the other, is added to the plan. */
Region *region_new(const Kernel *kernel, List groups, LLVMValueRef first, LLVMValueRef last);
void plan_make(Kernel *kernel);
/* Legal groups that are worth it are marked chosen; else says why. */
void group_choose(Kernel *kernel, Group *group);
/* Positions (from 1) of instructions that may stand behind others; what keeps the addresses that the group's tests need from
 * being known before the one at `position` (from 0)? */
Why group_hoists(const Map *positions, const Group *group, int position);
/* Of groups that are tested together: has an earlier one been found apart from this one, with the same test? */
bool conflict_is_known(const List *groups, const Group *group, const Conflict *conflict);
/* Does a load lead straight to a store of the same thread: is nothing but a copy in between? */
bool group_is_copied(const Group *load, const Group *store);
/* The same, and the store pays: the load has units like its own then, whatever it gains by itself. */
bool group_copies_along(Group *load, const Group *store);
void groups_copy(const List *groups);
void group_remember(Plan *plan, Group *group);

/* ---- conditional_records.c: records whose members are each under a condition of its own ---- */

/* To be called when all blocks of the scope are planned: chains take what its regions, from the `from`-th on, have left. */
void chain_plan(Scope *scope, size_t from);

typedef struct {
    LLVMBasicBlockRef then, join; /* NULL where the block ends otherwise */
} Triangle;

/* What stands under the condition that the block ends with, if that orders no memory and nothing else leads there; and where both of
 * the block's ways meet. */
Triangle triangle_below(LLVMBasicBlockRef block);
/* Neither a volatile access nor an atomic, a fence, a barrier or a call; a struct copy may be. */
bool is_unordered_or_copy(LLVMValueRef instruction);
bool block_holds_only(LLVMBasicBlockRef block, bool (*is_such)(LLVMValueRef instruction));
int ways_into(LLVMBasicBlockRef block);
/* Do all ways into it come from those, blocks -> anything? */
bool is_entered_from(LLVMBasicBlockRef block, const Map *those);
/* Is the other the one place where the block leads to, and at once? */
bool leads_only_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next);
void link_add(Arena *arena, List *links, LLVMBasicBlockRef block, LinkRole role);

/* ---- chosen_part.c: what stands under a condition ---- */

/* A List of Link, empty where the block does not end with such a condition: the first, entered from that block alone, what the threads
 * may do in between, which writes nothing, and the last, which leads to where the ways meet; or one block, which is both. */
List chosen_part(const Kernel *kernel, LLVMBasicBlockRef above);
/* The same of what begins with the block, whatever leads there, as far as the join. */
List part_under(Arena *arena, LLVMBasicBlockRef first, LLVMBasicBlockRef join);

/* ---- chosen_condition.c ---- */

/* Does it hold of some lanes and not of their neighbours, by what data or arithmetic say, rather than of whole warps? */
bool condition_chooses(Scope *scope, LLVMValueRef condition);

/* ---- gates.c: records that lanes come to by several ways, or by one out of many ---- */

/* In front of the block `then` all lanes are to come together that part at the block above, and meet again at the join. */
typedef struct {
    LLVMValueRef function;
    LLVMBasicBlockRef above, then, join;
} Gate;

/* Of Gate, but for blocks that the plan knows to have been tried. */
List gates_find(Kernel *kernel);

/* ---- chosen_records.c: records that data decide which threads touch ---- */

/* To be called when what pays is chosen, and before it is planned: gives up the groups of blocks that are planned so. */
void chosen_plan(Scope *scope, const List *groups);
/* Records of the block are moved so, or under conditions. A loop around may have other iterations of its own beside: ptxas then wants more
 * registers than one of them. True where the function has such a loop. */
bool chosen_note_loop(const Kernel *kernel, LLVMBasicBlockRef block);

/* ---- guarded_loads.c: loads that are each under a condition of their own ---- */

bool block_stores(LLVMBasicBlockRef block);

/* A chain of such loads, to have a version in which all conditions hold. */
typedef struct {
    LLVMValueRef function;
    List blocks; /* of LLVMBasicBlockRef: B0, T1, B1, ..., the last T, and the block that it leads to */
    int head; /* instructions at the end of B0, from the first load of the record that is made whatever holds; 0: there is none */
    size_t apart; /* of one record, the most that a block has by itself; 0 where none of them stores */
    Why why; /* what a version would not pay for, where it has been tried and a group of it was refused */
} Tail;

/* No block but the last one is in two of them, and that may begin another. */
List tails_find(Kernel *kernel);

/* ---- shelf.c ---- */

/* Will a shelf serve the loop of the walk, if its blocks are short? `alone`: the loop has no other row. */
bool shelf_awaits(const Kernel *kernel, const Access *walk, bool alone);
/* May one serve the loop of the walk, of several rows, if these come to be marked with SHELF_METADATA? */
bool shelf_suits(const Kernel *kernel, const Access *walk);
/* Bytes of such a group, beside the rows of one block; there are two sides: for the block in use, and for the next one. */
int64_t shelf_rider_bytes(const Group *group);
enum { SHELF_SIDES = 2, MOST_SLOTS = 8 };
/* Bytes of such a part of all rows of a warp, with the piece more that rows take which begin within one. */
int64_t shelf_part_bytes(const Part *part);
/* Of the array that holds them. */
const char *shelf_name(Arena *arena, LLVMValueRef kernel);
/* Was one made? */
bool kernel_has_shelf(const Kernel *kernel);
/* May what all lanes load lie there, too? */
bool shelf_carries(const Kernel *kernel, const Group *group);
/* Gives the regions from this one on their shelves. */
void shelf_plan(const Kernel *kernel, size_t from);

/* ---- known_ahead.c ---- */

/* Is it known where an iteration of the loop, which is one block, begins whether there are more after it? */
bool loop_tells_ahead(Arena *arena, IrLoop *loop);
/* And of any iteration after that, as counters tell it that move by numbers? */
bool loop_tells_far(Arena *arena, IrLoop *loop);
/* Does the phi, which is `next` in the next iteration, move by a number? */
bool loop_counts(LLVMValueRef phi, LLVMValueRef next, int64_t *step);

/* ---- rows_ahead.c ---- */

/* Which of the regions from this one on ask early for what comes. */
void rows_ahead_plan(const Kernel *kernel, size_t from);

/* ---- partial_warp.c: warps at the edge of a grid ---- */

/* Which of the regions from this one on have a version for them. */
void partial_warp_plan(const Kernel *kernel, size_t from);

/* ---- few_lanes.c: walks of warps that lack lanes ---- */

/* Which of the regions from this one on have a version for them: to be called when their ways out are known. */
void few_lanes_plan(const Kernel *kernel, size_t from);

/* ---- looked_up.c: records that lanes share ---- */

/* Which of the regions from this one on ask whether their records are few. */
void looked_up_plan(const Kernel *kernel, size_t from);

/* ---- way_out.c: ways from a longer loop into the one that does the rest ---- */

/* Which of the regions from this one on have one instead of the original. */
void way_out_plan(Kernel *kernel, size_t from);

#endif
