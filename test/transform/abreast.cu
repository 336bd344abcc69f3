// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s --check-prefix=MADE < %t.log
// RUN: %FileCheck %s < %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=pins -S %s -o - | %FileCheck %s --check-prefix=OFF
// Loops that load and do not store: eight iterations stand in one body, of which clang has made two. And loads that filled an array stay in front of a condition.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry pins(
// OFF-NOT: fence.mbarrier_init
// OFF-LABEL: .entry named(
#include "records.cuh"
#define FORM(NAME, COUNTER, PRAGMA, ...) \
  KERNEL NAME(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    u32 s = 0, t = 1, u = 2; \
    PRAGMA for (COUNTER k = 0; k < m; k++) { __VA_ARGS__; } \
    out[i] = s ^ t * 3 ^ u; \
  }
#define MANY(v) s += v > 1 ? v : 3, t ^= s * 5 + (v >> 3), u += t > s ? t : v, s ^= u >> 7, t += u * 9, u ^= t >> 5, s += t ^ u
// MADE-DAG: ints: made: 4 iterations side by side
// CASE: ints few with=m=0,1,3,7,8,9,17,40 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(ints, int, , u32 v = p[k * n + i]; MANY(v))
// MADE-DAG: unsigneds: made: 4 iterations side by side
// CASE: unsigneds few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(unsigneds, unsigned, , u32 v = p[k * n + i]; MANY(v))
// MADE-DAG: longs: made: 4 iterations side by side
// CASE: longs few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(longs, long long, , u32 v = p[k * n + i]; MANY(v))
// What loads lead to: four in all.
// MADE-DAG: led: made: 2 iterations side by side
// CASE: led few with=m=0,1,3,4,5,7,8,9 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(led, int, , u32 v = q[p[k * n + i] % n]; MANY(v))
// They go different ways, each time anew.
// MADE-DAG: ways: made: 4 iterations side by side
// CASE: ways few with=m=0,1,3,4,5,7,8,9,17,40 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(ways, int, , u32 v = p[k * n + i]; if (v & 1) { MANY(v); s = q[i] * s + s % 7; } else if (v & 2) t = t % (v | 9) + s * 7; u += t ^ v)
// MADE-DAG: ways_down: made: 4 iterations side by side
// CASE: ways_down few with=m=0,1,3,4,5,7,8,9,17,40 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(ways_down, long, , u32 v = p[(m - 1 - k) * n + i]; if (v > s) { MANY(v); s = q[i] * s + s % 7; } u += t ^ v)
// A pragma says that it stays as it is; it goes different ways, which are short, whether clang has four in a body or one, or few times; it is left by what it loads; nothing that it loads
// follows from its counter.
// MADE-NOT: {{(told|found|bounded|keys|few|leaves|chased|named)}}: made: {{.*}} side by side
// CASE: found batch=no few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(found, unsigned, , if (p[k] == i) s += p[k + 1] * p[k + 2])
// CASE: bounded batch=no few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL bounded(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = 0;
  for (int k = blockIdx.x & 1, end = minu(k + 33, m); k < end; k++) if ((p[k] & 7) == (q[i] & 7)) s += p[k + 1];
  out[i] = s;
}
// Keys of up to 31 bytes, four at a time.
// CASE: keys batch=no few with=m=0,1 -- rand:{32*n+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL keys(const unsigned char *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  const unsigned char *d = p + i * 32;
  u32 h = m, c = q[i] & 31;
  for (u32 k = 0; k < c / 4; k++) {
    u32 v = d[4 * k] | d[4 * k + 1] << 8 | d[4 * k + 2] << 16 | d[4 * k + 3] << 24;
    v *= 0xcc9e2d51; v = v << 15 | v >> 17;
    h ^= v * 0x1b873593; h = h << 13 | h >> 19; h = h * 5 + 0xe6546b64;
  }
  out[i] = h ^ c;
}
// CASE: few batch=no few with=m=12 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL few(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = 0, t = 1, u = 2;
  for (int k = 0; k < 12; k++) { u32 v = p[k * n + i]; if (v & 1) { MANY(v); s = q[i] * s + s % 7; } else if (v & 2) t = t % (v | 9) + s * 7; u += t ^ v; }
  out[i] = s ^ t * 3 ^ u;
}
// CASE: told batch=no few with=m=0,1,7,9 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(told, int, _Pragma("unroll 1"), u32 v = p[k * n + i]; MANY(v))
// CASE: leaves batch=no few with=m=0,1,7,9 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(leaves, int, , u32 v = p[k * n + i]; MANY(v); if (!(v & 15)) break)
// CASE: chased batch=no few with=m=0,1,7,9 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(chased, int, , s = q[s % n] + k; MANY(s))
// A quotient of 64 bits takes longer than what is loaded beside it, and one of 32 does not.
// MADE-NOT: divided: made: {{.*}} side by side
// CASE: divided batch=no few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(divided, int, , u32 v = p[k * n + i]; MANY(v); s += (unsigned)(((unsigned long long)t << 20 | u) % (q[i] | 1ull << 33)))
// MADE-DAG: divided_by_words: made: {{.*}} side by side
// CASE: divided_by_words few with=m=0,1,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(divided_by_words, int, , u32 v = p[k * n + i]; MANY(v); s += t % (q[i] | 9))
// A list of which data let some lanes ask is seldom walked by all; of one of which all ask, iterations stand side by side.
// MADE-NOT: asked_by_some: made: {{.*}} side by side
// CASE: asked_by_some batch=no few with=m=17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL asked_by_some(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n || (q[i] & 1)) return;
  u32 s = 0, t = 1, u = 2;
  for (int k = q[i] & 7, end = q[n - 1 - i] & 15; k < end; k++) { u32 v = p[k * n + i]; MANY(v); }
  out[i] = s ^ t * 3 ^ u;
}
// MADE-DAG: asked_by_all: made: {{.*}} side by side
// CASE: asked_by_all few with=m=17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL asked_by_all(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = 0, t = 1, u = 2;
  for (int k = q[i] & 7, end = q[n - 1 - i] & 15; k < end; k++) { u32 v = p[k * n + i]; MANY(v); }
  out[i] = s ^ t * 3 ^ u;
}

