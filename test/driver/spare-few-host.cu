// Launch stubs choose by how many threads there are as well.
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -std=c++17 -c %s -o %t.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.o %cudart-stub -Wl,-rpath,%build/test/host -o %t && %t > %t.out && %FileCheck %s < %t.out
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -g -Xclang -fgpu-default-stream=per-thread -Xarch_host -O0 -O3 -std=c++17 -c %s -o %t.two.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.two.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.two && %t.two > %t.two.out && %FileCheck %s < %t.two.out
#include "near.cuh"

int main()
{
    float *a = nullptr;
    // 128 threads on each SM, by one block or by four; more in a block of more, and where one more block has to go somewhere.
    lags<<<132, 128>>>(a, a, 100);
    // CHECK: launched _Z4lagsPKfPfi$coalda1$few128_odd256_of132_arg2_u32_by4, 132 blocks of 128, 0 bytes
    lags<<<dim3(132, 2, 2), dim3(4, 4, 2)>>>(a, a, 100);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    lags<<<1, 129>>>(a, a, 100);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 1 blocks of 129
    lags<<<133, 128>>>(a, a, 100);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 133 blocks of 128
    lags<<<dim3(133, 2, 2), 32>>>(a, a, 100);
    // CHECK-NEXT: launched _Z4lagsPKfPfi,
    lags<<<1, 128, 16>>>(a, a, 100);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 1 blocks of 128, 16 bytes
    // Rows that are no multiple of 16 bytes, 128 kB of them at most; no number of a launch is too many.
    lags<<<132, 256>>>(a, a, 101);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    lags<<<133, 256>>>(a, a, 101);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 133
    lags<<<264, 128>>>(a, a, 127);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    lags<<<264, 128>>>(a, a, 129);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 264
    lags<<<132, 128>>>(a, a, 1001);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    lags<<<dim3(0x7fffffff, 65535, 65535), 1024>>>(a, a, 101);
    // CHECK-NEXT: launched _Z4lagsPKfPfi,
    // Of 64 bytes, and of a line.
    lags<<<132, 64>>>(a, a, 112);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    lags<<<132, 65>>>(a, a, 112);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 132 blocks of 65
    lags<<<1, 32>>>(a, a, 96);
    // CHECK-NEXT: launched _Z4lagsPKfPfi, 1 blocks of 32
    lags<<<1, 32>>>(a, a, -1);
    // CHECK-NEXT: launched _Z4lagsPKfPfi$coalda1$few128
    // Rows that registers hold: 16 to 63.
    for (long m : {15l, 16l, 63l, 64l, 65l, 1l << 33})
        nearest<<<1, 64>>>(a, a, nullptr, m, 3);
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill$coalda1$arg3_u64_below_16$few128_odd256_of132_arg3_u64_by4_unless_arg3_u64_below_64, 1
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill, 1
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill, 1
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill, 1
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill$coalda1$arg3_u64_below_16$few128_odd256_of132_arg3_u64_by4_unless_arg3_u64_below_64, 1
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill, 1
    nearest<<<10000, 64>>>(a, a, nullptr, 15, 3);
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill$coalda1$arg3_u64_below_16
    nearest<<<10000, 64>>>(a, a, nullptr, 65, 3);
    // CHECK-NEXT: launched _Z7nearestPKfS0_Pill, 10000
    known<101><<<132, 256>>>(a, a, 3, 2);
    // CHECK-NEXT: launched _Z5knownILi101EEvPKfPfif$coalda1$few256_odd256_of132, 132
    known<101><<<132, 257>>>(a, a, 3, 2);
    // CHECK-NEXT: launched _Z5knownILi101EEvPKfPfif, 132
    known<112><<<132, 64>>>(a, a, 3, 2);
    // CHECK-NEXT: launched _Z5knownILi112EEvPKfPfif$coalda1$few64_odd64_of132, 132
    known<112><<<132, 65>>>(a, a, 3, 2);
    // CHECK-NEXT: launched _Z5knownILi112EEvPKfPfif, 132
    // Many threads.
    heat<<<dim3(13, 100), dim3(10, 10)>>>(a, a, 9, 9, 9, 2);
    // CHECK-NEXT: launched _Z4heatPKfPfiiif$coalda1$full_from_130000, 13 blocks of 10
    heat<<<dim3(1299, 1), 100>>>(a, a, 9, 9, 9, 2);
    // CHECK-NEXT: launched _Z4heatPKfPfiiif, 1299
    heat<<<dim3(0x7fffffff, 65535, 65535), 1>>>(a, a, 9, 9, 9, 2);
    // CHECK-NEXT: launched _Z4heatPKfPfiiif$coalda1$full_from_130000,
    return 0;
}
