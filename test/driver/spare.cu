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
// RUN: %opt -passes='coalda<spares>' %t.once.ll -disable-output -coalda-trace 2> %t.trace && %not grep 'coalda1.*begins' %t.trace
// RUN: grep -c 'coalda1.*{$' %t.once.ll > %t.once && grep -c 'coalda1.*{$' %t.twice.ll > %t.twice && diff %t.once %t.twice

#define ROW(m) long i = blockIdx.x * (long)blockDim.x + threadIdx.x; const float *row = a + i * (long)(m)

// An int, a long, an unsigned. Clang has unrolled the loops by eight, and what is shorter than four of those goes as it was in either kernel.
// CHECK-DAG: _Z4intsPKfPfi$coalda1$arg2_u32_below_32: as it was
// Rows that are longer, but not by much, are walked without a shelf, and so are those of launches that fill the GPU.
// CHECK-DAG: _Z4intsPKfPfi$coalda1$arg2_u32_below_64$full_from_28000: by shuffles
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
// CHECK-DAG: _Z5foursPKfPfi$coalda1$arg2_u32_below_32: as it was{{$}}
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
// Rows that are stored gain from a sector on.
// CHECK-DAG: _Z6runsumPKfPfi$coalda1$arg2_u32_below_8: as it was
__global__ void runsum(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) o[i * m + j] = s += row[j]; }
// CHECK-DAG: _Z6stampsPiPKii$coalda1$arg2_u32_below_8: as it was
__global__ void stamps(int *__restrict__ o, const int *__restrict__ w, int m) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; int v = w[i]; for (int j = 0; j < m; j++) o[(size_t)i * m + j] = v; }
// CHECK-DAG: _Z5sweepPKfPfi$coalda1$arg2_u32_below_9: as it was
__global__ void sweep(const float *c, float *a, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    for (int j = 1; j < m; j++)
        a[i * m + j] = a[i * m + j] * 0.5f;
}
// Two rows: both are short.
// CHECK-DAG: _Z4bothPKfS0_Pfii$coalda1$arg3_u32_below_32$arg4_u32_below_32: as it was
// CHECK-DAG: _Z4bothPKfS0_Pfii$coalda1$arg3_u32_below_64$arg4_u32_below_64$full_from_28000: by shuffles
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
// CHECK-DAG: _Z5templIdEvPKT_PS0_i$coalda1$arg2_u32_below_16$few192_odd256_of132_arg2_u32_by8: as it was
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

// Members of structs that are given by value: of arrays and structs inside, narrow ones, behind padding, of a template.
struct Params { const float *a; float *o; int rows, cols; };
struct Nested { Params p; long n; int dim[4]; };
struct Padded { char c; short h; char d; unsigned m; };
template <class T> struct View { T *p; long size[2]; };
#define INDEX long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float s = 0
// CHECK-DAG: _Z6member6Params$coalda1$arg0_at20_u32_below_32: as it was
__global__ void member(Params p) { INDEX; for (int j = 0; j < p.cols; j++) s += p.a[i * p.cols + j]; p.o[i] = s; }
// CHECK-DAG: _Z6nestedi6Nested$coalda1$arg1_at40_u32_below_32: as it was
__global__ void nested(int n, Nested q) { INDEX; for (int j = 0; j < q.dim[2]; j++) s += q.p.a[i * q.dim[2] + j]; q.p.o[i] = s * n; }
// CHECK-DAG: _Z6narrow6PaddedPKfPf$coalda1$arg0_at2_u16_below_32: as it was
__global__ void narrow(Padded p, const float *a, float *o) { INDEX; for (int j = 0; j < p.h; j++) s += a[i * p.h + j]; o[i] = s; }
// CHECK-DAG: _Z6padded6PaddedPKfPf$coalda1$arg0_at8_u32_below_32: as it was
__global__ void padded(Padded p, const float *a, float *o) { INDEX; for (unsigned j = 0; j < p.m; j++) s += a[i * p.m + j]; o[i] = s; }
// CHECK-DAG: _Z4viewIfEv4ViewIT_EPf$coalda1$arg0_at16_u64_below_32: as it was
template <class T> __global__ void view(View<T> v, float *o) { INDEX; for (long j = 0; j < v.size[1]; j++) s += v.p[i * v.size[1] + j]; o[i] = s; }
template __global__ void view(View<float>, float *);
// CHECK-DAG: _Z8constant6Params$coalda1$arg0_at20_u32_below_32: as it was
__global__ void constant(const __grid_constant__ Params p) { INDEX; for (int j = 0; j < p.cols; j++) s += p.a[i * p.cols + j]; p.o[i] = s; }
// A half of it is not there as such.
// CHECK-DAG: _Z6halved6Params$coalda1$arg0_at20_u32_below_64: as it was
__global__ void halved(Params p) { p.cols /= 2; INDEX; for (int j = 0; j < p.cols; j++) s += p.a[i * p.cols + j]; p.o[i] = s; }

