/* Where a copy writes, or a load reads, by each thread of a block: numbers, as far as the program says.
 *
 *     if (threadIdx.x < n) use s[(threadIdx.x + 1) % 256];      thread 31, where n is large: bytes 128 to 131 of s
 *
 * What no thread changes, an argument or a block's number, is one number for all spots, whatever it is; of loops one iteration is looked
 * at. So what is found of two spots is so in some launch. A place is known if it is made of nothing else, and if each condition on the
 * way to it is: any other condition may keep threads from it. */
#include "analysis/address/automaton.h"
#include "analysis/explain/explain.h"
#include "analysis/explain/spot.h"

/* ---- what numbers are made of ---- */

LLVMValueRef array_behind(LLVMValueRef number, int depth)
{
    enum { DEEPEST = 16 };
    LLVMValueRef array = LLVMIsAGlobalVariable(number);
    if (array)
        return is_shared_array(array) ? array : NULL;
    bool is_made = LLVMIsAInstruction(number) || LLVMIsAConstantExpr(number);
    for (int i = 0; is_made && !LLVMIsAPHINode(number) && depth < DEEPEST && !array && i < LLVMGetNumOperands(number); i++)
        array = array_behind(LLVMGetOperand(number, (unsigned)i), depth + 1);
    return array;
}

static bool form_is_told(Spot *spot, const Form *form);

static bool side_is_told(Spot *spot, const Form *form);

static bool guard_is_told(Spot *spot, const Guard *guard)
{
    return side_is_told(spot, guard->left) && side_is_told(spot, guard->right);
}

static bool symbol_give(Spot *spot, const Symbol *symbol)
{
    for (int i = 0; i < spot->count; i++)
        if (spot->given[i].symbol == symbol)
            return true;
    if (spot->count == SPOT_GIVEN)
        return false;
    spot->given[spot->count++] = (Given){symbol, 0};
    return true;
}

/* Does the loop stand around it, or around a call that leads to it? */
static bool is_inside(const Spot *spot, IrLoop *loop)
{
    bool inside = ir_loop_has_block(loop, LLVMGetInstructionParent(spot->instruction));
    for (const Scope *scope = spot->inner; scope->caller && !inside; scope = scope->caller)
        inside = ir_loop_has_block(loop, LLVMGetInstructionParent(scope->call));
    return inside;
}

static bool symbol_is_told(Spot *spot, const Symbol *symbol)
{
    switch (symbol->kind) {
    case SYM_TID:
    case SYM_LANE: return true;
    case SYM_OP:
        return form_is_told(spot, symbol->a) && (!symbol->b || form_is_told(spot, symbol->b)) &&
               (!symbol->guard || guard_is_told(spot, symbol->guard));
    case SYM_LOOP: return (symbol->loop == spot->around || is_inside(spot, (IrLoop *)symbol->loop)) && symbol_give(spot, symbol);
    case SYM_BLOCKDIM: return symbol_give(spot, symbol);
    case SYM_BLOCK:
    case SYM_GRIDDIM: return true;
    default: return !symbol->loop && !symbol->varies;
    }
}

static bool terms_are_told(Spot *spot, const Form *form)
{
    bool told = !form_unknown_in(form) && !form_loaded(form);
    for (int i = 0; i < form->count && told; i++)
        for (int j = 0; j < form->term[i].degree && told; j++)
            told = symbol_is_told(spot, form->term[i].symbol[j]);
    return told;
}

static bool form_is_told(Spot *spot, const Form *form) { return !form->bounded && terms_are_told(spot, form); }

/* An argument as it is: a large number, which is the same whether it is read as signed or as unsigned. */
static bool is_argument(const Form *form)
{
    const Symbol *symbol = form->count == 1 && form->term[0].degree == 1 ? form->term[0].symbol[0] : NULL;
    return symbol && form->term[0].coefficient == 1 && !form->constant && symbol->kind == SYM_UNIFORM && !symbol->loop &&
           !symbol->varies;
}

static bool side_is_told(Spot *spot, const Form *form)
{
    return is_argument(form) ? terms_are_told(spot, form) : form_is_told(spot, form);
}

