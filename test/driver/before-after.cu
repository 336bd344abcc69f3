// What is rewritten is told as it was and as it is: totals, rows, colours of the page; from IR and from what clang wrote.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll
// RUN: %report %t.ll | %FileCheck %s
// RUN: %report %t.ll --format=json > %t.json && %python %S/before_after.py %t.json
// RUN: %report %t.ll --format=html > %t.html && %FileCheck %s --check-prefix=HTML < %t.html
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-file=%t.yaml -S %s -o %t.ptx
// RUN: %report %t.yaml --format=json > %t.yaml.json && %python %S/before_after.py %t.yaml.json
// RUN: %report %t.yaml --format=html > %t.yaml.html && %FileCheck %s --check-prefix=HTML < %t.yaml.html

// CHECK-DAG: strided(float const*, float*): 2 accesses, {{.*}} ratio {{[0-9.]+$}}
// CHECK-DAG: records(Ten const*, Ten*): 20 accesses, {{.*}} ratio {{.*}} once 20 are rewritten, ratio 1.00
// CHECK-DAG: rows(float const*, float*, int): 2 accesses, 36 sectors where 8 would do, ratio 4.50, 8 once 1 is rewritten, ratio 1.00

// HTML-DAG: <tr role="row" class="bad"><th role="rowheader" scope="row"><code>strided
// HTML-DAG: <tr role="row" class="good"><th role="rowheader" scope="row"><code>records
// HTML-DAG: <tr role="row" class="good"><th role="rowheader" scope="row"><code>rows
// HTML: </table>
// HTML-NOT: <tr{{.*}} class="bad"{{.*}}Exchanged
// HTML-NOT: <tr{{.*}} class="warn"{{.*}}Exchanged
// HTML: <tr{{.*}} class="bad"{{.*}}Strided
struct Ten { float a, b, c, d, e, f, g, h, i, j; };
__global__ void records(const Ten *p, Ten *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Ten r = p[i];
  Ten s = {r.b * 2, r.c, r.d + 1, r.e, r.f, r.g, r.h, r.i, r.j, r.a};
  q[i] = s;
}
__global__ void rows(const float *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++) s += a[i * n + j];
  y[i] = s;
}
__global__ void strided(const float *p, float *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[32 * i] = p[32 * i];
}
