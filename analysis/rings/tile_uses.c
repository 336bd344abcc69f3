/* Which places of the tile the copies fill: the same ones in every iteration, and nobody else writes them or reads them
 * outside of the tile's use. */
#include "analysis/rings/search.h"
#include "pass/base/marks.h"
#include "pass/base/ptx_statement.h"

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

static LLVMValueRef twin_mark(IrLoop *loop)
{
    LLVMBasicBlockRef latch = ir_loop_latch(loop);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    if (!end || !ir_is_marked(end, TWIN_METADATA))
        return NULL;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(end));
    return LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, TWIN_METADATA, sizeof TWIN_METADATA - 1));
}

/* Does the block stand in the other version of the loop, which fills the same places in each of its iterations? */
static bool is_in_twin(const Search *search, LLVMBasicBlockRef block)
{
    LLVMValueRef mark = twin_mark(search->loop);
    bool found = false;
    for (IrLoop *loop = ir_loop_of(search->kernel->ir, block); mark && loop && !found; loop = ir_loop_parent(loop))
        found = twin_mark(loop) == mark;
    return found;
}

/* Another use of the memory before the loop, or after it, by this kernel or by what it calls: the loop takes over what the array
 * holds, and hands it back. */
static bool use_outside(Search *search, LLVMValueRef user, LLVMValueRef pointer)
{
    Ring *ring = search->ring;
    LLVMValueRef within = LLVMGetFirstInstruction(ring->header);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    bool here = function == search->scope->function, elsewhere = !here && function_is_kernel(function);
    bool loads = LLVMIsALoadInst(user), stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer;
    if (here && is_in_twin(search, LLVMGetInstructionParent(user)))
        return true;
    if (!loads && !stores)
        return refuse(search, WHY_RING_USED, user);
    /* who is first to say so says it for all */
    bool inherits = !elsewhere && stores && !ring->tile.inherits && (!here || ir_leads_to(search->kernel->ir, user, within));
    bool leaves = !elsewhere && loads && !ring->tile.leaves && (!here || ir_leads_to(search->kernel->ir, within, user));
    ring->tile.outside = true;
    ring->tile.inherits |= inherits;
    ring->tile.leaves |= leaves;
    if ((inherits || leaves) && !ring->tile.user)
        ring->tile.user = user;
    return true;
}

/* Does it read through the pointer, or the number, and do nothing else with it? What touches no memory makes something of it. */
static bool is_reader(LLVMValueRef user, LLVMValueRef pointer)
{
    if (LLVMIsALoadInst(user))
        return true;
    if (LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user))
        return LLVMGetOperand(user, 1) == pointer && LLVMGetOperand(user, 0) != pointer;
    bool is_assembly = LLVMIsACallInst(user) && LLVMIsAInlineAsm(LLVMGetCalledValue(user));
    return LLVMIsACallInst(user) &&
           (is_assembly ? ir_assembly_address(user) == TEXT_ADDRESS_READ : ir_touches_memory(user) && ir_only_reads(user));
}

static void add_read(Search *search, LLVMValueRef reader, unsigned operand)
{
    List *reads = &search->ring->tile.reads;
    RingRead *read = ARENA_NEW(search->ring->arena, RingRead);
    *read = (RingRead){reader, operand};
    for (size_t i = 0; i < reads->count; i++)
        if (((const RingRead *)reads->item[i])->at == reader && ((const RingRead *)reads->item[i])->operand == operand)
            return; /* the pointer is used twice there */
    list_add(reads, read);
}

/* One use of a pointer into the tile: a copy's, a load's between filled and freed, or more address. */
static bool use_found(Search *search, LLVMValueRef user, LLVMValueRef pointer)
{
    LLVMOpcode op = opcode_of(user);
    if (!LLVMIsAInstruction(user))
        return refuse(search, WHY_RING_OUTSIDE, NULL);
    if (!ir_loop_has_block(search->loop, LLVMGetInstructionParent(user)))
        return use_outside(search, user, pointer);
    const RingCopy *copy = copy_by(search->ring, user);
    if (copy)
        return copy->target == pointer || refuse(search, WHY_RING_USED, user);
    if (blank_by(search->ring, user))
        return true;
    if (!is_reader(user, pointer))
        return refuse(search, op == LLVMStore && LLVMGetOperand(user, 1) == pointer ? WHY_RING_WRITTEN : WHY_RING_USED, user);
    if (next_tile_is_before_use(search->ring, search->scope, user))
        return refuse(search, WHY_RING_PLACE, user);
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == pointer)
            add_read(search, user, (unsigned)i);
    return true;
}

