// What a profile decided for a kernel is what the same options say of all of them; of another body it is told, and not obeyed.
// DEFINE: %{compile} = %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -fpass-plugin=%plugin -o
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.plain
// RUN: rm -f %t.hashes && %{compile} %t.on -mllvm -coalda-hashes=%t.hashes
// RUN: sort %t.hashes | %FileCheck %s --check-prefix=HASHES
// RUN: %not cmp -s %t.plain %t.on

// RUN: sed -e '1i coalda-profile 1' -e 's/$/\ndecide off/' %t.hashes > %t.off.coalda
// RUN: %{compile} %t.off -mllvm -coalda-profile=%t.off.coalda && cmp %t.plain %t.off
// RUN: env COALDA_PROFILE=%t.off.coalda %{compile} %t.env && cmp %t.plain %t.env
// RUN: env COALDA_OPTIONS=off %{compile} %t.env && cmp %t.plain %t.env
// A flag is heard before the environment:
// RUN: env COALDA_OPTIONS=off %{compile} %t.flag -mllvm -coalda-off=false && cmp %t.on %t.flag
// RUN: %not env COALDA_OPTIONS=of %{compile} %t.wrong 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: error: COALDA_OPTIONS: coalda has no option 'of'; it has off,

// RUN: sed 's/decide off/decide default/' %t.off.coalda > %t.default.coalda
// RUN: %{compile} %t.default -mllvm -coalda-profile=%t.default.coalda && cmp %t.on %t.default
// RUN: sed 's/decide off/decide without=rings;block=32/' %t.off.coalda > %t.without.coalda
// RUN: %{compile} %t.without -mllvm -coalda-profile=%t.without.coalda
// RUN: %{compile} %t.options -mllvm -coalda-without=rings -mllvm -coalda-block=32 && cmp %t.options %t.without
// RUN: %not cmp -s %t.on %t.without
// RUN: sed 's/decide off/decide always/' %t.off.coalda > %t.always.coalda
// RUN: %{compile} %t.always -mllvm -coalda-profile=%t.always.coalda
// RUN: %{compile} %t.options -mllvm -coalda-always && cmp %t.options %t.always

// What is wrong with a file is an error of the compilation:
// RUN: printf 'coalda-profile 1\nkernel _Z5stagePKfPfi\ndecides off\n' > %t.bad.coalda
// RUN: %not %{compile} %t.bad -mllvm -coalda-profile=%t.bad.coalda 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: error: coalda option 'profile': {{.*}}.bad.coalda:3: no line begins with 'decides': there are kernel, decide, part, argument and launch
// RUN: %not env COALDA_PROFILE=%t.absent %{compile} %t.bad 2>&1 | %FileCheck %s --check-prefix=ABSENT
// ABSENT: error: coalda option 'profile': {{.*}}.absent: No such file or directory
// RUN: %not %{compile} %t.bad -mllvm -coalda-hashes=%t.absent/file 2>&1 | %FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: coalda option 'hashes': {{.*}}absent/file: No such file or directory

// One kernel alone, of any body; what the kernel says of itself is heard first:
// RUN: printf 'coalda-profile 1\nkernel _Z5stagePKfPfi # by hand\ndecide off\nkernel _Z3ownPK4LongPj\ndecide without=rings;always\n' > %t.one.coalda
// RUN: %{compile} %t.one -mllvm -coalda-profile=%t.one.coalda -Rpass=coalda -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=ONE
// ONE: profile.cu:[[# @LINE + 51]]:{{.*}} stage(float const*, float*, int): 'off' ({{.*}}.one.coalda:3) was decided by a profile
// ONE-NOT: in a ring of
// ONE: rewritten
// ONE-NOT: profile.cu:[[# @LINE + 43]]:{{.*}} rewritten:

