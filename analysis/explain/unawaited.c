/* Asynchronous copies that nobody waits for.
 *
 *     cp.async [s + t], [g + i];  commit;  barrier;  use s;
 *
 * Nothing is said unless it is certain: nothing but such copies writes the array, and between any of them and the load there is nothing
 * on any way, around loops as well, that may wait. What is read was then never waited for:
 *
 *     for (...) { cp.async [s + t], [g + i];  commit;  barrier;  use s;  barrier;  wait; }
 *
 * is too late as well, where each iteration fills the same place anew. */
#include "analysis/explain/explain.h"

typedef struct {
    Kernel *kernel;
    List copies, reads; /* of one array */
    List waits;         /* of the function */
    Map *alive;         /* blocks that control may come to, as far as what is told of pointers says */
    Map *seen;
    bool known;         /* all that is done with the array */
} Look;

/* ---- ways that are not taken ---- */

/* What the program says of a condition: that a pointer leads into shared memory, and another one into global memory. */
static bool is_told(Scope *scope, LLVMValueRef condition, bool *answer)
{
    bool first, second, is_choice = is_op(condition, LLVMSelect);
    if (LLVMIsACallInst(condition))
        return space_is_told(scope, condition, answer);
    if (!is_choice && !is_op(condition, LLVMAnd))
        return false;
    if (is_choice && (!LLVMIsAConstantInt(LLVMGetOperand(condition, 2)) || !LLVMIsNull(LLVMGetOperand(condition, 2))))
        return false;
    if (!is_told(scope, LLVMGetOperand(condition, 0), &first) || !is_told(scope, LLVMGetOperand(condition, 1), &second))
        return false;
    *answer = first && second;
    return true;
}

/* The successor that control goes on to, as far as the program says; NULL where it may be any. */
static LLVMBasicBlockRef told_successor(Scope *scope, LLVMValueRef jump)
{
    bool answer;
    if (!is_op(jump, LLVMBr) || !LLVMIsConditional(jump) || !is_told(scope, LLVMGetCondition(jump), &answer))
        return NULL;
    return LLVMGetSuccessor(jump, answer ? 0 : 1);
}

static void block_meet(Look *look, List *blocks, LLVMBasicBlockRef block)
{
    if (map_get(look->alive, block))
        return;
    map_put(look->alive, block, block);
    list_add(blocks, block);
}

static void alive_find(Look *look)
{
    List blocks = list_new(look->kernel->arena);
    block_meet(look, &blocks, LLVMGetEntryBasicBlock(look->kernel->function));
    for (size_t i = 0; i < blocks.count; i++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(blocks.item[i]);
        LLVMBasicBlockRef told = told_successor(look->kernel->scope, jump);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
            if (!told || LLVMGetSuccessor(jump, s) == told)
                block_meet(look, &blocks, LLVMGetSuccessor(jump, s));
    }
}

static bool is_dead(const Look *look, LLVMValueRef instruction)
{
    return !map_get(look->alive, LLVMGetInstructionParent(instruction));
}

/* ---- what is done with an array ---- */

static void uses_follow(Look *look, LLVMValueRef address);

static bool makes_address(LLVMValueRef user)
{
    switch (opcode_of(user)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMAdd:
    case LLVMFreeze: return true;
    default: return false;
    }
}

static bool reads(LLVMValueRef user)
{
    bool is_assembly = LLVMIsACallInst(user) && LLVMIsAInlineAsm(LLVMGetCalledValue(user));
    return LLVMIsALoadInst(user) || (LLVMIsACallInst(user) && !is_assembly && ir_touches_memory(user) && ir_only_reads(user));
}

static void use_look(Look *look, LLVMValueRef user, LLVMValueRef address)
{
    bool answer, is_instruction = LLVMIsAInstruction(user) != NULL;
    if (is_instruction && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != look->kernel->function)
        look->known = false;
    else if (makes_address(user))
        uses_follow(look, user);
    else if (!is_instruction)
        look->known = false;
    else if (is_dead(look, user) || LLVMIsAICmpInst(user) || space_is_told(look->kernel->scope, user, &answer))
        return;
    else if (ir_begins_copy(user) && LLVMGetOperand(user, 0) == address && LLVMGetOperand(user, 1) != address)
        list_add(&look->copies, user);
    else if (reads(user))
        list_add(&look->reads, user);
    else
        look->known = false;
}

static void uses_follow(Look *look, LLVMValueRef address)
{
    if (map_get(look->seen, address))
        return;
    map_put(look->seen, address, address);
    for (LLVMUseRef use = LLVMGetFirstUse(address); use && look->known; use = LLVMGetNextUse(use))
        use_look(look, LLVMGetUser(use), address);
}

/* ---- ways ---- */

/* Does the copy fill the same place whenever its thread comes to it? */
static bool fills_one_place(const Look *look, LLVMValueRef copy)
{
    LLVMValueRef place = LLVMGetOperand(copy, 0);
    IrLoop *around = ir_loop_of(look->kernel->ir, LLVMGetInstructionParent(copy));
    while (around && ir_loop_parent(around))
        around = ir_loop_parent(around);
    return !around || !ir_loop_has(around, place);
}

/* Where it is made anew, at its own place; NULL: nobody knows where, or it never is. */
static LLVMValueRef made_anew(const Look *look, LLVMValueRef copy)
{
    return fills_one_place(look, copy) ? copy : fills_again_behind(look->kernel, copy);
}

/* May the wait leave none but copies that began later? It leaves so many groups: of more, this copy's own counted, ends lie on ways to it, or
 * nobody knows how many do. */
