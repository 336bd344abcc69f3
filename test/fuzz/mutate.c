/* What an optimizer never writes but the language allows: operands from anywhere that dominates, constants at the
 * limits of their type, odd widths, branches turned around, phis of themselves, blocks that nothing reaches.
 *
 * An edit is tried and the function verified. Edits of operands and successors are noted in the trial, so that a
 * refused one is taken back; edits of other kinds are valid by construction. */
#include "mutate.h"

#include <llvm-c/Analysis.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 20000, MOST_CHANGES = 4, MOST_EDITS = 40 };

typedef struct {
    LLVMValueRef user, old;
    unsigned index;
} Change;

/* One function that is being edited. */
typedef struct {
    uint64_t state;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMValueRef function;
    LLVMValueRef *value; /* its instructions, then its arguments and the module's globals */
    unsigned instructions, values;
    Change change[MOST_CHANGES];
    unsigned changes;
} Trial;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t draw(Trial *trial)
{
    uint64_t z = (trial->state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static unsigned below(Trial *trial, unsigned limit) { return limit ? (unsigned)(draw(trial) % limit) : 0; }

/* ---- the function's values ---- */

static void keep(Trial *trial, LLVMValueRef value)
{
    if (trial->values < MOST_VALUES)
        trial->value[trial->values++] = value;
}

static void values_collect(Trial *trial)
{
    trial->values = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(trial->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            keep(trial, i);
    trial->instructions = trial->values;
    for (LLVMValueRef a = LLVMGetFirstParam(trial->function); a; a = LLVMGetNextParam(a))
        keep(trial, a);
    for (LLVMValueRef g = LLVMGetFirstGlobal(trial->module); g; g = LLVMGetNextGlobal(g))
        keep(trial, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(trial->module); f; f = LLVMGetNextFunction(f))
        keep(trial, f);
}

static bool is_int(LLVMValueRef value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind; }

typedef bool (*Filter)(LLVMValueRef instruction);

/* A random instruction that passes the filter; NULL where some tries find none. */
static LLVMValueRef pick(Trial *trial, Filter filter)
{
    for (int tries = 0; tries < 64 && trial->instructions; tries++) {
        LLVMValueRef found = trial->value[below(trial, trial->instructions)];
        if (!filter || filter(found))
            return found;
    }
    return NULL;
}

static LLVMValueRef pick_typed(Trial *trial, LLVMTypeRef type)
{
    for (int tries = 0; tries < 64 && trial->values; tries++) {
        LLVMValueRef found = trial->value[below(trial, trial->values)];
        if (LLVMTypeOf(found) == type)
            return found;
    }
    return NULL;
}

static LLVMValueRef extreme(Trial *trial, LLVMTypeRef type)
{
    static const uint64_t words[] = {0,
                                     1,
                                     2,
                                     3,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     127,
                                     255,
                                     4096,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     INT64_MAX,
                                     (uint64_t)INT64_MIN,
                                     INT32_MAX,
                                     (uint64_t)INT32_MIN,
                                     UINT64_C(1) << 31,
                                     UINT32_MAX,
                                     UINT64_C(1) << 32,
                                     UINT64_C(1) << 62};
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return below(trial, 2) ? LLVMConstNull(type) : LLVMGetUndef(type);
    unsigned width = LLVMGetIntTypeWidth(type), choice = below(trial, sizeof words / sizeof *words + 1);
    if (choice == sizeof words / sizeof *words) /* INT_MIN of the type itself */
        return width <= 64 ? LLVMConstInt(type, UINT64_C(1) << (width - 1), false) : LLVMConstAllOnes(type);
    return LLVMConstInt(type, words[choice], true);
}

/* ---- changes that can be taken back ---- */

static void set_operand(Trial *trial, LLVMValueRef user, unsigned index, LLVMValueRef value)
{
    trial->change[trial->changes++] = (Change){user, LLVMGetOperand(user, index), index};
    LLVMSetOperand(user, index, value);
}

static void take_back(Trial *trial)
{
    while (trial->changes) {
        const Change *change = &trial->change[--trial->changes];
        LLVMSetOperand(change->user, change->index, change->old);
    }
}

static bool has_operands(LLVMValueRef i) { return LLVMGetNumOperands(i) > 0; }

static bool is_changeable(LLVMValueRef operand)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(operand));
    return kind != LLVMMetadataTypeKind && kind != LLVMLabelTypeKind && kind != LLVMTokenTypeKind;
}

/* An operand of a random instruction; false where it is a block or metadata. */
static bool pick_operand(Trial *trial, LLVMValueRef *user, unsigned *index)
{
    *user = pick(trial, has_operands);
    if (!*user)
        return false;
    *index = below(trial, (unsigned)LLVMGetNumOperands(*user));
    return is_changeable(LLVMGetOperand(*user, *index));
}

static void edit_operand(Trial *trial)
{
    LLVMValueRef user;
    unsigned index;
    if (!pick_operand(trial, &user, &index))
        return;
    LLVMValueRef other = pick_typed(trial, LLVMTypeOf(LLVMGetOperand(user, index)));
    if (other)
        set_operand(trial, user, index, other);
}

static void edit_constant(Trial *trial)
{
    LLVMValueRef user;
    unsigned index;
    if (pick_operand(trial, &user, &index))
        set_operand(trial, user, index, extreme(trial, LLVMTypeOf(LLVMGetOperand(user, index))));
}

static void edit_swap(Trial *trial)
{
    LLVMValueRef user;
    unsigned index;
    if (!pick_operand(trial, &user, &index))
        return;
    unsigned other = below(trial, (unsigned)LLVMGetNumOperands(user));
    LLVMValueRef a = LLVMGetOperand(user, index), b = LLVMGetOperand(user, other);
    if (LLVMTypeOf(a) != LLVMTypeOf(b))
        return;
    set_operand(trial, user, index, b);
    set_operand(trial, user, other, a);
}

static bool is_phi(LLVMValueRef i) { return LLVMIsAPHINode(i) != NULL; }

static void edit_phi_of_itself(Trial *trial)
{
    LLVMValueRef phi = pick(trial, is_phi);
    if (phi)
        set_operand(trial, phi, below(trial, (unsigned)LLVMGetNumOperands(phi)), phi);
}

static bool is_gep(LLVMValueRef i) { return LLVMIsAGetElementPtrInst(i) != NULL; }

static void edit_index(Trial *trial)
{
    LLVMValueRef gep = pick(trial, is_gep);
    if (!gep)
        return;
    unsigned index = 1 + below(trial, (unsigned)LLVMGetNumOperands(gep) - 1);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(gep, index));
    LLVMValueRef other = below(trial, 2) ? pick_typed(trial, type) : NULL;
    set_operand(trial, gep, index, other ? other : extreme(trial, type));
}

