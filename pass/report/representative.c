/* One sentence for an access of the source, however often its loop was unrolled.
 *
 *     for (j = 0; j < m; j++) s += a[t*m + j]      64 loads of the longer loop, and those of what remains: told once */
#include "analysis/records/records.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/walks.h"
#include "pass/report/remark.h"

static LLVMMetadataRef location_in(const Access *access) { return LLVMInstructionGetDebugLoc(access->instruction); }

static bool is_held(const Access *access) { return ir_is_marked(access->instruction, REUSE_METADATA); }

/* Of a version of a loop: another one speaks, or what is held. */
static bool is_of_original(const Access *access)
{
    bool is_original = ir_is_marked(access->instruction, ORIGINAL_METADATA) || ir_is_marked(access->instruction, GUARDED_METADATA);
    return location_in(access) && is_original && !is_held(access);
}

/* Of a loop that was made longer, or has iterations side by side, or behind one whose every iteration stored there. */
static bool stands_for_many(const Access *access)
{
    return ir_is_marked(access->instruction, BLOCK_METADATA) || ir_is_marked(access->instruction, JAM_METADATA) ||
           ir_is_marked(access->instruction, TALLY_METADATA);
}

Speakers speakers_of(const Kernel *kernel)
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

bool is_speaker(const Speakers *speakers, const Access *access)
{
    if (is_of_original(access))
        return false;
    const Access *speaker = access->op == OP_ATOMIC ? NULL : map_get(speakers->of[access->op], location_in(access));
    if (!speaker || speaker == access)
        return is_first_of_group(access);
    return !stands_for_many(access) && !ir_is_marked(access->instruction, REST_METADATA) && !is_of_few(access);
}
