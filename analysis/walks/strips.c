/* Rows whose words are used in some iterations, which all lanes have alike.
 *
 *     for (j = 0; j < m; j++) if (b[j] > 0) s += a[i*m + j] * b[j]
 *
 * What decides follows from counters, and from what every iteration loads for all lanes. So each lane asks for one of the next 32 iterations, and the
 * warp knows by one vote which of them do anything: where none does, they are passed over; where few do, those are done, the words of several loaded
 * side by side; where many do, the warp moves the words of its rows together, each lane the ones of an iteration whose condition it has asked
 * (transform/walks/load_strips.c). Each iteration that does something does it in its turn, and no word is loaded that it would not load.
 *
 * For that an iteration in which the condition does not hold may do nothing but count, and none may store. */
#include "analysis/facts/facts.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

/* ---- one block under one condition ---- */

/* Does the block lead on to the next, or to the end of the iteration? */
static bool leads_past(LLVMBasicBlockRef above, LLVMBasicBlockRef next, LLVMBasicBlockRef latch)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
    unsigned other = LLVMGetSuccessor(end, 0) == next ? 1 : 0;
    return LLVMGetSuccessor(end, other) == latch;
}

static int blocks_in(IrLoop *loop)
{
    int count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(ir_loop_header(loop))); b;
         b = LLVMGetNextBasicBlock(b))
        count += ir_loop_has_block(loop, b);
    return count;
}

/* From the header one leads to the next, each past the rest to the latch, and the last one to the latch alone. */
LLVMBasicBlockRef strip_block(IrModule *ir, IrLoop *loop)
{
    LLVMBasicBlockRef latch = ir_loop_latch(loop), header = ir_loop_header(loop), last = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header)); b && latch; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (ir_loop_has_block(loop, b) && b != header && b != latch && LLVMIsABranchInst(end) && !LLVMIsConditional(end))
            last = last ? header : b; /* one alone */
    }
    int count = 2;
    for (LLVMBasicBlockRef b = last; b && b != header; count++) {
        LLVMBasicBlockRef above = some_parent(ir, b);
        if (!above || !leads_past(above, b, latch))
            return NULL;
        b = above;
    }
    return last && last != header && blocks_in(loop) == count ? last : NULL;
}

/* ---- what goes on ---- */

/* Is it the same behind an iteration that comes by that block, as in front of it? */
static bool is_left_alone(LLVMValueRef phi, LLVMBasicBlockRef latch, LLVMBasicBlockRef block)
{
    LLVMValueRef next = phi_value_from(phi, latch);
    bool chosen = LLVMIsAPHINode(next) && LLVMGetInstructionParent(next) == latch;
    for (unsigned i = 0; chosen && i < LLVMCountIncoming(next); i++)
        chosen = LLVMGetIncomingBlock(next, i) == block || LLVMGetIncomingValue(next, i) == phi;
    return chosen;
}

static bool goes_on_alone(const SomeSearch *search, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    bool alone = true;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi) && alone; phi = LLVMGetNextInstruction(phi)) {
        int64_t step;
        bool counts = some_is_number(phi) && ir_step(search->scope->kernel->ir, search->scope->function, header, phi, &step);
        alone = counts || is_left_alone(phi, search->latch, block);
    }
    return alone;
}

/* ---- what all lanes have alike ---- */

/* Counters that begin alike, and loads of one address; the lanes are at one iteration, as they are asked. */
static SlicePart ask_alike(Slice *slice, const void *context, LLVMValueRef value)
{
    const SomeSearch *search = context;
    if (!LLVMIsAInstruction(value) || !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)))
        return uniform_between_barriers(search->scope, value) ? SLICE_KNOWN : SLICE_FAILS;
    if (LLVMIsAPHINode(value)) {
        LLVMBasicBlockRef header = ir_loop_header(search->loop);
        int64_t step;
        bool counts = LLVMGetInstructionParent(value) == header && some_is_number(value) &&
                      ir_step(search->scope->kernel->ir, search->scope->function, header, value, &step);
        for (unsigned i = 0; counts && i < LLVMCountIncoming(value); i++)
            if (LLVMGetIncomingBlock(value, i) != search->latch)
                slice_add(slice, LLVMGetIncomingValue(value, i));
        return counts ? SLICE_KNOWN : SLICE_FAILS;
    }
    bool reads_thread = LLVMIsACallInst(value) && LLVMGetNumArgOperands(value) == 0;
    return (LLVMIsALoadInst(value) || ir_is_pure(value)) && !reads_thread ? SLICE_MADE : SLICE_FAILS;
}

static bool is_alike(const SomeSearch *search, LLVMValueRef value)
{
    return slice_of(search->scope->kernel->arena, value, ask_alike, search);
}

static bool is_of_loop(const void *context, LLVMValueRef value)
{
    const SomeSearch *search = context;
    return LLVMIsAInstruction(value) && !LLVMIsAPHINode(value) && ir_loop_has_block(search->loop, LLVMGetInstructionParent(value));
}

static bool asks_memory(const SomeSearch *search, LLVMValueRef condition)
{
    const List order = slice_order(search->scope->kernel->arena, condition, is_of_loop, search);
    bool asks = false;
    for (size_t i = 0; i < order.count && !asks; i++)
        asks = LLVMIsALoadInst(order.item[i]) != NULL;
    return asks;
}

