/* The pipeline: what happens to a module, from top to bottom. */
#include "coalda.h"

/* ---- one kernel: each step is made once, and again only where a loop has been rewritten ---- */

static void kernel_collect(Kernel *kernel)
{
    if (!kernel->is_collected)
        access_collect(kernel); /* every access, its address as a form */
    kernel->is_collected = true;
}

static void kernel_find_tiles(Kernel *kernel)
{
    if (kernel->has_tiles)
        return;
    kernel_collect(kernel);
    tile_find(kernel); /* loops that stage shared memory */
    ring_find(kernel); /* which of them become rings */
    kernel->has_tiles = true;
}

static void kernel_measure(Kernel *kernel)
{
    kernel_collect(kernel);
    if (!kernel->is_measured)
        access_measure(kernel); /* sectors, banks, class */
    kernel->is_measured = true;
}

static void kernel_find_fills(Kernel *kernel)
{
    if (kernel->has_fills)
        return;
    kernel_find_tiles(kernel);
    kernel_measure(kernel);
    fill_find(kernel); /* loops that fill shared memory */
    kernel->has_fills = true;
}

static void kernel_plan(Kernel *kernel)
{
    if (kernel->is_planned)
        return;
    kernel_measure(kernel);
    record_group(kernel); /* accesses side by side */
    plan_make(kernel);    /* what may be rewritten, and pays */
    kernel->is_planned = true;
}

typedef struct {
    const Options *options;
    bool rewrites; /* or says what it would do */
    bool speaks;   /* remarks, and to the sink */
    KernelSink sink;
    void *context;
} Run;

static void kernel_run(Kernel *kernel, const Run *run)
{
    kernel_find_fills(kernel);
    kernel_plan(kernel);
    verdict_give(kernel); /* one verdict for each access */
    if (run->speaks && ir_remarks_wanted(kernel->module))
        remark_emit(kernel);
    if (run->speaks && run->sink)
        run->sink(run->context, kernel);
}

/* Locals that unoptimized code keeps in memory hide every index: such a module is read in a promoted copy. */
static bool is_unoptimized(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef entry = LLVMIsDeclaration(f) ? NULL : LLVMGetEntryBasicBlock(f);
        for (LLVMValueRef i = entry ? LLVMGetFirstInstruction(entry) : NULL; i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && ir_is_promotable(i))
                return true;
    }
    return false;
}

/* ---- one pass over a portion of a module's kernels ---- */

typedef struct {
    IrModule *ir;
    LLVMModuleRef module;
    const Options *options;
    Arena *arena;
    List arenas;  /* the kernels' */
    List kernels; /* of Kernel: those that are not switched off */
    Map *settled; /* functions that are about to change: nothing that is done to them changes what is rounded */
    Plan *plan;   /* refers to the kernels: all live until the pass is closed */
} Pass;

static Kernel *pass_kernel_unturned(Pass *pass, LLVMValueRef function)
{
    Arena *arena = arena_new();
    list_add(&pass->arenas, arena);
    return kernel_open(arena, pass->ir, pass->module, function, pass->options, pass->plan);
}

static Kernel *pass_kernel(Pass *pass, LLVMValueRef function)
{
    Kernel *kernel = pass_kernel_unturned(pass, function);
    kernel->turn = map_get(pass->plan->turns, function);
    if (kernel_is_turned(kernel))
        kernel_turn(kernel);
    return kernel;
}

static Pass pass_open(IrModule *ir, LLVMModuleRef module, const Options *options, const List *roots)
{
    Pass pass = {.ir = ir, .module = module, .options = options, .arena = arena_new()};
    pass.arenas = list_new(pass.arena);
    pass.kernels = list_new(pass.arena);
    pass.settled = map_new(pass.arena);
    pass.plan = plan_new(pass.arena);
    for (size_t i = 0; i < roots->count; i++) {
        Kernel *kernel = pass_kernel(&pass, roots->item[i]);
        if (!kernel->options.off)
            list_add(&pass.kernels, kernel);
    }
    return pass;
}

