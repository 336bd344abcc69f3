/* coalda-report FILE...: every memory access of device code, what it costs and why; or what changed from one file to another. */
#include <stdlib.h>
#include <string.h>

#include "pass/base/options.h"
#include "pass/bridge/bridge.h"
#include "diff.h"
#include "dma.h"
#include "pass/report/table.h"
#include "report.h"

enum { EXIT_GATE = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: coalda-report FILE... [options]\n"
    "       coalda-report --diff OLD NEW [options]\n"
    "       coalda-report --dma FILE... [options]\n"
    "  FILE, OLD, NEW        device IR (.ll, .bc), a remark file written with -fsave-optimization-record (YAML) or a report "
    "(JSON)\n"
    "  --diff                what became worse, better, new, gone from OLD to NEW, as text or json; status 1 when something became "
    "worse\n"
    "  --dma                 every copy from global to shared memory, how much of it is under way, what keeps it from better, as "
    "text "
    "or json\n"
    "  --format=FORMAT       text (default), csv, json, html or sarif\n"
    "  --kernel=NAME         only kernels of this name (as linked, or as written in the source)\n"
    "  --fail-above=R        exit with status 1 when a kernel's sectors/ideal exceeds R (of NEW, with --diff)\n"
    "  --arch=sm_NN          the architecture, where the file does not say (sm_75)\n"
    "  --shape=XxYxZ         threads of a block, where the kernel does not say\n"
    "  --profile=FILE        kernels by the time of their launches that a profile tells of, instead of by lost bytes\n"
    "  --cost=FILE           numbers that override the built-in ones, as coalda-calibrate writes them for a GPU\n"
    "  --help, --version\n"
    "exit status: 0, 1 when --fail-above is exceeded or --diff finds something worse, 2 when something is wrong with the command "
    "or a file\n";

typedef void (*DiffPrinter)(const Diff *diff, Arena *arena, FILE *out);

typedef struct {
    ReportPrinter print;
    DiffPrinter print_diff; /* NULL: the format has none */
    ReportPrinter print_dma; /* the same */
    bool is_diff, is_dma;
    const char *kernel, *profile;
    double fail_above; /* negative: no gate */
    Options options;
    List files;
} Arguments;

static void print_text(const Table *table, FILE *out)
{
    Text text = text_new(table->arena);
    table_text(table, &text);
    if (table->rows.count == 0)
        text_add(&text, "no access to memory\n");
    fputs(text.data, out);
}

static const struct {
    const char *name;
    ReportPrinter print;
    DiffPrinter print_diff;
    ReportPrinter print_dma;
} formats[] = {{"text", print_text, diff_text, dma_text},
               {"csv", report_csv, NULL, NULL},
               {"json", report_json, diff_json, dma_json},
               {"html", report_html, NULL, NULL},
               {"sarif", report_sarif, NULL, NULL}};

static const char *value_of(const char *argument, const char *option)
{
    size_t length = strlen(option);
    return strncmp(argument, option, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static const char *take_format(Arguments *arguments, const char *value, Arena *arena)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(value, formats[i].name) == 0) {
            arguments->print = formats[i].print;
            arguments->print_diff = formats[i].print_diff;
            arguments->print_dma = formats[i].print_dma;
            return NULL;
        }
    return arena_text(arena, "--format takes text, csv, json, html or sarif, not '%s'", value);
}

static const char *take_gate(Arguments *arguments, const char *value, Arena *arena)
{
    char *end;
    arguments->fail_above = strtod(value, &end);
    bool valid = *value && *end == 0 && arguments->fail_above >= 0 && arguments->fail_above < 1e9;
    return valid ? NULL : arena_text(arena, "--fail-above takes a number of at least 0, not '%s'", value);
}

/* NULL, or what is wrong with the argument. */
static const char *take(Arguments *arguments, const char *argument, Arena *arena)
{
    const char *value;
    if ((value = value_of(argument, "--format")))
        return take_format(arguments, value, arena);
    if ((value = value_of(argument, "--fail-above")))
        return take_gate(arguments, value, arena);
    if ((value = value_of(argument, "--arch")) || (value = value_of(argument, "--shape")) || (value = value_of(argument, "--cost")))
        return option_set(&arguments->options, argument + 2, strlen(argument + 2), arena);
    if ((value = value_of(argument, "--kernel")))
        arguments->kernel = value;
    else if ((value = value_of(argument, "--profile")))
        arguments->profile = value;
    else if (strcmp(argument, "--diff") == 0)
        arguments->is_diff = true;
    else if (strcmp(argument, "--dma") == 0)
        arguments->is_dma = true;
    else if (argument[0] == '-' && argument[1])
        return arena_text(arena, "there is no option '%s'; see coalda-report --help", argument);
    else
        list_add(&arguments->files, (void *)argument);
    return NULL;
}

static int complain(const char *what)
{
    fprintf(stderr, "coalda-report: %s\n", what);
    return EXIT_USAGE;
}

/* `name` as linked, demangled, or demangled up to its parameters. */
static bool is_called(const char *linked, const char *name)
{
    char *source = ir_demangled(linked);
    size_t length = bare_length(source);
    bool same = strcmp(linked, name) == 0 || strcmp(source, name) == 0 ||
                (strlen(name) == length && strncmp(source, name, length) == 0);
    free(source);
    return same;
}

static Table only_kernel(const Table *table, const char *name)
{
    Table kept = table_new(table->arena);
    for (size_t i = 0; i < table->rows.count; i++) {
        const Row *row = table->rows.item[i];
        if (row->cell[ROW_kernel].text && is_called(row->cell[ROW_kernel].text, name))
            list_add(&kept.rows, (void *)row);
    }
    for (size_t i = 0; i < table->transfers.count; i++)
        if (is_called(((const Transfer *)table->transfers.item[i])->cell[TRANSFER_kernel], name))
            list_add(&kept.transfers, table->transfers.item[i]);
    return kept;
}

/* The gate: names every kernel over the limit. */
static bool exceeds(const Table *table, double limit)
{
    bool any = false;
    for (size_t i = 0; i < table->totals.count; i++) {
        const Total *total = table->totals.item[i];
        if (total_ratio(total) <= limit)
            continue;
        char *name = ir_demangled(total->kernel);
        fprintf(stderr, "coalda-report: %s: sectors/ideal is %.2f, above %g\n", name, total_ratio(total), limit);
        free(name);
        any = true;
    }
    return any;
}

/* Adds the rows of a file. NULL, or what is wrong with it, by name. */
static const char *read_table(const Arguments *arguments, const char *path, Table *table)
{
    const char *wrong = report_read(path, &arguments->options, table);
    if (!wrong)
        return NULL;
    return strncmp(wrong, path, strlen(path)) == 0 ? wrong : arena_text(table->arena, "%s: %s", path, wrong);
}

static int finish(const Arguments *arguments, const Table *table, bool is_worse)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("cannot write the report");
    bool is_above = arguments->fail_above >= 0 && exceeds(table, arguments->fail_above);
    return is_above || is_worse ? EXIT_GATE : 0;
}

