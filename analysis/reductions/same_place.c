/* Additions to one record whose address is computed anew for each, from what is loaded again: nobody has promised that the list lies apart.
 *
 *     atomicAdd(&f[at[i]].x, a)        at[i] is loaded for each of them, as an addition may have changed it; the second load has what the
 *     atomicAdd(&f[at[i]].y, b)        first had where the record lies apart from at[i], which is tested: it is passed, as any load is
 *
 * Of what stands between the two loads nothing else may write there. What other threads do meanwhile is no matter: nothing orders it with
 * these loads. */
#include "analysis/reductions/stretch.h"

enum { DEEPEST = 8 }; /* operations that an address is made of: a bound of the search */

static bool is_of_record(const AddedRecord *record, LLVMValueRef instruction)
{
    for (size_t i = 0; i < record->additions.count; i++)
        if (addition_at(record, i)->instruction == instruction)
            return true;
    return false;
}

/* Does nothing write there from the one load to the other, which comes later in their block, but additions to the record? Behind a load
 * that acquires, another thread may have. */
static bool is_kept(const BlockSearch *search, const AddedRecord *record, LLVMValueRef first, LLVMValueRef again)
{
    for (LLVMValueRef i = first; i && i != again; i = LLVMGetNextInstruction(i)) {
        bool loads = LLVMIsALoadInst(i), is_aside = loads ? is_plain(i) : !ir_touches_memory(i) || is_of_record(record, i);
        if (!is_aside && (loads || ir_may_change(search->scope->kernel->ir, i, again)))
            return false;
    }
    return true;
}

static bool is_same(const BlockSearch *search, const AddedRecord *record, LLVMValueRef first, LLVMValueRef again, int depth);

static bool is_same_load(const BlockSearch *search, const AddedRecord *record, LLVMValueRef first, LLVMValueRef again)
{
    intptr_t place = (intptr_t)map_get(search->places, first);
    return place && place < (intptr_t)map_get(search->places, again) && is_plain(first) && is_plain(again) &&
           is_kept(search, record, first, again);
}

/* Arithmetic that makes the same of the same: no operation that may choose, nor one of which more is known than its operands say. */
static bool is_made_alike(LLVMValueRef first, LLVMValueRef again)
{
    if (LLVMIsAGetElementPtrInst(first))
        return LLVMGetGEPSourceElementType(first) == LLVMGetGEPSourceElementType(again);
    return LLVMIsABinaryOperator(first) || LLVMIsACastInst(first) || LLVMIsASelectInst(first);
}

/* Is the value, computed anew, what it was? */
static bool is_same(const BlockSearch *search, const AddedRecord *record, LLVMValueRef first, LLVMValueRef again, int depth)
{
    if (first == again)
        return true;
    bool are_alike = depth > 0 && LLVMIsAInstruction(first) && LLVMIsAInstruction(again) &&
                     LLVMGetInstructionOpcode(first) == LLVMGetInstructionOpcode(again) && LLVMTypeOf(first) == LLVMTypeOf(again) &&
                     LLVMGetNumOperands(first) == LLVMGetNumOperands(again);
    if (!are_alike || !(LLVMIsALoadInst(first) ? is_same_load(search, record, first, again) : is_made_alike(first, again)))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(first); i++)
        if (!is_same(search, record, LLVMGetOperand(first, (unsigned)i), LLVMGetOperand(again, (unsigned)i), depth - 1))
            return false;
    return true;
}

bool lies_in_record(const BlockSearch *search, const AddedRecord *record, const Addition *from, const Addition *to, int64_t *bytes)
{
    int64_t first, again;
    LLVMValueRef base = ir_without_offset(from->pointer, &first), base_again = ir_without_offset(to->pointer, &again);
    *bytes = wrap_sub(again, first);
    return from->place < to->place && is_same(search, record, base, base_again, DEEPEST);
}
