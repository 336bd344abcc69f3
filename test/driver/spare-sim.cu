// Spares that are rewritten themselves compute what their kernels do, of rows of any length.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes='coalda<spares>' -S %t.ll -o %t.both.ll && %opt -passes='coalda<settle>' -S %t.ll -o %t.plain.ll
// RUN: %python %S/swapped.py %t.both.ll below_64 > %t.shuffles.ll && %python %S/swapped.py %t.both.ll below_32 > %t.records.ll
// What its kernel is told holds of a spare as well:
// RUN: %opt -passes='coalda<spares>' -coalda-trace -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=TOLD --implicit-check-not='told$coalda1{{.*}} way out' --implicit-check-not='alone$coalda1'
// TOLD: trace: told$coalda1${{.*}}_below_64{{.*}}: plan: region of group
// By shuffles, which are there, and without the shelf:
// RUN: %FileCheck %s < %t.shuffles.ll && %FileCheck %s --check-prefix=RECORDS < %t.records.ll
// CHECK-LABEL: define {{.*}} @variance(
// CHECK-NOT: shelf
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// CHECK-NOT: shelf
// CHECK: define {{.*}} @product(
// CHECK-NOT: shelf
// CHECK: call {{.*}} @llvm.nvvm.shfl.sync
// RECORDS-LABEL: define {{.*}} @beside(
// RECORDS-NOT: cp.async
// RECORDS: call {{.*}} @llvm.nvvm.shfl.sync
// RECORDS: {{^}$}}
// RUN: sh -c 'for m in 0 1 31 32 33 61 63 64 91; do \
// RUN:   %sim %t.plain.ll --kernel variance --grid 2 --block 80 --seeds 2 --compare %t.shuffles.ll -- frand:$((640 * m)) zero:1280 i32:$m i32:150 || exit 1; \
// RUN:   %sim %t.plain.ll --kernel product --grid 3 --block 64 --seeds 2 --compare %t.shuffles.ll -- frand:$((768 * m)) frand:$((4 * m)) zero:768 i32:$m || exit 1; \
// RUN:   %sim %t.plain.ll --kernel beside --grid 2 --block 64 --seeds 2 --compare %t.shuffles.ll -- frand:$((512 * m)) frand:3072 i32:$m || exit 1; \
// RUN:   %sim %t.plain.ll --kernel beside --grid 2 --block 64 --seeds 2 --compare %t.records.ll -- frand:$((512 * m)) frand:3072 i32:$m || exit 1; done'
extern "C" __global__ void variance(const float *__restrict__ a, float2 *__restrict__ o, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0, q = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j];
    for (int j = 0; j < m; j++)
        q += (a[i * m + j] - s) * (a[i * m + j] - s);
    o[i] = make_float2(s, q);
}
extern "C" __global__ void product(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j] * x[j];
    o[i] = s;
}
struct Cell {
    float x, y, z, u, v, w;
};
extern "C" __global__ void beside(const float *a, Cell *p, int m)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    const float *row = a + i * m;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += row[j];
    Cell c = p[i];
    p[i] = {c.y, s, c.u, c.x, c.w, c.v};
}
extern "C" __global__ __attribute__((annotate("coalda.without=ways-out"))) void told(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j] * x[j];
    o[i] = s;
}
extern "C" __global__ __attribute__((annotate("coalda.spares=false"))) void alone(const float *__restrict__ a, float *__restrict__ o, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += a[i * m + j];
    o[i] = s;
}
