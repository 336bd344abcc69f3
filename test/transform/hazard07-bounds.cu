// RUN: %rewritten %s --temp %t.d
// Hazard 7: nothing is touched beyond what the original touched: buffers end at the last byte that it reads or writes.
#include "records.cuh"
struct R { u32 a, b, c, d, e, f, g, h; };
struct Padded { double b; u8 a; };

// CASE: tail_unread load=exchange -- rand:{max(0,32*n-8)} zero:{4*n} i32:{n}
KERNEL tail_unread(const R *p, u32 *q, int n) {
  int i = ROW;
  if (i < n) q[i] = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d + 9 * p[i].e + p[i].f;
}
// CASE: tail_unwritten store=exchange -- rand:{max(0,32*n-8)} i32:{n}
KERNEL tail_unwritten(R *q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].a = i; q[i].b = 1; q[i].c = 2; q[i].d = 3; q[i].e = 4; q[i].f = 5;
}
// CASE: head_untouched load=exchange store=exchange -- ref:3-8 ref:4-8 i32:{n} rand:{max(1,32*n-8)} rand:{max(1,32*n-8)}
KERNEL head_untouched(const R *p, R *q, int n, void *, void *) {
  int i = ROW;
  if (i >= n) return;
  u32 c = p[i].c, d = p[i].d, e = p[i].e, f = p[i].f, g = p[i].g, h = p[i].h;
  q[i].c = h; q[i].d = g; q[i].e = f; q[i].f = e; q[i].g = d; q[i].h = c;
}
// CASE: odd_bytes load=exchange store=exchange -- rand:{max(0,16*n-7)} rand:{max(0,16*n-7)} i32:{n}
KERNEL odd_bytes(const Padded *__restrict__ p, Padded *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].b = __builtin_bit_cast(double, __builtin_bit_cast(u64, p[i].b) + 1); q[i].a = p[i].a + 1;
}
// CASE: bytes7 load=exchange store=exchange -- rand:{7*n} rand:{7*n} i32:{n}
KERNEL bytes7(const u8 *__restrict__ p, u8 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int k = 0; k < 7; k++) q[7 * i + k] = p[7 * i + 6 - k] + k;
}
// A hole is somebody else's, and may not exist: two arrays interleaved by hand.
// CASE: holes load=widen store=widen -- rand:{max(0,32*n-4)} rand:{max(0,32*n-4)} i32:{n}
KERNEL holes(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int k = 0; k < 8; k += 2) q[8 * i + k] = p[8 * i + k] + k;
}
