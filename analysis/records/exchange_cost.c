/* What a group costs a warp as it is and rewritten, in bytes of DRAM time: how many bytes the memory could have moved
 * meanwhile. Loads are held up by the lines that each request touches, stores by the sectors that each writes in part. */
#include "analysis/address/automaton.h"
#include "analysis/records/records.h"

enum { PERCENT = 100 };

static double at_least(double value, double least) { return value < least ? least : value; }

/* Bytes from record to record; a distance that is no number is taken as long. */
static int64_t span_of(const Group *group)
{
    int64_t bytes = group->high - group->low;
    int64_t stride = group->has_stride ? (int64_t)magnitude(group->stride) : LINE_BYTES;
    return stride > bytes ? stride : bytes;
}

typedef struct {
    double requests, sectors, lines;
} Traffic;

/* Each lane is elsewhere where nothing is known. */
static double sectors_of(const Figure *figure) { return figure->known ? figure->sectors : figure->requests * WARP_LANES; }

/* The members as they stand. */
static Traffic traffic_of_members(const Group *group)
{
    Traffic sum = {0};
    for (size_t i = 0; i < group->members.count; i++) {
        const Figure *figure = &member_at(group, i)->access->figure;
        sum.requests += figure->requests;
        sum.sectors += sectors_of(figure);
        sum.lines += figure->known ? figure->lines : figure->requests * WARP_LANES;
    }
    return sum;
}

static double blocks(double bytes, int size) { return bytes <= size ? 1 : bytes / size; }

/* One part of every record: side by side where records follow each other without a gap, else each in blocks of its own. */
static Traffic traffic_of_part(const Group *group, const Part *part)
{
    double bytes = (double)part->unit * part->count, each = bytes;
    double stride = group->has_stride ? (double)magnitude(group->stride) : LINE_BYTES;
    if (stride < bytes || (part->count == 1 && stride < SECTOR_BYTES))
        each = stride;
    bool dense = group->has_stride && stride == each;
    return (Traffic){
        .requests = part->count,
        .sectors = dense ? WARP_LANES * each / SECTOR_BYTES
                         : WARP_LANES * blocks(each, SECTOR_BYTES) * (stride < SECTOR_BYTES ? stride / SECTOR_BYTES : 1),
        .lines = dense ? WARP_LANES * each / LINE_BYTES
                       : WARP_LANES * blocks(each, LINE_BYTES) * (stride < LINE_BYTES ? stride / LINE_BYTES : 1),
    };
}

static Traffic traffic_rewritten(const Group *group)
{
    Traffic sum = {0};
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++) {
        Traffic part = traffic_of_part(group, &layout->part[i]);
        sum.requests += part.requests;
        sum.sectors += part.sectors;
        sum.lines += part.lines;
    }
    return sum;
}

/* What tells the caches something is assembly in the end. */
static bool has_hint(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (access_hint(member_at(group, i)->access->instruction))
            return true;
    return false;
}

/* Nothing stands between the members that the backend, too, could not pass: it makes vectors of those that lie side by side. */
static bool is_vectorized(const Group *group)
{
    return !group->crosses && !has_hint(group) && (!group->along || group->chosen) && !group->tests.conflicts.count &&
           !group->follows.count && !group_is_copy(group);
}

/* As each thread moves them without the others: in vectors as wide as is known to be aligned, where the backend makes them. */
static Traffic traffic_plain(const Group *group)
{
    Group own = *group;
    Traffic members = traffic_of_members(group);
    if (!is_vectorized(group) || !layout_own(&own, LAYOUT_SURE))
        return members;
    Traffic vectors = traffic_rewritten(&own);
    return (Traffic){
        .requests = members.requests,
        .sectors = vectors.sectors < members.sectors ? vectors.sectors : members.sectors,
        .lines = vectors.lines < members.lines ? vectors.lines : members.lines,
    };
}

/* Of the array that the pointer leads into, whose size is known; 0: it is not. */
static int64_t bytes_of_array(const Kernel *kernel, LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    LLVMValueRef array = LLVMIsAGlobalVariable(pointer);
    LLVMTypeRef type = array ? LLVMGlobalGetValueType(array) : NULL;
    return type && LLVMTypeIsSized(type) && !LLVMIsDeclaration(array) ? (int64_t)LLVMABISizeOfType(kernel->layout, type) : 0;
}

/* No request touches more lines than there are: the tables that libdevice has for sines and logarithms are one or two. */
static Traffic traffic_inside(Traffic traffic, int64_t bytes)
{
    double lines = traffic.requests * (double)(bytes / LINE_BYTES + 1);
    double sectors = traffic.requests * (double)(bytes / SECTOR_BYTES + 1);
    if (bytes && traffic.lines > lines)
        traffic.lines = lines;
    if (bytes && traffic.sectors > sectors)
        traffic.sectors = sectors;
    return traffic;
}