static void pass_close(Pass *pass)
{
    for (size_t i = 0; i < pass->arenas.count; i++)
        arena_free(pass->arenas.item[i]);
    arena_free(pass->arena);
}

/* True where it was not settled yet. */
static bool settle(const Pass *pass, LLVMValueRef function)
{
    if (map_get(pass->settled, function))
        return false;
    map_put(pass->settled, function, function);
    fuse_settle(function);
    return true;
}

static void erase(const List *dead)
{
    for (size_t i = 0; i < dead->count; i++) {
        LLVMValueRef instruction = dead->item[i];
        if (LLVMGetFirstUse(instruction))
            LLVMReplaceAllUsesWith(instruction, LLVMGetPoison(LLVMTypeOf(instruction)));
        LLVMInstructionEraseFromParent(instruction);
    }
}

static void pass_rewrite(const Pass *pass)
{
    Map *cleaned = map_new(pass->arena);
    List dead = list_new(pass->arena);
    const List *regions = &pass->plan->regions;
    for (size_t i = 0; i < regions->count; i++)
        settle(pass, ((const Region *)regions->item[i])->function);
    for (size_t i = 0; i < regions->count; i++)
        if (((const Region *)regions->item[i])->gathers)
            region_gather(regions->item[i]);
    for (size_t i = 0; i < regions->count; i++)
        region_rewrite(regions->item[i], &dead);
    erase(&dead);
    for (size_t i = 0; i < regions->count; i++) {
        const Region *region = regions->item[i];
        if (map_get(cleaned, region->function))
            continue;
        map_put(cleaned, region->function, region->function);
        ir_clean(pass->ir, region->function);
    }
}

static bool runs_any(const Kernel *kernel, const Map *functions)
{
    for (size_t i = 0; i < kernel->scopes.count; i++)
        if (map_get(functions, ((const Scope *)kernel->scopes.item[i])->function))
            return true;
    return false;
}

/* What was known of kernels that run one of the functions is no longer true. */
static void pass_renew(Pass *pass, const Map *functions)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        Turn *turn = map_get(pass->plan->turns, kernel->function);
        if (!runs_any(kernel, functions))
            continue;
        if (turn)
            turn->before = NULL;
        pass->kernels.item[i] = pass_kernel(pass, kernel->function);
    }
}

static bool has_helper_with_loops(const Pass *pass)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        if (!function_is_kernel(f) && ir_has_loops(pass->ir, f))
            return true;
    return false;
}

/* Places, among the kernels, of those that have a loop, or may call a function that has. */
static List kernels_with_loops(const Pass *pass)
{
    List found = list_new(pass->arena);
    bool anywhere = has_helper_with_loops(pass);
    for (size_t i = 0; i < pass->kernels.count; i++)
        if (anywhere || ir_has_loops(pass->ir, ((const Kernel *)pass->kernels.item[i])->function))
            list_add(&found, &pass->kernels.item[i]);
    return found;
}

/* ---- turns: everything after is planned for threads that have changed places, and they do so in the end ---- */

static void turns_find(Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!turn_is_possible(kernel))
            continue;
        kernel_measure(kernel);
        if (!turn_is_wanted(kernel))
            continue;
        Turn *turn = ARENA_NEW(pass->arena, Turn);
        *turn = (Turn){kernel, turn_hazard(kernel)};
        if (!turn->why && !turn_pays(kernel))
            turn->why = WHY_TURN_NO_GAIN;
        map_put(pass->plan->turns, kernel->function, turn);
        kernel->turn = turn;
        if (!turn->why)
            pass->kernels.item[i] = pass_kernel(pass, kernel->function);
    }
}

/* What their code is like by now without the turn: an access that is better for it is told as it would be. */
static void turns_compare(Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        Turn *turn = map_get(pass->plan->turns, kernel->function);
        if (!kernel_is_turned(kernel) || turn->before)
            continue;
        Kernel *before = pass_kernel_unturned(pass, kernel->function);
        kernel_measure(before);
        turn->before = before;
    }
}

