/* Memory, arithmetic and passes over the banks of an SM overlap: a block of code takes as long as the longest of them. Where that
 * is arithmetic, fewer sectors gain nothing, and the shuffles of an exchange are more of it.
 *
 *     a hash of 64 bytes    memory =============      exchanged    memory ====
 *                       arithmetic ==============              arithmetic ================
 *
 * One block alone is counted: all of it runs as often as its accesses are made. Along a chain (conditional_records.c) the blocks
 * from the first member to the last are, loops as often as is known. Instructions are counted in slots (slots.c). */
#include "analysis/records/records.h"

enum { PERCENT = 100 };

/* ---- what an exchange adds ---- */

static int log2_of(int count)
{
    int bits = 0;
    while (1 << bits < count)
        bits++;
    return bits;
}

static int words_of(const Part *part) { return part->unit > WORD_BYTES ? part->unit / WORD_BYTES : 1; }

/* Of the shuffle network (transform/records/network.c): lanes swap words, and words go round. */
static double swaps_of(const Part *part) { return words_of(part) * part->count * log2_of(warp_pairs(part->count)) / 2.0; }
static int turns_of(const Part *part) { return part->count / warp_pairs(part->count); }
static double shuffles_of(const Part *part) { return swaps_of(part) + (turns_of(part) > 1 ? words_of(part) * part->count : 0); }

/* The network, and the address of each request. */
static double slots_of_part(const Costs *costs, const Part *part)
{
    enum { ADDRESS = 2, SELECTS_OF_A_SWAP = 3 }; /* instructions at half the rate */
    double selects = SELECTS_OF_A_SWAP * swaps_of(part) + words_of(part) * part->count * log2_of(turns_of(part));
    return part->count == 1 ? 0 : costs->SHUFFLE * shuffles_of(part) + costs->HALF_RATE * (selects + ADDRESS * part->count);
}

/* Each lane's word once, and once more in each shuffle. */
static double passes_of_part(const Costs *costs, const Part *part)
{
    (void)costs;
    return words_of(part) * part->count + shuffles_of(part);
}

static double sum_of_parts(const Group *group, double (*of_part)(const Costs *costs, const Part *part))
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    const Costs *costs = costs_of(group);
    double sum = 0;
    for (int i = 0; i < layout->parts; i++)
        sum += of_part(costs, &layout->part[i]);
    return sum;
}

/* ---- the block ---- */

/* In bytes of DRAM time, all of it. */
typedef struct {
    double memory, arithmetic, passes;
} Load;

typedef struct {
    const Kernel *kernel;
    List groups; /* of Group, with an estimate */
    Load others; /* of all that is in none of them */
} Busy;

static bool is_estimated(const Group *group) { return group->cost.plain > 0; }

static double load_time(const Load *load)
{
    double longer = load->memory > load->arithmetic ? load->memory : load->arithmetic;
    return longer > load->passes ? longer : load->passes;
}

static bool is_reckoned(const Kernel *kernel, const Access *access)
{
    const List *groups = map_get(kernel->plan->grouped, access->instruction);
    for (size_t i = 0; groups && i < groups->count; i++) {
        const Group *group = groups->item[i];
        if (group->op == access->op && is_estimated(group))
            return true;
    }
    return false;
}

/* An access on its own: at least the sectors that it touches; each lane is elsewhere where nothing is known. */
static double time_alone(const Access *access)
{
    const Figure *figure = &access->figure;
    if (access->space != SPACE_GLOBAL && access->space != SPACE_GENERIC)
        return 0;
    return SECTOR_BYTES * (figure->known ? figure->sectors : figure->requests * WARP_LANES);
}

static double passes_alone(const Access *access)
{
    return access->space == SPACE_SHARED && access->figure.known ? access->figure.wavefronts : 0;
}

