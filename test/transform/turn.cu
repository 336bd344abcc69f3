// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - 2>/dev/null | %FileCheck %s
// Blocks whose threads change places: threadIdx.x moves by rows of the array and threadIdx.y by elements.
#include "records.cuh"

// Each block has a part of the array of its own, in which rows go along y.
#define AT(X, Y) (blockIdx.x * block_size() + (threadIdx.z * blockDim.x + (X)) * blockDim.y + (Y))
#define HERE AT(threadIdx.x, threadIdx.y)

// CASE: scaled load=turn store=turn full dims -- rand:{4*T} zero:{4*T}
// CASE: scaled fewer plain:load=turn full block=16,16 -- rand:{4*T} zero:{4*T}
// CASE: scaled fewer full block=32,8 -- rand:{4*T} zero:{4*T}
// CASE: scaled same full block=64 -- rand:{4*T} zero:{4*T}
// CASE: scaled same full block=8,32 -- rand:{4*T} zero:{4*T}
// CASE: scaled same full block=8,4 -- rand:{4*T} zero:{4*T}
// Blocks of one warp have the same neighbours either way, and divide nothing:
// CHECK-LABEL: .entry scaled(
// CHECK: mul.lo.s32 [[THREADS:%r[0-9]+]]
// CHECK: setp.lt.u32 [[FEW:%p[0-9]+]], [[THREADS]], 33
// CHECK: bra
// CHECK: div.approx
KERNEL scaled(const u32 *__restrict__ p, u32 *__restrict__ q) { q[HERE] = p[HERE] * 3 + threadIdx.x; }

// CASE: guarded load=turn store=turn dims -- rand:{4*T} zero:{4*T} i32:{n}
KERNEL guarded(const u32 *p, u32 *q, u32 n) {
  u32 i = HERE;
  if (i >= n) return;
  q[i] = p[i] + threadIdx.y;
}

// One side goes along x, the other along y: the stores, which cost more, are favoured.
// CASE: transposed load=turn store=turn plain:load=turn plain:store=turn full dims -- rand:{4*T} zero:{4*T}
// CASE: transposed fewer full block=32,8 -- rand:{4*T} zero:{4*T}
KERNEL transposed(const u32 *__restrict__ p, u32 *__restrict__ q) { q[HERE] = p[ALL]; }

// A product of two matrices, row by x and column by y; one pass of it is a walk of its own.
// CASE: product fewer load=turn plain:load=turn full block=16,16 grid=1 -- rand:4096 rand:4096 zero:1024 i32:16
// CASE: product full block=32,4 grid=1 -- rand:4096 rand:4096 zero:1024 i32:7
KERNEL product(const u32 *a, const u32 *b, u32 *c, int m) {
  u32 sum = 0;
  for (int k = 0; k < m; k++) sum += a[threadIdx.x * m + k] * b[k * blockDim.y + threadIdx.y];
  c[threadIdx.x * blockDim.y + threadIdx.y] = sum;
}

// Records that are exchanged once the threads have changed places.
// CASE: records load=exchange store=exchange full dims -- rand:{32*T} zero:{32*T}
// CASE: records fewer full block=16,16 -- rand:{32*T} zero:{32*T}
KERNEL records(const u32 *__restrict__ p, u32 *__restrict__ q) {
  for (int k = 0; k < 8; k++) q[8 * HERE + k] = p[8 * HERE + 7 - k] ^ k;
}

// Barriers that the whole block comes to, shared memory between them, and all that threads tell each other through it.
// CASE: staged fewer load=turn full block=16,16 -- rand:{4*T} zero:{4*T} i32:3
// CASE: staged full block=32,8,2 -- rand:{4*T} zero:{4*T} i32:2
// CASE: staged full block=33,3 -- rand:{4*T} zero:{4*T} i32:1
KERNEL staged(const u32 *__restrict__ p, u32 *__restrict__ q, int rounds) {
  __shared__ u32 s[1024];
  u32 sum = 0;
  for (int k = 0; k < rounds; k++) {
    s[rank_in_block()] = p[HERE] + k;
    __syncthreads();
    sum += s[block_size() - 1 - rank_in_block()];
    __syncthreads();
  }
  q[HERE] = sum;
}

// Between two barriers threads take ways of their own, but one that ends them all.
// CASE: between fewer load=turn full block=16,16 -- rand:{4*T} zero:{4*T} i32:3
// CASE: between full block=33,3 -- rand:{4*T} zero:{4*T} i32:2
KERNEL between(const u32 *__restrict__ p, u32 *__restrict__ q, u32 rounds) {
  __shared__ u32 s[1024];
  for (u32 k = 0; k < rounds; k++) {
    s[rank_in_block()] = p[HERE] + k;
    __syncthreads();
    u32 v = s[block_size() - 1 - rank_in_block()];
    if (v & 1) q[HERE] += v / 3;
    if (v % 16 > rounds + 16) __builtin_trap();
    __syncthreads();
  }
}

// CASE: counted load=turn full dims -- rand:{4*T} zero:256
KERNEL counted(const u32 *p, u32 *q) { __atomic_fetch_add(q + p[HERE] % 64, 1, __ATOMIC_RELAXED); }

// ---- blocks that stay as they are ----

// CASE: straight none plain:none full dims -- rand:{4*T} zero:{4*T}
KERNEL straight(const u32 *__restrict__ p, u32 *__restrict__ q) { q[ALL] = p[ALL] + threadIdx.y; }
// CASE: annotated none full dims -- rand:{4*T} zero:{4*T}
__attribute__((annotate("coalda.straight"))) KERNEL annotated(const u32 *p, u32 *q) { q[HERE] = p[HERE]; }
// A gain on one side alone, and as much of a loss on the other.
// CASE: even plain:none plain:refuse=TurnNoGain full block=16,16 -- rand:{4*T} rand:{4*T} zero:{4*T}
KERNEL even(const u32 *__restrict__ p, const u32 *__restrict__ r, u32 *__restrict__ q) { q[ALL] = p[ALL] * r[ALL] + p[HERE]; }
