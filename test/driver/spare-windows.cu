// Windows on one array that begin near each other: the cache hands out each word to all lanes that have it, and nothing is to be gained, however long they are. Where what a launch is given
// tells how far they are apart, it takes the kernel as it was.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -DDEVICE -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -DDEVICE -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares=rows
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=NO < %t.out
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -std=c++17 -c %s -o %t.o -fpass-plugin=%plugin -mllvm -coalda-spares=rows
// RUN: %llvm-bin/clang++ %t.o %cudart-stub -Wl,-rpath,%build/test/host -o %t && %t > %t.launched && %FileCheck %s --check-prefix=LAUNCHED < %t.launched
#define I int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

// A filter: by an int, from its end on.
// CHECK-DAG: _Z3firPKfS0_Pfiii$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8: as it was
__global__ void fir(const float *__restrict__ x, const float *__restrict__ h, float *__restrict__ y, int n, int taps, int hop)
{
    I;
    const float *p = x + (size_t)i * hop;
    float a = 0;
    for (int k = 0; k < taps; ++k)
        a += h[k] * p[taps - 1 - k];
    y[i] = a;
}
// As long as the program says, in a loop by the grid, by unsigned numbers.
// CHECK-DAG: _Z4peakILi64EEvPKiPijj$coalda1$arg3_u32_below_16_odd25_by8: as it was
template <int W> __global__ void peak(const int *x, int *y, unsigned n, unsigned hop)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int *p = x + i * hop;
        int m = 0;
        for (int k = 0; k < W; k++)
            m = max(m, p[k] < 0 ? -p[k] : p[k]);
        y[i] = m;
    }
}
template __global__ void peak<64>(const int *, int *, unsigned, unsigned);
// A row that all lanes share rides along on a shelf, which is worth that to more launches. Few threads have no spare beside it, nor of words, of pairs, or of rows that are stored.
// CHECK-DAG: _Z8weightedPKdS0_Pdiii$coalda1${{.*}}$full_from_661_blocks: by shuffles
// NO-NOT: weighted{{.*}}few
__global__ void weighted(const double *__restrict__ x, const double *__restrict__ h, double *__restrict__ y, int n, int w, int hop)
{
    I;
    double s = 0;
    for (int k = 0; k < w; k++)
        s += h[k] * x[i * hop + k];
    y[i] = s;
}
#ifdef DEVICE
// The largest: by a size_t.
// CHECK-DAG: _Z4poolPKfPfmmm$coalda1$arg3_u64_below_33_or_arg4_u64_below_16_odd25_by8: as it was
__global__ void pool(const float *x, float *y, size_t n, size_t w, size_t hop)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m = x[i * hop];
    for (size_t k = 1; k < w; k++)
        m = fmaxf(m, x[i * hop + k]);
    y[i] = m;
}
// Doubles; and the hop in front of the length. Few threads, whose rows are an odd number of them apart, take two exchanges for each that they would load.
// CHECK-DAG: _Z6energyPKdPdiii$coalda1$arg4_u32_below_16_or_arg3_u32_below_8_odd18_by4$few192_odd256_of132_arg3_u32_by8: as it was
__global__ void energy(const double *x, double *y, int n, int hop, int w)
{
    I;
    double s = 0;
    for (int k = 0; k < w; k++)
        s += x[i * hop + k] * x[i * hop + k];
    y[i] = s / w;
}
// No longer than rows are apart that are no multiple of a sector apart: nothing is asked of those.
// CHECK-DAG: _Z5brief{{.*}}$coalda1$arg2_u32_below_16: as it was
__global__ void brief(const int *x, int *y, int hop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, m = 0;
#pragma unroll 1
    for (int k = 0; k < 24; k++)
        m = max(m, x[i * hop + k] ^ m);
    y[i] = m;
}
// Pairs, of which each is loaded by two loads; by unsigned numbers.
// CHECK-DAG: _Z5pairsPK6float2PKfPS_jjj$coalda1$arg4_u32_below_16_or_arg5_u32_below_8_odd18_by4: as it was
__global__ void pairs(const float2 *__restrict__ x, const float *__restrict__ h, float2 *__restrict__ y, unsigned n, unsigned taps, unsigned hop)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 a = make_float2(0, 0);
    for (unsigned k = 0; k < taps; k++) {
        a.x += x[i * hop + k].x * h[k];
        a.y += x[i * hop + k].y * h[k];
    }
    y[i] = a;
}
// Bytes: nobody has measured those that are no multiple of a sector apart.
// NO-NOT: octets{{.*}}_odd
__global__ void octets(const unsigned char *x, int *y, int n, int w, int hop)
{
    I;
    int s = 0;
    for (int k = 0; k < w; k++)
        s += x[i * hop + k];
    y[i] = s;
}
// By pointers: a window to the pass anyhow, which stays as it is.
// NO-NOT: sums
__global__ void sums(const float *x, float *y, int n, int w, int hop)
{
    I;
    float s = 0;
    for (const float *p = x + i * hop, *e = p + w; p < e; p++)
        s += *p;
    y[i] = s;
}
// By a pointer that moves, whole numbers of eight bytes.
// CHECK-DAG: _Z5mixesPKyPyjmm$coalda1$arg3_u64_below_16{{.*}}$few192_odd256_of132_arg4_u64_by8: as it was
__global__ void mixes(const unsigned long long *x, unsigned long long *y, unsigned n, size_t w, size_t hop)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned long long *p = x + i * hop;
    unsigned long long s = 5381;
    for (size_t k = w; k; k--)
        s = s * 33 ^ *p++;
    y[i] = s;
}
// NO-NOT: fir{{.*}}few
// NO-NOT: pairs{{.*}}few
// NO-NOT: halved{{.*}}few
__global__ void halved(double *x, int n, int w, int hop)
{
    I;
    for (int k = 0; k < w; k++)
        x[i * hop + k] *= 0.5;
}
// Two windows, one beside the other.
// CHECK-DAG: _Z5crossPKfS0_Pfiii$coalda1$arg4_u32_below_16_or_arg5_u32_below_16_odd25_by8: as it was
__global__ void cross(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, int n, int w, int hop)
{
    I;
    float s = 0;
    for (int k = 0; k < w; k++)
        s += a[i * hop + k] * b[i * hop + k];
    y[i] = s;
}
// Two of their own, of words and of doubles: both are short, or near, where the narrower bound says so.
// CHECK-DAG: _Z4bothPKfPKdPfiii$coalda1$arg4_u32_below_16_or_arg5_u32_below_8: as it was
__global__ void both(const float *a, const double *b, float *y, int n, int w, int hop)
{
    I;
    float s = 0;
    double t = 0;
    for (int k = 0; k < w; k++)
        s += a[i * hop + k];
    for (int k = 0; k < w; k++)
        t = t * 0.5 + b[i * hop + k];
    y[i] = s + (float)t;
}
// In one loop, in either order.
// CHECK-DAG: _Z5mixedPKfPKdPdiii$coalda1$arg4_u32_below_16_or_arg5_u32_below_8: as it was
__global__ void mixed(const float *a, const double *b, double *y, int n, int w, int hop)
{
    I;
    double s = 0;
    for (int k = 0; k < w; k++)
        s += b[i * hop + k] * a[i * hop + k];
    y[i] = s;
}
// By different numbers; a row beside a window; windows that are stored to rows; and a row that nobody knows the length of: length alone says, or nothing.
// CHECK-DAG: _Z5apartPKfS0_Pfiiii$coalda1$arg4_u32_below_8: as it was
__global__ void apart(const float *a, const float *b, float *y, int n, int w, int hop, int other)
{
    I;
    float s = 0;
    for (int k = 0; k < w; k++)
        s += a[i * hop + k] * b[i * other + k];
    y[i] = s;
}
// CHECK-DAG: _Z4laidPKfPfiii$coalda1$arg3_u32_below_8: as it was
__global__ void laid(const float *__restrict__ x, float *__restrict__ y, int n, int w, int hop)
{
    I;
    for (int k = 0; k < w; k++)
        y[i * w + k] = x[i * hop + k];
}
// CHECK-DAG: _Z6longerPKfS0_Pfiiii$coalda1$arg4_u32_below_32: as it was
__global__ void longer(const float *a, const float *b, float *y, int n, int w, int hop, int other)
{
    I;
    float s = 0, t = 0;
    for (int k = 0; k < w; k++)
        s += a[i * hop + k];
    for (int k = 0; k < w; k++)
        t = t * 0.5f + b[i * other + k];
    y[i] = s + t;
}
// NO-NOT: listed
__global__ void listed(const float *x, const int *count, float *y, int n, int hop)
{
    I;
    float s = 0;
    for (int k = 0; k < count[i]; k++)
        s = s * 0.5f + x[i * hop + k];
    y[i] = s;
}
// Rows that are as far apart as they are long: no number more.
// CHECK-DAG: _Z4rowsPKfPfii$coalda1$arg3_u32_below_32: as it was
__global__ void rows(const float *x, float *y, int n, int w)
{
    I;
    float s = 0;
    for (int k = 0; k < w; k++)
        s += x[i * w + k];
    y[i] = s;
}
// Known: nothing is asked but how long they are.
// CHECK-DAG: _Z5knownPKfPfii$coalda1$arg3_u32_below_32: as it was
__global__ void known(const float *x, float *y, int n, int w)
{
    I;
    float s = 0;
    for (int k = 0; k < w; k++)
        s += x[i * 64 + k];
    y[i] = s;
}
// What is stored overlaps nowhere.
// NO-NOT: fill{{.*}}_or_
__global__ void fill(float *y, int n, int w, int hop, float v)
{
    I;
    for (int k = 0; k < w; k++)
        y[i * hop + k] = v * k;
}
#else
int main()
{
    float *a = nullptr;
    // Short and near, long and near, short and far; long and far; and no window.
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 31, 5);
    // LAUNCHED: launched _Z3firPKfS0_Pfiii$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 47, 15);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 47, 23);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 47, 24);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 47, 25);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 31, 16);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii$coalda1$arg4_u32_below_32_or_arg5_u32_below_16_odd25_by8,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 32, 16);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii,
    fir<<<1024, 256>>>(a, a, a, 1 << 18, 47, -5);
    // LAUNCHED-NEXT: launched _Z3firPKfS0_Pfiii,
    int *b = nullptr;
    peak<64><<<1024, 256>>>(b, b, 1 << 18, 15);
    // LAUNCHED-NEXT: launched _Z4peakILi64EEvPKiPijj$coalda1$arg3_u32_below_16_odd25_by8,
    peak<64><<<1024, 256>>>(b, b, 1 << 18, 17);
    // LAUNCHED-NEXT: launched _Z4peakILi64EEvPKiPijj$coalda1$arg3_u32_below_16_odd25_by8,
    // Of whatever distance: a launch that fills the GPU has no use for a shelf, one of a few threads has.
    peak<64><<<1024, 256>>>(b, b, 1 << 18, 16);
    // LAUNCHED-NEXT: launched _Z4peakILi64EEvPKiPijj$coalda1$full_from_28000,
    peak<64><<<1024, 256>>>(b, b, 1 << 18, 33);
    // LAUNCHED-NEXT: launched _Z4peakILi64EEvPKiPijj$coalda1$full_from_28000,
    peak<64><<<16, 256>>>(b, b, 1 << 12, 33);
    // LAUNCHED-NEXT: launched _Z4peakILi64EEvPKiPijj,
    // Beside a row that all share, more blocks than there is room for.
    double *c = nullptr;
    weighted<<<660, 256>>>(c, c, c, 1 << 18, 200, 200);
    // LAUNCHED-NEXT: launched _Z8weightedPKdS0_Pdiii,
    weighted<<<661, 32>>>(c, c, c, 1 << 18, 200, 200);
    // LAUNCHED-NEXT: launched _Z8weightedPKdS0_Pdiii$coalda1${{.*}}$full_from_661_blocks,
}
#endif
