/* The simulated address space. Every buffer and global variable has a window of 64 GiB of its own, so that a stray address still
 * names its buffer and all the rest of the window is redzone. Shared and local memory are windows too, as on hardware: the same
 * generic address means another place in each block, in each thread.
 * Pages come from mmap untouched, so that time and memory follow what the kernel touches. */
#include "sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Of Local.ok, beside the counts: what was there once. */
enum { GONE_RETURN = 0xff, GONE_SCOPE = 0xfe };
enum { LOCAL_FIRST = 64, LOCAL_MOST = 512 * 1024, LOCAL_START = 512, GRANULE = 8, OWNER_GRANULE = 16 };
const char *const space_names[SPACE_COUNT] = {"global", "shared", "local", "constant", "param"};

/* ---- mapping ---- */

static void *pages(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "coalda-sim: no memory for %" PRIu64 " bytes\n", bytes);
        exit(1);
    }
    return memory;
}

static uint64_t mapped(const Object *object) { return object->size + 64; }

/* undefined: what a fresh page means (flip). */
void object_map(Object *object, bool check, bool undefined)
{
    object->data = pages(mapped(object));
    object->undef = check ? pages(mapped(object)) : NULL;
    object->flip = undefined ? 0xff : 0;
}

void object_unmap(Object *object)
{
    if (object->data)
        munmap(object->data, mapped(object));
    if (object->undef)
        munmap(object->undef, mapped(object));
    object->data = object->undef = NULL;
}

static Object *window_add(Sim *sim, unsigned window, const char *name, uint64_t bytes)
{
    Object *object = ARENA_NEW(sim->arena, Object);
    object->base = GLOBAL_BASE + ((uint64_t)window << WINDOW_SHIFT) + WINDOW_MARGIN;
    object->size = bytes;
    object->name = name;
    object->argument = -1;
    object->id = window;
    sim->window[window] = object;
    if (window >= sim->windows)
        sim->windows = window + 1;
    return object;
}

/* Garbage, but the same for every module that runs with this seed. */
static void garbage(uint8_t *data, uint64_t bytes, uint64_t seed)
{
    enum { MOST = 64 << 20 };
    uint64_t state = random_seed(seed, 77);
    for (uint64_t i = 0; i + 8 <= bytes && bytes <= MOST; i += 8) {
        uint64_t word = random_next(&state);
        memcpy(data + i, &word, 8);
    }
}

static bool buffer_make(Sim *sim, unsigned index, const Arg *arg)
{
    Object *object = window_add(sim, index, arena_text(sim->arena, "buffer %u", index), arg->bytes);
    object->output = true;
    object->argument = (int)index;
    object_map(object, sim->check, arg->fill == FILL_NONE);
    sim->buffer[index] = object;
    sim->argument[index] = object->base;
    if (arg->fill == FILL_NONE)
        garbage(object->data, object->size, sim->seed);
    return arg_fill(arg, object->data);
}

static uint64_t arg_bits(const Sim *sim, const Arg *arg)
{
    return arg->kind == ARG_REF ? sim->buffer[arg->target]->base + arg->value : arg->value;
}

/* Requires: every buffer has its address. */
static void struct_fill(const Sim *sim, const Arg *arg, uint8_t *data)
{
    Arg member;
    uint64_t offset, end = 0;
    for (const char *items = arg->path; *items && arg_member(&items, &member, &offset, &end);)
        bytes_write(data + offset, (unsigned)(end - offset), arg_bits(sim, &member));
}

static bool buffers_make(Sim *sim)
{
    const Options *o = sim->options;
    sim->argument = ARENA_ARRAY(sim->arena, uint64_t, o->arg_count + 1);
    sim->buffer = ARENA_ARRAY(sim->arena, Object *, o->arg_count + 1);
    for (unsigned i = 0; i < o->arg_count; i++) {
        sim->argument[i] = o->args[i].value;
        if (o->args[i].kind == ARG_BUFFER && !buffer_make(sim, i, &o->args[i]))
            return false;
    }
    for (unsigned i = 0; i < o->arg_count; i++)
        if (o->args[i].kind == ARG_REF)
            sim->argument[i] = arg_bits(sim, &o->args[i]);
        else if (o->args[i].fill == FILL_STRUCT)
            struct_fill(sim, &o->args[i], sim->buffer[i]->data);
    return true;
}

static void variables_make(Sim *sim)
{
    const Image *image = sim->image;
    for (unsigned i = 0; i < image->variable_count; i++) {
        const Variable *v = &image->variable[i];
        if (v->space == 3)
            continue;
        Object *object = window_add(sim, image->first_window + i, v->name, v->bytes);
        object_map(object, sim->check, v->undefined);
        object->readonly = v->readonly;
        if (v->data)
            memcpy(object->data, v->data, v->bytes);
    }
}

bool memory_setup(Sim *sim)
{
    if (sim->image->first_window + sim->image->variable_count > WINDOWS) {
        fprintf(stderr, "coalda-sim: more than %u buffers and global variables\n", WINDOWS);
        return false;
    }
    variables_make(sim);
    return buffers_make(sim);
}

