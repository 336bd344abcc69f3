/* Blocks that a kernel which says nothing of its own is launched with. One that is higher than wide is not among them: what was written
 * for such a block has its long side along y. */
#include <string.h>

#include "analysis/facts/facts.h"

static const int usual_blocks[USUAL_BLOCKS][3] = {{16, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {64, 4, 1}};

/* The number-th of those that are not larger than the kernel says. */
static const int *usual_of(int limit, int number)
{
    for (int i = 0; i < USUAL_BLOCKS; i++)
        if ((!limit || usual_blocks[i][0] * usual_blocks[i][1] <= limit) && number-- == 0)
            return usual_blocks[i];
    return NULL;
}

bool usual_block(const Kernel *kernel, int number, int extent[3])
{
    const int *seen = kernel->launched.extent;
    int limit = form_shape(kernel->forms).limit;
    bool is_seen = seen[0] && (!limit || seen[0] * seen[1] * seen[2] <= limit);
    const int *found = !is_seen ? usual_of(limit, number) : number == 0 ? seen : NULL;
    if (found)
        memcpy(extent, found, 3 * sizeof *extent);
    return found;
}

Kernel *kernel_in_block(const Kernel *kernel, const int extent[3], bool turned)
{
    Options options = kernel->options;
    options.shape = (Shape){.extent = {extent[0], extent[1], extent[2]}, .limit = extent[0] * extent[1] * extent[2]};
    Kernel *trial = kernel_open(kernel->arena, kernel->ir, kernel->module, kernel->function, &options, NULL);
    if (turned)
        kernel_turn(trial);
    access_collect(trial);
    return trial;
}
