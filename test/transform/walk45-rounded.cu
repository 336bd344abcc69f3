// RUN: %rewritten %s --temp %t.d
// Regions whose bounds are rounded from floating-point numbers of each thread, those that a point or an output covers, are small: their loops stay as they are. How often all threads
// run may be rounded as well.
// TEXT: levels=O3
#include "records.cuh"
// CASE: box plain:load=none plain:refuse=WalkWindow load=exchange block=64 full with=k=1,3,20 -- rand:{4*n*80+4} zero:{4*n} f32:{k} i32:{n}
KERNEL box(const u32 *in, u32 *out, float size, int n) {
  int i = ROW;
  if (i >= n) return;
  int b = (int)(i * size), e = (int)((i + 1) * size);
  u32 s = 0;
  for (int j = b; j < e; j++) s = s * 3 + in[i * 80 + j - b];
  out[i] = s;
}
// CASE: added plain:load=none block=64 full with=k=1,3,20 -- rand:{4*n*24+4} rand:{4*n} f32:{k} i32:{n}
KERNEL added(const u32 *in, u32 *out, float size, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = (int)(i * size); j < (int)((i + 1) * size); j++) out[i] += in[j];
}
// CASE: steps plain:load=exchange load=exchange block=64 full with=k=1,33,40 -- rand:{4*n*40+4} zero:{4*n} f32:{k} i32:40 i32:{n}
KERNEL steps(const u32 *in, u32 *out, float time, int pitch, int n) {
  int i = ROW, m = (int)(time / 1.0f);
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 3 + in[i * pitch + j];
  out[i] = s;
}