void memory_free(Sim *sim)
{
    for (unsigned i = 0; i < sim->windows; i++)
        if (sim->window[i])
            object_unmap(sim->window[i]);
}

/* ---- shared memory of a block ---- */

static void owner_set(Block *block, uint64_t from, uint64_t bytes, unsigned owner)
{
    for (uint64_t g = from / OWNER_GRANULE; g < (from + bytes + OWNER_GRANULE - 1) / OWNER_GRANULE; g++)
        block->shared_owner[g] = (uint16_t)owner;
}

bool shared_setup(Block *block)
{
    const Sim *sim = block->sim;
    const Image *image = sim->image;
    uint64_t bytes = image->shared_dynamic + sim->options->shared + SHARED_REDZONE;
    block->shared = (Object){.base = SHARED_BASE, .size = bytes, .name = "shared", .argument = -1};
    object_map(&block->shared, sim->check, true);
    garbage(block->shared.data, bytes, sim->seed + block->index);
    if (!sim->check)
        return true;
    block->shared_owner = calloc(bytes / OWNER_GRANULE + 2, sizeof *block->shared_owner);
    for (unsigned i = 0; i < image->variable_count; i++)
        if (image->variable[i].space == 3 && !image->variable[i].dynamic)
            owner_set(block, image->variable[i].address, image->variable[i].bytes, i + 1);
    if (sim->options->shared)
        owner_set(block, image->shared_dynamic, sim->options->shared, 0xffff);
    return block->shared_owner != NULL;
}

static bool shared_valid(const Block *block, uint64_t offset, uint64_t bytes)
{
    if (offset < SHARED_FIRST)      /* null and its neighbours, then what the toolkit reserves for itself */
        return offset >= SHARED_FIRST / 4 && offset + bytes <= SHARED_FIRST;
    if (offset + bytes > block->shared.size)
        return false;
    if (!block->shared_owner)
        return true;
    unsigned owner = block->shared_owner[offset / OWNER_GRANULE];
    if (owner == 0)
        return false;
    const Image *image = block->sim->image;
    uint64_t end = owner == 0xffff ? image->shared_dynamic + block->sim->options->shared
                                   : image->variable[owner - 1].address + image->variable[owner - 1].bytes;
    return offset + bytes <= end;
}

/* ---- local memory of a thread ---- */

static bool local_grow(Local *local, uint64_t need)
{
    if (need <= local->size)
        return true;
    if (need > LOCAL_MOST)
        return false;
    uint32_t size = local->size ? local->size : LOCAL_START;
    while (size < need)
        size *= 2;
    local->data = realloc(local->data, size);
    local->undef = realloc(local->undef, size);
    local->ok = realloc(local->ok, size / GRANULE);
    if (!local->data || !local->undef || !local->ok)
        abort();
    memset(local->data + local->size, 0x5a, size - local->size);
    memset(local->undef + local->size, 0xff, size - local->size);
    memset(local->ok + local->size / GRANULE, 0, (size - local->size) / GRANULE);
    local->size = size;
    return true;
}

void local_mark(Ctx *c, int lane, uint32_t offset, uint64_t bytes, bool valid)
{
    Local *local = &c->block->local[thread_index(c->warp, lane)];
    if (offset + bytes > local->size)
        return;
    memset(local->undef + offset, 0xff, bytes);
    for (uint64_t at = 0; at < bytes; at += GRANULE)
        local->ok[(offset + at) / GRANULE] = (uint8_t)(!valid ? GONE_SCOPE : bytes - at < GRANULE ? bytes - at : GRANULE);
}

uint32_t local_take(Ctx *c, int lane, uint64_t bytes, uint64_t align)
{
    Local *local = &c->block->local[thread_index(c->warp, lane)];
    uint64_t from = local->top ? local->top : LOCAL_FIRST;
    align = align < GRANULE ? GRANULE : align;
    from = (from + align - 1) / align * align;
    uint64_t end = from + (bytes + GRANULE - 1) / GRANULE * GRANULE + 2 * GRANULE;
    if (bytes > LOCAL_MOST || !local_grow(local, end)) {
        finding_add(c, lane, FIND_STACK, "%" PRIu64 " bytes more exceed the %d KiB of a thread's local memory", bytes,
                    LOCAL_MOST / 1024);
        return 0;
    }
    memset(local->ok + local->top / GRANULE, 0, (end - local->top) / GRANULE);
    local->top = (uint32_t)end;
    local_mark(c, lane, (uint32_t)from, bytes, true);
    return (uint32_t)from;
}

void local_drop(Ctx *c, int lane, uint32_t top)
{
    Local *local = &c->block->local[thread_index(c->warp, lane)];
    if (top >= local->top)
        return;
    for (uint32_t g = top / GRANULE; g < local->top / GRANULE; g++)
        if (local->ok[g])
            local->ok[g] = GONE_RETURN;
    local->top = top;
}

