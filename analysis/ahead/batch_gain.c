/* Whether a loop gains by loads that come first, and how many iterations had better stand in one body for that.
 *
 * Of a loop of one block ptxas has the loads of up to sixteen iterations under way, if it sees that they may pass the stores: then there
 * is something to be gained only where an iteration loads much, of which the next one loads some again. Where it does not see that, and
 * where iterations take ways of their own, each waits for its own loads. */
#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"

#include <stdlib.h>

enum { ABREAST = 8, ABREAST_LED = 4 }; /* of a loop that stores nothing; of one that loads where loads lead: cost.def */
enum { TIMES = 2, MOST_TIMES = 8 }; /* of whatever loads; of few words: measured, cost.def */

/* ---- what has to be asked ---- */

static bool steps_by_number(const BatchSearch *search, LLVMValueRef value)
{
    int64_t step;
    return ir_step(search->scope->kernel->ir, search->batch->function, search->batch->header, value, &step);
}

static SlicePart ask_keeps(Slice *slice, const void *context, LLVMValueRef value)
{
    const BatchSearch *search = context;
    (void)slice;
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)))
        return SLICE_KNOWN;
    if (!LLVMIsASExtInst(value) && !LLVMIsAZExtInst(value))
        return SLICE_MADE;
    return steps_by_number(search, LLVMGetOperand(value, 0)) ? SLICE_KNOWN : SLICE_FAILS;
}

/* Will it be known in a longer body by how many bytes an iteration moves the pointer? That a counter of 32 bits does not wrap around is
 * known of its own steps, not of those that several iterations take at once: unless their number is known, each of those would be widened
 * by itself (`for (int i = t; i < n; i += blockDim.x) a[i] = ... a[i]`). */
static bool keeps_step(const BatchSearch *search, LLVMValueRef pointer)
{
    return steps_by_number(search, pointer) || slice_of(search->batch->arena, pointer, ask_keeps, search);
}

static bool gap_is_kept(const BatchSearch *search, LLVMValueRef store, LLVMValueRef load)
{
    LLVMValueRef from = LLVMGetOperand(load, 0), to = LLVMGetOperand(store, 1);
    return keeps_step(search, from) && keeps_step(search, to) &&
           ir_gap(search->scope->kernel->ir, search->batch->function, search->batch->header, from, to, NULL, NULL);
}

/* May the load come before what other iterations store, if that is asked on entry? Where how far they are apart differs from iteration to
 * iteration, or cannot be told of several at once, of all that the loop stores; else once the iterations stand in one body. */
static bool ask_of(BatchSearch *search, LLVMValueRef load, bool *asks)
{
    const Batch *batch = search->batch;
    List writers = list_new(batch->arena);
    bool known = true;
    for (size_t i = 0; i < search->stores.count; i++)
        if (batch_may_meet(search, search->stores.item[i], load))
            list_add(&writers, search->stores.item[i]);
    for (size_t i = 0; i < writers.count; i++)
        known &= gap_is_kept(search, writers.item[i], load);
    *asks |= writers.count > 0;
    for (size_t i = 0; !known && i < writers.count; i++)
        if (!batch_want_apart(search, writers.item[i], load, true))
            return false;
    if (!known)
        list_add(&search->batch->apart, load);
    return true;
}

static bool ask_all(BatchSearch *search, bool *asks)
{
    const Batch *batch = search->batch;
    for (size_t i = 0; i < batch->loads.count; i++)
        if (!ask_of(search, batch->loads.item[i], asks))
            return false;
    return true;
}

/* ---- how many iterations ---- */

/* Does ptxas leave it as it is, or waste loads? */
static bool is_wanted(const BatchSearch *search, bool asks)
{
    const Kernel *kernel = search->scope->kernel;
    return kernel->options.always || asks || !ir_loop_is_one_block(search->loop) ||
           search->batch->together >= kernel->options.cost.BATCH_LEAST;
}

/* The backend has a function of its own for a quotient of 64 bits by what run time alone knows. */
static bool is_long_division(LLVMValueRef i)
{
    enum { WORD_BITS = 32 };
    LLVMTypeRef type = LLVMTypeOf(i);
    return is_division(i) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > WORD_BITS &&
           !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
}

