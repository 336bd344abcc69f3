/* How many threads a launch has, and whether a spare is for so many:
 *
 *     cudaLaunchKernel(K, grid, block, at, shared, stream);
 *
 *     n = threads * ((blocks + 131) / 132);                          on each SM, whose rows lie so many bytes apart:
 *     n <= (apart % 16 && n * apart <= 131072 ? 256 : apart % 64 ? 128 : 64) && apart % 128         few
 *     threads * blocks >= 130000                                                 many in all */
#include "pass/base/ir.h"
#include "pass/host/host.h"

static bool has_width(LLVMValueRef value, unsigned bits)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

bool launch_has_shape(LLVMValueRef launch)
{
    return LLVMGetNumArgOperands(launch) == LAUNCH_ARGUMENTS && has_width(LLVMGetOperand(launch, LAUNCH_GRID), 2 * HALF_BITS) &&
           has_width(LLVMGetOperand(launch, LAUNCH_GRID_Z), HALF_BITS) &&
           has_width(LLVMGetOperand(launch, LAUNCH_BLOCK), 2 * HALF_BITS) &&
           has_width(LLVMGetOperand(launch, LAUNCH_BLOCK_Z), HALF_BITS);
}

LLVMValueRef launch_low_half(LLVMBuilderRef build, LLVMValueRef both)
{
    return LLVMBuildAnd(build, both, LLVMConstInt(LLVMTypeOf(both), 0xffffffff, false), "");
}

/* How many there are of x and y, which one number holds, and of z. More than 64 bits hold is no launch. */
static LLVMValueRef all_of(LLVMBuilderRef build, LLVMValueRef both, LLVMValueRef z)
{
    LLVMTypeRef wide = LLVMTypeOf(both);
    LLVMValueRef x = launch_low_half(build, both);
    LLVMValueRef y = LLVMBuildLShr(build, both, LLVMConstInt(wide, HALF_BITS, false), "");
    return LLVMBuildMul(build, LLVMBuildMul(build, x, y, ""), LLVMBuildZExt(build, z, wide, ""), "");
}

LLVMValueRef launch_blocks(LLVMBuilderRef build, LLVMValueRef launch)
{
    return all_of(build, LLVMGetOperand(launch, LAUNCH_GRID), LLVMGetOperand(launch, LAUNCH_GRID_Z));
}

LLVMValueRef launch_block(LLVMBuilderRef build, LLVMValueRef launch)
{
    return all_of(build, LLVMGetOperand(launch, LAUNCH_BLOCK), LLVMGetOperand(launch, LAUNCH_BLOCK_Z));
}

LLVMValueRef launch_is_full(LLVMBuilderRef build, LLVMValueRef launch, const SpareLaunch *reasons)
{
    LLVMValueRef count = launch_blocks(build, launch);
    if (!reasons->full_blocks)
        count = LLVMBuildMul(build, count, launch_block(build, launch), "");
    return LLVMBuildICmp(build, LLVMIntUGE, count, LLVMConstInt(LLVMTypeOf(count), reasons->full, false), "");
}

/* What turn_threads.c asks of blocks; and up to eight threads along x, warps have four words of a row at least, and the next warp the others: in blocks of 8 x 8 nothing is had by a turn, and
 * six kernels without loops came to 0.92 to 0.97 of plain clang in launches of 2 us (H200). */
LLVMValueRef launch_is_straight(LLVMBuilderRef build, LLVMValueRef launch)
{
    enum { WARP = 32, NARROW = 8 };
    LLVMValueRef block = LLVMGetOperand(launch, LAUNCH_BLOCK), wide = launch_low_half(build, block);
    LLVMValueRef high = LLVMBuildLShr(build, block, LLVMConstInt(LLVMTypeOf(block), HALF_BITS, false), "");
    LLVMValueRef lies = LLVMBuildICmp(build, LLVMIntUGE, wide, high, "");
    LLVMValueRef rows = LLVMBuildICmp(build, LLVMIntUGT, high, LLVMConstInt(LLVMTypeOf(block), 1, false), "");
    LLVMValueRef warps = LLVMBuildICmp(build, LLVMIntUGT, LLVMBuildMul(build, wide, high, ""),
                                       LLVMConstInt(LLVMTypeOf(block), WARP, false), "");
    LLVMValueRef is_wide = LLVMBuildICmp(build, LLVMIntUGT, wide, LLVMConstInt(LLVMTypeOf(block), NARROW, false), "");
    warps = LLVMBuildAnd(build, warps, is_wide, "");
    return LLVMBuildNot(build, LLVMBuildAnd(build, LLVMBuildAnd(build, lies, rows, ""), warps, ""), "");
}

/* The rows of one warp lie in different banks of the first-level cache where they are that far apart, ... */
static LLVMValueRef is_no_multiple(LLVMBuilderRef build, LLVMValueRef apart, unsigned bytes)
{
    LLVMTypeRef wide = LLVMTypeOf(apart);
    LLVMValueRef rest = LLVMBuildAnd(build, apart, LLVMConstInt(wide, bytes - 1, false), "");
    return LLVMBuildICmp(build, LLVMIntNE, rest, LLVMConstNull(wide), "");
}

LLVMValueRef launch_is_few(LLVMBuilderRef build, LLVMValueRef launch, const SpareFew *few, LLVMValueRef number)
{
    LLVMValueRef blocks = launch_blocks(build, launch);
    LLVMTypeRef wide = LLVMTypeOf(blocks);
    LLVMValueRef multiprocessors = LLVMConstInt(wide, few->multiprocessors, false);
    LLVMValueRef rounded = LLVMBuildAdd(build, blocks, LLVMConstInt(wide, few->multiprocessors - 1, false), "");
    LLVMValueRef each = LLVMBuildMul(build, launch_block(build, launch), LLVMBuildUDiv(build, rounded, multiprocessors, ""), "");
    LLVMValueRef most = LLVMConstInt(wide, few->threads, false);
    if (!number)
        return LLVMBuildICmp(build, LLVMIntULE, each, most, "");
    LLVMValueRef apart = LLVMBuildMul(build, LLVMBuildZExt(build, number, wide, ""), LLVMConstInt(wide, few->bytes, false), "");
    LLVMValueRef odd = is_no_multiple(build, apart, FEW_ODD_BYTES), in_all = LLVMBuildMul(build, each, apart, "");
    odd = LLVMBuildAnd(build, odd, LLVMBuildICmp(build, LLVMIntULE, in_all, LLVMConstInt(wide, FEW_CACHED, false), ""), "");
    most = LLVMBuildSelect(build, is_no_multiple(build, apart, FEW_HALF_BYTES), most, LLVMConstInt(wide, few->threads / 2, false),
                           "");
    most = LLVMBuildSelect(build, odd, LLVMConstInt(wide, few->odd, false), most, "");
    /* ... and all of them in one where they are lines apart. */
    return LLVMBuildAnd(build, is_no_multiple(build, apart, FEW_LINE_BYTES), LLVMBuildICmp(build, LLVMIntULE, each, most, ""), "");
}
