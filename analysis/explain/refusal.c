/* Why an access is not rewritten: what those that looked at it have left there. The group's cause comes first (plan.c, chains, costs);
 * then, of one that is alone, what the search for groups met between it and the others of its record (alone.c). Of a walk the
 * longer loop's cause comes first (walks_lengthen.c), or what keeps its loop from being made longer (block_obstacle). */
#include "analysis/banks/banks.h"
#include "analysis/explain/explain.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/turn/turn.h"
#include "analysis/walks/walks.h"

Why refusal_in_block(const Group *group)
{
    bool is_piece = group->high - group->low < (int64_t)costs_of(group)->WALKED;
    return group->choice.why == WHY_NO_GAIN && is_piece ? WHY_NONE : group->choice.why;
}

/* In the longer loop it was not rewritten either: for a cause that its group was given, or it was no member of any. */
static Why refused_in_block(const Block *block, const Access *access)
{
    if (block->why[access->op])
        return block->why[access->op];
    Why why = block_obstacle(access->scope->kernel, access);
    return why ? why : WHY_WALK_APART;
}

static Why refused_by_group(const Access *access) { return access->group ? access->group->choice.why : WHY_NONE; }

static Why refused_walk(const Access *access)
{
    const Plan *plan = access->scope->kernel->plan;
    if (assembly_is_hinted(access->instruction))
        return WHY_HINTED;
    const Block *block = access->loop ? map_get(plan->tried, ir_loop_header(access->loop)) : NULL;
    if (block)
        return refused_in_block(block, access);
    Why why = access->group ? refusal_in_block(access->group) : WHY_NONE;
    if (ir_is_marked(access->instruction, BLOCK_METADATA))
        return why ? why : WHY_WALK_APART;
    why = block_obstacle(access->scope->kernel, access);
    return why ? why : refused_by_group(access);
}

/* Branches are not what keeps it where a version without them would not pay. */
static Why refused_alone(const Access *access)
{
    const Tail *tail = access->alone == WHY_APART ? map_get(access->scope->kernel->plan->tails, access->instruction) : NULL;
    return tail && tail->why ? tail->why : access->alone;
}

static Why refused_record(const Access *access)
{
    Why why = refused_by_group(access);
    bool is_one = access->why == WHY_RECORD || access->why == WHY_GATHER || access->why == WHY_SCATTER;
    return why || !is_one ? why : refused_alone(access);
}

/* It moves with its neighbours, and again and again. */
static bool moves_anew(const Access *access)
{
    const Reuse *reuse = access->block ? access->block->reuse : NULL;
    bool moves = access->block || (access->group && access->group->choice.action);
    return moves && (ir_is_marked(access->instruction, ANEW_METADATA) || (reuse && reuse->why && reuse_has(reuse, access)));
}

static const Padding *padding_of(const Access *access)
{
    LLVMValueRef array = shared_array_of(access->pointer);
    return array ? map_get(access->scope->kernel->plan->paddings, array) : NULL;
}

static Why refusal_of(const Access *access)
{
    if (access->why == WHY_JAMMED)
        return WHY_NONE;
    if (moves_anew(access))
        return WHY_AGAIN_WRITTEN;
    if (access->added)
        return access->added->why;
    const Turn *turn = access->scope->kernel->turn;
    if (turn && access->why == WHY_SWAPPED && turn->why)
        return turn->why;
    const Padding *padding = access->why == WHY_BANKS ? padding_of(access) : NULL;
    if (padding)
        return padding->why;
    return access->why == WHY_WALK && access->op != OP_ATOMIC ? refused_walk(access) : refused_record(access);
}

void refusal_give(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        access->refusal = refusal_of(access);
    }
}
