// One lane of a warp comes there, whatever the number is that it is told by: nothing of it is moved for the others, nor do registers go up.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -S %t.ll -o %t.out.ll
// RUN: %report %t.yaml --format=csv | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=MADE --input-file=%t.out.ll
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define SUM { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; o[i] = s; }

// CHECK-DAG: last,{{.*}},store,{{.*}},Lone,
// MADE-NOT: shfl
// MADE-NOT: maxnreg
extern "C" __global__ void last(int *o, const int *a, int n, int m) {
  int i = ID;
  if (i >= n) return;
  int f = a[i];
  if (i == n - 1 && f > 3) for (int j = f; j < m; j++) o[j] = n;
  if (i > 0) o[i] = f;
}
// CHECK-DAG: unequal,{{.*}},store,{{.*}},Lone,
extern "C" __global__ void unequal(int *o, const int *a, int n, int m) {
  long i = ID;
  if (i != n - 1) return;
  int f = a[i];
  for (int j = f; j < m; j++) o[j] = n;
}
// CHECK-DAG: who,{{.*}},load,{{.*}},Lone,
extern "C" __global__ void who(float *o, const float *a, int m, int one) { int i = ID; if (threadIdx.x == one) SUM }
// CHECK-DAG: diagonal,{{.*}},load,{{.*}},Lone,
extern "C" __global__ void diagonal(float *o, const float *a, int m) { int i = ID, k = blockIdx.y * blockDim.y + threadIdx.y; if (i == k) SUM }
template <class T> __device__ inline bool is_last(T i, T n) { return i + 1 == n; }
// CHECK-DAG: inlined,{{.*}},load,{{.*}},Lone,
extern "C" __global__ void inlined(float *o, const float *a, unsigned n, int m) { unsigned i = ID; if (is_last(i, n)) SUM }
// CHECK-DAG: first,{{.*}},load,{{.*}},Lone,
extern "C" __global__ void first(float *o, const float *a, int m) { int i = ID; if (i == 0) SUM }
// CHECK-DAG: pointer,{{.*}},store,{{.*}},Lone,
extern "C" __global__ void pointer(int *o, const int *a, const int *end, int m) {
  const int *p = a + ID;
  if (p == end) for (int *q = o + *p; q < o + m; q++) *q = *p;
}

// Of many lanes: what data tell, what the whole warp has alike, what is left of a number.
// MADE: define {{.*}}@data
// MADE: shfl
// CHECK-DAG: data,{{.*}},load,{{.*}},exchange,
extern "C" __global__ void data(float *o, const float *a, const int *f, int m, int one) { int i = ID; if (f[i] == one) SUM }
// CHECK-DAG: row,{{.*}},load,{{.*}},exchange,
extern "C" __global__ void row(float *o, const float *a, int m, int one) { int i = ID; if (threadIdx.y == one) SUM }
// CHECK-DAG: block,{{.*}},load,{{.*}},exchange,
extern "C" __global__ void block(float *o, const float *a, int m, int one) { int i = ID; if (blockIdx.x == one) SUM }
// CHECK-DAG: left,{{.*}},load,{{.*}},exchange,
extern "C" __global__ void left(float *o, const float *a, int n, int m, int one) { int i = ID; if (i % n == one) SUM }
// CHECK-DAG: others,{{.*}},load,{{.*}},exchange,
extern "C" __global__ void others(float *o, const float *a, int m, int one) { int i = ID; if (i != one) SUM }
