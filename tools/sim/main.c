/* coalda-sim: the run as a table of contents.
 *
 *   options_parse -> image_load (one or two) -> for every seed: sim_new, grid_run, compare, report -> stats, dumps
 *   --each: the lines of the standard input, in one process as long as runs are clean */
#include "sim.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_CLEAN, EXIT_USAGE, EXIT_WRONG, EXIT_DIFFERS };
enum { LINES_DONE, LINES_LEFT = 64 }; /* of --each: how a process ends that nothing killed */

static int refuse(const char *sentence)
{
    fflush(stdout);
    fprintf(stderr, "coalda-sim: %s\n", sentence);
    return EXIT_USAGE;
}

/* ---- arguments against the kernel ---- */

static bool arg_suits(const Arg *arg, const Func *kernel, unsigned i)
{
    unsigned width = kernel->param_width[i];
    switch (kernel->param_kind[i]) {
    case 'p': return arg->kind == ARG_BUFFER || arg->kind == ARG_NULL || arg->kind == ARG_REF || arg->kind == ARG_I64;
    case 'b': return arg->kind == ARG_BUFFER;
    case 'i': return width <= 32 ? arg->kind == ARG_I32 : arg->kind == ARG_I64;
    case 'f': return arg->kind == (width == 32 ? ARG_F32 : ARG_F64);
    default: return false;
    }
}

static const char *param_name(const Func *kernel, unsigned i)
{
    switch (kernel->param_kind[i]) {
    case 'p': return "a pointer";
    case 'b': return "a struct by value (a buffer of its size)";
    case 'i': return kernel->param_width[i] <= 32 ? "i32" : "i64";
    case 'f': return kernel->param_width[i] == 32 ? "f32" : "f64";
    default: return "a type that cannot be passed";
    }
}

/* Buffers behind the kernel's arguments are what pointers in structs refer to. */
static bool count_suits(const Options *o, const Func *kernel)
{
    bool has_struct = false;
    for (unsigned i = 0; i < o->arg_count; i++) {
        has_struct |= o->args[i].fill == FILL_STRUCT;
        if (i >= kernel->arguments && (!has_struct || o->args[i].kind != ARG_BUFFER))
            return false;
    }
    return o->arg_count >= kernel->arguments;
}

static const char *args_mismatch(const Options *o, const Image *image)
{
    const Func *kernel = image->kernel;
    if (!count_suits(o, kernel))
        return arena_text(image->arena, "kernel %s takes %u arguments, not %u", kernel->name, kernel->arguments, o->arg_count);
    for (unsigned i = 0; i < kernel->arguments; i++)
        if (!arg_suits(&o->args[i], kernel, i))
            return arena_text(image->arena, "argument %u of kernel %s is %s, not '%s'", i, kernel->name, param_name(kernel, i),
                              o->args[i].text);
    for (unsigned i = 0; i < kernel->byval_count; i++)
        if (o->args[kernel->byval[i].argument].bytes < kernel->byval[i].bytes)
            return arena_text(image->arena, "argument %u of kernel %s is a struct of %" PRIu64 " bytes, not '%s'",
                              kernel->byval[i].argument, kernel->name, kernel->byval[i].bytes,
                              o->args[kernel->byval[i].argument].text);
    uint64_t shared = image->shared_static - SHARED_FIRST + o->shared;
    if (shared > 232448 + 64 * SHARED_REDZONE)
        return arena_text(image->arena, "%" PRIu64 " bytes of shared memory are more than a block can have", shared);
    return NULL;
}

/* ---- comparing ---- */

static bool byte_differs(const Object *a, const Object *b, uint64_t i)
{
    if (a->data[i] == b->data[i])
        return false;
    return !(a->undef && (uint8_t)(a->undef[i] ^ a->flip) == 0xff);    /* what the original leaves undefined is free */
}

