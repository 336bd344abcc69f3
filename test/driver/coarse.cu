// Kernels whose threads move little stand a second time, as ones whose blocks do the work of several, for launches of many blocks.
// RUN: %clang-device -O3 -std=c++17 %s -o %t.ll && %opt -passes='coalda<spares>' %t.ll -S -o %t.both.ll && %opt -passes='coalda<settle>' %t.ll -S -o %t.settled.ll
// RUN: %python %S/coarse.py --sim %sim %s %t.settled.ll %t.both.ll > %t.out && %FileCheck %s < %t.out
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -g -c %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-check
// Nobody asked for them, or asked for others alone:
// RUN: %opt -passes='coalda' %t.ll -S -o %t.none.ll && %not grep coalda1 %t.none.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.without.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-without=coarse && %not grep 'blocks[24]' %t.without.ptx
// They are left as they are where the plugin meets them again:
// RUN: %opt -passes='coalda<spares>' %t.both.ll -S -o %t.twice.ll && grep -c 'coalda1.*{$' %t.both.ll > %t.once && grep -c 'coalda1.*{$' %t.twice.ll > %t.twice && diff %t.once %t.twice
#include <cuda_fp16.h>

typedef unsigned char byte;
#define I int i = blockIdx.x * blockDim.x + threadIdx.x

