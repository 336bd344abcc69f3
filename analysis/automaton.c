/* Walks backward from an address to what it is made of, by the table of automaton.def. Loops become iteration
 * counters, calls are entered, and what is left over is an unknown that says whether the lanes of a warp share it.
 *
 *     for (i = t; i < n; i += 256) p[i]      p + 4*t + 1024*iteration
 *     i' = phi(t, i' + 256)                  i' := placeholder;  i' + 256 = 1*placeholder + 256: a step of 256 */
#include <stdlib.h>
#include <string.h>

#include "coalda.h"

enum { MOST_DEPTH = 8, MOST_SCOPES = 256, MOST_NESTING = 400, MOST_GUARDS = 32 };

/* ---- what changes while a loop runs ---- */

/* Is every part of the form the same in all iterations of the loop, or of any loop where it is NULL? */
static bool form_is_invariant(const Form *form, IrLoop *loop);

static bool symbol_is_invariant(const Symbol *symbol, IrLoop *loop)
{
    if (symbol->loop && (!loop || ir_loop_inside((IrLoop *)symbol->loop, loop)))
        return false;
    if (symbol->kind != SYM_OP)
        return true;
    return form_is_invariant(symbol->a, loop) && (!symbol->b || form_is_invariant(symbol->b, loop)) &&
           (!symbol->guard || (form_is_invariant(symbol->guard->left, loop) && form_is_invariant(symbol->guard->right, loop)));
}

static bool form_is_invariant(const Form *form, IrLoop *loop)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            if (!symbol_is_invariant(form->term[i].symbol[j], loop))
                return false;
    return true;
}

/* ---- scopes ---- */

static const Form *unknown(Scope *scope, SymbolKind kind, LLVMValueRef value, const char *name, Why why);

/* A kernel's argument is one value for the whole grid; a pointer is the start of an allocation. */
static const Form *argument_leaf(Scope *scope, LLVMValueRef argument, unsigned index)
{
    Kernel *kernel = scope->kernel;
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    char name[64];
    const char *text = ir_source_name(argument, name, sizeof name) ? arena_text(kernel->arena, "%s", name)
                                                                   : arena_text(kernel->arena, "arg%u", index);
    size_t length;
    if (*LLVMGetValueName2(argument, &length))
        text = LLVMGetValueName2(argument, &length);
    if (!kernel->is_entry || scope->function != kernel->function)
        return unknown(scope, SYM_OPAQUE, NULL, text, kernel->is_entry ? WHY_RECURSIVE : WHY_ARGUMENT);
    return unknown(scope, is_pointer ? SYM_BASE : SYM_UNIFORM, NULL, text, WHY_NONE);
}

Scope *scope_open(Kernel *kernel, LLVMValueRef function, Scope *caller, LLVMValueRef call)
{
    Arena *arena = kernel->arena;
    Scope *scope = ARENA_NEW(arena, Scope);
    unsigned count = LLVMCountParams(function);
    scope->kernel = kernel;
    scope->function = function;
    scope->caller = caller;
    scope->call = call;
    scope->forms = map_new(arena);
    scope->guards = map_new(arena);
    scope->callees = map_new(arena);
    scope->journal = list_new(arena);
    scope->depth = caller ? caller->depth + 1 : 0;
    scope->argument = ARENA_ARRAY(arena, const Form *, count + 1);
    for (unsigned i = 0; i < count; i++)
        scope->argument[i] = caller && i < LLVMGetNumArgOperands(call)
                           ? automaton_form(caller, LLVMGetOperand(call, i))
                           : argument_leaf(scope, LLVMGetParam(function, i), i);
    list_add(&kernel->scopes, scope);
    return scope;
}

static bool runs_already(const Scope *scope, LLVMValueRef function)
{
    for (; scope; scope = scope->caller)
        if (scope->function == function)
            return true;
    return false;
}

Scope *scope_of_call(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    Scope *made = map_get(scope->callees, call);
    if (made || !callee || LLVMIsDeclaration(callee) || runs_already(scope, callee) || scope->depth >= MOST_DEPTH ||
        scope->kernel->scopes.count >= MOST_SCOPES)
        return made;
    made = scope_open(scope->kernel, callee, scope, call);
    map_put(scope->callees, call, made);
    return made;
}

