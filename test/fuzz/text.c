/* coalda-fuzz-text KIND FILE...: what people and other programs write is read back, and mutants of it: no crash, and what is written of what was
 * read is read again. KIND is options, profile, cost, report (remarks and JSON: what the first word says) or image (a fat binary's names of spares).
 *
 *     coalda-fuzz-text [--mutants=N] [--first=N] KIND FILE...
 *
 * With -fsanitize=fuzzer, and -DCOALDA_LIBFUZZER, the same is steered by what is reached; the variable COALDA_FUZZ says the kind then. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pass/base/cost_table.h"
#include "pass/base/options.h"
#include "pass/host/fat_binary.h"
#include "pass/profile/profile.h"
#include "report.h"

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "coalda-fuzz-text: %s\n", what);
    abort();
}

/* ---- kinds ---- */

static void read_options(Arena *arena, const char *text, size_t length)
{
    Options options = {0}, decided = {0}, part = {0};
    options_parse(&options, text, length, arena);
    decision_read(&decided, text, arena);
    decision_read_part(&part, text, arena);
}

static void read_profile(Arena *arena, const char *text, size_t length)
{
    Profile profile = profile_new(arena, "fuzz"), again = profile_new(arena, "again"), merged = profile_new(arena, "merged");
    Text first = text_new(arena), second = text_new(arena);
    if (profile_parse(&profile, text, length))
        return;
    profile_text(&profile, &first);
    expect(!profile_parse(&again, first.data, strlen(first.data)), "a profile is not read back");
    profile_text(&again, &second);
    expect(strcmp(first.data, second.data) == 0, "a profile that was read back is another one");
    profile_merge(&merged, &profile, true);
    profile_merge(&merged, &again, true);
}

static const char *written(const char *text, size_t length)
{
    static char path[] = "/tmp/coalda-fuzz-XXXXXX";
    static FILE *file;
    if (!file)
        file = fdopen(mkstemp(path), "w");
    expect(file && ftruncate(fileno(file), 0) == 0, "no temporary file");
    rewind(file);
    fwrite(text, 1, length, file);
    fflush(file);
    return path;
}

static void read_costs(Arena *arena, const char *text, size_t length)
{
    Costs costs = costs_builtin();
    costs_read(&costs, written(text, length), arena);
}

static char *printed(ReportPrinter print, const Table *table)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    print(table, out);
    fclose(out);
    return text;
}

/* Of remarks; a report has to. */
static bool names_kernels(const Table *table)
{
    for (size_t i = 0; i < table->rows.count; i++)
        if (!((const Row *)table->rows.item[i])->cell[ROW_kernel].text)
            return false;
    return true;
}

static void read_report(Arena *arena, const char *text, size_t length)
{
    static const ReportPrinter printers[] = {report_csv, report_html, report_sarif};
    const Options options = {0};
    Table table = table_new(arena), again = table_new(arena);
    const char *first = text + strspn(text, " \t\r\n");
    if ((*first != '{' && strncmp(text, "---", 3) != 0) || report_read(written(text, length), &options, &table))
        return;
    table_finish(&table);
    for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
        free(printed(printers[i], &table));
    char *json = printed(report_json, &table);
    const char *wrong = report_read_json(json, &again);
    expect(!wrong || !names_kernels(&table), wrong ? arena_text(arena, "a report is not read back: %s", wrong) : "");
    free(json);
}

static void read_image(Arena *arena, const char *text, size_t length)
{
    List spares = fat_binary_spares(arena, text, length);
    for (size_t i = 0; i < spares.count; i++) {
        const SpareName *name = spares.item[i];
        const char *kernel = arena_text(arena, "%.*s", (int)name->kernel_length, name->text);
        const char *again = name->coarse.blocks ? spare_name_coarse(arena, kernel, &name->coarse)
                                                : spare_name(arena, kernel, &name->launch);
        expect(spare_name_read(arena, again, strlen(again)) != NULL, "the name of a spare is not read back");
    }
}

static const struct {
    const char *name;
    void (*read)(Arena *arena, const char *text, size_t length);
} kinds[] = {
    {"options", read_options}, {"profile", read_profile}, {"cost", read_costs}, {"report", read_report}, {"image", read_image}};

static int kind_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return (int)i;
    expect(false, "the kind is options, profile, cost, report or image");
    return 0;
}

/* The text ends with a NUL, as what is read from files does. */
static void read_one(int kind, const char *text, size_t length)
{
    Arena *arena = arena_new();
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    kinds[kind].read(arena, copy, length);
    free(copy);
    arena_free(arena);
}

/* ---- mutants ---- */

#ifdef COALDA_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int kind = -1;
    if (kind < 0)
        kind = kind_of(getenv("COALDA_FUZZ"));
    read_one(kind, (const char *)data, size);
    return 0;
}
#else
enum { LONGEST = 1 << 16, MOST_CHANGES = 5 };

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* A byte becomes another one, a piece goes, or comes again somewhere else. */
static size_t change(char *text, size_t length, uint64_t *state)
{
    static const char words[] = "0 -1 9 18446744073709551616 1e309 nan : = ; , \" ' { } [ ] \\u0000 \n - # \t";
    size_t at = random_next(state) % (length + 1), count = random_next(state) % 12 + 1, from = random_next(state) % (length + 1);
    bool takes = random_next(state) % 2;
    if (takes && at + count <= length) {
        memmove(text + at, text + at + count, length - at - count);
        return length - count;
    }
    const char *source = random_next(state) % 2 ? words : text;
    size_t limit = source == words ? sizeof words - 1 : length;
    from = limit ? from % limit : 0;
    count = from + count > limit ? limit - from : count;
    char piece[16];
    memcpy(piece, source + from, count);
    memmove(text + at + count, text + at, length - at);
    memcpy(text + at, piece, count);
    return length + count;
}

static void read_mutants(int kind, const char *path, long first, long mutants)
{
    static char text[LONGEST + 64], mutant[LONGEST + 64];
    FILE *file = fopen(path, "r");
    expect(file != NULL, "no such file");
    size_t length = fread(text, 1, LONGEST - MOST_CHANGES * 16, file);
    fclose(file);
    read_one(kind, text, length);
    for (long seed = first; seed < first + mutants; seed++) {
        uint64_t state = (uint64_t)seed * 2654435761u + 1;
        size_t size = length;
        memcpy(mutant, text, length);
        for (uint64_t changes = random_next(&state) % MOST_CHANGES + 1; changes > 0; changes--)
            size = change(mutant, size, &state);
        read_one(kind, mutant, size);
    }
}

static const char *value_of(const char *argument, const char *option)
{
    size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

int main(int argc, char **argv)
{
    long mutants = 0, first = 0;
    int at = 1;
    for (const char *value; at < argc && argv[at][0] == '-'; at++) {
        if ((value = value_of(argv[at], "--mutants=")))
            mutants = atol(value);
        else if ((value = value_of(argv[at], "--first=")))
            first = atol(value);
    }
    int kind = kind_of(at < argc ? argv[at++] : NULL);
    for (; at < argc; at++)
        read_mutants(kind, argv[at], first, mutants);
    return 0;
}
#endif
