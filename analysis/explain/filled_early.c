/* Asynchronous copies that fill again what other threads may still be reading.
 *
 *     for (...) { f = copy_async(s, g + i * n, n);  wait(f);  use s;  }             a barrier is missing behind the use
 *
 * Nothing is said unless it is certain of every run of the loop with two iterations or more, in a block of several warps:
 * - nothing but such copies writes the array, and all of them fill the same bytes, in each iteration, as far as each is made: what is read
 *   is then filled again by the next one;
 * - each iteration comes to the read and to the copy, unless a condition that none of them changes keeps it from either;
 * - on no way from the read to the copy stands what may let threads wait for each other, or order what they do;
 * - what is read is used in each iteration, as a load may have been made in front of the condition that it had;
 * - threads read what others fill: their places are another multiple of the thread's number, or the same for all. */
#include "analysis/address/automaton.h"
#include "analysis/explain/explain.h"

typedef struct {
    Kernel *kernel;
    IrLoop *loop; /* whose iterations are looked at */
    LLVMBasicBlockRef latch;
} Look;

/* ---- what every iteration finds alike ---- */

static bool form_is_alike(const Look *look, const Form *form);

/* Counters of loops inside begin anew in each iteration. */
static bool symbol_is_alike(const Look *look, const Symbol *symbol)
{
    bool inside = symbol->loop && ir_loop_has_block(look->loop, ir_loop_header((IrLoop *)symbol->loop));
    if (symbol->unknown || (inside && (symbol->kind != SYM_LOOP || symbol->loop == look->loop)))
        return false;
    if (symbol->kind != SYM_OP)
        return true;
    return form_is_alike(look, symbol->a) && (!symbol->b || form_is_alike(look, symbol->b)) &&
           (!symbol->guard || (form_is_alike(look, symbol->guard->left) && form_is_alike(look, symbol->guard->right)));
}

static bool form_is_alike(const Look *look, const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            if (!symbol_is_alike(look, form->term[i].symbol[j]))
                return false;
    return true;
}

static bool value_is_alike(const Look *look, LLVMValueRef value)
{
    bool inside = ir_loop_has(look->loop, value);
    return !inside || form_is_alike(look, automaton_form(look->kernel->scope, value));
}

static bool condition_is_alike(const Look *look, LLVMBasicBlockRef block)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef condition = is_conditional(jump) ? LLVMGetCondition(jump) : NULL;
    if (!condition)
        return !is_op(jump, LLVMSwitch) || value_is_alike(look, LLVMGetOperand(jump, 0));
    return LLVMIsAICmpInst(condition) && value_is_alike(look, LLVMGetOperand(condition, 0)) &&
           value_is_alike(look, LLVMGetOperand(condition, 1));
}

static IrLoop *loop_inside(const Look *look, LLVMBasicBlockRef block)
{
    IrLoop *loop = ir_loop_of(look->kernel->ir, block);
    return loop == look->loop ? NULL : loop;
}

/* The block, which each iteration comes to, whose jump says whether the instruction is made: its own, or that above; the loop that the
 * instruction stands in may lie between. NULL: more than that, or what iterations change, decides. */
static LLVMBasicBlockRef decides(const Look *look, LLVMValueRef instruction)
{
    IrModule *ir = look->kernel->ir;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    IrLoop *inside = loop_inside(look, block);
    if (inside) {
        bool simple = ir_loop_parent(inside) == look->loop && ir_loop_latch(inside) &&
                      ir_dominates(ir, block, ir_loop_latch(inside));
        if (!simple || !condition_is_alike(look, ir_loop_latch(inside)))
            return NULL;
        block = ir_loop_header(inside);
    }
    for (int above = 0; above < 3; above++, block = ir_idom(ir, block)) {
        if (ir_dominates(ir, block, look->latch))
            return block;
        LLVMBasicBlockRef next = ir_idom(ir, block);
        if (!next || !ir_loop_has_block(look->loop, next) || loop_inside(look, next) || !condition_is_alike(look, next))
            return NULL;
    }
    return NULL;
}

/* ---- who fills, and who reads ---- */

