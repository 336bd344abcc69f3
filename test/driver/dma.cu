// coalda-report --dma: each copy from global to shared memory, by what it is made, how much of it is under way, and what keeps it from better;
// as text and as JSON, from remarks, from device IR as it was, and from device IR once it is rewritten.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-file=%t.yaml -S %s -o %t.ptx
// RUN: %report --dma %t.yaml | %FileCheck %s --check-prefix=TEXT
// TEXT: sequential: 1 copy to shared memory
// TEXT-NEXT: place array engine, bytes class bytes aligned stages in flight blocks of an SM
// TEXT-NEXT: dma.cu:{{[0-9]+:[0-9]+}} sequential::s cp.async 16 unit 4 4, 16 tested {{[0-9]}} x {{[0-9]}}
// TEXT-NEXT: strided: 1 copy to shared memory
// TEXT: kept from better: consecutive threads skip the bytes between them; let consecutive threads touch consecutive elements
// TEXT: unaligned: 1 copy to shared memory
// TEXT: kept from better: shared memory that leaves room for other blocks has no room for more stages; make the tile smaller
// TEXT: refused: 1 copy to shared memory
// TEXT: kept from better: the loop does not run from barrier to barrier with one way in and one way out: the branch in line {{[0-9]+}}; leave it by its condition alone
// OLD: sequential: 1 copy to shared memory
// OLD: registers 4 unit
// OLD-NEXT: kept from better: asynchronous copies need sm_80
// PLAIN: sequential: 1 copy to shared memory
// PLAIN: cp.async 16 unit 4 4, 16 tested
// RUN: %report --dma --format=json %t.yaml > %t.json && %python %S/dma.py %t.json %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %report --dma --format=json %t.ll > %t.ll.json && %python %S/dma.py %t.ll.json %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_75 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-file=%t.75.yaml -S %s -o %t.75.ptx
// RUN: %report --dma --format=json --kernel=sequential %t.75.yaml > %t.75.json && %python %S/dma.py %t.75.json
// RUN: %report --dma --kernel=sequential %t.75.yaml | %FileCheck %s --check-prefix=OLD
// RUN: %clang-device -O3 -std=c++17 -I%source/include -gline-tables-only %s -o %t.plain.ll && %report --dma --kernel=sequential %t.plain.ll | %FileCheck %s --check-prefix=PLAIN
// RUN: %report --dma --kernel=nothing %t.yaml | %FileCheck %s --check-prefix=NOTHING
// RUN: %not %report --dma --format=csv %t.yaml 2>&1 | %FileCheck %s --check-prefix=FORMAT
// RUN: %not %report --dma --diff %t.yaml %t.yaml 2>&1 | %FileCheck %s --check-prefix=DIFF
// RUN: %not %report --dma --fail-above=2 %t.yaml 2>&1 | %FileCheck %s --check-prefix=DIFF
// RUN: %not %report --dma --kernel=missing %t.yaml 2>&1 | %FileCheck %s --check-prefix=MISSING
// RUN: %report %t.yaml --format=json > %t.report.json && %not %report --dma %t.report.json 2>&1 | %FileCheck %s --check-prefix=REPORT
// FORMAT: coalda-report: --dma has the formats text and json
// DIFF: coalda-report: --dma goes with neither --diff nor --fail-above
// MISSING: coalda-report: no access of a kernel called 'missing'
// REPORT: coalda-report: --dma takes device IR or remarks: a report does not tell of copies
// NOTHING: no copy from global to shared memory
#include <coalda.h>
#define K extern "C" __global__ void __launch_bounds__(256)
#define ARGS const float *__restrict__ g, const int *__restrict__ list, float *__restrict__ q, int n
#define T threadIdx.x
#define TILES _Pragma("unroll 1") for (int i = 0; i < n; i++)

