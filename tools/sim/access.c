/* Loads, stores, copies of blocks of bytes, stack objects. */
#include "sim.h"

#include <string.h>

enum { COPY_PIECE = 8 };

bool is_strong(const Access *access) { return access && (access->order != ORDER_PLAIN || access->is_volatile); }

bool address_good(Ctx *c, int lane, uint32_t ref, const char *what)
{
    if (!c->sim->check)
        return true;
    Taint taint = ref_taint(c, ref);
    if (!(taint.dirty >> lane & 1))
        return true;
    finding_add(c, lane, taint.poison >> lane & 1 ? FIND_POISON : FIND_UNDEF_ADDRESS, "the address of a %s", what);
    return false;
}

void access_touch(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind, const Access *access)
{
    if (!c->sim->check || !place->object)
        return;
    if (c->block->async)
        async_touch(c, lane, place, bytes, kind);
    if (place->space == SPACE_GLOBAL || place->space == SPACE_SHARED)
        race_access(c, lane, place, bytes, kind, access);
}

/* The hardware's atomics want their natural alignment, whatever the IR promises. */
static unsigned align_needed(const Access *access, AccessKind kind)
{
    return kind == ACCESS_ATOMIC && access->align < access->bytes ? access->bytes : access->align;
}

void access_run(Ctx *c, AccessKind kind, Serve *serve)
{
    static const char *const names[] = {"load", "store", "atomic"};
    const Access *access = c->inst->ext;
    const uint64_t *address = ref_value(c, c->inst->src[0]);
    unsigned align = align_needed(access, kind);
    Served served = {0};
    int lane;
    EACH_LANE(lane, c->mask) {
        Place place;
        bool found = address_good(c, lane, c->inst->src[0], names[kind]) &&
                     place_find(c, lane, address[lane], access->space, access->bytes, align, kind, &place);
        serve(c, lane, access, found ? &place : NULL);
        if (found)
            served_add(&served, lane, place.space);
    }
    stats_access(c, access->id, kind, address, &served, access->bytes, align);
}

/* ---- load ---- */

static void load_failed(Ctx *c, int lane, const Access *access)
{
    for (unsigned i = 0; i < access->count; i++) {
        c->frame->value[(size_t)access->piece[i].ref * LANES + lane] = 0;
        if (c->sim->check)
            result_taint(c, access->piece[i].ref, lane, 0, false);
    }
}

static void load_pieces(Ctx *c, int lane, const Access *access, const Place *place)
{
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        uint64_t m = width_ones(piece->width);
        c->frame->value[(size_t)piece->ref * LANES + lane] = bytes_read(place->data + piece->offset, piece->bytes) & m;
        if (!place->undef)
            continue;
        uint64_t undef = (bytes_read(place->undef + piece->offset, piece->bytes) ^ (place->flip ? ~0ull : 0)) & m;
        Taint *taint = &c->frame->taint[piece->ref];
        if (undef || (taint->dirty >> lane & 1))
            result_taint(c, piece->ref, lane, undef, false);
    }
}

static void load_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!place) {
        load_failed(c, lane, access);
        return;
    }
    access_touch(c, lane, place, access->bytes, ACCESS_READ, access);
    load_pieces(c, lane, access, place);
    if (is_strong(access) && c->sim->check)
        race_acquire(c, lane, place);
}

void op_load(Ctx *c) { access_run(c, ACCESS_READ, load_lane); }

/* Nobody says what becomes of a prefetch from where there is no memory; hardware lets it pass, as far as is known. */
void op_prefetch(Ctx *c)
{
    const uint64_t *address = ref_value(c, c->inst->src[0]);
    int lane;
    Place place;
    EACH_LANE(lane, c->sim->options->strict ? c->mask : 0)
        if (address_good(c, lane, c->inst->src[0], "prefetch"))
            place_find(c, lane, address[lane], 0, 1, 1, ACCESS_READ, &place);
}

/* ---- store ---- */

/* Padding that comes along in a copy is no fault: then only a value without one defined byte is told. */
static bool store_suspect(const Ctx *c, int lane, const Access *access)
{
    bool any = false, all = true;
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        Taint taint = ref_taint(c, piece->ref);
        uint64_t undef = taint.dirty >> lane & 1 ? ref_undef(c, piece->ref)[lane] : 0;
        any |= undef != 0;
        for (unsigned byte = 0; byte < piece->bytes; byte++) {
            uint64_t full = 255ull << 8 * byte & width_ones(piece->width);
            all &= (undef & full) == full;
        }
    }
    return any && (all || c->sim->options->strict || (access->count == 1 && !(c->inst->flags & FLAG_COPIED) && access->bytes <= 4));
}

