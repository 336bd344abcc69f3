// Lanes of a warp that part in what a role does, as where 120 elements are dealt to 64 or 96 threads: they are together again where the roles end.
// RUN: %clang-device -O3 -std=c++17 -I%source/include %s -o %t.plain.ll
// RUN: %clang-device -O3 -std=c++17 -I%source/include %s -fpass-plugin=%plugin -o %t.ll
// RUN: %clang-device -O0 -std=c++17 -I%source/include %s -o %t.slow.ll
// RUN: %clang-device --cuda-gpu-arch=sm_75 --no-cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include %s -o %t.75.ll
// RUN: %sim %t.plain.ll --kernel parted --grid 1 --block 64 --seeds 12 --compare %t.ll -- frand:2880 zero:2880 i32:6
// RUN: %sim %t.plain.ll --kernel parted --grid 1 --block 96 --seeds 12 --compare %t.slow.ll -- frand:2880 zero:2880 i32:6
// RUN: %sim %t.plain.ll --kernel parted --grid 1 --block 128 --seeds 12 --compare %t.75.ll -- frand:2880 zero:2880 i32:6
// RUN: %sim %t.plain.ll --kernel parted --grid 1 --block 8,4,3 --seeds 12 --compare %t.slow.ll -- frand:2880 zero:2880 i32:6
#include <coalda.h>
extern "C" __global__ void parted(const float *g, float *out, unsigned n) {
  __shared__ alignas(16) float s[2][120];
  coalda::roles<1, 2>(
      n,
      [&](auto &compute, unsigned i) {
        for (unsigned k = compute.rank(); k < 120; k += compute.threads()) out[i * 120 + k] = s[i % 2][119 - k] * 2;
      },
      [&](auto &load, unsigned i) { load.copy(s[i % 2], g + i * 120, 120); });
  coalda::roles<1, 2>(
      n,
      [&](auto &compute, unsigned i) {
        for (unsigned k = compute.rank(); k < 120; k += compute.threads()) out[i * 120 + k] += s[i % 2][k];
      },
      [&](auto &load, unsigned i) { load.copy_2d(s[i % 2], 40, g + i * 120, 40, 3, 40); });
}