Scope *scope_stray(Kernel *kernel, LLVMValueRef function)
{
    if (map_get(kernel->stray, function))
        return NULL;
    Scope *scope = scope_open(kernel, function, NULL, NULL);
    map_put(kernel->stray, function, scope);
    return scope;
}

/* ---- leaves ---- */

static IrLoop *loop_of(Scope *scope, LLVMValueRef value)
{
    if (!value || !LLVMIsAInstruction(value))
        return NULL;
    return ir_loop_of(scope->kernel->ir, LLVMGetInstructionParent(value));
}

static const Form *unknown(Scope *scope, SymbolKind kind, LLVMValueRef value, const char *name, Why why)
{
    char source[64];
    if (!name && value && ir_source_name(value, source, sizeof source))
        name = arena_text(scope->kernel->arena, "%s", source);
    const Form *form = form_unknown(scope->kernel->forms, kind, name, (int)why, loop_of(scope, value));
    int64_t low, high;
    if (value && ir_range(value, &low, &high))
        form_ranged(scope->kernel->forms, form, low, high);
    return form;
}

static int bits_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? (int)LLVMGetIntTypeWidth(type) : 64;
}

/* The cause that an unknown part of a form was given, for what is made of it. */
Why automaton_cause(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++) {
            const Symbol *symbol = form->term[i].symbol[j];
            if (!symbol->unknown)
                continue;
            if (symbol->kind != SYM_OP)
                return (Why)symbol->cause;
            Why why = automaton_cause(symbol->a);
            return why || !symbol->b ? why : automaton_cause(symbol->b);
        }
    return WHY_NONE;
}

/* An unknown that is as uniform as what it is computed from. */
static const Form *mixed(Scope *scope, LLVMValueRef value, const Form *const *operand, int count, Why why)
{
    SymbolKind kind = SYM_UNIFORM;
    for (int i = 0; i < count; i++) {
        if (form_varies(operand[i]) && kind != SYM_LOADED)
            kind = form_loaded(operand[i]) ? SYM_LOADED : SYM_OPAQUE;
        if (automaton_cause(operand[i]))
            why = automaton_cause(operand[i]);
    }
    return unknown(scope, kind, value, NULL, kind == SYM_UNIFORM ? WHY_NONE : why);
}

static const Form *blended(Scope *scope, LLVMValueRef value, Why why)
{
    enum { MOST_OPERANDS = 16 };
    const Form *operand[MOST_OPERANDS];
    int count = LLVMGetNumOperands(value);
    if (count > MOST_OPERANDS)
        return unknown(scope, SYM_OPAQUE, value, NULL, WHY_TOO_LARGE);
    for (int i = 0; i < count; i++)
        operand[i] = automaton_form(scope, LLVMGetOperand(value, (unsigned)i));
    return mixed(scope, value, operand, count, why);
}

static const Form *step_blend(Scope *scope, LLVMValueRef value) { return blended(scope, value, WHY_NOT_LINEAR); }
static const Form *step_refuse(Scope *scope, LLVMValueRef value) { return blended(scope, value, WHY_NOT_LINEAR); }

/* The result of form arithmetic, or an unknown where that gave up. */
static const Form *or_blend(Scope *scope, LLVMValueRef value, const Form *form, Why why)
{
    return form ? form : blended(scope, value, why);
}

/* ---- pointers ---- */

static const Form *step_through(Scope *scope, LLVMValueRef value)
{
    return automaton_form(scope, LLVMGetOperand(value, 0));
}

/* One index of a GEP in bytes, and the type it leads into. */
static const Form *gep_index(Scope *scope, LLVMTypeRef *type, LLVMValueRef index, bool first)
{
    Kernel *kernel = scope->kernel;
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        uint64_t offset = LLVMOffsetOfElement(kernel->layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return form_constant(kernel->forms, (int64_t)offset);
    }
    if (!first)
        *type = LLVMGetElementType(*type);
    if (LLVMGetTypeKind(*type) == LLVMScalableVectorTypeKind)
        return NULL;
    /* an index is read as signed and multiplied by the element's size */
    const Form *form = form_extend(kernel->forms, automaton_form(scope, index), bits_of(index), true);
    return form ? form_scale(kernel->forms, form, (int64_t)LLVMABISizeOfType(kernel->layout, *type)) : NULL;
}