struct alignas(64) Map { char bytes[128]; };
// ROW kernel: what is expected of the row of the line below; each is looked for in the JSON.
K sequential(ARGS) {
  __shared__ float s[256];
  float sum = 0;
  TILES {
    // ROW sequential engine=cp.async piece=16 bytes=4 aligned=4 tested=16 class=unit
    s[T] = g[i * 256 + T];
    __syncthreads();
    sum += s[255 - T] + s[T / 2];
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K strided(ARGS) {
  __shared__ float s[256];
  float sum = 0;
  TILES {
    // ROW strided engine=cp.async piece=4 tested=None class=strided keeps=Strided
    s[T] = g[(i * 256 + T) * 8];
    __syncthreads();
    sum += s[255 - T] + s[T / 2];
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K gathered(ARGS) {
  __shared__ float s[256];
  float sum = 0;
  TILES {
    // ROW gathered engine=cp.async piece=4 class=gather keeps=Gather
    s[T] = g[list[i * 256 + T]];
    __syncthreads();
    sum += s[255 - T] + s[T / 2];
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K transposed(ARGS) {
  __shared__ float s[16][17];
  float sum = 0;
  TILES {
    // ROW transposed engine=cp.async piece=4 keeps=MoveLanes
    s[T % 16][T / 16] = g[i * 256 + T];
    __syncthreads();
    sum += s[T / 16][T % 16] + s[T % 16][3];
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
struct Four { float x, y, z, w; };
K unaligned(ARGS) {
  __shared__ alignas(16) Four s[256];
  float sum = 0;
  const Four *f = (const Four *)g;
  TILES {
    // ROW unaligned engine=cp.async piece=16 bytes=16 aligned=4 tested=16 keeps=MoveRoom
    s[T] = f[list[0] + i * 256 + T];
    __syncthreads();
    sum += s[255 - T].x + s[T / 2].w;
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K refused(ARGS) {
  __shared__ float s[256];
  float sum = 0;
  TILES {
    // ROW refused engine=loads_and_stores keeps=TileShape
    s[T] = g[i * 256 + T];
    __syncthreads();
    sum += s[255 - T];
    if (sum > 100) break;
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K converting(ARGS) {
  __shared__ float s[256];
  float sum = 0;
  TILES {
    // ROW converting engine=registers keeps=TileValue
    s[T] = g[i * 256 + T] * 2;
    __syncthreads();
    sum += s[255 - T] + s[T / 2];
    __syncthreads();
  }
  q[blockIdx.x * 256 + T] = sum;
}
K own(ARGS) {
  __shared__ float s[2][256];
  float sum = 0;
  // ROW own engine=own_cp.async piece=4 stages=2 keeps=MoveNarrow array=own::s in_flight=2048
  auto f = coalda::copy_async(s[0], g, 256);
  for (int i = 1; i < n; i++) {
    auto next = coalda::copy_async(s[i & 1], g + i * 256, 256);
    coalda::wait<1>(f);
    sum += s[(i - 1) & 1][255 - T];
    coalda::done();
    f = next;
  }
  coalda::wait(f);
  q[T] = sum + f.data[T];
}
K filled(ARGS) {
  __shared__ float s[2048];
  // ROW filled engine=loads_and_stores bytes=32 in_flight=8192 keeps=MoveAlone
  for (int k = T; k < 2048; k += 256) s[k] = g[blockIdx.x * 2048 + k];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) sum += s[(i * 33 + T) & 2047];
  q[T] = sum;
}
K looped(ARGS) {
  __shared__ float s[2048];
  // ROW looped engine=loads_and_stores in_flight=1024 keeps=FillNoGain
  for (int k = T; k < n; k += 256) s[k] = g[list[k]];
  __syncthreads();
  q[T] = s[n - 1 - T];
}
K segment(ARGS) {
  __shared__ float s[2048];
  // ROW segment engine=cp.async piece=4 class=unit in_flight=8192 keeps=MoveNarrow
  for (int k = T; k < n; k += blockDim.x) s[k] = g[blockIdx.x * n + k];
  __syncthreads();
  q[T] = s[(T * 37 + 11) % n];
}
K awaited_at_once(ARGS) {
  __shared__ float s[1024];
  float sum = 0;
  TILES {
    // ROW awaited_at_once engine=own_cp.async stages=1 keeps=MoveAwaited
    auto f = coalda::copy_async<16>(s, g + i * 1024, 512);
    auto h = coalda::copy_async<16>(s + 512, g + i * 1024 + 512, 512);
    coalda::wait(f, h);
    if (sum < 100) sum += s[T] + s[1023 - T];
    if (sum > 1000) break;
    coalda::done();
  }
  q[T] = sum;
}
// One thread for all of a tile: two buffers; one, which is waited for at once; rows; rows that are short; as many bytes as the program says.
K bulk(ARGS) {
  __shared__ alignas(16) float s[2][1024];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  auto now = c[0].copy<16>(s[0], g, 1024), next = now;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    // ROW bulk engine=own_bulk piece=4096 bytes=4096 aligned=16 stages=2 in_flight=8192 keeps=None array=bulk::s
    if (i + 1 < n) next = c[(i + 1) % 2].copy<16>(s[(i + 1) % 2], g + (i + 1) * 1024, 1024);
    coalda::wait(now);
    sum += now.data[1023 - T];
    coalda::done();
    now = next;
  }
  q[T] = sum;
}
K bulk_at_once(ARGS) {
  __shared__ alignas(16) float s[1024];
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  float sum = 0;
  for (int i = 0; i < n; i++) {
    // ROW bulk_at_once engine=own_bulk piece=4096 stages=1 in_flight=4096 keeps=MoveAwaited
    auto f = c[0].copy<16>(s, g + i * 1024, 1024);
    coalda::wait(f);
    sum += s[1023 - T];
    coalda::done();
  }
  q[T] = sum;
}
K bulk_rows(ARGS) {
  __shared__ alignas(16) float s[2][4 * 512];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  float sum = 0;
  for (int i = 0; i < n; i++) {
    // ROW bulk_rows engine=own_bulk piece=2048 stages=2 in_flight=16384
    auto f = c[i & 1].copy_2d<16>(s[i & 1], 512, g + i * 512, 4096, 4, 512);
    sum += s[~i & 1][2047 - T];
    coalda::wait(f);
    coalda::done();
  }
  q[T] = sum;
}
K bulk_short(ARGS) {
  __shared__ alignas(16) float s[64];
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  float sum = 0;
  for (int i = 0; i < n; i++) {
    // ROW bulk_short engine=own_bulk piece=256 keeps=MoveShort
    auto f = c[0].copy<16>(s, g + i * 64, 64);
    coalda::wait(f);
    sum += s[63 - T % 64];
    coalda::done();
  }
  q[T] = sum;
}
K bulk_of_n(ARGS) {
  __shared__ alignas(16) float s[1024];
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  // ROW bulk_of_n engine=own_bulk piece=None bytes=None aligned=16 stages=None in_flight=4096 keeps=None
  auto f = c[0].copy<16>(s, g, n);
  coalda::wait(f);
  q[T] = s[n - 1 - T];
}
K tensor_box(ARGS, const __grid_constant__ Map map) {
  __shared__ alignas(128) float s[32][32];
  __shared__ unsigned long long bar;
  const unsigned b = coalda::detail::shared_address(&bar);
  if (T == 0) {
    coalda::detail::phases_begin(b, 1);
    coalda::detail::fence_init();
    coalda::detail::arrive_expect(b, sizeof s);
    // ROW tensor_box engine=own_bulk piece=None aligned=16 stages=1 in_flight=4096 keeps=None
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(coalda::detail::shared_address(s)), "l"(&map), "r"(b), "r"(n), "r"(0) : "memory");
  }
  __syncthreads();
  while (!coalda::detail::phase_is_over(b, 0)) {
  }
  q[T] = s[T % 32][T / 32];
}
K once(ARGS) {
  __shared__ float s[256];
  // ROW once engine=loads_and_stores keeps=MoveAlone
  s[T] = g[blockIdx.x * 256 + T];
  __syncthreads();
  q[T] = s[255 - T];
}
K nothing(ARGS) { q[T] = g[T]; }