static int size_of(const BatchSearch *search)
{
    int size = 0, division = (int)search->scope->kernel->options.cost.DIVISION;
    for (size_t n = 0; n < ir_loop_size(search->loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(search->loop, n)); i; i = LLVMGetNextInstruction(i))
            size += is_long_division(i) ? division : 1;
    return size;
}

static bool may_repeat(const BatchSearch *search)
{
    const Kernel *kernel = search->scope->kernel;
    int64_t most = ir_loop_most_trips(kernel->ir, search->loop);
    return !map_get(kernel->plan->beside, search->batch->header) && !loop_is_told(kernel, search->loop) &&
           ir_loop_is_countable(kernel->ir, search->loop) && (!most || most >= 2 * TIMES) &&
           size_of(search) <= kernel->options.cost.BATCH_CODE;
}

/* Would no launch that was seen come past the question how often the loop runs, which is asked first? */
static bool is_seen_short(const BatchSearch *search)
{
    return search->batch->tests.count && launches_most(search->scope->kernel, search->loop) < search->batch->trips;
}

/* Does it store to an array of the thread's own? What it loads again from there an iteration waits for, whatever else has come: distances of words to edit, a table of 33 x 33
 * each, came to 0.91 of plain clang with the letters of two iterations in front and to 1.0 without, the largest of 16 to 0.97 to 1.07 and 1.0 (H200). */
static bool keeps_array(const BatchSearch *search)
{
    bool any = false;
    for (size_t i = 0; i < search->stores.count && !any; i++)
        any = space_of(search->scope, LLVMGetOperand(search->stores.item[i], 1)) == SPACE_LOCAL;
    return any;
}

bool batch_gains(const BatchSearch *search)
{
    const Batch *batch = search->batch;
    const Kernel *kernel = search->scope->kernel;
    if (!kernel->options.always && (is_seen_short(search) || keeps_array(search)))
        return false;
    return batch->times > 1 ||
           (batch->passed && (kernel->options.always || batch->tests.count || map_get(kernel->plan->beside, batch->header) ||
                              !ir_loop_is_one_block(search->loop)));
}

/* What is asked for it takes the place of what the loads that come first in the body as it is ask; where it stays as it is, that is asked. */
static bool is_repeated(BatchSearch *search)
{
    Batch *batch = search->batch;
    const List tests = batch->tests, asked = search->asked;
    batch->tests = list_new(batch->arena);
    search->asked = list_new(batch->arena);
    if (may_repeat(search) && ask_all(search, &batch->asks) && is_wanted(search, batch->asks))
        return true;
    batch->tests = tests;
    search->asked = asked;
    return false;
}

int batch_times(BatchSearch *search)
{
    const Costs *costs = &search->scope->kernel->options.cost;
    int times = TIMES;
    if (!is_repeated(search))
        return 1;
    while (ir_loop_is_one_block(search->loop) && times < MOST_TIMES && 2 * times * search->batch->held <= costs->BATCH &&
           2 * times * size_of(search) <= costs->BATCH_CODE)
        times *= 2;
    return times;
}

/* So many iterations stand in one body by clang's doing: it counts them from 0 to a multiple, with what remains behind. 1 where that is not seen. */
static int iterations_of(const BatchSearch *search)
{
    LLVMBasicBlockRef latch = search->batch->latch;
    LLVMValueRef ends = LLVMGetCondition(LLVMGetBasicBlockTerminator(latch));
    LLVMValueRef next = LLVMIsAICmpInst(ends) ? LLVMGetOperand(ends, 0) : NULL, most = next ? LLVMGetOperand(ends, 1) : NULL;
    LLVMValueRef phi = next && is_op(next, LLVMAdd) ? LLVMGetOperand(next, 0) : NULL, step = phi ? LLVMGetOperand(next, 1) : NULL;
    if (!phi || !LLVMIsAPHINode(phi) || !LLVMIsAConstantInt(step) || !is_op(most, LLVMAnd) || phi_value_from(phi, latch) != next)
        return 1;
    long long count = LLVMConstIntGetSExtValue(step);
    return count > 1 && count <= ABREAST ? (int)count : 1;
}

/* Where short iterations go different ways, ptxas makes both ways one, and then several iterations one body: of a long one it makes none. Of a few iterations
 * nothing is known. */
