/* One sentence for an access of the source, however often its loop was unrolled, and for the fields of a record.
 *
 *     for (j = 0; j < m; j++) s += a[t*m + j]      64 loads of the longer loop, and those of what remains: told once
 *     s = p[t].x + p[t].y                          two loads of one record, and the same to say of both: told once */
#include <stdlib.h>
#include <string.h>

#include "analysis/records/records.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/walks.h"
#include "pass/report/remark.h"

typedef struct {
    Map *of[OP_ATOMIC]; /* loads, stores: source location -> Access of a walk's longer loop */
} Speakers;

static LLVMMetadataRef location_in(const Access *access) { return LLVMInstructionGetDebugLoc(access->instruction); }

static bool is_held(const Access *access) { return ir_is_marked(access->instruction, REUSE_METADATA); }

/* Of a version of a loop: another one speaks, or what is held. */
static bool is_of_original(const Access *access)
{
    static const char *const marks[] = {ORIGINAL_METADATA, GUARDED_METADATA, QUESTION_METADATA};
    bool is_original = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        is_original |= ir_is_marked(access->instruction, marks[i]);
    return location_in(access) && is_original && !is_held(access);
}

/* Of a loop that was made longer, or has iterations side by side, or behind one whose every iteration stored there. */
static bool stands_for_many(const Access *access)
{
    return ir_is_marked(access->instruction, BLOCK_METADATA) || ir_is_marked(access->instruction, JAM_METADATA) ||
           ir_is_marked(access->instruction, TALLY_METADATA);
}

static Speakers speakers_of(const Kernel *kernel)
{
    Speakers speakers = {.of = {[OP_LOAD] = map_new(kernel->arena), [OP_STORE] = map_new(kernel->arena)}};
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        if (access->op == OP_ATOMIC || !location_in(access) || is_of_original(access) || !stands_for_many(access))
            continue;
        const Access *other = map_get(speakers.of[access->op], location_in(access));
        if (!other || (is_held(access) && !is_held(other)))
            map_put(speakers.of[access->op], location_in(access), access);
    }
    return speakers;
}

/* Of the group that they move with, the first of those that are one in the source. */
static bool is_first_of_group(const Access *access)
{
    const Group *group = access->group;
    for (size_t i = 0; group && group->choice.action && location_in(access) && i < group->members.count; i++) {
        const Access *member = member_at(group, i)->access;
        if (location_in(member) == location_in(access))
            return member->instruction == access->instruction;
    }
    return true;
}

/* The compiler had unrolled the loop before, and this is what remained then. */
static bool is_of_few(const Access *access)
{
    enum { UNROLLED = 16 }; /* more than it does unasked */
    int64_t most = access->loop ? ir_loop_most_trips(access->scope->kernel->ir, access->loop) : 0;
    return most > 0 && most < UNROLLED;
}

static bool is_speaker(const Speakers *speakers, const Access *access)
{
    if (is_of_original(access) || (!location_in(access) && ir_is_marked(access->instruction, UNSHELVED_METADATA)))
        return false;
    const Access *speaker = access->op == OP_ATOMIC ? NULL : map_get(speakers->of[access->op], location_in(access));
    if (!speaker || speaker == access)
        return is_first_of_group(access);
    return !stands_for_many(access) && !ir_is_marked(access->instruction, REST_METADATA) && !is_of_few(access);
}

/* ---- fields of a record ---- */

Told told_alone(const Access *access)
{
    Told told = {list_new(access->scope->kernel->arena)};
    list_add(&told.fields, (void *)access);
    return told;
}

/* A reader sees both at once. */
static bool is_near(const Access *a, const Access *b)
{
    enum { LINES = 10 };
    const Location one = location_of(a->scope, a->instruction), other = location_of(b->scope, b->instruction);
    return one.line && other.line && strcmp(one.file, other.file) == 0 && labs((long)one.line - (long)other.line) <= LINES;
}

static bool is_told_alike(const Access *a, const Access *b)
{
    bool same_plan = a->why == b->why && a->refusal == b->refusal && a->turned == b->turned && a->block == b->block &&
                     (a->group ? a->group->choice.action : 0) == (b->group ? b->group->choice.action : 0) && a->added == b->added;
    bool same_shape = a->kind == b->kind && a->space == b->space && a->figure.known == b->figure.known;
    return same_plan && same_shape && is_held(a) == is_held(b) && is_near(a, b);
}

static bool is_field(const Access *access)
{
    return access->record && access->kind != CLASS_UNIFORM && access->space != SPACE_SHARED;
}

/* Those of one record that have been met. */
static Told *told_with(const Map *of_record, const Access *access)
{
    const List *met = is_field(access) ? map_get(of_record, access->record) : NULL;
    for (size_t i = 0; met && i < met->count; i++) {
        Told *told = met->item[i];
        if (is_told_alike(told->fields.item[0], access))
            return told;
    }
    return NULL;
}

List told_of(const Kernel *kernel, bool (*is_wanted)(const Access *access))
{
    const Speakers speakers = speakers_of(kernel);
    List all = list_new(kernel->arena);
    Map *of_record = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        if ((is_wanted && !is_wanted(access)) || !is_speaker(&speakers, access))
            continue;
        Told *told = told_with(of_record, access);
        if (told) {
            list_add(&told->fields, access);
            continue;
        }
        told = ARENA_NEW(kernel->arena, Told);
        *told = told_alone(access);
        list_add(&all, told);
        if (is_field(access))
            map_add(of_record, access->record, told);
    }
    return all;
}