// Many threads share a row: few iterations are left for each.
// MADE-NOT: {{(shared|shared_by)}}: made: {{.*}} side by side
// CASE: shared few none with=m=0,1,255,256,257,3000 -- rand:{4*m+16} zero:{4*n} i32:{n} i64:{m}
KERNEL shared(const u32 *__restrict__ p, u32 *__restrict__ out, int n, long m) {
  u32 s = 0;
  for (long c = threadIdx.x; c < m; c += 256) s += p[c] * p[c];
  if (ROW < n) out[ROW] = s;
}
// CASE: shared_by few none with=m=0,1,63,64,65,700 -- rand:{4*m+16} zero:{4*n} i32:{n} i64:{m}
KERNEL shared_by(const u32 *__restrict__ p, u32 *__restrict__ out, int n, long m) {
  u32 s = 0;
  for (long c = threadIdx.x; c < m; c += blockDim.x) s += p[c] * p[c];
  if (ROW < n) out[ROW] = s;
}
// ... and where as many as a warp has share it, not so few.
// MADE-DAG: by_warp: made: {{.*}} side by side
// CASE: by_warp few with=m=0,1,32,33,65,127,223,255,256,300,700 -- rand:{4*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL by_warp(const u32 *__restrict__ p, u32 *__restrict__ out, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int c = i; c < m; c += 32) s += p[c] * p[c];
  out[i] = s;
}

// The loads come before the first condition, and stay there.
// CHECK-LABEL: .entry pins(
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: fence.mbarrier_init
// CHECK: bra
// CASE: pins few -- rand:{16*n+16} zero:{4*n} i32:{n}
KERNEL pins(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  u32 v[24], s = 0;
  for (int k = 0; k < 24; k++) v[k] = p[(k & 3) * n + i] * (k + 3) + k;
  if (v[0] == 7) return;
  for (int r = 1; r < 24; r++) for (int k = 0; k < 24 - r; k++) { v[k] = (v[k] ^ v[k + r]) * 5 + (v[k + r] >> 3); v[k + r] += v[k]; }
  s = v[0] ^ v[23];
  q[i] = s;
}
// Eight words of each iteration, at places that data tell: a lane has lines of its own there.
// CASE: named few with=m=0,1,3,4,5,9 -- rand:{4*(n*m+8)*8+64} bits:{8*n}:3 zero:{4*n} i32:{n} i32:{m}
FORM(named, int, , u32 v = 0; for (int c = 0; c < 8; c++) v = v * 31 + p[(i * m + k) * 8 + (q[i * 8 + c] & 7)]; MANY(v))
// More words that lanes load at places of their own are not under way at once: of two arrays four iterations, which clang has in a body; of one that all threads load alike beside it eight.
// MADE-NOT: two_columns: made: {{.*}} side by side
// CASE: two_columns batch=no few with=m=0,1,3,4,5,9 -- rand:{4*n*m+16} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(two_columns, int, , s += p[k * n + i] * q[k * n + i])
// MADE-DAG: row_and_column: made: {{.*}} side by side
// CASE: row_and_column few with=m=0,1,3,4,5,7,8,9,17 -- rand:{4*n*m+16} rand:{4*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(row_and_column, int, , s += p[k * n + i] * q[k])
