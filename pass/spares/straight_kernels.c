/* Kernels whose threads change places stand a second time as they were: blocks that leave them in their places (transform/turn), or gain nothing by it, need not ask. The question takes
 * a fifth of a microsecond, of which a kernel without loops has few: a step of Gauss's elimination by blocks of 4 x 4 threads, of 1.7 us, came to 0.88 of plain
 * clang (H200). */
#include "pass/bridge/bodies.h"
#include "pass/report/trace.h"
#include "pass/spares/spares.h"

static bool is_rewritten(const Plan *plan, LLVMValueRef function)
{
    bool any = false;
    for (size_t i = 0; !any && i < plan->regions.count; i++)
        any = ((const Region *)plan->regions.item[i])->function == function;
    return any;
}

void straight_make(Arena *arena, const List *loopless, const Kernel *kernel, const Plan *plan)
{
    LLVMValueRef function = kernel->function;
    if (!list_has(loopless, function) || is_rewritten(plan, function) || ir_has_loops(kernel->ir, function))
        return;
    const char *name = spare_name(arena, kernel->name, &(SpareLaunch){.straight = true});
    IrBody *body = ir_body_keep(function);
    LLVMValueRef copy = ir_body_copy(body, name);
    ir_body_close(body);
    ir_set_attribute(copy, SPARE_ATTRIBUTE, SPARE_STAY);
    made_spare(kernel, name);
}
