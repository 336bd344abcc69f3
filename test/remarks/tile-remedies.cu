// What keeps a tile loop from becoming a ring of asynchronous copies: where it stands, and what the program looks like once it is written as the
// remark says, which makes a ring. Lines need no -g. (What is said of loops that registers do not hold either: tile-held.cu.)
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-without=register-rings -Rpass-missed=coalda -Rpass=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s
// RUN: %clang-device -O2 -std=c++17 -gline-tables-only %s -o %t.ll && %report %t.ll --format=csv | %FileCheck %s --check-prefix=CSV
// RUN: %report %t.ll --format=text | %FileCheck %s --check-prefix=TEXT
// RUN: %report %t.ll --format=html | %FileCheck %s --check-prefix=HTML
#include "Inputs/doubled.cuh"
#define K extern "C" __global__ void __launch_bounds__(256)
#define KK extern "C" __global__ void
#define ARGS const float *__restrict__ g, float *__restrict__ q, int n
#define TILE __shared__ float s[256]; const int t = threadIdx.x; float sum = 0
#define WARP const int w = threadIdx.x / 32 * 32, l = threadIdx.x % 32
#define TILES _Pragma("unroll 1") for (int k = 0; k < n; k++)
#define COPY s[t] = g[k * 256 + t]
#define USE sum += s[(t + 1) % 256]

