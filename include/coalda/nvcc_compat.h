/* What nvcc's users find without including anything, and clang's CUDA headers lack. scripts/coalda-nvcc puts it in front of CUDA sources with
 * -include; by hand, clang++ -x cuda -include coalda/nvcc_compat.h does.
 *
 * Loads and stores that tell the caches something are assembly of the form that the plugin reads as loads and stores (docs/nvcc.md). */
#ifndef COALDA_NVCC_COMPAT_H
#define COALDA_NVCC_COMPAT_H
#if defined(__CUDA__) && defined(__clang__)

/* isfinite, isnan, clock and their like on the host, which cuda_runtime.h brings to nvcc. */
#include <math.h>
#include <time.h>

/* Sources ask them which toolkit this is. */
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

/* ---- __ldca, __ldlu, __stcs, __stcg, __stwb, and what the others lack ---- */

#define COALDA_DEVICE static __device__ __inline__ __attribute__((always_inline))
/* A name, what its instruction is called, what the type is in memory, the type, that of the register, its constraint. */
#define COALDA_LOAD(name, text, bits, Type, Register, constraint, ...)                                                                       \
  COALDA_DEVICE Type name(const Type *p) {                                                                                                   \
    Register v;                                                                                                                              \
    asm("ld.global." text "." bits " %0, [%1];" : "=" constraint(v) : "l"(p)__VA_ARGS__);                                                    \
    return (Type)v;                                                                                                                          \
  }
#define COALDA_LOAD2(name, text, bits, Type, Register, constraint, ...)                                                                      \
  COALDA_DEVICE Type name(const Type *p) {                                                                                                   \
    Register x, y;                                                                                                                           \
    asm("ld.global." text ".v2." bits " {%0,%1}, [%2];" : "=" constraint(x), "=" constraint(y) : "l"(p)__VA_ARGS__);                         \
    Type v;                                                                                                                                  \
    v.x = (decltype(v.x))x, v.y = (decltype(v.y))y;                                                                                          \
    return v;                                                                                                                                \
  }
#define COALDA_LOAD4(name, text, bits, Type, Register, constraint, ...)                                                                      \
  COALDA_DEVICE Type name(const Type *p) {                                                                                                   \
    Register x, y, z, w;                                                                                                                     \
    asm("ld.global." text ".v4." bits " {%0,%1,%2,%3}, [%4];"                                                                                \
        : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w)                                                         \
        : "l"(p)__VA_ARGS__);                                                                                                                \
    Type v;                                                                                                                                  \
    v.x = (decltype(v.x))x, v.y = (decltype(v.y))y, v.z = (decltype(v.z))z, v.w = (decltype(v.w))w;                                          \
    return v;                                                                                                                                \
  }
#define COALDA_STORE(name, text, bits, Type, Register, constraint, ...)                                                                      \
  COALDA_DEVICE void name(Type *p, Type v) {                                                                                                 \
    asm("st.global." text "." bits " [%0], %1;" ::"l"(p), constraint((Register)v) : "memory");                                               \
  }
#define COALDA_STORE2(name, text, bits, Type, Register, constraint, ...)                                                                     \
  COALDA_DEVICE void name(Type *p, Type v) {                                                                                                 \
    asm("st.global." text ".v2." bits " [%0], {%1,%2};" ::"l"(p), constraint((Register)v.x), constraint((Register)v.y) : "memory");          \
  }
#define COALDA_STORE4(name, text, bits, Type, Register, constraint, ...)                                                                     \
  COALDA_DEVICE void name(Type *p, Type v) {                                                                                                 \
    asm("st.global." text ".v4." bits " [%0], {%1,%2,%3,%4};" ::"l"(p), constraint((Register)v.x), constraint((Register)v.y),                \
        constraint((Register)v.z), constraint((Register)v.w)                                                                                 \
        : "memory");                                                                                                                         \
  }
