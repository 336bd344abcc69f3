// What LLVM has made vectors of: the loop that goes on behind them has nothing to walk, and short rows of several arrays stay as they are.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s --check-prefix=ALONE < %t.log
#define K template <class X, class T> __global__ void
#define A const X *a, const X *b, const X *c, X *o, T n, T m
#define ID T i = (T)blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
#define OF(f, X, T) template __global__ void f<X, T>(const X *, const X *, const X *, X *, T, T);
// CHECK-DAG: _Z3oneIsiEv{{.*}}made: spare _Z3oneIsiEv{{.*}}$arg5_u32_below_64
// ALONE-DAG: _Z3oneIsiEv{{.*}}made: walk
K one(A) { ID X s = 0; for (T k = 0; k < m; k++) s += a[i * m + k]; o[i] = s; }
OF(one, short, int)
// CHECK-DAG: _Z3dotIsiEv{{.*}}made: spare _Z3dotIsiEv{{.*}}$arg5_u32_below_128
// CHECK-DAG: _Z3dotItjEv{{.*}}made: spare _Z3dotItjEv{{.*}}$arg5_u32_below_128
// ALONE-DAG: _Z3dotIsiEv{{.*}}WalkPacked
K dot(A) { ID X s = 0; for (T k = 0; k < m; k++) s += a[i * m + k] * b[i * m + k]; o[i] = s; }
OF(dot, short, int) OF(dot, unsigned short, unsigned)
// CHECK-DAG: _Z3mixIsiEv{{.*}}made: spare _Z3mixIsiEv{{.*}}$arg5_u32_below_128
K mix(A) { ID X s = 0, t = 0; for (T k = 0; k < m; k++) { s += a[i * m + k] * b[k]; t += c[i * m + k]; } o[i] = s * t; }
OF(mix, short, int)
// NO-NOT: slides{{.*}}made: walk
K slides(A) { ID X s = 0; for (T k = 0; k < m; k++) s = a[i + k] > s ? a[i + k] : s; o[i] = s; }
OF(slides, unsigned char, int) OF(slides, unsigned char, unsigned) OF(slides, short, long)
