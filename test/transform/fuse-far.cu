// RUN: %clang-device -O3 -ffp-contract=fast -fpass-plugin=%plugin -o %t.ll %s && %FileCheck %s < %t.ll
// Of a product and the sums of other blocks nobody knows what ptxas makes: where neither is near what is rewritten, they are as they were.
#define KERNEL extern "C" __global__ void
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

struct Point { float a, b, c, d, e, f, g, h; };

// The squares are compared in one block, and ptxas makes one of them one with their difference in the next.
// CHECK-LABEL: @mandelbrot
// CHECK: [[SQUARE:%.*]] = fmul contract float [[B:%.*]], [[B]]{{$}}
// CHECK: fadd contract float [[SQUARE]],
// CHECK: fsub contract float {{.*}}, [[SQUARE]]
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @ship
KERNEL mandelbrot(Point *q, int w, int most) {
  float x = (float)(ROW % w), y = (float)(ROW / w), a = x, b = y;
  int n = 0;
  while (n < most && a * a + b * b < 4) {
    float t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
    n++;
  }
  q[ROW] = {a, b, x, y, a + n, b + n, 1, (float)n};
}
// CHECK: = phi float
// CHECK-NOT: llvm.nvvm.mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @beside
KERNEL ship(Point *q, unsigned w, unsigned most) {
  float x = (float)(ROW % w), y = (float)(ROW / w), a = 0, b = 0;
  unsigned n = most;
  for (unsigned k = 0; k < most; k++) {
    float a2 = a * a, b2 = b * b;
    if (a2 + b2 > 4) {
      n = k;
      break;
    }
    b = __builtin_fabsf(2 * a * b) + y;
    a = a2 - b2 + x;
  }
  q[ROW] = {a, b, x, y, a + n, b + n, 1, (float)n};
}
// The backend makes the one sum beside the product one with it, and makes that of the other block one with it as well where nothing else uses it.
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK-NEXT: fadd contract float [[PRODUCT]],
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @for_a_loop
KERNEL beside(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], d = c, e = b, t = a * b;
  if (t + c > k) {
#pragma unroll 1
    for (int i = 0; i < n; i++) e = e * c + 1;
  }
  d = e - t;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (d > e) e = e * c;
    else d = d / c;
  }
  q[ROW] = {c, d, e, a, 1, 2, 3, 4};
}
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: fadd contract float [[PRODUCT]],
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @signs
KERNEL for_a_loop(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = __builtin_fabsf(p[ROW]), b = p[ROW + n], c = p[ROW + 2 * n], d = c, t = a * b, e = t + c;
#pragma unroll 1
  for (int i = 0; i < n; i++) d = e / (d - t);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (d > e) e = e * c;
    else d = d / c;
  }
  q[ROW] = {c, d, e, a, 1, 2, 3, 4};
}
// Two sums beside the product negate what it is made of: there is one negation in the end. A sign is no instruction to ptxas.
// CHECK: [[PRODUCT:%.*]] = fmul contract float [[A:%.*]], {{%.*}}{{$}}
// CHECK: fsub contract float [[PRODUCT]],
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK-NOT: llvm.nvvm.mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @in_front
KERNEL signs(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], d = p[ROW + 3 * n] - a * b, t = a * __builtin_fabsf(a);
  c = t - c;
  b = b / (b - t);
  if (c > k) {
    b = b / (d - t);
    a = c / a;
  }
  q[ROW] = {c, d, b, a, 1, 2, 3, 4};
}
// A sum stands in front of the records, in their block.
// CHECK: [[PRODUCT:%.*]] = fmul contract float {{%.*}}, 3.5
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK-NOT: llvm.nvvm.mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @behind_quotient
KERNEL in_front(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], t = a * 3.5f, d = t - c;
  if (t + d > k) c = c / a;
  if (d > k) {
    if (t + b > k) b = b / a;
    a = c / a;
  }
  if (c > k) {
    b = t + d;
    a = c / a;
  }
  if (b > k) {
    b = d - t;
    a = c / a;
  }
  q[ROW] = {c, d, b, a, 1, 2, 3, 4};
}
// LLVM moves the product to the head of the block of its sum, and the quotient in between is several blocks to ptxas, which leaves them two.
// CHECK: = fmul contract float
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK-NOT: llvm.nvvm.mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @elsewhere
KERNEL behind_quotient(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], d = c, t = a * 3.5f, u = d * b;
  c = t + b;
  if (c > k) {
    d = a - u;
    a = c / a;
  }
  if (d > k) {
    if (t + a > k) b = b / c;
    d = a - u;
  }
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (d > b) b = b * c;
    else d = d / c;
  }
  q[ROW] = {c, d, b, a, 1, 2, 3, 4};
}
// The backend makes a sum of another block one with the product, and so it does again.
// CHECK: [[PRODUCT:%.*]] = fmul contract float {{%.*}}, 3.5
// CHECK: fadd contract float {{.*}}[[PRODUCT]]
// CHECK: fsub contract float [[PRODUCT]],
// CHECK: fadd contract float {{.*}}[[PRODUCT]]
// CHECK-NOT: llvm.nvvm.mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @square
KERNEL elsewhere(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], d = p[ROW + 3 * n], t = a * 3.5f;
  if (t + a > k) d = d / a;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    a = t - c;
    a = a / c;
  }
  if (t + b > k) b = b / b;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (t + a > k) c = c / d;
    b = c / b;
  }
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (d > b) b = b * c;
    else d = d / c;
  }
  q[ROW] = {c, d, b, a, 1, 2, 3, 4};
}
// Of a square in front of a loop one register takes the place of one: ptxas makes it one with the loop's sum, as a rule.
// CHECK: [[PRODUCT:%.*]] = fmul contract float [[A:%.*]], [[A]]{{$}}
// CHECK: llvm.nvvm.shfl
// CHECK: fadd contract float {{.*}}[[PRODUCT]]
// CHECK: fsub contract float {{.*}}, [[PRODUCT]]
// CHECK-LABEL: @near
KERNEL square(Point *__restrict__ q, const float *__restrict__ p, int n, float k) {
  float a = p[ROW], b = p[ROW + n], c = p[ROW + 2 * n], t = a * a;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    if (b < k) b = b / c + t;
    if (c > b) c = c / b - t;
  }
  q[ROW] = {a, b, c, 1, 2, 3, 4, 5};
}
// The product comes to a sum among the records, whose block becomes two; its own stays as it is.
// CHECK: llvm.nvvm.mul.rn
// CHECK: ret void
KERNEL near(Point *__restrict__ q, const float *p, int most) {
  float a = p[ROW], b = p[ROW + 1], t = a * b;
#pragma unroll 1
  for (int k = 0; k < most; k++) a = k & 4 ? t : a / b;
  Point x = q[ROW];
  x.a += x.b + x.c;
  x.b = x.d + x.g;
  x.c = x.h;
  x.e = (most > 3 ? t : b) + x.f;
  x.h = a;
  q[ROW] = x;
}
