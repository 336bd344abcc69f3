// A list by itself whose length is loaded stays as it is, however it is counted; what it leads to, what lies beside it, and what the program says make it walk.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -S %t.ll -o %t.out.ll
// RUN: %report %t.yaml --format=csv | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=MADE --input-file=%t.out.ll
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void

// CHECK-DAG: sums,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@sums(
// MADE-NOT: shfl
KERNEL sums(const float *__restrict__ v, const int *__restrict__ rp, float *__restrict__ o, int n) {
  int i = ID;
  if (i >= n) return;
  float s = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) s += v[j];
  o[i] = s;
}
// CHECK-DAG: minima,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@minima(
// MADE-NOT: shfl
KERNEL minima(const float *__restrict__ v, const long *__restrict__ rp, float *__restrict__ o, long *__restrict__ at, long n) {
  long i = ID, best = -1;
  if (i >= n) return;
  float s = 1e30f;
  for (long j = rp[i], e = rp[i + 1]; j < e; j++)
    if (v[j] < s) s = v[j], best = j;
  o[i] = s, at[i] = best;
}
// CHECK-DAG: counted,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@counted(
// MADE-NOT: shfl
KERNEL counted(const unsigned *__restrict__ v, const int *__restrict__ first, const unsigned *__restrict__ count, unsigned *__restrict__ o) {
  int i = ID;
  const unsigned *p = v + first[i];
  unsigned s = 0;
  for (unsigned k = 0; k < count[i]; k++) s += p[k];
  o[i] = s;
}
// MADE-LABEL: define{{.*}}@leading(
// MADE: shfl
KERNEL leading(const int *__restrict__ col, const float *__restrict__ x, const int *__restrict__ rp, float *__restrict__ o) {
  int i = ID;
  float s = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) s += x[col[j]];
  o[i] = s;
}
// MADE-LABEL: define{{.*}}@beside(
// MADE: shfl
KERNEL beside(const float *__restrict__ v, const float *__restrict__ w, const int *__restrict__ rp, float *__restrict__ o) {
  int i = ID;
  float s = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) s = fmaxf(s, v[j] - w[j]);
  o[i] = s;
}
// MADE-LABEL: define{{.*}}@asked(
// MADE: shfl
__attribute__((annotate("coalda.block=64"))) KERNEL asked(const float *__restrict__ v, const int *__restrict__ rp, float *__restrict__ o) {
  int i = ID;
  float s = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) s += v[j];
  o[i] = s;
}
