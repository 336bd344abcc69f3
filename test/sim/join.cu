// What the examples lack: wide accesses, wide shared memory, asynchronous copies, atomics, wrappers of the toolkit, functions.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll
// RUN: %report --format=json %t.ll > %t.json
// RUN: %python %S/join.py %sim %t.ll %t.json %s more
// Wrong passes through the banks, a wrong width:
// RUN: sed 's/"wavefronts": 8,/"wavefronts": 7,/; s/"bytes": 16,/"bytes": 8,/' %t.json > %t.broken.json
// RUN: %not %python %S/join.py %sim %t.ll %t.broken.json %s more | %FileCheck %s --check-prefix=BROKEN
// BROKEN: wide: {{.*}} load global: bytes and requests: [(16, 1.0)] by the machine, [(8, 1)] by the report
// BROKEN: shared_wide: {{.*}} store shared: wavefronts a request: 8 by the machine, 7 to 7 by the report
// LAUNCH: more wide under --grid 4 --block 256 -- zero:16384 zero:16384
// LAUNCH: more shared_wide --grid 1 --block 32 --check=none -- zero:2048
// LAUNCH: more async --grid 2 --block 128 -- zero:4096 zero:4096
// LAUNCH: more atomics --grid 4 --block 64 -- zero:4096
// LAUNCH: more cached far --grid 4 --block 64 -- zero:4096 zero:4096
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
struct Pair { float a, b; };
typedef float Four __attribute__((ext_vector_type(4)));
__global__ void wide(const Four *p, Four *q) {
  Four v = p[TID];
  v.x += v.y + v.z + v.w;
  q[TID] = v;
}
__global__ void under(const Pair *p, Pair *q) { q[TID] = p[TID]; }
__global__ void shared_wide(double *q) {
  __shared__ double s[64];
  __shared__ float4 v[64];
  int t = threadIdx.x;
  s[t & 15] = q[t];                     // both halves of the warp at the same words
  v[2 * t] = make_float4(1, 2, 3, 4);
  v[t & 7] = make_float4(1, 2, 3, 4);
  __syncwarp();
  q[t] = s[t] + v[(5 * t) & 63].w + v[t / 8].x;
}
__global__ void async(const float *p, float *q) {
  __shared__ float s[512];
  int t = threadIdx.x;
  __nvvm_cp_async_cg_shared_global_16((__attribute__((address_space(3))) float *)&s[4 * t],
                                      (__attribute__((address_space(1))) const float *)p + 4 * (blockIdx.x * 128 + t));
  __nvvm_cp_async_commit_group();
  __nvvm_cp_async_wait_group(0);
  q[blockIdx.x * 128 + t] = s[4 * t] + s[4 * t + 1];
}
__global__ void atomics(int *p) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x / 2], 1);
  atomicMax(&p[2 * TID], 3);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&p[threadIdx.x], bins[threadIdx.x]);
}
__global__ void cached(const float *p, float *q) { __stwt(&q[TID], __ldg(&p[TID + 1]) + __ldcg(&p[2 * TID])); }
__device__ __noinline__ void put(float *q, int i, float v) { q[4 * i] = v; }
__global__ void far(const float *p, float *q) { put(q, TID, p[TID]); }
