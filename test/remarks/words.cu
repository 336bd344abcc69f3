// True words: what an access is, by how much its threads lie apart, and why it stays as it is.
// RUN: %clang-device -O2 -gline-tables-only %s -o %t.ll
// RUN: %report %t.ll --format=csv | %FileCheck %s
// RUN: %report %t.ll --format=csv --shape=8x4 --kernel=tiny | %FileCheck %s --check-prefix=TINY
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

// A chunk of an array for each thread is a walk, whose stride run time alone knows.
// CHECK-DAG: chunk,sm_90,{{.*}},load,global,4,walk,"4*udiv(arg2, arg3)",4,{{.*}},exchange,{{.*}},Exchanged,
extern "C" __global__ void chunk(const float *k, float *q, unsigned n, unsigned parts) {
  float s = 0;
#pragma unroll 1
  for (unsigned i = 0; i < n / parts; i++) s += k[ID * (n / parts) + i];
  q[ID] = s;
}
// CHECK-DAG: shifted,sm_90,{{.*}},load,global,4,strided,"4*shl(1, arg2)",{{.*}},Strided,
extern "C" __global__ void shifted(const float *k, float *q, int n) { q[threadIdx.x] = k[threadIdx.x * (1 << n)]; }
// CHECK-DAG: masked,sm_90,{{.*}},load,global,4,strided,"4*and(arg2, 3)",{{.*}},Strided,
extern "C" __global__ void masked(const float *k, float *q, unsigned n) { q[threadIdx.x] = k[threadIdx.x * (n & 3)]; }

// No number stands for a stride that is none: n is not known.
// CHECK-DAG: divided,sm_90,{{.*}},load,global,4,strided,,{{.*}},NotLinear,
extern "C" __global__ void divided(const float *k, float *q, unsigned n) { q[threadIdx.x] = k[threadIdx.x * n / 3]; }
// CHECK-DAG: cut_off,sm_90,{{.*}},load,global,4,strided,,{{.*}},NotLinear,
extern "C" __global__ void cut_off(const float *k, float *q, unsigned n) { q[threadIdx.x] = k[threadIdx.x * n % 1024]; }

// Eight threads of a row and its 1536 bytes to the next one.
// TINY-DAG: load,global,4,unit,4,{{.*}},ShortRows,
// TINY-DAG: store,global,4,unit,4,{{.*}},Coalesced,
extern "C" __global__ void tiny(const float *k, float *q) {
  int x = threadIdx.x, y = threadIdx.y;
  q[y * 384 + x] = k[y * 384 + x + 1];
}

// CHECK-DAG: few,sm_90,{{.*}},store,global,4,record,40,{{.*}},none,NoFullWarp,
struct Ten { float a, b, c, d, e, f, g, h, i, j; };
extern "C" __global__ void __launch_bounds__(16) few(const Ten *p, Ten *q) {
  Ten r = p[ID];
  q[ID] = {r.b * 2, r.c, r.d + 1, r.e, r.f, r.g, r.h, r.i, r.j, r.a};
}

// Table lookups that cost nothing are not to be restructured.
// CHECK-DAG: bits,sm_90,{{.*}},load,global,4,{{[a-z]*}},{{.*}},Coalesced,
extern "C" __global__ void bits(const float *k, float *q) { q[threadIdx.x] = k[threadIdx.x ^ 5]; }
