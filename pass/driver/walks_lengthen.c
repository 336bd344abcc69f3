/* Walks: loops are made longer, and are as they were again where their longer bodies are not rewritten. */
#include "analysis/explain/explain.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static void walks_find(Pass *pass)
{
    List looping = pass_with_loops(pass);
    for (size_t i = 0; i < looping.count; i++) {
        Kernel *kernel = *(Kernel **)looping.item[i];
        size_t walks = pass->plan->blocks.count;
        kernel_measure(kernel);
        block_find(kernel); /* walks that become records once their loop is longer */
        trace_walks(kernel, walks);
    }
}

static Map *functions_with_walks(const Pass *pass)
{
    Map *walking = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        LLVMValueRef function = ((const Block *)pass->plan->blocks.item[i])->function;
        map_put(walking, function, function);
    }
    return walking;
}

/* The first is for the longest rows. */
static void block_hold(const Pass *pass, IrModule *ir, Block *block)
{
    Reuse reuse = *block->reuse;
    reuse.blocks = list_copy(pass->arena, &block->reuse->blocks);
    block->held.count = 0;
    for (int i = 0; i < reuse.sizes; i++) {
        const ReuseSize *size = &reuse.size[i];
        LLVMBasicBlockRef around = reuse_block(&reuse, REUSE_AROUND), walk = reuse_block(&reuse, REUSE_WALK);
        LLVMBasicBlockRef before = reuse_open(pass->arena, ir, &reuse, size);
        ir_unroll(ir, LLVMGetBasicBlockParent(walk), walk, size->factor, size->factors, NULL, NULL);
        reuse_hold(ir, around, walk, before, size);
        list_add(&block->held, before);
        if (!size->last)
            list_add(&block->held, walk);
    }
}

static void loop_lengthen(const Pass *pass, IrModule *ir, const Block *block, LLVMBasicBlockRef header, bool rests)
{
    UnevenRows rows = {.arena = pass->arena, .threads = block->few_threads, .pieces = block->few_pieces};
    ir_unroll(ir, LLVMGetBasicBlockParent(header), header, block->factor, rests ? block->factors : 1,
              block->apart ? uneven_rows_hold : NULL, &rows);
}

/* And what remains of it, unless that is no matter. */
static void block_lengthen(const Pass *pass, IrModule *ir, Block *block, LLVMBasicBlockRef header, bool rests)
{
    if (block->splits)
        ir_loop_split(ir, LLVMGetBasicBlockParent(header), header);
    if (block->begin && rests && !block->reuse)
        rows_begin(pass->arena, ir, header, block->begin);
    if (block->tests)
        apart_version(pass->arena, ir, header, block->tests, block->factor[block->factors - 1]);
    if (block->shelf_threads)
        loop_lengthen(pass, ir, block, shelf_version(pass->arena, ir, header, block->shelf_threads), rests);
    if (block->reuse && !block->reuse->why && rests) {
        block_hold(pass, ir, block);
        return;
    }
    if (block->reuse && rests)
        hoist_mark(ir, header, &block->reuse->loads, ANEW_METADATA);
    if (block->early.count)
        hoist_mark(ir, header, &block->early, HOIST_METADATA);
    loop_lengthen(pass, ir, block, header, rests);
}

/* Where the i-th block's header is header[i]. A function is cleaned once, however many of its loops are longer. */
static void blocks_lengthen(const Pass *pass, IrModule *ir, const List *blocks, LLVMBasicBlockRef *header, bool rests)
{
    Map *longer = map_new(pass->arena), *cleaned = map_new(pass->arena);
    for (size_t i = 0; i < blocks->count; i++) {
        block_lengthen(pass, ir, blocks->item[i], header[i], rests);
        map_put(longer, header[i], header[i]);
    }
    for (size_t i = 0; i < blocks->count; i++) {
        LLVMValueRef function = LLVMGetBasicBlockParent(header[i]);
        if (map_get(cleaned, function))
            continue;
        map_put(cleaned, function, function);
        ir_clean(ir, function);
        hoist_raise(ir, function, longer);
    }
}

/* Of the groups that are left as they are in a longer loop, the largest one's cause. */
static void note_refusals(const Plan *plan, LLVMBasicBlockRef header, Block *block)
{
    size_t most[OP_ATOMIC] = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); i; i = LLVMGetNextInstruction(i)) {
        const List *groups = map_get(plan->grouped, i);
        for (size_t j = 0; groups && j < groups->count; j++) {
            const Group *group = groups->item[j];
            if (!group->choice.why || group->members.count <= most[group->op])
                continue;
            most[group->op] = group->members.count;
            block->why[group->op] = refusal_in_block(group);
        }
    }
}

/* What each thread moves in wider pieces is gained by a longer loop where they are longer than what an iteration has of its row: else it was there
 * before, and the backend may have made it by itself. */
