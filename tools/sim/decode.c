/* One function to an array of instructions. Vectors and structs are taken apart: a value is a list of scalar slots, so that
 * extracting, inserting and shuffling cost nothing at run time. Phis become moves on the edges. */
#include "decode.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* ---- emitting ---- */

Inst *emit(Decoder *d, Op op)
{
    if (d->count == d->capacity) {
        uint32_t capacity = d->capacity ? 2 * d->capacity : 256;
        Inst *code = ARENA_ARRAY(d->arena, Inst, capacity);
        if (d->count)
            memcpy(code, d->code, d->count * sizeof *code);
        d->code = code;
        d->capacity = capacity;
    }
    Inst *inst = &d->code[d->count++];
    *inst = (Inst){.op = (uint16_t)op, .where = d->where, .src = {REF_CONST, REF_CONST, REF_CONST, REF_CONST}};
    return inst;
}

Inst *emit_alu(Decoder *d, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t a, uint32_t b, uint32_t c)
{
    Inst *inst = emit(d, op);
    inst->width = (uint8_t)width;
    inst->from = (uint8_t)from;
    inst->dst = dst;
    inst->src[0] = a;
    inst->src[1] = b;
    inst->src[2] = c;
    return inst;
}

char *value_text(Decoder *d, LLVMValueRef value)
{
    char *text = LLVMPrintValueToString(value);
    const char *from = text + strspn(text, " ");
    char *copy = arena_copy(d->arena, from, strcspn(from, "\n"));
    LLVMDisposeMessage(text);
    return copy;
}

void emit_refuse(Decoder *d, const char *format, ...)
{
    va_list args;
    Text text = text_new(d->arena);
    va_start(args, format);
    text_add_v(&text, format, args);
    va_end(args);
    text_add(&text, ": '%s' in %s", value_text(d, d->at), d->func->name);
    const Where *where = &d->image->where[d->where];
    if (*where->file)
        text_add(&text, " (%s:%u)", where->file, where->line);
    emit(d, OP_REFUSE)->ext = text.data;
}

uint32_t slots_take(Decoder *d, unsigned count)
{
    uint32_t first = d->slots;
    d->slots += count;
    return first;
}

void result_bind(Decoder *d, LLVMValueRef value, const uint32_t *refs)
{
    map_put(d->values, value, (void *)(uintptr_t)refs);
}

uint32_t result_take(Decoder *d, LLVMValueRef value, unsigned count)
{
    uint32_t first = slots_take(d, count);
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        refs[i] = first + i;
    result_bind(d, value, refs);
    return first;
}

const uint32_t *value_refs(Decoder *d, LLVMValueRef value)
{
    const uint32_t *refs = map_get(d->values, value);
    if (refs)
        return refs;
    if (LLVMIsConstant(value))
        refs = constant_refs(d, value);
    if (refs)
        return refs;
    emit_refuse(d, "constant '%s' is not supported", value_text(d, value));
    unsigned count = type_shape(d, LLVMTypeOf(value))->count;
    uint32_t *zeros = ARENA_ARRAY(d->arena, uint32_t, count + 1);
    for (unsigned i = 0; i < count; i++)
        zeros[i] = REF_CONST;
    return zeros;
}

static uint32_t operand(Decoder *d, LLVMValueRef inst, unsigned index)
{
    return value_refs(d, LLVMGetOperand(inst, index))[0];
}

Access *access_new(Decoder *d, unsigned count)
{
    Image *image = d->image;
    if (image->access_count == d->access_capacity) {
        d->access_capacity = d->access_capacity ? 2 * d->access_capacity : 64;
        Access **grown = ARENA_ARRAY(d->arena, Access *, d->access_capacity);
        if (image->access_count)
            memcpy(grown, image->access, image->access_count * sizeof *grown);
        image->access = grown;
    }
    Access *access = ARENA_NEW(d->arena, Access);
    access->id = image->access_count;
    access->count = count;
    access->align = access->align2 = 1;
    image->access[image->access_count++] = access;
    return access;
}

