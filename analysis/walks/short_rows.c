/* Which rows are too short to gain, where what the kernel is given tells their length: an argument, a member of a struct, or two of them.
 *
 *     for (j = 0; j < m; j++) s += A[t*m + j]             m < 32: less than 128 bytes, which plain clang's code does better
 *     for (j = lane; j < m; j += 32) s += A[w*m + j]      m < 256: eight iterations that stand in one body are never made
 *     for (p = t*(n/k); p < (t+1)*(n/k); p++) s += A[p]   n / k < 128
 *     for (p = t*c; p < min(n, (t+1)*c); p++) s += A[p]   c < 128: as long as n is larger
 *
 * Whoever launches the kernel can ask that, and nobody else: inside of it a question comes too late, as its threads have the registers of the longer
 * loop already. The number of iterations is reckoned for supposed values of what is given, and the least one looked for that gives rows which are
 * long enough; of threads that share a row, the first one has most. A wrong answer costs time alone: both kernels do the same. */
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

/* A number of iterations that what is given tells. */
typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
    IrGiven given[SPARE_NUMBERS];
    size_t count;
    int64_t least; /* iterations of a row that is long enough */
    int64_t others; /* what all numbers but the first are supposed to be, where a thread's place is asked */
} Told;

enum { UNTOLD = -1, MANY = 1 << 14, ENDLESS = 1 << 30 };

static int64_t trips_at(Told *told, int64_t thread, int64_t block, int64_t threads)
{
    const IrPlace place = {thread, block, threads, false};
    return ir_loop_trips_if(told->kernel->ir, told->loop, told->given, told->count, &place);
}

/* Would the first thread's row be long enough? UNTOLD where its length is told by other things as well. */
static int is_long_if(Told *told)
{
    bool used = false;
    int64_t trips = trips_at(told, 0, 0, 0);
    for (size_t i = 0; i < told->count; i++)
        used |= told->given[i].used;
    return trips < 0 || !used ? UNTOLD : trips >= told->least;
}

static int is_long_at(Told *told, size_t i, int64_t value)
{
    told->given[i].value = value;
    return is_long_if(told);
}

