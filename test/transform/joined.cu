// RUN: %rewritten %s --temp %t.d
// Numbers of threads whose bits are joined, (blockIdx.x << 6) | threadIdx.x, are sums where the bits are apart: as launch bounds say, or as blocks of up to
// 64 threads have them. Blocks that are larger get what they asked for.
#include "records.cuh"
struct Sixteen { u32 w[16]; };
__device__ inline u32 of(const Sixteen &r) {
  u32 sum = 0;
  for (int k = 0; k < 16; k++) sum = sum * 31 + r.w[k];
  return sum;
}
#define LOADS(name, attributes, number) \
  KERNEL attributes name(const Sixteen *p, u32 *q) { \
    auto i = number; \
    q[ROW] = of(p[i]); \
  }
#define STORES(name, attributes, number) \
  KERNEL attributes name(const u32 *p, Sixteen *q) { \
    auto i = number; \
    u32 v = p[i]; \
    for (int k = 0; k < 16; k++) q[i].w[k] = v * k + 1; \
  }
template <int Bits> __device__ inline unsigned number_of() { return blockIdx.x << Bits | threadIdx.x; }
__device__ inline unsigned joined(unsigned high, unsigned low) { return high | low; }

// ---- told by launch bounds ----

// CASE: told plain:load=exchange block=64 full -- rand:{64*T} zero:{4*T}
LOADS(told, __launch_bounds__(64), (blockIdx.x << 6) | threadIdx.x)
// CASE: told_int plain:load=exchange block=64 full -- rand:{64*T} zero:{4*T}
LOADS(told_int, __launch_bounds__(64), (int)(blockIdx.x * 64 | threadIdx.x))
// CASE: told_long plain:load=exchange block=64 full -- rand:{64*T} zero:{4*T}
LOADS(told_long, __launch_bounds__(64), (long long)blockIdx.x << 6 | threadIdx.x)
// CASE: told_fewer plain:load=exchange block=64 full -- rand:{64*1024} zero:{4*T}
LOADS(told_fewer, __launch_bounds__(64), threadIdx.x | blockIdx.x << 8)
// CASE: told_stores plain:store=exchange block=64 full -- rand:{4*T} zero:{64*T}
STORES(told_stores, __launch_bounds__(64), (blockIdx.x << 6) | threadIdx.x)
// CASE: told_template plain:store=exchange block=64 full -- rand:{4*T} zero:{64*T}
STORES(told_template, __launch_bounds__(64), number_of<6>())
// CASE: told_inline plain:store=exchange block=64 full -- rand:{4*T} zero:{64*T}
STORES(told_inline, __launch_bounds__(64), joined(blockIdx.x * 64, threadIdx.x))
// Not enough: bits may be shared, and are, in blocks of 128.
// CASE: told_too_many none block=128 full -- rand:{64*T} zero:{4*T}
LOADS(told_too_many, __launch_bounds__(128), (blockIdx.x << 6) | threadIdx.x)

// ---- not told ----

// CASE: untold plain:load=exchange block=64 full -- rand:{64*T} zero:{4*T}
// CASE: untold block=128 full -- rand:{64*T} zero:{4*T}
// CASE: untold block=96 full -- rand:{64*T} zero:{4*T}
LOADS(untold, , (blockIdx.x << 6) | threadIdx.x)
// CASE: untold_stores plain:store=exchange block=64 full -- rand:{4*T} zero:{64*T}
// CASE: untold_stores block=48 full -- rand:{4*4*T} zero:{4*64*T}
STORES(untold_stores, , threadIdx.x | (int)blockIdx.x * 64)
// A row of 16 bits of the number are not the warp's.
// CASE: untold_narrow none block=64 full -- rand:{64*2*T} zero:{4*T}
LOADS(untold_narrow, , (blockIdx.x << 4) | threadIdx.x)
// Of two axes.
// CASE: two_axes none block=8,8 grid=2 full -- rand:{64*128} zero:{4*128}
// CASE: two_axes none block=16,4 grid=2 full -- rand:{64*128} zero:{4*128}
KERNEL two_axes(const Sixteen *p, u32 *q) { q[ALL] = of(p[(blockIdx.x << 6) | (threadIdx.y << 3) | threadIdx.x]); }
// What is loaded may have any bits.
// CASE: by_data block=64 full -- rand:{64*2*T} perm:{T} zero:{4*T}
KERNEL by_data(const Sixteen *p, const u32 *at, u32 *q) { q[ROW] = of(p[(at[ROW] & ~15u) | threadIdx.x % 32]); }

// ---- counters ----

// CASE: counted plain:load=widen block=64 full -- rand:{32*T} zero:{4*T}
// CASE: counted block=33 full -- rand:{32*T} zero:{4*T}
KERNEL counted(const u32 *p, u32 *q) {
  int i = ROW;
  u32 sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 31 + p[(i << 3) | k];
  q[i] = sum;
}
