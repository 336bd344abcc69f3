/* Calls: of functions with a body, of intrinsics by their table, of inline PTX. */
#include "tensor.h"

#include <string.h>

typedef enum { ENTRY_ALU, ENTRY_SREG, ENTRY_DO, ENTRY_SKIP } EntryKind;
typedef struct {
    const char *name;
    EntryKind kind;
    Op op;
    int64_t imm;
    uint32_t flags;
} Entry;

static const Entry entries[] = {
#define ALU(name, op, imm, flags) {name, ENTRY_ALU, OP_##op, imm, flags},
#define SREG(name, which) {"llvm.nvvm.read.ptx.sreg." name, ENTRY_SREG, OP_SREG, SREG_##which, 0},
#define DO(name, op, imm) {name, ENTRY_DO, OP_##op, imm, 0},
#define SKIP(name) {name, ENTRY_SKIP, OP_NOP, 0, 0},
#include "intrinsics.def"
};

static bool entry_matches(const char *entry, const char *name)
{
    size_t length = strlen(entry);
    if (strncmp(entry, name, length) != 0)
        return false;
    return name[length] == 0 || entry[length - 1] == '.';
}

/* The longest match wins: the exact name before a prefix. */
static const Entry *entry_find(const char *name)
{
    const Entry *best = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entry_matches(entries[i].name, name) && (!best || strlen(entries[i].name) > strlen(best->name)))
            best = &entries[i];
    return best;
}

/* ---- arithmetic ---- */

static bool has_part(const char *name, const char *part)
{
    const char *at = strstr(name, part);
    size_t length = strlen(part);
    return at && (at[length] == 0 || at[length] == '.');
}

/* What an NVVM name says of rounding: .rn .rz .rm .rp .ftz .sat .relu */
static void name_modifiers(Inst *inst, const char *name)
{
    if (strncmp(name, "llvm.nvvm.", 10) != 0)
        return;
    bool to_int = inst->op == OP_FP_TO_SI || inst->op == OP_FP_TO_UI;
    static const struct {
        const char *part;
        uint32_t flag;
        int64_t to_int;
    } parts[] = {{".rn", 0, 1}, {".rz", FLAG_RZ, 0}, {".rm", FLAG_RM, 2}, {".rp", FLAG_RP, 3}};
    for (int i = 0; i < 4; i++)
        if (has_part(name, parts[i].part)) {
            if (to_int)
                inst->imm = parts[i].to_int;
            else if (inst->op != OP_TF32)
                inst->flags |= parts[i].flag;
        }
    inst->flags |= (has_part(name, ".ftz") ? FLAG_FTZ : 0) | (has_part(name, ".sat") ? FLAG_SAT : 0) |
                   (has_part(name, ".relu") ? FLAG_RELU : 0);
    if (inst->flags & FLAG_RELU && inst->op == OP_FMA)
        inst->flags &= ~(uint32_t)FLAG_RELU;
}

static void call_alu(Decoder *d, LLVMValueRef call, const Entry *entry, const char *name)
{
    unsigned args = LLVMGetNumArgOperands(call);
    const Shape *shape = type_shape(d, LLVMTypeOf(call)), *from = type_shape(d, LLVMTypeOf(LLVMGetOperand(call, 0)));
    const uint32_t *refs[3] = {0};
    const Shape *shapes[3] = {0};
    for (unsigned i = 0; i < args && i < 3; i++) {
        refs[i] = value_refs(d, LLVMGetOperand(call, i));
        shapes[i] = type_shape(d, LLVMTypeOf(LLVMGetOperand(call, i)));
    }
    if (shape->wide || from->wide) {
        emit_refuse(d, "an intrinsic on more than 64 bits");
        result_take(d, call, shape->count);
        return;
    }
    uint32_t dst = result_take(d, call, shape->count);
    unsigned shape_count = entry->op == OP_PACKHALF ? 1 : shape->count;
    for (unsigned i = 0; i < shape_count; i++) {
        uint32_t ref[3] = {REF_CONST, REF_CONST, REF_CONST};
        for (unsigned k = 0; k < 3 && refs[k]; k++)
            ref[k] = refs[k][shapes[k]->count == shape->count ? i : 0];
        Inst *inst = emit_alu(d, entry->op, shape->elem[i].width, from->elem[i < from->count ? i : 0].width, dst + i, ref[0],
                              ref[1], ref[2]);
        inst->imm = entry->imm;
        inst->flags = entry->flags | (shape->elem[i].bf16 || from->elem[0].bf16 ? FLAG_BF16 : 0) |
                      (d->ftz && shape->elem[i].real && shape->elem[i].width == 32 && strncmp(name, "llvm.nvvm.", 10) != 0
                           ? FLAG_FTZ
                           : 0);
        if (entry->op == OP_FP_EXT_TRUNC)
            inst->flags = entry->flags;
        if (strstr(name, ".bf16"))
            inst->flags |= FLAG_BF16;
        if (entry->op == OP_PRMT && args == 2) {    /* one source: the selector is the third operand of the others */
            inst->src[2] = inst->src[1];
            inst->src[1] = REF_CONST;
        }
        if (entry->op == OP_SHRC)
            inst->src[1] = constant_ref(d, (uint64_t)entry->imm, 0);
        name_modifiers(inst, name);
    }
}

