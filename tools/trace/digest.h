/* A digest of bytes: XXH64, https://github.com/Cyan4973/xxHash, whose description is in the public domain. */
#ifndef COALDA_TRACE_DIGEST_H
#define COALDA_TRACE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* What comes of pieces one after the other is chained by the seed. */
uint64_t digest_of(uint64_t seed, const void *data, size_t bytes);

#endif
