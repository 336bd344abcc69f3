// What programs do besides loops of loads and arrays: searches, tables, hashes, bits, small matrices, under conditions that data tell.
#include "gap.h"

// ---- searches

__global__ void lower_bound(const unsigned *sorted, int n, const unsigned *key, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned k = key[i] * 3;
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

struct Slot { unsigned key, value; };

__global__ void hash_probe(const Slot *table, unsigned mask, const unsigned *key, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned k = key[i], h = k * 2654435761u >> 7, found = ~0u;
    for (int step = 0; step < 8; step++) {
        Slot slot = table[(h + step) & mask];
        if (slot.key == k) {
            found = slot.value;
            break;
        }
        if (slot.key >> 30 == 3)
            break;
    }
    out[i] = found;
}

__global__ void lz_match(const unsigned char *text, const int *candidate, int candidates, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    int best = 0, where = 0;
    for (int c = 0; c < candidates; c++) {
        int j = candidate[c * all + i] & 0xfffff, length = 0;
        while (length < 32 && (text[i + length] & 3) == (text[j + length] & 3))
            length++;
        if (length > best) {
            best = length;
            where = j;
        }
    }
    out[i] = best << 20 | where;
}

__global__ void compare_keys(const char *a, const char *b, int length, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int order = 0;
    for (int c = 0; c < length; c++) {
        int x = a[i * length + c] & 1, y = b[i * length + c] & 1;
        if (x != y) {
            order = x < y ? -1 : 1;
            break;
        }
    }
    out[i] = order;
}

// ---- graphs

__global__ void bfs_step(const int *row, const int *neighbour, const int *level, int *next, int now, int mask)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if ((level[v] >> 13 & 3) != now)
        return;
    int begin = row[v] & mask, end = begin + (row[v] >> 20 & 31);
    for (int e = begin; e < end; e++) {
        int u = neighbour[e] >> 3 & mask;
        if ((level[u] >> 13 & 3) == 3)
            next[u] = now + 1;
    }
}

__global__ void find_root(const int *parent, int *out, int mask)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    int root = v;
    for (int p = (parent[root] & mask) % (root + 1); p != root; p = (parent[root] & mask) % (root + 1))
        root = p;
    out[v] = root;
}

// ---- shared memory

__global__ void histogram(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned bin[256];
    bin[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&bin[in[i] >> 8 & 255], 1);
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bin[threadIdx.x];
}

__global__ void scan_block(const float *in, float *out)
{
    __shared__ float warp[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    float s = in[i];
    for (int d = 1; d < 32; d *= 2) {
        float up = __shfl_up_sync(~0u, s, d);
        if (lane >= d)
            s += up;
    }
    if (lane == 31)
        warp[threadIdx.x / 32] = s;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; w++)
        s += warp[w];
    out[i] = s;
}

__global__ void bitonic_shared(const int *in, int *out)
{
    __shared__ int key[512];
    key[threadIdx.x] = in[blockIdx.x * 512 + threadIdx.x];
    __syncthreads();
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int other = threadIdx.x ^ j;
            if (other > threadIdx.x && (key[threadIdx.x] > key[other]) == ((threadIdx.x & k) == 0)) {
                int x = key[threadIdx.x];
                key[threadIdx.x] = key[other];
                key[other] = x;
            }
            __syncthreads();
        }
    out[blockIdx.x * 512 + threadIdx.x] = key[threadIdx.x];
}

// ---- numbers

static __device__ float normal(float x)
{
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float s = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float p = 0.39894228f * expf(-0.5f * x * x) * s;
    return x > 0 ? 1 - p : p;
}