static const Form *step_offset(Scope *scope, LLVMValueRef gep)
{
    const Form *sum = automaton_form(scope, LLVMGetOperand(gep, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1; sum && i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const Form *index = gep_index(scope, &type, LLVMGetOperand(gep, i), i == 1);
        sum = index ? form_add(scope->kernel->forms, sum, index) : NULL;
    }
    return or_blend(scope, gep, sum, WHY_TOO_LARGE);
}

/* ---- integers ---- */

static const Form *left_of(Scope *scope, LLVMValueRef value) { return automaton_form(scope, LLVMGetOperand(value, 0)); }
static const Form *right_of(Scope *scope, LLVMValueRef value) { return automaton_form(scope, LLVMGetOperand(value, 1)); }

/* A sum is exact where its operands are and the instruction promises not to wrap, or where its range fits. */
static const Form *arithmetic(Scope *scope, LLVMValueRef value, const Form *form, bool keeps_unsigned)
{
    if (!form)
        return blended(scope, value, WHY_TOO_LARGE);
    return form_flagged(scope->kernel->forms, form, form->exact_signed && LLVMGetNSW(value),
                        form->exact_unsigned && keeps_unsigned && LLVMGetNUW(value));
}

static const Form *step_add(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_add(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), true);
}

static const Form *step_sub(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_sub(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), false);
}

static const Form *step_mul(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_mul(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), true);
}

static const Form *operation(Scope *scope, LLVMValueRef value, FormOp op, Why why)
{
    const Form *form = form_op(scope->kernel->forms, op, bits_of(value), left_of(scope, value), right_of(scope, value));
    return or_blend(scope, value, form, why);
}

static const Form *step_shl(Scope *scope, LLVMValueRef value)
{
    const Form *form = operation(scope, value, OP_SHL, WHY_NOT_LINEAR);
    const Form *left = left_of(scope, value);
    bool is_signed = left->exact_signed && LLVMGetNSW(value), is_unsigned = left->exact_unsigned && LLVMGetNUW(value);
    /* by lanes: evaluated at its width, as flagged */
    return form_unknown_in(form) || form_varies(right_of(scope, value)) ? form : form_flagged(scope->kernel->forms, form, is_signed, is_unsigned);
}

static const Form *step_or(Scope *scope, LLVMValueRef value)
{
    if (!LLVMGetIsDisjoint(value))
        return operation(scope, value, OP_OR, WHY_NOT_LINEAR);
    const Form *sum = form_add(scope->kernel->forms, left_of(scope, value), right_of(scope, value));
    return or_blend(scope, value, sum, WHY_TOO_LARGE);
}

#define STEP_OPERATION(name, op, why) \
    static const Form *step_##name(Scope *scope, LLVMValueRef value) { return operation(scope, value, op, why); }
STEP_OPERATION(and, OP_AND, WHY_NOT_LINEAR)
STEP_OPERATION(xor, OP_XOR, WHY_NOT_LINEAR)
STEP_OPERATION(udiv, OP_UDIV, WHY_DIVIDED)
STEP_OPERATION(sdiv, OP_SDIV, WHY_DIVIDED)
STEP_OPERATION(urem, OP_UREM, WHY_DIVIDED)
STEP_OPERATION(srem, OP_SREM, WHY_DIVIDED)
STEP_OPERATION(ashr, OP_ASHR, WHY_NOT_LINEAR)

static const Form *step_lshr(Scope *scope, LLVMValueRef value)
{
    int64_t by;
    FormSpace *forms = scope->kernel->forms;
    if (!form_is_constant(right_of(scope, value), &by) || by < 0 || by > 62)
        return blended(scope, value, WHY_NOT_LINEAR);
    const Form *form = form_op(forms, OP_UDIV, bits_of(value), left_of(scope, value), form_constant(forms, INT64_C(1) << by));
    return or_blend(scope, value, form, WHY_NOT_LINEAR);
}

static const Form *extension(Scope *scope, LLVMValueRef value, bool is_signed)
{
    const Form *form = left_of(scope, value);
    int bits = bits_of(LLVMGetOperand(value, 0));
    return or_blend(scope, value, form_extend(scope->kernel->forms, form, bits, is_signed), WHY_TOO_LARGE);
}

static const Form *step_sext(Scope *scope, LLVMValueRef value) { return extension(scope, value, true); }

static const Form *step_zext(Scope *scope, LLVMValueRef value)
{
    /* not negative: both readings agree, so an exact signed sum will do */
    bool agree = LLVMGetNNeg(value) && left_of(scope, value)->exact_signed;
    return extension(scope, value, agree);
}

