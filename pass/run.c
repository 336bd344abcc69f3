/* The pipeline: what happens to a module, from top to bottom. */
#include "coalda.h"

static void kernel_analyse(Kernel *kernel)
{
    access_collect(kernel); /* every access, its address as a form */
    access_measure(kernel); /* sectors, banks, class */
    record_group(kernel);   /* accesses side by side */
    tile_find(kernel);      /* loops that stage shared memory */
    ring_find(kernel);      /* which of them become rings */
    plan_make(kernel);      /* what may be rewritten, and pays */
    verdict_give(kernel);   /* one verdict for each access */
}

/* What is wanted of a pass over the kernels: tile loops that become rings, loops that are to be longer, or the rest. */
typedef enum { STEP_RINGS, STEP_BLOCKS, STEP_RECORDS } Step;

typedef struct {
    const Options *options;
    bool rewrites; /* or says what it would do */
    bool speaks;   /* remarks, and to the sink */
    Step step;
    KernelSink sink;
    void *context;
} Run;

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

static void kernel_prepare(Kernel *kernel, Step step)
{
    access_collect(kernel);
    if (step == STEP_RINGS) {
        tile_find(kernel);
        ring_find(kernel);
        return;
    }
    access_measure(kernel);
    block_find(kernel); /* walks that become records once their loop is longer */
}

/* Has the kernel, or a device function that it may call, a loop? */
static bool may_walk(const Kernel *kernel)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(kernel->module); f; f = LLVMGetNextFunction(f))
        if ((f == kernel->function || !function_is_kernel(f)) && ir_has_loops(kernel->ir, f))
            return true;
    return false;
}

static void kernel_run(Kernel *kernel, const Run *run)
{
    if (kernel->options.off)
        return;
    if (run->step != STEP_RECORDS) {
        if (may_walk(kernel))
            kernel_prepare(kernel, run->step);
        return;
    }
    kernel_analyse(kernel);
    if (run->speaks && ir_remarks_wanted(kernel->module))
        remark_emit(kernel);
    if (run->speaks && run->sink)
        run->sink(run->context, kernel);
}

/* Analyses every kernel. What the plan refers to lives as long as its arenas, which the caller frees. */
static void module_analyse(IrModule *ir, LLVMModuleRef module, const Run *run, Plan *plan, List *arenas)
{
    List functions = kernel_functions(arenas->arena, module);
    for (size_t i = 0; i < functions.count; i++) {
        Arena *arena = arena_new();
        kernel_run(kernel_open(arena, ir, module, functions.item[i], run->options, plan), run);
        list_add(arenas, arena);
    }
}

static void module_rewrite(IrModule *ir, const Plan *plan)
{
    Map *cleaned = map_new(plan->arena);
    for (size_t i = 0; i < plan->regions.count; i++)
        region_rewrite(plan->regions.item[i]);
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        if (map_get(cleaned, region->function))
            continue;
        map_put(cleaned, region->function, region->function);
        ir_clean(ir, region->function);
    }
}

/* One pass over the kernels: their plan, which lives until it is closed. */
typedef struct {
    Arena *arena;
    List arenas; /* the kernels' */
    Plan *plan;
} Pass;

static Pass pass_open(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    Pass pass = {.arena = arena_new()};
    pass.arenas = list_new(pass.arena);
    pass.plan = plan_new(pass.arena);
    module_analyse(ir, module, run, pass.plan, &pass.arenas);
    return pass;
}

static void pass_close(Pass *pass)
{
    for (size_t i = 0; i < pass->arenas.count; i++)
        arena_free(pass->arenas.item[i]);
    arena_free(pass->arena);
}

/* ---- walks: loops are made longer where a rehearsal shows that their longer bodies are rewritten ---- */

static void block_lengthen(IrModule *ir, const Block *block)
{
    ir_unroll(ir, block->function, block->header, (unsigned)block->factor);
    ir_clean(ir, block->function);
}

static bool is_rewritten(const Plan *plan, const Block *block)
{
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        const Group *group = region->groups.item[0];
        if (group->block == block->header)
            return true;
    }
    return false;
}