static uint64_t bytes_differing(const Object *a, const Object *b, uint64_t *first)
{
    enum { CHUNK = 4096 };
    uint64_t count = 0;
    for (uint64_t at = 0; at < a->size; at += CHUNK) {
        uint64_t bytes = a->size - at < CHUNK ? a->size - at : CHUNK;
        if (memcmp(a->data + at, b->data + at, bytes) == 0)
            continue;
        for (uint64_t i = at; i < at + bytes; i++)
            if (byte_differs(a, b, i) && count++ == 0)
                *first = i;
    }
    return count;
}

static bool sims_differ(const Sim *a, const Sim *b)
{
    bool differ = false;
    for (unsigned i = 0; i < a->options->arg_count; i++) {
        uint64_t first = 0, count = a->buffer[i] ? bytes_differing(a->buffer[i], b->buffer[i], &first) : 0;
        if (!count)
            continue;
        differ = true;
        fprintf(stderr,
                "coalda-sim: buffer %u differs at +%" PRIu64 ": 0x%02x in %s, 0x%02x in %s; %" PRIu64 " bytes differ, seed %" PRIu64
                "\n",
                i, first, a->buffer[i]->data[first], a->image->path, b->buffer[i]->data[first], b->image->path, count, a->seed);
    }
    return differ;
}

/* ---- one seed ---- */

/* Of the processor, so that what else the machine does is not counted. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Sim *run_one(const Options *o, const Image *image, uint64_t seed, struct Stats *stats)
{
    Sim *sim = sim_new(o, image, seed, stats);
    if (!sim)
        return NULL;
    double start = seconds();
    grid_run(sim);
    double took = seconds() - start;
    fflush(stdout);
    findings_summary(sim->findings);
    if (o->verbose)
        fprintf(stderr, "coalda-sim: seed %" PRIu64 ": %" PRIu64 " thread-instructions in %.3f s, %.1f million a second\n", seed,
                sim->lane_steps, took, (double)sim->lane_steps / took / 1e6);
    return sim;
}

static int sim_result(const Sim *sim)
{
    if (sim->refusal)
        return refuse(sim->refusal);
    return findings_count(sim->findings) ? EXIT_WRONG : EXIT_CLEAN;
}

static bool dumps_write(const Sim *sim)
{
    for (unsigned i = 0; i < sim->options->dump_count; i++) {
        const Dump *dump = &sim->options->dumps[i];
        const Object *object = sim->buffer[dump->arg];
        FILE *file = fopen(dump->path, "wb");
        bool good = file && fwrite(object->data, 1, object->size, file) == object->size;
        if (file && fclose(file) != 0)
            good = false;
        if (!good) {
            fprintf(stderr, "coalda-sim: cannot write %s\n", dump->path);
            return false;
        }
    }
    return true;
}

static int worse(int a, int b)
{
    static const int rank[] = {[EXIT_CLEAN] = 0, [EXIT_DIFFERS] = 1, [EXIT_WRONG] = 2, [EXIT_USAGE] = 3};
    return rank[a] > rank[b] ? a : b;
}

static int run_seed(const Options *o, const Image *image, const Image *other, uint64_t seed, bool last, struct Stats *stats)
{
    Sim *sim = run_one(o, image, seed, stats), *second = NULL;
    if (!sim)
        return EXIT_USAGE;
    int result = sim_result(sim);
    if (other && result != EXIT_USAGE) {
        second = run_one(o, other, seed, NULL);
        result = second ? worse(result, sim_result(second)) : EXIT_USAGE;
        if (result == EXIT_CLEAN && sims_differ(sim, second))
            result = EXIT_DIFFERS;
    }
    if (last && !dumps_write(sim))
        result = EXIT_USAGE;
    if (stats && !stats_write(stats, image, o->stats, sim))
        result = EXIT_USAGE;
    if (second)
        sim_free(second);
    sim_free(sim);
    return result;
}

static int run(const Options *o, Arena *arena)
{
    Image *image = image_load(arena, o->file, o), *other = NULL;
    if (image->error)
        return refuse(image->error);
    if (o->compare) {
        other = image_load(arena, o->compare, o);
        if (other->error)
            return refuse(other->error);
    }
    const char *mismatch = args_mismatch(o, image);
    if (!mismatch && other)
        mismatch = args_mismatch(o, other);
    if (mismatch)
        return refuse(mismatch);
    struct Stats *stats = o->stats ? stats_new(image, arena) : NULL;
    int result = EXIT_CLEAN;
    for (uint64_t i = 0; i < o->seeds && result != EXIT_USAGE; i++) {
        bool last = i + 1 == o->seeds;
        result = worse(result, run_seed(o, image, other, o->seed + i, last, i == 0 ? stats : NULL));
    }
    return result;
}

static int run_or_help(const Options *o, Arena *arena)
{
    if (!o->help)
        return run(o, arena);
    options_usage(stdout);
    return EXIT_CLEAN;
}

/* ---- one run, or one after another ---- */