/* {result, overflowed} */
static bool call_overflow(Decoder *d, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        Op op, flag;
    } table[] = {
        {"llvm.uadd.with.overflow.", OP_ADD, OP_UADDO}, {"llvm.sadd.with.overflow.", OP_ADD, OP_SADDO},
        {"llvm.usub.with.overflow.", OP_SUB, OP_USUBO}, {"llvm.ssub.with.overflow.", OP_SUB, OP_SSUBO},
        {"llvm.umul.with.overflow.", OP_MUL, OP_UMULO}, {"llvm.smul.with.overflow.", OP_MUL, OP_SMULO},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!entry_matches(table[i].name, name))
            continue;
        uint32_t a = value_refs(d, LLVMGetOperand(call, 0))[0], b = value_refs(d, LLVMGetOperand(call, 1))[0];
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(call, 0)));
        uint32_t dst = result_take(d, call, 2);
        emit_alu(d, table[i].op, width, width, dst, a, b, REF_CONST);
        emit_alu(d, table[i].flag, 1, width, dst + 1, a, b, REF_CONST)->flags = FLAG_FREE;
        return true;
    }
    return false;
}

/* llvm.vector.reduce.OP: a chain, in order. */
static bool call_reduce(Decoder *d, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        Op op;
    } table[] = {
        {"llvm.vector.reduce.add.", OP_ADD},   {"llvm.vector.reduce.mul.", OP_MUL},   {"llvm.vector.reduce.and.", OP_AND},
        {"llvm.vector.reduce.or.", OP_OR},     {"llvm.vector.reduce.xor.", OP_XOR},   {"llvm.vector.reduce.smax.", OP_SMAX},
        {"llvm.vector.reduce.smin.", OP_SMIN}, {"llvm.vector.reduce.umax.", OP_UMAX}, {"llvm.vector.reduce.umin.", OP_UMIN},
        {"llvm.vector.reduce.fadd.", OP_FADD}, {"llvm.vector.reduce.fmul.", OP_FMUL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!entry_matches(table[i].name, name))
            continue;
        bool starts = table[i].op == OP_FADD || table[i].op == OP_FMUL;
        LLVMValueRef vector = LLVMGetOperand(call, starts ? 1 : 0);
        const uint32_t *refs = value_refs(d, vector);
        const Shape *shape = type_shape(d, LLVMTypeOf(vector));
        uint32_t sum = starts ? value_refs(d, LLVMGetOperand(call, 0))[0] : refs[0];
        unsigned width = shape->elem[0].width;
        for (unsigned k = starts ? 0 : 1; k < shape->count; k++) {
            uint32_t slot = slots_take(d, 1);
            emit_alu(d, table[i].op, width, width, slot, sum, refs[k], REF_CONST);
            sum = slot;
        }
        uint32_t *result = ARENA_ARRAY(d->arena, uint32_t, 1);
        *result = sum;
        result_bind(d, call, result);
        return true;
    }
    return false;
}

/* ---- memory ---- */

