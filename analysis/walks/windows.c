/* Rows that are windows, cut off at edges: of pooling layers, box filters, neighbourhoods.
 *
 *     begin = max(x * stride - pad, 0), end = min(x * stride - pad + size, width);
 *     for (j = begin; j < end; j++) m = max(m, in[y * width + j]);
 *
 * They are short, and neighbours' overlap: what one lane loads lies in the first-level cache for the next one. A loop that is made longer takes
 * registers for pieces that no window has: maxima of 3 x 3 came to 0.57 of plain clang (H200).
 *
 * A window is known by its length: for a thread that no edge is near, the hundredth of a row, that is one number that the launch gives, `size`, with some choice of
 * the others. Chunks of an array have such a length as well, and are rows: there the next thread begins so much further.
 *
 * Rows of a table that threads take in turn, as they come round to them by more than one, are no better:
 *
 *     phase = t * down % up;                    for (k = 0; k < taps; k++) s += x[..] * h[phase * taps + k];
 *
 * Filters that resample by 3/2 came to 0.87 of plain clang, by 80 registers for 32 (H200). Those that begin at t % n are rows as others are. */
#include "analysis/walks/walks.h"

enum { NUMBERS = 6, THREAD = 100, THREADS = 128, SHORT = 64, FAR = 1 << 28 };

typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
    IrGiven given[NUMBERS];
    size_t count;
} Told;

static int64_t trips_of(Told *told, size_t number, int64_t length)
{
    const IrPlace place = {THREAD, 0, THREADS, true};
    told->given[number].value = length;
    return ir_loop_trips_if(told->kernel->ir, told->loop, told->given, told->count, &place);
}

/* Does the loop run as often as the number says, or, unrolled, for each so many of that? */
static bool follows(Told *told, size_t number)
{
    int64_t once = trips_of(told, number, SHORT);
    bool holds = once > 0;
    for (int64_t times = 2; holds && times <= 8; times *= 2)
        holds = trips_of(told, number, times * SHORT) == times * once;
    return holds;
}

/* Is there any choice of the others, each as far as can be or next to nothing, with which it does? */
static bool tells_length(Told *told, size_t number)
{
    for (unsigned far = 0; far < 1u << told->count; far++) {
        for (size_t i = 0; i < told->count; i++)
            told->given[i].value = far >> i & 1 ? FAR : 1;
        if (follows(told, number))
            return true;
    }
    return false;
}

/* An argument, or a member of a struct that is one; NULL where the number is part of what the address knows it by. */
static const Symbol *symbol_of(const Kernel *kernel, const IrGiven *given)
{
    const Form *form = kernel->scope->argument[given->argument];
    if (given->offset != IR_ARGUMENT) {
        const Form *place = form_add(kernel->forms, form, form_constant(kernel->forms, given->offset));
        form = place ? form_op_leaf(kernel->forms, place, SYM_UNIFORM) : NULL;
    }
    return form ? form_symbol(form) : NULL;
}

static bool is_made_of(const Form *form, const Symbol *number);

/* What is chosen says nothing of how far threads are apart: in a loop that clang has unrolled it is where that begins. */
static bool symbol_is_made_of(const Symbol *symbol, const Symbol *number)
{
    if (symbol->kind != SYM_OP || symbol->guard || (symbol->op >= OP_SMIN && symbol->op <= OP_UMAX))
        return symbol == number;
    return is_made_of(symbol->a, number) || is_made_of(symbol->b, number);
}

static bool is_made_of(const Form *form, const Symbol *number)
{
    bool any = false;
    for (int i = 0; form && !any && i < form->count; i++)
        for (int j = 0; !any && j < form->term[i].degree; j++)
            any = symbol_is_made_of(form->term[i].symbol[j], number);
    return any;
}

/* Does the next thread begin as far on as the number says, or by what is computed from it? */
static bool begins_behind(const Kernel *kernel, const Access *row, const IrGiven *length)
{
    const Symbol *number = symbol_of(kernel, length);
    return !number || is_made_of(row->address, number);
}

static bool is_given(const Told *told, const Symbol *number)
{
    bool any = number->kind != SYM_UNIFORM;
    for (size_t i = 0; !any && i < told->count; i++)
        any = symbol_of(told->kernel, &told->given[i]) == number;
    return any;
}

/* Is the next thread's row further on by what the loop's bounds are computed from as well? Rows of a matrix are by a pitch, wherever they are cut off. */
static bool moves_by_bounds(const Told *told, const Form *stride)
{
    for (int i = 0; stride && i < stride->count; i++)
        for (int j = 0; j < stride->term[i].degree; j++)
            if (!is_given(told, stride->term[i].symbol[j]))
                return false;
    return true;
}

enum { PHASE_STEPS = 12, PHASE_VISITS = 512 };

/* Is it computed from a quotient, or a rest, of a number of the thread's that is multiplied by another one of run time? As far as so many visits tell. */
static bool begins_at_phase(LLVMValueRef value, int steps, int *visits)
{
    LLVMValueRef instruction = LLVMIsAInstruction(value);
    if (!instruction || !steps || --*visits < 0 || LLVMIsALoadInst(instruction) || LLVMIsACallInst(instruction))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
    bool divides = op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
    LLVMValueRef dividend = LLVMGetOperand(instruction, 0);
    if (divides && is_op(dividend, LLVMMul) && !LLVMIsAConstantInt(LLVMGetOperand(dividend, 1)) &&
        !LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)))
        return true;
    bool any = false;
    for (int i = 0; !any && i < LLVMGetNumOperands(instruction); i++)
        any = begins_at_phase(LLVMGetOperand(instruction, (unsigned)i), steps - 1, visits);
    return any;
}

bool row_is_window(const Kernel *kernel, const Access *row)
{
    Told told = {.kernel = kernel, .loop = row->loop};
    int visits = PHASE_VISITS;
    if (begins_at_phase(row->pointer, PHASE_STEPS, &visits))
        return true;
    if (uniform_leave(row->scope, row->loop) || row->scope->function != kernel->function ||
        !ir_loop_given(kernel->ir, row->loop, told.given, NUMBERS, &told.count) || told.count < 2 ||
        !moves_by_bounds(&told, row->stride))
        return false;
    for (size_t i = 0; i < told.count; i++)
        if (tells_length(&told, i) && !begins_behind(kernel, row, &told.given[i]))
            return true;
    return false;
}