// TileShape
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop does not run from barrier to barrier with one way in and one way out: the branch in line [[#@LINE+7]]; leave it by its condition alone
K left(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    if (sum > 100) break;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K not_left(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    if (sum <= 100) USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop does not run from barrier to barrier with one way in and one way out: the barrier in line [[#@LINE+8]]; leave it by its condition alone
K barrier_in_branch(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    if (g[k] > 1) {
      __syncthreads();
      USE;
    }
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K barrier_behind_branch(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
    if (g[k] > 1) USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileFunction
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop stands in a function that the kernel calls; make the function inline
static __device__ __noinline__ float all_tiles(float *s, ARGS) {
  const int t = threadIdx.x;
  float sum = 0;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  return sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
static __device__ __forceinline__ float all_tiles_inline(float *s, ARGS) {
  const int t = threadIdx.x;
  float sum = 0;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  return sum;
}
K in_function(ARGS) {
  __shared__ float s[256];
  q[threadIdx.x] = all_tiles(s, g, q, n);
}
K in_inline_function(ARGS) {
  __shared__ float s[256];
  q[threadIdx.x] = all_tiles_inline(s, g, q, n);
}

// TileBarriers
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the copies do not stand between two plain barriers: the barrier in line [[#@LINE+5]]; copy, __syncthreads() or __syncwarp(), use, the same again
K barrier_of_some(ARGS) {
  TILE;
  TILES {
    COPY;
    __nvvm_bar_sync(1);
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K barriers_of_all(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileLanes
// CHECK-DAG: [[#@LINE+12]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: lanes of the warp may run the loop unequally often: the branch in line [[#@LINE+12]]; leave the loop by its counter alone
K linked(ARGS, const int *__restrict__ next) {
  TILE; WARP;
  int k = t / 32;
#pragma unroll 1
  do {
    int following = next[k];
    s[w + l] = g[following * 32 + l];
    __syncwarp();
    sum += s[w + (l + 1) % 32];
    __syncwarp();
    k = following;
  } while (k < n);
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K counted(ARGS, const int *__restrict__ next) {
  TILE; WARP;
#pragma unroll 1
  for (int k = t / 32; k < n; k += 8) {
    s[w + l] = g[next[k] * 32 + l];
    __syncwarp();
    sum += s[w + (l + 1) % 32];
    __syncwarp();
  }
  q[t] = sum;
}

// TileHanded
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: another warp may read this one's tile: the barrier in line [[#@LINE+5]]; no barrier in a loop around it, or one way for all threads
K handed(ARGS) {
  TILE; WARP;
#pragma unroll 1
  for (int r = 0; r < n; r++) {
    __syncthreads();
    if (t % 64 >= n - r) continue;
    TILES {
      s[w + l] = g[k * 32 + l];
      __syncwarp();
      sum += s[(w + l + 1) % 256];
      __syncwarp();
    }
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+8]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K all_go_one_way(ARGS) {
  TILE; WARP;
#pragma unroll 1
  for (int r = 0; r < n; r++) {
    __syncthreads();
    TILES {
      s[w + l] = g[k * 32 + l];
      __syncwarp();
      sum += s[(w + l + 1) % 256];
      __syncwarp();
    }
  }
  q[t] = sum;
}

// TileMeeting
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: threads of the block may come to other barriers while these wait: the branch in line [[#@LINE+3]]; one way for all, or barriers with numbers
K parted(ARGS) {
  TILE; __shared__ float other[256];
  if (t < 128) {
    TILES {
      COPY;
      __syncthreads();
      sum += s[(t + 1) % 128];
      __syncthreads();
    }
  } else {
#pragma unroll 1
    for (int k = 0; k < n; k++) __syncthreads(), other[t] = k, __syncthreads();
  }
  q[t] = sum + other[t];
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K together(ARGS) {
  TILE; __shared__ float other[256];
  TILES {
    COPY;
    __syncthreads();
    if (t < 128) sum += s[(t + 1) % 128];
    else other[t] = k;
    __syncthreads();
  }
  q[t] = sum + other[t];
}
// CHECK-DAG: [[#@LINE+10]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K by_numbers(ARGS) {
  TILE;
  if (t < 128) {
#pragma unroll 1
    for (int k = 0; k < n; k++) __nvvm_bar_sync(1), sum += g[k], __nvvm_bar_sync(1);
  }
  __syncthreads();
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileCalled
static __device__ __noinline__ void fill(float *s, const float *g, int k) { s[(threadIdx.x * 5 + k) % 256] = g[threadIdx.x] + k; }
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the function is too long to stand in the loop, or had no ring there: the call of fill in line [[#@LINE+4]]; make it inline: the reason is told then
K filled_by_call(ARGS) {
  TILE;
  TILES {
    fill(s, g, k);
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
static __device__ __forceinline__ void fill_inline(float *s, const float *g, int k) { s[(threadIdx.x * 5 + k) % 256] = g[threadIdx.x] + k; }
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a copied value is changed on the way, or used elsewhere: the store in line [[#@LINE-1]], called in line [[#@LINE+4]]; convert it when it is read
K told_then(ARGS) {
  TILE;
  TILES {
    fill_inline(s, g, k);
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileValue
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a copied value is changed on the way, or used elsewhere: the store in line [[#@LINE+4]]; convert it when it is read
K converted(ARGS) {
  TILE;
  TILES {
    s[t] = g[k * 256 + t] * 2;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K converted_when_read(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    sum += s[(t + 1) % 256] * 2;
    __syncthreads();
  }
  q[t] = sum;
}

// TileEarly
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: what is stored in the tile was loaded an iteration before: the store in line [[#@LINE+5]]; load and store each tile in one iteration
K loaded_before(ARGS) {
  TILE;
  float v = g[t + 64];
  TILES {
    s[t] = v;
    __syncthreads();
    if (k + 1 < n) v = g[(k + 1) * 256 + t];
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K loaded_there(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileSize
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a copy moves elements smaller than 4 bytes, or not aligned to it: the store in line [[#@LINE+6]]; copy in pieces of 4, 8 or 16 bytes
K bytes(const char *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ char s[256];
  const int t = threadIdx.x;
  float sum = 0;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K words(const char *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ __align__(4) char s[256];
  const int t = threadIdx.x;
  float sum = 0;
  TILES {
    if (t < 64) ((int *)s)[t] = ((const int *)g)[k * 64 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileAhead
// CSV-DAG: chased,sm_90,{{.*}},[[#@LINE+6]],{{[0-9]+}},store,shared,4,{{.*}},TileAhead,the load in line [[#@LINE+8]],
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: where the next copy reads depends on what the iteration computes: the load in line [[#@LINE+7]]; compute it from the counter alone
K chased(ARGS) {
  TILE;
  int at = 0;
  TILES {
    s[t] = g[at * 256 + t];
    __syncthreads();
    at = (int)s[0];
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K by_counter(ARGS, const int *__restrict__ order) {
  TILE;
  TILES {
    s[t] = g[order[k] * 256 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileNamed
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: nobody knows which thread has put there what tells where to copy from: the load in line [[#@LINE+7]]; fill slot t by thread t, or load it yourself
K named(ARGS) {
  __shared__ int index[256];
  TILE;
  TILES {
    index[t ^ 9] = (k * 77 + t) % n;
    __syncthreads();
    s[t] = g[index[t / 8] * 256 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+8]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead in a ring of {{.*}}, indices a stage ahead
K named_by_thread(ARGS, const int *__restrict__ list) {
  __shared__ int index[32];
  TILE;
  TILES {
    if (t < 32) index[t] = list[32 * k + t];
    __syncthreads();
    s[t] = g[index[t / 8] * 256 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TilePlace
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the iterations do not all fill the same places of the tile: the store in line [[#@LINE+4]]; fill all of it every time: zeros where is nothing
K turning(ARGS) {
  TILE;
  TILES {
    s[(t + k) % 256] = g[k * 256 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K staying(ARGS) {
  TILE;
  TILES {
    s[t] = g[k * 256 + (t + 256 - k % 256) % 256];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the iterations do not all fill the same places of the tile: the store in line [[#@LINE+4]]; fill all of it every time: zeros where is nothing
K some(ARGS, const int *__restrict__ wanted) {
  TILE;
  TILES {
    if (wanted[k] > t) s[(t * 7 + k) % 256] = g[k * 256 + t];
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K all(ARGS, const int *__restrict__ wanted) {
  TILE;
  TILES {
    s[t] = wanted[k] > t ? g[k * 256 + t] : 0;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}

// TileWritten
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: something else than copies writes the tile: the store in line 2 of doubled.cuh, called in line [[#@LINE+8]]; compute in an array of its own
K written(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
    doubled(s);
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K written_elsewhere(ARGS) {
  TILE; __shared__ float own[256];
  TILES {
    COPY;
    __syncthreads();
    USE;
    own[t] = s[t] * 2;
    __syncthreads();
    sum += own[(t + 1) % 256];
    __syncthreads();
  }
  q[t] = sum;
}

// TileOutside: of warps
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the shared array is also used outside of the loop: the load in line [[#@LINE+9]]; give each loop an array of its own
K read_behind(ARGS) {
  TILE; WARP;
  TILES {
    s[w + l] = g[(k + w) * 32 + l];
    __syncwarp();
    sum += s[w + (l + 1) % 32];
    __syncwarp();
  }
  q[t] = sum + s[w + (l + 1) % 32];
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K another_array(ARGS) {
  TILE; WARP; __shared__ float last[256];
  TILES {
    s[w + l] = g[(k + w) * 32 + l];
    __syncwarp();
    sum += s[w + (l + 1) % 32];
    __syncwarp();
  }
  last[t] = g[n * 256 + t];
  __syncwarp();
  q[t] = sum + last[w + (l + 1) % 32];
}

// TileUsed
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: something else than reads uses the tile: the atomic in line [[#@LINE+6]]; read it by loads, ldmatrix or wmma; make functions inline
K counted_in_tile(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    sum += atomicAdd(&s[t / 2], 1.0f);
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K counted_beside(ARGS) {
  TILE; __shared__ float own[256];
  TILES {
    COPY;
    own[t] = 0;
    __syncthreads();
    sum += s[t / 2] + atomicAdd(&own[t / 2], 1.0f);
    __syncthreads();
  }
  q[t] = sum;
}
static __device__ __noinline__ float taken(float *s, int t) { return s[t]++; }
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop has fences, calls, or else that copies may not pass: the call of taken in line [[#@LINE+6]]; move that out, and make functions inline
K called(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    sum += taken(s, t);
    __syncthreads();
  }
  q[t] = sum;
}

// TileSource
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a store of the loop may write what a later copy reads: the store in line [[#@LINE+6]]; mark the pointers __restrict__, or store after the loop
K perhaps_the_same(float *g, float *q, int n, const int *at) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    q[at[k] + t] = s[(t + 1) % 256];
    __syncthreads();
  }
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K restricted(ARGS, const int *__restrict__ at) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    q[at[k] + t] = s[(t + 1) % 256];
    __syncthreads();
  }
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K stored_behind(float *g, float *q, int n, const int *at) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[at[0] + t] = sum;
}

// TileOrder
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop has fences, calls, or else that copies may not pass: the fence in line [[#@LINE+7]]; move that out, and make functions inline
K fenced(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    q[t] = USE;
    __threadfence();
    __syncthreads();
  }
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K fenced_behind(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
  __threadfence();
}

// TileDynamic
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the host says how large a shared array of the kernel is; give all of its shared arrays constant sizes
K of_any_size(ARGS) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  float sum = 0;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the host says how large a shared array of the kernel is; give all of its shared arrays constant sizes
K beside_any_size(ARGS) {
  TILE;
  extern __shared__ float beside[];
  beside[t] = g[t];
  TILES {
    COPY;
    __syncthreads();
    sum += s[(t + 1) % 256] + beside[t];
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K of_constant_size(ARGS) {
  TILE; __shared__ float beside[1024];
  beside[t] = g[t];
  TILES {
    COPY;
    __syncthreads();
    sum += s[(t + 1) % 256] + beside[t];
    __syncthreads();
  }
  q[t] = sum;
}

// TileElsewhere
__device__ float elsewhere(float);
static __device__ __noinline__ float here(float x) { return x * x; }
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the kernel calls other modules' functions, or by pointers: the call of elsewhere in line [[#@LINE+9]]; define them here, and call them by name
K calls_elsewhere(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = elsewhere(sum);
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K calls_here(ARGS) {
  TILE;
  TILES {
    COPY;
    __syncthreads();
    USE;
    __syncthreads();
  }
  q[t] = here(sum);
}

// TileRegisters
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: it takes many registers, and nothing says how large its blocks are; say so: __launch_bounds__(256)
KK of_any_block(ARGS) {
  __shared__ float s[1024]; const int t = threadIdx.x; float sum = 0, r[80];
  for (int i = 0; i < 80; i++) r[i] = g[i];
  TILES {
    s[t] = g[k * 1024 + t];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 80; i++) r[i] = r[i] * s[(t + i) % 1024] + r[(i + 1) % 80];
    __syncthreads();
  }
  for (int i = 0; i < 80; i++) sum += r[i];
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K of_bounded_block(ARGS) {
  __shared__ float s[1024]; const int t = threadIdx.x; float sum = 0, r[80];
  for (int i = 0; i < 80; i++) r[i] = g[i];
  TILES {
    s[t] = g[k * 1024 + t];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 80; i++) r[i] = r[i] * s[(t + i) % 1024] + r[(i + 1) % 80];
    __syncthreads();
  }
  for (int i = 0; i < 80; i++) sum += r[i];
  q[t] = sum;
}

// TileFused
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: ptxas may fuse products and sums of different iterations: the sum in line [[#@LINE+6]]; say where products are rounded: __fmul_rn
K multiplied_before(ARGS) {
  TILE; float last = 0;
  TILES {
    COPY;
    __syncthreads();
    sum += last;
    last = s[(t + 1) % 256] * s[t];
    __syncthreads();
  }
  q[t] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K rounded(ARGS) {
  TILE; float last = 0;
  TILES {
    COPY;
    __syncthreads();
    sum += last;
    last = __fmul_rn(s[(t + 1) % 256], s[t]);
    __syncthreads();
  }
  q[t] = sum;
}

// FillPlace
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: an iteration may fill a place that another one fills; give every iteration places of its own
KK round_and_round(ARGS) {
  TILE;
  for (int k = t; k < n; k += blockDim.x) s[k & 255] = g[blockIdx.x * n + k];
  __syncthreads();
  q[blockIdx.x * 256 + t] = s[255 - t];
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies, which
KK places_of_its_own(ARGS) {
  __shared__ float s[2048]; const int t = threadIdx.x;
  for (int k = t; k < n; k += blockDim.x) s[k] = g[blockIdx.x * n + k];
  __syncthreads();
  q[blockIdx.x * 256 + t] = s[255 - t];
}

// FillUsed
// CSV-DAG: used_on_the_way,{{.*}},[[#@LINE+7]],{{[0-9]+}},store,shared,4,{{.*}},FillUsed,the load in line [[#@LINE+8]],
// TEXT-DAG: tile-remedies.cu:[[#@LINE+6]]:{{[0-9]+}} {{.*}}, FillUsed: the load in line [[#@LINE+7]]
// HTML-DAG: FillUsed: the load in line [[#@LINE+6]]</td>
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: the loop synchronizes, uses what it fills, or writes what it copies: the load in line [[#@LINE+5]]; fill the array in a loop of its own
KK used_on_the_way(ARGS) {
  __shared__ float s[2048]; const int t = threadIdx.x; float sum = 0;
  for (int k = t; k < n; k += blockDim.x) {
    s[k] = g[blockIdx.x * n + k];
    sum += s[k / 2];
  }
  __syncthreads();
  q[blockIdx.x * 256 + t] = s[255 - t] + sum;
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies, which
KK used_behind(ARGS) {
  __shared__ float s[2048]; const int t = threadIdx.x; float sum = 0;
  for (int k = t; k < n; k += blockDim.x) s[k] = g[blockIdx.x * n + k];
  __syncthreads();
  for (int k = t; k < n; k += blockDim.x) sum += s[k / 2];
  q[blockIdx.x * 256 + t] = s[255 - t] + sum;
}

// TileLooksUp: a table that the tile names.
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: it looks up as many words as it copies, and needs the cache; copy the table, or ask: -mllvm -coalda-stages=3
K named_by_tile(ARGS, const float *__restrict__ x) {
  TILE;
  g += blockIdx.x * n * 256;
  TILES {
    COPY;
    __syncthreads();
    sum += x[(int)s[(t + 1) % 256] & 65535];
    __syncthreads();
  }
  q[blockIdx.x * 256 + t] = sum;
}
// CHECK-DAG: [[#@LINE+8]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K of_shared_table(ARGS, const float *__restrict__ x) {
  TILE;
  __shared__ float table[1024];
  for (int i = t; i < 1024; i += 256) table[i] = x[i];
  g += blockIdx.x * n * 256;
  TILES {
    COPY;
    __syncthreads();
    sum += table[(int)s[(t + 1) % 256] & 1023];
    __syncthreads();
  }
  q[blockIdx.x * 256 + t] = sum;
}
// What is each block's own comes from afar, as the tile does; a vector that all blocks share comes as the threads do.
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K own(ARGS, const float *__restrict__ x) {
  TILE;
  g += blockIdx.x * n * 256;
  TILES {
    COPY;
    __syncthreads();
    USE * x[(blockIdx.x * n + k) * 256 + t] * x[k] * x[t];
    __syncthreads();
  }
  q[blockIdx.x * 256 + t] = sum;
}
