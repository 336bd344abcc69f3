/* Groups: members of one record that may be touched together, how they are cut into parts, and what that costs. */
#ifndef COALDA_RECORDS_H
#define COALDA_RECORDS_H

#include "analysis/facts/facts.h"

/* ---- group.c: members of one record that one block touches, and that may be touched together ---- */

#define ACTIONS(X) \
    X(ACTION_NONE, "none") \
    X(ACTION_WIDEN, "widen") \
    X(ACTION_COPY, "copy") \
    X(ACTION_EXCHANGE, "exchange") \
    X(ACTION_TURN, "turn") \
    X(ACTION_KEEP, "keep") \
    X(ACTION_ADD, "add")

typedef enum {
#define X(action, text) action,
    ACTIONS(X)
#undef X
} Action;

typedef struct {
    const Access *access;
    int64_t offset; /* from the group's root */
    int position;   /* of its instruction in the block */
    bool tested;    /* that it lies at this offset is tested at run time */
    LLVMBasicBlockRef under; /* made only by threads that come through this block; NULL: by all */
} Member;

/* A load that is given what a member has stored before it (store_forward.c). */
typedef struct {
    Member load;
    const Member *store;
} Follow;

/* A run of bytes that the warp moves together: `count` units of 1, 2, 4, 8 or 16 bytes of every thread's record. */
typedef struct {
    int64_t offset;
    int unit, count;
    bool aligned;     /* known to lie at a multiple of the unit; else tested at run time */
    bool consecutive; /* the threads' records follow each other at one stride: tested at run time */
} Part;

enum { GROUP_BYTES = 256, GROUP_PARTS = 32 };
enum { CHUNK_BYTES = 128 }; /* longer records are moved in pieces of this size: their words are held in registers */

/* How the group's bytes are moved. The likely layout rests on run-time tests of its own; the sure one needs none, nor does that of
 * warps at the edge of a grid (partial_warp.c), which lanes may be missing from; by their own (few_lanes.c) each lane moves what is its. */
typedef struct {
    Part part[GROUP_PARTS];
    int parts;
} Layout;

typedef enum { LAYOUT_LIKELY, LAYOUT_SURE, LAYOUT_EDGE, LAYOUT_OWN, LAYOUTS } LayoutKind;

/* Another access that stands between the members, and would change its order with some of them. */
typedef struct {
    const Access *access;
    const Group *group; /* that it is a member of, or NULL */
    Member *member;
    LLVMValueRef instruction;
    int position;
} Other;

/* Bytes that must be found apart from the group's at run time: [low, high) from the access's pointer, or all of a group. */
typedef struct {
    const Access *access; /* of a group: its root, or, where that is made before this group begins, one that stands between */
    const Group *group;
    int64_t offset;       /* of the access from that group's root */
    bool tested;          /* that it lies there is tested at run time */
    int64_t low, high;
    bool same;    /* of the group's own place, apart unless an index wraps: tested is whether they lie where they seem to */
    List claimed; /* of Member: those of the group that lie where it says only if a test says so, too */
} Conflict;

/* How the bytes get to the threads that want them. */
typedef enum {
    MOVES_EXCHANGED, /* the warp moves all threads' bytes together, and shuffles pass them on */
    MOVES_WIDENED,   /* every thread moves its own in wider pieces: nothing needs testing */
    MOVES_ALIGNED,   /* ... where they are aligned, which each asks for itself */
    MOVES_ALIKE,     /* all lanes load the same bytes, each of them in wider pieces, beside groups that are rewritten; or: */
    MOVES_SPREAD,    /* each lane loads one word in 32, which shuffles hand out; that all are at one place is tested */
    MOVES_RIDING     /* beside rows on the warp's shelf (shelf.c), where there is one */
} Moves;

/* What the search for groups has not yet held against the members. */
typedef struct {
    List between;   /* of Other: open groups only */
    size_t settled; /* of them, found harmless or put among the conflicts */
    List atomics;   /* of LLVMValueRef: passed since the first member */
    bool broken;    /* along a chain: its last member cannot go down to where the condition ends */
} GroupSearch;

/* What must be found at run time, but for the members' places. */
typedef struct {
    List conflicts; /* of Conflict */
    bool generic;   /* that the pointers lead to global memory */
} GroupTests;

/* Of a warp: bytes of DRAM time that it takes as it is, and rewritten; and what it asks for then. */
typedef struct {
    double plain, rewritten;
    bool fewer; /* it takes fewer requests */
    bool few;   /* so few that a test is worth it which each thread makes for itself: beside stores, or */
    bool saves; /* for loads alone */
    double requests, sectors;
} GroupCost;

