// What tells the caches something is assembly, is read as loads and stores, and is assembly again: where nothing is rewritten, not a byte of
// the code is another one.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-without=widening+exchanges -Rpass-analysis=coalda -S %s -o %t.ptx 2> %t.remarks
// RUN: diff %t.plain.ptx %t.ptx
// RUN: %FileCheck %s --check-prefix=TOLD < %t.remarks
// RUN: %FileCheck %s < %t.ptx
// TOLD-COUNT-100: remark: load
// CHECK: ld.global.cs.v4.s8
// CHECK: st.global.wt.v4.u16
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O0 -std=c++17 -S %s -o %t.plain.O0.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O0 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-without=widening+exchanges -S %s -o %t.O0.ptx
// RUN: diff %t.plain.O0.ptx %t.O0.ptx
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void
#define LOADS(T) \
  KERNEL cs_##T(const T *p, T *q) { q[ID] = __ldcs(p + ID); } \
  KERNEL cg_##T(const T *p, T *q) { q[ID] = __ldcg(p + ID); } \
  KERNEL cv_##T(const T *p, T *q) { q[ID] = __ldcv(p + ID); }
#define STORES(T) KERNEL wt_##T(const T *p, T *q) { __stwt(q + ID, p[ID]); }
typedef signed char schar;
typedef unsigned char uchar;
typedef long long llong;
typedef unsigned long long ullong;
#define BOTH(T) LOADS(T) STORES(T)
BOTH(char) BOTH(schar) BOTH(uchar) BOTH(short) BOTH(ushort) BOTH(int) BOTH(uint) LOADS(long) BOTH(llong) BOTH(ullong)
BOTH(char2) BOTH(char4) BOTH(uchar2) BOTH(uchar4) BOTH(short2) BOTH(short4) BOTH(ushort2) BOTH(ushort4) BOTH(int2) BOTH(int4) BOTH(uint2)
BOTH(uint4) BOTH(longlong2) BOTH(ulonglong2) BOTH(float) BOTH(double) BOTH(float2) BOTH(float4) BOTH(double2)
// Constants, parts that nobody wants, words that are wanted as they are and extended, in loops and in functions of their own.
KERNEL constants(float4 *p, uchar4 *q, schar *r) {
  __stwt(p + ID, float4{1, 2, 0, 4}), __stwt(q + ID, uchar4{1, 255, 0, 128}), __stwt(r + ID, (schar)-1);
}
KERNEL parts(const float4 *p, const schar *s, float *q, schar *t, int *u, unsigned *w) {
  q[ID] = __ldcs(p + ID).z;
  schar v = __ldcg(s + ID);
  t[ID] = v, u[ID] = v, w[ID] = (uchar)v;
}
__device__ __noinline__ float2 pair(const float2 *p, int i) { return __ldcg(p + i); }
KERNEL loop(const float2 *p, float *q, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += pair(p, i).x * __ldcs(q + i);
  __stwt(q + ID, s);
}
KERNEL own(const float *p, float *q) {
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(a) : "l"(p + ID));
  asm volatile("ld.global.nc.v2.f32 { %0, %1 }, [ %2 ] ;" : "=f"(b), "=f"(c) : "l"(p + 2 * ID) : "memory");
  asm("ld.weak.global.ca.f32 \t%0, [%1];" : "=f"(d) : "l"(p + 3));
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(q + ID), "f"(a + b * c + d));
}
KERNEL nowhere(const float *p, float *q) {
  float a;
  asm("ld.cs.f32 %0, [%1];" : "=f"(a) : "l"(p + ID));
  asm volatile("st.wt.f32 [%0], %1;" ::"l"(q + ID), "f"(a) : "memory");
}
