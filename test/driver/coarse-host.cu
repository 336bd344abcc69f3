// Launch stubs launch kernels whose blocks do the work of several, with as many times fewer, where there are many; and tell them how many there were.
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -std=c++17 -c %s -o %t.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.o %cudart-stub -Wl,-rpath,%build/test/host -o %t && %t > %t.out && %FileCheck %s < %t.out
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -g -Xclang -fgpu-default-stream=per-thread -O3 -std=c++17 -c %s -o %t.two.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.two.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.two && %t.two > %t.two.out && %FileCheck %s < %t.two.out
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -Xarch_host -O0 -std=c++17 -c %s -o %t.slow.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.slow.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.slow && %t.slow > %t.slow.out && %FileCheck %s < %t.slow.out
// Where one architecture's code lacks them, all stubs launch what the program says:
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -Xarch_sm_90 -mllvm=-coalda-off -O3 -std=c++17 -c %s -o %t.one.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.one.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.one && %t.one | %FileCheck %s --check-prefix=NONE
// NONE: registered
// NONE-NOT: coalda1
typedef unsigned char byte;
struct Tag { };
struct Image { byte *o; const byte *a; int w, h; };
#define I int i = blockIdx.x * blockDim.x + threadIdx.x
__global__ void threshold(int n, const byte *a, byte *o) { I; if (i < n) o[i] = a[i] > 128 ? 255 : 0; }
__global__ void image(int s, Image m) { I, y = blockIdx.y; if (i < m.w) m.o[y * m.w + i] = m.a[y * m.w + i] * s; }
__device__ byte kept[1 << 20];
__global__ void none() { I; kept[i] = i; }
__global__ void tagged(Tag, int n, byte *o) { I; if (i < n) o[i] = 1; }
__global__ void field(int n, float *o, const float *a, const float *b) { I; if (i < n) o[i] = o[i] * 0.5f + a[i] * b[i]; }
__global__ void asked(int n, byte *o) { I; if (i < n) o[i] = 1; }

int main()
{
    threshold<<<1000, 256>>>(17, nullptr, nullptr);
    threshold<<<10000, 256>>>(18, nullptr, nullptr);
    threshold<<<10001, 256>>>(19, nullptr, nullptr);
    threshold<<<10000, 256, 16>>>(20, nullptr, nullptr);
    threshold<<<10000, 256, 0, (cudaStream_t)1>>>(21, nullptr, nullptr);
    threshold<<<10000, 256, 0, (cudaStream_t)7>>>(27, nullptr, nullptr);
    threshold<<<10000, 256, 0, (cudaStream_t)8>>>(28, nullptr, nullptr);
    threshold<<<0x80000000u, 256>>>(22, nullptr, nullptr);
    image<<<dim3(12, 1080), 256>>>(23, Image());
    image<<<dim3(11, 1080), 256>>>(24, Image());
    none<<<4096, 1024>>>();
    tagged<<<20003, 64>>>(Tag(), 25, nullptr);
    field<<<10000, dim3(32, 8)>>>(29, nullptr, nullptr, nullptr);
    field<<<10000, dim3(16, 16)>>>(30, nullptr, nullptr, nullptr);
    asked<<<10000, 256>>>(26, nullptr);
    return cudaFuncSetAttribute(asked, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
}
// CHECK-DAG: registered _Z9thresholdiPKhPh{{$}}
// CHECK-DAG: registered _Z9thresholdiPKhPh$coalda1$blocks4_args3_from_2400000
// CHECK: launched _Z9thresholdiPKhPh, 1000 blocks of 256, 0 bytes
// CHECK-NEXT: launched _Z9thresholdiPKhPh$coalda1$blocks4_args3_from_2400000, 2500 blocks of 256, 0 bytes
// CHECK-NEXT: behind 3: 10000, rows 1, first 18
// CHECK-NEXT: launched _Z9thresholdiPKhPh$coalda1$blocks4_args3_from_2400000, 2501 blocks of 256, 0 bytes
// CHECK-NEXT: behind 3: 10001, rows 1, first 19
// Dynamic shared memory may have been asked for; a grid that is none is for the runtime to refuse.
// CHECK-NEXT: launched _Z9thresholdiPKhPh, 10000 blocks of 256, 16 bytes
// CHECK-NEXT: launched _Z9thresholdiPKhPh$coalda1$blocks4_args3_from_2400000, 2500 blocks of 256, 0 bytes
// CHECK-NEXT: behind 3: 10000, rows 1, first 21
// Where a stream is captured, or who knows, the program may change the launch later.
// CHECK-NEXT: launched _Z9thresholdiPKhPh, 10000 blocks of 256, 0 bytes
// CHECK-NEXT: launched _Z9thresholdiPKhPh, 10000 blocks of 256, 0 bytes
// CHECK-NEXT: launched _Z9thresholdiPKhPh, 2147483648 blocks of 256, 0 bytes
// CHECK-NEXT: launched _Z5imagei5Image$coalda1$blocks4_args2_from_2400000, 3 blocks of 256, 0 bytes
// CHECK-NEXT: behind 2: 12, rows 1080, first 23
// CHECK-NEXT: launched _Z5imagei5Image, 11 blocks of 256, 0 bytes
// CHECK-NEXT: launched _Z4nonev$coalda1$blocks4_args0_from_2400000, 1024 blocks of 1024, 0 bytes
// CHECK-NEXT: behind 0: 4096, rows 1, first 0
// CHECK-NEXT: launched _Z6tagged3TagiPh{{.*}}
// What changes an array in place, and moves much, is for blocks of so many threads along x.
// CHECK: launched _Z5fieldiPfPKfS1_$coalda1$blocks2_args4_from_2400000_wide32, 5000 blocks of 32, 0 bytes
// CHECK: launched _Z5fieldiPfPKfS1_, 10000 blocks of 16, 0 bytes
// CHECK: launched _Z5askediPh, 10000 blocks of 256, 0 bytes
