/* Phis: what a value is where paths join, and how it moves from one iteration of a loop to the next.
 *
 *     for (i = t; i < n; i += 256) p[i]      i = phi(t, i + 256)
 *     i := placeholder;  next = 1*placeholder + 256: a step of 256;  i = t + 256*iteration */
#include "analysis/address/automaton.h"

/* ---- what changes while a loop runs ---- */

static bool symbol_is_invariant(const Symbol *symbol, IrLoop *loop)
{
    if (symbol->loop && (!loop || ir_loop_inside((IrLoop *)symbol->loop, loop)))
        return false;
    if (symbol->kind != SYM_OP)
        return true;
    return form_is_invariant(symbol->a, loop) && (!symbol->b || form_is_invariant(symbol->b, loop)) &&
           (!symbol->guard || (form_is_invariant(symbol->guard->left, loop) && form_is_invariant(symbol->guard->right, loop)));
}

bool form_is_invariant(const Form *form, IrLoop *loop)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            if (!symbol_is_invariant(form->term[i].symbol[j], loop))
                return false;
    return true;
}

/* ---- phis where paths join ---- */

const Form *form_either(FormSpace *forms, const Form *a, const Form *b)
{
    const Form *form = form_flagged(forms, a, a->exact_signed && b->exact_signed, a->exact_unsigned && b->exact_unsigned);
    return b->bounded && !form->bounded ? form_bounded(forms, form) : form;
}

typedef bool (*Holds)(const Form *form);

/* Do lanes that the branch parts leave a loop, in which the merge is not, in different iterations? Not where their ways meet again in the loop before it is left. */
static bool leaves_apart(const Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef merge, IrLoop *loop)
{
    LLVMBasicBlockRef meeting = ir_meeting(scope->kernel->ir, branch);
    return !ir_loop_has_block(loop, merge) && !(meeting && ir_loop_has_block(loop, meeting));
}

/* Is what the way brings another value in each iteration of such a loop? */
static bool brings_iterations(Scope *scope, const Form *form, LLVMBasicBlockRef branch, LLVMBasicBlockRef merge)
{
    bool any = false;
    for (IrLoop *loop = ir_loop_of(scope->kernel->ir, branch); loop && !any; loop = ir_loop_parent(loop))
        any = leaves_apart(scope, branch, merge, loop) && !form_is_invariant(form, loop);
    return any;
}

/* Does it make a difference to the phi which way is taken at the branch? Ways that all bring one value make none, such as those through
 * an iteration that stands in front of its loop, whoever does what in it. */
static bool branch_chooses(Scope *scope, LLVMValueRef phi, LLVMBasicBlockRef branch)
{
    LLVMBasicBlockRef merge = LLVMGetInstructionParent(phi);
    const Form *brought = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!ir_leads_around(scope->kernel->ir, branch, LLVMGetIncomingBlock(phi, i), merge))
            continue;
        const Form *form = automaton_form(scope, LLVMGetIncomingValue(phi, i));
        if ((brought && !form_equal(brought, form)) || brings_iterations(scope, form, branch, merge))
            return true;
        brought = form;
    }
    return false;
}

/* Does it hold of the conditions of all branches that choose between the phi's values, from its dominator on? Of many nobody asks. */
static bool join_holds(Scope *scope, LLVMValueRef phi, LLVMBasicBlockRef top, Holds holds)
{
    enum { MOST_BLOCKS = 64 };
    LLVMBasicBlockRef branch[MOST_BLOCKS];
    size_t count = ir_branches_between(scope->kernel->ir, top, LLVMGetInstructionParent(phi), branch, MOST_BLOCKS);
    for (size_t i = 0; i < count && count <= MOST_BLOCKS; i++) {
        LLVMValueRef condition = LLVMGetOperand(LLVMGetBasicBlockTerminator(branch[i]), 0);
        if (!holds(automaton_form(scope, condition)) && branch_chooses(scope, phi, branch[i]))
            return false;
    }
    return count <= MOST_BLOCKS;
}

static bool is_uniform(const Form *form) { return !form_varies(form); }

static bool is_calm(const Form *form) { return !form_restless(form); }