/* Numbers that were pointers: what is loaded was never one of the tile's, as none is stored. */
static SlicePart ask_number(Slice *slice, const void *context, LLVMValueRef value)
{
    (void)slice, (void)context;
    LLVMOpcode op = opcode_of(value);
    bool is_assembly = LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value));
    if (op == LLVMPtrToInt || is_assembly || LLVMIsAConstantExpr(value))
        return SLICE_FAILS;
    return op && op != LLVMLoad && op != LLVMCall ? SLICE_MADE : SLICE_KNOWN;
}

/* Is the pointer, or the number, the only address that the value is made of? */
static bool is_sole_address(Search *search, LLVMValueRef value, LLVMValueRef of)
{
    int times = 0, operands = LLVMIsACallInst(value) ? (int)LLVMGetNumArgOperands(value) : LLVMGetNumOperands(value);
    for (int i = 0; i < operands; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
        times += operand == of;
        if (operand != of && !slice_of(search->kernel->arena, operand, ask_number, NULL))
            return false;
    }
    return times == 1;
}

static bool is_word_or_longer(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 32;
}

/* Is the value an address in the tile, as far from where that begins as the other, wherever that is, or farther by a number that
 * has nothing to do with it? Of pointers, and of numbers that inline assembly is given. */
static bool is_address(Search *search, LLVMValueRef value, LLVMValueRef of)
{
    switch (opcode_of(value)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast: return true;
    case LLVMPtrToInt:
    case LLVMZExt:
    case LLVMTrunc: return is_word_or_longer(value);
    case LLVMAdd: return is_word_or_longer(value) && is_sole_address(search, value, of);
    case LLVMSub: return LLVMGetOperand(value, 0) == of && is_word_or_longer(value) && is_sole_address(search, value, of);
    case LLVMCall:
        return ir_assembly_address(value) == TEXT_ADDRESS_MOVED && is_word_or_longer(value) && is_sole_address(search, value, of);
    default: return false;
    }
}

/* What is made of the pointer leads into the tile as well, and is looked at first. */
static bool uses_found(Search *search, LLVMValueRef pointer)
{
    List pending = list_new(search->kernel->arena);
    int pointers = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = pending.count ? pending.item[--pending.count] : NULL) {
        LLVMUseRef next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        bool leads_on = is_address(search, user, LLVMGetUsedValue(use));
        if (next)
            list_add(&pending, next);
        if (!leads_on && !use_found(search, user, LLVMGetUsedValue(use)))
            return false;
        if (leads_on && pointers++ == MOST_POINTERS)
            return refuse(search, WHY_RING_OUTSIDE, NULL);
        if (leads_on && LLVMGetFirstUse(user))
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
            return refuse(search, WHY_RING_DYNAMIC, NULL);
        if (LLVMGetLinkage(array) != LLVMInternalLinkage && search->kernel->found.calls_elsewhere)
            ring->tile.outside = ring->tile.inherits = ring->tile.leaves = true; /* by another module's functions */
        if (ring->tile.keeps && ir_loop_parent(search->loop))
            ring->tile.outside = ring->tile.inherits = ring->tile.leaves = true; /* from one run of the loop to the next */
        if (!uses_found(search, array))
            return false;
        int64_t size = (int64_t)LLVMABISizeOfType(search->kernel->layout, LLVMGlobalGetValueType(array));
        whole &= size % WORD_BYTES == 0;
        ring->tile.bytes += ring_part_bytes(ring, size);
    }
    for (size_t i = 0; ring->tile.outside && i < ring->tile.reads.count; i++)
        if (ring_reads_number(ring->tile.reads.item[i]))
            return refuse(search, WHY_RING_USED,
                          ((const RingRead *)ring->tile.reads.item[i])->at); /* what is left of the array is found by pointers */
    bool stays = !ring->tile.inherits && !ring->tile.leaves;
    bool shares_out = whole && !ring->shape.of_warp && converges_all(search->scope, ring->header);
    return stays || shares_out || refuse(search, WHY_RING_OUTSIDE, ring->tile.user);
}
