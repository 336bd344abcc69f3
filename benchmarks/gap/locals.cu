// Small arrays of a thread, as users write them: handed to functions, in structs, indexed by loops. Each can stay in registers.
#include "gap.h"

// ---- an FFT of 512 points by 64 threads, radix 8, doubles; v is handed from function to function

static __device__ double2 add(double2 a, double2 b) { return make_double2(a.x + b.x, a.y + b.y); }
static __device__ double2 sub(double2 a, double2 b) { return make_double2(a.x - b.x, a.y - b.y); }
static __device__ double2 mul(double2 a, double2 b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

static __device__ void fft2(double2 *a, double2 *b)
{
    double2 t = *a;
    *a = add(t, *b);
    *b = sub(t, *b);
}

static __device__ void fft4(double2 *a, double2 *b, double2 *c, double2 *d)
{
    fft2(a, c);
    fft2(b, d);
    *d = mul(*d, make_double2(0, -1));
    fft2(a, b);
    fft2(c, d);
}

static __device__ void fft8(double2 *v)
{
    const double h = 0.70710678118654752440;
    for (int i = 0; i < 4; i++)
        fft2(&v[i], &v[i + 4]);
    v[5] = mul(v[5], make_double2(h, -h));
    v[6] = mul(v[6], make_double2(0, -1));
    v[7] = mul(v[7], make_double2(-h, -h));
    fft4(&v[0], &v[1], &v[2], &v[3]);
    fft4(&v[4], &v[5], &v[6], &v[7]);
}

static __device__ void twiddle8(double2 *v, int i, int n)
{
    const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    for (int j = 1; j < 8; j++) {
        float angle = -2 * 3.14159265f * reversed[j] / n * i, s, c;
        __sincosf(angle, &s, &c);
        v[j] = mul(v[j], make_double2(c, s));
    }
}

static __device__ void transpose(double2 *v, double *s, int stride, double *l, int width, int group)
{
    const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    __syncthreads();
    for (int i = 0; i < 8; i++)
        s[i * group] = v[reversed[i]].x;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        v[i].x = l[i * width];
    __syncthreads();
    for (int i = 0; i < 8; i++)
        s[i * group] = v[reversed[i]].y;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        v[i].y = l[i * width];
}

__global__ void fft512(const double2 *in, double2 *out)
{
    __shared__ double s[8 * 8 * 9];
    int t = threadIdx.x, low = t & 7, high = t >> 3;
    in += blockIdx.x * 512 + t;
    out += blockIdx.x * 512 + t;
    double2 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = in[i * 64];
    fft8(v);
    twiddle8(v, t, 512);
    transpose(v, &s[high * 8 + low], 8, &s[low * 66 + high], 8, 66);
    fft8(v);
    twiddle8(v, high, 64);
    transpose(v, &s[high * 72 + low], 8, &s[high * 72 + low * 8], 1, 8);
    fft8(v);
    for (int i = 0; i < 8; i++)
        out[i * 64] = v[i];
}

// ---- a warp-tiled product: register tiles handed to templates

template <int BM, int BN, int BK, int rowStrideA, int rowStrideB>
__device__ void load_tiles(int N, int K, const float *A, const float *B, float *As, float *Bs, int innerRowA, int innerColA,
                           int innerRowB, int innerColB)
{
    for (unsigned offset = 0; offset + rowStrideA <= BM; offset += rowStrideA) {
        const float4 tmp = reinterpret_cast<const float4 *>(&A[(innerRowA + offset) * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA + offset] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA + offset] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA + offset] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA + offset] = tmp.w;
    }
    for (unsigned offset = 0; offset + rowStrideB <= BK; offset += rowStrideB)
        reinterpret_cast<float4 *>(&Bs[(innerRowB + offset) * BN + innerColB * 4])[0] =
            reinterpret_cast<const float4 *>(&B[(innerRowB + offset) * N + innerColB * 4])[0];
}

template <int BM, int BN, int BK, int WM, int WN, int WMITER, int WNITER, int WSUBM, int WSUBN, int TM, int TN>
__device__ void use_tiles(float *regM, float *regN, float *threadResults, const float *As, const float *Bs, unsigned warpRow,
                          unsigned warpCol, unsigned rowInWarp, unsigned colInWarp)
{
    for (unsigned k = 0; k < BK; ++k) {
        for (unsigned m = 0; m < WMITER; ++m)
            for (unsigned i = 0; i < TM; ++i)
                regM[m * TM + i] = As[k * BM + warpRow * WM + m * WSUBM + rowInWarp * TM + i];
        for (unsigned n = 0; n < WNITER; ++n)
            for (unsigned i = 0; i < TN; ++i)
                regN[n * TN + i] = Bs[k * BN + warpCol * WN + n * WSUBN + colInWarp * TN + i];
        for (unsigned m = 0; m < WMITER; ++m)
            for (unsigned n = 0; n < WNITER; ++n)
                for (unsigned i = 0; i < TM; ++i)
                    for (unsigned j = 0; j < TN; ++j)
                        threadResults[(m * TM + i) * (WNITER * TN) + n * TN + j] += regM[m * TM + i] * regN[n * TN + j];
    }
}

