/* Collects every access that a kernel makes, in its own body and in the bodies that it calls. */
#include <string.h>

#include "analysis/access/access.h"

static const char *const class_texts[] = {
#define X(class, text) text,
    CLASSES(X)
#undef X
};

const char *class_text(Class kind) { return class_texts[kind]; }

const char *op_text(AccessOp op) { return op == OP_LOAD ? "load" : op == OP_STORE ? "store" : "atomic"; }

static Access *access_add(Scope *scope, LLVMValueRef instruction, LLVMValueRef pointer, AccessOp op, uint64_t bytes, int alignment,
                          int widest)
{
    enum { MOST_BYTES = 4096 }; /* of one thread: a longer copy is a loop, not a record */
    if (bytes == 0 || bytes > MOST_BYTES)
        return NULL;
    Access *access = ARENA_NEW(scope->kernel->arena, Access);
    IrModule *ir = scope->kernel->ir;
    access->scope = scope;
    access->instruction = instruction;
    access->pointer = pointer;
    access->op = op;
    access->bytes = (int)bytes;
    access->alignment = alignment < 1 ? 1 : alignment;
    access->piece = access->alignment < widest ? access->alignment : widest;
    access->space = space_of(scope, pointer);
    access->address = automaton_form(scope, pointer);
    access->loop = ir_loop_of(ir, LLVMGetInstructionParent(instruction));
    access->depth = ir_loop_depth(access->loop);
    for (const Scope *s = scope; s->caller; s = s->caller)
        access->depth += ir_loop_depth(ir_loop_of(ir, LLVMGetInstructionParent(s->call)));
    list_add(&scope->kernel->found.accesses, access);
    return access;
}

/* The backend splits what is not aligned to its size. */
static void access_of_value(Scope *scope, LLVMValueRef instruction, LLVMValueRef pointer, AccessOp op, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return; /* of no target that runs here */
    access_add(scope, instruction, pointer, op, LLVMStoreSizeOfType(scope->kernel->layout, type),
               (int)LLVMGetAlignment(instruction), REQUEST_BYTES);
}

bool is_plain(LLVMValueRef access) { return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic; }

bool access_orders(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW: return LLVMGetVolatile(i) || LLVMGetOrdering(i) > LLVMAtomicOrderingMonotonic;
    case LLVMAtomicCmpXchg:
        return LLVMGetVolatile(i) || LLVMGetCmpXchgSuccessOrdering(i) > LLVMAtomicOrderingMonotonic ||
               LLVMGetCmpXchgFailureOrdering(i) > LLVMAtomicOrderingMonotonic;
    default: return false;
    }
}

int alignment_of_operand(LLVMValueRef call, unsigned operand)
{
    static const char name[] = "align";
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, operand + 1,
                                                          LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
    return align ? (int)LLVMGetEnumAttributeValue(align) : 1;
}

/* The backend moves a copy in the widest pieces that its alignment allows, of at most eight bytes. */
static void access_of_memory(Scope *scope, LLVMValueRef call, bool reads)
{
    enum { COPY_PIECE = 8 };
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
    if (!size)
        return;
    uint64_t bytes = LLVMConstIntGetZExtValue(size);
    int to = alignment_of_operand(call, 0), from = reads ? alignment_of_operand(call, 1) : to;
    int piece = to < from ? to : from;
    if (piece > COPY_PIECE)
        piece = COPY_PIECE;
    Access *source = reads ? access_add(scope, call, LLVMGetOperand(call, 1), OP_LOAD, bytes, from, piece) : NULL;
    Access *target = access_add(scope, call, LLVMGetOperand(call, 0), OP_STORE, bytes, to, piece);
    if (source) {
        source->partner = target;
        target->partner = source;
    }
}

int async_bytes(const char *name)
{
    const char *digits = name + strlen(name);
    if (digits > name + 2 && digits[-1] == 's' && digits[-2] == '.')
        digits -= 2;
    return digits[-1] == '6' ? 16 : digits[-1] - '0';
}

/* cp.async: destination first. */
static void access_of_async(Scope *scope, LLVMValueRef call, const char *name)
{
    int bytes = async_bytes(name);
    access_add(scope, call, LLVMGetOperand(call, 1), OP_LOAD, (uint64_t)bytes, bytes, REQUEST_BYTES);
    access_add(scope, call, LLVMGetOperand(call, 0), OP_STORE, (uint64_t)bytes, bytes, REQUEST_BYTES);
}

