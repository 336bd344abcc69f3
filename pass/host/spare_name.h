/* A spare: a kernel as it was before its walks were rewritten, in the same image, for launches whose rows are too short to gain. Its name says
 * of which kernel it is and when it is to be launched, so that what compiles the host reads it out of the image:
 *
 *     _Z4sumsPKfPfli$coalda1$arg3_u32_below_16     of _Z4sumsPKfPfli, where its fourth argument, of 32 bits, is below 16
 *
 * Where there are several conditions, all of them hold. Another version of the plugin that says more has another number behind `coalda`. */
#ifndef COALDA_SPARE_NAME_H
#define COALDA_SPARE_NAME_H

#include "pass/base/arena.h"

/* An argument of a kernel, an integer, that is less than a bound, none below zero. */
typedef struct {
    unsigned argument, bits;
    uint64_t below;
} SmallArgument;

enum { SPARE_CONDITIONS = 4 };

typedef struct {
    const char *text; /* all of it */
    size_t length;
    size_t kernel_length; /* of the kernel's name, with which it begins */
    SmallArgument small[SPARE_CONDITIONS];
    size_t count; /* at least one */
} SpareName;

#define SPARE_MARK "$coalda1$"

const char *spare_name(Arena *arena, const char *kernel, const SmallArgument *small, size_t count);
/* NULL where the text is no spare's name, or not one of this version. */
const SpareName *spare_name_read(Arena *arena, const char *text, size_t length);

#endif