Func *func_get(Decoder *d, LLVMValueRef value)
{
    Func *func = map_get(d->funcs, value);
    if (func)
        return func;
    Image *image = d->image;
    if (image->func_count == d->func_capacity) {
        d->func_capacity = d->func_capacity ? 2 * d->func_capacity : 16;
        Func **grown = ARENA_ARRAY(d->arena, Func *, d->func_capacity);
        if (image->func_count)
            memcpy(grown, image->func, image->func_count * sizeof *grown);
        image->func = grown;
    }
    func = ARENA_NEW(d->arena, Func);
    func->name = LLVMGetValueName(value);
    func->value = value;
    func->id = image->func_count;
    image->func[image->func_count++] = func;
    map_put(d->funcs, value, func);
    list_add(&d->queue, func);
    return func;
}

/* ---- where ---- */

static bool is_toolkit(const char *path)
{
    static const char *const parts[] = {"/lib/clang/", "/cuda/include", "/cuda-", "/targets/x86_64-linux/include", "/usr/include/",
                                        "/usr/local/include/", "/nvidia/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i]))
            return true;
    return false;
}

static const char *where_path(Decoder *d, LLVMMetadataRef location)
{
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    unsigned length = 0, directory_length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
    const char *directory = file ? LLVMDIFileGetDirectory(file, &directory_length) : "";
    const char *path = arena_copy(d->arena, name, length);
    if (*path != '/' && is_toolkit(arena_copy(d->arena, directory, directory_length)))
        return arena_text(d->arena, "%.*s/%s", (int)directory_length, directory, path);
    return path;
}

/* The innermost location outside the toolkit's headers, so that a wrapper in one is charged to its user. */
static uint32_t where_of(Decoder *d, LLVMValueRef inst)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst), outer;
    if (!location)
        return 0;
    uintptr_t known = (uintptr_t)map_get(d->wheres, location);
    if (known)
        return (uint32_t)known - 1;
    LLVMMetadataRef first = location;
    while (is_toolkit(where_path(d, location)) && (outer = LLVMDILocationGetInlinedAt(location)))
        location = outer;
    Image *image = d->image;
    if (image->where_count == d->where_capacity) {
        d->where_capacity *= 2;
        Where *grown = ARENA_ARRAY(d->arena, Where, d->where_capacity);
        memcpy(grown, image->where, image->where_count * sizeof *grown);
        image->where = grown;
    }
    image->where[image->where_count] = (Where){where_path(d, location), LLVMDILocationGetLine(location),
                                               LLVMDILocationGetColumn(location)};
    map_put(d->wheres, first, (void *)(uintptr_t)(image->where_count + 1));
    return image->where_count++;
}

/* ---- blocks: order, post-dominators ---- */

static unsigned block_index(Decoder *d, LLVMBasicBlockRef block)
{
    return (unsigned)(uintptr_t)map_get(d->starts, block) - 1;
}

static void order_visit(Decoder *d, LLVMBasicBlockRef block, Map *seen, unsigned *left)
{
    map_put(seen, block, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = LLVMGetNumSuccessors(end); i-- > 0;)
        if (!map_get(seen, LLVMGetSuccessor(end, i)))
            order_visit(d, LLVMGetSuccessor(end, i), seen, left);
    d->order[--*left] = block;
}

/* Reverse postorder of the reachable blocks: a definition comes before its uses, but for phis. */
static void blocks_order(Decoder *d)
{
    unsigned total = LLVMCountBasicBlocks(d->func->value), left = total;
    d->order = ARENA_ARRAY(d->arena, LLVMBasicBlockRef, total);
    d->starts = map_new(d->arena);
    order_visit(d, LLVMGetEntryBasicBlock(d->func->value), map_new(d->arena), &left);
    d->order += left;
    d->blocks = total - left;
    d->start = ARENA_ARRAY(d->arena, uint32_t, d->blocks);
    for (unsigned i = 0; i < d->blocks; i++)
        map_put(d->starts, d->order[i], (void *)(uintptr_t)(i + 1));
}

enum { NO_BLOCK = -1 };

static int meet(const int *post, const int *rank, int a, int b)
{
    while (a != b) {
        while (rank[a] < rank[b])
            a = post[a];
        while (rank[b] < rank[a])
            b = post[b];
    }
    return a;
}

