/* Memory traffic by access, counted as the coalescer and the banks see it.
 *
 *   executions       of the IR's instruction by its active lanes together
 *   requests         instructions of the hardware for that: several where alignment is low;   lanes: how many took part in each
 *   sectors          distinct 32-byte sectors that it touches;   ideal: distinct bytes / 32, rounded up
 *   lines            distinct 128-byte lines
 *   bank_wavefronts  shared memory, 32 banks of 4 bytes: the most distinct words of one bank, summed over the parts that a wide
 *                    access is served in (8 bytes: half warps, 16 bytes: quarter warps) */
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4, WIDEST = 16 };

typedef struct Count Count;
struct Count {
    bool used;
    uint32_t where;
    Count *next;                /* of the same access, charged to another line */
    AccessKind kind;
    uint64_t bytes;
    uint64_t executions, requests, lanes, sectors, ideal_sectors, lines, bank_wavefronts;
};

struct Stats {
    Arena *arena;
    Count *count;               /* [access][space] */
};

struct Stats *stats_new(const Image *image, Arena *arena)
{
    struct Stats *stats = ARENA_NEW(arena, struct Stats);
    stats->arena = arena;
    stats->count = ARENA_ARRAY(arena, Count, (size_t)image->access_count * SPACE_COUNT + 1);
    return stats;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t distinct(uint64_t *value, unsigned count)
{
    uint64_t different = 0;
    qsort(value, count, sizeof *value, by_value);
    for (unsigned i = 0; i < count; i++)
        different += i == 0 || value[i] != value[i - 1];
    return different;
}

static uint64_t distinct_units(const uint64_t *address, Mask mask, uint32_t bytes, unsigned unit)
{
    uint64_t units[LANES * 8];
    unsigned count = 0;
    int lane;
    EACH_LANE(lane, mask)
        for (uint64_t u = address[lane] / unit; u <= (address[lane] + bytes - 1) / unit && count < LANES * 8; u++)
            units[count++] = u;
    return distinct(units, count);
}

/* Bytes that at least one lane touches. */
static uint64_t distinct_bytes(const uint64_t *address, Mask mask, uint32_t bytes)
{
    uint64_t start[LANES], total = 0, end = 0;
    unsigned count = 0;
    int lane;
    EACH_LANE(lane, mask)
        start[count++] = address[lane];
    qsort(start, count, sizeof *start, by_value);
    for (unsigned i = 0; i < count; i++) {
        uint64_t from = i && start[i] < end ? end : start[i];
        end = start[i] + bytes;
        total += end > from ? end - from : 0;
    }
    return total;
}

static uint64_t part_wavefronts(const uint64_t *address, Mask part, uint32_t bytes)
{
    uint64_t words[LANES * 8], most = 0, bank[BANKS] = {0};
    unsigned count = 0;
    int lane;
    EACH_LANE(lane, part)
        for (uint64_t w = address[lane] / WORD; w <= (address[lane] + bytes - 1) / WORD && count < LANES * 8; w++)
            words[count++] = w;
    qsort(words, count, sizeof *words, by_value);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || words[i] != words[i - 1])
            bank[words[i] % BANKS]++;
    for (int b = 0; b < BANKS; b++)
        most = bank[b] > most ? bank[b] : most;
    return most;
}

static uint64_t wavefronts(const uint64_t *address, Mask mask, uint32_t bytes)
{
    unsigned lanes = bytes > 8 ? 8 : bytes > 4 ? 16 : 32;
    uint64_t total = 0;
    for (unsigned first = 0; first < LANES; first += lanes) {
        Mask part = mask & (Mask)(((1ull << lanes) - 1) << first);
        if (part)
            total += part_wavefronts(address, part, bytes);
    }
    return total;
}

/* One instruction of the hardware: what the lanes of mask ask for at once. */
static void count_request(Count *count, const uint64_t *address, Mask mask, uint32_t bytes, bool is_shared)
{
    count->requests++;
    count->lanes += (uint64_t)__builtin_popcount(mask);
    count->sectors += distinct_units(address, mask, bytes, SECTOR);
    count->ideal_sectors += (distinct_bytes(address, mask, bytes) + SECTOR - 1) / SECTOR;
    count->lines += distinct_units(address, mask, bytes, LINE);
    if (is_shared)
        count->bank_wavefronts += wavefronts(address, mask, bytes);
}

/* Moves in pieces that alignment and the widest instruction (16 bytes) permit. */
static void count_pieces(Count *count, const uint64_t *address, Mask mask, uint64_t bytes, unsigned align, bool is_shared)
{
    uint64_t moved[LANES];
    unsigned piece = WIDEST;
    while (piece > align && piece > 1)
        piece /= 2;
    for (uint64_t at = 0; at < bytes; at += piece) {
        while (piece > bytes - at)
            piece /= 2;
        for (int lane = 0; lane < LANES; lane++)
            moved[lane] = address[lane] + at;
        count_request(count, moved, mask, piece, is_shared);
    }
}

