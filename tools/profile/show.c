/* A profile as a table: what takes longest comes first. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pass/bridge/bridge.h"
#include "tool.h"

typedef struct {
    const ProfileKernel *kernel;
    double microseconds; /* of all its launches */
    uint64_t launches;
} Line;

static const double nanoseconds = 1e3, microseconds = 1e3;

static Line line_of(const ProfileKernel *kernel)
{
    Line line = {.kernel = kernel};
    for (size_t i = 0; i < kernel->launches.count; i++) {
        const ProfileLaunch *launch = kernel->launches.item[i];
        line.microseconds += (double)launch->count * ((double)launch->median / nanoseconds);
        line.launches += launch->count;
    }
    return line;
}

static int by_time(const void *a, const void *b)
{
    const Line *one = a, *other = b;
    if (one->microseconds != other->microseconds)
        return one->microseconds > other->microseconds ? -1 : 1;
    return strcmp(one->kernel->name, other->kernel->name);
}

/* As the source has it, without its parameters. */
static void print_name(const char *linked, FILE *out)
{
    char *source = ir_demangled(linked), *end = strrchr(source, ')');
    int depth = 0;
    for (; end && end > source; end--) {
        depth += (*end == ')') - (*end == '(');
        if (!depth)
            break;
    }
    fprintf(out, "%.*s", end && end > source ? (int)(end - source) : (int)strlen(source), source);
    free(source);
}

static void print_extents(const uint32_t *extent, FILE *out)
{
    fprintf(out, "%" PRIu32, extent[0]);
    for (int i = 1; i < PROFILE_AXES && (extent[1] > 1 || extent[2] > 1); i++)
        fprintf(out, "x%" PRIu32, extent[i]);
}

/* Of a kernel of several shapes: its part of all time, and where the kernel's decision stands the time of one launch. */
static void print_launch(const ProfileLaunch *launch, double all, FILE *out)
{
    double one = (double)launch->median / nanoseconds, took = (double)launch->count * one;
    fprintf(out, "%12.3f %9.1f%% %9" PRIu64 "  %12.3f us each          ", took / microseconds, all > 0 ? 100 * took / all : 0.0,
            launch->count, one);
    print_extents(launch->grid, out);
    fprintf(out, " blocks of ");
    print_extents(launch->block, out);
    if (launch->shared)
        fprintf(out, ", %" PRIu64 " bytes", launch->shared);
    fprintf(out, "\n");
}

/* What it was launched with, and what was decided of parts of it. */
static void print_parts(const ProfileKernel *kernel, FILE *out)
{
    for (size_t i = 0; i < kernel->parts.count; i++) {
        const ProfilePart *part = kernel->parts.item[i];
        fprintf(out, "%12s %10s %9s  %-24s     of %s\n", "", "", "", part->decision, part->array);
    }
    for (size_t i = 0; i < kernel->arguments.count; i++) {
        const ProfileArgument *argument = kernel->arguments.item[i];
        fprintf(out, "%12s %10s %9s  %-24s     argument %" PRIu64 " from %" PRId64 " to %" PRId64 "\n", "", "", "", "",
                argument->index, argument->least, argument->most);
    }
}

static void print_line(const Line *line, double all, FILE *out)
{
    const List *launches = &line->kernel->launches;
    fprintf(out, "%12.3f %9.1f%% %9" PRIu64 "  %-24s ", line->microseconds / microseconds,
            all > 0 ? 100 * line->microseconds / all : 0.0, line->launches, line->kernel->decision ? line->kernel->decision : "-");
    print_name(line->kernel->name, out);
    fprintf(out, "\n");
    print_parts(line->kernel, out);
    for (size_t i = 0; launches->count > 1 && i < launches->count; i++)
        print_launch(launches->item[i], all, out);
}

void profile_show(const Profile *profile, FILE *out)
{
    size_t count = profile->kernels.count;
    Line *lines = ARENA_ARRAY(profile->arena, Line, count + 1);
    double all = 0;
    for (size_t i = 0; i < count; i++) {
        lines[i] = line_of(profile->kernels.item[i]);
        all += lines[i].microseconds;
    }
    qsort(lines, count, sizeof *lines, by_time);
    fprintf(out, "%12s %10s %9s  %-24s %s\n", "ms", "of all", "launches", "decision", "kernel");
    for (size_t i = 0; i < count; i++)
        print_line(&lines[i], all, out);
}
