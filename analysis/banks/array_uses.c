/* Every use of a shared array. Its bytes may be put elsewhere where whoever touches them does so through an index that is known, and no
 * access lies across the end of a row: it lies in a unit of its own, a power of two that the length of a row is a multiple of, or where its
 * columns say. */
#include "analysis/banks/banks.h"

enum { MOST_USES = 1024, MOST_POINTERS = 4096 };

static bool is_address(LLVMValueRef user)
{
    LLVMOpcode op = opcode_of(user);
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
    return is_pointer && (op == LLVMGetElementPtr || op == LLVMAddrSpaceCast || op == LLVMBitCast);
}

/* An asynchronous copy that is no ring's. */
static bool is_copy_to_shared(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && text_begins(callee_name(call), "llvm.nvvm.cp.async.c") && ir_begins_copy(call) &&
           !ir_is_marked(call, RING_METADATA);
}

static bool is_copy(LLVMValueRef user) { return LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user); }

/* The operand by which an access is told where, if that is the pointer and nothing else is; -1 where it is no access through it. */
static int place_operand(LLVMValueRef user, LLVMValueRef pointer)
{
    int place = -1;
    if (LLVMIsALoadInst(user) || LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user) || LLVMIsAMemSetInst(user) ||
        is_copy_to_shared(user))
        place = 0;
    else if (LLVMIsAStoreInst(user))
        place = 1;
    else if (is_copy(user))
        place = LLVMGetOperand(user, 0) != pointer;
    for (int i = 0; place >= 0 && i < LLVMGetNumOperands(user); i++)
        if ((LLVMGetOperand(user, (unsigned)i) == pointer) != (i == place))
            return -1;
    return place;
}

/* What the access touches, and what its address is said to be a multiple of. */
static void extent_of(const Kernel *kernel, LLVMValueRef at, unsigned operand, uint64_t *bytes, uint64_t *aligned)
{
    enum { COPY_SIZE = 2 };
    if (!LLVMIsACallInst(at)) {
        LLVMTypeRef type = LLVMIsALoadInst(at) ? LLVMTypeOf(at) : LLVMTypeOf(LLVMGetOperand(at, LLVMIsAStoreInst(at) ? 0 : 1));
        *bytes = LLVMStoreSizeOfType(kernel->layout, type);
        *aligned = LLVMGetAlignment(at);
    } else if (is_copy_to_shared(at)) {
        *aligned = *bytes = (uint64_t)async_bytes(callee_name(at)); /* PTX ISA, cp.async */
    } else {
        LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(at, COPY_SIZE));
        *bytes = size ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
        *aligned = (uint64_t)alignment_of_operand(at, operand);
    }
}

/* A power of two that holds the access, from the array's start on; or one that it is aligned to, and then it has to be its column that
 * keeps it in its row. False where it is neither. What a call is told of its alignment stays true. */
static bool find_unit(const Kernel *kernel, ArrayUse *use, LLVMValueRef array)
{
    uint64_t bytes, aligned, unit = 1, most = LLVMGetAlignment(array) < REQUEST_BYTES ? LLVMGetAlignment(array) : REQUEST_BYTES;
    extent_of(kernel, use->at, use->operand, &bytes, &aligned);
    if (bytes > (uint64_t)INT32_MAX)
        return false;
    while (unit < bytes || (LLVMIsACallInst(use->at) && unit < aligned))
        unit *= 2;
    if (unit > aligned || unit > most) {
        use->bytes = (int64_t)bytes;
        unit = aligned;
    }
    use->unit = (int)unit;
    return unit <= most;
}

static Why add_use(Kernel *kernel, Padding *padding, LLVMValueRef user, LLVMValueRef pointer)
{
    int operand = LLVMIsAInstruction(user) ? place_operand(user, pointer) : -1;
    if (operand < 0 || padding->uses.count == MOST_USES)
        return WHY_PAD_USED;
    if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != kernel->function)
        return WHY_PAD_ELSEWHERE;
    ArrayUse *use = ARENA_NEW(padding->arena, ArrayUse);
    *use = (ArrayUse){.at = user, .operand = (unsigned)operand};
    if (!find_unit(kernel, use, padding->array))
        return WHY_PAD_SPLIT;
    if (!offset_of(kernel, pointer, &use->offset))
        return WHY_PAD_USED;
    padding->unit = use->unit > padding->unit ? use->unit : padding->unit;
    list_add(&padding->uses, use);
    return WHY_NONE;
}

Why array_uses(Kernel *kernel, Padding *padding)
{
    List pending = list_new(padding->arena);
    list_add(&pending, padding->array);
    for (int pointers = 0; pending.count; pointers++) {
        LLVMValueRef pointer = pending.item[--pending.count];
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool leads_on = is_address(user) && LLVMGetOperand(user, 0) == pointer && pointers < MOST_POINTERS;
            Why why = leads_on ? WHY_NONE : add_use(kernel, padding, user, pointer);
            if (why)
                return why;
            if (leads_on)
                list_add(&pending, user);
        }
    }
    find_neighbours(padding);
    return padding->uses.count ? WHY_NONE : WHY_PAD_USED;
}

int64_t padded_bytes(const Padding *padding, int64_t row, int64_t pad) { return padding->bytes + (padding->bytes - 1) / row * pad; }
