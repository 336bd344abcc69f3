#include "pass/base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/base/invariant.h"

enum { CHUNK_BYTES = 1 << 16, FIRST_SLOTS = 64 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char data[];
} Chunk;

struct Arena {
    Chunk *chunk;
};

static void *memory_or_die(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        fputs("coalda: out of memory\n", stderr);
        abort();
    }
    return memory;
}

Arena *arena_new(void) { return memory_or_die(sizeof(Arena)); }

void arena_free(Arena *arena)
{
    for (Chunk *chunk = arena->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

void *arena_alloc(Arena *arena, size_t bytes)
{
    size_t need = (bytes + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    Chunk *chunk = arena->chunk;
    if (!chunk || chunk->size - chunk->used < need) {
        size_t size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
        chunk = memory_or_die(sizeof(Chunk) + size);
        chunk->size = size;
        chunk->next = arena->chunk;
        arena->chunk = chunk;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += need;
    return memory;
}

ArenaMark arena_mark(const Arena *arena)
{
    Chunk *chunk = arena->chunk;
    return (ArenaMark){chunk, chunk ? chunk->used : 0};
}

void arena_back(Arena *arena, ArenaMark mark)
{
    while (arena->chunk && arena->chunk != mark.chunk) {
        Chunk *chunk = arena->chunk;
        arena->chunk = chunk->next;
        free(chunk);
    }
    Chunk *chunk = arena->chunk;
    if (!chunk)
        return;
    memset(chunk->data + mark.used, 0, chunk->used - mark.used);
    chunk->used = mark.used;
}

char *arena_copy(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_text(Arena *arena, const char *format, ...)
{
    Text text = text_new(arena);
    va_list args;
    va_start(args, format);
    text_add_v(&text, format, args);
    va_end(args);
    return text.data;
}

List list_new(Arena *arena) { return (List){.arena = arena}; }

List *list_make(Arena *arena)
{
    List *list = ARENA_NEW(arena, List);
    *list = list_new(arena);
    return list;
}

void list_add(List *list, void *item)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        void **items = ARENA_ARRAY(list->arena, void *, capacity);
        if (list->count)
            memcpy(items, list->item, list->count * sizeof *items);
        list->item = items;
        list->capacity = capacity;
    }
    list->item[list->count++] = item;
}

/* Open addressing with linear steps; at most half full; keys are never NULL. */
struct Map {
    Arena *arena;
    const void **key;
    void **value;
    size_t count, slots;
};

static size_t map_slot(const Map *map, const void *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 20) & (map->slots - 1);
    while (map->key[slot] && map->key[slot] != key)
        slot = (slot + 1) & (map->slots - 1);
    return slot;
}

static void map_grow(Map *map, size_t slots)
{
    Map old = *map;
    map->slots = slots;
    map->key = ARENA_ARRAY(map->arena, const void *, slots);
    map->value = ARENA_ARRAY(map->arena, void *, slots);
    for (size_t i = 0; i < old.slots; i++) {
        if (!old.key[i])
            continue;
        size_t slot = map_slot(map, old.key[i]);
        map->key[slot] = old.key[i];
        map->value[slot] = old.value[i];
    }
}

Map *map_new(Arena *arena)
{
    Map *map = ARENA_NEW(arena, Map);
    map->arena = arena;
    map_grow(map, FIRST_SLOTS);
    return map;
}

void *map_get(const Map *map, const void *key) { return map->value[map_slot(map, key)]; }

void map_put(Map *map, const void *key, void *value)
{
    INVARIANT(key != NULL);
    if (2 * (map->count + 1) > map->slots)
        map_grow(map, 2 * map->slots);
    size_t slot = map_slot(map, key);
    if (!map->key[slot])
        map->count++;
    map->key[slot] = key;
    map->value[slot] = value;
}

void map_add(Map *map, const void *key, void *item)
{
    List *list = map_get(map, key);
    if (!list) {
        list = list_make(map->arena);
        map_put(map, key, list);
    }
    list_add(list, item);
}

bool list_has(const List *list, const void *item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i] == item)
            return true;
    return false;
}

List list_copy(Arena *arena, const List *list)
{
    List copy = list_new(arena);
    for (size_t i = 0; i < list->count; i++)
        list_add(&copy, list->item[i]);
    return copy;
}

Text text_new(Arena *arena)
{
    Text text = {.arena = arena, .data = arena_alloc(arena, 64), .capacity = 64};
    return text;
}

static void text_reserve(Text *text, size_t more)
{
    if (text->length + more + 1 <= text->capacity)
        return;
    size_t capacity = 2 * (text->length + more + 1);
    char *data = arena_alloc(text->arena, capacity);
    memcpy(data, text->data, text->length);
    text->data = data;
    text->capacity = capacity;
}

void text_add_v(Text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = text->capacity - text->length;
    int need = vsnprintf(text->data + text->length, room, format, args);
    if (need > 0 && (size_t)need >= room) {
        text_reserve(text, (size_t)need);
        vsnprintf(text->data + text->length, (size_t)need + 1, format, again);
    }
    if (need > 0)
        text->length += (size_t)need;
    va_end(again);
}

void text_put(Text *text, const char *bytes, size_t length)
{
    text_reserve(text, length);
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void text_add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_add_v(text, format, args);
    va_end(args);
}
