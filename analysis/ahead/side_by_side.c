/* Loops with operations of the warp, whose iterations had better stand side by side.
 *
 *     for (j...) { v = x[col[j] * 32 + lane]; v += shuffles of v; ... }     clang unrolls no such loop whose length it does not know
 *
 * Four iterations in one body have their loads under way together, and then come one after the other as they did. Each thread meets the
 * same operations in the same order; and as those that take part in one make as many iterations, they meet it at one instruction still, if
 * every iteration comes to it. */
#include <string.h>

#include "analysis/ahead/lookahead.h"

enum { TIMES = 4 }; /* as clang unrolls other loops whose length it does not know */

static bool is_named(LLVMValueRef option, const char *name)
{
    enum { MOST = 8 }; /* operands of an option: a bound */
    LLVMValueRef part[MOST];
    unsigned length = 0;
    if (!LLVMIsAMDNode(option) || !LLVMGetMDNodeNumOperands(option) || LLVMGetMDNodeNumOperands(option) > MOST)
        return false;
    LLVMGetMDNodeOperands(option, part);
    const char *text = part[0] ? LLVMGetMDString(part[0], &length) : NULL;
    return text && length >= strlen(name) && text_begins(text, name);
}

bool loop_is_told(const Kernel *kernel, IrLoop *loop)
{
    static const char kind[] = "llvm.loop";
    LLVMContextRef context = LLVMGetModuleContext(kernel->module);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(ir_loop_latch(loop));
    LLVMValueRef node = LLVMGetMetadata(jump, LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1));
    unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    LLVMValueRef *option = ARENA_ARRAY(kernel->arena, LLVMValueRef, count + 1);
    if (node)
        LLVMGetMDNodeOperands(node, option);
    for (unsigned i = 1; i < count; i++) /* the first is the node itself */
        if (option[i] && is_named(option[i], "llvm.loop.unroll."))
            return true;
    return false;
}

/* Has it operations of the warp, in every iteration, and no barrier of the block? */
static bool is_of_warp(const Kernel *kernel, IrLoop *loop, int *size)
{
    bool any = false;
    *size = 0;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i)) {
            ++*size;
            if (!LLVMIsACallInst(i) || !ir_is_convergent(i))
                continue;
            any = true;
            if (is_block_barrier(i) || !LLVMIsAIntrinsicInst(i) ||
                !ir_dominates(kernel->ir, ir_loop_block(loop, n), ir_loop_latch(loop)))
                return false;
        }
    return any;
}

/* Words that an iteration loads, wherever they lie: they are under way together with those of the others. */
static int words_loaded(const Kernel *kernel, IrLoop *loop)
{
    int bytes = 0;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            bytes += LLVMIsALoadInst(i) ? (int)LLVMStoreSizeOfType(kernel->layout, LLVMTypeOf(i)) : 0;
    return (bytes + WORD_BYTES - 1) / WORD_BYTES;
}

int side_by_side(Scope *scope, const Lookahead *ahead)
{
    const Kernel *kernel = scope->kernel;
    const Costs *costs = &kernel->options.cost;
    IrLoop *loop = ir_loop_of(kernel->ir, ahead->header);
    int64_t most = ir_loop_most_trips(kernel->ir, loop);
    int size, times = TIMES, words = words_loaded(kernel, loop);
    bool may = !map_get(kernel->plan->beside, ahead->header) && !loop_is_told(kernel, loop) && !product_returns(kernel->ir, loop) &&
               ir_loop_is_countable(kernel->ir, loop) && (!most || most >= 2 * TIMES) && is_of_warp(kernel, loop, &size) &&
               size <= costs->BESIDE_CODE;
    while (may && times > 1 && times * words > costs->BESIDE_WORDS && !kernel->options.always)
        times /= 2;
    return may && !lookahead_obstacle(scope, ahead, times) ? times : 1;
}
