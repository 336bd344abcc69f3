/* The command line. */
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void options_usage(FILE *out)
{
    fputs("usage: coalda-sim FILE.ll|.bc --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [options] -- ARG...\n"
          "       coalda-sim --each\n"
          "Runs a CUDA kernel, given as NVPTX LLVM IR, on the CPU and reports what it does wrong.\n"
          "With --each, one run after another: each line of the standard input is a command line, its words apart by tabs,\n"
          "and after what the run says comes a line `coalda-sim: exit N`. A module is read once, as it is at its first run,\n"
          "and anew after a run that is not clean.\n"
          "\n"
          "  --kernel NAME      exact name, or the plain name of a mangled one\n"
          "  --grid, --block    dimensions of the launch\n"
          "  --shared BYTES     dynamic shared memory\n"
          "  --seed N           the schedule: 0 (default) lockstep and in order, others adversarial\n"
          "  --seeds COUNT      runs seeds N to N+COUNT-1\n"
          "  --compare OTHER    runs OTHER on the same input too; differing buffers are a mismatch\n"
          "  --check=MODE       all (default), strict (undefined padding and prefetches too), none\n"
          "  --stats=FILE.json  memory traffic by access, as the coalescer sees it\n"
          "  --dump=N:FILE      writes the buffer of argument N after the last run\n"
          "  --arch sm_90       accepted for the record\n"
          "  --limit N          thread-instructions before a run counts as endless (default 2000000000)\n"
          "  --verbose          instructions and speed\n"
          "\n"
          "ARG: i32:V i64:V f32:V f64:V null | buf:BYTES (uninitialized) zero:BYTES rand:BYTES[:SEED] frand:BYTES[:SEED]\n"
          "     drand:BYTES[:SEED] iota:N bits:N[:SEED] perm:N[:SEED] file:PATH | ref:N+OFF (into the buffer of argument N)\n"
          "     struct:ARG,ARG... (a buffer of these numbers, nulls and refs, each at its own alignment)\n"
          "     A struct passed by value takes a buffer of its size; buffers that its pointers refer to may come last.\n"
          "Exit: 0 ran clean; 1 usage, or IR that it cannot run; 2 the kernel did something wrong; 3 the modules differ.\n",
          out);
}

static bool complain(const char *what, const char *value)
{
    fprintf(stderr, "coalda-sim: %s '%s'; try --help\n", what, value);
    return false;
}

static bool parse_count(const char *text, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 0);
    return *end == 0;
}

static bool parse_dim(const char *text, Dim *dim)
{
    uint32_t *part[] = {&dim->x, &dim->y, &dim->z};
    *dim = (Dim){1, 1, 1};
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || *text == '-' || value == 0 || value > 0x7fffffff)
            return false;
        *part[i] = (uint32_t)value;
        if (*end == 0)
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

static bool parse_dump(Options *o, Arena *arena, const char *text)
{
    char *end;
    unsigned long arg = strtoul(text, &end, 10);
    if (end == text || *end != ':' || end[1] == 0)
        return false;
    Dump *grown = ARENA_ARRAY(arena, Dump, o->dump_count + 1);
    if (o->dump_count)
        memcpy(grown, o->dumps, o->dump_count * sizeof *grown);
    grown[o->dump_count++] = (Dump){(unsigned)arg, end + 1};
    o->dumps = grown;
    return true;
}

static bool parse_check(Options *o, const char *value)
{
    o->check = strcmp(value, "none") != 0;
    o->strict = strcmp(value, "strict") == 0;
    return !o->check || o->strict || strcmp(value, "all") == 0;
}

