/* Conditions as comparisons of forms, and what holds, of thread indices alone, of every thread that reaches a block.
 *
 *     if (threadIdx.x < 16) { ... }          in the block: threadIdx.x < 16
 *     if (i == n - 1) { ... }                one lane of a warp, whatever n is */
#include "analysis/address/automaton.h"

/* Kept for one block, innermost first, and conditions looked at for them. */
enum { MOST_GUARDS = 32 };

bool condition_is_uniform(Scope *scope, LLVMValueRef condition) { return !form_varies(automaton_form(scope, condition)); }

static bool compare_of(LLVMIntPredicate predicate, Compare *compare, bool *is_signed)
{
    *is_signed = predicate >= LLVMIntSGT;
    switch (predicate) {
    case LLVMIntEQ:
        *compare = CMP_EQ;
        *is_signed = true;
        return true;
    case LLVMIntNE:
        *compare = CMP_NE;
        *is_signed = true;
        return true;
    case LLVMIntUGT:
    case LLVMIntSGT: *compare = CMP_GT; return true;
    case LLVMIntUGE:
    case LLVMIntSGE: *compare = CMP_GE; return true;
    case LLVMIntULT:
    case LLVMIntSLT: *compare = CMP_LT; return true;
    case LLVMIntULE:
    case LLVMIntSLE: *compare = CMP_LE; return true;
    default: return false;
    }
}

static Compare compare_not(Compare compare)
{
    static const Compare opposite[] = {[CMP_EQ] = CMP_NE, [CMP_NE] = CMP_EQ, [CMP_LT] = CMP_GE,
                                       [CMP_GE] = CMP_LT, [CMP_GT] = CMP_LE, [CMP_LE] = CMP_GT};
    return opposite[compare];
}

bool guard_of_condition(Scope *scope, LLVMValueRef condition, bool holds, Guard *guard)
{
    LLVMValueRef compare = LLVMIsAICmpInst(condition);
    bool is_signed;
    if (!compare || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(compare, 0))) != LLVMIntegerTypeKind ||
        !compare_of(LLVMGetICmpPredicate(compare), &guard->compare, &is_signed))
        return false;
    FormSpace *forms = scope->kernel->forms;
    int bits = bits_of_value(LLVMGetOperand(compare, 0));
    guard->left = form_extend(forms, automaton_form(scope, LLVMGetOperand(compare, 0)), bits, is_signed);
    guard->right = form_extend(forms, automaton_form(scope, LLVMGetOperand(compare, 1)), bits, is_signed);
    if (!holds)
        guard->compare = compare_not(guard->compare);
    if (bits < 64 || is_signed || !guard->left || !guard->right)
        return guard->left && guard->right;
    /* guards compare signed: moved by 2^63, unsigned order is signed order */
    const Form *half = form_constant(forms, INT64_MIN);
    guard->left = form_add(forms, guard->left, half);
    guard->right = form_add(forms, guard->right, half);
    return guard->left && guard->right;
}

bool is_conditional(LLVMValueRef terminator)
{
    return terminator && LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator);
}

static bool is_constant_bit(LLVMValueRef value, bool wanted)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1 && LLVMConstIntGetZExtValue(value) == wanted;
}

/* Where b is asked only if a leaves it open, it is a select. */
bool condition_is_both(LLVMValueRef condition, bool holds, LLVMValueRef *other)
{
    LLVMOpcode opcode = LLVMIsAInstruction(condition) ? LLVMGetInstructionOpcode(condition) : (LLVMOpcode)0;
    unsigned settled = holds ? 2 : 1; /* select a, b, false; select a, true, b */
    if (opcode == (holds ? LLVMAnd : LLVMOr)) {
        *other = LLVMGetOperand(condition, 1);
        return true;
    }
    if (opcode != LLVMSelect || !is_constant_bit(LLVMGetOperand(condition, settled), !holds))
        return false;
    *other = LLVMGetOperand(condition, 3 - settled);
    return true;
}

/* Keeps a guard of thread indices alone. */
static void guard_keep(Scope *scope, List *guards, Guard guard)
{
    if (!guard.left || !guard.right || !form_of_threads(guard.left) || !form_of_threads(guard.right))
        return;
    Guard *kept = ARENA_NEW(scope->kernel->arena, Guard);
    *kept = guard;
    list_add(guards, kept);
}

/* `visits` bounds the work: operands that are shared make a walk of all paths exponential. */
static void guards_add(Scope *scope, List *guards, LLVMValueRef condition, bool holds, int *visits)
{
    if (++*visits > MOST_GUARDS)
        return;
    LLVMValueRef other;
    if (condition_is_both(condition, holds, &other)) { /* both sides hold, or neither does */
        guards_add(scope, guards, LLVMGetOperand(condition, 0), holds, visits);
        guards_add(scope, guards, other, holds, visits);
        return;
    }
    Guard guard;
    if (guard_of_condition(scope, condition, holds, &guard))
        guard_keep(scope, guards, guard);
}

static List *guards_of_entry(Scope *scope)
{
    List *guards = ARENA_NEW(scope->kernel->arena, List);
    *guards = list_new(scope->kernel->arena);
    const List *outer = scope->caller ? automaton_guards(scope->caller, LLVMGetInstructionParent(scope->call)) : NULL;
    for (size_t i = 0; outer && i < outer->count; i++)
        list_add(guards, outer->item[i]);
    return guards;
}