static unsigned call_align(LLVMValueRef call, unsigned index)
{
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, index + 1, LLVMGetEnumAttributeKindForName("align", 5));
    return align ? (unsigned)LLVMGetEnumAttributeValue(align) : 1;
}

static bool call_memory(Decoder *d, LLVMValueRef call, const char *name)
{
    bool set = strncmp(name, "llvm.memset.", 12) == 0, move = strncmp(name, "llvm.memmove.", 13) == 0;
    if (!set && !move && strncmp(name, "llvm.memcpy.", 12) != 0)
        return false;
    uint32_t to = value_refs(d, LLVMGetOperand(call, 0))[0], from = value_refs(d, LLVMGetOperand(call, 1))[0],
             bytes = value_refs(d, LLVMGetOperand(call, 2))[0];
    Access *access = access_new(d, 0), *second = set ? NULL : access_new(d, 0);
    access->space = (uint8_t)space_of(LLVMGetOperand(call, 0));
    access->align = call_align(call, 0);
    if (second) {
        access->space2 = second->space = (uint8_t)space_of(LLVMGetOperand(call, 1));
        access->align2 = second->align = call_align(call, 1);
        access->ok_slot = second->id;
    }
    Inst *inst = emit(d, set ? OP_MEMSET : OP_MEMCPY);
    inst->src[0] = to;
    inst->src[1] = from;
    inst->src[2] = bytes;
    inst->imm = move;
    inst->ext = access;
    return true;
}

static bool call_lifetime(Decoder *d, LLVMValueRef call, const char *name)
{
    bool start = strncmp(name, "llvm.lifetime.start", 19) == 0;
    if (!start && strncmp(name, "llvm.lifetime.end", 17) != 0)
        return false;
    LLVMValueRef pointer = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
    if (!LLVMIsAAllocaInst(pointer))
        return true;
    uint32_t address = value_refs(d, pointer)[0];
    Inst *inst = emit(d, OP_LIFETIME);
    inst->src[0] = address;
    inst->imm = (int64_t)LLVMABISizeOfType(d->image->layout, LLVMGetAllocatedType(pointer));
    inst->width = start;
    inst->from = (uint8_t)space_of(pointer);
    inst->flags = FLAG_FREE;
    return true;
}

#define RMW_CAS (~0u)

static void scoped_atomic(Decoder *d, LLVMValueRef call, unsigned rmw, Scope scope)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(call));
    LLVMValueRef pointer = LLVMGetOperand(call, 0);
    uint32_t address = value_refs(d, pointer)[0], by = value_refs(d, LLVMGetOperand(call, 1))[0];
    Access *access = access_for(d, LLVMTypeOf(call), &by, pointer, (unsigned)shape->bytes);
    access->order = ORDER_RELAXED;
    access->scope = scope;
    access->rmw = rmw;
    if (rmw == RMW_CAS)
        access_wants(d, access, value_refs(d, LLVMGetOperand(call, 2)));
    uint32_t dst = result_take(d, call, 2);
    access->ok_slot = dst + 1;
    unsigned width = shape->elem[0].width;
    emit_alu(d, rmw == RMW_CAS ? OP_CMPXCHG : OP_ATOMIC, width, width, dst, address, by, REF_CONST)->ext = access;
}

/* llvm.nvvm.atomic.OP.gen.{i,f}.{cta,sys}.TYPE: the scoped atomics of the toolkit. */
static bool call_scoped_atomic(Decoder *d, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        unsigned rmw;
    } table[] = {
        {"add.gen.i.", LLVMAtomicRMWBinOpAdd},
        {"add.gen.f.", LLVMAtomicRMWBinOpFAdd},
        {"and.gen.i.", LLVMAtomicRMWBinOpAnd},
        {"or.gen.i.", LLVMAtomicRMWBinOpOr},
        {"xor.gen.i.", LLVMAtomicRMWBinOpXor},
        {"exch.gen.i.", LLVMAtomicRMWBinOpXchg},
        {"max.gen.i.", LLVMAtomicRMWBinOpMax},
        {"min.gen.i.", LLVMAtomicRMWBinOpMin},
        {"inc.gen.i.", LLVMAtomicRMWBinOpUIncWrap},
        {"dec.gen.i.", LLVMAtomicRMWBinOpUDecWrap},
        {"cas.gen.i.", RMW_CAS},
    };
    static const char prefix[] = "llvm.nvvm.atomic.";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    name += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].name);
        if (strncmp(name, table[i].name, length) != 0)
            continue;
        scoped_atomic(d, call, table[i].rmw, strncmp(name + length, "cta", 3) == 0 ? SCOPE_BLOCK : SCOPE_SYSTEM);
        return true;
    }
    return false;
}

