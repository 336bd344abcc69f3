// Rows that end where their capacity does, or before, as a count says that is loaded: what tells the capacity tells that they are short.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares=rows
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=NO < %t.out
#define I int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

// The least of both; two ends; unsigned, by a condition; an end in the middle.
// CHECK-DAG: _Z5leastPKdPKiPdii$coalda1$arg4_u32_below_4: as it was
__global__ void least(const double *x, const int *count, double *o, int n, int most) { I; double s = 0; int m = min(count[i], most); for (int j = 0; j < m; j++) s += x[(long)i * most + j]; o[i] = s; }
// CHECK-DAG: _Z4endsPKdPKiPdil$coalda1$arg4_u64_below_4: as it was
__global__ void ends(const double *x, const int *count, double *o, int n, long most) { I; double s = 0; long c = count[i]; for (long j = 0; j < most && j < c; j++) s += x[i * most + j]; o[i] = s; }
// CHECK-DAG: _Z6heldToPKdPKjPdjj$coalda1$arg4_u32_below_4: as it was
__global__ void heldTo(const double *x, const unsigned *count, double *o, unsigned n, unsigned most) { I; unsigned m = count[i]; if (m > most) m = most; double s = -9; const double *p = x + (size_t)i * most; for (unsigned j = 0; j < m; j++) s = p[j] > s ? p[j] : s; o[i] = s; }
// CHECK-DAG: _Z6leavesPKdPKiPdii$coalda1$arg4_u32_below_4: as it was
__global__ void leaves(const double *x, const int *count, double *o, int n, int most) { I; double s = 0; int c = count[i]; for (int j = 0; j < c; j++) { if (j >= most) break; s += x[(long)i * most + j]; } o[i] = s; }
// Stored, and filled up.
// CHECK-DAG: _Z6scaledPKfPKiPfii$coalda1$arg4_u32_below_8: as it was
__global__ void scaled(const float *x, const int *count, float *o, int n, int most) { I; int m = min(count[i], most); for (int j = 0; j < m; j++) o[(long)i * most + j] = x[(long)i * most + j] * 2; }
// CHECK-DAG: _Z6paddedPKfPKiPfii$coalda1$arg4_u32_below_8: as it was
__global__ void padded(const float *x, const int *count, float *o, int n, int most) { I; int c = count[i], j = 0; for (; j < c && j < most; j++) o[(long)i * most + j] = x[(long)i * most + j]; for (; j < most; j++) o[(long)i * most + j] = 0; }
// Of three.
// CHECK-DAG: _Z5threePKfPKiPfiii$coalda1$arg4_u32_below_8: as it was
__global__ void three(const float *x, const int *count, float *o, int n, int most, int pitch) { I; int m = min(min(count[i], most), count[n]); for (int j = 0; j < m; j++) o[(long)i * pitch + j] = x[(long)i * pitch + j] * 2; }
// A member of a struct, by a template.
struct Rows { const float *x; const int *count; int most; };
// CHECK-DAG: _Z6memberIfEv4RowsPT_i$coalda1$arg0_at16_u32_below_8: as it was
template <class T> __global__ void member(Rows r, T *o, int n) { I; int m = min(r.count[i], r.most); for (int j = 0; j < m; j++) o[(long)i * r.most + j] = r.x[(long)i * r.most + j] * 2; }
template __global__ void member(Rows, float *, int);
// Of a product that is not told, and a number that is.
// CHECK-DAG: _Z5timesPKfPKiPfiii$coalda1$arg4_u32_below_8: as it was
__global__ void times(const float *x, const int *count, float *o, int n, int most, int each) { I; int m = min(count[i] * each, most); for (int j = 0; j < m; j++) o[(long)i * most + j] = x[(long)i * most + j] * 2; }
// The larger of both is told by neither; nor what is loaded beside a number, or alone.
// NO-NOT: larger
__global__ void larger(const float *x, const int *count, float *o, int n, int most) { I; int m = max(count[i], most); for (int j = 0; j < m; j++) o[(long)i * 64 + j] = x[(long)i * 64 + j] * 2; }
// NO-NOT: loaded
__global__ void loaded(const float *x, const int *count, float *o, int n, int most) { I; int m = min(count[i], count[n]); for (int j = 0; j < m; j++) o[(long)i * most + j] = x[(long)i * most + j] * 2; }
// NO-NOT: beside
__global__ void beside(const float *x, const int *count, float *o, int n, int most) { I; int m = min(count[i], most) + count[n]; for (int j = 0; j < m; j++) o[(long)i * 64 + j] = x[(long)i * 64 + j] * 2; }