/* What the cache of an SM holds lies in the banks of its shared memory: words of records of 32 bytes, in four of them. */
static double passes_of_member(const Group *group, const Member *member)
{
    Warp warp = {.lanes = WARP_LANES};
    if (group->op != OP_LOAD || !group->has_stride)
        return 0;
    for (int i = 0; i < WARP_LANES; i++) {
        warp.at[i] = member->offset + i * group->stride;
        warp.lane[i] = i;
    }
    return warp_wavefronts(&warp, member->access->bytes);
}

static void others_add(Load *load, const Kernel *kernel, const Scope *scope, LLVMBasicBlockRef block, double times)
{
    const Costs *costs = &kernel->options.cost;
    load->arithmetic += times * slots_of_block(costs, block) * costs->SLOT;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const List *accesses = map_get(scope->accesses, i);
        for (size_t j = 0; accesses && j < accesses->count; j++) {
            const Access *access = accesses->item[j];
            if (is_reckoned(kernel, access))
                continue;
            load->memory += times * time_alone(access);
            load->passes += times * passes_alone(access) * costs->PASS;
        }
    }
}

/* Pieces of rows that begin wherever another load says. Where rows are short they lie one behind the other, and neighbours share
 * lines (LISTS). */
static bool is_list(const Group *group)
{
    return group->op == OP_LOAD && group->root->kind == CLASS_GATHER && ir_is_marked(group->root->instruction, BLOCK_METADATA) &&
           group->members.count > 1;
}

static double time_as_it_is(const Group *group)
{
    return is_list(group) ? group->cost.plain / costs_of(group)->LISTS : group->cost.plain;
}

static void load_add(Load *load, const Group *group, bool exchanged)
{
    const Costs *costs = costs_of(group);
    load->memory += group->choice.chosen ? group->cost.rewritten : time_as_it_is(group);
    load->arithmetic += exchanged ? sum_of_parts(group, slots_of_part) * costs->SLOT : 0;
    load->passes += exchanged ? sum_of_parts(group, passes_of_part) * costs->PASS : 0;
    for (size_t i = 0; !exchanged && i < group->members.count; i++)
        load->passes += passes_of_member(group, member_at(group, i)) * costs->PASS;
}

/* As it is, or as it would be now. */
static double time_of(const Busy *busy, bool plain)
{
    Load load = busy->others;
    for (size_t i = 0; i < busy->groups.count; i++) {
        Group *group = busy->groups.item[i];
        bool chosen = group->choice.chosen;
        group->choice.chosen &= !plain;
        load_add(&load, group, group_is_exchanged(group));
        group->choice.chosen = chosen;
    }
    return load_time(&load);
}

/* Least gain, in percent: of lists, whose lengths nobody knows, a multiple of the usual one. */
static double margin_of(const Busy *busy)
{
    const Costs *costs = &busy->kernel->options.cost;
    for (size_t i = 0; i < busy->groups.count; i++)
        if (group_is_exchanged(busy->groups.item[i]) && is_list(busy->groups.item[i]))
            return costs->LISTS_MARGIN * costs->MARGIN;
    return costs->MARGIN;
}

static bool gains(const Busy *busy) { return time_of(busy, true) * PERCENT >= time_of(busy, false) * (PERCENT + margin_of(busy)); }

static Group *least_of(const Busy *busy)
{
    Group *least = NULL;
    for (size_t i = 0; i < busy->groups.count; i++) {
        Group *group = busy->groups.item[i];
        if (group_is_exchanged(group) &&
            (!least || group->cost.plain - group->cost.rewritten < least->cost.plain - least->cost.rewritten))
            least = group;
    }
    return least;
}

/* The cache serves the load, and yet its requests take turns at the banks, or the block has no other time to lose. */
static bool is_served(const Group *group)
{
    return group->op == OP_LOAD && !group->choice.chosen && group->choice.why == WHY_NO_GAIN && !group_widens(group) &&
           group->has_stride && group->root->kind != CLASS_WALK;
}

