// The innermost of several loops is short as a rule: it does not ask, each time anew, whether its loads may come first.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-missed=coalda -pass-remarks=coalda -S %t.ll -o %t.out.ll 2>&1 | %FileCheck %s
#define LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define PATCH(J, KW) for (J j = 0; j < KW; j++) { float a = f[((i * (int)KW + (int)j) * hc + y) * wc + x]; int u = y + i + (int)a, v = x + (int)j; \
    *o = u >= 0 && u < h && v < w ? p[u * w + v] * a : 0; o += hc * wc; }

// The patches of an image: no launch is made for edges of sixteen and more.
// CHECK: loads of the loop wait for its stores; left as it is: it may have written what it loads, and is the innermost of several loops
extern "C" __global__ void patches(int n, const float *im, const float *off, float *col, int h, int w, int kh, int kw, int hc, int wc) {
  LOOP(t, n) {
    int x = t % wc, y = t / wc % hc, c = t / wc / hc;
    const float *p = im + c * h * w, *f = off + c * kh * kw * hc * wc;
    float *o = col + (c * kh * kw * hc + y) * wc + x;
    for (int i = 0; i < kh; i++) PATCH(int, kw)
  }
}
// One loop around it: rows of a matrix, for one.
// CHECK: loads of the loop wait for its stores; rewritten:
extern "C" __global__ void row(int n, const float *im, const float *off, float *col, int h, int w, int kw, int hc, int wc) {
  LOOP(t, n) {
    int x = t % wc, y = t / wc % hc, c = t / wc / hc, i = 0;
    const float *p = im + c * h * w, *f = off + c * kw * hc * wc;
    float *o = col + (c * kw * hc + y) * wc + x;
    PATCH(int, kw)
  }
}
// Nothing has to be asked: they never meet.
// CHECK: loads of the loop wait for its stores; rewritten:
extern "C" __global__ void apart(int n, const float *__restrict__ im, const float *__restrict__ off, float *__restrict__ col, int h, int w, int kh, int kw, int hc, int wc) {
  LOOP(t, n) {
    int x = t % wc, y = t / wc % hc, c = t / wc / hc;
    const float *p = im + c * h * w, *f = off + c * kh * kw * hc * wc;
    float *o = col + (c * kh * kw * hc + y) * wc + x;
    for (int i = 0; i < kh; i++) PATCH(int, kw)
  }
}
