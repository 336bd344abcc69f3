// The trace: what is found, tried, planned, refused and made of each kernel, in order, by lines of the source.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll && %opt -passes=coalda -S %t.ll -o %t.off.ll 2> %t.off
// RUN: %opt -passes='coalda<trace>' -S %t.ll -o %t.on.ll 2> %t.on && cmp %t.off.ll %t.on.ll
// RUN: %FileCheck %s < %t.on && %FileCheck %s --check-prefix=TOTAL < %t.on
// Off, it is silent; on twice, it says the same.
// RUN: test ! -s %t.off
// RUN: %opt -coalda-trace -passes=coalda -disable-output %t.ll 2> %t.again && cmp %t.on %t.again
// Of one kernel, nothing is said of the others, nor of all; of none, nothing, and that is no error.
// RUN: %opt -passes='coalda<trace=walked>' -S %t.ll -o %t.one.ll 2> %t.one && cmp %t.off.ll %t.one.ll
// RUN: grep 'trace: walked:' %t.on > %t.walked && cmp %t.walked %t.one
// RUN: %opt -coalda-trace=absent -passes=coalda -disable-output %t.ll 2> %t.none && test ! -s %t.none
// RUN: %opt -passes='coalda<trace;off>' -disable-output %t.ll 2> %t.none && test ! -s %t.none
// What would be made is traced as well, on the copy that it is rehearsed on.
// RUN: %opt -passes='print<coalda>' -coalda-trace=walked -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=PRINT
// Without debug information, loops and accesses are known by their blocks.
// RUN: %clang-device -O3 %s -o %t.bare.ll && %opt -passes='coalda<trace>' -disable-output %t.bare.ll 2>&1 | %FileCheck %s --check-prefix=BARE
// Unoptimized code is gone through twice, and what is made of the copy is not counted.
// RUN: %clang-device -O0 -Xclang -disable-O0-optnone -gline-tables-only %s -o %t.slow.ll
// RUN: %opt -passes='coalda<trace>' -disable-output %t.slow.ll 2>&1 | %FileCheck %s --check-prefix=SLOW
// SLOW: coalda: trace: staged: begins, in a copy
// SLOW: coalda: trace: staged: made: ring
// SLOW: coalda: trace: staged: begins{{$}}
// SLOW: coalda: trace: staged: made: ring
// SLOW: coalda: trace: in all: rings 1,
// LLVM's statistics, which are only written to files where LLVM was built as it is released.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -save-stats=obj -S %s -o %t.d/trace.s
// RUN: cat %t.d/*.stats | %FileCheck %s --check-prefix=STATS
// STATS-DAG: "coalda.exchanged": {{[1-9]}}
// STATS-DAG: "coalda.rings": 1
// STATS-DAG: "coalda.tallies": 2
// STATS-DAG: "coalda.walks": 1
// In clang's own pipeline, and of one kernel by its annotation.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -DANNOTATED -fpass-plugin=%plugin -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=OWN
// OWN-NOT: trace: {{walked|rowed|staged|added}}
// OWN: trace: recorded: made: exchange
// OWN-NOT: trace: {{walked|rowed|staged|added}}

#ifdef ANNOTATED
#define OWN __attribute__((annotate("coalda.trace")))
#else
#define OWN
#endif
struct P { float x, y, z, w, u, v; };

// CHECK: coalda: trace: recorded: begins
// CHECK: coalda: trace: staged: found: ring of asynchronous copies, loop at trace.cu:[[#STAGED:]], [[#]] stages of
// CHECK: coalda: trace: staged: settled
// CHECK: coalda: trace: staged: anew
// CHECK: coalda: trace: staged: made: ring, loop at trace.cu:[[#STAGED]]
// CHECK: coalda: trace: staged: anew
// CHECK: coalda: trace: staged: found: tile, loop {{.*}} by now
// CHECK: coalda: trace: added: found: tally, loop at trace.cu:[[#]], of 1 place
// CHECK: coalda: trace: added: made: tally
// CHECK: coalda: trace: walked: found: walk, loop at trace.cu:[[#WALKED:]], [[#TIMES:]] iterations at a time
// CHECK: coalda: trace: walked: tried: walk, loop at trace.cu:[[#WALKED]], made [[#TIMES]] times as long
// CHECK: coalda: trace: walked: anew
// CHECK: coalda: trace: recorded: plan: group [[#FEW:]] of 2 loads at trace.cu:[[#]], 8 bytes, cost [[#]], rewritten [[#]]
// CHECK-NEXT: coalda: trace: recorded: refused: group [[#FEW]]: NoGain (a rewrite would not be faster)
// CHECK-NEXT: coalda: trace: recorded: plan: group [[#RECORD:]] of 2 stores at trace.cu:[[#]], 24 bytes, cost [[#]], rewritten [[#]]
// CHECK-NEXT: coalda: trace: recorded: plan: region of group [[#RECORD]], from trace.cu:
// CHECK: coalda: trace: walked: plan: group [[#ROW:]] of [[#]] loads at trace.cu:[[#WALKED]]
// CHECK: coalda: trace: walked: made: walk, loop at trace.cu:[[#WALKED]], [[#TIMES]] times as long
// CHECK: coalda: trace: rowed: undone: walk, loop at trace.cu:[[#]]: {{[A-Z][A-Za-z]+ \(.*\)|the plan.*}}
// CHECK: coalda: trace: recorded: refused: load of 4 bytes at trace.cu:[[#]]: NoGain (a rewrite would not be faster), 2 times
// CHECK: coalda: trace: recorded: made: exchange of group [[#RECORD]]
// CHECK: coalda: trace: walked: made: exchange of group {{[0-9]+}}
// CHECK: coalda: trace: {{.*}}: made: limit of 64 registers
// TOTAL: coalda: trace: in all: rings 1, fills 0, tallies 2, lookaheads 0, batches {{[0-9]+}}, reductions 0, walks 1, sought 0, undone 1, jams {{[0-9]+}}, gates 0, regions {{[1-9][0-9]*}}, exchanged {{[1-9][0-9]*}}, widened {{[0-9]+}}, paddings 0, turns 0, limits {{[1-9]}}
// PRINT: coalda: trace: walked: tried: walk, {{.*}}, on a copy
// PRINT: coalda: trace: walked: tried: walk, {{.*}}, which pays
// PRINT-NOT: made:
// BARE: coalda: trace: walked: found: walk, loop of {{%|block }}
extern "C" {
OWN __global__ void recorded(const P *__restrict__ p, const P *__restrict__ few, const int *__restrict__ at, P *__restrict__ q) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  P r = p[t];
  r.x += few[at[t]].x * few[at[t]].y;
  q[t] = r;
}
__global__ void walked(const int *__restrict__ a, int *q, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  q[t] = s;
}
__global__ void rowed(const float4 *__restrict__ a, float *__restrict__ q, int fours) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < fours; j++) s += a[t * fours + j].x * a[t * fours + j].w;
  q[t] = s;
}
__global__ void staged(const float *a, float *q, int n) {
  __shared__ float tile[256];
  float s = 0;
  for (int k = 0; k < n; k++) {
    tile[threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    s += tile[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = s;
}
__global__ void added(const float *a, float *q, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) q[t] += a[k * 1024 + t];
}
}