/* Postorder of the reversed graph from the exit. Blocks that never return do not hold back the others. */
static void rank_visit(Decoder *d, List *preds, unsigned block, int *rank, int *next, unsigned *by_rank)
{
    rank[block] = 0;
    for (size_t i = 0; i < preds[block].count; i++) {
        unsigned pred = (unsigned)(uintptr_t)preds[block].item[i] - 1;
        if (rank[pred] < 0)
            rank_visit(d, preds, pred, rank, next, by_rank);
    }
    by_rank[*next] = block;
    rank[block] = (*next)++;
}

/* post[b]: the immediate post-dominator of block b; d->blocks: the exit; NO_BLOCK: none (never returns). */
static int *post_dominators(Decoder *d)
{
    unsigned n = d->blocks, exit = n;
    List *preds = ARENA_ARRAY(d->arena, List, n + 1);
    int *post = ARENA_ARRAY(d->arena, int, n + 1), *rank = ARENA_ARRAY(d->arena, int, n + 1), ranked = 0;
    unsigned *by_rank = ARENA_ARRAY(d->arena, unsigned, n + 1);
    for (unsigned i = 0; i <= n; i++) {
        preds[i] = list_new(d->arena);
        post[i] = rank[i] = NO_BLOCK;
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(d->order[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            list_add(&preds[block_index(d, LLVMGetSuccessor(end, s))], (void *)(uintptr_t)(i + 1));
        if (LLVMGetInstructionOpcode(end) == LLVMRet)
            list_add(&preds[exit], (void *)(uintptr_t)(i + 1));
    }
    rank_visit(d, preds, exit, rank, &ranked, by_rank);
    post[exit] = (int)exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = ranked - 2; r >= 0; r--) {
            unsigned block = by_rank[r];
            LLVMValueRef end = LLVMGetBasicBlockTerminator(d->order[block]);
            int found = LLVMGetInstructionOpcode(end) == LLVMRet ? (int)exit : NO_BLOCK;
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
                int next = (int)block_index(d, LLVMGetSuccessor(end, s));
                if (post[next] != NO_BLOCK)
                    found = found == NO_BLOCK ? next : meet(post, rank, found, next);
            }
            changed |= found != post[block];
            post[block] = found;
        }
    }
    return post;
}

/* ---- edges ---- */

static void fix_later(Decoder *d, uint32_t *place, LLVMBasicBlockRef block)
{
    if (d->fixups == d->fixup_capacity) {
        d->fixup_capacity = d->fixup_capacity ? 2 * d->fixup_capacity : 64;
        Fixup *grown = ARENA_ARRAY(d->arena, Fixup, d->fixup_capacity);
        if (d->fixups)
            memcpy(grown, d->fixup, d->fixups * sizeof *grown);
        d->fixup = grown;
    }
    d->fixup[d->fixups++] = (Fixup){place, block};
}

static void move(Decoder *d, uint32_t to, uint32_t from)
{
    emit_alu(d, OP_MOV, 64, 64, to, from, REF_CONST, REF_CONST)->flags = FLAG_FREE;
}

/* All phis of `to` take their values at once: through temporaries where one phi feeds another. */
static unsigned phi_moves(Decoder *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    List dst = list_new(d->arena), src = list_new(d->arena);
    bool overlap = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        unsigned which = 0;
        while (LLVMGetIncomingBlock(phi, which) != from)
            which++;
        const uint32_t *in = value_refs(d, LLVMGetIncomingValue(phi, which)), *out = value_refs(d, phi);
        for (unsigned i = 0; i < type_shape(d, LLVMTypeOf(phi))->count; i++) {
            if (in[i] == out[i])
                continue;
            for (size_t k = 0; k < dst.count; k++)
                overlap |= (uint32_t)(uintptr_t)dst.item[k] == in[i];
            list_add(&dst, (void *)(uintptr_t)out[i]);
            list_add(&src, (void *)(uintptr_t)in[i]);
        }
    }
    uint32_t temporary = overlap ? slots_take(d, (unsigned)dst.count) : 0;
    for (size_t i = 0; overlap && i < dst.count; i++)
        move(d, temporary + (uint32_t)i, (uint32_t)(uintptr_t)src.item[i]);
    for (size_t i = 0; i < dst.count; i++)
        move(d, (uint32_t)(uintptr_t)dst.item[i], overlap ? temporary + (uint32_t)i : (uint32_t)(uintptr_t)src.item[i]);
    return (unsigned)dst.count;
}

