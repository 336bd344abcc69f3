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

/* Of a kernel whose arrays lie in local memory. */
typedef struct {
    int words, local; /* live at once; of local memory */
    bool stays, walks; /* would ptxas leave the arrays there; does a thread walk along memory of its own? */
} Before;

/* An index for each element, by which it is loaded first and stored last, is computed twice. */
static int words_of(const Pass *pass, const Kernel *kernel)
{
    return pressure_most(pressure_renewed(pass->arena, kernel->function));
}

/* Words that arrays of the function take of local memory. */
static int words_local(const Kernel *kernel)
{
    enum { WORD = 4 };
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(kernel->function));
    unsigned long long bytes = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel->function)); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            bytes += LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)) * LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    return (int)(bytes / WORD);
}

/* Does it go on by adding a constant, until that is compared with one? */
static bool is_counting(IrLoop *loop)
{
    LLVMBasicBlockRef block = ir_loop_header(loop);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
    LLVMValueRef next = condition && LLVMIsAICmpInst(condition) ? LLVMGetOperand(condition, 0) : NULL;
    return next && (LLVMIsAPHINode(next) || is_op(next, LLVMAdd) || LLVMIsAGetElementPtrInst(next));
}

/* Loops of one block and of known length, one behind the other, ptxas may unroll away by itself, with as many registers as it likes. */
static bool is_plain_loop(const Kernel *kernel, IrLoop *loop)
{
    return ir_loop_depth(loop) == 1 && ir_loop_is_one_block(loop) && ir_loop_trips(kernel->ir, loop) && is_counting(loop);
}

static bool stays(const Kernel *kernel, LLVMBasicBlockRef *headers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_plain_loop(kernel, ir_loop_of(kernel->ir, headers[i])))
            return true;
    return false;
}

/* Does a thread walk along memory of its own? The warp moves such rows together in the loop, for which there are no words left without it. */
static bool walks(const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->space == SPACE_GLOBAL && access->kind == CLASS_WALK)
            return true;
    }
    return false;
}

static bool makes_address(LLVMValueRef value, int steps)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) || (steps && is_index_step(user) && makes_address(user, steps - 1)))
            return true;
    }
    return false;
}

/* The hardware makes a product of long integers of several: each begins words of which nothing is known here. */
static bool has_long_products(LLVMValueRef function)
{
    enum { LONG = 64, STEPS = 3 }; /* bits; the bound of a search */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_op(i, LLVMMul) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(LLVMTypeOf(i)) >= LONG && !makes_address(i, STEPS))
                return true;
    return false;
}

/* Where no loop is left, what is spilled is stored and loaded once, as an element of the array was at least. */
static bool holds_straight(Kernel *kernel, const Before *before, int words)
{
    return before->stays && !before->walks && !feature_is_off(&kernel->options, FEATURE_STRAIGHT) &&
           !ir_has_loops(kernel->ir, kernel->function) && !has_long_products(kernel->function) &&
           registers_hold_once(kernel, before->words, words, before->local - words_local(kernel));
}

/* Of loops that are gone, all that they computed for later stands first: the backend brings it to where it is used. */
static int words_ordered(const Pass *pass, const Kernel *kernel, int words)
{
    if (feature_is_off(&kernel->options, FEATURE_REORDERED))
        return words;
    int ordered = pressure_most(pressure_ordered(pass->arena, kernel->function));
    trace(kernel, "tried: arrays in registers: %d words live at once, in another order of their instructions", ordered);
    return ordered < words ? ordered : words;
}

static bool holds(const Pass *pass, Kernel *kernel, const Before *before)
{
    int words = words_of(pass, kernel);
    trace(kernel, "tried: arrays in registers: %d words live at once, %d before", words, before->words);
    if (registers_hold_throughout(kernel, before->words, words))
        return true;
    words = words_ordered(pass, kernel, words);
    return registers_hold_throughout(kernel, before->words, words) || holds_straight(kernel, before, words);
}

