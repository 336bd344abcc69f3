/* The pipeline: what happens to a module, from top to bottom. */
#include "coalda.h"

static void kernel_analyse(Kernel *kernel)
{
    access_collect(kernel); /* every access, its address as a form */
    access_measure(kernel); /* sectors, banks, class */
    record_group(kernel);   /* accesses side by side */
    tile_find(kernel);      /* loops that stage shared memory */
    plan_make(kernel);      /* what may be rewritten, and pays */
    verdict_give(kernel);   /* one verdict for each access */
}

typedef struct {
    const Options *options;
    bool rewrites; /* or says what it would do */
    bool speaks;   /* remarks, and to the sink */
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

static void kernel_run(Kernel *kernel, const Run *run)
{
    if (kernel->options.off)
        return;
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
        ir_changed(ir, region->function);
        ir_clean(region->function);
    }
}

/* True where something is to be rewritten. */
static bool module_run(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    Arena *arena = arena_new();
    List arenas = list_new(arena);
    Plan *plan = plan_new(arena);
    module_analyse(ir, module, run, plan, &arenas);
    bool changes = plan->regions.count > 0;
    if (changes && run->rewrites)
        module_rewrite(ir, plan);
    for (size_t i = 0; i < arenas.count; i++)
        arena_free(arenas.item[i]);
    arena_free(arena);
    return changes;
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
