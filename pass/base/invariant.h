/* What must hold wherever the code is right: contracts of structs and functions, where these come from one room to another. In builds
 * that check (COALDA_ASSERTS) whatever breaks one stops the compiler, by file and line; others compile it and never compute it. */
#ifndef COALDA_INVARIANT_H
#define COALDA_INVARIANT_H

#include <assert.h>

#ifdef NDEBUG
#define INVARIANT(condition) ((void)(0 && (condition)))
#else
#define INVARIANT(condition) assert(condition)
#endif

#endif
