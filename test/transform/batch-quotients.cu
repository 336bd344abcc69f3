// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=coalda -coalda-trace -disable-output %t.ll 2>&1 | %FileCheck %s --implicit-check-not='harmonic: made: 2 iterations'
// Six quotients of doubles an iteration take the registers that a second iteration in the same body would: ptxas has their parts side by side. Those of words leave room, and so do
// three of doubles.
// CHECK-DAG: trace: words: made: 2 iterations side by side
// CHECK-DAG: trace: limited: made: 2 iterations side by side
template <class T> struct View {
    const T *p, *q;
    T *o;
    const unsigned char *active;
    int nx, ny, nz;
};
#define MARCH(T, NAME, ...)                                                                            \
    extern "C" __global__ void NAME(View<T> v, T dt)                                                   \
    {                                                                                                  \
        int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1; \
        if (x >= v.nx - 1 || y >= v.ny - 1)                                                            \
            return;                                                                                    \
        const T *p = v.p, *q = v.q;                                                                    \
        size_t n = v.nx, s = n * v.ny;                                                                 \
        T below = p[y * n + x], here = p[s + y * n + x];                                               \
        for (int z = 1; z < v.nz - 1; z++) {                                                           \
            size_t c = z * s + y * n + x;                                                              \
            T above = p[c + s], r = here;                                                              \
            if (v.active[c]) {                                                                         \
                __VA_ARGS__                                                                            \
            }                                                                                          \
            v.o[c] = r;                                                                                \
            below = here;                                                                              \
            here = above;                                                                              \
        }                                                                                              \
    }
#define MEAN(a, b) (2 * (a) * (b) / ((a) + (b)))
#define HARMONIC                                                                                                     \
    r += dt * (MEAN(q[c], q[c - 1]) * (p[c - 1] - here) + MEAN(q[c], q[c + 1]) * (p[c + 1] - here) +                 \
               MEAN(q[c], q[c - n]) * (p[c - n] - here) + MEAN(q[c], q[c + n]) * (p[c + n] - here) +                 \
               MEAN(q[c], q[c - s]) * (below - here) + MEAN(q[c], q[c + s]) * (above - here));
#define LIMIT(a, b) ((a) * (b) > 0 ? MEAN(a, b) : 0)
MARCH(double, harmonic, HARMONIC)
MARCH(float, words, HARMONIC)
MARCH(double, limited,
      r -= dt * q[c] * (LIMIT(here - p[c - 1], p[c + 1] - here) + LIMIT(here - p[c - n], p[c + n] - here) + LIMIT(here - below, above - here));)