static bool is_anywhere(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++)
        if (!member_at(group, i)->access->figure.known)
            return true;
    return false;
}

/* ---- loads that pass the first-level cache ---- */

static bool passes_first(const Group *group) { return group->op == OP_LOAD && hint_passes_first(group_hint(group)); }

/* Of the second level, whatever is wanted of them: from the first member to the last. */
static double sectors_touched(const Group *group)
{
    Part all = {.unit = (int)(group->high - group->low), .count = 1};
    return traffic_of_part(group, &all).sectors;
}

/* Each of those asks for its sectors anew; the others find them where the first of them left them. */
static double sectors_asked(const Group *group, double sectors)
{
    if (!passes_first(group))
        return sectors;
    double asked = 0, shared = 0;
    for (size_t i = 0; i < group->members.count; i++) {
        const Access *access = member_at(group, i)->access;
        if (hint_passes_first(access_hint(access->instruction)))
            asked += sectors_of(&access->figure);
        else
            shared = sectors_touched(group);
    }
    return asked + shared;
}

/* ---- time ---- */

static double time_of(const Group *group, Traffic traffic)
{
    const Costs *costs = costs_of(group);
    double ideal = (double)group->covered * WARP_LANES, span = (double)span_of(group);
    if (passes_first(group))
        return at_least(traffic.sectors * costs->SECOND,
                        at_least(traffic.lines * costs->LINE, sectors_touched(group) * SECTOR_BYTES));
    if (group->op == OP_LOAD)
        return is_anywhere(group) || span > costs->CACHED ? at_least(traffic.lines * costs->LINE, ideal) : ideal;
    return span > costs->MERGED ? at_least(traffic.sectors * costs->WRITE, ideal) : ideal;
}

/* Stores of words and more, made by all threads one after the other; none waits for a load of a copy, as the backend makes those. */
static bool is_of_words(const Group *group)
{
    for (size_t i = 0; i < group->members.count; i++) {
        const Access *access = member_at(group, i)->access;
        if (access->bytes < WORD_BYTES || (access->partner && access->partner->space != SPACE_LOCAL))
            return false;
    }
    return group->op == OP_STORE && (!group->along || group->chosen);
}

/* From record to record. Where nothing is known of an index that no data are in, as in networks that sort, the lanes' records lie
 * close together all the same. */
static double span_merged(const Group *group)
{
    bool near = is_anywhere(group) && !form_loaded(group->root->address);
    return near ? (double)(group->high - group->low) : (double)span_of(group);
}

/* The cache merges the words of records that are a little too long for it, but for the last of what there is to gain. */
static double time_plain(const Group *group, Traffic traffic)
{
    const Costs *costs = costs_of(group);
    double span = span_merged(group), ideal = (double)group->covered * WARP_LANES;
    if (!is_of_words(group) || span > costs->MERGING)
        return time_of(group, traffic);
    return span > costs->MERGED ? ideal * (PERCENT + costs->MERGE) / PERCENT : ideal;
}

/* Every thread keeps to its own bytes in fewer requests, and nothing is tested at run time. */
static bool is_free(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++)
        if (layout->part[i].count > 1 || !layout->part[i].aligned)
            return false;
    for (size_t i = 0; i < group_places(group); i++)
        if (group_place(group, i)->tested)
            return false;
    return !group->tests.generic && group->tests.conflicts.count == 0;
}

/* Every thread keeps to its own bytes, if only they are aligned. */
static bool is_own(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++)
        if (layout->part[i].count > 1)
            return false;
    return layout_is_tested(group) && !group->along && !group->crosses;
}

/* A word to every lane takes as long as any other word; part of one takes no less. */
static int words_given(int bytes) { return bytes > WORD_BYTES ? bytes / WORD_BYTES : 1; }

/* All lanes at one place: what counts is how many registers are filled. They are counted before they are priced: as many cost the same then, to the
 * last bit, whatever the price. */
static void estimate_uniform(Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    const Costs *costs = costs_of(group);
    int before = 0, after = 0;
    for (size_t i = 0; i < group->members.count; i++)
        before += words_given(member_at(group, i)->access->bytes);
    for (int i = 0; i < layout->parts; i++)
        after += words_given(layout->part[i].unit);
    group->cost.plain = costs->REPLY * before;
    group->cost.rewritten = costs->REPLY * after;
    group->cost.requests = group->cost.sectors = layout->parts;
    group->cost.fewer = group->cost.rewritten < group->cost.plain;
}

