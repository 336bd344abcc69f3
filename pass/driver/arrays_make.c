/* Small arrays of a thread: loops that index them are unrolled away, where the arrays are registers then. It is tried on the kernel itself,
 * whose body is put aside meanwhile. */
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

enum { MOST_LOOPS = 64 }; /* a bound of the search */

static IrDissolve limits_of(const Kernel *kernel)
{
    return (IrDissolve){(uint64_t)kernel->options.cost.ARRAY_BYTES, (uint64_t)kernel->options.cost.ARRAY_CODE};
}

static Why why_of(IrDissolved dissolved)
{
    static const Why why[] = {[IR_DISSOLVED_NONE] = WHY_NONE,           [IR_DISSOLVED_ESCAPES] = WHY_ARRAY_ESCAPES,
                              [IR_DISSOLVED_CHOSEN] = WHY_ARRAY_CHOSEN, [IR_DISSOLVED_ENDLESS] = WHY_ARRAY_ENDLESS,
                              [IR_DISSOLVED_TOLD] = WHY_ARRAY_TOLD,     [IR_DISSOLVED_LONG] = WHY_ARRAY_LONG};
    return why[dissolved];
}

/* Without loops the compiler would do with such sums what it did not do with them in loops. */
static bool is_loose(LLVMValueRef function)
{
    const LLVMFastMathFlags kept = LLVMFastMathAllowContract;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMCanValueUseFastMathFlags(i) && LLVMGetFastMathFlags(i) & ~kept)
                return true;
    return false;
}

static bool fuses(const Kernel *kernel, LLVMBasicBlockRef *headers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (product_crosses(kernel->ir, ir_loop_of(kernel->ir, headers[i])))
            return true;
    return false;
}

/* An index for each element, by which it is loaded first and stored last, is computed twice. */
static int words_of(const Pass *pass, const Kernel *kernel)
{
    return pressure_most(pressure_renewed(pass->arena, kernel->function));
}

/* Of loops that are gone, all that they computed for later stands first: the backend brings it to where it is used. */
static bool holds_ordered(const Pass *pass, Kernel *kernel, int before)
{
    if (feature_is_off(&kernel->options, FEATURE_REORDERED))
        return false;
    int words = pressure_most(pressure_ordered(pass->arena, kernel->function));
    trace(kernel, "tried: arrays in registers: %d words live at once, in another order of their instructions", words);
    return registers_hold_throughout(kernel, before, words);
}

/* The kernel is as it was, in blocks and instructions of its own: what was known of them is to be found again. */
static Why try(const Pass *pass, Kernel *kernel, const IrDissolve *limits)
{
    int before = words_of(pass, kernel);
    IrBody *body = ir_body_keep(kernel->function);
    Why why = why_of(ir_arrays_dissolve(kernel->ir, kernel->function, limits));
    int words = why ? 0 : words_of(pass, kernel);
    trace(kernel, "tried: arrays in registers: %d words live at once, %d before", words, before);
    if (!why && !registers_hold_throughout(kernel, before, words) && !holds_ordered(pass, kernel, before))
        why = WHY_ARRAY_REGISTERS;
    ir_body_restore(kernel->ir, body);
    ir_body_close(body);
    return why;
}

/* `any`: has it arrays that are worth a word? `handed`: a function that stands in it now was handed one. */
static Why refused(const Pass *pass, Kernel *kernel, const IrDissolve *limits, bool handed, bool *any)
{
    LLVMBasicBlockRef headers[MOST_LOOPS];
    IrDissolved found;
    size_t count = ir_arrays_find(kernel->ir, kernel->function, limits, headers, MOST_LOOPS, &found);
    *any = count || found || handed;
    if (count == MOST_LOOPS || !*any || (found && !count))
        return count ? WHY_ARRAY_LONG : why_of(found);
    if (is_loose(kernel->function))
        return WHY_ARRAY_LOOSE;
    if (product_lies_in_array(kernel->function) || fuses(kernel, headers, count))
        return WHY_ARRAY_FUSED;
    kernel_measure(kernel); /* its scope is read */
    return try(pass, kernel, limits);
}