__global__ void black_scholes(const float *spot, const float *strike, const float *years, float *call, float *put)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 5 + 10 * fabsf(spot[i]), x = 1 + 20 * strike[i], t = 0.25f + years[i];
    float root = sqrtf(t), d1 = (logf(s / x) + (0.02f + 0.045f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = normal(d1), n2 = normal(d2), discount = expf(-0.02f * t);
    call[i] = s * n1 - x * discount * n2;
    put[i] = x * discount * (1 - n2) - s * (1 - n1);
}

__global__ void asian_paths(const float *noise, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float price = 100, sum = 0, high = 0;
    for (int k = 0; k < steps; k++) {
        price *= __expf(0.0001f + 0.02f * noise[k * all + i]);
        sum += price;
        if (price > high)
            high = price;
    }
    out[i] = sum / steps + high;
}

__global__ void mandelbrot(int *out, int width, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = x * (3.0f / width) - 2, cy = y * (3.0f / width) - 1.5f, zx = 0, zy = 0;
    int n = 0;
    while (n < most && zx * zx + zy * zy < 4) {
        float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
        n++;
    }
    out[y * width + x] = n;
}

static __device__ float cubic(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

__global__ void bicubic(const float *in, float *out, int w, int h, float scale)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x * scale, v = y * scale, column[4];
    int left = (int)floorf(u) - 1, top = (int)floorf(v) - 1;
    for (int r = 0; r < 4; r++) {
        float tap[4];
        int row = min(max(top + r, 0), h - 1);
        for (int c = 0; c < 4; c++)
            tap[c] = in[row * w + min(max(left + c, 0), w - 1)];
        column[r] = cubic(tap[0], tap[1], tap[2], tap[3], u - floorf(u));
    }
    out[y * w + x] = cubic(column[0], column[1], column[2], column[3], v - floorf(v));
}

__global__ void fft16(const float2 *in, float2 *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float2 v[16];
    for (int i = 0; i < 16; i++)
        v[i] = in[t + i * all];
    for (int half = 8; half > 0; half /= 2)
        for (int i = 0; i < 16; i++)
            if (!(i & half)) {
                float2 a = v[i], b = v[i + half];
                float angle = -3.14159265f * (i & (half - 1)) / half, c = __cosf(angle), s = __sinf(angle);
                float2 d = make_float2(a.x - b.x, a.y - b.y);
                v[i] = make_float2(a.x + b.x, a.y + b.y);
                v[i + half] = make_float2(d.x * c - d.y * s, d.x * s + d.y * c);
            }
    for (int i = 0; i < 16; i++)
        out[t + i * all] = v[i];
}

__global__ void digest_rounds(const uint4 *in, uint4 *out, int blocks)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int k = 0; k < blocks; k++) {
        unsigned w[16];
        for (int i = 0; i < 4; i++) {
            uint4 v = in[(k * 4 + i) * all + t];
            w[i * 4] = v.x, w[i * 4 + 1] = v.y, w[i * 4 + 2] = v.z, w[i * 4 + 3] = v.w;
        }
        unsigned a0 = a, b0 = b, c0 = c, d0 = d;
        for (int i = 0; i < 64; i++) {
            unsigned f = i < 16 ? (b & c) | (~b & d) : i < 32 ? (d & b) | (~d & c) : i < 48 ? b ^ c ^ d : c ^ (b | ~d);
            int g = i < 16 ? i : i < 32 ? (5 * i + 1) & 15 : i < 48 ? (3 * i + 5) & 15 : (7 * i) & 15;
            unsigned next = b + __funnelshift_l(a + f + w[g] + 0x9e3779b9u * (i + 1), a + f + w[g] + 0x9e3779b9u * (i + 1), 4 + (i & 3) * 5);
            a = d, d = c, c = b, b = next;
        }
        a += a0, b += b0, c += c0, d += d0;
    }
    out[t] = make_uint4(a, b, c, d);
}

// ---- small structs, of which conditions tell what is used

struct Bone { float4 rotation; float3 move; float scale; };

static __device__ float3 turned(float4 q, float3 v)
{
    float3 t = make_float3(2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z), 2 * (q.x * v.y - q.y * v.x));
    return make_float3(v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z, v.z + q.w * t.z + q.x * t.y - q.y * t.x);
}