/* Do wider pieces save requests enough for what it takes to ask whether they are aligned? */
static void merges_estimate(Group *group, double before, double after)
{
    const Costs *costs = costs_of(group);
    bool merges = after * costs->MERGES <= before;
    bool halves = 2 * after <= before && before - after >= costs->MERGED_STORES && span_of(group) > costs->MERGED_BYTES;
    group->cost.few = merges || halves;
    group->cost.saves = merges && before - after >= costs->MERGED_LOADS;
}

void cost_estimate(Group *group)
{
    if (group_is_uniform(group)) {
        estimate_uniform(group);
        return;
    }
    int64_t array = bytes_of_array(group->scope->kernel, group->root->pointer);
    Traffic before = traffic_inside(traffic_plain(group), array), after = traffic_inside(traffic_rewritten(group), array);
    before.sectors = sectors_asked(group, before.sectors);
    group->choice.moves = is_free(group) ? MOVES_WIDENED : is_own(group) ? MOVES_ALIGNED : MOVES_EXCHANGED;
    group->cost.plain = time_plain(group, before);
    group->cost.rewritten = time_of(group, after) * (PERCENT + (group_widens(group) ? 0 : costs_of(group)->OVERHEAD)) / PERCENT;
    group->cost.fewer = after.requests < before.requests;
    merges_estimate(group, before.requests, after.requests);
    group->cost.requests = after.requests;
    group->cost.sectors = after.sectors;
}

/* Each thread's piece lies in a line of its own, as those of rows do, whether a loop walks them or not. What remains of a row whose
 * blocks move together is another matter (strip_mine.c). */
static bool is_of_row(const Group *group)
{
    bool far = !group->has_stride || magnitude(group->stride) >= LINE_BYTES;
    return group->root->kind == CLASS_WALK ||
           (!is_anywhere(group) && far && !ir_is_marked(group->root->instruction, BLOCK_METADATA));
}

static bool gains(const Group *group, double percent)
{
    return group->cost.plain * PERCENT >= group->cost.rewritten * (PERCENT + percent);
}

/* Words that are stored to a list, of which clang has put eight iterations into one body: lists of 8 entries on the average came to 0.87 to 0.95 of
 * plain clang, of 32 to 1.02, longs, of which it has four there, to 0.99 and 1.2 (H100). */
static bool is_stored_list(const Group *group)
{
    return group->op == OP_STORE && group->root->bytes <= WORD_BYTES && group->root->loop &&
           uniform_is_stored(group->scope, group->root->loop);
}

/* Lists lie one behind the other: their lines are not of one lane alone. */
static bool is_short_piece(const Group *group)
{
    const Costs *costs = costs_of(group);
    const Access *root = group->root;
    bool listed = group->covered >= costs->LISTED_LEAST && root->loop && ir_is_marked(root->instruction, BLOCK_METADATA);
    return group->covered < costs->WALKED && !(listed && uniform_is_list(group->scope, root->loop));
}

/* Records that lanes come to until their data say that they are through, in a loop that nobody can count: after its first iterations few warps are whole, and
 * the stretches of code between the tests wait for their loads one after the other. Agents of 48 bytes, five a thread, one of 20 of which ends its thread's
 * turn and a quarter of which is passed over, came to 0.80 of plain clang, and with few threads to 0.71 (H200). */
static bool thins_out(const Group *group)
{
    const Kernel *kernel = group->scope->kernel;
    IrLoop *loop = ir_loop_of(kernel->ir, group->block);
    return loop && !is_anywhere(group) && !ir_loop_is_countable(kernel->ir, loop) && uniform_is_list(group->scope, loop);
}

/* At one place in all iterations, as a store of the loop keeps the compiler from loading it once: the first-level cache has it from the
 * first iteration on. What data let some lanes store again and again is little, too: particles of 60 bytes, each of which adds to its own
 * density and forces what all others have, came to 0.62 and 0.59 of plain clang exchanged (H200). */
static bool is_met_again(const Group *group)
{
    IrLoop *loop = group->root->loop;
    bool again = loop && form_is_invariant(group->root->address, loop) && !walk_is_longer(group->root->instruction);
    return again && (group->op == OP_LOAD || uniform_is_chosen(group->scope, group->block));
}

/* Of rows that the loop around meets again, in iterations that data choose: lanes come to them apart, and find them in the first-level cache, and an iteration that is taken for itself votes each time.
 * Five kernels of 3, 4 and 2 words under a threshold (smoothing, boxes that overlap, pairs, strands of hair twice) came to 0.44 to 1.39 of plain clang exchanged, 0.79 in the mean, to 0.92 to 1.78,
 * 1.13 in the mean, with those records as they are (H200). */
