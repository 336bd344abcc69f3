/* Copies in a loop of their own, whose iterations the lanes that share 16 bytes may deal out among them:
 *
 *     for (j = t; j < 1024; j += 128)        lanes 0 to 3 copy s[j], an iteration after the other: lane 0 copies s[0..3] of the
 *         s[j] = g[k + j];                   first, lane 1 s[128..131] of the second, lane 2 s[256..259] of the third, ...
 *
 * So where a copy leads must follow from the numbers of the iteration and of the tile, and the tile loop must not change how often
 * the loop runs. That neighbours copy neighbours, and that no index wraps around, is tested at run time (transform/wide.c). */
#include "automaton.h"
#include "ring.h"

static bool is_linear(const Search *search, IrLoop *loop, LLVMValueRef pointer)
{
    return ir_grid(search->kernel->ir, search->scope->function, ir_loop_header(loop), pointer, NULL, NULL);
}

/* Is the value known in front of the tile loop, at the row's first iteration? */
static bool begins_anywhere(const Search *search, IrLoop *loop, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    if (!block || !ir_loop_has_block(loop, block))
        return ahead_is_anywhere(search->loop, value);
    bool all = true;
    for (unsigned i = 0; all && LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++)
        all = LLVMGetIncomingBlock(value, i) == block || ahead_is_anywhere(search->loop, LLVMGetIncomingValue(value, i));
    for (int i = 0; all && !LLVMIsAPHINode(value) && i < LLVMGetNumOperands(value); i++)
        all = begins_anywhere(search, loop, LLVMGetOperand(value, (unsigned)i));
    return all;
}

void row_find(const Search *search, RingCopy *copy)
{
    IrLoop *loop = loop_of_copy(search, copy);
    bool is_row = loop != search->loop && ir_loop_parent(loop) == search->loop && ir_loop_is_one_block(loop) &&
                  begins_anywhere(search, loop, copy->target) && is_linear(search, loop, copy->source) &&
                  is_linear(search, loop, copy->target);
    copy->row = is_row ? ir_loop_header(loop) : NULL;
}

const RingCopy *row_copy_in(const Ring *ring, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->row == block)
            return ring->copies.item[i];
    return NULL;
}
