/* PTX that touches memory or other threads. */
#include "ptx.h"
#include "tensor.h"

#include <string.h>

/* ---- memory ---- */

static uint8_t space_named(const Asm *a)
{
    return has(a, "shared") || has(a, "shared::cta") || has(a, "shared::cluster") ? 3 : has(a, "local") ? 5 : 0;
}

static uint32_t address(Asm *a, const Operand *operand)
{
    if (!operand->offset)
        return operand->ref[0];
    uint32_t slot = temporary(a);
    alu(a, OP_ADDI, 64, 64, slot, operand->ref[0], REF_CONST, REF_CONST)->imm = operand->offset;
    return slot;
}

static bool is_memory(const Asm *a, unsigned index) { return index < a->operands && a->operand[index].kind == IN_MEMORY; }

static uint32_t address_of(Asm *a, unsigned index) { return address(a, &a->operand[index]); }

/* An instruction whose operands say all; width and flags are the caller's. */
static Inst *act(Asm *a, Op op, int64_t imm, uint32_t dst, uint32_t x, uint32_t y, uint32_t z)
{
    Inst *inst = alu(a, op, 0, 0, dst, x, y, z);
    inst->imm = imm;
    return inst;
}

/* The scalars of a value of the statement's type, side by side in memory. */
static Access *ptx_access(Asm *a, unsigned count, const uint32_t *refs, uint32_t wanted)
{
    Access *access = access_new(a->d, count);
    Piece *piece = ARENA_ARRAY(a->d->arena, Piece, count + 1);
    unsigned width = a->type.width, bytes = width < 8 ? 1 : width / 8;
    for (unsigned i = 0; i < count; i++)
        piece[i] = (Piece){.ref = refs[i], .offset = i * bytes, .bytes = (uint8_t)bytes, .width = (uint8_t)width, .wanted = wanted};
    access->piece = piece;
    access->bytes = access->align = count * bytes;
    access->space = space_named(a);
    access->scope = has(a, "cta") ? SCOPE_BLOCK : has(a, "gpu") || has(a, "cluster") ? SCOPE_GPU : SCOPE_SYSTEM;
    access->is_volatile = has(a, "volatile") || has(a, "mmio");
    access->order = has(a, "acq_rel")   ? ORDER_BOTH
                    : has(a, "acquire") ? ORDER_ACQUIRE
                    : has(a, "release") ? ORDER_RELEASE
                    : has(a, "relaxed") ? ORDER_RELAXED
                                        : ORDER_PLAIN;
    return access;
}

bool ptx_load(Asm *a)
{
    const Operand *value = &a->operand[0];
    if (!is_memory(a, 1))
        return false;
    uint32_t at = address_of(a, 1);
    act(a, OP_LOAD, 0, value->ref[0], at, REF_CONST, REF_CONST)->ext = ptx_access(a, value->count, value->ref, REF_CONST);
    for (unsigned i = 0; i < value->count; i++)
        if (a->type.is_signed && a->type.width < 32)
            alu(a, OP_SEXT, 32, a->type.width, value->ref[i], value->ref[i], REF_CONST, REF_CONST);
    return true;
}

bool ptx_store(Asm *a)
{
    const Operand *value = &a->operand[1];
    if (!is_memory(a, 0) || a->operands < 2)
        return false;
    uint32_t at = address_of(a, 0);
    act(a, OP_STORE, 0, REF_CONST, at, REF_CONST, REF_CONST)->ext = ptx_access(a, value->count, value->ref, REF_CONST);
    return true;
}

static bool atomic_op(const Asm *a, const Type *type, unsigned *rmw)
{
    static const struct {
        const char *name;
        unsigned s, u, real;
    } table[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd},
        {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpFMin},
        {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpFMax},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, 0},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, 0},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, 0},
        {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, 0},
        {"inc", LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap, 0},
        {"dec", LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (has(a, table[i].name)) {
            *rmw = type->real ? table[i].real : type->is_signed ? table[i].s : table[i].u;
            return true;
        }
    return false;
}