/* Above `low`, which is too short, the first that is not, up to `high`, which is long enough. */
static int64_t first_long(Told *told, size_t i, int64_t low, int64_t high)
{
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (is_long_at(told, i, middle) == 1)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Are rows of that many and more long enough, and of fewer not, as far as some of them tell? */
static bool rises_at(Told *told, size_t i, int64_t value, int64_t most)
{
    bool rises = true;
    for (int64_t beyond = 1; rises && value + beyond <= most; beyond *= 3)
        rises = is_long_at(told, i, value + beyond) == 1;
    for (int64_t less = value - 1; rises && less > 0; less /= 2)
        rises = is_long_at(told, i, less) == 0;
    return rises;
}

/* The least value of the one number that is long enough, where the others have theirs; UNTOLD where that tells nothing. */
static int64_t bound_of(Told *told, size_t i)
{
    enum { MOST = 1 << 20 };
    unsigned bits = told->given[i].bits;
    int64_t most = bits < 32 ? ((int64_t)1 << (bits - 1)) - 1 : MOST;
    if (is_long_at(told, i, 0) != 0 || is_long_at(told, i, most) != 1)
        return UNTOLD;
    int64_t below = first_long(told, i, 0, most);
    return rises_at(told, i, below, most) ? below : UNTOLD;
}

static void suppose_all(Told *told, int64_t value)
{
    for (size_t i = 0; i < told->count; i++)
        told->given[i].value = value;
}

enum { SOME = 7, MORE = 100 }; /* other numbers, which are tried */

/* The least product that is long enough: as far as one number tells beside ones, and beside another one. */
static int64_t product_of(Told *told)
{
    suppose_all(told, 1);
    int64_t below = bound_of(told, 0);
    bool alike = below > 0;
    for (size_t i = 1; alike && i < told->count; i++) {
        suppose_all(told, 1);
        alike = bound_of(told, i) == below;
    }
    for (size_t i = 1; alike && i < told->count; i++) {
        suppose_all(told, 1);
        told->given[i].value = SOME;
        alike = is_long_at(told, 0, (below + SOME - 1) / SOME) == 1 && is_long_at(told, 0, (below - 1) / SOME) == 0;
    }
    return alike ? below : UNTOLD;
}

/* Is the quotient of that bound where it is divided by so much, rounded down or up? */
static bool is_quotient(Told *told, int64_t below, int64_t by)
{
    told->given[1].value = by;
    int64_t down = below * by, up = (below - 1) * by + 1;
    return (is_long_at(told, 0, down) == 1 && is_long_at(told, 0, down - 1) == 0) ||
           (is_long_at(told, 0, up) == 1 && is_long_at(told, 0, up - 1) == 0);
}

/* The first number of which an unrolled loop leaves enough, as it does again and again where there are more. */
static int64_t leftover_of(Told *told)
{
    enum { MOST = 64 };
    int is_long = told->count == 1 && ir_loop_most_trips(told->kernel->ir, told->loop) ? is_long_at(told, 0, 0) : UNTOLD;
    int64_t value = 0;
    while (is_long == 0 && value < MOST)
        is_long = is_long_at(told, 0, ++value);
    return is_long == 1 && value ? value : UNTOLD;
}

/* The least quotient of the first by the second. One of two says no more than which is larger, as a difference does. */
static int64_t quotient_of(Told *told)
{
    told->given[1].value = 1;
    int64_t below = bound_of(told, 0);
    return below > 2 && is_quotient(told, below, SOME) && is_quotient(told, below, MORE) ? below : UNTOLD;
}

/* The least value of the first number, where the second one only ends what there is, and is large. */
static int64_t chunk_of(Told *told)
{
    told->given[1].value = ENDLESS;
    int64_t below = bound_of(told, 0);
    told->given[1].value = ENDLESS / SOME;
    return below > 0 && bound_of(told, 0) == below ? below : UNTOLD;
}

static void swap(IrGiven *one, IrGiven *other)
{
    IrGiven first = *one;
    *one = *other;
    *other = first;
}

static bool is_before(const IrGiven *one, const IrGiven *other)
{
    return one->argument != other->argument ? one->argument < other->argument : one->offset < other->offset;
}

/* So that the same is asked by the same words. */
static void sort(Told *told)
{
    for (size_t i = 0; i < told->count; i++)
        for (size_t k = i + 1; k < told->count; k++)
            if (is_before(&told->given[k], &told->given[i]))
                swap(&told->given[i], &told->given[k]);
}

/* The bound, by what the numbers make; of two of them in the order in which they make it. */
static int64_t bound_of_all(Told *told, SpareCondition *small)
{
    sort(told);
    int64_t below = product_of(told);
    told->others = 1;
    for (int turn = 0; turn < 4 && below == UNTOLD && told->count == 2; turn++) {
        if (turn % 2)
            swap(&told->given[0], &told->given[1]);
        below = turn < 2 ? quotient_of(told) : chunk_of(told);
        told->others = turn < 2 ? MANY : ENDLESS;
    }
    if (below == UNTOLD && told->count == 1)
        below = leftover_of(told);
    small->divides = told->others == MANY;
    small->count = told->others == ENDLESS ? 1 : (unsigned)told->count;
    return below;
}

/* Has no thread a longer one than the first, as those of a triangle have? */
static bool is_first_longest(Told *told, int64_t value)
{
    enum { THREAD = 100, BLOCK = 100, THREADS = 128 };
    suppose_all(told, told->others);
    told->given[0].value = told->others == MANY ? value * MANY : value;
    int64_t first = trips_at(told, 0, 0, 0), beside = trips_at(told, THREAD, 0, THREADS),
            behind = trips_at(told, 0, BLOCK, THREADS);
    return beside >= 0 && beside <= first && behind >= 0 && behind <= first;
}

/* Do threads share the row? Where the first one has just enough of it, the next one has not. */
static bool is_shared(Told *told, int64_t value)
{
    enum { THREADS = 128 };
    suppose_all(told, told->others == MANY ? 1 : told->others);
    told->given[0].value = value;
    return trips_at(told, 1, 0, THREADS) < trips_at(told, 0, 0, 0);
}

static bool is_number(const IrGiven *given)
{
    return given->bits == 8 || given->bits == 16 || given->bits == 32 || given->bits == 64;
}

/* Less than so many iterations; `shared`: of rows that threads share alone. */
static bool few_find(const Kernel *kernel, IrLoop *loop, int64_t least, bool shared, SpareCondition *small)
{
    Told told = {.kernel = kernel, .loop = loop, .least = least};
    if (LLVMGetBasicBlockParent(ir_loop_header(loop)) != kernel->function ||
        !ir_loop_given(kernel->ir, loop, told.given, SPARE_NUMBERS, &told.count) || !told.count)
        return false;
    *small = (SpareCondition){0};
    int64_t below = bound_of_all(&told, small);
    bool is_told = below > 0 && is_first_longest(&told, below) && is_first_longest(&told, 4 * below);
    is_told = is_told && (!shared || is_shared(&told, below));
    small->below = (uint64_t)below;
    for (size_t i = 0; i < small->count; i++) {
        const IrGiven *given = &told.given[i];
        bool is_member = given->offset != IR_ARGUMENT;
        is_told &= is_number(given);
        small->number[i] = (SpareNumber){given->argument, given->bits, is_member ? (unsigned)given->offset : 0, is_member};
    }
    return is_told;
}

int shortest_piece(const Block *block)
{
    int least = block->factor[0];
    for (int i = 1; i < block->factors; i++)
        least = block->factor[i] > 1 ? block->factor[i] : least;
    for (int i = 0; block->reuse && i < block->reuse->sizes; i++)
        least = block->reuse->size[i].factor[0] < least ? block->reuse->size[i].factor[0] : least;
    return least;
}

bool short_row_find(const Kernel *kernel, IrLoop *loop, int64_t step, int64_t bytes, SpareCondition *small)
{
    return step > 0 && few_find(kernel, loop, (bytes + step - 1) / step, false, small);
}

static bool stores(IrLoop *loop)
{
    for (size_t i = 0; i < ir_loop_size(loop); i++)
        if (block_stores(ir_loop_block(loop, i)))
            return true;
    return false;
}

/* Rows that the loop stores move by sectors where they are shorter than a piece, in the loop as it was: both neighbours of 20 floats came to 2.3 of plain clang, five words to
 * 3.8, of 8 floats to 0.92 and 1.01 (H100). */
bool short_part_find(const Kernel *kernel, IrLoop *loop, int trips, bool by_sectors, SpareCondition *small)
{
    int piece = (int)kernel->options.cost.PIECE,
        least = by_sectors && stores(loop) ? (trips * SECTOR_BYTES + piece - 1) / piece : trips;
    return few_find(kernel, loop, least, false, small);
}

/* Bytes of the longest element that an iteration loads. */
static int64_t element_of(const Kernel *kernel, const Batch *batch)
{
    int64_t most = 1;
    for (size_t i = 0; i < batch->loads.count; i++) {
        int64_t bytes = (int64_t)LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(batch->loads.item[i]));
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Of threads that share a row the last one is to have as many iterations: the first one has one more of a row that is longer by one. Rows that a thread has
 * alone lose nothing that was seen, but for windows that slide from thread to thread. */
bool short_loop_find(const Kernel *kernel, const Batch *batch, SpareCondition *small)
{
    IrLoop *loop = ir_loop_of(kernel->ir, batch->header);
    if (batch->slides)
        return few_find(kernel, loop, (int64_t)kernel->options.cost.SHORT_WINDOW / batch->slides, false, small);
    int64_t bytes = element_of(kernel, batch), least = ((int64_t)kernel->options.cost.SHORT_BESIDE + bytes - 1) / bytes;
    if (least < batch->times ||
        (!batch->stores && !ir_loop_is_one_block(loop))) /* one that goes ways and is entered at all gains */
        least = batch->times;
    if (!few_find(kernel, loop, least + 1, true, small))
        return false;
    small->below--;
    return true;
}
