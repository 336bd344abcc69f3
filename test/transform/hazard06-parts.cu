// RUN: %rewritten %s --temp %t.d
// Hazard 6: fields left out, padding, two stores to one field, overlapping members, unions, mixed widths, sub-word fields.
#include "records.cuh"
struct R { u32 a, b, c, d, e, f, g, h; };
struct __attribute__((packed)) P5 { u8 a; u32 b; };
struct __attribute__((packed)) P7 { u16 a; u32 b; u8 c; };
struct Padded { u8 a; double b; u16 c; u8 d; };
struct uchar3_ { u8 x, y, z; };
struct short3_ { short x, y, z; };
union U { u32 w[6]; u64 d[3]; u16 h[12]; u8 b[24]; float f[6]; };
typedef _Float16 Half2 __attribute__((ext_vector_type(2)));

// CASE: some load=exchange store=widen -- rand:{32*n} rand:{32*n} i32:{n}
KERNEL some(const R *__restrict__ p, R *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].a = p[i].b; q[i].c = p[i].d + 1; q[i].d = p[i].e + 2; q[i].h = p[i].h;
}
// CASE: twice store=exchange -- rand:{32*n} i32:1 i32:{n}
KERNEL twice(R *q, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *w = &q[i].a;
  q[i].a = 1; q[i].b = 2; q[i].c = 3; q[i].d = 4; q[i].e = 5;
  *(u64 *)&q[i].c = 0x123456789abcdefull * i;
  *(u8 *)&q[i].b = i; *((u16 *)&q[i].e + 1) = i * 7;
  w[5] = i;
}
// -O0 keeps the stores that others overwrite.
// CASE: last_wins store=exchange -- rand:{32*n} i32:{n}
KERNEL last_wins(R *q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].a = 1; q[i].b = 2; q[i].c = 3; q[i].b = i; q[i].d = 4; q[i].a = 7 * i; q[i].e = 6; q[i].c = 8; q[i].b = 3 * i;
}
// CASE: unions load=exchange store=exchange -- rand:{24*n} rand:{24*n} i32:{n}
KERNEL unions(const U *__restrict__ p, U *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 x = p[i].d[0] + p[i].w[1];
  u32 y = p[i].h[4] + p[i].w[2] * p[i].b[9];
  q[i].d[0] = x; q[i].b[3] = y; q[i].w[2] = y; q[i].h[4] = x; q[i].d[2] = x * y; q[i].b[17] = 9; q[i].f[3] = 1.5f;
}
// CASE: packed5 load=exchange store=exchange -- rand:{5*n} zero:{5*n} i32:{n}
KERNEL packed5(const P5 *__restrict__ p, P5 *__restrict__ q, int n) { int i = ROW; if (i < n) { P5 r = p[i]; q[i].a = r.b; q[i].b = r.a * r.b; } }
// CASE: packed7 load=exchange store=exchange -- rand:{7*n} zero:{7*n} i32:{n}
KERNEL packed7(const P7 *__restrict__ p, P7 *__restrict__ q, int n) { int i = ROW; if (i < n) { P7 r = p[i]; q[i].a = r.b; q[i].b = r.a * r.b; q[i].c = r.c ^ 3; } }
// CASE: bytes3 load=exchange store=exchange plain:none -- rand:{3*n} zero:{3*n} i32:{n}
KERNEL bytes3(const uchar3_ *__restrict__ p, uchar3_ *__restrict__ q, int n) { int i = ROW; if (i < n) { uchar3_ r = p[i]; q[i].x = r.z + r.y; q[i].y = r.x; q[i].z = r.y - 1; } }
// CASE: shorts3 load=exchange store=exchange -- rand:{6*n} zero:{6*n} i32:{n}
KERNEL shorts3(const short3_ *__restrict__ p, short3_ *__restrict__ q, int n) { int i = ROW; if (i < n) { short3_ r = p[i]; q[i].x = r.z + r.y; q[i].y = r.x; q[i].z = r.y - 1; } }
// Nobody writes the padding: it holds what it held.
// CASE: padding load=exchange store=exchange -- rand:{24*n} rand:{24*n} i32:{n}
KERNEL padding(const Padded *__restrict__ p, Padded *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].a = p[i].d; q[i].c = p[i].c * 3; q[i].d = p[i].a;
  q[i].b = __builtin_bit_cast(double, __builtin_bit_cast(u64, p[i].b) ^ 1);
}
// Another thread owns the bytes between: written, they would be lost or raced for.
// CASE: shared_out store=exchange full -- zero:{32*T}
KERNEL shared_out(R *q) {
  int i = ROW, other = blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
  q[i].a = i; q[i].b = i + 1; q[i].d = i + 2; q[i].e = i + 3; q[i].g = i + 4;
  q[other].c = i; q[other].f = i + 5; q[other].h = 6;
}
// CASE: vectors load=exchange store=exchange -- frand:{32*n} zero:{32*n} i32:{n}
struct Vectors { V4 v; V2 w; Half2 h; int *p32; } ;
KERNEL vectors(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  V4 v = *(const V4 *)(p + 8 * i);
  V2 w = *(const V2 *)(p + 8 * i + 4);
  Half2 h = *(const Half2 *)(p + 8 * i + 6);
  u32 z = p[8 * i + 7];
  *(V2 *)(q + 8 * i) = V2{v.y, v.x}; *(V2 *)(q + 8 * i + 2) = w;
  *(Half2 *)(q + 8 * i + 4) = h.yx; q[8 * i + 5] = z; q[8 * i + 6] = v.z; q[8 * i + 7] = v.w;
}
// CASE: chars store=widen -- rand:{4*n} rand:{12*n} i32:{n}
KERNEL chars(const u32 *__restrict__ p, u8 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 x = p[i];
  q[12 * i] = x; q[12 * i + 2] = x >> 8; *(u32 *)(q + 12 * i + 4) = x; *(u16 *)(q + 12 * i + 8) = x >> 5; q[12 * i + 11] = x >> 16;
}