/* The conditions on the way to the block; one that leaves out a single iteration is better loaded for all (some_rows.c). What counters alone decide
 * clang knows of the iterations that it has side by side: every second of 4096 floats, 1024 and 8192 rows, came to 0.89 and 0.52 of it (H200). */
static bool is_decided_alike(const SomeSearch *search, LLVMBasicBlockRef block)
{
    bool alike = some_is_told(search, block), asks = false;
    while (alike && !some_is_always(search, block)) {
        LLVMBasicBlockRef above = some_parent(search->scope->kernel->ir, block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
        alike = is_alike(search, LLVMGetCondition(end)) && !some_leaves_out_one(search, end, block);
        asks |= asks_memory(search, LLVMGetCondition(end));
        block = above;
    }
    return alike && asks;
}

/* ---- loads ---- */

static bool is_wide_enough(LLVMTypeRef type, int bytes)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return (kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind) &&
           bytes <= 2 * WORD_BYTES && (bytes & (bytes - 1)) == 0;
}

/* Is it a word of a row, that would be walked if no iteration left it out? */
static bool is_word(const SomeSearch *search, const Access *access)
{
    LLVMValueRef load = access->instruction;
    return access->kind == CLASS_WALK && access->space == SPACE_GLOBAL && access->bytes >= WORD_BYTES &&
           some_step(access) == access->bytes && (int)LLVMGetAlignment(load) >= access->bytes &&
           block_obstacle(search->scope->kernel, access) == WHY_WALK_SOME;
}

static void row_add(const SomeSearch *search, Strips *strips, const Access *access)
{
    StripRow *row = ARENA_NEW(search->scope->kernel->plan->arena, StripRow);
    *row = (StripRow){number_in(search->loop, access->instruction), access->bytes,
                      order_is_ever_written(search->scope, access->instruction)};
    list_add(&strips->rows, row);
}

/* Every load is of a row that the block has, or of all lanes. */
static bool load_add(const SomeSearch *search, Strips *strips, LLVMValueRef load, LLVMBasicBlockRef block)
{
    const Access *access = access_of_load(search->scope, load);
    LLVMBasicBlockRef own = LLVMGetInstructionParent(load);
    if (!access || !is_plain(load) || !is_wide_enough(LLVMTypeOf(load), access->bytes) ||
        (own != block && own != ir_loop_header(search->loop)))
        return false;
    if (is_alike(search, load)) {
        list_add(&strips->shared, (void *)number_in(search->loop, load));
        return true;
    }
    if (own != block || !is_word(search, access))
        return false;
    row_add(search, strips, access);
    return strips->rows.count <= STRIP_ROWS;
}

static bool find_loads(const SomeSearch *search, Strips *strips, LLVMBasicBlockRef block)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(search->loop, b); i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) ? !load_add(search, strips, i, block)
                                   : !LLVMIsAPHINode(i) && !LLVMIsABranchInst(i) && !ir_is_pure(i))
                return false;
        }
    return strips->rows.count > 0;
}

/* ---- the loop ---- */

static bool registers_do(Kernel *kernel, const SomeSearch *search, const Strips *strips)
{
    enum { STRIP_WORDS = 32 };
    int words = registers_live(search->scope, LLVMGetFirstInstruction(ir_loop_header(search->loop))) + STRIP_WORDS;
    return kernel->options.always || (strips->rows.count && registers_hold(kernel, words));
}

static Strips *strips_of(Kernel *kernel, IrLoop *loop)
{
    SomeSearch search = {kernel->scope, loop, ir_loop_latch(loop), list_new(kernel->arena), list_new(kernel->arena)};
    LLVMBasicBlockRef block = search.latch && ir_loop_is_innermost(loop) ? strip_block(kernel->ir, loop) : NULL;
    if (!block || !ir_loop_is_countable(kernel->ir, loop) || ir_loop_trips(kernel->ir, loop) || !some_find_stores(&search) ||
        search.stores.count || !goes_on_alone(&search, block) || !is_decided_alike(&search, block))
        return NULL;
    const Costs *costs = &kernel->options.cost;
    Strips *strips = ARENA_NEW(kernel->plan->arena, Strips);
    *strips = (Strips){.header = ir_loop_header(loop),
                       .rows = list_new(kernel->plan->arena),
                       .shared = list_new(kernel->plan->arena),
                       .least = (int)costs->STRIP_LEAST,
                       .least_few = (int)costs->STRIP_LEAST_FEW,
                       .few = (int64_t)costs->ROWS_AHEAD};
    return find_loads(&search, strips, block) && registers_do(kernel, &search, strips) ? strips : NULL;
}

List strips_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_STRIPS))
        return found;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMBasicBlockRef header = access->loop && access->scope == kernel->scope ? ir_loop_header(access->loop) : NULL;
        if (!header || access->kind != CLASS_WALK || map_get(seen, header) || map_get(kernel->plan->tried, header))
            continue;
        map_put(seen, header, header);
        Strips *strips = strips_of(kernel, access->loop);
        if (strips)
            list_add(&found, strips);
    }
    return found;
}