static Access *atomic_access(Asm *a, unsigned count, const uint32_t *refs, uint32_t wanted, unsigned rmw)
{
    Access *access = ptx_access(a, count, refs, wanted);
    if (access->order == ORDER_PLAIN)
        access->order = ORDER_RELAXED;
    if (has(a, "global"))
        access->space = 1;
    access->rmw = rmw;
    return access;
}

/* red: ([p], {b, ...}), and pairs of halves, which are two values each; atom: (d, [p], b) of one pair. Each value is added by itself. */
static bool atomic_values(Asm *a, unsigned at, unsigned rmw)
{
    const Type type = a->type;
    const Operand *values = &a->operand[at + 1];
    uint32_t refs[MOST_OPERANDS], pointer = address_of(a, at);
    unsigned halves = type.pair ? 2 : 1, count = values->count * halves;
    if (!type.real || count > MOST_OPERANDS || (values->count > 1 && (at || !has(a, "global"))))
        return false;
    for (unsigned i = 0; i < count; i++) {
        refs[i] = type.pair ? temporary(a) : values->ref[i];
        if (type.pair)
            part_of(a, refs[i], values->ref[i / halves], 32, 16 * (i % halves), 16);
    }
    uint32_t dst = slots_take(a->d, count);
    Inst *inst = alu(a, OP_ATOMIC, type.width, type.width, dst, pointer, refs[0], REF_CONST);
    inst->ext = atomic_access(a, count, refs, REF_CONST, rmw);
    inst->flags = type.bf16 ? FLAG_BF16 : 0;
    if (at)
        alu(a, OP_PACK, 32, 64, src(a, 0), dst, dst + 1, REF_CONST)->imm = 16;
    return true;
}

/* atom: (d, [p], b[, c]), red: ([p], b) */
bool ptx_atomic(Asm *a)
{
    const Type type = a->type;
    bool is_red = a->imm, cas = has(a, "cas");
    unsigned at = is_red ? 0 : 1, rmw = 0;
    if (!is_memory(a, at) || a->operands < at + 2 || (cas && type.pair) || (!cas && !atomic_op(a, &type, &rmw)))
        return false;
    if (type.pair || a->operand[at + 1].count > 1)
        return atomic_values(a, at, rmw);
    uint32_t pointer = address_of(a, at), dst = is_red ? temporary(a) : src(a, 0), ok = temporary(a);
    uint32_t first = src(a, at + 1);
    Access *access = atomic_access(a, 1, &first, src(a, at + 2), rmw);
    access->ok_slot = ok;
    Inst *inst = alu(a, cas ? OP_CMPXCHG : OP_ATOMIC, type.width, type.width, dst, pointer, first, REF_CONST);
    inst->ext = access;
    inst->flags = type.bf16 ? FLAG_BF16 : 0;
    return true;
}

bool ptx_fence(Asm *a)
{
    emit(a->d, OP_FENCE)->imm = has(a, "cta") ? SCOPE_BLOCK : has(a, "sys") ? SCOPE_SYSTEM : a->imm;
    return true;
}

bool ptx_isspace(Asm *a)
{
    act(a, OP_ISSPACE, a->imm, src(a, 0), src(a, 1), REF_CONST, REF_CONST)->width = 1;
    return true;
}

/* ---- threads ---- */

bool ptx_barrier(Asm *a)
{
    int64_t how = a->imm | (a->operands > 1 ? BARRIER_COUNTED : 0) | (a->operands ? 0 : BARRIER_NO_ID);
    act(a, OP_BARRIER, how, 0, src(a, 0), src(a, 1), REF_CONST);
    return true;
}

/* (d, id[, count], p) */
bool ptx_barrier_red(Asm *a)
{
    act(a, OP_BARRIER, a->imm | (a->operands == 4 ? BARRIER_COUNTED : 0), src(a, 0), src(a, 1), src(a, 2), src(a, 3));
    return a->operands >= 3;
}

bool ptx_warpsync(Asm *a)
{
    uint32_t mask = cut(a, src(a, 0), 32);
    act(a, OP_WARPSYNC, 0, 0, mask, REF_CONST, REF_CONST);
    return true;
}

