/* Addresses, and the instructions that touch memory: each becomes an Access. */
#include "decode.h"

#include <string.h>

/* ---- addresses ---- */

unsigned space_of(LLVMValueRef pointer) { return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)); }

static uint32_t gep_scale(Decoder *d, uint32_t base, uint32_t by, unsigned width, uint64_t scale)
{
    uint32_t dst = slots_take(d, 1);
    Inst *inst = emit_alu(d, OP_SCALE, 64, width, dst, base, by, REF_CONST);
    inst->imm = (int64_t)scale;
    inst->flags = FLAG_FREE;
    return dst;
}

/* The scalar of one element of a vector; a scalar serves all elements. */
static uint32_t element_of(Decoder *d, LLVMValueRef value, unsigned element)
{
    return value_refs(d, value)[type_shape(d, LLVMTypeOf(value))->count > 1 ? element : 0];
}

/* dst becomes the address that one element of the result has. */
static void gep_element(Decoder *d, LLVMValueRef inst, unsigned element, uint32_t dst)
{
    LLVMTargetDataRef layout = d->image->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    uint32_t at = element_of(d, LLVMGetOperand(inst, 0), element);
    uint64_t constant = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        uint32_t by = element_of(d, index, element);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)constant_bits(d, by);
            constant += LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        uint64_t scale = LLVMABISizeOfType(layout, type);
        if (LLVMIsAConstantInt(index))
            constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        else
            at = gep_scale(d, at, by, type_shape(d, LLVMTypeOf(index))->elem[0].width, scale);
    }
    Inst *sum = emit_alu(d, OP_ADDI, 64, 64, dst, at, REF_CONST, REF_CONST);
    sum->imm = (int64_t)constant;
    sum->flags = element ? FLAG_FREE : 0;
}

void decode_gep(Decoder *d, LLVMValueRef inst)
{
    unsigned count = type_shape(d, LLVMTypeOf(inst))->count;
    uint32_t dst = result_take(d, inst, count);
    for (unsigned i = 0; i < count; i++)
        gep_element(d, inst, i, dst + i);
}

/* ---- memory ---- */

Access *access_for(Decoder *d, LLVMTypeRef type, const uint32_t *refs, LLVMValueRef pointer, unsigned align)
{
    const Shape *shape = type_shape(d, type);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && shape->elem[0].width < 8)
        emit_refuse(d, "a vector of less than bytes in memory");
    Access *access = access_new(d, shape->count);
    Piece *piece = ARENA_ARRAY(d->arena, Piece, shape->count + 1);
    for (unsigned i = 0; i < shape->count; i++)
        piece[i] = (Piece){.ref = refs[i],
                           .offset = shape->elem[i].offset,
                           .bytes = (uint8_t)((shape->elem[i].width + 7) / 8),
                           .width = shape->elem[i].width};
    access->piece = piece;
    access->bytes = (uint32_t)shape->bytes;
    access->align = align;
    access->space = (uint8_t)space_of(pointer);
    return access;
}

static Order order_of(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingNotAtomic: return ORDER_PLAIN;
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic: return ORDER_RELAXED;
    case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
    default: return ORDER_BOTH;
    }
}

static Scope scope_of(Decoder *d, LLVMValueRef inst)
{
    LLVMContextRef context = LLVMGetModuleContext(d->image->module);
    unsigned id = LLVMGetAtomicSyncScopeID(inst);
    if (id == LLVMGetSyncScopeID(context, "block", 5))
        return SCOPE_BLOCK;
    return id == LLVMGetSyncScopeID(context, "device", 6) || id == LLVMGetSyncScopeID(context, "cluster", 7) ? SCOPE_GPU
                                                                                                             : SCOPE_SYSTEM;
}

static void mark_order(Decoder *d, Access *access, LLVMValueRef inst, LLVMAtomicOrdering ordering)
{
    access->order = order_of(ordering);
    if (access->order != ORDER_PLAIN)
        access->scope = scope_of(d, inst);
    access->is_volatile = LLVMGetVolatile(inst);
}

void decode_load(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0);
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    uint32_t address = value_refs(d, pointer)[0];
    uint32_t dst = result_take(d, inst, shape->count);
    Access *access = access_for(d, LLVMTypeOf(inst), map_get(d->values, inst), pointer, LLVMGetAlignment(inst));
    mark_order(d, access, inst, LLVMGetOrdering(inst));
    Inst *load = emit(d, OP_LOAD);
    load->dst = dst;
    load->src[0] = address;
    load->ext = access;
}

