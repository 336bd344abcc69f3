// RUN: %clang-device -O3 -fpass-plugin=%plugin -mllvm -coalda-trace=wave -o %t.ll %s 2> %t.trace && %FileCheck %s < %t.trace
// RUN: %clang-device -O3 -o %t.plain.ll %s && grep -c 'load float' %t.plain.ll > %t.plain && grep -c 'load float' %t.ll > %t.new && diff %t.plain %t.new
// Iterations stand side by side for loads that come first then. Of these, of three arrays that no word says are apart from what is stored, each would have to be asked for: too many are, and
// the body would be longer for nothing.
// CHECK: tried: 2 iterations side by side, on a copy: no load comes first
// CHECK-NOT: made: 2 iterations
extern "C" __global__ void wave(const float *u, const float *old, const float *v, float *out, int nx, int ny, int nz, float s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    size_t plane = (size_t)nx * ny, at = plane + (size_t)j * nx + i;
    for (int k = 1; k < nz - 1; k++, at += plane) {
        float c = u[at], l = u[at + 1] + u[at - 1] + u[at + nx] + u[at - nx] + u[at + plane] + u[at - plane] - 6.f * c;
        out[at] = 2.f * c - old[at] + s * v[at] * l;
    }
}
