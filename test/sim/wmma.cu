// nvcuda::wmma: loads, products and stores in every shape, of every kind of number that clang compiles, by rows and by columns, with
// strides, from and to shared and global memory. What is multiplied is small and whole, so that every order of adding gives the same.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel halves --grid 1 --block 32 --seeds 2 -- buf:4096
// RUN: %sim %t0.ll --kernel halves --grid 1 --block 32 -- buf:4096
// RUN: %sim %t3.ll --kernel bytes --grid 1 --block 32 -- buf:4096
// RUN: %sim %t3.ll --kernel others --grid 1 --block 32 -- buf:4096
// RUN: %sim %t0.ll --kernel others --grid 1 --block 32 -- buf:4096
// RUN: %sim %t3.ll --kernel elements --grid 1 --block 64 --seeds 2
// RUN: %sim %t3.ll --kernel texts --grid 1 --block 32 --seeds 2
// RUN: %sim %t3.ll --kernel generic --grid 1 --block 64 --seeds 2 -- buf:4096
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__device__ int of_a(int row, int k) { return (int)(noise(row * 32 + k) & 15) - 7; }
__device__ int of_b(int k, int column) { return (int)(noise(1000 + column * 32 + k) & 15) - 7; }
__device__ int of_c(int row, int column) { return (int)(noise(3000 + column * 32 + row) & 63) - 31; }
// How numbers of a kind come of small ones: those without a sign are larger by 7.
template <class T> struct Small { enum { more = 0 }; static __device__ T of(int x) { return (T)x; } };
template <> struct Small<half> { enum { more = 0 }; static __device__ half of(int x) { return __int2half_rn(x); } };
template <> struct Small<__nv_bfloat16> { enum { more = 0 }; static __device__ __nv_bfloat16 of(int x) { return __int2bfloat16_rn(x); } };
template <> struct Small<unsigned char> { enum { more = 7 }; static __device__ unsigned char of(int x) { return x + more; } };
template <> struct Small<wmma::precision::tf32> { enum { more = 0 }; static __device__ float of(int x) { return x; } };
template <class T> struct Stored { typedef T type; };
template <> struct Stored<wmma::precision::tf32> { typedef float type; };

__shared__ __align__(32) char of_shared[4096];

// One product; `memory` holds a, then b, then the sum: each in turn, since there is little of it.
template <class T, class S, class D, int M, int N, int K, class ORDER_A, class ORDER_B, bool BY_ROWS>
__device__ void product(char *memory, int pad) {
  typedef typename Stored<T>::type E;
  const bool a_rows = ORDER_A::rows, b_rows = ORDER_B::rows;
  int lane = threadIdx.x, lda = (a_rows ? K : M) + pad, ldb = (b_rows ? N : K) + pad, ldc = (BY_ROWS ? N : M) + pad;
  wmma::fragment<wmma::matrix_a, M, N, K, T, typename ORDER_A::layout> a;
  wmma::fragment<wmma::matrix_b, M, N, K, T, typename ORDER_B::layout> b;
  wmma::fragment<wmma::accumulator, M, N, K, S> c;
  wmma::fragment<wmma::accumulator, M, N, K, D> d;
  E *e = (E *)memory;
  for (int i = lane; i < M * K; i += 32) e[a_rows ? i / K * lda + i % K : i % K * lda + i / K] = Small<T>::of(of_a(i / K, i % K));
  __syncwarp();
  wmma::load_matrix_sync(a, e, lda);
  __syncwarp();
  for (int i = lane; i < K * N; i += 32) e[b_rows ? i / N * ldb + i % N : i % N * ldb + i / N] = Small<T>::of(of_b(i / N, i % N));
  __syncwarp();
  wmma::load_matrix_sync(b, e, ldb);
  __syncwarp();
  S *s = (S *)memory;
  for (int i = lane; i < M * N; i += 32) s[BY_ROWS ? i / N * ldc + i % N : i % N * ldc + i / N] = Small<S>::of(of_c(i / N, i % N));
  __syncwarp();
  wmma::load_matrix_sync(c, s, ldc, BY_ROWS ? wmma::mem_row_major : wmma::mem_col_major);
  __syncwarp();
  wmma::mma_sync(d, a, b, c);
  D *out = (D *)memory;
  wmma::store_matrix_sync(out, d, ldc, BY_ROWS ? wmma::mem_row_major : wmma::mem_col_major);
  __syncwarp();
  for (int i = lane; i < M * N; i += 32) {
    int row = i / N, column = i % N, want = of_c(row, column);
    for (int k = 0; k < K; k++) want += (of_a(row, k) + Small<T>::more) * (of_b(k, column) + Small<T>::more);
    EXPECT((float)out[BY_ROWS ? row * ldc + column : column * ldc + row] == (float)want);
  }
  __syncwarp();
}
struct Rows { typedef wmma::row_major layout; enum { rows = 1 }; };
struct Columns { typedef wmma::col_major layout; enum { rows = 0 }; };

