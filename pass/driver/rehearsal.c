/* Rehearsals: what would be rewritten is found out on a copy of the module. */
#include "pass/driver/pass.h"

static bool is_on_stage(const void *stage, LLVMValueRef function) { return map_get(stage, function) != NULL; }

/* What the kernels run that run one of the functions: a rehearsal needs no more of the module. */
static Map *stage_of(const Pass *pass, const Map *functions)
{
    Map *stage = map_new(pass->arena);
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        for (size_t j = 0; kernel_runs_any(kernel, functions) && j < kernel->found.scopes.count; j++) {
            LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[j])->function;
            map_put(stage, function, function);
        }
    }
    return stage;
}

Rehearsal rehearsal_open(const Pass *pass, const Map *functions, LLVMBasicBlockRef *block, size_t count)
{
    LLVMModuleRef module = ir_module_copy(pass->module, is_on_stage, stage_of(pass, functions), block, count);
    return (Rehearsal){ir_module_open(), module};
}

void rehearsal_close(Rehearsal *rehearsal)
{
    ir_module_close(rehearsal->ir);
    LLVMDisposeModule(rehearsal->module);
}

/* How many words were live in what the copy's functions are copies of. */
static void before_note(const Pass *copy, const Pass *pass)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(copy->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        LLVMValueRef own = LLVMGetNamedFunction(pass->module, LLVMGetValueName2(f, &length));
        void *words = own ? map_get(pass->plan->before, own) : NULL;
        if (words)
            map_put(copy->plan->before, f, words);
    }
}

Pass rehearsal_pass(const Rehearsal *rehearsal, const Pass *pass)
{
    const Portion all = portion_whole(pass->arena, rehearsal->module);
    Pass copy = pass_open(rehearsal->ir, rehearsal->module, pass->options, &all);
    before_note(&copy, pass);
    for (size_t i = 0; i < copy.kernels.count; i++) {
        LLVMValueRef twin = ((const Kernel *)copy.kernels.item[i])->function;
        size_t length;
        LLVMValueRef own = LLVMGetNamedFunction(pass->module, LLVMGetValueName2(twin, &length));
        map_put(copy.plan->turns, twin, map_get(pass->plan->turns, own));
        copy.kernels.item[i] = pass_kernel(&copy, twin);
    }
    return copy;
}