/* The code is there twice already: what is gained need only be more than an exchange loses. */
static void take_served(const Busy *busy)
{
    const Costs *costs = &busy->kernel->options.cost;
    for (size_t i = 0; i < busy->groups.count; i++) {
        Group *group = busy->groups.item[i];
        if (!is_served(group))
            continue;
        double before = time_of(busy, false);
        group->choice.chosen = true;
        if (before * PERCENT >= time_of(busy, false) * (PERCENT + costs->OVERHEAD))
            group->choice.why = WHY_NONE;
        else
            group->choice.chosen = false;
    }
}

void overlap_settle(const Kernel *kernel, const List *groups, size_t from, size_t to)
{
    const Group *first = groups->item[from];
    Busy busy = {.kernel = kernel, .groups = list_new(kernel->arena)};
    for (size_t i = from; i < to; i++)
        if (is_estimated(groups->item[i]))
            list_add(&busy.groups, groups->item[i]);
    if (!least_of(&busy))
        return;
    others_add(&busy.others, kernel, first->scope, first->block, 1);
    for (Group *least = least_of(&busy); least && !gains(&busy); least = least_of(&busy)) {
        least->choice.chosen = false;
        least->choice.why = WHY_BUSY;
    }
    if (least_of(&busy))
        take_served(&busy);
}

double overlap_time(const Scope *scope, LLVMBasicBlockRef block, const List *groups, size_t from, size_t to, bool plain)
{
    Busy busy = {.kernel = scope->kernel, .groups = list_new(scope->kernel->arena)};
    for (size_t i = from; i < to; i++)
        if (is_estimated(groups->item[i]))
            list_add(&busy.groups, groups->item[i]);
    others_add(&busy.others, scope->kernel, scope, block, 1);
    return time_of(&busy, plain);
}

/* ---- a chain ---- */

/* The groups that the accesses of the block were estimated in, but those of the group's own members. */
static void neighbours_add(Busy *busy, const Group *group, LLVMBasicBlockRef block, Map *known)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const List *groups = map_get(busy->kernel->plan->grouped, i);
        for (size_t j = 0; groups && j < groups->count && !group_has_member(group, i); j++) {
            Group *other = groups->item[j];
            if (!is_estimated(other) || map_get(known, other))
                continue;
            map_put(known, other, other);
            list_add(&busy->groups, other);
        }
    }
}

/* How often the block runs while the chain is passed once: as far as its loops count to a number. */
static double times_passed(const Kernel *kernel, LLVMBasicBlockRef block, LLVMBasicBlockRef first)
{
    double times = 1;
    for (IrLoop *loop = ir_loop_of(kernel->ir, block); loop && !ir_loop_has_block(loop, first); loop = ir_loop_parent(loop)) {
        int64_t trips = ir_loop_trips(kernel->ir, loop);
        times *= trips > 0 ? (double)trips : 1;
    }
    return times;
}

bool overlap_allows(const Kernel *kernel, Group *group, const List *links)
{
    const Costs *costs = &kernel->options.cost;
    Busy busy = {.kernel = kernel, .groups = list_new(kernel->arena)};
    Map *known = map_new(kernel->arena);
    LLVMBasicBlockRef first = ((const Link *)links->item[0])->block;
    list_add(&busy.groups, group);
    for (size_t l = 0; l < links->count; l++) {
        LLVMBasicBlockRef block = ((const Link *)links->item[l])->block;
        others_add(&busy.others, kernel, group->scope, block, times_passed(kernel, block, first));
        neighbours_add(&busy, group, block, known);
    }
    double with = time_of(&busy, false);
    group->choice.chosen = false;
    double without = time_of(&busy, false);
    group->choice.chosen = true;
    return without * PERCENT >= with * (PERCENT + costs->MARGIN) &&
           weigh_allows(group->scope, weigh_block(group->scope, first) * (without - with));
}
