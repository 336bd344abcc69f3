/* Stores of the loop that may write what a later copy reads: where both stay within bounds that are known on entry, and start
 * from pointers that all threads of the block share, a test there tells whether they are apart.
 *
 *     g ---- all that is copied ----          w ---- all that is written ----      apart: each within its own side
 *
 * The threads of the block vote on it: one that sees them meet makes all of them take the original loop. */
#include "analysis/rings/search.h"

static int64_t bytes_written(const Search *search, LLVMValueRef writer)
{
    if (LLVMIsAStoreInst(writer))
        return (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(LLVMGetOperand(writer, 0)));
    if (!LLVMIsACallInst(writer)) /* an atomic */
        return (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(LLVMGetOperand(writer, 1)));
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(writer, 2));
    return size && LLVMConstIntGetZExtValue(size) <= INT32_MAX ? (int64_t)LLVMConstIntGetZExtValue(size) : 0;
}

static bool base_of(Search *search, LLVMValueRef pointer, LLVMValueRef *base)
{
    IrExtent extent;
    if (!ir_extent(search->kernel->ir, search->scope->function, search->ring->header, pointer, 0, NULL, &extent))
        return false;
    *base = extent.base;
    return uniform_in_block(search->scope, extent.base);
}

/* Of what a function that tells the next iteration reads: the base, if it is known how far it reads. */
static bool base_of_read(Search *search, const RingTest *test, LLVMValueRef *base)
{
    IrExtent extent;
    if (!ir_is_step(test->read))
        return base_of(search, test->read, base);
    ir_step_read(test->read, test->number, &extent);
    *base = extent.base;
    return !is_zero(extent.holds) && uniform_in_block(search->scope, extent.base);
}

static bool add_test(Search *search, RingTest test)
{
    size_t most = (size_t)search->kernel->options.cost.ENTRY_TESTS;
    LLVMValueRef written, read;
    if (!test.bytes_written || search->ring->entry.tests.count >= most || !base_of(search, test.written, &written) ||
        !base_of_read(search, &test, &read) || written == read)
        return false;
    RingTest *kept = ARENA_NEW(search->ring->arena, RingTest);
    *kept = test;
    list_add(&search->ring->entry.tests, kept);
    return true;
}

/* Where it stands in order with other accesses, LLVM takes an atomic to write everything. */
static bool may_change(const Search *search, LLVMValueRef writer, LLVMValueRef pointer, LLVMValueRef load, LLVMValueRef source)
{
    bool is_atomic = LLVMIsAAtomicRMWInst(writer) != NULL;
    return is_atomic ? !ir_is_elsewhere(search->kernel->ir, writer, pointer, load, source)
                     : ir_may_change(search->kernel->ir, writer, load);
}

/* The same of what a function reads that tells the next iteration. */
static bool step_tested(Search *search, RingTest test, LLVMValueRef writer, LLVMValueRef step)
{
    IrModule *ir = search->kernel->ir;
    test.read = step;
    for (test.number = 0; test.number < ir_step_reads(step); test.number++) {
        IrExtent read;
        ir_step_read(step, test.number, &read);
        bool changes = LLVMIsAAtomicRMWInst(writer) ? !ir_is_elsewhere(ir, writer, test.written, step, read.base)
                                                    : ir_step_is_changed(ir, writer, step, test.number);
        if (changes && !add_test(search, test))
            return false;
    }
    return true;
}

bool overlap_tested(Search *search, LLVMValueRef writer, LLVMValueRef pointer)
{
    Ring *ring = search->ring;
    RingTest test = {pointer, NULL, bytes_written(search, writer), 0, 0};
    for (size_t i = 0; ring->choice.engine != ENGINE_KNOWN && i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        test.read = copy->source;
        test.bytes_read = copy->bytes;
        if (may_change(search, writer, pointer, copy->load, copy->source) && !add_test(search, test))
            return false;
    }
    for (size_t i = 0; i < ring->next.loads.count; i++) {
        LLVMValueRef load = ring->next.loads.item[i];
        if (ir_is_step(load)) {
            if (!step_tested(search, test, writer, load))
                return false;
            continue;
        }
        test.read = LLVMGetOperand(load, 0);
        test.bytes_read = (int64_t)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(load));
        if (may_change(search, writer, pointer, load, test.read) && !add_test(search, test))
            return false;
    }
    return true;
}

/* Lists are read later than they were: what lets others go on may not come before that. */
static bool orders_nothing(Search *search, LLVMValueRef i)
{
    (void)search;
    return !access_orders(i);
}

/* As copies would have it that read the lists, and nothing else. */
bool lists_stay(Kernel *kernel, IrLoop *loop, const LLVMValueRef *loads, size_t count, List *tests)
{
    Arena *arena = kernel->arena;
    LLVMValueRef barrier = LLVMGetFirstInstruction(ir_loop_header(loop)); /* nothing is asked of the order of its barriers */
    Ring ring = {.arena = arena,
                 .function = kernel->function,
                 .header = ir_loop_header(loop),
                 .shape = {.filled = barrier, .freed = barrier},
                 .copies = list_new(arena),
                 .blanks = list_new(arena),
                 .next = {.ahead = map_new(arena), .loads = list_new(arena)},
                 .entry = {.tests = list_new(arena)}};
    Search search = {kernel, kernel->scope, loop, &ring, list_new(arena), ir_loop_latch(loop), ALL_PHASES};
    for (size_t i = 0; i < count; i++)
        list_add(&ring.next.loads, loads[i]);
    bool stay = each_instruction(&search, effect_passes) && each_instruction(&search, orders_nothing);
    *tests = ring.entry.tests;
    return stay;
}