// Products of two and three numbers, and quotients, however they are rounded.
#define OF(name, number) __global__ void name(const float *a, float *o, int m, int k, int h) { INDEX; for (int j = 0; j < (number); j++) s += a[i * (number) + j]; o[i] = s; }
// CHECK-DAG: _Z2byPKfPfiii$coalda1$arg2_u32_times_arg3_u32_below_32: as it was
// CHECK-DAG: _Z6by_allPKfPfiii$coalda1$arg2_u32_times_arg3_u32_times_arg4_u32_below_32: as it was
// CHECK-DAG: _Z4downPKfPfiii$coalda1$arg2_u32_over_arg3_u32_below_32: as it was
// CHECK-DAG: _Z2upPKfPfiii$coalda1$arg3_u32_over_arg2_u32_below_32: as it was
OF(by, k * m) OF(by_all, h * m * k) OF(down, m / k) OF(up, (k + m - 1) / m)
// Chunks of an array, the last of which ends with that: by pointers, by a counter, in 64 bits; of a given length, as far as there are so many.
// CHECK-DAG: _Z6chunksPKcmiPi$coalda1$arg1_u64_over_arg2_u32_below_128: as it was
__global__ void chunks(const char *t, size_t n, int k, int *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= k) return; const size_t l = n / k; const char *p = t + i * l, *e = i == k - 1 ? t + n : p + l; int s = 0; while (p != e) s += *p++; o[i] = s; }
// CHECK-DAG: _Z8chunks_uPKhjjPj$coalda1$arg1_u32_over_arg2_u32_below_128: as it was
__global__ void chunks_u(const unsigned char *t, unsigned n, unsigned k, unsigned *o) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= k) return; unsigned l = n / k, b = i * l, e = i + 1 == k ? n : b + l, s = 0; for (unsigned j = b; j < e; ++j) s = s * 31 + t[j]; o[i] = s; }
// CHECK-DAG: _Z8chunks_iPKiiiPi$coalda1$arg1_u32_over_arg2_u32_below_32: as it was
__global__ void chunks_i(const int *t, int n, int k, int *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= k) return; const int *p = t + (long)i * (n / k), *e = i == k - 1 ? t + n : p + n / k; int s = 0; for (; p < e; ++p) s ^= *p; o[i] = s; }
// CHECK-DAG: _Z6piecesPKsiiPi$coalda1$arg2_u32_below_64: as it was
__global__ void pieces(const short *t, int n, int l, int *o) { int i = blockIdx.x * blockDim.x + threadIdx.x, b = i * l; if (b >= n) return; int e = b + l < n ? b + l : n, s = 0; for (int j = b; j < e; j++) s += t[j]; o[i] = s; }
// CHECK-DAG: _Z8pieces_lPKcmmPi$coalda1$arg2_u64_below_128: as it was
__global__ void pieces_l(const char *t, size_t n, size_t l, int *o) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, b = i * l; if (b >= n) return; size_t m = n - b < l ? n - b : l; int s = 0; for (size_t j = 0; j < m; j++) s += t[b + j]; o[i] = s; }
// CHECK-DAG: _Z4area6Params$coalda1$arg0_at16_u32_times_arg0_at20_u32_below_32: as it was
__global__ void area(Params p) { INDEX; int m = p.rows * p.cols; for (int j = 0; j < m; j++) s += p.a[i * m + j]; p.o[i] = s; }