/* True where there is one. */
static bool turns_make(const Pass *pass, bool rewrites)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        if (!kernel_is_turned(kernel))
            continue;
        any = true;
        if (!rewrites)
            continue;
        turn_rewrite(kernel->function);
        ir_changed(pass->ir, kernel->function);
        ir_clean(pass->ir, kernel->function);
    }
    return any;
}

/* ---- rehearsals: what would be rewritten is found out on a copy of the module ---- */

typedef struct {
    IrModule *ir;
    LLVMModuleRef module;
} Rehearsal;

static bool is_on_stage(const void *stage, LLVMValueRef function) { return map_get(stage, function) != NULL; }

/* What the kernels run that run one of the functions: a rehearsal needs no more of the module. */
static Map *stage_of(const Pass *pass, const Map *functions)
{
    Map *stage = map_new(pass->arena);
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        for (size_t j = 0; runs_any(kernel, functions) && j < kernel->scopes.count; j++) {
            LLVMValueRef function = ((const Scope *)kernel->scopes.item[j])->function;
            map_put(stage, function, function);
        }
    }
    return stage;
}

/* The blocks become their twins. */
static Rehearsal rehearsal_open(const Pass *pass, const Map *functions, LLVMBasicBlockRef *block, size_t count)
{
    LLVMModuleRef module = ir_module_copy(pass->module, is_on_stage, stage_of(pass, functions), block, count);
    return (Rehearsal){ir_module_open(), module};
}

static void rehearsal_close(Rehearsal *rehearsal)
{
    ir_module_close(rehearsal->ir);
    LLVMDisposeModule(rehearsal->module);
}

/* A pass over the copy, as it is by now; its kernels are turned where the module's own are. */
static Pass rehearsal_pass(const Rehearsal *rehearsal, const Pass *pass)
{
    const Portion all = portion_whole(pass->arena, rehearsal->module);
    Pass copy = pass_open(rehearsal->ir, rehearsal->module, pass->options, &all.roots);
    for (size_t i = 0; i < copy.kernels.count; i++) {
        LLVMValueRef twin = ((const Kernel *)copy.kernels.item[i])->function;
        size_t length;
        LLVMValueRef own = LLVMGetNamedFunction(pass->module, LLVMGetValueName2(twin, &length));
        map_put(copy.plan->turns, twin, map_get(pass->plan->turns, own));
        copy.kernels.item[i] = pass_kernel(&copy, twin);
    }
    return copy;
}

/* ---- tiles: each ring changes what the others were found in ---- */

/* Has the module shared arrays, and barriers? */
static bool may_stage(LLVMModuleRef module)
{
    size_t length;
    bool arrays = false, barriers = false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        arrays |= is_shared_array(g);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        barriers |= LLVMIsDeclaration(f) && is_barrier_name(LLVMGetValueName2(f, &length));
    return arrays && barriers;
}

/* `header` names the loop of the ring, and then those to be unrolled. */
static void unroll_inside(IrModule *ir, const Ring *ring, LLVMBasicBlockRef *header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header[0]);
    for (size_t i = 0; i < ring->loops.count; i++) {
        ir_unroll(ir, function, header[i + 1], &((const RingLoop *)ring->loops.item[i])->trips, 1, NULL, NULL);
        ir_changed(ir, function);
    }
    ir_tidy(ir, function);
}

static size_t rings_by(const Plan *plan, RingEngine engine)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->rings.count; i++)
        count += ((const Ring *)plan->rings.item[i])->engine == engine;
    return count;
}

static bool keeps_rings(const Pass *pass, const Kernel *kernel, const Ring *ring, LLVMBasicBlockRef *header)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel->function, &length);
    Map *running = map_new(pass->arena);
    map_put(running, ring->function, pass->module);
    Rehearsal rehearsal = rehearsal_open(pass, running, header, ring->loops.count + 1);
    unroll_inside(rehearsal.ir, ring, header);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    Kernel *twin = pass_kernel(&copy, LLVMGetNamedFunction(rehearsal.module, name));
    kernel_find_tiles(twin);
    bool keeps = rings_by(copy.plan, ring->engine) >= rings_by(pass->plan, ring->engine);
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return keeps;
}

