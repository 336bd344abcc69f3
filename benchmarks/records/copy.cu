// Records copied whole by struct assignment, one thread a record; and the vector types, which nvcc copies in one piece.
#include "../bench.h"
#include "sizes.h"

#ifdef BENCH_EXPERT
#include "expert.cuh"
#define KERNEL(name, Type) \
  extern "C" __global__ void name(const Type *in, Type *out, int n) { copy_pieces(in, out, n * sizeof(Type)); }
static size_t threads_for(size_t n, int record) { return n * record / 16 + 1; }
#else
#define KERNEL(name, Type) \
  extern "C" __global__ void name(const Type *in, Type *out, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n) out[i] = in[i]; \
  }
static size_t threads_for(size_t n, int) { return n; }
#endif

#define VECTORS(X) X(int2) X(float2) X(int4) X(float4) X(double2)
#define COPY(bytes) KERNEL(copy_##bytes, Words<bytes / 4>)
#define COPY_VECTOR(Type) KERNEL(copy_##Type, Type)
RECORD_SIZES(COPY)
VECTORS(COPY_VECTOR)

template <class Type> Work work(const char *name, const char *kind, void (*kernel)(const Type *, Type *, int)) {
  const int size = sizeof(Type);
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(threads_for(n, size)), BLOCK>>>((const Type *)a.in, (Type *)a.out, (int)n);
  };
  return {name, kind, size, 2 * size, run, expects(Input{}, size / 4)};
}

int main(int argc, char **argv) {
#define LIST(bytes) work("copy_" #bytes, "copy", copy_##bytes),
#define LIST_VECTOR(Type) work("copy_" #Type, "vector", copy_##Type),
  return bench_main(argc, argv, {RECORD_SIZES(LIST) VECTORS(LIST_VECTOR)});
}
