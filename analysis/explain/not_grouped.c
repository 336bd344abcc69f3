/* Why an access of a record is in no group with the others of it: what stands between them.
 *
 *     x = p[i].x; if (x < 0) ...; y = p[i].y          branches
 *     x = p[i].x; fence; y = p[i].y                   what keeps the order of memory
 *     p[i].x = 1; v = p[i].x; p[i].y = v              the same bytes */
#include "analysis/explain/explain.h"

enum {
    FARTHEST = 1000,  /* instructions, up and down: so far the next one is looked for */
    MOST_FELLOWS = 64 /* of a record: one of them is in another block or none is */
};

Map *fellows_of(const Kernel *kernel)
{
    Map *map = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->accesses.count; i++) {
        Access *access = kernel->accesses.item[i];
        if (access->record)
            map_add(map, access->record, access);
    }
    return map;
}

typedef LLVMValueRef (*Direction)(LLVMValueRef);

/* The next access of the record in its block that would move with this one. */
static const Access *fellow_on_way(const Access *access, Direction next)
{
    int steps = 0;
    for (LLVMValueRef i = next(access->instruction); i && steps < FARTHEST; i = next(i), steps++) {
        const List *found = map_get(access->scope->accesses, i);
        for (size_t j = 0; found && j < found->count; j++)
            if (access_moves_with(access, found->item[j]))
                return found->item[j];
    }
    return NULL;
}

static bool is_on(const Access *access, const Access *other)
{
    int64_t bytes;
    return access_distance(access->scope, access, other, &bytes) && bytes < access->bytes && -bytes < other->bytes;
}

/* Does the instruction touch what the access does, one of them writing? */
static bool touches(LLVMValueRef instruction, const Access *access)
{
    const List *found = map_get(access->scope->accesses, instruction);
    for (size_t i = 0; found && i < found->count; i++) {
        const Access *other = found->item[i];
        if ((other->op != OP_LOAD || access->op != OP_LOAD) && is_on(access, other))
            return true;
    }
    return false;
}

/* WHY_NONE where nothing stands there that would keep them apart. */
static Why obstacle_between(const Access *access, const Access *fellow, Direction next)
{
    Why why = is_simple(access->instruction) && is_simple(fellow->instruction) ? WHY_NONE : WHY_ORDERED;
    for (LLVMValueRef i = next(access->instruction); i != fellow->instruction && !why; i = next(i)) {
        bool is_plain_access = map_get(access->scope->accesses, i) && is_simple(i);
        if (is_block_barrier(i))
            why = WHY_BARRIER;
        else if (!is_plain_access && !is_harmless(i))
            why = WHY_ORDERED;
        else if (touches(i, access) || touches(i, fellow))
            why = WHY_TOUCHED;
    }
    return why;
}

static bool has_fellow_elsewhere(const Access *access, const Map *fellows)
{
    const List *all = map_get(fellows, access->record);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(access->instruction);
    for (size_t i = 0; i < all->count && i < MOST_FELLOWS; i++) {
        const Access *other = all->item[i];
        if (access_moves_with(access, other) && LLVMGetInstructionParent(other->instruction) != block)
            return true;
    }
    return false;
}

Why alone_because(const Access *access, const Map *fellows)
{
    static const Direction directions[] = {LLVMGetNextInstruction, LLVMGetPreviousInstruction};
    bool any = false;
    if (!access->record || !access->scope->accesses)
        return WHY_NONE;
    for (size_t d = 0; d < sizeof directions / sizeof *directions; d++) {
        const Access *fellow = fellow_on_way(access, directions[d]);
        Why why = fellow ? obstacle_between(access, fellow, directions[d]) : WHY_NONE;
        if (why)
            return why;
        any |= fellow != NULL;
    }
    return !any && has_fellow_elsewhere(access, fellows) ? WHY_APART : WHY_NONE;
}
