#include "clock.h"

#include <stdlib.h>
#include <string.h>

static uint32_t position(const Clock *clock, uint64_t key)
{
    uint32_t low = 0, high = clock->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (clock->entry[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reserve(Clock *clock, uint32_t count)
{
    if (count <= clock->capacity)
        return;
    clock->capacity = count < 8 ? 8 : 2 * count;
    clock->entry = realloc(clock->entry, clock->capacity * sizeof *clock->entry);
    if (!clock->entry)
        abort();
}

void clock_put(Clock *clock, uint64_t key, uint32_t time)
{
    uint32_t at = position(clock, key);
    if (at < clock->count && clock->entry[at].key == key) {
        if (clock->entry[at].time < time)
            clock->entry[at].time = time;
        return;
    }
    reserve(clock, clock->count + 1);
    memmove(clock->entry + at + 1, clock->entry + at, (clock->count - at) * sizeof *clock->entry);
    clock->entry[at] = (Entry){key, time};
    clock->count++;
}

void clock_merge(Clock *clock, const Clock *other)
{
    if (clock->count + other->count < 8 || other->count < 4) {
        for (uint32_t i = 0; i < other->count; i++)
            clock_put(clock, other->entry[i].key, other->entry[i].time);
        return;
    }
    Clock merged = {0};
    reserve(&merged, clock->count + other->count);
    uint32_t a = 0, b = 0;
    while (a < clock->count || b < other->count) {
        bool from_a = b == other->count || (a < clock->count && clock->entry[a].key <= other->entry[b].key);
        Entry next = from_a ? clock->entry[a] : other->entry[b];
        if (from_a && b < other->count && other->entry[b].key == next.key) {
            next.time = next.time > other->entry[b].time ? next.time : other->entry[b].time;
            b++;
        }
        a += from_a;
        b += !from_a;
        merged.entry[merged.count++] = next;
    }
    clock_clear(clock);
    *clock = merged;
}

uint32_t clock_get(const Clock *clock, uint64_t key)
{
    uint32_t at = position(clock, key);
    return at < clock->count && clock->entry[at].key == key ? clock->entry[at].time : 0;
}

void clock_clear(Clock *clock)
{
    free(clock->entry);
    *clock = (Clock){0};
}
