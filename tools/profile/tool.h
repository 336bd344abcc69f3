/* coalda-profile: reads, merges, checks and shows profiles, and hashes kernels. */
#ifndef COALDA_PROFILE_TOOL_H
#define COALDA_PROFILE_TOOL_H

#include <llvm-c/Core.h>
#include <stdio.h>

#include "pass/profile/profile.h"

enum { EXIT_STALE = 1, EXIT_USAGE = 2 };

/* ---- module.c ---- */

/* Adds the kernels of a file of device IR to the profile, which then has their names and hashes. NULL, or what is wrong with the file. */
const char *module_hash(const char *path, Profile *profile);

/* ---- check.c ---- */

/* Names what a profile says of kernels that the modules do not have, or have with other bodies. How many of its kernels that are. */
size_t profile_check(const Profile *profile, const Profile *modules);

/* ---- show.c ---- */

void profile_show(const Profile *profile, FILE *out);

#endif