static bool may_go_ways(const BatchSearch *search)
{
    const Kernel *kernel = search->scope->kernel;
    int64_t most = ir_loop_most_trips(kernel->ir, search->loop);
    return size_of(search) / iterations_of(search) >= kernel->options.cost.ABREAST_LONG && (!most || most >= 2 * ABREAST);
}

/* Does the loop, at its begin, load where another of its loads leads? */
static bool loads_by_loads(const BatchSearch *search)
{
    bool leads = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(search->batch->header); i && !leads; i = LLVMGetNextInstruction(i))
        leads = LLVMIsALoadInst(i) && load_leads_on(search->loop, i);
    return leads;
}

/* What all threads of a block load alike is in the first-level cache for nearly all of them, and less of it need be under way, but where ptxas does not go on over
 * the ends of iterations. */
static int words_abreast(const BatchSearch *search)
{
    const Costs *costs = &search->scope->kernel->options.cost;
    bool alike = ir_loop_is_one_block(search->loop);
    for (size_t i = 0; i < search->batch->loads.count && alike; i++)
        alike = uniform_in_block(search->scope, LLVMGetOperand(search->batch->loads.item[i], 0));
    return (int)(alike ? costs->ABREAST_ALIKE : costs->ABREAST_WORDS);
}

/* Differs it along the first axis of the block, or by what nobody knows? */
static bool goes_along(const Form *form)
{
    bool any = false;
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree && !any; j++) {
            const Symbol *symbol = form->term[i].symbol[j];
            bool is_made = symbol->kind == SYM_OP && !symbol->guard;
            any = symbol->varies && (is_made ? goes_along(symbol->a) || (symbol->b && goes_along(symbol->b))
                                             : symbol->kind != SYM_TID || symbol->axis == 0);
        }
    return any;
}

/* Do all threads of the block load the same there, or those that have one place of its second axis? */
bool batch_is_alike(const BatchSearch *search, LLVMValueRef load)
{
    const Access *access = access_of_load(search->scope, load);
    return (access && access->address && !goes_along(access->address)) || uniform_in_block(search->scope, LLVMGetOperand(load, 0));
}

/* Words of an iteration that lanes do not load alike. */
static int words_of_lanes(const BatchSearch *search)
{
    const Batch *batch = search->batch;
    int words = 0;
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i];
        bool counts = !map_get(batch->same, load) && !batch_is_alike(search, load);
        words += counts ? words_of_load(search->scope->kernel, load) : 0;
    }
    return words;
}

/* May so many iterations have their loads under way at once? */
static bool words_fit(const BatchSearch *search, int times)
{
    return times * search->batch->words <= words_abreast(search) &&
           times * words_of_lanes(search) <= (int)search->scope->kernel->options.cost.ABREAST_LANES;
}

/* Words that an iteration loads at places that data tell: each lane has lines of its own there, and those of several iterations drive each other out of the
 * first-level cache before the words beside are asked for. */
static int words_named(const BatchSearch *search)
{
    const Kernel *kernel = search->scope->kernel;
    int words = 0;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool loads = access->op == OP_LOAD && ir_loop_has_block(search->loop, LLVMGetInstructionParent(access->instruction));
        words += loads && form_loaded(access->address) ? (access->bytes + WORD_BYTES - 1) / WORD_BYTES : 0;
    }
    return words;
}

static bool may_be_abreast(const BatchSearch *search, int times)
{
    Kernel *kernel = search->scope->kernel;
    const Batch *batch = search->batch;
    int64_t most = ir_loop_most_trips(kernel->ir, search->loop);
    return (!most || most >= kernel->options.cost.ABREAST_FEW * times) &&
           times * size_of(search) <= kernel->options.cost.ABREAST_CODE && words_fit(search, times) &&
           times * words_named(search) <= (int)kernel->options.cost.ABREAST_NAMED &&
           registers_hold(kernel, registers_live(search->scope, batch->loads.item[0]) + times * batch->words);
}

/* Does ptxas unroll it, by four in one stretch, as clang does not count its iterations? Where lanes end one after the other, that stretch is left as soon as any body of
 * several would be, and no iterations remain: sums of lists that a pointer moves along came to 0.80 to 0.97 of plain clang with eight iterations in one body, of up to 45
 * words, of points of 16 bytes with two to 0.91 to 0.97 (H200). */
