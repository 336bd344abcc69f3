
#include "analysis/address/kernel.h"
/* Which memory a pointer points into: by its type, or by the object that it was made from. */

enum { AS_GENERIC = 0, AS_GLOBAL = 1, AS_SHARED = 3, AS_CONSTANT = 4, AS_LOCAL = 5, AS_SHARED_CLUSTER = 7, AS_PARAM = 101 };
enum { MOST_STEPS = 64 };

static const char *const texts[] = {
#define X(space, text) text,
    SPACES(X)
#undef X
};

const char *space_text(Space space) { return texts[space]; }

bool has_shared_arrays(LLVMModuleRef module)
{
    LLVMValueRef global = LLVMGetFirstGlobal(module);
    while (global && !is_shared_array(global))
        global = LLVMGetNextGlobal(global);
    return global;
}

bool is_shared_array(LLVMValueRef global) { return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == AS_SHARED; }

/* NULL behind many steps, too: pointers of code that nothing reaches may lead to themselves. */
static LLVMValueRef variable_of(LLVMValueRef pointer)
{
    enum { MOST_STEPS = 1024 };
    for (int left = MOST_STEPS; left > 0; left--) {
        LLVMOpcode op = opcode_of(pointer);
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast)
            break;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAGlobalVariable(pointer);
}

LLVMValueRef shared_array_of(LLVMValueRef pointer)
{
    LLVMValueRef variable = variable_of(pointer);
    return variable && is_shared_array(variable) ? variable : NULL;
}

bool is_bank_operand(LLVMValueRef load)
{
    LLVMValueRef place = LLVMGetOperand(load, 0), variable = LLVMIsAConstant(place) ? variable_of(place) : NULL;
    return variable && LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == AS_CONSTANT;
}

static Space space_of_number(unsigned number)
{
    switch (number) {
    case AS_GLOBAL: return SPACE_GLOBAL;
    case AS_SHARED:
    case AS_SHARED_CLUSTER: return SPACE_SHARED;
    case AS_CONSTANT: return SPACE_CONSTANT;
    case AS_LOCAL: return SPACE_LOCAL;
    case AS_PARAM: return SPACE_PARAM;
    default: return SPACE_GENERIC;
    }
}

/* One question. What the pointer may have been made from is met, one object after the other. */
typedef struct {
    const Scope *top; /* whose callers do not count; NULL: they do */
    int steps;
    Space space;      /* of all that was met so far */
    bool met;
    struct {
        const Scope *scope;
        LLVMValueRef phi;
    } seen[MOST_STEPS];
    int phis;
} Search;

static void visit(Search *search, Scope *scope, LLVMValueRef pointer);

static void meet(Search *search, Space space)
{
    search->space = search->met && search->space != space ? SPACE_GENERIC : space;
    search->met = true;
}

static int index_of_argument(LLVMValueRef function, LLVMValueRef argument)
{
    unsigned index = 0;
    while (LLVMGetParam(function, index) != argument)
        index++;
    return (int)index;
}

bool argument_is_struct(LLVMValueRef argument)
{
    static const char name[] = "byval";
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned index = (unsigned)index_of_argument(function, argument);
    return LLVMGetEnumAttributeAtIndex(function, index + 1, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
}

/* A kernel is handed pointers to global memory; its structs lie in parameter memory, those of other functions in local. */
static void visit_argument(Search *search, Scope *scope, LLVMValueRef argument)
{
    unsigned index = (unsigned)index_of_argument(scope->function, argument);
    bool of_kernel = scope->kernel->is_entry && scope->function == scope->kernel->function;
    if (argument_is_struct(argument))
        meet(search, of_kernel ? SPACE_PARAM : SPACE_LOCAL);
    else if (scope->caller && scope != search->top && index < LLVMGetNumArgOperands(scope->call))
        visit(search, scope->caller, LLVMGetOperand(scope->call, index));
    else
        meet(search, of_kernel ? SPACE_GLOBAL : SPACE_GENERIC);
}

/* A pointer that the host put where only the host writes points to global memory. */
static void visit_loaded(Search *search, Scope *scope, LLVMValueRef from)
{
    Search holder = {.top = search->top, .steps = search->steps};
    visit(&holder, scope, from);
    search->steps = holder.steps;
    meet(search, holder.space == SPACE_PARAM || holder.space == SPACE_CONSTANT ? SPACE_GLOBAL : SPACE_GENERIC);
}

/* A pointer that a loop advances is met again: what it starts from, and what it is set to, counts. */
static void visit_phi(Search *search, Scope *scope, LLVMValueRef phi)
{
    for (int i = 0; i < search->phis; i++)
        if (search->seen[i].phi == phi && search->seen[i].scope == scope)
            return;
    search->seen[search->phis].scope = scope;
    search->seen[search->phis++].phi = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        visit(search, scope, LLVMGetIncomingValue(phi, i));
}

static void visit_returned(Search *search, Scope *scope, LLVMValueRef call)
{
    Scope *callee = scope_of_call(scope, call);
    if (!callee) {
        meet(search, SPACE_GENERIC);
        return;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMGetInstructionOpcode(end) == LLVMRet && LLVMGetNumOperands(end) == 1)
            visit(search, callee, LLVMGetOperand(end, 0));
    }
}

