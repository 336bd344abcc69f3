/* A diff as text and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "pass/bridge/bridge.h"

static const char *cell_or(const Row *row, RowField field, const char *otherwise)
{
    return row->cell[field].text ? row->cell[field].text : otherwise;
}

/* ---- text ---- */

static const char *place_of(Arena *arena, const Row *row)
{
    const char *file = cell_or(row, ROW_file, ""), *base = strrchr(file, '/');
    if (!row->cell[ROW_line].text)
        return "-";
    return arena_text(arena, "%s:%s:%s", base ? base + 1 : file, row->cell[ROW_line].text, cell_or(row, ROW_column, "0"));
}

static const char *sectors_of(Arena *arena, const Row *row)
{
    if (row->cell[ROW_sectors].text)
        return arena_text(arena, ", %s sectors of %s", row->cell[ROW_sectors].text, cell_or(row, ROW_ideal, "?"));
    if (row->cell[ROW_ideal].text)
        return arena_text(arena, ", up to %s sectors of %s", cell_or(row, ROW_sectors_max, "?"), row->cell[ROW_ideal].text);
    return row->cell[ROW_ways].text ? arena_text(arena, ", %s-way", row->cell[ROW_ways].text) : "";
}

static const char *kind_of(Arena *arena, const Row *row)
{
    const char *stride = row->cell[ROW_stride].text, *refusal = row->cell[ROW_refusal].text;
    return arena_text(arena, "%s%s%s%s, %s%s%s", cell_or(row, ROW_class, "?"), stride ? " " : "", stride ? stride : "",
                      sectors_of(arena, row), cell_or(row, ROW_reason, "-"), refusal ? ", not rewritten: " : "",
                      refusal ? refusal : "");
}

static const char *what_of(Arena *arena, const Row *row)
{
    return arena_text(arena, "%s %s %s", cell_or(row, ROW_op, "?"), cell_or(row, ROW_space, "?"), cell_or(row, ROW_bytes, "?"));
}

static void access_line(const AccessChange *access, Arena *arena, Text *out)
{
    const Row *old = access->old ? access->old->row : NULL, *new = access->new ? access->new->row : NULL;
    const Loss before = access->old ? access->old->loss : (Loss){0}, after = access->new ? access->new->loss : (Loss){0};
    text_add(out, "  %-7s %8.6g %8.6g %9.6g %8.6g  %-24s ", change_text(access->change), before.written, after.written,
             before.rewritten, after.rewritten, place_of(arena, new ? new : old));
    if (!old || !new) {
        text_add(out, "%s: %s\n", what_of(arena, new ? new : old), kind_of(arena, new ? new : old));
        return;
    }
    const char *was = what_of(arena, old), *is = what_of(arena, new);
    bool same = strcmp(was, is) == 0;
    text_add(out, "%s: %s -> %s%s%s\n", was, kind_of(arena, old), same ? "" : is, same ? "" : ": ", kind_of(arena, new));
}

static void kernel_line(const KernelChange *kernel, Text *out)
{
    char *name = ir_demangled(kernel->new ? kernel->new : kernel->old);
    text_add(out, "%s: %s", change_text(kernel->change), name);
    free(name);
    if (kernel->old && kernel->new && strcmp(kernel->old, kernel->new) != 0) {
        char *before = ir_demangled(kernel->old);
        text_add(out, " (was %s)", before);
        free(before);
    }
    text_add(out, ": %.6g -> %.6g bytes lost, %.6g -> %.6g once rewritten\n", kernel->lost_old.written, kernel->lost_new.written,
             kernel->lost_old.rewritten, kernel->lost_new.rewritten);
}

static void summary(const Diff *diff, Text *out)
{
    if (diff->kernels.count == 0) {
        text_add(out, "nothing became worse, better, new or gone: %d access%s as before\n", diff->accesses[CHANGE_NONE],
                 diff->accesses[CHANGE_NONE] == 1 ? "" : "es");
        return;
    }
    text_add(out, "accesses: %d worse, %d better, %d new, %d gone, %d as before\n", diff->accesses[CHANGE_WORSE],
             diff->accesses[CHANGE_BETTER], diff->accesses[CHANGE_NEW], diff->accesses[CHANGE_GONE], diff->accesses[CHANGE_NONE]);
}

void diff_text(const Diff *diff, Arena *arena, FILE *out)
{
    Text text = text_new(arena);
    for (size_t i = 0; i < diff->kernels.count; i++) {
        const KernelChange *kernel = diff->kernels.item[i];
        kernel_line(kernel, &text);
        if (kernel->accesses.count)
            text_add(&text, "  %-7s %8s %8s %9s %8s  %-24s %s\n", "", "lost", "now", "rewritten", "now", "place", "access");
        for (size_t j = 0; j < kernel->accesses.count; j++)
            access_line(kernel->accesses.item[j], arena, &text);
    }
    summary(diff, &text);
    fputs(text.data, out);
}

/* ---- JSON ---- */

static void json_losses(FILE *out, Loss old, Loss new)
{
    fprintf(out, "\"lost_old\": %.6g, \"lost_new\": %.6g, \"lost_rewritten_old\": %.6g, \"lost_rewritten_new\": %.6g", old.written,
            new.written, old.rewritten, new.rewritten);
}

static void json_side(FILE *out, const char *key, const Entry *entry)
{
    fprintf(out, ", \"%s\": ", key);
    if (entry)
        json_row(out, entry->row);
    else
        fputs("null", out);
}

static void json_access(FILE *out, const AccessChange *access)
{
    fprintf(out, "\n      {\"change\": \"%s\", ", change_text(access->change));
    json_losses(out, access->old ? access->old->loss : (Loss){0}, access->new ? access->new->loss : (Loss){0});
    json_side(out, "old", access->old);
    json_side(out, "new", access->new);
    fputc('}', out);
}

static void json_name(FILE *out, const char *key, const char *name)
{
    fprintf(out, ", \"%s\": ", key);
    if (name)
        json_string(out, name);
    else
        fputs("null", out);
}

static void json_kernel(FILE *out, const KernelChange *kernel)
{
    fprintf(out, "\n    {\"change\": \"%s\"", change_text(kernel->change));
    json_name(out, "kernel", kernel->new ? kernel->new : kernel->old);
    json_name(out, "kernel_old", kernel->old);
    fputs(", ", out);
    json_losses(out, kernel->lost_old, kernel->lost_new);
    fputs(", \"accesses\": [", out);
    for (size_t i = 0; i < kernel->accesses.count; i++) {
        fputs(i ? "," : "", out);
        json_access(out, kernel->accesses.item[i]);
    }
    fputs("]}", out);
}

void diff_json(const Diff *diff, Arena *arena, FILE *out)
{
    (void)arena;
    fprintf(out, "{\n  \"version\": \"%s\",\n  \"worse\": %s,\n  \"counts\": {", COALDA_VERSION, diff->is_worse ? "true" : "false");
    const Change counted[] = {CHANGE_WORSE, CHANGE_BETTER, CHANGE_NEW, CHANGE_GONE, CHANGE_NONE};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        fprintf(out, "%s\"%s\": %d", i ? ", " : "", change_text(counted[i]), diff->accesses[counted[i]]);
    fputs("},\n  \"kernels\": [", out);
    for (size_t i = 0; i < diff->kernels.count; i++) {
        fputs(i ? "," : "", out);
        json_kernel(out, diff->kernels.item[i]);
    }
    fputs("\n  ]\n}\n", out);
}
