/* Kernels that stand a second time, as ones whose blocks do the work of several (analysis/plan/coarse.c). */
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "pass/jam/coarsen.h"
#include "pass/spares/spares.h"
#include "transform/transform.h"

static void remark_coarse(const Kernel *kernel, int blocks)
{
    const IrRemarkPart parts[] = {{"Kernel", kernel->name}};
    if (ir_remarks_wanted(kernel->module))
        ir_remark(REMARK_PASSED, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function)), NULL, "Coarse",
                  arena_text(kernel->arena,
                             "%s: its threads move so little that launches of many blocks wait for blocks to begin: there, one "
                             "does the work of %d",
                             name_said(kernel->arena, kernel->name), blocks),
                  parts, sizeof parts / sizeof *parts);
}

/* Blocks of any size that were launched still are. */
static void bound_threads(const Kernel *kernel, LLVMValueRef copy)
{
    bool is_bound = kernel_has(kernel, "nvvm.maxntid") || kernel_has(kernel, "nvvm.reqntid") || kernel_has(kernel, "nvvm.maxnreg");
    if (!is_bound)
        ir_set_attribute(copy, "nvvm.maxntid", "1024");
}

static void coarse_new(Arena *arena, const Kernel *kernel, CoarseBlocks chosen, const CoarseSteps *steps)
{
    const SpareCoarse coarse = {(unsigned)chosen.blocks, LLVMCountParams(kernel->function), (uint64_t)chosen.from,
                                (uint64_t)chosen.wide};
    const char *name = spare_name_coarse(arena, kernel->name, &coarse);
    LLVMValueRef copy = ir_copy_with_number(kernel->function, name);
    steps->settle(steps->pass, copy); /* it rounds as the kernel does */
    ir_coarsen(copy, coarse.blocks);
    ir_changed(kernel->ir, copy);
    ir_clean(kernel->ir, copy);
    open_products_give_back(copy);
    ir_set_attribute(copy, SPARE_ATTRIBUTE, "");
    bound_threads(kernel, copy);
    made_spare(kernel, name);
}

bool coarse_make(Arena *arena, const List *found, const CoarseSteps *steps)
{
    bool any = false;
    for (size_t i = 0; i < found->count; i++) {
        Kernel *kernel = steps->kernel(steps->pass, found->item[i]);
        bool wanted = !feature_is_off(&kernel->options, FEATURE_COARSE) && !ir_has_loops(kernel->ir, kernel->function);
        if (!wanted || !body_is_for_several(kernel))
            continue;
        steps->measure(kernel);
        const CoarseBlocks chosen = coarse_blocks(kernel);
        if (!chosen.blocks)
            continue;
        remark_coarse(kernel, chosen.blocks);
        coarse_new(arena, kernel, chosen, steps);
        any = true;
    }
    return any;
}
