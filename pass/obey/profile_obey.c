/* A profile is obeyed: its decisions are written on the kernels while these are as the program has them, and read there by whoever opens
 * one (kernel_open), in copies and trials as well. */
#include "pass/obey/profile_obey.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include <unistd.h>

#include "pass/bridge/bridge.h"
#include "pass/profile/body_hash.h"
#include "pass/profile/launched.h"
#include "pass/report/remark.h"
#include "pass/report/sentence.h"

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

/* Of a kernel, "what: 'said' (where) ...", with the sentence of the cause or, where there is none, the one that is given. */
static void tell(Arena *arena, LLVMValueRef kernel, const Profile *profile, const char *said, int line, Why why, const char *name,
                 const char *sentence)
{
    if (!ir_remarks_wanted(LLVMGetGlobalParent(kernel)))
        return;
    LLVMValueRef at = place_of(kernel);
    const char *called = kernel_name(arena, kernel), *where = arena_text(arena, "%s:%d", profile->path, line);
    const IrRemarkPart parts[] = {{"Kernel", called}, {"Decision", said}, {"Line", where}};
    const char *slash = strrchr(profile->path, '/');
    Sentence all = sentence_new(arena);
    say(&all, SAY_NEEDED, arena_text(arena, "%s: '%s'", name_said(arena, called), said));
    say(&all, SAY_DETAIL, arena_text(arena, " (%s:%d)", slash ? slash + 1 : profile->path, line));
    say(&all, SAY_NEEDED, arena_text(arena, " %s", why ? why_text(why)->sentence : sentence));
    if (why)
        say(&all, SAY_REMEDY, arena_text(arena, ": %s", why_text(why)->remedy));
    ir_remark(why ? REMARK_MISSED : REMARK_ANALYSIS, at, LLVMInstructionGetDebugLoc(at), why ? why_text(why)->name : name,
              sentence_text(&all), parts, sizeof parts / sizeof *parts);
}

/* ---- launches ---- */

static const char *extents_text(Arena *arena, const int *extent)
{
    const char *text = arena_text(arena, "%d", extent[0]);
    for (int i = 1; i < PROFILE_AXES && (extent[1] > 1 || extent[2] > 1); i++)
        text = arena_text(arena, "%sx%d", text, extent[i]);
    return text;
}

static const char *launches_text(Arena *arena, const Launched *launched)
{
    Text text = text_new(arena);
    if (launched->known)
        text_add(&text, "launches of %" PRId64 " block%s of %d threads", launched->blocks, launched->blocks == 1 ? "" : "s",
                 launched->threads);
    if (launched->extent[0])
        text_add(&text, ", most of them of %s", extents_text(arena, launched->extent));
    for (int i = 0; i < launched->ranges; i++)
        text_add(&text, "%sargument %u from %" PRId64 " to %" PRId64, text.length ? ", " : "", launched->range[i].index,
                 launched->range[i].least, launched->range[i].most);
    return text.data;
}

static void price(Arena *arena, LLVMValueRef kernel, const Profile *profile, const ProfileKernel *line, const Launched *launched)
{
    bool any = launched->known || launched->ranges;
    if (!any || !decision_prices(line->decision))
        return;
    ir_set_attribute(kernel, LAUNCHED_ATTRIBUTE, launched_text(arena, launched));
    tell(arena, kernel, profile, launches_text(arena, launched), line->line, WHY_NONE, "Launches", "are what it is priced for");
}

/* ---- bounds ---- */

static bool is_bounded(LLVMValueRef kernel)
{
    static const char *const bounds[] = {"nvvm.maxntid", "nvvm.reqntid"};
    bool any = false;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        any |= LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, bounds[i],
                                             (unsigned)strlen(bounds[i])) != NULL;
    return any;
}

/* The largest block that was launched, if that is asked for and the kernel does not say another. From here on it is a fact, as if the
 * source said so: the driver refuses larger blocks. */
static void bound(Arena *arena, LLVMValueRef kernel, const Profile *profile, const ProfileKernel *line, const Launched *launched,
                  const Options *options)
{
    const Options own = function_options(arena, LLVMGetGlobalParent(kernel), kernel, options);
    if (!own.bounds || own.off || is_bounded(kernel))
        return;
    if (!launched->known) {
        tell(arena, kernel, profile, BOUNDS, line ? line->line : 1, WHY_NO_LAUNCHES, NULL, NULL);
        return;
    }
    const char *most = arena_text(arena, "%d", launched->most);
    ir_set_attribute(kernel, "nvvm.maxntid", most);
    tell(arena, kernel, profile, BOUNDS, line->line, WHY_NONE, "Bounds",
         arena_text(arena, "is written into it as __launch_bounds__(%s): larger blocks are no longer launched, and fail", most));
}

/* ---- kernels ---- */

static void decide(Arena *arena, LLVMValueRef kernel, const Profile *profile, const ProfileKernel *line)
{
    if (line->decision) {
        ir_set_attribute(kernel, DECIDED_ATTRIBUTE, line->decision);
        tell(arena, kernel, profile, line->decision, line->decided, WHY_NONE, "Decided", "was decided by a profile");
    }
    Text parts = text_new(arena);
    for (size_t i = 0; i < line->parts.count; i++) {
        const ProfilePart *part = line->parts.item[i];
        text_add(&parts, "%s%s %s", i ? "\n" : "", part->array, part->decision);
        tell(arena, kernel, profile, arena_text(arena, "%s %s", part->array, part->decision), part->line, WHY_NONE, "Decided",
             "was decided by a profile");
    }
    if (parts.length)
        ir_set_attribute(kernel, PARTS_ATTRIBUTE, parts.data);
}

static void tell_stale(Arena *arena, LLVMValueRef kernel, const Profile *profile, const ProfileKernel *stale)
{
    if (stale->decision)
        tell(arena, kernel, profile, stale->decision, stale->decided, WHY_STALE, NULL, NULL);
    for (size_t i = 0; i < stale->parts.count; i++) {
        const ProfilePart *part = stale->parts.item[i];
        tell(arena, kernel, profile, arena_text(arena, "%s %s", part->array, part->decision), part->line, WHY_STALE, NULL, NULL);
    }
    if (stale->launches.count || stale->arguments.count)
        tell(arena, kernel, profile, "launches", stale->line, WHY_STALE_LAUNCHES, NULL, NULL);
}

static void obey_kernel(Arena *arena, LLVMValueRef kernel, uint64_t body, const Profile *profile, const Options *options)
{
    const char *called = kernel_name(arena, kernel);
    const ProfileKernel *line = profile_find(profile, called, body), *stale = line ? NULL : profile_stale(profile, called, body);
    const Launched launched = line ? launched_of(arena, line) : (Launched){0};
    if (stale)
        tell_stale(arena, kernel, profile, stale);
    if (line) {
        decide(arena, kernel, profile, line);
        price(arena, kernel, profile, line, &launched);
    }
    if (*profile->path)
        bound(arena, kernel, profile, line, &launched, options);
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
        obey_kernel(arena, f, body, &profile, options);
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
    static const char *const names[] = {DECIDED_ATTRIBUTE, LAUNCHED_ATTRIBUTE, PARTS_ATTRIBUTE};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
                                             (unsigned)strlen(names[i]));
}
