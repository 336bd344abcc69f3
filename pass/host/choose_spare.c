/* A launch stub chooses:
 *
 *     cudaLaunchKernel(K, grid, block, at, shared, stream);
 *
 *     cudaLaunchKernel(*(unsigned *)at[3] < 16 && shared == 0 ? &spare : K, grid, block, at, shared, stream);
 *     __cudaRegisterFunction(image, &spare, "K$coalda1$arg3_u32_below_16", ...);     behind that of K
 *
 * Of several spares the one for the shortest rows is chosen last. The condition is asked of what the kernel is given, so that it does not matter how the stub gets it. `spare` is a byte of the module's own, which
 * stands for the spare as the stub stands for the kernel. Spares that are launched with fewer blocks are said in fewer_blocks.c. */
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

static void register_spare(LLVMBuilderRef build, const LaunchStub *stub, const SpareName *spare, LLVMValueRef handle)
{
    enum { MOST = 16 };
    LLVMValueRef call = stub->registration, argument[MOST];
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMPositionBuilderBefore(build, LLVMGetNextInstruction(call));
    LLVMValueRef name = LLVMBuildGlobalString(build, spare->text, "");
    for (unsigned i = 0; i < count && i < MOST; i++)
        argument[i] = i == STUB_AT ? handle : i == NAME_AT || i == SHOWN_AT ? name : LLVMGetOperand(call, i);
    LLVMBuildCall2(build, LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), argument, count, "");
}

/* What the kernel is given there, of its own width. A struct's members lie as the program says. */
static LLVMValueRef number_of(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef at, const SpareNumber *number)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0), byte = LLVMInt8TypeInContext(context);
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), number->argument, false);
    LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), number->offset, false);
    LLVMValueRef place = LLVMBuildLoad2(build, pointer, LLVMBuildGEP2(build, pointer, at, &index, 1, ""), "");
    if (number->offset)
        place = LLVMBuildGEP2(build, byte, place, &offset, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(build, LLVMIntTypeInContext(context, number->bits), place, "");
    if (number->is_member)
        LLVMSetAlignment(value, 1);
    return value;
}

static LLVMValueRef is_below(LLVMBuilderRef build, LLVMValueRef value, uint64_t bound)
{
    return LLVMBuildICmp(build, LLVMIntULT, value, LLVMConstInt(LLVMTypeOf(value), bound, false), "");
}

/* Is the product? Each is below the bound as well, and so is what they come to one after the other, as 64 bits hold no more. */
static LLVMValueRef is_product_below(LLVMBuilderRef build, const LLVMValueRef *number, unsigned count, uint64_t bound)
{
    LLVMValueRef product = number[0], all = is_below(build, product, bound);
    for (unsigned i = 1; i < count; i++) {
        product = LLVMBuildMul(build, product, number[i], "");
        all = LLVMBuildAnd(build, all, is_below(build, number[i], bound), "");
        all = LLVMBuildAnd(build, all, is_below(build, product, bound), "");
    }
    return all;
}

/* Is the quotient? Nothing is divided, as that may be by zero. */
static LLVMValueRef is_quotient_below(LLVMBuilderRef build, LLVMValueRef first, LLVMValueRef second, uint64_t bound)
{
    enum { WORD_BITS = 32 };
    LLVMValueRef most = LLVMBuildMul(build, second, LLVMConstInt(LLVMTypeOf(second), bound, false), "");
    return LLVMBuildAnd(build, is_below(build, second, 1ull << (WORD_BITS - 1)), LLVMBuildICmp(build, LLVMIntULT, first, most, ""),
                        "");
}

/* Is what rows are apart by below the bound, or below another one and no multiple? */
static LLVMValueRef is_near(LLVMBuilderRef build, LLVMValueRef pitch, uint64_t bound, const SpareCondition *small)
{
    LLVMValueRef is_nearest = is_below(build, pitch, bound);
    if (!small->odd)
        return is_nearest;
    LLVMValueRef left = LLVMBuildAnd(build, pitch, LLVMConstInt(LLVMTypeOf(pitch), small->by - 1, false), "");
    LLVMValueRef is_odd = LLVMBuildICmp(build, LLVMIntNE, left, LLVMConstNull(LLVMTypeOf(pitch)), "");
    return LLVMBuildOr(build, is_nearest, LLVMBuildAnd(build, is_below(build, pitch, small->odd), is_odd, ""), "");
}

