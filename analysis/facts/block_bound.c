/* How many threads has a block at most, where nobody says so? A shared array ends somewhere, and each thread fills a place of it, or reads one:
 *
 *     __shared__ float s[16][64];   s[threadIdx.x / 64][threadIdx.x % 64] = g[i];      along x 1024, and along y and z one, if the
 *                                                                                      kernel asks for neither
 *
 * A block that is longer along an axis goes behind the array, as soon as its threads come there; and one of more layers than
 * the kernel ever asks for does all of its work several times, on the same places, at the same time. */
#include <string.h>

#include "analysis/facts/facts.h"

enum { AXES = 3 };

enum { LOOPS = 4 }; /* counters that a place may have */

/* The thread's place in an array, in the first iteration of the loops around, or in the last one as far as they are counted. */
typedef struct {
    const Form *form;
    Given first[LOOPS], last[LOOPS];
    int loops;
    bool along[AXES]; /* whether it is another one for other threads of the axis */
} Spot;

static bool spot_is_known(Spot *spot, const Form *form);

static bool symbol_is_known(Spot *spot, const Symbol *symbol)
{
    switch (symbol->kind) {
    case SYM_TID: return spot->along[symbol->axis] = true;
    case SYM_LANE: return spot->along[0] = true;
    case SYM_OP: return spot_is_known(spot, symbol->a) && spot_is_known(spot, symbol->b) && !symbol->guard;
    case SYM_LOOP:
        for (int i = 0; i < spot->loops; i++)
            if (spot->first[i].symbol == symbol)
                return true;
        if (spot->loops == LOOPS)
            return false;
        spot->first[spot->loops] = (Given){symbol, 0};
        spot->last[spot->loops++] = (Given){symbol, symbol->trips ? symbol->trips - 1 : 0};
        return true;
    default: return false;
    }
}

/* Made of thread indices and of counters alone? */
static bool spot_is_known(Spot *spot, const Form *form)
{
    bool known = !form || !form->bounded;
    for (int i = 0; form && known && i < form->count; i++)
        for (int k = 0; known && k < form->term[i].degree; k++)
            known = symbol_is_known(spot, form->term[i].symbol[k]);
    return known;
}

static bool is_inside(const Spot *spot, const Given *given, int axis, int64_t t, int64_t last)
{
    Point point = {.lane = axis ? 0 : (int)(t % WARP_LANES), .given = given, .count = spot->loops};
    point.thread[axis] = t;
    int64_t at = form_eval(spot->form, &point);
    return at >= 0 && at <= last;
}

/* The first place on the axis whose thread would be behind the array, or in front of it; `end` where none before it is. */
static int64_t end_along(const Spot *spot, int axis, int64_t last, int64_t end)
{
    int64_t t = 1;
    while (t < end && is_inside(spot, spot->first, axis, t, last) && is_inside(spot, spot->last, axis, t, last))
        t = spot->along[axis] ? t + 1 : end;
    return t;
}

/* A load or store, or where a copy goes to; 0: none of them. */
static int64_t bytes_touched(const Kernel *kernel, LLVMValueRef instruction, LLVMValueRef *pointer)
{
    bool stores = LLVMIsAStoreInst(instruction) != NULL, copies = LLVMIsAMemCpyInst(instruction) != NULL;
    LLVMValueRef length = copies ? LLVMIsAConstantInt(LLVMGetOperand(instruction, 2)) : NULL;
    if (!stores && !LLVMIsALoadInst(instruction) && !length)
        return 0;
    *pointer = LLVMGetOperand(instruction, stores ? 1 : 0);
    return length ? LLVMConstIntGetSExtValue(length)
                  : (int64_t)LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(stores ? LLVMGetOperand(instruction, 0) : instruction));
}

/* By a touch of so many bytes to which all threads come. */
static void bound_by(Kernel *kernel, LLVMValueRef pointer, int64_t bytes, LLVMValueRef array, int64_t end[AXES])
{
    Spot spot = {.form = form_sub(kernel->forms, automaton_form(kernel->scope, pointer), automaton_form(kernel->scope, array))};
    if (!spot.form || !spot_is_known(&spot, spot.form))
        return;
    int64_t size = (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(array));
    for (int axis = 0; axis < AXES; axis++)
        end[axis] = end_along(&spot, axis, size - bytes, end[axis]);
}

/* ---- axes that nobody asks for ---- */

static bool is_asked(LLVMValueRef call, int axis)
{
    static const char *const of_axis[AXES] = {"tid.x", "tid.y", "tid.z"}; /* and ntid. */
    return strstr(callee_name(call), of_axis[axis]) || assembly_names(call, "tid");
}

static bool asks(const Scope *scope, int axis)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && is_asked(i, axis))
                return true;
    return false;
}

static bool any_asks(const Kernel *kernel, int axis)
{
    bool any = kernel->found.calls_elsewhere;
    for (size_t i = 0; i < kernel->found.scopes.count && !any; i++)
        any = asks(kernel->found.scopes.item[i], axis);
    return any;
}

/* ---- all of it ---- */

/* Whether all threads come to a block is asked once, and only of blocks that touch an array. */
static void bound_by_block(Kernel *kernel, LLVMBasicBlockRef block, int64_t end[AXES])
{
    bool is_known = false, converges = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef pointer = NULL;
        int64_t bytes = bytes_touched(kernel, i, &pointer);
        LLVMValueRef array = bytes > 0 ? shared_array_of(pointer) : NULL;
        if (!array || LLVMIsDeclaration(array))
            continue;
        converges = is_known ? converges : converges_all(kernel->scope, block);
        is_known = true;
        if (converges)
            bound_by(kernel, pointer, bytes, array, end);
    }
}

int block_most_threads(Kernel *kernel)
{
    int64_t end[AXES] = {MOST_THREADS, MOST_THREADS, MOST_THREADS}, threads = 1;
    if (kernel->asked.threads)
        return kernel->asked.threads;
    for (LLVMBasicBlockRef b = kernel->is_entry ? LLVMGetFirstBasicBlock(kernel->function) : NULL; b; b = LLVMGetNextBasicBlock(b))
        bound_by_block(kernel, b, end);
    for (int axis = 0; axis < AXES; axis++) {
        int counted = form_shape(kernel->forms).turned && axis < 2 ? 1 - axis : axis; /* as the hardware does */
        threads *= end[axis] < MOST_THREADS || any_asks(kernel, counted) ? end[axis] : 1;
    }
    kernel->asked.threads = threads < MOST_THREADS ? (int)threads : MOST_THREADS;
    return kernel->asked.threads;
}
