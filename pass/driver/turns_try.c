/* Turns: everything after is planned for threads that have changed places, and they do so in the end. */
#include "analysis/turn/turn.h"
#include "pass/driver/pass.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

void turns_find(Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        Kernel *kernel = pass->kernels.item[i];
        if (!turn_is_possible(kernel))
            continue;
        kernel_measure(kernel);
        if (!turn_is_wanted(kernel))
            continue;
        Turn *turn = ARENA_NEW(pass->arena, Turn);
        *turn = (Turn){kernel, turn_hazard(kernel)};
        if (!turn->why && !kernel->options.always && turn_is_led(kernel))
            turn->why = WHY_TURN_LED;
        if (!turn->why && !turn_pays(kernel))
            turn->why = WHY_TURN_NO_GAIN;
        trace_turn(kernel, turn);
        map_put(pass->plan->turns, kernel->function, turn);
        kernel->turn = turn;
        if (!turn->why)
            pass->kernels.item[i] = pass_kernel(pass, kernel->function);
    }
}

/* What their code is like by now without the turn: an access that is better for it is told as it would be. */
void turns_compare(Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        Turn *turn = map_get(pass->plan->turns, kernel->function);
        if (!kernel_is_turned(kernel) || turn->before)
            continue;
        Kernel *before = pass_kernel_unturned(pass, kernel->function);
        kernel_measure(before);
        turn->before = before;
    }
}

bool turns_make(const Pass *pass, bool rewrites)
{
    bool any = false;
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        if (!kernel_is_turned(kernel))
            continue;
        any = true;
        if (!rewrites)
            continue;
        pass_settle(pass, kernel->function);
        straight_make(pass->arena, &pass->loopless, kernel, pass->plan);
        turn_rewrite(kernel->function);
        made_turn(kernel);
        ir_changed(pass->ir, kernel->function);
        ir_clean(pass->ir, kernel->function);
        pass_check(pass, "a turn");
    }
    return any;
}
