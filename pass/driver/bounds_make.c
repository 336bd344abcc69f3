/* Another version of a loop, where a rehearsal shows that more is made of it then: one whose bounds are loaded once, one that loads words of rows
 * in every iteration, or early though the loop may write there, or one of the iterations alone in which conditions of counters hold; and, with no rehearsal, loops that are left by what they load of
 * rows, pieces of which are loaded at once. */
#include "analysis/tally/tally.h"
#include "pass/driver/pass.h"
#include "pass/report/remark.h"
#include "pass/report/trace.h"
#include "transform/transform.h"

/* All begin with the header of their loop. */
typedef struct {
    const char *text;
    List (*find)(Kernel *kernel);
    bool (*make)(const Pass *pass, IrModule *ir, LLVMBasicBlockRef header, const void *found); /* is it another loop then? */
    int (*trips)(const void *found); /* fewer of them stay as they are; NULL: what the kernel is given does not tell them */
    bool (*leaves)(const void *found); /* a loop of which another version may be made in turn; NULL: it never does */
    bool by_sectors; /* the loop as it was moves rows that are stored by sectors, where they are short */
} Kind;

static LLVMBasicBlockRef header_of(const void *found) { return *(const LLVMBasicBlockRef *)found; }

static bool make_bounds(const Pass *pass, IrModule *ir, LLVMBasicBlockRef header, const void *found)
{
    return bounds_load(pass->arena, ir, header, &((const LoadedBounds *)found)->loads);
}

static bool make_whole(const Pass *pass, IrModule *ir, LLVMBasicBlockRef header, const void *found)
{
    return whole_rows_version(pass->arena, ir, found, header);
}

static bool make_parts(const Pass *pass, IrModule *ir, LLVMBasicBlockRef header, const void *found)
{
    return index_set_part(pass->arena, ir, found, header);
}

static bool make_doubted(const Pass *pass, IrModule *ir, LLVMBasicBlockRef header, const void *found)
{
    doubted_rows_load(pass->arena, ir, header, found);
    return true;
}

static int trips_of_doubted(const void *found) { return ((const DoubtedRows *)found)->trips; }

static int trips_of_whole(const void *found) { return ((const SomeRows *)found)->trips; }

static int trips_of_parts(const void *found) { return ((const IndexSet *)found)->trips; }

static bool leaves_more(const void *found) { return ((const IndexSet *)found)->is_open; }

static const Kind loaded_bounds = {"the bound of a loop loaded once", bounds_find, make_bounds, NULL, NULL, false};
static const Kind doubted_rows = {"words of rows loaded early, and again where the loop has met them",
                                  doubted_rows_find,
                                  make_doubted,
                                  trips_of_doubted,
                                  NULL,
                                  false};
static const Kind some_rows = {"words of rows loaded in every iteration", some_rows_find, make_whole, trips_of_whole, NULL, true};
static const Kind index_sets = {"iterations by themselves in which conditions of counters hold",
                                index_sets_find,
                                make_parts,
                                trips_of_parts,
                                leaves_more,
                                true};
static const Kind last_sets = {"last iterations by themselves in which conditions of counters hold",
                               index_sets_find_late,
                               make_parts,
                               trips_of_parts,
                               NULL,
                               true};

enum { MOST_ROUNDS = 3 };

static bool has_tally(const Plan *plan, LLVMBasicBlockRef header)
{
    for (size_t i = 0; i < plan->tallies.count; i++)
        if (((const Tally *)plan->tallies.item[i])->header == header)
            return true;
    return false;
}

static bool has_walk(const Plan *plan, LLVMBasicBlockRef header)
{
    for (size_t i = 0; i < plan->blocks.count; i++) {
        const Block *block = plan->blocks.item[i];
        if (block->header == header && block->pays)
            return true;
    }
    return false;
}

static void find_more(Pass *copy)
{
    for (size_t i = 0; i < copy->kernels.count; i++)
        kernel_find_tallies(copy->kernels.item[i]);
    walks_lengthen(copy, false);
}

