/* Where the pieces of a walk begin.
 *
 *     for (j = 1; j < m; j++) x[i*m + j] -= c[i*m + j] * x[i*m + j-1]        the first piece of 64 bytes begins 4 bytes behind a sector
 *
 * Recurrences begin with the second word of a row, or with the last but one. Their pieces lie across sectors then, which two iterations of the longer
 * loop load, and store in part; and where no word of 16 bytes begins, the warp moves words of 4, four times as many requests and shuffles.
 * So the first iterations, as many as it takes to the first piece that begins with a sector, stand in front of the loop, one behind the other, where it is
 * found on entry that the rows lie so and are long: what they touch is a record, which the warp moves as any. How far the first iteration is from
 * there the addresses tell: rows and allocations are taken for multiples of a line, as they are where pieces are cut (analysis/records/layout.c).
 *
 * In a loop of their own, a word at a time, those iterations took a third of all the time: 131072 tridiagonal systems of 256 floats came from 6.2 to
 * 7.0 of plain clang so (H100). Loops that clang has unrolled have no iteration that is as long as a word, and stay. */
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

/* Bytes from the last multiple of `unit` to where the piece begins that so many iterations lead to; -1: nobody knows. */
static int64_t piece_begin(const Access *row, int iterations, int64_t unit)
{
    int64_t byte;
    if (!layout_begins(row, &byte))
        return -1;
    byte += iterations * row->step +
            (row->step < 0 ? row->bytes : 0); /* downwards: where it ends, which is as many pieces from there */
    return floor_mod(byte, unit);
}

/* Iterations until the row's pieces of so many bytes begin at multiples of that. */
static int iterations_until(const Access *row, int64_t piece)
{
    int64_t begin = piece_begin(row, 0, piece);
    if (begin < 0 || begin % row->bytes)
        return 0;
    return (int)((row->step < 0 ? begin : floor_mod(-begin, piece)) / row->bytes);
}

static bool is_dense(const Access *row) { return (int64_t)magnitude(row->step) == row->bytes && row->bytes >= WORD_BYTES; }

/* Of rows that many iterations lead to a word of 16 bytes. */
static int rows_aligned(const List *rows, int iterations)
{
    enum { WIDEST = 16 };
    int aligned = 0;
    for (size_t i = 0; i < rows->count; i++)
        aligned += is_dense(rows->item[i]) && piece_begin(rows->item[i], iterations, WIDEST) == 0;
    return aligned;
}

static void add_aligned(const Kernel *kernel, RowBegin *begin, IrLoop *loop, int64_t unit)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool walks = access->loop == loop && access->kind == CLASS_WALK && access->op != OP_ATOMIC && is_dense(access);
        if (walks && piece_begin(access, begin->iterations, unit) == 0)
            list_add(access->op == OP_LOAD ? &begin->loads : &begin->stores, (void *)number_in(loop, access->instruction));
    }
}

const RowBegin *row_begin_find(const Kernel *kernel, IrLoop *loop, const List *rows, int factor)
{
    enum { WIDEST = 16 };
    Arena *arena = kernel->plan->arena;
    RowBegin *begin = ARENA_NEW(arena, RowBegin);
    *begin = (RowBegin){.loads = list_new(arena), .stores = list_new(arena)};
    int most = rows_aligned(rows, 0);
    for (size_t i = 0; i < rows->count; i++) {
        const Access *row = rows->item[i];
        int64_t piece = factor * row->bytes < LINE_BYTES ? factor * row->bytes : LINE_BYTES;
        int iterations = is_dense(row) && piece >= SECTOR_BYTES ? iterations_until(row, piece) : 0;
        int aligned = iterations ? rows_aligned(rows, iterations) : 0;
        if (aligned <= most)
            continue;
        most = aligned;
        begin->iterations = iterations;
        begin->op = row->op;
        begin->by = number_in(loop, row->instruction);
        begin->ahead = iterations * row->step + (row->step < 0 ? row->bytes : 0);
    }
    if (!begin->iterations || (size_t)most * 2 <= rows->count || loop_waits_for_lanes(loop))
        return NULL; /* lanes that come to the loop at different times may begin it differently: nobody may wait for them in it */
    begin->least = begin->iterations + (int)kernel->options.cost.BEGIN_PIECES * factor;
    add_aligned(kernel, begin, loop, WIDEST);
    return begin;
}