static bool gains_by_length(const Group *group, const Block *block) { return !group_widens(group) || group->covered > block->step; }

/* Marks the blocks that the plan rewrites, where header[i] is what the i-th has become. */
static void mark_rewritten(const Pass *pass, const Plan *plan, LLVMBasicBlockRef *header)
{
    Map *lengthened = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        Block *block = pass->plan->blocks.item[i];
        map_put(lengthened, header[i], block);
        for (size_t j = 0; j < block->held.count; j++)
            map_put(lengthened, block->held.item[j], block);
    }
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        for (size_t j = 0; j < region->groups.count; j++) {
            const Group *group = region->groups.item[j];
            Block *block = map_get(lengthened, group->block);
            if (!block || !gains_by_length(group, block))
                continue;
            block->shelved |= region->shelf_only;
            block->pays = true;
            block->moves[group->op] |= group->choice.action == ACTION_EXCHANGE;
        }
    }
    for (size_t i = 0; i < pass->plan->blocks.count; i++)
        note_refusals(plan, header[i], pass->plan->blocks.item[i]);
}

static void rehearse(const Pass *pass)
{
    const List *blocks = &pass->plan->blocks;
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, blocks->count);
    for (size_t i = 0; i < blocks->count; i++) {
        const Block *block = blocks->item[i];
        header[i] = block->header;
        trace_trial(pass_runner(pass, block->function), block, ", on a copy");
    }
    Rehearsal rehearsal = rehearsal_open(pass, functions_with_walks(pass), header, blocks->count);
    blocks_lengthen(pass, rehearsal.ir, blocks, header, false);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    for (size_t i = 0; i < copy.kernels.count; i++)
        kernel_plan(copy.kernels.item[i]);
    mark_rewritten(pass, copy.plan, header);
    for (size_t i = 0; i < blocks->count; i++)
        trace_rehearsed(pass_runner(pass, ((const Block *)blocks->item[i])->function), blocks->item[i]);
    pass_close(&copy);
    rehearsal_close(&rehearsal);
}

/* A function whose loops are made longer, and what it was. */
typedef struct {
    LLVMValueRef function;
    bool is_settled; /* before it is tried: what is kept is so, too */
    bool has_rows; /* before it is tried: loops that are longer and no such lists */
    bool is_accompanied; /* the same: or lists with others beside them */
    IrBody *body;
    List blocks; /* of Block: its own */
    LLVMBasicBlockRef *header; /* theirs, in what it was */
    Reuse **reuse; /* the same */
} Trial;

static Reuse *reuse_kept(const Pass *pass, const IrBody *body, const Reuse *reuse)
{
    Reuse *kept = ARENA_NEW(pass->arena, Reuse);
    *kept = *reuse;
    kept->blocks = list_new(pass->arena);
    for (size_t i = 0; i < reuse->blocks.count; i++)
        list_add(&kept->blocks, ir_body_block(body, reuse->blocks.item[i]));
    return kept;
}

static Trial *trial_open(const Pass *pass, LLVMValueRef function)
{
    const List *blocks = &pass->plan->blocks;
    Trial *trial = ARENA_NEW(pass->arena, Trial);
    *trial = (Trial){function,
                     map_get(pass->settled, function),
                     map_get(pass->plan->rows, function),
                     map_get(pass->plan->accompanied, function),
                     ir_body_keep(function),
                     list_new(pass->arena),
                     ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, blocks->count),
                     ARENA_ARRAY(pass->arena, Reuse *, blocks->count)};
    spare_keep(pass->spares, function);
    for (size_t i = 0; i < blocks->count; i++) {
        const Block *block = blocks->item[i];
        if (block->function != function)
            continue;
        trial->header[trial->blocks.count] = ir_body_block(trial->body, block->header);
        INVARIANT(trial->header[trial->blocks.count] != NULL);
        trial->reuse[trial->blocks.count] = block->reuse ? reuse_kept(pass, trial->body, block->reuse) : NULL;
        list_add(&trial->blocks, blocks->item[i]);
    }
    return trial;
}

static void trial_lengthen(const Pass *pass, const Trial *trial, bool all)
{
    List blocks = list_new(pass->arena);
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, trial->blocks.count);
    bool has_rows = trial->has_rows, is_accompanied = trial->is_accompanied;
    for (size_t i = 0; i < trial->blocks.count; i++) {
        Block *block = trial->blocks.item[i];
        if (!all && !block->pays)
            continue;
        has_rows |= !block->listed;
        is_accompanied |= !block->lone || block->leads;
        trace_trial(pass_runner(pass, trial->function), block, all ? "" : ", without those that were undone");
        header[blocks.count] = block->header;
        list_add(&blocks, block);
    }
    map_put(pass->plan->longer, trial->function, blocks.count ? trial->function : NULL);
    map_put(pass->plan->rows, trial->function, has_rows ? trial->function : NULL);
    map_put(pass->plan->accompanied, trial->function, is_accompanied ? trial->function : NULL);
    if (blocks.count)
        pass_settle(pass, trial->function);
    blocks_lengthen(pass, pass->ir, &blocks, header, true);
}

