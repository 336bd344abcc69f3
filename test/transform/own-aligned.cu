// RUN: %rewritten %s --temp %t.d
// A thread's own array that is read wider than it is declared lies where it happens to lie: what a rewrite makes the backend keep beside it in memory must not move it to where such a
// read faults.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
#include "records.cuh"
struct alignas(16) Four { u32 x, y, z, w; };

// CHECK-LABEL: .entry state(
// CHECK: .local .align 16
// CASE: state block=64 full with=j=0,1,5,15 -- rand:{256*n} zero:{256*n} i32:{j} i32:{n}
KERNEL state(const u32 *__restrict__ in, u32 *__restrict__ out, int j, int n) {
  u32 own[64];
  if (ROW >= n) return;
  for (int k = 0; k < 64; k++) own[k] = in[64 * ROW + k];
  for (int m = j; m < 4 * j; m += 3) {
    Four &f = (Four &)own[4 * (m * (m + 1) / 2 % 16)];
    f.x += f.y * 3;
    f.y ^= f.z;
    f.w -= f.x;
  }
  for (int k = 0; k < 64; k++) out[64 * ROW + k] = own[k];
}
