// RUN: %rewritten %s --temp %t.d
// Tiles whose places move on by a product of numbers without a sign: that no index wraps around is asked on entry, together with what
// the number of iterations rests on. Nothing of that may have been asked of an answer that is gone (bridge.cpp, ir_recurrence).
// TEXT: levels=O3 archs=sm_90 stages=3
#include "tiles.cuh"
#define TY threadIdx.y

// The textbook's product, without restrict: a goes on in rows, b in columns. n is the width of both, a multiple of 8.
#define PRODUCT(name, Number, Counter, FROM, TO)                                                                        \
  KERNEL name(const u32 *a, const u32 *b, u32 *c, Number n, Counter first, Counter last) {                             \
    __shared__ u32 as[8][8], bs[8][8];                                                                                  \
    u32 sum = 0;                                                                                                        \
    for (Counter i = FROM, k = 8 * BX; TO; i += 8, k += 8 * n) {                                                        \
      as[TY][TX] = a[i + n * TY + TX];                                                                                  \
      bs[TY][TX] = b[k + n * TY + TX];                                                                                  \
      __syncthreads();                                                                                                  \
      for (int q = 0; q < 8; q++) sum = sum * 31 + as[TY][q] * bs[q][TX];                                               \
      __syncthreads();                                                                                                  \
    }                                                                                                                   \
    c[(TY * gridDim.x + BX) * 8 + TX] = sum;                                                                            \
  }

// CASE: up_to tile=pipelined block=8,8 grid=2 full with=n=16,32 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n-8}
PRODUCT(up_to, unsigned, int, first, i <= last)
// CASE: below block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n}
PRODUCT(below, unsigned, int, first, i < last)
// CASE: other block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n}
PRODUCT(other, unsigned, int, first, i != last)
// CASE: without_sign block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n-8}
PRODUCT(without_sign, int, unsigned, first, i <= last)
// CASE: mixed block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i64:{n} i32:0 i32:{n-8}
PRODUCT(mixed, unsigned long long, int, first, i <= last)
// CASE: wide block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i64:0 i64:{n-8}
PRODUCT(wide, unsigned, long long, first, i <= last)
// CASE: narrow block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n-8}
PRODUCT(narrow, unsigned short, int, first, i <= last)
// CASE: constant none block=8,8 grid=2 full with=n=16 -- rand:{4*n*16} rand:{4*n*(n+8)} zero:{4*T} i32:{n} i32:0 i32:{n}
PRODUCT(constant, unsigned, int, 0, i < 16)

// One source, whose step nobody knows, and which may be none; a step that the counter is divided by.
// CASE: stepped block=64 full with=k=0,5 with=d=1,3 -- rand:{4*(64+64*5*3)} zero:{4*T} i32:{k} i32:{d}
KERNEL stepped(const u32 *g, u32 *out, unsigned k, unsigned d) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int place = TX;
  for (unsigned i = 0; i <= k; i += d, place += d * 64) {
    s[TX] = g[place];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a loop around, which moves the begin.
// CASE: nested block=64 full with=k=1,4 with=d=64,65 -- rand:{4*(64+3*64+65*5)} zero:{4*T} i32:{k} i32:{d}
KERNEL nested(const u32 *g, u32 *out, int k, unsigned d) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int r = 0; r < 3; r++)
    for (int i = 0, place = 64 * r; i <= k; i += 1, place += d) {
      s[TX] = g[place + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
  out[ROW] = sum;
}
// Copies of eight bytes, by a part of the threads.
// CASE: halves block=64 full with=k=1,4 -- rand:{8*16*6} zero:{4*T} i32:{k} i32:16
KERNEL halves(const u64 *g, u32 *out, int k, unsigned d) {
  __shared__ u64 s[16];
  u32 sum = 0;
  for (int i = 0, place = TX; i <= k; i++, place += d) {
    if (TX < 16) s[TX] = g[place];
    __syncthreads();
    sum = sum * 31 + (u32)s[15 - TX % 16];
    __syncthreads();
  }
  out[ROW] = sum;
}
