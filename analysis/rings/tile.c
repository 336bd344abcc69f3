/* A tile loop: global memory is staged in shared memory between barriers.
 *
 *     for (...) { s[t] = g[i]; __syncthreads(); use s; __syncthreads(); }
 *
 * Or each warp has tiles of its own, between barriers of its lanes: __syncwarp(). */
#include "analysis/rings/rings.h"

/* What nobody knows of a pointer is tested on entry. */
static bool may_be_global(Space space) { return space == SPACE_GLOBAL || space == SPACE_GENERIC; }

/* Of the loads that a stored value is made of, the first one; followed through at most a few operations, and to a few values: a phi has
 * many. Assembly may be it. */
static LLVMValueRef loaded_from_global(Scope *scope, LLVMValueRef value, int depth, int *visits, bool *changed)
{
    enum { MOST_OPERATIONS = 6, MOST_VALUES = 1000 };
    if (!LLVMIsAInstruction(value) || depth > MOST_OPERATIONS || ++*visits > MOST_VALUES)
        return NULL;
    if (LLVMGetInstructionOpcode(value) == LLVMLoad)
        return may_be_global(space_of(scope, LLVMGetOperand(value, 0))) ? value : NULL;
    if (assembly_is_hinted(value))
        return assembly_names(value, "ld.global.") ? value : NULL;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool chooses = opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMBitCast;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
        LLVMValueRef load = operand != value ? loaded_from_global(scope, operand, depth + 1, visits, changed) : NULL;
        *changed |= load && !chooses;
        if (load)
            return load;
    }
    return NULL;
}

static Tile *tile_of_loop(Kernel *kernel, Map *tiles, Scope *scope, IrLoop *loop)
{
    Tile *tile = map_get(tiles, loop);
    if (tile && tile->scope == scope)
        return tile;
    tile = ARENA_NEW(kernel->arena, Tile);
    tile->scope = scope;
    tile->loop = loop;
    tile->at = LLVMGetBasicBlockTerminator(ir_loop_header(loop));
    tile->trips = ir_loop_trips(kernel->ir, loop);
    map_put(tiles, loop, tile);
    return tile;
}

/* Of the block, or of the warp, in the innermost loop around each. */
static void count_barriers(Kernel *kernel, Map *tiles, Scope *scope, bool (*is_barrier)(LLVMValueRef))
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); loop && i; i = LLVMGetNextInstruction(i))
            if (is_barrier(i))
                tile_of_loop(kernel, tiles, scope, loop)->barriers++;
    }
}

/* What a ring copies in the loop itself tells that it was one of them; it has one barrier left. */
static bool has_ring(IrLoop *loop)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (ir_is_marked(i, RING_METADATA))
                return true;
    return false;
}

/* Loops with two barriers of the warp at least, and none of the block: each warp has tiles of its own. */
static void find_warp_loops(Kernel *kernel, Map *tiles, Scope *scope)
{
    enum { LEAST = 2 };
    Map *warps = map_new(kernel->arena);
    count_barriers(kernel, warps, scope, is_warp_barrier);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        Tile *tile = loop && ir_loop_header(loop) == b ? map_get(warps, loop) : NULL;
        const Tile *known = map_get(tiles, loop);
        if (!tile || (known && !known->of_warp) || (tile->barriers < LEAST && !has_ring(loop)))
            continue;
        tile->of_warp = true;
        map_put(tiles, loop, tile);
    }
}

/* The innermost loop with barriers: this one, or one around it. A copy loop of its own may lie between. */
static Tile *tile_around(Map *tiles, const Scope *scope, IrLoop *loop)
{
    for (; loop; loop = ir_loop_parent(loop)) {
        Tile *tile = map_get(tiles, loop);
        if (tile && tile->scope == scope)
            return tile;
    }
    return NULL;
}

/* Of a copy in a function: the loop of a caller, and where that calls. */
static Tile *tile_of_caller(Kernel *kernel, Map *tiles, const Access *access, LLVMValueRef *call)
{
    for (const Scope *scope = access->scope; scope->caller; scope = scope->caller) {
        Tile *tile = tile_around(tiles, scope->caller, ir_loop_of(kernel->ir, LLVMGetInstructionParent(scope->call)));
        *call = scope->call;
        if (tile)
            return tile;
    }
    return NULL;
}

