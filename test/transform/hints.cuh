// __ldcs and its like as clang's headers write them, and stores as users do whose compiler has none.
#pragma once
#include "records.cuh"
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int4 { int x, y, z, w; };
struct short2 { short x, y; };
#define HINTED_LOAD(NAME, TEXT, T, C) \
  __device__ inline T NAME(const T *p) { T v; asm(TEXT " %0, [%1];" : C(v) : "l"(p)); return v; }
#define HINTED_LOADS(NAME, WORD) \
  HINTED_LOAD(NAME, "ld.global." WORD ".f32", float, "=f") \
  HINTED_LOAD(NAME, "ld.global." WORD ".f64", double, "=d") \
  HINTED_LOAD(NAME, "ld.global." WORD ".s32", int, "=r") \
  HINTED_LOAD(NAME, "ld.global." WORD ".u32", u32, "=r") \
  __device__ inline u8 NAME(const u8 *p) { u32 v; asm("ld.global." WORD ".u8 %0, [%1];" : "=r"(v) : "l"(p)); return (u8)v; } \
  __device__ inline signed char NAME(const signed char *p) { int v; asm("ld.global." WORD ".s8 %0, [%1];" : "=r"(v) : "l"(p)); return (signed char)v; } \
  __device__ inline u16 NAME(const u16 *p) { u16 v; asm("ld.global." WORD ".u16 %0, [%1];" : "=h"(v) : "l"(p)); return v; } \
  __device__ inline float2 NAME(const float2 *p) { \
    float2 v; asm("ld.global." WORD ".v2.f32 {%0,%1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p)); return v; } \
  __device__ inline float4 NAME(const float4 *p) { \
    float4 v; asm("ld.global." WORD ".v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p)); return v; }
HINTED_LOADS(cs, "cs")
HINTED_LOADS(cg, "cg")
HINTED_LOADS(ca, "ca")
HINTED_LOADS(lu, "lu")
#define HINTED_STORE(NAME, TEXT, T, C) \
  __device__ inline void NAME(T *p, T v) { asm(TEXT " [%0], %1;" ::"l"(p), C(v) : "memory"); }
#define HINTED_STORES(NAME, WORD) \
  HINTED_STORE(NAME, "st.global." WORD ".f32", float, "f") \
  HINTED_STORE(NAME, "st.global." WORD ".f64", double, "d") \
  HINTED_STORE(NAME, "st.global." WORD ".s32", int, "r") \
  HINTED_STORE(NAME, "st.global." WORD ".u32", u32, "r") \
  __device__ inline void NAME(float4 *p, float4 v) { \
    asm("st.global." WORD ".v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory"); }
HINTED_STORES(wt, "wt")
HINTED_STORES(scs, "cs")
HINTED_STORES(scg, "cg")
// Of bytes and halves of words.
__device__ inline int4 csb(const void *p) {
  int4 v;
  asm("ld.global.cs.v4.s8 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}
__device__ inline short2 csh(const void *p) {
  short2 v;
  asm("ld.global.cs.v2.s16 {%0,%1}, [%2];" : "=h"(v.x), "=h"(v.y) : "l"(p));
  return v;
}
__device__ inline void wtb(void *p, int4 v) {
  asm("st.global.wt.v4.u8 [%0], {%1,%2,%3,%4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
__device__ inline void wth(void *p, short2 v) { asm("st.global.wt.v2.s16 [%0], {%1,%2};" ::"l"(p), "h"(v.x), "h"(v.y) : "memory"); }
__device__ inline float once(const float *p) {
  float v;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
