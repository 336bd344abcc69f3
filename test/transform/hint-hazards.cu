// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// What of assembly that tells the caches something stays as it is, and what keeps its order.
// TEXT: levels=O3
#include "hints.cuh"
struct F4 { float a, b, c, d; };
struct F16 { float v[16]; };
#define VOLATILE_LOAD(NAME, TEXT, ...) \
  __device__ inline float NAME(const float *p) { float v; asm volatile(TEXT " %0, [%1];" : "=f"(v) : "l"(p) __VA_ARGS__); return v; }
VOLATILE_LOAD(polled, "ld.global.cg.f32")
VOLATILE_LOAD(fenced, "ld.global.cg.f32", : "memory")
VOLATILE_LOAD(anew, "ld.global.cv.f32", : "memory")
__device__ inline float clobbering(const float *p) { float v; asm("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory"); return v; }
#define OF_SIXTEEN(NAME) \
  KERNEL NAME##_record(const float *p, float *q, int n) { \
    int i = ROW; \
    if (i >= n) return; \
    float s = 0; \
    for (int k = 0; k < 16; k++) s = s * 2 + NAME(p + 16 * i + k); \
    q[i] = s; \
  }
// A load that is volatile, or says that memory may change, is not moved: it may wait for what another thread stores.
// CASE: polled_record refuse=Hinted -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(polled)
// CASE: fenced_record refuse=Hinted -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(fenced)
// CASE: clobbering_record refuse=Hinted -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(clobbering)
// CASE: anew_record refuse=Ordered -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(anew)
// But for what is wanted once, or not again soon, as programs write it whose compiler has no such function.
VOLATILE_LOAD(last, "ld.global.lu.f32", : "memory")
VOLATILE_LOAD(streamed, "ld.global.cs.f32")
// CASE: last_record load=exchange -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(last)
// CASE: streamed_record load=exchange -- frand:{64*n} zero:{4*n} i32:{n}
OF_SIXTEEN(streamed)
// Not the text that a wide access would have: an address that the assembly adds to, a predicate.
__device__ inline float moved(const float *p) { float v; asm("ld.global.cs.f32 %0, [%1+4];" : "=f"(v) : "l"(p)); return v; }
// CASE: moved_record none -- frand:{64*n+4} zero:{4*n} i32:{n}
OF_SIXTEEN(moved)
// Words of one record that say unlike things move together, and pass the first-level cache if one of them does: it may be what others have stored since.
// CHECK-LABEL: @mixed(
// CHECK-NOT: load <4 x
// CHECK: asm sideeffect "ld.global.cg.v4.b32
// CASE: mixed load=widen -- frand:{16*n} zero:{4*n} i32:{n}
KERNEL mixed(const F4 *p, float *q, int n) {
  int i = ROW;
  if (i < n) q[i] = cs(&p[i].a) + cg(&p[i].b) * cs(&p[i].c) - p[i].d;
}
// Which other lanes store what a wide access loads, LLVM is not to forget: it is volatile, and memory may change.
// CHECK-LABEL: @halves(
// CHECK-NOT: ld.global.cs.v4
// CHECK: asm sideeffect "ld.global.cg.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l,~{memory}"
// CHECK: asm "ld.global.cs.f32 $0, [$1];", "=f,l"
// CASE: halves load=exchange -- frand:{64*n} zero:{4*n} i32:{n}
KERNEL halves(const F16 *p, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < 8; k++) s = s * 2 + cs(&p[i].v[k]);
  for (int k = 8; k < 16; k++) s = s * 2 + cg(&p[i].v[k]);
  q[i] = s;
}
// Where none of them does, they tell nothing; nor is what nobody writes said of the others.
// CHECK-LABEL: @unlike(
// CHECK-NOT: ld.global
// CHECK: load <4 x
// CASE: unlike load=widen -- frand:{16*n} zero:{4*n} i32:{n}
__device__ inline float steady(const float *p) { float v; asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
KERNEL unlike(const F4 *p, float *q, int n) {
  int i = ROW;
  if (i < n) q[i] = cs(&p[i].a) + steady(&p[i].b) * cs(&p[i].c) - p[i].d;
}
// What is to be written through all caches is.
// CHECK-LABEL: @through(
// CHECK: asm sideeffect "st.global.wt.v4
// CASE: through store=widen -- zero:{16*n} frand:{4*n} i32:{n}
KERNEL through(F4 *p, const float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float v = q[i];
  scs(&p[i].a, v), wt(&p[i].b, v + 1), scg(&p[i].c, v + 2), p[i].d = v * v;
}
// Between the loads stands a store that may touch what they load.
// CHECK-LABEL: @written(
// CASE: written full with=o=0,1,2,3,64 -- frand:{24*n} i32:{o} i32:{n}
KERNEL written(float *p, int o, int n) {
  int i = ROW;
  if (i >= n) return;
  float a = cs(&p[4 * i]), b = cs(&p[4 * i + 1]);
  p[4 * i + (o < 4 ? o : 4 * n - 3 * i)] = a + 1;
  float c = cs(&p[4 * i + 2]), d = cs(&p[4 * i + 3]);
  p[4 * i + (o < 4 ? 3 - o : 5 * n - 3 * i)] = b * c + d;
}
// And between the stores a load that may want what they store.
// CASE: read store=widen full with=o=0,1,2,3 -- frand:{16*n} zero:{4*n} i32:{o} i32:{n}
KERNEL read(float *p, float *r, int o, int n) {
  int i = ROW;
  if (i >= n) return;
  wt(&p[4 * i], 1.0f), wt(&p[4 * i + 1], 2.0f);
  float v = cs(&p[4 * i + o]);
  wt(&p[4 * i + 2], 3.0f), wt(&p[4 * i + 3], v);
  r[i] = v;
}
// A barrier stands between the parts of a record that other threads write meanwhile.
// CASE: beyond full block=64 grid=1 -- frand:{16*n} zero:{4*n} i32:{n}
KERNEL beyond(float *p, float *q, int n) {
  int i = ROW;
  float a = cg(&p[4 * i]), b = cg(&p[4 * i + 1]);
  __syncthreads();
  scg(&p[4 * ((i + 1) % 64) + 2], a), scg(&p[4 * ((i + 1) % 64) + 3], b);
  __syncthreads();
  q[i] = cg(&p[4 * i + 2]) + cg(&p[4 * i + 3]);
}
// By a generic pointer, which may lead elsewhere in some threads: only those in global memory move together.
__device__ inline float generic(const float *p) { float v; asm("ld.cs.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
// CASE: somewhere load=exchange full block=64 grid=1 with=k=0,1,32,64 -- frand:{16*n} zero:{4*n} i32:{k} i32:{n}
KERNEL somewhere(const float *p, float *q, int k, int n) {
  __shared__ float s[4 * 64];
  int i = ROW;
  for (int j = 0; j < 4; j++) s[4 * threadIdx.x + j] = 4 * i - j;
  __syncthreads();
  const float *at = threadIdx.x < k ? s + 4 * threadIdx.x : p + 4 * i;
  q[i] = generic(at) + generic(at + 1) * generic(at + 2) - generic(at + 3);
}
