// A cost table overrides the built-in numbers: decisions flip where it says otherwise, and stay where it is silent.
// RUN: %clang-device -O3 %s -o %t.ll
// RUN: %report %t.ll > %t.builtin && %FileCheck %s --check-prefix=BUILTIN < %t.builtin
// RUN: printf '# a GPU of no kind\n\n  MARGIN 10 percent   # as built in' > %t.silent
// RUN: %report %t.ll --cost=%t.silent | diff - %t.builtin
// RUN: printf 'CACHED 64 bytes\nMERGED 0\nLONG_USE 1 instructions\nHELD_ALONE 0\n' > %t.other
// RUN: %report %t.ll --cost=%t.other | %FileCheck %s --check-prefix=OTHER
// RUN: %opt -passes='coalda<cost=%t.other>' -S %t.ll -o %t.parameter.ll
// RUN: %opt -coalda-cost=%t.other -passes=coalda -S %t.ll -o %t.flag.ll && diff %t.parameter.ll %t.flag.ll
// RUN: %opt -passes=coalda -pass-remarks=coalda -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=RING
// RUN: %opt -passes='coalda<cost=%t.other>' -pass-remarks-missed=coalda -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=NO-RING
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Xarch_device -mllvm=-coalda-cost=%t.other -Rpass-missed=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NO-RING

// A number that the kernel's own table gives is for that kernel alone.
// RUN: printf 'CACHED 64\n' > %t.own && %clang-device -O3 -DOWN='"coalda.cost=%t.own"' %s -o %t.own.ll
// RUN: %report %t.own.ll --kernel=read | %FileCheck %s --check-prefix=OWN
// RUN: %report %t.own.ll --kernel=write | %FileCheck %s --check-prefix=BUILTIN-WRITE
// OWN-NOT: Exchanged

// BUILTIN: write
// BUILTIN-COUNT-3: store global 4 record 12 12 4 - Record
// BUILTIN: read
// BUILTIN-COUNT-16: load global 4 record 64 32 4 - Exchanged
// BUILTIN-WRITE-COUNT-3: store global 4 record 12 12 4 - Record
// OTHER: read
// OTHER-COUNT-16: load global 4 record 64 32 4 - Record
// OTHER: write
// OTHER-COUNT-3: store global 4 record 12 12 4 - Exchanged
// RING: in a ring of
// NO-RING: a ring of stages would not be faster
#ifndef OWN
#define OWN "none"
#endif
struct Long { unsigned w[16]; };
struct Short { unsigned w[3]; };
__attribute__((annotate(OWN))) __global__ void read(const Long *p, unsigned *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 0;
  for (int k = 0; k < 16; k++) s = s * 3 + p[i].w[k];
  q[i] = s;
}
__global__ void write(Short *q, unsigned x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; k++) q[i].w[k] = x * k + i;
}
__global__ void stage(const float *p, float *q, int n) {
  __shared__ float tile[256];
  float s = 0;
  for (int j = 0; j < n; j++) {
    tile[threadIdx.x] = p[(blockIdx.x * n + j) * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += tile[threadIdx.x ^ k];
    __syncthreads();
  }
  q[blockIdx.x * 256 + threadIdx.x] = s;
}
