/* The parts of libcoalda-trace.so. */
#ifndef COALDA_TRACE_PARTS_H
#define COALDA_TRACE_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "cupti_calls.h"
#include "pass/profile/profile.h"

/* ---- launches.c: one caller at a time ---- */

/* A launch that took what the record says; it is one more, or was counted already where it was made. */
void launches_add(const KernelRecord *record, bool counted);
/* So many launches that no record tells of. */
void launches_count(const char *name, const ProfileLaunch *shape, uint64_t count);
/* All that were added, as a profile says it. */
void launches_tell(Profile *profile);

/* ---- arguments.c ---- */

/* Keeps the ranges of integer arguments of the first launches that it is told of, where the driver tells of parameters. */
void arguments_watch(const Driver *driver);
void arguments_add(void *function, const char *name, void *const *arguments);
/* Beside the launches of the same kernels, which the profile has by now. */
void arguments_tell(Profile *profile);

/* ---- calls.c ---- */

/* Is told of launches from now on, and lets CUPTI record some of them where they come fast. NULL, or why it cannot. */
const char *calls_watch(const Cupti *cupti);
/* Was the launch of this number counted when it was made, and not by its record? */
bool calls_counted(uint32_t correlation);
/* The program ends: what was counted so is what it is by now. CUPTI may complete buffers while a thread that launches holds what this waits for, so that
 * nobody may hold what completing one waits for. */
void calls_end(void);
/* Adds that to the launches. */
void calls_tell(void);

/* ---- copies.c ---- */

/* Hashes every copy from the device to the host from now on. NULL, or why it cannot. */
const char *copies_watch(const Cupti *cupti, const Driver *driver);
/* A line for each, in their order. */
void copies_tell(FILE *out);

#endif
