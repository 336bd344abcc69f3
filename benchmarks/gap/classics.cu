// Kernels of the kind that old suites of benchmarks for GPUs have, written anew from the algorithms: a layer of neurons and its weights, a
// factorization by blocks, distances of points, an alignment of two sequences, the cheapest way through a grid, diffusion that keeps edges, and what
// a new centre of a clustering would gain.
#include "gap.h"

#define KERNEL extern "C" __global__ void
enum { EDGE = 16, WIDE = 256 };

// ---- a layer of neurons: blocks of 16 x 16 inputs and outputs

KERNEL layer_forward(const float *input, const float *weight, float *partial, int hidden)
{
    __shared__ float node[EDGE], product[EDGE][EDGE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * EDGE + ty;
    if (tx == 0)
        node[ty] = input[row];
    __syncthreads();
    product[ty][tx] = weight[row * hidden + tx] * node[ty];
    __syncthreads();
    for (int half = 1; half < EDGE; half *= 2) {
        if (ty % (2 * half) == 0)
            product[ty][tx] += product[ty + half][tx];
        __syncthreads();
    }
    if (ty == 0)
        partial[blockIdx.y * hidden + tx] = product[0][tx];
}

KERNEL layer_adjust(const float *delta, const float *value, float *weight, float *before, int hidden)
{
    int row = blockIdx.y * EDGE + threadIdx.y, col = threadIdx.x, i = row * hidden + col;
    float change = 0.3f * delta[col] * value[row] + 0.3f * before[i];
    weight[i] += change;
    before[i] = change;
    __syncthreads();
    if (threadIdx.y == 0 && blockIdx.y == 0) {
        weight[col] += 0.3f * delta[col];
        before[col] = 0.3f * delta[col];
    }
}

// ---- a factorization by blocks of 16 x 16

KERNEL factor_diagonal(float *m, int n, int at)
{
    __shared__ float s[EDGE][EDGE];
    int t = threadIdx.x;
    m += (size_t)blockIdx.x * n * n;
    for (int i = 0; i < EDGE; i++)
        s[i][t] = m[(at + i) * n + at + t];
    __syncthreads();
    for (int i = 0; i < EDGE - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                s[t][i] -= s[t][j] * s[j][i];
            s[t][i] /= s[i][i] + 2.0f;
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    for (int i = 1; i < EDGE; i++)
        m[(at + i) * n + at + t] = s[i][t];
}

KERNEL factor_border(const float *from, float *m, int n, int at)
{
    __shared__ float diagonal[EDGE][EDGE], row[EDGE][EDGE], col[EDGE][EDGE];
    int t = threadIdx.x % EDGE, beside = at + EDGE * (blockIdx.x + 1);
    bool upper = threadIdx.x < EDGE;
    for (int i = upper ? 0 : EDGE / 2; i < (upper ? EDGE / 2 : EDGE); i++)
        diagonal[i][t] = from[(at + i) * n + at + t];
    for (int i = 0; i < EDGE; i++)
        if (upper)
            row[i][t] = from[(at + i) * n + beside + t];
        else
            col[i][t] = from[(beside + i) * n + at + t];
    __syncthreads();
    if (upper)
        for (int i = 1; i < EDGE; i++)
            for (int j = 0; j < i; j++)
                row[i][t] -= diagonal[i][j] * row[j][t];
    else
        for (int i = 0; i < EDGE; i++) {
            for (int j = 0; j < i; j++)
                col[t][i] -= col[t][j] * diagonal[j][i];
            col[t][i] /= diagonal[i][i] + 2.0f;
        }
    __syncthreads();
    for (int i = 0; i < EDGE; i++)
        if (upper)
            m[(at + i) * n + beside + t] = row[i][t];
        else
            m[(beside + i) * n + at + t] = col[i][t];
}

KERNEL factor_inside(const float *from, float *m, int n, int at)
{
    __shared__ float row[EDGE][EDGE], col[EDGE][EDGE];
    int x = at + EDGE * (blockIdx.x + 1), y = at + EDGE * (blockIdx.y + 1), tx = threadIdx.x, ty = threadIdx.y;
    row[ty][tx] = from[(at + ty) * n + x + tx];
    col[ty][tx] = from[(y + ty) * n + at + tx];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < EDGE; i++)
        sum += col[ty][i] * row[i][tx];
    m[(y + ty) * n + x + tx] = from[(y + ty) * n + x + tx] - sum;
}

// ---- distances of points

struct Point { float latitude, longitude; };

KERNEL nearest(const Point *point, float *distance, int n, float latitude, float longitude)
{
    int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    if (i < n) {
        Point p = point[i];
        distance[i] = sqrtf((latitude - p.latitude) * (latitude - p.latitude) + (longitude - p.longitude) * (longitude - p.longitude));
    }
}

// ---- an alignment of two sequences: a block a tile of a diagonal

__device__ inline int most(int a, int b, int c) { return max(a, max(b, c)); }

KERNEL align_tiles(const int *likeness, int *score, int cols, int penalty, int diagonal)
{
    __shared__ int s[EDGE + 1][EDGE + 1], like[EDGE][EDGE];
    int t = threadIdx.x, bx = blockIdx.x, by = diagonal - 1 - bx;
    int corner = cols * EDGE * by + EDGE * bx, inner = corner + cols + 1 + t;
    if (t == 0)
        s[0][0] = score[corner];
    for (int y = 0; y < EDGE; y++)
        like[y][t] = likeness[inner + cols * y] & 15;
    __syncthreads();
    s[t + 1][0] = score[corner + cols * (t + 1)] & 1023;
    __syncthreads();
    s[0][t + 1] = score[corner + t + 1] & 1023;
    __syncthreads();
    for (int m = 0; m < EDGE; m++) {
        if (t <= m) {
            int x = t + 1, y = m - t + 1;
            s[y][x] = most(s[y - 1][x - 1] + like[y - 1][x - 1], s[y][x - 1] - penalty, s[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int m = EDGE - 2; m >= 0; m--) {
        if (t <= m) {
            int x = t + EDGE - m, y = EDGE - t;
            s[y][x] = most(s[y - 1][x - 1] + like[y - 1][x - 1], s[y][x - 1] - penalty, s[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int y = 0; y < EDGE; y++)
        score[inner + cols * y] = s[y + 1][t + 1];
}

// ---- the cheapest way through a grid: several rows a launch

KERNEL cheapest_way(const int *cost, const int *from, int *to, int cols, int rows, int border)
{
    __shared__ int before[WIDE], now[WIDE];
    int t = threadIdx.x, inner = WIDE - 2 * rows, begin = inner * blockIdx.x - border, x = begin + t;
    bool is_valid = x >= 0 && x < cols;
    int low = begin < 0 ? -begin : 0, high = begin + WIDE - 1 > cols - 1 ? WIDE - 1 - (begin + WIDE - cols) : WIDE - 1;
    int west = t - 1 < low ? low : t - 1, east = t + 1 > high ? high : t + 1;
    if (is_valid)
        before[t] = from[x] & 1023;
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < rows; i++) {
        computed = false;
        if (t >= i + 1 && t <= WIDE - i - 2 && is_valid) {
            computed = true;
            now[t] = min(before[t], min(before[west], before[east])) + (cost[cols * i + x] & 15);
        }
        __syncthreads();
        if (i == rows - 1)
            break;
        if (computed)
            before[t] = now[t];
        __syncthreads();
    }
    if (computed)
        to[x] = now[t];
}

// ---- diffusion that keeps edges

KERNEL diffuse_coefficient(const float *image, float *north, float *south, float *west, float *east, float *c, int rows, int cols, float q0)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * cols + x;
    if (x >= cols || y >= rows)
        return;
    float j = image[i];
    float n = image[(y > 0 ? y - 1 : 0) * cols + x] - j, s = image[(y < rows - 1 ? y + 1 : rows - 1) * cols + x] - j;
    float w = image[y * cols + (x > 0 ? x - 1 : 0)] - j, e = image[y * cols + (x < cols - 1 ? x + 1 : cols - 1)] - j;
    float g2 = (n * n + s * s + w * w + e * e) / (j * j), l = (n + s + w + e) / j;
    float numerator = 0.5f * g2 - 1.0f / 16.0f * (l * l), denominator = 1 + 0.25f * l;
    float q = numerator / (denominator * denominator);
    float value = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    north[i] = n, south[i] = s, west[i] = w, east[i] = e;
    c[i] = value < 0 ? 0 : value > 1 ? 1 : value;
}

KERNEL diffuse_step(const float *north, const float *south, const float *west, const float *east, const float *c, const float *image, float *out, int rows,
                    int cols, float rate)
{
    __shared__ float center[EDGE][EDGE], below[EDGE][EDGE], right[EDGE][EDGE];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * EDGE + tx, y = blockIdx.y * EDGE + ty, i = y * cols + x;
    center[ty][tx] = c[i];
    below[ty][tx] = c[(y < rows - 1 ? y + 1 : rows - 1) * cols + x];
    right[ty][tx] = c[y * cols + (x < cols - 1 ? x + 1 : cols - 1)];
    __syncthreads();
    float own = center[ty][tx];
    float s = ty < EDGE - 1 ? center[ty + 1][tx] : below[ty][tx], e = tx < EDGE - 1 ? center[ty][tx + 1] : right[ty][tx];
    float divergence = own * north[i] + s * south[i] + own * west[i] + e * east[i];
    out[i] = image[i] + 0.25f * rate * divergence;
}

KERNEL diffuse_rows(const float *image, const int *up, const int *down, const int *left, const int *right, float *out, int rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i % rows, col = i / rows;
    if (i >= n)
        return;
    int u = up[row] & 1 ? row : (row > 0 ? row - 1 : 0), d = down[row] & 1 ? row : (row < rows - 1 ? row + 1 : row);
    int cols = n / rows, l = left[col] & 1 ? col : (col > 0 ? col - 1 : 0), r = right[col] & 1 ? col : (col < cols - 1 ? col + 1 : col);
    float j = image[i];
    out[i] = image[u + rows * col] + image[d + rows * col] + image[row + rows * l] + image[row + rows * r] - 4 * j;
}

// ---- what a new centre would gain

KERNEL centre_gain(const float *coordinate, const float *weight, const int *assigned, const float *cost, const int *place, float *lower, int *switches,
                   int n, int dimensions, int candidate, int centres)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float *own = lower + (size_t)t * (centres + 1), sum = 0;
    for (int d = 0; d < dimensions; d++) {
        float difference = coordinate[(size_t)d * n + t] - coordinate[(size_t)d * n + candidate];
        sum += difference * difference;
    }
    float now = cost[t], then = sum * weight[t];
    if (then < now) {
        switches[t] = 1;
        own[centres] = then - now;
    } else
        own[place[assigned[t] & 4095] & (centres - 1)] += now - then;
}

KERNEL centre_rows(const float *point, const float *weight, const float *cost, float *gain, int n, int dimensions, int candidate)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float sum = 0;
    for (int d = 0; d < dimensions; d++) {
        float difference = point[(size_t)t * dimensions + d] - point[(size_t)candidate * dimensions + d];
        sum += difference * difference;
    }
    gain[t] = fmaxf(cost[t] - sum * weight[t], 0);
}

int main()
{
    using G = const GapArrays &;
    const dim3 square(EDGE, EDGE);
    return gap_main({
        {"layer_forward", [=](G g) { layer_forward<<<dim3(1, 32768), square>>>(g.a, g.b, g.out, EDGE); }},
        {"layer_adjust", [=](G g) { layer_adjust<<<dim3(1, 16384), square>>>(g.a, g.b, g.out, g.out + (4 << 20), EDGE); }},
        {"factor_diagonal", [](G g) { factor_diagonal<<<2048, EDGE>>>(g.out, 64, 16); }},
        {"factor_border", [](G g) { factor_border<<<127, 2 * EDGE>>>(g.a, g.out, 2048, 0); }},
        {"factor_inside", [=](G g) { factor_inside<<<dim3(127, 127), square>>>(g.a, g.out, 2048, 0); }},
        {"nearest", [](G g) { nearest<<<16384, 256>>>((const Point *)g.a, g.out, 4 << 20, 0.1f, 0.2f); }},
        {"align_tiles", [](G g) { align_tiles<<<127, EDGE>>>((const int *)g.a, (int *)g.out, 2049, 10, 127); }},
        {"cheapest_way", [](G g) { cheapest_way<<<4520, WIDE>>>((const int *)g.a, (const int *)g.b, (int *)g.out, 1 << 20, 8, 8); }},
        {"diffuse_coefficient",
         [=](G g) {
             const size_t n = 1 << 20;
             diffuse_coefficient<<<dim3(64, 64), square>>>(g.b, g.out, g.out + n, g.out + 2 * n, g.out + 3 * n, g.out + 4 * n, 1024, 1024, 0.5f);
         }},
        {"diffuse_step",
         [=](G g) {
             const size_t n = 1 << 20;
             diffuse_step<<<dim3(64, 64), square>>>(g.a, g.a + n, g.a + 2 * n, g.a + 3 * n, g.c, g.b, g.out, 1024, 1024, 0.5f);
         }},
        {"diffuse_rows",
         [](G g) { diffuse_rows<<<16384, 256>>>(g.b, (const int *)g.a, (const int *)g.c, (const int *)g.a, (const int *)g.c, g.out, 2048, 4 << 20); }},
        {"centre_gain",
         [](G g) { centre_gain<<<512, 256>>>(g.a, g.b, (const int *)g.c, g.c, (const int *)g.a, g.out, (int *)g.out + (4 << 20), 1 << 17, 32, 5, 16); }},
        {"centre_rows", [](G g) { centre_rows<<<512, 256>>>(g.a, g.b, g.c, g.out, 1 << 17, 32, 5); }},
    });
}