static void make(const Pass *pass, const Kernel *kernel, const IrDissolve *limits)
{
    pass_settle(pass, kernel->function);
    ir_arrays_hide_known(kernel->ir, kernel->function, limits);
    ir_arrays_dissolve(kernel->ir, kernel->function, limits);
    made_arrays(kernel);
    map_put(pass->plan->dissolved, kernel->function, kernel->function);
    pass_check(pass, "arrays");
}

/* ---- functions that are handed an array ---- */

/* True where any stands in the kernel now. */
static bool take_in(const Pass *pass, const Kernel *kernel, const IrDissolve *limits, bool settles)
{
    bool any = false;
    for (LLVMValueRef call = ir_array_call(kernel->function, limits); call; call = ir_array_call(kernel->function, limits)) {
        if (settles)
            pass_settle(pass, LLVMGetCalledValue(call));
        if (!ir_array_inline(kernel->ir, call, settles))
            break;
        any = true;
    }
    return any;
}

/* True where they stand in the kernel now, and its arrays will be registers. It is tried without what keeps the bits as they are, which is not to
 * be undone. */
static bool hands_on(const Pass *pass, Kernel *kernel, const IrDissolve *limits)
{
    bool any;
    IrBody *body = ir_body_keep(kernel->function);
    Why why = take_in(pass, kernel, limits, false) ? refused(pass, kernel, limits, true, &any) : WHY_ARRAY_ESCAPES;
    trace(kernel, "tried: functions that are handed an array stand in the kernel: %s", trace_why(kernel, why));
    ir_body_restore(kernel->ir, body);
    ir_body_close(body);
    if (why)
        return false;
    pass_settle(pass, kernel->function);
    return take_in(pass, kernel, limits, true);
}

static bool may_hand_on(const Kernel *kernel, const IrDissolve *limits)
{
    return !feature_is_off(&kernel->options, FEATURE_HANDED) && ir_array_call(kernel->function, limits);
}

static bool dissolve(Pass *pass, Kernel *kernel)
{
    const IrDissolve limits = limits_of(kernel);
    Map *changed = map_new(pass->arena);
    bool any = false;
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_ARRAYS))
        return false;
    bool calls = may_hand_on(kernel, &limits);
    bool handed = calls && hands_on(pass, kernel, &limits);
    Why why = handed ? WHY_NONE : refused(pass, kernel, &limits, false, &any);
    any |= handed;
    if (any && why) {
        trace(kernel, "refused: arrays that loops index: %s", trace_why(kernel, why));
        map_put(pass->plan->arrays, kernel->function, (void *)why_text(why));
    }
    if (any && !why)
        make(pass, kernel, &limits);
    map_put(changed, kernel->function, pass);
    if (any || calls)
        pass_renew(pass, changed);
    return any && !why;
}

bool arrays_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++)
        any |= dissolve(pass, pass->kernels.item[i]);
    return any;
}

/* ---- what filled them ---- */

static bool pin(const Pass *pass, LLVMValueRef function)
{
    Emit emit = emit_open(pass->arena, function);
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = pin_place(pass->arena, pass->ir, b);
        if (!last)
            continue;
        emit_before(&emit, LLVMGetNextInstruction(last));
        order_keep(emit.builder);
        any = true;
    }
    emit_close(&emit);
    return any;
}

bool arrays_pin(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        if (!map_get(pass->plan->dissolved, kernel->function) || feature_is_off(&kernel->options, FEATURE_PINS) ||
            !pin(pass, kernel->function))
            continue;
        trace(kernel, "made: loads that filled an array stay in front of a condition");
        ir_changed(pass->ir, kernel->function);
        any = true;
    }
    return any;
}