static const Form *step_trunc(Scope *scope, LLVMValueRef value)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *form = left_of(scope, value);
    int64_t low, high, limit = bits_of(value) < 64 ? INT64_C(1) << (bits_of(value) - 1) : 0;
    bool small = limit && form_range(form, &low, &high) && low >= -limit && high < limit;
    return form_flagged(forms, form, small || (form->exact_signed && LLVMGetNSW(value)),
                        (small && low >= 0) || (form->exact_unsigned && LLVMGetNUW(value)));
}

/* ---- conditions ---- */

static bool condition_is_uniform(Scope *scope, LLVMValueRef condition)
{
    return !form_varies(automaton_form(scope, condition));
}

static bool compare_of(LLVMIntPredicate predicate, Compare *compare, bool *is_signed)
{
    *is_signed = predicate >= LLVMIntSGT;
    switch (predicate) {
    case LLVMIntEQ: *compare = CMP_EQ; *is_signed = true; return true;
    case LLVMIntNE: *compare = CMP_NE; *is_signed = true; return true;
    case LLVMIntUGT: case LLVMIntSGT: *compare = CMP_GT; return true;
    case LLVMIntUGE: case LLVMIntSGE: *compare = CMP_GE; return true;
    case LLVMIntULT: case LLVMIntSLT: *compare = CMP_LT; return true;
    case LLVMIntULE: case LLVMIntSLE: *compare = CMP_LE; return true;
    default: return false;
    }
}

static Compare compare_not(Compare compare)
{
    static const Compare opposite[] = {[CMP_EQ] = CMP_NE, [CMP_NE] = CMP_EQ, [CMP_LT] = CMP_GE,
                                       [CMP_GE] = CMP_LT, [CMP_GT] = CMP_LE, [CMP_LE] = CMP_GT};
    return opposite[compare];
}

/* The comparison behind a condition; false where it is something else. */
static bool guard_of(Scope *scope, LLVMValueRef condition, bool holds, Guard *guard)
{
    LLVMValueRef compare = LLVMIsAICmpInst(condition);
    bool is_signed;
    if (!compare || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(compare, 0))) != LLVMIntegerTypeKind ||
        !compare_of(LLVMGetICmpPredicate(compare), &guard->compare, &is_signed))
        return false;
    FormSpace *forms = scope->kernel->forms;
    int bits = bits_of(LLVMGetOperand(compare, 0));
    guard->left = form_extend(forms, left_of(scope, compare), bits, is_signed);
    guard->right = form_extend(forms, right_of(scope, compare), bits, is_signed);
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

static bool is_conditional(LLVMValueRef terminator)
{
    return terminator && LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator);
}

/* `visits` bounds the work: operands that are shared make a walk of all paths exponential. */
static void guards_add(Scope *scope, List *guards, LLVMValueRef condition, bool holds, int *visits)
{
    if (++*visits > MOST_GUARDS)
        return;
    LLVMOpcode opcode = LLVMIsAInstruction(condition) ? LLVMGetInstructionOpcode(condition) : (LLVMOpcode)0;
    if (opcode == (holds ? LLVMAnd : LLVMOr)) { /* both sides hold, or neither does */
        guards_add(scope, guards, LLVMGetOperand(condition, 0), holds, visits);
        guards_add(scope, guards, LLVMGetOperand(condition, 1), holds, visits);
        return;
    }
    Guard guard;
    if (!guard_of(scope, condition, holds, &guard) || !form_of_threads(guard.left) || !form_of_threads(guard.right))
        return;
    Guard *kept = ARENA_NEW(scope->kernel->arena, Guard);
    *kept = guard;
    list_add(guards, kept);
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

/* A block's guards: the branch between it and its dominator where only one side leads here, then the dominator's
 * own. Each costs an evaluation for every lane of every access below: the outermost of too many are left out. */
static List *guards_below(Scope *scope, LLVMBasicBlockRef above, LLVMBasicBlockRef block, List *inherited)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
    if (!is_conditional(branch) || LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1))
        return inherited;
    for (unsigned side = 0; side < 2; side++) {
        if (!ir_edge_dominates(scope->kernel->ir, above, LLVMGetSuccessor(branch, side), block))
            continue;
        List *guards = ARENA_NEW(scope->kernel->arena, List);
        *guards = list_new(scope->kernel->arena);
        int visits = 0;
        guards_add(scope, guards, LLVMGetCondition(branch), side == 0, &visits);
        if (guards->count == 0)
            return inherited;
        for (size_t i = 0; i < inherited->count && guards->count < MOST_GUARDS; i++)
            list_add(guards, inherited->item[i]);
        return guards;
    }
    return inherited;
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

