// RUN: %rewritten %s --temp %t.d
// Walks in loops of other shapes: bounds from memory, rows of unequal length, loops in loops, guards, unrolled loops. A loop
// that may end early is left as it is: longer, it would read what it must not.
// TEXT: levels=O3,O1
#include "records.cuh"

// Sparse matrix: the rows lie end to end, {k} to 2k-1 long.
// CASE: csr load=exchange block=48 grid=1 full with=k=1,8,30,40 -- rand:{4*(n*2*k)} rand:{4*64}:3 zero:{4*n} i32:{k} i32:{n}
KERNEL csr(const u32 *value, const u32 *x, u32 *y, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int from = i * k + i % k, to = (i + 1) * k + (i + 1) % k;
  for (int j = from; j < to; j++) s = s * 31 + value[j] * x[value[j] & 63];
  y[i] = s;
}
// The bounds are loaded.
// CASE: csr_bounds load=exchange block=48 grid=1 full with=k=0,5,32,33 -- zero:{4*n+4} rand:{4*n*(k+9)} rand:{4*n*(k+9)}:5 rand:{4*64}:3 zero:{4*n} i32:{k} i32:{n}
KERNEL csr_bounds(int *row, const u32 *column, const u32 *value, const u32 *x, u32 *y, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  row[i] = i * k + i % 9;
  __nvvm_bar_warp_sync(~0u);
  u32 s = 0;
  for (int j = row[i]; j < row[i] + k + i % 5; j++) s = s * 31 + value[j] * x[column[j] & 63];
  y[i] = s;
}
// CASE: bounds_read load=exchange block=48 grid=1 full with=k=5,32,33 -- iota:{n+1} rand:{4*(n+1)*k} zero:{4*n} i32:{k} i32:{n}
KERNEL bounds_read(const int *__restrict__ row, const u32 *__restrict__ value, u32 *__restrict__ y, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int from = row[i] * k, to = row[i + 1] * k;
  for (int j = from; j < to; j++) s = s * 31 + value[j];
  y[i] = s;
}
// CASE: triangular load=exchange few -- rand:{4*n*n} zero:{4*n} i32:{n}
KERNEL triangular(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j <= i; j++) s = s * 31 + a[i * n + j];
  q[i] = s;
}
// CASE: triangular_up load=exchange few -- rand:{4*n*n} zero:{4*n} i32:{n}
KERNEL triangular_up(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = i; j < n; j++) s = s * 31 + a[i * n + j];
  q[i] = s;
}
// CASE: packed load=exchange few -- rand:{2*n*(n+1)} zero:{4*n} i32:{n}
KERNEL packed(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j <= i; j++) s = s * 31 + a[i * (i + 1) / 2 + j];
  q[i] = s;
}
// Several rows, one after the other.
// CASE: rows load=exchange block=48 grid=1 full with=m=7,32,33 with=k=0,3 -- rand:{4*n*m*k+4} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL rows(const u32 *a, u32 *q, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int r = 0; r < k; r++)
    for (int j = 0; j < m; j++) s = s * 31 + a[(r * n + i) * m + j];
  q[i] = s;
}
// CASE: grid_stride load=exchange block=48 grid=1 with=m=7,32,70 -- rand:{12*n*m} zero:{12*n} i32:{m} i32:{3*n}
KERNEL grid_stride(const u32 *a, u32 *q, int m, int n) {
  for (int i = ROW; i < n; i += blockDim.x * gridDim.x) {
    u32 s = 0;
    for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
    q[i] = s;
  }
}
// Two loops, the second reads what the first found, as softmax does.
// CASE: twice load=exchange store=exchange block=48 grid=1 full with=m=1,32,33,100 -- frand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n}
KERNEL twice(const float *__restrict__ a, float *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * a[i * m + j];
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] / (s + 1);
}
// Two arrays, rows of unequal length.
// CASE: two load=exchange block=48 grid=1 full with=m=7,33,100 -- rand:{4*n*m} rand:{4*n*(m+3)}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL two(const u32 *a, const u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * b[i * (m + 3) + j];
  q[i] = s;
}
// One forward, one backward.
// CASE: mirrored load=exchange block=48 grid=1 full with=m=7,33,100 -- rand:{4*n*m} rand:{4*n*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL mirrored(const u32 *a, const u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * b[i * m + m - 1 - j];
  q[i] = s;
}
// Neighbouring elements overlap from iteration to iteration.
// CASE: stencil load=exchange block=48 grid=1 full with=m=2,3,33,34,35,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL stencil(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 1; j < m - 1; j++) s = s * 31 + a[i * m + j - 1] - 2 * a[i * m + j] + a[i * m + j + 1];
  q[i] = s;
}
// Only some threads walk; some elements only.
// CASE: some_threads load=exchange block=48 grid=1 full with=m=7,32,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL some_threads(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  if (i % 3)
    for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: some_elements load=exchange plain:load=exchange block=48 grid=1 full with=m=7,32,100,130 -- rand:{4*n*m} bits:{m} zero:{4*n} i32:{m} i32:{n}
KERNEL some_elements(const u32 *a, const u32 *flag, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (flag[j]) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// A warp walks while its last lanes have left: two-dimensional blocks, rows numbered by the slower index.
// CASE: two_dims load=exchange dims block=48 grid=1 with=m=7,32,33 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL two_dims(const u32 *a, u32 *q, int m, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}

// Made longer by the user, or by the compiler at his word.
// CASE: by_four load=exchange block=48 grid=1 full with=m=0,3,4,31,32,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL by_four(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  #pragma unroll 4
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: by_hand load=exchange block=48 grid=1 full with=m=0,1,8,10 -- rand:{16*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL by_hand(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    const u32 *p = a + (i * m + j) * 4;
    s = s * 31 + p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3];
  }
  q[i] = s;
}
// CASE: not_unrolled load=exchange block=48 grid=1 full with=m=0,32,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL not_unrolled(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  #pragma unroll 1
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// A block=48 grid=1 full iterations, known: unrolled whole, a plain record.
// CASE: eight load=exchange few -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL eight(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < 8; j++) s = s * 31 + a[i * 8 + j];
  q[i] = s;
}

// ---- left as they are: each row ends where its data say, and behind its end lies nothing that may be read -----------------

// CASE: breaks none plain:none block=48 grid=1 full with=m=1,33,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL breaks(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s = s * 31 + a[i * m + j];
    if ((s & 31) == 3) break;
  }
  q[i] = s;
}
// The last row ends with the buffer.
// CASE: until_zero none plain:none block=48 grid=1 full with=m=3,40 -- zero:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL until_zero(u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *p = a + (u64)i * m + m - 1;
  int length = 0;
  while (*p++) length++;
  q[i] = length;
}
// CASE: until_data none plain:none block=48 grid=1 full with=m=40 -- iota:{n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL until_data(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int j = 0;
  do j++; while (j < m && a[i * m + j] % (17 + i % 7));
  q[i] = j;
}
// An atomic, or a barrier, in every iteration.
// CASE: atomic across=yes block=48 grid=1 full with=m=33 -- zero:{4*n*m} i32:{m} i32:{n}
KERNEL atomic(int *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) __nvvm_atom_add_gen_i(a + i * m + j, j);
}
// CASE: barrier none full block=64 grid=1 with=m=33 -- rand:{4*T*m} zero:{4*T} i32:{m}
KERNEL barrier(const u32 *a, u32 *q, int m) {
  int i = ROW;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s = s * 31 + a[i * m + j];
    __syncthreads();
  }
  q[i] = s;
}
// CASE: volatile_walk none block=48 grid=1 full with=m=33 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL volatile_walk(const volatile u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