template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS>
__global__ void __launch_bounds__(THREADS) warp_tiled(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const unsigned warp = threadIdx.x / 32, warpCol = warp % (BN / WN), warpRow = warp / (BN / WN);
    constexpr int WMITER = (WM * WN) / (32 * TM * TN * WNITER), WSUBM = WM / WMITER, WSUBN = WN / WNITER;
    const unsigned lane = threadIdx.x % 32, colInWarp = lane % (WSUBN / TN), rowInWarp = lane / (WSUBN / TN);
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;
    const unsigned innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
    constexpr int rowStrideA = (THREADS * 4) / BK, rowStrideB = THREADS / (BN / 4);
    const unsigned innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
    float threadResults[WMITER * TM * WNITER * TN] = {0.0};
    float regM[WMITER * TM] = {0.0};
    float regN[WNITER * TN] = {0.0};
    for (unsigned k = 0; k < K; k += BK) {
        load_tiles<BM, BN, BK, rowStrideA, rowStrideB>(N, K, A, B, As, Bs, innerRowA, innerColA, innerRowB, innerColB);
        __syncthreads();
        use_tiles<BM, BN, BK, WM, WN, WMITER, WNITER, WSUBM, WSUBN, TM, TN>(regM, regN, threadResults, As, Bs, warpRow, warpCol,
                                                                           rowInWarp, colInWarp);
        A += BK;
        B += BK * N;
        __syncthreads();
    }
    for (unsigned m = 0; m < WMITER; ++m)
        for (unsigned n = 0; n < WNITER; ++n) {
            float *C_interim = C + (m * WSUBM) * N + n * WSUBN;
            for (unsigned i = 0; i < TM; i += 1)
                for (unsigned j = 0; j < TN; j += 4) {
                    float4 tmp = reinterpret_cast<float4 *>(&C_interim[(rowInWarp * TM + i) * N + colInWarp * TN + j])[0];
                    const int at = (m * TM + i) * (WNITER * TN) + n * TN + j;
                    tmp.x = alpha * threadResults[at + 0] + beta * tmp.x;
                    tmp.y = alpha * threadResults[at + 1] + beta * tmp.y;
                    tmp.z = alpha * threadResults[at + 2] + beta * tmp.z;
                    tmp.w = alpha * threadResults[at + 3] + beta * tmp.w;
                    reinterpret_cast<float4 *>(&C_interim[(rowInWarp * TM + i) * N + colInWarp * TN + j])[0] = tmp;
                }
        }
}

// ---- a product whose tiles are structs with functions of their own

template <int R, int C> struct Tile {
    float v[R][C];
    __device__ void clear()
    {
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++)
                v[r][c] = 0;
    }
    __device__ void rank1(const Tile<R, 1> &x, const Tile<1, C> &y)
    {
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++)
                v[r][c] += x.v[r][0] * y.v[0][c];
    }
};

__global__ void struct_tiles(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[16][64], bs[16][64];
    int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
    Tile<8, 8> acc;
    acc.clear();
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = threadIdx.x; i < 16 * 64; i += 64) {
            as[i % 16][i / 16] = A[(blockIdx.y * 64 + i / 16) * n + k0 + i % 16];
            bs[i / 64][i % 64] = B[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            Tile<8, 1> x;
            Tile<1, 8> y;
            for (int i = 0; i < 8; i++) {
                x.v[i][0] = as[k][ty * 8 + i];
                y.v[0][i] = bs[k][tx * 8 + i];
            }
            acc.rank1(x, y);
        }
        __syncthreads();
    }
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++)
            C[(blockIdx.y * 64 + ty * 8 + r) * n + blockIdx.x * 64 + tx * 8 + c] = acc.v[r][c];
}

// ---- forces on eight bodies a thread, in arrays of float4

static __device__ void pull(float4 *force, const float4 *body, float4 other)
{
    for (int i = 0; i < 8; i++) {
        float dx = other.x - body[i].x, dy = other.y - body[i].y, dz = other.z - body[i].z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = other.w * r * r * r;
        force[i].x += f * dx;
        force[i].y += f * dy;
        force[i].z += f * dz;
        force[i].w += other.w * r;
    }
}