/* Loops that came in two versions for shelves that were not to be had come in one. */
static bool trial_succeeded(const Trial *trial)
{
    bool succeeded = true;
    for (size_t i = 0; i < trial->blocks.count; i++) {
        Block *block = trial->blocks.item[i];
        succeeded &= block->pays && (!block->shelf_threads || block->shelved);
        block->shelf_threads = block->shelved ? block->shelf_threads : 0;
    }
    return succeeded;
}

/* To be called before any of it is undone. */
static void trial_tell(const Pass *pass, const Trial *trial)
{
    for (size_t i = 0; i < trial->blocks.count; i++)
        made_walk(pass_runner(pass, trial->function), trial->blocks.item[i], trial->header[i]);
}

static void plan_forget(Plan *plan, LLVMValueRef function)
{
    List kept = list_new(plan->arena);
    for (size_t i = 0; i < plan->regions.count; i++)
        if (((const Region *)plan->regions.item[i])->function != function)
            list_add(&kept, plan->regions.item[i]);
    plan->regions = kept;
    map_put(plan->planned, function, NULL);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            map_put(plan->grouped, i, NULL);
            map_put(plan->handed, i, NULL);
        }
}

/* The function is as it was, but for the loops that pay. */
static void trial_undo(const Pass *pass, const Trial *trial)
{
    plan_forget(pass->plan, trial->function);
    ir_body_restore(pass->ir, trial->body);
    map_put(pass->settled, trial->function, trial->is_settled ? trial->function : NULL);
    for (size_t i = 0; i < trial->blocks.count; i++) {
        Block *block = trial->blocks.item[i];
        block->header = trial->header[i];
        block->reuse = trial->reuse[i];
    }
    trial_lengthen(pass, trial, false);
}

static void trials_plan(Pass *pass, const List *trials)
{
    Map *longer = map_new(pass->arena);
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, pass->plan->blocks.count);
    for (size_t i = 0; i < trials->count; i++) {
        const Trial *trial = trials->item[i];
        trial_lengthen(pass, trial, true);
        map_put(longer, trial->function, pass);
        pass_check(pass, "longer walks");
    }
    pass_renew(pass, longer);
    for (size_t i = 0; i < pass->kernels.count; i++)
        kernel_plan(pass->kernels.item[i]);
    for (size_t i = 0; i < pass->plan->blocks.count; i++)
        header[i] = ((const Block *)pass->plan->blocks.item[i])->header;
    mark_rewritten(pass, pass->plan, header);
}

/* Declarations that what was undone has left behind. */
static void erase_unused(LLVMValueRef function)
{
    for (LLVMValueRef next; function; function = next) {
        next = LLVMGetNextFunction(function);
        if (LLVMIsDeclaration(function) && !LLVMGetFirstUse(function))
            LLVMDeleteFunction(function);
    }
}

static void lengthen(Pass *pass)
{
    List trials = list_new(pass->arena);
    Map *tried = map_new(pass->arena);
    LLVMValueRef last = LLVMGetLastFunction(pass->module);
    Map *undone = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        LLVMValueRef function = ((const Block *)pass->plan->blocks.item[i])->function;
        if (!map_get(tried, function))
            list_add(&trials, trial_open(pass, function));
        map_put(tried, function, pass);
    }
    trials_plan(pass, &trials);
    for (size_t i = 0; i < trials.count; i++) {
        Trial *trial = trials.item[i];
        trial_tell(pass, trial);
        if (!trial_succeeded(trial)) {
            trial_undo(pass, trial);
            map_put(undone, trial->function, trial);
            pass_check(pass, "walks as they were");
        }
        ir_body_close(trial->body);
    }
    pass_renew(pass, undone);
    erase_unused(LLVMGetNextFunction(last));
}

bool walks_lengthen(Pass *pass, bool rewrites)
{
    bool any = false;
    walks_find(pass);
    const List blocks = pass->plan->blocks;
    if (!blocks.count)
        return false;
    if (rewrites)
        lengthen(pass);
    else
        rehearse(pass);
    for (size_t i = 0; i < blocks.count; i++) {
        Block *block = blocks.item[i];
        any |= block->pays;
        if (block->pays)
            spare_ask(pass->spares, block);
        if (!block->pays || !rewrites)
            map_put(pass->plan->tried, block->header, block);
    }
    if (rewrites)
        pass->plan->blocks.count = 0;
    return any;
}
