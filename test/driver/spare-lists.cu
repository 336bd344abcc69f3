// Lists whose lengths are loaded, one of words in each thread, gain where the GPU is full and they are long: beside their kernel stands what it was.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=NO < %t.out
// RUN: grep -E 'maxnreg|^.visible .entry' %t.ptx | %FileCheck %s --check-prefix=REGS
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.why.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -Rpass-missed=coalda 2> %t.why
// RUN: %FileCheck %s --check-prefix=WHY < %t.why
// RUN: echo 'LISTED_PIECES 0 pieces' > %t.cost && echo 'FEW 0 threads' >> %t.cost
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.none.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-cost=%t.cost
// RUN: %not grep -E '^.visible .entry.*coalda1' %t.none.ptx
#include <cuda_runtime.h>
#define I int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

// So many numbers apart: no list is longer than that, and of fewer than 32 none gains.
// CHECK-DAG: _Z5leastPKiS0_PiS0_ii$coalda1$arg5_u32_below_32$few128_odd256_of132_arg5_u32_by4: as it was
__global__ void least(const int *c, const int *l, int *o, const int *__restrict__ count, int n, int m)
{
    I;
    int s = 1 << 30, e = count[i];
    for (int k = 0; k < e; k++)
        s = min(s, l[c[i * m + k]]);
    o[i] = s;
}
// By a pointer; with a size_t; values of eight bytes.
// CHECK-DAG: _Z4sumsPKiS0_PKdPdil$coalda1$arg5_u64_below_16$few128_odd256_of132_arg5_u64_by4: as it was
__global__ void sums(const int *__restrict__ count, const int *__restrict__ c, const double *__restrict__ x, double *__restrict__ o, int n, long m)
{
    I;
    double s = 0;
    const int *p = c + i * m, *e = p + count[i];
    for (; p < e; p++)
        s += x[*p];
    o[i] = s;
}
// What nobody leads to: the longest of each.
// CHECK-DAG: _Z4mostPKiPKfPfjj$coalda1$arg4_u32_below_32$few128_odd256_of132_arg4_u32_by4: as it was
__global__ void most(const int *__restrict__ count, const float *__restrict__ v, float *__restrict__ o, unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int k = 0; k < count[i]; k++)
        s = fmaxf(s, v[(size_t)i * m + k]);
    o[i] = s;
}
// One behind the other: no number tells how far, and by fewer registers more threads find room.
// CHECK-DAG: _Z5ranksPKiS0_PKfPfi$coalda1$few256_odd256_of132: as it was
// REGS: entry _Z5ranks
// REGS-NEXT: .maxnreg 32
__global__ void ranks(const int *__restrict__ first, const int *__restrict__ c, const float *__restrict__ x, float *__restrict__ o, int n)
{
    I;
    float s = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
        s += x[c[k]];
    o[i] = s;
}
// With a matrix's entries beside them they gain with few threads, too, and by more registers.
// NO-NOT: product
// REGS: entry _Z7product
// REGS-NEXT: .maxnreg 40
__global__ void product(const int *__restrict__ first, const int *__restrict__ c, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int n)
{
    I;
    float s = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
        s += a[k] * x[c[k]];
    o[i] = s;
}
// By a pointer, which clang does not unroll: eight entries at a time, and as few registers; more where each leads to a record; and as many as it likes where much is held anyhow.
// REGS: entry _Z5chain
// REGS-NEXT: .maxnreg 32
__global__ void chain(const int *__restrict__ first, const int *__restrict__ c, const float *__restrict__ x, float *__restrict__ o, int n)
{
    I;
    float s = 0;
    for (const int *p = c + first[i], *e = c + first[i + 1]; p < e; p++)
        s += x[*p];
    o[i] = s;
}
// REGS: entry _Z7normals
// REGS-NEXT: .maxnreg 40
struct Face { int a, b, c; };
__device__ inline float3 at(const float *x, int i) { return make_float3(x[3 * i], x[3 * i + 1], x[3 * i + 2]); }
__global__ void normals(const float *__restrict__ x, const Face *__restrict__ faces, const int *__restrict__ first, const int *__restrict__ list, float *__restrict__ o, int n)
{
    I;
    float3 s = make_float3(0, 0, 0);
    for (int k = first[i]; k < first[i + 1]; k++) {
        Face f = faces[list[k]];
        float3 a = at(x, f.a), b = at(x, f.b), c = at(x, f.c);
        b.x -= a.x, b.y -= a.y, b.z -= a.z, c.x -= a.x, c.y -= a.y, c.z -= a.z;
        s.x += b.y * c.z - b.z * c.y, s.y += b.z * c.x - b.x * c.z, s.z += b.x * c.y - b.y * c.x;
    }
    o[i] = s.x * s.x + s.y * s.y + s.z * s.z;
}
// REGS: entry _Z5fluid
// REGS-NEXT: .maxnreg 64
__global__ void fluid(const float4 *p, const float4 *v, const int *list, const int *first, float4 *o, int n)
{
    I;
    float4 a = p[i], va = v[i], f = make_float4(0, 0, 0, 0);
    for (int k = first[i]; k < first[i + 1]; k++) {
        int j = list[k];
        float4 b = p[j], vb = v[j];
        float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, r2 = dx * dx + dy * dy + dz * dz, r = sqrtf(r2 + 1e-4f), q = 1 - 0.5f * r;
        if (q > 0) {
            float w = q * q * q * (1 + 1.5f * r), g = (a.w / (b.w + 1) + b.w) * q * q / r;
            float mu = (dx * (va.x - vb.x) + dy * (va.y - vb.y) + dz * (va.z - vb.z)) / (r2 + 0.01f);
            g -= mu < 0 ? mu * w : 0;
            f.x += g * dx, f.y += g * dy, f.z += g * dz, f.w += w;
        }
    }
    o[i] = f;
}
// Bytes of a list, a table beside them: as they are.
// WHY: spare-lists.cu:[[#@LINE + 8]]:{{.*}}1 byte, walk{{.*}}a list whose length is loaded
struct Packet { unsigned offset; unsigned short bytes, port; };
__global__ void sums_of_packets(const unsigned char *ring, const Packet *packet, const unsigned *table, unsigned *o, int n)
{
    I;
    Packet p = packet[i];
    unsigned c = ~0u;
    for (int k = 0; k < p.bytes; k++)
        c = table[(c ^ ring[p.offset + k]) & 255] ^ (c >> 8);
    o[i] = c;
}
// Records behind each entry: short lists gain, too, where the GPU is full; with few threads none does, however far apart they lie.
// CHECK-DAG: _Z5forcePK6float4PKiS3_PS_ii$coalda1$few256_odd256_of132: as it was
__global__ void force(const float4 *__restrict__ x, const int *__restrict__ c, const int *__restrict__ count, float4 *__restrict__ o, int n, int m)
{
    I;
    float4 p = x[i], s = make_float4(0, 0, 0, 0);
    for (int k = 0; k < count[i]; k++) {
        float4 q = x[c[i * m + k]];
        float u = p.x - q.x, v = p.y - q.y, w = p.z - q.z, r = u * u + v * v + w * w;
        if (r > 0.5f)
            continue;
        r = 1 / r;
        s.x += r * u, s.y += r * v, s.z += r * w, s.w += r;
    }
    o[i] = s;
}
// A known number apart: what is shorter than it takes stays, what is longer has a spare.
// WHY: spare-lists.cu:[[#@LINE+10]]:{{.*}}a list whose length is loaded
// NO-NOT: neighboursILi24
// CHECK-DAG: _Z10neighboursILi40EEvPKiS1_PKfPfi$coalda1$few128_odd128_of132: as it was
template <int M> __global__ void neighbours(const int *__restrict__ count, const int *__restrict__ c, const float *__restrict__ x, float *__restrict__ o, int n)
{
    I;
    float s = 0;
    int e = count[i];
#pragma unroll 1
    for (int k = 0; k < e; k++)
        s += x[c[i * M + k]];
    o[i] = s;
}
template __global__ void neighbours<24>(const int *, const int *, const float *, float *, int);
template __global__ void neighbours<40>(const int *, const int *, const float *, float *, int);