/* Results of two slots: the second lies behind the first, and moves to where it belongs. */
static void emit_pair(Asm *a, Op op, int64_t imm, uint32_t first, uint32_t second, const uint32_t *sources)
{
    uint32_t pair = slots_take(a->d, 2);
    Inst *inst = emit(a->d, op);
    inst->imm = imm;
    inst->dst = pair;
    memcpy(inst->src, sources, sizeof inst->src);
    alu(a, OP_MOV, 64, 64, first, pair, REF_CONST, REF_CONST);
    alu(a, OP_MOV, 64, 64, second, pair + 1, REF_CONST, REF_CONST);
}

/* (d[|p], a, b, c, mask) */
bool ptx_shfl(Asm *a)
{
    bool has_predicate = a->operands == 6;
    unsigned at = has_predicate ? 2 : 1;
    if (a->operands != at + 4)
        return false;
    uint32_t sources[] = {cut(a, src(a, at + 3), 32), src(a, at), src(a, at + 1), src(a, at + 2)};
    emit_pair(a, OP_SHFL, a->imm | 4, src(a, 0), has_predicate ? src(a, 1) : temporary(a), sources);
    return true;
}

bool ptx_vote(Asm *a)
{
    if (a->operands != 3)
        return false;
    uint32_t value = src(a, 1);
    if (a->operand[1].negated) {
        value = temporary(a);
        alu(a, OP_NOT, 1, 1, value, src(a, 1), REF_CONST, REF_CONST);
    }
    uint32_t mask = cut(a, src(a, 2), 32);
    act(a, OP_VOTE, a->imm, src(a, 0), mask, value, REF_CONST);
    return true;
}

bool ptx_match(Asm *a)
{
    bool has_predicate = a->operands == 4;
    unsigned at = has_predicate ? 2 : 1;
    if (a->operands != at + 2)
        return false;
    uint32_t sources[] = {cut(a, src(a, at + 1), 32), src(a, at), REF_CONST, REF_CONST};
    emit_pair(a, OP_MATCH, a->imm, src(a, 0), has_predicate ? src(a, 1) : temporary(a), sources);
    return true;
}

bool ptx_redux(Asm *a)
{
    uint32_t mask = cut(a, src(a, 2), 32);
    act(a, OP_REDUX, a->imm, src(a, 0), src(a, 1), mask, REF_CONST);
    return a->operands == 3;
}

/* Registers of a part; false: there are not as many as it has. */
static bool part_take(const Operand *operand, Part *part)
{
    part->ref = operand->ref;
    return operand->kind == IN_REGISTER && operand->count == part->slots;
}

/* d, a, b, c */
static bool product_take(const Asm *a, Tensor *tensor, const Operand *operand)
{
    static const unsigned parts[] = {PART_D, PART_A, PART_B, PART_C};
    for (unsigned i = 0; i < PARTS; i++)
        if (a->operands != PARTS || !part_take(&operand[i], &tensor->part[parts[i]]))
            return false;
    return true;
}

/* d, [address][, stride]; or [address], d[, stride] */
static bool moved_take(Asm *a, Tensor *tensor, const Operand *operand)
{
    unsigned at = tensor->kind == TENSOR_LOAD ? 1 : 0;
    if (!is_memory(a, at) || a->operands < 2 || a->operands > (tensor->by_lane ? 2 : 3) ||
        !part_take(&operand[1 - at], &tensor->part[tensor->moved]))
        return false;
    tensor->address = address_of(a, at);
    if (a->operands > 2)
        tensor->stride = src(a, 2);
    return true;
}

bool ptx_tensor(Asm *a)
{
    Decoder *d = a->d;
    Tensor *tensor = ARENA_NEW(d->arena, Tensor);
    Operand *operand = ARENA_ARRAY(d->arena, Operand, MOST_OPERANDS); /* the next statement overwrites a->operand */
    memcpy(operand, a->operand, sizeof a->operand);
    if (!tensor_named(d, tensor, a->name, true) ||
        !(tensor->kind == TENSOR_PRODUCT ? product_take(a, tensor, operand) : moved_take(a, tensor, operand)))
        return false;
    emit(d, OP_TENSOR)->ext = tensor;
    return true;
}

bool ptx_activemask(Asm *a)
{
    act(a, OP_ACTIVEMASK, 0, src(a, 0), REF_CONST, REF_CONST, REF_CONST);
    return true;
}