static void visit_made(Search *search, Scope *scope, LLVMValueRef pointer)
{
    switch (LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer) : LLVMGetInstructionOpcode(pointer)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze: visit(search, scope, LLVMGetOperand(pointer, 0)); break;
    case LLVMSelect:
        visit(search, scope, LLVMGetOperand(pointer, 1));
        visit(search, scope, LLVMGetOperand(pointer, 2));
        break;
    case LLVMPHI: visit_phi(search, scope, pointer); break;
    case LLVMCall: visit_returned(search, scope, pointer); break;
    case LLVMLoad: visit_loaded(search, scope, LLVMGetOperand(pointer, 0)); break;
    default: meet(search, SPACE_GENERIC);
    }
}

/* Null and what means nothing may be of any space. */
static void visit(Search *search, Scope *scope, LLVMValueRef pointer)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind;
    unsigned number = is_pointer ? LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) : AS_GENERIC;
    if (!is_pointer || search->steps == MOST_STEPS)
        meet(search, SPACE_GENERIC);
    else if (search->steps++, number != AS_GENERIC)
        meet(search, space_of_number(number));
    else if (LLVMIsAArgument(pointer))
        visit_argument(search, scope, pointer);
    else if (LLVMIsAAllocaInst(pointer))
        meet(search, SPACE_LOCAL);
    else if (LLVMIsAGlobalVariable(pointer))
        meet(search, SPACE_GLOBAL);
    else if (LLVMIsAConstantExpr(pointer) || LLVMIsAInstruction(pointer))
        visit_made(search, scope, pointer);
    else if (!LLVMIsAConstantPointerNull(pointer) && !LLVMIsUndef(pointer))
        meet(search, SPACE_GENERIC);
}

Space space_of(Scope *scope, LLVMValueRef pointer)
{
    Search search = {.space = SPACE_GENERIC};
    visit(&search, scope, pointer);
    return search.space;
}

Space space_proved(Scope *scope, LLVMValueRef pointer)
{
    Search search = {.top = scope, .space = SPACE_GENERIC};
    visit(&search, scope, pointer);
    return search.space;
}

bool space_is_told(Scope *scope, LLVMValueRef call, bool *answer)
{
    bool global = is_call_of(call, "llvm.nvvm.isspacep.global"), shared = is_call_of(call, "llvm.nvvm.isspacep.shared");
    if (!global && !shared)
        return false;
    LLVMValueRef pointer = LLVMGetOperand(call, 0);
    bool in_array = shared_array_of(pointer) != NULL; /* of this block: another block's array is not what is asked for */
    *answer = in_array == shared;
    return in_array || space_proved(scope, pointer) == SPACE_GLOBAL;
}

bool is_matrix_name(const char *name)
{
    static const char matrix[] = "llvm.nvvm.wmma.";
    return strncmp(name, matrix, sizeof matrix - 1) == 0;
}

static bool is_matrix_by_generic_pointer(LLVMValueRef instruction)
{
    bool is_matrix = LLVMIsACallInst(instruction) && is_matrix_name(callee_name(instruction));
    LLVMValueRef pointer = is_matrix ? LLVMGetOperand(instruction, 0) : NULL;
    return pointer && LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == AS_GENERIC;
}

Space space_of_matrix(Scope *scope, LLVMValueRef call)
{
    if (!is_matrix_by_generic_pointer(call))
        return SPACE_GENERIC;
    LLVMValueRef pointer = LLVMGetOperand(call, 0);
    if (shared_array_of(pointer)) /* of this block */
        return SPACE_SHARED;
    return space_proved(scope, pointer) == SPACE_GLOBAL ? SPACE_GLOBAL : SPACE_GENERIC;
}
