/* What a kernel requires, and what has not been made of it: errors of the compilation, each of which says what stands in the way. */
#include "pass/report/remark.h"

typedef struct {
    const Kernel *kernel;
    const char *name;
} Required;

static void fail_in(const Required *required, Scope *scope, LLVMValueRef at, const char *what)
{
    const Kernel *kernel = required->kernel;
    LLVMMetadataRef where = at ? location_of(scope, at).metadata : NULL;
    ir_error_at(kernel->function, where,
                arena_text(kernel->arena, "%s requires '%s': %s", name_said(kernel->arena, kernel->name), required->name, what));
}

static void fail(const Required *required, LLVMValueRef at, const char *what)
{
    fail_in(required, required->kernel->scope, at, what);
}

static void fail_by(const Required *required, Why why)
{
    fail(required, NULL, arena_text(required->kernel->arena, "%s; %s", why_text(why)->sentence, why_text(why)->remedy));
}

/* ---- loops ---- */

/* What is the same in every iteration needs no ring: it is copied in front of the loop, which stages nothing any more. */
static bool is_copied_once(const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.fills.count; i++)
        if (((const Fill *)kernel->found.fills.item[i])->once)
            return true;
    return false;
}

static void check_ring(const Required *required)
{
    const Kernel *kernel = required->kernel;
    for (size_t i = 0; i < kernel->found.tiles.count; i++) {
        const Tile *tile = kernel->found.tiles.item[i];
        if (!tile->ring->made)
            fail(required, tile->at, tile_sentence(kernel->arena, tile));
    }
    if (!kernel->found.tiles.count && !is_copied_once(kernel))
        fail_by(required, WHY_NO_TILE);
}

static void check_fill(const Required *required)
{
    const Kernel *kernel = required->kernel;
    for (size_t i = 0; i < kernel->found.fills.count; i++) {
        const Fill *fill = kernel->found.fills.item[i];
        if (fill->why)
            fail(required, fill->at, fill_sentence(kernel, fill));
    }
    if (!kernel->found.fills.count)
        fail_by(required, WHY_NO_FILL);
}

/* ---- accesses ---- */

/* An asynchronous copy of our own, whose threads have dealt the tile out among themselves. */
static bool is_made(const Access *access)
{
    return ir_is_marked(access->instruction, RING_METADATA) || ir_is_marked(access->instruction, FILL_METADATA);
}

static bool is_wasteful(const Access *access)
{
    bool is_global = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    if (!is_global || access->op == OP_ATOMIC || access_is_rewritten(access) || access->why == WHY_REST)
        return false;
    return access->figure.known ? figure_is_wasteful(&access->figure) : !is_made(access);
}

static bool has_conflicts(const Access *access) { return access->space == SPACE_SHARED && access->why == WHY_BANKS; }

static void check_accesses(const Required *required, bool (*is_missed)(const Access *access))
{
    const List missed = told_of(required->kernel, is_missed);
    for (size_t i = 0; i < missed.count; i++) {
        const Told *told = missed.item[i];
        const Access *access = told->fields.item[0];
        fail_in(required, access->scope, access->instruction, told_sentence(told));
    }
}

static void check_coalesced(const Required *required) { check_accesses(required, is_wasteful); }

static void check_banks(const Required *required) { check_accesses(required, has_conflicts); }

/* Its arrays: what keeps the first of them in memory is known of all. */
static void check_registers(const Required *required)
{
    const Kernel *kernel = required->kernel;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        const WhyText *why = map_get(kernel->plan->arrays, kernel->function);
        if (access->space != SPACE_LOCAL)
            continue;
        why = why ? why : why_text(WHY_LOCAL_ARRAY);
        fail(required, access->scope == kernel->scope ? access->instruction : NULL,
             arena_text(kernel->arena, "%s; %s", why->sentence, why->remedy));
        return;
    }
}

void required_check(const Kernel *kernel)
{
    static const struct {
        const char *name;
        void (*check)(const Required *required);
    } checks[] = {
#define X(id, name, check, holds) [id] = {name, check},
        REQUIREMENTS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const Required required = {kernel, checks[i].name};
        if (is_required(&kernel->options, (Requirement)i))
            checks[i].check(&required);
    }
}
