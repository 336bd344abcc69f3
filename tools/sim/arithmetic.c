/* Arithmetic, comparisons and casts: scalar by scalar, with what makes them poison. */
#include "decode.h"

#include <string.h>

/* ---- arithmetic ---- */

static const struct {
    LLVMOpcode opcode;
    Op op;
} binary_ops[] = {
    {LLVMAdd, OP_ADD},   {LLVMSub, OP_SUB},   {LLVMMul, OP_MUL},   {LLVMUDiv, OP_UDIV}, {LLVMSDiv, OP_SDIV}, {LLVMURem, OP_UREM},
    {LLVMSRem, OP_SREM}, {LLVMShl, OP_SHL},   {LLVMLShr, OP_LSHR}, {LLVMAShr, OP_ASHR}, {LLVMAnd, OP_AND},   {LLVMOr, OP_OR},
    {LLVMXor, OP_XOR},   {LLVMFAdd, OP_FADD}, {LLVMFSub, OP_FSUB}, {LLVMFMul, OP_FMUL}, {LLVMFDiv, OP_FDIV}, {LLVMFRem, OP_FREM},
};

Op binary_op(LLVMOpcode opcode)
{
    for (size_t i = 0; i < sizeof binary_ops / sizeof *binary_ops; i++)
        if (binary_ops[i].opcode == opcode)
            return binary_ops[i].op;
    return OP_NOP;
}

static bool shifts_down_8(LLVMValueRef value)
{
    LLVMValueRef by = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAShr ? LLVMGetOperand(value, 1) : NULL;
    return by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == 8;
}

/* libdevice's __mul24 promises nsw of a product that CUDA defines to wrap. */
static bool is_mul24(LLVMValueRef inst) { return shifts_down_8(LLVMGetOperand(inst, 0)) && shifts_down_8(LLVMGetOperand(inst, 1)); }

static uint32_t poison_flags(LLVMValueRef inst, LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMMul:
        if (is_mul24(inst))
            return 0;
        /* fall through */
    case LLVMAdd:
    case LLVMSub: return (LLVMGetNSW(inst) ? FLAG_NSW : 0) | (LLVMGetNUW(inst) ? FLAG_NUW : 0);
    case LLVMShl: return FLAG_SHIFT | (LLVMGetNSW(inst) ? FLAG_NSW : 0) | (LLVMGetNUW(inst) ? FLAG_NUW : 0);
    case LLVMLShr:
    case LLVMAShr: return FLAG_SHIFT | (LLVMGetExact(inst) ? FLAG_EXACT : 0);
    case LLVMUDiv:
    case LLVMSDiv: return FLAG_DIVIDES | (LLVMGetExact(inst) ? FLAG_EXACT : 0);
    case LLVMURem:
    case LLVMSRem: return FLAG_DIVIDES;
    case LLVMOr: return LLVMGetIsDisjoint(inst) ? FLAG_DISJOINT : 0;
    default: return 0;
    }
}

uint32_t real_flags(const Decoder *d, const Elem *elem)
{
    return (elem->bf16 ? FLAG_BF16 : 0) | (d->ftz && elem->real && elem->width == 32 ? FLAG_FTZ : 0);
}

static void decode_wide(Decoder *d, LLVMValueRef inst, LLVMOpcode opcode, unsigned predicate)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst)), *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    CallSite *site = ARENA_NEW(d->arena, CallSite);
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    const uint32_t *b = LLVMGetNumOperands(inst) > 1 ? value_refs(d, LLVMGetOperand(inst, 1)) : a;
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, 2 * from->count);
    memcpy(refs, a, from->count * sizeof *refs);
    memcpy(refs + from->count, b, (LLVMGetNumOperands(inst) > 1 ? from->count : 0) * sizeof *refs);
    *site = (CallSite){.count = from->count, .results = shape->count, .ref = refs};
    Inst *wide = emit(d, OP_WIDE);
    unsigned width = shape->wide ? shape->wide : shape->elem[0].width;
    unsigned from_width = from->wide ? from->wide : from->elem[0].width;
    wide->imm = (int64_t)((uint64_t)opcode | predicate << 8 | (uint64_t)width << 16 | (uint64_t)from_width << 32);
    wide->ext = site;
    wide->dst = result_take(d, inst, shape->count);
}

