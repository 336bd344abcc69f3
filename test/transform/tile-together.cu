// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -I%S -I%S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -S %t.ll | %FileCheck %s
// Stages of fewer tiles than lanes share a piece of 16 bytes: these make different copies of one tile. Copies under conditions
// that no iteration changes; sources that are shifted, not in the lanes' order, or on their way at different paces.
// TEXT: levels=O3 archs=sm_80 stages=3
#include "tiles.cuh"
enum { LARGE = 2048, USUAL = 256 };

// The last copies are made where there are no more threads than usual.
// CHECK-LABEL: define{{.*}} @looped
// CHECK: cp.async.cg.shared.global.16
// CASE: looped tile=pipelined block=256 full with=k=1,2,5,6 -- rand:{8*2048*k} zero:{4*T} i32:{k}
// CASE: looped tile=pipelined block=200 full with=k=5 -- rand:{8*2048*k} zero:{4*T} i32:{k}
KERNEL looped(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (u32 c = TX; c < LARGE; c += USUAL) s[c] = g[(BX * k + i) * LARGE + c];
    __syncthreads();
    sum = sum * 31 + s[(TX * 7 + 3) % 200 + TX % 8 * USUAL];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Steps of a counter that is asked for, as in a product of matrices.
// CHECK-LABEL: define{{.*}} @stepped
// CHECK: cp.async.cg.shared.global.16
// CASE: stepped tile=pipelined block=256 full with=e=0,16,48,80,100 -- rand:{4*2*64*128} zero:{4*T} i32:{e} i32:128
KERNEL stepped(const u32 *g, u32 *out, int n, int pitch) {
  __shared__ u32 s[128][16];
  u32 sum = 0;
  for (int first = 0; first < n; first += 16) {
    for (int c = TX; c < 64 * 16; c += USUAL) s[c / 16][c % 16] = g[(BX * 64 + c / 16) * pitch + first + c % 16];
    __syncthreads();
    sum = sum * 31 + s[(TX * 5 + 3) % 64][TX / 64 * 3 + 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Whether copies are made is for threads, and for the host, to say.
// CHECK-LABEL: define{{.*}} @guarded
// CHECK: cp.async.cg.shared.global.16
// CASE: guarded tile=pipelined block=256 full with=a=0,100,128,256 with=b=0,1 with=k=2,5 -- rand:{8*2048*k} rand:{16+8*2048*b*k} zero:{4*T} i32:{a} i32:{b} i32:{k}
KERNEL guarded(const u32 *g, const u32 *h, u32 *out, int a, int b, int k) {
  __shared__ u32 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    const u32 *t = g + (BX * k + i) * LARGE;
    if ((int)TX < a) {
      s[TX] = t[TX];
      if (b) s[TX + 512] = h[(BX * k + i) * LARGE + TX];
      s[TX + 1024] = t[TX + 1024];
    }
    s[TX + 1536] = t[TX + 1536];
    __syncthreads();
    u32 c = TX ^ 33;
    if ((int)c < a) sum = sum * 31 + s[c] + (b ? s[c + 512] : 0) + s[c + 1024];
    sum = sum * 31 + s[c + 1536];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One is made, or another.
// CASE: either tile=pipelined block=256 full with=a=0,64,256 with=k=2,5 -- rand:{8*2048*k} zero:{4*T} i32:{a} i32:{k}
KERNEL either(const u32 *g, u32 *out, int a, int k) {
  __shared__ u32 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    const u32 *t = g + (BX * k + i) * LARGE;
    if ((int)TX < a)
      s[TX] = t[TX];
    else
      s[TX + 512] = t[TX + 512];
    s[TX + 1024] = t[TX + 1024];
    s[TX + 1536] = t[TX + 1536];
    __syncthreads();
    u32 c = TX ^ 33;
    sum = sum * 31 + s[(int)c < a ? c : c + 512] + s[c + 1024] * 3 + s[c + 1536];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Few threads make one of them: no warp makes all.
// CHECK-LABEL: define{{.*}} @rim
// CHECK-NOT: cp.async.cg.shared.global.16
// CASE: rim tile=pipelined block=256 full with=k=2,5 -- rand:{8*2048*k} zero:{4*T} i32:{k}
KERNEL rim(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    const u32 *t = g + (BX * k + i) * LARGE;
    s[TX] = t[TX];
    s[TX + 256] = t[TX + 256];
    s[TX + 512] = t[TX + 512];
    if (TX < 8) s[TX + 768] = t[TX + 768];
    __syncthreads();
    sum = sum * 31 + s[TX * 3] + s[TX + 8];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows are padded: every other begins between two pieces.
// CHECK-LABEL: define{{.*}} @padded
// CHECK-NOT: cp.async.cg.shared.global.16
// CASE: padded tile=pipelined block=16,16 full with=k=2,5 -- rand:{4*2*256*k} zero:{4*T} i32:{k}
KERNEL padded(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.y][TX] = g[(BX * k + i) * 256 + threadIdx.y * 16 + TX];
    __syncthreads();
    sum = sum * 31 + s[TX][threadIdx.y];
    __syncthreads();
  }
  out[BX * 256 + threadIdx.y * 16 + TX] = sum;
}
// A copy is shifted, one has a distance of its own from tile to tile, the lanes of one change places.
// CHECK-LABEL: define{{.*}} @apart
// CHECK: cp.async.cg.shared.global.16
// CASE: apart tile=pipelined block=256 full with=o=0,1,4 with=d=0,1,4,512 with=x=0,1,4 with=k=5 -- rand:{4*(2048+520*k)} zero:{4*T} i32:{o} i32:{d} i32:{x} i32:{k}
KERNEL apart(const u32 *g, u32 *out, int o, int d, int x, int k) {
  __shared__ u32 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * 512 + TX];
    s[TX + 512] = g[i * 512 + 512 + TX + o];
    s[TX + 1024] = g[i * d + 1024 + TX];
    s[TX + 1536] = g[i * 512 + 1536 + (TX ^ x)];
    __syncthreads();
    u32 c = TX ^ 33;
    sum = sum * 31 + s[c] + s[c + 512] * 3 + s[c + 1024] * 5 + s[c + 1536] * 7;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two lanes share a piece, a stage is one tile.
// CHECK-LABEL: define{{.*}} @doubles
// CHECK: cp.async.cg.shared.global.16
// CASE: doubles tile=pipelined block=256 full with=k=1,2,5 with=o=0,1 -- rand:{16*2048*k+16} ref:0+{8*o} zero:{4*T} i32:{k}
KERNEL doubles(const u64 *base, const u64 *g, u32 *out, int k) {
  __shared__ u64 s[LARGE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * LARGE + TX];
    s[TX + 1024] = g[(BX * k + i) * LARGE + TX + 1024];
    __syncthreads();
    sum = sum * 31 + (u32)(s[TX ^ 33] >> 13) + 3 * (u32)s[(TX ^ 1) + 1024];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Some share a piece with one lane, some with three.
// CASE: mixed tile=pipelined block=256 full with=k=1,2,5 -- rand:{16*256*k} rand:{8*256*k} zero:{4*T} i32:{k}
KERNEL mixed(const u64 *g, const u32 *h, u32 *out, int k) {
  __shared__ u64 s[LARGE - 512];
  __shared__ u32 r[LARGE / 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * USUAL + TX];
    r[TX] = h[(BX * k + i) * USUAL + TX];
    __syncthreads();
    sum = sum * 31 + (u32)(s[TX ^ 33] >> 13) + 3 * r[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