// Rows of which some iterations are walked by themselves, as conditions of counters hold in them: by a bound that is loaded, behind a head, kept within bounds, of doubles, of which
// what an unrolled loop leaves over is short in any case; of those that are stored, from a sector on.
// CHECK-DAG: _Z6prefixPKfPKiPfii$coalda1$arg3_u32_below_32$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void prefix(const float *__restrict__ a, const int *__restrict__ k, float *__restrict__ o, int m, int n) { INDEX; if (i >= n) return; int e = k[i]; for (int j = 0; j < m; j++) if (j <= e) s += a[i * m + j]; o[i] = s; }
// CHECK-DAG: _Z6behindPKiPimmm$coalda1$arg2_u64_below_32: as it was
__global__ void behind(const int *__restrict__ a, int *__restrict__ o, size_t m, size_t n, size_t head) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i >= n) return; int s = 0; for (size_t j = 0; j < m; j++) { if (j >= head) s = s * 31 + a[i * m + j]; } o[i] = s; }
// CHECK-DAG: _Z5keptsPKfPfiii$coalda1$arg2_u32_below_32: as it was
__global__ void kepts(const float *__restrict__ a, float *__restrict__ o, int m, int n, int r) { INDEX; if (i >= n) return; for (int j = 0; j < m; j++) s += a[i * m + max(0, min(j + r, m - 1))]; o[i] = s; }
// CHECK-DAG: _Z7suffixdPKdPKiPdll$coalda1$arg3_u64_below_16: as it was
__global__ void suffixd(const double *__restrict__ a, const int *__restrict__ k, double *__restrict__ o, long m, long n) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; if (i >= n) return; double s = 0; long e = k[i]; for (long j = 0; j < m; j++) { if (j <= e) continue; s += a[i * m + j]; } o[i] = s; }
// CHECK-DAG: _Z10neighboursPKfPfjj$coalda1$arg2_u32_below_9: as it was
__global__ void neighbours(const float *__restrict__ a, float *__restrict__ o, unsigned m, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; a += (size_t)i * m; o += (size_t)i * m; for (unsigned j = 0; j < m; j++) if (j >= 1 && j < m - 1) o[j] = a[j - 1] + a[j + 1]; }
// Rows that are walked down, of which what unrolling leaves over comes first.
// CHECK-DAG: _Z6hornerPKfPfi$coalda1$arg2_u32_below_32: as it was
__global__ void horner(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = m - 1; j >= 0; j--) s = s * 0.5f + row[j]; o[i] = s; }
// CHECK-DAG: _Z9countdownPKfPfj$coalda1$arg2_u32_below_32: as it was
__global__ void countdown(const float *a, float *o, unsigned m) { ROW(m); float s = 0; for (unsigned j = m; j--;) s = s * 0.5f + *row++; o[i] = s; }
// CHECK-DAG: _Z5downdPKdPdl$coalda1$arg2_u64_below_16$few192_odd256_of132_arg2_u64_by8: as it was
__global__ void downd(const double *a, double *o, long m) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; double s = 0; for (long j = m; j-- > 0;) s = s * 0.5 + a[i * m + j]; o[i] = s; }
// CHECK-DAG: _Z8downfrom6Params$coalda1$arg0_at20_u32_below_32: as it was
__global__ void downfrom(Params p) { INDEX; for (int j = p.cols - 1; j >= 0; --j) s = s * 0.5f + p.a[i * p.cols + j]; p.o[i] = s; }

// Sums that are added to memory, by all threads, by iterations, and within a block, and who asks once whether he is the last: nobody waits for another block.
// CHECK-DAG: _Z6addingPKfPfi$coalda1$arg2_u32_below_32: as it was
__global__ void adding(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; atomicAdd(o, s); }
// CHECK-DAG: _Z8countingPKiPyi$coalda1$arg2_u32_below_32: as it was
__global__ void counting(const int *a, unsigned long long *o, int m) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; unsigned long long c = 0; for (int j = 0; j < m; j++) c += a[i * m + j] > 3; atomicAdd(o, c); }
// CHECK-DAG: _Z8fillbinsPKiPii$coalda1$arg2_u32_below_32: as it was
__global__ void fillbins(const int *__restrict__ a, int *__restrict__ o, int m) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; for (int j = 0; j < m; j++) atomicAdd(&o[a[i * m + j] & 255], 1); }
// CHECK-DAG: _Z8lastonesPKfPfiPi$coalda1$arg2_u32_below_32: as it was
__global__ void lastones(const float *a, float *o, int m, int *count) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; o[i] = s; __threadfence(); if (atomicAdd(count, 1) == gridDim.x * blockDim.x - 1) *count = 0; }

