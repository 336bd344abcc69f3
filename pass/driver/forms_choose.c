/* Other forms of the same, of which the backend makes better code: loops that ptxas may unroll, switches that are compared or whose ways are chosen among,
 * and numbers that are chosen. What LLVM's own passes would turn back comes behind all that is rewritten. */
#include "analysis/ahead/lookahead.h"
#include "pass/choices/short_ways.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* Is it a kernel with loops, which the feature is for? */
static bool may_choose(const Pass *pass, const Kernel *kernel, Feature feature)
{
    return kernel->is_entry && !ir_is_optnone(kernel->function) && !feature_is_off(&kernel->options, feature) &&
           ir_has_loops(pass->ir, kernel->function);
}

/* ---- latches ---- */

static bool turn_latches(const Pass *pass, Kernel *kernel)
{
    bool any = false;
    kernel_measure(kernel); /* its scope is read */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(pass->ir, b);
        if (!loop || ir_loop_header(loop) != b || !latch_is_turned(kernel->scope, loop))
            continue;
        ir_loop_turn_latch(loop);
        trace(kernel, "made: the end of a loop says that it goes on");
        any = true;
    }
    return any;
}

bool latches_turn(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!kernel->is_entry || !ir_has_loops(pass->ir, kernel->function) || !turn_latches(pass, kernel))
            continue;
        map_put(pass->plan->latched, kernel->function, kernel);
        ir_changed(pass->ir, kernel->function);
        any = true;
    }
    return any;
}

/* ---- switches ---- */

bool switches_compare(const Pass *pass)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!may_choose(pass, kernel, FEATURE_SWITCHES))
            continue;
        kernel_measure(kernel); /* its scope is read */
        if (!switches_are_compared(kernel->scope))
            continue;
        ir_set_attribute(kernel->function, "no-jump-tables", "true");
        trace(kernel, "made: cases of switches are compared");
        any = true;
    }
    return any;
}

static bool has_switches(const Kernel *kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        if (LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(b)) && ir_loop_of(kernel->ir, b))
            return true;
    return false;
}

static int choose_ways(const Pass *pass, Kernel *kernel)
{
    List jumps = list_new(pass->arena);
    kernel_measure(kernel); /* its scope is read, as long as nothing has changed */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        if (ways_are_chosen(kernel->scope, LLVMGetBasicBlockTerminator(b)))
            list_add(&jumps, LLVMGetBasicBlockTerminator(b));
    for (size_t i = 0; i < jumps.count; i++)
        ir_choose_ways(jumps.item[i]);
    ir_changed(pass->ir, kernel->function);
    return (int)jumps.count;
}

/* Products and sums that stand in blocks of their own might come together. */
bool ways_choose(Pass *pass)
{
    Map *changed = map_new(pass->arena);
    bool any = false, looked = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!may_choose(pass, kernel, FEATURE_SWITCHES) || !has_switches(kernel) || product_is_any(pass->ir, kernel->function))
            continue;
        int made = choose_ways(pass, kernel);
        map_put(changed, kernel->function, pass);
        looked = true;
        any |= made > 0;
        if (made)
            trace(kernel, "made: %d switches whose ways are short are choices", made);
    }
    if (looked)
        pass_renew(pass, changed);
    return any;
}

/* ---- structs ---- */

/* No load is one of two structs. */
static bool take(Map *taken, const Whole *whole)
{
    bool is_free = !map_get(taken, whole->first);
    for (int i = 0; i < whole->others; i++)
        is_free &= !map_get(taken, whole->other[i].load);
    for (int i = 0; i < whole->others; i++)
        map_put(taken, whole->other[i].load, taken);
    map_put(taken, whole->first, taken);
    return is_free;
}

static int load_wholes(Kernel *kernel)
{
    List wholes = list_new(kernel->arena);
    Map *taken = map_new(kernel->arena);
    kernel_measure(kernel); /* its scope is read, as long as nothing has changed */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            Whole whole;
            if (!whole_find(kernel->scope, i, &whole) || !take(taken, &whole))
                continue;
            Whole *kept = ARENA_NEW(kernel->arena, Whole);
            *kept = whole;
            list_add(&wholes, kept);
        }
    for (size_t i = 0; i < wholes.count; i++)
        whole_load(wholes.item[i]);
    return (int)wholes.count;
}

bool wholes_load(Pass *pass)
{
    Map *changed = map_new(pass->arena);
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!may_choose(pass, kernel, FEATURE_WHOLE))
            continue;
        int made = load_wholes(kernel);
        if (!made)
            continue;
        trace(kernel, "made: words of %d structs are loaded together", made);
        ir_changed(pass->ir, kernel->function);
        map_put(changed, kernel->function, pass);
        any = true;
    }
    if (any)
        pass_renew(pass, changed);
    return any;
}

/* ---- counts, and neighbours ---- */

/* Instructions that have another form, wherever they stand. */
typedef struct {
    Feature feature;
    bool in_loops; /* of what has loops alone */
    bool (*make)(IrModule *ir, LLVMValueRef instruction); /* false where it is of no such form */
    const char *text;
} Rule;

static int make_of(const Rule *rule, IrModule *ir, LLVMValueRef function)
{
    int made = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            made += rule->make(ir, i);
        }
    return made;
}

static bool rule_make(const Pass *pass, const Rule *rule)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, rule->feature) ||
            (rule->in_loops && !ir_has_loops(pass->ir, kernel->function)))
            continue;
        int made = make_of(rule, pass->ir, kernel->function);
        if (!made)
            continue;
        trace(kernel, "made: %d %s", made, rule->text);
        ir_changed(pass->ir, kernel->function);
        any = true;
    }
    return any;
}

static bool make_count(IrModule *ir, LLVMValueRef sum)
{
    Counting count;
    bool found = count_find(ir, sum, &count);
    if (found)
        count_choose(&count);
    return found;
}

bool counts_choose(const Pass *pass)
{
    static const Rule counts = {FEATURE_COUNTS, true, make_count, "numbers that go on under a condition are chosen"};
    return rule_make(pass, &counts);
}

static bool make_clamp(IrModule *ir, LLVMValueRef sum)
{
    Clamp clamp;
    bool found = clamp_find(sum, &clamp);
    (void)ir;
    if (found)
        clamp_turn(&clamp);
    return found;
}

bool clamps_turn(const Pass *pass)
{
    static const Rule clamps = {FEATURE_CLAMPS, false, make_clamp, "neighbours are kept within bounds behind their sums"};
    return rule_make(pass, &clamps);
}