static bool copies_load(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) || LLVMIsAConstant(value) || LLVMIsAExtractValueInst(value);
}

void decode_store(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef value = LLVMGetOperand(inst, 0), pointer = LLVMGetOperand(inst, 1);
    const uint32_t *refs = value_refs(d, value);
    uint32_t address = value_refs(d, pointer)[0];
    Access *access = access_for(d, LLVMTypeOf(value), refs, pointer, LLVMGetAlignment(inst));
    mark_order(d, access, inst, LLVMGetOrdering(inst));
    Inst *store = emit(d, OP_STORE);
    store->src[0] = address;
    store->ext = access;
    store->flags = copies_load(value) ? FLAG_COPIED : 0;
}

/* A CUDA atomic without an order arrives as seq_cst and promises only relaxed (the PTX has no .sem): that is what counts here. */
static Order cuda_order(LLVMAtomicOrdering ordering)
{
    return ordering == LLVMAtomicOrderingSequentiallyConsistent ? ORDER_RELAXED : order_of(ordering);
}

void decode_rmw(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    uint32_t address = value_refs(d, pointer)[0], by = value_refs(d, value)[0];
    uint32_t dst = result_take(d, inst, shape->count);
    bool exchange = LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpXchg;
    if (shape->count != 1 && !(shape->count == 2 && (shape->elem[0].real || exchange))) {
        emit_refuse(d, "arithmetic on more than 64 bits in one atomic");
        return;
    }
    Access *access = access_for(d, LLVMTypeOf(inst), value_refs(d, value), pointer, LLVMGetAlignment(inst));
    access->order = cuda_order(LLVMGetOrdering(inst));
    access->scope = scope_of(d, inst);
    access->rmw = LLVMGetAtomicRMWBinOp(inst);
    unsigned width = shape->elem[0].width;
    Inst *atomic = emit_alu(d, OP_ATOMIC, width, 0, dst, address, by, REF_CONST);
    atomic->ext = access;
    atomic->flags = real_flags(d, &shape->elem[0]);
}

void access_wants(Decoder *d, Access *access, const uint32_t *wanted)
{
    Piece *piece = ARENA_ARRAY(d->arena, Piece, access->count);
    for (unsigned i = 0; i < access->count; i++) {
        piece[i] = access->piece[i];
        piece[i].wanted = wanted[i];
    }
    access->piece = piece;
}

/* One piece, or the two halves of 128 bits. */
static Access *cmpxchg_access(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef expected = LLVMGetOperand(inst, 1);
    Access *access = access_for(d, LLVMTypeOf(expected), value_refs(d, expected), LLVMGetOperand(inst, 0), LLVMGetAlignment(inst));
    access_wants(d, access, value_refs(d, LLVMGetOperand(inst, 2)));
    access->order = cuda_order(LLVMGetCmpXchgSuccessOrdering(inst));
    access->scope = scope_of(d, inst);
    return access;
}

void decode_cmpxchg(Decoder *d, LLVMValueRef inst)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 1)));
    uint32_t address = operand(d, inst, 0), dst = result_take(d, inst, shape->count + 1);
    if (shape->count > 2) {
        emit_refuse(d, "an atomic on more than 128 bits");
        return;
    }
    Access *access = cmpxchg_access(d, inst);
    access->ok_slot = dst + shape->count;
    emit_alu(d, OP_CMPXCHG, shape->elem[0].width, 0, dst, address, REF_CONST, REF_CONST)->ext = access;
}

void decode_fence(Decoder *d, LLVMValueRef inst) { emit(d, OP_FENCE)->imm = scope_of(d, inst); }

void decode_alloca(Decoder *d, LLVMValueRef inst)
{
    uint32_t count = operand(d, inst, 0);
    uint32_t dst = result_take(d, inst, 1);
    Inst *alloca = emit(d, OP_ALLOCA);
    alloca->dst = dst;
    alloca->src[0] = count;
    alloca->imm = (int64_t)LLVMABISizeOfType(d->image->layout, LLVMGetAllocatedType(inst));
    unsigned align = LLVMGetAlignment(inst);
    alloca->src[1] = constant_ref(d, align ? align : 8, 0);
    alloca->from = (uint8_t)LLVMGetPointerAddressSpace(LLVMTypeOf(inst));
}
