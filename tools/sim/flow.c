/* Control flow: the order of the blocks, where divergent paths meet again, branches, and phis as moves on the edges. */
#include "decode.h"

#include <string.h>

/* ---- blocks: order, post-dominators ---- */

unsigned block_index(Decoder *d, LLVMBasicBlockRef block) { return (unsigned)(uintptr_t)map_get(d->starts, block) - 1; }

static void order_visit(Decoder *d, LLVMBasicBlockRef block, Map *seen, unsigned *left)
{
    map_put(seen, block, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = LLVMGetNumSuccessors(end); i-- > 0;)
        if (!map_get(seen, LLVMGetSuccessor(end, i)))
            order_visit(d, LLVMGetSuccessor(end, i), seen, left);
    d->order[--*left] = block;
}

void blocks_order(Decoder *d)
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

int *post_dominators(Decoder *d)
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
    d->fixup = array_room(d->arena, d->fixup, d->fixups, &d->fixup_capacity, sizeof *d->fixup);
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

void decode_branch(Decoder *d, LLVMValueRef inst, const int *post)
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

void decode_switch(Decoder *d, LLVMValueRef inst, const int *post)
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

void decode_return(Decoder *d, LLVMValueRef inst)
{
    CallSite *site = ARENA_NEW(d->arena, CallSite);
    if (LLVMGetNumOperands(inst)) {
        site->count = type_shape(d, LLVMTypeOf(LLVMGetOperand(inst, 0)))->count;
        site->ref = value_refs(d, LLVMGetOperand(inst, 0));
    }
    emit(d, OP_RET)->ext = site;
}
