// Loads and stores that tell the caches something are assembly in clang's headers, and are rewritten like any others. What of such assembly is
// volatile is told by its figures, left as it is, and called by its name.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -std=c++17 -fpass-plugin=%plugin -Rpass-missed=coalda -Rpass=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s
struct P { float x, y, z, w, u, v; };
struct V { float4 a, b; };
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define K extern "C" __global__ void
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: store{{.*}}; rewritten: the warp 
K loads(const P *__restrict__ p, P *__restrict__ q) {
  q[ID] = {__ldcs(&p[ID].x) * 2, __ldcs(&p[ID].y) * 2, __ldcs(&p[ID].z) * 2, __ldcs(&p[ID].w) * 2, __ldcs(&p[ID].u) * 2, __ldcs(&p[ID].v) * 2};
}
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: store{{.*}}; rewritten: the warp 
K loads_plain(const P *__restrict__ p, P *__restrict__ q) {
  q[ID] = {p[ID].x * 2, p[ID].y * 2, p[ID].z * 2, p[ID].w * 2, p[ID].u * 2, p[ID].v * 2};
}
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a rewrite would not be faster
K vectors(const V *__restrict__ p, float *__restrict__ q) {
  float4 a = __ldcg(&p[ID].a), b = __ldcg(&p[ID].b);
  q[ID] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: 2 stores{{.*}}; rewritten: where they are aligned
K stores(P *__restrict__ p, const float *__restrict__ q) {
  float v = q[ID];
  __stwt(&p[ID].x, v), __stwt(&p[ID].y, v * 2);
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: 2 stores{{.*}}; rewritten: where they are aligned
K own(P *__restrict__ p, const float *__restrict__ q) {
  float v = q[ID];
  asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(&p[ID].x), "f"(v) : "memory");
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(&p[ID].y), "f"(v) : "memory");
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: volatile or unknown assembly moves some of it; move all of it
K one_of_them(const P *__restrict__ p, float *__restrict__ q) {
  float y;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(y) : "l"(&p[ID].y));
  q[ID] = __ldcs(&p[ID].x) * y;
}
struct C { float v[8]; };
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: 4 loads{{.*}}; rewritten: the warp moves
K past_the_first(const C *__restrict__ p, float *__restrict__ q) {
  q[ID] = __ldcg(&p[ID].v[1]) * __ldcg(&p[ID].v[2]) + __ldcg(&p[ID].v[3]) * __ldcg(&p[ID].v[4]);
}
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: volatile or unknown assembly moves some of it; move all of it
K waits(const P *__restrict__ p, float *__restrict__ q) {
  float x, y;
  // Volatile: it may wait for another thread.
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(&p[ID].x));
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(y) : "l"(&p[ID].y));
  q[ID] = x + y;
}
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: it is volatile, or atomics, fences or calls
K asked_anew(const P *__restrict__ p, float *__restrict__ q) {
  q[ID] = __ldcv(&p[ID].x) + __ldcv(&p[ID].y);
}
// CHECK-DAG: [[#@LINE+3]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: it is volatile, or atomics, fences or calls
K ordered(const P *__restrict__ p, float *__restrict__ q) {
  float x, y;
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(x) : "l"(&p[ID].x) : "memory");
  asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(y) : "l"(&p[ID].y) : "memory");
  q[ID] = x + y;
}
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; rewritten: the warp moves
K walk(const float *__restrict__ p, float *__restrict__ q, int n) {
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) s += __ldcs(&p[ID * n + i]);
  q[ID] = s;
}
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; rewritten: the warp moves
K walk_plain(const float *__restrict__ p, float *__restrict__ q, int n) {
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) s += p[ID * n + i];
  q[ID] = s;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: loop stages {{.*}}; rewritten: asynchronous copies
K tile(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[256];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    s[threadIdx.x] = __ldcg(&g[k * 256 + threadIdx.x]);
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: loop stages {{.*}}; rewritten: 4 tiles ahead held in registers
K tile_of_vectors(const float4 *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float4 s[256];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    s[threadIdx.x] = __ldcs(&g[k * 256 + threadIdx.x]);
    __syncthreads();
    sum += s[255 - threadIdx.x].x;
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: loop stages {{.*}}; rewritten: asynchronous copies
K tile_plain(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[256];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    s[threadIdx.x] = g[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: volatile or unknown assembly loads what is copied: the store in line [[#@LINE+7]]; load it by __ldcg
K tile_of_volatiles(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[256];
  float sum = 0, v;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(&g[k * 256 + threadIdx.x]));
    s[threadIdx.x] = v;
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