static const Form *step_select(Scope *scope, LLVMValueRef value)
{
    LLVMValueRef condition = LLVMGetOperand(value, 0);
    const Form *a = automaton_form(scope, LLVMGetOperand(value, 1));
    const Form *b = automaton_form(scope, LLVMGetOperand(value, 2));
    Guard guard;
    if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
        return blended(scope, value, WHY_NOT_LINEAR);
    if (!guard_of(scope, condition, true, &guard)) {
        const Form *zero = form_constant(scope->kernel->forms, 0);
        guard = (Guard){.compare = CMP_NE, .left = automaton_form(scope, condition), .right = zero};
    }
    return or_blend(scope, value, form_select(scope->kernel->forms, &guard, a, b), WHY_BRANCHED);
}

/* ---- phis where paths join ---- */

/* One of two equal forms, with what was taken for granted of either. */
static const Form *either(FormSpace *forms, const Form *a, const Form *b)
{
    const Form *form = form_flagged(forms, a, a->exact_signed && b->exact_signed, a->exact_unsigned && b->exact_unsigned);
    return b->bounded && !form->bounded ? form_bounded(forms, form) : form;
}

/* Do all branches between the phi's dominator and the phi treat the lanes alike? */
static bool join_is_uniform(Scope *scope, LLVMValueRef phi, LLVMBasicBlockRef top)
{
    enum { MOST_BLOCKS = 64 };
    IrModule *ir = scope->kernel->ir;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        for (int steps = 0; block; block = ir_idom(ir, block)) {
            LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
            bool branches = LLVMGetNumSuccessors(terminator) > 1;
            if (steps++ == MOST_BLOCKS || (branches && !condition_is_uniform(scope, LLVMGetOperand(terminator, 0))))
                return false;
            if (block == top)
                break;
        }
    }
    return true;
}

/* if/else: the value of a two-sided join as a choice. */
static const Form *join_two(Scope *scope, LLVMValueRef phi, LLVMBasicBlockRef top)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(top);
    Guard guard;
    if (LLVMCountIncoming(phi) != 2 || !is_conditional(branch) ||
        !guard_of(scope, LLVMGetCondition(branch), true, &guard))
        return NULL;
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    for (unsigned yes = 0; yes < 2; yes++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, yes), other = LLVMGetIncomingBlock(phi, 1 - yes);
        LLVMBasicBlockRef taken = LLVMGetSuccessor(branch, 0), left = LLVMGetSuccessor(branch, 1);
        bool true_side = taken == here ? from == top : ir_dominates(scope->kernel->ir, taken, from);
        bool false_side = left == here ? other == top : ir_dominates(scope->kernel->ir, left, other);
        if (true_side && false_side)
            return form_select(scope->kernel->forms, &guard, automaton_form(scope, LLVMGetIncomingValue(phi, yes)),
                               automaton_form(scope, LLVMGetIncomingValue(phi, 1 - yes)));
    }
    return NULL;
}

static const Form *phi_join(Scope *scope, LLVMValueRef phi)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *first = automaton_form(scope, LLVMGetIncomingValue(phi, 0));
    bool all_equal = true, loaded = form_loaded(first);
    Why why = WHY_BRANCHED;
    for (unsigned i = 1; i < LLVMCountIncoming(phi); i++) {
        const Form *other = automaton_form(scope, LLVMGetIncomingValue(phi, i));
        all_equal &= form_equal(first, other);
        first = all_equal ? either(forms, first, other) : first;
        loaded |= form_loaded(other);
        why = automaton_cause(other) ? automaton_cause(other) : why;
    }
    if (all_equal)
        return first;
    LLVMBasicBlockRef top = ir_idom(scope->kernel->ir, LLVMGetInstructionParent(phi));
    const Form *chosen = top ? join_two(scope, phi, top) : NULL;
    if (!chosen && top && join_is_uniform(scope, phi, top)) {
        /* all lanes come the same way: what each adds to a common place is the same for all */
        const Form *zero = form_constant(forms, 0);
        const Guard one_way = {.compare = CMP_NE, .left = form_unknown(forms, SYM_UNIFORM, NULL, 0, NULL), .right = zero};
        chosen = first;
        for (unsigned i = 1; chosen && i < LLVMCountIncoming(phi); i++)
            chosen = form_select(forms, &one_way, chosen, automaton_form(scope, LLVMGetIncomingValue(phi, i)));
    }
    return chosen ? chosen : unknown(scope, loaded ? SYM_LOADED : SYM_OPAQUE, phi, NULL, why);
}

