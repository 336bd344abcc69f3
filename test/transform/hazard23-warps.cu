// RUN: %rewritten %s --temp %t.d
// Hazard 23: threads of a block that change places are in other warps than before: what a warp does together, or in order, would
// be done by others.
#include "records.cuh"
#define AT(X, Y) (blockIdx.x * block_size() + (threadIdx.z * blockDim.x + (X)) * blockDim.y + (Y))
#define HERE AT(threadIdx.x, threadIdx.y)

// CASE: voted refuse=TurnWarp none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL voted(const u32 *p, u32 *q) {
  bool any = __nvvm_vote_any_sync(~0u, threadIdx.x == 3 && threadIdx.y == 2);
  q[HERE] = p[HERE] + any;
}
// CASE: shuffled refuse=TurnWarp none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL shuffled(const u32 *p, u32 *q) { q[HERE] = __nvvm_shfl_sync_bfly_i32(~0u, p[HERE], 1, 31); }
// CASE: lane refuse=TurnWarp none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL lane(const u32 *p, u32 *q) { q[HERE] = p[HERE] + __nvvm_read_ptx_sreg_laneid(); }
// The same number, in words that LLVM does not read.
// CASE: written refuse=TurnWarp none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL written(const u32 *p, u32 *q) {
  u32 l;
  asm("mov.u32 %0, %%laneid;" : "=r"(l));
  q[HERE] = p[HERE] + l;
}
// Lanes in step: each sees what its neighbour has just stored.
// CASE: in_step refuse=TurnOrder none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL in_step(const u32 *p, u32 *q) {
  __shared__ volatile u32 s[1024];
  s[rank_in_block()] = p[HERE];
  q[HERE] = s[rank_in_block()];
}
// CASE: numbered refuse=TurnOrder none full block=1,1 -- rand:{4*T} zero:{4*T} zero:4
KERNEL numbered(const u32 *p, u32 *q, u32 *next) { q[HERE] = p[HERE] + __atomic_fetch_add(next, 1, __ATOMIC_RELAXED); }
// CASE: summed refuse=TurnOrder none full block=16,16 grid=1 -- frand:{4*T} zero:4 zero:{4*T}
KERNEL summed(const float *p, float *sum, u32 *q) {
  q[HERE] = 1;
  if (p[HERE] > 1e30f) __nvvm_atom_add_gen_f(sum, p[HERE]);
}
// CASE: last refuse=TurnOrder none full block=16,16 grid=1 -- rand:{4*T} zero:4 zero:{4*T}
KERNEL last(const u32 *p, u32 *winner, u32 *q) {
  q[HERE] = p[HERE];
  if (rank_in_block() == 0) __atomic_exchange_n(winner, p[HERE], __ATOMIC_RELAXED);
}
// Rows of 32 threads, of which one alone goes on to the barrier: a warp as it is, a lane of every warp if they were turned.
// CASE: rows refuse=TurnBarrier none full block=32,8 -- rand:{4*T} zero:{4*T}
KERNEL rows(const u32 *p, u32 *q) {
  q[HERE] = p[HERE];
  if (threadIdx.y > 0) return;
  __syncthreads();
  q[HERE] += 1;
}
// CASE: rounds refuse=TurnBarrier none full block=32,8 -- rand:{4*T} zero:{4*T}
KERNEL rounds(const u32 *p, u32 *q) {
  for (u32 k = 0; k <= threadIdx.y / 8; k++) {
    q[HERE] += p[HERE] + k;
    __syncthreads();
  }
}
// Which way each thread has come decides whether it comes again.
// CASE: merged refuse=TurnBarrier none full block=32,8 -- rand:{4*T} zero:{4*T} i32:5
KERNEL merged(const u32 *p, u32 *q, u32 m) {
  u32 way, times = 0;
  do {
    if (threadIdx.y < 4) { q[HERE] += p[HERE]; way = 1; }
    else { q[HERE] ^= p[HERE]; way = 2; }
    __syncthreads();
  } while (way == m && ++times < 3);
}
// As many iterations as the data of each thread says, in the end compared.
// CASE: late refuse=TurnBarrier none full block=32,8 -- zero:{4*T} zero:{4*T}
KERNEL late(const u32 *p, u32 *q) {
  u32 k = 0;
  while (p[HERE] > k) q[HERE] = k += 3;
  q[HERE] += 1;
  __syncthreads();
  q[HERE] += 1;
  if (k > 3) __syncthreads();
}
// The function has its own idea of which thread it runs for.
__device__ __noinline__ u32 mine(u32 x) { return x + threadIdx.x; }
// CASE: asked refuse=TurnCall none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL asked(const u32 *p, u32 *q) { q[HERE] = mine(p[HERE]) + threadIdx.x; }
// This one has none.
__device__ __noinline__ u32 plain_one(u32 x) { return x * 5 + 1; }
// CASE: asked_plainly load=turn store=turn full dims -- rand:{4*T} zero:{4*T}
KERNEL asked_plainly(const u32 *p, u32 *q) { q[HERE] = plain_one(p[HERE]) + threadIdx.x; }
// Nobody can say what a pointer leads to.
__device__ u32 through(u32 (*f)(u32), u32 x) { return f(x); }
// CASE: asked_anyone refuse=TurnCall none full block=16,16 -- rand:{4*T} zero:{4*T}
KERNEL asked_anyone(const u32 *p, u32 *q) { q[HERE] = p[HERE] == 77777 ? through((u32(*)(u32))(u64)p[HERE], 1) : 2; }