__global__ void skinning(const float4 *rest, const uint4 *bones, const float4 *weight, const Bone *bone, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = rest[i], w = weight[i];
    uint4 b = bones[i];
    unsigned index[4] = {b.x & 63, b.y & 63, b.z & 63, b.w & 63};
    float part[4] = {w.x, w.y, w.z, w.w};
    float3 s = make_float3(0, 0, 0);
    for (int k = 0; k < 4; k++) {
        Bone now = bone[index[k]];
        float3 v = turned(now.rotation, make_float3(p.x * now.scale, p.y * now.scale, p.z * now.scale));
        s.x += part[k] * (v.x + now.move.x);
        s.y += part[k] * (v.y + now.move.y);
        s.z += part[k] * (v.z + now.move.z);
    }
    out[i] = make_float4(s.x, s.y, s.z, p.w);
}

__global__ void march_cubes(const float *field, const unsigned char *table, int n, float level, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= n - 1 || y >= n - 1)
        return;
    float corner[8];
    int kind = 0;
    for (int c = 0; c < 8; c++) {
        corner[c] = field[((z + (c >> 2)) * n + y + (c >> 1 & 1)) * n + x + (c & 1)];
        kind |= (corner[c] < level) << c;
    }
    float s = 0;
    for (int e = 0; e < 15; e++) {
        int edge = table[kind * 16 + e] & 15;
        if (edge > 11)
            break;
        float a = corner[edge & 7], b = corner[(edge + 1) & 7];
        s += (level - a) / (b - a + 1e-6f);
    }
    out[(z * n + y) * n + x] = s;
}

// The nearest of many segments: a box says whether one is looked at.
__global__ void nearest_segment(const float2 *point, const float4 *segment, int segments, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 p = point[i];
    float best = 0.05f;
    for (int j = 0; j < segments; j++) {
        float4 s = segment[j];
        if (fabsf(s.x - p.x) < 0.3f) {
            float dx = s.z - s.x, dy = s.w - s.y, t = ((p.x - s.x) * dx + (p.y - s.y) * dy) / (dx * dx + dy * dy);
            t = fminf(fmaxf(t, 0), 1);
            float ex = s.x + t * dx - p.x, ey = s.y + t * dy - p.y;
            best = fminf(best, ex * ex + ey * ey);
        }
    }
    out[i] = best;
}

// ---- loops that look up

__global__ void gather_sum(const int *index, const float *value, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += value[index[k * all + i] & 0xffff] * weight[k];
    out[i] = s;
}

__global__ void quantiles(const float *in, const float *limit, int *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float l[8];
    int above[8];
    for (int b = 0; b < 8; b++) {
        l[b] = limit[b];
        above[b] = 0;
    }
    for (int i = 0; i < n; i++) {
        float v = in[t + i * all];
        for (int b = 0; b < 8; b++)
            above[b] += v > l[b] ? i : 1;
    }
    for (int b = 0; b < 8; b++)
        out[t + b * all] = above[b];
}

// ---- small matrices

__global__ void invert3(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float m[3][3], r[3][3];
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = in[t + i * n] + (i % 4 == 0 ? 2.0f : 0.0f);
    float det = 0;
    for (int c = 0; c < 3; c++)
        det += m[0][c] * (m[1][(c + 1) % 3] * m[2][(c + 2) % 3] - m[1][(c + 2) % 3] * m[2][(c + 1) % 3]);
    if (det == 0)
        return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[j][i] = (m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] - m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3]) / det;
    for (int i = 0; i < 9; i++)
        out[t + i * n] = r[i / 3][i % 3];
}

__global__ void tridiagonal(const float *a, const float *b, const float *c, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float x = 0, upper = 0;
    for (int i = 0; i < n; i++) {
        float low = a[i * all + t] * 0.25f, middle = 2 + b[i * all + t] - low * upper;
        upper = 0.25f / middle;
        x = (c[i * all + t] - low * x) / middle;
        out[i * all + t] = x;
    }
}

