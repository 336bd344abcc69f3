/* The parts of libcoalda-trace.so. */
#ifndef COALDA_TRACE_PARTS_H
#define COALDA_TRACE_PARTS_H

#include <stdio.h>

#include "cupti_calls.h"
#include "pass/profile/profile.h"

/* ---- launches.c: one caller at a time ---- */

void launches_add(const KernelRecord *record);
/* All that were added, as a profile says it. */
void launches_tell(Profile *profile);

/* ---- arguments.c ---- */

/* Keeps the ranges of integer arguments of the first launches from now on, where the driver tells of parameters. NULL, or why it cannot. */
const char *arguments_watch(const Cupti *cupti, const Driver *driver);
/* Beside the launches of the same kernels, which the profile has by now. */
void arguments_tell(Profile *profile);

/* ---- copies.c ---- */

/* Hashes every copy from the device to the host from now on. NULL, or why it cannot. */
const char *copies_watch(const Cupti *cupti, const Driver *driver);
/* A line for each, in their order. */
void copies_tell(FILE *out);

#endif