/* What is made of it. */
typedef struct {
    Layout layout[LAYOUTS];
    Moves moves;
    bool spreads;       /* what rides on a shelf: handed out by shuffles where there is none */
    bool narrow;        /* moved in pieces of half the size, where registers are few */
    const Shelf *shelf; /* where it lies; NULL: nowhere */
    bool returns;       /* stores to where a group of its region loads from */
    bool chosen;        /* to be rewritten, if its region can be tested */
    Action action;      /* ACTION_NONE: it is left as it is, */
    Why why;            /* and why; WHY_NONE where nothing was to be gained from the beginning */
} GroupChoice;

struct Group {
    Scope *scope;
    AccessOp op;
    LLVMBasicBlockRef block;
    int number;          /* from 1; tells the module's groups apart */
    List members;        /* of Member, in program order */
    List follows;        /* of Follow, in program order, before the last member */
    List barriers;       /* of LLVMValueRef: passed since the first member */
    bool crosses;        /* there are barriers between its members */
    bool along;          /* its members stand along a chain of conditions (conditional_records.c) */
    bool chosen;         /* all of them under one and the same, which data decide (chosen_records.c) */
    const Access *root;  /* the first member's: offsets are counted from its pointer */
    int64_t low, high;   /* bytes from the root */
    int covered;         /* of them, touched */
    bool has_stride;
    int64_t stride;      /* a number of bytes from thread to thread */
    bool is_row;         /* each thread's row lies at one distance, number or not, from its neighbour's */
    GroupSearch search;
    GroupTests tests;
    GroupCost cost;
    GroupChoice choice;
};

static inline bool group_is_uniform(const Group *group) { return group->choice.moves >= MOVES_ALIKE; }
/* Does every thread move its own bytes? */
static inline bool group_widens(const Group *group)
{
    return group->choice.moves == MOVES_WIDENED || group->choice.moves == MOVES_ALIGNED;
}

/* Does the warp move them for its threads? */
static inline bool group_is_exchanged(const Group *group)
{
    return group->choice.chosen && !group_widens(group) && !group_is_uniform(group);
}

/* What decides profit in the kernel that the group stands in. */
static inline const Costs *costs_of(const Group *group) { return &group->scope->kernel->options.cost; }

/* The groups of every block of the scope: a List of Group. */
List group_collect(Scope *scope);
/* A block of a chain: every thread comes through it; or only where a condition holds; or some threads do while others go
 * another way, and what it touches is not moved. */
typedef enum { LINK_ALL, LINK_UNDER, LINK_BESIDE } LinkRole;

typedef struct {
    LLVMBasicBlockRef block;
    LinkRole role;
} Link;

/* Groups of stores whose members may stand in several of the chain's blocks: a List of Link. */
List group_collect_along(Scope *scope, const List *links);
/* Groups of loads and of stores of what stands under a condition that is known in front of it, a List of Link: the first and the last
 * are passed by all that come there, those beside by some. */
List group_collect_under(Scope *scope, const List *links);
/* The access as one of the group, at its place: that it is there may have to be tested. */
Member member_of(const Group *group, const Access *access, int position);
/* From the root, where no index wraps; for accesses to the same place. */
int64_t group_offset(const Group *group, const Access *access);
/* All members are struct copies. */
bool group_is_copy(const Group *group);
/* Where they stand in program order. */
int member_first(const Group *group);
bool group_has_member(const Group *group, LLVMValueRef instruction);
/* Some members are made only by threads that come through a block of their own. */
bool group_has_conditions(const Group *group);
int member_last(const Group *group);
Member *member_at(const Group *group, size_t i);
/* Of all whose places may have to be tested: the members, then the loads that are given what those store. */
size_t group_places(const Group *group);
Member *group_place(const Group *group, size_t i);
const char *action_text(Action action);

/* What is told to the caches for all of its members; NULL: nothing. */
const char *group_hint(const Group *group);
/* Do they lie side by side in one record, and load both, or store both? They are members of one group then, if nothing stands between them. */
bool access_is_beside(const Access *access, const Access *other);
/* Is the one access in another memory than the other, whoever calls their function? */
bool access_is_in_other_space(const Access *a, const Access *b);

/* ---- alone.c: accesses of records that are in no group with the others ---- */

/* What the search for groups has met so far of a scope, block by block. */
typedef struct {
    Arena *arena;
    Map *fellows; /* Record -> List of Fellow: of those that would move together, the latest */
    List obstacles; /* of Obstacle: in this block */
} Alone;

