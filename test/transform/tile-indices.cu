// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// Tile loops that copy through indices, which are loaded a stage before the copies and wait in registers: what is loaded early must be
// loaded at all, under the conditions that the copies have, and must not be written in the loop.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// Of all indices of the loop none is waited for by the copy that needs it: they are carried.
// CHECK-LABEL: define {{.*}} @plain(
// CHECK-COUNT-12: load i32, {{.*}} !coalda.ahead
// CHECK-LABEL: define {{.*}} @long_indices(
// CASE: plain tile=pipelined block=64 full with=k=0,1,2,3,7,8,9,17,45 -- rand:{max(4,4*T*k)} rand:1024 zero:{4*T} i32:{k}
KERNEL plain(const int *idx, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * s[TX ^ 5];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Of 64 bits, counted by a long.
// CASE: long_indices tile=pipelined block=64 full with=k=0,1,2,9,17 -- rand:{max(8,8*T*k)} rand:1024 zero:{4*T} i64:{k}
KERNEL long_indices(const long long *idx, const u32 *g, u32 *out, long long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long long i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Of 16 bits, of four words each.
struct alignas(16) Quad { u32 x, y, z, w; };
// CASE: short_indices tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(2,2*T*k)} rand:4096 zero:{4*T} i32:{k}
KERNEL short_indices(const unsigned short *idx, const Quad *g, u32 *out, int k) {
  __shared__ Quad s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].x + s[TX ^ 1].w;
    __syncthreads();
  }
  out[ROW] = sum;
}
// A pointer counts, and ends the loop.
// CASE: by_pointer tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:1024 zero:{4*T} i32:{k}
KERNEL by_pointer(const int *idx, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  const int *p = idx + BX * k * TILE, *end = p + k * TILE;
  for (; p < end; p += TILE) {
    s[TX] = g[p[TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last indices are few; zeros stand for the others: what is behind the last one must not be read.
// CASE: zero_index tile=pipelined block=64 full with=m=0,1,63,64,65,250,600 -- rand:{max(4,4*m)} rand:1024 zero:{4*T} i32:{m}
KERNEL zero_index(const int *idx, const u32 *g, u32 *out, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < m; i += TILE) {
    int j = i + TX < m ? idx[i + TX] & 255 : 0;
    s[TX] = g[j];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + BX;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same of the elements.
// CASE: zero_element tile=pipelined block=64 full with=m=0,1,63,64,65,250,600 -- rand:{max(4,4*m)} rand:1024 zero:{4*T} i32:{m}
KERNEL zero_element(const int *idx, const u32 *g, u32 *out, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < m; i += TILE) {
    s[TX] = i + TX < m ? g[idx[i + TX] & 255] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + BX;
    __syncthreads();
  }
  out[ROW] = sum;
}
// An index says by itself that there is none.
// CASE: none_there tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:1024 zero:{4*T} i32:{k}
KERNEL none_there(const int *idx, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int j = idx[(BX * k + i) * TILE + TX];
    u32 v = 0;
    if (j >= 0) v = g[j & 255];
    s[TX] = v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Indices of indices.
// CASE: two_levels tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:1024 rand:1024:5 zero:{4*T} i32:{k}
KERNEL two_levels(const int *first, const int *second, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[second[first[(BX * k + i) * TILE + TX] & 255] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays, through indices of their own, and one through both.
// CASE: two_arrays tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 rand:2048 zero:{4*T} i32:{k}
KERNEL two_arrays(const int *a, const int *b, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int x = a[(BX * k + i) * TILE + TX] & 255, y = b[(BX * k + i) * TILE + TX] & 255;
    s[TX] = g[x];
    r[TX] = g[x + y];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A row that all threads share, by an index, which is in the cache.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK-NOT: coalda.ahead
template <class Index> __device__ inline void copy_row(u32 *s, const u32 *g, const Index *rows, int i) { s[TX] = g[(rows[i] & 7) * TILE + TX]; }
// CASE: rows tile=pipelined block=64 full with=k=0,1,2,9,17 -- rand:{max(4,4*2*k)} rand:2048 zero:{4*T} i32:{k}
KERNEL rows(const u32 *list, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    copy_row(s, g, list, BX * k + i);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a loop of its own each copy has another index: they stay where they are.
// CHECK-LABEL: define {{.*}} @copied_in_loop(
// CHECK-NOT: coalda.ahead
// CASE: copied_in_loop tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*4*T*k)} rand:1024 zero:{4*T} i32:{k}
KERNEL copied_in_loop(const int *idx, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int e = TX; e < 4 * TILE; e += blockDim.x) s[e] = g[idx[(BX * k + i) * 4 * TILE + e] & 255];
    __syncthreads();
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[j * TILE + TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In constant memory, which need not be waited for.
// CHECK-LABEL: define {{.*}} @constant_indices(
// CHECK-NOT: coalda.ahead
// CHECK-LABEL: define {{.*}} @converted(
__attribute__((constant)) int table[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
// CASE: constant_indices tile=pipelined block=64 full with=k=0,1,2,9,17 -- rand:4096 zero:{4*T} i32:{k}
KERNEL constant_indices(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[table[i & 63] * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + BX;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Converted on their way: the elements wait in registers; several of them, and no index.
// CASE: converted tile=held block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:256 zero:{4*T} i32:{k}
KERNEL converted(const int *idx, const unsigned char *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * k + i) * TILE + TX] & 255] * 3 + 1;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop writes the indices of later iterations.
// CASE: written tile=none block=64 full with=k=0,1,2,9 -- rand:{4*T*(k+1)} rand:1024 zero:{4*T} i32:{k}
KERNEL written(int *idx, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * (k + 1) + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    idx[(BX * (k + 1) + i + 1) * TILE + TX] += sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Or may, which a test on entry finds out.
// CASE: written_perhaps tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{4*T*(k+1)} rand:1024 rand:{4*T*(k+1)}:5 zero:{4*T} i32:{k}
// CASE: written_perhaps tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{4*T*(k+1)} rand:1024 ref:0+{4*64} zero:{4*T} i32:{k}
KERNEL written_perhaps(const int *idx, const u32 *__restrict g, int *w, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * (k + 1) + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    w[(BX * (k + 1) + i) * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The list leads itself on: the next index is not known before this one.
// CASE: chased block=64 full with=k=0,1,2,9 -- rand:{4*T} rand:4096 zero:{4*T} i32:{k}
KERNEL chased(const int *head, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, at = head[ROW] & 255;
  for (int i = 0; i < k; i++) {
    s[TX] = g[at];
    at = g[at + 256] & 255;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Keys through indices, then values through the same.
// CASE: keys_values tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:1024 rand:1024:5 zero:{4*T} i32:{k}
KERNEL keys_values(const int *idx, const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[idx[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[idx[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
