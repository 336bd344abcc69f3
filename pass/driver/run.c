/* The pipeline: what happens to a module, from top to bottom. */
#include "analysis/explain/explain.h"
#include "pass/driver/pass.h"
#include "pass/driver/run.h"
#include "pass/host/host.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

typedef struct {
    const Options *options;
    bool rewrites; /* or says what it would do */
    bool speaks;   /* remarks, and to the sink */
    bool is_copy;  /* the module is a copy, which is thrown away */
    List *spares;  /* that are made are added to it, if they are to be rewritten themselves; NULL: of these */
    KernelSink sink;
    void *context;
} Run;

/* Once, and of the module itself. What nobody optimizes is to be looked at by a debugger, not to be fast. */
static bool is_answerable(const Kernel *kernel, const Run *run)
{
    return run->rewrites && !run->is_copy && kernel->options.require && !ir_is_optnone(kernel->function) && kernel->is_entry &&
           !kernel_has(kernel, REQUIRED_ATTRIBUTE);
}

static void kernel_answer(const Kernel *kernel)
{
    required_check(kernel);
    ir_set_attribute(kernel->function, REQUIRED_ATTRIBUTE, "");
}

static void kernel_run(Kernel *kernel, const Run *run)
{
    bool answers = is_answerable(kernel, run);
    kernel_find_fills(kernel);
    kernel_find_additions(kernel);
    kernel_plan(kernel);
    verdict_give(kernel); /* one verdict for each access */
    if (run->speaks || answers || trace_is_on(kernel))
        refusal_give(kernel); /* and what stands in its way */
    trace_refusals(kernel);
    if (run->speaks && ir_remarks_wanted(kernel->module))
        remark_emit(kernel);
    if (answers)
        kernel_answer(kernel);
    if (run->speaks && run->sink)
        run->sink(run->context, kernel);
}

/* Of the kernel as a whole, before its accesses. */
static void kernel_tell(Kernel *kernel)
{
    if (ir_is_optnone(kernel->function))
        remark_unoptimized(kernel);
    kernel_measure(kernel); /* its scope is read */
    remark_copies(kernel);
}

/* Whatever is asked for: it is the program that is wrong. */
static void kernel_warn(Kernel *kernel, const Run *run)
{
    if (!run->rewrites || run->is_copy || !run->spares || !kernel->is_entry || !begins_copies(kernel->function))
        return;
    kernel_measure(kernel); /* its scope is read */
    warn_copies(kernel);
}

/* Of kernels as they are before anything is rewritten. */
static bool additions_are_there(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++)
        any |= ((const Kernel *)pass->kernels.item[i])->found.stretches.count > 0;
    return any;
}

bool coalda_is_for(LLVMModuleRef module, LLVMValueRef function, const Options *options)
{
    Arena *arena = arena_new();
    bool is_for = function_is_kernel(function) && !function_options(arena, module, function, options).off;
    arena_free(arena);
    return is_for;
}

bool coalda_repeats_searches(LLVMModuleRef module, LLVMValueRef function, const Options *options)
{
    Arena *arena = arena_new();
    Options own = function_options(arena, module, function, options);
    bool repeats = function_is_kernel(function) && !own.off && !feature_is_off(&own, FEATURE_SEARCHES);
    arena_free(arena);
    return repeats;
}

/* Rows that are told by powers of two. */
static bool add_joined(IrModule *ir, LLVMModuleRef module, const Portion *portion, const Options *options)
{
    bool any = false;
    for (size_t i = 0; i < portion->roots.count; i++) {
        LLVMValueRef function = portion->roots.item[i];
        bool joined = coalda_is_for(module, function, options) && ir_has_loops(ir, function) && ir_add_joined(ir, function);
        if (joined)
            ir_changed(ir, function);
        any |= joined;
    }
    return any;
}

static void settle(void *pass, LLVMValueRef function) { pass_settle(pass, function); }

static Kernel *kernel_anew(void *pass, LLVMValueRef function) { return pass_kernel(pass, function); }

/* Of functions that nothing else is done to the backend's choice stands as it was. */
static void keep_aligned(const Portion *portion)
{
    for (size_t i = 0; i < portion->functions.count; i++)
        ir_keep_aligned(portion->functions.item[i]);
}