// Bytes, by an int, an unsigned, a size_t; a guard around, or a way out.
// CASE: threshold -- rand:{t+9} zero:{t+9} i32:{n}
// CHECK: threshold: 4 blocks by one, alike
__global__ void threshold(const byte *a, byte *o, int n) { I; if (i < n) o[i] = a[i] > 128 ? 255 : 0; }
// CASE: blend -- rand:{t+9} rand:{t+9} zero:{t+9} i32:{n}
// CHECK: blend: 4 blocks by one, alike
__global__ void blend(const byte *__restrict__ a, const byte *__restrict__ b, byte *__restrict__ o, unsigned n)
{
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i >= n)
        return;
    o[i] = (a[i] * 77 + b[i] * 179) >> 8;
}
// CASE: wide -- rand:{2*t+18} zero:{2*t+18} i64:{n}
// CHECK: wide: 4 blocks by one, alike
__global__ void __launch_bounds__(1024) wide(const short *a, short *o, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    o[i] = a[i] < 0 ? -a[i] : a[i];
}
// Several channels, their sum stored without gaps, and with.
// CASE: gray block=16,4 grid=1,3 -- rand:{3*12*t} zero:{12*t} i32:{t-3} i32:11
// CHECK: gray: 4 blocks by one, alike
__global__ void gray(const uchar3 *rgb, byte *o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    uchar3 p = rgb[y * w + x];
    o[y * w + x] = (byte)(.299f * p.x + .587f * p.y + .114f * p.z);
}
__device__ __forceinline__ byte kept(int v) { return (byte)(v < 0 ? 0 : v > 255 ? 255 : v); }
// CASE: colours block=8,2 grid=1,2 -- rand:{4*t+40} rand:{4*t+40} rand:{4*t+40} i64:{t+5} zero:{9*t+60} i32:{n} i32:3
// CHECK: colours: 2 blocks by one, alike
__global__ void colours(const byte *__restrict__ Y, const byte *__restrict__ U, const byte *__restrict__ V, size_t pitch, byte *__restrict__ rgb, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int c = 298 * (Y[y * pitch + x] - 16), d = U[y * pitch + x] - 128, e = V[y * pitch + x] - 128;
        byte *o = rgb + 3 * ((size_t)y * w + x);
        o[0] = kept((c + 409 * e + 128) >> 8), o[1] = kept((c - 100 * d - 208 * e + 128) >> 8), o[2] = kept((c + 516 * d + 128) >> 8);
    }
}
// Halves, with a bias that comes again and again.
// CASE: gelu -- rand:{2*t+18} rand:64 zero:{2*t+18} i32:24 i64:{n}
// CHECK: gelu: 4 blocks by one, alike
__global__ void gelu(const unsigned short *x, const unsigned short *bias, unsigned short *y, int channels, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = __half2float(__ushort_as_half(x[i])) + __half2float(__ushort_as_half(bias[i % channels]));
    y[i] = __half_as_ushort(__float2half(0.5f * v * (1.0f + v * v)));
}
// Floats: in place, products that are added, a template, a struct of arrays, clamped neighbours.
// CASE: saxpy -- frand:{4*t+36} frand:{4*t+36} f32:1.5 i32:{n}
// CHECK: saxpy: 2 blocks by one, alike
__global__ void saxpy(const float *x, float *y, float a, int n) { I; if (i < n) y[i] = a * x[i] + y[i]; }
// CASE: field -- frand:{4*t+36} frand:{4*t+36} frand:{4*t+36} i32:{n}
// CHECK: field: 2 blocks by one, alike
__global__ void field(float *o, const float *a, const float *b, int n) { I; if (i < n) o[i] = o[i] * 0.5f + a[i] * b[i]; }
template <class T> __device__ T scaled(T v, T s) { return v * s + s; }
// CASE: scale -- frand:{4*t+36} zero:{4*t+36} f32:1.5 i32:{n}
// CHECK: scale: 4 blocks by one, alike
template <class T> __global__ void scale(const T *a, T *o, T s, int n) { I; if (i < n) o[i] = scaled(a[i], s); }
template __global__ void scale<float>(const float *, float *, float, int);
// CASE: three -- frand:{4*t+36} zero:{4*t+36} i32:{t}
// CHECK: three: 4 blocks by one, alike
__global__ void three(const float *a, float *o, int n)
{
    I;
    if (i < n)
        o[i] = a[max(i - 1, 0)] + a[i] + a[min(i + 1, n - 1)];
}
// A plane with a pitch, by one number.
// CASE: plane -- frand:{8*t+80} zero:{8*t+80} i32:{b-3} i32:{b+1} i32:{n}
// CHECK: plane: 2 blocks by one, alike
__global__ void plane(const float *a, float *o, int w, int pitch, int n) { I; if (i < n) o[i % w + i / w * pitch] = a[i % w + i / w * pitch] * 2; }
// A grid of two dimensions that stands for one; no guard; stores before loads, as of what may be the same array.
// CASE: flat grid=1,3 -- rand:{3*t+9} zero:{3*t+9} i32:{n}
// CHECK: flat: 4 blocks by one, alike
__global__ void flat(const byte *a, byte *o, int n)
{
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = a[i] ^ 255;
}
// CASE: unguarded -- iota:{t} i32:3
// CHECK: unguarded: 4 blocks by one, alike
__global__ void unguarded(int *a, int s) { I; a[i] = a[i] * s; }
// CASE: twice -- frand:{4*t+36} frand:{4*t+36} f32:0.5 i32:{n}
// CHECK: twice: 2 blocks by one, alike
__global__ void twice(float *p, float *v, float h, int n)
{
    I;
    if (i >= n)
        return;
    v[i] = v[i] * h;
    p[i] = p[i] + v[i] * h;
}
// Branches by data, whose ways store, load more, and end; and a switch.
// CASE: above -- rand:{t+9} zero:{t+9} i32:{n}
// CHECK: above: 4 blocks by one, alike
__global__ void above(const byte *a, byte *o, int n) { I; if (i < n && a[i] > 7) o[i] = 1; }
// CASE: kinds -- rand:{t+9} zero:{2*t+18} i32:{n}
// CHECK: kinds: 4 blocks by one, alike
__global__ void kinds(const byte *k, short *o, int n)
{
    I;
    if (i >= n)
        return;
    short v = o[i];
    switch (k[i] & 7) {
    case 0: v = v * 3 + 1; break;
    case 1: return;
    case 2: o[i] = 9; v = o[i] / (k[i] + 1); break;
    case 5: v = v % 7 ^ i; break;
    }
    if (v > 3)
        o[i] = v;
    else if (v < -3)
        o[i] = -v * k[i];
}
// CASE: powers -- frand:{4*t+36} zero:{4*t+36} f32:1.7 i32:{n}
// CHECK: powers: 4 blocks by one, alike
__global__ void powers(const float *a, float *o, float s, int n) { I; if (i < n) o[i] = powf(fabsf(a[i]), s); }
// CASE: cross block=8,4 grid=1,2 -- frand:{32*t} zero:{32*t} i32:{t-2} i32:7
// CHECK: cross: 2 blocks by one, alike
__global__ void cross(const float *a, float *o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * w + x;
    if (x < w && y < h)
        o[i] = x == 0 || y == 0 || x == w - 1 || y == h - 1 ? 0 : a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}