/* prefetch.global.L2 [from] */
bool ptx_prefetch(Asm *a)
{
    if (!is_memory(a, 0))
        return false;
    act(a, OP_PREFETCH, 0, 0, address_of(a, 0), REF_CONST, REF_CONST);
    return true;
}

/* ---- asynchronous copies ---- */

/* [to], [from], bytes[, source bytes or a predicate: read nothing][, cache policy] */
bool ptx_cpasync(Asm *a)
{
    unsigned most = has(a, "L2::cache_hint") ? 5 : 4;
    if (!is_memory(a, 0) || !is_memory(a, 1) || a->operands < most - 1 || a->operands > most || !(src(a, 2) & REF_CONST))
        return false;
    bool sized = a->operands == most;
    uint32_t to = address_of(a, 0), from = address_of(a, 1), size = REF_CONST;
    uint32_t bytes = (uint32_t)constant_bits(a->d, src(a, 2)) & 31;
    if (sized && a->operand[3].predicate) {
        size = temporary(a);
        bool keeps = a->operand[3].negated;
        uint32_t all = constant_ref(a->d, bytes, 0), none = constant_ref(a->d, 0, 0);
        alu(a, OP_SELECT, 32, 32, size, src(a, 3), keeps ? all : none, keeps ? none : all);
    } else if (sized) {
        size = cut(a, src(a, 3), 32);
    }
    Access *access = access_new(a->d, 0);
    access->bytes = bytes;
    act(a, OP_CPASYNC, bytes | (sized ? CPASYNC_SIZED : 0), 0, to, from, size)->ext = access;
    return true;
}

bool ptx_wait(Asm *a)
{
    Inst *inst = emit(a->d, (Op)a->imm);
    inst->src[0] = src(a, 0);
    inst->imm = has(a, "read");
    return a->operands == 1;
}

bool ptx_wait_all(Asm *a)
{
    emit(a->d, OP_CPWAIT)->imm = 1;
    return true;
}

bool ptx_cpmbar(Asm *a)
{
    uint32_t at = address_of(a, 0);
    act(a, OP_CPMBAR, a->imm, 0, at, REF_CONST, REF_CONST);
    return a->operands == 1;
}

/* in: [to], [from], bytes, [mbarrier]; out: [to], [from], bytes */
bool ptx_bulk(Asm *a)
{
    bool in = a->imm == BULK_IN;
    unsigned most = (in ? 4 : 3) + has(a, "L2::cache_hint");
    if (a->operands != most || !has(a, "global")) /* neither between blocks, nor to several, nor parts of 16 bytes */
        return false;
    uint32_t to = address_of(a, 0), from = address_of(a, 1), bytes = cut(a, src(a, 2), 32);
    uint32_t mbar = in ? address_of(a, 3) : REF_CONST;
    Inst *inst = act(a, OP_BULK, a->imm, 0, to, in ? mbar : from, in ? from : bytes);
    inst->src[3] = in ? bytes : REF_CONST;
    inst->ext = access_new(a->d, 0);
    return true;
}

/* [state,] [mbarrier] [, operand...] */
bool ptx_mbar(Asm *a)
{
    unsigned at = a->operands && a->operand[0].kind != IN_MEMORY ? 1 : 0;
    if (!is_memory(a, at))
        return false;
    uint32_t pointer = address_of(a, at);
    int64_t how = a->imm | (has(a, "relaxed") ? MBAR_RELAXED : 0);
    Inst *inst = act(a, OP_MBAR, how, at ? src(a, 0) : temporary(a), pointer, src(a, at + 1), REF_CONST);
    inst->from = (uint8_t)(a->operands - at);
    inst->width = at ? 64 : 0;
    return true;
}

/* count, state */
bool ptx_pending(Asm *a)
{
    act(a, OP_MBAR, MBAR_PENDING, src(a, 0), src(a, 1), REF_CONST, REF_CONST)->width = 32;
    return a->operands == 2;
}

bool ptx_proxyfence(Asm *a)
{
    emit(a->d, OP_PROXYFENCE)->imm = a->imm;
    return true;
}