/* Code of the toolkit that was not inlined counts as the line that calls it. */
static uint32_t charged_line(const Ctx *c)
{
    uint32_t where = c->inst->where;
    for (const Frame *frame = c->frame; frame->up && !c->sim->image->where[where].users; frame = frame->up)
        where = frame->up->func->code[frame->return_pc - 1].where;
    return where;
}

static Count *count_get(const Ctx *c, uint32_t id, int space)
{
    struct Stats *stats = c->sim->stats;
    uint32_t where = charged_line(c);
    Count *count = &stats->count[(size_t)id * SPACE_COUNT + (size_t)space];
    while (count->used && count->where != where) {
        if (!count->next)
            count->next = ARENA_NEW(stats->arena, Count);
        count = count->next;
    }
    count->used = true;
    count->where = where;
    return count;
}

void stats_access(const Ctx *c, uint32_t id, AccessKind kind, const uint64_t *address, const Served *served, uint64_t bytes,
                  unsigned align)
{
    if (!c->sim->stats || !bytes)
        return;
    for (int s = 0; s < SPACE_COUNT; s++) {
        Mask part = 0;
        int lane;
        EACH_LANE(lane, served->mask)
            part |= (Mask)(served->space[lane] == (Space)s) << lane;
        if (!part)
            continue;
        Count *count = count_get(c, id, s);
        count->kind = kind;
        count->executions++;
        count->bytes = count->bytes > bytes ? count->bytes : bytes;
        count_pieces(count, address, part, bytes, align, s == SPACE_SHARED);
    }
}

/* ---- writing ---- */

static void text_quote(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
    putc('"', out);
}

static const char *const kind_names[] = {"load", "store", "atomic"};

static void numbers(FILE *out, const Count *count)
{
    fprintf(out,
            "\"executions\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"lanes\":%" PRIu64 ",\"sectors\":%" PRIu64
            ",\"ideal_sectors\":%" PRIu64 ",\"lines\":%" PRIu64 ",\"bank_wavefronts\":%" PRIu64 "}",
            count->executions, count->requests, count->lanes, count->sectors, count->ideal_sectors, count->lines,
            count->bank_wavefronts);
}

static void access_write(FILE *out, const Image *image, const Count *count, int space, bool first)
{
    const Where *where = &image->where[count->where];
    fputs(first ? "\n  {\"kernel\":" : ",\n  {\"kernel\":", out);
    text_quote(out, image->kernel->name);
    fputs(",\"file\":", out);
    text_quote(out, where->file);
    fprintf(out, ",\"line\":%u,\"column\":%u,\"op\":\"%s\",\"space\":\"%s\",\"bytes\":%" PRIu64 ",", where->line, where->column,
            kind_names[count->kind], space_names[space], count->bytes);
    numbers(out, count);
}

static void total_write(FILE *out, const Image *image, const Count *total, int kind, int space, bool first)
{
    fputs(first ? "\n  {\"kernel\":" : ",\n  {\"kernel\":", out);
    text_quote(out, image->kernel->name);
    fprintf(out, ",\"op\":\"%s\",\"space\":\"%s\",", kind_names[kind], space_names[space]);
    numbers(out, total);
}

static void count_add(Count *sum, const Count *count)
{
    sum->executions += count->executions;
    sum->requests += count->requests;
    sum->lanes += count->lanes;
    sum->sectors += count->sectors;
    sum->ideal_sectors += count->ideal_sectors;
    sum->lines += count->lines;
    sum->bank_wavefronts += count->bank_wavefronts;
}

bool stats_write(const struct Stats *stats, const Image *image, const char *path, const Sim *sim)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "coalda-sim: cannot write %s\n", path);
        return false;
    }
    Count total[3][SPACE_COUNT] = {0};
    bool first = true;
    fputs("{\"accesses\":[", out);
    for (unsigned i = 0; i < image->access_count * SPACE_COUNT; i++)
        for (const Count *count = &stats->count[i]; count && count->used; count = count->next) {
            access_write(out, image, count, (int)(i % SPACE_COUNT), first);
            count_add(&total[count->kind][i % SPACE_COUNT], count);
            first = false;
        }
    fputs("\n],\"totals\":[", out);
    first = true;
    for (int kind = 0; kind < 3; kind++)
        for (int space = 0; space < SPACE_COUNT; space++)
            if (total[kind][space].requests) {
                total_write(out, image, &total[kind][space], kind, space, first);
                first = false;
            }
    fprintf(out, "\n],\"thread_instructions\":%" PRIu64 ",\"seed\":%" PRIu64 "}\n", sim->lane_steps, sim->seed);
    return fclose(out) == 0;
}
