/* What a rewrite saves, held against all that the kernel does: how often a block of code runs beside others decides that as much as
 * what it gains when it does.
 *
 *     Star s = star[i];                          once
 *     for (j = 0; j < n; j++) pull(s, all[j]);   TRIPS times, or as often as the code says
 *     star[i] = s;                               once: an exchange here saves a thousandth, and costs the loop registers
 *
 * Loops count as often as they run, or as most loops do; a way that is said to be unlikely counts as little as a warp is likely to
 * have a thread that goes it. */
#include "analysis/records/records.h"
#include "analysis/rings/rings.h"

enum { PERCENT = 100 };

/* All lanes load the next element of one array in each iteration: those of all threads, more often than not. */
static bool meets_all(const Scope *scope, LLVMValueRef instruction)
{
    const List *accesses = scope->accesses ? map_get(scope->accesses, instruction) : NULL;
    for (size_t i = 0; accesses && i < accesses->count; i++) {
        const Access *access = accesses->item[i];
        if (access->op == OP_LOAD && access->kind == CLASS_UNIFORM && access->space != SPACE_SHARED)
            return true;
    }
    return false;
}

/* Of nobody knows how many iterations: how many they are likely to be. A loop that has another version hardly ever runs. */
static double usual_trips(const Scope *scope, IrLoop *loop)
{
    const Costs *costs = &scope->kernel->options.cost;
    bool all = false;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_marked(i, ASIDE_METADATA) || ir_is_marked(i, ORIGINAL_METADATA))
                return 0;
            all |= meets_all(scope, i);
        }
    return all && ir_loop_is_innermost(loop) ? costs->ALL : costs->TRIPS;
}

static double find_trips(const Scope *scope, IrLoop *loop)
{
    int64_t trips = ir_loop_trips(scope->kernel->ir, loop), most = trips ? trips : ir_loop_most_trips(scope->kernel->ir, loop);
    double usual = usual_trips(scope, loop);
    int64_t fewest, seen;
    if (!trips && usual > 0 && launches_count(scope->kernel, loop, &fewest, &seen))
        return (double)(fewest + seen) / 2;
    return trips && usual > 0 ? (double)trips : most > 0 && (double)most < usual ? (double)most : usual;
}

static double trips_of(Scope *scope, IrLoop *loop)
{
    if (!scope->accesses) /* not grouped yet: which loops meet all elements nobody knows, and it is not kept */
        return find_trips(scope, loop);
    double *trips = map_get(scope->trips, ir_loop_header(loop));
    if (!trips) {
        trips = ARENA_NEW(scope->kernel->arena, double);
        *trips = find_trips(scope, loop);
        map_put(scope->trips, ir_loop_header(loop), trips);
    }
    return *trips;
}

static double share_of(const Kernel *kernel, LLVMBasicBlockRef block, IrLoop *loop)
{
    double share = ir_frequency(kernel->ir, block, loop) * kernel->options.cost.RARE;
    return share < 1 ? share : 1;
}

double weigh_block(Scope *scope, LLVMBasicBlockRef block)
{
    const Kernel *kernel = scope->kernel;
    double weight = 1;
    if (!scope->trips)
        scope->trips = map_new(kernel->arena);
    for (IrLoop *loop = ir_loop_of(kernel->ir, block); block; loop = loop ? ir_loop_parent(loop) : NULL) {
        weight *= share_of(kernel, block, loop);
        if (!loop)
            break;
        weight *= trips_of(scope, loop);
        block = ir_idom(kernel->ir, ir_loop_header(loop));
    }
    return weight;
}

/* The groups of `from` to `to` are those of one block. */
static size_t end_of_block(const List *groups, size_t from)
{
    LLVMBasicBlockRef block = ((const Group *)groups->item[from])->block;
    while (from < groups->count && ((const Group *)groups->item[from])->block == block)
        from++;
    return from;
}

static double time_of_scope(Scope *scope, const List *groups)
{
    Map *first = map_new(scope->kernel->arena);
    double time = 0;
    for (size_t i = 0; i < groups->count; i = end_of_block(groups, i))
        map_put(first, ((const Group *)groups->item[i])->block, (void *)(uintptr_t)(i + 1));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        size_t from = (size_t)(uintptr_t)map_get(first, b), to = from ? end_of_block(groups, from - 1) : 0;
        time += weigh_block(scope, b) * overlap_time(scope, b, groups, from ? from - 1 : 0, to, true);
    }
    return time;
}

static void give_up(const List *groups, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        Group *group = groups->item[i];
        if (!group->choice.chosen || group->choice.moves == MOVES_WIDENED)
            continue;
        group->choice.chosen = false;
        group->choice.why = WHY_SLIGHT;
    }
}

static bool is_exchanged(const List *groups, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (((const Group *)groups->item[i])->choice.chosen && !group_widens(groups->item[i]))
            return true;
    return false;
}

static double saved_by(Scope *scope, const List *groups, size_t from, size_t to)
{
    LLVMBasicBlockRef block = ((const Group *)groups->item[from])->block;
    double before = overlap_time(scope, block, groups, from, to, true), after = overlap_time(scope, block, groups, from, to, false);
    return weigh_block(scope, block) * (before - after);
}

bool weigh_allows(const Scope *scope, double saved) { return saved * PERCENT >= scope->time * scope->kernel->options.cost.SHARE; }

/* Walks have been weighed when their loops were made longer, and take the registers. */
static bool has_walks(const List *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        const Group *group = groups->item[i];
        bool is_jammed = group->members.count > 1 && ir_is_marked(group->root->instruction, JAM_METADATA);
        if (is_jammed || ir_is_marked(group->root->instruction, BLOCK_METADATA))
            return true;
    }
    return false;
}

void weigh_settle(Scope *scope, const List *groups)
{
    double saved = 0;
    if (!is_exchanged(groups, 0, groups->count) || has_walks(groups))
        return;
    scope->time = time_of_scope(scope, groups);
    for (size_t from = 0, to; from < groups->count; from = to) {
        to = end_of_block(groups, from);
        double here = is_exchanged(groups, from, to) ? saved_by(scope, groups, from, to) : 0;
        if (!weigh_allows(scope, here))
            give_up(groups, from, to);
        else
            saved += here;
    }
    if (saved * PERCENT < scope->time * scope->kernel->options.cost.MARGIN)
        give_up(groups, 0, groups->count);
    hidden_settle(scope, groups);
}