/* The kernel is as it was, in blocks and instructions of its own: what was known of them is to be found again. */
static Why try(const Pass *pass, Kernel *kernel, const IrDissolve *limits, bool left)
{
    const Before before = {words_of(pass, kernel), words_local(kernel), left, walks(kernel)};
    IrBody *body = ir_body_keep(kernel->function);
    Why why = why_of(ir_arrays_dissolve(kernel->ir, kernel->function, limits));
    if (!why && !holds(pass, kernel, &before))
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
    return try(pass, kernel, limits, stays(kernel, headers, count));
}

/* How long the code comes to has been tried; what keeps the bits stands in it now as well, of which nothing is executed. */
static void make(const Pass *pass, const Kernel *kernel, const IrDissolve *limits)
{
    enum { BESIDE = 4 };
    const IrDissolve tried = {limits->bytes, limits->code * BESIDE};
    pass_settle(pass, kernel->function);
    ir_arrays_hide_known(kernel->ir, kernel->function, limits);
    ir_arrays_dissolve(kernel->ir, kernel->function, &tried);
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

/* ---- elements that data tell ---- */

static Why refused_choice(Kernel *kernel, const IrChosen *limits, LLVMValueRef *numbers, size_t count)
{
    if (is_loose(kernel->function))
        return WHY_ARRAY_LOOSE;
    if (product_lies_in_array(kernel->function))
        return WHY_ARRAY_FUSED;
    kernel_measure(kernel); /* its scope is read */
    for (size_t i = 0; i < count; i++)
        if (uniform_is_told(kernel->scope, numbers[i]))
            return WHY_ARRAY_CHOSEN;
    int before = pressure_most(pressure_renewed(kernel->arena, kernel->function));
    IrBody *body = ir_body_keep(kernel->function);
    bool gone = ir_elements_choose(kernel->ir, kernel->function, limits);
    int words = pressure_most(pressure_renewed(kernel->arena, kernel->function));
    trace(kernel, "tried: elements are chosen among registers: %d words live at once, %d before", words, before);
    bool holds = registers_hold_throughout(kernel, before, words);
    ir_body_restore(kernel->ir, body);
    ir_body_close(body);
    return !gone ? WHY_ARRAY_CHOSEN : holds ? WHY_NONE : WHY_ARRAY_REGISTERS;
}

/* True where elements of an array are chosen among registers from now on. */
static bool choose(Pass *pass, Kernel *kernel)
{
    enum { MOST_LOADS = 256 }; /* a bound of the search */
    LLVMValueRef numbers[MOST_LOADS];
    Map *changed = map_new(pass->arena);
    const IrChosen limits = {(uint64_t)kernel->options.cost.CHOSEN_BYTES, (uint64_t)kernel->options.cost.CHOSEN_CHOICES};
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_CHOSEN))
        return false;
    size_t count = ir_elements_chosen(kernel->function, &limits, numbers, MOST_LOADS);
    if (!count)
        return false;
    Why why = refused_choice(kernel, &limits, numbers, count);
    if (why)
        trace(kernel, "refused: elements that data tell: %s", trace_why(kernel, why));
    else
        ir_elements_choose(kernel->ir, kernel->function, &limits);
    map_put(changed, kernel->function, pass);
    pass_renew(pass, changed);
    return !why;
}

bool arrays_make(Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++)
        any |= choose(pass, pass->kernels.item[i]);
    for (size_t i = 0; i < pass->kernels.count; i++)
        any |= dissolve(pass, pass->kernels.item[i]);
    return any;
}

/* ---- what filled them ---- */

static bool pin(const Pass *pass, const Kernel *kernel)
{
    LLVMValueRef function = kernel->function;
    Emit emit = emit_open(pass->arena, function);
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = pin_place(pass->arena, pass->ir, b);
        if (!last)
            continue;
        emit_before(&emit, LLVMGetNextInstruction(last));
        if (kernel_has_barrier_fences(kernel))
            order_hold(&emit);
        else
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
            !pin(pass, kernel))
            continue;
        trace(kernel, "made: loads that filled an array stay in front of a condition");
        ir_changed(pass->ir, kernel->function);
        any = true;
    }
    return any;
}
