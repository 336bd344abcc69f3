/* Cost tables: lines of a name, its value and its unit (or none); '#' begins a comment.
 *
 *     # NVIDIA H200, 2026-11-21
 *     LINE 16.6 bytes
 *     MARGIN 10
 */
#include "pass/base/cost_table.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *unit;
    size_t offset;
    double value, least, most;
} Entry;

static const Entry entries[] = {
#define COST(name, value, least, most, unit, origin) {#name, unit, offsetof(Costs, name), value, least, most},
#include "pass/base/cost.def"
#undef COST
};

enum { ENTRIES = sizeof entries / sizeof *entries, LONGEST_LINE = 4096 };

static const char blanks[] = " \t\r\n\v\f";

static double *field(Costs *costs, const Entry *entry) { return (double *)((char *)costs + entry->offset); }

Costs costs_builtin(void)
{
    Costs costs = {0};
    for (int i = 0; i < ENTRIES; i++)
        *field(&costs, &entries[i]) = entries[i].value;
    return costs;
}

/* ---- of a GPU that was not measured ---- */

typedef struct {
    const char *name;
    int arch;
    double multiprocessors, megahertz, gigabytes, lanes;
} Gpu;

static const Gpu gpus[] = {
#define GPU(arch, board, multiprocessors, megahertz, gigabytes, lanes) \
    {"sm_" #arch, arch, multiprocessors, megahertz, gigabytes, lanes},
#include "pass/base/gpu.def"
};

static const char gpu_names[] =
#define GPU(arch, board, multiprocessors, megahertz, gigabytes, lanes) "sm_" #arch " "
#include "pass/base/gpu.def"
    ;

enum { MEASURED = 90 };               /* which cost.def is of */
static const char by_arch[] = "arch"; /* names the prices of each kernel's architecture */

static const Gpu *gpu_of(int arch)
{
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (gpus[i].arch == arch)
            return &gpus[i];
    return NULL;
}

static double threads_of(const Gpu *gpu)
{
    switch (gpu->arch) {
#define SM(arch, kilobytes, threads, blocks) \
    case arch: return threads;
#include "pass/base/gpu.def"
    default: return INFINITY;
    }
}

/* What memory could move for an SM in one of its clocks. */
static double bytes_of_clock(const Gpu *gpu) { return gpu->gigabytes / (gpu->multiprocessors * gpu->megahertz); }

static double at_least(double value, double least) { return value > least ? value : least; }
static double at_most(double value, double most) { return value < most ? value : most; }

/* Lines, passes over the banks and words for all lanes take an SM clocks, instructions take it lanes; their prices are what memory could move
 * meanwhile. Of the GPU that was measured all factors are one. */
static Costs costs_of_gpu(const Gpu *gpu)
{
    const Gpu *known = gpu_of(MEASURED);
    Costs costs = costs_builtin();
    double clock = bytes_of_clock(gpu) / bytes_of_clock(known), lanes = gpu->lanes / known->lanes;
    costs.LINE *= clock;
    costs.PASS *= clock;
    costs.REPLY *= clock;
    costs.SLOT *= clock / lanes;
    costs.HALF_RATE = at_least(costs.HALF_RATE * lanes, 1);
    costs.SHUFFLE = at_least(costs.SHUFFLE * lanes, 1);
    costs.FULL *= gpu->multiprocessors / known->multiprocessors;
    costs.BATCH_FULL *= gpu->multiprocessors / known->multiprocessors;
    costs.RESIDENT = at_most(costs.RESIDENT, threads_of(gpu));
    costs.ROW_RESIDENT = at_most(costs.ROW_RESIDENT, threads_of(gpu));
    return costs;
}

Costs costs_for(const Costs *asked, int arch)
{
    if (asked->LINE > 0)
        return *asked;
    const Gpu *gpu = asked->by_arch ? gpu_of(arch) : NULL;
    return gpu ? costs_of_gpu(gpu) : costs_builtin();
}

static const Entry *entry_called(const char *name)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

static const char *known_names(Arena *arena)
{
    Text text = text_new(arena);
    for (int i = 0; i < ENTRIES; i++)
        text_add(&text, "%s%s", i ? ", " : "", entries[i].name);
    return text.data;
}

typedef struct {
    Costs *costs;
    Arena *arena;
    const char *path;
    int line;
    int said[ENTRIES]; /* the line that gave the number; 0: none yet */
} Reading;

static const char *wrong_value(const Reading *reading, const Entry *entry, const char *value)
{
    return arena_text(reading->arena, "%s:%d: %s takes a number of %s from %g to %g, not '%s'", reading->path, reading->line,
                      entry->name, entry->unit, entry->least, entry->most, value);
}

static const char *take_value(Reading *reading, const Entry *entry, const char *value)
{
    char *end = NULL;
    double number = value ? strtod(value, &end) : 0;
    if (!value || *end || !(number >= entry->least && number <= entry->most))
        return wrong_value(reading, entry, value ? value : "");
    int *said = &reading->said[entry - entries];
    if (*said)
        return arena_text(reading->arena, "%s:%d: %s is there already, in line %d", reading->path, reading->line, entry->name,
                          *said);
    *said = reading->line;
    *field(reading->costs, entry) = number;
    return NULL;
}

static const char *take_line(Reading *reading, char *line)
{
    char *rest;
    line[strcspn(line, "#")] = 0;
    const char *name = strtok_r(line, blanks, &rest);
    if (!name)
        return NULL;
    const char *value = strtok_r(NULL, blanks, &rest), *unit = strtok_r(NULL, blanks, &rest);
    const char *more = strtok_r(NULL, blanks, &rest);
    const Entry *entry = entry_called(name);
    if (!entry)
        return arena_text(reading->arena, "%s:%d: there is no cost called '%s', only %s", reading->path, reading->line, name,
                          known_names(reading->arena));
    if (unit && strcmp(unit, entry->unit) != 0)
        return arena_text(reading->arena, "%s:%d: %s is counted in %s, not in '%s'", reading->path, reading->line, name,
                          entry->unit, unit);
    if (more)
        return arena_text(reading->arena, "%s:%d: there is something after the unit of %s: '%s'", reading->path, reading->line,
                          name, more);
    return take_value(reading, entry, value);
}

static const char *take_lines(Reading *reading, FILE *file)
{
    char line[LONGEST_LINE];
    const char *wrong = NULL;
    while (!wrong && fgets(line, sizeof line, file)) {
        reading->line++;
        if (!strchr(line, '\n') && !feof(file))
            return arena_text(reading->arena, "%s:%d: the line is too long", reading->path, reading->line);
        wrong = take_line(reading, line);
    }
    return wrong ? wrong : ferror(file) ? arena_text(reading->arena, "%s: %s", reading->path, strerror(errno)) : NULL;
}

static const Gpu *gpu_called(const char *name)
{
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (strcmp(gpus[i].name, name) == 0)
            return &gpus[i];
    return NULL;
}

/* Prices that have a name: those of an architecture, or of each kernel's. */
static bool take_named(Costs *costs, const char *name)
{
    const Gpu *gpu = gpu_called(name);
    bool names_all = strcmp(name, by_arch) == 0;
    if (gpu)
        *costs = costs_of_gpu(gpu);
    else if (names_all)
        *costs = (Costs){.by_arch = true};
    return gpu || names_all;
}

const char *costs_read(Costs *costs, const char *path, Arena *arena)
{
    Reading reading = {.costs = costs, .arena = arena, .path = path};
    if (take_named(costs, path))
        return NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return arena_text(arena, "%s: %s; without a file there are the prices of %s%s", path, strerror(errno), gpu_names, by_arch);
    *costs = costs_builtin();
    const char *wrong = take_lines(&reading, file);
    fclose(file);
    return wrong;
}
