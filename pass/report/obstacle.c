/* Names, and what stands in the way of a rewrite, in words: "the store in line 23 of tile.h, called in line 40". */
#include <stdlib.h>

#include "pass/report/remark.h"

/* ---- names ---- */

const char *name_said(Arena *arena, const char *linked)
{
    enum { MOST = 60 };
    char *name = ir_demangled(linked);
    size_t length = strlen(name);
    if (length > MOST)
        length = bare_length(name);
    if (length > MOST)
        length = strcspn(name, "<(");
    const char *said = arena_copy(arena, name, length);
    free(name);
    return said;
}

/* ---- what it is ---- */

static bool is_fence(LLVMValueRef call)
{
    const char *name = callee_name(call);
    return text_begins(name, "llvm.nvvm.membar.") || text_begins(name, "llvm.nvvm.fence.");
}

static const char *call_words(Arena *arena, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return "the assembly";
    if (is_block_barrier(call) || is_warp_barrier(call))
        return "the barrier";
    if (LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call) || text_begins(callee_name(call), "llvm.nvvm.cp.async."))
        return "the copy";
    if (is_fence(call))
        return "the fence";
    if (!callee || LLVMGetIntrinsicID(callee))
        return callee ? "the operation" : "the call";
    const char *name = name_said(arena, callee_name(call));
    return arena_text(arena, "the call of %.*s", (int)strcspn(name, "(<"), name);
}

static const char *words_of(Arena *arena, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: return LLVMGetVolatile(instruction) ? "the volatile load" : "the load";
    case LLVMStore: return LLVMGetVolatile(instruction) ? "the volatile store" : "the store";
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return "the atomic";
    case LLVMFence: return "the fence";
    case LLVMCall: return call_words(arena, instruction);
    case LLVMPHI: return "the value";
    case LLVMFAdd:
    case LLVMFSub: return "the sum";
    default: return LLVMIsATerminatorInst(instruction) ? "the branch" : "the expression";
    }
}

/* ---- where it is ---- */

/* Where the function whose loop that is comes to what was inlined in it; where nothing was, or the code is another function's, the
 * outermost call. */
static Location caller_of(Arena *arena, const Location *inner, LLVMMetadataRef loop)
{
    LLVMMetadataRef frame = inner->metadata, around = loop ? LLVMDILocationGetInlinedAt(loop) : NULL;
    for (LLVMMetadataRef next; (next = LLVMDILocationGetInlinedAt(frame)) && next != around;)
        frame = next;
    return location_read(arena, frame);
}

static const char *name_of(const Location *location)
{
    const char *slash = strrchr(location->file, '/');
    return slash ? slash + 1 : location->file;
}

static void say_line(Text *text, const Location *location, const Location *loop)
{
    text_add(text, "line %u", location->line);
    if (strcmp(location->file, loop->file) != 0)
        text_add(text, " of %s", name_of(location));
}

const char *obstacle_text(const Scope *scope, LLVMValueRef obstacle, LLVMValueRef at)
{
    Arena *arena = scope->kernel->arena;
    Location loop = location_of(scope, at), inner = obstacle ? location_of(scope, obstacle) : (Location){0};
    if (!inner.line || !loop.line)
        return "";
    Text text = text_new(arena);
    Location caller = caller_of(arena, &inner, loop.metadata);
    text_add(&text, "%s in ", words_of(arena, obstacle));
    say_line(&text, &inner, &loop);
    if (caller.metadata != inner.metadata && caller.line) {
        text_add(&text, ", called in ");
        say_line(&text, &caller, &loop);
    }
    return text.data;
}
