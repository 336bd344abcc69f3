// Pairs of kernels that compute the same thing: the first of each wastes memory bandwidth, the second does not.
// The names end in _wasteful and _mended; scripts/demo shows their figures side by side.

struct Particle { float x, y, z, vx, vy, vz; };

// Array of structures: neighbouring threads are 24 bytes apart, so each request touches many sectors.
__global__ void particles_wasteful(Particle *p, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += dt * p[i].vx;
  p[i].y += dt * p[i].vy;
  p[i].z += dt * p[i].vz;
}

// Structure of arrays: neighbouring threads read neighbouring words.
__global__ void particles_mended(float *x, float *y, float *z, const float *vx, const float *vy, const float *vz,
                                 float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] += dt * vx[i];
  y[i] += dt * vy[i];
  z[i] += dt * vz[i];
}

// One thread sums one row: in each step the warp reads 32 words, a whole row apart.
__global__ void sums_wasteful(const float *a, float *sum, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float s = 0;
  for (int j = 0; j < 1024; j++) s += a[row * 1024 + j];
  sum[row] = s;
}

// The matrix is stored transposed: one thread sums one column, and the warp reads 32 adjacent words in each step.
__global__ void sums_mended(const float *a, float *sum, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  float s = 0;
  for (int j = 0; j < 1024; j++) s += a[j * n + col];
  sum[col] = s;
}

// x and y swapped: threadIdx.x, which varies inside a warp, picks the row.
__global__ void scale_wasteful(float *a, float f) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  a[row * 1024 + col] *= f;
}

// threadIdx.x picks the column.
__global__ void scale_mended(float *a, float f) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  a[row * 1024 + col] *= f;
}
