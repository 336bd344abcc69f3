/* Kernels and their hashes, from a file of device IR. */
#include <llvm-c/IRReader.h>
#include <string.h>

#include "analysis/address/kernel.h"
#include "pass/profile/body_hash.h"
#include "tool.h"

/* Its strings outlive LLVM's. */
static const char *take_message(Arena *arena, char *message)
{
    const char *text = arena_copy(arena, message ? message : "unreadable", message ? strcspn(message, "\n") : strlen("unreadable"));
    LLVMDisposeMessage(message);
    return text;
}

/* The first error that LLVM reports, instead of the end of the process. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        *(bool *)context = true;
}

/* Kernels that files have each for itself may be alike. */
static void add_once(Profile *profile, const char *name, uint64_t body)
{
    for (size_t i = 0; i < profile->kernels.count; i++) {
        const ProfileKernel *kernel = profile->kernels.item[i];
        if (kernel->body == body && strcmp(kernel->name, name) == 0)
            return;
    }
    profile_add(profile, name, body);
}

static void add_kernels(LLVMModuleRef module, Profile *profile)
{
    BodyHashes *hashes = body_hashes_open(profile->arena);
    size_t length;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !function_is_kernel(f))
            continue;
        const char *name = profile_name(profile->arena, LLVMGetValueName2(f, &length));
        add_once(profile, name, body_hash(hashes, f));
    }
}

static const char *read_in(LLVMContextRef context, const char *path, Profile *profile)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message = NULL;
    const char *wrong = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        return take_message(profile->arena, message);
    if (LLVMParseIRInContext(context, buffer, &module, &message)) /* takes the buffer */
        return take_message(profile->arena, message);
    if (module_is_device(module))
        add_kernels(module, profile);
    else
        wrong = arena_text(profile->arena, "this is code for '%s', not for nvptx: compile with --cuda-device-only",
                           LLVMGetTarget(module));
    LLVMDisposeModule(module);
    return wrong;
}

const char *module_hash(const char *path, Profile *profile)
{
    LLVMContextRef context = LLVMContextCreate();
    bool failed = false;
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, &failed);
    const char *wrong = read_in(context, path, profile);
    LLVMContextDispose(context);
    if (!wrong && failed)
        wrong = "unreadable";
    return wrong ? arena_text(profile->arena, "%s: %s", path, wrong) : NULL;
}
