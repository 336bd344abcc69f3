// RUN: %rewritten %s --temp %t.d
// Warps at the edge of a grid, where the outermost threads have nothing to do: those that are there move each other's records.
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
template <int N> struct Words { u32 w[N]; };

#define INNER(N) \
  KERNEL inner##N(const u32 *p, Words<N> *q, int n) { \
    int i = ROW; \
    if (i == 0 || i >= n - 1) return; \
    u32 v = p[i]; \
    for (int k = 0; k < N; k++) q[i].w[k] = v * k + i; }
// CASE: inner2 -- rand:{4*n+4} rand:{8*n+8} i32:{n}
// CASE: inner3 store=exchange -- rand:{4*n+4} rand:{12*n+12} i32:{n}
// CASE: inner4 -- rand:{4*n+4} rand:{16*n+16} i32:{n}
// CASE: inner5 plain:store=exchange -- rand:{4*n+4} rand:{20*n+20} i32:{n}
// CASE: inner6 plain:store=exchange -- rand:{4*n+4} rand:{24*n+24} i32:{n}
// CASE: inner7 plain:store=exchange fewer -- rand:{4*n+4} rand:{28*n+28} i32:{n}
// CASE: inner8 plain:store=exchange -- rand:{4*n+4} rand:{32*n+32} i32:{n}
// CASE: inner9 plain:store=exchange -- rand:{4*n+4} rand:{36*n+36} i32:{n}
// CASE: inner12 plain:store=exchange -- rand:{4*n+4} rand:{48*n+48} i32:{n}
// CASE: inner19 plain:store=exchange fewer -- rand:{4*n+4} rand:{76*n+76} i32:{n}
// CASE: inner32 plain:store=exchange -- rand:{4*n+4} rand:{128*n+128} i32:{n}
INNER(2) INNER(3) INNER(4) INNER(5) INNER(6) INNER(7) INNER(8) INNER(9) INNER(12) INNER(19) INNER(32)
// No thread is left out but behind the last: nothing is asked of fewer lanes.
// CHECK-LABEL: @plain7(
// CHECK-NOT: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %
// CHECK: ret void
KERNEL plain7(const u32 *p, Words<7> *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 v = p[i];
  for (int k = 0; k < 7; k++) q[i].w[k] = v * k + i;
}
// Any lane may be missing, and any number of them: which, a word of bits says.
// CASE: holes block=32 grid=1 full with=bits=0,1,2,-2147483648,2147483647,-2,-2147483647,305419896,16843009,252645135,65535,286331153,255,511,16711680,960,-1073741823 -- rand:128 rand:{28*32} rand:{12*32} i32:{bits} i32:32
KERNEL holes(const u32 *p, Words<7> *q, Words<3> *r, int bits, int n) {
  int i = ROW;
  if ((bits >> (i % 32) & 1) != (n < 5 * i - 1000) || i == n) return;
  u32 v = p[i];
  for (int k = 0; k < 7; k++) q[i].w[k] = v * k + i;
  for (int k = 0; k < 3; k++) r[i].w[k] = v * k - i;
}
// Threads that write in another order, and over each other's neighbours' bounds they do not.
// CASE: backwards -- rand:{4*n+4} rand:{28*n+28} i32:{n}
KERNEL backwards(const u32 *p, Words<7> *q, int n) {
  int i = ROW;
  if (i < 1 || i > n - 2) return;
  u32 v = p[i];
  for (int k = 0; k < 7; k++) q[n - 1 - i].w[k] = v * k + i;
}
// Rows of a plane: two axes of edges, and a warp at one of them in every row.
// CHECK-LABEL: @plane(
// CHECK: %[[HERE:.*]] = call i32 @llvm.nvvm.activemask()
// CHECK: call i1 @llvm.nvvm.vote.all.sync(i32 %[[HERE]],
// CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %[[HERE]],
// CASE: plane block=34,3 grid=1 full -- rand:{4*102} rand:{20*102} i32:34 i32:3
// CASE: plane block=16,5 grid=1 full -- rand:{4*80} rand:{20*80} i32:16 i32:5
// CASE: plane block=31,2 grid=1 full -- rand:{4*62} rand:{20*62} i32:31 i32:2
extern "C" __global__ __attribute__((annotate("coalda.straight"))) void plane(const u32 *p, Words<5> *q, int nx, int ny) {
  int x = threadIdx.x, y = threadIdx.y, at = y * nx + x;
  if (x == 0 || x == nx - 1 || y == ny - 1) return;
  u32 v = p[at - 1] + p[at + 1];
  for (int k = 0; k < 5; k++) q[at].w[k] = v * k + at;
}
// Bytes, and eights.
struct Pixel { unsigned char c[3]; };
// CASE: pixels -- rand:{3*n+3} rand:{3*n+3} i32:{n}
KERNEL pixels(const Pixel *p, Pixel *q, int n) {
  int i = ROW;
  if (i == 0 || i >= n - 1) return;
  for (int k = 0; k < 3; k++) q[i].c[k] = (p[i - 1].c[k] + p[i + 1].c[k]) / 2;
}
struct Triple { u64 a, b, c; };
// CASE: eights -- rand:{8*n+8} rand:{24*n+24} i32:{n}
KERNEL eights(const u64 *p, Triple *q, int n) {
  int i = ROW;
  if (i == 0 || i >= n - 1) return;
  q[i].a = p[i - 1]; q[i].b = p[i + 1]; q[i].c = p[i];
}
// What is loaded between the stores, and may lie where they write.
// CASE: between few with=k=0,4,12,28,3000 -- rand:{28*n+3100} i32:{k} i32:{n}
KERNEL between(char *base, int k, int n) {
  int i = ROW;
  if (i == 0 || i >= n - 1) return;
  u32 *d = (u32 *)(base + 28 * i), *s = (u32 *)(base + (k < 28 ? 28 * i + k : k + 4 * (i % 7)));
  if (k >= 28) s = d;
  d[0] = i; d[1] = i + 1;
  u32 v = *s;
  d[2] = v; d[3] = v + 1; d[4] = 7; d[5] = v * 3; d[6] = i * 5;
}
// Records that are read before they are written.
// CASE: moved load=exchange store=exchange -- rand:{76*n+76} rand:{76*n+76} i32:{n}
KERNEL moved(const Words<19> *p, Words<19> *q, int n) {
  int i = ROW;
  if (i == 0 || i >= n - 1) return;
  Words<19> a = p[i];
  for (int k = 0; k < 19; k++) q[i].w[k] = a.w[18 - k] + k;
}
// Pairs with gaps between them: as many parts as a layout has, of which one for edges would have two each.
// CASE: pairs store=exchange -- rand:{150*n+150} i32:{n}
KERNEL pairs(unsigned short *out, int n) {
  int i = ROW;
  if (i == 0 || i >= n - 1) return;
  unsigned short *q = out + 75 * i;
#pragma unroll
  for (int k = 0; k < 24; k++) {
    q[3 * k] = i + k;
    q[3 * k + 1] = i * k;
  }
}
