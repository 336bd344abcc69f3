// Atomics of every kind and width: the values returned, and what is left.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel alone --grid 1 --block 1 -- zero:64 i32:5
// RUN: %sim %t0.ll --kernel alone --grid 1 --block 1 -- zero:64 i32:5
// RUN: %sim %t3.ll --kernel crowd --grid 3 --block 70 --seeds 4 --dump=0:%t.words --dump=1:%t.longs --dump=2:%t.seen -- zero:32 zero:32 zero:210
// RUN: %sim %t0.ll --kernel crowd --grid 3 --block 70 --seeds 4 -- zero:32 zero:32 zero:210
// RUN: %python %S/crowd.py %t.words %t.longs %t.seen
// RUN: %sim %t3.ll --kernel shared --grid 2 --block 96 --seeds 4 -- i32:96
// RUN: %sim %t0.ll --kernel shared --grid 2 --block 96 --seeds 4 -- i32:96
// RUN: %sim %t3.ll --kernel last_block --grid 5 --block 64 --seeds 6 -- zero:4 buf:20 zero:4
// RUN: %sim %t3.ll --kernel message --grid 4 --block 32 --seeds 12 -- zero:4 zero:4 zero:12 i32:0
// Without the release, without the acquire, or with a scope that holds one block only, the data is not the reader's to see:
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel message --grid 4 --block 32 --seeds 12 -- zero:4 zero:4 zero:12 i32:1 | %FileCheck %s --check-prefix=MESSAGE
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel message --grid 4 --block 32 --seeds 12 -- zero:4 zero:4 zero:12 i32:2 | %FileCheck %s --check-prefix=MESSAGE
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel message --grid 4 --block 32 --seeds 12 -- zero:4 zero:4 zero:12 i32:3 | %FileCheck %s --check-prefix=FLAG
// FLAG: race: reads buffer 0+0 (of 4 bytes), which thread (0,0,0) block (0,0,0) wrote at
// MESSAGE: race: reads buffer 1+0 (of 4 bytes), which thread (0,0,0) block (0,0,0) wrote at
// Of several words at once: they have to begin at a multiple of their size, and lie in global memory.
// RUN: %sim %t3.ll --kernel words --grid 1 --block 1 -- zero:64 i32:0
// RUN: %sim %t0.ll --kernel words --grid 1 --block 1 -- zero:64 i32:0
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel words --grid 1 --block 1 -- zero:64 i32:2 | %FileCheck %s --check-prefix=ALIGN
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel words --grid 1 --block 1 -- zero:64 i32:9 | %FileCheck %s --check-prefix=SPACE
// ALIGN: misaligned
// SPACE: out of bounds
#include "check.cuh"
#include <cuda_fp16.h>

KERNEL alone(u32 *p, u32 five) {
  u32 *w = p;
  int *n = (int *)p;
  u64 *q = (u64 *)p + 1;
  float *f = (float *)(p + 4);
  double *d = (double *)(p + 6);
  EXPECT(atomicAdd(w, five) == 0 && *w == 5 && atomicSub(w, 7) == 5 && *w == (u32)-2);
  EXPECT(atomicMax(w, 3) == (u32)-2 && *w == (u32)-2 && atomicMin(w, 9) == (u32)-2 && *w == 9);
  EXPECT(atomicExch(n, -4) == 9 && atomicMax(n, -9) == -4 && *n == -4 && atomicMax(n, 3) == -4 && *n == 3 && atomicMin(n, -8) == 3 && *n == -8);
  EXPECT(atomicAnd(w, 0xff) == (u32)-8 && *w == 0xf8 && atomicOr(w, 7) == 0xf8 && atomicXor(w, 0x0f) == 0xff && *w == 0xf0);
  EXPECT(atomicExch(w, 3) == 0xf0);
  EXPECT(atomicInc(w, 4) == 3 && atomicInc(w, 4) == 4 && *w == 0);              // wraps at the limit
  EXPECT(atomicDec(w, 4) == 0 && *w == 4 && atomicDec(w, 2) == 4 && *w == 2 && atomicDec(w, 9) == 2 && *w == 1);
  EXPECT(atomicCAS(w, 2, 50) == 1 && *w == 1 && atomicCAS(w, 1, 50) == 1 && *w == 50);
  EXPECT(atomicAdd(q, 1ull << 40) == 0 && atomicMax(q, 5ull) == 1ull << 40 && atomicMin(q, 5ull) == 1ull << 40 && *q == 5);
  EXPECT(atomicMax((long long *)q, -1ll) == 5 && atomicMin((long long *)q, -1ll) == 5 && *q == ~0ull);
  EXPECT(atomicAnd(q, 0xff00ull) == ~0ull && atomicOr(q, 1ull << 63) == 0xff00 && atomicXor(q, 0xff00ull) == (1ull << 63 | 0xff00));
  EXPECT(atomicExch(q, 77ull) == 1ull << 63 && atomicCAS(q, 1ull, 2ull) == 77 && atomicCAS(q, 77ull, 2ull) == 77 && *q == 2);
  EXPECT(atomicAdd(f, 1.5f) == 0 && atomicAdd(f, -0.25f) == 1.5f && *f == 1.25f && atomicExch(f, 4.0f) == 1.25f);
  EXPECT(atomicAdd(d, 0.1) == 0 && atomicAdd(d, 0.2) == 0.1 && *d == 0.1 + 0.2);
  unsigned short *h = (unsigned short *)(p + 8);
  EXPECT(atomicCAS(h, (unsigned short)0, (unsigned short)9) == 0 && atomicCAS(h, (unsigned short)1, (unsigned short)3) == 9 && h[0] == 9 && h[1] == 0);
  EXPECT(atomicAdd_system(w, 1u) == 50 && atomicAdd_block(w, 1u) == 51 && *w == 52);
  u32 old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(w), "r"(five) : "memory");
  EXPECT(old == 52 && *w == 57);
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(w), "r"(five) : "memory");
  EXPECT(*(volatile u32 *)w == 62);
  EXPECT(__scoped_atomic_fetch_add(w, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE) == 62 && *w == 63);
}

