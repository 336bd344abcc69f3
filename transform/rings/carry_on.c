/* Copies that go on into the next run of their loop: where one run's tiles are all under way, a stage copies those of the next one.
 *
 *     for (r ...) {                              next(first run) -> alive, r', k', a' = A + r' * n
 *         a = A + r * n                          for each stage but one: copy ahead; commit
 *         for (k ...) {                          for (r ...) {
 *             copy a[k]; filled; use; freed  ->      for (k ...) { wait; filled; copy ahead, into the slot that was used last; commit; use }
 *         }                                          freed; `at` = the next stage
 *         out[r] = sum                               out[r] = sum
 *     }                                          }
 *
 *     copy ahead:                                if (!alive) next(r') -> alive, r', k', a'
 *                                                if (alive) copy a'[k']; ...
 *
 * What is made around the loop and copies depend on has locals of its own, which are ahead as the counters are. A stage holds tiles of one
 * run alone; so a run begins with a stage, as filled and the wait before it do. */
#include "transform/rings/make_ring.h"

/* ---- what is ahead ---- */

LLVMValueRef runs_now(RingMaker *maker, LLVMValueRef value)
{
    LLVMValueRef local = maker->runs && value ? map_get(maker->runs->ahead, value) : NULL;
    return local ? ring_get(maker, local, LLVMTypeOf(value)) : value;
}

void runs_map(RingMaker *maker, Twins *twins)
{
    for (size_t i = 0; maker->runs && i < maker->runs->wanted.count; i++)
        map_put(twins->value, maker->runs->wanted.item[i], runs_now(maker, maker->runs->wanted.item[i]));
}

/* What it is made around the loop, and nowhere else, is wanted. */
static void want(Runs *runs, IrLoop *around, IrLoop *loop, LLVMValueRef value)
{
    LLVMBasicBlockRef block = value && LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    bool between = block && ir_loop_has_block(around, block) && !ir_loop_has_block(loop, block);
    for (size_t i = 0; between && i < runs->wanted.count; i++)
        between = runs->wanted.item[i] != value;
    if (between)
        list_add(&runs->wanted, value);
}

static void want_grid(Runs *runs, IrLoop *around, IrLoop *loop, const IrGrid *grid)
{
    LLVMValueRef values[] = {grid->start, grid->step, grid->row_step, grid->last, grid->holds};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        want(runs, around, loop, values[i]);
}

static void want_course(Runs *runs, IrLoop *around, IrLoop *loop, const RingCourse *course)
{
    LLVMValueRef values[] = {course->source, course->step, course->holds};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        want(runs, around, loop, values[i]);
    want_grid(runs, around, loop, &course->from);
    want_grid(runs, around, loop, &course->to);
}

Runs *runs_ask(IrModule *ir, const Ring *ring, const RingCourse *courses)
{
    IrLoop *loop = ir_loop_of(ir, ring->header), *around = ir_loop_parent(loop);
    Runs *runs = ARENA_NEW(ring->arena, Runs);
    *runs = (Runs){.ir = ir, .before = ir_loop_before(around), .wanted = list_new(ring->arena), .ahead = map_new(ring->arena)};
    for (size_t i = 0; i < ring->runs.values.count; i++)
        want(runs, around, loop, ring->runs.values.item[i]);
    for (size_t i = 0; courses && i < ring->copies.count; i++)
        want_course(runs, around, loop, &courses[i]);
    bool known = ir_next_run(ir, ring->function, ring->header, (LLVMValueRef *)runs->wanted.item, runs->wanted.count, &runs->next);
    INVARIANT(known || courses); /* it was asked for those that no course has */
    return known ? runs : NULL;
}

/* ---- the next run ---- */

static LLVMValueRef ask_next(RingMaker *maker, bool first)
{
    Emit *emit = &maker->emit;
    const IrNextRun *next = &maker->runs->next;
    LLVMValueRef given[1 + IR_STATES + IR_KNOWN] = {LLVMConstInt(emit->i1, first, false)};
    unsigned count = 1;
    for (size_t i = 0; i < next->states; i++)
        given[count++] = ring_get(maker, maker->runs->state[i], LLVMTypeOf(next->state[i]));
    for (size_t i = 0; i < next->knowns; i++)
        given[count++] = next->known[i];
    return LLVMBuildCall2(emit->builder, LLVMGlobalGetValueType(next->function), next->function, given, count, "");
}