static void headers_of(const Ring *ring, LLVMBasicBlockRef *header)
{
    header[0] = ring->header;
    for (size_t i = 0; i < ring->loops.count; i++)
        header[i + 1] = ((const RingLoop *)ring->loops.item[i])->header;
}

/* Inner loops of few iterations come first, where a rehearsal shows that the ring is still found without them. True where that
 * has been settled now: the ring is to be looked for again, which may have counted on it. */
static bool ring_unroll(const Pass *pass, const Kernel *kernel, const Ring *ring)
{
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, ring->loops.count + 1);
    if (map_get(pass->plan->unrolled, ring->header))
        return false;
    map_put(pass->plan->unrolled, ring->header, ring->header);
    headers_of(ring, header);
    if (!ring->loops.count)
        return false;
    if (keeps_rings(pass, kernel, ring, header)) {
        headers_of(ring, header);
        unroll_inside(pass->ir, ring, header);
    }
    return true;
}

/* True where the function or the loop has changed: the ring is to be looked for again. */
static bool ring_settle(const Pass *pass, const Ring *ring)
{
    bool changed = settle(pass, ring->function);
    if (changed)
        ir_changed(pass->ir, ring->function);
    return ir_loop_simplify(pass->ir, ring->function, ring->header) || changed;
}

/* Makes the first of the rings that were found, or something that it is to come after. The function that has changed. */
static LLVMValueRef ring_make(const Pass *pass, const Kernel *kernel)
{
    const Ring *ring = pass->plan->rings.item[0];
    if (!ring_settle(pass, ring) && !ring_unroll(pass, kernel, ring))
        ring_rewrite(pass->ir, ring);
    return ring->function;
}

/* ---- fills: what is left of loops that copy to shared memory ---- */

static LLVMValueRef fills_make(const Pass *pass, const Kernel *kernel)
{
    const List *fills = &pass->plan->fills;
    if (!settle(pass, kernel->function))
        fill_rewrite(pass->arena, fills);
    ir_changed(pass->ir, kernel->function);
    return kernel->function;
}

/* Finds and makes by turns, until nothing more is found. True where anything was. */
static bool make_all(Pass *pass, List *found, void (*find)(Kernel *kernel),
                     LLVMValueRef (*make)(const Pass *pass, const Kernel *kernel))
{
    if (!may_stage(pass->module))
        return false;
    List looping = kernels_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++) {
        Kernel **kernel = looping.item[i];
        for (find(*kernel); found->count; find(*kernel)) {
            Map *changed = map_new(pass->arena);
            map_put(changed, make(pass, *kernel), pass);
            found->count = 0;
            pass_renew(pass, changed);
            any = true;
        }
    }
    return any;
}

/* ---- walks: loops are made longer, and are as they were again where their longer bodies are not rewritten ---- */

static void walks_find(Pass *pass)
{
    List looping = kernels_with_loops(pass);
    for (size_t i = 0; i < looping.count; i++) {
        Kernel *kernel = *(Kernel **)looping.item[i];
        kernel_measure(kernel);
        block_find(kernel); /* walks that become records once their loop is longer */
    }
}

static LLVMValueRef function_of(const Block *block) { return LLVMGetBasicBlockParent(block->header); }

static Map *functions_with_walks(const Pass *pass)
{
    Map *walking = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        LLVMValueRef function = function_of(pass->plan->blocks.item[i]);
        map_put(walking, function, function);
    }
    return walking;
}

/* And what remains of it, unless that is no matter: its first `factors` factors. */
static void block_lengthen(const Pass *pass, IrModule *ir, const Block *block, LLVMBasicBlockRef header, int factors)
{
    if (block->early.count)
        early_mark(ir, header, &block->early);
    ir_unroll(ir, LLVMGetBasicBlockParent(header), header, block->factor, factors, block->apart ? longer_hold : NULL, pass->arena);
}

