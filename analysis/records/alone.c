/* Why an access of a record is in no group with the others of it: what the search for groups met between them.
 *
 *     x = p[i].x; if (x < 0) ...; y = p[i].y          branches
 *     x = p[i].x; fence; y = p[i].y                   what keeps the order of memory
 *     p[i].x = 1; v = p[i].x; p[i].y = v              the same bytes
 *
 * Each access is held against the one of its record that was met before it. What stands below an access is told first, then what
 * stands above it; branches only where neither is in its block. */
#include "analysis/records/records.h"

/* The latest of those that would move together. */
typedef struct {
    Access *access;
    int position;
    bool accompanied; /* there is another one in its block */
} Fellow;

/* Keeps everything above it from what is below. */
typedef struct {
    int position;
    Why why;
} Obstacle;

Alone alone_open(Arena *arena) { return (Alone){arena, map_new(arena), list_new(arena)}; }

void alone_obstacle(Alone *alone, int position, Why why)
{
    Obstacle *obstacle = ARENA_NEW(alone->arena, Obstacle);
    *obstacle = (Obstacle){position, why};
    list_add(&alone->obstacles, obstacle);
}

void alone_begin_block(Alone *alone) { alone->obstacles.count = 0; }

static Fellow *fellow_of(const Alone *alone, const Access *access)
{
    const List *fellows = map_get(alone->fellows, access->record);
    for (size_t i = 0; fellows && i < fellows->count; i++) {
        Fellow *fellow = fellows->item[i];
        if (access_is_beside(fellow->access, access))
            return fellow;
    }
    return NULL;
}

/* Of those that stand between the fellow and what was met now, the first. */
static Why first_obstacle(const Alone *alone, const Fellow *fellow, const Met *met)
{
    Obstacle first = {met->position, met->how == MET_REFUSED ? WHY_TOUCHED : WHY_NONE};
    if (met->touched > fellow->position)
        first = (Obstacle){met->touched, WHY_TOUCHED};
    for (size_t i = 0; i < alone->obstacles.count; i++) {
        const Obstacle *obstacle = alone->obstacles.item[i];
        if (obstacle->position > fellow->position)
            return obstacle->position < first.position ? obstacle->why : first.why;
    }
    return first.why;
}

static Why last_obstacle(const Alone *alone, const Fellow *fellow, const Met *met)
{
    size_t count = alone->obstacles.count;
    const Obstacle *last = count ? alone->obstacles.item[count - 1] : NULL;
    int place = last ? last->position : NOWHERE;
    if (place > fellow->position && place > met->touched_last)
        return last->why;
    return met->touched_last > fellow->position || met->how == MET_REFUSED ? WHY_TOUCHED : WHY_NONE;
}

/* What keeps two of which one is not simple from moving together. */
static Why order_of(const Access *a, const Access *b)
{
    bool hinted = assembly_is_hinted(a->instruction) || assembly_is_hinted(b->instruction);
    return hinted ? WHY_HINTED : WHY_ORDERED;
}

static void note_in_block(const Alone *alone, Fellow *fellow, Access *access, const Met *met)
{
    Why below = WHY_NONE, above = WHY_NONE;
    if (!is_simple(access->instruction) || !is_simple(fellow->access->instruction)) {
        below = above = order_of(fellow->access, access);
    } else if (met->how != MET_JOINED) {
        below = first_obstacle(alone, fellow, met);
        above = last_obstacle(alone, fellow, met);
    }
    if (below || !fellow->accompanied)
        fellow->access->alone = below;
    access->alone = above;
}

static void note_apart(const Fellow *fellow, Access *access)
{
    if (!fellow->accompanied)
        fellow->access->alone = WHY_APART;
    access->alone = WHY_APART;
}

void alone_note(Alone *alone, Access *access, const Met *met)
{
    if (!access->record)
        return;
    Fellow *fellow = fellow_of(alone, access);
    bool here = fellow && LLVMGetInstructionParent(fellow->access->instruction) == LLVMGetInstructionParent(access->instruction);
    if (here)
        note_in_block(alone, fellow, access, met);
    else if (fellow)
        note_apart(fellow, access);
    if (!fellow) {
        fellow = ARENA_NEW(alone->arena, Fellow);
        map_add(alone->fellows, access->record, fellow);
    }
    *fellow = (Fellow){access, met->position, here};
}
