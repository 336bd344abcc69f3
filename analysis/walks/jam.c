/* Loops around others whose iterations each move one word of a row of the thread's own: several of them side by side move what lies
 * side by side, and load once what all of them load.
 *
 *     for (j < d) { s = 0; for (k) s += w[j*K + k] * x[k*n + t]; o[t*d + j] = s }      8 iterations: 32 bytes of every row of o, and
 *                                                                                     each x for all 8
 *     for (j < d) { s = 0; for (k) s += a[(k*n + t)*d + j]; o[j*n + t] = s }           a sector of a for 8 iterations, not for each
 *
 * A sector of the row is what they are to have together: as many iterations as its words. */
#include "analysis/facts/facts.h"
#include "analysis/walks/jam.h"

enum {
    MOST_UNEVEN = 8, /* loops around others that run unequally often, of a kernel: 40 took 44 s to compile, */
    MOST_UNEVEN_INSIDE =
        2, /* and others inside of one: three spilled 136 to 556 bytes under 64 registers, four and more 200 to 400 */
};

typedef struct {
    Scope *scope;
    IrLoop *loop;
    int64_t step; /* the shortest, of its rows */
    const Access *first;
} Candidate;

/* ---- rows ---- */

static bool is_wasteful(const Access *access)
{
    double waste = access->scope->kernel->options.cost.WASTE;
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && access->op != OP_ATOMIC && access->kind != CLASS_UNIFORM && access->figure.requests > 0 &&
           (!access->figure.known || access->figure.sectors >= waste * access->figure.ideal);
}

/* The loop that moves the access by the fewest bytes, less than a sector; NULL: none does. */
static IrLoop *row_of(const Access *access, int64_t *step)
{
    const Term *best = NULL;
    for (int i = 0; i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        bool moves = term->degree == 1 && term->symbol[0]->kind == SYM_LOOP && magnitude(term->coefficient) < SECTOR_BYTES;
        if (moves && (!best || magnitude(term->coefficient) < magnitude(best->coefficient)))
            best = term;
    }
    *step = best ? (int64_t)magnitude(best->coefficient) : 0;
    return best ? (IrLoop *)best->symbol[0]->loop : NULL;
}

/* The loop around others that moves the access along a row; NULL: none does. */
static IrLoop *loop_around(const Access *access, int64_t *step)
{
    IrLoop *loop = access->loop && is_wasteful(access) ? row_of(access, step) : NULL;
    bool is_own = loop && LLVMGetBasicBlockParent(ir_loop_header(loop)) == access->scope->function;
    return is_own && !ir_loop_is_innermost(loop) && ir_loop_inside(access->loop, loop) ? loop : NULL;
}

/* A row that a loop inside walks is that loop's affair. */
static bool has_rows_inside(const Candidate *candidate)
{
    const List *accesses = &candidate->scope->kernel->found.accesses;
    for (size_t i = 0; i < accesses->count; i++) {
        const Access *access = accesses->item[i];
        int64_t step;
        if (access->scope != candidate->scope || !access->loop || !ir_loop_inside(access->loop, candidate->loop) ||
            !is_wasteful(access))
            continue;
        IrLoop *row = row_of(access, &step);
        if (row && row != candidate->loop && ir_loop_inside(row, candidate->loop))
            return true;
    }
    return false;
}

/* ---- the loop ---- */

static int length_of(const Candidate *candidate)
{
    int length = 0;
    for (size_t n = 0; n < ir_loop_size(candidate->loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(candidate->loop, n)); i; i = LLVMGetNextInstruction(i))
            length++;
    return length;
}

static bool adds_products_of_others(const Candidate *candidate)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(candidate->scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(candidate->loop, b) && product_comes_in(candidate->scope->kernel->ir, b))
            return true;
    return false;
}

/* Threads that run a loop inside unequally often would wait for each other in each of its parts; and each of several loops has parts of its own, whose
 * addresses take registers. */
static bool has_uniform_loops(const Candidate *candidate)
{
    Scope *scope = candidate->scope;
    int inside = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(scope->kernel->ir, b);
        bool begins = loop && loop != candidate->loop && ir_loop_header(loop) == b && ir_loop_inside(loop, candidate->loop);
        if (begins && (++inside > MOST_UNEVEN_INSIDE || !uniform_counts(scope, loop)))
            return false;
    }
    return true;
}

static Why refused_by_shape(const Candidate *candidate)
{
    const Kernel *kernel = candidate->scope->kernel;
    if (!ir_loop_is_countable(kernel->ir, candidate->loop))
        return WHY_WALK_ENDS;
    switch (ir_may_jam(kernel->ir, candidate->loop)) {
    case IR_JAM_WAYS: return WHY_JAM_WAYS;
    case IR_JAM_CARRIES: return WHY_JAM_CARRIES;
    case IR_JAM_UNEVEN: return has_uniform_loops(candidate) ? WHY_NONE : WHY_JAM_UNEVEN;
    default: return WHY_NONE;
    }
}