/* Where the i-th block's header is header[i]. A function is cleaned once, however many of its loops are longer. */
static void blocks_lengthen(const Pass *pass, IrModule *ir, const List *blocks, LLVMBasicBlockRef *header, bool rests)
{
    Map *longer = map_new(pass->arena), *cleaned = map_new(pass->arena);
    for (size_t i = 0; i < blocks->count; i++) {
        const Block *block = blocks->item[i];
        block_lengthen(pass, ir, block, header[i], rests ? block->factors : 1);
        map_put(longer, header[i], header[i]);
    }
    for (size_t i = 0; i < blocks->count; i++) {
        LLVMValueRef function = LLVMGetBasicBlockParent(header[i]);
        if (map_get(cleaned, function))
            continue;
        map_put(cleaned, function, function);
        ir_clean(ir, function);
        early_raise(ir, function, longer);
    }
}

/* Marks the blocks that the plan rewrites, where header[i] is what the i-th has become. */
static void mark_rewritten(const Pass *pass, const Plan *plan, LLVMBasicBlockRef *header)
{
    Map *lengthened = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++)
        map_put(lengthened, header[i], pass->plan->blocks.item[i]);
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        for (size_t j = 0; j < region->groups.count; j++) {
            const Group *group = region->groups.item[j];
            Block *block = map_get(lengthened, group->block);
            if (!block)
                continue;
            block->pays = true;
            block->moves[group->op] |= group->action == ACTION_EXCHANGE;
        }
    }
}

static void rehearse(const Pass *pass)
{
    const List *blocks = &pass->plan->blocks;
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, blocks->count);
    for (size_t i = 0; i < blocks->count; i++)
        header[i] = ((const Block *)blocks->item[i])->header;
    Rehearsal rehearsal = rehearsal_open(pass, functions_with_walks(pass), header, blocks->count);
    blocks_lengthen(pass, rehearsal.ir, blocks, header, false);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    for (size_t i = 0; i < copy.kernels.count; i++)
        kernel_plan(copy.kernels.item[i]);
    mark_rewritten(pass, copy.plan, header);
    pass_close(&copy);
    rehearsal_close(&rehearsal);
}

/* A function whose loops are made longer, and what it was. */
typedef struct {
    LLVMValueRef function;
    IrBody *body;
    List blocks;               /* of Block: its own */
    LLVMBasicBlockRef *header; /* theirs, in what it was */
} Trial;

static Trial *trial_open(const Pass *pass, LLVMValueRef function)
{
    const List *blocks = &pass->plan->blocks;
    Trial *trial = ARENA_NEW(pass->arena, Trial);
    *trial = (Trial){function, ir_body_keep(function), list_new(pass->arena),
                     ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, blocks->count)};
    for (size_t i = 0; i < blocks->count; i++) {
        const Block *block = blocks->item[i];
        if (function_of(block) != function)
            continue;
        trial->header[trial->blocks.count] = ir_body_block(trial->body, block->header);
        list_add(&trial->blocks, blocks->item[i]);
    }
    return trial;
}

static void trial_lengthen(const Pass *pass, const Trial *trial, bool all)
{
    List blocks = list_new(pass->arena);
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, trial->blocks.count);
    for (size_t i = 0; i < trial->blocks.count; i++) {
        Block *block = trial->blocks.item[i];
        if (!all && !block->pays)
            continue;
        header[blocks.count] = block->header;
        list_add(&blocks, block);
    }
    if (blocks.count)
        settle(pass, trial->function);
    blocks_lengthen(pass, pass->ir, &blocks, header, true);
}

static bool trial_succeeded(const Trial *trial)
{
    bool succeeded = true;
    for (size_t i = 0; i < trial->blocks.count; i++)
        succeeded &= ((const Block *)trial->blocks.item[i])->pays;
    return succeeded;
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
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            map_put(plan->grouped, i, NULL);
}

