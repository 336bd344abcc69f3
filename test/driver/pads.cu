// Which rows become longer, and by how much: what decides is instructions and passes over the banks, as often as they are made, of the
// pieces that the backend moves at once.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -S %s -o %t.ptx 2> %t.said
// RUN: %FileCheck %s < %t.said && %FileCheck %s --check-prefix=PTX < %t.ptx

// A factor that is turned on its way: sixteen lanes store to one bank, four words are read at once. 4 bytes would break the reads up, 8
// cut them in half.
// CHECK-DAG: rows of 256 bytes in turned::s become 16 bytes longer
// CHECK-NOT: rows of {{.*}} in turned::t become
__global__ void __launch_bounds__(256) turned(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][64], t[16][64];
  int at = threadIdx.x, tx = at % 16, ty = at / 16;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int q = at; q < 1024; q += 256) {
      s[q % 16][q / 16] = a[(blockIdx.y * 64 + q / 16) * n + k + q % 16];
      t[q / 64][q % 64] = b[(k + q / 64) * n + blockIdx.x * 64 + q % 64];
    }
    __syncthreads();
    for (int r = 0; r < 16; r++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += s[r][ty * 4 + i] * t[r][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
}
// PTX: .entry {{.*}}turned
// PTX: .shared .align 16 .b8 {{.*}}turned{{.*}}padded
// PTX: ld.shared.v4.b32

// Rows that the program has made longer, and rows that are read four words at once, whose words meet in two banks only if they are not.
// CHECK-NOT: rows of {{.*}} in by_hand::{{.*}} become
__global__ void by_hand(const float *a, const float *b, float *c, int n) {
  __shared__ float s[64][17], t[16][64];
  int at = threadIdx.y * 16 + threadIdx.x, tx = threadIdx.x, ty = threadIdx.y;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = at; i < 1024; i += 256) s[i / 16][i % 16] = a[(blockIdx.y * 64 + i / 16) * n + k + i % 16];
    for (int i = at; i < 1024; i += 256) t[i / 64][i % 64] = b[(k + i / 64) * n + blockIdx.x * 64 + i % 64];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; r++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += s[ty * 4 + i][r] * t[r][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
}

// Two words at once.
// CHECK-DAG: rows of 256 bytes in pairs::s become 8 bytes longer
__global__ void __launch_bounds__(256) pairs(const float *in, float *out) {
  __shared__ float s[32][64];
  for (int q = threadIdx.x; q < 2048; q += 256) s[q % 32][q / 32] = in[q];
  __syncthreads();
  float2 sum = {0, 0};
  for (int r = 0; r < 32; r++) {
    float2 v = *(const float2 *)&s[r][threadIdx.x % 32 * 2];
    sum.x += v.x * r, sum.y -= v.y;
  }
  ((float2 *)out)[threadIdx.x] = sum;
}

// Each thread walks a row, four words at once; that nobody bounds the column costs one division of all four.
// CHECK-DAG: rows of 128 bytes in fours::s become 16 bytes longer
__global__ void fours(const unsigned *in, unsigned *out, int m) {
  __shared__ unsigned s[64][32];
  for (int r = 0; r < 64; r += 2) s[r + threadIdx.x / 32][threadIdx.x % 32] = in[(r + threadIdx.x / 32) * 32 + threadIdx.x % 32];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < m; k += 4)
    sum = (sum * 31 + s[threadIdx.x][k]) * (s[threadIdx.x][k + 1] - s[threadIdx.x][k + 2]) + s[threadIdx.x][k + 3];
  out[threadIdx.x] = sum;
}
// PTX: .entry {{.*}}fours
// PTX: ld.shared.v4.b32
// PTX-NOT: ld.shared.b32
// PTX: .entry

