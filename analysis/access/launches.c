/* Launches as a profile has seen them, and its decisions on single arrays. */
#include <string.h>

#include "analysis/access/access.h"

/* ---- threads ---- */

bool launches_are_small(const Kernel *kernel)
{
    return kernel->launched.known && launched_in_flight(&kernel->launched) < (int64_t)kernel->options.cost.FULL;
}

bool launches_are_full(const Kernel *kernel) { return kernel->launched.known && !launches_are_small(kernel); }

/* ---- iterations ---- */

typedef struct {
    IrGiven given[LAUNCHED_RANGES];
} Supposed;

static int64_t trips_if(const Kernel *kernel, IrLoop *loop, Supposed *supposed)
{
    return ir_loop_trips_if(kernel->ir, loop, supposed->given, (size_t)kernel->launched.ranges, NULL);
}

/* Every corner of the ranges that the number is computed from. */
static bool count_corners(const Kernel *kernel, IrLoop *loop, Supposed *supposed, int from, int64_t *least, int64_t *most)
{
    const Launched *launched = &kernel->launched;
    while (from < launched->ranges && !supposed->given[from].used)
        from++;
    if (from == launched->ranges) {
        Supposed corner = *supposed;
        int64_t trips = trips_if(kernel, loop, &corner);
        *least = trips < *least ? trips : *least;
        *most = trips > *most ? trips : *most;
        return trips >= 0;
    }
    supposed->given[from].value = launched->range[from].least;
    bool known = count_corners(kernel, loop, supposed, from + 1, least, most);
    supposed->given[from].value = launched->range[from].most;
    return known && count_corners(kernel, loop, supposed, from + 1, least, most);
}

bool launches_count(const Kernel *kernel, IrLoop *loop, int64_t *least, int64_t *most)
{
    enum { MOST_USED = 4 }; /* sixteen corners */
    const Launched *launched = &kernel->launched;
    Supposed supposed = {0};
    int used = 0;
    if (!launched->ranges || LLVMGetBasicBlockParent(ir_loop_header(loop)) != kernel->function)
        return false;
    for (int i = 0; i < launched->ranges; i++)
        supposed.given[i] = (IrGiven){.argument = launched->range[i].index,
                                      .offset = IR_ARGUMENT,
                                      .value = launched->range[i].least};
    if (trips_if(kernel, loop, &supposed) < 0)
        return false;
    for (int i = 0; i < launched->ranges; i++)
        used += supposed.given[i].used;
    *least = INT64_MAX;
    *most = 0;
    return used && used <= MOST_USED && count_corners(kernel, loop, &supposed, 0, least, most);
}

int64_t launches_most(const Kernel *kernel, IrLoop *loop)
{
    int64_t least, most;
    return launches_count(kernel, loop, &least, &most) ? most : INT64_MAX;
}

/* ---- parts ---- */

/* Is it the array of the line, which begins with its name and goes on with ':' or a blank? */
static bool is_named(const char *line, const char *name)
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && (line[length] == ':' || line[length] == ' ');
}

static bool is_of_kind(const char *line, const AccessOp *op)
{
    const char *kind = line + strcspn(line, ": ");
    if (*kind != ':')
        return true;
    return op && *op == (strncmp(kind, ":load", sizeof ":load" - 1) == 0 ? OP_LOAD : OP_STORE);
}

static bool line_is_without(const Kernel *kernel, const char *line, Feature feature)
{
    Options options = {0};
    const char *decision = line + strcspn(line, " ") + 1;
    decision_read_part(&options, arena_copy(kernel->arena, decision, strcspn(decision, "\n")), kernel->arena);
    return feature_is_off(&options, feature);
}

static bool part_is_without(const Kernel *kernel, const char *name, const AccessOp *op, Feature feature)
{
    for (const char *line = kernel->parts; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (is_named(line, name) && is_of_kind(line, op) && line_is_without(kernel, line, feature))
            return true;
    return false;
}

int argument_of(const Kernel *kernel, const Symbol *symbol)
{
    unsigned arguments = LLVMCountParams(kernel->function);
    for (unsigned i = 0; i < arguments; i++)
        if (form_symbol(kernel->scope->argument[i]) == symbol)
            return (int)i;
    return -1;
}

/* An argument, by its number: names are there or not, as the compiler likes. */
static const char *name_of(const Kernel *kernel, const Symbol *base)
{
    int at = argument_of(kernel, base);
    return at < 0 ? base->name : arena_text(kernel->arena, "arg%d", at);
}

bool access_is_without(const Access *access, Feature feature)
{
    const Kernel *kernel = access->scope->kernel;
    const Form *address = kernel->parts ? access->address : NULL;
    for (int i = 0; address && i < address->count; i++) {
        const Symbol *symbol = address->term[i].symbol[0];
        bool is_base = address->term[i].degree == 1 && symbol->kind == SYM_BASE;
        if (is_base && part_is_without(kernel, name_of(kernel, symbol), &access->op, feature))
            return true;
    }
    return feature_is_off(&kernel->options, feature);
}

bool array_is_without(const Kernel *kernel, LLVMValueRef array, Feature feature)
{
    size_t length;
    return feature_is_off(&kernel->options, feature) ||
           (kernel->parts && part_is_without(kernel, LLVMGetValueName2(array, &length), NULL, feature));
}
