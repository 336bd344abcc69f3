// Walks: one thread a row, as it is written first. The number in a kernel's name is the elements of a row; the rows fill the
// array. Behind them, blocks of two dimensions that go through rows the wrong way. Compiled without fused multiply-add, so that every build must come to the same bits.
#include <cuda_fp16.h>

#include "../bench.h"

#define ROW (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- y += A x ---------------------------------------------------------------------------------------------------------

#define MATVEC(NAME, Element, Vector, Sum, WIDE) \
  extern "C" __global__ void NAME(const Element *A, const Vector *x, Sum *y, int n, int m) { \
    int i = ROW; \
    if (i >= n) return; \
    Sum s = y[i]; \
    for (int j = 0; j < m; j++) s += WIDE(A[i * m + j]) * x[j]; \
    y[i] = s; \
  }
#define SAME(v) (v)
MATVEC(float_2048, float, float, float, SAME)
MATVEC(float_256, float, float, float, SAME)
MATVEC(float_16384, float, float, float, SAME)
MATVEC(float_2047, float, float, float, SAME)
MATVEC(float_8, float, float, float, SAME)
MATVEC(double_1024, double, double, double, SAME)
MATVEC(half_4096, __half, float, float, __half2float)
MATVEC(int8_8192, signed char, signed char, int, SAME)

// The lower triangle of a square matrix.
extern "C" __global__ void triangle_16384(const float *A, const float *x, float *y, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float s = y[i];
  for (int j = 0; j <= i; j++) s += A[i * m + j] * x[j];
  y[i] = s;
}

// Ends where the sum exceeds a limit, which it never does.
extern "C" __global__ void break_2048(const float *A, const float *x, float *y, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float s = y[i];
  for (int j = 0; j < m; j++) {
    s += A[i * m + j] * x[j];
    if (s > 1e30f) break;
  }
  y[i] = s;
}

struct Charge { float x, y, z, q; };
extern "C" __global__ void struct_512(const Charge *A, const float *x, float *y, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float s = y[i];
  for (int j = 0; j < m; j++) {
    const Charge &a = A[i * m + j];
    s += (a.x * x[0] + a.y * x[1] + a.z * x[2]) * a.q;
  }
  y[i] = s;
}

extern "C" __global__ void csr_48(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = y[i];
  for (int j = row[i]; j < row[i + 1]; j++) s += value[j] * x[column[j]];
  y[i] = s;
}

// Which of the centres lies nearest: each meets the row again.
#define NEAREST(NAME) \
  extern "C" __global__ void NAME(const float *A, const float *x, int *y, int n, int m, int centres) { \
    int i = ROW, at = 0; \
    if (i >= n) return; \
    float best = 3e38f; \
    for (int c = 0; c < centres; c++) { \
      float s = 0; \
      for (int j = 0; j < m; j++) { \
        float d = A[i * m + j] - x[c * m + j]; \
        s += d * d; \
      } \
      if (s < best) best = s, at = c; \
    } \
    y[i] = at; \
  }
NEAREST(nearest_12)
NEAREST(nearest_32)
NEAREST(nearest_64)

// ---- rows out ---------------------------------------------------------------------------------------------------------

enum { SCALE = 4096 };   // no input is larger

extern "C" __global__ void softmax_2048(const float *a, float *b, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float top = -1e30f, s = 0;
  for (int j = 0; j < m; j++) top = fmaxf(top, a[i * m + j]);
  for (int j = 0; j < m; j++) s += __expf((a[i * m + j] - top) / SCALE);
  for (int j = 0; j < m; j++) b[i * m + j] = __expf((a[i * m + j] - top) / SCALE) / s;
}

extern "C" __global__ void norm_2048(const float *a, float *b, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * a[i * m + j];
  s = 1 / sqrtf(s + 1);
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] * s;
}

extern "C" __global__ void forward_2048(float *a, const float *c, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) a[i * m + j] -= c[j] * a[i * m + j - 1];
}

extern "C" __global__ void backward_2048(float *a, const float *c, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = m - 2; j >= 0; j--) a[i * m + j] -= c[j] * a[i * m + j + 1];
}

// ---- x and y swapped: threadIdx.x goes from row to row ------------------------------------------------------------------

// The shape of the block is in the name, which keeps the builds' tables apart; the kernel does not know it.
#define SWAPPED(NAME, WHAT) \
  extern "C" __global__ void NAME(const float *a, float *b, int n, int m) { \
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; \
    if (x >= n || y >= m) return; \
    size_t i = (size_t)x * m + y; \
    b[i] = WHAT; \
  }