/* ldu/ldg forms that are loads. */
static bool call_load(Decoder *d, LLVMValueRef call, const char *name)
{
    if (strncmp(name, "llvm.nvvm.ldu.global.", 21) != 0 && strncmp(name, "llvm.nvvm.ldg.global.", 21) != 0)
        return false;
    const Shape *shape = type_shape(d, LLVMTypeOf(call));
    uint32_t address = value_refs(d, LLVMGetOperand(call, 0))[0], dst = result_take(d, call, shape->count);
    unsigned align = (unsigned)constant_bits(d, value_refs(d, LLVMGetOperand(call, 1))[0]);
    Access *access = access_for(d, LLVMTypeOf(call), map_get(d->values, call), LLVMGetOperand(call, 0), align);
    Inst *load = emit(d, OP_LOAD);
    load->dst = dst;
    load->src[0] = address;
    load->ext = access;
    return true;
}

/* ---- the rest ---- */

/* Known without running: reflection, the sizes of objects, what only marks a value. */
static bool call_folds(Decoder *d, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *name;
        int argument;           /* result: this argument; -1: zero; -2: one */
    } table[] = {
        {"llvm.nvvm.reflect", -1},
        {"__nvvm_reflect", -1},
        {"llvm.expect.", 0},
        {"llvm.launder.invariant.group", 0},
        {"llvm.strip.invariant.group", 0},
        {"llvm.ptr.annotation.", 0},
        {"llvm.ssa.copy.", 0},
        {"llvm.annotation.", 0},
        {"llvm.nvvm.internal.addrspace.wrap", 0},
        {"llvm.arithmetic.fence.", 0},
        {"llvm.threadlocal.address.", 0},
        {"llvm.is.constant.", -1},
        {"llvm.canonicalize.", 0},
        {"llvm.nvvm.move.", 0},
        {"llvm.allow.ubsan.check", -2},
        {"llvm.allow.runtime.check", -2},
        {"llvm.objectsize.", -3},
        {"llvm.nvvm.mapa", 0},
        {"llvm.nvvm.getctarank", -1},
        {"llvm.nvvm.is_explicit_cluster", -1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strncmp(table[i].name, name, strlen(table[i].name)) != 0)
            continue;
        uint32_t *zero = ARENA_ARRAY(d->arena, uint32_t, 1);
        *zero = constant_ref(d, table[i].argument == -3 ? ~0ull : table[i].argument == -2, 0);
        result_bind(d, call, table[i].argument >= 0 ? value_refs(d, LLVMGetOperand(call, (unsigned)table[i].argument)) : zero);
        return true;
    }
    return false;
}

/* cp.async.bulk.global.to.shared.cluster: (to, mbarrier, from, bytes, blocks, policy, to these blocks?, with this policy?) */
static bool is_multicast(LLVMValueRef call, unsigned args)
{
    return args == 8 && (!LLVMIsAConstantInt(LLVMGetOperand(call, 6)) || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 6)));
}