// Another body:
// RUN: sed 's/\(kernel _Z4read.* \)................$/\10123456789abcdef/' %t.off.coalda > %t.stale.coalda
// RUN: %{compile} %t.stale -mllvm -coalda-profile=%t.stale.coalda -Rpass=coalda -Rpass-missed=coalda 2>&1 | %FileCheck %s --check-prefix=STALE
// STALE: read(Long const*, unsigned int*): 'off' ({{.*}}.stale.coalda:{{[0-9]+}}) was decided for another body of the kernel, and is not obeyed: measure anew with coalda-tune
// STALE: rewritten
// RUN: %clang -DCHANGED --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -fpass-plugin=%plugin -o %t.stale -mllvm -coalda-profile=%t.off.coalda -Rpass-missed=coalda 2>&1 | %FileCheck %s --check-prefix=CHANGED
// CHANGED: read(Long const*, unsigned int*): 'off' {{.*}} was decided for another body of the kernel

// Names of a file's own kernels change with the command line, and are the same for a profile:
// RUN: rm -f %t.rdc.hashes && %{compile} %t.rdc -DOWN_NAME=static -fgpu-rdc -mllvm -coalda-hashes=%t.rdc.hashes
// RUN: sed -e '1i coalda-profile 1' -e 's/$/\ndecide off/' %t.rdc.hashes > %t.rdc.coalda
// RUN: %{compile} %t.rdc -DOWN_NAME=static -fgpu-rdc -mllvm -coalda-profile=%t.rdc.coalda -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=RDC
// RDC: remark: read(Long const*, unsigned int*): 'off' ({{.*}}) was decided by a profile

// By opt the hashes are those of the module that it is given, and nothing of it stays behind:
// RUN: %clang-device -O3 %s -o %t.ll && %opt-plain -passes=verify %t.ll -S -o %t.plain.ll && rm -f %t.ll.hashes
// RUN: %opt -passes='coalda<off;hashes=%t.ll.hashes>' %t.ll -S -o %t.off.ll && cmp %t.plain.ll %t.off.ll
// RUN: sed -e '1i coalda-profile 1' -e 's/$/\ndecide off/' %t.ll.hashes > %t.ll.coalda
// RUN: %opt -passes='coalda<profile=%t.ll.coalda>' %t.ll -S -o %t.off.ll && cmp %t.plain.ll %t.off.ll
// RUN: env COALDA_OPTIONS=off COALDA_PROFILE=absent %opt -passes=coalda -pass-remarks=coalda -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OPT
// OPT: rewritten

// HASHES: kernel _Z3ownPK4LongPj {{[0-9a-f]+}}
// HASHES-NEXT: kernel _Z4readPK4LongPj {{[0-9a-f]+}}
// HASHES-NEXT: kernel _Z5stagePKfPfi {{[0-9a-f]+}}
// HASHES-NOT: {{.}}
#ifndef OWN_NAME
#define OWN_NAME
#endif
struct Long { unsigned w[16]; };
OWN_NAME __global__ void read(const Long *p, unsigned *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 0;
  for (int k = 0; k < 16; k++) s = s * 3 + p[i].w[k];
#ifdef CHANGED
  s++;
#endif
  q[i] = s;
}
__attribute__((annotate("coalda.without=exchanges+widening"))) __global__ void own(const Long *p, unsigned *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i] = p[i].w[0] + p[i].w[1] + p[i].w[2];
}
// A loop that runs a known number of times: whether it is kept from being unrolled is decided before the end of the pipeline.
__global__ void stage(const float *p, float *q, int n) {
  __shared__ float tile[256];
  float s = 0;
  for (int j = 0; j < 8; j++) {
    tile[threadIdx.x] = p[(blockIdx.x * n + j) * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += tile[threadIdx.x ^ k];
    __syncthreads();
  }
  q[blockIdx.x * 256 + threadIdx.x] = s;
}
void launch(const Long *p, unsigned *q) { read<<<1, 32>>>(p, q); }
