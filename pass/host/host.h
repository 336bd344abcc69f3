/* The host's half of a compile: launch stubs that choose between a kernel and its spare. */
#ifndef COALDA_HOST_H
#define COALDA_HOST_H

#include <llvm-c/Core.h>

#include "pass/host/spare_name.h"

/* A kernel that the module registers and launches, with spares in its image. */
typedef struct {
    LLVMValueRef registration; /* the call that tells the runtime of it */
    LLVMValueRef launch;       /* the call that launches it, in its stub */
    List spares;               /* of SpareName: of several the one for the shortest rows last; a coarse one is alone */
} LaunchStub;

/* ---- launch_stub.c ---- */

/* Those that may choose: a List of LaunchStub. */
List launch_stubs_find(Arena *arena, LLVMModuleRef module);

/* ---- choose_spare.c ---- */

/* True where any stub chooses. */
bool host_choose(LLVMModuleRef module);

/* ---- launch_size.c ---- */

/* A launch on x86: the kernel, x and y of the grid in one number, its z, the same of a block, the arguments' places, shared memory, the stream. */
enum {
    LAUNCH_GRID = 1,
    LAUNCH_GRID_Z,
    LAUNCH_BLOCK,
    LAUNCH_BLOCK_Z,
    LAUNCH_PLACES,
    LAUNCH_SHARED,
    LAUNCH_STREAM,
    LAUNCH_ARGUMENTS
};

enum { HALF_BITS = 32 }; /* of such a number: */
LLVMValueRef launch_low_half(LLVMBuilderRef build, LLVMValueRef both);
/* Is it written so? */
bool launch_has_shape(LLVMValueRef launch);
/* All of its blocks, and all threads of a block. */
LLVMValueRef launch_blocks(LLVMBuilderRef build, LLVMValueRef launch);
LLVMValueRef launch_block(LLVMBuilderRef build, LLVMValueRef launch);
/* Has it so many threads, or blocks? */
LLVMValueRef launch_is_full(LLVMBuilderRef build, LLVMValueRef launch, const SpareLaunch *reasons);
/* Do the threads of its blocks stay in their places, or gain nothing by others? */
LLVMValueRef launch_is_straight(LLVMBuilderRef build, LLVMValueRef launch);
/* Is it one of few threads? `number` is what tells how far rows are apart; NULL: nothing does. */
LLVMValueRef launch_is_few(LLVMBuilderRef build, LLVMValueRef launch, const SpareFew *few, LLVMValueRef number);

/* ---- fewer_blocks.c ---- */

/* Is the launch written as it has to be for fewer blocks? */
bool launch_may_be_coarse(LLVMValueRef launch, const SpareCoarse *coarse);
/* Is the spare wanted, and does that launch so many blocks that it pays? */
LLVMValueRef launch_is_for_fewer(LLVMBuilderRef build, LLVMValueRef launch, const SpareCoarse *coarse, LLVMValueRef wanted);
/* Where it is, fewer are launched, and told how many there were. */
void launch_coarsen(LLVMBuilderRef build, LLVMValueRef launch, const SpareCoarse *coarse, LLVMValueRef wanted);

#endif