/* Those of which a copy shows that it pays. */
static List rehearse(const Pass *pass, const Kernel *kernel, const Kind *kind, const List *found)
{
    List paying = list_new(pass->arena);
    Map *functions = map_new(pass->arena);
    LLVMBasicBlockRef *header = ARENA_ARRAY(pass->arena, LLVMBasicBlockRef, found->count);
    bool *known = ARENA_ARRAY(pass->arena, bool, found->count);
    map_put(functions, kernel->function, kernel->function);
    for (size_t i = 0; i < found->count; i++)
        header[i] = header_of(found->item[i]);
    Rehearsal rehearsal = rehearsal_open(pass, functions, header, found->count);
    for (size_t i = 0; i < found->count; i++)
        known[i] = kind->make(pass, rehearsal.ir, header[i], found->item[i]);
    Pass copy = rehearsal_pass(&rehearsal, pass);
    find_more(&copy);
    for (size_t i = 0; i < found->count; i++) {
        bool pays = known[i] && (has_tally(copy.plan, header[i]) || has_walk(copy.plan, header[i]));
        trace(kernel, "tried: %s, on a copy: %s", kind->text, pays ? "more is made of it" : "nothing is made of it");
        if (pays)
            list_add(&paying, found->item[i]);
    }
    pass_close(&copy);
    rehearsal_close(&rehearsal);
    return paying;
}

/* Has anything been made? Is more to be looked for? */
static bool kernel_make(Pass *pass, Kernel *kernel, const Kind *kind, bool *again)
{
    kernel_measure(kernel);
    *again = false;
    List found = kind->find(kernel);
    if (found.count)
        found = rehearse(pass, kernel, kind, &found);
    if (!found.count)
        return false;
    Map *changed = map_new(pass->arena);
    map_put(changed, kernel->function, pass);
    for (size_t i = 0; kind->trips && i < found.count; i++)
        spare_keep_loop(pass->spares, kernel, header_of(found.item[i]), kind->trips(found.item[i]), kind->by_sectors);
    pass_settle(pass, kernel->function);
    for (size_t i = 0; i < found.count; i++) {
        trace(kernel, "made: %s, %s", kind->text, trace_loop(kernel, header_of(found.item[i])));
        kind->make(pass, pass->ir, header_of(found.item[i]), found.item[i]);
        *again |= kind->leaves && kind->leaves(found.item[i]);
    }
    pass_check(pass, kind->text);
    if (kind->trips)
        spare_go_on(pass->spares, kernel->function);
    pass_renew(pass, changed);
    return true;
}

static bool kind_make(Pass *pass, const Kind *kind)
{
    const List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++) {
        bool again = true;
        for (int round = 0; again && round < MOST_ROUNDS; round++)
            any |= kernel_make(pass, *(Kernel **)looping.item[i], kind, &again);
    }
    return any;
}

bool bounds_make(Pass *pass)
{
    bool loaded = kind_make(pass, &loaded_bounds);
    bool parted = kind_make(pass, &index_sets);
    parted |= kind_make(pass, &last_sets);
    bool doubted = kind_make(pass, &doubted_rows);
    return kind_make(pass, &some_rows) || doubted || parted || loaded;
}

/* ---- rows that are searched ---- */

static bool rows_seek(Pass *pass, Kernel *kernel)
{
    kernel_measure(kernel);
    const List found = sought_rows_find(kernel);
    if (!found.count)
        return false;
    Map *changed = map_new(pass->arena);
    map_put(changed, kernel->function, pass);
    pass_settle(pass, kernel->function);
    for (size_t i = 0; i < found.count; i++) {
        const SoughtRows *sought = found.item[i];
        if (!sought_rows_load(pass->arena, pass->ir, sought))
            continue;
        if (ir_remarks_wanted(pass->module) && !pass->plan->is_copy)
            remark_sought(kernel, sought);
        made_sought(kernel, sought);
    }
    pass_check(pass, "pieces of rows that are searched");
    pass_renew(pass, changed);
    return true;
}

bool searches_are_of_kept(Pass *pass)
{
    const List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++) {
        Kernel *kernel = *(Kernel **)looping.item[i];
        trace(kernel, "tried: a loop that looks for something, kept from being unrolled, on a copy");
        kernel_measure(kernel);
        const List found = sought_rows_find(kernel);
        for (size_t k = 0; k < found.count; k++)
            any |= ir_loop_is_kept(ir_loop_of(pass->ir, ((const SoughtRows *)found.item[k])->header));
    }
    return any;
}

bool sectors_make(Pass *pass)
{
    const List looping = pass_with_loops(pass);
    bool any = false;
    for (size_t i = 0; i < looping.count; i++)
        any |= rows_seek(pass, *(Kernel **)looping.item[i]);
    return any;
}
