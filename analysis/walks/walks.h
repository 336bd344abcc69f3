/* Loops that are made longer before records are looked for. */
#ifndef COALDA_WALKS_H
#define COALDA_WALKS_H

#include "analysis/access/access.h"
#include "analysis/ahead/batch.h"
#include "pass/host/spare_name.h"

enum { BLOCK_FACTORS = 3 }; /* usual, shortest that pays, a sector */

enum { REUSE_SIZES = 4 };

/* Of the loop around a walk, the version that holds so much of each row. */
typedef struct {
    int factor[BLOCK_FACTORS], factors; /* by which the walk is made longer: the first so many iterations are held, ... */
    int times;                          /* ... so many times; 0: none, of rows that are that long */
    bool last;                          /* no row is as long again: there is a version for those that are */
} ReuseSize;

/* The loop around a walk meets the same row in each of its iterations: what comes first of it is held in registers meanwhile. */
typedef struct {
    List blocks; /* of LLVMBasicBlockRef: header of the loop around, header of the walk, and on the way between them blocks whose
                    branch goes one way in every iteration that meets the row: */
    List ways;   /* of numbers of successors, for each of those */
    List loads;  /* of numbers among the walk's loads: those of the row */
    ReuseSize size[REUSE_SIZES]; /* from the longest to the shortest */
    int sizes;
    Why why;     /* none is held */
} Reuse;

enum { REUSE_AROUND, REUSE_WALK, REUSE_WAYS }; /* of its blocks */

static inline LLVMBasicBlockRef reuse_block(const Reuse *reuse, size_t i) { return (LLVMBasicBlockRef)reuse->blocks.item[i]; }

/* What a loop touches by one of its loads or stores, and by those that lie at a number of bytes from it. */
typedef struct {
    LLVMValueRef access; /* when it was found */
    intptr_t number;     /* among the loop's loads, or among what writes in it */
    int64_t low, high;   /* bytes from its pointer on */
    List apart;          /* of a load: of LoopSpan, of what it is to be apart from */
} LoopSpan;

/* What is asked on entry to a loop that stores, or adds: where all of it holds, none of some loads reads what anything in it writes. */
typedef struct {
    List loads, writes; /* of LoopSpan */
    List apart; /* those loads, by their numbers among the loop's loads */
    List beside; /* of numbers: writes to where one of them has loaded, which nothing is asked of */
} EntryTests;

/* The first iterations of a walk, behind which its pieces begin with sectors. */
typedef struct {
    int iterations, least; /* made in front of the loop where there are so many in all */
    AccessOp op; /* ... and where the row of this one, a load or a store, by its number among those of the loop, */
    intptr_t by;
    int64_t ahead; /* so many bytes further, is at a multiple of 16 */
    List loads, stores; /* of numbers: those that begin so */
} RowBegin;

/* A loop whose body is to be made longer before records are looked for. */
struct Block {
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    int factor[BLOCK_FACTORS], factors; /* times as long: the loop, and what is left of it, and of that; 1: that is a loop */
    int64_t step; /* bytes of the longest row that an iteration has */
    List early; /* of numbers among the loop's loads: those that come first in the longer loop */
    const EntryTests *tests; /* asked first, of a version of it that is made longer; NULL: nothing is */
    int shelf_threads; /* of a block that has shelves: a version is for those, another one for larger blocks; 0: one is for all */
    bool shelved; /* the first of them has shelves */
    bool splits; /* it leaves in the middle of an iteration: only those before are made longer */
    bool apart; /* the rows of its threads may differ in length */
    bool listed; /* and their lengths, or places, are loaded, and it moves by short pieces */
    bool lone; /* of words, and no other row is walked beside it */
    bool leads; /* and each of its words leads to more than a few */
    int64_t few_threads; /* in launches of fewer, a list of fewer pieces than those goes as it is; 0: that is no matter */
    int few_pieces;
    const RowBegin *begin; /* NULL where its pieces begin with sectors anyway, or nobody knows */
    const Reuse *reuse; /* NULL where its rows are not met again */
    List held; /* of LLVMBasicBlockRef: walks: where what is held is loaded, and headers of the loops for what is not */
    bool told; /* what the kernel is given tells the length of its row: */
    SpareCondition small; /* where that holds, the row is too short to gain */
    bool near; /* or, where few threads are on each SM, its rows lie in the first-level cache: */
    SpareFew few;
    int depth; /* of loops that it stands in, with its own */
    bool shares; /* rows that all lanes share are walked beside its own, and ride along where that lies on a shelf */
    bool told_on_shelf; /* or ... */
    SpareCondition small_on_shelf; /* ... to gain by a shelf */
    bool pays; /* its longer body is rewritten: */
    bool moves[OP_ATOMIC]; /* loads of walks, stores of walks */
    Why why[OP_ATOMIC]; /* and those that are not rewritten in it */
};

