/* SARIF 2.1.0, as code hosts and editors show it: a result for each access of the source that loses something, the most bytes first, and
 * for each copy to shared memory that its loop waits for, if the user can do something. Rules are verdicts of why.def. */
#include <stdlib.h>
#include <string.h>

#include "entries.h"
#include "pass/base/why.h"
#include "pass/bridge/bridge.h"
#include "report.h"

enum { LONGEST_MESSAGE = 200 };

typedef struct {
    const Entry *entry;
    Why rule;
    bool is_staging; /* of the loop that waits for it, not of the access itself */
} Result;

/* ---- what is worth a result ---- */

static Why why_named(const char *name)
{
    int why = WHY_NONE + 1;
    while (why < WHY_COUNT && strcmp(why_text((Why)why)->name, name) != 0)
        why++;
    return why < WHY_COUNT ? (Why)why : WHY_NONE;
}

static void add_result(List *results, const Entry *entry, Why rule, bool is_staging)
{
    Result *result = ARENA_NEW(results->arena, Result);
    *result = (Result){entry, rule, is_staging};
    list_add(results, result);
}

static void take_entry(List *results, const Entry *entry)
{
    Why reason = why_named(cell_text(entry->row, ROW_reason)), staging = why_named(cell_text(entry->row, ROW_tile_refusal));
    if (reason && worst_of(entry->loss) > 0)
        add_result(results, entry, reason, false);
    if (staging && *why_text(staging)->remedy)
        add_result(results, entry, staging, true);
}

static double bytes_of(const Result *result) { return result->is_staging ? 0 : result->entry->loss.rewritten; }

static int by_bytes(const void *left, const void *right)
{
    const Result *a = *(Result *const *)left, *b = *(Result *const *)right;
    double first = bytes_of(a), second = bytes_of(b);
    if (first != second)
        return first < second ? 1 : -1;
    first = a->is_staging ? 0 : a->entry->loss.written;
    second = b->is_staging ? 0 : b->entry->loss.written;
    return (first < second) - (first > second);
}

static List results_of(const Table *table)
{
    List results = list_new(table->arena), sides = sides_of(table);
    for (size_t i = 0; i < sides.count; i++) {
        const Side *side = sides.item[i];
        for (size_t j = 0; j < side->entries.count; j++)
            take_entry(&results, side->entries.item[j]);
    }
    if (results.count)
        qsort(results.item, results.count, sizeof(void *), by_bytes);
    return results;
}

/* ---- rules ---- */

static void print_text_of(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": {\"text\": ", key);
    json_string(out, text);
    fputc('}', out);
}

static void print_rule(FILE *out, Why why)
{
    const WhyText *text = why_text(why);
    fprintf(out, "{\"id\": \"%s\", \"name\": \"%s\", ", text->name, text->name);
    print_text_of(out, "shortDescription", text->sentence);
    fputs(", ", out);
    print_text_of(out, "help", *text->remedy ? text->remedy : "There is nothing to be done.");
    fputc('}', out);
}

/* Those that have results. Writes the index of each into `index`. */
static void print_rules(FILE *out, const List *results, int *index)
{
    int count = 0;
    for (int why = 0; why < WHY_COUNT; why++)
        index[why] = -1;
    for (size_t i = 0; i < results->count; i++) {
        Why rule = ((const Result *)results->item[i])->rule;
        if (index[rule] >= 0)
            continue;
        fputs(count ? ",\n        " : "\n        ", out);
        print_rule(out, rule);
        index[rule] = count++;
    }
}

/* ---- places ---- */

static void print_uri(FILE *out, const char *path)
{
    for (const char *c = path; *c; c++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/", *c))
            fputc(*c, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*c);
}

/* Where relative names start from: one folder; files of others are named from the root. */
static const char *folder_of(const List *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = ((const Result *)results->item[i])->entry->row;
        if (*cell_text(row, ROW_directory) == '/')
            return cell_text(row, ROW_directory);
    }
    return "";
}

static void print_artifact(FILE *out, const Row *row, const char *folder)
{
    const char *file = cell_text(row, ROW_file), *directory = cell_text(row, ROW_directory);
    bool is_absolute = *file == '/', is_here = !is_absolute && *directory && strcmp(directory, folder) == 0;
    fputs("\"artifactLocation\": {\"uri\": \"", out);
    if (is_absolute || (!is_here && *directory == '/'))
        fputs("file://", out);
    if (!is_absolute && !is_here && *directory == '/') {
        print_uri(out, directory);
        fputc('/', out);
    }
    print_uri(out, file);
    fprintf(out, "\"%s}", is_here ? ", \"uriBaseId\": \"SRCROOT\"" : "");
}

