/* Two versions of a loop. */
#ifndef COALDA_VERSION_H
#define COALDA_VERSION_H

#include "transform/emit/emit.h"

/* What decides, in front of the loop, which of them runs. */
typedef struct {
    IrModule *ir;
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    LLVMValueRef place; /* the jump into the loop: code that emit makes stands in front of it */
    Emit emit;
    LLVMValueRef holds; /* all that was wanted so far; NULL: nothing was */
    LLVMValueRef jump;  /* where few iterations go around the tests: of the block behind them; NULL: none do */
} Version;

/* The loop has one block in front of it. */
Version version_open(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header);
/* The same, of a countable loop fewer of whose iterations than that are not worth the tests: the second version makes them. */
Version version_open_after(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int trips);
void version_want(Version *version, LLVMValueRef condition);
/* What is wanted from here on is asked only where the condition holds, which is wanted as well. Nothing was yet. */
void version_ask_if(Version *version, LLVMValueRef condition);
/* What the loop touches through the pointer; that LLVM can tell is wanted, too. */
IrExtent version_extent(Version *version, LLVMValueRef pointer, int64_t bytes);
/* The same, from `low` bytes behind the pointer up to `high`. */
IrExtent version_extent_between(Version *version, LLVMValueRef pointer, int64_t low, int64_t high);
/* All lanes of a warp that come to the loop together take the same version. */
void version_vote(Version *version);
/* Where all of it holds the loop runs that is to be rewritten, else its twin: such instructions of that get the mark, so that it stays
 * as it is; with no `is_such`, none do. The blocks, of the loop, become theirs in the twin. Returns the block that leads into the first. */
LLVMBasicBlockRef version_close(Version *version, LLVMBasicBlockRef *blocks, size_t count,
                                bool (*is_such)(LLVMValueRef instruction), const char *mark);

#endif
