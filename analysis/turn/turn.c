/* Would a kernel do better if the threads of its blocks were numbered along y first, and not along x?
 *
 *     A[threadIdx.x * n + threadIdx.y]        blocks of 16 x 16
 *
 *     0 1 2 ..15                              a warp is two rows of the block: 16 rows of A, 2 elements of each
 *     0 16 32 ..                              turned, it is two columns: 2 rows of A, 16 elements of each
 *
 * Where nothing but threadIdx tells the threads of a block apart (turn_hazard.c), any of them may do the work of any other. What
 * is compared is the whole kernel: what one array gains, another may lose. */
#include "analysis/turn/turn.h"

enum { PERCENT = 100 };

static bool reads(LLVMValueRef function, const char *name)
{
    LLVMValueRef index = LLVMGetNamedFunction(LLVMGetGlobalParent(function), name);
    for (LLVMUseRef use = index ? LLVMGetFirstUse(index) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return true;
    }
    return false;
}

bool turn_is_possible(const Kernel *kernel)
{
    Shape shape = form_shape(kernel->forms);
    bool is_flat = shape.extent[0] && (shape.extent[1] == 1 || shape.extent[0] < shape.extent[1]);
    bool may = !kernel->options.straight && !feature_is_off(&kernel->options, FEATURE_TURNS) && !ir_is_optnone(kernel->function);
    return kernel->is_entry && may && !is_flat && reads(kernel->function, TURN_X) && reads(kernel->function, TURN_Y);
}

static bool is_in_sectors(const Access *access) { return access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC; }

bool turn_is_wanted(const Kernel *kernel)
{
    const Form *y = form_sreg(kernel->forms, SYM_TID, 1);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool is_wasteful = access->figure.known && access->figure.sectors >= kernel->options.cost.WASTE * access->figure.ideal;
        if (is_in_sectors(access) && is_wasteful && form_mentions(access->address, y->term[0].symbol[0]))
            return true;
    }
    return false;
}

/* ---- what the kernel costs a warp, in bytes of DRAM time ---- */

static double time_of(const Access *access)
{
    const Figure *figure = &access->figure;
    const Costs *costs = &access->scope->kernel->options.cost;
    double ideal = figure->ideal * SECTOR_BYTES, time = 0;
    if (access->space == SPACE_SHARED && figure->known && figure->banks_known)
        return figure->wavefronts * costs->PASS;
    if (!is_in_sectors(access) || !figure->known)
        return 0;
    time = access->op == OP_LOAD ? figure->lines * costs->LINE : figure->sectors * costs->WRITE;
    return time > ideal ? time : ideal;
}

/* An access counts as often as it is likely to be made. */
static double turn_time(const Kernel *kernel)
{
    const Costs *costs = &kernel->options.cost;
    double sum = 0;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        double times = 1;
        for (int depth = 0; depth < access->depth && depth < costs->DEEP; depth++)
            times *= costs->NESTED;
        sum += times * time_of(access);
    }
    return sum;
}

static double time_in_block(const Kernel *kernel, const int extent[3], bool turned)
{
    Kernel *trial = kernel_in_block(kernel, extent, turned);
    access_measure(trial);
    return turn_time(trial);
}

static bool pays_in_block(const Kernel *kernel, const int extent[3])
{
    double least = PERCENT + kernel->options.cost.TURN;
    return time_in_block(kernel, extent, false) * PERCENT >= time_in_block(kernel, extent, true) * least;
}

/* What hangs on the order in which threads use a tile is more than its banks: a product of tiles lost a fifth, where a gain had
 * been foretold. */
static bool uses_tiles(const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++)
        if (((const Access *)kernel->found.accesses.item[i])->space == SPACE_SHARED)
            return true;
    return false;
}

/* ---- loops that their loads lead ---- */

typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
} Way;

static SlicePart ask_loaded(Slice *slice, const void *context, LLVMValueRef value)
{
    const Way *way = context;
    (void)slice;
    if (!ir_loop_has(way->loop, value))
        return SLICE_KNOWN;
    return LLVMIsALoadInst(value) ? SLICE_FAILS : SLICE_MADE;
}

/* A counter of the loop that an iteration has loaded ends the way, and so does a load by which it gets no further. */
static SlicePart ask_carried(Slice *slice, const void *context, LLVMValueRef value)
{
    const Way *way = context;
    (void)slice;
    bool carried = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(way->loop);
    if (!ir_loop_has(way->loop, value) || LLVMIsALoadInst(value))
        return SLICE_KNOWN;
    if (!carried)
        return SLICE_MADE;
    LLVMBasicBlockRef latch = ir_loop_latch(way->loop);
    return !latch || slice_of(way->kernel->arena, phi_value_from(value, latch), ask_loaded, way) ? SLICE_KNOWN : SLICE_FAILS;
}

/* Does a loop go on to where it has loaded, as down a tree or along a chain? Threads that begin at one place share what they come by for a while, and who those are is turned as well: trees that
 * 16 rows go down side by side, 16 trees in a block, came to 0.79 of plain clang, with the leaves stored along rows (H200). */
bool turn_is_led(const Kernel *kernel)
{
    bool any = false;
    for (size_t i = 0; !any && i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        const Way way = {kernel, access->loop};
        any = access->loop && access->op == OP_LOAD && is_in_sectors(access) && ir_loop_has(way.loop, access->instruction) &&
              !slice_of(kernel->arena, access->pointer, ask_carried, &way);
    }
    return any;
}

bool turn_pays(const Kernel *kernel)
{
    Shape shape = form_shape(kernel->forms);
    bool any = kernel->options.always;
    if (!any && uses_tiles(kernel))
        return false;
    if (shape.extent[0])
        return any || pays_in_block(kernel, shape.extent);
    int extent[3];
    for (int i = 0; !any && usual_block(kernel, i, extent); i++) {
        if (!pays_in_block(kernel, extent))
            return false;
        any = true;
    }
    return any;
}
