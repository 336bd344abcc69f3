/* Where in the user's own source an instruction comes from. Code of toolkit headers counts as the line that uses it. */
#include <string.h>

#include "coalda.h"

/* Parts of the paths of headers that users did not write. */
static const char *const toolkit[] = {"/lib/clang/", "/cuda/include/", "/crt/", "/cccl/", "/nvidia/", "/.cuda/", "__clang_cuda"};

static bool is_toolkit(const char *directory, const char *file)
{
    for (size_t i = 0; i < sizeof toolkit / sizeof *toolkit; i++)
        if (strstr(file, toolkit[i]) || (file[0] != '/' && strstr(directory, toolkit[i])))
            return true;
    return false;
}

static Location location_read(Arena *arena, LLVMMetadataRef metadata)
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
            if (outermost.line && !is_toolkit(outermost.directory, outermost.file))
                return outermost;
        }
    }
    return outermost;
}