static bool is_in_one_stretch(const BatchSearch *search)
{
    enum { OF_A_LANE = 16 }; /* bytes by which the distance of two pointers is divided; lanes of a warp go on by 32 elements */
    IrModule *ir = search->scope->kernel->ir;
    return ir_loop_is_one_block(search->loop) && !loads_by_loads(search) && !ir_loop_is_counted(ir, search->loop) &&
           !ir_loop_divides(ir, search->loop, OF_A_LANE);
}

/* A list of which each lane has loaded whether it asks for it at all is short as a rule, and few lanes are there to wait for. Answers in a matching of 2708 to
 * 100000 nodes came to 0.86 to 0.99 of plain clang with two iterations in one body (H100). */
static bool is_list_as_it_is(const BatchSearch *search)
{
    return !search->scope->kernel->options.always && uniform_is_list(search->scope, search->loop) &&
           (uniform_list_is_chosen(search->scope, search->loop) || is_in_one_stretch(search));
}

/* The inner one of several loops, whose count nobody knows, is seldom long: a filter's window of nine came to 0.97 of plain clang (H100). Neither is what
 * rows leave over. */
static bool is_short(const BatchSearch *search)
{
    Kernel *kernel = search->scope->kernel;
    bool inner = ir_loop_depth(search->loop) > 1 && !ir_loop_trips(kernel->ir, search->loop);
    return inner || map_get(kernel->plan->longer, search->batch->function) || is_list_as_it_is(search);
}

/* Are its iterations to stand as they are, whatever they load? */
static bool is_settled(const BatchSearch *search)
{
    Kernel *kernel = search->scope->kernel;
    return feature_is_off(&kernel->options, FEATURE_ABREAST) || map_get(kernel->plan->beside, search->batch->header) ||
           loop_is_told(kernel, search->loop);
}

/* Of a loop that stores nothing clang puts as many iterations into one body as come to 75 instructions, four at most: of a long one few or one, where
 * nvcc has the loads of four under way. Where a division tells how many there are, threads share a row, and few are left for each, which would be
 * done one after the other. */
int batch_times_alone(BatchSearch *search)
{
    Batch *batch = search->batch;
    IrModule *ir = search->scope->kernel->ir;
    int64_t step = (int64_t)search->scope->kernel->options.cost.ABREAST_STEP;
    if (!batch->loads.count || is_settled(search) || (!ir_loop_is_one_block(search->loop) && !may_go_ways(search)) ||
        !ir_loop_is_countable(ir, search->loop) || ir_loop_divides(ir, search->loop, step) || is_short(search))
        return 1;
    int iterations = iterations_of(search), times = (loads_by_loads(search) ? ABREAST_LED : ABREAST) / iterations;
    batch->slides = batch_slides(search, iterations) ? iterations : 0;
    while (times > 1 && !may_be_abreast(search, times))
        times /= 2;
    return times > 1 ? times : 1;
}

/* Is anything loaded behind a condition? ptxas makes short ways predicates, and has such loads of several iterations under way with the others, as long as nothing
 * stands between: a product with a sparse matrix, `if (c[k] >= 0) s += v[k] * x[c[k]]`, came to 0.73 of plain clang with its columns in front (H100). */
static bool loads_by_condition(const BatchSearch *search)
{
    IrModule *ir = search->scope->kernel->ir;
    bool any = false;
    for (size_t n = 0; n < ir_loop_size(search->loop) && !any; n++) {
        LLVMBasicBlockRef b = ir_loop_block(search->loop, n);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !any; i = LLVMGetNextInstruction(i))
            any = LLVMIsALoadInst(i) && !ir_dominates(ir, b, search->batch->latch);
    }
    return any;
}

/* Does each iteration ask once which of two ways it goes? */
static bool goes_two_ways(const BatchSearch *search, int iterations)
{
    unsigned ways = 0;
    for (size_t n = 0; n < ir_loop_size(search->loop); n++)
        ways += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(ir_loop_block(search->loop, n))) - 1;
    return ways > 1 && (int)ways - 1 <= iterations;
}

/* Where short iterations of a word each that clang has put into one body go one of two ways, ptxas makes both ways one by itself, with the loads in front of them, and then
 * several such bodies one: sums of the numbers in lines of text came to 0.87 (30000 lines) and 0.97 of plain clang with four loads in front, now to 0.99 and 1.00;
 * means of columns with two ways from 1.24 to 1.18 and 1.01 (H200). */