/* A command line, which is cut up. */
static int run_line(char *line, List *modules)
{
    Arena *arena = arena_new();
    List words = list_new(arena);
    list_add(&words, "coalda-sim");
    line[strcspn(line, "\n")] = 0;
    for (char *word; (word = strsep(&line, "\t"));)
        list_add(&words, word);
    Options options;
    int result = EXIT_USAGE;
    if (options_parse(&options, arena, (int)words.count, (char **)words.item)) {
        options.modules = modules;
        result = run_or_help(&options, arena);
    }
    arena_free(arena);
    return result;
}

static void answer(int result)
{
    fflush(stderr);
    printf("\ncoalda-sim: exit %d\n", result); /* on a line of its own, whatever was printed before */
    fflush(stdout);
}

/* Lines up to the first whose run is not clean. */
static int run_lines(void)
{
    enum { PATIENCE = 300 };
    Arena *arena = arena_new();
    List modules = list_new(arena);
    char *line = NULL;
    size_t room = 0;
    int result = EXIT_CLEAN;
    while (result == EXIT_CLEAN && getline(&line, &room, stdin) > 0) {
        alarm(PATIENCE);
        result = run_line(line, &modules);
        alarm(0);
        answer(result);
    }
    free(line);
    modules_free(&modules);
    arena_free(arena);
    return result == EXIT_CLEAN ? LINES_DONE : LINES_LEFT;
}

/* In processes apart, one after another: what a run that goes wrong leaves behind, or dies of, is not the next one's. */
static int run_each(void)
{
    enum { DIED = 128, KEPT = 1 << 28 };
    setvbuf(stdin, NULL, _IONBF, 0); /* no process reads what another is to run */
    mallopt(M_MMAP_THRESHOLD, KEPT); /* a run's memory is the next one's: pages that the system gives cost more than most runs */
    mallopt(M_TRIM_THRESHOLD, KEPT);
    for (int end = LINES_LEFT; end != LINES_DONE;) {
        int status;
        pid_t child = fork();
        if (child == 0)
            _exit(run_lines());
        if (child < 0 || waitpid(child, &status, 0) != child)
            return refuse("cannot start a process");
        end = WIFEXITED(status) ? WEXITSTATUS(status) : DIED + WTERMSIG(status);
        if (end != LINES_DONE && end != LINES_LEFT)
            answer(end);
    }
    return EXIT_CLEAN;
}

static int run_command(int argc, char **argv)
{
    Arena *arena = arena_new();
    List modules = list_new(arena);
    Options options;
    int result = EXIT_USAGE;
    if (options_parse(&options, arena, argc, argv)) {
        options.modules = &modules;
        result = run_or_help(&options, arena);
    }
    modules_free(&modules);
    arena_free(arena);
    return result;
}

int main(int argc, char **argv) { return argc == 2 && strcmp(argv[1], "--each") == 0 ? run_each() : run_command(argc, argv); }
