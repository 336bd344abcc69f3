// One sentence an access: what it is, what it costs, why, and what helps. Source lines need no -g.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%plugin -Rpass-analysis=coalda -Rpass-missed=coalda -Rpass=coalda -fsave-optimization-record -foptimization-record-file=%t.yaml -S %s -o %t.ptx 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=FILED < %t.yaml

// What is made before all is told, is told first.
// CHECK: remark: several threads want different words of one shared-memory bank; rewritten: rows of 128 bytes in {{.*}}t become 16 bytes longer
// CHECK: remark: loop is left by what it loads of its rows; rewritten: pieces of 1 row for 4 iterations are loaded at once, 4 words held in registers [-R

// FILED: 2 loads of 4 bytes in global memory
// FILED: - Sectors: {{ *}}'12'
// FILED: - Assumes: {{ *}}rows inside
// FILED: - Rest: {{ *}}'(offsets 0, 8 in a record of 12 bytes); or keep each field
// FILED: - String: {{ *}}'load of 4 bytes in global memory
// FILED: - Sectors: {{ *}}'12'
struct Three { float x, y, z; };
__global__ void records(const Three *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // Both fields in one sentence, which has no room for where they lie: the file of remarks has both, and the rest.
  // CHECK: [[#@LINE+1]]:15: remark: 2 loads of 4 bytes in global memory, record with stride 12: 24 sectors where 8 would do; not rewritten: bytes between are not touched, and each moves alone; store side by side what is used together [-R
  q[i] = p[i].x +
         // CHECK-NOT: [[#@LINE+1]]:{{[0-9]+}}: remark
         p[i].z;
  // CHECK: remark: store of 4 bytes in global memory, unit with stride 4: 4 sectors where 4 would do; consecutive threads touch consecutive bytes [-R
}

__global__ void walk(const float *a, float *y, int n, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++)
    // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}, walk with stride 4*{{.*}}: 32 sectors where 4 would do; rewritten: the warp moves its threads' records together and shuffles pass the pieces on
    s += a[i * n + j];
  // CHECK-DAG: remark: load of 4 bytes in global memory, gather: between 1 and 32 sectors, 4 at best; each thread reads where a loaded index tells it to
  y[i] = s + a[index[i]];
}

__global__ void stops(const float *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;
#pragma unroll 1
  while (j < n && a[i * n + j] > 0) j++;
  y[i] = j;
}

__global__ void columns(const float *a, float *y, int n) {
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, strided with stride 4*{{.*}}: 32 sectors where 4 would do; not rewritten: the kernel's other accesses would lose as much; stage the array in shared memory [-R
  y[threadIdx.y * n + threadIdx.x] = a[threadIdx.x * n + threadIdx.y];
}

__global__ void tiles(const float *a, float *y, int n) {
  __shared__ float t[32][32];
  float s = 0;
  // CHECK-DAG: remark: load of 4 bytes in shared memory, strided with stride 144: 4-way in its bank; not rewritten: more than loads, stores and atomics use the array; index it where it is used; inline functions [-R
  // CHECK-DAG: remark: loop stages global memory in shared memory; rewritten: asynchronous copies run ahead in a ring of 5 stages of 2 tiles, 45920 bytes of shared memory, 4 blocks on an SM (32 before) [-R
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.y][threadIdx.x] = a[k * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    s += t[threadIdx.x][threadIdx.y];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
