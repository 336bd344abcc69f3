// What the programs of this folder share: a list of kernels, each timed, with a digest of what it has written into a poisoned array.
// Every program prints a line a kernel: its name, microseconds, the digest. scripts/bench gap holds three builds against each other.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "../alone.h"

enum : size_t { GAP_WORDS = 8 << 20 }; // of each array
enum { GAP_RUNS = 9 };

struct GapArrays {
    float *a, *b, *c; // random numbers in [low, low + 1)
    float *out;       // poisoned
};

struct Gap {
    const char *name;
    std::function<void(const GapArrays &)> launch;
};

// GAP_ONLY names one kernel.
static inline int gap_main(const std::vector<Gap> &all)
{
    const char *only = getenv("GAP_ONLY");
    GapArrays arrays = {filled(GAP_WORDS, -0.5f), filled(GAP_WORDS, 0.5f), filled(GAP_WORDS, 1.0f), filled(GAP_WORDS, 0.0f)};
    for (const Gap &gap : all) {
        if (only && strcmp(only, gap.name))
            continue;
        float us = median_us(
            GAP_RUNS, [&] { cudaMemset(arrays.out, 0xa5, GAP_WORDS * sizeof *arrays.out); }, [&] { gap.launch(arrays); });
        cudaDeviceSynchronize();
        printf("%s %.2f %016llx %s\n", gap.name, us, digest_of(arrays.out, GAP_WORDS), last_error());
    }
    return 0;
}
