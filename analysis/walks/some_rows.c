/* Walks that only some of their iterations load for.
 *
 *     for (j = 0; j < m; j++) if (j != i) s += a[i*m + j] * x[j]          for (...) if (x[j] > 0) s += a[i*m + j] * x[j]
 *
 * A word that the original leaves out may be loaded where it lies between two words of the row that it loads: they are of one object, and so is all
 * that is between them. So it may at an end of the row, if another word of its sector is loaded: no part of a sector can be missing. What is loaded
 * then is thrown away. A version of the loop loads in every iteration, if it is found on entry that both ends of its rows are there
 * (transform/walks/whole_rows.c). For that the conditions of the first and the last few iterations are asked ahead: they have to follow from counters, and
 * from what the iteration loads before, and nothing may write that.
 *
 * Where data decide, few words may be wanted: how many is looked for on entry as well, each lane at another place (sample_rows.c). The loop as it was has several
 * iterations in one body then, as ptxas would put them there of itself if there were no other loop. Those of which a counter
 * tells that a whole part of each row is left out have that part run by itself (index_sets.c). */
#include "analysis/ahead/lookahead.h"
#include "analysis/facts/facts.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

enum { MOST_LOADS = 32, MOST_ROWS = 4, MOST_STEP = 256 }; /* bounds of the tests; bytes that an iteration moves a row by */
enum { MOST_ASKING = 12, MOST_CODE = 800 }; /* instructions that ask of one word, and of a body of several iterations */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    LLVMBasicBlockRef latch;
    List stores; /* of LLVMValueRef, of the loop */
    List loads;  /* of LLVMValueRef: those that some iterations make */
    bool by_data; /* what the loop loads decides in which: */
    bool apart; /* in others for some lanes */
    int work; /* instructions that those do beside, and one that asks whether it is of them */
    int asking;
} Search;

static bool is_inside(const Search *search, LLVMValueRef value) { return ir_loop_has(search->loop, value); }

static bool is_always(const Search *search, LLVMBasicBlockRef block)
{
    return ir_dominates(search->scope->kernel->ir, block, search->latch);
}

/* ---- what is asked ahead ---- */

static bool is_written(const Search *search, LLVMValueRef load)
{
    for (size_t i = 0; i < search->stores.count; i++)
        if (ir_may_change(search->scope->kernel->ir, search->stores.item[i], load))
            return true;
    return false;
}

bool some_is_number(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

static SlicePart ask_ahead(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    LLVMValueRef function = search->scope->function;
    int64_t step;
    (void)slice;
    if (!is_inside(search, value))
        return SLICE_KNOWN;
    if (LLVMIsAPHINode(value)) {
        bool counts = LLVMGetInstructionParent(value) == ir_loop_header(search->loop) && some_is_number(value) &&
                      ir_step(search->scope->kernel->ir, function, ir_loop_header(search->loop), value, &step);
        return counts ? SLICE_KNOWN : SLICE_FAILS;
    }
    if (!LLVMIsALoadInst(value))
        return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
    return is_plain(value) && !is_written(search, value) ? SLICE_MADE
                                                         : SLICE_FAILS; /* under a condition, if that is asked as well */
}

LLVMBasicBlockRef some_parent(IrModule *ir, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef above = ir_idom(ir, block);
    LLVMValueRef end = above ? LLVMGetBasicBlockTerminator(above) : NULL;
    bool parts = end && LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
    return parts && ways_into(block) == 1 ? above : NULL;
}

/* Does it lead past the block in one iteration at most, in which a counter is a number that was known before? */
static bool leaves_out_one(const Search *search, LLVMValueRef end, LLVMBasicBlockRef block)
{
    LLVMValueRef condition = LLVMGetCondition(end);
    LLVMIntPredicate past = LLVMGetSuccessor(end, 0) == block ? LLVMIntNE : LLVMIntEQ;
    if (!LLVMIsAICmpInst(condition) || LLVMGetICmpPredicate(condition) != past)
        return false;
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1), counter = is_inside(search, a) ? a : b;
    int64_t step;
    return is_inside(search, a) != is_inside(search, b) && some_is_number(counter) &&
           ir_step(search->scope->kernel->ir, search->scope->function, ir_loop_header(search->loop), counter, &step) && step != 0;
}

