/* Where in the user's own source an instruction comes from. Code of toolkit headers counts as the line that uses it. */
#include <string.h>

#include "analysis/access/access.h"

/* Parts of the paths of headers that users did not write: the system's, clang's and the CUDA toolkit's; and our own. */
static const char *const toolkit[] = {"/lib/clang/", "/.cuda/", "/nvidia/", "/cccl/"};

static bool is_toolkit_path(const char *path)
{
    static const char system[] = "/usr/", own[] = "coalda.h";
    size_t length = strlen(path), tail = sizeof own - 1;
    if (length >= tail && strcmp(path + length - tail, own) == 0 && (length == tail || path[length - tail - 1] == '/'))
        return true;
    if (strncmp(path, system, sizeof system - 1) == 0 || (strstr(path, "/cuda") && strstr(path, "/include/")))
        return true;
    for (size_t i = 0; i < sizeof toolkit / sizeof *toolkit; i++)
        if (strstr(path, toolkit[i]))
            return true;
    return false;
}

bool location_is_users(const Location *location)
{
    bool absolute = location->file[0] == '/';
    return location->line && !is_toolkit_path(location->file) && (absolute || !is_toolkit_path(location->directory));
}

Location location_read(Arena *arena, LLVMMetadataRef metadata)
{
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(metadata));
    unsigned file_length = 0, directory_length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &file_length) : "";
    const char *directory = file ? LLVMDIFileGetDirectory(file, &directory_length) : "";
    return (Location){
        .metadata = metadata,
        .file = arena_copy(arena, name ? name : "", file_length),
        .directory = arena_copy(arena, directory ? directory : "", directory_length),
        .line = LLVMDILocationGetLine(metadata),
        .column = LLVMDILocationGetColumn(metadata),
    };
}

Location location_of(const Scope *scope, LLVMValueRef instruction)
{
    Location outermost = {0};
    for (; scope; instruction = scope->call, scope = scope->caller) {
        LLVMMetadataRef metadata = LLVMInstructionGetDebugLoc(instruction);
        for (; metadata; metadata = LLVMDILocationGetInlinedAt(metadata)) {
            outermost = location_read(scope->kernel->arena, metadata);
            if (location_is_users(&outermost))
                return outermost;
        }
    }
    return outermost;
}
