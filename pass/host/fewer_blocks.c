/* A launch of a spare whose blocks each do the work of several of the kernel's:
 *
 *     cudaLaunchKernel(K, grid, block, at, shared, stream);
 *
 *     many = grid.x >= 12 && blocks * (threads of a block + 256) >= 2400000 && shared == 0 && the stream is not captured
 *                         && block.x >= 32, of those that change an array in place and move much;
 *     cudaLaunchKernel(many ? &spare : K, many ? (grid.x + 3) / 4 : grid.x, ..., many ? at and &grid.x : at, shared, stream); */
#include "pass/base/ir.h"
#include "pass/host/host.h"

/* Are the places of so many arguments what the launch is given, which clang writes to an array of that length? */
static bool has_places(LLVMValueRef places, unsigned arguments)
{
    LLVMValueRef length = LLVMIsAAllocaInst(places) ? LLVMGetOperand(places, 0) : NULL;
    return length && LLVMGetTypeKind(LLVMGetAllocatedType(places)) == LLVMPointerTypeKind && LLVMIsAConstantInt(length) &&
           LLVMConstIntGetZExtValue(length) == (arguments ? arguments : 1);
}

bool launch_may_be_coarse(LLVMValueRef launch, const SpareCoarse *coarse)
{
    return launch_has_shape(launch) && has_places(LLVMGetOperand(launch, LAUNCH_PLACES), coarse->arguments);
}

/* Does the launch weigh enough, and has it several times the blocks along x that one is to make? Of few there most have an edge, where lanes do one
 * block's work after the other's: stencils of 8 blocks a row came to 0.73 to 1.1 of plain clang, of 13 to 1.1 to 1.5 (H200). A block counts for as many
 * threads more as could have begun while it did. A grid that no kernel may have stays as it is, for the runtime to say so. */
static LLVMValueRef is_many(LLVMBuilderRef build, LLVMValueRef launch, const SpareCoarse *coarse)
{
    enum { BLOCK_THREADS = 256, LEAST_X = 12, MOST_X = 0x7fffffff };
    LLVMValueRef grid = LLVMGetOperand(launch, LAUNCH_GRID), x = launch_low_half(build, grid);
    LLVMTypeRef wide = LLVMTypeOf(grid);
    LLVMValueRef threads = LLVMBuildAdd(build, launch_block(build, launch), LLVMConstInt(wide, BLOCK_THREADS, false), "");
    LLVMValueRef weight = LLVMBuildMul(build, launch_blocks(build, launch), threads, "");
    LLVMValueRef many = LLVMBuildICmp(build, LLVMIntUGE, weight, LLVMConstInt(wide, coarse->from, false), "");
    many = LLVMBuildAnd(build, many, LLVMBuildICmp(build, LLVMIntUGE, x, LLVMConstInt(wide, LEAST_X, false), ""), "");
    if (coarse->wide) {
        LLVMValueRef along = launch_low_half(build, LLVMGetOperand(launch, LAUNCH_BLOCK));
        LLVMValueRef is_wide = LLVMBuildICmp(build, LLVMIntUGE, along, LLVMConstInt(wide, coarse->wide, false), "");
        many = LLVMBuildAnd(build, many, is_wide, "");
    }
    return LLVMBuildAnd(build, many, LLVMBuildICmp(build, LLVMIntULE, x, LLVMConstInt(wide, MOST_X, false), ""), "");
}

/* A quarter of the blocks along x, rounded up. */
static LLVMValueRef grid_coarse(LLVMBuilderRef build, LLVMValueRef grid, unsigned blocks)
{
    LLVMTypeRef wide = LLVMTypeOf(grid);
    LLVMValueRef more = LLVMBuildAdd(build, launch_low_half(build, grid), LLVMConstInt(wide, blocks - 1, false), "");
    LLVMValueRef fewer = LLVMBuildUDiv(build, more, LLVMConstInt(wide, blocks, false), "");
    LLVMValueRef y = LLVMBuildAnd(build, grid, LLVMConstInt(wide, 0xffffffffull << HALF_BITS, false), "");
    return LLVMBuildOr(build, y, fewer, "");
}