/* True where something is rewritten, or would be. */
static bool portion_run(IrModule *ir, LLVMModuleRef module, const Portion *portion, const Run *run)
{
    bool joined = run->rewrites && add_joined(ir, module, portion, run->options);
    Pass pass = pass_open(ir, module, run->options, portion);
    pass.plan->is_copy = run->is_copy || !run->spares;
    for (size_t i = 0; i < pass.kernels.count; i++)
        trace(pass.kernels.item[i], "begins%s", run->is_copy ? ", in a copy whose locals are in registers" : "");
    const List there = run->rewrites ? spares_there(pass.arena, module) : list_new(pass.arena);
    if (run->rewrites)
        pass.spares = spares_open(pass.arena, &pass.kernels, &there);
    pass.loopless = run->rewrites ? loopless_find(pass.arena, &pass.kernels, &there) : list_new(pass.arena);
    bool told = run->rewrites && pass_tell_matrices(&pass);
    bool aligned = run->rewrites && pass_align(&pass);
    bool arrays = run->rewrites && arrays_make(&pass);
    bool chosen = run->rewrites && ways_choose(&pass);
    bool whole = run->rewrites && wholes_load(&pass);
    turns_find(&pass);
    for (size_t i = 0; i < pass.kernels.count && run->speaks && ir_remarks_wanted(module); i++)
        kernel_tell(pass.kernels.item[i]);
    for (size_t i = 0; i < pass.kernels.count; i++)
        kernel_warn(pass.kernels.item[i], run);
    bool rings = run->rewrites && rings_make(&pass);
    bool fills = run->rewrites && fills_make(&pass);
    bool bounds = run->rewrites && bounds_make(&pass);
    bool tallies = run->rewrites && tallies_make(&pass);
    bool speaks = run->speaks && ir_remarks_wanted(module);
    bool padded = run->rewrites && banks_make(&pass, speaks);
    if (padded) { /* what they say of the arrays is said of those that there are */
        rings |= rings_make(&pass);
        fills |= fills_make(&pass);
    } else if (!run->rewrites && speaks)
        banks_tell(&pass);
    bool tails = run->rewrites && tails_make(&pass);
    bool gates = run->rewrites && gates_make(&pass);
    bool sectors = run->rewrites && sectors_make(&pass);
    bool jams = jams_make(&pass, run->rewrites);
    bool longer = walks_lengthen(&pass, run->rewrites);
    turns_compare(&pass);
    for (size_t i = 0; i < pass.kernels.count; i++)
        kernel_run(pass.kernels.item[i], run);
    bool changes = pass.plan->regions.count > 0;
    spares_compare(pass.spares, pass.plan);
    if (changes && run->rewrites)
        pass_rewrite(&pass);
    bool turns = turns_make(&pass, run->rewrites);
    bool ahead = run->rewrites && lookaheads_make(&pass);
    ahead |= run->rewrites && batches_make(&pass);
    ahead |= run->rewrites && parted_make(&pass);
    bool added = run->rewrites ? reductions_make(&pass) : additions_are_there(&pass);
    bool latches = run->rewrites && latches_turn(&pass);
    bool compared = run->rewrites && switches_compare(&pass);
    bool counted = run->rewrites && counts_choose(&pass);
    bool clamped = run->rewrites && clamps_turn(&pass);
    bool pinned = run->rewrites && arrays_pin(&pass);
    if (run->rewrites)
        pass_limit_registers(&pass); /* blocks that were launched still are */
    spares_make(pass.spares, &pass.kernels, run->spares);
    bool coarse = coarse_make(pass.arena, &pass.loopless, &(CoarseSteps){kernel_anew, kernel_measure, settle, &pass});
    pass_close(&pass);
    bool any = changes || told || aligned || arrays || longer || rings || fills || bounds || tallies || padded || tails || gates ||
               sectors || jams || turns || ahead || added || latches || compared || counted || clamped || whole || chosen ||
               pinned || joined || coarse;
    if (any && run->rewrites)
        keep_aligned(portion);
    for (size_t i = 0; any && run->rewrites && i < portion->functions.count; i++) {
        open_products_give_back(portion->functions.item[i]);
        ir_forget_apart_for_now(portion->functions.item[i]);
    }
    return any;
}

/* Kernels that stand beside others, which are told of alone. */
static void spares_run(IrModule *ir, LLVMModuleRef module, const List *spares, const Run *run)
{
    const Portion portion = {*spares, *spares};
    const Run own = {.options = run->options, .rewrites = run->rewrites};
    if (!spares->count)
        return;
    portion_run(ir, module, &portion, &own);
    for (size_t i = 0; i < spares->count; i++) {
        ir_set_attribute(spares->item[i], SPARE_ATTRIBUTE, SPARE_STAY);
        ir_changed(ir, spares->item[i]);
    }
}

static bool portions_run(IrModule *ir, LLVMModuleRef module, const Run *given)
{
    Arena *arena = arena_new();
    List spares = list_new(arena);
    Run with_spares = *given, *run = &with_spares;
    run->spares = &spares;
    ir_drop_dead_constants(module);
    hints_lift(arena, ir, module);
    Portions *portions = portions_of(arena, module);
    bool changes = false;
    for (Portion portion = portion_next(portions); portion.roots.count; portion = portion_next(portions)) {
        changes |= portion_run(ir, module, &portion, run);
        for (size_t i = 0; i < portion.functions.count; i++)
            ir_changed(ir, portion.functions.item[i]); /* what was found out is let go */
    }
    spares_run(ir, module, &spares, run);
    hints_lower(arena, ir, module);
    arena_free(arena);
    return changes;
}