static void print_location(FILE *out, const Row *row, const char *folder)
{
    char *name = ir_demangled(cell_text(row, ROW_kernel));
    double line = row_value(row, ROW_line, 0), column = row_value(row, ROW_column, 0);
    fputs("\"locations\": [{", out);
    if (line >= 1) {
        fputs("\"physicalLocation\": {", out);
        print_artifact(out, row, folder);
        fprintf(out, ", \"region\": {\"startLine\": %.0f", line);
        if (column >= 1)
            fprintf(out, ", \"startColumn\": %.0f", column);
        fputs("}}, ", out);
    }
    fputs("\"logicalLocations\": [{\"kind\": \"function\", \"fullyQualifiedName\": ", out);
    json_string(out, name);
    fputs(", \"decoratedName\": ", out);
    json_string(out, cell_text(row, ROW_kernel));
    fputs("}]}]", out);
    free(name);
}

/* ---- results ---- */

static void say_figures(Text *text, const Row *row)
{
    const char *stride = cell_text(row, ROW_stride), *ideal = cell_text(row, ROW_ideal);
    text_add(text, "%s of %s bytes in %s memory, %s%s%s", cell_text(row, ROW_op), cell_text(row, ROW_bytes),
             cell_text(row, ROW_space), cell_text(row, ROW_class), *stride ? " with stride " : "", stride);
    if (row->cell[ROW_sectors].text)
        text_add(text, ": %s sectors where %s would do", cell_text(row, ROW_sectors), ideal);
    else if (*ideal)
        text_add(text, ": up to %s sectors, %s at best", cell_text(row, ROW_sectors_max), ideal);
    else if (row->cell[ROW_ways].text)
        text_add(text, ": %s-way in its bank", cell_text(row, ROW_ways));
}

/* As much as there is room for, cut in front of a byte that begins a character. */
static void print_message(FILE *out, Text *text)
{
    enum { CONTINUES = 0x80, TOP = 0xc0, DOTS = 3 };
    if (text->length > LONGEST_MESSAGE) {
        size_t end = LONGEST_MESSAGE - DOTS;
        while (end && ((unsigned char)text->data[end] & TOP) == CONTINUES)
            end--;
        memcpy(text->data + end, "...", DOTS + 1);
    }
    fputs("\"message\": {\"text\": ", out);
    json_string(out, text->data);
    fputc('}', out);
}

static void print_sentence(FILE *out, const Result *result, Arena *arena)
{
    const Row *row = result->entry->row;
    Text text = text_new(arena);
    if (result->is_staging) {
        const char *obstacle = cell_text(row, ROW_tile_obstacle);
        text_add(&text, "a loop waits for this copy to shared memory: %s%s%s", why_text(result->rule)->sentence,
                 *obstacle ? ": " : "", obstacle);
    } else {
        say_figures(&text, row);
        text_add(&text, "; %s", why_text(result->rule)->sentence);
    }
    print_message(out, &text);
}

/* A warning where twice as much moves as has to, and nothing is done about it. */
static const char *level_of(const Result *result)
{
    enum { WASTEFUL = 2 };
    const Row *row = result->entry->row;
    double ratio = row_ratio_after(row) > 0 ? row_ratio_after(row) : row_value(row, ROW_ways, 1);
    return !result->is_staging && !row_is_rewritten(row) && ratio >= WASTEFUL ? "warning" : "note";
}

static void print_result(FILE *out, const Result *result, const int *index, const char *folder, Arena *arena)
{
    const Entry *entry = result->entry;
    fprintf(out, "\n      {\"ruleId\": \"%s\", \"ruleIndex\": %d, \"level\": \"%s\", ", why_text(result->rule)->name,
            index[result->rule], level_of(result));
    print_sentence(out, result, arena);
    fputs(", ", out);
    print_location(out, entry->row, folder);
    fprintf(out, ", \"properties\": {\"lost\": %.6g, \"lost_rewritten\": %.6g, \"action\": ", entry->loss.written,
            entry->loss.rewritten);
    json_string(out, cell_text(entry->row, ROW_action));
    fputs(", \"refusal\": ", out);
    json_string(out, cell_text(entry->row, ROW_refusal));
    fputs("}}", out);
}

void report_sarif(const Table *table, FILE *out)
{
    const List results = results_of(table);
    const char *folder = folder_of(&results);
    int index[WHY_COUNT];
    fputs("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
          "    \"tool\": {\"driver\": {\"name\": \"COALDA\", \"version\": \"" COALDA_VERSION "\", \"rules\": [",
          out);
    print_rules(out, &results, index);
    fputs("]}},\n", out);
    if (*folder) {
        fputs("    \"originalUriBaseIds\": {\"SRCROOT\": {\"uri\": \"file://", out);
        print_uri(out, folder);
        fputs("/\"}},\n", out);
    }
    fputs("    \"results\": [", out);
    for (size_t i = 0; i < results.count; i++) {
        fputs(i ? "," : "", out);
        print_result(out, results.item[i], index, folder, table->arena);
    }
    fputs("\n    ]\n  }]\n}\n", out);
}
