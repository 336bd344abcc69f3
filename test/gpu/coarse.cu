// A program of kernels whose threads move little, for docs/rewrites/records.md#fewer-blocks: of each, by size and block, a hash of what one launch left, and the median of nine
// timings in microseconds. Built with and without the option it prints the same hashes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("ERROR %s line %d\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
// Floats between -0.5 and 0.5, or any bits, made on the device.
static __global__ void fill_(unsigned *p, size_t n, unsigned seed, int bits) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    unsigned long long z = i * 0x9E3779B97F4A7C15ull + seed;
    z ^= z >> 30, z *= 0xBF58476D1CE4E5B9ull, z ^= z >> 27, z *= 0x94D049BB133111EBull, z ^= z >> 31;
    p[i] = bits ? (unsigned)z : __float_as_uint((float)(z & 0xffffff) / 16777216.f - 0.5f);
  }
}
template <class T> T *make(size_t n, unsigned seed, int bits) {
  T *p;
  CK(cudaMalloc(&p, n * sizeof(T) + 256));
  fill_<<<1024, 256>>>((unsigned *)p, n * sizeof(T) / 4, seed, bits);
  CK(cudaDeviceSynchronize());
  return p;
}
typedef unsigned char u8; typedef unsigned short u16;
#define I int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
#define G __global__ void
G thr(const u8 *a, u8 *o, int n) { I; o[i] = a[i] > 128 ? 255 : 0; }
G blend(const u8 *a, const u8 *b, u8 *o, int n) { I; o[i] = (a[i] * 77 + b[i] * 179) >> 8; }
G gray(const uchar3 *a, u8 *o, int n) { I; uchar3 p = a[i]; o[i] = (u8)(.299f * p.x + .587f * p.y + .114f * p.z); }
__device__ __forceinline__ u8 sat8(int v) { return (u8)(v < 0 ? 0 : v > 255 ? 255 : v); }
G yuv(const u8 *__restrict__ Y, const u8 *__restrict__ U, const u8 *__restrict__ V, u8 *__restrict__ o, int n) { I; int c = 298 * (Y[i] - 16), d = U[i] - 128, e = V[i] - 128; u8 *q = o + 3 * (size_t)i; q[0] = sat8((c + 409 * e + 128) >> 8); q[1] = sat8((c - 100 * d - 208 * e + 128) >> 8); q[2] = sat8((c + 516 * d + 128) >> 8); }
G gelu(const u16 *x, const u16 *b, u16 *o, int c, int n) { I; float v = __half2float(__ushort_as_half(x[i])) + __half2float(__ushort_as_half(b[i % c])); float g = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); o[i] = __half_as_ushort(__float2half(g)); }
G hsax(const __half *x, __half *y, float a, int n) { I; y[i] = __float2half(a * __half2float(x[i]) + __half2float(y[i])); }
G tof(const u8 *a, float *o, int n) { I; o[i] = a[i] * (1 / 255.f); }
G pow8(const u8 *a, u8 *o, float g, int n) { I; o[i] = (u8)(255.f * powf(a[i] / 255.f, g)); }
G scale(const float *a, float *o, float s, int n) { I; o[i] = a[i] * s; }
G saxpy(const float *x, float *y, float a, int n) { I; y[i] = a * x[i] + y[i]; }
G add(const float *a, const float *b, float *o, int n) { I; o[i] = a[i] + b[i]; }
G sten(const float *a, float *o, int n) { I; o[i] = a[max(i - 1, 0)] + a[i] + a[min(i + 1, n - 1)]; }
G expo(const float *a, float *o, float s, int n) { I; float v = a[i]; o[i] = expf(v) / (1.f + log1pf(v * v)) + powf(fabsf(v), s); }
G fill(float *o, float s, int n) { I; o[i] = s; }
G swap3(uchar3 *a, int n) { I; uchar3 p = a[i]; u8 t = p.x; p.x = p.z; p.z = t; a[i] = p; }
G alpha(const uchar4 *a, const uchar4 *b, uchar4 *o, int n) { I; uchar4 p = a[i], q = b[i]; int w = p.w; o[i] = make_uchar4((p.x * w + q.x * (255 - w)) >> 8, (p.y * w + q.y * (255 - w)) >> 8, (p.z * w + q.z * (255 - w)) >> 8, 255); }
G where(const u8 *m, const float *a, const float *b, float *o, int n) { I; o[i] = m[i] & 1 ? a[i] : b[i]; }
G relu(float *a, int n) { I; a[i] = fmaxf(a[i], 0.f); }
G narrow(const double *a, float *o, int n) { I; o[i] = (float)a[i]; }
G ids(int *o, int n) { I; o[i] = i * 3; }
G diff(const u8 *a, const u8 *b, short *o, int n) { I; o[i] = a[i] - b[i]; }
G lut(const u8 *a, const u8 *t, u8 *o, int n) { I; o[i] = t[a[i]]; }
G sobel1(const u8 *a, short *o, int n) { I; o[i] = a[min(i + 2, n - 1)] - a[max(i - 2, 0)] + 2 * (a[min(i + 1, n - 1)] - a[max(i - 1, 0)]); }
G mad3(const float *a, const float *b, const float *c, float *o, int n) { I; o[i] = a[i] * b[i] + c[i]; }
#define XY int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return
G gray2(const uchar3 *a, u8 *o, int w, int h) { XY; uchar3 p = a[y * w + x]; o[y * w + x] = (u8)(.299f * p.x + .587f * p.y + .114f * p.z); }
G yuv2(const u8 *__restrict__ Y, const u8 *__restrict__ U, const u8 *__restrict__ V, size_t pitch, u8 *__restrict__ o, int w, int h) { XY; int c = 298 * (Y[y * pitch + x] - 16), d = U[y * pitch + x] - 128, e = V[y * pitch + x] - 128; u8 *q = o + 3 * ((size_t)y * w + x); q[0] = sat8((c + 409 * e + 128) >> 8); q[1] = sat8((c - 100 * d - 208 * e + 128) >> 8); q[2] = sat8((c + 516 * d + 128) >> 8); }
G thr2(const u8 *a, u8 *o, int w, int h) { XY; o[y * w + x] = a[y * w + x] > 99 ? 255 : 0; }
G scale2(const float *a, float *o, int w, int h) { XY; o[y * w + x] = a[y * w + x] * 2.f; }
G box2(const u8 *a, u8 *o, int w, int h) { XY; int s = 0; for (int d = -1; d <= 1; d++) for (int e = -1; e <= 1; e++) s += a[min(max(y + d, 0), h - 1) * w + min(max(x + e, 0), w - 1)]; o[y * w + x] = s / 9; }
G five2(const float *a, float *o, int w, int h) { XY; if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return; int i = y * w + x; o[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]); }
G clip(u8 *a, int n) { I; if (a[i] > 200) a[i] = 200; }
G kinds(const u8 *k, short *o, int n) { I; short v = o[i]; switch (k[i] & 7) { case 0: v = v * 3 + 1; break; case 1: return; case 2: v = 9; break; case 5: v = v % 7 ^ i; break; } o[i] = v; }
G hill(const float *a, float *o, float s, int n) { I; float v = a[i]; o[i] = v > 0 ? powf(v, s) / (1 + powf(v, s)) : 0.f; }
G fma4(const float *a, const float *b, float *o, int n) { I; float x = a[i], y = b[i]; o[i] = sqrtf(x * x + y * y); }
G sobel2(const u8 *a, u8 *o, int w, int h) { XY; if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return; const u8 *p = a + y * w + x; int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1], gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1]; o[y * w + x] = min(255, abs(gx) + abs(gy)); }
G life(const int *a, int *o, int w, int h) { XY; int l = (x + w - 1) % w, r = (x + 1) % w, u = (y + h - 1) % h, d = (y + 1) % h; int s = a[u * w + l] + a[u * w + x] + a[u * w + r] + a[y * w + l] + a[y * w + r] + a[d * w + l] + a[d * w + x] + a[d * w + r]; o[y * w + x] = (s & 7) == 3 || ((s & 7) == 2 && a[y * w + x]); }
G seven(const float *a, float *o, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z; if (x < 1 || y < 1 || z < 1 || x >= w - 1 || y >= h - 1 || z >= (int)gridDim.z - 1) return; int i = (z * h + y) * w + x; o[i] = 0.5f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w] + a[i - w * h] + a[i + w * h]); }
static cudaEvent_t e0, e1;
template <class L> float med(L l) { l(); l(); std::vector<float> t; cudaEventRecord(e0); l(); cudaEventRecord(e1); CK(cudaEventSynchronize(e1)); float one; cudaEventElapsedTime(&one, e0, e1); int reps = one > 0.1f ? 3 : one > 0.02f ? 10 : 40;
  for (int r = 0; r < 9; r++) { cudaEventRecord(e0); for (int k = 0; k < reps; k++) l(); cudaEventRecord(e1); CK(cudaEventSynchronize(e1)); float ms; cudaEventElapsedTime(&ms, e0, e1); t.push_back(ms * 1000 / reps); }
  std::sort(t.begin(), t.end()); CK(cudaGetLastError()); return t[4]; }