__global__ void bodies(const float4 *p, float4 *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float4 body[8], force[8];
    for (int i = 0; i < 8; i++) {
        body[i] = p[t + i * all];
        force[i] = make_float4(0, 0, 0, 0);
    }
    for (int j = 0; j < n; j++)
        pull(force, body, p[j]);
    for (int i = 0; i < 8; i++)
        out[t + i * all] = force[i];
}

// ---- loops of known trips without a pragma, around each other: the neighbourhood of a place, its median by a selection

__global__ void median5(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
        return;
    float v[25];
    int k = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            v[k++] = in[(y + dy) * w + x + dx];
    for (int i = 0; i <= 12; i++)
        for (int j = i + 1; j < 25; j++)
            if (v[j] < v[i]) {
                float t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    out[y * w + x] = v[12];
}

// ---- a big helper, called several times

static __device__ void rounds(unsigned *s, const unsigned *key)
{
    for (int r = 0; r < 10; r++) {
        for (int i = 0; i < 4; i++) {
            s[i] += s[4 + i] + key[i];
            s[12 + i] = __funnelshift_l(s[12 + i] ^ s[i], s[12 + i] ^ s[i], 16);
            s[8 + i] += s[12 + i];
            s[4 + i] = __funnelshift_l(s[4 + i] ^ s[8 + i], s[4 + i] ^ s[8 + i], 12);
        }
        for (int i = 0; i < 4; i++) {
            s[i] += s[4 + (i + 1) % 4];
            s[12 + (i + 3) % 4] = __funnelshift_l(s[12 + (i + 3) % 4] ^ s[i], s[12 + (i + 3) % 4] ^ s[i], 8);
            s[8 + (i + 2) % 4] += s[12 + (i + 3) % 4];
            s[4 + (i + 1) % 4] = __funnelshift_l(s[4 + (i + 1) % 4] ^ s[8 + (i + 2) % 4], s[4 + (i + 1) % 4] ^ s[8 + (i + 2) % 4], 7);
        }
    }
}

__global__ void cipher(const uint4 *in, uint4 *out, unsigned n)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    unsigned s[16], key[4] = {in[t].x, in[t].y, in[t].z, in[t].w};
    for (int i = 0; i < 16; i++)
        s[i] = i * 0x9e3779b9u + t;
    rounds(s, key);
    for (int i = 0; i < 4; i++)
        key[i] ^= s[i];
    rounds(s, key);
    for (int i = 0; i < 4; i++)
        key[i] += s[i + 4];
    rounds(s, key);
    out[t] = make_uint4(s[0] ^ s[4], s[1] ^ s[5], s[2] ^ s[6], s[3] ^ s[7]);
}

// ---- a sorting network by templates and by loops

template <class T> static __device__ void order(T &a, T &b)
{
    T low = a < b ? a : b, high = a < b ? b : a;
    a = low;
    b = high;
}