/* One option with its value; false when the value is bad. */
static bool option_set(Options *o, Arena *arena, const char *name, const char *value)
{
    if (strcmp(name, "--kernel") == 0)
        return (o->kernel = value) != NULL;
    if (strcmp(name, "--grid") == 0)
        return parse_dim(value, &o->grid);
    if (strcmp(name, "--block") == 0)
        return parse_dim(value, &o->block);
    if (strcmp(name, "--shared") == 0)
        return parse_count(value, &o->shared) && o->shared <= 232448;
    if (strcmp(name, "--seed") == 0)
        return parse_count(value, &o->seed);
    if (strcmp(name, "--seeds") == 0)
        return parse_count(value, &o->seeds) && o->seeds;
    if (strcmp(name, "--limit") == 0)
        return parse_count(value, &o->limit);
    if (strcmp(name, "--arch") == 0)
        return strncmp((o->arch = value), "sm_", 3) == 0;
    if (strcmp(name, "--compare") == 0)
        return (o->compare = value) != NULL;
    if (strcmp(name, "--stats") == 0)
        return (o->stats = value) != NULL;
    if (strcmp(name, "--check") == 0)
        return parse_check(o, value);
    return parse_dump(o, arena, value);
}

static const char *const valued[] = {"--kernel", "--grid", "--block",   "--shared", "--seed",  "--seeds",
                                     "--limit",  "--arch", "--compare", "--stats",  "--check", "--dump"};

static bool option_take(Options *o, Arena *arena, int argc, char **argv, int *at)
{
    const char *text = argv[*at], *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (strcmp(text, "--verbose") == 0)
        return o->verbose = true;
    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)
        return o->help = true;
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
        if (strlen(valued[i]) != length || strncmp(valued[i], text, length) != 0)
            continue;
        const char *value = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
        if (!value)
            return complain("no value for", text);
        if (!option_set(o, arena, valued[i], value))
            return complain(arena_text(arena, "bad value for %s:", valued[i]), value);
        return true;
    }
    return complain("unknown option", text);
}

/* A reference, or a struct's references, point into buffers. */
static bool refers_well(const Options *o, const Arg *arg)
{
    Arg member;
    uint64_t offset, end = 0;
    if (arg->kind == ARG_REF)
        return arg->target < o->arg_count && o->args[arg->target].kind == ARG_BUFFER;
    for (const char *items = arg->fill == FILL_STRUCT ? arg->path : ""; *items && arg_member(&items, &member, &offset, &end);)
        if (!refers_well(o, &member))
            return false;
    return true;
}

static bool args_take(Options *o, Arena *arena, int argc, char **argv)
{
    o->args = ARENA_ARRAY(arena, Arg, (size_t)argc + 1);
    for (int i = 0; i < argc; i++)
        if (!arg_parse(&o->args[o->arg_count++], argv[i]))
            return complain("bad argument", argv[i]);
    for (unsigned i = 0; i < o->arg_count; i++)
        if (!refers_well(o, &o->args[i]))
            return complain("no buffer to refer to:", o->args[i].text);
    for (unsigned i = 0; i < o->dump_count; i++)
        if (o->dumps[i].arg >= o->arg_count || o->args[o->dumps[i].arg].kind != ARG_BUFFER)
            return complain("no buffer to dump:", o->dumps[i].path);
    return true;
}

static bool complete(const Options *o)
{
    if (!o->file)
        return complain("no input file", "");
    if (!o->kernel)
        return complain("no --kernel for", o->file);
    if (!o->grid.x || !o->block.x)
        return complain(o->grid.x ? "no --block for" : "no --grid for", o->file);
    uint64_t threads = (uint64_t)o->block.x * o->block.y * o->block.z;
    if (threads > 1024 || o->block.z > 64)
        return complain("a block holds at most 1024 threads, 64 in z;", o->file);
    if ((uint64_t)o->grid.y > 65535 || o->grid.z > 65535 || (uint64_t)o->grid.x * o->grid.y * o->grid.z * threads > 0xfffffff0u)
        return complain("the grid is too large for", o->file);
    return true;
}

bool options_parse(Options *o, Arena *arena, int argc, char **argv)
{
    *o = (Options){.seeds = 1, .check = true, .arch = "sm_90", .limit = 2000000000ull};
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-') {
            if (!option_take(o, arena, argc, argv, &i))
                return false;
        } else if (o->file) {
            return complain("more than one input file (arguments stand after --):", argv[i]);
        } else {
            o->file = argv[i];
        }
    }
    if (o->help)
        return true;
    return complete(o) && args_take(o, arena, i < argc ? argc - i - 1 : 0, argv + i + 1);
}
