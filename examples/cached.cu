// Caches of active blocks of matrices: the program says which block lies where, and include/coalda.h copies it (docs/header.md). Any compiler
// takes them. With -DSPACE=coalda::direct nothing is cached, and the results are the same.
#include <coalda.h>

#ifdef SPACE
#define OWN_SPACE SPACE
#else
#define SPACE coalda::shared
#define OWN_SPACE coalda::registers
#endif
enum { SIDE = 64, DEPTH = 16, EACH = 4, LANES = SIDE / EACH, THREADS = LANES * LANES, EDGE = 16, HALO = EDGE + 2 };

__device__ inline int rank() { return threadIdx.y * blockDim.x + threadIdx.x; }
__device__ inline int threads() { return blockDim.x * blockDim.y; }

// c = a b of n x n elements, n a multiple of SIDE; the next blocks come while these are used. THREADS threads and a block for each square; rows
// y + LANES * i and columns x + LANES * j of the square are a thread's own.
extern "C" __global__ void product(const float *__restrict__ ga, const float *__restrict__ gb, float *__restrict__ gc, int n) {
  __shared__ coalda::tile<float, coalda::box<SIDE, DEPTH>, coalda::row, 2> sa;
  __shared__ coalda::tile<float, coalda::box<DEPTH, SIDE>, coalda::row, 2> sb;
  auto a = coalda::cached<SPACE, 1024, 16, THREADS>(sa, coalda::matrix(ga, n));
  auto b = coalda::cached<SPACE, 1024, 16, THREADS>(sb, coalda::matrix(gb, n));
  const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE, y = threadIdx.x / LANES, x = threadIdx.x % LANES;
  float sum[EACH][EACH] = {};
  a.next(top, 0), b.next(0, left);
  for (int k = 0; k < n; k += DEPTH) {
    coalda::turn(a, b);
    if (k + DEPTH < n)
      a.next(top, k + DEPTH), b.next(k + DEPTH, left);
#pragma unroll
    for (int l = 0; l < DEPTH; l++)
#pragma unroll
      for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
          sum[i][j] += a.at(y + i * LANES, l) * b.at(l, x + j * LANES);
  }
#pragma unroll
  for (int i = 0; i < EACH; i++)
#pragma unroll
    for (int j = 0; j < EACH; j++)
      gc[(top + y + i * LANES) * n + left + x + j * LANES] = sum[i][j];
}

// The same by the plain loop that one writes first: what is said is where blocks lie, and elements keep the places that they have in the
// matrices. With the plugin its copies are asynchronous as well.
extern "C" __global__ void plain_product(const float *__restrict__ ga, const float *__restrict__ gb, float *__restrict__ gc, int n) {
  __shared__ coalda::tile<float, coalda::box<EDGE, EDGE>> sa, sb;
  auto a = coalda::cached<SPACE, 256>(sa, coalda::matrix(ga, n));
  auto b = coalda::cached<SPACE, 256>(sb, coalda::matrix(gb, n));
  const int top = blockIdx.y * EDGE, left = blockIdx.x * EDGE, y = top + threadIdx.y, x = left + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += EDGE) {
    auto f = a.move_to(top, k);
    auto g = b.move_to(k, left);
    coalda::wait(f, g);
    for (int l = k; l < k + EDGE; l++)
      sum += a(y, l) * b(l, x);
    coalda::done();
  }
  gc[y * n + x] = sum;
}

// Any n, blocks of any shape: zeros stand behind the edge. The output is a block that is filled in shared memory and written back.
extern "C" __global__ void product_of_any_edge(const float *__restrict__ ga, const float *__restrict__ gb, float *__restrict__ gc, long n) {
  using fit = coalda::fitting<300, coalda::box<EDGE, 32>, coalda::box<EDGE, EDGE>, coalda::box<EDGE, 8>>; // EDGE x EDGE
  __shared__ coalda::tile<float, fit, coalda::padded, 2> sa, sb;
  __shared__ coalda::tile<float, fit> sc;
  auto a = coalda::cached<SPACE, 300>(sa, coalda::bounded(ga, n, n, n));
  auto b = coalda::cached<SPACE, 300>(sb, coalda::bounded(gb, n, n, n));
  auto c = coalda::cached<coalda::shared, 300>(sc, coalda::bounded(gc, n, n, n));
  const long top = blockIdx.y * fit::rows, left = blockIdx.x * fit::cols;
  c.begin(top, left);
  for (int q = rank(); q < (int)fit::elements; q += threads())
    c.at(q / fit::cols, q % fit::cols) = 0;
  a.next(top, 0), b.next(0, left);
  for (long k = 0; k < n; k += fit::cols) {
    coalda::turn(a, b);
    if (k + fit::cols < n)
      a.next(top, k + fit::cols), b.next(k + fit::cols, left);
    for (int q = rank(); q < (int)fit::elements; q += threads())
      for (int l = 0; l < (int)fit::cols; l++)
        c.at(q / fit::cols, q % fit::cols) += a.at(q / fit::cols, l) * b.at(l, q % fit::cols);
  }
  c.flush();
}

