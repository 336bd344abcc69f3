/* Which rows are too short to gain by what a walk becomes, where an argument of the kernel tells their length:
 *
 *     for (j = 0; j < m; j++) s += A[t*m + j]      m < 32: less than 128 bytes, which plain clang's code does better
 *
 * Whoever launches the kernel can ask that, and nobody else: inside of it a question comes too late, as its threads have the registers of the longer
 * loop already. The number of iterations is reckoned for supposed values of one argument, and the least value looked for that gives rows which are
 * long enough. A wrong answer costs time alone: both kernels do the same. */
#include "analysis/walks/walks.h"

/* A number of iterations that one argument tells. */
typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
    unsigned argument;
    int64_t step, least; /* bytes: of an iteration, and of a row that is long enough */
} Told;

enum { UNTOLD = -1 };

/* Would the row be long enough? UNTOLD where its length is told by other things as well. */
static int is_long_if(const Told *told, int64_t value)
{
    bool used = false;
    int64_t trips = ir_loop_trips_if(told->kernel->ir, told->loop, &told->argument, &value, 1, &used);
    return trips < 0 || !used ? UNTOLD : trips >= (told->least + told->step - 1) / told->step;
}

/* Above `low`, which is too short, the first that is not, up to `high`, which is long enough. */
static int64_t first_long(const Told *told, int64_t low, int64_t high)
{
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (is_long_if(told, middle) == 1)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* Are rows of that many and more long enough, and of fewer not, as far as some of them tell? */
static bool rises_at(const Told *told, int64_t value, int64_t most)
{
    bool rises = true;
    for (int64_t beyond = 1; rises && value + beyond <= most; beyond *= 3)
        rises = is_long_if(told, value + beyond) == 1;
    for (int64_t less = value - 1; rises && less > 0; less /= 2)
        rises = is_long_if(told, less) == 0;
    return rises;
}

static bool is_told_by(const Told *told, unsigned bits, SmallArgument *small)
{
    enum { MOST = 1 << 20 };
    int64_t most = bits < 32 ? ((int64_t)1 << (bits - 1)) - 1 : MOST;
    if (is_long_if(told, 0) != 0 || is_long_if(told, most) != 1)
        return false;
    int64_t below = first_long(told, 0, most);
    *small = (SmallArgument){told->argument, bits, (uint64_t)below};
    return rises_at(told, below, most);
}

/* The shortest piece that the block moves, in iterations. */
static int shortest(const Block *block)
{
    int least = block->factor[0];
    for (int i = 1; i < block->factors; i++)
        least = block->factor[i] > 1 ? block->factor[i] : least;
    for (int i = 0; block->reuse && i < block->reuse->sizes; i++)
        least = block->reuse->size[i].factor[0] < least ? block->reuse->size[i].factor[0] : least;
    return least;
}

bool short_row_find(const Kernel *kernel, IrLoop *loop, const Block *block, int64_t step, int64_t bytes, SmallArgument *small)
{
    int64_t piece = shortest(block) * step;
    Told told = {kernel, loop, 0, step, piece > bytes ? piece : bytes};
    unsigned arguments = LLVMCountParams(kernel->function);
    if (step <= 0 || LLVMGetBasicBlockParent(ir_loop_header(loop)) != kernel->function)
        return false;
    for (; told.argument < arguments; told.argument++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, told.argument));
        unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
        if ((bits == 8 || bits == 16 || bits == 32 || bits == 64) && is_told_by(&told, bits, small))
            return true;
    }
    return false;
}
