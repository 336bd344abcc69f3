// Pipelines and barriers of CUDA in __shared__: each form moves tiles of 1024 words and writes them turned around. Results are compared on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
namespace cg = cooperative_groups;
enum { TILE = 1024, T = 256 };
using Scope = cuda::barrier<cuda::thread_scope_block>;
#define K __global__ void __launch_bounds__(512)
#define ARGS const unsigned *__restrict__ g, unsigned *__restrict__ out, int n
__device__ void use(const unsigned *s, unsigned *out, unsigned t, unsigned threads) {
  for (unsigned k = t; k < TILE; k += threads) out[k] = s[TILE - 1 - k] * 3 + 1;
}
#define AT(i) ((size_t)(i) * gridDim.x + blockIdx.x) * TILE
template <int STAGES> K unified(ARGS) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  __shared__ alignas(16) unsigned s[STAGES][TILE];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int ahead = 0;
  for (int i = 0; i < n; i++) {
    for (; ahead < n && ahead < i + STAGES; ahead++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[ahead % STAGES], g + AT(ahead), cuda::aligned_size_t<16>(TILE * 4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    use(s[i % STAGES], out + AT(i), threadIdx.x, blockDim.x);
    pipe.consumer_release();
  }
}
template <int STAGES> K by_role(ARGS) { // the last two warps copy
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  __shared__ alignas(16) unsigned s[STAGES][TILE];
  auto block = cg::this_thread_block();
  const unsigned computing = blockDim.x - 64;
  const auto role = threadIdx.x < computing ? cuda::pipeline_role::consumer : cuda::pipeline_role::producer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    auto warp = cg::tiled_partition<32>(block);
    const unsigned half = (threadIdx.x - computing) / 32 * (TILE / 2);
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, s[i % STAGES] + half, g + AT(i) + half, cuda::aligned_size_t<16>(TILE * 2), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      use(s[i % STAGES], out + AT(i), threadIdx.x, computing);
      pipe.consumer_release();
    }
  }
}
template <int STAGES> K by_count(ARGS) { // so many threads are producers
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  __shared__ alignas(16) unsigned s[STAGES][TILE];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, (size_t)64);
  if (block.thread_rank() < 64) {
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      for (int k = block.thread_rank() * 4; k < TILE; k += 256)
        cuda::memcpy_async(s[i % STAGES] + k, g + AT(i) + k, cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      use(s[i % STAGES], out + AT(i), block.thread_rank() - 64, blockDim.x - 64);
      pipe.consumer_release();
    }
  }
}
K of_threads(ARGS) { // a pipeline of each thread, barriers of the block
  __shared__ alignas(16) unsigned s[3][TILE];
  auto pipe = cuda::make_pipeline();
  int ahead = 0;
  for (int i = 0; i < n; i++) {
    for (; ahead < n && ahead < i + 2; ahead++) {
      pipe.producer_acquire();
      for (unsigned k = threadIdx.x * 4; k < TILE; k += blockDim.x * 4)
        cuda::memcpy_async(s[ahead % 3] + k, g + AT(ahead) + k, cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
    if (ahead > i + 1) cuda::pipeline_consumer_wait_prior<1>(pipe); else cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    use(s[i % 3], out + AT(i), threadIdx.x, blockDim.x);
    pipe.consumer_release();
  }
}
struct Two { cuda::pipeline_shared_state<cuda::thread_scope_block, 2> a, b; };
K two_pipelines(ARGS) { // halves of a tile, each by its own
  __shared__ Two both;
  __shared__ alignas(16) unsigned s[2][TILE];
  auto block = cg::this_thread_block();
  auto a = cuda::make_pipeline(block, &both.a), b = cuda::make_pipeline(block, &both.b);
  auto begin = [&](int i) {
    a.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], g + AT(i), cuda::aligned_size_t<16>(TILE * 2), a);
    a.producer_commit();
    b.producer_acquire();
    cuda::memcpy_async(block, s[i % 2] + TILE / 2, g + AT(i) + TILE / 2, cuda::aligned_size_t<16>(TILE * 2), b);
    b.producer_commit();
  };
  if (n > 0) begin(0);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) begin(i + 1);
    a.consumer_wait();
    b.consumer_wait();
    use(s[i % 2], out + AT(i), threadIdx.x, blockDim.x);
    a.consumer_release();
    b.consumer_release();
  }
}
K barriers(ARGS) { // two buffers, two barriers, arrive and wait apart
  __shared__ Scope full[2];
  __shared__ alignas(16) unsigned s[2][TILE];
  auto block = cg::this_thread_block();
  if (threadIdx.x < 2) init(full + threadIdx.x, blockDim.x);
  __syncthreads();
  if (n > 0) cuda::memcpy_async(block, s[0], g + AT(0), cuda::aligned_size_t<16>(TILE * 4), full[0]);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) cuda::memcpy_async(block, s[(i + 1) % 2], g + AT(i + 1), cuda::aligned_size_t<16>(TILE * 4), full[(i + 1) % 2]);
    full[i % 2].wait(full[i % 2].arrive());
    use(s[i % 2], out + AT(i), threadIdx.x, blockDim.x);
    __syncthreads();
  }
}
struct Stage { Scope full, free; alignas(16) unsigned s[TILE]; };
K structs(ARGS) { // roles by two barriers a stage, in a struct with its buffer; parities and try_wait
  __shared__ Stage stage[3];
  if (threadIdx.x < 3) init(&stage[threadIdx.x].full, blockDim.x), init(&stage[threadIdx.x].free, blockDim.x);
  __syncthreads();
  const unsigned computing = blockDim.x - 64;
  if (threadIdx.x >= computing) {
    for (int i = 0; i < n; i++) {
      Stage &now = stage[i % 3];
      if (i >= 3) now.free.arrive_and_wait();
      for (unsigned k = (threadIdx.x - computing) * 4; k < TILE; k += 256)
        cuda::memcpy_async(now.s + k, g + AT(i) + k, cuda::aligned_size_t<16>(16), now.full);
      (void)now.full.arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      Stage &now = stage[i % 3];
      (void)now.full.arrive();
      now.full.wait_parity(i / 3 & 1);
      use(now.s, out + AT(i), threadIdx.x, computing);
      if (i + 3 < n) (void)now.free.arrive();
    }
  }
}
K bulk(ARGS) { // one thread, cp.async.bulk, transactions
  __shared__ Scope full[2];
  __shared__ alignas(128) unsigned s[2][TILE];
  if (threadIdx.x < 2) {
    init(full + threadIdx.x, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  auto begin = [&](int i) -> Scope::arrival_token {
    if (threadIdx.x != 0) return full[i % 2].arrive();
    cuda::device::experimental::cp_async_bulk_global_to_shared(s[i % 2], g + AT(i), TILE * 4, full[i % 2]);
    return cuda::device::barrier_arrive_tx(full[i % 2], 1, TILE * 4);
  };
  Scope::arrival_token now = n > 0 ? begin(0) : full[0].arrive(), next = now;
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) next = begin(i + 1);
    full[i % 2].wait(std::move(now));
    use(s[i % 2], out + AT(i), threadIdx.x, blockDim.x);
    __syncthreads();
    now = next;
  }
}
K dropping(ARGS) { // the last warp leaves after its share of the first tile
  __shared__ Scope full;
  __shared__ alignas(16) unsigned s[TILE];
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  const unsigned staying = blockDim.x - 32;
  for (int i = 0; i < n; i++) {
    const unsigned threads = i == 0 ? blockDim.x : staying;
    for (unsigned k = threadIdx.x; k < TILE; k += threads) cuda::memcpy_async(s + k, g + AT(i) + k, cuda::aligned_size_t<4>(4), full);
    if (threadIdx.x >= staying) { full.arrive_and_drop(); return; }
    full.arrive_and_wait();
    use(s, out + AT(i), threadIdx.x, staying);
    full.arrive_and_wait();
  }
}
K groups(ARGS) { // cooperative groups
  __shared__ alignas(16) unsigned s[2][TILE];
  auto block = cg::this_thread_block();
  if (n > 0) cg::memcpy_async(block, s[0], g + AT(0), cuda::aligned_size_t<16>(TILE * 4));
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) { cg::memcpy_async(block, s[(i + 1) % 2], g + AT(i + 1), cuda::aligned_size_t<16>(TILE * 4)); cg::wait_prior<1>(block); }
    else cg::wait(block);
    use(s[i % 2], out + AT(i), threadIdx.x, blockDim.x);
    block.sync();
  }
}
K again(ARGS) { // the barrier's bytes are used for something else afterwards
  __shared__ alignas(16) unsigned s[TILE];
  __shared__ alignas(16) char bytes[sizeof(Scope)];
  Scope *full = reinterpret_cast<Scope *>(bytes);
  if (threadIdx.x == 0) init(full, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    cuda::memcpy_async(cg::this_thread_block(), s, g + AT(i), cuda::aligned_size_t<16>(TILE * 4), *full);
    full->arrive_and_wait();
    use(s, out + AT(i), threadIdx.x, blockDim.x);
    __syncthreads();
  }
  if (threadIdx.x == 0) { full->~Scope(); memset(bytes, 1, sizeof bytes); }
  __syncthreads();
  if (bytes[threadIdx.x % sizeof bytes] != 1) out[0] = 0;
}
// By hand: cp.async, two buffers.
K by_hand(ARGS) {
  __shared__ alignas(16) unsigned s[2][TILE];
  auto begin = [&](int i) {
    for (unsigned k = threadIdx.x * 4; k < TILE; k += blockDim.x * 4)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&s[i % 2][k])), "l"(g + AT(i) + k) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  if (n > 0) begin(0);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) { begin(i + 1); asm volatile("cp.async.wait_group 1;" ::: "memory"); }
    else asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    use(s[i % 2], out + AT(i), threadIdx.x, blockDim.x);
    __syncthreads();
  }
}
int main(int argc, char **argv) {
  const char *who = argc > 1 ? argv[1] : "";
  struct Form { const char *name; void (*kernel)(ARGS); };
  const Form forms[] = {{"by_hand", by_hand}, {"unified2", unified<2>}, {"unified3", unified<3>}, {"unified4", unified<4>}, {"by_role2", by_role<2>}, {"by_role3", by_role<3>},
                        {"by_count2", by_count<2>}, {"by_count4", by_count<4>}, {"of_threads", of_threads}, {"two_pipelines", two_pipelines}, {"barriers", barriers}, {"structs", structs},
                        {"bulk", bulk}, {"dropping", dropping}, {"groups", groups}, {"again", again}};
  const int blocks = 528, tiles = 31;
  const size_t all = (size_t)blocks * tiles * TILE;
  std::vector<unsigned> in(all), got(all);
  for (size_t k = 0; k < all; k++) in[k] = (unsigned)(k * 2654435761u + 12345);
  unsigned *g, *q;
  if (cudaMalloc(&g, all * 4) || cudaMalloc(&q, all * 4)) { printf("no GPU\n"); return 1; }
  cudaMemcpy(g, in.data(), all * 4, cudaMemcpyHostToDevice);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  for (const Form &form : forms)
    for (int threads : {128, 256, 320}) {
      bool right = true;
      float median = 0;
      for (int n : {0, 1, 2, 7, tiles}) {
        cudaMemset(q, 0, all * 4);
        std::vector<float> times;
        for (int run = 0; run < (n == tiles ? 9 : 1); run++) {
          cudaEventRecord(a);
          form.kernel<<<blocks, threads>>>(g, q, n);
          cudaEventRecord(b);
          if (cudaError_t e = cudaDeviceSynchronize()) { printf("%-8s %-14s %4d n %d: %s\n", who, form.name, threads, n, cudaGetErrorString(e)); return 1; }
          float ms;
          cudaEventElapsedTime(&ms, a, b);
          times.push_back(ms * 1000);
        }
        std::sort(times.begin(), times.end());
        median = times[times.size() / 2];
        cudaMemcpy(got.data(), q, all * 4, cudaMemcpyDeviceToHost);
        for (size_t k = 0; k < all; k++) {
          size_t tile = k / TILE;
          unsigned want = tile / blocks < (size_t)n ? in[tile * TILE + TILE - 1 - k % TILE] * 3 + 1 : 0;
          if (got[k] != want) { printf("  %s %d n %d: wrong at %zu: %u, not %u\n", form.name, threads, n, k, got[k], want); right = false; break; }
        }
      }
      printf("%-8s %-14s %4d threads %8.1f us %s\n", who, form.name, threads, median, right ? "right" : "WRONG");
      fflush(stdout);
    }
}
