// RUN: %rewritten %s --temp %t.d
// Loops that wait for an index before they can load what it leads to: the index of the next iteration is loaded one ahead. All buffers
// are as long as what is read of them, and no longer.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll | %FileCheck %s
#include "records.cuh"
#define R __restrict__
#define ONCE _Pragma("unroll 1")

// Before: both loads in the loop. After: the first index in front of it, the next ones under a guard.
// CHECK-LABEL: @counted(
// CHECK: load i32, {{.*}}, !coalda.ahead
// CHECK: phi i32
// CHECK: load i32, {{.*}}, !coalda.ahead
// CHECK: ret void
// CASE: counted ahead=yes full with=m=0,1,2,3,7 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL counted(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) s = s * 31 + x[col[j * n + i]];
  y[i] = s;
}
// CASE: by_unsigned ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL by_unsigned(const u32 *R col, const u32 *R x, u32 *R y, unsigned m, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (unsigned j = i; j < m * n; j += n) s = s * 31 + x[col[j]];
  y[i] = s;
}
// CASE: by_long ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i64:{m} i64:{n}
KERNEL by_long(const int *R col, const u32 *R x, u32 *R y, long long m, long long n) {
  long long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (long long j = m - 1; j >= 0; j--) s = s * 31 + x[col[j * n + i]];
  y[i] = s;
}
// CASE: by_pointer ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL by_pointer(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const int *end = col + m * n;
  ONCE for (const int *p = col + i; p < end; p += n) s = s * 31 + x[*p];
  y[i] = s;
}
// CASE: by_while ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL by_while(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW, j = 0;
  if (i >= n) return;
  u32 s = 0;
  ONCE while (j != m) {
    s = s * 31 + x[col[j * n + i]];
    ++j;
  }
  y[i] = s;
}
// CASE: by_do ahead=yes few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL by_do(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW, j = i;
  if (i >= n) return;
  u32 s = 0;
  ONCE do {
    s = s * 31 + x[col[j]];
    j += n;
  } while (j < m * n);
  y[i] = s;
}
// The index is a byte, or eight of them; what it leads to is a record.
// CASE: of_bytes ahead=yes few with=m=0,1,5 -- rand:{n*m+1} rand:{16*256} zero:{4*n} i32:{m} i32:{n}
template <class T, class V> __device__ inline u32 gather(const T *R col, const V *R x, int m, int n, int i) {
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    V v = x[(int)col[j * n + i]];
    s = s * 31 + v.x + v.y;
  }
  return s;
}
KERNEL of_bytes(const u8 *R col, const V4 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i < n) y[i] = gather(col, x, m, n, i);
}
// CASE: of_longs ahead=yes few with=m=0,1,5 -- zero:{8*(n*m+1)} rand:{8} zero:{4*n} i32:{m} i32:{n}
KERNEL of_longs(const u64 *R col, const V2 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i < n) y[i] = gather(col, x, m, n, i);
}
// Through two tables: the first index alone is known ahead.
// CASE: through_two ahead=yes few with=m=0,1,5 -- perm:{n*m+1} perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL through_two(const int *R a, const int *R p, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) s = s * 31 + x[p[a[j * n + i]]];
  y[i] = s;
}
// Neighbours near enough are looked at, which not every iteration does; two lists side by side.
// CASE: near ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} rand:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL near(const int *R col, const u8 *R kind, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  ONCE for (int j = 0; j < m; j++) {
    u32 v = x[col[j * n + i]], k = kind[j * n + i];
    if ((v & 7) > k % 5) {
      s ^= v * 2654435761u;
      s = rot(s, 7) + k;
      s ^= s >> 3;
      if (s & 4) s += x[k % (m * n)];
    }
  }
  y[i] = s;
}
// Planes that take each other's place, with barriers between: nothing writes what is loaded.
// CASE: planes ahead=yes block=64 full with=m=0,1,2,3,6 -- rand:{4*n*(m+2)} zero:{4*n*(m+1)} i32:{m}
KERNEL planes(const u32 *R in, u32 *R out, int m) {
  __shared__ u32 s[64];
  int i = ROW, n = gridDim.x * 64, t = threadIdx.x;
  u32 a = in[i], b = in[n + i];
  ONCE for (int k = 2; k < m + 2; k++) {
    u32 c = in[k * n + i];
    s[t] = b;
    __syncthreads();
    out[(k - 2) * n + i] = a + 3 * c + s[(t + 1) % 64] * s[(t + 7) % 64];
    __syncthreads();
    a = b;
    b = c;
  }
}
// Counted where others count too: what the atomics find is asked for, or not.
// CASE: counts ahead=yes few with=m=0,1,2,5 -- perm:{n*m+1} zero:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL counts(const int *R col, u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    int c = col[j * n + i];
    s += x[c] + __nvvm_atom_add_gen_i((int *)x + c, j + 1);
  }
  y[i] = s;
}
// What the last iteration has loaded is used behind the loop, and counters take each other's place.
// CASE: last_of ahead=yes few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL last_of(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW, c = 0;
  if (i >= n) return;
  u32 s = 0, a = i, b = i + n;
  ONCE for (int j = 0; j < m; j++) {
    c = col[a];
    s = s * 31 + x[c];
    u32 next = b + n;
    a = b;
    b = next;
  }
  y[i] = s + c;
}
