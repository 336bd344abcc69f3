// RUN: %rewritten %s --temp %t.d
// Arithmetic that takes longer than memory: fewer sectors would gain nothing, and shuffles would be more of it.
#include "records.cuh"
template <int N> struct Words { u32 w[N]; };
__device__ inline u32 turned(u32 x, int k) { return x << k | x >> (32 - k); }
#define HASH(ROUNDS) \
  KERNEL hash##ROUNDS(const Words<16> *__restrict__ p, Words<8> *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    Words<16> m = p[i]; u32 s[8] = {1, 2, 3, 4, 5, 6, 7, 8}; \
    _Pragma("unroll") for (int r = 0; r < ROUNDS; r++) { \
      s[r % 8] += (turned(s[(r + 1) % 8], 6) ^ turned(s[(r + 2) % 8], 11)) + m.w[r % 16]; \
      m.w[r % 16] += turned(s[(r + 3) % 8], 7) ^ s[(r + 5) % 8] >> 3; \
    } \
    _Pragma("unroll") for (int k = 0; k < 8; k++) q[i].w[k] = s[k]; }
// CASE: hash32 few plain:load=exchange plain:store=exchange fewer -- rand:{64*n} zero:{32*n} i32:{n}
// CASE: hash256 few load=exchange store=exchange plain:load=none plain:store=none plain:refuse=Busy -- rand:{64*n} zero:{32*n} i32:{n}
HASH(32) HASH(256)
// Of two groups that are one too many, the one that gains less is left: loads of 64 bytes here, not the stores.
// CASE: hash185 few load=exchange store=exchange plain:load=none plain:store=exchange plain:refuse=Busy -- rand:{64*n} zero:{32*n} i32:{n}
HASH(185)
// Floats take no less of it than integers.
// CASE: sums few load=exchange plain:load=none plain:refuse=Busy -- frand:{64*n} zero:{4*n} i32:{n}
KERNEL sums(const Words<16> *__restrict__ p, float *q, int n) {
  int i = ROW; if (i >= n) return;
  float s = 0;
  Words<16> m = p[i];
  #pragma unroll
  for (int r = 0; r < 1024; r++) s = s * __builtin_bit_cast(float, m.w[r % 16]) + (float)r;
  q[i] = s;
}
// Loads that the cache serves, of records whose words lie in four banks: beside many reads of shared memory they hold up the block,
// and are exchanged along with its stores; alone with them they are not.
// CASE: weighed few load=exchange plain:load=widen plain:store=exchange -- frand:{32*n} frand:256 zero:{32*n} i32:{n}
// CASE: doubled few load=exchange plain:load=widen plain:store=exchange -- frand:{32*n} frand:256 zero:{32*n} i32:{n}
#define RECORDS(NAME, WEIGHTS) \
  KERNEL NAME(const float *__restrict__ p, const float *__restrict__ w, float *__restrict__ q, int n) { \
    __shared__ float s[64]; \
    int i = ROW; float v[8]; \
    for (int t = threadIdx.x; t < 64; t += blockDim.x) s[t] = w[t]; \
    __syncthreads(); \
    if (i >= n) return; \
    _Pragma("unroll") for (int k = 0; k < 8; k++) v[k] = p[8 * i + k]; \
    _Pragma("unroll") for (int u = 0; u < 8; u++) { \
      float sum = v[u]; \
      _Pragma("unroll") for (int k = 0; k < WEIGHTS; k++) sum += s[WEIGHTS * u + k] * v[k]; \
      q[8 * i + u] = sum; \
    } \
  }
RECORDS(weighed, 8) RECORDS(doubled, 1)
// A list that leads to values anywhere, in pieces of 64 bytes, and with the entries of a matrix beside it.
// CASE: list few plain:load=exchange -- rand:{4*n+4} rand:1024 rand:1024 zero:{4*n} i32:{n}
// CASE: entries few plain:load=exchange -- rand:{4*n+4} rand:1024 rand:1024 zero:{4*n} i32:{n}
#define LISTED(NAME, ENTRY) \
  KERNEL NAME(const u32 *start, const u32 *at, const u32 *x, u32 *q, int n) { \
    int i = ROW; if (i >= n) return; \
    u32 s = 0; \
    for (int k = start[i] % 64; k < (int)(start[i + 1] % 128 + 64); k++) s += x[at[k] % 256] * (ENTRY); \
    q[i] = s; }
LISTED(list, 3) LISTED(entries, x[k])
// Nothing but the list: shorter pieces of what remains of it would not gain enough, where nobody knows how much remains.
// CASE: ranks few plain:load=exchange plain:refuse=Busy load=exchange -- iota:{n+1} rand:{156*n} frand:1024 zero:{4*n} i32:{n} i32:39
KERNEL ranks(const int *start, const u32 *at, const float *x, float *q, int n, int each) {
  int i = ROW; if (i >= n) return;
  float s = 0;
  for (int k = each * start[i]; k < each * start[i + 1]; k++) s += x[at[k] % 256];
  q[i] = s;
}
