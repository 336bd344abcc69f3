// Launch stubs choose by the shape of blocks: those whose threads stay in their places launch the kernel as it was, which does not ask.
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -std=c++17 -c %s -o %t.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.o %cudart-stub -Wl,-rpath,%build/test/host -o %t && %t > %t.out && %FileCheck %s < %t.out
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -g -Xclang -fgpu-default-stream=per-thread -Xarch_host -O0 -O3 -std=c++17 -c %s -o %t.two.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.two.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.two && %t.two > %t.two.out && %FileCheck %s < %t.two.out
// It is plain clang's code, bit by bit.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-without=coarse
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx | %FileCheck %s --check-prefix=CODE
// CODE-DAG: _Z5scalePKfPfii$coalda1$straight: as it was
// CODE-DAG: _Z4stepPfPKfii$coalda1$straight: as it was
// CODE-NOT: octets
// CODE-NOT: rows
// CODE-NOT: kept
#define XY int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
__global__ void scale(const float *a, float *o, int n, int m) { XY; if (x < n && y < m) o[x * m + y] = sqrtf(a[x * m + y]); }
__global__ void step(float *a, const float *l, int n, int k) { XY; if (x < n && y < n) a[(x + k) * n + y] -= l[x + k] * a[k * n + y]; }
// What moves records besides is not as it was, whichever blocks launch it.
__global__ void octets(const float *a, float *o, int n, int m) { XY; if (x >= n || y >= m) return; const float *p = a + (x * m + y) * 8; float *q = o + (x * m + y) * 8; for (int k = 0; k < 8; k++) q[k] = p[7 - k]; }
// Of a kernel with a loop much else may be made; and the threads of the last one keep their places.
__global__ void rows(const float *a, float *o, int n, int m) { XY; float s = 0; for (int k = 0; k < n; k++) s += a[(k * n + x) * m + y]; o[x * m + y] = s; }
__global__ void __attribute__((annotate("coalda.straight"))) kept(float *o, int n) { XY; o[x * n + y] = 1; }

int main()
{
    float *a = nullptr;
    for (dim3 block : {dim3(4, 4), dim3(8, 4), dim3(8, 4, 8), dim3(8, 8), dim3(9, 8), dim3(11, 3), dim3(16, 2), dim3(16, 16), dim3(32, 8), dim3(8, 32), dim3(16, 17), dim3(256), dim3(1, 256), dim3(33, 1), dim3(512, 2)})
        scale<<<1, block>>>(a, a, 9, 9);
    // CHECK: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 4
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 8
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 8
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 8
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 9
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 11
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 16
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 16
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 32
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 8
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 16
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 256
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 1
    // CHECK-NEXT: launched _Z5scalePKfPfii$coalda1$straight, 1 blocks of 33
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 512
    scale<<<1, dim3(4, 4), 16>>>(a, a, 9, 9);
    // CHECK-NEXT: launched _Z5scalePKfPfii, 1 blocks of 4, 16 bytes
    // Beside one for many blocks, which is chosen where both are for the launch.
    step<<<10, dim3(4, 4)>>>(a, a, 9, 0);
    // CHECK-NEXT: launched _Z4stepPfPKfii$coalda1$straight, 10 blocks of 4
    step<<<10, dim3(16, 16)>>>(a, a, 9, 0);
    // CHECK-NEXT: launched _Z4stepPfPKfii, 10 blocks of 16
    step<<<dim3(100000, 100), dim3(16, 16)>>>(a, a, 9, 0);
    // CHECK-NEXT: launched _Z4stepPfPKfii$coalda1$blocks2
    // CHECK-NEXT: behind 4: 100000
    step<<<dim3(1000000, 10), dim3(1, 32)>>>(a, a, 9, 0);
    // CHECK-NEXT: launched _Z4stepPfPKfii$coalda1$blocks2
    // CHECK-NEXT: behind 4: 1000000
    rows<<<1, dim3(4, 4)>>>(a, a, 9, 9);
    // CHECK-NEXT: launched _Z4rowsPKfPfii, 1
    octets<<<1, dim3(4, 4)>>>(a, a, 9, 9);
    // CHECK-NEXT: launched _Z6octetsPKfPfii, 1
    return 0;
}
