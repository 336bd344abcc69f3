// RUN: %rewritten %s --temp %t.d
// Records of every length: 1 to 33 words, 1 to 16 bytes, and longer ones that are cut.
// TEXT: levels=O3
#include "records.cuh"

template <class T, int N> __device__ void reverse(const T *__restrict__ p, T *__restrict__ q) {
  T r[N];
  #pragma unroll
  for (int k = 0; k < N; k++) r[k] = p[k];
  #pragma unroll
  for (int k = 0; k < N; k++) q[k] = r[N - 1 - k] + T(k);
}
template <int N> struct Words { u32 w[N]; };
#define SIZES(T, N) \
  KERNEL T##N(const T *__restrict__ p, T *__restrict__ q, int n) { int i = ROW; if (i < n) reverse<T, N>(p + N * i, q + N * i); }
#define COPY(N) \
  KERNEL copy##N(const Words<N> *__restrict__ p, Words<N> *__restrict__ q, int n) { int i = ROW; if (i < n) q[i] = p[i]; }
SIZES(u32, 1) SIZES(u32, 2) SIZES(u32, 3) SIZES(u32, 4) SIZES(u32, 5) SIZES(u32, 6) SIZES(u32, 7) SIZES(u32, 8) SIZES(u32, 9)
SIZES(u32, 10) SIZES(u32, 11) SIZES(u32, 12) SIZES(u32, 13) SIZES(u32, 14) SIZES(u32, 15) SIZES(u32, 16) SIZES(u32, 17)
SIZES(u32, 18) SIZES(u32, 20) SIZES(u32, 24) SIZES(u32, 25) SIZES(u32, 28) SIZES(u32, 30) SIZES(u32, 31) SIZES(u32, 32) SIZES(u32, 33)
SIZES(u32, 40) SIZES(u32, 48) SIZES(u32, 64)
SIZES(u8, 1) SIZES(u8, 2) SIZES(u8, 3) SIZES(u8, 4) SIZES(u8, 5) SIZES(u8, 6) SIZES(u8, 7) SIZES(u8, 8) SIZES(u8, 9) SIZES(u8, 10)
SIZES(u8, 11) SIZES(u8, 12) SIZES(u8, 13) SIZES(u8, 14) SIZES(u8, 15) SIZES(u8, 16)
SIZES(u16, 3) SIZES(u16, 5) SIZES(u16, 7) SIZES(u16, 8) SIZES(u64, 2) SIZES(u64, 3) SIZES(u64, 5) SIZES(u64, 8)
COPY(3) COPY(4) COPY(5) COPY(7) COPY(8) COPY(12) COPY(16) COPY(17) COPY(24) COPY(31) COPY(32) COPY(33) COPY(48) COPY(64)
//
// CASE: u321 none few -- rand:{4*n} zero:{4*n} i32:{n}
// CASE: u322 few -- rand:{8*n} zero:{8*n} i32:{n}
// CASE: u323 load=exchange store=exchange -- rand:{12*n} zero:{12*n} i32:{n}
// CASE: u324 few load=widen store=widen -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: u325 few load=exchange store=exchange -- rand:{20*n} zero:{20*n} i32:{n}
// CASE: u326 few load=exchange store=exchange -- rand:{24*n} zero:{24*n} i32:{n}
// CASE: u327 load=exchange store=exchange -- rand:{28*n} zero:{28*n} i32:{n}
// CASE: u328 load=exchange store=exchange fewer -- rand:{32*n} zero:{32*n} i32:{n}
// CASE: u329 load=exchange store=exchange fewer -- rand:{36*n} zero:{36*n} i32:{n}
// CASE: u3210 load=exchange store=exchange fewer -- rand:{40*n} zero:{40*n} i32:{n}
// CASE: u3211 load=exchange store=exchange fewer -- rand:{44*n} zero:{44*n} i32:{n}
// CASE: u3212 load=exchange store=exchange fewer -- rand:{48*n} zero:{48*n} i32:{n}
// CASE: u3213 load=exchange store=exchange fewer -- rand:{52*n} zero:{52*n} i32:{n}
// CASE: u3214 load=exchange store=exchange fewer -- rand:{56*n} zero:{56*n} i32:{n}
// CASE: u3215 load=exchange store=exchange fewer -- rand:{60*n} zero:{60*n} i32:{n}
// CASE: u3216 load=exchange store=exchange fewer -- rand:{64*n} zero:{64*n} i32:{n}
// CASE: u3217 load=exchange store=exchange fewer -- rand:{68*n} zero:{68*n} i32:{n}
// CASE: u3218 load=exchange store=exchange fewer -- rand:{72*n} zero:{72*n} i32:{n}
// CASE: u3220 load=exchange store=exchange fewer -- rand:{80*n} zero:{80*n} i32:{n}
// CASE: u3224 load=exchange store=exchange fewer -- rand:{96*n} zero:{96*n} i32:{n}
// CASE: u3225 load=exchange store=exchange fewer -- rand:{100*n} zero:{100*n} i32:{n}
// CASE: u3228 load=exchange store=exchange fewer -- rand:{112*n} zero:{112*n} i32:{n}
// CASE: u3230 load=exchange store=exchange fewer -- rand:{120*n} zero:{120*n} i32:{n}
// CASE: u3231 load=exchange store=exchange fewer -- rand:{124*n} zero:{124*n} i32:{n}
// CASE: u3232 load=exchange store=exchange fewer -- rand:{128*n} zero:{128*n} i32:{n}
// CASE: u3233 load=exchange store=exchange fewer -- rand:{132*n} zero:{132*n} i32:{n}
// CASE: u3240 load=exchange store=exchange fewer -- rand:{160*n} zero:{160*n} i32:{n}
// CASE: u3248 load=exchange store=exchange fewer -- rand:{192*n} zero:{192*n} i32:{n}
// CASE: u3264 load=exchange store=exchange fewer -- rand:{256*n} zero:{256*n} i32:{n}
// CASE: u81 none few -- rand:{1*n} zero:{1*n} i32:{n}
// CASE: u82 few -- rand:{2*n} zero:{2*n} i32:{n}
// CASE: u83 -- rand:{3*n} zero:{3*n} i32:{n}
// CASE: u84 few -- rand:{4*n} zero:{4*n} i32:{n}
// CASE: u85 few -- rand:{5*n} zero:{5*n} i32:{n}
// CASE: u86 few -- rand:{6*n} zero:{6*n} i32:{n}
// CASE: u87 -- rand:{7*n} zero:{7*n} i32:{n}
// CASE: u88 few -- rand:{8*n} zero:{8*n} i32:{n}
// CASE: u89 few -- rand:{9*n} zero:{9*n} i32:{n}
// CASE: u810 few -- rand:{10*n} zero:{10*n} i32:{n}
// CASE: u811 few -- rand:{11*n} zero:{11*n} i32:{n}
// CASE: u812 few -- rand:{12*n} zero:{12*n} i32:{n}
// CASE: u813 few -- rand:{13*n} zero:{13*n} i32:{n}
// CASE: u814 few -- rand:{14*n} zero:{14*n} i32:{n}
// CASE: u815 few -- rand:{15*n} zero:{15*n} i32:{n}
// CASE: u816 few -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: u163 few -- rand:{6*n} zero:{6*n} i32:{n}
// CASE: u165 -- rand:{10*n} zero:{10*n} i32:{n}
// CASE: u167 few -- rand:{14*n} zero:{14*n} i32:{n}
// CASE: u168 few -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: u642 few -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: u643 -- rand:{24*n} zero:{24*n} i32:{n}
// CASE: u645 few -- rand:{40*n} zero:{40*n} i32:{n}
// CASE: u648 few -- rand:{64*n} zero:{64*n} i32:{n}
// CASE: copy3 few load=copy store=copy -- rand:{12*n} zero:{12*n} i32:{n}
// CASE: copy4 few load=widen store=widen -- rand:{16*n} zero:{16*n} i32:{n}
// CASE: copy5 few load=copy store=copy -- rand:{20*n} zero:{20*n} i32:{n}
// CASE: copy7 load=copy store=copy -- rand:{28*n} zero:{28*n} i32:{n}
// CASE: copy8 load=copy store=copy -- rand:{32*n} zero:{32*n} i32:{n}
// CASE: copy12 few load=copy store=copy -- rand:{48*n} zero:{48*n} i32:{n}
// CASE: copy16 few load=copy store=copy -- rand:{64*n} zero:{64*n} i32:{n}
// CASE: copy17 few load=copy store=copy -- rand:{68*n} zero:{68*n} i32:{n}
// CASE: copy24 load=copy store=copy -- rand:{96*n} zero:{96*n} i32:{n}
// CASE: copy31 few load=copy store=copy -- rand:{124*n} zero:{124*n} i32:{n}
// CASE: copy32 few load=copy store=copy -- rand:{128*n} zero:{128*n} i32:{n}
// CASE: copy33 load=copy store=copy -- rand:{132*n} zero:{132*n} i32:{n}
// CASE: copy48 few load=copy store=copy -- rand:{192*n} zero:{192*n} i32:{n}
// CASE: copy64 few load=copy store=copy -- rand:{256*n} zero:{256*n} i32:{n}
