/* One verdict for each access, by its memory, its class and its figures. */
#include "analysis/explain/explain.h"
#include "analysis/plan/plan.h"
#include "analysis/reductions/reductions.h"
#include "analysis/turn/turn.h"
#include "analysis/walks/jam.h"
#include "analysis/walks/walks.h"

static const WhyText texts[] = {
    [WHY_NONE] = {"None", "", ""},
#define WHY(id, name, sentence, remedy) [id] = {name, sentence, remedy},
#include "pass/base/why.def"
#undef WHY
};

const WhyText *why_text(Why why) { return &texts[why]; }

static Why unknown_because(const Access *access, Why otherwise)
{
    Why why = automaton_cause(access->address);
    return why ? why : otherwise;
}

/* threadIdx.x moves by rows while threadIdx.y, or a loop's counter, moves by one element. */
static bool is_swapped(const Access *access)
{
    int64_t stride;
    if (access->kind != CLASS_STRIDED || !access->stride)
        return false;
    bool by_rows = !form_is_constant(access->stride, &stride) || stride > 32 * access->bytes;
    for (int i = 0; by_rows && i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        if (term->degree == 1 && term->symbol[0]->kind == SYM_TID && term->symbol[0]->axis > 0 &&
            term->coefficient == access->bytes)
            return true;
    }
    return false;
}

static Why verdict_shared(const Access *access)
{
    if (access->kind == CLASS_UNIFORM)
        return WHY_BROADCAST;
    if (access->figure.known && !access->figure.banks_known)
        return WHY_RUNTIME_STRIDE;
    if (!access->figure.known)
        return unknown_because(access, access->kind == CLASS_GATHER || access->kind == CLASS_SCATTER ? WHY_VARIES : WHY_NOT_LINEAR);
    return access->figure.ways > 1 ? WHY_BANKS : WHY_BANKS_FREE;
}

static Why verdict_unit(const Access *access)
{
    enum { VECTOR_BYTES = 16 };
    const Figure *figure = &access->figure;
    if (figure->sectors <= figure->ideal || figure->sectors <= figure->requests)
        return WHY_COALESCED;
    if (!figure->dense)
        return WHY_SHORT_ROWS;
    return figure->requests > (access->bytes + VECTOR_BYTES - 1) / VECTOR_BYTES ? WHY_SPLIT : WHY_MISALIGNED;
}

static Why verdict_strided(const Access *access)
{
    if (is_swapped(access))
        return WHY_SWAPPED;
    return access->stride || access->figure.known ? WHY_STRIDED : unknown_because(access, WHY_NOT_LINEAR);
}

static bool is_of_row(const Access *access)
{
    return access->kind == CLASS_WALK || access->kind == CLASS_RECORD || access->kind == CLASS_STRIDED;
}

static Why verdict_global(const Access *access)
{
    const Figure *figure = &access->figure;
    if (access->kind == CLASS_UNIFORM)
        return figure->known && figure->lanes == 1 ? WHY_LONE : WHY_BROADCAST;
    if (figure->known && figure->sectors <= figure->ideal)
        return WHY_COALESCED;
    switch (access->kind) {
    case CLASS_UNIT: return verdict_unit(access);
    case CLASS_WALK: return WHY_WALK;
    case CLASS_RECORD: return WHY_RECORD;
    case CLASS_STRIDED: return verdict_strided(access);
    case CLASS_GATHER: return unknown_because(access, WHY_GATHER);
    case CLASS_SCATTER: return unknown_because(access, WHY_SCATTER);
    default: return unknown_because(access, WHY_NOT_LINEAR);
    }
}

/* It is in no group itself, but given what another one has stored. */
static bool is_handed_on(const Access *access) { return access->group && access->group->op != access->op; }

static bool is_rest(const Access *access) { return is_of_row(access) && ir_is_marked(access->instruction, REST_METADATA); }

