/* Blocks that a kernel which says nothing of its own is launched with. One that is higher than wide is not among them: what was written
 * for such a block has its long side along y. */
#include "analysis/facts/facts.h"

const int usual_blocks[USUAL_BLOCKS][2] = {{16, 8}, {16, 16}, {32, 8}, {32, 32}, {64, 4}};

Kernel *kernel_in_block(const Kernel *kernel, const int extent[2], bool turned)
{
    Options options = kernel->options;
    options.shape = (Shape){.extent = {extent[0], extent[1], 1}, .limit = extent[0] * extent[1]};
    Kernel *trial = kernel_open(kernel->arena, kernel->ir, kernel->module, kernel->function, &options, NULL);
    if (turned)
        kernel_turn(trial);
    access_collect(trial);
    return trial;
}
