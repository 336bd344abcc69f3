/* A launch stub chooses:
 *
 *     cudaLaunchKernel(K, grid, block, at, shared, stream);
 *
 *     cudaLaunchKernel(*(unsigned *)at[3] < 16 && shared == 0 ? &spare : K, grid, block, at, shared, stream);
 *     __cudaRegisterFunction(image, &spare, "K$coalda1$arg3_u32_below_16", ...);     behind that of K
 *
 * The condition is asked of what the kernel is given, so that it does not matter how the stub gets it. `spare` is a byte of the module's own, which
 * stands for the spare as the stub stands for the kernel. */
#include "pass/host/host.h"

enum { STUB_AT = 1, NAME_AT = 2, SHOWN_AT = 3 }; /* of a registration */
enum { HANDLE_ALIGNMENT = 16 }; /* that of functions: the runtime finds what a handle stands for by a hash of it */

static LLVMValueRef byte_new(LLVMModuleRef module, const SpareName *spare)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef handle = LLVMAddGlobal(module, byte, spare->text);
    LLVMSetLinkage(handle, LLVMInternalLinkage);
    LLVMSetInitializer(handle, LLVMConstNull(byte));
    LLVMSetAlignment(handle, HANDLE_ALIGNMENT);
    return handle;
}

static void register_spare(LLVMBuilderRef build, const LaunchStub *stub, LLVMValueRef handle)
{
    enum { MOST = 16 };
    LLVMValueRef call = stub->registration, argument[MOST];
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMPositionBuilderBefore(build, LLVMGetNextInstruction(call));
    LLVMValueRef name = LLVMBuildGlobalString(build, stub->spare->text, "");
    for (unsigned i = 0; i < count && i < MOST; i++)
        argument[i] = i == STUB_AT ? handle : i == NAME_AT || i == SHOWN_AT ? name : LLVMGetOperand(call, i);
    LLVMBuildCall2(build, LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), argument, count, "");
}

static LLVMValueRef is_small(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef at, const SmallArgument *small)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), number = LLVMIntTypeInContext(context, small->bits);
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), small->argument, false);
    LLVMValueRef place = LLVMBuildLoad2(build, pointer, LLVMBuildGEP2(build, pointer, at, &index, 1, ""), "");
    return LLVMBuildICmp(build, LLVMIntULT, LLVMBuildLoad2(build, number, place, ""), LLVMConstInt(number, small->below, false),
                         "");
}

/* A caller's cudaFuncSetAttribute allows the kernel alone more shared memory than every kernel has. */
static LLVMValueRef is_alike(LLVMBuilderRef build, LLVMValueRef shared)
{
    return LLVMBuildICmp(build, LLVMIntEQ, shared, LLVMConstNull(LLVMTypeOf(shared)), "");
}

/* The runtime is told of the spare, and the stub launches it where its condition holds. */
static void stub_choose(LLVMModuleRef module, const LaunchStub *stub)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef build = LLVMCreateBuilderInContext(context);
    LLVMValueRef launch = stub->launch, handle = byte_new(module, stub->spare);
    unsigned count = LLVMGetNumArgOperands(launch); /* from the end: the stream, shared memory, the arguments' places */
    register_spare(build, stub, handle);
    LLVMPositionBuilderBefore(build, launch);
    LLVMValueRef wanted = is_alike(build, LLVMGetOperand(launch, count - 2));
    for (size_t i = 0; i < stub->spare->count; i++)
        wanted = LLVMBuildAnd(build, wanted, is_small(build, context, LLVMGetOperand(launch, count - 3), &stub->spare->small[i]),
                              "");
    LLVMSetOperand(launch, 0, LLVMBuildSelect(build, wanted, handle, LLVMGetOperand(launch, 0), ""));
    LLVMDisposeBuilder(build);
}

bool host_choose(LLVMModuleRef module)
{
    Arena *arena = arena_new();
    const List stubs = launch_stubs_find(arena, module);
    for (size_t i = 0; i < stubs.count; i++)
        stub_choose(module, stubs.item[i]);
    arena_free(arena);
    return stubs.count > 0;
}
