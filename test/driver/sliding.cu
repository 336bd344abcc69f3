// Windows that slide from thread to thread: several iterations stand in one body for launches with few threads, and the kernel as it was takes short windows and full launches.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-without=walks -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
#define K template <class X, class T> __global__ void
#define A const X *__restrict__ a, const X *__restrict__ b, X *__restrict__ o, T n, T m
#define ID T i = (T)blockIdx.x * blockDim.x + threadIdx.x
#define OF(f, X, T) template __global__ void f<X, T>(const X *, const X *, X *, T, T);
// CHECK-DAG: made: spare _Z4convIfiEv{{.*}}$arg4_u32_below_32$full_from_130000
// CHECK-DAG: made: spare _Z4convIfjEv{{.*}}$arg4_u32_below_32$full_from_130000
K conv(A) { ID; if (i + m > n) return; X s = 0; for (T k = 0; k < m; k++) s += a[i + k] * b[k]; o[i] = s; }
OF(conv, float, int) OF(conv, float, unsigned)
// CHECK-DAG: made: spare _Z3firIfiEv{{.*}}$arg4_u32_below_32$full_from_130000
K fir(A) { ID; if (i >= n || i < m) return; X s = 0; for (T k = 0; k < m; k++) s += a[i - k] * b[k]; o[i] = s; }
OF(fir, float, int)
// CHECK-DAG: made: spare _Z4movsIflEv{{.*}}$arg4_u64_below_32$full_from_130000
// CHECK-DAG: made: spare _Z4movsIdiEv{{.*}}$arg4_u32_below_32$full_from_130000
K movs(A) { ID; if (i + m > n) return; X s = 0; for (T k = i; k < i + m; k++) s += a[k]; o[i] = s; }
OF(movs, float, long) OF(movs, double, int)
// CHECK-DAG: made: spare _Z3ptrIfiEv{{.*}}$arg4_u32_below_32$full_from_130000
K ptr(A) { ID; if (i + m > n) return; X s = 0; const X *p = a + i, *q = b, *e = p + m; while (p < e) s += *p++ * *q++; o[i] = s; }
OF(ptr, float, int)
// Every second element.
// CHECK-DAG: made: spare _Z5thinsIfiEv{{.*}}$arg4_u32_below_32$full_from_130000
K thins(A) { ID; if (i * 2 + m > n) return; X s = 0; for (T k = 0; k < m; k++) s += a[2 * i + k] * b[k]; o[i] = s; }
OF(thins, float, int)
// Columns, steps that are not known, and what lies a row apart, are other things.
// NO-NOT: columns{{.*}}full_from_130000
// NO-NOT: skewed{{.*}}full_from_130000
// NO-NOT: apart{{.*}}full_from_130000
K columns(A) { ID; if (i >= n) return; X s = 0; for (T k = 0; k < m; k++) s += a[k * 1024 + i] * b[k]; o[i] = s; }
OF(columns, float, int)
K skewed(A) { ID; if (i >= n) return; X s = 0; for (T k = 0; k < m; k++) s += a[i + k + k * n] * b[k]; o[i] = s; }
OF(skewed, float, int)
K apart(A) { ID; if (i >= n) return; X s = 0; for (T k = 0; k < m; k++) s += a[i * 64 + k] * b[k]; o[i] = s; }
OF(apart, float, int)
