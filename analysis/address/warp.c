#include "analysis/address/integer.h"
#include "analysis/address/warp.h"

#include <stdlib.h>

/* Lanes' addresses in ascending order: nearly always they are already, or in descending one. */
static void sorted(const Warp *warp, int64_t at[WARP_LANES])
{
    for (int i = 0; i < warp->lanes; i++) {
        int64_t address = warp->at[i];
        int to = i;
        for (; to > 0 && at[to - 1] > address; to--)
            at[to] = at[to - 1];
        at[to] = address;
    }
}

Spans warp_spans(const Warp *warp, int bytes)
{
    Spans spans;
    int64_t at[WARP_LANES];
    sorted(warp, at);
    spans.count = 0;
    for (int i = 0; i < warp->lanes; i++) {
        if (i == 0 || (uint64_t)wrap_sub(at[i], at[i - 1]) > (uint64_t)bytes)
            spans.first[spans.count++] = at[i];
        spans.last[spans.count - 1] = wrap_add(at[i], bytes - 1);
    }
    return spans;
}

int spans_units(const Spans *spans, int64_t by, int unit)
{
    uint64_t covered = 0;
    int64_t next = INT64_MIN; /* first byte not covered yet */
    for (int i = 0; i < spans->count; i++) {
        int64_t first = wrap_add(spans->first[i], by) & -unit, last = wrap_add(spans->last[i], by) | (unit - 1);
        if (first < next)
            first = next;
        if (last >= first) {
            covered += (uint64_t)last - (uint64_t)first + 1;
            next = wrap_add(last, 1);
        }
    }
    return (int)(covered / (uint64_t)unit);
}

static int distinct_units(const Warp *warp, int bytes, int unit)
{
    Spans spans = warp_spans(warp, bytes);
    return spans_units(&spans, 0, unit);
}

int warp_sectors(const Warp *warp, int bytes) { return distinct_units(warp, bytes, SECTOR_BYTES); }
int warp_lines(const Warp *warp, int bytes) { return distinct_units(warp, bytes, LINE_BYTES); }

int warp_ideal_sectors(const Warp *warp, int bytes) { return (distinct_units(warp, bytes, 1) + SECTOR_BYTES - 1) / SECTOR_BYTES; }

/* ---- shared memory ---- */

/* Eight bytes a lane go in two half-warps, sixteen in four quarters. */
static int lanes_per_pass(int bytes) { return bytes <= 4 ? WARP_LANES : bytes <= 8 ? WARP_LANES / 2 : WARP_LANES / 4; }

/* Most distinct words of one bank among lanes [from, to). */
static int pass_ways(const Warp *warp, int bytes, int from, int to)
{
    enum { MOST_WORDS = 2 * WARP_LANES };
    int64_t word[BANKS][MOST_WORDS];
    int held[BANKS] = {0}, most = 0;
    for (int i = from; i < to; i++) {
        int64_t last = floor_div(wrap_add(warp->at[i], bytes - 1), BANK_BYTES);
        for (int64_t w = floor_div(warp->at[i], BANK_BYTES); w <= last; w++) {
            int bank = (int)((uint64_t)w % BANKS), seen = 0;
            while (seen < held[bank] && word[bank][seen] != w)
                seen++;
            if (seen == held[bank])
                word[bank][held[bank]++] = w;
            most = held[bank] > most ? held[bank] : most;
        }
    }
    return most;
}

typedef struct {
    int wavefronts, ways;
} Banks;

static Banks banks_of(const Warp *warp, int bytes)
{
    Banks sum = {0};
    int per_pass = lanes_per_pass(bytes);
    for (int from = 0, to; from < warp->lanes; from = to) {
        int group = warp->lane[from] / per_pass;
        for (to = from; to < warp->lanes && warp->lane[to] / per_pass == group;)
            to++;
        int ways = pass_ways(warp, bytes, from, to);
        sum.wavefronts += ways;
        sum.ways = ways > sum.ways ? ways : sum.ways;
    }
    return sum;
}

int warp_wavefronts(const Warp *warp, int bytes) { return banks_of(warp, bytes).wavefronts; }
int warp_ways(const Warp *warp, int bytes) { return banks_of(warp, bytes).ways; }

int warp_ideal_wavefronts(const Warp *warp, int bytes)
{
    int words = distinct_units(warp, bytes, BANK_BYTES);
    return (words + BANKS - 1) / BANKS;
}

/* ---- shape ---- */

static int times_seen(const Warp *warp, int64_t step)
{
    int times = 0;
    for (int i = 1; i < warp->lanes; i++)
        times += wrap_sub(warp->at[i], warp->at[i - 1]) == step;
    return times;
}

WarpStride warp_stride(const Warp *warp, int64_t *stride)
{
    enum { COMMON_SHARE = 4 }; /* one distance in four */
    int most = 0;
    *stride = 0;
    for (int i = 1; i < warp->lanes; i++) {
        int64_t step = wrap_sub(warp->at[i], warp->at[i - 1]);
        int times = step == 0 || step == *stride ? 0 : times_seen(warp, step);
        if (times > most) {
            most = times;
            *stride = step;
        }
    }
    if (COMMON_SHARE * most < warp->lanes - 1)
        *stride = 0;
    int times = times_seen(warp, *stride);
    if (times == warp->lanes - 1)
        return STRIDE_REGULAR;
    return COMMON_SHARE * times >= warp->lanes - 1 ? STRIDE_COMMON : STRIDE_NONE;
}

bool warp_is_dense(const Warp *warp, int bytes) { return warp_spans(warp, bytes).count <= 1; }