static void emit_jump(Decoder *d, LLVMBasicBlockRef to)
{
    Targets *targets = ARENA_NEW(d->arena, Targets);
    Inst *jump = emit(d, OP_JUMP);
    jump->ext = targets;
    jump->flags = FLAG_FREE;
    fix_later(d, &targets->yes, to);
}

/* *place becomes the pc that runs the moves of the edge and goes to `to`. */
static void edge(Decoder *d, uint32_t *place, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    uint32_t pc = d->count;
    if (phi_moves(d, from, to) == 0) {
        fix_later(d, place, to);
        return;
    }
    *place = pc;
    emit_jump(d, to);
}

static uint32_t join_pc(Decoder *d, const int *post, LLVMBasicBlockRef block, uint32_t *place)
{
    int meets = post[block_index(d, block)];
    if (meets == NO_BLOCK || (unsigned)meets == d->blocks)
        return PC_RETURN;
    fix_later(d, place, d->order[meets]);
    return 0;
}

static void decode_branch(Decoder *d, LLVMValueRef inst, const int *post)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
    if (!LLVMIsConditional(inst)) {
        phi_moves(d, block, LLVMGetSuccessor(inst, 0));
        emit_jump(d, LLVMGetSuccessor(inst, 0));
        d->code[d->count - 1].flags = 0;
        return;
    }
    uint32_t condition = value_refs(d, LLVMGetCondition(inst))[0];
    Targets *targets = ARENA_NEW(d->arena, Targets);
    Inst *branch = emit(d, OP_BRANCH);
    branch->src[0] = condition;
    branch->ext = targets;
    targets->join = join_pc(d, post, block, &targets->join);
    edge(d, &targets->yes, block, LLVMGetSuccessor(inst, 0));
    edge(d, &targets->no, block, LLVMGetSuccessor(inst, 1));
}

static void decode_switch(Decoder *d, LLVMValueRef inst, const int *post)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
    unsigned cases = LLVMGetNumSuccessors(inst) - 1;
    uint64_t *value = ARENA_ARRAY(d->arena, uint64_t, cases + 1);
    uint32_t *target = ARENA_ARRAY(d->arena, uint32_t, cases + 1);
    uint32_t condition = operand(d, inst, 0);
    for (unsigned i = 0; i < cases; i++)
        value[i] = constant_bits(d, value_refs(d, LLVMGetSwitchCaseValue(inst, i + 1))[0]);
    Targets *targets = ARENA_NEW(d->arena, Targets);
    Inst *jump = emit(d, OP_SWITCH);
    jump->src[0] = condition;
    jump->ext = targets;
    *targets = (Targets){.cases = cases, .value = value, .target = target};
    targets->join = join_pc(d, post, block, &targets->join);
    edge(d, &targets->no, block, LLVMGetSwitchDefaultDest(inst));
    for (unsigned i = 0; i < cases; i++)
        edge(d, &target[i], block, LLVMGetSuccessor(inst, i + 1));
}

static void decode_return(Decoder *d, LLVMValueRef inst)
{
    CallSite *site = ARENA_NEW(d->arena, CallSite);
    if (LLVMGetNumOperands(inst)) {
        site->count = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)))->count;
        site->ref = value_refs(d, LLVMGetOperand(inst, 0));
    }
    emit(d, OP_RET)->ext = site;
}

/* ---- arithmetic ---- */

static const struct {
    LLVMOpcode opcode;
    Op op;
} binary_ops[] = {
    {LLVMAdd, OP_ADD}, {LLVMSub, OP_SUB}, {LLVMMul, OP_MUL}, {LLVMUDiv, OP_UDIV}, {LLVMSDiv, OP_SDIV}, {LLVMURem, OP_UREM},
    {LLVMSRem, OP_SREM}, {LLVMShl, OP_SHL}, {LLVMLShr, OP_LSHR}, {LLVMAShr, OP_ASHR}, {LLVMAnd, OP_AND}, {LLVMOr, OP_OR},
    {LLVMXor, OP_XOR}, {LLVMFAdd, OP_FADD}, {LLVMFSub, OP_FSUB}, {LLVMFMul, OP_FMUL}, {LLVMFDiv, OP_FDIV}, {LLVMFRem, OP_FREM},
};

