/* What is asked of IR everywhere. */
#ifndef COALDA_IR_H
#define COALDA_IR_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_BYTES = 4 };
enum { GLOBAL_SPACE = 1, SHARED_SPACE = 3 }; /* LLVM's numbers */

/* By one user, and there once. */
static inline bool is_used_once(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

static inline bool text_begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Of what is called; "" where that is not known. */
static inline const char *callee_name(LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    return callee ? LLVMGetValueName2(callee, &length) : "";
}

static inline bool is_call_of(LLVMValueRef instruction, const char *name)
{
    return LLVMIsACallInst(instruction) && strcmp(callee_name(instruction), name) == 0;
}

/* What a constant expression is made of. */
static inline LLVMValueRef stripped(LLVMValueRef constant)
{
    while (LLVMIsAConstantExpr(constant) && LLVMGetNumOperands(constant) > 0)
        constant = LLVMGetOperand(constant, 0);
    return constant;
}

static inline bool is_op(LLVMValueRef value, LLVMOpcode op)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == op;
}

/* Of an instruction or a constant expression; 0 of anything else. */
static inline LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAConstantExpr(value))
        return LLVMGetConstOpcode(value);
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

static inline bool is_real_kind(LLVMTypeKind kind)
{
    return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Does it write one place, which it names? */
static inline bool writes_place(LLVMValueRef i) { return LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i); }

/* Of a load, a store, an atomic or a call that adds: the pointer that it goes through; of one of the first three, the type of what it moves. */
static inline LLVMValueRef pointer_of_access(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}
static inline LLVMTypeRef type_of_access(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, LLVMIsAAtomicRMWInst(access) ? 1 : 0));
}

/* What the phi has where control comes from the block; NULL where it never does. */
static inline LLVMValueRef phi_value_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static inline bool jumps_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (LLVMGetSuccessor(jump, s) == next)
            return true;
    return false;
}

#endif