static bool store_poisoned(const Ctx *c, int lane, const Access *access)
{
    for (unsigned i = 0; i < access->count; i++)
        if (ref_taint(c, access->piece[i].ref).poison >> lane & 1)
            return true;
    return false;
}

static void store_check(Ctx *c, int lane, const Access *access, const Place *place, uint64_t address)
{
    char text[TEXT_SIZE];
    Mask dirty = 0;
    for (unsigned i = 0; i < access->count; i++)
        dirty |= ref_taint(c, access->piece[i].ref).dirty;
    if (!(dirty >> lane & 1))
        return;
    if (store_poisoned(c, lane, access))
        finding_add(c, lane, FIND_POISON, "a store of %u bytes of poison at %s", access->bytes,
                    address_text(c, address, access->space, text, sizeof text));
    else if (place->space == SPACE_GLOBAL && store_suspect(c, lane, access))
        finding_add(c, lane, FIND_UNDEF_STORE, "%u bytes at %s", access->bytes,
                    address_text(c, address, access->space, text, sizeof text));
}

static void store_pieces(Ctx *c, int lane, const Access *access, const Place *place)
{
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        bytes_write(place->data + piece->offset, piece->bytes, ref_value(c, piece->ref)[lane]);
        if (!place->undef)
            continue;
        Taint taint = ref_taint(c, piece->ref);
        uint64_t undef = taint.dirty >> lane & 1 ? ref_undef(c, piece->ref)[lane] : 0;
        bytes_write(place->undef + piece->offset, piece->bytes, undef ^ (place->flip ? ~0ull : 0));
    }
}

static void store_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!place)
        return;
    if (c->sim->check) {
        store_check(c, lane, access, place, ref_value(c, c->inst->src[0])[lane]);
        access_touch(c, lane, place, access->bytes, ACCESS_WRITE, access);
        if (is_strong(access))
            race_release(c, lane, place);
    }
    store_pieces(c, lane, access, place);
}

void op_store(Ctx *c) { access_run(c, ACCESS_WRITE, store_lane); }

/* ---- blocks of bytes ---- */

static void copy_lane(Ctx *c, int lane, const Place *to, const Place *from, uint64_t bytes)
{
    access_touch(c, lane, from, bytes, ACCESS_READ, NULL);
    access_touch(c, lane, to, bytes, ACCESS_WRITE, NULL);
    memmove(to->data, from->data, bytes);
    if (!to->undef || !from->undef)
        return;
    memmove(to->undef, from->undef, bytes);
    if (to->flip != from->flip)
        for (uint64_t i = 0; i < bytes; i++)
            to->undef[i] ^= 0xff;
}

/* The backend moves blocks of bytes in pieces of at most 8 bytes, as the alignment of both sides permits. */
static unsigned copy_align(const Access *access)
{
    unsigned both = access->align2 < access->align ? access->align2 : access->align;
    return both < COPY_PIECE ? both : COPY_PIECE;
}

void op_memcpy(Ctx *c)
{
    const Access *access = c->inst->ext;
    const uint64_t *to = ref_value(c, c->inst->src[0]), *from = ref_value(c, c->inst->src[1]),
                   *bytes = ref_value(c, c->inst->src[2]);
    Served written = {0}, read = {0};
    uint64_t most = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        Place target, source;
        if (bytes[lane] == 0 || !address_good(c, lane, c->inst->src[0], "copy") ||
            !address_good(c, lane, c->inst->src[1], "copy") ||
            !place_find(c, lane, from[lane], access->space2, bytes[lane], access->align2, ACCESS_READ, &source) ||
            !place_find(c, lane, to[lane], access->space, bytes[lane], access->align, ACCESS_WRITE, &target))
            continue;
        copy_lane(c, lane, &target, &source, bytes[lane]);
        served_add(&written, lane, target.space);
        served_add(&read, lane, source.space);
        most = bytes[lane] > most ? bytes[lane] : most;
    }
    stats_access(c, access->ok_slot, ACCESS_READ, from, &read, most, copy_align(access));
    stats_access(c, access->id, ACCESS_WRITE, to, &written, most, copy_align(access));
}

