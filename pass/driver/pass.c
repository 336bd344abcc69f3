/* One pass over the kernels of a portion: what is known of them, until it is no longer true, and what is rewritten in the end. */
#include "analysis/turn/turn.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

Kernel *pass_kernel_unturned(Pass *pass, LLVMValueRef function)
{
    Arena *arena = arena_new();
    list_add(&pass->arenas, arena);
    return kernel_open(arena, pass->ir, pass->module, function, pass->options, pass->plan);
}

Kernel *pass_kernel(Pass *pass, LLVMValueRef function)
{
    Kernel *kernel = pass_kernel_unturned(pass, function);
    kernel->turn = map_get(pass->plan->turns, function);
    if (kernel_is_turned(kernel))
        kernel_turn(kernel);
    return kernel;
}

Pass pass_open(IrModule *ir, LLVMModuleRef module, const Options *options, const Portion *portion)
{
    Pass pass = {.ir = ir, .module = module, .options = options, .portion = *portion, .arena = arena_new()};
    pass.arenas = list_new(pass.arena);
    pass.kernels = list_new(pass.arena);
    pass.settled = map_new(pass.arena);
    pass.made = map_new(pass.arena);
    pass.plan = plan_new(pass.arena);
    for (size_t i = 0; i < portion->roots.count; i++) {
        Kernel *kernel = pass_kernel(&pass, portion->roots.item[i]);
        if (!kernel->options.off)
            list_add(&pass.kernels, kernel);
    }
    return pass;
}

void pass_close(Pass *pass)
{
    for (size_t i = 0; i < pass->arenas.count; i++)
        arena_free(pass->arenas.item[i]);
    arena_free(pass->arena);
}

/* What the backend makes of a function's instructions, in their order. */
typedef struct {
    size_t count;
    uint8_t *made;
} Made;

/* Asked once: a trial that is undone leaves the instructions in their order. */
static const uint8_t *made_of(const Pass *pass, LLVMValueRef function)
{
    size_t count = function_length(function);
    Made *made = map_get(pass->made, function);
    if (made && made->count != count && pass->options->check)
        ir_fail("a function is settled that has changed since the backend was asked");
    if (made && made->count == count)
        return made->made;
    made = ARENA_NEW(pass->arena, Made);
    *made = (Made){count, ARENA_ARRAY(pass->arena, uint8_t, count + 1)};
    if (product_is_any(pass->ir, function))
        ir_backend_makes(pass->ir, function, made->made);
    map_put(pass->made, function, made);
    return made->made;
}

static bool kernel_runs(const Kernel *kernel, LLVMValueRef function)
{
    bool runs = false;
    for (size_t i = 0; i < kernel->found.scopes.count && !runs; i++)
        runs = ((const Scope *)kernel->found.scopes.item[i])->function == function;
    return runs;
}

const Kernel *pass_runner(const Pass *pass, LLVMValueRef function)
{
    const Kernel *found = NULL;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        bool runs = kernel->function == function || kernel_runs(kernel, function);
        if (runs && (!found || (trace_is_on(kernel) && !trace_is_on(found))))
            found = kernel;
    }
    return found;
}

bool pass_settle(const Pass *pass, LLVMValueRef function)
{
    if (map_get(pass->settled, function))
        return false;
    map_put(pass->settled, function, function);
    if (!map_get(pass->plan->before, function))
        map_put(pass->plan->before, function, (void *)(intptr_t)(registers_of_plain(pass->arena, function) + 1));
    trace(pass_runner(pass, function), "settled: products and sums, as the backend makes them");
    products_settle(pass->ir, function, made_of(pass, function));
    return true;
}

