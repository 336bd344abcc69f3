// The page of coalda-report is for those who do not see it, have no mouse, or a narrow screen, as well: where there is a chromium, its accessibility
// tree is asked, and whether anything is wider than a phone.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll
// RUN: %report %t.ll --format=html > %t.html && %python %S/page.py %t.html
// What a thread reads in fewer and wider pieces is drawn as well.
// RUN: %FileCheck %s < %t.html
// CHECK: own(float const*, float*)
// CHECK: as written: 32 lanes, 4 bytes each, 16 sectors</figcaption>
// CHECK-SAME: rewritten: 32 lanes, 16 bytes each, 16 sectors, one request of the wider ones</figcaption>
// CHECK-SAME: neighbours are 16 bytes apart. 512 of 512 bytes are asked for.
// Kernels come by the bytes that move in vain, or by the time that a profile tells.
// RUN: %report %t.ll | %FileCheck %s --check-prefix=LOST
// LOST: moved(R const*, R*): 12 accesses
// LOST: strided(float*): 2 accesses
// LOST: own(float const*, float*): 5 accesses
// RUN: printf 'coalda-profile 1\nkernel _Z3ownPKfPf 0000000000000001\nlaunch grid 1x1x1 block 32x1x1 shared 0 count 10 median 2.5\nlaunch grid 2x1x1 block 32x1x1 shared 0 count 1 median 5\n' > %t.coalda
// RUN: printf 'kernel _Z5movedPK1RPS_\nlaunch grid 1x1x1 block 32x1x1 shared 0 count 1 median 4\n' >> %t.coalda
// RUN: %report %t.ll --profile=%t.coalda | %FileCheck %s --check-prefix=TIME
// TIME: own(float const*, float*): 5 accesses,{{.*}}, 30 us in 11 launches
// TIME: moved(R const*, R*): 12 accesses,{{.*}}, 4 us in 1 launch
// TIME: strided(float*): 2 accesses
// RUN: %report %t.ll --profile=%t.coalda --format=json | %FileCheck %s --check-prefix=JSON
// JSON: "totals": [
// JSON-NEXT: "kernel": "_Z3ownPKfPf",{{.*}} "lost": 1536, "lost_rewritten": 0, "launches": 11, "microseconds": 30}
// JSON-NEXT: "kernel": "_Z5movedPK1RPS_",{{.*}} "launches": 1, "microseconds": 4}
// JSON-NEXT: "kernel": "_Z7stridedPf",{{.*}} "launches": null, "microseconds": null}
// RUN: %report %t.ll --profile=%t.coalda --format=html > %t.time.html && %python %S/page.py %t.time.html && %FileCheck %s --check-prefix=HTML < %t.time.html
// HTML: <caption>kernels, the longest first</caption>
// HTML: own(float const*, float*)</code></th><td role="cell" class="n" data-k="microseconds">30</td>
// HTML: strided(float*)</code></th><td role="cell" class="n" data-k="microseconds"></td>
// RUN: %not %report %t.ll --profile=%t.ll 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: coalda-report: {{.*}}.ll:1:
// RUN: %not %report --diff %t.ll %t.ll --profile=%t.coalda 2>&1 | %FileCheck %s --check-prefix=BOTH
// BOTH: coalda-report: --profile goes with neither --diff nor --dma
struct R { float x, y, z, w, u, v; };
__global__ void own(const float *p, float *q) {
  const float *r = (const float *)__builtin_assume_aligned(p + 4 * threadIdx.x, 16);
  q[threadIdx.x] = r[0] * r[1] + r[2] * r[3];
}
__global__ void moved(const R *p, R *q) {
  R r = p[blockIdx.x * blockDim.x + threadIdx.x];
  r.x += r.y, r.z *= r.w, r.u -= r.v;
  q[blockIdx.x * blockDim.x + threadIdx.x] = r;
}
__global__ void strided(float *p) { p[(blockIdx.x * blockDim.x + threadIdx.x) * 256] *= 2; }