static bool may_reach(const Look *look, LLVMValueRef copy, LLVMValueRef anew, LLVMValueRef wait)
{
    int left = ir_groups_left(wait), ends = left > 0 ? groups_between(look->kernel, copy, anew, wait) : -1;
    return ends < 0 || ends > left;
}

/* Is the copy done before the load, as far as the wait does it? Where it is made anew in between, it is not. */
static bool may_await(const Look *look, LLVMValueRef copy, LLVMValueRef wait, LLVMValueRef read)
{
    LLVMValueRef anew = made_anew(look, copy);
    return ir_leads_to(look->kernel->ir, copy, wait) && leads_past(look->kernel->arena, wait, anew, read) &&
           may_reach(look, copy, anew, wait);
}

/* May a wait lie between a copy to the array and the load? */
static bool may_be_awaited(const Look *look, LLVMValueRef read)
{
    for (size_t w = 0; w < look->waits.count; w++)
        for (size_t c = 0; c < look->copies.count; c++)
            if (may_await(look, look->copies.item[c], look->waits.item[w], read))
                return true;
    return false;
}

static void reads_look(const Look *look, List *found)
{
    for (size_t r = 0; r < look->reads.count; r++) {
        LLVMValueRef read = look->reads.item[r];
        if (is_dead(look, read) || may_be_awaited(look, read))
            continue;
        for (size_t c = 0; c < look->copies.count; c++)
            if (ir_leads_to(look->kernel->ir, look->copies.item[c], read) && !list_has(found, look->copies.item[c]))
                list_add(found, look->copies.item[c]);
    }
}

static bool is_of_known_size(LLVMValueRef array)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(array);
    return LLVMGetTypeKind(type) != LLVMArrayTypeKind || LLVMGetArrayLength2(type) > 0;
}

static void waits_find(Look *look)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(look->kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_may_await_copies(i))
                list_add(&look->waits, i);
}

bool begins_copies(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_begins_copy(i))
                return true;
    return false;
}

static Look look_open(Kernel *kernel)
{
    Look look = {.kernel = kernel, .waits = list_new(kernel->arena), .alive = map_new(kernel->arena)};
    if (begins_copies(kernel->function)) {
        waits_find(&look);
        alive_find(&look);
    }
    return look;
}

static List arrays_of(Look *look)
{
    Arena *arena = look->kernel->arena;
    List arrays = list_new(arena);
    bool copies = begins_copies(look->kernel->function);
    for (LLVMValueRef g = LLVMGetFirstGlobal(look->kernel->module); copies && g; g = LLVMGetNextGlobal(g)) {
        if (!is_shared_array(g) || !is_of_known_size(g))
            continue;
        look->copies = list_new(arena), look->reads = list_new(arena), look->seen = map_new(arena), look->known = true;
        uses_follow(look, g);
        if (look->known) {
            CopiedArray *array = ARENA_NEW(arena, CopiedArray);
            *array = (CopiedArray){g, look->copies, look->reads};
            list_add(&arrays, array);
        }
    }
    return arrays;
}

List copied_arrays(Kernel *kernel)
{
    Look look = look_open(kernel);
    return arrays_of(&look);
}

/* ---- kernels that wait for nothing ---- */

/* By a pointer that was kept in memory, or chosen: into which array, nobody knows. */
static bool reads_anywhere(const Look *look, LLVMValueRef copy)
{
    for (size_t i = 0; i < look->kernel->found.accesses.count; i++) {
        const Access *access = look->kernel->found.accesses.item[i];
        bool may_be = access->space == SPACE_SHARED || access->space == SPACE_GENERIC;
        if (access->op == OP_LOAD && !access->scope->caller && may_be && !shared_array_of(access->pointer) &&
            ir_leads_to(look->kernel->ir, copy, access->instruction))
            return true;
    }
    return false;
}

static bool any_is_awaited(const Look *look, const List *copies)
{
    for (size_t c = 0; c < copies->count; c++)
        for (size_t w = 0; w < look->waits.count; w++)
            if (ir_leads_to(look->kernel->ir, copies->item[c], look->waits.item[w]))
                return true;
    return false;
}

static bool is_of_one(const List *arrays, LLVMValueRef copy)
{
    for (size_t i = 0; i < arrays->count; i++)
        if (list_has(&((const CopiedArray *)arrays->item[i])->copies, copy))
            return true;
    return false;
}

/* Futures and pointers may be kept where nobody can tell whose they are. Where no wait lies behind any copy, it is told all the same. */
static void never_awaited(const Look *look, const List *arrays, List *found)
{
    List copies = list_new(look->kernel->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(look->kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_begins_copy(i))
                list_add(&copies, i);
    if (any_is_awaited(look, &copies))
        return;
    for (size_t c = 0; c < copies.count; c++) {
        LLVMValueRef copy = copies.item[c];
        if (!is_dead(look, copy) && !is_of_one(arrays, copy) && !list_has(found, copy) && reads_anywhere(look, copy))
            list_add(found, copy);
    }
}

List unawaited_find(Kernel *kernel)
{
    List found = early_reads_meet(kernel);
    Look look = look_open(kernel);
    const List arrays = arrays_of(&look);
    for (size_t i = 0; i < arrays.count; i++) {
        const CopiedArray *array = arrays.item[i];
        look.copies = array->copies, look.reads = array->reads;
        reads_look(&look, &found);
    }
    never_awaited(&look, &arrays, &found);
    return found;
}