template <class T, class S, class D, int M, int N, int K> __device__ void orders(char *memory, int pad) {
  product<T, S, D, M, N, K, Rows, Columns, true>(memory, pad);
  product<T, S, D, M, N, K, Columns, Rows, true>(memory, pad);
  product<T, S, D, M, N, K, Rows, Rows, false>(memory, pad);
  product<T, S, D, M, N, K, Columns, Columns, false>(memory, pad);
}
template <class T, class S, class D> __device__ void shapes(char *memory, int pad) {
  orders<T, S, D, 16, 16, 16>(memory, pad);
  orders<T, S, D, 32, 8, 16>(memory, pad);
  orders<T, S, D, 8, 32, 16>(memory, pad);
}
KERNEL halves(char *global) {
  shapes<half, float, float>(of_shared, 0);
  shapes<half, half, half>(of_shared, 8);
  shapes<half, float, float>(global, 8);
  shapes<half, half, half>(global, 0);
}
KERNEL bytes(char *global) {
  shapes<signed char, int, int>(of_shared, 16);
  shapes<unsigned char, int, int>(global, 0);
}
KERNEL others(char *global) {
  shapes<__nv_bfloat16, float, float>(of_shared, 8);
  orders<wmma::precision::tf32, float, float, 16, 16, 8>(global, 4);
}

// What a program does with the numbers of a fragment, all alike.
KERNEL elements() {
  __shared__ __align__(32) half out[2][16 * 24];
  half *mine = out[threadIdx.x / 32];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
  wmma::fill_fragment(a, __float2half(2));
  wmma::fill_fragment(b, __float2half(3));
  wmma::fill_fragment(c, __float2half(4));
  wmma::mma_sync(c, a, b, c);
  for (int i = 0; i < c.num_elements; i++) c.x[i] = __hadd(c.x[i], c.x[i]);
  wmma::store_matrix_sync(mine, c, 24, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x & 31; i < 256; i += 32) EXPECT(__half2float(mine[i / 16 * 24 + i % 16]) == 2 * (16 * 6 + 4));
}

// As inline PTX: with and without a stride, 32-bit and 64-bit addresses of shared memory.
KERNEL texts() {
  __shared__ __align__(32) half in[256];
  __shared__ __align__(32) float out[256];
  for (int i = threadIdx.x; i < 256; i += 32) in[i] = __int2half_rn(of_a(i / 16, i % 16));
  __syncwarp();
  u32 a[8], b[8], at = (u32)__cvta_generic_to_shared(in), s = 16;
  size_t at64 = __cvta_generic_to_shared(in);
  float d[8];
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]), "=r"(a[4]), "=r"(a[5]), "=r"(a[6]), "=r"(a[7]) : "r"(at) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.shared::cta.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]), "=r"(b[4]), "=r"(b[5]), "=r"(b[6]), "=r"(b[7]) : "l"(at64), "r"(s));
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15},"
               "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %24, %24, %24, %24, %24, %24, %24};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
                 "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "f"(5.0f));
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, 16;"
               ::"l"(out), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) {     // a times itself turned
    int want = 5;
    for (int k = 0; k < 16; k++) want += of_a(i / 16, k) * of_a(i % 16, k);
    EXPECT(out[i] == want);
  }
}

// A pointer that may lead to shared or to global memory, one for each warp.
KERNEL generic(char *global) {
  half *memory = (half *)(threadIdx.x < 32 ? of_shared : global);
  for (int i = threadIdx.x & 31; i < 256; i += 32) memory[i] = __int2half_rn(of_a(i / 16, i % 16));
  __syncwarp();
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
  wmma::load_matrix_sync(c, memory, 16, wmma::mem_col_major);
  __syncwarp();
  wmma::store_matrix_sync(memory, c, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x & 31; i < 256; i += 32) EXPECT(__half2int_rn(memory[i]) == of_a(i % 16, i / 16));
}