static LLVMValueRef is_small(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef at, const SpareCondition *small)
{
    LLVMValueRef number[SPARE_NUMBERS] = {0};
    for (unsigned i = 0; i < small->count; i++) {
        number[i] = number_of(build, context, at, &small->number[i]);
        if (small->count > 1)
            number[i] = LLVMBuildZExt(build, number[i], LLVMInt64TypeInContext(context), "");
    }
    LLVMValueRef is_short = small->divides ? is_quotient_below(build, number[0], number[1], small->below)
                                           : is_product_below(build, number, small->count, small->below);
    if (!small->near)
        return small->odd ? is_near(build, number[0], small->below, small) : is_short;
    LLVMTypeRef wide = LLVMInt64TypeInContext(context);
    LLVMValueRef pitch = LLVMBuildZExt(build, number_of(build, context, at, &small->pitch), wide, "");
    LLVMValueRef overlaps = LLVMBuildICmp(build, LLVMIntULT, pitch, LLVMBuildZExt(build, number[0], wide, ""), "");
    return LLVMBuildOr(build, is_short, LLVMBuildAnd(build, overlaps, is_near(build, pitch, small->near, small), ""), "");
}

static LLVMValueRef are_small(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef at, const SpareLaunch *reasons)
{
    LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(context), reasons->count > 0, false);
    for (size_t i = 0; i < reasons->count; i++)
        all = LLVMBuildAnd(build, all, is_small(build, context, at, &reasons->small[i]), "");
    return all;
}

static LLVMValueRef is_few(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef launch, LLVMValueRef at, const SpareFew *few)
{
    LLVMValueRef number = few->bytes ? number_of(build, context, at, &few->number) : NULL;
    LLVMValueRef wanted = launch_is_few(build, launch, few, number);
    if (few->is_bounded)
        wanted = LLVMBuildAnd(build, wanted, LLVMBuildNot(build, is_small(build, context, at, &few->least), ""), "");
    return wanted;
}

/* Is there any for which it is launched? What the launch does not tell is none. */
static LLVMValueRef is_reason(LLVMBuilderRef build, LLVMContextRef context, LLVMValueRef launch, const SpareLaunch *reasons)
{
    LLVMValueRef at = LLVMGetOperand(launch, LLVMGetNumArgOperands(launch) - 3);
    LLVMValueRef any = are_small(build, context, at, reasons);
    if (reasons->few.threads && launch_has_shape(launch))
        any = LLVMBuildOr(build, any, is_few(build, context, launch, at, &reasons->few), "");
    if (reasons->full && launch_has_shape(launch))
        any = LLVMBuildOr(build, any, launch_is_full(build, launch, reasons), "");
    if (reasons->straight && launch_has_shape(launch))
        any = LLVMBuildOr(build, any, launch_is_straight(build, launch), "");
    return any;
}

/* A caller's cudaFuncSetAttribute allows the kernel alone more shared memory than every kernel has. */
static LLVMValueRef is_alike(LLVMBuilderRef build, LLVMValueRef shared)
{
    return LLVMBuildICmp(build, LLVMIntEQ, shared, LLVMConstNull(LLVMTypeOf(shared)), "");
}

/* The runtime is told of the spare, and the stub launches it where its condition holds, else what it would. */
static void stub_choose(LLVMModuleRef module, const LaunchStub *stub, const SpareName *spare)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef build = LLVMCreateBuilderInContext(context);
    LLVMValueRef launch = stub->launch, handle = byte_new(module, spare);
    unsigned count = LLVMGetNumArgOperands(launch); /* from the end: the stream, shared memory, the arguments' places */
    register_spare(build, stub, spare, handle);
    LLVMPositionBuilderBefore(build, launch);
    LLVMValueRef wanted = is_alike(build, LLVMGetOperand(launch, count - 2));
    wanted = spare->coarse.blocks ? launch_is_for_fewer(build, launch, &spare->coarse, wanted)
                                  : LLVMBuildAnd(build, wanted, is_reason(build, context, launch, &spare->launch), "");
    LLVMSetOperand(launch, 0, LLVMBuildSelect(build, wanted, handle, LLVMGetOperand(launch, 0), ""));
    if (spare->coarse.blocks)
        launch_coarsen(build, launch, &spare->coarse, wanted);
    LLVMDisposeBuilder(build);
}

bool host_choose(LLVMModuleRef module)
{
    Arena *arena = arena_new();
    const List stubs = launch_stubs_find(arena, module);
    for (size_t i = 0; i < stubs.count; i++) {
        const LaunchStub *stub = stubs.item[i];
        for (size_t k = 0; k < stub->spares.count; k++)
            stub_choose(module, stub, stub->spares.item[k]);
    }
    arena_free(arena);
    return stubs.count > 0;
}
