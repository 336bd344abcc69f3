/* Gates in front of records that some lanes touch, where a rehearsal shows that the warp moves the records there. */
#include "pass/driver/pass.h"
#include "pass/report/trace.h"

enum { MOST_GATES = 12 }; /* of a kernel that are tried, each on a copy of its own: a bound of the search */

/* Behind the gate, or where lanes part above it, which there were no such records of before. */
static bool moves_records(const Plan *plan, LLVMBasicBlockRef gate, LLVMBasicBlockRef above)
{
    for (size_t i = 0; i < plan->regions.count; i++) {
        const Region *region = plan->regions.item[i];
        LLVMBasicBlockRef head = LLVMGetInstructionParent(region->first);
        if (region->under && (head == gate || head == above))
            return true;
    }
    return false;
}

static bool rehearse(const Pass *pass, const Kernel *kernel, const Gate *gate)
{
    LLVMBasicBlockRef block[] = {gate->above, gate->then, gate->join};
    Map *functions = map_new(pass->arena);
    map_put(functions, gate->function, gate->function);
    Rehearsal rehearsal = rehearsal_open(pass, functions, block, 3);
    LLVMBasicBlockRef made = ir_gate(rehearsal.ir, block[0], block[1], block[2]);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    for (size_t i = 0; i < copy.kernels.count; i++)
        kernel_plan(copy.kernels.item[i]);
    bool pays = moves_records(copy.plan, made, block[0]);
    trace(kernel, "tried: lanes come together in front of records, on a copy: %s",
          pays ? "the warp moves them" : "they stay as they are");
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return pays;
}

static void gate_make(Pass *pass, const Kernel *kernel, const Gate *gate)
{
    Map *changed = map_new(pass->arena);
    map_put(changed, gate->function, pass);
    made_gate(kernel);
    pass_settle(pass, gate->function);
    ir_gate(pass->ir, gate->above, gate->then, gate->join);
    pass_check(pass, "gates");
    pass_renew(pass, changed);
}

/* One of the kernel; false where there is none left that has not been tried. */
static bool try_next(Pass *pass, Kernel *kernel, bool *any)
{
    kernel_measure(kernel);
    const List gates = gates_find(kernel);
    if (!gates.count)
        return false;
    const Gate *gate = gates.item[0];
    map_put(pass->plan->gated, gate->then, pass);
    if (rehearse(pass, kernel, gate)) {
        gate_make(pass, kernel, gate);
        *any = true;
    }
    return true;
}

bool gates_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++)
        for (int n = 0; n < MOST_GATES && try_next(pass, pass->kernels.item[i], &any); n++)
            ;
    return any;
}
