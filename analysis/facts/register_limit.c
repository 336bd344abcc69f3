/* Registers: a kernel may not need so many that a block which launched without the plugin does not launch with it.
 *
 * An SM has 65536, and a block is launched only where each of its threads gets as many as the kernel was compiled for. Where launch
 * bounds say how large blocks are, the backend keeps to what such a block has, and spills what remains. Where nothing is said, plain
 * code of at most 64 registers launches in blocks of any size: then the backend is told to keep to 64 (`nvvm.maxnreg`), and what
 * is rewritten is small enough for that. A kernel that may need more as it is gets nothing that needs more than it. */
#include "analysis/facts/facts.h"

enum {
    REGISTERS = 65536,  /* of an SM: CUDA C++ Programming Guide, compute capabilities 7.5 to 12.0 */
    MOST_REGISTERS = 255,
    STEP = 8,
    PERCENT = 100,
};

/* ---- what there is ---- */

static Pressure *pressure_in(Kernel *kernel, LLVMValueRef function)
{
    Pressure *pressure = map_get(kernel->asked.pressures, function);
    if (!pressure) {
        pressure = pressure_renewed(kernel->arena, function);
        map_put(kernel->asked.pressures, function, pressure);
    }
    return pressure;
}

int registers_live(Scope *scope, LLVMValueRef instruction)
{
    return pressure_at(pressure_in(scope->kernel, scope->function), instruction);
}

int words_in_arrays(LLVMValueRef function)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    uint64_t words = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at; at = LLVMGetNextInstruction(at))
        words += LLVMIsAAllocaInst(at) ? (LLVMABISizeOfType(layout, LLVMGetAllocatedType(at)) + WORD_BYTES - 1) / WORD_BYTES : 0;
    return words < INT16_MAX ? (int)words : INT16_MAX;
}

int registers_of_plain(Arena *arena, LLVMValueRef function)
{
    int words = pressure_most(pressure_renewed(arena, function));
    int ordered = words_in_arrays(function) ? pressure_most(pressure_ordered(arena, function)) : words;
    return ordered < words ? ordered : words;
}

/* Of the functions that the kernel runs, the most. */
static int most_of(Kernel *kernel, int (*words_of)(Kernel *kernel, LLVMValueRef function))
{
    int most = 0;
    for (size_t i = 0; i < kernel->found.scopes.count; i++) {
        int words = words_of(kernel, ((const Scope *)kernel->found.scopes.item[i])->function);
        most = words > most ? words : most;
    }
    return most;
}

static int words_by_now(Kernel *kernel, LLVMValueRef function) { return registers_of_plain(kernel->arena, function); }

static int words_at_first(Kernel *kernel, LLVMValueRef function)
{
    intptr_t words = (intptr_t)map_get(kernel->plan->before, function);
    if (!words) {
        words = words_by_now(kernel, function) + 1;
        map_put(kernel->plan->before, function, (void *)words);
    }
    return (int)words - 1;
}

/* Words that the kernel held before anything was rewritten, at least: blocks may be launched that could be, where the backend kept no more. */
static int words_before(Kernel *kernel) { return most_of(kernel, words_at_first); }

/* Does the backend know the limit already? */
static bool is_told(const Kernel *kernel)
{
    return kernel_number(kernel, "nvvm.maxnreg") || kernel_number(kernel, "nvvm.maxntid") || kernel_number(kernel, "nvvm.reqntid");
}