/* The counters begin anew, with what the run begins with. */
static void turn_to(RingMaker *maker, LLVMValueRef answer)
{
    Emit *emit = &maker->emit;
    Runs *runs = maker->runs;
    const List *state = &maker->ring->next.state;
    unsigned part = 0;
    ring_set(maker, maker->alive, LLVMBuildExtractValue(emit->builder, answer, part++, ""));
    for (size_t i = 0; i < runs->next.states; i++)
        ring_set(maker, runs->state[i], LLVMBuildExtractValue(emit->builder, answer, part++, ""));
    for (size_t i = 0; i < runs->wanted.count; i++)
        ring_set(maker, map_get(runs->ahead, runs->wanted.item[i]), LLVMBuildExtractValue(emit->builder, answer, part++, ""));
    for (size_t i = 0; i < state->count; i++)
        ring_set(maker, map_get(maker->counter, state->item[i]), runs_now(maker, phi_value_from(state->item[i], maker->gate)));
}

/* Has the run tiles for a whole stage? Only then are there wide copies in it. */
static LLVMValueRef fills_stage(RingMaker *maker)
{
    LLVMValueRef alive, *counters = ARENA_ARRAY(maker->emit.arena, LLVMValueRef, maker->ring->next.state.count);
    ahead_get(maker, &alive, counters);
    return ahead_try_steps(maker, maker->ring->choice.batch, &alive, counters, true);
}

/* The builder stands at the end of a block that has no jump yet, and does so again. */
static void begin_run(RingMaker *maker, bool first)
{
    Emit *emit = &maker->emit;
    turn_to(maker, ask_next(maker, first));
    if (!maker->courses)
        return;
    LLVMBasicBlockRef test = ring_block(maker), after = ring_block(maker);
    wide_none(maker);
    LLVMBuildCondBr(emit->builder, fills_stage(maker), test, after);
    LLVMPositionBuilderAtEnd(emit->builder, test);
    LLVMBuildBr(emit->builder, after);
    wide_open(maker, test);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}

void runs_follow(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    LLVMBasicBlockRef next = ring_block(maker), after = ring_block(maker);
    LLVMBuildCondBr(emit->builder, ring_get(maker, maker->alive, emit->i1), after, next);
    LLVMPositionBuilderAtEnd(emit->builder, next);
    begin_run(maker, false);
    LLVMBuildBr(emit->builder, after);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}

/* ---- before the first run, and behind each ---- */

void runs_open(RingMaker *maker)
{
    const Ring *ring = maker->ring;
    Runs *runs = maker->runs;
    maker->alive = ring_local(maker, maker->emit.i1, "alive");
    for (size_t i = 0; i < runs->next.states; i++) {
        runs->state[i] = ring_local(maker, LLVMTypeOf(runs->next.state[i]), "around");
        ring_set(maker, runs->state[i], phi_value_from(runs->next.state[i], runs->gate));
    }
    for (size_t i = 0; i < runs->wanted.count; i++)
        map_put(runs->ahead, runs->wanted.item[i], ring_local(maker, LLVMTypeOf(runs->wanted.item[i]), "around"));
    for (size_t i = 0; i < ring->next.state.count; i++)
        map_put(maker->counter, ring->next.state.item[i], ring_local(maker, LLVMTypeOf(ring->next.state.item[i]), "ahead"));
    begin_run(maker, true);
}

void runs_leave(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    if (!maker->until)
        return;
    emit_before(emit, phis_end(ring_exit(maker)));
    LLVMValueRef left = emit_binary(emit, LLVMMul, ring_get(maker, maker->until, emit->i32), ring->tile.bytes);
    LLVMValueRef at = LLVMBuildAdd(emit->builder, ring_get(maker, maker->at, emit->i32), left, "");
    LLVMValueRef ends = LLVMBuildICmp(emit->builder, LLVMIntEQ, at, emit_int(emit, ring_slots(ring) * ring->tile.bytes), "");
    ring_set(maker, maker->at, emit_select(emit, ends, emit_int(emit, 0), at));
    ring_set(maker, maker->until, emit_int(emit, 0));
}