static Why refused(const Candidate *candidate, int times, List *tests)
{
    const Kernel *kernel = candidate->scope->kernel;
    bool off = ir_is_optnone(candidate->scope->function) || feature_is_off(&kernel->options, FEATURE_JAMS) ||
               kernel->options.block < 0;
    if (off)
        return WHY_WALK_UNWANTED;
    if (kernel->left)
        return kernel->left;
    Why why = refused_by_shape(candidate);
    if (!why)
        why = jam_order(candidate->scope, candidate->loop, times, tests);
    if (why)
        return why;
    if (has_rows_inside(candidate))
        return WHY_JAM_ROWS;
    if (adds_products_of_others(candidate))
        return WHY_WALK_FUSED;
    return uniform_counts(candidate->scope, candidate->loop) ? WHY_NONE : WHY_JAM_UNEVEN;
}

/* Of few iterations all, or as many as leave none over; 0: no such number is near. */
static int times_without_rest(int64_t trips, int64_t most)
{
    for (int64_t times = trips < 2 * most ? most : 0; times > most / 2; times--)
        if (trips % times == 0)
            return (int)times;
    return trips <= most / 2 ? (int)trips : 0;
}

/* As many as there are words in a sector, or half as many, if there are so many iterations and the code is not too long. */
static Why find_times(const Candidate *candidate, Jam *jam)
{
    const Kernel *kernel = candidate->scope->kernel;
    const Costs *costs = &kernel->options.cost;
    jam->is_uneven = ir_may_jam(kernel->ir, candidate->loop) == IR_JAM_UNEVEN;
    int64_t trips = ir_loop_trips(kernel->ir, candidate->loop), most = (int64_t)(jam->is_uneven ? costs->JAM_UNEVEN : costs->JAM);
    int times = 2;
    while (times < most && times * candidate->step < SECTOR_BYTES)
        times *= 2;
    Why why = refused(candidate, times, &jam->tests);
    if (why)
        return why;
    int whole = trips ? times_without_rest(trips, times) : 0;
    times = whole > 1 ? whole : times;
    jam->least = times > 2 && times % 2 == 0 ? times / 2 : times;
    while (trips && times > trips)
        times /= 2;
    int64_t seen = trips || kernel->options.always ? INT64_MAX : launches_most(kernel, candidate->loop);
    while (times > jam->least && times > seen)
        times /= 2;
    if (times > seen)
        return WHY_SEEN_FEW;
    if (times < jam->least)
        return WHY_WALK_FEW;
    int parts = jam->is_uneven ? 3 : 1; /* in front of what is side by side, that, and behind it */
    int longest = (int)kernel->options.cost.JAM_CODE / (parts * length_of(candidate));
    while (times > longest)
        times /= 2;
    jam->times = times;
    return times < jam->least ? WHY_WALK_LONG : WHY_NONE;
}

static Candidate candidate_of(const Access *access)
{
    Candidate candidate = {.scope = access->scope, .first = access};
    candidate.loop = loop_around(access, &candidate.step);
    return candidate;
}

static bool is_inside_another(const List *jams, IrModule *ir, IrLoop *loop)
{
    for (size_t i = 0; i < jams->count; i++) {
        IrLoop *other = ir_loop_of(ir, ((const Jam *)jams->item[i])->header);
        if (ir_loop_inside(loop, other) || ir_loop_inside(other, loop))
            return true;
    }
    return false;
}

/* By a rewrite, or it stands there beside another version of itself. */
static bool is_made(const Access *access)
{
    static const char *const marks[] = {JAM_METADATA, ORIGINAL_METADATA, ASIDE_METADATA};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (ir_is_marked(access->instruction, marks[i]))
            return true;
    return false;
}

List jam_find(Kernel *kernel)
{
    List jams = list_new(kernel->plan->arena);
    int uneven = 0;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Candidate candidate = candidate_of(kernel->found.accesses.item[i]);
        if (!candidate.loop || is_inside_another(&jams, kernel->ir, candidate.loop) || is_made(candidate.first))
            continue;
        Jam *jam = ARENA_NEW(kernel->plan->arena, Jam);
        *jam = (Jam){.function = candidate.scope->function,
                     .header = ir_loop_header(candidate.loop),
                     .tests = list_new(kernel->plan->arena)};
        if (!find_times(&candidate, jam) && (uneven += jam->is_uneven) <= MOST_UNEVEN)
            list_add(&jams, jam);
    }
    return jams;
}

IrLoop *jam_loop(const Access *access)
{
    int64_t step;
    return loop_around(access, &step);
}

Why jam_obstacle(Kernel *kernel, const Access *access)
{
    const Candidate candidate = candidate_of(access);
    Jam jam = {.tests = list_new(kernel->arena)};
    if (!candidate.loop)
        return WHY_WALK_OUTER;
    if (map_get(kernel->plan->crowded, ir_loop_header(candidate.loop)))
        return WHY_REGISTERS;
    Why why = find_times(&candidate, &jam);
    return why ? why : WHY_WALK_OUTER;
}
