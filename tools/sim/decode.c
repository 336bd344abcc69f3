/* One function to an array of instructions. Vectors and structs are taken apart: a value is a list of scalar slots, so that
 * extracting, inserting and shuffling cost nothing at run time. Phis become moves on the edges. */
#include "decode.h"

#include <string.h>

/* ---- instructions ---- */

static void decode_inst(Decoder *d, LLVMValueRef inst, const int *post)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    d->at = inst;
    d->where = where_of(d, inst);
    if (type_shape(d, LLVMTypeOf(inst))->unsupported) {
        emit_refuse(d, "a value of this type");
        return;
    }
    Op binary = binary_op(opcode);
    if (binary != OP_NOP) {
        decode_binary(d, inst, binary, opcode);
        return;
    }
    switch (opcode) {
    case LLVMPHI: return;
    case LLVMBr: decode_branch(d, inst, post); return;
    case LLVMSwitch: decode_switch(d, inst, post); return;
    case LLVMRet: decode_return(d, inst); return;
    case LLVMUnreachable: emit(d, OP_UNREACHABLE); return;
    case LLVMFNeg: decode_unary(d, inst, OP_FNEG); return;
    case LLVMICmp: decode_icmp(d, inst); return;
    case LLVMFCmp: decode_fcmp(d, inst); return;
    case LLVMSelect: decode_select(d, inst); return;
    case LLVMFreeze: decode_unary(d, inst, OP_FREEZE); return;
    case LLVMAddrSpaceCast: decode_space_cast(d, inst); return;
    case LLVMBitCast: decode_bitcast(d, inst); return;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMPtrToAddr: decode_cast(d, inst, opcode); return;
    case LLVMGetElementPtr: decode_gep(d, inst); return;
    case LLVMLoad: decode_load(d, inst); return;
    case LLVMStore: decode_store(d, inst); return;
    case LLVMAtomicRMW: decode_rmw(d, inst); return;
    case LLVMAtomicCmpXchg: decode_cmpxchg(d, inst); return;
    case LLVMFence: decode_fence(d, inst); return;
    case LLVMAlloca: decode_alloca(d, inst); return;
    case LLVMExtractValue: decode_extract_value(d, inst); return;
    case LLVMInsertValue: decode_insert_value(d, inst); return;
    case LLVMExtractElement: decode_extract_element(d, inst); return;
    case LLVMInsertElement: decode_insert_element(d, inst); return;
    case LLVMShuffleVector: decode_shuffle(d, inst); return;
    case LLVMCall: decode_call(d, inst); return;
    default: emit_refuse(d, "instruction not supported"); result_take(d, inst, type_shape(d, LLVMTypeOf(inst))->count);
    }
}

/* ---- functions ---- */

static uint8_t param_letter(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return 'i';
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return 'f';
    case LLVMPointerTypeKind: return 'p';
    default: return '?';
    }
}

static void params_bind(Decoder *d)
{
    Func *func = d->func;
    unsigned count = LLVMCountParams(func->value);
    uint8_t *width = ARENA_ARRAY(d->arena, uint8_t, count + 1), *kind = ARENA_ARRAY(d->arena, uint8_t, count + 1);
    ByVal *byval = ARENA_ARRAY(d->arena, ByVal, count + 1);
    unsigned byval_kind = LLVMGetEnumAttributeKindForName("byval", 5), align_kind = LLVMGetEnumAttributeKindForName("align", 5);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef param = LLVMGetParam(func->value, i);
        const Shape *shape = type_shape(d, LLVMTypeOf(param));
        uint32_t slot = result_take(d, param, shape->count);
        kind[i] = param_letter(LLVMTypeOf(param));
        width[i] = shape->count == 1 ? shape->elem[0].width : 0;
        LLVMAttributeRef by = LLVMGetEnumAttributeAtIndex(func->value, i + 1, byval_kind);
        if (!by)
            continue;
        LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(func->value, i + 1, align_kind);
        kind[i] = 'b';
        byval[func->byval_count++] = (ByVal){.slot = slot,
                                             .bytes = LLVMABISizeOfType(d->image->layout, LLVMGetTypeAttributeValue(by)),
                                             .align = align ? (uint32_t)LLVMGetEnumAttributeValue(align) : 8,
                                             .argument = i};
    }
    func->params = d->slots;
    func->arguments = count;
    func->param_width = width;
    func->param_kind = kind;
    func->byval = byval;
}

static bool flushes(LLVMValueRef function)
{
    static const char *const names[] = {"denormal-fp-math-f32", "denormal-fp-math"};
    for (int i = 0; i < 2; i++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, names[i],
                                                                   (unsigned)strlen(names[i]));
        unsigned length;
        if (attribute && strncmp(LLVMGetStringAttributeValue(attribute, &length), "preserve-sign", 13) == 0)
            return true;
    }
    return false;
}

static void phis_bind(Decoder *d)
{
    for (unsigned b = 0; b < d->blocks; b++)
        for (LLVMValueRef phi = LLVMGetFirstInstruction(d->order[b]); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
            result_take(d, phi, type_shape(d, LLVMTypeOf(phi))->count);
}

static void regions_set(Decoder *d, const int *post)
{
    Region *region = ARENA_ARRAY(d->arena, Region, d->blocks);
    for (unsigned b = 0; b < d->blocks; b++)
        region[b] = (Region){d->start[b], post[b] == NO_BLOCK || (unsigned)post[b] == d->blocks ? PC_RETURN : d->start[post[b]]};
    d->func->region = region;
    d->func->region_count = d->blocks;
}

void func_decode(Decoder *d, Func *func)
{
    d->func = func;
    d->values = map_new(d->arena);
    d->code = NULL;
    d->count = d->capacity = d->slots = d->fixups = 0;
    d->where = 0;
    func->decoded = true;
    enum { PTX_KERNEL = 71 };
    func->is_kernel = LLVMGetFunctionCallConv(func->value) == PTX_KERNEL;
    func->results = type_shape(d, LLVMGetReturnType(LLVMGlobalGetValueType(func->value)))->count;
    if (LLVMIsDeclaration(func->value)) {
        emit(d, OP_REFUSE)->ext = arena_text(d->arena, "function '%s' has no body in %s", func->name, d->image->path);
        func->code = d->code;
        func->count = d->count;
        func->slots = func->results + 64;
        return;
    }
    params_bind(d);
    d->ftz = flushes(func->value);
    blocks_order(d);
    phis_bind(d);
    int *post = post_dominators(d);
    for (unsigned b = 0; b < d->blocks; b++) {
        d->start[b] = d->count;
        for (LLVMValueRef inst = LLVMGetFirstInstruction(d->order[b]); inst; inst = LLVMGetNextInstruction(inst))
            decode_inst(d, inst, post);
    }
    for (unsigned i = 0; i < d->fixups; i++)
        *d->fixup[i].place = d->start[block_index(d, d->fixup[i].block)];
    regions_set(d, post);
    func->code = d->code;
    func->count = d->count;
    func->slots = d->slots + 1;
}
