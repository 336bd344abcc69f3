/* Profiles: what kernels took on a GPU, and what was decided for each of them by that. Lines that a person reads, edits and commits:
 *
 *     coalda-profile 1
 *     # measured on an NVIDIA H200
 *
 *     kernel _Z3addPfS_i 5b1f0c22a7d94e03
 *     decide off
 *     launch grid 4096x1x1 block 256x1x1 shared 0 count 100 median 12.345
 *
 * A kernel is named as linked (profile_name); behind the name stands the hash of its body (body_hash.h), without which the lines hold of any body.
 * Times are microseconds. What '#' begins is kept: with the kernel that it stands above or in, or with the file. Knows no LLVM. */
#ifndef COALDA_PROFILE_H
#define COALDA_PROFILE_H

#include <stdint.h>

#include "pass/base/arena.h"
#include "pass/base/options.h"

enum { PROFILE_VERSION = 1, PROFILE_AXES = 3, ANY_BODY = 0 };

typedef struct {
    uint32_t grid[PROFILE_AXES], block[PROFILE_AXES];
    uint64_t shared; /* bytes, as the launch asked for */
    uint64_t count, median; /* launches, nanoseconds of one */
    int line; /* 0: in no file */
} ProfileLaunch;

typedef struct {
    const char *name;
    uint64_t body; /* or ANY_BODY */
    const char *decision; /* as written; NULL where nothing was decided */
    int line, decided; /* where it begins, and where that stands; 0: in no file */
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
/* Of a linked name, without what clang puts behind the names of a file's own kernels under -fgpu-rdc: that changes with the command line. */
size_t profile_name_length(const char *linked);
const char *profile_name(Arena *arena, const char *linked);
ProfileKernel *profile_add(Profile *profile, const char *name, uint64_t body);
/* Kernels by name and body, their launches by shape: lists that were filled are to be sorted before anything is looked for. */
void profile_sort(Profile *profile);
/* Below, at or above 0, as the one comes before the other. */
int launch_order(const ProfileLaunch *one, const ProfileLaunch *other);
/* The kernel of that body, or else what holds of any body, or NULL. */
const ProfileKernel *profile_find(const Profile *profile, const char *name, uint64_t body);
/* The first decision that is there for other bodies of that name alone; NULL where there is none. */
const ProfileKernel *profile_stale(const Profile *profile, const char *name, uint64_t body);

/* ---- profile_read.c: NULL, or what is wrong, with the file and the line ---- */

const char *profile_read(Profile *profile);
const char *profile_parse(Profile *profile, const char *text, size_t length);

/* ---- profile_write.c ---- */

void profile_text(const Profile *profile, Text *text);
/* NULL, or what is wrong. The file is there as a whole or as it was before. */
const char *profile_write(const Profile *profile, const char *path);

/* ---- profile_merge.c ---- */

/* Launches of one shape are added up, their medians weighed by their counts. NULL, or which decisions differ; `last` takes the later one. */
const char *profile_merge(Profile *into, const Profile *from, bool last);

/* ---- decision.c ---- */

/* What a decision sets of the options: nothing of them for "default". NULL, or what is wrong. */
const char *decision_read(Options *options, const char *text, Arena *arena);

#endif
