// What is wrong with a program is said of a kernel, and not once more of its spares, which are rewritten by themselves.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares 2> %t.said
// RUN: grep -c 'entry forgetful' %t.ptx | %FileCheck %s --check-prefix=THREE && grep -c 'copies to shared memory' %t.said | %FileCheck %s --check-prefix=ONE
// THREE: {{^3$}}
// ONE: {{^1$}}
struct Cell {
    float x, y, z, u, v, w;
};
extern "C" __global__ void forgetful(const float *__restrict__ a, Cell *__restrict__ q, int m)
{
    __shared__ float h[256];
    long i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *r = a + i * m;
    float s = 0, t = 0;
    __nvvm_cp_async_ca_shared_global_4((__attribute__((address_space(3))) void *)&h[threadIdx.x], (__attribute__((address_space(1))) void *)(a + i));
    for (int j = 0; j < m; j++)
        s += r[j];
    for (int j = 0; j < m; j++)
        t += r[j] * s;
    __syncthreads();
    Cell c = q[i];
    q[i] = {c.w, c.z, h[threadIdx.x ^ 1], t, c.x, c.y};
}