static Why verdict_rewritten(const Access *access)
{
    if (access->added && addition_is_joined(access->added, access->instruction))
        return access->added->across ? WHY_ADDED_ACROSS : WHY_ADDED;
    if (is_handed_on(access))
        return is_rest(access) ? WHY_NONE : WHY_HANDED_ON;
    switch (access->group ? access->group->choice.action : ACTION_NONE) {
    case ACTION_WIDEN: return access->group->choice.moves == MOVES_ALIGNED ? WHY_ALIGNED : WHY_WIDENED;
    case ACTION_COPY: return access->group->chosen ? WHY_COPIED_SOME : WHY_COPIED;
    case ACTION_EXCHANGE: return access->group->chosen ? WHY_EXCHANGED_SOME : WHY_EXCHANGED;
    default: return WHY_NONE;
    }
}

/* Of the access's loop, where it would be made longer and the access exchanged then. */
static const Block *block_of(const Access *access)
{
    bool may_be = access->loop && access->kind == CLASS_WALK && access->op != OP_ATOMIC; /* its loop may be a caller's */
    const Block *block = may_be ? map_get(access->scope->kernel->plan->tried, ir_loop_header(access->loop)) : NULL;
    return block && block->pays && block->moves[access->op] ? block : NULL;
}

/* Of a loop around others, whose iterations stand side by side or would. */
static bool is_jammed(const Access *access)
{
    IrLoop *loop = access->loop && is_of_row(access) ? jam_loop(access) : NULL;
    bool would = loop && map_get(access->scope->kernel->plan->jams, ir_loop_header(loop));
    bool is_one_of_many = is_of_row(access) && access->record && access->record->members > 1;
    return would || (is_one_of_many && ir_is_marked(access->instruction, JAM_METADATA));
}

static Why verdict_of(const Access *access)
{
    Why rewritten = verdict_rewritten(access);
    if (rewritten)
        return rewritten;
    if (access->block)
        return WHY_EXCHANGED;
    if (is_rest(access))
        return WHY_REST;
    if (is_jammed(access))
        return WHY_JAMMED;
    switch (access->space) {
    case SPACE_SHARED: return verdict_shared(access);
    case SPACE_LOCAL: return WHY_PRIVATE;
    case SPACE_PARAM: return WHY_PARAMETER;
    case SPACE_CONSTANT: return access->kind == CLASS_UNIFORM ? WHY_CONSTANT : WHY_CONSTANT_SPREAD;
    default: return verdict_global(access);
    }
}

/* ---- blocks that are turned ---- */

/* The accesses of the kernel as it was, by instruction. */
static Map *accesses_before(const Kernel *kernel)
{
    Map *map = map_new(kernel->arena);
    const List *before = &kernel->turn->before->found.accesses;
    for (size_t i = 0; i < before->count; i++)
        map_put(map, ((const Access *)before->item[i])->instruction, before->item[i]);
    return map;
}

static bool is_changed(const Access *access, const Access *before)
{
    const Figure *now = &access->figure, *then = &before->figure;
    bool differs = access->space == SPACE_SHARED ? now->wavefronts != then->wavefronts : now->sectors != then->sectors;
    return now->known && then->known && differs;
}

/* What a turn alone makes better or worse is told as it was. */
static void verdict_turned(Kernel *kernel)
{
    const Map *map = accesses_before(kernel);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        Access *before = map_get(map, access->instruction);
        if (!before || verdict_rewritten(access) || !is_changed(access, before))
            continue;
        before->why = WHY_TURNED;
        before->turned = access;
        kernel->found.accesses.item[i] = before;
    }
}

void verdict_give(Kernel *kernel)
{
    INVARIANT(kernel->done.planned);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        access->block = block_of(access);
        access->added = map_get(kernel->found.added, access->instruction);
        access->why = verdict_of(access);
        if (access->why == WHY_REST)
            access->group = NULL; /* that it was refused with: too short to gain by itself */
    }
    if (kernel_is_turned(kernel))
        verdict_turned(kernel);
}
