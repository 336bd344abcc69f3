#ifndef COALDA_TWIN_H
#define COALDA_TWIN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "pass/base/arena.h"

/* Instructions made again elsewhere: what of the original is what of the twins. First all of them are made, where the
 * builder stands, then they are linked to each other, in whatever order the blocks come. */
typedef struct {
    Arena *arena;
    LLVMBuilderRef builder;
    Map *value, *block;
} Twins;

Twins twins_open(Arena *arena, LLVMBuilderRef builder);
/* The value's twin; the value itself where it has none. */
LLVMValueRef clone_of(const Twins *twins, LLVMValueRef value);
LLVMBasicBlockRef clone_of_block(const Twins *twins, LLVMBasicBlockRef block);
void clone_make(Twins *twins, LLVMValueRef instruction);
void clone_link(const Twins *twins, LLVMValueRef instruction);
/* Makes and links all that the blocks hold, in the twins that these have; what has a twin already is not made again. */
void twins_fill(Twins *twins, Arena *arena, const List *blocks);
/* The exit's phis get from the block's twin what they get from the block. */
void clone_leaves(const Twins *twins, LLVMBasicBlockRef block, LLVMBasicBlockRef exit);
/* Arithmetic made of what is `among`, where the builder stands, and all that it is made of; what has a twin is not made again.
 * Where it may run although the original would not, it keeps no promise of the original's. */
LLVMValueRef clone_deep(Twins *twins, const Map *among, LLVMValueRef value, bool keeps_promises);

#endif