static bool is_made_inside(const void *context, LLVMValueRef value)
{
    const Search *search = context;
    return is_inside(search, value) && !(LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(search->loop));
}

static bool begins_alike(const Search *search, LLVMValueRef phi)
{
    bool alike = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && alike; i++)
        alike = ir_loop_has_block(search->loop, LLVMGetIncomingBlock(phi, i)) ||
                uniform_in_block(search->scope, LLVMGetIncomingValue(phi, i));
    return alike;
}

/* Is it the same for all threads of the block, as far as what is known before the loop is, and nobody writes what is loaded? */
static SlicePart ask_alike(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    (void)slice;
    if (!is_inside(search, value))
        return uniform_in_block(search->scope, value) ? SLICE_KNOWN : SLICE_FAILS;
    if (LLVMIsAPHINode(value))
        return begins_alike(search, value) ? SLICE_KNOWN : SLICE_FAILS;
    return SLICE_MADE;
}

/* May the data that the condition is made of decide? */
static bool may_decide(Search *search, LLVMValueRef condition)
{
    const Options *options = &search->scope->kernel->options;
    search->by_data = true;
    search->apart |= !slice_of(search->scope->kernel->arena, condition, ask_alike, search);
    search->asking += (int)slice_order(search->scope->kernel->arena, condition, is_made_inside, search).count;
    return options->always || !feature_is_off(options, FEATURE_MASKS);
}

/* Are all conditions on the way to the block known ahead? */
static bool is_told_ahead(Search *search, LLVMBasicBlockRef block)
{
    IrModule *ir = search->scope->kernel->ir;
    while (!is_always(search, block)) {
        LLVMBasicBlockRef above = some_parent(ir, block);
        LLVMValueRef end = above ? LLVMGetBasicBlockTerminator(above) : NULL;
        if (!end || !slice_of(search->scope->kernel->arena, LLVMGetCondition(end), ask_ahead, search))
            return false;
        if (!leaves_out_one(search, end, block) && !may_decide(search, LLVMGetCondition(end)))
            return false;
        block = above;
    }
    return true;
}

/* ---- the loop ---- */

/* Of an instruction, in those of the full rate. */
static int work_of(LLVMValueRef i)
{
    enum { DIVIDES = 10, CALLS = 5 };
    return is_op(i, LLVMFDiv) || is_op(i, LLVMFRem) || is_division(i) ? DIVIDES : LLVMIsACallInst(i) ? CALLS : 1;
}

/* May what stands in the block be done in every iteration, once its loads may be? Products are added in the blocks that they are made in. */
static bool may_be_always(Search *search, LLVMBasicBlockRef block)
{
    const Kernel *kernel = search->scope->kernel;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) && is_plain(i) && space_of(search->scope, LLVMGetOperand(i, 0)) == SPACE_GLOBAL &&
            !is_written(search, i))
            list_add(&search->loads, i);
        else if (!LLVMIsAPHINode(i) && !LLVMIsABranchInst(i) && !ir_is_pure(i))
            return false;
        search->work += LLVMIsALoadInst(i) || LLVMIsAPHINode(i) || LLVMIsABranchInst(i) ? 0 : work_of(i);
    }
    return !product_comes_in(kernel->ir, block);
}

static bool find_stores(Search *search)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(search->loop, b); i = LLVMGetNextInstruction(i)) {
            if (!is_unordered(i) || (LLVMIsACallInst(i) && !ir_is_pure(i)))
                return false;
            if (LLVMIsAStoreInst(i))
                list_add(&search->stores, i);
        }
    return true;
}

static bool find_loads(Search *search)
{
    const Kernel *kernel = search->scope->kernel;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!ir_loop_has_block(search->loop, b))
            continue;
        bool always = is_always(search, b);
        size_t before = search->loads.count;
        if (always ? product_comes_in(kernel->ir, b) : !may_be_always(search, b))
            return false;
        if (search->loads.count > before && !is_told_ahead(search, b))
            return false;
    }
    return search->loads.count > 0 && search->loads.count <= MOST_LOADS;
}

/* Is what some iterations do little beside the words that it is done with? All do it then. What asks is made again some twenty times. */
static bool is_light(const Search *search)
{
    Kernel *kernel = search->scope->kernel;
    const Options *options = &kernel->options;
    int loads = (int)search->loads.count;
    return !search->by_data || options->always ||
           (!registers_are_few(kernel, (int)options->cost.MASKED_REGISTERS) &&
            search->work <= loads * (int)options->cost.MASKED_WORK && search->asking <= loads * MOST_ASKING);
}

