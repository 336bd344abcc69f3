// RUN: %rewritten %s --temp %t.d
// A pair that each lane reads for itself keeps its pointer: the backend sees that the reads of an unrolled loop lie one step apart, and that nobody writes there. Of an address that
// has been a number it sees neither.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
#include "records.cuh"

// CHECK-LABEL: .entry columns(
// CHECK-NOT: ld.global.v
// CHECK: ld.global.nc.v2.b32
// CHECK-NOT: ld.global.v
// CHECK: st.global
// CASE: columns load=widen with=h=0,1,9,16 -- rand:{8*n*h+8} zero:{4*n} i32:{n} i32:{h}
struct alignas(8) Pair { u32 x, y; };
KERNEL columns(const Pair *__restrict__ in, u32 *__restrict__ out, int n, int h) {
  int i = ROW;
  u32 s = 0, q = 0;
  if (i >= n) return;
  for (int k = 0; k < h; k++) {
    Pair v = in[k * n + i];
    s = s * 3 + v.x;
    q ^= v.y;
  }
  out[i] = s * q;
}