/* ---- phis of loops ---- */


/* What was concluded from the placeholder is forgotten. */
static void journal_undo(Scope *scope, size_t from, const Symbol *placeholder)
{
    for (size_t i = from; i < scope->journal.count; i++) {
        const Form *form = map_get(scope->forms, scope->journal.item[i]);
        if (form && form_mentions(form, placeholder))
            map_put(scope->forms, scope->journal.item[i], NULL);
    }
}

typedef struct {
    IrLoop *loop;
    const Form *start;      /* on entry; NULL where entries disagree */
    const Form *step;       /* added by every iteration; NULL where none is */
    bool uniform_change;    /* placeholder + something that all lanes share */
    bool stays_uniform;     /* a uniform value becomes a uniform value */
    bool loaded;
    bool exact_signed, exact_unsigned;
    Why why;
} Recurrence;

static void recurrence_take(Recurrence *recurrence, Scope *scope, const Form *next, const Symbol *placeholder)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *factor = form_factor(forms, next, placeholder);
    int64_t one;
    recurrence->stays_uniform &= !form_varies(next);
    recurrence->loaded |= form_loaded(next);
    recurrence->exact_signed &= next->exact_signed;
    recurrence->exact_unsigned &= next->exact_unsigned;
    if (automaton_cause(next))
        recurrence->why = automaton_cause(next);
    if (!factor || !form_is_constant(factor, &one) || one != 1) {
        recurrence->step = NULL;
        recurrence->uniform_change = false;
        return;
    }
    Term self = {.coefficient = 1, .degree = 1, .symbol = {placeholder}};
    const Form *step = form_sub(forms, next, form_of_term(forms, &self));
    bool same = step && form_is_invariant(step, recurrence->loop) &&
                (!recurrence->step || form_equal(step, recurrence->step));
    recurrence->uniform_change &= step && !form_varies(step);
    recurrence->step = same ? step : NULL;
}

/* ScalarEvolution's bookkeeping grows with the square of the loops of one function: a function that was generated
 * does without, and its counters sweep without end. */
static int64_t trips_of(Kernel *kernel, IrLoop *loop)
{
    enum { MOST_LOOPS = 2048 };
    return kernel->loops++ < MOST_LOOPS ? ir_loop_trips(kernel->ir, loop) : 0;
}

static const Form *recurrence_form(Scope *scope, LLVMValueRef phi, const Recurrence *recurrence)
{
    FormSpace *forms = scope->kernel->forms;
    if (recurrence->step) {
        const Form *count = form_loop(forms, recurrence->loop, trips_of(scope->kernel, recurrence->loop));
        const Form *moved = form_mul(forms, recurrence->step, count);
        const Form *form = moved ? form_add(forms, recurrence->start, moved) : NULL;
        if (form)
            return form_flagged(forms, form, recurrence->exact_signed, recurrence->exact_unsigned);
    }
    if (recurrence->stays_uniform)
        return unknown(scope, SYM_UNIFORM, phi, NULL, WHY_NONE);
    if (recurrence->uniform_change) {
        const Form *form = form_add(forms, recurrence->start, unknown(scope, SYM_UNIFORM, phi, NULL, WHY_NONE));
        if (form)
            return form;
    }
    return unknown(scope, recurrence->loaded ? SYM_LOADED : SYM_OPAQUE, phi, NULL, recurrence->why);
}

static const Form *entry_value(Scope *scope, LLVMValueRef phi, IrLoop *loop)
{
    const Form *start = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        const Form *form = automaton_form(scope, LLVMGetIncomingValue(phi, i));
        if (start && !form_equal(start, form))
            return NULL;
        start = start ? either(scope->kernel->forms, start, form) : form;
    }
    return start;
}

