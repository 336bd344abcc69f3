// RUN: %rewritten %s --temp %t.d
// Windows that edges cut off, as those of pooling layers, are short, and their neighbours' overlap: a loop that walks one stays as it is. Its length far from
// the edges is a number that the launch gives. Chunks have one as well, by which the next thread begins further on; bands of a matrix have rows of their own.
// TEXT: levels=O3,O1
#include "records.cuh"
#define INNER(i, a, b) ((i) < (a) ? (a) : (i) > (b) ? (b) : (i))

// CASE: largest plain:load=none plain:refuse=WalkWindow load=exchange block=64 full with=k=0,1,3,40 with=p=0,1 -- rand:{8*n+4} zero:{4*n} i32:{2*n} i32:{k} i32:2 i32:{p} i32:{n}
KERNEL largest(const u32 *in, u32 *out, int w, int size, int stride, int pad, int n) {
  int i = ROW;
  if (i >= n) return;
  int b = i * stride - pad, e = b + size < w ? b + size : w;
  b = b > 0 ? b : 0;
  u32 m = 0;
  for (int j = b; j < e; ++j) m = in[j] > m ? in[j] : m;
  out[i] = m;
}
// In a grid-stride loop, by planes, with the place in it from a quotient, and a pointer to the plane.
template <typename I> __device__ static inline u32 around(const u32 *plane, I x, I y, I size, I stride, I w, I h) {
  I b = x * stride, e = b + size < w ? b + size : w, c = y * stride, d = c + size < h ? c + size : h;
  u32 s = 0;
  for (; c < d; c++)
    for (I j = b; j < e; j++) s = s * 3 + plane[c * w + j];
  return s;
}
// CASE: planes plain:load=none plain:refuse=WalkWindow block=32 grid=1 full with=k=1,3,17 -- rand:{4*16*16*4} zero:{4*256} i32:{k} i32:2 i32:16 i32:16 i32:8 i32:256
KERNEL planes(const u32 *in, u32 *out, int size, int stride, int w, int h, int wide, int n) {
  for (int i = ROW; i < n; i += blockDim.x * gridDim.x) {
    int x = i % wide, y = i / wide % (h / 2), z = i / wide / (h / 2);
    out[i] = around<int>(in + z * w * h, x, y, size, stride, w, h);
  }
}
// CASE: longs plain:load=none plain:refuse=WalkWindow load=exchange block=64 full with=k=0,1,5,40 -- rand:{12*n+8} zero:{4*n} i64:{3*n} i64:{k} i64:3 i64:{n}
KERNEL longs(const u32 *in, u32 *out, long w, long size, long stride, long n) {
  long i = ROW;
  if (i < n) out[i] = around<long>(in, i, 0, size, stride, w, 1);
}
// A window that does not move as its length says, and a chunk that does.
// CASE: chunks plain:load=exchange load=exchange block=64 full with=k=1,7,33,64 -- rand:{4*n*k+4} zero:{4*n} i32:{n*k-3} i32:{k}
KERNEL chunks(const u32 *in, u32 *out, int n, int size) {
  int i = ROW, b = i * size, e = b + size < n ? b + size : n;
  u32 s = 0;
  for (int j = b; j < e; j++) s = s * 3 + in[j];
  out[i] = s;
}
// CASE: band plain:load=exchange load=exchange block=64 full with=k=0,1,9,40 -- rand:{4*n*n} zero:{4*n} i32:{n} i32:{k}
KERNEL band(const u32 *a, u32 *out, int n, int wide) {
  int i = ROW, b = i - wide > 0 ? i - wide : 0, e = i + wide < n - 1 ? i + wide : n - 1;
  u32 s = 0;
  for (int j = b; j <= e; j++) s = s * 3 + a[i * n + j];
  out[i] = s;
}
// Rows that all threads read as far, whatever lies behind them.
// CASE: pitched plain:load=exchange load=exchange block=64 full with=m=1,33,40,50 -- rand:{4*n*41+4} zero:{4*n} i32:41 i32:{m}
KERNEL pitched(const u32 *a, u32 *out, int pitch, int m) {
  int i = ROW, e = m < pitch ? m : pitch;
  u32 s = 0;
  for (int j = 0; j < e; j++) s = s * 3 + a[i * 41 + j];
  out[i] = s;
}
// Rows of a matrix that are cut off by their thread: below a diagonal, and where there is no more.
// CASE: causal plain:load=exchange load=exchange block=64 full with=m=40,200 with=k=1,9 -- rand:{4*n*201+4} zero:{4*n} i32:201 i32:{m} i32:{k}
KERNEL causal(const u32 *a, u32 *out, int pitch, int m, int off) {
  int i = ROW, e = i + off < m ? i + off : m;
  u32 s = 0;
  for (int j = 0; j < e; j++) s = s * 3 + a[i * pitch + j];
  out[i] = s;
}
// A length that no number alone is.
// CASE: squares plain:load=exchange load=exchange block=64 full with=k=1,3,7 -- rand:{12*n+8} zero:{4*n} i32:{3*n} i32:{k} i32:3
KERNEL squares(const u32 *in, u32 *out, int w, int size, int stride) {
  int i = ROW, b = i * stride, e = b + size * size < w ? b + size * size : w;
  u32 s = 0;
  for (int j = b; j < e; j++) s = s * 3 + in[j];
  out[i] = s;
}
// Rows of a table that threads take in turn: what is left of a division says which. But for those that are one behind the other until they begin again.
// CASE: phases plain:load=none plain:refuse=WalkWindow load=exchange block=64 full with=m=1,33,40 with=k=1,3 -- rand:{4*n} rand:{4*4*41} zero:{4*n} i32:{m} i32:{k} i32:4
KERNEL phases(const u32 *__restrict__ x, const u32 *__restrict__ h, u32 *__restrict__ out, int taps, int down, int up) {
  int i = ROW, phase = i * down % up;
  u32 s = 0;
  for (int j = 0; j < taps; j++) s = s * 3 + h[phase * taps + j];
  out[i] = s + x[i];
}
// CASE: again plain:load=exchange load=exchange block=64 full with=m=1,33,40 with=k=3,20 -- rand:{4*n} rand:{4*41*21} zero:{4*n} i32:{m} i32:{k}
KERNEL again(const u32 *__restrict__ x, const u32 *__restrict__ h, u32 *__restrict__ out, int m, int rows) {
  int i = ROW, row = i % rows;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 3 + h[row * m + j];
  out[i] = s + x[i];
}
