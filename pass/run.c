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

static void kernel_plan(Kernel *kernel)
{
    kernel_measure(kernel);
    record_group(kernel); /* accesses side by side */
    plan_make(kernel);    /* what may be rewritten, and pays */
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
    kernel_find_tiles(kernel);
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

/* ---- one pass over the kernels of a module ---- */

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

static Kernel *pass_kernel(Pass *pass, LLVMValueRef function)
{
    Arena *arena = arena_new();
    list_add(&pass->arenas, arena);
    Kernel *kernel = kernel_open(arena, pass->ir, pass->module, function, pass->options, pass->plan);
    kernel->turn = map_get(pass->plan->turns, function);
    if (kernel_is_turned(kernel))
        kernel_turn(kernel);
    return kernel;
}

static Pass pass_open(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    Pass pass = {.ir = ir, .module = module, .options = options, .arena = arena_new()};
    pass.arenas = list_new(pass.arena);
    pass.kernels = list_new(pass.arena);
    pass.settled = map_new(pass.arena);
    pass.plan = plan_new(pass.arena);
    List functions = kernel_functions(pass.arena, module);
    for (size_t i = 0; i < functions.count; i++) {
        Kernel *kernel = pass_kernel(&pass, functions.item[i]);
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

/* The kernels of a copy of the module, of which nothing was asked yet, are turned where its own are. */
static void turns_copy(const Pass *pass, Pass *copy)
{
    for (size_t i = 0; i < copy->kernels.count; i++) {
        LLVMValueRef twin = ((const Kernel *)copy->kernels.item[i])->function;
        size_t length;
        LLVMValueRef own = LLVMGetNamedFunction(pass->module, LLVMGetValueName2(twin, &length));
        map_put(copy->plan->turns, twin, map_get(pass->plan->turns, own));
        copy->kernels.item[i] = pass_kernel(copy, twin);
    }
}

/* ---- tiles: each ring changes what the others were found in ---- */

/* Has the module shared arrays, and barriers? */
static bool may_stage(LLVMModuleRef module)
{
    bool arrays = false, barriers = false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        arrays |= is_shared_array(g);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        barriers |= LLVMIsDeclaration(f) && is_barrier_name(f);
    return arrays && barriers;
}

static bool is_on_stage(const void *stage, LLVMValueRef function) { return map_get(stage, function) != NULL; }

/* `header` names the loop of the ring, and then those to be unrolled. */
static void unroll_inside(IrModule *ir, const Ring *ring, LLVMBasicBlockRef *header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header[0]);
    for (size_t i = 0; i < ring->loops.count; i++) {
        ir_unroll(ir, function, header[i + 1], (unsigned)((const RingLoop *)ring->loops.item[i])->trips, 1);
        ir_changed(ir, function);
    }
    ir_tidy(ir, function);
}

static bool keeps_rings(const Pass *pass, const Kernel *kernel, const Ring *ring, LLVMBasicBlockRef *header)
{
    Map *stage = map_new(pass->arena);
    size_t count = ring->loops.count + 1, length;
    for (size_t i = 0; i < kernel->scopes.count; i++) {
        LLVMValueRef function = ((const Scope *)kernel->scopes.item[i])->function;
        map_put(stage, function, function);
    }
    const char *name = LLVMGetValueName2(kernel->function, &length);
    LLVMModuleRef module = ir_module_copy(pass->module, is_on_stage, stage, header, count);
    IrModule *ir = ir_module_open();
    unroll_inside(ir, ring, header);
    Pass copy = pass_open(ir, module, pass->options);
    Kernel *twin = pass_kernel(&copy, LLVMGetNamedFunction(module, name));
    kernel_find_tiles(twin);
    bool keeps = copy.plan->rings.count >= pass->plan->rings.count;
    pass_close(&copy);
    ir_module_close(ir);
    LLVMDisposeModule(module);
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

static bool rings_make(Pass *pass)
{
    if (!may_stage(pass->module))
        return false;
    List looping = kernels_with_loops(pass), *rings = &pass->plan->rings;
    bool any = false;
    for (size_t i = 0; i < looping.count; i++) {
        Kernel **kernel = looping.item[i];
        for (kernel_find_tiles(*kernel); rings->count; kernel_find_tiles(*kernel)) {
            const Ring *ring = rings->item[0];
            Map *changed = map_new(pass->arena);
            map_put(changed, ring->function, pass);
            if (settle(pass, ring->function))
                ir_changed(pass->ir, ring->function);
            else if (!ring_unroll(pass, *kernel, ring))
                ring_rewrite(pass->ir, ring);
            rings->count = 0;
            pass_renew(pass, changed);
            any = true;
        }
    }
    return any;
}

/* ---- walks: loops are made longer where a rehearsal shows that their longer bodies are rewritten ---- */

static void walks_find(Pass *pass)
{
    List looping = kernels_with_loops(pass);
    for (size_t i = 0; i < looping.count; i++) {
        Kernel *kernel = *(Kernel **)looping.item[i];
        kernel_measure(kernel);
        block_find(kernel); /* walks that become records once their loop is longer */
    }
}

static void block_lengthen(IrModule *ir, const Block *block, LLVMBasicBlockRef header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    ir_unroll(ir, function, header, (unsigned)block->factor, (unsigned)block->rest);
    ir_clean(ir, function);
}

/* What the kernels run that have a walk: a rehearsal needs no more of the module. */
static Map *stage_of(const Pass *pass)
{
    Map *walking = map_new(pass->arena), *stage = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        LLVMValueRef function = LLVMGetBasicBlockParent(((const Block *)pass->plan->blocks.item[i])->header);
        map_put(walking, function, function);
    }
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        for (size_t j = 0; runs_any(kernel, walking) && j < kernel->scopes.count; j++) {
            LLVMValueRef function = ((const Scope *)kernel->scopes.item[j])->function;
            map_put(stage, function, function);
        }
    }
    return stage;
}

/* Marks the blocks that are rewritten in the copy, where header[i] is what the i-th has become. */
static void mark_rewritten(const Pass *pass, const Pass *copy, LLVMBasicBlockRef *header)
{
    Map *lengthened = map_new(pass->arena);
    for (size_t i = 0; i < pass->plan->blocks.count; i++)
        map_put(lengthened, header[i], pass->plan->blocks.item[i]);
    for (size_t i = 0; i < copy->plan->regions.count; i++) {
        const Region *region = copy->plan->regions.item[i];
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
    LLVMModuleRef module = ir_module_copy(pass->module, is_on_stage, stage_of(pass), header, blocks->count);
    IrModule *ir = ir_module_open();
    for (size_t i = 0; i < blocks->count; i++)
        block_lengthen(ir, blocks->item[i], header[i]);
    Pass copy = pass_open(ir, module, pass->options);
    turns_copy(pass, &copy);
    for (size_t i = 0; i < copy.kernels.count; i++)
        kernel_plan(copy.kernels.item[i]);
    mark_rewritten(pass, &copy, header);
    pass_close(&copy);
    ir_module_close(ir);
    LLVMDisposeModule(module);
}

/* True where a loop has become longer, or would. */
static bool walks_lengthen(Pass *pass, bool rewrites)
{
    Map *longer = map_new(pass->arena);
    bool any = false;
    walks_find(pass);
    if (pass->plan->blocks.count > 0)
        rehearse(pass);
    for (size_t i = 0; i < pass->plan->blocks.count; i++) {
        const Block *block = pass->plan->blocks.item[i];
        if (!block->pays)
            continue;
        any = true;
        if (!rewrites)
            continue;
        map_put(longer, LLVMGetBasicBlockParent(block->header), pass);
        settle(pass, LLVMGetBasicBlockParent(block->header));
        block_lengthen(pass->ir, block, block->header);
    }
    if (rewrites)
        pass->plan->blocks.count = 0;
    pass_renew(pass, longer);
    return any;
}

/* ---- modules ---- */

/* True where something is rewritten, or would be. */
static bool module_run(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    Pass pass = pass_open(ir, module, run->options);
    turns_find(&pass);
    bool rings = run->rewrites && rings_make(&pass);
    bool longer = walks_lengthen(&pass, run->rewrites);
    for (size_t i = 0; i < pass.kernels.count; i++)
        kernel_run(pass.kernels.item[i], run);
    bool changes = pass.plan->regions.count > 0;
    if (changes && run->rewrites)
        pass_rewrite(&pass);
    bool turns = turns_make(&pass, run->rewrites);
    pass_close(&pass);
    return changes || longer || rings || turns;
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