static void call_do(Decoder *d, LLVMValueRef call, const Entry *entry)
{
    unsigned args = LLVMGetNumArgOperands(call), used = 0;
    uint32_t refs[MAX_SOURCES] = {REF_CONST, REF_CONST, REF_CONST, REF_CONST};
    for (unsigned i = 0; i < args; i++) {
        const uint32_t *ref = value_refs(d, LLVMGetOperand(call, i));
        if (used < MAX_SOURCES)
            refs[used++] = ref[0];
    }
    const Shape *shape = type_shape(d, LLVMTypeOf(call));
    uint32_t dst = shape->count ? result_take(d, call, shape->count) : 0;
    Inst *inst = emit(d, entry->op);
    memcpy(inst->src, refs, sizeof refs);
    inst->dst = dst;
    inst->imm = entry->imm;
    inst->width = shape->count ? shape->elem[0].width : 0;
    inst->from = (uint8_t)used;
    if (args && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind)
        inst->flags = space_of(LLVMGetOperand(call, 0)) << 24;
    if (entry->op == OP_BULK && is_multicast(call, args))
        emit_refuse(d, "a bulk copy to several blocks is not supported");
    if (entry->op == OP_CPASYNC || entry->op == OP_BULK) {
        Access *access = access_new(d, 0);
        access->bytes = entry->op == OP_CPASYNC ? (uint32_t)entry->imm & 31 : 0;
        inst->ext = access;
    }
}

static void call_function(Decoder *d, LLVMValueRef call, LLVMValueRef callee)
{
    unsigned args = LLVMGetNumArgOperands(call), count = 0;
    for (unsigned i = 0; i < args; i++)
        count += type_shape(d, LLVMTypeOf(LLVMGetOperand(call, i)))->count;
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    CallSite *site = ARENA_NEW(d->arena, CallSite);
    *site = (CallSite){.count = count, .ref = refs};
    for (unsigned i = 0, at = 0; i < args; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        unsigned scalars = type_shape(d, LLVMTypeOf(arg))->count;
        memcpy(refs + at, value_refs(d, arg), scalars * sizeof *refs);
        at += scalars;
    }
    uint32_t pointer = REF_CONST;
    if (LLVMIsAFunction(callee))
        site->callee = func_get(d, callee);
    else
        pointer = value_refs(d, callee)[0];
    site->results = type_shape(d, LLVMTypeOf(call))->count;
    uint32_t dst = result_take(d, call, site->results);
    Inst *inst = emit(d, site->callee ? OP_CALL : OP_CALLI);
    inst->dst = dst;
    inst->src[0] = pointer;
    inst->ext = site;
}

static void call_class(Decoder *d, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0);
    const Shape *from = type_shape(d, LLVMTypeOf(value));
    uint32_t a = value_refs(d, value)[0];
    Inst *inst = emit_alu(d, OP_FCLASS, 1, from->elem[0].width, result_take(d, call, 1), a, REF_CONST, REF_CONST);
    inst->imm = (int64_t)constant_bits(d, value_refs(d, LLVMGetOperand(call, 1))[0]);
    inst->flags = from->elem[0].bf16 ? FLAG_BF16 : 0;
}

static bool call_named(Decoder *d, LLVMValueRef call, const char *name)
{
    if (call_memory(d, call, name) || call_lifetime(d, call, name) || call_overflow(d, call, name) || call_folds(d, call, name) ||
        call_reduce(d, call, name) || call_scoped_atomic(d, call, name) || call_load(d, call, name) || call_tensor(d, call, name))
        return true;
    if (strncmp(name, "llvm.is.fpclass.", 16) == 0) {
        call_class(d, call);
        return true;
    }
    const Entry *entry = entry_find(name);
    if (!entry)
        return false;
    switch (entry->kind) {
    case ENTRY_ALU: call_alu(d, call, entry, name); break;
    case ENTRY_SKIP:
        if (type_shape(d, LLVMTypeOf(call))->count)
            result_bind(d, call, value_refs(d, LLVMGetUndef(LLVMTypeOf(call))));
        break;
    default: call_do(d, call, entry);
    }
    return true;
}

void decode_call(Decoder *d, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        if (!decode_asm(d, call)) {
            emit_refuse(d, "this inline PTX is not supported");
            result_take(d, call, type_shape(d, LLVMTypeOf(call))->count);
        }
        return;
    }
    if (LLVMIsAGlobalAlias(callee))
        callee = LLVMAliasGetAliasee(callee);
    if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)) {
        const char *name = LLVMGetValueName(callee);
        if (call_named(d, call, name))
            return;
        emit_refuse(d, "function '%s' is not supported", name);
        result_take(d, call, type_shape(d, LLVMTypeOf(call))->count);
        return;
    }
    call_function(d, call, callee);
}
