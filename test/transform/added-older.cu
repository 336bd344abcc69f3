// RUN: %rewritten %s --temp %t.d
// Architectures without reductions of several words.
// TEXT: levels=O3 archs=sm_80 ptx=88
#include "added.cuh"

// CASE: four added=no across=yes -- zero:{16*n} i32:{n}
KERNEL four(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  ADD(&f[i].y, small(i * 3));
  ADD(&f[i].z, small(i * 5));
  ADD(&f[i].w, small(i * 7));
}
// Those of a block say so in a call, and are made one by one.
// CASE: of_block added=no across=no refuse=AddedArch -- zero:{16*n} i32:{n}
KERNEL of_block(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD_IN_BLOCK(&f[i].x, small(i));
  ADD_IN_BLOCK(&f[i].y, small(i * 3));
}
