// atomicCAS is relaxed, as CUDA defines it: clang's headers write it as a user writes an exchange that orders all memory of the system.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_75 -O0 -std=c++17 -fpass-plugin=%plugin -S %s -o %t.O0.ptx
// RUN: %FileCheck %s --check-prefix=O0 < %t.O0.ptx
// RUN: %ptxas -arch=sm_75 %t.O0.ptx -o /dev/null
// Without the feature, or the plugin, not a byte is another one.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-without=relaxed -S %s -o %t.without.ptx
// RUN: diff %t.plain.ptx %t.without.ptx
// What is computed is the same, whatever order the lanes and blocks run in.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %sim %t.ll --limit 2000000 --kernel table --grid 3 --block 70 --seeds 4 --dump=0:%t.table -- zero:256 iota:210 i32:210
// RUN: %python -c "import sys, array; t = sorted(array.array('I', open(sys.argv[1], 'rb').read())); assert t[-22:] == [0] + [i * 3 + 1 for i in range(21)], t" %t.table
// RUN: %sim %t.ll --limit 2000000 --kernel greatest --grid 3 --block 70 --seeds 4 --dump=0:%t.greatest -- zero:8 i32:210
// RUN: %python -c "import sys, struct; assert struct.unpack('d', open(sys.argv[1], 'rb').read()) == (104.5,)" %t.greatest
// RUN: %sim %t.ll --limit 2000000 --kernel locked --grid 3 --block 40 --seeds 6 --dump=1:%t.locked -- zero:4 zero:4
// RUN: %python -c "import sys, struct; assert struct.unpack('I', open(sys.argv[1], 'rb').read()) == (3,)" %t.locked
// RUN: %sim %t.ll --limit 2000000 --kernel counted --grid 2 --block 64 --seeds 4 --dump=0:%t.counted -- zero:4
// RUN: %python -c "import sys, struct; assert struct.unpack('I', open(sys.argv[1], 'rb').read()) == (34,)" %t.counted
#define KERNEL extern "C" __global__ void
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned short u16;
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: .entry widths(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK-NOT: fence
// CHECK: ret;
// O0-DAG: atom.relaxed.gpu.cas.b32
// O0-DAG: atom.relaxed.gpu.cas.b32
// O0-DAG: atom.relaxed.gpu.cas.b64
KERNEL widths(int *a, u32 *b, u64 *c, u16 *d) {
  *a = atomicCAS(a + 1, 1, 2), *b = atomicCAS(b + 1, 1u, 2u), *c = atomicCAS(c + 1, 1ull, 2ull), *d = atomicCAS(d + 1, (u16)1, (u16)2);
}
// CHECK-LABEL: .entry unasked(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: ret;
KERNEL unasked(int *a) { atomicCAS(a + ID, 0, 1); }
template <typename T> __device__ T exchanged(T *p, T v) { return atomicCAS(p, T(0), v); }
// CHECK-LABEL: .entry templates(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK: ret;
KERNEL templates(u64 *p) { p[ID] = exchanged<u64>(p + 7, ID); }

// A set of keys; 0 is none.
// CHECK-LABEL: .entry table(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK-NOT: fence
// CHECK: ret;
KERNEL table(u32 *slots, const u32 *key, int n) {
  u32 k = key[ID] % 21 * 3 + 1;
  for (u32 at = k * 7 % 64;; at = (at + 1) % 64) {
    u32 old = atomicCAS(slots + at, 0u, k);
    if (old == 0 || old == k) return;
  }
}
// A loop until nobody was faster.
// CHECK-LABEL: .entry greatest(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.global.cas.b64
// CHECK-NOT: fence
// CHECK: ret;
KERNEL greatest(double *all, int n) {
  double mine = 0.5 * (ID % n);
  u64 *p = (u64 *)all, old = *(volatile u64 *)p, seen;
  do {
    seen = old;
    old = atomicCAS(p, seen, __double_as_longlong(fmax(mine, __longlong_as_double(seen))));
  } while (old != seen);
}
// The program's own fences stay, and so does what it loads behind them.
// CHECK-LABEL: .entry locked(
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: membar.gl
// CHECK: ld.{{.*}}global
// CHECK: membar.gl
// CHECK: atom.global.exch.b32
// CHECK: ret;
KERNEL locked(u32 *lock, u32 *data) {
  for (bool done = threadIdx.x > 0; !done;)
    if (atomicCAS(lock, 0u, 1u) == 0) {
      __threadfence();
      *data = *data + 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
}
// Nor is anything that stands on one side of it taken for what stands on the other.
// CHECK-LABEL: .entry twice(
// CHECK: ld.global
// CHECK: st.global
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: ld.global
// CHECK: st.global
// CHECK: ret;
KERNEL twice(u32 *lock, u32 *data, u32 *q) {
  u32 before = data[1];
  q[0] = 5;
  if (atomicCAS(lock, before, 1u) == 0) q[0] = before + data[1];
}
// CHECK-LABEL: .entry counted(
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.shared.cas.b32
// CHECK-NOT: fence
// CHECK: ret;
KERNEL counted(u32 *sum) {
  __shared__ u32 slots[32];
  if (threadIdx.x < 32) slots[threadIdx.x] = ~0u;
  __syncthreads();
  u32 k = threadIdx.x % 17, at = k;
  for (u32 old; (old = atomicCAS(slots + at, ~0u, k)) != ~0u && old != k;) at = (at + 1) % 32;
  __syncthreads();
  if (threadIdx.x < 32 && slots[threadIdx.x] != ~0u) atomicAdd(sum, 1u);
}
// In a function of its own.
// CHECK-LABEL: .func {{.*}}apart
// CHECK-NOT: fence
// CHECK: atom.relaxed.gpu.cas.b32
__device__ __noinline__ int apart(int *p, int c) { return atomicCAS(p, c, 3); }
KERNEL calls(int *p) { p[ID] = apart(p + 1, 0); }

// Not what a user asks for.
// CHECK-LABEL: .entry ordered(
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK: atom.relaxed.sys.global.cas.b32
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK: ret;
KERNEL ordered(int *p, int *q) {
  int c = 0, d = 0;
  __atomic_compare_exchange_n(p, &c, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  q[0] = c;
  q[1] = __sync_val_compare_and_swap(p + 1, 0, 1);
  __atomic_compare_exchange_n(p + 2, &d, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  q[2] = d;
  q[3] = __nvvm_atom_cas_gen_i(p + 3, 1, 2);
}
// Where the compiler makes one exchange of CUDA's and of a user's, it is the user's.
// CHECK-LABEL: .entry merged(
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
// CHECK: ret;
KERNEL merged(int *p, int *q, int c) {
  int r = c ? atomicCAS(p, 0, 1) : __nvvm_atom_cas_gen_i(p, 0, 1);
  q[threadIdx.x] = r;
}
// CHECK-LABEL: .entry scoped(
// CHECK-NOT: fence
// CHECK: atom.cta{{.*}}cas.b32
// CHECK: atom.sys{{.*}}cas.b32
// CHECK: ret;
KERNEL scoped(int *p, int *q) { q[0] = atomicCAS_block(p, 0, 1), q[1] = atomicCAS_system(p, 0, 1); }
// CHECK-LABEL: .entry off(
// CHECK: fence.sc.sys
// CHECK: atom.acquire.sys.global.cas.b32
__attribute__((annotate("coalda.off"))) KERNEL off(int *p, int *q) { q[0] = atomicCAS(p, 0, 1); }