static const Form *phi_loop(Scope *scope, LLVMValueRef phi, IrLoop *loop)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *start = entry_value(scope, phi, loop);
    if (!start)
        return unknown(scope, SYM_OPAQUE, phi, NULL, WHY_CARRIED);
    Form *stand_in = (Form *)form_unknown(forms, SYM_UNIFORM, "recurrence", WHY_CARRIED, loop);
    Symbol *placeholder = (Symbol *)stand_in->term[0].symbol[0];
    placeholder->varies = form_varies(start);
    placeholder->loaded = form_loaded(start);
    placeholder->unknown = form_unknown_in(start);
    stand_in->exact_signed = start->exact_signed;
    stand_in->exact_unsigned = start->exact_unsigned;

    Recurrence recurrence = {.loop = loop, .start = start, .uniform_change = true, .stays_uniform = !form_varies(start),
                             .loaded = form_loaded(start), .why = WHY_CARRIED,
                             .exact_signed = start->exact_signed, .exact_unsigned = start->exact_unsigned};
    size_t from = scope->journal.count;
    bool first = true;
    map_put(scope->forms, phi, stand_in);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        const Form *next = automaton_form(scope, LLVMGetIncomingValue(phi, i));
        bool lost = !first && !recurrence.step;
        recurrence_take(&recurrence, scope, next, placeholder);
        if (lost)
            recurrence.step = NULL;
        first = false;
    }
    journal_undo(scope, from, placeholder);
    return recurrence_form(scope, phi, &recurrence);
}

static const Form *step_phi(Scope *scope, LLVMValueRef phi)
{
    IrLoop *loop = loop_of(scope, phi);
    if (LLVMCountIncoming(phi) == 0)
        return unknown(scope, SYM_OPAQUE, phi, NULL, WHY_BRANCHED);
    if (loop && ir_loop_header(loop) == LLVMGetInstructionParent(phi))
        return phi_loop(scope, phi, loop);
    return phi_join(scope, phi);
}

/* ---- loads and calls ---- */

/* What is read at one address is one value; what is read at many is data. */
static const Form *step_load(Scope *scope, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
    const Form *address = automaton_form(scope, pointer);
    Space space = space_of(scope, pointer);
    if (space == SPACE_LOCAL)
        return unknown(scope, SYM_OPAQUE, load, NULL, WHY_LOCAL_DATA);
    if (form_varies(address))
        return unknown(scope, SYM_LOADED, load, NULL, is_pointer ? WHY_POINTER : WHY_NONE);
    /* parameters and constants do not change: two loads of one place are one symbol */
    bool fixed = space == SPACE_PARAM || space == SPACE_CONSTANT;
    const Form *form = fixed && form_is_invariant(address, NULL) ? form_op_leaf(scope->kernel->forms, address, is_pointer ? SYM_BASE : SYM_UNIFORM) : NULL;
    if (form)
        return form;
    return unknown(scope, is_pointer ? SYM_BASE : SYM_UNIFORM, load, NULL, WHY_NONE);
}

typedef const Form *(*IntrinsicStep)(Scope *scope, LLVMValueRef call, int what, int axis);

static const Form *intrinsic_sreg(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)call;
    return form_sreg(scope->kernel->forms, (SymbolKind)what, axis);
}

static const Form *intrinsic_pure(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)axis;
    return operation(scope, call, (FormOp)what, WHY_NOT_LINEAR);
}

static const Form *intrinsic_same(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)what, (void)axis;
    return unknown(scope, SYM_UNIFORM, call, NULL, WHY_NONE);
}

static const Form *intrinsic_other(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)axis;
    return unknown(scope, what == WHY_ATOMIC_INDEX ? SYM_LOADED : SYM_OPAQUE, call, NULL, (Why)what);
}

static const struct {
    const char *name;
    IntrinsicStep step;
    int what, axis;
} intrinsics[] = {
#define SREG(name, symbol, axis) {name, intrinsic_sreg, symbol, axis},
#define PURE(name, op) {name, intrinsic_pure, op, 0},
#define SAME(name) {name, intrinsic_same, 0, 0},
#define OTHER(name, why) {name, intrinsic_other, why, 0},
#include "intrinsics.def"
};

static const Form *intrinsic_form(Scope *scope, LLVMValueRef call, LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strncmp(name, intrinsics[i].name, strlen(intrinsics[i].name)) == 0)
            return intrinsics[i].step(scope, call, intrinsics[i].what, intrinsics[i].axis);
    return blended(scope, call, WHY_CALLED);
}

