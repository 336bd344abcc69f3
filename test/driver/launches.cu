// Launches that a profile tells are priced, which is told; those of another body are not. Bounds by profile are written where they are asked
// for, and said aloud.
// DEFINE: %{compile} = %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -fpass-plugin=%plugin -o
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.plain
// RUN: rm -f %t.hashes && %{compile} %t.on -mllvm -coalda-hashes=%t.hashes
// RUN: %FileCheck %s --check-prefix=UNBOUNDED < %t.on

// RUN: sed -e '1i coalda-profile 2' -e 's/$/\nargument 2 1 8\nlaunch grid 40 block 32x4 shared 0 count 3 median 2\nlaunch grid 1 block 200 shared 0 count 1 median 1/' %t.hashes > %t.coalda
// RUN: %{compile} %t.priced -mllvm -coalda-profile=%t.coalda -Rpass-analysis=coalda -Rpass-missed=coalda 2>&1 | %FileCheck %s --check-prefix=PRICED
// PRICED: launches.cu:[[# @LINE + 48]]:{{.*}} remark: rows(float const*, float*, int, int): 'launches of 40 blocks of 128 threads, most of them of 32x4x1, argument 2 from 1 to 8' ({{.*}}.coalda:{{[0-9]+}}) are what it is priced for [-Rpass-analysis=coalda]
// PRICED: in launches that the profile has seen, its loop runs too short; measure launches that make more iterations
// RUN: %not cmp -s %t.on %t.priced
// RUN: %FileCheck %s --check-prefix=UNBOUNDED < %t.priced
// UNBOUNDED-NOT: .maxntid 200

// What was measured without that stays as it was measured, unless it is asked for:
// RUN: sed 's/^argument/decide default\nargument/' %t.coalda > %t.default.coalda
// RUN: %{compile} %t.default -mllvm -coalda-profile=%t.default.coalda -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=DEFAULT
// DEFAULT-NOT: priced
// RUN: cmp %t.on %t.default
// RUN: sed 's/^argument/decide launches\nargument/' %t.coalda > %t.launches.coalda
// RUN: %{compile} %t.launches -mllvm -coalda-profile=%t.launches.coalda && cmp %t.priced %t.launches

// Another body:
// RUN: sed 's/\(kernel .* \)................$/\10123456789abcdef/' %t.coalda > %t.stale.coalda
// RUN: %{compile} %t.stale -mllvm -coalda-profile=%t.stale.coalda -mllvm -coalda-bounds -Rpass-missed=coalda 2>&1 | %FileCheck %s --check-prefix=STALE
// STALE: rows(float const*, float*, int, int): 'launches' ({{.*}}.stale.coalda:{{[0-9]+}}) were launches of another body of the kernel, and are not priced: measure anew with coalda-tune
// STALE: rows(float const*, float*, int, int): 'bounds' ({{.*}}) is to bound its blocks, and no launches are known: measure launches, by libcoalda-trace.so
// RUN: cmp %t.on %t.stale

// Bounds, by the profile or by an option:
// RUN: sed 's/^argument/decide bounds\nargument/' %t.coalda > %t.bounds.coalda
// RUN: %{compile} %t.bounds -mllvm -coalda-profile=%t.bounds.coalda -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=SAID
// SAID: rows(float const*, float*, int, int): 'bounds' ({{.*}}.bounds.coalda:{{[0-9]+}}) is written into it as __launch_bounds__(200): larger blocks are no longer launched, and fail
// SAID-NOT: _Z4own{{.*}} __launch_bounds__
// RUN: %FileCheck %s --check-prefix=BOUNDED < %t.bounds
// BOUNDED: .entry _Z4rowsPKfPfii(
// BOUNDED-NOT: }
// BOUNDED: .maxntid 200
// BOUNDED: .entry _Z3ownPKfPf(
// BOUNDED-NOT: }
// BOUNDED: .maxntid 512
// RUN: %{compile} %t.option -mllvm -coalda-profile=%t.coalda -mllvm -coalda-bounds && cmp %t.bounds %t.option
// Of no kernel without a profile:
// RUN: %{compile} %t.none -mllvm -coalda-bounds && cmp %t.on %t.none
// What is left as it is, is:
// RUN: sed 's/^argument/decide off;bounds\nargument/' %t.coalda > %t.off.coalda
// RUN: %{compile} %t.off -mllvm -coalda-profile=%t.off.coalda && cmp %t.plain %t.off
// By opt, nothing of it stays behind:
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes='coalda<profile=%t.coalda>' %t.ll -S -o - | %FileCheck %s --check-prefix=CLEAN
// CLEAN-NOT: coalda-launched
// CLEAN-NOT: coalda-decided
// CLEAN-NOT: coalda-parts
// RUN: %not %{compile} %t.bad -mllvm -coalda-bounds=often 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: coalda option 'bounds' takes nothing, true or false, not 'often'

__global__ void rows(const float *a, float *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[(size_t)i * m + j];
  out[i] = s;
}
__global__ void __launch_bounds__(512) own(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x] + 1; }
