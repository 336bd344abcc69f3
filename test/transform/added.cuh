// What the tests of atomic additions share. Sums of small whole numbers are exact, in whatever order they are made.
#pragma once
#include "records.cuh"
#define ADD(p, v) __nvvm_atom_add_gen_f(p, v)              // what atomicAdd is
#define ADD_IN_BLOCK(p, v) __nvvm_atom_cta_add_gen_f(p, v) // and atomicAdd_block
#define ADD_IN_SYSTEM(p, v) __nvvm_atom_sys_add_gen_f(p, v)
#define R __restrict__
__device__ static inline float small(u32 x) { return (float)(x & 1023); }
struct Three { float x, y, z; };
struct Padded { float x, y, z, pad; };
struct Four { float x, y, z, w; };
struct Six { float x, y, z, u, v, w; };
struct Eight { float a[8]; };