void pass_check(const Pass *pass, const char *step)
{
    if (pass->options->check)
        ir_check(pass->module, step);
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

void pass_rewrite(const Pass *pass)
{
    Map *cleaned = map_new(pass->arena);
    List dead = list_new(pass->arena);
    const List *regions = &pass->plan->regions;
    for (size_t i = 0; i < regions->count; i++)
        pass_settle(pass, ((const Region *)regions->item[i])->function);
    for (size_t i = 0; i < regions->count; i++)
        if (((const Region *)regions->item[i])->gathers)
            region_gather(regions->item[i]);
    for (size_t i = 0; i < regions->count; i++)
        region_rewrite(regions->item[i], &dead);
    for (size_t i = 0; i < regions->count; i++)
        made_region(regions->item[i]);
    erase(&dead);
    for (size_t i = 0; i < regions->count; i++) {
        const Region *region = regions->item[i];
        if (map_get(cleaned, region->function))
            continue;
        map_put(cleaned, region->function, region->function);
        ir_forget_left(pass->ir, region->function);
        ir_clean(pass->ir, region->function);
    }
    pass_check(pass, "regions");
}

bool kernel_runs_any(const Kernel *kernel, const Map *functions)
{
    for (size_t i = 0; i < kernel->found.scopes.count; i++)
        if (map_get(functions, ((const Scope *)kernel->found.scopes.item[i])->function))
            return true;
    return false;
}

/* As the kernel's functions are by now. */
static int words_of(const Pass *pass, const Kernel *kernel)
{
    int most = 0;
    for (size_t i = 0; i < kernel->found.scopes.count; i++) {
        int words = pressure_most(pressure_of(pass->arena, ((const Scope *)kernel->found.scopes.item[i])->function));
        most = words > most ? words : most;
    }
    return most;
}

typedef enum { CHOOSES_NONE, CHOOSES_ONCE, CHOOSES_IN_LOOPS } Choosing;

/* Do data choose the records that its warps move, and is a loop around? */
static Choosing choosing_of(const Pass *pass, const Kernel *kernel)
{
    Choosing choosing = CHOOSES_NONE;
    for (size_t i = 0; i < kernel->found.scopes.count && choosing != CHOOSES_IN_LOOPS; i++) {
        const void *known = map_get(pass->plan->choosing, ((const Scope *)kernel->found.scopes.item[i])->function);
        choosing = known == pass->plan->choosing ? CHOOSES_IN_LOOPS : known ? CHOOSES_ONCE : choosing;
    }
    return choosing;
}

static int words_of_arrays(const Kernel *kernel)
{
    int words = 0;
    for (size_t i = 0; i < kernel->found.scopes.count; i++)
        words += words_in_arrays(((const Scope *)kernel->found.scopes.item[i])->function);
    return words;
}

/* Does it walk lists that the compiler has unrolled, and is nothing else of it made longer? */
static bool walks_lists_alone(const Pass *pass, const Kernel *kernel)
{
    return kernel_runs_any(kernel, pass->plan->longer) && !kernel_runs_any(kernel, pass->plan->rows) &&
           !kernel_runs_any(kernel, pass->plan->jammed);
}

static int limit_of(const Pass *pass, Kernel *kernel)
{
    enum { MOST_WORDS = 64 }; /* of a thread in blocks of 1024 */
    Choosing choosing = choosing_of(pass, kernel);
    const int words = words_of(pass, kernel);
    bool latched = kernel_runs_any(kernel, pass->plan->latched), settled = kernel_runs_any(kernel, pass->settled);
    bool full = kernel_runs_any(kernel, pass->plan->longer) || kernel_runs_any(kernel, pass->plan->jammed) ||
                choosing == CHOOSES_IN_LOOPS || words > kernel->options.cost.EASY || words + words_of_arrays(kernel) > MOST_WORDS;
    bool much = kernel->is_entry && (latched || (settled && full));
    bool parted = !full && !latched && kernel_runs_any(kernel, pass->plan->parted) && words >= kernel->options.cost.SLIM_WORDS;
    bool repeats = kernel_runs_any(kernel, pass->plan->repeated);
    int slim = kernel->is_entry && (choosing == CHOOSES_ONCE || parted) ? registers_to_keep(kernel, words) : 0;
    if (repeats && kernel->is_entry && choosing == CHOOSES_NONE && !parted && !much)
        slim = registers_to_repeat(kernel, words, !kernel_runs_any(kernel, pass->plan->thick));
    if (much && !latched && choosing == CHOOSES_NONE && walks_lists_alone(pass, kernel))
        return registers_to_walk(kernel, words, !kernel_runs_any(kernel, pass->plan->accompanied));
    return slim ? slim : much ? registers_to_cap(kernel) : 0;
}

static void limit_set(const Pass *pass, const Kernel *kernel, int limit)
{
    ir_set_attribute(kernel->function, "nvvm.maxnreg", arena_text(pass->arena, "%d", limit));
    made_limit(kernel, limit);
}

/* ptxas takes as many registers as it would by itself, up to those that such a block has; told a number of registers, it makes use of them. */
static void bound_set(const Pass *pass, Kernel *kernel)
{
    bool repeats = kernel->is_entry && kernel_runs_any(kernel, pass->plan->repeated);
    bool longer = kernel->is_entry && (kernel_runs_any(kernel, pass->plan->longer) || kernel_runs_any(kernel, pass->plan->jammed));
    bool settled = kernel->is_entry && kernel_runs_any(kernel, pass->settled);
    bool packed = settled && kernel_runs_any(kernel, pass->plan->packed);
    int threads = repeats ? registers_to_bound(kernel) : settled ? registers_to_bound_many(kernel, packed) : 0;
    threads = threads || !(longer || packed) ? threads : registers_to_bound_near(kernel);
    if (threads)
        ir_set_attribute(kernel->function, "nvvm.maxntid", arena_text(pass->arena, "%d", threads));
}

/* Blocks of any size that were launched still are: the backend keeps to as many registers as they have. */
void pass_limit_registers(const Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        int limit = limit_of(pass, kernel);
        if (limit)
            limit_set(pass, kernel, limit);
        else
            bound_set(pass, kernel);
    }
}