/* An argument, a loop's counter, or one of them by so much more or less, as n - 1 and i + 1: none of it wraps around where the loop ends by it. */
static bool is_moved(LLVMValueRef value)
{
    bool sums = is_op(value, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) && (LLVMGetNSW(value) || LLVMGetNUW(value));
    LLVMValueRef moved = sums ? LLVMGetOperand(value, 0) : value;
    return LLVMIsAArgument(moved) || LLVMIsAPHINode(moved);
}

static bool operand_is_told(Spot *spot, LLVMValueRef condition, unsigned index, const Form *form)
{
    return is_moved(LLVMGetOperand(condition, index)) ? terms_are_told(spot, form) : side_is_told(spot, form);
}

/* ---- ways there ---- */

static bool condition_add(Spot *spot, LLVMValueRef condition, bool holds)
{
    LLVMValueRef other;
    if (condition_is_both(condition, holds, &other))
        return condition_add(spot, LLVMGetOperand(condition, 0), holds) && condition_add(spot, other, holds);
    Guard *guard = ARENA_NEW(spot->kernel->arena, Guard);
    if (!guard_of_condition(spot->scope, condition, holds, guard) || !operand_is_told(spot, condition, 0, guard->left) ||
        !operand_is_told(spot, condition, 1, guard->right))
        return false;
    list_add(&spot->guards, guard);
    return true;
}

/* The innermost loop around both. */
static IrLoop *loop_around(const Spot *spot, LLVMBasicBlockRef above, LLVMBasicBlockRef block)
{
    IrLoop *loop = ir_loop_of(spot->kernel->ir, block);
    while (loop && !ir_loop_has_block(loop, above))
        loop = ir_loop_parent(loop);
    return loop;
}

/* Do all ways from the block above come to it, in the same iteration? */
static bool is_met(const Spot *spot, LLVMBasicBlockRef above, LLVMBasicBlockRef block)
{
    LLVMValueRef from = LLVMGetBasicBlockTerminator(above), past = LLVMGetFirstInstruction(block);
    IrLoop *loop = loop_around(spot, above, block);
    if (loop && leads_past(spot->kernel->arena, from, past, LLVMGetFirstInstruction(ir_loop_header(loop))))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(spot->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (is_op(end, LLVMRet) && leads_past(spot->kernel->arena, from, past, end))
            return false;
    }
    return true;
}

/* What holds of each thread that comes to the block, and brings it there. Loops on the way to it end. */
static bool guards_find(Spot *spot, LLVMBasicBlockRef block)
{
    IrModule *ir = spot->kernel->ir;
    for (LLVMBasicBlockRef above = ir_idom(ir, block); above; block = above, above = ir_idom(ir, block)) {
        bool holds, leads = condition_leads(spot->scope, above, block, &holds);
        bool ends = ir_loop_of(ir, above) != loop_around(spot, above, block);
        if (leads && !ends ? !condition_add(spot, LLVMGetCondition(LLVMGetBasicBlockTerminator(above)), holds)
                           : !is_met(spot, above, block))
            return false;
    }
    return true;
}

/* Other iterations of its innermost loop, if nothing but what is told ends that. */
static void rounds_find(Spot *spot, const IrLoop *around)
{
    IrLoop *loop = ir_loop_of(spot->kernel->ir, LLVMGetInstructionParent(spot->instruction));
    LLVMBasicBlockRef latch = loop && loop != around ? ir_loop_latch(loop) : NULL;
    LLVMValueRef jump = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    const Form *counter = latch ? form_loop_known(spot->kernel->forms, loop) : NULL;
    if (!counter || counter->count != 1 || !is_conditional(jump) || !symbol_give(spot, counter->term[0].symbol[0]))
        return;
    bool stays = LLVMGetSuccessor(jump, 0) == ir_loop_header(loop);
    if (guard_of_condition(spot->scope, LLVMGetCondition(jump), stays, &spot->again) && guard_is_told(spot, &spot->again))
        spot->round = counter->term[0].symbol[0];
}

bool leads_into(Scope *scope, LLVMValueRef pointer, LLVMValueRef array)
{
    const Form *base = automaton_form(scope, array);
    return base->count == 1 && base->term[0].degree == 1 && form_mentions(automaton_form(scope, pointer), base->term[0].symbol[0]);
}