/* ---- rows ---- */

/* Bytes that an iteration of the loop moves the access by; 0 where they are no number. That nothing wraps around is asked on entry. */
static int64_t step_of(const Access *access)
{
    int64_t step = 0;
    for (int i = 0; i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        for (int k = 0; k < term->degree; k++)
            if (term->symbol[k]->kind == SYM_LOOP && (IrLoop *)term->symbol[k]->loop == access->loop)
                step = term->degree == 1 ? step + term->coefficient : MOST_STEP + 1;
    }
    return step;
}

/* Of the row that begins with the other access, and so many bytes from it? */
static bool is_of_row(const Search *search, const Access *first, const Access *access, int64_t *from)
{
    const Form *between = form_sub(search->scope->kernel->forms, access->address, first->address);
    return step_of(first) == step_of(access) && between && form_is_constant(between, from);
}

/* Behind those that lie in front of it. */
static void row_add(const Search *search, SomeRow *row, const Access *access, int64_t from)
{
    size_t at = row->loads.count;
    list_add(&row->loads, NULL);
    for (; at > 0 && row->offset[at - 1] > from; at--) {
        row->offset[at] = row->offset[at - 1];
        row->loads.item[at] = row->loads.item[at - 1];
    }
    row->offset[at] = from;
    row->loads.item[at] = (void *)number_in(search->loop, access->instruction);
}

/* Narrow elements of rows that begin anywhere else come one by one, and all of them where fewer are wanted: rows of 1000, 200 and 300 bytes and of 300 halves
 * came to 0.52 to 1.9 of plain clang, of 4000, 1024 and 512 to 1.0 to 6.5 (H200). What counters tell is left out is little. */
static int64_t begin_of(const Search *search, const Access *access)
{
    return search->by_data && access->bytes < WORD_BYTES ? layout_row_unit(access) : 1;
}

/* Puts the load into its row; false where nobody knows where it lies. */
static bool row_place(const Search *search, SomeRows *some, List *firsts, LLVMValueRef load)
{
    const Kernel *kernel = search->scope->kernel;
    Arena *arena = kernel->plan->arena;
    const Access *access = access_of_load(search->scope, load);
    int64_t step = access && access->loop == search->loop ? step_of(access) : 0, from;
    IrExtent extent;
    /* A word that is not aligned to its size may end in another sector than it begins in. One that each iteration has at another place within what it is aligned to
     * is aligned where it is wanted alone. */
    int64_t alignment = LLVMGetAlignment(load);
    if (step <= 0 || step > MOST_STEP || step % alignment || (int)alignment < access->bytes ||
        !ir_extent(kernel->ir, search->scope->function, some->header, LLVMGetOperand(load, 0), 0, NULL, &extent))
        return false;
    for (size_t i = 0; i < some->rows.count; i++)
        if (is_of_row(search, firsts->item[i], access, &from)) {
            row_add(search, some->rows.item[i], access, from);
            return true;
        }
    SomeRow *row = ARENA_NEW(arena, SomeRow);
    *row = (SomeRow){.loads = list_new(arena),
                     .offset = ARENA_ARRAY(arena, int64_t, MOST_LOADS),
                     .step = step,
                     .begins = begin_of(search, access)};
    row_add(search, row, access, 0);
    list_add(&some->rows, row);
    list_add(firsts, (void *)access);
    return some->rows.count <= MOST_ROWS;
}

/* Does every iteration load words of rows, which move whatever comes of the others? */
static bool has_walk_always(const Search *search)
{
    const Kernel *kernel = search->scope->kernel;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == search->loop && access->scope == search->scope && access->kind == CLASS_WALK &&
            is_always(search, LLVMGetInstructionParent(access->instruction)))
            return true;
    }
    return false;
}

