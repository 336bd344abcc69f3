/* Random edits of a module that leave it valid IR. */
#ifndef COALDA_MUTATE_H
#define COALDA_MUTATE_H

#include <llvm-c/Core.h>
#include <stdint.h>

/* One to a few dozen edits; the same seed makes the same edits. Edits that the verifier refuses are taken back. */
void module_mutate(LLVMModuleRef module, uint64_t seed);

#endif