/* ---- edits that are valid by construction ---- */

static void replace(Trial *trial, LLVMValueRef old, LLVMValueRef with)
{
    LLVMReplaceAllUsesWith(old, with);
    LLVMInstructionEraseFromParent(old);
    values_collect(trial);
}

static LLVMBuilderRef builder_before(Trial *trial, LLVMValueRef instruction)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(trial->context);
    LLVMPositionBuilderBefore(builder, instruction);
    return builder;
}

static bool is_binary_int(LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMIsABinaryOperator(i) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

static const LLVMOpcode int_opcodes[] = {LLVMAdd, LLVMSub,  LLVMMul,  LLVMUDiv, LLVMSDiv, LLVMURem, LLVMSRem,
                                         LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,   LLVMXor};

static LLVMOpcode any_opcode(Trial *trial) { return int_opcodes[below(trial, sizeof int_opcodes / sizeof *int_opcodes)]; }

static void edit_opcode(Trial *trial)
{
    LLVMValueRef old = pick(trial, is_binary_int);
    if (!old)
        return;
    LLVMBuilderRef builder = builder_before(trial, old);
    LLVMValueRef made = LLVMBuildBinOp(builder, any_opcode(trial), LLVMGetOperand(old, 0), LLVMGetOperand(old, 1), "op");
    LLVMDisposeBuilder(builder);
    replace(trial, old, made);
}

static bool takes_int(LLVMValueRef i)
{
    return !LLVMIsAPHINode(i) && !LLVMIsASwitchInst(i) && !LLVMIsACallInst(i) && LLVMGetNumOperands(i) > 0 &&
           is_int(LLVMGetOperand(i, 0));
}

/* x becomes x op (another value or a constant) where one instruction reads it. */
static void edit_insert(Trial *trial)
{
    LLVMValueRef user = pick(trial, takes_int);
    if (!user)
        return;
    LLVMValueRef old = LLVMGetOperand(user, 0), other = below(trial, 2) ? old : extreme(trial, LLVMTypeOf(old));
    LLVMBuilderRef builder = builder_before(trial, user);
    set_operand(trial, user, 0, LLVMBuildBinOp(builder, any_opcode(trial), old, other, "more"));
    LLVMDisposeBuilder(builder);
}

/* x goes through an integer of a width that source code has no type for. */
static void edit_width(Trial *trial)
{
    static const unsigned widths[] = {1, 2, 7, 8, 16, 24, 31, 32, 33, 63, 64, 65, 128, 200};
    LLVMValueRef user = pick(trial, takes_int);
    if (!user)
        return;
    LLVMValueRef old = LLVMGetOperand(user, 0);
    LLVMTypeRef type = LLVMTypeOf(old), odd = LLVMIntTypeInContext(trial->context, widths[below(trial, 14)]);
    LLVMBuilderRef builder = builder_before(trial, user);
    LLVMValueRef there = LLVMBuildIntCast2(builder, old, odd, below(trial, 2), "odd");
    there = LLVMBuildBinOp(builder, any_opcode(trial), there, below(trial, 2) ? there : extreme(trial, odd), "odder");
    set_operand(trial, user, 0, LLVMBuildIntCast2(builder, there, type, below(trial, 2), "even"));
    LLVMDisposeBuilder(builder);
}

static bool is_compare(LLVMValueRef i) { return LLVMIsAICmpInst(i) != NULL; }

static void edit_predicate(Trial *trial)
{
    LLVMValueRef old = pick(trial, is_compare);
    if (!old)
        return;
    LLVMIntPredicate predicate = (LLVMIntPredicate)(LLVMIntEQ + below(trial, LLVMIntSLE - LLVMIntEQ + 1));
    LLVMBuilderRef builder = builder_before(trial, old);
    LLVMValueRef made = LLVMBuildICmp(builder, predicate, LLVMGetOperand(old, 0), LLVMGetOperand(old, 1), "compared");
    LLVMDisposeBuilder(builder);
    if (made != old)
        replace(trial, old, made);
}

static bool is_store(LLVMValueRef i) { return LLVMIsAStoreInst(i) != NULL; }

static void edit_delete(Trial *trial)
{
    LLVMValueRef store = pick(trial, is_store);
    if (!store)
        return;
    LLVMInstructionEraseFromParent(store);
    values_collect(trial);
}

static bool can_wrap(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
}

static void edit_flags(Trial *trial)
{
    LLVMValueRef sum = pick(trial, can_wrap);
    if (!sum)
        return;
    LLVMSetNUW(sum, (LLVMBool)below(trial, 2));
    LLVMSetNSW(sum, (LLVMBool)below(trial, 2));
}

static void edit_metadata(Trial *trial)
{
    static const char *const kinds[] = {"dbg", "tbaa", "range", "noundef", "llvm.loop", "prof"};
    LLVMValueRef from = pick(trial, NULL);
    const char *kind = kinds[below(trial, sizeof kinds / sizeof *kinds)];
    if (from)
        LLVMSetMetadata(from, LLVMGetMDKindIDInContext(trial->context, kind, (unsigned)strlen(kind)), NULL);
}

/* ---- control flow ---- */

static bool branches(LLVMValueRef i) { return LLVMIsABranchInst(i) && LLVMIsConditional(i); }

static void edit_turn(Trial *trial)
{
    LLVMValueRef branch = pick(trial, branches);
    if (!branch)
        return;
    LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0);
    LLVMSetSuccessor(branch, 0, LLVMGetSuccessor(branch, 1));
    LLVMSetSuccessor(branch, 1, yes);
}

