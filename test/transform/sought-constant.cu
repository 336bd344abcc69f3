// Loops of a constant number of iterations that look for something are kept from being unrolled where pieces of their rows are then loaded at once.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -S -emit-llvm %s -o %t.ll 2> %t.err && %FileCheck %s < %t.err
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.plain.ll && %opt -passes='coalda<settle>' %t.plain.ll -S -o %t.settled.ll
// RUN: %sim %t.settled.ll --kernel hit --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:46592 zero:512 i32:128 f32:0.45
// RUN: %sim %t.settled.ll --kernel hit --grid 2 --block 64 --compare %t.ll -- frand:46592 zero:512 i32:100 f32:2
// RUN: %sim %t.settled.ll --kernel near --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:46592 frand:364 zero:512 i32:128 f32:3
// RUN: %sim %t.settled.ll --kernel key --grid 2 --block 64 --seeds 3 --compare %t.ll -- rand:65536 rand:512 zero:512 i32:128
// RUN: %sim %t.settled.ll --kernel sum --grid 2 --block 64 --seeds 3 --compare %t.ll -- iota:11648 zero:512
// Without the feature, and without walks, for loops that LLVM leaves none of, nothing is kept:
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -mllvm -coalda-without=sectors+walks -S %s -o %t.without.ptx && %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.ptx && diff %t.without.ptx %t.ptx

// CHECK: sought-constant.cu:[[# @LINE + 1]]:{{.*}}loop is left by what it loads of its rows; rewritten: pieces of 1 row
__global__ void hit(const float *p, int *o, int n, float b) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; const float *r = p + (size_t)i * 91; int h = -1; for (int t = 0; t < 91; t++) if (r[t] > b) { h = t; break; } o[i] = h; }
// CHECK: sought-constant.cu:[[# @LINE + 1]]:{{.*}}loop is left by what it loads of its rows; rewritten: pieces of 1 row
__global__ void near(const float *db, const float *q, float *o, int n, float best) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0; for (int j = 0; j < 91; j++) { float d = db[i * 91 + j] - q[j]; s = s + fabsf(d); if (s > best) break; } o[i] = s; }
// CHECK: sought-constant.cu:[[# @LINE + 1]]:{{.*}}loop is left by what it loads of its rows; rewritten: pieces of 1 row
__global__ void key(const int *a, const int *keys, int *at, int n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; const int *p = a + (size_t)i * 128, *e = p + 128, *q = p; while (q != e && *q != keys[i]) q++; at[i] = q - p; }
// What counters alone leave is a walk, and unrolled as it was.
// CHECK-NOT: sought-constant.cu:[[# @LINE + 1]]:{{.*}}loop is left by what it loads
__global__ void sum(const int *a, int *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; int s = 0; for (int j = 0; j < 91; j++) s += a[i * 91 + j]; o[i] = s; }
