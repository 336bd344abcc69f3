/* A profile is obeyed: its decisions are written on the kernels while these are as the program has them, and read there by whoever opens
 * one (kernel_open), in copies and trials as well. */
#include "pass/driver/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include <unistd.h>

#include "pass/bridge/bridge.h"
#include "pass/profile/body_hash.h"
#include "pass/profile/profile.h"

static const char *kernel_name(Arena *arena, LLVMValueRef kernel)
{
    size_t length;
    return profile_name(arena, LLVMGetValueName2(kernel, &length));
}

/* ---- hashes ---- */

/* In one piece, as compilers that run side by side add to the same file. */
static void hashes_add(Arena *arena, LLVMModuleRef module, const char *path, const Text *lines)
{
    enum { FOR_ALL = 0666 };
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, FOR_ALL);
    bool done = file >= 0 && write(file, lines->data, lines->length) == (ssize_t)lines->length;
    int failed = errno;
    if (file >= 0)
        close(file);
    if (!done)
        ir_error(module, arena_text(arena, "coalda option 'hashes': %s: %s", path, strerror(failed)));
}

/* ---- decisions ---- */

/* The first instruction of which it is known where it stands, or the first. */
static LLVMValueRef place_of(LLVMValueRef kernel)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)), at = first;
    while (at && !LLVMInstructionGetDebugLoc(at))
        at = LLVMGetNextInstruction(at);
    return at ? at : first;
}

static void tell(Arena *arena, LLVMValueRef kernel, const Profile *profile, const ProfileKernel *line, Why why)
{
    LLVMValueRef at = place_of(kernel);
    const char *where = arena_text(arena, "%s:%d", profile->path, line->decided);
    const IrRemarkPart parts[] = {{"Kernel", line->name}, {"Decision", line->decision}, {"Line", where}};
    const char *rest = why ? arena_text(arena, " %s: %s", why_text(why)->sentence, why_text(why)->remedy) : "";
    const char *sentence = arena_text(arena, "%s: '%s' (%s)%s", line->name, line->decision, where,
                                      why ? rest : " was decided by a profile");
    ir_remark(why ? REMARK_MISSED : REMARK_ANALYSIS, at, LLVMInstructionGetDebugLoc(at), why ? why_text(why)->name : "Decided",
              sentence, parts, sizeof parts / sizeof *parts);
}

static void decide(Arena *arena, LLVMValueRef kernel, uint64_t body, const Profile *profile)
{
    static const char name[] = DECIDED_ATTRIBUTE;
    const char *called = kernel_name(arena, kernel);
    const ProfileKernel *line = profile_find(profile, called, body), *stale = line ? NULL : profile_stale(profile, called, body);
    LLVMModuleRef module = LLVMGetGlobalParent(kernel);
    if (stale && ir_remarks_wanted(module))
        tell(arena, kernel, profile, stale, WHY_STALE);
    if (!line || !line->decision)
        return;
    LLVMAttributeRef decided = LLVMCreateStringAttribute(LLVMGetModuleContext(module), name, sizeof name - 1, line->decision,
                                                         (unsigned)strlen(line->decision));
    LLVMAddAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, decided);
    if (ir_remarks_wanted(module))
        tell(arena, kernel, profile, line, WHY_NONE);
}

static bool is_body(LLVMValueRef function) { return !LLVMIsDeclaration(function) && function_is_kernel(function); }

static void obey(Arena *arena, LLVMModuleRef module, const Options *options)
{
    Profile profile = profile_new(arena, options->profile.text);
    const char *wrong = *options->profile.text ? profile_read(&profile) : NULL;
    BodyHashes *hashes = body_hashes_open(arena);
    Text lines = text_new(arena);
    if (wrong) {
        ir_error(module, arena_text(arena, "coalda option 'profile': %s", wrong));
        return;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!is_body(f))
            continue;
        uint64_t body = body_hash(hashes, f);
        text_add(&lines, "kernel %s %016" PRIx64 "\n", kernel_name(arena, f), body);
        decide(arena, f, body, &profile);
    }
    if (*options->hashes.text)
        hashes_add(arena, module, options->hashes.text, &lines);
}

void profile_obey(LLVMModuleRef module, const Options *options)
{
    if (!module_is_device(module) || (!*options->profile.text && !*options->hashes.text))
        return;
    Arena *arena = arena_new();
    obey(arena, module, options);
    arena_free(arena);
}

void profile_forget(LLVMModuleRef module)
{
    static const char name[] = DECIDED_ATTRIBUTE;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
}