/* ---- strip_mine.c: walks whose loops are worth lengthening ---- */

void block_find(Kernel *kernel);
/* What keeps the loop of a walk from being made longer, or from being worth it; WHY_NONE where nothing does. It is asked of what is
 * told alone, by the questions of block_find: the Access that those were asked of is gone where a loop of its function was made
 * longer or is as it was again, and a loop stays as it is for its longest walk while each is told what is wrong with it alone. */
Why block_obstacle(Kernel *kernel, const Access *access);

/* ---- row_begin.c ---- */

/* Of a loop of one block whose rows, of Access, move so many iterations at once. NULL: nothing is made in front of it. */
const RowBegin *row_begin_find(const Kernel *kernel, IrLoop *loop, const List *rows, int factor);

/* ---- row_reuse.c: rows that the loop around a walk meets in each of its iterations ---- */

/* Where the load, or the store, stands among those of the loop, in the order of its blocks: the same in a copy of the loop, and when sums
 * and products have been settled. */
intptr_t number_in(IrLoop *loop, LLVMValueRef access);
/* NULL where the loop around meets no row again, or the row had better not be held. */
Reuse *reuse_find(Scope *scope, IrLoop *walk, const List *loads);
bool reuse_has(const Reuse *reuse, const Access *access);

/* ---- entry_apart.c ---- */

/* Every load, and every store and silent atomic, of the loop; false where it touches memory otherwise. */
bool loop_memory_find(const Scope *scope, IrLoop *loop, List *loads, List *writes);
/* May the store or the atomic write what the load reads, in whichever iterations? */
bool may_meet(const Scope *scope, LLVMValueRef write, LLVMValueRef load);
/* What has to be asked so that the loads, of the loop, are apart from all that it stores; NULL where nothing has to be, or nobody can. */
EntryTests *entry_tests_find(Scope *scope, IrLoop *loop, const List *loads);
/* Are there too many places of so many iterations to be told from the loads in each body? */
bool entry_tests_wanted(Scope *scope, IrLoop *loop, const List *loads, int iterations);

/* ---- loaded_bounds.c ---- */

/* A loop that is left by what it loads in each iteration from places that do not move. */
typedef struct {
    LLVMBasicBlockRef header;
    List loads; /* of numbers among the loop's loads */
} LoadedBounds;

/* Those of the kernel's own body: a List of LoadedBounds. */
List bounds_find(Kernel *kernel);

/* ---- some_rows.c ---- */

enum { SOME_ENDS = 2 }; /* words at each end of a row, of which one is to be loaded */
enum { SOME_SAMPLED = 4 }; /* words side by side that a lane looks at on entry, where data decide */

/* Loads of one row, of which each moves on by so many bytes in an iteration. */
typedef struct {
    List loads; /* of numbers among the loop's loads, in the order of places */
    int64_t *offset; /* where each lies, from one of them on */
    int64_t step;
    int64_t begins; /* at a multiple of so many bytes, or it is left as it is; 1: anywhere */
} SomeRow;

/* A loop that loads words of rows in some of its iterations alone, which a version of it is to load in every one. */
typedef struct {
    LLVMBasicBlockRef header;
    List rows; /* of SomeRow */
    int trips; /* fewer iterations than that are not worth the tests */
    bool by_data; /* what is loaded decides in which of them: */
    int least; /* of 100 sectors of the rows, fewer than which are not worth all of them, as is looked for on entry; 0: any are */
    bool is_kept; /* the loop as it was has other rows that move; */
    int times; /* else so many of its iterations are to stand in one body */
} SomeRows;

/* Those of the kernel's own body: a List of SomeRows. */
List some_rows_find(Kernel *kernel);
/* Where a block's one condition is asked; NULL where it stands under none, or there are several ways to it. */
LLVMBasicBlockRef some_parent(IrModule *ir, LLVMBasicBlockRef block);
/* May it count? An integer, or a pointer. */
bool some_is_number(LLVMValueRef value);

/* ---- index_sets.c ---- */

/* A loop of which some iterations are to run by themselves: those in which conditions of counters hold, under which it loads or stores words of rows. */
typedef struct {
    LLVMBasicBlockRef header;
    int trips; /* fewer of them than that are not worth it */
    int multiple; /* a sector holds the words of so many: pieces of rows are to begin with one */
    bool is_kept; /* the loop has rows under no condition, and is kept for where there are fewer */
    bool is_late; /* of conditions both of whose ways move the loop's last iterations are meant, and not the first */
    bool is_open; /* the iterations behind them go the other way of such conditions, and may come to run by themselves as well */
    bool is_common; /* they are those that all lanes of a warp have */
} IndexSet;

/* Those of the kernel's own body: a List of IndexSet. */
List index_sets_find(Kernel *kernel);
/* The last iterations of loops of which the first are none that pay. */
List index_sets_find_late(Kernel *kernel);