/* Every type that nvcc has them for. */
#define COALDA_EVERY(ONE, TWO, FOUR, name, text, ...)                                                                                        \
  ONE(name, text, "s8", char, int, "r", __VA_ARGS__)                                                                                         \
  ONE(name, text, "s8", signed char, int, "r", __VA_ARGS__)                                                                                  \
  ONE(name, text, "u8", unsigned char, unsigned int, "r", __VA_ARGS__)                                                                       \
  ONE(name, text, "s16", short, short, "h", __VA_ARGS__)                                                                                     \
  ONE(name, text, "u16", unsigned short, unsigned short, "h", __VA_ARGS__)                                                                   \
  ONE(name, text, "s32", int, int, "r", __VA_ARGS__)                                                                                         \
  ONE(name, text, "u32", unsigned int, unsigned int, "r", __VA_ARGS__)                                                                       \
  ONE(name, text, "s64", long, long, "l", __VA_ARGS__)                                                                                       \
  ONE(name, text, "u64", unsigned long, unsigned long, "l", __VA_ARGS__)                                                                     \
  ONE(name, text, "s64", long long, long long, "l", __VA_ARGS__)                                                                             \
  ONE(name, text, "u64", unsigned long long, unsigned long long, "l", __VA_ARGS__)                                                           \
  ONE(name, text, "f32", float, float, "f", __VA_ARGS__)                                                                                     \
  ONE(name, text, "f64", double, double, "d", __VA_ARGS__)                                                                                   \
  TWO(name, text, "s8", char2, int, "r", __VA_ARGS__)                                                                                        \
  TWO(name, text, "u8", uchar2, unsigned int, "r", __VA_ARGS__)                                                                              \
  TWO(name, text, "s16", short2, short, "h", __VA_ARGS__)                                                                                    \
  TWO(name, text, "u16", ushort2, unsigned short, "h", __VA_ARGS__)                                                                          \
  TWO(name, text, "s32", int2, int, "r", __VA_ARGS__)                                                                                        \
  TWO(name, text, "u32", uint2, unsigned int, "r", __VA_ARGS__)                                                                              \
  TWO(name, text, "s64", longlong2, long long, "l", __VA_ARGS__)                                                                             \
  TWO(name, text, "u64", ulonglong2, unsigned long long, "l", __VA_ARGS__)                                                                   \
  TWO(name, text, "f32", float2, float, "f", __VA_ARGS__)                                                                                    \
  TWO(name, text, "f64", double2, double, "d", __VA_ARGS__)                                                                                  \
  FOUR(name, text, "s8", char4, int, "r", __VA_ARGS__)                                                                                       \
  FOUR(name, text, "u8", uchar4, unsigned int, "r", __VA_ARGS__)                                                                             \
  FOUR(name, text, "s16", short4, short, "h", __VA_ARGS__)                                                                                   \
  FOUR(name, text, "u16", ushort4, unsigned short, "h", __VA_ARGS__)                                                                         \
  FOUR(name, text, "s32", int4, int, "r", __VA_ARGS__)                                                                                       \
  FOUR(name, text, "u32", uint4, unsigned int, "r", __VA_ARGS__)                                                                             \
  FOUR(name, text, "f32", float4, float, "f", __VA_ARGS__)

COALDA_EVERY(COALDA_LOAD, COALDA_LOAD2, COALDA_LOAD4, __ldca, "ca", )
COALDA_EVERY(COALDA_LOAD, COALDA_LOAD2, COALDA_LOAD4, __ldlu, "lu", : "memory")
COALDA_EVERY(COALDA_STORE, COALDA_STORE2, COALDA_STORE4, __stwb, "wb", )
COALDA_EVERY(COALDA_STORE, COALDA_STORE2, COALDA_STORE4, __stcg, "cg", )
COALDA_EVERY(COALDA_STORE, COALDA_STORE2, COALDA_STORE4, __stcs, "cs", )
/* These are there for other types. */
COALDA_LOAD(__ldcs, "cs", "u64", unsigned long, unsigned long, "l", )
COALDA_LOAD(__ldcg, "cg", "u64", unsigned long, unsigned long, "l", )
COALDA_LOAD(__ldcv, "cv", "u64", unsigned long, unsigned long, "l", : "memory")
COALDA_STORE(__stwt, "wt", "u64", unsigned long, unsigned long, "l", )
COALDA_STORE(__stwt, "wt", "s64", long, long, "l", )

#undef COALDA_EVERY
#undef COALDA_LOAD
#undef COALDA_LOAD2
#undef COALDA_LOAD4
#undef COALDA_STORE
#undef COALDA_STORE2
#undef COALDA_STORE4

/* ---- atomics that clang 22 compares as signed ---- */