/* What is wrong with an access to these bytes; FIND_COUNT: nothing. */
static FindKind local_fault(const Local *local, uint64_t offset, uint64_t bytes)
{
    if (offset + bytes > local->size)
        return FIND_BOUNDS;
    for (uint64_t at = offset, end = offset + bytes; at < end;) {
        uint64_t next = at / GRANULE * GRANULE + GRANULE;
        uint64_t last = next < end ? next : end;
        uint8_t ok = local->ok[at / GRANULE];
        if (ok > GRANULE)
            return ok == GONE_RETURN ? FIND_RETURN : FIND_SCOPE;
        if (last - at / GRANULE * GRANULE > ok)
            return FIND_BOUNDS;
        at = last;
    }
    return FIND_COUNT;
}

/* ---- places ---- */

static const char *verb(AccessKind kind) { return kind == ACCESS_READ ? "load" : kind == ACCESS_WRITE ? "store" : "atomic"; }

static bool refuse(Ctx *c, int lane, FindKind find, uint64_t address, unsigned space, uint64_t bytes, AccessKind kind)
{
    char text[TEXT_SIZE];
    finding_add(c, lane, find, "%s of %" PRIu64 " bytes at %s", verb(kind), bytes,
                address_text(c, address, space, text, sizeof text));
    return false;
}

static bool place_shared(Ctx *c, uint64_t offset, uint64_t bytes, Place *place)
{
    Block *block = c->block;
    if (!shared_valid(block, offset, bytes))
        return false;
    *place = (Place){block->shared.data + offset,
                     block->shared.undef ? block->shared.undef + offset : NULL,
                     0xff,
                     SPACE_SHARED,
                     &block->shared,
                     offset};
    return true;
}

static bool place_local(Ctx *c, int lane, uint64_t offset, uint64_t bytes, AccessKind kind, Place *place)
{
    Local *local = &c->block->local[thread_index(c->warp, lane)];
    FindKind fault = local_fault(local, offset, bytes);
    if (fault != FIND_COUNT)
        return refuse(c, lane, fault, LOCAL_BASE + offset, 0, bytes, kind);
    *place = (Place){local->data + offset,
                     c->sim->check ? local->undef + offset : NULL,
                     0,
                     offset < local->param_end ? SPACE_PARAM : SPACE_LOCAL,
                     NULL,
                     offset};
    return true;
}

static bool place_window(Ctx *c, int lane, uint64_t address, uint64_t bytes, AccessKind kind, Place *place)
{
    uint64_t window = (address - GLOBAL_BASE) >> WINDOW_SHIFT;
    Object *object = window < c->sim->windows ? c->sim->window[window] : NULL;
    if (!object || address - object->base > object->size || bytes > object->size - (address - object->base))
        return false;
    uint64_t offset = address - object->base;
    if (kind != ACCESS_READ && object->readonly)
        return refuse(c, lane, FIND_READONLY, address, 0, bytes, kind);
    *place = (Place){object->data + offset,
                     object->undef ? object->undef + offset : NULL,
                     object->flip,
                     object->readonly ? SPACE_CONSTANT : SPACE_GLOBAL,
                     object,
                     offset};
    return true;
}

bool place_find(Ctx *c, int lane, uint64_t address, unsigned space, uint64_t bytes, unsigned align, AccessKind kind, Place *place)
{
    uint64_t generic = address + (space == 3 || space == 7 ? SHARED_BASE : space == 5 ? LOCAL_BASE : 0);
    if (c->sim->check && align > 1 && generic & (align - 1)) {
        char text[TEXT_SIZE];
        finding_add(c, lane, FIND_ALIGN, "%s of %" PRIu64 " bytes at %s needs alignment %u", verb(kind), bytes,
                    address_text(c, address, space, text, sizeof text), align);
        return false;
    }
    if (generic - GLOBAL_BASE < (uint64_t)WINDOWS << WINDOW_SHIFT && space != 3 && space != 5) {
        uint64_t before = findings_count(c->sim->findings);
        if (place_window(c, lane, generic, bytes, kind, place))
            return true;
        return findings_count(c->sim->findings) == before ? refuse(c, lane, FIND_BOUNDS, address, space, bytes, kind) : false;
    }
    if (generic - SHARED_BASE < SPACE_WINDOW && space != 5 && space != 1) {
        if (place_shared(c, generic - SHARED_BASE, bytes, place))
            return true;
    } else if (generic - LOCAL_BASE < SPACE_WINDOW && space != 3 && space != 1) {
        return place_local(c, lane, generic - LOCAL_BASE, bytes, kind, place);
    }
    return refuse(c, lane, FIND_BOUNDS, address, space, bytes, kind);
}

uint64_t bytes_read(const uint8_t *data, unsigned bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 4: {
        uint32_t word;
        memcpy(&word, data, 4);
        return word;
    }
    case 8: memcpy(&value, data, 8); return value;
    case 1: return *data;
    default: memcpy(&value, data, bytes); return value;
    }
}

void bytes_write(uint8_t *data, unsigned bytes, uint64_t value)
{
    switch (bytes) {
    case 4: {
        uint32_t word = (uint32_t)value;
        memcpy(data, &word, 4);
        break;
    }
    case 8: memcpy(data, &value, 8); break;
    case 1: *data = (uint8_t)value; break;
    default: memcpy(data, &value, bytes);
    }
}