bool spot_find(Spot *spot, Scope *scope, LLVMValueRef instruction, LLVMValueRef pointer, LLVMValueRef array, const IrLoop *around)
{
    if (!leads_into(scope, pointer, array) || form_shape(scope->kernel->forms).turned)
        return false;
    *spot = (Spot){.kernel = scope->kernel,
                   .inner = scope,
                   .instruction = instruction,
                   .place = automaton_form(scope, pointer),
                   .guards = list_new(scope->kernel->arena),
                   .around = around};
    symbol_give(spot, automaton_form(scope, array)->term[0].symbol[0]);
    spot->scope = scope;
    if (!form_is_told(spot, spot->place) || !guards_find(spot, LLVMGetInstructionParent(instruction)))
        return false;
    for (Scope *inner = scope; inner->caller; inner = inner->caller) {
        spot->scope = inner->caller;
        if (!guards_find(spot, LLVMGetInstructionParent(inner->call)))
            return false;
    }
    spot->scope = scope;
    rounds_find(spot, around);
    return true;
}

/* ---- iterations ---- */

static bool operand_is_given(LLVMValueRef operand, const Form *form, const Point *point)
{
    return (!form->bounded || is_moved(operand)) && !form_varies(form) && form_is_given(form, point);
}

bool is_settled(Scope *scope, LLVMValueRef condition, const Given *given, int count, bool *holds)
{
    const Point point = {.given = given, .count = count};
    Guard guard;
    if (!guard_of_condition(scope, condition, true, &guard) ||
        !operand_is_given(LLVMGetOperand(condition, 0), guard.left, &point) ||
        !operand_is_given(LLVMGetOperand(condition, 1), guard.right, &point))
        return false;
    *holds = guard_holds(&guard, &point);
    return true;
}

/* ---- threads ---- */

void spot_give(Spot *spot, SymbolKind kind, const void *loop, int axis, int64_t value)
{
    for (int i = 0; i < spot->count; i++) {
        const Symbol *symbol = spot->given[i].symbol;
        if (symbol->kind == kind && (kind == SYM_LOOP ? symbol->loop == loop : symbol->axis == axis))
            spot->given[i].value = value;
    }
}

void spot_give_argument(Spot *spot, LLVMValueRef argument, int64_t value)
{
    const Form *form = automaton_form(spot->kernel->scope, argument);
    const Symbol *symbol = form->count == 1 && form->term[0].degree == 1 ? form->term[0].symbol[0] : NULL;
    if (!symbol || !symbol_give(spot, symbol))
        return;
    for (int i = 0; i < spot->count; i++)
        if (spot->given[i].symbol == symbol)
            spot->given[i].value = value;
}

static Point point_of(const Spot *spot, const int extent[3], int rank)
{
    Point point = {.lane = rank % WARP_LANES, .given = spot->given, .count = spot->count};
    point.thread[0] = rank % extent[0];
    point.thread[1] = rank / extent[0] % extent[1];
    point.thread[2] = rank / extent[0] / extent[1];
    return point;
}

bool spot_again(Spot *spot, const int extent[3], int rank, int round)
{
    if (!spot->round)
        return !round;
    if (!round) {
        spot_give(spot, SYM_LOOP, spot->round->loop, 0, 0);
        return true;
    }
    spot_give(spot, SYM_LOOP, spot->round->loop, 0, round - 1);
    Point point = point_of(spot, extent, rank);
    bool again = guard_holds(&spot->again, &point);
    spot_give(spot, SYM_LOOP, spot->round->loop, 0, again ? round : 0);
    return again;
}

bool spot_comes(const Spot *spot, const int extent[3], int rank)
{
    Point point = point_of(spot, extent, rank);
    for (size_t i = 0; i < spot->guards.count; i++)
        if (!guard_holds(spot->guards.item[i], &point))
            return false;
    return true;
}

int64_t spot_at(const Spot *spot, const int extent[3], int rank)
{
    Point point = point_of(spot, extent, rank);
    return form_eval(spot->place, &point);
}