/* The function is as it was, but for the loops that pay. */
static void trial_undo(const Pass *pass, const Trial *trial)
{
    plan_forget(pass->plan, trial->function);
    ir_body_restore(pass->ir, trial->body);
    map_put(pass->settled, trial->function, NULL);
    for (size_t i = 0; i < trial->blocks.count; i++)
        ((Block *)trial->blocks.item[i])->header = trial->header[i];
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
        LLVMValueRef function = function_of(pass->plan->blocks.item[i]);
        if (!map_get(tried, function))
            list_add(&trials, trial_open(pass, function));
        map_put(tried, function, pass);
    }
    trials_plan(pass, &trials);
    for (size_t i = 0; i < trials.count; i++) {
        Trial *trial = trials.item[i];
        if (!trial_succeeded(trial)) {
            trial_undo(pass, trial);
            map_put(undone, trial->function, trial);
        }
        ir_body_close(trial->body);
    }
    pass_renew(pass, undone);
    erase_unused(LLVMGetNextFunction(last));
}

/* True where a loop has become longer, or would. */
static bool walks_lengthen(Pass *pass, bool rewrites)
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
    for (size_t i = 0; i < blocks.count; i++)
        any |= ((const Block *)blocks.item[i])->pays;
    if (rewrites)
        pass->plan->blocks.count = 0;
    return any;
}

/* ---- modules ---- */

/* True where something is rewritten, or would be. */
static bool portion_run(IrModule *ir, LLVMModuleRef module, const Portion *portion, const Run *run)
{
    Pass pass = pass_open(ir, module, run->options, &portion->roots);
    turns_find(&pass);
    bool rings = run->rewrites && make_all(&pass, &pass.plan->rings, kernel_find_tiles, ring_make);
    bool fills = run->rewrites && make_all(&pass, &pass.plan->fills, kernel_find_fills, fills_make);
    bool longer = walks_lengthen(&pass, run->rewrites);
    turns_compare(&pass);
    for (size_t i = 0; i < pass.kernels.count; i++)
        kernel_run(pass.kernels.item[i], run);
    bool changes = pass.plan->regions.count > 0;
    if (changes && run->rewrites)
        pass_rewrite(&pass);
    bool turns = turns_make(&pass, run->rewrites);
    pass_close(&pass);
    return changes || longer || rings || fills || turns;
}

static bool module_run(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    Arena *arena = arena_new();
    Portions *portions = portions_of(arena, module);
    bool changes = false;
    for (Portion portion = portion_next(portions); portion.roots.count; portion = portion_next(portions)) {
        changes |= portion_run(ir, module, &portion, run);
        for (size_t i = 0; i < portion.functions.count; i++)
            ir_changed(ir, portion.functions.item[i]); /* what was found out is let go */
    }
    arena_free(arena);
    return changes;
}

/* On a copy of the module whose locals are in registers: what is said of it, and whether there is anything to rewrite. */
static bool promoted_run(LLVMModuleRef module, Run run)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    ir_promote(copy, true);
    IrModule *analyses = ir_module_open();
    bool changes = module_run(analyses, copy, &run);
    ir_module_close(analyses);
    LLVMDisposeModule(copy);
    return changes;
}

bool coalda_has_kept_ring(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    Arena *arena = arena_new();
    const Portion all = portion_whole(arena, module);
    Pass pass = pass_open(ir, module, options, &all.roots);
    bool any = false;
    for (size_t i = 0; i < pass.kernels.count; i++)
        kernel_find_tiles(pass.kernels.item[i]);
    for (size_t i = 0; i < pass.plan->rings.count; i++)
        any |= ir_loop_is_kept(ir_loop_of(ir, ((const Ring *)pass.plan->rings.item[i])->header));
    pass_close(&pass);
    arena_free(arena);
    return any;
}

bool coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, bool rewrites, KernelSink sink, void *context)
{
    Run run = {options, rewrites, sink || ir_remarks_wanted(module), sink, context};
    if (options->off || !module_is_device(module) || (!rewrites && !run.speaks))
        return false;
    if (!is_unoptimized(module))
        return module_run(ir, module, &run) && rewrites;
    if (!promoted_run(module, run) || !rewrites)
        return false;
    ir_promote(module, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        ir_changed(ir, f);
    run.speaks = false;
    module_run(ir, module, &run);
    return true;
}
