// Kernels of spare-few.cu and spare-few-host.cu: three that meet their rows again, and a march through planes.
#define I int i = blockIdx.x * blockDim.x + threadIdx.x

__global__ void lags(const float *__restrict__ x, float *__restrict__ o, int m)
{
    I;
    const float *r = x + (size_t)i * m;
    float best = 0;
    for (int lag = 1; lag < m / 2; lag++) {
        float s = 0;
        for (int t = 0; t + lag < m; t++)
            s += r[t] * r[t + lag];
        best = s > best ? s : best;
    }
    o[i] = best;
}
template <class T> __device__ T product(const T *a, const T *b, long m) { T s = 0; for (long j = 0; j < m; j++) s += a[j] * b[j]; return s; }
__global__ void nearest(const float *__restrict__ x, const float *__restrict__ c, int *__restrict__ o, long m, long k)
{
    I;
    float best = -1e30f;
    int at = 0;
    for (long q = 0; q < k; q++) {
        float s = product(x + i * m, c + q * m, m);
        if (s > best)
            best = s, at = (int)q;
    }
    o[i] = at;
}
template <int M> __global__ void known(const float *x, float *o, int m, float h)
{
    I;
    float z = 0;
    for (int n = 0; n < m; n++) {
        float s = 0;
        for (int k = 0; k < M; k++)
            s = s * z + x[i * M + k];
        o[i] = z = s / h;
    }
}

#define AT(i, j, k) (((k) * ny + (j)) * nx + (i))
__global__ void heat(const float *a, float *b, int nx, int ny, int nz, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    for (int k = 1; k < nz - 1; k++)
        b[AT(i, j, k)] = c * (a[AT(i + 1, j, k)] + a[AT(i - 1, j, k)] + a[AT(i, j + 1, k)] + a[AT(i, j - 1, k)] + a[AT(i, j, k + 1)] + a[AT(i, j, k - 1)] - a[AT(i, j, k)]);
}