#define NEAR(k) a[i + (k) < (size_t)n * m ? i + (k) : i]
#define SCALED (a[i] * 2)
#define TRANSPOSED a[(size_t)y * n + x]
#define SMOOTHED (a[i] + NEAR(1) + NEAR(m) + NEAR(m + 1))
SWAPPED(scaled_16x16, SCALED)
SWAPPED(scaled_32x8, SCALED)
SWAPPED(scaled_8x32, SCALED)
SWAPPED(transposed_16x16, TRANSPOSED)
SWAPPED(transposed_32x8, TRANSPOSED)
SWAPPED(smoothed_16x16, SMOOTHED)
SWAPPED(smoothed_32x8, SMOOTHED)

// ---- what they read ---------------------------------------------------------------------------------------------------

// A place of the input, as fill_input makes it.
template <class T> struct Get;
template <> struct Get<float> { static BOTH float at(size_t k) { return hash_float(k); } };
template <> struct Get<signed char> { static BOTH signed char at(size_t k) { return (signed char)hash_byte(k); } };
template <> struct Get<__half> {
  static BOTH float at(size_t k) {
    uint16_t bits = (uint16_t)(float_bits(hash_float(k / 2)) >> 16 * (k % 2));
    __half h;
    memcpy(&h, &bits, sizeof h);
    return __half2float(h);
  }
};
// Two small floats are a double between 2^-7 and 2^89, or nearly 0.
template <> struct Get<double> {
  static BOTH double at(size_t k) {
    uint64_t bits = (uint64_t)float_bits(hash_float(2 * k + 1)) << 32 | float_bits(hash_float(2 * k));
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
  }
};

// The vector: numbers from 0 to 1/2; bytes.
template <class T> struct Vector : Straight<T> { BOTH T value(size_t k) const { return (T)(hash(k) >> 8) * (T)(0.5 / (1 << 24)); } };
template <> struct Vector<signed char> : Straight<signed char> {
  BOTH signed char value(size_t k) const { return (signed char)hash_byte(k); }
};

// What the output holds before the first launch.
template <class T> BOTH T poison() {
  T value;
  memset(&value, POISON & 0xff, sizeof value);
  return value;
}

// Rows of 32 to 64 entries, 48 on average.
enum { ENTRIES = 48, SPREAD = 17 };
BOTH inline int csr_start(size_t row) { return (int)(row * ENTRIES + hash(row) % SPREAD); }
struct Starts : Straight<int> { BOTH int value(size_t row) const { return csr_start(row); } };
struct Columns : Straight<int> {
  uint32_t mask;
  BOTH int value(size_t k) const { return (int)(hash(~k) & mask); }
};

// ---- what must come out -----------------------------------------------------------------------------------------------