static LLVMValueRef alloca_new(LLVMValueRef function, LLVMTypeRef type)
{
    LLVMBuilderRef build = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(build, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef place = LLVMBuildAlloca(build, type, "");
    LLVMDisposeBuilder(build);
    return place;
}

/* Where the arguments lie, and behind them the blocks along x. */
static LLVMValueRef places_coarse(LLVMBuilderRef build, LLVMValueRef launch, unsigned arguments)
{
    LLVMValueRef stub = LLVMGetBasicBlockParent(LLVMGetInstructionParent(launch)), at = LLVMGetOperand(launch, LAUNCH_PLACES);
    LLVMValueRef grid = LLVMGetOperand(launch, LAUNCH_GRID);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(grid));
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), number = LLVMInt32TypeInContext(context);
    LLVMValueRef x = alloca_new(stub, number), places = alloca_new(stub, LLVMArrayType2(pointer, arguments + 1));
    LLVMBuildStore(build, LLVMBuildTrunc(build, grid, number, ""), x);
    for (unsigned i = 0; i <= arguments; i++) {
        LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), i, false);
        LLVMValueRef from = i < arguments ? LLVMBuildGEP2(build, pointer, at, &index, 1, "") : NULL;
        LLVMBuildStore(build, from ? LLVMBuildLoad2(build, pointer, from, "") : x,
                       LLVMBuildGEP2(build, pointer, places, &index, 1, ""));
    }
    return places;
}

/* Where a stream is captured a node is made of the launch, whose grid and arguments the program may change later, knowing the kernel:
 *
 *     bool is_made_now(bool many, stream) { return many && cudaStreamIsCapturing(stream, &status) == 0 && status == 0; } */
static LLVMValueRef is_made_now_new(LLVMModuleRef module, LLVMTypeRef type, LLVMValueRef launch)
{
    static const char per_thread[] = "cudaStreamIsCapturing_ptsz", legacy[] = "cudaStreamIsCapturing";
    const char *asked = is_call_of(launch, "cudaLaunchKernel_ptsz") ? per_thread : legacy;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), number = LLVMInt32TypeInContext(context);
    LLVMTypeRef ask_type = LLVMFunctionType(number, (LLVMTypeRef[]){pointer, pointer}, 2, false);
    LLVMValueRef ask = LLVMGetNamedFunction(module, asked), function = LLVMAddFunction(module, "coalda.is_made_now", type);
    ask = ask ? ask : LLVMAddFunction(module, asked, ask_type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMBasicBlockRef begin = LLVMAppendBasicBlockInContext(context, function, ""),
                      is_many = LLVMAppendBasicBlockInContext(context, function, ""),
                      is_none = LLVMAppendBasicBlockInContext(context, function, "");
    LLVMBuilderRef build = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(build, begin);
    LLVMValueRef status = LLVMBuildAlloca(build, number, "");
    LLVMBuildCondBr(build, LLVMGetParam(function, 0), is_many, is_none);
    LLVMPositionBuilderAtEnd(build, is_many);
    LLVMValueRef wrong = LLVMBuildCall2(build, ask_type, ask, (LLVMValueRef[]){LLVMGetParam(function, 1), status}, 2, "");
    LLVMValueRef known = LLVMBuildICmp(build, LLVMIntEQ, wrong, LLVMConstNull(number), "");
    LLVMValueRef none = LLVMBuildICmp(build, LLVMIntEQ, LLVMBuildLoad2(build, number, status, ""), LLVMConstNull(number), "");
    LLVMBuildRet(build, LLVMBuildAnd(build, known, none, ""));
    LLVMPositionBuilderAtEnd(build, is_none);
    LLVMBuildRet(build, LLVMConstNull(LLVMInt1TypeInContext(context)));
    LLVMDisposeBuilder(build);
    return function;
}

static LLVMValueRef is_made_now(LLVMBuilderRef build, LLVMValueRef launch, LLVMValueRef many)
{
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(launch)));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef bit = LLVMInt1TypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(bit, (LLVMTypeRef[]){bit, pointer}, 2, false);
    LLVMValueRef function = LLVMGetNamedFunction(module, "coalda.is_made_now");
    function = function ? function : is_made_now_new(module, type, launch);
    return LLVMBuildCall2(build, type, function, (LLVMValueRef[]){many, LLVMGetOperand(launch, LAUNCH_STREAM)}, 2, "");
}

LLVMValueRef launch_is_for_fewer(LLVMBuilderRef build, LLVMValueRef launch, const SpareCoarse *coarse, LLVMValueRef wanted)
{
    return is_made_now(build, launch, LLVMBuildAnd(build, wanted, is_many(build, launch, coarse), ""));
}

static void set_if(LLVMBuilderRef build, LLVMValueRef launch, unsigned operand, LLVMValueRef wanted, LLVMValueRef value)
{
    LLVMSetOperand(launch, operand, LLVMBuildSelect(build, wanted, value, LLVMGetOperand(launch, operand), ""));
}

void launch_coarsen(LLVMBuilderRef build, LLVMValueRef launch, const SpareCoarse *coarse, LLVMValueRef wanted)
{
    LLVMValueRef places = places_coarse(build, launch, coarse->arguments);
    set_if(build, launch, LAUNCH_GRID, wanted, grid_coarse(build, LLVMGetOperand(launch, LAUNCH_GRID), coarse->blocks));
    set_if(build, launch, LAUNCH_PLACES, wanted, places);
}
