// RUN: %rewritten %s --temp %t.d
// Rows and records where warps are hardly ever whole: lanes come to a row of their own one by one, each in the iteration of the loop around that its data
// choose; or they leave, one after the other, a loop that nobody can count.
// TEXT: levels=O3,O1
#include "records.cuh"

// The first near point fills the row.
// CASE: nearest plain:store=none plain:refuse=WalkChosen store=exchange block=64 full with=m=0,3,20 with=k=8,33 -- bits:{n}:4 bits:{m+1}:4 zero:{4*n*k} i32:{k} i32:{m}
KERNEL nearest(const u32 *at, const u32 *points, u32 *out, int most, int m) {
  int i = ROW, found = 0;
  u32 x = at[i];
  for (int k = 0; k < m && found < most; k++)
    if ((x ^ points[k]) < 4) {
      if (!found)
        for (int l = 0; l < most; l++) out[i * most + l] = k;
      out[i * most + found++] = k;
    }
}
// A row of each iteration's own is come to together.
// CASE: strided plain:store=exchange store=exchange block=64 grid=1 full with=k=8,33 -- bits:{4*n}:1 zero:{4*4*n*k} i32:{k} i32:{4*n}
KERNEL strided(const u32 *kind, u32 *out, int most, int rows) {
  for (int i = ROW; i < rows; i += blockDim.x * gridDim.x)
    if (kind[i])
      for (int l = 0; l < most; l++) out[i * most + l] = i + l;
}
struct Agent { u32 x[3], v[3], kind, steps, energy, heat, goal, seed; };
// Its data end a thread's turn, and pass over some.
// CASE: agents plain:store=none store=exchange plain:refuse=WalkEnds block=64 full -- bits:{48*5*n}:4 i32:{5*n-3}
KERNEL agents(Agent *__restrict__ agent, int n) {
  int first = ROW * 5;
  for (int a = first; a < first + 5 && a < n; a++) {
    if (agent[a].kind == 0) break;
    if (agent[a].kind == 3) continue;
    for (int c = 0; c < 3; c++) agent[a].x[c] += 8 * agent[a].v[c];
    if (agent[a].energy < agent[a].goal) agent[a].energy += agent[a].seed;
    else agent[a].heat = agent[a].heat * 5 + agent[a].seed;
    agent[a].steps++;
  }
}