/* What a function returns, where all its returns agree or all lanes share them. */
static const Form *returned(Scope *callee, LLVMValueRef call)
{
    const Form *form = NULL;
    bool agree = true, varies = false, loaded = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || LLVMGetInstructionOpcode(end) != LLVMRet || LLVMGetNumOperands(end) != 1)
            continue;
        const Form *other = automaton_form(callee, LLVMGetOperand(end, 0));
        agree &= !form || form_equal(form, other);
        varies |= form_varies(other);
        loaded |= form_loaded(other);
        form = form && agree ? either(callee->kernel->forms, form, other) : other;
    }
    if (form && agree)
        return form;
    return unknown(callee->caller, loaded ? SYM_LOADED : SYM_OPAQUE, call, NULL, varies ? WHY_BRANCHED : WHY_CALLED);
}

static const Form *step_call(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (callee && LLVMGetIntrinsicID(callee))
        return intrinsic_form(scope, call, callee);
    if (assembly_reads_lane(call))
        return form_sreg(scope->kernel->forms, SYM_LANE, 0);
    Scope *inside = scope_of_call(scope, call);
    return inside ? returned(inside, call) : unknown(scope, SYM_OPAQUE, call, NULL, WHY_CALLED);
}

/* ---- the machine ---- */

typedef const Form *(*Step)(Scope *scope, LLVMValueRef value);

static const struct {
    LLVMOpcode opcode;
    Step pointer, integer;
} steps[] = {
#define STEP(opcode, pointer, integer) {LLVM##opcode, step_##pointer, step_##integer},
#include "automaton.def"
};

static Step step_of(LLVMOpcode opcode, bool is_pointer)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].opcode == opcode)
            return is_pointer ? steps[i].pointer : steps[i].integer;
    return step_blend;
}

static const Form *constant_form(Scope *scope, LLVMValueRef value)
{
    FormSpace *forms = scope->kernel->forms;
    if (LLVMIsAConstantInt(value)) {
        bool fits = bits_of(value) <= 64;
        return fits ? form_constant(forms, LLVMConstIntGetSExtValue(value)) : unknown(scope, SYM_UNIFORM, NULL, NULL, WHY_NONE);
    }
    if (LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value))
        return form_constant(forms, 0);
    if (LLVMIsAGlobalVariable(value)) {
        size_t length;
        return form_named_base(forms, value, LLVMGetValueName2(value, &length));
    }
    return unknown(scope, SYM_UNIFORM, NULL, "constant", WHY_NONE);
}

static const Form *evaluate(Scope *scope, LLVMValueRef value)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    if (LLVMIsAConstantExpr(value))
        return step_of(LLVMGetConstOpcode(value), is_pointer)(scope, value);
    if (LLVMIsAConstant(value))
        return constant_form(scope, value);
    if (!LLVMIsAInstruction(value))
        return unknown(scope, SYM_UNIFORM, NULL, NULL, WHY_NONE);
    if (LLVMIsAAllocaInst(value))
        return form_named_base(scope->kernel->forms, value, "local");
    if (!ir_reachable(scope->kernel->ir, LLVMGetInstructionParent(value)))
        return unknown(scope, SYM_OPAQUE, NULL, NULL, WHY_BRANCHED);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
        return unknown(scope, SYM_LOADED, value, NULL, WHY_ATOMIC_INDEX);
    return step_of(opcode, is_pointer)(scope, value);
}

static int argument_index(Scope *scope, LLVMValueRef argument)
{
    int count = (int)LLVMCountParams(scope->function);
    for (int i = 0; i < count; i++)
        if (LLVMGetParam(scope->function, (unsigned)i) == argument)
            return i;
    return -1;
}

const Form *automaton_form(Scope *scope, LLVMValueRef value)
{
    if (LLVMIsAArgument(value)) {
        int index = argument_index(scope, value);
        return index >= 0 ? scope->argument[index] : unknown(scope, SYM_OPAQUE, NULL, NULL, WHY_ARGUMENT);
    }
    const Form *form = map_get(scope->forms, value);
    if (form)
        return form;
    if (scope->nesting >= MOST_NESTING)
        return unknown(scope, SYM_OPAQUE, value, NULL, WHY_TOO_LARGE);
    scope->nesting++;
    form = evaluate(scope, value);
    scope->nesting--;
    map_put(scope->forms, value, (void *)form);
    list_add(&scope->journal, value);
    if (scope->nesting == 0)
        scope->journal.count = 0;
    return form;
}
