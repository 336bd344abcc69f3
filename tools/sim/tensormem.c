/* Matrices between lanes and memory: ldmatrix, stmatrix, wmma.load and wmma.store. In memory a matrix consists of lines, which are
 * rows or columns. A line is read by the lane that gives its address (wmma, where all lanes give the first line's: the i-th line
 * by lane i), and each of its numbers by the lanes that get it; each number is written by the lane that brings it. None of these
 * instructions orders memory: what another lane of the warp wrote wants a __syncwarp before. */
#include "tensor.h"

enum { LINE_ALIGN = 16, FIRST_ALIGN = 32 };

typedef struct {
    Mask found;
    Place place[LANES];
} Lines;

static unsigned bytes_of(const Tensor *tensor) { return tensor->part[tensor->moved].bits / 8u; }

static unsigned line_count(const Tensor *tensor)
{
    const Part *part = &tensor->part[tensor->moved];
    return tensor->crossed ? (unsigned)part->rows / tensor->block * part->columns : part->rows;
}

static unsigned line_bytes(const Tensor *tensor)
{
    return bytes_of(tensor) * (tensor->crossed ? tensor->block : tensor->part[tensor->moved].columns);
}

/* ---- lines ---- */

static uint64_t line_address(const Ctx *c, const Tensor *tensor, int line)
{
    uint64_t stride = tensor->by_lane ? 0 : (uint32_t)ref_value(c, tensor->stride)[line];
    return ref_value(c, tensor->address)[line] + (uint64_t)line * stride * bytes_of(tensor);
}

/* Of wmma PTX wants what a lane holds, at most 32 bytes; for lines behind the first CUDA wants 16 of these. */
static unsigned line_align(const Tensor *tensor, int line)
{
    const Part *part = &tensor->part[tensor->moved];
    unsigned wants = (unsigned)part->slots * part->per * bytes_of(tensor), most = line ? LINE_ALIGN : FIRST_ALIGN;
    return tensor->by_lane ? LINE_ALIGN : wants < most ? wants : most;
}

static void same_address_check(const Crew *crew, const Tensor *tensor)
{
    int lane, first = __builtin_ctz(crew->mask);
    Ctx *with = crew->lane[first];
    EACH_LANE(lane, crew->mask) {
        Ctx *c = crew->lane[lane];
        if (ref_value(c, tensor->address)[lane] == ref_value(with, tensor->address)[first] &&
            (uint32_t)ref_value(c, tensor->stride)[lane] == (uint32_t)ref_value(with, tensor->stride)[first])
            continue;
        finding_add(c, lane, FIND_SYNC, "lanes %d and %d give different addresses, or strides, of one matrix", first, lane);
        return;
    }
}

/* Matrices lie in shared memory, those of wmma in global memory as well. */
static bool space_good(Ctx *c, int lane, const Tensor *tensor, const Place *place)
{
    if (place->space == SPACE_SHARED || (!tensor->by_lane && place->object))
        return true;
    finding_add(c, lane, FIND_BOUNDS, "a matrix lies in %s memory", space_names[place->space]);
    return false;
}

static void lines_find(const Crew *crew, const Tensor *tensor, AccessKind kind, Lines *lines)
{
    unsigned count = line_count(tensor), bytes = line_bytes(tensor);
    uint64_t address[LANES] = {0};
    Served served = {0};
    int lane;
    if (!tensor->by_lane && crew->lane[__builtin_ctz(crew->mask)]->sim->check)
        same_address_check(crew, tensor);
    EACH_LANE(lane, crew->mask & (Mask)width_ones(count)) {
        Ctx *c = crew->lane[lane];
        Place *place = &lines->place[lane];
        if (!address_good(c, lane, tensor->address, "matrix") || !address_good(c, lane, tensor->stride, "matrix"))
            continue;
        address[lane] = line_address(c, tensor, lane);
        if (!place_find(c, lane, address[lane], tensor->access->space, bytes, line_align(tensor, lane), kind, place) ||
            !space_good(c, lane, tensor, place))
            continue;
        served_add(&served, lane, place->space);
        if (kind == ACCESS_READ)
            access_touch(c, lane, place, bytes, kind, tensor->access);
    }
    lines->found = served.mask;
    if (crew->mask)
        stats_access(crew->lane[__builtin_ctz(crew->mask)], tensor->access->id, kind, address, &served, bytes, LINE_ALIGN);
}

/* ---- numbers ---- */

/* Where the index-th number of a lane lies; false: its line was not found. */
static bool number_place(const Tensor *tensor, const Lines *lines, int lane, unsigned index, Place *place)
{
    unsigned row, column, line, at;
    part_where(&tensor->part[tensor->moved], lane, index, &row, &column);
    line = tensor->crossed ? row / tensor->block * tensor->block + column : row;
    at = (tensor->crossed ? row % tensor->block : column) * bytes_of(tensor);
    *place = lines->place[line];
    if (!(lines->found >> line & 1))
        return false;
    place->data += at;
    place->undef = place->undef ? place->undef + at : NULL;
    place->offset += at;
    return true;
}

/* The first of those that lie side by side says that all are touched. */
static void number_touch(const Crew *crew, const Tensor *tensor, int lane, unsigned index, const Place *place, AccessKind kind)
{
    unsigned together = tensor->crossed ? 1 : tensor->part[tensor->moved].run;
    if (index % together == 0)
        access_touch(crew->lane[lane], lane, place, together * bytes_of(tensor), kind, tensor->access);
}

void tensor_load(const Crew *crew, const Tensor *tensor)
{
    const Part *part = &tensor->part[tensor->moved];
    unsigned bytes = bytes_of(tensor);
    Lines lines = {0};
    int lane;
    lines_find(crew, tensor, ACCESS_READ, &lines);
    EACH_LANE(lane, crew->mask) {
        uint64_t bits[PART_MOST] = {0}, undef[PART_MOST] = {0};
        for (unsigned i = 0; i < part_held(part); i++) {
            Place place;
            if (!number_place(tensor, &lines, lane, i, &place))
                continue;
            number_touch(crew, tensor, lane, i, &place, ACCESS_READ);
            bits[i] = bytes_read(place.data, bytes);
            if (place.undef)
                undef[i] = (bytes_read(place.undef, bytes) ^ (place.flip ? ~0ull : 0)) & width_ones(part->bits);
        }
        numbers_put(crew, lane, part, bits, undef);
    }
}

void tensor_store(const Crew *crew, const Tensor *tensor)
{
    const Part *part = &tensor->part[tensor->moved];
    unsigned bytes = bytes_of(tensor);
    Lines lines = {0};
    int lane;
    lines_find(crew, tensor, ACCESS_WRITE, &lines);
    EACH_LANE(lane, crew->mask)
        for (unsigned i = 0; i < part_held(part); i++) {
            Place place;
            uint64_t undef, bits = number_get(crew, lane, part, i, &undef);
            if (!number_place(tensor, &lines, lane, i, &place))
                continue;
            if (undef && place.space == SPACE_GLOBAL)
                finding_add(crew->lane[lane], lane, FIND_UNDEF_STORE, "%u bytes of a matrix", bytes);
            number_touch(crew, tensor, lane, i, &place, ACCESS_WRITE);
            bytes_write(place.data, bytes, bits);
            if (place.undef)
                bytes_write(place.undef, bytes, undef ^ (place.flip ? ~0ull : 0));
        }
}
