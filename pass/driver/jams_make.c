/* Loops around others: iterations stand side by side, as many as registers hold, which a copy tells. */
#include "analysis/facts/facts.h"
#include "analysis/walks/jam.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

static LLVMBasicBlockRef *headers_of(const Pass *pass, const List *jams)
{
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, jams->count);
    for (size_t i = 0; i < jams->count; i++)
        header[i] = ((const Jam *)jams->item[i])->header;
    return header;
}

static void jam_all(IrModule *ir, const List *jams, LLVMBasicBlockRef *header)
{
    for (size_t i = 0; i < jams->count; i++) {
        const Jam *jam = jams->item[i];
        ir_jam(ir, LLVMGetBasicBlockParent(header[i]), header[i], jam->times);
    }
    for (size_t i = 0; i < jams->count; i++)
        ir_clean(ir, LLVMGetBasicBlockParent(header[i]));
}

static bool is_jammed(LLVMBasicBlockRef header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_is_marked(i, JAM_METADATA))
                return true;
    return false;
}

/* Do registers hold what stands side by side then? On a copy. */
static bool is_held(const Pass *pass, Kernel *kernel, const List *jams)
{
    Map *functions = map_new(pass->arena);
    for (size_t i = 0; i < jams->count; i++)
        map_put(functions, ((const Jam *)jams->item[i])->function, functions);
    LLVMBasicBlockRef *header = headers_of(pass, jams);
    Rehearsal rehearsal = rehearsal_open(pass, functions, header, jams->count);
    jam_all(rehearsal.ir, jams, header);
    bool holds = true;
    for (size_t i = 0; i < jams->count && holds; i++) {
        int words = pressure_most(pressure_of(pass->arena, LLVMGetBasicBlockParent(header[i])));
        holds = is_jammed(header[i]) && (kernel->options.always || registers_hold(kernel, words));
        trace(kernel, "tried: %d iterations of the loop around side by side, on a copy: %d words at once%s",
              ((const Jam *)jams->item[i])->times, words, holds ? "" : ", which registers do not hold");
    }
    rehearsal_close(&rehearsal);
    return holds;
}

/* Each with half as many; false where that is too few. */
static bool halve(const List *jams)
{
    bool any = jams->count > 0;
    for (size_t i = 0; i < jams->count; i++) {
        Jam *jam = jams->item[i];
        jam->times /= 2;
        any &= jam->times >= jam->least;
    }
    return any;
}

static List find(Pass *pass, Kernel *kernel)
{
    kernel_measure(kernel);
    List jams = jam_find(kernel);
    bool any = jams.count > 0;
    while (any && !is_held(pass, kernel, &jams))
        any = halve(&jams);
    for (size_t i = 0; i < jams.count; i++) {
        Jam *jam = jams.item[i];
        map_put(any ? pass->plan->jams : pass->plan->crowded, jam->header, jam);
    }
    jams.count = any ? jams.count : 0;
    return jams;
}

static void make(Pass *pass, const Kernel *kernel, const List *jams)
{
    Map *changed = map_new(pass->arena);
    for (size_t i = 0; i < jams->count; i++) {
        const Jam *jam = jams->item[i];
        pass_settle(pass, jam->function);
        map_put(changed, jam->function, pass);
        map_put(pass->plan->jammed, jam->function, pass);
        made_jam(kernel, jam);
        if (jam->tests.count)
            jam_version(pass->arena, pass->ir, jam);
    }
    jam_all(pass->ir, jams, headers_of(pass, jams));
    pass_check(pass, "iterations side by side");
    pass_renew(pass, changed);
}

bool jams_are_of_kept(Pass *pass)
{
    bool any = false;
    const List looping = pass_with_loops(pass);
    for (size_t i = 0; i < looping.count; i++) {
        Kernel *kernel = *(Kernel **)looping.item[i];
        trace(kernel, "tried: a loop around others kept from being unrolled, on a copy");
        const List jams = find(pass, kernel);
        for (size_t k = 0; k < jams.count; k++) {
            const Jam *jam = jams.item[k];
            any |= ir_loop_is_kept(ir_loop_of(pass->ir, jam->header)) && !product_is_open(pass->ir, jam->function);
        }
    }
    return any;
}

bool jams_make(Pass *pass, bool rewrites)
{
    bool any = false;
    const List looping = pass_with_loops(pass);
    for (size_t i = 0; i < looping.count; i++) {
        Kernel **kernel = looping.item[i];
        const List jams = find(pass, *kernel);
        if (jams.count && rewrites)
            make(pass, *kernel, &jams);
        any |= jams.count > 0;
    }
    return any;
}