/* A number of fewer bits that is made longer is itself wherever it leads into the array. */
static const Form *inside_of(const Symbol *symbol)
{
    bool is_longer = symbol->kind == SYM_OP && (symbol->op == OP_WRAP_U || symbol->op == OP_WRAP_S);
    return is_longer ? symbol->a : NULL;
}

/* Of the thread's number along x, by itself; false where parts differ between threads by other things than their numbers. */
static bool multiple_of_thread(const Form *form, int64_t factor, int64_t *multiple)
{
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        const Symbol *first = term->symbol[0];
        bool alone = term->degree == 1, threads = false;
        for (int j = 0; j < term->degree; j++)
            threads |= term->symbol[j]->kind == SYM_TID || term->symbol[j]->kind == SYM_LANE;
        if (alone && inside_of(first)) {
            if (!multiple_of_thread(inside_of(first), factor * term->coefficient, multiple))
                return false;
        } else if (term_varies(term) && !threads)
            return false;
        else if (alone && first->kind == SYM_TID && first->axis == 0)
            *multiple += factor * term->coefficient;
    }
    return !form_unknown_in(form);
}

static bool reads_others(const Form *fills, const Form *reads)
{
    int64_t filled = 0, read = 0;
    return multiple_of_thread(fills, 1, &filled) && multiple_of_thread(reads, 1, &read) && filled && read != filled;
}

/* Behind the loop that loads it, which nobody makes in vain; or with the next iteration, of this loop or of that one. */
static bool is_carried(const Look *look, LLVMValueRef user, IrLoop *inside)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
    bool behind = !ir_loop_has_block(look->loop, block) || (inside && !ir_loop_has_block(inside, block));
    return behind || (LLVMIsAPHINode(user) && ir_loop_header(ir_loop_of(look->kernel->ir, block)) == block);
}

/* Does control go on from the one block to the other, wherever it came from? */
static bool goes_on_to(LLVMBasicBlockRef block, LLVMBasicBlockRef to)
{
    enum { MOST_BLOCKS = 8 };
    for (int i = 0; i < MOST_BLOCKS && block != to; i++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
        if (LLVMGetNumSuccessors(jump) != 1)
            return false;
        block = LLVMGetSuccessor(jump, 0);
    }
    return block == to;
}

/* Does the phi take the value whenever the load's block has been there, so that it is no choice? */
static bool is_taken(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef block)
{
    bool taken = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        taken |= LLVMGetIncomingValue(phi, i) == value && goes_on_to(block, LLVMGetIncomingBlock(phi, i));
    return taken && goes_on_to(block, LLVMGetInstructionParent(phi));
}

/* Is what is loaded of any use in each iteration? Loads that the program makes under a condition may have been made without it: then a choice
 * is left, or another block that uses it. */
static bool is_used(const Look *look, LLVMValueRef load)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    IrLoop *inside = loop_inside(look, block);
    Map *seen = map_new(look->kernel->arena);
    List values = list_new(look->kernel->arena);
    list_add(&values, load);
    for (size_t i = 0; i < values.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(values.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (is_carried(look, user, inside) || map_get(seen, user))
                continue;
            if (is_op(user, LLVMSelect) || !goes_on_to(block, LLVMGetInstructionParent(user)) ||
                (LLVMIsAPHINode(user) && !is_taken(user, values.item[i], block)))
                return false;
            map_put(seen, user, user);
            list_add(&values, user);
        }
    return true;
}