// What is moved in wider pieces, where it is aligned.
// CASE: pixels -- rand:{4*t+36} zero:{4*t+36} i32:{n}
// CHECK: pixels: 4 blocks by one, alike
__global__ void pixels(const uchar4 *a, uchar4 *o, int n) { I; if (i < n) { uchar4 p = a[i]; o[i] = make_uchar4(p.z, p.y + p.w, p.x, 255); } }
// A store in front of a bound: whoever does not go on has stored once.
// CASE: before -- iota:{t} zero:{t} i32:{n}
// CHECK: before: 2 blocks by one, alike
__global__ void before(int *a, byte *o, int n)
{
    I;
    a[i] = a[i] * 3 + 1;
    if (i < n)
        o[i] = 7;
}
// All of them alike, and the last block along x by its number.
// CASE: numbers -- zero:{4*t}
// CHECK: numbers: 4 blocks by one, alike
__global__ void numbers(int *o) { I; o[i] = blockIdx.x == gridDim.x - 1 ? -1 : blockIdx.x * 100 + threadIdx.x; }

// Tables, and other words at places that data name.
// CASE: gathered -- frand:512 bits:{4*t+36} zero:{4*t+36} i32:{n}
// CHECK: gathered: 2 blocks by one, alike
__global__ void gathered(const float *a, const unsigned *j, float *o, int n) { I; if (i < n) o[i] = a[j[i] % 128]; }
// CASE: where -- rand:{t+9} frand:{4*t+36} frand:{4*t+36} zero:{4*t+36} i32:{n}
// CHECK: where: 2 blocks by one, alike
__global__ void where(const byte *m, const float *a, const float *b, float *o, int n) { I; if (i < n) o[i] = m[i] & 1 ? a[i] : b[i]; }
// CASE: toned -- rand:{3*t+27} zero:{3*t+27} rand:256 f32:1.3 i32:{n}
// CHECK: toned: 2 blocks by one, alike
__global__ void toned(const uchar3 *a, uchar3 *o, const byte *__restrict__ tone, float s, int n)
{
    I;
    if (i >= n)
        return;
    uchar3 p = a[i];
    float luma = .299f * p.x + .587f * p.y + .114f * p.z;
    if (luma < 16.f) {
        o[i] = p;
        return;
    }
    float r = luma + s * (p.x - luma), g = luma + s * (p.y - luma), b = luma + s * (p.z - luma);
    o[i] = make_uchar3(tone[(int)fminf(fmaxf(r, 0.f), 255.f)], tone[(int)fminf(fmaxf(g, 0.f), 255.f)], tone[(int)fminf(fmaxf(b, 0.f), 255.f)]);
}