static bool is_left_to_ptxas(const BatchSearch *search)
{
    int iterations = iterations_of(search);
    return !search->scope->kernel->options.always && iterations > 1 && search->batch->words <= iterations &&
           goes_two_ways(search, iterations) && size_of(search) / iterations < search->scope->kernel->options.cost.ABREAST_LONG;
}

/* Numbers of 64 bits, of iterations that clang has put into one body. */
static bool loads_long(const BatchSearch *search)
{
    const Batch *batch = search->batch;
    const Kernel *kernel = search->scope->kernel;
    bool any = false;
    for (size_t i = 0; i < batch->loads.count && !any; i++) {
        LLVMValueRef load = batch->loads.item[i];
        any = LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMVectorTypeKind && words_of_load(kernel, load) > 1;
    }
    return any && !map_get(kernel->plan->beside, batch->header);
}

/* Do all threads of a block load the same there, in a loop whose iterations go different ways? Those words are in the first-level cache, and where many are loaded in front, or long ones, registers
 * hold them for nothing. Whether points lie in polygons, four doubles, came to 0.94 of plain clang with them in front where the GPU is full and to 1.0 without; means of neighbours, 16 words, to 0.77 to 0.92
 * and 0.97 to 1.01, a shift towards the mean, 16, to 1.48 and 1.75; forces of particles, 12 words of four iterations that stand side by side, to 1.06 to 1.39 and 1.00 to 1.13, edges of
 * polygons, 8, to 1.25 to 1.45 and 1.12 to 1.15 (H200). */
static bool is_alike_for_nothing(const BatchSearch *search)
{
    const Batch *batch = search->batch;
    const Costs *costs = &search->scope->kernel->options.cost;
    bool alike = !search->scope->kernel->options.always && !ir_loop_is_one_block(search->loop) &&
                 ((int)batch->loads.count > costs->BATCH_ALIKE || loads_long(search));
    for (size_t i = 0; i < batch->loads.count && alike; i++)
        alike = batch_is_alike(search, batch->loads.item[i]);
    return alike;
}

bool batch_gains_alone(const BatchSearch *search)
{
    Kernel *kernel = search->scope->kernel;
    const Batch *batch = search->batch;
    return !is_left_to_ptxas(search) && !is_alike_for_nothing(search) && !feature_is_off(&kernel->options, FEATURE_ABREAST) &&
           !loop_is_told(kernel, search->loop) && words_fit(search, 1) && !loads_by_condition(search) &&
           batch_obstacle(search->scope, batch) == WHY_NONE;
}

/* Threads that share a row go on by as many elements as they are. Where those are many, a row is seldom long enough for any to come past the question how often the loop runs,
 * unless launches were seen in which it is. Where nobody knows how many, that question is a quotient as well, of long counters one of 64 bits: rows of 48 to 4096 floats, six kernels,
 * came to 0.39 to 0.99 of plain clang with 256 and 1024 threads, 0.85 in the mean, with 64 to 0.62 to 0.99, and to 1.56 where they are long and few (H200). */
static bool strides_far(Scope *scope, const Batch *batch)
{
    const Kernel *kernel = scope->kernel;
    IrLoop *loop = ir_loop_of(kernel->ir, batch->header);
    LLVMValueRef load = batch->loads.item[0];
    int64_t bytes, element = (int64_t)LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(load));
    bool is_asked = (batch->asks || batch->tests.count) && launches_most(kernel, loop) == INT64_MAX && !uniform_counts(scope, loop);
    bool far = ir_step(kernel->ir, batch->function, batch->header, LLVMGetOperand(load, 0), &bytes) &&
               llabs(bytes) / element * batch->trips >= kernel->options.cost.BATCH_ROW;
    return is_asked && (far || batch->by_block || (batch->by_grid && (!batch->parts || batch->tests.count)));
}

/* The innermost of several loops, whose count nobody knows, is seldom long, and what is asked is asked in each iteration of the others: the patches
 * of an image, whose edges are arguments. */