/* Does an iteration do anything with it but keep it for when the loop is over, and so the last one's alone? */
static bool is_wanted(const Look *look, LLVMValueRef load)
{
    Map *seen = map_new(look->kernel->arena);
    List values = list_new(look->kernel->arena);
    list_add(&values, load);
    for (size_t i = 0; i < values.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(values.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
            if (!ir_loop_has_block(look->loop, block) || map_get(seen, user))
                continue;
            if (ir_touches_memory(user) || (LLVMIsAPHINode(user) && block == ir_loop_header(look->loop)))
                return true;
            map_put(seen, user, user);
            list_add(&values, user);
        }
    return false;
}

bool is_used_in(Kernel *kernel, IrLoop *loop, LLVMValueRef load)
{
    Look look = {kernel, loop, ir_loop_latch(loop)};
    return is_used(&look, load) && is_wanted(&look, load);
}

/* ---- ways ---- */

/* May threads wait for each other there, or see in order what others do? */
static bool may_order(LLVMValueRef instruction) { return !ir_is_copying(instruction) && !is_unordered(instruction); }

static bool orders_between(const Look *look, LLVMValueRef read, LLVMValueRef copy, LLVMBasicBlockRef decides_copy)
{
    LLVMValueRef past = LLVMGetBasicBlockTerminator(decides_copy);
    IrLoop *inside = loop_inside(look, LLVMGetInstructionParent(copy));
    if (LLVMGetInstructionParent(copy) == decides_copy)
        past = copy;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(look->kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(look->loop, b); i = LLVMGetNextInstruction(i))
            if (may_order(i) && ((inside && ir_loop_has_block(inside, b)) || leads_past(look->kernel->arena, read, past, i)))
                return true;
    return false;
}

/* ---- all of it ---- */

static bool is_refilled(const Look *look, LLVMValueRef copy, LLVMValueRef read)
{
    const Form *place = automaton_form(look->kernel->scope, LLVMGetOperand(copy, 0));
    LLVMBasicBlockRef filling = decides(look, copy), reading = decides(look, read);
    if (!filling || !reading || !LLVMIsALoadInst(read) || !form_is_alike(look, place))
        return false;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(reading);
    bool is_of_all = LLVMGetInstructionParent(read) == reading || !is_conditional(jump) ||
                     condition_is_uniform(look->kernel->scope, LLVMGetCondition(jump));
    return is_of_all && is_used(look, read) && is_wanted(look, read) &&
           reads_others(place, automaton_form(look->kernel->scope, LLVMGetOperand(read, 0))) &&
           !orders_between(look, read, copy, filling);
}

LLVMValueRef fills_again_behind(Kernel *kernel, LLVMValueRef copy)
{
    Look look = {kernel, ir_loop_of(kernel->ir, LLVMGetInstructionParent(copy)), NULL};
    while (look.loop && ir_loop_parent(look.loop))
        look.loop = ir_loop_parent(look.loop);
    look.latch = look.loop ? ir_loop_latch(look.loop) : NULL;
    LLVMBasicBlockRef filling = look.latch ? decides(&look, copy) : NULL;
    if (!filling || !form_is_alike(&look, automaton_form(kernel->scope, LLVMGetOperand(copy, 0))))
        return NULL;
    return LLVMGetInstructionParent(copy) == filling ? copy : LLVMGetBasicBlockTerminator(filling);
}

/* Blocks of one warp may count on it that their lanes go along together. */
static bool has_warps(const Kernel *kernel)
{
    int limit = form_shape(kernel->forms).limit;
    return !limit || limit > WARP_LANES;
}

static bool is_told(Kernel *kernel, const CopiedArray *array)
{
    LLVMValueRef copy = array->copies.item[0];
    Look look = {kernel, ir_loop_of(kernel->ir, LLVMGetInstructionParent(copy)), NULL};
    for (; look.loop; look.loop = ir_loop_parent(look.loop)) {
        look.latch = ir_loop_latch(look.loop);
        for (size_t r = 0; look.latch && ir_loop_trips(kernel->ir, look.loop) != 1 && r < array->reads.count; r++) {
            LLVMValueRef read = array->reads.item[r];
            if (ir_loop_has_block(look.loop, LLVMGetInstructionParent(read)) && is_refilled(&look, copy, read))
                return two_warps_read(kernel, array->array, read);
        }
    }
    return false;
}

List refilled_find(Kernel *kernel)
{
    bool has = has_warps(kernel);
    List found = has ? early_fills_meet(kernel) : list_new(kernel->arena);
    const List arrays = has ? copied_arrays(kernel) : list_new(kernel->arena);
    for (size_t i = 0; i < arrays.count; i++) {
        const CopiedArray *array = arrays.item[i];
        if (array->copies.count == 1 && !list_has(&found, array->copies.item[0]) && is_told(kernel, array))
            list_add(&found, array->copies.item[0]);
    }
    return found;
}