// Words that are read one after the other, with a barrier between them, are no piece.
// CHECK-DAG: rows of 128 bytes in parted::s become 4 bytes longer
__global__ void parted(const unsigned *in, unsigned *out) {
  __shared__ unsigned s[32][32];
  for (int k = 0; k < 32; k++) s[k][threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  unsigned a = s[threadIdx.x][0];
  __syncthreads();
  unsigned b = s[threadIdx.x][1];
  __syncthreads();
  unsigned c = s[threadIdx.x][2];
  __syncthreads();
  out[threadIdx.x] = (a * 31 + b) * 31 + c + s[threadIdx.x][3];
}
// Nor are volatile ones.
// CHECK-DAG: rows of 128 bytes in kept::s become 4 bytes longer
__global__ void kept(const unsigned *in, unsigned *out) {
  __shared__ unsigned s[32][32];
  for (int k = 0; k < 32; k++) s[k][threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  const volatile unsigned *p = s[threadIdx.x];
  unsigned a = p[0], b = p[1], c = p[2], d = p[3];
  out[threadIdx.x] = (a * 31 + b) * 31 + c + d;
}
// Nor are places whose distance nobody knows.
// CHECK-DAG: rows of 128 bytes in apart::s become 4 bytes longer
__global__ void apart(const unsigned *in, unsigned *out, int a, int b, int c, int d) {
  __shared__ unsigned s[32][32];
  for (int k = 0; k < 32; k++) s[k][threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  const unsigned *p = s[threadIdx.x];
  out[threadIdx.x] = ((p[4 * a] * 31 + p[4 * b + 1]) * 31 + p[4 * c + 2]) * 31 + p[4 * d + 3];
}

// What is computed in front of a loop is paid once; what the loop does often outweighs what is done before it.
// CHECK-DAG: rows of 128 bytes in often::s become 4 bytes longer
__global__ void often(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned s[32][32];
  for (int k = 0; k < 32; k++) s[k][threadIdx.x] = in[k * 32 + threadIdx.x];
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < n; k++) sum = sum * 31 + s[threadIdx.x][(k * 5 + blockIdx.x) & 31];
  out[threadIdx.x] = sum;
}
// And little is gained where the words of one bank are wanted once, and those of all banks often.
// CHECK-NOT: rows of {{.*}} in seldom::{{.*}} become
__global__ void seldom(const float *in, float *out) {
  __shared__ float s[32][64];
  int x = threadIdx.x;
  for (int k = 0; k < 32; k++) s[k][x] = in[k * 64 + x], s[k][x + 32] = in[k * 64 + 32 + x];
  __syncthreads();
  s[x][0] = 1;
  __syncthreads();
  float4 sum = {};
#pragma unroll 1
  for (int r = 0; r < 32 * 64; r++) {
    const float *p = &s[r % 32][x % 16 * 4];
    sum.x += p[0], sum.y += p[1] * r, sum.z -= p[2], sum.w += p[3] * p[3];
  }
  ((float4 *)out)[x] = sum;
}

// In which row the columns lie is asked once: in front of the loop in which they stay, and for all rows of one column.
// CHECK-DAG: rows of 128 bytes in before_loop::s become 4 bytes longer
__global__ void before_loop(const unsigned *in, unsigned *out, unsigned c) {
  __shared__ unsigned s[34][32];
  int x = threadIdx.x;
  s[x / 32][x % 32] = in[x];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (int r = 0; r < 32; r++) sum = sum * 31 + s[r + x / 16][x % 16 * 2 + c];
  out[x] = sum;
}
// CHECK-DAG: rows of 128 bytes in all_rows::s become 4 bytes longer
__global__ void all_rows(const unsigned *in, unsigned *out, unsigned c) {
  __shared__ unsigned s[34][32];
  int x = threadIdx.x;
  s[x / 32][x % 32] = in[x];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int r = 0; r < 16; r++) sum = sum * 31 + s[r + x / 16][x % 16 * 2 + c];
  out[x] = sum;
}

// Columns that a loop leaves as they are, t + 1 - 17 * t, are divided in front of it, though what reads them stands under a condition.
// PTX: .entry diagonals(
// PTX: bar.sync
// PTX: mul.wide.u32 %{{.*}}, 252645136
// PTX: mul.wide.u32 %{{.*}}, 252645136
// PTX: bra.uni
// PTX-NOT: {{mul.hi|252645136}}
// PTX: bar.sync
extern "C" __global__ void diagonals(const int *__restrict__ like, int *__restrict__ out, int rounds) {
  __shared__ int s[17][17];
  int t = threadIdx.x;
  for (int y = 0; y < 17; y++) s[y][t] = like[y * 17 + t];
  __syncthreads();
  for (int m = 0; m < rounds; m++) {
    if (t <= m) {
      int x = t + 1, y = m - t + 1;
      s[y][x] = max(s[y - 1][x - 1] + 1, max(s[y][x - 1], s[y - 1][x]));
    }
    __syncthreads();
  }
  out[t] = s[t][16 - t];
}
