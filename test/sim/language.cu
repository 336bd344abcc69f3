// What C++ makes of device code: calls, recursion, function pointers, virtual functions, byval structs, local arrays,
// constant memory, dynamic shared memory, printf, vectors, wide integers, memcpy.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel calls --grid 2 --block 40 --seeds 2 -- buf:320 i32:7
// RUN: %sim %t0.ll --kernel calls --grid 2 --block 40 --seeds 2 --compare %t3.ll -- buf:320 i32:7
// RUN: %sim %t3.ll --kernel objects --grid 2 --block 40 -- i32:3
// RUN: %sim %t0.ll --kernel objects --grid 2 --block 40 -- i32:3
// RUN: %sim %t3.ll --kernel memory --grid 2 --block 32 -- rand:4096:9 zero:4096
// RUN: %sim %t0.ll --kernel memory --grid 2 --block 32 -- rand:4096:9 zero:4096
// RUN: %sim %t3.ll --kernel dynamic --grid 2 --block 33 --shared 264 --seeds 3 -- i32:33
// RUN: %sim %t0.ll --kernel dynamic --grid 2 --block 33 --shared 264 --seeds 3 -- i32:33
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel dynamic --grid 1 --block 33 --shared 260 -- i32:33
// RUN: %sim %t3.ll --kernel wide --grid 1 --block 64 -- i64:-1234567890123456789
// RUN: %sim %t0.ll --kernel wide --grid 1 --block 64 -- i64:-1234567890123456789
// RUN: %sim %t3.ll --kernel hello --grid 1 --block 1 -- i32:-5 f64:2.5 | %FileCheck %s
// RUN: %sim %t0.ll --kernel hello --grid 1 --block 1 -- i32:-5 f64:2.5 | %FileCheck %s
// RUN: %sim %t3.ll --kernel demangled --grid 1 --block 1 -- zero:4
// CHECK: n=-5 u=4294967291 x=fffffffb d=2.50 s=text c=Z %
// CHECK-NEXT: second line
#include "check.cuh"
#include <stdio.h>

__constant__ u32 table[5] = {3, 1, 4, 1, 5};
__device__ u32 counter = 17;
__device__ const char *word = "device";

__device__ __noinline__ u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ u32 twice(u32 x) { return 2 * x; }
__device__ __noinline__ u32 square(u32 x) { return x * x; }
__device__ __noinline__ u32 apply(u32 (*f)(u32), u32 x) { return f(x) + 1; }
__device__ u32 (*const handlers[3])(u32) = {twice, square, fibonacci};
__device__ __noinline__ bool odd(u32 n);
__device__ __noinline__ bool even(u32 n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(u32 n) { return n != 0 && even(n - 1); }

KERNEL calls(u32 *out, u32 seven) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  EXPECT(fibonacci(seven) == 13 && fibonacci(i % 9) == (u32[]){0, 1, 1, 2, 3, 5, 8, 13, 21}[i % 9]);
  EXPECT(apply(i & 1 ? twice : square, i) == (i & 1 ? 2 * i : i * i) + 1);
  EXPECT(handlers[i % 2](seven) == (i % 2 ? 49 : 14) && handlers[2](seven) == 13);
  EXPECT(even(i) == (i % 2 == 0));
  EXPECT(table[i % 5] == (u32)("31415"[i % 5] - '0') && counter == 17 && word[seven - 2] == 'e');
  out[i] = fibonacci(i % 12) + apply(handlers[i % 3], i % 10);
}

struct Shape {
  __device__ virtual u32 area() const { return 0; }
};
struct Square : Shape {
  u32 a;
  __device__ Square(u32 a) : a(a) {}
  __device__ u32 area() const override { return a * a; }
};
struct Box : Shape {
  u32 a, b;
  __device__ Box(u32 a, u32 b) : a(a), b(b) {}
  __device__ u32 area() const override { return a * b; }
};
struct Big {
  u32 v[6];
  double d;
  char c;
};
__device__ __noinline__ u32 measure(const Shape &s) { return s.area(); }
__device__ __noinline__ u32 sum(Big b) {
  u32 s = 0;
  for (u32 x : b.v) s += x;
  b.v[0] = 99;                          // a copy: the caller keeps its own
  return s + (u32)b.d + b.c;
}
__device__ __noinline__ Big make(u32 x) {
  Big b = {{x, x + 1, x + 2, x + 3, x + 4, x + 5}, x * 0.5, (char)x};
  return b;
}

KERNEL objects(u32 three) {
  u32 t = threadIdx.x;
  Square s(t);
  Box b(t, three);
  EXPECT(measure(s) == t * t && measure(b) == 3 * t);
  const Shape *p = t % 2 ? (const Shape *)&s : &b;
  EXPECT(p->area() == (t % 2 ? t * t : 3 * t));
  Big big = make(t);
  EXPECT(sum(big) == 6 * t + 15 + t / 2 + t && big.v[0] == t);
  auto add = [&](u32 x) { return x + three + t; };
  EXPECT(add(1) == 4 + t);
  u32 local[10];
  for (u32 j = 0; j < 10; j++) local[(j + t) % 10] = j;
  EXPECT(local[t % 10] == 0 && local[(t + 7) % 10] == 7);
}

KERNEL memory(const unsigned char *a, unsigned char *b) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  memcpy(b + 64 * i, a + 64 * i, 47);
  memset(b + 64 * i + 47, 0x5a, 17);
  for (u32 j = 0; j < 64; j++) EXPECT(b[64 * i + j] == (j < 47 ? a[64 * i + j] : 0x5a));
  __builtin_memmove(b + 64 * i + 3, b + 64 * i, 40);
  for (u32 j = 0; j < 40; j++) EXPECT(b[64 * i + 3 + j] == a[64 * i + j]);
  uint4 v = *(const uint4 *)(a + 64 * i);
  EXPECT(v.y == (a[64 * i + 4] | a[64 * i + 5] << 8 | a[64 * i + 6] << 16 | (u32)a[64 * i + 7] << 24));
  *(uint4 *)(b + 64 * i + 16) = make_uint4(v.w, v.z, v.y, v.x);
  EXPECT(*(u32 *)(b + 64 * i + 28) == v.x && __ldg((const u32 *)(a + 64 * i)) == v.x);
}

KERNEL dynamic(u32 n) {
  extern __shared__ u32 pool[];
  u64 *wide = (u64 *)pool;
  u32 t = threadIdx.x;
  wide[t] = (u64)t << 32 | 1;
  __syncthreads();
  EXPECT(wide[n - 1 - t] == ((u64)(n - 1 - t) << 32 | 1) && pool[2 * t + 1] == t);
}

KERNEL wide(long long x) {
  __int128 w = (__int128)x * x;
  u64 high = (u64)(w >> 64), low = (u64)w;
  EXPECT(high == __umul64hi(-x, -x) && low == (u64)x * (u64)x);
  EXPECT(w / x == x && (long long)(w % 1000007) == (long long)(((high % 1000007) * (18446744073709551615ull % 1000007 + 1) + low % 1000007) % 1000007));
  EXPECT(x / 7 * 7 + x % 7 == x && (x >> 60) == -2 && (u64)x >> 60 == 14);
}

KERNEL hello(int n, double d) {
  printf("n=%d u=%u x=%x d=%.2f s=%s c=%c %%\nsecond %s\n", n, n, n, d, "text", 'Z', "line");
}

template <class T> __global__ void demangled(T *p) { *p = 1; }
template __global__ void demangled<int>(int *);
