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
// One row whose iterations stand in one body is one row; a sum in int is of shorts as well.
// ALONE-DAG: unrolled{{.*}}made: walk
__global__ void unrolled(const short *a, short *o, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short s = 0;
#pragma unroll 4
    for (int j = 0; j < m; j++)
        s += a[i * m + j];
    o[i] = s;
}
// CHECK-DAG: summed{{.*}}made: spare {{.*}}summed{{.*}}$arg3_u32_below_128
// ALONE-DAG: summed{{.*}}made: walk
__global__ void summed(const short *a, const short *b, int *o, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j] * b[i * m + j];
    o[i] = s;
}
// Vectors for a stride of 1 alone: the other loop has all iterations of other strides.
// CHECK-DAG: strided{{.*}}found: walk{{.*}}16 iterations at a time
__global__ void strided(const short *a, const short *w, short *o, int m, int st)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j] * w[j * st];
    o[i] = s;
}
// A loop behind, which has been interleaved, is no rest of the vectors in front.
// CHECK-DAG: behind{{.*}}found: walk{{.*}}8 iterations at a time
__global__ void behind(const short *a, const float *__restrict__ f, short *o, float *__restrict__ g, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j];
    o[i] = s;
#pragma clang loop vectorize(enable) vectorize_width(1) interleave_count(4)
    for (int j = 0; j < m; j++)
        g[i * m + j] = f[i * m + j] * 2;
}