// A warp a row, and a block: iterations stand side by side, of which few rows have as many.
#define WARP int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32; const float *x = a + (long)w * m
__device__ inline float sum_of(float s) { for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k); return s; }
// CHECK-DAG: _Z6variedPKfPfi$coalda1$arg2_u32_below_512: as it was
__global__ void varied(const float *a, float *o, int m)
{
    WARP;
    float s = 0, v = 0;
    for (int j = lane; j < m; j += 32)
        s += x[j];
    s = sum_of(s) / m;
    for (int j = lane; j < m; j += 32)
        v += (x[j] - s) * (x[j] - s);
    v = sum_of(v);
    if (!lane)
        o[w] = v / m;
}
// By pointers.
// CHECK-DAG: _Z8pointersPKfPfi$coalda1$arg2_u32_below_512: as it was
__global__ void pointers(const float *a, float *o, int m)
{
    WARP;
    float s = 0, v = 0;
    for (const float *p = x + lane; p < x + m; p += 32)
        s += *p;
    s = sum_of(s);
    for (const float *p = x + lane; p < x + m; p += 32)
        v += *p * s;
    v = sum_of(v);
    if (!lane)
        o[w] = v;
}
// One loop that stores nothing, whose iterations go different ways: below a row that fills a body once.
// CHECK-DAG: _Z4binsPKhPii$coalda1$arg2_u32_below_256: as it was
__global__ void bins(const unsigned char *a, int *o, int m)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, x = 0, y = 0, z = 0;
    for (int j = lane; j < m; j += 32) {
        int v = a[w * m + j];
        if (v < 64)
            x++;
        else if (v < 128)
            y += v;
        else if (v < 192)
            z ^= v;
    }
    o[w * 32 + lane] = x + y * 3 + z * 7;
}
// CHECK-DAG: _Z5gatedPKfS0_PfS1_l$coalda1$arg4_u64_below_512: as it was
__global__ void gated(const float *a, const float *b, float *o, float *q, long m)
{
    WARP;
    for (long j = lane; j < m; j += 32) {
        float g = 1.f / (1.f + __expf(-x[j])), h = b[(long)w * m + j];
        o[(long)w * m + j] = g * h;
        q[(long)w * m + j] = g * (1 - g) * h;
    }
}
// CHECK-DAG: _Z8by_block6Params$coalda1$arg0_at20_u32_below_2048: as it was
__global__ void by_block(Params p)
{
    __shared__ float part[4];
    const float *x = p.a + (long)blockIdx.x * p.cols;
    float s = 0;
    for (int j = threadIdx.x; j < p.cols; j += 128)
        s += x[j] * x[j];
    s = sum_of(s);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    s = rsqrtf(part[0] + part[1] + part[2] + part[3]);
    for (int j = threadIdx.x; j < p.cols; j += 128)
        p.o[(long)blockIdx.x * p.cols + j] = x[j] * s;
}

