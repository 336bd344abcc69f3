/* Members of structs and vectors: a value is a list of scalar slots, so that taking apart and putting together costs nothing. */
#include "decode.h"

#include <string.h>

/* The first scalar of a member, by an index path. */
static unsigned member_offset(Decoder *d, LLVMTypeRef *type, unsigned index)
{
    unsigned offset = 0;
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        for (unsigned i = 0; i < index; i++)
            offset += type_shape(d, LLVMStructGetTypeAtIndex(*type, i))->count;
        *type = LLVMStructGetTypeAtIndex(*type, index);
    } else {
        *type = LLVMGetElementType(*type);
        offset = index * type_shape(d, *type)->count;
    }
    return offset;
}

static unsigned path_offset(Decoder *d, LLVMValueRef inst, LLVMTypeRef *type)
{
    unsigned offset = 0;
    for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++)
        offset += member_offset(d, type, LLVMGetIndices(inst)[i]);
    return offset;
}

void decode_extract_value(Decoder *d, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
    result_bind(d, inst, value_refs(d, LLVMGetOperand(inst, 0)) + path_offset(d, inst, &type));
}

static uint32_t *refs_copy(Decoder *d, LLVMValueRef value)
{
    unsigned count = type_shape(d, LLVMTypeOf(value))->count;
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    memcpy(refs, value_refs(d, value), count * sizeof *refs);
    return refs;
}

void decode_insert_value(Decoder *d, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint32_t *refs = refs_copy(d, LLVMGetOperand(inst, 0));
    const uint32_t *member = value_refs(d, LLVMGetOperand(inst, 1));
    unsigned offset = path_offset(d, inst, &type);
    memcpy(refs + offset, member, type_shape(d, type)->count * sizeof *refs);
    result_bind(d, inst, refs);
}

void decode_extract_element(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef vector = LLVMGetOperand(inst, 0), index = LLVMGetOperand(inst, 1);
    const uint32_t *refs = value_refs(d, vector);
    const Shape *shape = type_shape(d, LLVMTypeOf(vector));
    if (LLVMIsAConstantInt(index)) {
        result_bind(d, inst, refs + LLVMConstIntGetZExtValue(index) % shape->count);
        return;
    }
    uint32_t at = value_refs(d, index)[0], chosen = refs[0];
    for (unsigned i = 1; i < shape->count; i++) {
        uint32_t slot = slots_take(d, 2);
        emit_alu(d, OP_EQ, 1, 64, slot, at, constant_ref(d, i, 0), REF_CONST);
        emit_alu(d, OP_SELECT, shape->elem[0].width, 1, slot + 1, slot, refs[i], chosen);
        chosen = slot + 1;
    }
    uint32_t *result = ARENA_ARRAY(d->arena, uint32_t, 1);
    *result = chosen;
    result_bind(d, inst, result);
}

void decode_insert_element(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef index = LLVMGetOperand(inst, 2);
    uint32_t *refs = refs_copy(d, LLVMGetOperand(inst, 0)), element = operand(d, inst, 1);
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    uint32_t at = LLVMIsAConstantInt(index) ? 0 : value_refs(d, index)[0];
    if (LLVMIsAConstantInt(index)) {
        refs[LLVMConstIntGetZExtValue(index) % shape->count] = element;
    } else {
        for (unsigned i = 0; i < shape->count; i++) {
            uint32_t slot = slots_take(d, 2);
            emit_alu(d, OP_EQ, 1, 64, slot, at, constant_ref(d, i, 0), REF_CONST);
            emit_alu(d, OP_SELECT, shape->elem[0].width, 1, slot + 1, slot, element, refs[i]);
            refs[i] = slot + 1;
        }
    }
    result_bind(d, inst, refs);
}

void decode_shuffle(Decoder *d, LLVMValueRef inst)
{
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0)), *b = value_refs(d, LLVMGetOperand(inst, 1));
    int count = (int)type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)))->count;
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, shape->count + 1);
    for (unsigned i = 0; i < shape->count; i++) {
        int from = LLVMGetMaskValue(inst, i);
        refs[i] = from < 0 ? constant_ref(d, 0, width_ones(shape->elem[i].width)) : from < count ? a[from] : b[from - count];
    }
    result_bind(d, inst, refs);
}