static int report(const Arguments *arguments, Arena *arena)
{
    Table table = table_new(arena);
    for (size_t i = 0; i < arguments->files.count; i++) {
        const char *wrong = read_table(arguments, arguments->files.item[i], &table);
        if (wrong)
            return complain(wrong);
    }
    if (arguments->kernel) {
        table = only_kernel(&table, arguments->kernel);
        if (table.rows.count == 0)
            return complain(arena_text(arena, "no access of a kernel called '%s'", arguments->kernel));
    }
    table_finish(&table);
    const char *wrong = arguments->profile ? times_read(arguments->profile, &table) : NULL;
    if (wrong)
        return complain(wrong);
    table.shown = ir_demangled;
    arguments->print(&table, stdout);
    return finish(arguments, &table, false);
}

static int report_dma(const Arguments *arguments, Arena *arena)
{
    Table table = table_new(arena);
    if (arguments->is_diff || arguments->fail_above >= 0)
        return complain("--dma goes with neither --diff nor --fail-above");
    if (!arguments->print_dma)
        return complain("--dma has the formats text and json");
    for (size_t i = 0; i < arguments->files.count; i++) {
        const char *wrong = read_table(arguments, arguments->files.item[i], &table);
        if (wrong)
            return complain(wrong);
    }
    if (table.has_report)
        return complain("--dma takes device IR or remarks: a report does not tell of copies");
    if (arguments->kernel)
        table = only_kernel(&table, arguments->kernel);
    if (arguments->kernel && table.rows.count + table.transfers.count == 0)
        return complain(arena_text(arena, "no access of a kernel called '%s'", arguments->kernel));
    arguments->print_dma(&table, stdout);
    return finish(arguments, &table, false);
}

static int report_diff(const Arguments *arguments, Arena *arena)
{
    enum { OLD, NEW, BOTH };
    Table table[BOTH];
    if (arguments->files.count != BOTH)
        return complain(arena_text(arena, "--diff takes two files, OLD and NEW, not %zu", arguments->files.count));
    if (!arguments->print_diff)
        return complain("--diff has the formats text and json");
    for (int i = 0; i < BOTH; i++) {
        table[i] = table_new(arena);
        const char *wrong = read_table(arguments, arguments->files.item[i], &table[i]);
        if (wrong)
            return complain(wrong);
        if (arguments->kernel)
            table[i] = only_kernel(&table[i], arguments->kernel);
        table_finish(&table[i]);
    }
    if (arguments->kernel && table[OLD].rows.count + table[NEW].rows.count == 0)
        return complain(arena_text(arena, "no access of a kernel called '%s'", arguments->kernel));
    const Diff diff = diff_of(&table[OLD], &table[NEW]);
    arguments->print_diff(&diff, arena, stdout);
    return finish(arguments, &table[NEW], diff.is_worse);
}

static int run(int argc, char **argv, Arena *arena)
{
    Arguments arguments = {
        .print = print_text, .print_diff = diff_text, .print_dma = dma_text, .fail_above = -1, .files = list_new(arena)};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(usage, stdout) < 0;
        if (strcmp(argv[i], "--version") == 0)
            return puts("coalda-report " COALDA_VERSION) < 0;
        const char *wrong = take(&arguments, argv[i], arena);
        if (wrong)
            return complain(wrong);
    }
    if (arguments.files.count == 0)
        return complain("no file given; see coalda-report --help");
    if (arguments.profile && (arguments.is_dma || arguments.is_diff))
        return complain("--profile goes with neither --diff nor --dma");
    if (arguments.is_dma)
        return report_dma(&arguments, arena);
    return arguments.is_diff ? report_diff(&arguments, arena) : report(&arguments, arena);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_new();
    int status = run(argc, argv, arena);
    arena_free(arena);
    return status;
}