static bool has_phi(LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && LLVMIsAPHINode(first);
}

static LLVMBasicBlockRef any_block(Trial *trial)
{
    LLVMValueRef at = pick(trial, NULL);
    return at ? LLVMGetInstructionParent(at) : NULL;
}

/* A branch goes elsewhere: backward makes a loop, forward may leave blocks that nothing reaches. */
static void edit_jump(Trial *trial)
{
    LLVMValueRef branch = pick(trial, branches);
    LLVMBasicBlockRef to = any_block(trial);
    if (!branch || !to || has_phi(to) || to == LLVMGetEntryBasicBlock(trial->function))
        return;
    unsigned side = 1 + below(trial, 2); /* operand 0 is the condition */
    if (!has_phi(LLVMValueAsBasicBlock(LLVMGetOperand(branch, side))))
        set_operand(trial, branch, side, LLVMBasicBlockAsValue(to));
}

/* br c, a, b  ->  switch (zext c), b [1, a] [a few more, b]; phis keep one entry for each edge only without extras */
static void edit_switch(Trial *trial)
{
    LLVMValueRef branch = pick(trial, branches);
    if (!branch)
        return;
    LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0), no = LLVMGetSuccessor(branch, 1);
    LLVMBuilderRef builder = builder_before(trial, branch);
    LLVMTypeRef type = LLVMInt32TypeInContext(trial->context);
    LLVMValueRef wide = LLVMBuildZExt(builder, LLVMGetCondition(branch), type, "case");
    LLVMValueRef made = LLVMBuildSwitch(builder, wide, no, 4);
    LLVMAddCase(made, LLVMConstInt(type, 1, false), yes);
    for (unsigned i = 2 + below(trial, 3); i > 1 && !has_phi(no); i--)
        LLVMAddCase(made, LLVMConstInt(type, i, false), no);
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(branch);
    values_collect(trial);
}