static bool shifts_down_8(LLVMValueRef value)
{
    LLVMValueRef by = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAShr ? LLVMGetOperand(value, 1) : NULL;
    return by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) == 8;
}

/* libdevice's __mul24 promises nsw of a product that CUDA defines to wrap. */
static bool is_mul24(LLVMValueRef inst)
{
    return shifts_down_8(LLVMGetOperand(inst, 0)) && shifts_down_8(LLVMGetOperand(inst, 1));
}

static uint32_t poison_flags(LLVMValueRef inst, LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMMul:
        if (is_mul24(inst))
            return 0;
        /* fall through */
    case LLVMAdd: case LLVMSub:
        return (LLVMGetNSW(inst) ? FLAG_NSW : 0) | (LLVMGetNUW(inst) ? FLAG_NUW : 0);
    case LLVMShl: return FLAG_SHIFT | (LLVMGetNSW(inst) ? FLAG_NSW : 0) | (LLVMGetNUW(inst) ? FLAG_NUW : 0);
    case LLVMLShr: case LLVMAShr: return FLAG_SHIFT | (LLVMGetExact(inst) ? FLAG_EXACT : 0);
    case LLVMUDiv: case LLVMSDiv: return FLAG_DIVIDES | (LLVMGetExact(inst) ? FLAG_EXACT : 0);
    case LLVMURem: case LLVMSRem: return FLAG_DIVIDES;
    case LLVMOr: return LLVMGetIsDisjoint(inst) ? FLAG_DISJOINT : 0;
    default: return 0;
    }
}

static uint32_t real_flags(const Decoder *d, const Elem *elem)
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

static void decode_binary(Decoder *d, LLVMValueRef inst, Op op, LLVMOpcode opcode)
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
        emit_alu(d, op, width, width, dst + i, a[i], b[i], REF_CONST)->flags
            = poison_flags(inst, opcode) | real_flags(d, &shape->elem[i]) | (i ? FLAG_FREE : 0);
    }
}

static void decode_fneg(Decoder *d, LLVMValueRef inst)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++)
        emit_alu(d, OP_FNEG, shape->elem[i].width, shape->elem[i].width, dst + i, a[i], REF_CONST, REF_CONST);
}

static const struct {
    Op op;
    bool swap;
} predicates[] = {      /* by LLVMIntPredicate - LLVMIntEQ: eq ne ugt uge ult ule sgt sge slt sle */
    {OP_EQ, false}, {OP_NE, false}, {OP_ULT, true}, {OP_ULE, true}, {OP_ULT, false}, {OP_ULE, false},
    {OP_SLT, true}, {OP_SLE, true}, {OP_SLT, false}, {OP_SLE, false},
};

static void decode_icmp(Decoder *d, LLVMValueRef inst)
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
        emit_alu(d, predicates[predicate].op, 1, from->elem[i].width, dst + i, swap ? b[i] : a[i], swap ? a[i] : b[i],
                 REF_CONST);
    }
}

static void decode_fcmp(Decoder *d, LLVMValueRef inst)
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

static void decode_select(Decoder *d, LLVMValueRef inst)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    const Shape *by = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)));
    const uint32_t *c = value_refs(d, LLVMGetOperand(inst, 0)), *a = value_refs(d, LLVMGetOperand(inst, 1)),
                   *b = value_refs(d, LLVMGetOperand(inst, 2));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++)
        emit_alu(d, OP_SELECT, shape->elem[i].width, 1, dst + i, c[by->count > 1 ? i : 0], a[i], b[i]);
}

static void decode_freeze(Decoder *d, LLVMValueRef inst)
{
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    const uint32_t *a = value_refs(d, LLVMGetOperand(inst, 0));
    uint32_t dst = result_take(d, inst, shape->count);
    for (unsigned i = 0; i < shape->count; i++)
        emit_alu(d, OP_FREEZE, shape->elem[i].width, shape->elem[i].width, dst + i, a[i], REF_CONST, REF_CONST);
}

/* ---- casts ---- */

uint64_t space_base(unsigned space);

