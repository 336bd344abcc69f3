/* The pipeline: what happens to a module, from top to bottom. */
#include "coalda.h"

static void kernel_analyse(Kernel *kernel)
{
    access_collect(kernel); /* every access, its address as a form */
    access_measure(kernel); /* sectors, banks, class */
    record_group(kernel);   /* accesses side by side */
    tile_find(kernel);      /* loops that stage shared memory */
    verdict_give(kernel);   /* one verdict for each access */
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

static void module_run(IrModule *ir, LLVMModuleRef module, const Options *options, KernelSink sink, void *context)
{
    Arena *list = arena_new();
    List functions = kernel_functions(list, module);
    bool remarks = ir_remarks_wanted(module);
    for (size_t i = 0; i < functions.count; i++) {
        Arena *arena = arena_new();
        Kernel *kernel = kernel_open(arena, ir, module, functions.item[i], options);
        if (!kernel->options.off) {
            kernel_analyse(kernel);
            if (remarks)
                remark_emit(kernel);
            if (sink)
                sink(context, kernel);
        }
        arena_free(arena);
    }
    arena_free(list);
}

void coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, KernelSink sink, void *context)
{
    if (options->off || !module_is_device(module) || (!sink && !ir_remarks_wanted(module)))
        return;
    if (!is_unoptimized(module)) {
        module_run(ir, module, options, sink, context);
        return;
    }
    LLVMModuleRef copy = LLVMCloneModule(module);
    ir_promote(copy);
    IrModule *analyses = ir_module_open();
    module_run(analyses, copy, options, sink, context);
    ir_module_close(analyses);
    LLVMDisposeModule(copy);
}
