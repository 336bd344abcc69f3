/* Copies in a loop of their own, whose iterations the lanes that share 16 bytes may deal out among them:
 *
 *     for (j = t; j < 1024; j += 128)        lanes 0 to 3 copy s[j], an iteration after the other: lane 0 copies s[0..3] of the
 *         s[j] = g[k + j];                   first, lane 1 s[128..131] of the second, lane 2 s[256..259] of the third, ...
 *
 * So where a copy leads must follow from the numbers of the iteration and of the tile, and the tile loop must not change how often
 * the loop runs. That neighbours copy neighbours, and that no index wraps around, is tested at run time (transform/rings/wide_copy.c). */
#include "analysis/address/automaton.h"
#include "analysis/rings/search.h"

static bool is_linear(const Search *search, IrLoop *loop, LLVMValueRef pointer)
{
    return ir_grid(search->kernel->ir, search->scope->function, ir_loop_header(loop), pointer, NULL, NULL);
}

typedef struct {
    const Search *search;
    IrLoop *row;
} Begin;

static SlicePart ask_begin(Slice *slice, const void *context, LLVMValueRef value)
{
    const Begin *begin = context;
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    if (!block || !ir_loop_has_block(begin->search->loop, block))
        return SLICE_KNOWN;
    bool in_row = ir_loop_has_block(begin->row, block);
    if (!in_row || !LLVMIsAPHINode(value))
        return in_row || ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
        if (LLVMGetIncomingBlock(value, i) != block)
            slice_add(slice, LLVMGetIncomingValue(value, i));
    return SLICE_KNOWN;
}

/* Is the value known in front of the tile loop, at the row's first iteration? */
static bool begins_anywhere(const Search *search, IrLoop *row, LLVMValueRef value)
{
    const Begin begin = {search, row};
    return slice_of(search->kernel->arena, value, ask_begin, &begin);
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