/* if/else: the value of a two-sided join as a choice. */
static const Form *join_two(Scope *scope, LLVMValueRef phi, LLVMBasicBlockRef top)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(top);
    Guard guard;
    if (LLVMCountIncoming(phi) != 2 || !is_conditional(branch) ||
        !guard_of_condition(scope, LLVMGetCondition(branch), true, &guard))
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
    bool all_equal = true, loaded = form_loaded(first), calm = is_calm(first);
    Why why = WHY_BRANCHED;
    for (unsigned i = 1; i < LLVMCountIncoming(phi); i++) {
        const Form *other = automaton_form(scope, LLVMGetIncomingValue(phi, i));
        all_equal &= form_equal(first, other);
        first = all_equal ? form_either(forms, first, other) : first;
        loaded |= form_loaded(other);
        calm &= is_calm(other);
        why = automaton_cause(other) ? automaton_cause(other) : why;
    }
    if (all_equal)
        return first;
    LLVMBasicBlockRef top = ir_idom(scope->kernel->ir, LLVMGetInstructionParent(phi));
    const Form *chosen = top ? join_two(scope, phi, top) : NULL;
    if (!chosen && top && join_holds(scope, phi, top, is_uniform)) {
        /* all lanes come the same way: what each adds to a common place is the same for all */
        const Form *zero = form_constant(forms, 0);
        const Guard one_way = {.compare = CMP_NE, .left = form_unknown(forms, SYM_UNIFORM, NULL, 0, NULL), .right = zero};
        chosen = first;
        for (unsigned i = 1; chosen && i < LLVMCountIncoming(phi); i++)
            chosen = form_select(forms, &one_way, chosen, automaton_form(scope, LLVMGetIncomingValue(phi, i)));
    }
    if (chosen)
        return chosen;
    const Form *form = automaton_unknown(scope, loaded ? SYM_LOADED : SYM_OPAQUE, phi, NULL, why);
    return calm && top && join_holds(scope, phi, top, is_calm) ? form_calmed(form) : form;
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
    const Form *start; /* on entry; NULL where entries disagree */
    const Form *step; /* added by every iteration; NULL where none is */
    bool uniform_change; /* placeholder + something that all lanes share */
    bool stays_uniform; /* a uniform value becomes a uniform value */
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
    bool same = step && form_is_invariant(step, recurrence->loop) && (!recurrence->step || form_equal(step, recurrence->step));
    recurrence->uniform_change &= step && !form_varies(step);
    recurrence->step = same ? step : NULL;
}

/* ScalarEvolution's bookkeeping grows with the square of the loops of one function: a function that was generated
 * does without, and its counters sweep without end. */
static int64_t trips_of(Kernel *kernel, IrLoop *loop)
{
    enum { MOST_LOOPS = 2048 };
    return kernel->asked.loops++ < MOST_LOOPS ? ir_loop_trips(kernel->ir, loop) : 0;
}

/* Of what another counter tells, `p = phi(16*t, 16*next t)`: what the iteration before has made for this one, which for the first of them
 * would have been what comes in. */
static const Form *told_by_another(Scope *scope, const Recurrence *recurrence, const Form *next)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *count = form_loop_known(forms, recurrence->loop);
    const Form *step = count ? form_factor(forms, next, count->term[0].symbol[0]) : NULL;
    if (!step || !form_is_invariant(step, recurrence->loop))
        return NULL;
    const Form *before = form_sub(forms, next, step), *moved = form_mul(forms, step, count);
    const Form *first = before && moved ? form_sub(forms, before, moved) : NULL;
    if (!first || !form_equal(first, recurrence->start))
        return NULL;
    return form_flagged(forms, before, recurrence->exact_signed, recurrence->exact_unsigned);
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
        return automaton_unknown(scope, SYM_UNIFORM, phi, NULL, WHY_NONE);
    if (recurrence->uniform_change) {
        const Form *form = form_add(forms, recurrence->start, automaton_unknown(scope, SYM_UNIFORM, phi, NULL, WHY_NONE));
        if (form)
            return form;
    }
    return automaton_unknown(scope, recurrence->loaded ? SYM_LOADED : SYM_OPAQUE, phi, NULL, recurrence->why);
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
        start = start ? form_either(scope->kernel->forms, start, form) : form;
    }
    return start;
}

static const Form *phi_loop(Scope *scope, LLVMValueRef phi, IrLoop *loop)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *start = entry_value(scope, phi, loop);
    if (!start)
        return automaton_unknown(scope, SYM_OPAQUE, phi, NULL, WHY_CARRIED);
    Form *stand_in = (Form *)form_unknown(forms, SYM_UNIFORM, "recurrence", WHY_CARRIED, loop);
    Symbol *placeholder = (Symbol *)stand_in->term[0].symbol[0];
    placeholder->varies = form_varies(start);
    placeholder->restless = form_restless(start);
    placeholder->loaded = form_loaded(start);
    placeholder->unknown = form_unknown_in(start);
    stand_in->exact_signed = start->exact_signed;
    stand_in->exact_unsigned = start->exact_unsigned;

    Recurrence recurrence = {.loop = loop,
                             .start = start,
                             .uniform_change = true,
                             .stays_uniform = !form_varies(start),
                             .loaded = form_loaded(start),
                             .why = WHY_CARRIED,
                             .exact_signed = start->exact_signed,
                             .exact_unsigned = start->exact_unsigned};
    size_t from = scope->journal.count;
    const Form *told = NULL;
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
        told = first && !recurrence.step ? told_by_another(scope, &recurrence, next) : NULL;
        first = false;
    }
    journal_undo(scope, from, placeholder);
    return told ? told : recurrence_form(scope, phi, &recurrence);
}

const Form *phi_form(Scope *scope, LLVMValueRef phi)
{
    IrLoop *loop = loop_of_value(scope, phi);
    if (LLVMCountIncoming(phi) == 0)
        return automaton_unknown(scope, SYM_OPAQUE, phi, NULL, WHY_BRANCHED);
    if (loop && ir_loop_header(loop) == LLVMGetInstructionParent(phi))
        return phi_loop(scope, phi, loop);
    return phi_join(scope, phi);
}
