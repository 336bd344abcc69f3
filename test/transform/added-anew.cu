// RUN: %rewritten %s --temp %t.d
// Atomic additions to one record whose place is looked up in a list for each of them: they are one where the list lies elsewhere.
// TEXT: archs=sm_90 ptx=88
#include "added.cuh"

// As it is written most often, and by more than a list of words.
// CASE: anew added=yes -- zero:{16*(n+1)} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL anew(Padded *f, const u32 *idx, int n, u32 m) {
  int i = ROW; if (i >= n) return;
  ADD(&f[idx[i] % m].x, small(i)); ADD(&f[idx[i] % m].y, small(2 * i)); ADD(&f[idx[i] % m].z, small(3 * i));
}
// CASE: four added=yes -- zero:{16*n} perm:{n} rand:{16*n} i32:{n}
KERNEL four(Four *f, const int *idx, const V4 *v, int n) {
  int i = ROW; if (i >= n) return;
  ADD(&f[idx[i]].x, small(v[i].x)); ADD(&f[idx[i]].y, small(v[i].y)); ADD(&f[idx[i]].z, small(v[i].z)); ADD(&f[idx[i]].w, small(v[i].w));
}
// CASE: bytes added=yes -- zero:{16*256} rand:{n} i64:{n}
KERNEL bytes(Four *f, const unsigned char *idx, long n) {
  for (long i = ROW; i < n; i += gridDim.x * blockDim.x) {
    ADD(&f[idx[i]].x, small(i)); ADD(&f[idx[i]].y, 2); ADD(&f[idx[i]].z, 3); ADD(&f[idx[i]].w, small(i + 3));
  }
}
// CASE: pairs added=yes -- zero:{16*(n+1)} rand:{8*n} i32:{n} i32:{n//2+1}
KERNEL pairs(Four *f, const u32 *ends, int n, u32 m) {
  int i = ROW; if (i >= n) return;
  ADD(&f[ends[2 * i] % m].x, 1); ADD(&f[ends[2 * i] % m].y, small(i)); ADD(&f[ends[2 * i] % m].z, 3); ADD(&f[ends[2 * i] % m].w, 4);
  ADD(&f[ends[2 * i + 1] % m].x, -1); ADD(&f[ends[2 * i + 1] % m].y, -small(i)); ADD(&f[ends[2 * i + 1] % m].z, -3); ADD(&f[ends[2 * i + 1] % m].w, -4);
}
// The list lies in the records themselves: what is added changes where the next addition goes.
// CASE: inside added=yes block=64 grid=1 full with=D=0,1,2,3,4,5 -- zero:{16*64+64} ref:0+{4*D} i32:1
KERNEL inside(Four *f, const u32 *idx, int n) {
  if (ROW >= n) return;
  ADD(&f[idx[0] & 3].x, 1); ADD(&f[idx[0] & 3].y, 2); ADD(&f[idx[0] & 3].z, 3); ADD(&f[idx[0] & 3].w, 4);
}