/* ---- searched_rows.c ---- */

/* A row of which a loop that is left by what it loads is to load pieces at once. */
typedef struct {
    const Access *first;
    List loads; /* of LLVMValueRef: the first, of that access, is made in every iteration, and in front of the others */
    int64_t *from; /* where each lies, in bytes from that one on */
    int64_t step; /* bytes that it goes on by, downwards where they are negative */
    int64_t base; /* of those that are loaded together with the first one, where the lowest lies; downwards, the highest */
} SoughtRow;

typedef struct {
    LLVMBasicBlockRef header;
    List rows; /* of SoughtRow */
    int iterations; /* that a piece is for */
    int nearer; /* iterations that there may be, at least, where the only row is walked as it was until it comes to a piece; 0: that is not done */
    bool never_lies; /* else it begins with none, as far as numbers are known */
    int words; /* of all pieces, which registers hold */
} SoughtRows;

/* Those of the kernel's own body: a List of SoughtRows. */
List sought_rows_find(Kernel *kernel);

/* ---- windows.c ---- */

/* Is the row a window that is cut off at edges, which is short and overlaps its neighbours' more often than not? */
bool row_is_window(const Kernel *kernel, const Access *row);

/* ---- short_rows.c ---- */

/* The shortest piece that the block moves, in iterations. */
int shortest_piece(const Block *block);
/* Does what the kernel is given tell the length of the row, of which an iteration has `step` bytes? It is too short where it has less than so many. */
bool short_row_find(const Kernel *kernel, IrLoop *loop, int64_t step, int64_t bytes, SpareCondition *small);
/* Does it tell how often the loop runs, of which a version is to be walked that has so many iterations, a piece, at least? Fewer are too short, or,
 * where it stores and the loop as it was moves rows by sectors, a quarter of them. */
bool short_part_find(const Kernel *kernel, IrLoop *loop, int trips, bool by_sectors, SpareCondition *small);
/* Does it tell how often the loop runs, whose iterations are to stand side by side? Few of them are too short. */
bool short_loop_find(const Kernel *kernel, const Batch *batch, SpareCondition *small);

/* ---- vector_rest.c ---- */

/* Does the loop go on where one of vectors, which LLVM has made of it, stopped? */
bool loop_is_vector_rest(const Kernel *kernel, IrLoop *loop);

/* ---- near_rows.c ---- */

/* May both walk the same rows, each in a loop of its own? */
bool rows_are_alike(const Access *one, const Access *other);
/* Are the rows, of Access, of the loop met again by the loop around, or walked by so many loops that it is the same, so that launches of few threads gain
 * nothing? Of a block that knows the rest. */
bool near_rows_find(const Kernel *kernel, IrLoop *loop, const List *rows, int loops, const Block *block, SpareFew *few);
/* Where a list, a row whose length is loaded, lies near: it is walked once, and may lead to records that are longer than it is. */
bool near_list_find(const Kernel *kernel, const Block *block, const Access *row, bool leads_to_records, SpareFew *few);
/* Lists so many bytes apart are no longer than that: what the kernel is given tells when they have less than the least. */
bool list_pitch_find(const Kernel *kernel, const Access *row, int64_t least, SpareCondition *less);
/* Windows on one array that begin near each other, and overlap, gain nothing, however long they are: what the kernel is given may tell that, beside their
 * length, if that is told, or a number. Is either? */
bool near_windows_find(const Kernel *kernel, IrLoop *loop, const List *rows, bool told, SpareCondition *small);

/* ---- doubted_rows.c ---- */

/* Loads of rows which the loop may write to at places that data tell. */
typedef struct {
    LLVMBasicBlockRef header;
    List rows; /* of LoopSpan: the stretches of them */
    List loads; /* those loads, by their numbers among the loop's loads */
    List writes; /* what may write there, by numbers */
    int trips; /* fewer iterations than that are not worth it */
} DoubtedRows;

/* Those of the kernel's own body: a List of DoubtedRows. */
List doubted_rows_find(Kernel *kernel);

/* ---- load_hoist.c ---- */

/* Does the loop end with its latch, and nowhere else? */
bool loop_is_whole(IrLoop *loop);
/* May what the store or the atomic, of the loop, writes be loaded by a later iteration, or by the same one? */
bool write_reaches(const Scope *scope, IrLoop *loop, LLVMValueRef write, LLVMValueRef load);
/* What keeps the load from being made for all iterations of a longer loop where that begins; WHY_NONE where nothing does. */
Why hoist_obstacle(const Scope *scope, IrLoop *loop, LLVMValueRef load);
/* The same, whatever the loop writes. */
Why hoist_obstacle_but_memory(const Scope *scope, IrLoop *loop, LLVMValueRef load);

#endif
