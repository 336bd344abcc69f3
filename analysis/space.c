/* Which memory a pointer points into: by its type, or by the object that it was made from. */
#include "coalda.h"

enum { AS_GENERIC = 0, AS_GLOBAL = 1, AS_SHARED = 3, AS_CONSTANT = 4, AS_LOCAL = 5, AS_SHARED_CLUSTER = 7, AS_PARAM = 101 };
enum { MOST_STEPS = 64 };

static const char *const texts[] = {
#define X(space, text) text,
    SPACES(X)
#undef X
};

const char *space_text(Space space) { return texts[space]; }

static Space space_of_number(unsigned number)
{
    switch (number) {
    case AS_GLOBAL: return SPACE_GLOBAL;
    case AS_SHARED: case AS_SHARED_CLUSTER: return SPACE_SHARED;
    case AS_CONSTANT: return SPACE_CONSTANT;
    case AS_LOCAL: return SPACE_LOCAL;
    case AS_PARAM: return SPACE_PARAM;
    default: return SPACE_GENERIC;
    }
}

static Space root_space(Scope *scope, LLVMValueRef pointer, int *steps);

static bool is_byval(LLVMValueRef function, unsigned index)
{
    static const char name[] = "byval";
    return LLVMGetEnumAttributeAtIndex(function, index + 1, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

/* A kernel is handed pointers to global memory; its structs lie in parameter memory. */
static Space argument_space(Scope *scope, LLVMValueRef argument, int *steps)
{
    for (unsigned i = 0; i < LLVMCountParams(scope->function); i++) {
        if (LLVMGetParam(scope->function, i) != argument)
            continue;
        if (is_byval(scope->function, i))
            return scope->caller ? SPACE_LOCAL : SPACE_PARAM;
        if (scope->caller && i < LLVMGetNumArgOperands(scope->call))
            return root_space(scope->caller, LLVMGetOperand(scope->call, i), steps);
        return scope->kernel->is_entry && scope->function == scope->kernel->function ? SPACE_GLOBAL : SPACE_GENERIC;
    }
    return SPACE_GENERIC;
}

/* A pointer that the host put where only the host writes points to global memory. */
static Space loaded_space(Scope *scope, LLVMValueRef from, int *steps)
{
    Space held = root_space(scope, from, steps);
    return held == SPACE_PARAM || held == SPACE_CONSTANT ? SPACE_GLOBAL : SPACE_GENERIC;
}

/* Both sides of a choice, where they agree; a null pointer agrees with all. */
static Space joined_space(Scope *scope, LLVMValueRef value, unsigned first, unsigned end, int *steps)
{
    Space joined = SPACE_GENERIC;
    bool any = false;
    for (unsigned i = first; i < end; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        if (operand == value || LLVMIsAConstantPointerNull(operand) || LLVMIsUndef(operand))
            continue;
        Space space = root_space(scope, operand, steps);
        if (any && space != joined)
            return SPACE_GENERIC;
        joined = space;
        any = true;
    }
    return joined;
}

/* A pointer that a loop advances is where it started: only the values on entry count. */
static Space phi_space(Scope *scope, LLVMValueRef phi, int *steps)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(scope->kernel->ir, here);
    if (!loop || ir_loop_header(loop) != here)
        return joined_space(scope, phi, 0, LLVMCountIncoming(phi), steps);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)))
            return root_space(scope, LLVMGetIncomingValue(phi, i), steps);
    return SPACE_GENERIC;
}

/* The space that all of a function's returns share. */
static Space returned_space(Scope *scope, LLVMValueRef call, int *steps)
{
    Scope *callee = scope_of_call(scope, call);
    Space joined = SPACE_GENERIC;
    bool any = false;
    for (LLVMBasicBlockRef b = callee ? LLVMGetFirstBasicBlock(callee->function) : NULL; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || LLVMGetInstructionOpcode(end) != LLVMRet || LLVMGetNumOperands(end) != 1)
            continue;
        Space space = root_space(callee, LLVMGetOperand(end, 0), steps);
        if (any && space != joined)
            return SPACE_GENERIC;
        joined = space;
        any = true;
    }
    return joined;
}

static Space root_space(Scope *scope, LLVMValueRef pointer, int *steps)
{
    if ((*steps)++ > MOST_STEPS || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
        return SPACE_GENERIC;
    unsigned number = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    if (number != AS_GENERIC)
        return space_of_number(number);
    if (LLVMIsAArgument(pointer))
        return argument_space(scope, pointer, steps);
    if (LLVMIsAAllocaInst(pointer))
        return SPACE_LOCAL;
    if (LLVMIsAGlobalVariable(pointer))
        return SPACE_GLOBAL;
    if (!LLVMIsAConstantExpr(pointer) && !LLVMIsAInstruction(pointer))
        return SPACE_GENERIC;
    switch (LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer) : LLVMGetInstructionOpcode(pointer)) {
    case LLVMGetElementPtr: case LLVMAddrSpaceCast: case LLVMBitCast: case LLVMFreeze:
        return root_space(scope, LLVMGetOperand(pointer, 0), steps);
    case LLVMSelect:
        return joined_space(scope, pointer, 1, 3, steps);
    case LLVMPHI:
        return phi_space(scope, pointer, steps);
    case LLVMCall:
        return returned_space(scope, pointer, steps);
    case LLVMLoad:
        return loaded_space(scope, LLVMGetOperand(pointer, 0), steps);
    default:
        return SPACE_GENERIC;
    }
}

Space space_of(Scope *scope, LLVMValueRef pointer)
{
    int steps = 0;
    return root_space(scope, pointer, &steps);
}