void decode_binary(Decoder *d, LLVMValueRef inst, Op op, LLVMOpcode opcode)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    if (shape->wide) {
        decode_wide(d, inst, opcode, 0);
        return;
    }
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0)), *b = value_refs(d, LLVMGetOperand(inst, 1));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++) {
        unsigned width = shape->elem[i].width;
        emit_alu(d, op, width, width, dst + i, a[i], b[i], REF_CONST)->flags = poison_flags(inst, opcode) |
                                                                               real_flags(d, &shape->elem[i]) | (i ? FLAG_FREE : 0);
    }
}

void decode_unary(Decoder *d, LLVMValueRef inst, Op op)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++)
        emit_alu(d, op, shape->elem[i].width, shape->elem[i].width, dst + i, a[i], REF_CONST, REF_CONST);
}

static const struct {
    Op op;
    bool swap;
} predicates[] = {
                        /* by LLVMIntPredicate - LLVMIntEQ: eq ne ugt uge ult ule sgt sge slt sle */
    {OP_EQ, false},  {OP_NE, false}, {OP_ULT, true}, {OP_ULE, true},  {OP_ULT, false},
    {OP_ULE, false}, {OP_SLT, true}, {OP_SLE, true}, {OP_SLT, false}, {OP_SLE, false},
};

void decode_icmp(Decoder *d, LLVMValueRef inst)
{
    unsigned predicate = LLVMGetICmpPredicate(inst) - LLVMIntEQ;
    const Shape *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    if (from->wide) {
        decode_wide(d, inst, LLVMICmp, predicate);
        return;
    }
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0)), *b = value_refs(d, LLVMGetOperand(inst, 1));
    uint32_t dst = result_take(d, inst, from->count);
    for (unsigned i = 0; i < from->count; i++) {
        bool swap = predicates[predicate].swap;
        emit_alu(d, predicates[predicate].op, 1, from->elem[i].width, dst + i, swap ? b[i] : a[i], swap ? a[i] : b[i], REF_CONST);
    }
}

void decode_fcmp(Decoder *d, LLVMValueRef inst)
{
    const Shape *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0)), *b = value_refs(d, LLVMGetOperand(inst, 1));
    uint32_t dst = result_take(d, inst, from->count);
    for (unsigned i = 0; i < from->count; i++) {
        Inst *compare = emit_alu(d, OP_FCMP, 1, from->elem[i].width, dst + i, a[i], b[i], REF_CONST);
        compare->imm = LLVMGetFCmpPredicate(inst);
        compare->flags = real_flags(d, &from->elem[i]);
    }
}

void decode_select(Decoder *d, LLVMValueRef inst)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    const Shape *by = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    const uint32_t *c = value_refs(d, LLVMGetOperand(inst, 0)), *a = value_refs(d, LLVMGetOperand(inst, 1)),
                   *b = value_refs(d, LLVMGetOperand(inst, 2));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++)
        emit_alu(d, OP_SELECT, shape->elem[i].width, 1, dst + i, c[by->count > 1 ? i : 0], a[i], b[i]);
}

/* ---- casts ---- */

void decode_space_cast(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    uint64_t by = space_base(space_of(from)) - space_base(space_of(inst));
    const uint32_t *a = value_refs(d, from);
    unsigned count = type_shape(d, LLVMTypeOf(inst))->count;
    uint32_t dst = result_take(d, inst, count);
    for (unsigned i = 0; i < count; i++)
        emit_alu(d, OP_ADDI, 64, 64, dst + i, a[i], REF_CONST, REF_CONST)->imm = (int64_t)by;
}

