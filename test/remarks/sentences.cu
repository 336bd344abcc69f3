// One sentence an access: what it is, what it costs, why, and what helps. Source lines need no -g.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%plugin -Rpass-analysis=coalda -Rpass-missed=coalda -Rpass=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s

// What is made before all is told, is told first.
// CHECK: remark: several threads want different words of one shared-memory bank; rewritten: rows of 128 bytes in {{.*}}t become 16 bytes longer

struct Three { float x, y, z; };
__global__ void records(const Three *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, record with stride 12 (offset 0 in a record of 12 bytes): 12 sectors where 4 would do; the threads' records lie side by side
  q[i] = p[i].x +
         // CHECK: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, record with stride 12 (offset 8 in a record of 12 bytes)
         p[i].z;
  // CHECK: remark: store of 4 bytes in global memory, unit with stride 4: 4 sectors where 4 would do; consecutive threads touch consecutive bytes [assuming that warps are rows of 32 threads along x, that the threads are inside the bounds and no index wraps around]
}

__global__ void walk(const float *a, float *y, int n, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++)
    // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, walk with stride 4*{{.*}}: 32 sectors where 4 would do; rewritten: the warp moves its threads' records together{{.*}}a stride known only at run time is longer than a line
    s += a[i * n + j];
  // CHECK-DAG: remark: load of 4 bytes in global memory, gather: between 1 and 32 sectors, 4 at best; each thread reads where a loaded index tells it to
  y[i] = s + a[index[i]];
}

__global__ void stops(const float *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;
#pragma unroll 1
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, walk with stride 4*{{.*}}: 32 sectors where 4 would do; each thread walks a row of its own{{.*}}; let consecutive threads walk one row together
  while (j < n && a[i * n + j] > 0) j++;
  y[i] = j;
}

__global__ void columns(const float *a, float *y, int n) {
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, strided with stride 4*{{.*}}; threadIdx.x moves by whole rows while a slower index moves by one element; swap the roles of x and y in the index, or transpose the array: up to 8.0 times fewer sectors
  y[threadIdx.y * n + threadIdx.x] = a[threadIdx.x * n + threadIdx.y];
}

__global__ void tiles(const float *a, float *y, int n) {
  __shared__ float t[32][32];
  float s = 0;
  // CHECK-DAG: remark: load of 4 bytes in shared memory, strided with stride 144: 4-way in its bank; several threads want different words of one shared-memory bank; pad the rows
  // CHECK-DAG: remark: loop stages global memory in shared memory between barriers: 1 copy unchanged, 0 computed on the way, 2 barriers an iteration, number of iterations known only at run time; rewritten: asynchronous copies run ahead in a ring of 5 stages of 2 tiles, 45920 bytes of shared memory, with which an SM has room for 4 blocks (32 before)
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.y][threadIdx.x] = a[k * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    s += t[threadIdx.x][threadIdx.y];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
