/* Records that lanes look up by an index that is loaded, and that several of them may share.
 *
 *     r = table[index[i]]        samples of a segment, cells of a material, times within one interval of a table
 *
 * A word that lanes share the first-level cache hands out to all of them at once, so that plain code takes as long as there are records; the warp
 * would move one for each lane. How far apart its records lie at most says how many there can be, and takes two reductions to know: where there
 * are few, the original runs. Sums over records of 39 doubles that 32, 8, 4 and 2 threads share came to 0.26, 0.37, 0.56 and 0.95 of plain clang
 * exchanged, of 47 floats to 0.31, 0.44, 0.64 and 1.06, of 32 floats, whose words lie in the same banks, to 0.51, 0.98, 1.86 and 3.2 (H200). */
#include "analysis/plan/plan.h"

static bool is_loaded(const Term *term)
{
    bool any = false;
    for (int i = 0; i < term->degree; i++)
        any |= term->symbol[i]->loaded;
    return any;
}

/* Do lanes differ by anything but what they have loaded? Those of a list that a warp shares go to neighbours, `table[tile[w] * 32 + lane]`: many records, however near. */
static bool is_spread(const Form *address)
{
    bool any = false;
    for (int i = 0; i < address->count; i++)
        for (int j = 0; j < address->term[i].degree; j++)
            any |= address->term[i].symbol[j]->varies && !address->term[i].symbol[j]->loaded;
    return any;
}

/* What an index that is loaded moves the group by, least: from record to record, if that is a number; its own bytes where it is none. */
static int64_t pitch_of(const Group *group)
{
    int64_t bytes = group->high - group->low, pitch = INT64_MAX;
    const Form *address = group->root->address;
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        uint64_t by = magnitude(term->coefficient);
        if (is_loaded(term) && (term->degree > 1 || by < (uint64_t)bytes))
            return bytes;
        if (is_loaded(term) && by < (uint64_t)pitch)
            pitch = (int64_t)by;
    }
    return pitch;
}

/* A row by its number, which is multiplied by its length. Lists begin where a number says, one behind the other. */
static bool is_row(const Group *group)
{
    bool any = false;
    const Form *address = group->root->address;
    for (int i = 0; i < address->count; i++) {
        const Term *term = &address->term[i];
        any |= is_loaded(term) && (term->degree > 1 || (int64_t)magnitude(term->coefficient) >= group->high - group->low);
    }
    return any;
}

static bool is_looked_up(const Group *group)
{
    const Access *root = group->root;
    return group->op == OP_LOAD && group->choice.moves == MOVES_EXCHANGED && form_loaded(root->address) &&
           !is_spread(root->address) && (root->kind == CLASS_GATHER || (root->kind == CLASS_WALK && is_row(group)));
}

/* Records so many numbers apart that a launch is given may overlap, as windows do: `for (k = 0; k < 33; k++) m = max(m, x[i*hop + k])`. Those of walks are
 * pieces of a row. */
static bool is_window(const Group *group)
{
    int64_t apart;
    const Access *root = group->root;
    return group->op == OP_LOAD && group->choice.moves == MOVES_EXCHANGED && root->kind == CLASS_RECORD && root->stride &&
           !walk_is_longer(root->instruction) && !form_is_constant(root->stride, &apart);
}

/* How far the first and the last lane are apart where windows begin as near to each other as those that the cache hands out faster. */
static void look_at_windows(const Costs *costs, const Group *group, Lookup *lookup)
{
    lookup->far = (WARP_LANES - 1) * (int64_t)costs->NEAR_WINDOWS;
    int64_t covered = group->high - group->low,
            odd = (int64_t)(group->root->bytes > WORD_BYTES ? costs->NEAR_ODD_WIDE : costs->NEAR_ODD);
    lookup->far_odd = group->root->bytes < WORD_BYTES ? 0 : (WARP_LANES - 1) * (covered < odd ? covered : odd);
    lookup->group = lookup->far ? group : NULL;
}

/* Words of records at multiples of BANKS_BYTES meet in few banks, and come one by one. Of rows nobody knows how long they are: neighbours that are at one
 * place are counted instead, as those that look up in order are. */
static void look(const Costs *costs, const Group *group, Lookup *lookup)
{
    int64_t pitch = pitch_of(group);
    lookup->few = (int)costs->FEW_RECORDS;
    lookup->few_in_banks = (int)costs->FEW_RECORDS_BANKS;
    if (pitch > INT32_MAX / WARP_LANES || !lookup->few)
        return; /* no table has many of those, or nobody wants to know */
    if (group->root->kind == CLASS_GATHER)
        lookup->far = pitch * (pitch % BANKS_BYTES ? lookup->few : lookup->few_in_banks);
    lookup->group = lookup->far || group->root->kind == CLASS_WALK ? group : NULL;
}

/* Of windows that are not all as far apart none says for the others, nor for records that are looked up. */
static bool are_alike(const Group *one, const Group *other)
{
    return is_window(one) == is_window(other) && (!is_window(one) || form_equal(one->root->stride, other->root->stride));
}

/* Where little else is moved, the widest of what is looked up says for all. Of short records asking takes as long as sharing saves: bones of 48 bytes came from 0.95 of plain clang to 0.89 in a
 * launch of 3 us (H200). */
static const Group *widest_of(const Region *region)
{
    enum { LEAST = 2 * SECTOR_BYTES };
    const Group *widest = NULL;
    int64_t looked_up = 0, all = 0;
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        all += group->covered;
        if (!is_looked_up(group) && !is_window(group))
            continue;
        if (widest && !are_alike(group, widest))
            return NULL;
        looked_up += group->covered;
        widest = widest && widest->covered >= group->covered ? widest : group;
    }
    return 4 * looked_up >= 3 * all && widest && pitch_of(widest) >= LEAST ? widest : NULL;
}

void looked_up_plan(const Kernel *kernel, size_t from)
{
    for (size_t i = from; i < kernel->plan->regions.count && kernel->options.arch >= REDUX_ARCH; i++) {
        Region *region = kernel->plan->regions.item[i];
        const Group *widest = widest_of(region);
        if (!widest || region->own || region->under || region->shelf || kernel->options.always)
            continue;
        if (is_window(widest))
            look_at_windows(&kernel->options.cost, widest, &region->lookup);
        else
            look(&kernel->options.cost, widest, &region->lookup);
    }
}