int main()
{
    return gap_main({
        {"lower_bound", [](const GapArrays &g) { lower_bound<<<1024, 256>>>((const unsigned *)g.c, 1 << 20, (const unsigned *)g.a, (int *)g.out); }},
        {"hash_probe", [](const GapArrays &g) { hash_probe<<<4096, 256>>>((const Slot *)g.b, (1 << 20) - 1, (const unsigned *)g.b, (unsigned *)g.out); }},
        {"lz_match", [](const GapArrays &g) { lz_match<<<512, 256>>>((const unsigned char *)g.a, (const int *)g.b, 8, (int *)g.out); }},
        {"compare_keys", [](const GapArrays &g) { compare_keys<<<4096, 256>>>((const char *)g.a, (const char *)g.b, 16, (int *)g.out); }},
        {"bfs_step", [](const GapArrays &g) { bfs_step<<<4096, 256>>>((const int *)g.a, (const int *)g.b, (const int *)g.c, (int *)g.out, 1, (1 << 20) - 1); }},
        {"find_root", [](const GapArrays &g) { find_root<<<4096, 256>>>((const int *)g.a, (int *)g.out, (1 << 22) - 1); }},
        {"histogram", [](const GapArrays &g) { histogram<<<1056, 256>>>((const unsigned *)g.a, (unsigned *)g.out, 8 << 20); }},
        {"scan_block", [](const GapArrays &g) { scan_block<<<8192, 1024>>>(g.a, g.out); }},
        {"bitonic_shared", [](const GapArrays &g) { bitonic_shared<<<8192, 512>>>((const int *)g.a, (int *)g.out); }},
        {"black_scholes", [](const GapArrays &g) { black_scholes<<<16384, 256>>>(g.a, g.b, g.c, g.out, g.out + (4 << 20)); }},
        {"asian_paths", [](const GapArrays &g) { asian_paths<<<128, 256>>>(g.a, g.out, 256); }},
        {"mandelbrot", [](const GapArrays &g) { mandelbrot<<<dim3(64, 256), dim3(32, 8)>>>((int *)g.out, 2048, 256); }},
        {"bicubic", [](const GapArrays &g) { bicubic<<<dim3(64, 256), dim3(32, 8)>>>(g.a, g.out, 2048, 2048, 0.7f); }},
        {"fft16", [](const GapArrays &g) { fft16<<<1024, 256>>>((const float2 *)g.a, (float2 *)g.out); }},
        {"digest_rounds", [](const GapArrays &g) { digest_rounds<<<512, 256>>>((const uint4 *)g.a, (uint4 *)g.out, 4); }},
        {"skinning", [](const GapArrays &g) { skinning<<<8192, 256>>>((const float4 *)g.a, (const uint4 *)g.b, (const float4 *)g.c, (const Bone *)g.a, (float4 *)g.out); }},
        {"march_cubes", [](const GapArrays &g) { march_cubes<<<dim3(8, 32, 127), dim3(32, 8)>>>(g.a, (const unsigned char *)g.b, 256, 0.0f, g.out); }},
        {"nearest_segment", [](const GapArrays &g) { nearest_segment<<<4096, 256>>>((const float2 *)g.a, (const float4 *)g.a + 4096, 200, g.out); }},
        {"gather_sum", [](const GapArrays &g) { gather_sum<<<128, 256>>>((const int *)g.a, g.b, g.c, g.out, 256); }},
        {"asian_many", [](const GapArrays &g) { asian_paths<<<2048, 256>>>(g.a, g.out, 16); }},
        {"quantiles_many", [](const GapArrays &g) { quantiles<<<2048, 256>>>(g.a, g.a, (int *)g.out, 16); }},
        {"quantiles", [](const GapArrays &g) { quantiles<<<512, 256>>>(g.a, g.a, (int *)g.out, 64); }},
        {"invert3", [](const GapArrays &g) { invert3<<<3584, 256>>>(g.a, g.out, 896 << 10); }},
        {"tridiagonal", [](const GapArrays &g) { tridiagonal<<<128, 256>>>(g.b, g.a, g.c, g.out, 256); }},
    });
}