void pass_renew(Pass *pass, const Map *functions)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        Turn *turn = map_get(pass->plan->turns, kernel->function);
        if (!kernel_runs_any(kernel, functions))
            continue;
        trace(kernel, "anew: its code has changed, and is looked at again");
        if (turn)
            turn->before = NULL;
        pass->kernels.item[i] = pass_kernel(pass, kernel->function);
    }
}

/* Has a block of the kernel room for as many bytes more as its arrays might take, aligned better, and an SM for as many blocks? */
static bool has_room_to_align(Kernel *kernel)
{
    enum { MOST_BETWEEN = 16 }; /* bytes, before each array */
    kernel_measure(kernel);
    int64_t arrays = 0, bytes = shared_bytes(kernel, NULL);
    for (LLVMValueRef g = LLVMGetFirstGlobal(kernel->module); g; g = LLVMGetNextGlobal(g))
        arrays += is_shared_array(g);
    int64_t most = bytes + arrays * MOST_BETWEEN;
    return most <= SHARED_BUDGET && resident_blocks(kernel, most) == resident_blocks(kernel, bytes);
}

static bool any_is_loose(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; !any && i < pass->portion.functions.count; i++)
        any = ir_has_loose_shared(pass->portion.functions.item[i]);
    return any;
}

bool pass_align(Pass *pass)
{
    Map *changed = map_new(pass->arena), *crowded = map_new(pass->arena);
    bool any = false;
    if (!any_is_loose(pass))
        return false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        bool has_room = has_room_to_align(kernel);
        for (size_t k = 0; !has_room && k < kernel->found.scopes.count; k++)
            map_put(crowded, ((const Scope *)kernel->found.scopes.item[k])->function, kernel);
    }
    for (size_t i = 0; i < pass->portion.functions.count; i++) {
        LLVMValueRef function = pass->portion.functions.item[i];
        if (map_get(crowded, function) || ir_is_optnone(function) || !ir_align_shared(function))
            continue;
        map_put(changed, function, pass);
        any = true;
    }
    pass_renew(pass, changed);
    return any;
}

bool pass_declares(LLVMModuleRef module, bool (*is_name)(const char *name))
{
    size_t length;
    LLVMValueRef function = LLVMGetFirstFunction(module);
    while (function && !(LLVMIsDeclaration(function) && is_name(LLVMGetValueName2(function, &length))))
        function = LLVMGetNextFunction(function);
    return function;
}

bool pass_tell_matrices(Pass *pass)
{
    Map *changed = map_new(pass->arena);
    bool any = false;
    if (!pass_declares(pass->module, is_matrix_name))
        return false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        kernel_measure(kernel); /* its scopes are read */
        for (size_t k = 0; k < kernel->found.scopes.count; k++) {
            Scope *scope = kernel->found.scopes.item[k];
            if (ir_is_optnone(scope->function) || !matrices_tell(scope))
                continue;
            map_put(changed, scope->function, pass);
            any = true;
        }
    }
    pass_renew(pass, changed);
    return any;
}

static bool has_helper_with_loops(const Pass *pass)
{
    const List *functions = &pass->portion.functions;
    for (size_t i = 0; i < functions->count; i++)
        if (!function_is_kernel(functions->item[i]) && ir_has_loops(pass->ir, functions->item[i]))
            return true;
    return false;
}

List pass_with_loops(const Pass *pass)
{
    List found = list_new(pass->arena);
    bool anywhere = has_helper_with_loops(pass);
    for (size_t i = 0; i < pass->kernels.count; i++)
        if (anywhere || ir_has_loops(pass->ir, ((const Kernel *)pass->kernels.item[i])->function))
            list_add(&found, &pass->kernels.item[i]);
    return found;
}

static bool kernel_make_by_turns(Pass *pass, Kernel **kernel, const ByTurns *turns)
{
    Map *changed = map_new(pass->arena);
    bool any = false;
    map_put(changed, (*kernel)->function, pass);
    for (;;) {
        pass_renew(pass, changed);
        turns->found->count = 0;
        turns->find(*kernel);
        if (!turns->make(pass, *kernel))
            break;
        any = true;
    }
    for (size_t i = 0; i < turns->found->count; i++)
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            turns->tell(*kernel, turns->found->item[i]);
    return any;
}

bool pass_make_by_turns(Pass *pass, const ByTurns *turns)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel **kernel = (Kernel **)&pass->kernels.item[i];
        if ((*kernel)->is_entry && turns->may_be(pass->ir, (*kernel)->function))
            any |= kernel_make_by_turns(pass, kernel, turns);
    }
    return any;
}