template <class T> BOTH uint64_t bits_of(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
template <int BYTES> struct Bits { using T = uint32_t; };
template <> struct Bits<8> { using T = uint64_t; };

template <class Element, class X, class Sum> struct Product : Straight<typename Bits<sizeof(Sum)>::T> {
  size_t m;
  bool triangle;
  BOTH typename Bits<sizeof(Sum)>::T value(size_t i) const {
    Sum s = poison<Sum>();
    for (size_t j = 0; j < (triangle ? i + 1 : m); j++) s += Get<Element>::at(i * m + j) * Vector<X>().value(j);
    return bits_of(s);
  }
};

struct Charges : Straight<uint32_t> {
  BOTH uint32_t value(size_t i) const {
    float s = poison<float>();
    Vector<float> x;
    for (size_t k = i * 2048; k < (i + 1) * 2048; k += 4)
      s += (hash_float(k) * x.value(0) + hash_float(k + 1) * x.value(1) + hash_float(k + 2) * x.value(2)) * hash_float(k + 3);
    return float_bits(s);
  }
};

struct Nearest : Straight<uint32_t> {
  int m, centres;
  BOTH uint32_t value(size_t i) const {
    float best = 3e38f;
    uint32_t at = 0;
    for (int c = 0; c < centres; c++) {
      float s = 0;
      for (int j = 0; j < m; j++) {
        float d = hash_float(i * m + j) - Vector<float>().value(c * m + j);
        s += d * d;
      }
      if (s < best) best = s, at = c;
    }
    return at;
  }
};

struct Sparse : Straight<uint32_t> {
  Columns column;
  BOTH uint32_t value(size_t i) const {
    float s = poison<float>();
    for (int k = csr_start(i); k < csr_start(i + 1); k++) s += hash_float(k) * Vector<float>().value(column.value(k));
    return float_bits(s);
  }
};

// Row by row: next(j) is called for every element, in the order that step says.
struct Softmax {
  enum { STEP = 1 };
  size_t first;
  float top = -1e30f, s = 0;
  __device__ Softmax(size_t row, int m) : first(row * m) {
    for (int j = 0; j < m; j++) top = fmaxf(top, hash_float(first + j));
    for (int j = 0; j < m; j++) s += __expf((hash_float(first + j) - top) / SCALE);
  }
  __device__ float next(int j) { return __expf((hash_float(first + j) - top) / SCALE) / s; }
};
struct Norm {
  enum { STEP = 1 };
  size_t first;
  float s = 0;
  __device__ Norm(size_t row, int m) : first(row * m) {
    for (int j = 0; j < m; j++) s += hash_float(first + j) * hash_float(first + j);
    s = 1 / sqrtf(s + 1);
  }
  __device__ float next(int j) { return hash_float(first + j) * s; }
};
template <int WAY> struct Sweep {
  enum { STEP = WAY };
  size_t first;
  bool started = false;
  float last = 0;
  __device__ Sweep(size_t row, int m) : first(row * m) {}
  __device__ float next(int j) {
    float here = hash_float(first + j);
    if (started) here -= Vector<float>().value(j) * last;
    started = true;
    return last = here;
  }
};

struct Scaled : Straight<uint32_t> {
  size_t n, m;
  BOTH uint32_t value(size_t i) const { return float_bits(hash_float(i) * 2); }
};
struct Transposed : Scaled {
  BOTH uint32_t value(size_t i) const { return float_bits(hash_float(i % m * n + i / m)); }
};
struct Smoothed : Scaled {
  BOTH float near(size_t i, size_t k) const { return hash_float(i + k < n * m ? i + k : i); }
  BOTH uint32_t value(size_t i) const { return float_bits(hash_float(i) + near(i, 1) + near(i, m) + near(i, m + 1)); }
};

template <class Row> HARNESS void harness_rows(const float *got, size_t n, int m, Tally *tally) {
  for (size_t i = first_item(); i < n; i += item_step()) {
    Row row(i, m);
    for (int k = 0, j = Row::STEP > 0 ? 0 : m - 1; k < m; k++, j += Row::STEP)
      if (float_bits(got[i * m + j]) != float_bits(row.next(j))) {
        atomicAdd(&tally->wrong, 1ull);
        atomicMin(&tally->first, (unsigned long long)(i * m + j));
      }
  }
}

template <class Row> Check expects_rows(int m) {
  return [=](const Arrays &a, size_t n) {
    Tally *tally = tally_new(), found;
    harness_rows<Row><<<harness_grid(n), BLOCK>>>((const float *)a.out, n, m, tally);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(&found, tally, sizeof found, cudaMemcpyDeviceToHost));
    return found;
  };
}

// ---- the list ---------------------------------------------------------------------------------------------------------

enum { THREADS = 128, LONGEST = 16384 };

template <class X> void fill_vector(const Arrays &a, size_t) { fill((char *)a.index, LONGEST * sizeof(X), Vector<X>{}); }

template <class Element, class X, class Sum>
Work product(const char *name, void (*kernel)(const Element *, const X *, Sum *, int, int), int m, bool triangle = false) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((const Element *)a.in, (const X *)a.index, (Sum *)a.out, (int)n, m);
  };
  Product<Element, X, Sum> expect;
  expect.m = m;
  expect.triangle = triangle;
  int row = m * (int)sizeof(Element);
  size_t moved = triangle ? row / 2 : row;
  return {name, "walk", row, moved, run, expects(expect, 1), sizeof(Sum), 0, false, sizeof(Element) > 1, fill_vector<X>};
}

static Work structs() {
  auto run = [](const Arrays &a, size_t n) {
    struct_512<<<grid_of(n, THREADS), THREADS>>>((const Charge *)a.in, (const float *)a.index, (float *)a.out, (int)n, 512);
  };
  return {"struct_512", "walk", 8192, 8192, run, expects(Charges{}, 1), 4, 0, false, true, fill_vector<float>};
}

static Work nearest(const char *name, void (*kernel)(const float *, const float *, int *, int, int, int), int m, int centres) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((const float *)a.in, (const float *)a.index, (int *)a.out, (int)n, m, centres);
  };
  Nearest expect;
  expect.m = m;
  expect.centres = centres;
  return {name, "walk", 4 * m, (size_t)4 * m, run, expects(expect, 1), 4, 0, false, true, fill_vector<float>};
}

