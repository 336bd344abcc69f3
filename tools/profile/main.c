/* coalda-profile COMMAND ...: what may be done with profiles (docs/profiles.md). */
#include <string.h>

#include "tool.h"

static const char usage[] =
    "usage: coalda-profile merge FILE... -o FILE [--last]   one profile of several: launches are added up\n"
    "       coalda-profile check FILE MODULE...             what it says of kernels that the modules do not have, or have changed\n"
    "       coalda-profile show FILE...                     a table, what takes longest first\n"
    "       coalda-profile hash MODULE...                   a profile of the modules' kernels with the hashes of their bodies\n"
    "  FILE      a profile, as libcoalda-trace.so and coalda-tune write them\n"
    "  MODULE    device IR (.ll, .bc) before LLVM's passes: clang -Xclang -disable-llvm-passes -emit-llvm --cuda-device-only\n"
    "  -o FILE   where the merged profile goes; standard output where nothing is said\n"
    "  --last    where two files decide differently, the last one is right; else that is an error\n"
    "  --help, --version\n"
    "exit status: 0, 1 where check finds anything, 2 when something is wrong with the command or a file\n";

typedef struct {
    const char *command, *out;
    bool last;
    List files;
} Arguments;

static int complain(const char *what)
{
    fprintf(stderr, "coalda-profile: %s\n", what);
    return EXIT_USAGE;
}

static const char *read_modules(const Arguments *arguments, size_t first, Profile *modules)
{
    const char *wrong = NULL;
    for (size_t i = first; i < arguments->files.count && !wrong; i++)
        wrong = module_hash(arguments->files.item[i], modules);
    return wrong;
}

static const char *read_merged(const Arguments *arguments, Profile *all)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < arguments->files.count && !wrong; i++) {
        Profile one = profile_new(all->arena, arguments->files.item[i]);
        wrong = profile_read(&one);
        if (!wrong && i == 0)
            *all = one;
        else if (!wrong)
            wrong = profile_merge(all, &one, arguments->last);
    }
    return wrong;
}

static int finish(void) { return fflush(stdout) != 0 || ferror(stdout) ? complain("cannot write to standard output") : 0; }

static int print(Profile *profile)
{
    Text text = text_new(profile->arena);
    profile_text(profile, &text);
    fputs(text.data, stdout);
    return finish();
}

static int run_merge(const Arguments *arguments, Arena *arena)
{
    Profile all = profile_new(arena, "");
    const char *wrong = read_merged(arguments, &all);
    if (!wrong && !arguments->out)
        return print(&all);
    if (!wrong)
        wrong = profile_write(&all, arguments->out);
    return wrong ? complain(wrong) : 0;
}

static int run_check(const Arguments *arguments, Arena *arena)
{
    Profile profile = profile_new(arena, arguments->files.item[0]), modules = profile_new(arena, "");
    if (arguments->files.count < 2)
        return complain("check needs the modules that the profile is to fit; see coalda-profile --help");
    const char *wrong = profile_read(&profile);
    if (!wrong)
        wrong = read_modules(arguments, 1, &modules);
    if (wrong)
        return complain(wrong);
    size_t found = profile_check(&profile, &modules);
    printf("%zu kernels in the profile, %zu of them stale or unknown\n", profile.kernels.count, found);
    return finish() ? EXIT_USAGE : found ? EXIT_STALE : 0;
}

static int run_show(const Arguments *arguments, Arena *arena)
{
    Profile all = profile_new(arena, "");
    const char *wrong = read_merged(arguments, &all);
    if (wrong)
        return complain(wrong);
    profile_show(&all, stdout);
    return finish();
}

static int run_hash(const Arguments *arguments, Arena *arena)
{
    Profile modules = profile_new(arena, "");
    const char *wrong = read_modules(arguments, 0, &modules);
    if (wrong)
        return complain(wrong);
    profile_sort(&modules);
    return print(&modules);
}

static const struct {
    const char *name;
    int (*run)(const Arguments *arguments, Arena *arena);
} commands[] = {{"merge", run_merge}, {"check", run_check}, {"show", run_show}, {"hash", run_hash}};

static int dispatch(const Arguments *arguments, Arena *arena)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (arguments->command && strcmp(arguments->command, commands[i].name) == 0)
            return arguments->files.count
                       ? commands[i].run(arguments, arena)
                       : complain(arena_text(arena, "%s needs a file; see coalda-profile --help", arguments->command));
    return complain(arguments->command
                        ? arena_text(arena, "there is no command '%s'; see coalda-profile --help", arguments->command)
                        : "no command given; see coalda-profile --help");
}

static int run(int argc, char **argv, Arena *arena)
{
    Arguments arguments = {.files = list_new(arena)};
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (strcmp(argument, "--help") == 0)
            return fputs(usage, stdout) < 0;
        if (strcmp(argument, "--version") == 0)
            return puts("coalda-profile " COALDA_VERSION) < 0;
        if (strcmp(argument, "--last") == 0)
            arguments.last = true;
        else if (strcmp(argument, "-o") == 0 && i + 1 < argc)
            arguments.out = argv[++i];
        else if (argument[0] == '-')
            return complain(arena_text(arena, "there is no option '%s'; see coalda-profile --help", argument));
        else if (!arguments.command)
            arguments.command = argument;
        else
            list_add(&arguments.files, (void *)argument);
    }
    return dispatch(&arguments, arena);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_new();
    int status = run(argc, argv, arena);
    arena_free(arena);
    return status;
}