// One loop that stores nothing as well: sums of 40 and 300 floats by a warp each came to 0.89 of plain clang without.
// CHECK-DAG: _Z4lonePKfPfi$coalda1$arg2_u32_below_512: as it was
__global__ void lone(const float *a, float *o, int m) { WARP; float s = 0; for (int j = lane; j < m; j += 32) s += x[j]; s = sum_of(s); if (!lane) o[w] = s; }
// No spares: of a length that is known, or loaded, or told by the sum of two arguments, or that grows with the thread;
// NO-NOT: {{(known|listed|joined|margins|downlisted|partlisted|triangle|steps|lists|led|unrolled|columns|partly|ordered|taking|calling|tallied|templetable).*as it was}}
__global__ void known(const float *a, float *o) { ROW(512); float s = 0; for (int j = 0; j < 512; j++) s += row[j]; o[i] = s; }
__global__ void listed(const float *a, const int *p, float *o, int n) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; float s = 0; for (int j = p[i]; j < p[i + 1]; j++) s += a[j] * a[j + n]; o[i] = s; }
__global__ void margins(const float *__restrict__ a, float *__restrict__ o, int m, int k) { INDEX + a[0]; for (int j = 0; j < m + 2 * k; j++) o[i * (m + 2 * k) + j] = j >= k && j < m + k ? a[i * m + j - k] : s; }
__global__ void partlisted(const float *__restrict__ a, const int *__restrict__ p, float *__restrict__ o, int m) { INDEX; for (int j = 0; j < m; j++) s += a[i * m + j]; int e = p[i], f = p[i + 1]; for (int j = 0; j < f; j++) if (j <= e) s = s * 0.5f + a[i * 512 + j]; o[i] = s; }
__global__ void downlisted(const float *a, const int *p, float *o) { INDEX; for (int j = p[i] - 1; j >= 0; j--) s = s * 0.5f + a[i * 512 + j]; o[i] = s; }
OF(joined, m + k) OF(apart_joined, m - k)
// The lesser of two, as far as one of them tells.
// CHECK-DAG: _Z5leastPKfPfiii$coalda1$arg3_u32_below_32: as it was
OF(least, m < k ? m : k)
__global__ void triangle(const float *a, float *o, int m) { INDEX; for (int j = 0; j < m + i; j++) s += a[i * 4096 + j]; o[i] = s; }
// of steps that the launch tells; of one loop alone that stores nothing, which loses nothing; where one of two loops has an unknown length;
__global__ void steps(const float *a, float *o, int m)
{
    const float *x = a + (long)blockIdx.x * m;
    for (int j = threadIdx.x; j < m; j += blockDim.x)
        o[(long)blockIdx.x * m + j] = x[j] * x[j];
}
// of columns that each thread has alone, which lose nothing;
__global__ void columns(const float *a, float *o, int n, int m)
{
    INDEX;
    for (int j = 0; j < m; j++)
        s += a[(long)j * n + i];
    for (int j = 0; j < m; j++)
        o[(long)j * n + i] = a[(long)j * n + i] * s;
}
// where loads come first in a body as it was, or stand one iteration ahead, which shorter rows gain by.
__global__ void unrolled(const float *a, const float *b, float *o, int m)
{
    WARP;
    float s = 0, v = 0;
    for (int j = lane; j < m; j += 32)
        s += x[j];
    s = sum_of(s) / m;
    for (int j = lane; j < m; j += 32)
        v += (x[j] - s) * (x[j] - s);
    v = sum_of(v);
#pragma unroll 1
    for (int j = lane; j < m; j += 128)
        for (int k = 0; k < 4; k++)
            o[(long)w * m + j + 32 * k] = x[j + 32 * k] * v + b[(long)w * m + j + 32 * k];
}
__global__ void led(const float *__restrict__ a, const int *__restrict__ c, float *__restrict__ o, float *q, int m)
{
    WARP;
    float s = 0;
    for (int j = 0; j < m; j++)
        s = s * 0.5f + sum_of(a[c[w * m + j] * 32 + lane]);
    for (int j = lane; j < m; j += 32)
        q[(long)w * m + j] = x[j] * s + x[j + 1] * o[j];
}
__global__ void lists(const float *a, const int *p, float *o, int m)
{
    WARP;
    float s = 0;
    for (int j = p[w] + lane; j < p[w + 1]; j += 32)
        s += a[j] * a[j + m];
    s = sum_of(s);
    for (int j = lane; j < m; j += 32)
        o[(long)w * m + j] = x[j] * s + x[j + 1];
}
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
__global__ void taking(const float *a, float *o, int m, int *next) { long i; while ((i = atomicAdd(next, 1)) < 4096) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; o[i] = s; } }
// whose function is another one's, too, and is rewritten for both;
__device__ __noinline__ float sum(const float *row, int m) { float s = 0; for (int j = 0; j < m; j++) s += row[j]; return s; }
__global__ void calling(const float *a, float *o, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; o[i] = s + sum(row + 1, m / 2); }
// that hold sums in registers, for rows of any length;
__global__ void tallied(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) o[i] += row[j]; }
// and templates with variables of their image.
__constant__ float table[8];
template <class T> __global__ void templetable(const T *a, T *o, int m) { ROW(m); T s = 0; for (int j = 0; j < m; j++) s += row[j] * table[j & 7]; o[i] = s; }
template __global__ void templetable(const float *, float *, int);

// What gains by additions on short rows as well is never as it was, but needs no shelf. What gains by records, too, moves those for short rows as well; unless they are a slight part of long ones alone.
// CHECK-DAG: _Z8reducingPKfP6float4i$coalda1$arg2_u32_below_64$full_from_28000: by shuffles
// NO-NOT: {{reducing.*below_32}}
__global__ void reducing(const float *a, float4 *o, int m) { ROW(m); float s = 0, t = 1; for (int j = 0; j < m; j++) s += row[j], t *= row[j]; float *p = (float *)(o + i % 64); atomicAdd(p, s); atomicAdd(p + 1, t); atomicAdd(p + 2, s - t); atomicAdd(p + 3, 1.f); }
struct P { float x, y, z, w, u, v; };
// CHECK-DAG: _Z6besidePKfP1Pi$coalda1$arg2_u32_below_64$full_from_28000: by shuffles
// CHECK-DAG: _Z6besidePKfP1Pi$coalda1$arg2_u32_below_32: as it was but for records
__global__ void beside(const float *a, P *p, int m) { ROW(m); float s = 0; for (int j = 0; j < m; j++) s += row[j]; P r = p[i]; p[i] = P{r.y, s, r.w, r.x, r.v, r.u}; }