template <int N> __global__ void bitonic(const int *in, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = in[t + i * all];
    for (int k = 2; k <= N; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            for (int i = 0; i < N; i++) {
                int other = i ^ j;
                if (other > i) {
                    if ((i & k) == 0)
                        order(v[i], v[other]);
                    else
                        order(v[other], v[i]);
                }
            }
    for (int i = 0; i < N; i++)
        out[t + i * all] = v[i];
}

template <int N> static __device__ void sort_pairs(int (&key)[N], int (&value)[N])
{
    for (int round = 0; round < N; round++)
        for (int i = round & 1; i + 1 < N; i += 2)
            if (key[i] > key[i + 1]) {
                int k = key[i], v = value[i];
                key[i] = key[i + 1], value[i] = value[i + 1];
                key[i + 1] = k, value[i + 1] = v;
            }
}

__global__ void odd_even(const int *in, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int key[16], value[16];
    for (int i = 0; i < 16; i++) {
        key[i] = in[t * 16 + i];
        value[i] = i;
    }
    sort_pairs(key, value);
    for (int i = 0; i < 16; i++)
        out[t * 16 + i] = key[i] ^ value[i];
}

// ---- bins of a thread: those that data choose stay in memory, those that a loop compares with do not

__global__ void bins_compared(const unsigned *in, unsigned *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    unsigned count[16];
    for (int b = 0; b < 16; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++) {
        unsigned bin = in[t + i * all] >> 6 & 15;
        for (int b = 0; b < 16; b++)
            count[b] += bin == b;
    }
    for (int b = 0; b < 16; b++)
        out[t + b * all] = count[b];
}

__global__ void bins_chosen(const unsigned *in, unsigned *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    unsigned count[16] = {};
    for (int i = 0; i < n; i++)
        count[in[t + i * all] >> 6 & 15]++;
    for (int b = 0; b < 16; b++)
        out[t + b * all] = count[b];
}

// ---- small matrices

struct Mat3 { float m[3][3]; };
struct Mat4 { float m[4][4]; };

static __device__ Mat4 product(const Mat4 &a, const Mat4 &b)
{
    Mat4 c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c.m[i][j] = 0;
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    return c;
}

static __device__ bool invert(const float *m, float *inverse)
{
    float a[4][8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            a[i][j] = j < 4 ? m[i * 4 + j] + (i == j ? 4.0f : 0.0f) : (j - 4 == i);
    for (int k = 0; k < 4; k++) {
        float pivot = a[k][k];
        if (pivot == 0)
            return false;
        for (int j = 0; j < 8; j++)
            a[k][j] /= pivot;
        for (int i = 0; i < 4; i++)
            if (i != k) {
                float f = a[i][k];
                for (int j = 0; j < 8; j++)
                    a[i][j] -= f * a[k][j];
            }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            inverse[i * 4 + j] = a[i][j + 4];
    return true;
}

__global__ void invert4(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    Mat4 a, b;
    for (int i = 0; i < 16; i++)
        a.m[i / 4][i % 4] = in[t + i * n];
    if (!invert(&a.m[0][0], &b.m[0][0]))
        return;
    Mat4 c = product(product(b, a), b);
    for (int i = 0; i < 16; i++)
        out[t + i * n] = c.m[i / 4][i % 4];
}

template <int N> static __device__ void cholesky(float *a)
{
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < N; i++)
                a[i * N + j] -= a[i * N + k] * a[j * N + k];
        float d = sqrtf(a[j * N + j]);
        for (int i = j; i < N; i++)
            a[i * N + j] /= d;
    }
}

template <int N> static __device__ void solve(const float *l, float *x)
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * N + k] * x[k];
        x[i] /= l[i * N + i];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++)
            x[i] -= l[k * N + i] * x[k];
        x[i] /= l[i * N + i];
    }
}

__global__ void cholesky8(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float a[64], x[8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            a[i * 8 + j] = in[t + (i < j ? i * 8 + j : j * 8 + i) * n] * 0.1f + (i == j ? 4.0f : 0.0f);
    for (int i = 0; i < 8; i++)
        x[i] = in[t + (64 + i) * n];
    cholesky<8>(a);
    solve<8>(a, x);
    for (int i = 0; i < 8; i++)
        out[t + i * n] = x[i];
}

int main()
{
    return gap_main({
        {"fft512", [](const GapArrays &g) { fft512<<<2048, 64>>>((const double2 *)g.a, (double2 *)g.out); }},
        {"warp_tiled", [](const GapArrays &g) {
             warp_tiled<128, 128, 16, 64, 64, 4, 8, 4, 128><<<dim3(16, 16), 128>>>(2048, 2048, 2048, 1.0f, g.a, g.b, 0.0f, g.out);
         }},
        {"struct_tiles", [](const GapArrays &g) { struct_tiles<<<dim3(32, 32), 64>>>(g.a, g.b, g.out, 2048); }},
        {"bodies", [](const GapArrays &g) { bodies<<<512, 128>>>((const float4 *)g.a, (float4 *)g.out, 1024); }},
        {"median5", [](const GapArrays &g) { median5<<<dim3(128, 512), dim3(32, 8)>>>(g.a, g.out, 4096, 2048); }},
        {"cipher", [](const GapArrays &g) { cipher<<<8192, 256>>>((const uint4 *)g.a, (uint4 *)g.out, 2 << 20); }},
        {"bitonic16", [](const GapArrays &g) { bitonic<16><<<2048, 256>>>((const int *)g.a, (int *)g.out); }},
        {"bitonic32", [](const GapArrays &g) { bitonic<32><<<1024, 256>>>((const int *)g.a, (int *)g.out); }},
        {"odd_even", [](const GapArrays &g) { odd_even<<<2048, 256>>>((const int *)g.a, (int *)g.out); }},
        {"bins_compared", [](const GapArrays &g) { bins_compared<<<1024, 256>>>((const unsigned *)g.a, (unsigned *)g.out, 32); }},
        {"bins_chosen", [](const GapArrays &g) { bins_chosen<<<1024, 256>>>((const unsigned *)g.a, (unsigned *)g.out, 32); }},
        {"invert4", [](const GapArrays &g) { invert4<<<2048, 256>>>(g.a, g.out, 512 << 10); }},
        {"cholesky8", [](const GapArrays &g) { cholesky8<<<448, 256>>>(g.a, g.out, 112 << 10); }},
    });
}
