/* Numbers as profiles have them, whatever the locale of the process is. Each is false where the text is anything else. */
#ifndef COALDA_PROFILE_NUMBER_H
#define COALDA_PROFILE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* "4096x1x1", one for each axis; axes that are left out are 1. */
bool number_extents(const char *text, uint32_t *extent);
bool number_whole(const char *text, uint64_t *number);
/* The same, or below 0. */
bool number_signed(const char *text, int64_t *number);
/* Microseconds with up to three decimals. */
bool number_time(const char *text, uint64_t *nanoseconds);
/* 16 digits, not all of them 0, as those of body_hash. */
bool number_hash(const char *text, uint64_t *hash);

#endif
