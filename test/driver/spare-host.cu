// Launch stubs choose between a kernel and its spare by what they launch; whoever asks of a kernel is told of the kernel.
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -std=c++17 -c %s -o %t.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.o %cudart-stub -Wl,-rpath,%build/test/host -o %t && %t > %t.out && %FileCheck %s < %t.out
// Threads with streams of their own, several architectures, their PTX, which is compressed, and debug information:
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 --cuda-include-ptx=all -g -Xclang -fgpu-default-stream=per-thread -O3 -std=c++17 -c %s -o %t.two.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.two.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.two && %t.two > %t.two.out && %FileCheck %s < %t.two.out
// Without optimization of the host's code:
// RUN: %clang --cuda-gpu-arch=sm_90 -O3 -Xarch_host -O0 -std=c++17 -c %s -o %t.slow.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.slow.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.slow && %t.slow > %t.slow.out && %FileCheck %s < %t.slow.out

// None is chosen where an architecture's code lacks it, where all of the image is compressed, where there is PTX that no code was made of here,
// and where the plugin is off when the host is compiled.
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -Xarch_sm_90 -mllvm=-coalda-off -O3 -std=c++17 -c %s -o %t.one.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.one.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.one && %t.one | %FileCheck %s --check-prefix=NONE
// RUN: %clang --cuda-gpu-arch=sm_90 -Xcuda-fatbinary --compress-all -O3 -std=c++17 -c %s -o %t.small.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.small.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.small && %t.small | %FileCheck %s --check-prefix=NONE
// RUN: %clang --cuda-gpu-arch=sm_90 -Xarch_host -mllvm=-coalda-off -O3 -std=c++17 -c %s -o %t.off.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %llvm-bin/clang++ %t.off.o %cudart-stub -Wl,-rpath,%build/test/host -o %t.off && %t.off | %FileCheck %s --check-prefix=NONE
// NONE: registered _Z4sumsPKfPfi
// NONE-NOT: coalda1
// Device code that is linked later is not there yet:
// RUN: %clang --cuda-gpu-arch=sm_90 -fgpu-rdc -O3 -std=c++17 -c %s -o %t.rdc.o -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %nm %t.rdc.o | %FileCheck %s --check-prefix=RDC
// RDC-NOT: coalda1