/* A block that nothing reaches, whose phi is its own value, and which may lead back into the body. */
static void edit_unreachable(Trial *trial)
{
    LLVMBasicBlockRef to = any_block(trial), block = LLVMAppendBasicBlockInContext(trial->context, trial->function, "lost");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(trial->context);
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMTypeRef type = LLVMInt64TypeInContext(trial->context);
    LLVMValueRef phi = LLVMBuildPhi(builder, type, "self");
    LLVMValueRef place = LLVMBuildIntToPtr(builder, phi, LLVMPointerTypeInContext(trial->context, below(trial, 2)), "");
    LLVMBuildStore(builder, LLVMBuildLoad2(builder, type, place, ""), place);
    bool leaves = to && !has_phi(to) && to != LLVMGetEntryBasicBlock(trial->function);
    LLVMBuildCondBr(builder, LLVMConstNull(LLVMInt1TypeInContext(trial->context)), block, leaves ? to : block);
    LLVMAddIncoming(phi, &phi, &block, 1);
    if (!leaves)
        LLVMAddIncoming(phi, &phi, &block, 1);
    LLVMDisposeBuilder(builder);
    values_collect(trial);
}

/* ---- what the function says of itself ---- */

static void edit_attribute(Trial *trial)
{
    static const char *const keys[] = {"nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm", "target-cpu"};
    static const char *const texts[] = {
        "",   "0", "-1",    "256",           "16,16", "99999999999,1,1", "2147483647,2,2", "1,2,3,4",
        ",,", "a", "sm_90", "sm_9999999999", "sm_",   "1024,0,1"};
    const char *key = keys[below(trial, 4)], *text = texts[below(trial, sizeof texts / sizeof *texts)];
    LLVMAddTargetDependentFunctionAttr(trial->function, key, text);
}

static void edit_convention(Trial *trial)
{
    enum { C = 0, PTX_KERNEL = 71, PTX_DEVICE = 72 }; /* llvm/IR/CallingConv.h */
    static const unsigned conventions[] = {C, PTX_KERNEL, PTX_KERNEL, PTX_DEVICE};
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(trial->function))) == LLVMVoidTypeKind)
        LLVMSetFunctionCallConv(trial->function, conventions[below(trial, 4)]);
}

/* ---- the run ---- */

static void (*const edits[])(Trial *trial) = {
    edit_operand,       edit_operand, edit_operand,   edit_constant,    edit_constant,  edit_swap,       edit_swap,
    edit_phi_of_itself, edit_index,   edit_index,     edit_opcode,      edit_opcode,    edit_insert,     edit_insert,
    edit_width,         edit_width,   edit_predicate, edit_delete,      edit_flags,     edit_metadata,   edit_turn,
    edit_jump,          edit_jump,    edit_switch,    edit_unreachable, edit_attribute, edit_convention,
};

static void edit_once(Trial *trial)
{
    trial->changes = 0;
    edits[below(trial, sizeof edits / sizeof *edits)](trial);
    if (trial->changes && LLVMVerifyFunction(trial->function, LLVMReturnStatusAction))
        take_back(trial);
}

static LLVMValueRef any_body(Trial *trial)
{
    unsigned count = 0;
    LLVMValueRef chosen = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(trial->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && below(trial, ++count) == 0)
            chosen = f;
    return chosen;
}

void module_mutate(LLVMModuleRef module, uint64_t seed)
{
    Trial trial = {.state = seed, .module = module, .context = LLVMGetModuleContext(module)};
    trial.value = calloc(MOST_VALUES, sizeof *trial.value);
    for (int bodies = 1 + (int)below(&trial, 3); trial.value && bodies > 0; bodies--) {
        trial.function = any_body(&trial);
        if (!trial.function)
            break;
        values_collect(&trial);
        for (unsigned n = 1 + below(&trial, MOST_EDITS); n > 0; n--)
            edit_once(&trial);
    }
    free(trial.value);
}
