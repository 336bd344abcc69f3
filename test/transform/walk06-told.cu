// What became of an access is told in one sentence, though its loop is many times as long, and four loops are left of it:
// the longer one, one of 128 bytes, one of a sector, one of single elements.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -Rpass-analysis=coalda -S %s -o %t.ptx 2>&1 | grep remark: | sort > %t.told
// RUN: %FileCheck %s < %t.told
// Without source lines all of them are told, and what is left of a row is told to be that, not to be refused.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s --check-prefix=REST < %t.yaml
// REST-NOT: NoGain
// REST: Name: {{ *}}Rest
// REST: String: {{.*}}load of 4 bytes in global memory, walk with stride {{.*}}: 32 sectors where 4 would do; what is left of a row whose blocks move together, less than one of them
// REST-NOT: NoGain
extern "C" __global__ void scaled(const float *a, const float *x, const float *w, float *y, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (int j = 0; j < m; j++)
    y[t * m + j] =
        a[t * m + j] *
            x[j] +
        w[t];
}
// CHECK-NOT: remark
// CHECK: :[[#@LINE-6]]:{{[0-9]+}}: remark: store of 4 bytes{{.*}}; rewritten: the warp moves
// CHECK-NEXT: :[[#@LINE-6]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}; rewritten: the warp moves
// CHECK-NEXT: :[[#@LINE-6]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}, uniform
// CHECK-NEXT: :[[#@LINE-6]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}, unit
// CHECK-NOT: remark