static bool is_asked_often(const Scope *scope, const Batch *batch)
{
    const Kernel *kernel = scope->kernel;
    IrLoop *loop = ir_loop_of(kernel->ir, batch->header);
    return (batch->asks || batch->tests.count) && launches_most(kernel, loop) == INT64_MAX && !ir_loop_trips(kernel->ir, loop) &&
           ir_loop_depth(loop) >= kernel->options.cost.DEEP;
}

/* ---- lines that iterations share ---- */

/* May the lanes of a warp begin within a line, as rows do whose length run time alone knows? */
static bool may_begin_in_line(const Access *access)
{
    for (int i = 0; i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        const Symbol *symbol = term->symbol[0];
        bool even = term->coefficient % LINE_BYTES == 0;
        if (!even && (term->degree > 1 || (symbol->kind != SYM_BASE && symbol->kind != SYM_LOOP && !symbol->varies)))
            return true;
    }
    return false;
}

static bool is_stored_back(IrLoop *loop, LLVMValueRef load)
{
    LLVMValueRef place = LLVMGetOperand(load, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place && ir_loop_has_block(loop, LLVMGetInstructionParent(user)))
            return true;
    }
    return false;
}

/* Each thread goes along a row of its own, less than a line at a time: it stores to the line that its next iteration has loaded from, as below. Levels of clouds and of rain, six floats each of
 * which four are changed, came to 0.55 and 0.56 of plain clang with 60000 threads so, to 0.75 to 0.86 with 120000, to 1.07 to 1.19 with more and to 0.90 to 1.16 with few, and to 0.97 to 1.04 as they were (H200). */
static bool goes_along_line(const Access *access, int64_t step)
{
    bool own = false;
    for (int i = 0; i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        for (int j = 0; j < term->degree; j++)
            own |= term->symbol[j]->varies && (term->degree > 1 || magnitude(term->coefficient) >= LINE_BYTES);
    }
    return own && llabs(step) < LINE_BYTES;
}

/* A warp that changes a row in place, 32 elements at a time: where the row begins within a line, each iteration stores to a line that the next one has
 * loaded from, and stores wait while loads of their line are under way. */
static bool shares_lines(const Scope *scope, const Batch *batch)
{
    const Kernel *kernel = scope->kernel;
    IrLoop *loop = ir_loop_of(kernel->ir, batch->header);
    int64_t step = 0, span = 0, count = 0, by;
    for (size_t i = 0; i < batch->loads.count; i++) {
        LLVMValueRef load = batch->loads.item[i];
        const Access *access = access_of_load(scope, load);
        if (!access || !is_stored_back(loop, load) ||
            !ir_step(kernel->ir, batch->function, batch->header, LLVMGetOperand(load, 0), &by))
            continue;
        if (goes_along_line(access, by))
            return true;
        if (!may_begin_in_line(access))
            continue;
        step = by;
        span = (int64_t)access->bytes * WARP_LANES;
        count++;
    }
    return count && llabs(step) >= span && llabs(step) <= count * span;
}

/* ---- what it takes ---- */

/* Quotients and roots of doubles, of an iteration. */
static int quotients_of(const Kernel *kernel, const Batch *batch)
{
    IrLoop *loop = ir_loop_of(kernel->ir, batch->header);
    int count = 0;
    for (size_t i = 0; i < ir_loop_size(loop); i++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(ir_loop_block(loop, i)); v; v = LLVMGetNextInstruction(v))
            count += LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind && operation_parts(v);
    return count;
}

Why batch_obstacle(Scope *scope, const Batch *batch)
{
    Kernel *kernel = scope->kernel;
    int live = registers_live(scope, batch->loads.item[0]) + batch->times * batch->held;
    if (!registers_hold(kernel, live))
        return WHY_BATCH_REGISTERS;
    if (!kernel->options.always && strides_far(scope, batch))
        return WHY_BATCH_STRIDE;
    if (!kernel->options.always && is_asked_often(scope, batch))
        return WHY_BATCH_DEEP;
    if (!kernel->options.always && shares_lines(scope, batch))
        return WHY_BATCH_LINES;
    live += batch->times * quotients_of(kernel, batch) * (int)kernel->options.cost.BATCH_QUOTIENT;
    return live > kernel->options.cost.BATCH_LIVE && !kernel->options.always ? WHY_BATCH_REGISTERS : WHY_NONE;
}