bool condition_leads(Scope *scope, LLVMBasicBlockRef above, LLVMBasicBlockRef block, bool *holds)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
    if (!is_conditional(branch) || LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        *holds = side == 0;
        if (ir_edge_dominates(scope->kernel->ir, above, LLVMGetSuccessor(branch, side), block))
            return true;
    }
    return false;
}

/* Where conditions that one number be this or that became a switch: the one value with which it leads to the block. */
static LLVMValueRef case_leads(Scope *scope, LLVMBasicBlockRef above, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above), found = NULL;
    for (unsigned i = 1; end && LLVMIsASwitchInst(end) && i < LLVMGetNumSuccessors(end); i++) {
        bool sole = true;
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++)
            sole &= j == i || LLVMGetSuccessor(end, j) != LLVMGetSuccessor(end, i);
        if (sole && ir_edge_dominates(scope->kernel->ir, above, LLVMGetSuccessor(end, i), block))
            found = LLVMGetSwitchCaseValue(end, i);
    }
    return found;
}

static void guards_of_case(Scope *scope, List *guards, LLVMValueRef value, LLVMBasicBlockRef above)
{
    LLVMValueRef number = LLVMGetOperand(LLVMGetBasicBlockTerminator(above), 0);
    const Form *left = form_extend(scope->kernel->forms, automaton_form(scope, number), bits_of_value(number), true);
    guard_keep(scope, guards, (Guard){CMP_EQ, left, automaton_form(scope, value)});
}

/* A block's guards: the branch between it and its dominator where only one side leads here, then the dominator's
 * own. Each costs an evaluation for every lane of every access below: the outermost of too many are left out. */
static List *guards_below(Scope *scope, LLVMBasicBlockRef above, LLVMBasicBlockRef block, List *inherited)
{
    bool holds;
    int visits = 0;
    LLVMValueRef value = case_leads(scope, above, block);
    if (!value && !condition_leads(scope, above, block, &holds))
        return inherited;
    List *guards = ARENA_NEW(scope->kernel->arena, List);
    *guards = list_new(scope->kernel->arena);
    if (value)
        guards_of_case(scope, guards, value, above);
    else
        guards_add(scope, guards, LLVMGetCondition(LLVMGetBasicBlockTerminator(above)), holds, &visits);
    if (guards->count == 0)
        return inherited;
    for (size_t i = 0; i < inherited->count && guards->count < MOST_GUARDS; i++)
        list_add(guards, inherited->item[i]);
    return guards;
}

const List *automaton_guards(Scope *scope, LLVMBasicBlockRef block)
{
    List chain = list_new(scope->kernel->arena);
    List *guards = NULL;
    for (LLVMBasicBlockRef b = block; b; b = ir_idom(scope->kernel->ir, b)) {
        guards = map_get(scope->guards, b);
        if (guards)
            break;
        list_add(&chain, b);
    }
    for (size_t i = chain.count; i-- > 0;) {
        LLVMBasicBlockRef here = chain.item[i];
        LLVMBasicBlockRef above = ir_idom(scope->kernel->ir, here);
        guards = guards ? guards_below(scope, above, here, guards) : guards_of_entry(scope);
        map_put(scope->guards, here, guards);
    }
    return guards;
}

/* A sum whose value is another one in each lane: of thread indices, and what the warp has alike. */
static bool tells_lanes_apart(const Form *form)
{
    bool apart = false;
    for (int i = 0; form && i < form->count; i++) {
        const Term *term = &form->term[i];
        const Symbol *symbol = term->symbol[0];
        bool is_index = term->degree == 1 && (symbol->kind == SYM_TID || symbol->kind == SYM_LANE);
        if (term_varies(term) && !is_index)
            return false;
        apart |= term_varies(term) && symbol->axis == 0;
    }
    return apart;
}

/* Does the condition hold of one lane? */
static bool picks_one(Scope *scope, LLVMValueRef condition, bool holds, int *visits)
{
    LLVMValueRef other;
    if (++*visits > MOST_GUARDS)
        return false;
    if (condition_is_both(condition, holds, &other))
        return picks_one(scope, LLVMGetOperand(condition, 0), holds, visits) || picks_one(scope, other, holds, visits);
    LLVMValueRef compare = LLVMIsAICmpInst(condition);
    return compare && LLVMGetICmpPredicate(compare) == (holds ? LLVMIntEQ : LLVMIntNE) &&
           tells_lanes_apart(form_sub(scope->kernel->forms, automaton_form(scope, LLVMGetOperand(compare, 0)),
                                      automaton_form(scope, LLVMGetOperand(compare, 1))));
}

bool automaton_is_lone(Scope *scope, LLVMBasicBlockRef block)
{
    enum { UNKNOWN, MANY, ONE };
    intptr_t found = UNKNOWN;
    for (LLVMBasicBlockRef b = block, above; b && !found; b = above) {
        bool holds;
        int visits = 0;
        above = ir_idom(scope->kernel->ir, b);
        found = (intptr_t)map_get(scope->lone, b);
        if (!found && above && condition_leads(scope, above, b, &holds))
            found = picks_one(scope, LLVMGetCondition(LLVMGetBasicBlockTerminator(above)), holds, &visits) ? ONE : UNKNOWN;
    }
    if (!found)
        found = scope->caller && automaton_is_lone(scope->caller, LLVMGetInstructionParent(scope->call)) ? ONE : MANY;
    map_put(scope->lone, block, (void *)found);
    return found == ONE;
}