/* How the search has dealt with an access. */
typedef struct {
    int position;
    enum { MET_FIRST, MET_JOINED, MET_REFUSED } how; /* by the group that the one of its record before it is in, if there is such */
    int touched, touched_last; /* where stands what touches the same bytes, the first and the last of that; NOWHERE: nothing does */
} Met;

enum { NOWHERE = -1 };

Alone alone_open(Arena *arena);
void alone_begin_block(Alone *alone);
/* Nothing moves over what stands there, for this cause. */
void alone_obstacle(Alone *alone, int position, Why why);
/* Leaves on the access, and on the one of its record before it, what keeps the two apart. To be called in program order. */
void alone_note(Alone *alone, Access *access, const Met *met);

/* ---- store_forward.c ---- */

/* The load as one that is given what the group has stored, if more is stored later; NULL where it is not just that. */
Follow *follow_add(Group *stores, const Access *load, int position);
/* When all members are known: what comes after the last reads memory. */
void follows_end(Group *stores);

/* ---- across_barrier.c ---- */

/* May the access join a group that barriers have passed? */
bool may_cross(const Group *group, const Access *joining);

/* ---- layout.c ---- */

/* Cuts the group's bytes into parts, by what is likely and by what is known; false where they are too many. */
bool layout_make(Group *group);
/* So many bytes behind a multiple of a line the access is made in the first iteration of its loop, as far as that is likely: where allocations
 * and rows are such multiples. False: nobody knows. */
bool layout_begins(const Access *access, int64_t *byte);
/* What the row is likely to begin at a multiple of, at most a unit: the pieces that it moves in. */
int64_t layout_row_unit(const Access *access);
/* Parts that each thread moves itself, in pieces as wide as is known, or likely, to be aligned. */
bool layout_own(Group *group, LayoutKind aligned);
/* What all lanes load is words without a gap, a multiple of as many as a warp has lanes. */
bool layout_spreads(const Group *group);

/* Do shuffles hand out what all lanes load alike, where the version that expects it runs and there is no shelf? */
bool group_is_spread(const Group *group);
/* From the sure one: no units are swapped by pairs of lanes, one of which may be missing. False where the parts are too many. */
bool layout_for_edge(Group *group);
/* Each lane moves its own, and may have to test how that is aligned. False where the parts are too many. */
bool layout_for_few(Group *group);
/* Do the warp's requests move the same bytes of both records, in both layouts? */
bool layout_same(const Group *a, const Group *b);
/* Does the likely layout rest on a test? */
bool layout_is_tested(const Group *group);
/* Do registers hold the layout's units, of which each takes one or more? */
bool layout_fits(const Group *group);

/* ---- exchange_cost.c ---- */

void cost_estimate(Group *group);
bool cost_pays(const Group *group);
/* Words that a group of records takes while it is exchanged. */
int registers_of_group(const Group *group);

/* ---- load_chains.c ---- */

/* Does where its loads lead depend on what they brought the iteration before, as in lists, trees and binary searches? */
bool group_is_chased(const Group *group);

/* ---- near_places.c ---- */

/* Is where its loads lead computed from floats, so that lanes are likely to find what they want near each other? */
bool group_is_near(const Group *group);

/* ---- slots.c ---- */

/* Of a warp that runs the block once: of those that start fastest, as many instructions as take as long. */
double slots_of_block(const Costs *costs, LLVMBasicBlockRef block);

/* ---- overlap_cost.c ---- */

/* Of groups of one block, those that are chosen and gain nothing, because arithmetic takes longer, are given up; loads that the
 * cache serves are taken along with others where they hold up the block all the same. */
void overlap_settle(const Kernel *kernel, const List *groups, size_t from, size_t to);
/* Does a chosen group along a chain gain anything, with all that those of its blocks have to do? */
bool overlap_allows(const Kernel *kernel, Group *group, const List *links);

/* What a warp takes for the block, in bytes of DRAM time, as it is or with those of its groups exchanged that are chosen. */
double overlap_time(const Scope *scope, LLVMBasicBlockRef block, const List *groups, size_t from, size_t to, bool plain);

/* ---- hidden_stores.c ---- */

/* Chosen stores of the scope, all of whose groups are given, are given up where what else the kernel does hides them. */
void hidden_settle(Scope *scope, const List *groups);

/* ---- kernel_cost.c: what is gained beside all that the kernel does ---- */

/* Chosen groups of the scope, all of whose groups are given, are given up where that is little. */
void weigh_settle(Scope *scope, const List *groups);
/* Is what is saved, all times that the function runs it, enough? Where nothing was weighed, anything is. */
bool weigh_allows(const Scope *scope, double saved);
/* How often the block runs for one time that its function does. */
double weigh_block(Scope *scope, LLVMBasicBlockRef block);

#endif
