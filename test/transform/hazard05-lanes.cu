// RUN: %rewritten %s --temp %t.d
// Hazard 5: lanes need not be consecutive: blocks of two and three dimensions, negative and zero stride, records in any
// order, addresses that wrap around in 32 bits.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };
__device__ u32 sum(const R &r) { return r.a + 3 * r.b + 5 * r.c + 7 * r.d + 11 * r.e; }
__device__ void set(R *q, u32 x) { q->a = x; q->b = x + 1; q->c = x * 3; q->d = ~x; q->e = x ^ 5; }

// Each row of the block has a row of records of its own: no stride holds across the end of a row.
// CASE: rows load=exchange store=exchange full dims -- rand:{20*T*4} zero:{20*T*4}
KERNEL rows(const R *__restrict__ p, R *__restrict__ q) {
  u32 row = blockIdx.x * blockDim.y * blockDim.z + threadIdx.z * blockDim.y + threadIdx.y;
  u32 i = row * (blockDim.x + 1) + threadIdx.x;
  set(q + i, sum(p[i]));
}
// CASE: columns load=exchange store=exchange full dims -- rand:{20*T} zero:{20*T}
KERNEL columns(const R *__restrict__ p, R *__restrict__ q) {
  u32 i = blockIdx.x * block_size() + (threadIdx.x * blockDim.y + threadIdx.y) * blockDim.z + threadIdx.z;
  set(q + i, sum(p[i]));
}
// CASE: x_alone load=exchange store=exchange full dims -- rand:{20*T} zero:{20*T}
KERNEL x_alone(const R *__restrict__ p, R *__restrict__ q) {
  u32 i = threadIdx.x;
  u32 x = sum(p[i]);
  if (threadIdx.y + threadIdx.z + blockIdx.x == 0) set(q + i, x);
}
// CASE: descending load=exchange store=exchange -- rand:{20*n} zero:{20*n} i32:{n}
KERNEL descending(const R *__restrict__ p, R *__restrict__ q, int n) {
  int i = ROW;
  if (i < n) set(q + (n - 1 - i), sum(p[n - 1 - i]));
}
// CASE: one_for_all none full dims -- rand:20 zero:{4*T} i32:0
KERNEL one_for_all(const R *__restrict__ p, u32 *__restrict__ q, int zero) { q[ALL] = sum(p[ALL * zero]); }
// CASE: pairs load=exchange full dims -- rand:{20*T} zero:{4*T}
KERNEL pairs(const R *__restrict__ p, u32 *__restrict__ q) { q[ALL] = sum(p[ALL / 2]); }
// CASE: gather load=exchange -- perm:{n} rand:{20*n} zero:{4*n} i32:{n}
KERNEL gather(const u32 *__restrict__ at, const R *__restrict__ p, u32 *__restrict__ q, int n) { int i = ROW; if (i < n) q[i] = sum(p[at[i]]); }
// CASE: scatter store=exchange -- perm:{n} zero:{20*n} i32:{n}
KERNEL scatter(const u32 *__restrict__ at, R *__restrict__ q, int n) { int i = ROW; if (i < n) set(q + at[i], i); }
// CASE: again load=exchange -- bits:{n} rand:40 zero:{4*n} i32:{n}
KERNEL again(const u32 *__restrict__ at, const R *__restrict__ p, u32 *__restrict__ q, int n) { int i = ROW; if (i < n) q[i] = sum(p[at[i]]); }
// CASE: strides few load=exchange store=exchange with=s=5..17 -- rand:{4*s*n} zero:{4*s*n} i32:{s} i32:{n}
KERNEL strides(const u32 *__restrict__ p, u32 *__restrict__ q, int s, int n) {
  int i = ROW;
  if (i < n) set((R *)(q + s * i), sum(*(const R *)(p + s * i)));
}
#define STRIDE(S) KERNEL stride##S(const u32 *__restrict__ p, u32 *__restrict__ q, int n) { \
  int i = ROW; if (i < n) for (int k = 0; k < (S + 1) / 2; k++) q[S * i + k] = p[S * i + k] * 3 + k; }
// CASE: stride2 none few -- rand:{8*n} zero:{8*n} i32:{n}
// CASE: stride3 few -- rand:{12*n} zero:{12*n} i32:{n}
// CASE: stride4 few -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: stride6 few -- rand:{24*n} zero:{24*n} i32:{n}
// CASE: stride11 few -- rand:{44*n} zero:{44*n} i32:{n}
// CASE: stride17 few -- rand:{68*n} zero:{68*n} i32:{n}
STRIDE(2) STRIDE(3) STRIDE(4) STRIDE(6) STRIDE(11) STRIDE(17)
// The index wraps in 32 bits inside the record of one thread: its members do not lie side by side. Of
// the 4 GB that the index reaches only both ends are touched.
// CASE: wraps full block=64 grid=1 store=exchange -- zero:4294967296 i32:-7 i32:{n}
KERNEL wraps(u8 *q, u32 c, int n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 k = 5 * i + c;
  q[k] = i; q[k + 1] = i + 1; q[k + 2] = i + 2; q[k + 3] = i + 3; q[k + 4] = i + 4;
}