/* Of a block's threads, or of the system's: the place first, then a value. */
static void access_of_atomic(Scope *scope, LLVMValueRef call)
{
    uint64_t bytes = LLVMStoreSizeOfType(scope->kernel->layout, LLVMTypeOf(LLVMGetOperand(call, 1)));
    access_add(scope, call, LLVMGetOperand(call, 0), OP_ATOMIC, bytes, (int)bytes, REQUEST_BYTES);
}

static void collect_body(Scope *scope);

static void collect_call(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = callee_name(call);
    AccessOp op;
    unsigned operand;
    int bytes;
    if (assembly_access(call, &op, &operand, &bytes))
        access_add(scope, call, LLVMGetOperand(call, operand), op, (uint64_t)bytes, bytes, REQUEST_BYTES);
    else if (text_begins(name, "llvm.nvvm.atomic."))
        access_of_atomic(scope, call);
    else if (text_begins(name, "llvm.memcpy.") || text_begins(name, "llvm.memmove."))
        access_of_memory(scope, call, true);
    else if (text_begins(name, "llvm.memset."))
        access_of_memory(scope, call, false);
    else if (text_begins(name, "llvm.nvvm.cp.async.ca.shared.global.") || text_begins(name, "llvm.nvvm.cp.async.cg.shared.global."))
        access_of_async(scope, call, name);
    else if (callee && !LLVMIsDeclaration(callee)) {
        Scope *inside = scope_of_call(scope, call);
        if (!inside)
            inside = scope_stray(scope->kernel, callee);
        if (inside)
            collect_body(inside);
    }
}

static void collect_instruction(Scope *scope, LLVMValueRef instruction)
{
    if (ir_is_marked(instruction, DOUBT_METADATA))
        return; /* an early one stands for it */
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad: access_of_value(scope, instruction, LLVMGetOperand(instruction, 0), OP_LOAD, LLVMTypeOf(instruction)); break;
    case LLVMStore:
        access_of_value(scope, instruction, LLVMGetOperand(instruction, 1), OP_STORE, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        access_of_value(scope, instruction, LLVMGetOperand(instruction, 0), OP_ATOMIC, LLVMTypeOf(LLVMGetOperand(instruction, 1)));
        break;
    case LLVMCall: collect_call(scope, instruction); break;
    default: break;
    }
}

/* Loops that are there as the slow path of others: nothing more is to be said of them, or done with them. */
static List find_originals(const Scope *scope)
{
    List loops = list_new(scope->kernel->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (ir_is_marked(i, ASIDE_METADATA) && ir_loop_of(scope->kernel->ir, b))
                list_add(&loops, ir_loop_of(scope->kernel->ir, b));
    return loops;
}

static bool is_in_any(const List *loops, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < loops->count; i++)
        if (ir_loop_has_block(loops->item[i], block))
            return true;
    return false;
}

static void collect_body(Scope *scope)
{
    List originals = find_originals(scope);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!ir_reachable(scope->kernel->ir, b) || is_in_any(&originals, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            collect_instruction(scope, i);
    }
}

void access_collect(Kernel *kernel)
{
    kernel->scope = scope_open(kernel, kernel->function, NULL, NULL);
    collect_body(kernel->scope);
}

/* ---- what an instruction orders ---- */

static bool is_constant_bool(LLVMValueRef value, bool wanted)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == wanted;
}

bool is_simple(LLVMValueRef instruction)
{
    enum { VOLATILE_OPERAND = 3 };
    if (LLVMIsAMemCpyInst(instruction) || LLVMIsAMemMoveInst(instruction) || LLVMIsAMemSetInst(instruction))
        return is_constant_bool(LLVMGetOperand(instruction, VOLATILE_OPERAND), false);
    return (LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)) && is_plain(instruction);
}

bool is_harmless(LLVMValueRef instruction)
{
    static const char *const markers[] = {"llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias."};
    if (LLVMIsACallInst(instruction) && ir_is_convergent(instruction))
        return false;
    if (!ir_touches_memory(instruction))
        return true;
    const char *name = LLVMIsACallInst(instruction) ? callee_name(instruction) : "";
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
        if (text_begins(name, markers[i]))
            return true;
    return false;
}

bool is_unordered(LLVMValueRef instruction)
{
    bool is_access = LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction);
    return is_access ? is_plain(instruction) : is_harmless(instruction);
}

const Access *access_of(const Scope *scope, LLVMValueRef instruction, AccessOp op)
{
    const List *all = &scope->kernel->found.accesses;
    for (size_t i = 0; i < all->count; i++) {
        const Access *access = all->item[i];
        if (access->instruction == instruction && access->op == op && access->scope == scope)
            return access;
    }
    return NULL;
}

const Access *access_of_load(const Scope *scope, LLVMValueRef load) { return access_of(scope, load, OP_LOAD); }
