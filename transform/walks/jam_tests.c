/* Two versions of a loop around others, one of which is to have its iterations side by side.
 *
 *     for (j) { s = 0; for (k) s += w[j*K + k]; o[j] = s }    ->    if (all that is loaded lies apart from all of o, for this loop)
 *                                                                       the loop, to be rewritten
 *                                                                   else
 *                                                                       the loop as it is, for good
 *
 * The threads of a warp that come here together go one way together: others' exchanges want all of them. */
#include "transform/emit/version.h"
#include "transform/transform.h"

static bool touches(LLVMValueRef instruction) { return LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction); }

/* Where the access begins, wherever the loop is: computed once. */
static const IrExtent *extent_of(Version *version, Arena *arena, Map *extents, LLVMValueRef access)
{
    IrExtent *extent = map_get(extents, access);
    if (!extent) {
        extent = ARENA_NEW(arena, IrExtent);
        *extent = version_extent(version, pointer_of_access(access), 0);
        map_put(extents, access, extent);
    }
    return extent;
}

static void want_apart(Version *version, Arena *arena, Map *extents, const JamTest *test)
{
    Emit *emit = &version->emit;
    const IrExtent *to = extent_of(version, arena, extents, test->store), *from = extent_of(version, arena, extents, test->other);
    emit_before(emit, version->place);
    LLVMValueRef to_end = emit_binary(emit, LLVMAdd, to->high, test->stored);
    LLVMValueRef from_end = emit_binary(emit, LLVMAdd, from->high, test->touched);
    version_want(version, emit_is_apart(emit, from->low, from_end, to->low, to_end));
}

void jam_version(Arena *arena, IrModule *ir, const Jam *jam)
{
    Map *extents = map_new(arena);
    LLVMBasicBlockRef original = jam->header;
    ir_loop_simplify(ir, jam->function, jam->header);
    Version version = version_open_after(arena, ir, jam->function, jam->header, jam->times);
    for (size_t i = 0; i < jam->tests.count; i++)
        want_apart(&version, arena, extents, jam->tests.item[i]);
    version_vote(&version);
    version_close(&version, &original, 1, touches, ASIDE_METADATA);
}
