/* Findings: one line each on stderr. The same kind at the same instruction is told three times, then counted. */
#include "sim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { TOLD = 3 };

typedef struct {
    FindKind kind;
    const Inst *inst;
    uint64_t count;
} Told;

struct Findings {
    Arena *arena;
    uint64_t seed, total;
    List told;
};

static const char *const kind_names[] = {
#define X(name, text) text,
    FINDINGS(X)
#undef X
};

Findings *findings_new(Arena *arena, uint64_t seed)
{
    Findings *findings = ARENA_NEW(arena, Findings);
    *findings = (Findings){.arena = arena, .seed = seed, .told = list_new(arena)};
    return findings;
}

uint64_t findings_count(const Findings *findings) { return findings->total; }

static Told *told_get(Findings *findings, FindKind kind, const Inst *inst)
{
    for (size_t i = 0; i < findings->told.count; i++) {
        Told *told = findings->told.item[i];
        if (told->kind == kind && told->inst == inst)
            return told;
    }
    Told *told = ARENA_NEW(findings->arena, Told);
    *told = (Told){kind, inst, 0};
    list_add(&findings->told, told);
    return told;
}

const char *where_text(const Sim *sim, uint32_t where, char *buffer, size_t size)
{
    const Where *w = &sim->image->where[where];
    if (*w->file)
        snprintf(buffer, size, "%s:%u:%u", w->file, w->line, w->column);
    else
        snprintf(buffer, size, "unknown line");
    return buffer;
}

static const char *variable_at(const Image *image, uint64_t offset, uint64_t *start)
{
    const Variable *best = NULL;
    for (unsigned i = 0; i < image->variable_count; i++) {
        const Variable *v = &image->variable[i];
        if (v->space == 3 && v->address <= offset && (!best || v->address >= best->address))
            best = v;
    }
    *start = best ? best->address : 0;
    return best ? best->name : "";
}

static const char *global_text(const Ctx *c, uint64_t address, char *buffer, size_t size)
{
    uint64_t window = (address - GLOBAL_BASE) >> WINDOW_SHIFT;
    const Object *object = address >= GLOBAL_BASE && window < c->sim->windows ? c->sim->window[window] : NULL;
    if (!object) {
        snprintf(buffer, size, address < 4096 ? "null+%" PRIu64 : "address 0x%" PRIx64, (uint64_t)address);
        return buffer;
    }
    int64_t offset = (int64_t)(address - object->base);
    snprintf(buffer, size, "%s%+" PRId64 " (of %" PRIu64 " bytes)", object->name, offset, object->size);
    return buffer;
}

const char *address_text(const Ctx *c, uint64_t address, unsigned space, char *buffer, size_t size)
{
    if (space == 3 || space == 7)
        address += SHARED_BASE;
    else if (space == 5)
        address += LOCAL_BASE;
    uint64_t start;
    if (address - SHARED_BASE < SPACE_WINDOW) {
        const char *name = variable_at(c->sim->image, address - SHARED_BASE, &start);
        snprintf(buffer, size, "shared %s+%" PRIu64, name, (uint64_t)(address - SHARED_BASE - start));
    } else if (address - LOCAL_BASE < SPACE_WINDOW) {
        snprintf(buffer, size, "local+%" PRIu64, (uint64_t)(address - LOCAL_BASE));
    } else {
        global_text(c, address, buffer, size);
    }
    return buffer;
}

static void thread_text(const Ctx *c, int lane, Text *line)
{
    if (!c->warp)
        return;
    Dim b = c->sim->options->block, id = c->block->id;
    uint32_t t = thread_index(c->warp, lane);
    text_add(line, ", thread (%u,%u,%u) block (%u,%u,%u)", t % b.x, t / b.x % b.y, t / b.x / b.y, id.x, id.y, id.z);
}

void finding_add(const Ctx *c, int lane, FindKind kind, const char *format, ...)
{
    Findings *findings = c->sim->findings;
    findings->total++;
    Told *told = told_get(findings, kind, c->inst);
    if (++told->count > TOLD)
        return;
    Text line = text_new(c->sim->arena);
    va_list args;
    va_start(args, format);
    text_add(&line, "coalda-sim: %s: ", kind_names[kind]);
    text_add_v(&line, format, args);
    va_end(args);
    thread_text(c, lane, &line);
    char where[TEXT_SIZE];
    if (c->inst)
        text_add(&line, ", %s", where_text(c->sim, c->inst->where, where, sizeof where));
    text_add(&line, ", seed %" PRIu64, findings->seed);
    fflush(stdout);
    fprintf(stderr, "%s\n", line.data);
}

void findings_summary(const Findings *findings)
{
    for (size_t i = 0; i < findings->told.count; i++) {
        const Told *told = findings->told.item[i];
        if (told->count > TOLD)
            fprintf(stderr, "coalda-sim: %s: %" PRIu64 " more of the same instruction, seed %" PRIu64 "\n", kind_names[told->kind],
                    told->count - TOLD, findings->seed);
    }
}
