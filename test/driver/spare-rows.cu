// Which rows that are stored are short: fewer words than one iteration of the unrolled loop, or of what that leaves over, has of them; of bytes and halves fewer than the loop for what remains moves
// at once. Pictures of one to four channels are launched as they were.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %FileCheck %s < %t.ptx
// CHECK-DAG: .entry _Z6copiedIdiEvPKT_PKiPS0_T0_i$coalda1$arg4_u32_below_4(
// CHECK-DAG: .entry _Z6filledIdjEvPT_PKfT0_j$coalda1$arg3_u32_below_4(
// CHECK-DAG: .entry _Z6scaledIdlEvPKT_PS0_T0_if$coalda1$arg3_u32_below_4(
// CHECK-DAG: .entry _Z6scaledIfiEvPKT_PS0_T0_if$coalda1$arg3_u32_below_4(
// CHECK-DAG: .entry _Z6filledIfjEvPT_PKfT0_j$coalda1$arg3_u32_below_8(
// CHECK-DAG: .entry _Z6copiedIsiEvPKT_PKiPS0_T0_i$coalda1$arg4_u32_below_32(
// CHECK-DAG: .entry _Z6filledIhjEvPT_PKfT0_j$coalda1$arg3_u32_below_32(
// CHECK-DAG: .entry _Z6scaledIsiEvPKT_PS0_T0_if$coalda1$arg3_u32_below_32(
// CHECK-DAG: .entry _Z6scaledIhlEvPKT_PS0_T0_if$coalda1$arg3_u32_below_32(
// What is only loaded has no loop of pieces for what remains.
// CHECK-DAG: .entry _Z6hashedPKhPji$coalda1$arg2_u32_below_128(

template <class T, class I> __global__ void copied(const T *from, const int *which, T *to, I n, int m)
{
    I i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const T *row = from + (long)which[i] * m;
    for (int j = 0; j < m; j++)
        to[(long)i * m + j] = row[j];
}
template __global__ void copied(const double *, const int *, double *, int, int);
template __global__ void copied(const short *, const int *, short *, int, int);

template <class T, class I> __global__ void filled(T *to, const float *with, I n, unsigned m)
{
    I i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T *p = to + (size_t)i * m;
    float x = with[i];
    for (unsigned j = 0; j < m; j++)
        *p++ = (T)(x = x * 0.75f + 1);
}
template __global__ void filled(double *, const float *, unsigned, unsigned);
template __global__ void filled(float *, const float *, unsigned, unsigned);
template __global__ void filled(unsigned char *, const float *, unsigned, unsigned);

template <class T, class I> __global__ void scaled(const T *from, T *to, I n, int m, float by)
{
    I i = blockIdx.x * (I)blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < m; j++)
            to[i * m + j] = (T)(from[i * m + j] * by + j);
}
template __global__ void scaled(const double *, double *, long, int, float);
template __global__ void scaled(const float *, float *, int, int, float);
template __global__ void scaled(const short *, short *, int, int, float);
template __global__ void scaled(const unsigned char *, unsigned char *, long, int, float);

__global__ void hashed(const unsigned char *from, unsigned *to, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    unsigned h = 1;
    for (int j = 0; j < m; j++)
        h = h * 31 + from[i * m + j];
    to[i] = h;
}

// Of two doubles, which clang puts into one iteration, nothing is gained yet.
// CHECK-DAG: .entry _Z5mixedPKdPdiiid$coalda1$arg4_u32_below_4(
__global__ void mixed(const double *from, double *to, int w, int n, int m, double by)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    for (int c = 0; c < m; c++) {
        double one = from[x * m + c], other = from[(x + 1) * m + c], below = from[(x + w) * m + c], across = from[(x + w + 1) * m + c];
        double v = (one * (1 - by) + other * by) * (1 - by) + (below * (1 - by) + across * by) * by;
        to[x * m + c] = v + 0.5;
    }
}