__global__ void hash_(const unsigned *p, size_t n, unsigned long long *h) { unsigned long long s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) s += (p[i] + 0x9E3779B9u) * (2 * i + 1) * 0x9E3779B97F4A7C15ull; atomicAdd(h, s); }
static unsigned long long hashed(void *p, size_t bytes) { static unsigned long long *h; if (!h) cudaMalloc(&h, 8); cudaMemset(h, 0, 8); hash_<<<512, 256>>>((unsigned *)p, bytes / 4, h); unsigned long long r; CK(cudaMemcpy(&r, h, 8, cudaMemcpyDeviceToHost)); return r; }
static int g(int n, int b) { return (n + b - 1) / b; }
int main() { cudaEventCreate(&e0); cudaEventCreate(&e1); 
  size_t N = 64 << 20; u8 *a = (u8 *)make<unsigned>(N * 2, 1, 1), *b = (u8 *)make<unsigned>(N, 2, 1), *c = (u8 *)make<unsigned>(N / 4, 3, 1), *o; CK(cudaMalloc(&o, N * 4 + 256));
  float *x = make<float>(N, 4, 0), *y = make<float>(N, 5, 0), *z = make<float>(N, 6, 0), *f = (float *)o; size_t B = N * 4;
#define T(name, call) { cudaMemset(o, 1, B); call; unsigned long long hh_ = hashed(o, B); float tt_ = med([&] { call; }); printf("%s %s %llx %.2f\n", #name, at, hh_, tt_); }
  char at[64];
  for (int n : {64 << 20, 16 << 20, 4000003, 1500007}) { for (int k : {64, 128, 256, 512, 1024}) { sprintf(at, "%d,%d", n, k); int q = g(n, k);
#define S(name, ...) T(name, (name<<<q, k>>>(__VA_ARGS__, n)))
    S(thr, a, o) S(blend, a, b, o) S(gray, (uchar3 *)a, o) S(yuv, a, b, c, o) S(gelu, (u16 *)a, (u16 *)b, (u16 *)o, 768) S(hsax, (__half *)a, (__half *)o, 0.5f) S(tof, a, f) S(pow8, a, o, 0.45f) S(scale, x, f, 2.f) S(saxpy, x, f, 0.5f) S(add, x, y, f) S(sten, x, f) S(expo, x, f, 1.7f) S(fill, f, 2.f) S(swap3, (uchar3 *)o) S(alpha, (uchar4 *)a, (uchar4 *)b, (uchar4 *)o) S(where, a, x, y, f) S(relu, f) S(narrow, (double *)a, f) S(ids, (int *)o) S(diff, a, b, (short *)o) S(lut, a, b, o) S(sobel1, a, (short *)o) S(mad3, x, y, z, f) S(clip, o) S(kinds, a, (short *)o) S(hill, x, f, 1.7f) S(fma4, x, y, f) } }
  int ws[][2] = {{6003, 4001}, {1920, 1080}, {1200, 900}}; int bs[][2] = {{16, 16}, {32, 8}, {64, 4}, {32, 32}, {16, 8}, {8, 8}};
  for (auto &s : ws) for (auto &k : bs) { int w = s[0], h = s[1]; dim3 bb(k[0], k[1]), gg(g(w, k[0]), g(h, k[1])); sprintf(at, "%dx%d,%dx%d", w, h, k[0], k[1]);
#define S2(name, ...) T(name, (name<<<gg, bb>>>(__VA_ARGS__, w, h)))
    S2(gray2, (uchar3 *)a, o) S2(yuv2, a, b, c, (size_t)(w + 255) / 256 * 256, o) S2(thr2, a, o) S2(scale2, x, f) S2(box2, a, o) S2(five2, x, f) S2(sobel2, a, o) S2(life, (int *)x, (int *)o) }
  int vs[][3] = {{256, 256, 256}, {400, 400, 100}, {128, 128, 128}}; int cs[][2] = {{32, 4}, {32, 8}, {64, 4}, {16, 16}, {128, 1}, {256, 1}};
  for (auto &s : vs) for (auto &k : cs) { int w = s[0], h = s[1]; dim3 bb(k[0], k[1]), gg(g(w, k[0]), g(h, k[1]), s[2]); sprintf(at, "%dx%dx%d,%dx%d", w, h, s[2], k[0], k[1]); T(seven, (seven<<<gg, bb>>>(x, f, w, h))) }
}
