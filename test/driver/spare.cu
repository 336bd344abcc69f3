// Kernels as they were stand beside those whose walks gain on long rows alone, and say by their names when they are to be launched.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=NO < %t.out
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -g -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-check
// Nobody asked for them:
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.none.ptx -fpass-plugin=%plugin
// RUN: %not grep coalda1 %t.none.ptx
// They are left as they are where the plugin meets them again, and what they are beside is not rewritten any more:
// RUN: %clang-device -O3 -std=c++17 %s -o %t.ll && %opt -passes='coalda<spares>' %t.ll -S -o %t.once.ll && %opt -passes='coalda<spares>' %t.once.ll -S -o %t.twice.ll
// RUN: grep -c 'coalda1.*{$' %t.once.ll > %t.once && grep -c 'coalda1.*{$' %t.twice.ll > %t.twice && diff %t.once %t.twice

#define ROW(m) long i = blockIdx.x * (long)blockDim.x + threadIdx.x; const float *row = a + i * (long)(m)

// An int, a long, an unsigned. Clang has unrolled the loops by eight, and what is shorter than four of those goes as it was in either kernel.
// CHECK-DAG: _Z4intsPKfPfi$coalda1$arg2_u32_below_32: as it was
__global__ void ints(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
// CHECK-DAG: _Z5longsPKfPfl$coalda1$arg2_u64_below_32: as it was
__global__ void longs(const float *a, float *o, long m) { ROW(m); float s = 0; for (long j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
// CHECK-DAG: _Z9unsignedsPKfPfj$coalda1$arg2_u32_below_32: as it was
__global__ void unsigneds(const float *a, float *o, unsigned m) { ROW(m); float s = 0; for (unsigned j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
// A counter that is wider, a struct in front, a column to begin with, steps of four.
struct Shape { long n; int k; };
// CHECK-DAG: _Z5mixed5ShapePKfPfi$coalda1$arg3_u32_below_32: as it was
__global__ void mixed(Shape, const float *a, float *o, int m) { ROW(m); float s = 0; for (size_t j = 0; j < (size_t)m; j++) s += row[j] * row[j]; o[i] = s; }
// CHECK-DAG: _Z4fromPKfPfi$coalda1$arg2_u32_below_35: as it was
__global__ void from(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 3; j < m; j++) s += row[j] * row[j]; o[i] = s; }
// CHECK-DAG: _Z5foursPKfPfi$coalda1$arg2_u32_below_32: as it was, in another order
__global__ void fours(const float *a, float *o, int m)
{
    ROW(m);
    float s = 0;
    int j = 0;
    for (; j + 4 <= m; j += 4)
        s = s + row[j] * row[j] + row[j + 1] * row[j + 1] + row[j + 2] * row[j + 2] + row[j + 3] * row[j + 3];
    for (; j < m; j++)
        s += row[j] * row[j];
    o[i] = s;
}
// Of bytes, the shortest piece that is moved.
// CHECK-DAG: _Z5bytesPKhPji$coalda1$arg2_u32_below_128: as it was
__global__ void bytes(const unsigned char *a, unsigned *o, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    unsigned h = 1;
    for (int j = 0; j < m; j++)
        h = h * 31 + a[i * m + j];
    o[i] = h;
}
// CHECK-DAG: _Z5sweepPKfPfi$coalda1$arg2_u32_below_33: as it was
__global__ void sweep(const float *c, float *a, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    for (int j = 1; j < m; j++)
        a[i * m + j] = a[i * m + j] * 0.5f;
}
// Two rows: both are short.
// CHECK-DAG: _Z4bothPKfS0_Pfii$coalda1$arg3_u32_below_32$arg4_u32_below_32: as it was
__global__ void both(const float *a, const float *b, float *o, int m, int n)
{
    ROW(m);
    float s = 0;
    for (int j = 0; j < m; j++)
        s += row[j];
    for (int j = 0; j < n; j++)
        s *= b[i * n + j];
    o[i] = s;
}
// A template, and what has no linkage, by the names that the host knows them by.
// CHECK-DAG: _Z5templIdEvPKT_PS0_i$coalda1$arg2_u32_below_16: as it was
template <class T> __global__ void templ(const T *a, T *o, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    T s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j];
    o[i] = s;
}
template __global__ void templ(const double *, double *, int);
// CHECK-DAG: _ZN12_GLOBAL__N_16hiddenEPKfPfi$coalda1$arg2_u32_below_32: as it was
namespace { __global__ void hidden(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; o[i] = s; } }
void take(void *); void use() { take((void *)hidden); }
// Launch bounds are those of both.
// CHECK-DAG: _Z7boundedPKfPfi$coalda1$arg2_u32_below_32: as it was, .maxntid 128
__global__ __launch_bounds__(128) void bounded(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }

// No spares: of a length that is known, or loaded, or told by two arguments;
// NO-NOT: {{known|listed|product|partly|ordered|adding|calling|beside|tallied|templetable}}
__global__ void known(const float *a, float *o) { ROW(512); float s = 0; for (int j = 0; j < 512; j++) s += row[j]; o[i] = s; }
__global__ void listed(const float *a, const int *p, float *o, int n) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float s = 0; for (int j = p[i]; j < p[i + 1]; j++) s += a[j] * a[j + n]; o[i] = s; }
__global__ void product(const float *a, float *o, int m, int n) { ROW(m * n); float s = 0; for (int j = 0; j < m * n; j++) s += row[j]; o[i] = s; }
__global__ void partly(const float *a, const int *p, float *o, int m)
{
    ROW(m);
    float s = 0;
    for (int j = 0; j < m; j++)
        s += row[j] * row[j];
    for (int j = 0; j < 300; j++)
        s *= a[i * 300 + j];
    o[i] = s;
}
// of blocks that may wait for each other;
__global__ void ordered(const float *a, float *o, int m, volatile int *flag) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; while (!*flag) { } o[i] = s; }
__global__ void adding(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; atomicAdd(o, s); }
// whose function is another one's, too, and is rewritten for both;
__device__ __noinline__ float sum(const float *row, int m) { float s = 0; for (int j = 0; j < m; j++) s += row[j]; return s; }
__global__ void calling(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; o[i] = s + sum(row + 1, m / 2); }
// that gain by more than their rows;
struct P { float x, y, z, w, u, v; };
__global__ void beside(const float *a, P *p, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; P r = p[i]; p[i] = P{r.y, s, r.w, r.x, r.v, r.u}; }
__global__ void tallied(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) o[i] += row[j]; }
// and templates with variables of their image.
__constant__ float table[8];
template <class T> __global__ void templetable(const T *a, T *o, int m) { ROW(m); T s = 0; for (int j = 0; j < m; j++) s += row[j] * table[j & 7]; o[i] = s; }
template __global__ void templetable(const float *, float *, int);