// What stays: what is stored where data name it, more bytes, gaps, and what is stored under a condition of data.
// CASE: scattered --
// CHECK: scattered: stays alone
__global__ void scattered(const float *a, const unsigned *j, float *o, int n) { I; if (i < n) o[j[i]] = a[i]; }
// Loads of many neighbours, which would take registers; a product that another block adds.
// CASE: window --
// CHECK: window: stays alone
__global__ void window(const byte *a, short *o, int n)
{
    I;
    if (i + 30 >= n)
        return;
    int s = 0;
#pragma unroll
    for (int k = 0; k < 30; k++)
        s += a[i + k] * (k + 3);
    o[i] = s;
}
// CASE: uniform --
// CHECK: uniform: stays alone
__global__ void uniform(const float *a, float *o, float s, float u, int n) { float m = s * u; I; if (i < n && m + u > 3) o[i] = m + a[i]; }
// CASE: doubles --
// CHECK: doubles: stays alone
__global__ void doubles(const double *a, const double *b, double *o, int n) { I; if (i < n) o[i] = a[i] + b[i]; }
// CASE: apart --
// CHECK: apart: stays alone
__global__ void apart(const byte *a, byte *o, int n) { I; if (i < n) o[i * 32L] = a[i]; }
// CASE: turned --
// CHECK: turned: stays alone
__global__ void turned(const byte *a, byte *o, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < n)
        o[x * gridDim.y + y] = a[y * n + x];
}
// Loops, barriers, shared memory, atomics, what is volatile.
// CASE: strides --
// CHECK: strides: stays alone
__global__ void strides(const byte *a, byte *o, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) o[i] = a[i]; }
// CASE: barrier --
// CHECK: barrier: stays alone
__global__ void barrier(byte *o) { I; byte v = o[i]; __syncthreads(); o[i] = v + 1; }
// CASE: staged --
// CHECK: staged: stays alone
__global__ void staged(byte *o) { __shared__ byte s[64]; I; s[threadIdx.x] = o[i]; o[i] = s[threadIdx.x ^ 1]; }
// CASE: either --
// CHECK: either: stays alone
__global__ void either(byte *o, int n) { __shared__ byte s[64]; I; byte *p = n ? s + threadIdx.x : o + i; *p = 3; o[i] = *p + 1; }
// A struct that the kernel changes: the next block would find it changed.
// CASE: changed --
// CHECK: changed: stays alone
struct Four { int v[4]; };
__global__ void changed(Four s, int *o) { I; s.v[threadIdx.x & 3] += 5 + blockIdx.x; o[i] = s.v[0] + s.v[1] * 3 + s.v[2] * 5 + s.v[3] * 7; }
// A struct that leaves no room for one number more.
// CASE: large --
// CHECK: large: stays alone
struct Large { byte *o; int v[8188]; };
__global__ void large(const __grid_constant__ Large b, int n) { I; if (i < n) b.o[i] = b.v[3]; }
// Assembly that may be there once; in braces it may be there again.
// CASE: declared --
// CHECK: declared: stays alone
__global__ void declared(unsigned *o, int n) { I; if (i < n) { unsigned r, a = o[i]; asm(".reg .u32 t1; add.u32 t1, %1, 3; mul.lo.u32 %0, t1, t1;" : "=r"(r) : "r"(a)); o[i] = r; } }
// CASE: braces -- iota:{t+9} i32:{n}
// CHECK: braces: 4 blocks by one, alike
__global__ void braces(unsigned *o, int n) { I; if (i < n) { unsigned r, a = o[i]; asm("{ add.u32 %0, %1, 3; }" : "=r"(r) : "r"(a)); o[i] = r; } }
// Planes that lie one behind the other are as many stores, of other bytes each.
// CASE: planes --
// CHECK: planes: stays alone
__global__ void planes(const byte *a, short *o, int n) { I; if (i >= n) return; int v = a[i]; for (int k = 0; k < 9; k++) o[k * n + i] = v * k; }
// CASE: few_planes -- rand:{t+9} zero:{6*t+54} i32:{n}
// CHECK: few_planes: {{[24]}} blocks by one
__global__ void few_planes(const byte *a, short *o, int n) { I; if (i >= n) return; int v = a[i]; for (int k = 0; k < 3; k++) o[k * n + i] = v * k; }
// In place, by seven loads: rows that are no number of lines apart lose more than others gain.
// CASE: wave --
// CHECK: wave: stays alone
__global__ void wave(float *__restrict__ o, const float *__restrict__ a, const float *__restrict__ v, int w, int n)
{
    I;
    if (i >= w && i < n - w)
        o[i] = 2 * a[i] - o[i] + v[i] * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w] - 4 * a[i]);
}
// CASE: counted --
// CHECK: counted: stays alone
__global__ void counted(byte *o, int *c) { I; o[i] = 1; atomicAdd(c, 1); }
// CASE: watched --
// CHECK: watched: stays alone
__global__ void watched(volatile byte *a, byte *o) { I; o[i] = a[i]; }
// CASE: summed --
// CHECK: summed: stays alone
__global__ void summed(byte *o) { I; o[i] = __shfl_xor_sync(~0u, o[i], 1); }
// Blocks that ask where they are otherwise, or have no number along x.
// CASE: hidden --
// CHECK: hidden: stays alone
__global__ void hidden(byte *o) { I; unsigned b; asm("mov.u32 %0, %%ctaid.x;" : "=r"(b)); o[i] = b; }
// CASE: placed --
// CHECK: placed: stays alone
__global__ void placed(byte *o) { I; unsigned b; asm("mov.u32 %0, %%smid;" : "=r"(b)); o[i] = b; }
// CASE: seated --
// CHECK: seated: stays alone
__global__ void seated(byte *o) { I; o[i] = __nvvm_read_ptx_sreg_warpid(); }
// CASE: timed --
// CHECK: timed: stays alone
__global__ void timed(long long *o) { I; o[i] = clock64(); }
// CASE: by_y --
// CHECK: by_y: stays alone
__global__ void by_y(byte *o) { int i = blockIdx.y * blockDim.x + threadIdx.x; o[i] = 1; }
// A variable of the module in a template, of which each image has its own.
__device__ byte bias;
// CASE: shifted --
// CHECK: shifted: stays alone
template <class T> __global__ void shifted(T *o) { I; o[i] = bias; }
template __global__ void shifted<byte>(byte *);
