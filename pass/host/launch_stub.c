/* Launch stubs, as clang writes them for the host, whose kernels have spares in the image that the module registers:
 *
 *     void K(arguments) { void *at[] = {&...}; __cudaPopCallConfiguration(...); cudaLaunchKernel(K, grid, block, at, shared, stream); }
 *     __cuda_register_globals: __cudaRegisterFunction(image, K, "K", "K", -1, 0, 0, 0, 0, 0);
 *
 * The stub's address is what a program knows the kernel by. A stub may choose where the module does nothing with that address but register it and
 * launch it here: whoever asks of a kernel how many of its blocks an SM holds, or allows it more shared memory, has asked for the one that
 * it launches then by another call. Of what other modules do with it nothing is known: a launch with dynamic shared memory, which such a call may
 * have allowed, is left to the kernel (choose_spare.c). */
#include <string.h>

#include "pass/base/ir.h"
#include "pass/host/fat_binary.h"
#include "pass/host/host.h"

enum { STUB_AT = 1, NAME_AT = 2, FUNCTION_AT = 0, LEAST_OF_LAUNCH = 6 };

/* The bytes of a constant that is named; NULL where it is not made of bytes. */
static const char *bytes_of(LLVMValueRef pointer, size_t *length)
{
    LLVMValueRef global = LLVMIsAGlobalVariable(stripped(pointer));
    LLVMValueRef value = global ? LLVMGetInitializer(global) : NULL;
    return value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value) ? LLVMGetAsString(value, length) : NULL;
}

/* The image that the module registers: the third member of what is handed to the runtime. */
static List spares_of(Arena *arena, LLVMModuleRef module)
{
    enum { IMAGE_AT = 2 };
    size_t length;
    LLVMValueRef wrapper = LLVMGetNamedGlobal(module, "__cuda_fatbin_wrapper");
    LLVMValueRef value = wrapper ? LLVMGetInitializer(wrapper) : NULL;
    bool may_be = value && LLVMGetNumOperands(value) > IMAGE_AT;
    const char *image = may_be ? bytes_of(LLVMGetOperand(value, IMAGE_AT), &length) : NULL;
    return image ? fat_binary_spares(arena, image, length) : list_new(arena);
}

static bool is_launch(LLVMValueRef user, LLVMValueRef stub)
{
    return (is_call_of(user, "cudaLaunchKernel") || is_call_of(user, "cudaLaunchKernel_ptsz")) &&
           LLVMGetNumArgOperands(user) >= LEAST_OF_LAUNCH && LLVMGetOperand(user, FUNCTION_AT) == stub &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == stub;
}

/* Is the stub what is called, and nothing that the call is given? */
static bool is_called(LLVMValueRef user, LLVMValueRef stub)
{
    bool called = (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == stub;
    for (unsigned i = 0; called && i < LLVMGetNumArgOperands(user); i++)
        called = LLVMGetOperand(user, i) != stub;
    return called;
}

/* What the source says of the kernel to whoever compiles it. */
static bool is_annotation(LLVMValueRef user)
{
    static const char annotations[] = "llvm.global.annotations";
    size_t length;
    if (LLVMIsAGlobalVariable(user))
        return strcmp(LLVMGetValueName2(user, &length), annotations) == 0;
    bool all = LLVMIsAConstantStruct(user) || LLVMIsAConstantArray(user);
    for (LLVMUseRef use = all ? LLVMGetFirstUse(user) : NULL; use && all; use = LLVMGetNextUse(use))
        all = is_annotation(LLVMGetUser(use));
    return all;
}

/* The one call that launches the kernel; NULL where there are several, or the address of its stub is used for anything else. */
static LLVMValueRef launch_of(LLVMValueRef stub, LLVMValueRef registration)
{
    LLVMValueRef launch = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(stub); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool launches = is_launch(user, stub);
        if (launches ? launch != NULL : user != registration && !is_called(user, stub) && !is_annotation(user))
            return NULL;
        launch = launches ? user : launch;
    }
    return launch;
}

/* One for blocks of other shapes comes first, then one for full launches of whatever rows, those for shorter rows behind those for longer ones, and one for few threads. */
static uint64_t order_of(const SpareName *spare)
{
    const SpareLaunch *launch = &spare->launch;
    bool full = launch->full && !launch->count && !launch->few.threads;
    return launch->straight ? UINT64_MAX : full ? UINT64_MAX - 1 : launch->small[0].below;
}

static void add_in_order(List *spares, const SpareName *spare)
{
    list_add(spares, (void *)spare);
    for (size_t i = spares->count - 1; i > 0; i--) {
        const SpareName *one = spares->item[i - 1], *other = spares->item[i];
        if (order_of(one) >= order_of(other))
            return;
        spares->item[i - 1] = (void *)other;
        spares->item[i] = (void *)one;
    }
}

/* The spares of the kernel of that name, a coarse one last; none where there is another one beside that, but for blocks of other shapes. */
static List spares_of_kernel(Arena *arena, const List *spares, const char *name)
{
    List found = list_new(arena);
    size_t coarse = 0, straight = 0;
    for (size_t i = 0; i < spares->count; i++) {
        const SpareName *spare = spares->item[i];
        if (strlen(name) != spare->kernel_length || memcmp(name, spare->text, spare->kernel_length) != 0)
            continue;
        add_in_order(&found, spare);
        coarse += spare->coarse.blocks > 0;
        straight += spare->launch.straight;
    }
    bool fits = straight <= 1 && (!coarse || (coarse == 1 && found.count == coarse + straight));
    return fits ? found : list_new(arena);
}

List launch_stubs_find(Arena *arena, LLVMModuleRef module)
{
    List stubs = list_new(arena);
    LLVMValueRef registers = LLVMGetNamedFunction(module, "__cudaRegisterFunction");
    const List spares = registers ? spares_of(arena, module) : stubs;
    for (LLVMUseRef use = spares.count ? LLVMGetFirstUse(registers) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        size_t length;
        LLVMValueRef stub = is_call_of(call, "__cudaRegisterFunction") ? LLVMIsAFunction(LLVMGetOperand(call, STUB_AT)) : NULL;
        const char *name = stub ? bytes_of(LLVMGetOperand(call, NAME_AT), &length) : NULL;
        List own = name && length && !name[length - 1] ? spares_of_kernel(arena, &spares, name) : list_new(arena);
        const SpareName *last = own.count ? own.item[own.count - 1] : NULL;
        LLVMValueRef launch = last ? launch_of(stub, call) : NULL;
        if (launch && last->coarse.blocks && !launch_may_be_coarse(launch, &last->coarse))
            own.count--;
        if (!launch || !own.count)
            continue;
        LaunchStub *found = ARENA_NEW(arena, LaunchStub);
        *found = (LaunchStub){call, launch, own};
        list_add(&stubs, found);
    }
    return stubs;
}