/* Of the same name and type as clang's, and called in their place: where both would do, the one with a condition does. */
#define COALDA_UNSIGNED(name, text, Type, constraint)                                                                                        \
  COALDA_DEVICE Type name(Type *p, Type v) __attribute__((enable_if(true, ""))) {                                                            \
    Type old;                                                                                                                                \
    asm volatile(text " %0, [%1], %2;" : "=" constraint(old) : "l"(p), constraint(v) : "memory");                                            \
    return old;                                                                                                                              \
  }
COALDA_UNSIGNED(atomicMin_block, "atom.cta.min.u32", unsigned int, "r")
COALDA_UNSIGNED(atomicMax_block, "atom.cta.max.u32", unsigned int, "r")
COALDA_UNSIGNED(atomicMin_system, "atom.sys.min.u32", unsigned int, "r")
COALDA_UNSIGNED(atomicMax_system, "atom.sys.max.u32", unsigned int, "r")
COALDA_UNSIGNED(atomicMin_block, "atom.cta.min.u64", unsigned long long, "l")
COALDA_UNSIGNED(atomicMax_block, "atom.cta.max.u64", unsigned long long, "l")
COALDA_UNSIGNED(atomicMin_system, "atom.sys.min.u64", unsigned long long, "l")
COALDA_UNSIGNED(atomicMax_system, "atom.sys.max.u64", unsigned long long, "l")
#undef COALDA_UNSIGNED
#undef COALDA_DEVICE

/* ---- max and min on the host ---- */

#define COALDA_GREATEST(Result, A, B)                                                                                                        \
  static __host__ __inline__ Result max(A a, B b) { return (Result)a < (Result)b ? (Result)b : (Result)a; }                                  \
  static __host__ __inline__ Result min(A a, B b) { return (Result)b < (Result)a ? (Result)b : (Result)a; }
#define COALDA_GREATEST_OF(Signed, Unsigned)                                                                                                 \
  COALDA_GREATEST(Signed, Signed, Signed)                                                                                                    \
  COALDA_GREATEST(Unsigned, Unsigned, Unsigned)                                                                                              \
  COALDA_GREATEST(Unsigned, Signed, Unsigned)                                                                                                \
  COALDA_GREATEST(Unsigned, Unsigned, Signed)
COALDA_GREATEST_OF(int, unsigned int)
COALDA_GREATEST_OF(long, unsigned long)
COALDA_GREATEST_OF(long long, unsigned long long)
#undef COALDA_GREATEST_OF
#undef COALDA_GREATEST
/* Of numbers that are not, the other one, as fmax and fmin. */
#define COALDA_GREATEST(Result, A, B, function)                                                                                              \
  static __host__ __inline__ Result max(A a, B b) { return __builtin_fmax##function(a, b); }                                                 \
  static __host__ __inline__ Result min(A a, B b) { return __builtin_fmin##function(a, b); }
COALDA_GREATEST(float, float, float, f)
COALDA_GREATEST(double, double, double, )
COALDA_GREATEST(double, float, double, )
COALDA_GREATEST(double, double, float, )
#undef COALDA_GREATEST
static __host__ __inline__ unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
static __host__ __inline__ unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
static __host__ __inline__ long long int llmax(long long int a, long long int b) { return a < b ? b : a; }
static __host__ __inline__ long long int llmin(long long int a, long long int b) { return b < a ? b : a; }
static __host__ __inline__ unsigned long long int ullmax(unsigned long long int a, unsigned long long int b) { return a < b ? b : a; }
static __host__ __inline__ unsigned long long int ullmin(unsigned long long int a, unsigned long long int b) { return b < a ? b : a; }

/* ---- what CUDA 13 removed from the host's side ---- */

#if CUDART_VERSION >= 13000
static __inline__ cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static __inline__ cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static __inline__ cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
static __inline__ cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
static __inline__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }
static __inline__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
/* Before CUDA 13 a place was the number of a device, or cudaCpuDeviceId. */
static __inline__ struct cudaMemLocation coalda_location(int device) {
  struct cudaMemLocation place = {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
  return place;
}
static __inline__ cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(p, bytes, coalda_location(device), 0u, stream);
}
static __inline__ cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, bytes, advice, coalda_location(device));
}
#endif

#endif
#endif