unsigned space_of(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static void decode_space_cast(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    uint64_t by = space_base(space_of(from)) - space_base(space_of(inst));
    uint32_t a = value_refs(d, from)[0];
    emit_alu(d, OP_ADDI, 64, 64, result_take(d, inst, 1), a, REF_CONST, REF_CONST)->imm = (int64_t)by;
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
            emit_alu(d, OP_SHRC, from->elem[in].width, 64, shifted, a[in], constant_ref(d, in_bit, 0), REF_CONST)->flags = FLAG_FREE;
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

static void decode_bitcast(Decoder *d, LLVMValueRef inst)
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
    case LLVMFPExt: case LLVMFPTrunc: return OP_FP_EXT_TRUNC;
    case LLVMPtrToInt: case LLVMPtrToAddr: return OP_TRUNC;
    default: return OP_ZEXT;
    }
}

static void decode_cast(Decoder *d, LLVMValueRef inst, LLVMOpcode opcode)
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
        cast->flags = real_flags(d, &to->elem[i]) | (from->elem[i].real ? real_flags(d, &from->elem[i]) & FLAG_FTZ : 0)
                    | (from->elem[i].bf16 ? FLAG_FROM_BF16 : 0)
                    | (opcode == LLVMZExt && LLVMGetNNeg(inst) ? FLAG_NNEG : 0);
        if (from->elem[i].bf16 && (opcode == LLVMFPToSI || opcode == LLVMFPToUI))
            cast->flags |= FLAG_BF16;
    }
}

/* ---- addresses ---- */

static uint32_t gep_scale(Decoder *d, uint32_t base, LLVMValueRef index, uint64_t scale)
{
    uint32_t by = value_refs(d, index)[0];
    uint32_t dst = slots_take(d, 1);
    Inst *inst = emit_alu(d, OP_SCALE, 64, LLVMGetIntTypeWidth(LLVMTypeOf(index)), dst, base, by, REF_CONST);
    inst->imm = (int64_t)scale;
    inst->flags = FLAG_FREE;
    return dst;
}

static void decode_gep(Decoder *d, LLVMValueRef inst)
{
    LLVMTargetDataRef layout = d->image->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    if (type_shape(d, LLVMTypeOf(inst))->count != 1) {
        emit_refuse(d, "a vector of pointers");
        result_take(d, inst, type_shape(d, LLVMTypeOf(inst))->count);
        return;
    }
    uint32_t at = operand(d, inst, 0);
    uint64_t constant = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
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
            at = gep_scale(d, at, index, scale);
    }
    uint32_t dst = result_take(d, inst, 1);
    emit_alu(d, OP_ADDI, 64, 64, dst, at, REF_CONST, REF_CONST)->imm = (int64_t)constant;
}

/* ---- memory ---- */

static Access *access_for(Decoder *d, LLVMTypeRef type, const uint32_t *refs, LLVMValueRef pointer, unsigned align)
{
    const Shape *shape = type_shape(d, type);
    Access *access = access_new(d, shape->count);
    Piece *piece = ARENA_ARRAY(d->arena, Piece, shape->count + 1);
    for (unsigned i = 0; i < shape->count; i++)
        piece[i] = (Piece){refs ? refs[i] : 0, shape->elem[i].offset, (uint8_t)((shape->elem[i].width + 7) / 8),
                           shape->elem[i].width};
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
    case LLVMAtomicOrderingUnordered: case LLVMAtomicOrderingMonotonic: return ORDER_RELAXED;
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

static void decode_load(Decoder *d, LLVMValueRef inst)
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

static void decode_store(Decoder *d, LLVMValueRef inst)
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

static void decode_rmw(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    const Shape *shape = type_shape(d, LLVMTypeOf(inst));
    uint32_t address = value_refs(d, pointer)[0], by = value_refs(d, value)[0];
    uint32_t dst = result_take(d, inst, shape->count);
    if (shape->count != 1 && !(shape->count == 2 && shape->elem[0].real)) {
        emit_refuse(d, "an atomic on more than 64 bits");
        return;
    }
    Access *access = access_for(d, LLVMTypeOf(inst), value_refs(d, value), pointer, LLVMGetAlignment(inst));
    access->order = cuda_order(LLVMGetOrdering(inst));
    access->scope = scope_of(d, inst);
    access->rmw = LLVMGetAtomicRMWBinOp(inst);
    Inst *atomic = emit(d, OP_ATOMIC);
    atomic->dst = dst;
    atomic->src[0] = address;
    atomic->src[1] = by;
    atomic->ext = access;
    atomic->width = shape->elem[0].width;
    atomic->flags = real_flags(d, &shape->elem[0]);
}

static void decode_cmpxchg(Decoder *d, LLVMValueRef inst)
{
    LLVMValueRef pointer = LLVMGetOperand(inst, 0);
    const Shape *shape = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 1)));
    uint32_t address = value_refs(d, pointer)[0], expected = operand(d, inst, 1), wanted = operand(d, inst, 2);
    uint32_t dst = result_take(d, inst, shape->count + 1);
    if (shape->count != 1) {
        emit_refuse(d, "an atomic on more than 64 bits");
        return;
    }
    Access *access = access_for(d, LLVMTypeOf(LLVMGetOperand(inst, 1)), NULL, pointer, LLVMGetAlignment(inst));
    access->order = cuda_order(LLVMGetCmpXchgSuccessOrdering(inst));
    access->scope = scope_of(d, inst);
    access->ok_slot = dst + 1;
    Inst *atomic = emit(d, OP_CMPXCHG);
    atomic->dst = dst;
    atomic->src[0] = address;
    atomic->src[1] = expected;
    atomic->src[2] = wanted;
    atomic->ext = access;
    atomic->width = shape->elem[0].width;
}

