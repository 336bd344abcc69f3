/* Does a copy fill another place every time that it is made?
 *
 *     s[k]                    k moves on
 *     s[k / w][k % w]         the two tell k, if a row has as many elements as w at least
 *     s[j][i]                 i stays within its row while j, in the loop around, moves on by whole rows
 */
#include "analysis/rings/search.h"

/* s[row][column], where the place is no longer than the element. */
typedef struct {
    LLVMValueRef row, column; /* a pointer, an index */
    int64_t width;            /* elements of a row */
} Element;

static LLVMValueRef without_extension(LLVMValueRef value)
{
    while (opcode_of(value) == LLVMZExt || opcode_of(value) == LLVMSExt)
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool is_index(LLVMValueRef pointer) { return LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 2; }

static int64_t step_of(const Kernel *kernel, LLVMValueRef pointer)
{
    return (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGetGEPSourceElementType(pointer));
}

static bool element_of(const Kernel *kernel, Place place, Element *element)
{
    int64_t constant;
    LLVMValueRef pointer = ir_without_offset(place.pointer, &constant);
    LLVMValueRef row = is_index(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    if (!row || !is_index(row) || step_of(kernel, pointer) < place.bytes)
        return false;
    *element = (Element){row, without_extension(LLVMGetOperand(pointer, 1)), step_of(kernel, row) / step_of(kernel, pointer)};
    return true;
}

/* ---- one number, divided ---- */

static int64_t constant_of(LLVMValueRef value)
{
    LLVMValueRef constant = LLVMIsAConstantInt(value);
    return constant && LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 32 ? (int64_t)LLVMConstIntGetZExtValue(constant) : 0;
}

/* w, of k / w; 0 of anything else. */
static int64_t divisor_of(LLVMValueRef row)
{
    enum { MOST_BITS = 20 };
    if (opcode_of(row) == LLVMUDiv)
        return constant_of(LLVMGetOperand(row, 1));
    int64_t bits = opcode_of(row) == LLVMLShr ? constant_of(LLVMGetOperand(row, 1)) : 0;
    return bits > 0 && bits < MOST_BITS ? INT64_C(1) << bits : 0;
}

/* Is it k % w, or k - k / w * w, where `row` is k / w? */
static bool is_rest(LLVMValueRef column, LLVMValueRef row, int64_t divisor)
{
    LLVMOpcode op = opcode_of(column);
    if (op != LLVMURem && op != LLVMAnd && op != LLVMSub)
        return false;
    LLVMValueRef by = LLVMGetOperand(column, 1);
    if (op == LLVMSub)
        return opcode_of(by) == LLVMMul && LLVMGetOperand(by, 0) == row && constant_of(LLVMGetOperand(by, 1)) == divisor;
    return constant_of(by) == (op == LLVMAnd ? divisor - 1 : divisor) && (op != LLVMAnd || opcode_of(row) == LLVMLShr);
}

/* The number without what only cuts off bits that it does not have. */
static LLVMValueRef whole_number(Scope *scope, LLVMValueRef number)
{
    while (opcode_of(number) == LLVMFreeze || opcode_of(number) == LLVMTrunc) {
        LLVMValueRef inside = LLVMGetOperand(number, 0);
        if (opcode_of(number) == LLVMTrunc &&
            !ir_is_below(scope->kernel->ir, scope->function, inside, INT64_C(1) << LLVMGetIntTypeWidth(LLVMTypeOf(number))))
            return NULL;
        number = inside;
    }
    return number;
}

/* k, of s[k / w][k % w]. */
static LLVMValueRef number_of(Scope *scope, const Element *element)
{
    LLVMValueRef row = without_extension(LLVMGetOperand(element->row, 1));
    int64_t divisor = divisor_of(row);
    if (!divisor || divisor > element->width || !is_rest(element->column, row, divisor))
        return NULL;
    LLVMValueRef number = whole_number(scope, LLVMGetOperand(row, 0));
    return number && number == whole_number(scope, LLVMGetOperand(element->column, 0)) ? number : NULL;
}

/* ---- loops ---- */

static bool place_moves_on(Scope *scope, IrLoop *loop, Place place, bool *unless_wraps)
{
    Element element;
    IrModule *ir = scope->kernel->ir;
    LLVMBasicBlockRef header = ir_loop_header(loop);
    if (ir_moves_on(ir, scope->function, header, place.pointer, place.bytes, unless_wraps))
        return true;
    LLVMValueRef number = element_of(scope->kernel, place, &element) ? number_of(scope, &element) : NULL;
    return number && ir_moves_on(ir, scope->function, header, number, 1, unless_wraps);
}

/* An index that wraps would first leave the array, where it is an index of every iteration: shared memory has no place for so
 * many. */
bool fill_moves_on(Scope *scope, IrLoop *loop, const RingCopy *copy)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(copy->store), header = ir_loop_header(loop);
    bool wraps;
    if (!place_moves_on(scope, loop, (Place){copy->target, copy->bytes, NULL}, &wraps))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); wraps && b; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(loop, b) && jumps_to(b, header) && !ir_dominates(scope->kernel->ir, block, b))
            return false;
    return true;
}

bool fill_moves_on_outside(Scope *scope, IrLoop *around, Place place)
{
    Element element;
    bool wraps;
    IrModule *ir = scope->kernel->ir;
    LLVMBasicBlockRef header = ir_loop_header(around);
    return element_of(scope->kernel, place, &element) && ir_is_below(ir, scope->function, element.column, element.width) &&
           ir_moves_on(ir, scope->function, header, element.row, step_of(scope->kernel, element.row), &wraps) && !wraps;
}
