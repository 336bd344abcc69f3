// A list by itself whose length is loaded stays as it is, however it is counted, and so do one to which is stored what is at hand, and one that data let
// some lanes walk; what it leads to, what lies beside it, and what the program says make it walk.
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
// CHECK-DAG: letters,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@letters(
// MADE-NOT: shfl
KERNEL letters(const char *__restrict__ v, const int *__restrict__ rp, unsigned *__restrict__ o, int n) {
  int i = ID;
  if (i >= n) return;
  unsigned h = 2166136261u;
  for (int j = rp[i]; j < rp[i + 1]; j++) h = (h ^ (unsigned char)v[j]) * 16777619u;
  o[i] = h;
}
// CHECK-DAG: shorts,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@shorts(
// MADE-NOT: shfl
KERNEL shorts(const short *__restrict__ v, const long *__restrict__ rp, int *__restrict__ o, long n) {
  long i = ID;
  if (i >= n) return;
  int s = 0;
  for (const short *p = v + rp[i], *e = v + rp[i + 1]; p < e; p++) s += *p;
  o[i] = s;
}
// CHECK-DAG: heads,{{.*}},store,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@heads(
// MADE-NOT: shfl
KERNEL heads(const long *__restrict__ a, long *__restrict__ o, long n) {
  long t = ID;
  if (t == 0 || t >= n) return;
#pragma unroll 1
  for (long e = a[t - 1]; e < a[t]; e++) o[e + 1] = t;
}
// CHECK-DAG: numbered,{{.*}},store,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@numbered(
// MADE-NOT: shfl
KERNEL numbered(const int *__restrict__ p, int *__restrict__ o, int n) {
  int t = ID;
  if (t >= n) return;
  int first = p[t];
#pragma unroll 1
  for (int e = first, last = p[t + 1]; e < last; e++) o[e] = e - first;
}
// CHECK-DAG: matched,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@matched(
// MADE-NOT: shfl
KERNEL matched(const long *__restrict__ col, const int *__restrict__ rp, const int *__restrict__ side, float *__restrict__ o, const float *__restrict__ x, int n) {
  int i = ID;
  if (i >= n || side[i] != -1) return;
  float s = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) s += x[col[j]];
  o[i] = s;
}
// CHECK-DAG: middles,{{.*}},load,{{.*}},WalkList,
// MADE-LABEL: define{{.*}}@middles(
// MADE-NOT: shfl
KERNEL middles(const float *__restrict__ p, const int *__restrict__ rp, float *__restrict__ o, int n) {
  int i = ID;
  if (i >= n) return;
  float x = 0, y = 0, z = 0;
  for (int j = rp[i]; j < rp[i + 1]; j++) x += p[3 * j], y += p[3 * j + 1], z += p[3 * j + 2];
  o[i] = x * y + z;
}
// MADE-LABEL: define{{.*}}@stored(
// MADE: shfl
KERNEL stored(const float *__restrict__ v, const int *__restrict__ rp, float *__restrict__ o) {
  int i = ID;
  for (int j = rp[i], e = rp[i + 1]; j < e; j++) o[j] = v[j] * 2;
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