static bool is_guarded(Kernel *kernel, const Tile *tile, LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    LLVMBasicBlockRef header = ir_loop_header(tile->loop);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(block)); b; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(tile->loop, b) && jumps_to(b, header))
            return !ir_dominates(kernel->ir, block, b);
    return false;
}

static LLVMValueRef stored_value(const Access *access)
{
    return LLVMGetInstructionOpcode(access->instruction) == LLVMStore ? LLVMGetOperand(access->instruction, 0) : NULL;
}

/* A copy instruction does where its source is global; a store of a ring that was made before has it from an iteration ago. */
LLVMValueRef staged_from(const Access *access, const Access *before, bool *changed)
{
    LLVMValueRef value = stored_value(access);
    int visits = 0;
    if (access->op != OP_STORE || access->space != SPACE_SHARED)
        return NULL;
    if (!value)
        return before && before->instruction == access->instruction && may_be_global(before->space) ? access->instruction : NULL;
    LLVMValueRef load = loaded_from_global(access->scope, value, 0, &visits, changed);
    return load ? load : ring_of_copy(access->scope->kernel->arena, access->instruction) ? access->instruction : NULL;
}

static void copy_count(Kernel *kernel, Tile *tile, bool changed)
{
    if (tile->copies + tile->converting == 0)
        list_add(&kernel->found.tiles, tile);
    tile->copies += !changed;
    tile->converting += changed;
}

static const Access *access_at(const Kernel *kernel, size_t i) { return kernel->found.accesses.item[i]; }

static void copies_count(Kernel *kernel, Map *tiles)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Access *access = kernel->found.accesses.item[i];
        bool changed = false;
        Tile *tile = tile_around(tiles, access->scope, access->loop);
        if (!tile || !staged_from(access, i ? access_at(kernel, i - 1) : NULL, &changed))
            continue;
        copy_count(kernel, tile, changed);
        tile->guarded |= is_guarded(kernel, tile, access->instruction);
        access->tile = tile;
    }
}

/* Of loops that have none of their own: they are told that it is so. */
static void copies_count_called(Kernel *kernel, Map *tiles)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = access_at(kernel, i);
        bool changed = false;
        LLVMValueRef call = NULL;
        Tile *tile = access->tile ? NULL : tile_of_caller(kernel, tiles, access, &call);
        if (!tile || (!tile->called && tile->copies + tile->converting) ||
            !staged_from(access, i ? access_at(kernel, i - 1) : NULL, &changed))
            continue;
        copy_count(kernel, tile, changed);
        tile->called = true;
        tile->call = tile->call ? tile->call : call;
    }
}

void tile_find(Kernel *kernel)
{
    Map *tiles = map_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.scopes.count; i++)
        count_barriers(kernel, tiles, kernel->found.scopes.item[i], is_block_barrier);
    for (size_t i = 0; i < kernel->found.scopes.count; i++)
        find_warp_loops(kernel, tiles, kernel->found.scopes.item[i]);
    copies_count(kernel, tiles);
    copies_count_called(kernel, tiles);
}

/* A pragma of the loop is heard before options of its kernel, or of all:
 *
 *     #pragma clang loop pipeline_initiation_interval(3)        3 stages; 1: it stays as it is
 *     #pragma clang loop pipeline(disable)                      it stays as it is */
int stages_wanted(const Kernel *kernel, IrLoop *loop)
{
    enum { MOST_STAGES = 8, NONE = -1 };
    int64_t value;
    if (ir_loop_option(loop, "pipeline.disable", &value) && value)
        return NONE;
    if (!ir_loop_option(loop, "pipeline.initiationinterval", &value))
        return kernel->options.stages;
    return value < 2 ? NONE : value < MOST_STAGES ? (int)value : MOST_STAGES;
}

const char *tile_facts(Arena *arena, const Tile *tile)
{
    Text text = text_new(arena);
    text_add(&text, "%d %s unchanged, %d computed on the way, %d barrier%s%s an iteration, ", tile->copies,
             tile->copies == 1 ? "copy" : "copies", tile->converting, tile->barriers, tile->barriers == 1 ? "" : "s",
             tile->of_warp ? " of the warp" : "");
    if (tile->trips > 0)
        text_add(&text, "%lld iterations", (long long)tile->trips);
    else
        text_add(&text, "number of iterations known only at run time");
    text_add(&text, "%s%s", tile->guarded ? ", under a condition" : "", tile->called ? ", in a function that the loop calls" : "");
    return text.data;
}