#define ROW(m) long i = blockIdx.x * (long)blockDim.x + threadIdx.x; const float *row = a + i * (long)(m); float s = 0
__global__ void sums(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
namespace { __global__ void hidden(const float *a, float *o, long m) { ROW(m); for (long j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; } }
template <class T> __global__ void templ(const T *a, T *o, unsigned m) { ROW(m); for (unsigned j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
struct Pair { float x, y; };
struct Long { double x[5]; };
struct Tag { };
__global__ void structs(Pair p, Long l, const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * p.x; o[i] = s + l.x[3]; }
__global__ void both(const float *a, const float *b, float *o, int m, int n)
{
    ROW(m);
    for (int j = 0; j < m; j++)
        s += row[j] * row[j];
    for (int j = 0; j < n; j++)
        s *= b[i * n + j];
    o[i] = s;
}
// Structs in registers, in memory, and behind others; numbers that are multiplied and divided.
struct Small { int n, m; };
struct Odd { char c; short m; };
struct Large { const float *a; double pad[9]; long m; };
__global__ void small(Small p, const float *a, float *o) { ROW(p.m); for (int j = 0; j < p.m; j++) s += row[j] * row[j]; o[i] = s; }
__global__ void odd(Tag, Odd p, const float *a, float *o) { ROW(p.m); for (int j = 0; j < p.m; j++) s += row[j] * row[j]; o[i] = s; }
__global__ void large(Small n, Large p, float *o) { const float *a = p.a; ROW(p.m); for (long j = 0; j < p.m; j++) s += row[j] * n.n; o[i] = s; }
__global__ void area(const float *a, float *o, int m, int k) { int n = m * k; ROW(n); for (int j = 0; j < n; j++) s += row[j]; o[i] = s; }
__global__ void volume(const float *a, float *o, long m, long k, long h) { long n = m * k * h; ROW(n); for (long j = 0; j < n; j++) s += row[j]; o[i] = s; }
__global__ void parts(const float *a, float *o, int m, int k) { int n = m / k; ROW(n); for (int j = 0; j < n; j++) s += row[j]; o[i] = s; }
// A warp a row.
__global__ void warps(const float *a, float *o, int m)
{
    long w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (int j = threadIdx.x % 32; j < m; j += 32)
        o[w * m + j] = a[w * m + j] * a[w * m + j + 1] + a[j];
}
__global__ __attribute__((annotate("coalda.block=64"))) void told(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
__global__ void asked(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
__global__ void allowed(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }
__global__ void direct(const float *a, float *o, int m) { ROW(m); for (int j = 0; j < m; j++) s += row[j] * row[j]; o[i] = s; }

int main()
{
    float *a = nullptr;
    for (int m : {-1, 0, 3, 31, 32, 63, 64, 1000})
        sums<<<1, 32>>>(a, a, m);
    // CHECK: launched _Z4sumsPKfPfi, 1 blocks of 32, 0 bytes
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_32, 1 blocks of 32, 0 bytes
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_32,
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_32,
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_64$full_from_28000, 1 blocks
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_64$full_from_28000, 1 blocks
    // CHECK-NEXT: launched _Z4sumsPKfPfi,
    // CHECK-NEXT: launched _Z4sumsPKfPfi,
    // Full: without a shelf, but for rows that are short.
    for (int m : {31, 63, 1000})
        sums<<<875, 32>>>(a, a, m);
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_32, 875 blocks
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_64$full_from_28000, 875 blocks
    // CHECK-NEXT: launched _Z4sumsPKfPfi$coalda1$arg2_u32_below_64$full_from_28000, 875 blocks
    sums<<<874, 32>>>(a, a, 1000);
    // CHECK-NEXT: launched _Z4sumsPKfPfi, 874 blocks
    // What a call may have allowed to the kernel:
    sums<<<2, 64, 16>>>(a, a, 3);
    // CHECK-NEXT: launched _Z4sumsPKfPfi, 2 blocks of 64, 16 bytes
    for (long m : {3l, 1l << 32, 1000l})
        hidden<<<3, 32, 0, 0>>>(a, a, m);
    // CHECK-NEXT: launched _ZN12_GLOBAL__N_16hiddenEPKfPfl$coalda1$arg2_u64_below_32, 3 blocks of 32, 0 bytes
    // CHECK-NEXT: launched _ZN12_GLOBAL__N_16hiddenEPKfPfl, 3
    // CHECK-NEXT: launched _ZN12_GLOBAL__N_16hiddenEPKfPfl, 3
    for (unsigned m : {8u, 1000u})
        templ<<<1, 32>>>(a, a, m);
    // CHECK-NEXT: launched _Z5templIfEvPKT_PS0_j$coalda1$arg2_u32_below_32,
    // CHECK-NEXT: launched _Z5templIfEvPKT_PS0_j,
    for (int m : {8, 1000})
        structs<<<1, 32>>>(Pair{1, 2}, Long{}, a, a, m);
    // CHECK-NEXT: launched _Z7structs4Pair4LongPKfPfi$coalda1$arg4_u32_below_32,
    // CHECK-NEXT: launched _Z7structs4Pair4LongPKfPfi,
    for (int m : {8, 1000})
        for (int n : {8, 1000})
            both<<<1, 32>>>(a, a, a, m, n);
    // CHECK-NEXT: launched _Z4bothPKfS0_Pfii$coalda1$
    // CHECK-NEXT: launched _Z4bothPKfS0_Pfii,
    // CHECK-NEXT: launched _Z4bothPKfS0_Pfii,
    // CHECK-NEXT: launched _Z4bothPKfS0_Pfii,
    for (int m : {3, 31, 64, -1})
        small<<<1, 32>>>(Small{3, m}, a, a);
    // CHECK-NEXT: launched _Z5small5SmallPKfPf$coalda1$arg0_at4_u32_below_32,
    // CHECK-NEXT: launched _Z5small5SmallPKfPf$coalda1$arg0_at4_u32_below_32,
    // CHECK-NEXT: launched _Z5small5SmallPKfPf,
    // CHECK-NEXT: launched _Z5small5SmallPKfPf,
    for (int m : {31, 64, -1})
        odd<<<1, 32>>>(Tag{}, Odd{3, (short)m}, a, a);
    // CHECK-NEXT: launched _Z3odd3Tag3OddPKfPf$coalda1$arg1_at2_u16_below_32,
    // CHECK-NEXT: launched _Z3odd3Tag3OddPKfPf,
    // CHECK-NEXT: launched _Z3odd3Tag3OddPKfPf,
    for (long m : {31l, 64l, 1l << 32})
        large<<<1, 32>>>(Small{3, 3}, Large{a, {}, m}, a);
    // CHECK-NEXT: launched _Z5large5Small5LargePf$coalda1$arg1_at80_u64_below_32,
    // CHECK-NEXT: launched _Z5large5Small5LargePf,
    // CHECK-NEXT: launched _Z5large5Small5LargePf,
    // What would be small if it wrapped around is not:
    for (int m : {0, 8, 31, 65536, -1})
        for (int k : {1, 8, 65536})
            area<<<1, 32>>>(a, a, m, k);
    // CHECK-NEXT: launched _Z4areaPKfPfii$coalda1$arg2_u32_times_arg3_u32_below_32,
    // CHECK-NEXT: launched _Z4areaPKfPfii$coalda1$
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii$coalda1$
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii$coalda1$
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    // CHECK-NEXT: launched _Z4areaPKfPfii,
    for (long h : {1l, 7l, 8l, 1l << 62, -1l})
        volume<<<1, 32>>>(a, a, 2, 2, h);
    // CHECK-NEXT: launched _Z6volumePKfPflll$coalda1$arg2_u64_times_arg3_u64_times_arg4_u64_below_32,
    // CHECK-NEXT: launched _Z6volumePKfPflll$coalda1$
    // CHECK-NEXT: launched _Z6volumePKfPflll,
    // CHECK-NEXT: launched _Z6volumePKfPflll,
    // CHECK-NEXT: launched _Z6volumePKfPflll,
    for (int m : {100, 319, 640, -1})
        for (int k : {10, 0, -1})
            parts<<<1, 32>>>(a, a, m, k);
    // CHECK-NEXT: launched _Z5partsPKfPfii$coalda1$arg2_u32_over_arg3_u32_below_32,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii$coalda1$
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    // CHECK-NEXT: launched _Z5partsPKfPfii,
    for (int m : {32, 511, 512, -1})
        warps<<<1, 32>>>(a, a, m);
    // CHECK-NEXT: launched _Z5warpsPKfPfi$coalda1$arg2_u32_below_512,
    // CHECK-NEXT: launched _Z5warpsPKfPfi$coalda1$arg2_u32_below_512,
    // CHECK-NEXT: launched _Z5warpsPKfPfi,
    // CHECK-NEXT: launched _Z5warpsPKfPfi,
    told<<<1, 32>>>(a, a, 3);
    // CHECK-NEXT: launched _Z4toldPKfPfi$coalda1$
    // What is done with a kernel's address is done to the kernel, which is launched then whatever its rows are:
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, asked);
    asked<<<1, 32>>>(a, a, 3);
    // CHECK-NEXT: asked of _Z5askedPKfPfi{{$}}
    // CHECK-NEXT: launched _Z5askedPKfPfi,
    cudaFuncSetAttribute(allowed, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    allowed<<<1, 32>>>(a, a, 3);
    // CHECK-NEXT: set 8 to 65536 of _Z7allowedPKfPfi{{$}}
    // CHECK-NEXT: launched _Z7allowedPKfPfi,
    int m = 3;
    void *arguments[] = {&a, &a, &m};
    cudaLaunchKernel((const void *)direct, dim3(1), dim3(32), arguments, 0, nullptr);
    // CHECK-NEXT: launched _Z6directPKfPfi,
    return 0;
}