/* The bits of one list of scalars, cut anew: pieces are shifted out and packed. */
static void recut(Decoder *d, LLVMValueRef inst, const Shape *to, const Shape *from, const uint32_t *a)
{
    uint32_t dst = result_take(d, inst, to->count);
    unsigned in = 0, in_bit = 0;
    for (unsigned i = 0; i < to->count; i++) {
        uint32_t part = REF_CONST;
        for (unsigned have = 0; have < to->elem[i].width;) {
            unsigned take = from->elem[in].width - in_bit, room = to->elem[i].width - have;
            take = take < room ? take : room;
            uint32_t shifted = slots_take(d, 2);
            emit_alu(d, OP_SHRC, from->elem[in].width, 64, shifted, a[in], constant_ref(d, in_bit, 0), REF_CONST)
                ->flags = FLAG_FREE;
            emit_alu(d, OP_TRUNC, take, 64, shifted + 1, shifted, REF_CONST, REF_CONST)->flags = FLAG_FREE;
            uint32_t packed = have + take == to->elem[i].width ? dst + i : slots_take(d, 1);
            Inst *pack = emit_alu(d, OP_PACK, to->elem[i].width, 64, packed, part, shifted + 1, REF_CONST);
            pack->imm = have;
            pack->flags = FLAG_FREE;
            part = packed;
            have += take;
            in_bit += take;
            if (in_bit == from->elem[in].width) {
                in++;
                in_bit = 0;
            }
        }
    }
}

void decode_bitcast(Decoder *d, LLVMValueRef inst)
{
    const Shape *to = type_shape(d, LLVMTypeOf(inst)), *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    bool same = to->count == from->count;
    for (unsigned i = 0; same && i < to->count; i++)
        same = to->elem[i].width == from->elem[i].width;
    if (same)
        result_bind(d, inst, a);
    else
        recut(d, inst, to, from, a);
}

static Op cast_op(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMSExt: return OP_SEXT;
    case LLVMTrunc: return OP_TRUNC;
    case LLVMFPToSI: return OP_FP_TO_SI;
    case LLVMFPToUI: return OP_FP_TO_UI;
    case LLVMSIToFP: return OP_SI_TO_FP;
    case LLVMUIToFP: return OP_UI_TO_FP;
    case LLVMFPExt:
    case LLVMFPTrunc: return OP_FP_EXT_TRUNC;
    case LLVMPtrToInt:
    case LLVMPtrToAddr: return OP_TRUNC;
    default: return OP_ZEXT;
    }
}

void decode_cast(Decoder *d, LLVMValueRef inst, LLVMOpcode opcode)
{
    const Shape *to = type_shape(d, LLVMTypeOf(inst)), *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    if (to->wide || from->wide) {
        if (opcode == LLVMUIToFP || opcode == LLVMSIToFP || opcode == LLVMFPToSI || opcode == LLVMFPToUI)
            emit_refuse(d, "a conversion between reals and integers of more than 64 bits");
        decode_wide(d, inst, opcode, 0);
        return;
    }
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    uint32_t dst = result_take(d, inst, to->count);
    for (unsigned i = 0; i < to->count; i++) {
        Inst *cast = emit_alu(d, cast_op(opcode), to->elem[i].width, from->elem[i].width, dst + i, a[i], REF_CONST, REF_CONST);
        cast->flags = real_flags(d, &to->elem[i]) | (from->elem[i].real ? real_flags(d, &from->elem[i]) & FLAG_FTZ : 0) |
                      (from->elem[i].bf16 ? FLAG_FROM_BF16 : 0) | (opcode == LLVMZExt && LLVMGetNNeg(inst) ? FLAG_NNEG : 0);
        if (from->elem[i].bf16 && (opcode == LLVMFPToSI || opcode == LLVMFPToUI))
            cast->flags |= FLAG_BF16;
    }
}