// The index array holds the vector, the rows' starts and the columns: a kibibyte of input a row leaves it room enough.
struct Csr {
  size_t vector;
  float *x;
  int *start, *column;
  Csr(const Arrays &a, size_t n) : vector(n / 4), x((float *)a.index), start((int *)x + vector), column(start + n + 1) {}
};

static Columns csr_columns(size_t n) {
  Columns columns;
  columns.mask = (uint32_t)(n / 4 - 1);
  return columns;
}

static Work csr() {
  auto prepare = [](const Arrays &a, size_t n) {
    Csr to(a, n);
    fill((char *)to.x, to.vector * 4, Vector<float>{});
    fill((char *)to.start, (n + 1) * 4, Starts{});
    fill((char *)to.column, (n * ENTRIES + SPREAD) * 4, csr_columns(n));
  };
  auto run = [](const Arrays &a, size_t n) {
    Csr at(a, n);
    csr_48<<<grid_of(n, THREADS), THREADS>>>(at.start, at.column, (const float *)a.in, at.x, (float *)a.out, (int)n);
  };
  auto check = [](const Arrays &a, size_t n) {
    Sparse expect;
    expect.column = csr_columns(n);
    return expects(expect, 1)(a, n);
  };
  return {"csr_48", "walk", 1024, 8 * ENTRIES, run, check, 4, 0, false, true, prepare};
}

// passes: over the matrix, those that write included.
static Work rows(const char *name, void (*kernel)(const float *, float *, int, int), Check check, int m, int passes) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((const float *)a.in, (float *)a.out, (int)n, m);
  };
  return {name, "walk", 4 * m, (size_t)4 * m * passes, run, check, 0, 0, false, true};
}

static Work sweep(const char *name, void (*kernel)(float *, const float *, int, int), Check check, int m) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((float *)a.out, (const float *)a.index, (int)n, m);
  };
  return {name, "walk", 4 * m, (size_t)8 * m, run, check, 0, 0, true, true, fill_vector<float>};
}

template <class Expect> Work swapped(const char *name, void (*kernel)(const float *, float *, int, int), int wide, int high) {
  const int m = 2048;
  auto run = [=](const Arrays &a, size_t n) {
    dim3 grid(grid_of(n, wide), grid_of(m, high));
    kernel<<<grid, dim3(wide, high)>>>((const float *)a.in, (float *)a.out, (int)n, m);
  };
  auto check = [=](const Arrays &a, size_t n) {
    Expect expect;
    expect.n = n;
    expect.m = m;
    return expects(expect, m)(a, n);
  };
  return {name, "walk", 4 * m, (size_t)8 * m, run, check, 0, 0, false, true};
}

int main(int argc, char **argv) {
  return bench_main(argc, argv, {
    product("float_2048", float_2048, 2048),
    product("float_256", float_256, 256),
    product("float_16384", float_16384, 16384),
    product("float_2047", float_2047, 2047),
    product("double_1024", double_1024, 1024),
    product("half_4096", half_4096, 4096),
    product("int8_8192", int8_8192, 8192),
    rows("softmax_2048", softmax_2048, expects_rows<Softmax>(2048), 2048, 4),
    rows("norm_2048", norm_2048, expects_rows<Norm>(2048), 2048, 3),
    sweep("forward_2048", forward_2048, expects_rows<Sweep<1>>(2048), 2048),
    sweep("backward_2048", backward_2048, expects_rows<Sweep<-1>>(2048), 2048),
    csr(),
    product("triangle_16384", triangle_16384, 16384, true),
    product("float_8", float_8, 8),
    product("break_2048", break_2048, 2048),
    structs(),
    nearest("nearest_12", nearest_12, 12, 8),
    nearest("nearest_32", nearest_32, 32, 8),
    nearest("nearest_64", nearest_64, 64, 16),
    swapped<Scaled>("scaled_16x16", scaled_16x16, 16, 16),
    swapped<Scaled>("scaled_32x8", scaled_32x8, 32, 8),
    swapped<Scaled>("scaled_8x32", scaled_8x32, 8, 32),
    swapped<Transposed>("transposed_16x16", transposed_16x16, 16, 16),
    swapped<Transposed>("transposed_32x8", transposed_32x8, 32, 8),
    swapped<Smoothed>("smoothed_16x16", smoothed_16x16, 16, 16),
    swapped<Smoothed>("smoothed_32x8", smoothed_32x8, 32, 8),
  });
}
