/* coalda-report --dma: every copy from global to shared memory, how much of it is under way, and what keeps it from better. */
#include "dma.h"

#include <stdlib.h>
#include <string.h>

#include "pass/bridge/bridge.h"
#include "report.h"

static const char *cell(const Transfer *transfer, TransferField field)
{
    return *transfer->cell[field] ? transfer->cell[field] : "-";
}

/* ---- text ---- */

static const char *place_of(Arena *arena, const Transfer *transfer)
{
    const char *file = transfer->cell[TRANSFER_file], *base = strrchr(file, '/');
    if (!*transfer->cell[TRANSFER_line])
        return "-";
    return arena_text(arena, "%s:%s:%s", base ? base + 1 : file, transfer->cell[TRANSFER_line], cell(transfer, TRANSFER_column));
}

static const char *aligned_of(Arena *arena, const Transfer *transfer)
{
    const char *tested = transfer->cell[TRANSFER_tested];
    return *tested ? arena_text(arena, "%s, %s tested", cell(transfer, TRANSFER_aligned), tested)
                   : cell(transfer, TRANSFER_aligned);
}

static const char *stages_of(Arena *arena, const Transfer *transfer)
{
    const char *batch = transfer->cell[TRANSFER_batch];
    return *batch ? arena_text(arena, "%s x %s", cell(transfer, TRANSFER_stages), batch) : cell(transfer, TRANSFER_stages);
}

static void line_of(Arena *arena, Text *out, const Transfer *transfer)
{
    const char *because = transfer->cell[TRANSFER_because], *remedy = transfer->cell[TRANSFER_remedy];
    const char *engine = arena_text(arena, "%s %s", transfer->cell[TRANSFER_engine], cell(transfer, TRANSFER_piece));
    text_add(out, "  %-24s %-20s %-19s %-8s %5s  %-13s %-7s %9s %6s %9s\n", place_of(arena, transfer),
             cell(transfer, TRANSFER_array), engine, cell(transfer, TRANSFER_class), cell(transfer, TRANSFER_bytes),
             aligned_of(arena, transfer), stages_of(arena, transfer), cell(transfer, TRANSFER_in_flight),
             cell(transfer, TRANSFER_blocks), cell(transfer, TRANSFER_in_flight_sm));
    if (*because)
        text_add(out, "    kept from better: %s%s%s\n", because, *remedy ? "; " : "", remedy);
}

static void kernel_line(Text *out, const Table *table, const char *kernel)
{
    size_t copies = 0;
    char *name = ir_demangled(kernel);
    for (size_t i = 0; i < table->transfers.count; i++)
        copies += strcmp(((const Transfer *)table->transfers.item[i])->cell[TRANSFER_kernel], kernel) == 0;
    text_add(out, "%s: %zu %s to shared memory\n", name, copies, copies == 1 ? "copy" : "copies");
    text_add(out, "  %-24s %-20s %-19s %-8s %5s  %-13s %-7s %9s %6s %9s\n", "place", "array", "engine, bytes", "class", "bytes",
             "aligned", "stages", "in flight", "blocks", "of an SM");
    free(name);
}

/* A kernel's copies stand together: each file has them so. */
void dma_text(const Table *table, FILE *out)
{
    Text text = text_new(table->arena);
    const char *kernel = NULL;
    for (size_t i = 0; i < table->transfers.count; i++) {
        const Transfer *transfer = table->transfers.item[i];
        if (!kernel || strcmp(kernel, transfer->cell[TRANSFER_kernel]) != 0)
            kernel_line(&text, table, kernel = transfer->cell[TRANSFER_kernel]);
        line_of(table->arena, &text, transfer);
    }
    fputs(table->transfers.count ? text.data : "no copy from global to shared memory\n", out);
}

/* ---- JSON: {"version": ..., "transfers": [{the keys of TRANSFERS, null where there is nothing to say}...]} ---- */

static void transfer_json(FILE *out, const Transfer *transfer)
{
    for (int i = 0; i < TRANSFER_FIELDS; i++) {
        const char *text = transfer->cell[i];
        fprintf(out, "%s\"%s\": ", i ? ", " : "    {", transfer_key((TransferField)i));
        if (!*text)
            fputs("null", out);
        else if (transfer_is_number((TransferField)i))
            fputs(text, out);
        else
            json_string(out, text);
    }
    fputc('}', out);
}

void dma_json(const Table *table, FILE *out)
{
    fputs("{\n  \"version\": ", out);
    json_string(out, COALDA_VERSION);
    fputs(",\n  \"transfers\": [\n", out);
    for (size_t i = 0; i < table->transfers.count; i++) {
        transfer_json(out, table->transfers.item[i]);
        fputs(i + 1 < table->transfers.count ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}
