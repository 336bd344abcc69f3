/* Profiles: what kernels took on a GPU, and what was decided for each of them by that. Lines that a person reads, edits and commits:
 *
 *     coalda-profile 1
 *     # measured on an NVIDIA H200
 *
 *     kernel _Z3addPfS_i 5b1f0c22a7d94e03
 *     decide off
 *     argument 2 1024 4096
 *     launch grid 4096x1x1 block 256x1x1 shared 0 count 100 median 12.345
 *
 * A kernel is named as linked (profile_name); behind the name stands the hash of its body (body_hash.h), without which the lines hold of any body.
 * Times are microseconds. What '#' begins is kept: with the kernel that it stands above or in, or with the file. Knows no LLVM. */
#ifndef COALDA_PROFILE_H
#define COALDA_PROFILE_H

#include <stdint.h>

#include "pass/base/arena.h"
#include "pass/base/options.h"

/* The first version knows of kernels, decisions and launches alone; what says no more than that is written so. */
enum { FIRST_VERSION = 1, PROFILE_VERSION = 2, PROFILE_AXES = 3, ANY_BODY = 0 };

typedef struct {
    uint32_t grid[PROFILE_AXES], block[PROFILE_AXES];
    uint64_t shared; /* bytes, as the launch asked for */
    uint64_t count, median; /* launches, nanoseconds of one */
    int line; /* 0: in no file */
} ProfileLaunch;

/* What an integer argument was in all launches that were seen. */
typedef struct {
    uint64_t index; /* from 0 */
    int64_t least, most;
    int line;
} ProfileArgument;

/* What was decided of the accesses to one array. */
typedef struct {
    const char *array; /* arg0, arg1, ..., or the linked name of a variable; behind ':' load or store, where it is of these alone */
    const char *decision;
    int line;
} ProfilePart;

typedef struct {
    const char *name;
    uint64_t body; /* or ANY_BODY */
    const char *decision; /* as written; NULL where nothing was decided */
    int line, decided; /* where it begins, and where that stands; 0: in no file */
    List parts; /* of ProfilePart, by array */
    List arguments; /* of ProfileArgument, by index */
    List launches; /* of ProfileLaunch */
    List comments; /* of text, from '#' on */
} ProfileKernel;

typedef struct {
    Arena *arena;
    const char *path;
    List comments;
    List kernels; /* of ProfileKernel, by name and body */
} Profile;

Profile profile_new(Arena *arena, const char *path);
/* Of a linked name, without what clang puts behind the names of a file's own kernels under -fgpu-rdc: that changes with the command line. A spare is
 * the kernel that it stands beside. */
size_t profile_name_length(const char *linked);
const char *profile_name(Arena *arena, const char *linked);
ProfileKernel *profile_add(Profile *profile, const char *name, uint64_t body);
/* Kernels by name and body, their parts by array, arguments by index, launches by shape: lists that were filled are to be sorted before anything is looked for. */
void profile_sort(Profile *profile);
/* Below, at or above 0, as the one comes before the other. */
int launch_order(const ProfileLaunch *one, const ProfileLaunch *other);
int argument_order(const ProfileArgument *one, const ProfileArgument *other);
int part_order(const ProfilePart *one, const ProfilePart *other);
/* The kernel of that body, or else what holds of any body, or NULL. */
const ProfileKernel *profile_find(const Profile *profile, const char *name, uint64_t body);
/* The first of which anything is said for other bodies of that name alone; NULL where there is none. */
const ProfileKernel *profile_stale(const Profile *profile, const char *name, uint64_t body);

/* ---- profile_read.c: NULL, or what is wrong, with the file and the line ---- */

const char *profile_read(Profile *profile);
const char *profile_parse(Profile *profile, const char *text, size_t length);

/* ---- profile_write.c ---- */

void profile_text(const Profile *profile, Text *text);
/* NULL, or what is wrong. The file is there as a whole or as it was before. */
const char *profile_write(const Profile *profile, const char *path);

/* ---- profile_merge.c ---- */

/* Launches of one shape are added up, their medians weighed by their counts, ranges of an argument united. NULL, or which decisions differ; `last` takes the later one. */
const char *profile_merge(Profile *into, const Profile *from, bool last);

/* ---- decision.c ---- */

/* Words of decisions: launches are priced beside what else is decided; the largest block that was launched becomes a launch bound. */
#define LAUNCHES "launches"
#define BOUNDS "bounds"

/* What a decision sets of the options: nothing of them for "default". NULL, or what is wrong. */
const char *decision_read(Options *options, const char *text, Arena *arena);
/* The same of a part of a kernel: features alone, of those that are asked for each group. */
const char *decision_read_part(Options *options, const char *text, Arena *arena);

/* ---- decision_words.c ---- */

/* Does it say what the first version has no words for? */
bool decision_is_later(const char *text);
/* Are launches priced beside it (NULL: beside none)? What was measured without that stays as it was measured. */
bool decision_prices(const char *text);

#endif