KERNEL words(float *p, u32 at) {
  __shared__ __align__(16) float s[4];
  float *f = at == 9 ? s : p + at;
  asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(f), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.5f) : "memory");
  asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0+8], {%1, %2};" ::"l"(f), "f"(1.0f), "f"(2.0f) : "memory");
  EXPECT(f[0] == 1 && f[1] == 2 && f[2] == 4 && f[3] == 6.5f);
  u32 *h = (u32 *)p + 8, old, pair = 0x3c004000;
  asm volatile("red.relaxed.gpu.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(h), "r"(0x40003c00), "r"(pair) : "memory");
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(h), "r"(pair) : "memory");
  EXPECT(old == 0x40003c00 && h[0] == 0x42004200 && h[1] == pair);
  asm volatile("red.relaxed.gpu.global.add.noftz.v4.bf16x2 [%0+16], {%1, %1, %1, %1};" ::"l"(h), "r"(0x3f804000) : "memory");
  EXPECT(h[4] == 0x3f804000 && h[7] == 0x3f804000);
}

KERNEL crowd(u32 *w, u64 *q, unsigned char *seen) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 ticket = atomicAdd(&w[0], 1);
  seen[ticket] = 1;                     // each ticket once
  atomicMax(&w[1], noise(i));
  atomicXor(&w[2], noise(i));
  atomicOr(&w[3], 1u << (i & 31));
  atomicAdd((float *)&w[4], 0.5f);
  atomicInc(&w[5], 99);
  atomicSub(&w[6], i);
  u32 old, seen_old;                    // add by compare and swap
  old = atomicAdd(&w[7], 0);
  do {
    seen_old = old;
    old = atomicCAS(&w[7], seen_old, seen_old + i);
  } while (old != seen_old);
  atomicAdd(&q[0], (u64)i << 20);
  atomicMax(&q[1], (u64)noise(i) << 8);
  atomicAdd((double *)&q[2], 0.25);
  atomicXor(&q[3], (u64)noise(i) * 3);
}

KERNEL shared(u32 n) {
  __shared__ u32 count, most;
  __shared__ u64 wide;
  __shared__ u32 histogram[8];
  u32 t = threadIdx.x;
  if (t == 0) count = most = 0, wide = 0;
  if (t < 8) histogram[t] = 0;
  __syncthreads();
  atomicAdd(&count, 2);
  atomicMax(&most, t * 3);
  atomicAdd(&wide, 1ull << 33);
  atomicAdd(&histogram[t & 7], 1);
  __syncthreads();
  EXPECT(count == 2 * n && most == (n - 1) * 3 && wide == (u64)n << 33 && histogram[t & 7] == n / 8);
}

// The fence and counter of a last-block reduction.
KERNEL last_block(u32 *counter, u32 *part, u32 *sum) {
  __shared__ u32 last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x * 11 + 1;
    __threadfence();
    last = atomicAdd(counter, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    u32 s = 0;
    for (u32 b = 0; b < gridDim.x; b++) s += part[b];
    EXPECT(s == 11 * 10 + 5);
    *sum = s;
  }
}

// Release and acquire between blocks: every reader waits until it has the message. Four blocks fit on the machine at once.
KERNEL message(u32 *flag, u32 *data, u32 *got, u32 bad) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    *data = 42;
    if (bad == 1) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    else if (bad == 3) asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    else asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  } else {
    u32 f = 0;
    while (!f) {
      if (bad == 2) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(flag) : "memory");
      else asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(flag) : "memory");
    }
    EXPECT(f == 1);
    got[blockIdx.x - 1] = *data;
    EXPECT(got[blockIdx.x - 1] == 42);
  }
}
