/* Loops that wait for their own loads in every iteration, and may make them one iteration ahead, in registers.
 *
 *     for (j = begin; j < end; j++) {           the address of x[c] is known once c is there: an iteration takes two latencies
 *         c = col[j];                           one after the other. col[j + 1] follows from the counter alone, and may be asked
 *         use x[c];                             for before x[c] is waited for
 *     }
 *
 * Whether there is a next iteration, and where its load lies, has to follow from the loop's counters by arithmetic alone: so nothing is
 * read that the original would not read. The loop is left at its latch alone, and the load is made in every iteration. */
#include "analysis/ahead/lookahead.h"

typedef struct {
    Scope *scope;
    IrLoop *loop;
    Lookahead *ahead;
} Search;

/* ---- what is computed for the next iteration ---- */

typedef struct {
    IrLoop *loop;
    Map *needed; /* NULL: it is only asked */
} Needs;

static SlicePart ask_needs(Slice *slice, const void *context, LLVMValueRef value)
{
    const Needs *needs = context;
    if (!ir_loop_has(needs->loop, value))
        return SLICE_KNOWN;
    bool counts = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(needs->loop);
    if (counts)
        slice_add(slice, phi_value_from(value, ir_loop_latch(needs->loop)));
    else if (!ir_is_pure(value))
        return SLICE_FAILS;
    if (needs->needed)
        map_put(needs->needed, value, value);
    return counts ? SLICE_KNOWN : SLICE_MADE;
}

static bool follows(const Search *search, LLVMValueRef value)
{
    const Needs asked = {search->loop, NULL}, noted = {search->loop, search->ahead->needed};
    Arena *arena = search->ahead->arena;
    return slice_of(arena, value, ask_needs, &asked) && slice_of(arena, value, ask_needs, &noted);
}

/* ---- the loop ---- */

int words_of_load(const Kernel *kernel, LLVMValueRef load)
{
    return (int)(LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(load)) + WORD_BYTES - 1) / WORD_BYTES;
}

bool loop_leaves_at_latch(IrLoop *loop)
{
    LLVMBasicBlockRef latch = ir_loop_latch(loop);
    LLVMValueRef jump = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    if (!jump || !LLVMIsABranchInst(jump) || !LLVMIsConditional(jump))
        return false;
    for (size_t n = 0; n < ir_loop_size(loop); n++) {
        LLVMBasicBlockRef b = ir_loop_block(loop, n);
        jump = LLVMGetBasicBlockTerminator(b);
        for (unsigned s = 0; b != latch && s < LLVMGetNumSuccessors(jump); s++)
            if (!ir_loop_has_block(loop, LLVMGetSuccessor(jump, s)))
                return false;
    }
    return true;
}

/* Was it made by a rewrite, or is it there beside another version of itself? */
static bool is_made(LLVMValueRef i)
{
    static const char *const marks[] = {ASIDE_METADATA, ORIGINAL_METADATA, AHEAD_METADATA, RING_METADATA,
                                        BLOCK_METADATA, REST_METADATA,     BATCH_METADATA};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
        if (ir_is_marked(i, marks[m]))
            return true;
    return false;
}

bool loop_is_made(IrLoop *loop)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (is_made(i))
                return true;
    return false;
}

/* ---- its loads ---- */

/* Is it one that every iteration makes and waits for? */
static bool is_candidate(IrModule *ir, IrLoop *loop, LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && ir_dominates(ir, LLVMGetInstructionParent(i), ir_loop_latch(loop)) && load_is_awaited(loop, i);
}

static void add_load(Search *search, const Passed *passed, LLVMValueRef load)
{
    Lookahead *ahead = search->ahead;
    LLVMValueRef source = LLVMGetOperand(load, 0);
    if (space_of(search->scope, source) != SPACE_GLOBAL || !follows(search, source))
        return;
    Why why = passed_obstacle(passed, load);
    if (why) {
        ahead->why = why;
        return;
    }
    list_add(&ahead->loads, load);
    ahead->words += words_of_load(search->scope->kernel, load);
}

/* Blocks that dominate the latch come in one order, which is that of the dominators. */
static void add_loads(Search *search, const Passed *passed, LLVMBasicBlockRef block)
{
    const Kernel *kernel = search->scope->kernel;
    LLVMBasicBlockRef above = block == search->ahead->header ? NULL : ir_idom(kernel->ir, block);
    if (above)
        add_loads(search, passed, above);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (is_candidate(kernel->ir, search->loop, i))
            add_load(search, passed, i);
}

static bool is_promising(IrModule *ir, IrLoop *loop)
{
    if (!ir_loop_is_innermost(loop) || !loop_leaves_at_latch(loop) || loop_is_made(loop))
        return false;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (is_candidate(ir, loop, i))
                return true;
    return false;
}

static Lookahead *lookahead_of(Scope *scope, IrLoop *loop)
{
    const Kernel *kernel = scope->kernel;
    Arena *arena = kernel->plan->arena;
    Lookahead *ahead = ARENA_NEW(arena, Lookahead);
    *ahead = (Lookahead){.arena = arena,
                         .function = scope->function,
                         .header = ir_loop_header(loop),
                         .latch = ir_loop_latch(loop),
                         .loads = list_new(arena),
                         .needed = map_new(arena),
                         .beside = map_get(kernel->plan->beside, ir_loop_header(loop)) != NULL};
    Search search = {scope, loop, ahead};
    Passed passed = {scope, loop, list_new(kernel->arena), false};
    if (!follows(&search, LLVMGetCondition(LLVMGetBasicBlockTerminator(ahead->latch))))
        ahead->why = WHY_AHEAD_UNTIL;
    else if (!passed_find(&passed))
        ahead->why = WHY_AHEAD_ORDER;
    else
        add_loads(&search, &passed, ahead->latch);
    if (ahead->loads.count) {
        ahead->why = lookahead_obstacle(scope, ahead, 1);
        ahead->times = ahead->why ? 1 : side_by_side(scope, ahead);
    }
    return ahead->loads.count || ahead->why ? ahead : NULL;
}

/* ---- the kernel ---- */

bool lookahead_may_be(IrModule *ir, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(ir, b);
        if (loop && ir_loop_header(loop) == b && is_promising(ir, loop))
            return true;
    }
    return false;
}

void lookahead_find(Kernel *kernel)
{
    Scope *scope = kernel->scope;
    if (!kernel->is_entry || ir_is_optnone(scope->function) || feature_is_off(&kernel->options, FEATURE_LOOKAHEAD))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        bool begins = loop && ir_loop_header(loop) == b && is_promising(kernel->ir, loop);
        Lookahead *ahead = begins ? lookahead_of(scope, loop) : NULL;
        if (ahead)
            list_add(&kernel->plan->lookaheads, ahead);
    }
}
