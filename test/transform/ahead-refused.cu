// RUN: %rewritten %s --temp %t.d
// Loops that may not load one iteration ahead: something may be read that the original would not read, or that is not there yet.
// TEXT: levels=O3,O1 archs=sm_80
#include "records.cuh"
#define R __restrict__
#define ONCE _Pragma("unroll 1")

// The list is written while it is walked, by the thread itself.
// CASE: written ahead=no few with=m=1,2,5 -- perm:{n*m+n} rand:{4*(n*m+n)} zero:{4*n} i32:{m} i32:{n}
KERNEL written(u32 *col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    col[(j + 1) * n + i] = (s + j) % (m * n);
  }
  y[i] = s;
}
// Or may be: where the results lie, the list may lie as well.
// CASE: perhaps_written ahead=no few with=m=1,2,5 with=k=0,1,2 -- perm:{n*m+3*n} rand:{4*(n*m+3*n)} ref:0+{4*k*n} i32:{m} i32:{n}
KERNEL perhaps_written(const u32 *col, const u32 *R x, u32 *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  ONCE for (int j = 0; j < m; j++) y[j * n + i] = x[col[j * n + i]] % (m * n);
}
// By an atomic that nobody asks.
// CASE: counted_on ahead=no few with=m=1,2,5 -- iota:{n*m+n} rand:{4*(2*n*m+4*n)} zero:{4*n} i32:{m} i32:{n}
KERNEL counted_on(u32 *col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    __nvvm_atom_add_gen_i((int *)col + (j + 1) * n + i, 1);
  }
  y[i] = s;
}
// By another thread, in front of a barrier.
// CASE: handed ahead=no block=64 full with=m=1,2,5 -- zero:{4*n*(m+1)} rand:{4*(n*m+n)} zero:{4*n} i32:{m}
KERNEL handed(u32 *col, const u32 *R x, u32 *R y, int m) {
  int i = ROW, n = gridDim.x * 64, other = i / 64 * 64 + (threadIdx.x + 1) % 64;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    col[(j + 1) * n + other] = s % (m * n);
    __syncthreads();
  }
  y[i] = s;
}
// In front of the loop, and the loop's barrier alone tells of it.
// CASE: handed_before ahead=no block=64 full with=m=2,5 -- zero:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m}
KERNEL handed_before(u32 *col, const u32 *R x, u32 *R y, int m) {
  int i = ROW, n = gridDim.x * 64, other = i / 64 * 64 + (threadIdx.x + 1) % 64;
  u32 s = 0;
  ONCE for (int j = 1; j < m; j++) col[j * n + other] = (s += i + j) % (m * n);
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    __syncthreads();
  }
  y[i] = s;
}
// Left in the middle: the rest of the list is not there.
// CASE: left ahead=no few with=m=1,2,5 -- perm:{n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{m+5} i32:{n}
KERNEL left(const int *R col, const u32 *R x, u32 *R y, int m, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < most; j++) {
    s = s * 31 + x[col[j * n + i]];
    if (j + 1 == m) break;
    s ^= 5;
  }
  y[i] = s;
}
// Until what is loaded says so.
// CASE: until_zero ahead=no few -- iota:{8*n+1} zero:{4*n} i32:{n}
KERNEL until_zero(const u32 *R col, u32 *R y, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, c = i, k = 0;
  ONCE do {
    c = col[k * n + i];
    s += col[c / 2];
    k++;
  } while (c < 7u * n);
  y[i] = s;
}
// As long as memory says, which the loop may write.
// CASE: told_by_memory ahead=no few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n*m} iota:{n} i32:{m} i32:{n}
KERNEL told_by_memory(const u32 *R col, const u32 *R x, u32 *y, const u32 *length, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  ONCE for (u32 j = 0; j < length[i] % (m + 1); j++) y[j * n + i] = x[col[j * n + i]];
}
// Not every iteration loads: where it does not, nothing is there.
// CASE: sometimes ahead=no few with=m=1,2,5 -- perm:{n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL sometimes(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  ONCE for (int j = 0; j < 2 * m; j++) {
    s = s * 31 + j;
    if (j < m) s += x[col[j * n + i]];
  }
  y[i] = s;
}
// Where it lies is loaded, too.
// CASE: chased ahead=no few with=m=1,2,5 -- perm:{n} zero:{4*n} i32:{m} i32:{n}
KERNEL chased(const u32 *R next, u32 *R y, int m, int n) {
  u32 i = ROW, c = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    c = next[c];
    s = s * 31 + next[c];
  }
  y[i] = s;
}
// What others may change at any time.
// CASE: watched ahead=no few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL watched(const volatile int *col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) s = s * 31 + x[col[j * n + i]];
  y[i] = s;
}
// A fence, and what was written by then.
// CASE: fenced ahead=no few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL fenced(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    __nvvm_membar_gl();
  }
  y[i] = s;
}
// Who is here is asked: a guard may part those who came together.
// CASE: who_is_here ahead=no few with=m=1,2,5 -- perm:{n*m+1} rand:{4*(n*m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL who_is_here(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONCE for (int j = 0; j < m; j++) {
    s = s * 31 + x[col[j * n + i]];
    if (!__nvvm_activemask()) s++;
  }
  y[i] = s;
}
