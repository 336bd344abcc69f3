/* Two reports held against each other. Kernels pair off by name; then those whose parameters alone changed; then those that were given another
 * name and have the accesses of one that is gone. Each round takes only what is the one of its kind on both sides. */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "pass/bridge/bridge.h"

const char *change_text(Change change)
{
    static const char *const text[CHANGES] = {"same", "worse", "new", "changed", "better", "gone"};
    return text[change];
}

/* ---- kernels that are one ---- */

typedef bool (*AreOne)(const Side *old, const Side *new);

static bool have_one_name(const Side *old, const Side *new) { return strcmp(old->kernel, new->kernel) == 0; }

static bool have_one_bare_name(const Side *old, const Side *new)
{
    char *mine = ir_demangled(old->kernel), *other = ir_demangled(new->kernel);
    size_t length = bare_length(mine);
    bool same = length == bare_length(other) && strncmp(mine, other, length) == 0;
    free(mine);
    free(other);
    return same;
}

static size_t matches(const Side *side, const List *among, bool from_old, AreOne are_one, Side **match)
{
    size_t count = 0;
    for (size_t i = 0; i < among->count; i++) {
        Side *other = among->item[i];
        if (!other || !(from_old ? are_one(side, other) : are_one(other, side)))
            continue;
        *match = other;
        count++;
    }
    return count;
}

/* ---- changes ---- */

static const double least_bytes = 0.5; /* below it, what the text of a report rounds */

static double larger(double a, double b) { return a > b ? a : b; }

/* More by either measure is more; fewer only where neither is more. */
static double growth(Loss old, Loss new)
{
    double most = larger(new.written - old.written, new.rewritten - old.rewritten);
    double least = -larger(old.written - new.written, old.rewritten - new.rewritten);
    return most > least_bytes ? most : least < -least_bytes ? least : 0;
}

static void add_loss(Loss *sum, const Entry *entry)
{
    sum->written += entry->loss.written;
    sum->rewritten += entry->loss.rewritten;
}

static void note_access(Diff *diff, KernelChange *kernel, const Entry *old, const Entry *new)
{
    AccessChange *access = ARENA_NEW(kernel->accesses.arena, AccessChange);
    double by = growth(old ? old->loss : (Loss){0}, new ? new->loss : (Loss){0});
    Change change = !old ? CHANGE_NEW : !new ? CHANGE_GONE : by > 0 ? CHANGE_WORSE : by < 0 ? CHANGE_BETTER : CHANGE_NONE;
    *access = (AccessChange){change, old, new, by};
    diff->accesses[change]++;
    if (change != CHANGE_NONE)
        list_add(&kernel->accesses, access);
}

static void note_unpaired(Diff *diff, KernelChange *kernel, const Side *side, bool is_old)
{
    for (size_t i = 0; side && i < side->entries.count; i++) {
        const Entry *entry = side->entries.item[i];
        add_loss(is_old ? &kernel->lost_old : &kernel->lost_new, entry);
        if (!entry->taken)
            note_access(diff, kernel, is_old ? entry : NULL, is_old ? NULL : entry);
    }
}

static bool has_worse(const KernelChange *kernel)
{
    for (size_t i = 0; i < kernel->accesses.count; i++)
        if (((const AccessChange *)kernel->accesses.item[i])->change == CHANGE_WORSE)
            return true;
    return false;
}

static Change change_of(const KernelChange *kernel)
{
    if (!kernel->old || !kernel->new)
        return kernel->old ? CHANGE_GONE : CHANGE_NEW;
    if (has_worse(kernel) || kernel->by > 0)
        return CHANGE_WORSE;
    bool renamed = strcmp(kernel->old, kernel->new) != 0;
    return kernel->by < 0 ? CHANGE_BETTER : kernel->accesses.count || renamed ? CHANGE_OTHER : CHANGE_NONE;
}

static int by_bytes(double a, double b) { return (a < b) - (a > b); }

static int worst_access(const void *left, const void *right)
{
    const AccessChange *a = *(AccessChange *const *)left, *b = *(AccessChange *const *)right;
    int order = by_bytes(a->by, b->by);
    return order ? order : (int)a->change - (int)b->change;
}

static void note_kernel(Diff *diff, const Side *old, const Side *new, Arena *arena)
{
    KernelChange *kernel = ARENA_NEW(arena, KernelChange);
    kernel->old = old ? old->kernel : NULL;
    kernel->new = new ? new->kernel : NULL;
    kernel->accesses = list_new(arena);
    List pairs = old && new ? entries_paired(old, new) : list_new(arena);
    for (size_t i = 0; i < pairs.count; i++) {
        const EntryPair *pair = pairs.item[i];
        note_access(diff, kernel, pair->old, pair->new);
    }
    note_unpaired(diff, kernel, old, true);
    note_unpaired(diff, kernel, new, false);
    kernel->by = growth(kernel->lost_old, kernel->lost_new);
    kernel->change = change_of(kernel);
    diff->is_worse |= kernel->change == CHANGE_WORSE;
    if (kernel->accesses.count)
        qsort(kernel->accesses.item, kernel->accesses.count, sizeof(void *), worst_access);
    if (kernel->change != CHANGE_NONE)
        list_add(&diff->kernels, kernel);
}

/* What is paired off leaves a NULL in either list. */
static void kernels_pair(Diff *diff, List *old, List *new, AreOne are_one)
{
    for (size_t i = 0; i < old->count; i++) {
        Side *mine = old->item[i], *other = NULL, *back = NULL;
        if (!mine || matches(mine, new, true, are_one, &other) != 1 || matches(other, old, false, are_one, &back) != 1)
            continue;
        note_kernel(diff, mine, other, old->arena);
        old->item[i] = NULL;
        for (size_t j = 0; j < new->count; j++)
            if (new->item[j] == other)
                new->item[j] = NULL;
    }
}

static int worst_kernel(const void *left, const void *right)
{
    const KernelChange *a = *(KernelChange *const *)left, *b = *(KernelChange *const *)right;
    int order = (int)a->change - (int)b->change;
    if (!order)
        order = by_bytes(a->by, b->by);
    return order ? order : strcmp(a->new ? a->new : a->old, b->new ? b->new : b->old);
}

Diff diff_of(const Table *old, const Table *new)
{
    static const AreOne rounds[] = {have_one_name, have_one_bare_name, sides_are_alike};
    Diff diff = {.kernels = list_new(old->arena)};
    List before = sides_of(old), after = sides_of(new);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        kernels_pair(&diff, &before, &after, rounds[i]);
    for (size_t i = 0; i < before.count; i++)
        if (before.item[i])
            note_kernel(&diff, before.item[i], NULL, old->arena);
    for (size_t i = 0; i < after.count; i++)
        if (after.item[i])
            note_kernel(&diff, NULL, after.item[i], old->arena);
    if (diff.kernels.count)
        qsort(diff.kernels.item, diff.kernels.count, sizeof(void *), worst_kernel);
    return diff;
}
