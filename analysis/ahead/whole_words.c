/* Structs of which a loop looks at one word, and at others where that tells it to.
 *
 *     float4 s = segment[j];                      LLVM loads s.x, and the others behind the condition, where each iteration waits again
 *     if (fabsf(s.x - p.x) < 0.3f) use s       ->      16 bytes in front of the condition, of which several iterations are under way then
 *
 * That all of it may be read is told by the first word's alignment: what lies in one aligned piece is there or not as a whole. Nothing on the way
 * from the first word to the others may write, or wait for somebody. Taken are structs that all threads of a block load alike: one request brings the
 * struct, as it brought the word. */
#include "analysis/ahead/lookahead.h"
#include "analysis/facts/facts.h"

#include <limits.h>

enum { WIDEST = 16, WORD = 4 }; /* bytes of a request of a thread, and of a register */

static LLVMBasicBlockRef only_way_to(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef jump = LLVMGetUser(use);
        if (!LLVMIsAInstruction(jump) || from)
            return NULL;
        from = LLVMGetInstructionParent(jump);
    }
    return from;
}

/* From the instruction up to the other one, which stands behind it, or to the end of its block. */
static bool only_reads(LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef i = from;
    for (; i && i != to; i = LLVMGetNextInstruction(i))
        if (ir_touches_memory(i) && !(LLVMIsALoadInst(i) ? is_plain(i) : ir_only_reads(i)))
            return false;
    return i == to;
}

/* Is the first word loaded on each way to the load, in the same iteration, and is nothing written in between? */
static bool is_seen_as_with(const Whole *whole, LLVMValueRef load, IrLoop *loop)
{
    LLVMBasicBlockRef begin = LLVMGetInstructionParent(whole->first), block = LLVMGetInstructionParent(load);
    LLVMValueRef end = load;
    for (; block && block != begin; block = only_way_to(block), end = NULL)
        if (!ir_loop_has_block(loop, block) || !only_reads(LLVMGetFirstInstruction(block), end))
            return false;
    return block && only_reads(whole->first, end);
}

/* Doubles would be two registers each, in one piece. */
static bool is_word(LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return is_plain(load) && !ir_is_marked(load, "invariant.load") &&
           (kind == LLVMFloatTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == WORD * CHAR_BIT));
}

/* What loads so many bytes behind the first word. */
static bool take_words_at(Whole *whole, LLVMValueRef place, int64_t offset, IrLoop *loop, int64_t most)
{
    bool any = false, is_inside = offset > 0 && offset % WORD == 0 && offset + WORD <= most;
    for (LLVMUseRef use = is_inside ? LLVMGetFirstUse(place) : NULL; use && whole->others < WHOLE_OTHERS;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef load = LLVMGetUser(use);
        if (!LLVMIsALoadInst(load) || !is_word(load) || !is_seen_as_with(whole, load, loop))
            continue;
        unsigned number = (unsigned)(offset / WORD);
        whole->other[whole->others++] = (WholeWord){load, number};
        whole->words = number < whole->words ? whole->words : number + 1;
        any |= LLVMGetInstructionParent(load) != LLVMGetInstructionParent(whole->first);
    }
    return any;
}

/* Of what is reckoned from one place, all that is a constant distance behind the root. */
static bool take_words_from(Whole *whole, LLVMValueRef from, IrLoop *loop, int64_t most)
{
    int64_t distance, bytes;
    LLVMValueRef root = ir_without_offset(whole->place, &distance);
    bool any = false;
    for (LLVMUseRef use = LLVMGetFirstUse(from); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef place = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(place) && ir_without_offset(place, &bytes) == root)
            any |= take_words_at(whole, place, bytes - distance, loop, most);
    }
    return any;
}

static bool may_begin(Scope *scope, LLVMValueRef load)
{
    return LLVMIsALoadInst(load) && is_word(load) && LLVMGetAlignment(load) > WORD &&
           space_of(scope, LLVMGetOperand(load, 0)) == SPACE_GLOBAL && uniform_in_block(scope, LLVMGetOperand(load, 0));
}

bool whole_find(Scope *scope, LLVMValueRef load, Whole *whole)
{
    IrLoop *loop = ir_loop_of(scope->kernel->ir, LLVMGetInstructionParent(load));
    if (!loop || !ir_loop_is_innermost(loop) || !may_begin(scope, load))
        return false;
    int64_t most = LLVMGetAlignment(load) < WIDEST ? LLVMGetAlignment(load) : WIDEST, distance;
    *whole = (Whole){.first = load, .place = LLVMGetOperand(load, 0), .words = 1};
    LLVMValueRef root = ir_without_offset(whole->place, &distance);
    bool any = take_words_from(whole, whole->place, loop, most);
    if (root != whole->place)
        any |= take_words_from(whole, root, loop, most);
    if (whole->words * WORD > WIDEST / 2)
        whole->words = WIDEST / WORD;
    return any;
}