/* Where nothing is to be rewritten, what assembly hides is told of a copy: assembly that has been loads is another one to LLVM. */
static bool module_run(IrModule *ir, LLVMModuleRef module, const Run *run)
{
    if (run->rewrites || run->is_copy || !hints_are_there(module))
        return portions_run(ir, module, run);
    LLVMModuleRef copy = LLVMCloneModule(module);
    IrModule *analyses = ir_module_open();
    bool changes = portions_run(analyses, copy, run);
    ir_module_close(analyses);
    LLVMDisposeModule(copy);
    return changes;
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

/* On a copy of the module whose locals are in registers: what is said of it, and whether there is anything to rewrite. */
static bool promoted_run(LLVMModuleRef module, Run run)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    ir_promote(copy, true);
    run.is_copy = true;
    IrModule *analyses = ir_module_open();
    bool changes = module_run(analyses, copy, &run);
    ir_module_close(analyses);
    LLVMDisposeModule(copy);
    return changes;
}

bool coalda_has_kept_ring(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    Arena *arena = arena_new();
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        ir_index_pointers(ir, f);
    hints_lift(arena, ir, module); /* a copy is thrown away, and need not be written again */
    const Portion all = portion_whole(arena, module);
    Pass pass = pass_open(ir, module, options, &all);
    bool any = false;
    rings_show(&pass, map_new(arena));
    for (size_t i = 0; i < pass.kernels.count; i++) {
        trace(pass.kernels.item[i], "tried: a loop kept from being unrolled, on a copy");
        kernel_find_tiles(pass.kernels.item[i]);
    }
    for (size_t i = 0; i < pass.plan->rings.count; i++) {
        const Ring *ring = pass.plan->rings.item[i];
        any |= ir_loop_is_kept(ir_loop_of(ir, ring->header)) && !product_is_open(ir, ring->function);
    }
    pass_close(&pass);
    arena_free(arena);
    return any;
}

/* On a copy, which is thrown away. */
static bool has_kept(IrModule *ir, LLVMModuleRef module, const Options *options, bool (*are_of_kept)(Pass *pass))
{
    Arena *arena = arena_new();
    hints_lift(arena, ir, module);
    const Portion all = portion_whole(arena, module);
    Pass pass = pass_open(ir, module, options, &all);
    bool any = are_of_kept(&pass);
    pass_close(&pass);
    arena_free(arena);
    return any;
}

bool coalda_has_kept_jam(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    return has_kept(ir, module, options, jams_are_of_kept);
}

bool coalda_has_kept_search(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    return has_kept(ir, module, options, searches_are_of_kept);
}

/* Nothing but what comes before every rewrite. */
static bool module_settle(IrModule *ir, LLVMModuleRef module, const Options *options)
{
    Arena *arena = arena_new();
    const Portion all = portion_whole(arena, module);
    Pass pass = pass_open(ir, module, options, &all);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            pass_settle(&pass, f);
    pass_close(&pass);
    arena_free(arena);
    return true;
}

/* Of device code that is not to be left as it is. */
static bool device_run(IrModule *ir, LLVMModuleRef module, Run run)
{
    if (!is_unoptimized(module))
        return module_run(ir, module, &run) && run.rewrites;
    if (!promoted_run(module, run) || !run.rewrites)
        return false;
    ir_promote(module, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        ir_changed(ir, f);
    run.speaks = false;
    module_run(ir, module, &run);
    return true;
}

void coalda_begin(LLVMModuleRef module, const Options *options)
{
    if (!module_is_device(module)) {
        if (!options->off)
            host_choose(module);
        return;
    }
    barriers_end(module);
    if (!options->off)
        exchanges_mark(module);
}

static bool may_relax(Arena *arena, LLVMModuleRef module, LLVMValueRef function, const Options *options)
{
    const Options own = function_options(arena, module, function, options);
    return !own.off && !feature_is_off(&own, FEATURE_RELAXED);
}

/* But for kernels that are left as they are, and all that they call. */
static bool module_relax(LLVMModuleRef module, const Options *options)
{
    Arena *arena = arena_new();
    Map *left = map_new(arena);
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        List *all = LLVMIsDeclaration(f) || may_relax(arena, module, f, options) ? NULL : function_runs(arena, f);
        for (size_t i = 0; all && i < all->count; i++)
            map_put(left, all->item[i], f);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        any |= exchanges_relax(f, !map_get(left, f));
    arena_free(arena);
    return any;
}

bool coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, bool rewrites, KernelSink sink, void *context)
{
    const Run run = {options, rewrites, sink || ir_remarks_wanted(module), false, NULL, sink, context};
    if (options->off || !module_is_device(module) || (!rewrites && !run.speaks))
        return false;
    if (options->settle)
        return rewrites && module_settle(ir, module, options);
    bool changed = device_run(ir, module, run);
    changed |= rewrites && module_relax(module, options);
    if (rewrites)
        made_totals(options);
    return changed;
}
