// RUN: %rewritten %s --temp %t.d
// Accesses of a record that are in no group with the others of it are told what stands between.
#include "records.cuh"
__device__ static inline void fence() { __nvvm_membar_gl(); }

// CASE: branched few none refuse=Apart -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL branched(const u32 *p, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = p[2 * i];
  if (s & 1) return;
  q[i] = s + p[2 * i + 1];
}

// CASE: fenced few none refuse=Ordered -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL fenced(const u32 *p, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = p[2 * i];
  fence();
  q[i] = s + p[2 * i + 1];
}
// CASE: watched few none refuse=Ordered -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL watched(const volatile u32 *p, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = p[2 * i];
  q[i] = s + p[2 * i + 1];
}
// Half of it: the other half is not.
// CASE: half few none refuse=Ordered -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL half(u32 *p, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = ((volatile u32 *)p)[2 * i];
  q[i] = s + p[2 * i + 1];
}

// CASE: touched few refuse=Touched -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL touched(Own16 *p, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  p[4 * i] = i;
  u32 s = *(Own32 *)(p + 4 * i);
  p[4 * i + 1] = s * 5;
  q[i] = s;
}

// CASE: met full few none refuse=Barrier -- rand:{8*T} zero:{4*T} i32:{n}
KERNEL met(u32 *p, u32 *q, int n) {
  int i = ROW;
  q[i] = i;
  u32 s = p[2 * i];
  __syncthreads();
  q[i] = s + p[2 * i + 1];
}
