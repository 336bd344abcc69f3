/* The hash by which a profile knows a kernel's body again. */
#ifndef COALDA_BODY_HASH_H
#define COALDA_BODY_HASH_H

#include <llvm-c/Core.h>
#include <stdint.h>

#include "pass/base/arena.h"

typedef struct BodyHashes BodyHashes;

/* Of a module that does not change meanwhile. */
BodyHashes *body_hashes_open(Arena *arena);
/* Of the instructions of a kernel and of the functions of its module that it may run, with what of attributes and loop pragmas decides
 * what becomes of them. The same with and without debug information, for every architecture and in every process; never 0. */
uint64_t body_hash(BodyHashes *hashes, LLVMValueRef kernel);

#endif