static void decode_fence(Decoder *d, LLVMValueRef inst)
{
    emit(d, OP_FENCE)->imm = scope_of(d, inst);
}

static void decode_alloca(Decoder *d, LLVMValueRef inst)
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

/* ---- taking apart, at no cost ---- */

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

static void decode_extract_value(Decoder *d, LLVMValueRef inst)
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

static void decode_insert_value(Decoder *d, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    uint32_t *refs = refs_copy(d, LLVMGetOperand(inst, 0));
    const uint32_t *member = value_refs(d, LLVMGetOperand(inst, 1));
    unsigned offset = path_offset(d, inst, &type);
    memcpy(refs + offset, member, type_shape(d, type)->count * sizeof *refs);
    result_bind(d, inst, refs);
}

static void decode_extract_element(Decoder *d, LLVMValueRef inst)
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

static void decode_insert_element(Decoder *d, LLVMValueRef inst)
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

static void decode_shuffle(Decoder *d, LLVMValueRef inst)
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
    for (size_t i = 0; i < sizeof binary_ops / sizeof *binary_ops; i++)
        if (binary_ops[i].opcode == opcode) {
            decode_binary(d, inst, binary_ops[i].op, opcode);
            return;
        }
    switch (opcode) {
    case LLVMPHI: return;
    case LLVMBr: decode_branch(d, inst, post); return;
    case LLVMSwitch: decode_switch(d, inst, post); return;
    case LLVMRet: decode_return(d, inst); return;
    case LLVMUnreachable: emit(d, OP_UNREACHABLE); return;
    case LLVMFNeg: decode_fneg(d, inst); return;
    case LLVMICmp: decode_icmp(d, inst); return;
    case LLVMFCmp: decode_fcmp(d, inst); return;
    case LLVMSelect: decode_select(d, inst); return;
    case LLVMFreeze: decode_freeze(d, inst); return;
    case LLVMAddrSpaceCast: decode_space_cast(d, inst); return;
    case LLVMBitCast: decode_bitcast(d, inst); return;
    case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP:
    case LLVMFPTrunc: case LLVMFPExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMPtrToAddr:
        decode_cast(d, inst, opcode);
        return;
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
    default:
        emit_refuse(d, "instruction not supported");
        result_take(d, inst, type_shape(d, LLVMTypeOf(inst))->count);
    }
}

/* ---- functions ---- */

static uint8_t param_letter(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return 'i';
    case LLVMFloatTypeKind: case LLVMDoubleTypeKind: return 'f';
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
        byval[func->byval_count++] = (ByVal){
            .slot = slot, .bytes = LLVMABISizeOfType(d->image->layout, LLVMGetTypeAttributeValue(by)),
            .align = align ? (uint32_t)LLVMGetEnumAttributeValue(align) : 8, .argument = i};
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
        for (LLVMValueRef phi = LLVMGetFirstInstruction(d->order[b]); phi && LLVMIsAPHINode(phi);
             phi = LLVMGetNextInstruction(phi))
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

/* Requires: the prototype exists. Afterwards func is complete; functions that it names are in the queue. */
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
