// What stands in the way of a walk is told by name, with what helps: not that threads walk rows of their own, and nothing else.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -Rpass-analysis=coalda -S %s -o %t.ptx 2>&1 | grep remark: > %t.told
// RUN: %FileCheck %s < %t.told
// Left alone on request: nothing is tried.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -fpass-plugin=%plugin -mllvm -coalda-block=0 -Rpass-missed=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF: load{{.*}} of 4 bytes{{.*}}; not rewritten: an option or an attribute leaves its loop as it is
// What the compiler left of a loop that it had unrolled before is told as that, though its function has been tried with longer loops.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Rpass-missed=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LEFT
#define ROW (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void

// CHECK-DAG: :[[#@LINE+3]]:{{.*}} load{{.*}}; not rewritten: how often its loop runs is known only when that ends; count first, and leave the loop by the counter alone
KERNEL ends(const float *a, const int *start, float *y, int m) {
  int i = ROW, j = start[i];
  while (j < m && a[j] < 1) j++;
  y[i] = j;
}
// CHECK-DAG: :[[#@LINE+6]]:{{.*}} store {{.*}}; not rewritten: a loop inside of the one that moves it walks rows
KERNEL outer(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, int m, int k) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * m + j];
    y[i * m + j] = s;
  }
}
__device__ __noinline__ float element(const float *a, int j) {
  // CHECK-DAG: :[[#@LINE+1]]:{{.*}} load{{.*}}; not rewritten: the loop that moves it is in another function; make the function inline
  return a[j];
}
KERNEL caller(const float *a, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j++) s += element(a, i * m + j);
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: only some iterations of its loop make it; load before the condition
KERNEL some(const float *a, const int *mask, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j++)
    if (mask[j]) s = s / (a[i * m + j] + s) / (1 + s);
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+6]]:{{.*}} store {{.*}}; not rewritten: the iterations of its loop take different ways; choose between values
KERNEL ways(const int *a, const int *b, int *y, int m) {
  int i = ROW, p = 0, q = 0;
  for (int k = 0; k < 2 * m; k++) {
    int v;
    if (q >= m || (p < m && a[i + p] <= b[i + q])) v = a[i + p++]; else v = b[i + q++];
    y[i * 2 * m + k] = v;
  }
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}} load{{.*}}; not rewritten: a store of its loop may write what is loaded later; mark the pointers __restrict__
KERNEL written(float *a, int m) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    float v = a[i * m + j];
    if (v > 1) a[(int)v] = v / 3;
  }
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}} load{{.*}}; not rewritten: its loop has what it may not pass: atomics, barriers, calls
KERNEL ordered(const int *a, int *bins, int *first, int m) {
  int i = ROW, s = 0;
  for (int j = 0; j < m; j++)
    s ^= atomicAdd(bins + a[i * m + j], 1);
  first[i] = s;
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}} load{{.*}}; not rewritten: its loop has what it may not pass: atomics, barriers, calls
KERNEL watched(const float *a, const volatile int *flag, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * *flag;
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: products and sums of different iterations would be fused
KERNEL fused(const float *a, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j++)
    s = (s + a[i * m + j]) * 0.3f;
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: its loop makes too few iterations
KERNEL few(const float *a, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < (m & 15); j++)
    s += a[i * m + j];
  y[i] = s;
}
struct Node { float x[31]; };
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: an iteration goes so far that the next one shares no sector with it
KERNEL far(const Node *a, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j++)
    s += a[i * m + j].x[0];
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: bytes between are not touched, and each moves alone
KERNEL gaps(const float *a, float *y, int m) {
  int i = ROW;
  float s = 0;
  for (int j = 0; j < m; j += 2)
    s += a[i * m + j];
  y[i] = s;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}}; not rewritten: it may overlap others in between, too many to test
KERNEL overlaps(unsigned char *a, int m) {
  int i = ROW;
  for (int j = 0; j < m; j++)
    // LEFT: :[[#@LINE+1]]:{{.*}} load{{.*}} of 1 byte{{.*}}; not rewritten: its loop makes too few iterations
    a[a[i * m + j]]++;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}} load{{.*}} of 4 bytes{{.*}}; not rewritten: what stands between the iterations keeps them apart
KERNEL between(unsigned *x, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++)
    ((unsigned char *)x)[4 * (i * m + j) + 1] = 1, ((unsigned char *)x)[4 * (i * m + j)] = x[i * m + j - 1] / 7;
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}} load{{.*}}; not rewritten: its loop's body is too long to be made several times
#define AGAIN(f) f f f f f f f f f f
KERNEL longer(const unsigned *a, unsigned *y, int m) {
  unsigned i = ROW, s = 0;
  for (int j = 0; j < m; j++) { unsigned v = a[i * m + j]; AGAIN(AGAIN(AGAIN(s = (s ^ v) * 31 + (s >> 3);))) }
  y[i] = s;
}
struct Line { float v[32]; };
#define NINE(f, k) f(0, k) + f(1, k) + f(2, k) + f(3, k) + f(4, k) + f(5, k) + f(6, k) + f(7, k) + f(8, k)
struct Arrays { const Line *p[9]; };
// CHECK-DAG: :[[#@LINE+6]]:{{.*}} load{{.*}}; not rewritten: more records than are moved together lie in one piece of code; move fewer
KERNEL crowd(Arrays of, float *y) {
  int i = ROW;
  float s = 0;
#define FIELD(a, k) of.p[a][i].v[k]
  #pragma unroll
  for (int k = 0; k < 32; k++) s = s / 3 + (NINE(FIELD, k));
  y[i] = s;
}
