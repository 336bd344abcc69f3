// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s < %t.yaml
// Records that data decide which threads touch: the warp moves those of the lanes that come there, where they are eight or more.
#include "records.cuh"

struct P { float x, y, z, vx, vy, vz; };
struct W { u32 w[16]; };

// In place; loads of so short records stay.
// CASE: update store=exchange plain:store=exchange plain:refuse=NoGain -- rand:{24*T} rand:{4*T} i32:{n}
KERNEL update(P *__restrict__ p, const u32 *__restrict__ flag, int n) {
  int i = ROW;
  if (i < n && flag[i] % 4 != 0) { P q = p[i]; q.x += q.vx; q.y += q.vy; q.z += q.vz; q.vx -= q.x; q.vy -= q.y; q.vz -= q.z; p[i] = q; }
}
// Threads of blocks of any shape.
// CASE: shapes few dims store=exchange load=exchange -- rand:{48*T} rand:{4*T} i32:{n}
KERNEL shapes(u32 *__restrict__ p, const u32 *__restrict__ flag, int n) {
  int i = ALL;
  if (i >= n || flag[i] < 1u << 30) return;
  u32 *q = p + 12 * i;
  for (int k = 0; k < 12; k++) q[k] = q[k] * 3 + k;
}
// No lane, one lane, seven, eight, most, all: what stays away is not touched, nor is it there.
// CASE: some few full block=64 with=M=0,4,8,9,24,31,32 store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{M}
KERNEL some(const W *__restrict__ a, W *__restrict__ q, const u32 *__restrict__ c, int m) {
  int i = ROW;
  if (int(c[i] >> 27) < m) {
    W w = a[i];
    for (int k = 0; k < 16; k++) q[i].w[k] = w.w[k] * 3 + k;
  }
}
// CASE: first few full block=64 with=M=0,1,7,8,9,24,31,32,33,63 store=exchange load=exchange -- iota:{T} rand:{64*M+4} zero:{64*M+4} i32:{M}
KERNEL first(const u32 *__restrict__ flag, const W *__restrict__ a, W *__restrict__ q, int m) {
  int i = ROW;
  if (int(flag[i]) < m) {
    W w = a[i];
    for (int k = 0; k < 16; k++) q[i].w[k] = w.w[k] * 3 + k;
  }
}
// Where they are is loaded there, too: twice.
// CASE: scatter few store=exchange plain:store=exchange -- zero:{32*T} rand:{4*T} perm:{T} i32:{n}
KERNEL scatter(u32 *__restrict__ p, const u32 *__restrict__ c, const u32 *__restrict__ at, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) { u32 *q = p + 8 * at[i]; for (int k = 0; k < 8; k++) q[k] = c[i] * k + i; }
}
// CASE: twice few store=exchange load=exchange plain:store=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} perm:{T} perm:{T} i32:{n}
KERNEL twice(const W *__restrict__ a, W *__restrict__ p, const u32 *__restrict__ c, const u32 *__restrict__ at, const u32 *__restrict__ from, int n) {
  int i = ROW; if (i >= n) return;
  if (!(c[i] & 1)) return;
  W w = a[from[at[i]]];
  for (int k = 0; k < 16; k++) w.w[k] ^= i + k;
  p[at[i]] = w;
}
// Indices of lanes that stay away lead nowhere.
// CASE: nowhere few full block=64 store=exchange -- zero:{32*T} rand:{4*T} perm:{T}
KERNEL nowhere(u32 *__restrict__ p, const u32 *__restrict__ c, const u32 *__restrict__ at) {
  int i = ROW;
  u32 j = c[i] & 1 ? at[i] : 0x7fffff1 + i;
  if (c[i] & 1) for (int k = 0; k < 8; k++) p[8 * (u64)j + k] = c[i] * k + i;
}
// Nor are there indices for them.
// CASE: indices few full block=64 with=M=1,8,9,31,40,63 store=exchange -- zero:{32*M} iota:{T} perm:{M} i32:{M}
KERNEL indices(u32 *__restrict__ p, const u32 *__restrict__ c, const u32 *__restrict__ at, int m) {
  int i = ROW;
  if (int(c[i]) < m) { u32 *q = p + 8 * at[i]; for (int k = 0; k < 8; k++) q[k] = c[i] * k + i; }
}
// Other stores, values that are used behind, a loop around.
// CASE: around few store=exchange -- rand:{48*T} zero:{8*T} zero:{4*T} i32:{2*n}
KERNEL around(u32 *__restrict__ p, u32 *__restrict__ o, u32 *__restrict__ t, int n) {
  u32 sum = 0;
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x) {
    u32 got = 7, *q = p + 6 * i;
    if (q[5] & 1) { got = q[0] + q[1]; o[i] = got * 3; q[0] = got; q[1] = got + 1; q[2] = 9; q[3] = i; q[4] = got ^ i; }
    sum += got;
  }
  t[ROW] = sum;
}
// It may be the same record that is loaded and stored elsewhere.
// CASE: overlap few with=D=0,1,4,16 store=exchange load=exchange -- rand:{320*T+64} ref:0+{4*D} rand:{4*T} i32:{n}
// CASE: overlap few -- rand:{320*T+64} ref:0+{160*T} rand:{4*T} i32:{n}
KERNEL overlap(u32 *a, u32 *q, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8) for (int k = 0; k < 16; k++) q[40 * i + k] = a[40 * i + k] * 3 + k;
}
// What was stored in front of the loads may be what they load.
// CASE: before few with=D=0,1,3 load=exchange -- rand:{320*T+64} ref:0+{4*D} zero:{4*T} rand:{4*T} i32:{n}
// CASE: before few -- rand:{320*T+64} ref:0+{160*T} zero:{4*T} rand:{4*T} i32:{n}
KERNEL before(u32 *a, u32 *q, u32 *o, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8) { q[40 * i + 3] = i; u32 s = 0; for (int k = 0; k < 16; k++) s = s * 3 + a[40 * i + k]; o[i] = s; }
}
// What was stored in front may say where they are.
// CASE: told few -- zero:{32*T} rand:{4*T} perm:{T} ref:2+0 i32:{n}
// CASE: told few -- zero:{32*T} rand:{4*T} perm:{T} zero:{4*T} i32:{n}
KERNEL told(u32 *__restrict__ p, const u32 *__restrict__ c, u32 *at, u32 *t, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) { t[i] = i; u32 *q = p + 8 * at[i]; for (int k = 0; k < 8; k++) q[k] = c[i] * k + i; }
}
// One record says where the other one is.
struct L { u32 next, v[15]; };
// CASE: linked few load=exchange refuse=LateAddress -- perm:{16*T} rand:{4*T} zero:{4*T} i32:{n}
KERNEL linked(const L *__restrict__ a, const u32 *__restrict__ c, u32 *__restrict__ o, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8) {
    u32 s = 0; L l = a[i]; for (int k = 0; k < 15; k++) s = s * 3 + l.v[k];
    const L &m = a[l.next >> 4]; for (int k = 0; k < 15; k++) s = s * 5 + m.v[k];
    o[i] = s + l.next;
  }
}
// One record says where it is read where the other one is.
// CASE: led few load=exchange refuse=LateAddress -- rand:{64*T} rand:{4*T} iota:16 zero:{256*T} i32:{n}
KERNEL led(const L *__restrict__ a, const u32 *__restrict__ c, const u32 *__restrict__ idx, L *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8) { L l = a[i]; u32 j = idx[l.next & 3]; for (int k = 0; k < 15; k++) l.v[k] += k; q[4 * i + j] = l; }
}
// Structs that are copied as such, in order and not, and one of the sides alone.
struct S { u32 w[8]; };
// CASE: packed few store=copy load=copy plain:store=copy -- zero:{32*T} rand:{32*T} perm:{T} rand:{4*T} i32:{n}
KERNEL packed(S *__restrict__ out, const S *__restrict__ in, const u32 *__restrict__ at, const u32 *__restrict__ keep, int n) {
  int i = ROW; if (i >= n) return;
  if (keep[i] & 3) out[at[i]] = in[i];
}
// CASE: gathered few full block=64 with=M=1,8,9,40,63 store=copy load=copy -- zero:{32*M} rand:{32*M} perm:{M} iota:{T} i32:{M}
KERNEL gathered(S *__restrict__ out, const S *__restrict__ in, const u32 *__restrict__ at, const u32 *__restrict__ keep, int m) {
  int i = ROW;
  if (int(keep[i]) < m) out[i] = in[at[i]];
}
// CASE: filled few store=exchange -- zero:{32*T} rand:32 rand:{4*T} i32:{n}
KERNEL filled(S *__restrict__ out, const S s, const u32 *__restrict__ keep, int n) {
  int i = ROW; if (i >= n) return;
  if (keep[i] & 3) out[i] = s;
}
// CASE: one_side few store=copy -- zero:{32*T} rand:{32*T} rand:{4*T} i32:{n}
KERNEL one_side(S *__restrict__ out, const S *__restrict__ in, const u32 *__restrict__ keep, int n) {
  int i = ROW; if (i >= n) return;
  if (keep[i] & 3) { out[i] = in[keep[i] & 7]; }
}
// CASE: parts_of few store=exchange -- zero:{64*T} rand:{32*T} rand:{4*T} i32:{n}
KERNEL parts_of(u32 *__restrict__ out, const S *__restrict__ in, const u32 *__restrict__ keep, int n) {
  int i = ROW; if (i >= n) return;
  if (keep[i] & 3) { *(S *)(out + 16 * i) = in[i]; for (int k = 8; k < 16; k++) out[16 * i + k] = keep[i] * k; }
}
// CASE: moved few -- rand:{64*T} ref:0+16 rand:{4*T} i32:{n}
KERNEL moved(u32 *out, u32 *in, const u32 *keep, int n) {
  int i = ROW; if (i >= n) return;
  if (keep[i] & 3) { __builtin_memcpy(out + 16 * i, in + 16 * i, 32); }
}
// What was stored is read in between.
// CASE: between few load=none -- rand:{32*T} rand:{4*T} zero:{4*T} i32:{n}
KERNEL between(u32 *__restrict__ p, const u32 *__restrict__ c, u32 *__restrict__ o, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) {
    u16 *h = (u16 *)(p + 8 * i);
    h[0] = i; h[1] = 3; h[2] = 4; h[3] = 5; h[4] = 7; h[5] = 8; h[6] = i; h[7] = 9; h[8] = i; h[9] = 1; h[10] = 2; h[11] = 3;
    u32 x = p[8 * i] + p[8 * i + 2];
    for (int k = 0; k < 8; k++) p[8 * i + k] = x * k;
    o[i] = x;
  }
}
// CASE: copied_on few -- zero:{32*T} rand:{4*T} zero:{32*T} i32:24 i32:{n}
KERNEL copied_on(u32 *__restrict__ p, const u32 *__restrict__ c, u32 *__restrict__ o, u32 bytes, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) {
    for (int k = 0; k < 8; k++) p[8 * i + k] = i * k;
    __builtin_memcpy(o + 8 * i, p + 8 * i, bytes);
  }
}
// Beside a walk, in the loop that walks.
// CASE: walked few block=48 grid=1 with=m=33,100 -- rand:{4*n*m+4} rand:{4*n} zero:{32*n*m} i32:{m} i32:{n}
KERNEL walked(const u32 *__restrict__ a, const u32 *__restrict__ c, u32 *__restrict__ o, int m, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    s = s * 31 + v;
    if (v & 3) for (int k = 0; k < 8; k++) o[(i * m + j) * 8 + k] = s * k;
  }
}
// Parts of words, and of other sizes.
struct Mixed { double d; u32 a; u16 b; u8 c, e; u64 f; };
// CASE: mixed few store=exchange -- zero:{24*T} rand:{4*T} i32:{n}
KERNEL mixed(Mixed *__restrict__ p, const u32 *__restrict__ x, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = x[i];
  if (m & 6) { p[i].d = m; p[i].a = m; p[i].b = m; p[i].c = m; p[i].f = m * 3ull; }
}
// Not aligned to more than words, and words alone.
// CASE: shifted few with=D=0,4,8,12 store=exchange load=exchange -- rand:{64*T+16} ref:0+{D} zero:{64*T+16} ref:2+{D} rand:{4*T} i32:{n}
KERNEL shifted(void *, const W *__restrict__ a, void *, W *__restrict__ q, const u32 *__restrict__ c, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) { W w = a[i]; w.w[3] += i; q[i] = w; }
}
// Generic pointers may lead to a thread's own memory.
// CASE: own few store=exchange -- zero:{32*T} rand:{4*T} zero:{4*T} i32:{n}
__device__ __attribute__((noinline)) void put(u32 *p, const u32 *c, u32 v) {
  if (*c & 3) for (int k = 0; k < 8; k++) p[k] = v * k;
}
KERNEL own(u32 *p, const u32 *c, u32 *o, int n) {
  int i = ROW; if (i >= n) return;
  u32 mine[8] = {};
  put(p + 8 * i, c + i, i);
  put(mine, c + i, i);
  o[i] = mine[i & 7];
}
// What all lanes load alike decides for all: as it was.
// CASE: alike few store=exchange -- zero:{32*T} rand:{4} i32:{n}
KERNEL alike(u32 *__restrict__ p, const u32 *__restrict__ c, int n) {
  int i = ROW; if (i >= n) return;
  if (*c & 3) for (int k = 0; k < 8; k++) p[8 * i + k] = i * k;
}
// CHECK: Name: {{ *}}ExchangedSome
// CHECK-NEXT: Function: {{ *}}update
// CHECK: where lanes enough come here
// CHECK: Name: {{ *}}CopiedSome
// CHECK-NEXT: Function: {{ *}}packed