// b = a turned: by columns with an odd pitch neither side has bank conflicts. A block for each square.
extern "C" __global__ void turned(const float4 *__restrict__ ga, float4 *__restrict__ gb, unsigned n) {
  __shared__ coalda::tile<float4, coalda::box<EDGE, EDGE>, coalda::columns_padded<1>> sa;
  auto a = coalda::cached<SPACE, 256>(sa, coalda::matrix(ga, n));
  auto f = a.move_to(blockIdx.y * EDGE, blockIdx.x * EDGE);
  coalda::wait(f);
  for (int k = rank(); k < EDGE * EDGE; k += threads())
    gb[(blockIdx.x * EDGE + k / EDGE) * n + blockIdx.y * EDGE + k % EDGE] = a.at(k % EDGE, k / EDGE);
}

// Sums of nine neighbours of bytes, with a rim of 7 around the image; a block goes down a column of squares.
extern "C" __global__ void sums_of_nine(const unsigned char *__restrict__ in, unsigned short *__restrict__ out, unsigned rows, unsigned cols) {
  __shared__ coalda::tile<unsigned char, coalda::box<HALO, HALO>> s;
  auto a = coalda::cached<SPACE, 400>(s, coalda::bounded(in, (long long)cols, rows, cols, 7));
  const int left = blockIdx.x * EDGE;
  for (int top = 0; top < (int)rows; top += EDGE) {
    auto f = a.move_to(top - 1, left - 1);
    coalda::wait(f);
    for (int k = rank(); k < EDGE * EDGE; k += threads()) {
      const int y = top + k / EDGE, x = left + k % EDGE;
      unsigned short sum = 0;
      for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
          sum += a(i, j);
      if (y < (int)rows && x < (int)cols)
        out[y * cols + x] = sum;
    }
    coalda::done();
  }
}

// Sums of REACH elements above and below each. A block goes down by half of what it is high, and is loaded anew while the one before is used. Then the same to
// the right, with one buffer.
enum { REACH = 4, STEP = 8, TALL = STEP + 2 * REACH };
extern "C" __global__ void column_sums(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  __shared__ coalda::tile<float, coalda::box<TALL, SIDE>, coalda::row, 2> s;
  auto a = coalda::cached<SPACE, 1024>(s, coalda::bounded(in, cols, rows, cols));
  const int left = blockIdx.x * SIDE;
  a.next(-REACH, left);
  for (int top = 0; top < rows; top += STEP) {
    coalda::turn(a);
    if (top + STEP < rows)
      a.next(top + STEP - REACH, left);
    for (int k = rank(); k < STEP * SIDE; k += threads()) {
      const int y = top + k / SIDE, x = left + k % SIDE;
      float sum = 0;
      for (int i = y - REACH; i <= y + REACH; i++)
        sum += a(i, x);
      if (y < rows && x < cols)
        out[y * cols + x] = sum;
    }
  }
}
extern "C" __global__ void row_sums(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  __shared__ coalda::tile<float, coalda::box<EDGE, TALL>, coalda::columns_padded<1>> s;
  auto a = coalda::cached<SPACE, 256>(s, coalda::bounded(in, cols, rows, cols));
  const int top = blockIdx.x * EDGE;
  for (int left = 0; left < cols; left += STEP) {
    auto f = a.move_to(top, left - REACH);
    coalda::wait(f);
    for (int k = rank(); k < STEP * EDGE; k += threads()) {
      const int y = top + k % EDGE, x = left + k / EDGE;
      float sum = 0;
      for (int j = x - REACH; j <= x + REACH; j++)
        sum += a(y, j);
      if (y < rows && x < cols)
        out[y * cols + x] = sum;
    }
    coalda::done();
  }
}

// Each thread's own block of four words of its row, in registers, the next one on its way: sums of products with itself turned around.
extern "C" __global__ void products_in_rows(const unsigned *__restrict__ in, unsigned *__restrict__ out, int rows, int cols) {
  coalda::tile<unsigned, coalda::box<1, 4>, coalda::row, 2> memory = {};
  auto a = coalda::cached<OWN_SPACE, 4>(memory, coalda::bounded(in, cols, rows, cols, 1));
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  a.next(y, 0);
  for (int x = 0; x < cols; x += 4) {
    coalda::turn(a);
    a.next(y, x + 4);
#pragma unroll
    for (int j = 0; j < 4; j++)
      sum += a.at(0, j) * a.at(0, 3 - j);
  }
  if (y < rows)
    out[y] = sum;
}