static bool is_chosen_again(const Group *group)
{
    return group->op == OP_LOAD && group->root->loop && walk_meets_again(group->root) &&
           uniform_is_chosen(group->scope, group->block);
}

/* A few words of short records that data choose: neighbours lie in one sector, and what is saved is no more than what it takes to know who stores. So it is with a few bytes anywhere. */
static bool is_chosen_for_little(const Group *group)
{
    bool near = group->has_stride && magnitude(group->stride) <= SECTOR_BYTES;
    const Costs *costs = costs_of(group);
    return group->op == OP_STORE && group->covered < (near ? costs->CHOSEN_STORED : costs->CHOSEN_FAR) &&
           uniform_is_chosen(group->scope, group->block);
}

/* A piece of a row, of the iterations that clang has put into one. A spare for short rows has nothing of those, and lists are short as a rule. */
static bool is_step_for_little(const Group *group)
{
    const Costs *costs = costs_of(group);
    bool listed = uniform_is_list(group->scope, group->root->loop);
    return group->covered < (listed ? costs->PIECE : costs->STEPPED) ||
           feature_is_off(&group->scope->kernel->options, FEATURE_WALKS);
}

/* Of records of pictures and fields that move in narrow pieces, a few dozen bytes of each lane: what the warp saves takes it longer to pass on. */
static bool is_narrow_nearby(const Group *group)
{
    const Costs *costs = costs_of(group);
    const Part *part = &group->choice.layout[LAYOUT_LIKELY].part[0];
    bool narrow = part->unit <= WORD_BYTES || (part->unit < IR_WIDEST && group->covered < costs->NEARBY);
    return group->op == OP_LOAD && narrow && is_anywhere(group) && group_is_near(group);
}

/* Stores of a row, more than half of which are left when some of them become wider ones: the first of them wait for the last one, and for what is loaded in between. Columns of clouds,
 * levels of six floats of which three are stored between loads and quotients, came to 0.45 to 0.83 of plain clang as two stores with 120000 threads and more, to 1.16 to 1.3 with fewer; pairs that are turned in place, and runs of bytes, one where there were two, to 1.8 and
 * 1.7 (H200). */
static bool is_widened_for_little(const Group *group)
{
    return group->choice.moves == MOVES_ALIGNED && group->op == OP_STORE && group->root->kind == CLASS_WALK &&
           2 * group->cost.requests > (double)group->members.count;
}

bool cost_pays(const Group *group)
{
    const Costs *costs = costs_of(group);
    if (group->choice.moves == MOVES_WIDENED)
        return group->cost.fewer;
    bool walks = walk_is_longer(group->root->instruction);
    if (!walks && (thins_out(group) || uniform_one_by_one(group->root)))
        return false;
    if (group->choice.moves == MOVES_ALIGNED && !is_of_row(group) &&
        (group->op == OP_STORE ? group->cost.few : group->cost.saves && !group_is_chased(group)))
        return true;
    if (is_widened_for_little(group))
        return false;
    if (is_stored_list(group) || is_met_again(group) || is_chosen_again(group) || is_chosen_for_little(group))
        return false;
    if (group->op == OP_LOAD && !form_restless(group->root->address))
        return false; /* lanes that load what their neighbours do share its sectors */
    if (group->op == OP_LOAD && is_anywhere(group) && group->covered < costs->SCATTERED)
        return false;
    if (is_narrow_nearby(group))
        return false;
    if (group->op == OP_LOAD && group->covered < costs->CHASED && group_is_chased(group))
        return false;
    if (group->op == OP_LOAD && is_of_row(group) && is_short_piece(group))
        return false;
    if (group->op == OP_LOAD && group->root->kind == CLASS_WALK && !walks && is_step_for_little(group))
        return false;
    bool usual = gains(group, costs->MARGIN), chosen = gains(group, costs->CHOSEN);
    return usual == chosen || walks || !uniform_is_chosen(group->scope, group->block) ? usual : chosen;
}

/* ---- registers ---- */

/* Units that are swapped by pairs of lanes stay where they are; those that go round are there twice more. */
int registers_of_group(const Group *group)
{
    int words = 0, most = 0;
    for (int i = 0; i < group->choice.layout[LAYOUT_LIKELY].parts; i++) {
        const Part *part = &group->choice.layout[LAYOUT_LIKELY].part[i];
        int own = part->unit > WORD_BYTES ? part->unit / WORD_BYTES * part->count : part->count;
        bool is_turned = part->count > 1 && warp_pairs(part->count) != part->count;
        int network = part->count > 1 ? own + (is_turned ? own + own : 0) : 0;
        words += own;
        most = network > most ? network : most;
    }
    return words + most;
}
