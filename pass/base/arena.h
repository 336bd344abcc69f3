/* Memory and containers with one lifetime: everything lives until its arena is freed, nothing is freed alone. */
#ifndef COALDA_ARENA_H
#define COALDA_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena);
/* Zeroed memory, aligned for any object; never NULL (the process ends when memory does). */
void *arena_alloc(Arena *arena, size_t bytes);
/* What a search needs for itself goes back when it is through: all that was made since the mark is gone. */
typedef struct {
    void *chunk;
    size_t used;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_back(Arena *arena, ArenaMark mark);
char *arena_text(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_copy(Arena *arena, const char *text, size_t length);

/* A growing array of pointers. */
typedef struct {
    Arena *arena;
    void **item;
    size_t count, capacity;
} List;

List list_new(Arena *arena);
/* One that is pointed to. */
List *list_make(Arena *arena);
void list_add(List *list, void *item);
List list_copy(Arena *arena, const List *list);
bool list_has(const List *list, const void *item);

/* From 64-bit keys to pointers; a key of two parts tells values of one function apart by their scope. */
typedef struct Map Map;

Map *map_new(Arena *arena);
void *map_get(const Map *map, const void *key);
void map_put(Map *map, const void *key, void *value);
/* Adds to the List that is kept under the key, which is made when it is first needed. */
void map_add(Map *map, const void *key, void *item);

/* A growing text. */
typedef struct {
    Arena *arena;
    char *data;
    size_t length, capacity;
} Text;

Text text_new(Arena *arena);
void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_v(Text *text, const char *format, va_list args);
void text_put(Text *text, const char *bytes, size_t length); /* whatever they are */

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (count)))

#endif
