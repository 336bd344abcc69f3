// Atomic additions to neighbouring words: each is told what is made of it, or why nothing is.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll
// RUN: %opt -mattr=+ptx88 -passes=coalda -pass-remarks=coalda -pass-remarks-missed=coalda -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -passes=coalda -pass-remarks-missed=coalda -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OLDER
// RUN: %report %t.ll --format=csv | %FileCheck %s --check-prefix=REPORT

// CHECK-DAG: added.cu:[[#@LINE+7]]:{{.*}} scatter: between 1 and 32 sectors, 4 at best; made with its neighbours' by one reduction
// CHECK-DAG: added.cu:[[#@LINE+7]]:{{.*}}; made with its neighbours' by one reduction
// REPORT-DAG: added.cu,{{.*}},[[#@LINE+5]],{{.*}},atomic,global,4,scatter,{{.*}},add,{{.*}},Added,
extern "C" __global__ void listed(float2 *f, const int *idx, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = idx[i];
  atomicAdd(&f[j].x, a);
  atomicAdd(&f[j].y, a * 2);
}
// CHECK-DAG: added.cu:[[#@LINE+5]]:{{.*}}; not rewritten: what stands in between keeps them in order: {{.*}} in line [[#@LINE+4]]; make them one right after the other
extern "C" __global__ void ordered(float2 *f, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&f[i].x, a);
  __threadfence();
  atomicAdd(&f[i].y, a * 2);
}
// CHECK-DAG: added.cu:[[#@LINE+3]]:{{.*}}; made by the lanes of the warp for each other, neighbouring words side by side
extern "C" __global__ void doubles(double2 *f, double a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&f[i].x, a);
  atomicAdd(&f[i].y, a * 2);
}
// CHECK-DAG: added.cu:[[#@LINE+2]]:{{.*}}; not rewritten: its type has no reduction of several words, and all lanes add to the same ones
extern "C" __global__ void totals(double2 *f, const double *a) {
  atomicAdd(&f->x, a[threadIdx.x]);
  atomicAdd(&f->y, a[threadIdx.x] * 2);
}
// OLDER-DAG: added.cu:[[#@LINE+4]]:{{.*}}; not rewritten: reductions of several words need sm_90, and PTX 8.1; compile for sm_90; opt and llc: -mattr=+ptx81
extern "C" __global__ void of_block(float2 *f, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&f[i].x, a);
  atomicAdd_block(&f[i].y, a * 2);
}
