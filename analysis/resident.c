/* How many blocks an SM holds at once, as far as shared memory and threads say: registers are the backend's affair. */
#include "coalda.h"

/* CUDA's table of compute capabilities: each row holds up to the next. */
typedef struct {
    int arch, kilobytes, threads, blocks;
} Sm;

static const Sm *sm_of(int arch)
{
    static const Sm table[] = {
        {75, 64, 1024, 16},  {80, 164, 2048, 32},  {86, 100, 1536, 16},  {87, 164, 1536, 16}, {89, 100, 1536, 24},
        {90, 228, 2048, 32}, {100, 228, 2048, 32}, {110, 228, 1536, 24}, {120, 100, 1536, 24},
    };
    size_t row = sizeof table / sizeof *table - 1;
    while (row && table[row].arch > arch)
        row--;
    return &table[row];
}

enum { KILOBYTE = 1024, RESERVED = 1024 }; /* bytes that every block takes besides its own */

int64_t shared_of_sm(int arch) { return (int64_t)sm_of(arch)->kilobytes * KILOBYTE; }

static int smaller(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

int resident_blocks(const Kernel *kernel, int64_t shared)
{
    enum { WARP = 32 };
    const Sm *sm = sm_of(kernel->options.arch);
    int threads = (form_shape(kernel->forms).limit + WARP - 1) / WARP * WARP; /* 0 where unknown */
    int blocks = smaller(shared_of_sm(kernel->options.arch) / (shared + RESERVED), sm->blocks);
    return threads ? smaller(sm->threads / threads, blocks) : blocks;
}
