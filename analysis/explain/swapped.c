/* Pointers that change places from iteration to iteration, and numbers of buffers: two buffers, or three, of one array or of several.
 *
 *     a = phi(s, b);  b = phi(s + 1024, a)           a is s in the first iteration, s + 1024 in the second one, s in the third one
 *     a = phi(s, b);  b = phi(r, a)                  a is s in the first iteration, r in the second one, s in the third one
 *     b = phi(0, b ^ 1);  s + 1024 * b               the same */
#include "analysis/address/automaton.h"
#include "analysis/explain/explain.h"
#include "analysis/explain/spot.h"

/* What the phi of a loop's header is handed from outside, or from the iteration before; NULL: from several places. */
static LLVMValueRef handed(const Kernel *kernel, LLVMValueRef phi, bool from_inside)
{
    LLVMValueRef found = NULL;
    IrLoop *loop = ir_loop_of(kernel->ir, LLVMGetInstructionParent(phi));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)) != from_inside)
            continue;
        if (found)
            return NULL;
        found = LLVMGetIncomingValue(phi, i);
    }
    return found;
}

/* What it is in that iteration, from the first one, 0, on: what another phi was handed from outside. NULL: something else. */
static LLVMValueRef value_in(const Kernel *kernel, LLVMValueRef phi, int iteration)
{
    LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    for (int i = 0; i < iteration; i++) {
        phi = handed(kernel, phi, true);
        if (!phi || !LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != header)
            return NULL;
    }
    return handed(kernel, phi, false);
}

LLVMValueRef array_in_turn(const Kernel *kernel, IrLoop *loop, LLVMValueRef number, int iteration)
{
    enum { DEEPEST = 12 };
    LLVMValueRef array = array_behind(number, 0);
    for (int depth = 0; !array && depth < DEEPEST; depth++) { /* what an address is made of comes first */
        if (!LLVMIsAInstruction(number) || LLVMIsAPHINode(number) || !LLVMGetNumOperands(number))
            break;
        number = LLVMGetOperand(number, 0);
    }
    if (array || !loop || !LLVMIsAPHINode(number) || LLVMGetInstructionParent(number) != ir_loop_header(loop))
        return array;
    LLVMValueRef value = value_in(kernel, number, iteration);
    return value ? array_behind(value, 0) : NULL;
}

/* What the phi behind the loop is handed from inside; NULL: nothing, or from several places. */
static LLVMValueRef handed_out(IrLoop *loop, LLVMValueRef phi)
{
    LLVMValueRef found = NULL;
    bool inside = ir_loop_has_block(loop, LLVMGetInstructionParent(phi));
    for (unsigned i = 0; !inside && i < LLVMCountIncoming(phi); i++) {
        if (!ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)))
            continue;
        if (found)
            return NULL;
        found = LLVMGetIncomingValue(phi, i);
    }
    return found;
}

LLVMValueRef array_behind_loop(const Kernel *kernel, IrLoop *loop, LLVMValueRef number, int last)
{
    enum { DEEPEST = 12 };
    LLVMValueRef array = array_behind(number, 0);
    for (int depth = 0; !array && depth < DEEPEST && LLVMIsAInstruction(number); depth++) {
        if (LLVMIsAPHINode(number)) {
            LLVMValueRef value = handed_out(loop, number);
            return value ? array_in_turn(kernel, loop, value, last) : NULL;
        }
        if (!LLVMGetNumOperands(number))
            return NULL;
        number = LLVMGetOperand(number, 0);
    }
    return array;
}

/* A phi of the loop's header, as it is in that iteration; NULL: nobody knows. */
static const Form *form_in_turn(const Kernel *kernel, Scope *scope, IrLoop *loop, LLVMValueRef phi, int iteration)
{
    int64_t number;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    if (kind == LLVMIntegerTypeKind && ir_number_in(loop, phi, iteration, &number))
        return form_constant(scope->kernel->forms, number);
    LLVMValueRef value = kind == LLVMPointerTypeKind ? value_in(kernel, phi, iteration) : NULL;
    return value && array_behind(value, 0) ? automaton_form(scope, value) : NULL;
}

Scope *scope_in_turn(const Kernel *kernel, IrLoop *loop, int iteration)
{
    Kernel *in = kernel_open(kernel->arena, kernel->ir, kernel->module, kernel->function, &kernel->options, NULL);
    in->scope = scope_open(in, in->function, NULL, NULL);
    LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_header(loop));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        const Form *form = form_in_turn(kernel, in->scope, loop, i, iteration);
        if (form)
            map_put(in->scope->forms, i, (void *)form);
    }
    return in->scope;
}

Scope *scope_behind(const Kernel *kernel, IrLoop *loop, int last)
{
    Scope *scope = scope_in_turn(kernel, loop, last);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
            LLVMValueRef value = handed_out(loop, i);
            if (value)
                map_put(scope->forms, i, (void *)automaton_form(scope, value));
        }
    return scope;
}