/* Rows shorter than a piece are not moved. False where the loads of an iteration lie among those of the next. */
static bool find_trips(const Kernel *kernel, SomeRows *some)
{
    int64_t bytes = (int64_t)kernel->options.cost.PIECE;
    some->trips = SOME_ENDS;
    for (size_t i = 0; i < some->rows.count; i++) {
        const SomeRow *row = some->rows.item[i];
        int own = (int)((bytes + row->step - 1) / row->step);
        some->trips = own > some->trips ? own : some->trips;
        if (row->offset[row->loads.count - 1] - row->offset[0] >= row->step)
            return false;
    }
    return true;
}

/* As many iterations of the loop as it was in one body as ptxas would put there. */
static int times_of(const Search *search)
{
    const Kernel *kernel = search->scope->kernel;
    int size = ir_loop_instructions(search->loop), times = (int)kernel->options.cost.MASKED_TIMES;
    bool may = !loop_is_told(kernel, search->loop) && !product_returns(kernel->ir, search->loop);
    while (times > 1 && times * size > MOST_CODE)
        times /= 2;
    return may ? times : 1;
}

static void choose_by_data(const Search *search, SomeRows *some)
{
    const Options *options = &search->scope->kernel->options;
    const Costs *costs = &options->cost;
    some->by_data = true;
    some->is_kept = has_walk_always(search);
    some->least = options->always ? 0 : (int)(some->is_kept ? costs->MASKED_BESIDE : costs->MASKED);
    some->times = some->is_kept ? 1 : times_of(search);
    int words = (int)(search->apart && !some->is_kept ? costs->MASKED_APART : costs->MASKED_ROW);
    for (size_t i = 0; i < some->rows.count; i++) {
        int loads = (int)((const SomeRow *)some->rows.item[i])->loads.count, own = (words + loads - 1) / loads;
        own = own > SOME_SAMPLED ? own : SOME_SAMPLED;
        some->trips = own > some->trips ? own : some->trips;
    }
}

static SomeRows *some_of(Scope *scope, IrLoop *loop)
{
    const Kernel *kernel = scope->kernel;
    Search search = {scope, loop, ir_loop_latch(loop), list_new(kernel->arena), list_new(kernel->arena), false, false, 0, 0};
    if (!search.latch || !ir_loop_is_innermost(loop) || !ir_loop_is_countable(kernel->ir, loop) || !find_stores(&search) ||
        !find_loads(&search) || !is_light(&search))
        return NULL;
    SomeRows *some = ARENA_NEW(kernel->plan->arena, SomeRows);
    List firsts = list_new(kernel->arena);
    *some = (SomeRows){.header = ir_loop_header(loop), .rows = list_new(kernel->plan->arena)};
    for (size_t i = 0; i < search.loads.count; i++)
        if (!row_place(&search, some, &firsts, search.loads.item[i]))
            return NULL;
    bool may = find_trips(kernel, some);
    if (search.by_data)
        choose_by_data(&search, some);
    return may ? some : NULL;
}

/* Asked first, as it takes no time. */
static bool may_be_some(const Access *access)
{
    const Kernel *kernel = access->scope->kernel;
    LLVMBasicBlockRef latch = access->loop && access->op == OP_LOAD ? ir_loop_latch(access->loop) : NULL;
    return latch && access->scope == kernel->scope && access->kind == CLASS_WALK &&
           !ir_is_marked(access->instruction, SPARSE_METADATA) &&
           !ir_dominates(kernel->ir, LLVMGetInstructionParent(access->instruction), latch);
}

/* Of too many that data decide about none is made: each takes as much code as a walk that all iterations load for, and half as much again. */
static List leave_many(const Kernel *kernel, const List *found)
{
    List few = list_new(kernel->plan->arena);
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += ((const SomeRows *)found->item[i])->by_data;
    bool many = count > (size_t)kernel->options.cost.MASKED_LOOPS && !kernel->options.always;
    for (size_t i = 0; i < found->count; i++)
        if (!many || !((const SomeRows *)found->item[i])->by_data)
            list_add(&few, found->item[i]);
    return few;
}

List some_rows_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_HOISTING))
        return found;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMBasicBlockRef header = may_be_some(access) ? ir_loop_header(access->loop) : NULL;
        if (!header || map_get(seen, header) || map_get(kernel->plan->tried, header) ||
            block_obstacle(kernel, access) != WHY_WALK_SOME)
            continue;
        map_put(seen, header, header);
        SomeRows *some = some_of(kernel->scope, access->loop);
        if (some)
            list_add(&found, some);
    }
    return leave_many(kernel, &found);
}