void op_memset(Ctx *c)
{
    const Access *access = c->inst->ext;
    const uint64_t *to = ref_value(c, c->inst->src[0]), *value = ref_value(c, c->inst->src[1]),
                   *bytes = ref_value(c, c->inst->src[2]);
    Served served = {0};
    uint64_t most = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        Place place;
        if (bytes[lane] == 0 || !address_good(c, lane, c->inst->src[0], "memset") ||
            !place_find(c, lane, to[lane], access->space, bytes[lane], access->align, ACCESS_WRITE, &place))
            continue;
        access_touch(c, lane, &place, bytes[lane], ACCESS_WRITE, NULL);
        memset(place.data, (int)value[lane], bytes[lane]);
        if (place.undef)
            memset(place.undef, tainted(c, c->inst->src[1], 1u << lane) ? ~place.flip & 255 : place.flip, bytes[lane]);
        served_add(&served, lane, place.space);
        most = bytes[lane] > most ? bytes[lane] : most;
    }
    stats_access(c, access->id, ACCESS_WRITE, to, &served, most, access->align < COPY_PIECE ? access->align : COPY_PIECE);
}

/* ---- stack ---- */

void op_alloca(Ctx *c)
{
    const Inst *inst = c->inst;
    const uint64_t *count = ref_value(c, inst->src[0]), *align = ref_value(c, inst->src[1]);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t offset = local_take(c, lane, count[lane] * (uint64_t)inst->imm, align[lane]);
        c->frame->value[(size_t)inst->dst * LANES + lane] = offset + (inst->from == 5 ? 0 : LOCAL_BASE);
    }
    if (c->sim->check)
        result_defined(c, inst->dst, c->mask);
}

void op_lifetime(Ctx *c)
{
    const uint64_t *address = ref_value(c, c->inst->src[0]);
    uint64_t base = c->inst->from == 5 ? 0 : LOCAL_BASE;
    int lane;
    EACH_LANE(lane, c->mask)
        local_mark(c, lane, (uint32_t)(address[lane] - base), (uint64_t)c->inst->imm, c->inst->width);
}

void op_stacksave(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask)
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = c->block->local[thread_index(c->warp, lane)].top;
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
}

void op_stackrestore(Ctx *c)
{
    const uint64_t *top = ref_value(c, c->inst->src[0]);
    int lane;
    EACH_LANE(lane, c->mask)
        local_drop(c, lane, (uint32_t)top[lane]);
}

void op_isspace(Ctx *c)
{
    const uint64_t *address = ref_value(c, c->inst->src[0]);
    uint64_t *result = ref_value(c, c->inst->dst);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint64_t a = address[lane];
        bool shared = a - SHARED_BASE < SPACE_WINDOW, local = a - LOCAL_BASE < SPACE_WINDOW;
        uint64_t window = (a - GLOBAL_BASE) >> WINDOW_SHIFT;
        const Object *object = a >= GLOBAL_BASE && window < c->sim->windows ? c->sim->window[window] : NULL;
        bool constant = object && object->readonly;
        switch (c->inst->imm) {
        case 1: result[lane] = !shared && !local && !constant; break;
        case 3: result[lane] = shared; break;
        case 4: result[lane] = constant; break;
        default: result[lane] = local;
        }
    }
    if (c->sim->check)
        shadow_alu(
            &(Ctx){
                c->sim, c->warp, c->block, c->fragment, c->frame,
                &(Inst){.op = OP_UCMP, .width = 1, .from = 64, .dst = c->inst->dst, .src = {c->inst->src[0], REF_CONST, REF_CONST}},
                c->mask},
            c->mask);
}

/* ---- the device heap ---- */

void op_malloc(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask) {
        Sim *sim = c->sim;
        uint64_t bytes = ref_value(c, c->inst->src[0])[lane];
        if (sim->windows == WINDOWS) {
            c->frame->value[(size_t)c->inst->dst * LANES + lane] = 0;
            continue;
        }
        Object *object = ARENA_NEW(sim->arena, Object);
        *object = (Object){.base = GLOBAL_BASE + ((uint64_t)sim->windows << WINDOW_SHIFT) + WINDOW_MARGIN,
                           .size = bytes,
                           .name = "heap",
                           .argument = -1};
        object_map(object, sim->check, true);
        sim->window[sim->windows++] = object;
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = object->base;
    }
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
}

void op_free(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask) {
        uint64_t window = (ref_value(c, c->inst->src[0])[lane] - GLOBAL_BASE) >> WINDOW_SHIFT;
        if (window < c->sim->windows && c->sim->window[window] && c->sim->window[window]->argument < 0)
            c->sim->window[window]->size = 0;
    }
}
