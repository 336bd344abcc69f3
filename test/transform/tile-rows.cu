// RUN: %rewritten %s --temp %t.d
// Loops that copy a tile, a word of a thread in each iteration: lanes that share 16 bytes deal out the iterations, where neighbours
// copy neighbours and all lanes of a warp are there. k is the number of tiles.
// TEXT: levels=O3 archs=sm_75,sm_80 stages=2,3
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s --input-file %t.out.ll
#include "tiles.cuh"
#define OUT out[BX * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + TX]
#define SUM_UP(size) for (int j = 0; j < size; j += 3) sum = sum * 31 + s[(j + TX) % size];

// CHECK-LABEL: @plain(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// Blocks whose warps are not full, whose neighbours make unequally many iterations, sources that are not aligned.
// CASE: plain tile=pipelined wide block=64 full with=k=16 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain block=64 full with=k=0,1,2 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain tile=pipelined block=64 full with=k=1,7 with=o=4,8 -- rand:{4*256*k+16} ref:0+{o} zero:{4*T} i32:{k}
// CASE: plain block=32 full with=k=1,2,3,5 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain block=48 full with=k=3 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain block=30 full with=k=3 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain block=160 full with=k=3 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: plain block=1024 full with=k=3 -- rand:{4*256*k+16} ref:0+0 zero:{4*T} i32:{k}
KERNEL plain(const u32 *unused, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// Some neighbours make an iteration more than others: 250 is no multiple of 4, and 65 threads are none either.
// CASE: uneven tile=pipelined block=64 full with=k=1,5 -- rand:{4*256*k} zero:{4*T} i32:{k}
// CASE: uneven block=65 grid=1 full with=k=5 -- rand:{4*256*k} zero:{4*T} i32:{k}
KERNEL uneven(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[250];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 250; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(250)
    __syncthreads();
  }
  OUT = sum;
}
// 8 bytes: two lanes share a piece. A few threads have nothing to copy.
// CASE: doubles tile=pipelined wide block=64 full with=k=16 -- rand:{8*200*k} zero:{4*T} i32:{k}
// CASE: doubles block=64 full with=k=1,4 -- rand:{8*200*k} zero:{4*T} i32:{k}
// CASE: doubles block=256 grid=1 full with=k=4 -- rand:{8*200*k} zero:{4*T} i32:{k}
KERNEL doubles(const u64 *g, u32 *out, int k) {
  __shared__ u64 s[200];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 200; j += blockDim.x) s[j] = g[i * 200 + j];
    __syncthreads();
    for (int j = 0; j < 200; j += 3) sum = sum * 31 + (u32)s[(j + TX) % 200];
    __syncthreads();
  }
  OUT = sum;
}
// Two copies in one loop, and another loop behind it.
// CASE: three tile=pipelined wide block=64 full with=k=16 -- rand:{4*256*k} rand:{4*256*k} rand:{4*128*k} zero:{4*T} i32:{k}
// CASE: three block=64 full with=k=1,4 -- rand:{4*256*k} rand:{4*256*k} rand:{4*128*k} zero:{4*T} i32:{k}
KERNEL three(const u32 *g, const u32 *h, const u32 *l, u32 *out, int k) {
  __shared__ u32 s[256], t[256], u[128];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) {
      s[j] = g[i * 256 + j];
      t[j] = h[i * 256 + j];
    }
    for (int j = TX; j < 128; j += blockDim.x) u[j] = l[i * 128 + j];
    __syncthreads();
    SUM_UP(256)
    for (int j = 0; j < 128; j += 3) sum = sum * 31 + t[(2 * j + TX) % 256] - u[(j + TX) % 128];
    __syncthreads();
  }
  OUT = sum;
}
// Pieces of 4 and of 8 bytes in one loop are dealt out differently: they stay as they are.
// CASE: unlike tile=pipelined block=64 full with=k=1,4 -- rand:{4*256*k} rand:{8*256*k} zero:{4*T} i32:{k}
KERNEL unlike(const u32 *g, const u64 *h, u32 *out, int k) {
  __shared__ u32 s[256];
  __shared__ u64 t[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) {
      s[j] = g[i * 256 + j];
      t[j] = h[i * 256 + j];
    }
    __syncthreads();
    SUM_UP(256)
    for (int j = 0; j < 256; j += 3) sum = sum * 31 + (u32)t[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum;
}
// Rows of a matrix: x goes along them, y down. The width may be anything.
// CASE: rows tile=pipelined wide block=16,4 full with=k=16 with=w=4,8 -- rand:{4*32*(16*k+w)} zero:{4*T} i32:{k} i32:{16*k+w-4}
// CASE: rows block=16,4 full with=k=1,4 with=w=4,20 -- rand:{4*32*(16*k+w)} zero:{4*T} i32:{k} i32:{16*k+w-4}
// CASE: rows block=16,4 full with=k=1,4 with=w=1,2 -- rand:{4*32*(16*k+w)} zero:{4*T} i32:{k} i32:{16*k+w}
// CASE: rows block=16,3 full with=k=4 with=w=4 -- rand:{4*32*(16*k+w)} zero:{4*T} i32:{k} i32:{16*k+w}
KERNEL rows(const u32 *g, u32 *out, int k, int w) {
  __shared__ u32 s[32][16];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int r = threadIdx.y; r < 32; r += blockDim.y) s[r][TX] = g[r * w + i * 16 + TX];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[(j + TX) % 32][j];
    __syncthreads();
  }
  OUT = sum;
}
// Where a tile comes from is loaded: nothing is known of it in front of the loop.
// CASE: looked_up tile=pipelined block=64 full with=k=9 with=d=64 -- rand:{4*256*8} perm:{k} zero:{4*T} i32:{k} i32:{d}
// CASE: looked_up block=64 full with=k=1,4,9 with=d=1,75 -- rand:{4*256*8} perm:{k} zero:{4*T} i32:{k} i32:{d}
KERNEL looked_up(const u32 *g, const u32 *index, u32 *out, int k, int d) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) s[j] = g[index[i] * d + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// Neighbours do not read neighbours, or do not fill neighbouring places, or begin in between two pieces.
// CASE: apart tile=pipelined block=64 full with=k=1,4 -- rand:{8*256*k} zero:{4*T} i32:{k} i32:2
// CASE: apart block=64 full with=k=1,4 -- rand:{8*256*k} zero:{4*T} i32:{k} i32:1
KERNEL apart(const u32 *g, u32 *out, int k, int d) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) s[j] = g[i * 256 + d * j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// CASE: swapped tile=pipelined block=64 full with=k=1,4 with=x=0,1,3 -- rand:{4*256*k} zero:{4*T} i32:{k} i32:{x}
KERNEL swapped(const u32 *g, u32 *out, int k, int x) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX ^ x; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// CASE: shifted tile=pipelined block=64 full with=k=1,4 with=f=0,1,4 -- rand:{4*256*k} zero:{4*T} i32:{k} i32:{f}
KERNEL shifted(const u32 *g, u32 *out, int k, int f) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int j = TX + f; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// Every thread makes its own steps: neighbours part after the first.
// CASE: steps tile=pipelined wide block=32,2 full with=k=16 with=d=0,4 -- rand:{4*32*(32*k+36)} zero:{4*T} i32:{k} i32:{32*k} i32:{d}
__attribute__((annotate("coalda.straight"))) KERNEL steps(const u32 *g, u32 *out, int k, int w, int d) {
  __shared__ u32 s[32][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int r = threadIdx.y; r < 32; r += blockDim.y) s[r][TX] = g[r * (w + d * (TX & 3)) + i * 32 + TX];
    __syncthreads();
    for (int j = 0; j < 32; j++) sum = sum * 31 + s[(j + TX) % 32][j];
    __syncthreads();
  }
  OUT = sum;
}
// An index of 16 bits, which wraps around within a row, between two tiles, or nowhere.
// CASE: short_index tile=pipelined wide block=64 full with=k=16 with=w=0,61440,65400 -- rand:{4*65536} zero:{4*T} i32:{k} i32:{w}
KERNEL short_index(const u32 *g, u32 *out, int k, int w) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) s[j] = g[(u16)(i * 256 + j + w)];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// Not every iteration of the tile loop fills the tile; or all or none do.
// CASE: some tile=pipelined block=64 full with=k=1,7 -- rand:{4*256*k} zero:{4*T} i32:{k}
KERNEL some(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (i % 3 != 1)
      for (int j = TX; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// CASE: if_asked tile=pipelined wide block=64 full with=k=16 with=b=1 -- rand:{4*256*k} zero:{4*T} i32:{k} i32:{b}
// CASE: if_asked tile=pipelined block=64 full with=k=1,7 with=b=0,1 -- rand:{4*256*k} zero:{4*T} i32:{k} i32:{b}
KERNEL if_asked(const u32 *g, u32 *out, int k, int b) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (b)
      for (int j = TX; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// Half of the lanes of each warp copy, and leave what the others would.
// CASE: some_lanes tile=pipelined block=64 full with=k=1,7 -- rand:{4*256*k} zero:{4*T} i32:{k}
KERNEL some_lanes(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (TX % 4 != 3)
      for (int j = TX; j < 256; j += blockDim.x) s[j] = g[i * 256 + j];
    __syncthreads();
    SUM_UP(256)
    __syncthreads();
  }
  OUT = sum;
}
// A pointer that moves on, and a tile loop that is run again.
// CASE: pointers tile=pipelined wide block=64 full with=k=16 with=m=2 -- rand:{4*256*k*(m+1)} zero:{4*T} i32:{k} i32:{m}
// CASE: pointers block=64 full with=k=1,4 with=m=0,2 -- rand:{4*256*k*(m+1)} zero:{4*T} i32:{k} i32:{m}
KERNEL pointers(const u32 *g, u32 *out, int k, int m) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int r = 0; r < m; r++)
    for (int i = 0; i < k; i++) {
      const u32 *p = g + 256 * (r * k + i) + TX;
      for (int j = TX; j < 256; j += blockDim.x, p += blockDim.x) s[j] = *p;
      __syncthreads();
      SUM_UP(256)
      __syncthreads();
    }
  OUT = sum;
}
// Loops in loops: the inner one is no row of the tile loop.
// CASE: nested tile=pipelined block=16,4 full with=k=1,4,16 -- rand:{4*32*32*k} zero:{4*T} i32:{k}
KERNEL nested(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[32][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int r = threadIdx.y; r < 32; r += blockDim.y)
      for (int j = TX; j < 32; j += blockDim.x) s[r][j] = g[r * 32 * k + i * 32 + j];
    __syncthreads();
    for (int j = 0; j < 32; j++) sum = sum * 31 + s[(j + TX) % 32][j];
    __syncthreads();
  }
  OUT = sum;
}