/* On a copy of the module; marks the blocks that are worth it. The copy's blocks come in the order of the module's. */
static void rehearse(LLVMModuleRef module, const Run *run, Plan *plan)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    IrModule *ir = ir_module_open();
    Run silent = *run;
    silent.speaks = false;
    Pass found = pass_open(ir, copy, &silent);
    for (size_t i = 0; i < found.plan->blocks.count; i++)
        block_lengthen(ir, found.plan->blocks.item[i]);
    silent.step = STEP_RECORDS;
    Pass planned = pass_open(ir, copy, &silent);
    for (size_t i = 0; i < found.plan->blocks.count; i++)
        ((Block *)plan->blocks.item[i])->pays = is_rewritten(planned.plan, found.plan->blocks.item[i]);
    pass_close(&planned);
    pass_close(&found);
    ir_module_close(ir);
    LLVMDisposeModule(copy);
}

static bool walks_prepare(IrModule *ir, LLVMModuleRef module, Run run)
{
    run.step = STEP_BLOCKS;
    Pass pass = pass_open(ir, module, &run);
    bool longer = false;
    if (pass.plan->blocks.count > 0)
        rehearse(module, &run, pass.plan);
    for (size_t i = 0; i < pass.plan->blocks.count; i++) {
        const Block *block = pass.plan->blocks.item[i];
        if (block->pays)
            block_lengthen(ir, block);
        longer |= block->pays;
    }
    pass_close(&pass);
    return longer;
}

/* ---- tiles ---- */

/* Has the module shared arrays, and barriers? */
static bool may_stage(LLVMModuleRef module)
{
    enum { SHARED = 3 };
    bool arrays = false, barriers = false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        arrays |= LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        barriers |= LLVMIsDeclaration(f) && is_barrier_name(f);
    return arrays && barriers;
}

/* Inner loops of few iterations come first; the ring is then found again, without them. */
static bool ring_unroll(IrModule *ir, const Ring *ring, Map *unrolled)
{
    if (map_get(unrolled, ring->header))
        return false;
    map_put(unrolled, ring->header, ring->header);
    for (size_t i = 0; i < ring->loops.count; i++) {
        const RingLoop *loop = ring->loops.item[i];
        ir_unroll(ir, ring->function, loop->header, (unsigned)loop->trips);
        ir_changed(ir, ring->function);
    }
    if (ring->loops.count)
        ir_tidy(ir, ring->function);
    return ring->loops.count > 0;
}

/* Each ring changes what the others were found in: one of a function at a time. */
static bool rings_make(IrModule *ir, LLVMModuleRef module, Run run)
{
    if (!may_stage(module))
        return false;
    run.step = STEP_RINGS;
    Arena *arena = arena_new();
    Map *unrolled = map_new(arena);
    bool any = false, more = true;
    while (more) {
        Pass pass = pass_open(ir, module, &run);
        more = pass.plan->rings.count > 0;
        if (more && !ring_unroll(ir, pass.plan->rings.item[0], unrolled))
            ring_rewrite(ir, pass.plan->rings.item[0]);
        any |= more;
        pass_close(&pass);
    }
    arena_free(arena);
    return any;
}

/* ---- modules ---- */

/* True where something is rewritten, or would be. */
static bool module_run(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    bool rings = run->rewrites && rings_make(ir, module, *run);
    bool longer = run->rewrites && walks_prepare(ir, module, *run);
    Pass pass = pass_open(ir, module, run);
    bool changes = pass.plan->regions.count > 0;
    if (changes && run->rewrites)
        module_rewrite(ir, pass.plan);
    pass_close(&pass);
    return changes || longer || rings;
}

/* On a copy of the module whose locals are in registers. */
static bool promoted_run(LLVMModuleRef module, Run run)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    ir_promote(copy, true);
    IrModule *analyses = ir_module_open();
    run.rewrites = false;
    bool changes = module_run(analyses, copy, &run);
    ir_module_close(analyses);
    LLVMDisposeModule(copy);
    return changes;
}

bool coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, bool rewrites, KernelSink sink, void *context)
{
    Run run = {options, rewrites, sink || ir_remarks_wanted(module), STEP_RECORDS, sink, context};
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