static int threads_of(Kernel *kernel)
{
    Shape shape = form_shape(kernel->forms);
    int threads = shape.limit ? shape.limit : shape.extent[0] * shape.extent[1] * shape.extent[2];
    threads = threads ? threads : block_most_threads(kernel);
    return (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES;
}

/* Registers that a thread of the kernel may have: as many as let every block be launched that could be launched without the plugin. */
static int registers_limit(Kernel *kernel)
{
    int64_t blocks = blocks_wanted(kernel), own = kernel_number(kernel, "nvvm.maxnreg");
    int64_t limit = REGISTERS / (threads_of(kernel) * (blocks > 1 ? blocks : 1)) / STEP * STEP;
    limit = own && own < limit ? own : limit;
    return limit > MOST_REGISTERS ? MOST_REGISTERS : (int)limit;
}

/* Words that are kept from block to block: what the backend can make no fewer of. */
static int words_kept(Kernel *kernel, LLVMValueRef function) { return pressure_between(pressure_in(kernel, function), function); }

bool registers_may_grow(Kernel *kernel)
{
    int limit = registers_limit(kernel);
    return is_told(kernel) || limit == MOST_REGISTERS || words_before(kernel) < limit ||
           most_of(kernel, words_kept) <= kernel->options.cost.EASY;
}

/* What the backend has beside the words: it made 40 registers of 34, 48 of 39, 72 of 56, but 64 of 57. Words on their way to an array in memory were stored
 * one by one: of 63 it made 56. */
static int beside_words(const Kernel *kernel)
{
    return map_get(kernel->plan->dissolved, kernel->function) || words_in_arrays(kernel->function) ? 0 : STEP;
}

static bool holds(Kernel *kernel, int before, int words, double room)
{
    int limit = registers_limit(kernel);
    bool fits = words * PERCENT <= limit * room;
    return words <= before || (fits && (is_told(kernel) || before < limit));
}

bool registers_hold(Kernel *kernel, int words) { return holds(kernel, words_before(kernel), words, kernel->options.cost.ROOM); }

static bool may_grow_from(Kernel *kernel, int before)
{
    return is_told(kernel) || registers_limit(kernel) == MOST_REGISTERS || before < registers_limit(kernel);
}

bool registers_hold_throughout(Kernel *kernel, int before, int words)
{
    return may_grow_from(kernel, before) && holds(kernel, before, words, kernel->options.cost.ARRAY_ROOM);
}

bool registers_hold_once(Kernel *kernel, int before, int words, int saved)
{
    bool few = (words - registers_limit(kernel)) * PERCENT <= saved * kernel->options.cost.ARRAY_SPILLED;
    return few && words - saved <= kernel->options.cost.ARRAY_BESIDE && may_grow_from(kernel, before) &&
           holds(kernel, before, words, kernel->options.cost.ROOM);
}

bool registers_are_few(Kernel *kernel, int least) { return registers_limit(kernel) < least; }

static bool is_kept(Kernel *kernel) { return is_told(kernel) || registers_limit(kernel) == MOST_REGISTERS; }

/* Does nothing keep the backend to the limit, as the kernel may need more as it is? */
static bool is_free(Kernel *kernel)
{
    return !is_kept(kernel) && words_before(kernel) + beside_words(kernel) >= registers_limit(kernel);
}

bool registers_stay(Kernel *kernel, int held)
{
    return kernel->options.always || held <= kernel->options.cost.RECORDS_HELD || !is_free(kernel);
}

int registers_to_cap(Kernel *kernel)
{
    return kernel->options.always || is_kept(kernel) || is_free(kernel) ? 0 : registers_limit(kernel);
}

int registers_to_bound_near(Kernel *kernel)
{
    int limit = registers_limit(kernel), words = words_before(kernel);
    bool is_near = limit == REGISTERS / MOST_THREADS && words < limit && words + STEP >= limit;
    return is_near && !is_told(kernel) && !kernel->options.always ? MOST_THREADS : 0;
}

int registers_to_bound(Kernel *kernel)
{
    bool any = registers_limit(kernel) == REGISTERS / MOST_THREADS;
    return any && registers_to_cap(kernel) ? MOST_THREADS : 0;
}

int registers_to_bound_many(Kernel *kernel, bool packed)
{
    const Costs *costs = &kernel->options.cost;
    int threads = registers_to_bound(kernel);
    return threads && most_of(kernel, words_by_now) > (packed ? costs->BOUNDED_PACKED : costs->BOUNDED) ? threads : 0;
}

bool registers_are_easy(Kernel *kernel) { return words_before(kernel) <= kernel->options.cost.EASY; }

int registers_to_keep(Kernel *kernel, int words)
{
    int slim = (int)kernel->options.cost.SLIM;
    bool fits = words * PERCENT <= slim * kernel->options.cost.ROOM;
    return kernel->options.always || is_told(kernel) || words_before(kernel) > slim || !fits ? 0 : slim;
}

static bool has_doubles(const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.scopes.count; i++) {
        LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[i])->function;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef r = LLVMGetFirstInstruction(b); r; r = LLVMGetNextInstruction(r))
                if (LLVMGetTypeKind(LLVMTypeOf(r)) == LLVMDoubleTypeKind)
                    return true;
    }
    return false;
}

/* What the backend needs beside the words of a list: it spilled nothing of 38 in 40 registers, and of 39 in 48, but 12 bytes of 44. Doubles have as many
 * as they like: 8192 lists of 26 came to 0.81 to 0.89 of plain clang in 48, to 1.03 to 1.06 in 62, a million to 1.40 and 1.48 (H200); and so have
 * kernels that hold much as they are: forces of a fluid, 26 words, 43 registers as plain code, spilled 64 bytes in 40 registers, none in 56. */
int registers_to_walk(Kernel *kernel, int words, bool lone)
{
    enum { BESIDE = 2, MORE = 5, OWN = 20 };
    const Costs *costs = &kernel->options.cost;
    int cap = registers_to_cap(kernel), least = (int)(lone ? costs->LISTED_LONE : costs->LISTED_REGISTERS);
    int limit = words + BESIDE <= least ? least : words + MORE <= least + STEP ? least + STEP : cap;
    return limit < cap && !has_doubles(kernel) && words_before(kernel) <= OWN ? limit : cap;
}

int registers_to_repeat(Kernel *kernel, int words, bool thin)
{
    const Costs *costs = &kernel->options.cost;
    int slim = (int)costs->SLIM, most = (int)(thin ? costs->SLIM_THIN : costs->SLIM);
    bool fits = words_before(kernel) <= slim && words <= most && !has_doubles(kernel);
    return kernel->options.always || is_told(kernel) || !fits ? 0 : slim;
}
