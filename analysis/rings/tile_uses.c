/* Which places of the tile the copies fill: the same ones in every iteration, and nobody else writes them or reads them
 * outside of the tile's use. */
#include "analysis/rings/search.h"

/* ---- the same places in every iteration ---- */

/* Is it the branch at the block's end that says whether, or how often, the other block runs before the copies are done? */
static bool decides(const Search *search, LLVMBasicBlockRef branch, LLVMBasicBlockRef block)
{
    return path_decides(search->kernel, branch, block, LLVMGetInstructionParent(search->ring->shape.filled));
}

bool place_is_alike_at(Search *search, const RingCopy *copy, LLVMBasicBlockRef block)
{
    const Ring *ring = search->ring;
    if (!next_tile_is_fixed(ring, search->scope, search->loop, copy->target))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef condition = ir_loop_has_block(search->loop, b) ? condition_of(end) : NULL;
        if (condition && is_among_copies(search, end) && decides(search, b, block) &&
            !next_tile_is_fixed(ring, search->scope, search->loop, condition))
            return false;
    }
    return true;
}

bool place_is_alike(Search *search, const RingCopy *copy)
{
    return place_is_alike_at(search, copy, LLVMGetInstructionParent(copy->store));
}

/* ---- the arrays ---- */

enum { MOST_POINTERS = 4096 }; /* into one array; each may be made of the one before */

/* Another use of the memory before the loop, or after it, by this kernel or by what it calls: the loop takes over what the array
 * holds, and hands it back. */
static bool use_outside(Search *search, LLVMValueRef user, LLVMValueRef pointer)
{
    Ring *ring = search->ring;
    LLVMValueRef within = LLVMGetFirstInstruction(ring->header);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    bool here = function == search->scope->function, elsewhere = !here && function_is_kernel(function);
    bool loads = LLVMIsALoadInst(user), stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer;
    if (!loads && !stores)
        return refuse(search, WHY_RING_USED);
    ring->tile.outside = true;
    ring->tile.inherits |= !elsewhere && stores && (!here || ir_leads_to(search->kernel->ir, user, within));
    ring->tile.leaves |= !elsewhere && loads && (!here || ir_leads_to(search->kernel->ir, within, user));
    return true;
}

/* One use of a pointer into the tile: a copy's, a load's between filled and freed, or more address. */
static bool use_found(Search *search, LLVMValueRef user, LLVMValueRef pointer)
{
    LLVMOpcode op = opcode_of(user);
    if (!LLVMIsAInstruction(user))
        return refuse(search, WHY_RING_OUTSIDE);
    if (!ir_loop_has_block(search->loop, LLVMGetInstructionParent(user)))
        return use_outside(search, user, pointer);
    const RingCopy *copy = copy_by(search->ring, user);
    if (copy)
        return copy->target == pointer || refuse(search, WHY_RING_USED);
    if (blank_by(search->ring, user))
        return true;
    if (op != LLVMLoad)
        return refuse(search, op == LLVMStore && LLVMGetOperand(user, 1) == pointer ? WHY_RING_WRITTEN : WHY_RING_USED);
    if (next_tile_is_before_use(search->ring, search->scope, user))
        return refuse(search, WHY_RING_PLACE);
    list_add(&search->ring->tile.uses, user);
    return true;
}

static bool is_address(LLVMValueRef value)
{
    LLVMOpcode op = opcode_of(value);
    return op == LLVMGetElementPtr || op == LLVMAddrSpaceCast || op == LLVMBitCast;
}

/* What is made of the pointer leads into the tile as well, and is looked at first. */
static bool uses_found(Search *search, LLVMValueRef pointer)
{
    List pending = list_new(search->kernel->arena);
    int pointers = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = pending.count ? pending.item[--pending.count] : NULL) {
        LLVMUseRef next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (next)
            list_add(&pending, next);
        if (!is_address(user) && !use_found(search, user, LLVMGetUsedValue(use)))
            return false;
        if (is_address(user) && pointers++ == MOST_POINTERS)
            return refuse(search, WHY_RING_OUTSIDE);
        if (is_address(user) && LLVMGetFirstUse(user))
            list_add(&pending, LLVMGetFirstUse(user));
    }
    return true;
}

bool place_check(Search *search)
{
    Ring *ring = search->ring;
    bool whole = true; /* words */
    for (size_t i = 0; i < ring->tile.arrays.count; i++) {
        LLVMValueRef array = ring->tile.arrays.item[i];
        if (LLVMIsDeclaration(array))
            return refuse(search, WHY_RING_DYNAMIC);
        if (LLVMGetLinkage(array) != LLVMInternalLinkage)
            ring->tile.outside = ring->tile.inherits = ring->tile.leaves = true; /* by another module's functions */
        if (ring->tile.keeps && ir_loop_parent(search->loop))
            ring->tile.outside = ring->tile.inherits = ring->tile.leaves = true; /* from one run of the loop to the next */
        if (!uses_found(search, array))
            return false;
        int64_t size = (int64_t)LLVMABISizeOfType(search->kernel->layout, LLVMGlobalGetValueType(array));
        whole &= size % WORD_BYTES == 0;
        ring->tile.bytes += ring_part_bytes(size);
    }
    bool stays = !ring->tile.inherits && !ring->tile.leaves;
    return stays || (whole && converges_all(search->scope, ring->header)) || refuse(search, WHY_RING_OUTSIDE);
}
