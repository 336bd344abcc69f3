// RUN: %rewritten %s --temp %t.d
// Hazard 13: what is copied may be written in the loop, before the copy and after the place that the copy would move to:
// through the same pointer, through another, by a function, by an atomic operation; or read at all only after a fence.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// Each tile is made from the one before it.
// CASE: next_tile tile=none block=64 full with=k=0,1,2,3,5 -- rand:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL next_tile(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[(i + 1) * TILE + TX] ^= sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same, d tiles ahead: as long as d is at least the number of stages nothing goes wrong.
// CASE: far_tile tile=none block=64 full with=d=1..9 with=k=9 -- rand:{4*T*(k+d)} zero:{4*T} i32:{d} i32:{k}
KERNEL far_tile(u32 *g, u32 *out, int d, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * (k + d) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[(i + d) * TILE + TX] ^= sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Each tile is written back once it has been read: what is copied ahead is not what is written.
// CASE: in_place tile=none block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL in_place(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * k * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[i * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two pointers: to one array, d tiles apart, and to two arrays, where the loop may be a pipeline. Only the machine knows.
// CASE: perhaps tile=pipelined block=64 full with=d=0..4 with=k=5 -- rand:{4*T*(k+d)} ref:0+{4*64*d} zero:{4*T} i32:{k+d} i32:{k}
// CASE: perhaps tile=pipelined block=64 full with=k=0..9 -- rand:{4*T*(k+1)} rand:{4*T*(k+1)}:5 zero:{4*T} i32:{k+1} i32:{k}
// The last threads of the last tile meet what the first threads write; or only the first that are written, from below.
// CASE: perhaps tile=pipelined block=64 grid=1 full with=k=5 with=o=-8,-1,0,1 -- rand:{4*T*11} ref:0+{4*(64*k+o)} zero:{4*T} i32:{k} i32:{k}
// CASE: perhaps tile=pipelined block=64 grid=1 full with=k=5 with=o=-8,-1,0,1 -- ref:1+{4*(64*k+o)} rand:{4*T*11} zero:{4*T} i32:{k} i32:{k}
KERNEL perhaps(const u32 *g, u32 *w, u32 *out, int pitch, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, mine = BX * pitch * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = g[mine + i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    w[mine + i * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays by the programmer's word.
// CASE: restricted tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL restricted(const u32 *__restrict__ g, u32 *__restrict__ w, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    w[(BX * k + i) * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The store stands before the copy, in the same iteration.
// CASE: store_first tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL store_first(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * k * TILE;
  for (int i = 0; i < k; i++) {
    mine[i * TILE + TX] += sum + i;
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: atomic_add tile=none block=64 full with=k=0,1,2,5 -- rand:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL atomic_add(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __nvvm_atom_add_gen_i((int *)&mine[(i + 1) * TILE + (TX & 7)], TX);
    __syncthreads();
  }
  out[ROW] = sum;
}
__device__ __noinline__ static void put(u32 *p, u32 value) { *p ^= value; }
// CASE: by_call tile=none block=64 full with=k=0,1,2,5 -- rand:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL by_call(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = g + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    put(&mine[(i + 1) * TILE + TX], sum);
    __syncthreads();
  }
  out[ROW] = sum;
}
// A ticket says which tile comes next: what is copied ahead would need tickets that nobody has drawn.
// CASE: tickets tile=none block=64 grid=1 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:4 zero:{4*T} i32:{k}
KERNEL tickets(const u32 *g, u32 *ticket, u32 *out, int k) {
  __shared__ u32 s[TILE], drawn;
  u32 sum = 0;
  while (true) {
    if (TX == 0) drawn = __nvvm_atom_add_gen_i((int *)ticket, 1);
    __syncthreads();
    u32 i = drawn;
    if (i >= k) break;
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Another block hands tiles over, one at a time: tile i must not be read before its flag has been seen. Block 0 makes them.
// CASE: handed_over tile=none block=64 grid=2 full with=k=1,2,4 -- zero:{4*64*k} zero:{4*k} zero:{4*T} i32:{k}
KERNEL handed_over(u32 *g, u32 *flag, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (BX == 0) {
    for (int i = 0; i < k; i++) {
      g[i * TILE + TX] = i * 1000 + TX;
      __syncthreads();
      if (TX == 0) {
        __nvvm_membar_gl();
        __nvvm_atom_add_gen_i((int *)&flag[i], 1);
      }
    }
    return;
  }
  for (int i = 0; i < k; i++) {
    if (TX == 0) {
      while (__nvvm_atom_add_gen_i((int *)&flag[i], 0) == 0) {}
      __nvvm_membar_gl();
    }
    __syncthreads();
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: volatile_source tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL volatile_source(const volatile u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The index array is written in the loop: what is fetched a stage earlier would be the old index.
// CASE: index_written tile=none block=64 full with=k=0,1,2,5 -- rand:1024 zero:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL index_written(const u32 *__restrict__ g, u32 *index, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = index + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = g[mine[i * TILE + TX]];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[(i + 1) * TILE + TX] = sum & 255;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The index array is shared, and the last tile chose it.
// CASE: index_shared tile=none block=64 full with=k=0,1,2,5 -- rand:1024 zero:{4*T} i32:{k}
KERNEL index_shared(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], index[TILE];
  u32 sum = 0;
  index[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[index[TX ^ 1]];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    index[TX] = sum & 255;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same, through registers.
// CASE: index_shared_converted tile=none block=64 full with=k=0,1,2,5 -- rand:1024 zero:{4*T} i32:{k}
KERNEL index_shared_converted(const u8 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], index[TILE];
  u32 sum = 0;
  index[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[index[TX ^ 1]] * 3;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    index[TX] = sum & 1023;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The index is what the tile itself held.
// CASE: index_in_tile tile=none block=64 full with=k=0,1,2,5 -- rand:1024 zero:{4*T} i32:{k}
KERNEL index_in_tile(const u8 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[s[TX] + 64 * i] * 3;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The twin: nobody writes it.
// CASE: index_read tile=pipelined block=64 full with=k=0..9 -- rand:1024 perm:{max(1,T*k)} zero:{4*T} i32:{k}
KERNEL index_read(const u32 *g, const u32 *index, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[index[(BX * k + i) * TILE + TX] & 255];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A plane of a volume at a time: the next one is copied while this one is worked on and the result is stored, where there is one.
// CASE: marches tile=pipelined block=8,8 grid=2 full with=k=0,1,2,7 with=m=10 -- rand:{max(4,4*2*m*8*k)} zero:{max(4,4*2*m*8*k)} i32:{m} i32:{k}
// CASE: marches tile=pipelined block=8,8 grid=1 full with=k=7 with=m=8 with=o=0,8,64,200,448,512 -- rand:{4*1500} ref:0+{4*o} i32:{m} i32:{k}
KERNEL marches(const u32 *g, u32 *w, int pitch, int k) {
  __shared__ u32 s[8][9];
  int x = BX * 8 + TX, y = threadIdx.y;
  for (int z = 0; z < k; z++) {
    s[y][TX] = x < 2 * pitch ? g[(z * 8 + y) * 2 * pitch + x] : 0;
    __syncthreads();
    u32 around = s[y][TX] + s[(y + 1) & 7][TX] + 3 * s[y][(TX + 1) & 7];
    if (y > 0 && x < pitch) w[(z * 8 + y) * 2 * pitch + x] = around;
    __syncthreads();
  }
}
// Several stores.
// CASE: twice_stored tile=pipelined block=64 full with=k=0,1,6 -- rand:{max(4,4*T*k)} zero:{max(4,8*T*k)} i32:{k}
KERNEL twice_stored(const u32 *g, u32 *w, int k) {
  __shared__ u32 s[TILE];
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    u32 x = s[TILE - 1 - TX];
    w[2 * ((BX * k + i) * TILE + TX)] = x;
    if (x & 1) w[2 * ((BX * k + i) * TILE + TX) + 1] = x * 7;
    __syncthreads();
  }
}
// Half of the threads write to what the other half has yet to read, and each sees only that its own two places are apart.
// CASE: by_half tile=none block=64 grid=1 full with=k=2,5 -- rand:{4*64*(2*k+1)} ref:0+{4*(64*k-32)} zero:{4*64*k} zero:{4*T} i32:{k}
KERNEL by_half(const u32 *g, u32 *w, u32 *v, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *mine = TX < 32 ? w : v;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[i * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Where it writes is read from memory: nothing is known on entry.
// CASE: scattered tile=none block=64 full with=k=0,1,6 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL scattered(const u32 *g, u32 *w, int k) {
  __shared__ u32 s[TILE];
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    w[BX * TILE + (TX ^ (s[0] & 1))] = s[TILE - 1 - TX];
    __syncthreads();
  }
}
