// Particles, cells and states: a record a thread.
#include "suite.h"

// ---- a charged particle in a field (Boris) ------------------------------------------------------------------------

struct Particle { float x, y, z, vx, vy, vz, charge, mass; };
struct Field { float ex, ey, ez, bx, by, bz; };

static BOTH inline void boris(Particle &p, const Field &f, float dt) {
  float h = 0.5f * dt * p.charge / p.mass;
  float ux = p.vx + h * f.ex, uy = p.vy + h * f.ey, uz = p.vz + h * f.ez;
  float tx = h * f.bx, ty = h * f.by, tz = h * f.bz, s = 2 / (1 + tx * tx + ty * ty + tz * tz);
  float wx = ux + uy * tz - uz * ty, wy = uy + uz * tx - ux * tz, wz = uz + ux * ty - uy * tx;
  p.vx = ux + s * (wy * tz - wz * ty) + h * f.ex;
  p.vy = uy + s * (wz * tx - wx * tz) + h * f.ey;
  p.vz = uz + s * (wx * ty - wy * tx) + h * f.ez;
  p.x += dt * p.vx;
  p.y += dt * p.vy;
  p.z += dt * p.vz;
}

// ---- lattice Boltzmann --------------------------------------------------------------------------------------------

struct Cell9 { float f[9]; };

static BOTH inline void collide(float (&f)[9], float omega) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < 9; q++) rho += f[q], ux += cx[q] * f[q], uy += cy[q] * f[q];
  ux /= rho, uy /= rho;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int q = 0; q < 9; q++) {
    float w = q == 0 ? 4.0f / 9 : q < 5 ? 1.0f / 9 : 1.0f / 36, cu = 3 * (cx[q] * ux + cy[q] * uy);
    f[q] += omega * (w * rho * (1 + cu + 0.5f * cu * cu - square) - f[q]);
  }
}

// ---- a random-number generator's state, as libraries keep it ------------------------------------------------------

struct State { unsigned d, v[5]; int has_normal, unused; float normal; int pad; double normal_double; };   // 48 bytes

static BOTH inline unsigned xorwow(State &s) {
  unsigned t = s.v[0] ^ s.v[0] >> 2;
  s.v[0] = s.v[1], s.v[1] = s.v[2], s.v[2] = s.v[3], s.v[3] = s.v[4];
  s.v[4] = s.v[4] ^ s.v[4] << 4 ^ t ^ t << 1;
  return (s.d += 362437) + s.v[4];
}

#ifdef BENCH_EXPERT
#include "expert.cuh"

extern "C" __global__ void push_boris(Particle *p, Field f, float dt, int n) {
  __shared__ Stage<Particle, BLOCK> stage;
  Particle mine = stage.load(p, n);
  boris(mine, f, dt);
  stage.store(p, mine, n);
}

extern "C" __global__ void lbm_d2q9(const Cell9 *in, Cell9 *out, const uint8_t *solid, float omega, int n) {
  __shared__ Stage<Cell9, 128> stage;
  int i = THREAD;
  Cell9 c = stage.load(in, n);
  if (i < n && solid[i]) {
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    Cell9 was = c;
#pragma unroll
    for (int q = 0; q < 9; q++) c.f[q] = was.f[back[q]];
  } else {
    collide(c.f, omega);
  }
  stage.store(out, c, n);
}

extern "C" __global__ void rng_states(State *states, float *numbers, int each, int n) {
  __shared__ Stage<State, BLOCK> stage;
  int i = THREAD;
  State s = stage.load(states, n);
  for (int k = 0; k < each; k++) {
    float number = xorwow(s) * 2.3283064e-10f;
    if (i < n) numbers[k * n + i] = number;
  }
  stage.store(states, s, n);
}

#else

extern "C" __global__ void push_boris(Particle *p, Field f, float dt, int n) {
  int i = THREAD;
  if (i >= n) return;
  Particle mine = p[i];
  boris(mine, f, dt);
  p[i].x = mine.x;
  p[i].y = mine.y;
  p[i].z = mine.z;
  p[i].vx = mine.vx;
  p[i].vy = mine.vy;
  p[i].vz = mine.vz;
}

extern "C" __global__ void lbm_d2q9(const Cell9 *in, Cell9 *out, const uint8_t *solid, float omega, int n) {
  int i = THREAD;
  if (i >= n) return;
  Cell9 c = in[i];
  if (solid[i]) {   // what comes in goes back
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    for (int q = 0; q < 9; q++) out[i].f[q] = c.f[back[q]];
    return;
  }
  collide(c.f, omega);
  out[i] = c;
}

extern "C" __global__ void rng_states(State *states, float *numbers, int each, int n) {
  int i = THREAD;
  if (i >= n) return;
  State s = states[i];
  for (int k = 0; k < each; k++) numbers[k * n + i] = xorwow(s) * 2.3283064e-10f;
  states[i] = s;
}
#endif

static const Field FIELD = {0.5f, -0.25f, 1, 2, 0.125f, -1};

static void push_boris_trial(Trial &t, size_t n) {
  auto p = t.in(8 * n, Floats{1, 2, 1});
  t.moved = (sizeof(Particle) + 24) * n;
  t.launch = [=] { push_boris<<<grid_of(n), BLOCK>>>(p.as<Particle>(), FIELD, 0.01f, (int)n); };
  t.expect(p.at, 8 * n, 1e-5, 1, [=](size_t w) {
    Particle mine = p.record<Particle>(w / 8);
    boris(mine, FIELD, 0.01f);
    return word_of<float>(mine, w % 8);
  });
}

enum { SOLID = 5 };   // of so many cells one is an obstacle: the obstacles of a flow lie together

struct Obstacles {
  using T = uint8_t;
  BOTH T value(size_t i) const { return salted(2, i >> 7) % SOLID == 0; }
};

static void lbm_d2q9_trial(Trial &t, size_t n) {
  auto in = t.in(9 * n, Floats{1, 2, 1});
  auto solid = t.in(n, Obstacles{});
  Cell9 *out = t.out<Cell9>(n);
  t.moved = (2 * sizeof(Cell9) + 1) * n;
  t.launch = [=] { lbm_d2q9<<<grid_of(n, 128), 128>>>(in.as<const Cell9>(), out, solid, 0.75f, (int)n); };
  t.expect((float *)out, 9 * n, 1e-5, 1, [=](size_t w) {
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    Cell9 c = in.record<Cell9>(w / 9);
    if (solid[w / 9]) return c.f[back[w % 9]];
    collide(c.f, 0.75f);
    return c.f[w % 9];
  });
}

static void rng_states_trial(Trial &t, size_t n) {
  enum { EACH = 4 };
  auto states = t.in(12 * n, Bits{1});
  float *numbers = t.out<float>(EACH * n);
  t.moved = (2 * sizeof(State) + 4 * EACH) * n;
  t.launch = [=] { rng_states<<<grid_of(n), BLOCK>>>(states.as<State>(), numbers, EACH, (int)n); };
  t.expect(numbers, EACH * n, 1e-6, 1, [=](size_t w) {
    State s = states.record<State>(w % n);
    for (size_t k = 0; k < w / n; k++) xorwow(s);
    return xorwow(s) * 2.3283064e-10f;
  });
  t.expect(states.at, 12 * n, 0, 1, [=](size_t w) {
    State s = states.record<State>(w / 12);
    for (int k = 0; k < EACH; k++) xorwow(s);
    return word_of<uint32_t>(s, w % 12);
  });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

struct Cell19 { float f[19]; };

// Directions 2k+1 and 2k+2 are opposite.
static BOTH inline void direction(int q, int &x, int &y, int &z) {
  const signed char dx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
  const signed char dy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
  const signed char dz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
  x = dx[q], y = dy[q], z = dz[q];
}

static BOTH inline void relax(float (&f)[19], float omega) {
  float rho = 0, ux = 0, uy = 0, uz = 0;
  int x, y, z;
#pragma unroll
  for (int q = 0; q < 19; q++) {
    direction(q, x, y, z);
    rho += f[q], ux += x * f[q], uy += y * f[q], uz += z * f[q];
  }
  ux /= rho, uy /= rho, uz /= rho;
  float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
  for (int q = 0; q < 19; q++) {
    direction(q, x, y, z);
    float w = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36, cu = 3 * (x * ux + y * uy + z * uz);
    f[q] += omega * (w * rho * (1 + cu + 0.5f * cu * cu - square) - f[q]);
  }
}

// Pulls each direction from the neighbour that it comes from: of every record one field.
extern "C" __global__ void lbm_d3q19(const Cell19 *in, Cell19 *out, float omega, int nx, int ny, int nz) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y, z = blockIdx.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1) return;
  Cell19 c;
#pragma unroll
  for (int q = 0; q < 19; q++) {
    int dx, dy, dz;
    direction(q, dx, dy, dz);
    c.f[q] = in[((z - dz) * ny + y - dy) * nx + x - dx].f[q];
  }
  relax(c.f, omega);
  out[(z * ny + y) * nx + x] = c;
}

struct Body { double x[3], v[3]; };
extern "C" __global__ void leapfrog(Body *__restrict__ body, const double *__restrict__ force, double dt, int n) {
  for (int i = THREAD; i < n; i += gridDim.x * blockDim.x)
    for (int d = 0; d < 3; d++) {
      body[i].v[d] += dt * force[3 * i + d];
      body[i].x[d] += dt * body[i].v[d];
    }
}

// Flow between the four neighbours of a cell, on a mesh without structure.
static BOTH inline float pressure(const float *v) {
  return 0.4f * (v[4] - 0.5f * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0]);
}
extern "C" __global__ void euler_flux(const float *variables, const int *neighbours, const float *normals, float *fluxes, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float v[5], sum[5] = {0, 0, 0, 0, 0};
  for (int k = 0; k < 5; k++) v[k] = variables[i * 5 + k];
  float p = pressure(v);
  for (int j = 0; j < 4; j++) {
    int nb = neighbours[i * 4 + j];
    float nx = normals[(i * 4 + j) * 3 + 0], ny = normals[(i * 4 + j) * 3 + 1], nz = normals[(i * 4 + j) * 3 + 2];
    if (nb < 0) {   // a wall
      sum[1] += nx * p;
      sum[2] += ny * p;
      sum[3] += nz * p;
      continue;
    }
    float w[5];
    for (int k = 0; k < 5; k++) w[k] = variables[nb * 5 + k];
    float q = pressure(w), flow = 0.5f * (nx * (v[1] + w[1]) + ny * (v[2] + w[2]) + nz * (v[3] + w[3]));
    for (int k = 0; k < 5; k++) sum[k] += flow * (v[k] + w[k]);
    sum[1] += 0.5f * nx * (p + q);
    sum[2] += 0.5f * ny * (p + q);
    sum[3] += 0.5f * nz * (p + q);
  }
  for (int k = 0; k < 5; k++) fluxes[i * 5 + k] = sum[k];
}

// Forces of the neighbours that a list names, a row of the list for each particle.
static BOTH inline void attract(const float4 &a, const float4 &b, float3 &f) {
  float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, r = 1 / (dx * dx + dy * dy + dz * dz + 0.5f), s = r * r * r * (r - 0.5f);
  f.x += s * dx, f.y += s * dy, f.z += s * dz;
}
extern "C" __global__ void lennard_jones(const float4 *position, const int *list, const int *count, float3 *force,
                                         int most, int n) {
  int i = THREAD;
  if (i >= n) return;
  float4 mine = position[i];
  float3 f = make_float3(0, 0, 0);
  for (int k = 0; k < count[i]; k++) attract(mine, position[list[i * most + k]], f);
  force[i] = f;
}

// Particles into the order of their cells.
extern "C" __global__ void sort_apply(const Particle *in, Particle *out, const int *__restrict__ to, int n) {
  int i = THREAD;
  if (i < n) out[to[i]] = in[i];
}

// How many particles lie in each cell.
extern "C" __global__ void count_cells(const float4 *position, int *count, float cell, int edge, int n) {
  int i = THREAD;
  if (i >= n) return;
  float4 p = position[i];
  int x = (int)(p.x / cell), y = (int)(p.y / cell), z = (int)(p.z / cell);
  atomicAdd(&count[(z * edge + y) * edge + x], 1);
}

// Vertices moved by two bones each: the bones' matrices are few.
extern "C" __global__ void skin_vertices(const float *bones, const int2 *bone, const float *vertex, float *out, int n) {
  int i = THREAD;
  if (i >= n) return;
  float x = vertex[i], y = vertex[n + i], z = vertex[2 * n + i];
  const float *a = bones + 12 * bone[i].x, *b = bones + 12 * bone[i].y;
  for (int d = 0; d < 3; d++)
    out[d * n + i] = 0.75f * (a[4 * d] * x + a[4 * d + 1] * y + a[4 * d + 2] * z + a[4 * d + 3])
                   + 0.25f * (b[4 * d] * x + b[4 * d + 1] * y + b[4 * d + 2] * z + b[4 * d + 3]);
}

static void lbm_d3q19_trial(Trial &t, size_t edge) {
  size_t n = edge * edge * edge;
  auto in = t.in(19 * n, Floats{1, 2, 1});
  auto out = t.in(19 * n, Same<float>{-1});   // the border stays
  t.moved = 2 * sizeof(Cell19) * n;
  t.launch = [=] {
    int e = (int)edge;
    lbm_d3q19<<<dim3(grid_of(edge, 64), e, e), 64>>>(in.as<const Cell19>(), out.as<Cell19>(), 0.75f, e, e, e);
  };
  t.expect(out.at, 19 * n, 1e-5, 1, [=](size_t w) {
    size_t i = w / 19, x = i % edge, y = i / edge % edge, z = i / edge / edge;
    for (size_t at : {x, y, z})
      if (at == 0 || at == edge - 1) return -1.0f;
    Cell19 c;
    for (int q = 0; q < 19; q++) {
      int dx, dy, dz;
      direction(q, dx, dy, dz);
      c.f[q] = in[19 * (i - dx - dy * (long)edge - dz * (long)(edge * edge)) + q];
    }
    relax(c.f, 0.75f);
    return c.f[w % 19];
  });
}

static void leapfrog_trial(Trial &t, size_t n) {
  auto body = t.in(6 * n, Doubles{1, 0, 1});
  auto force = t.in(3 * n, Doubles{2, 0, 1});
  t.moved = (2 * sizeof(Body) + 24) * n;
  t.launch = [=] { leapfrog<<<132 * 8, BLOCK>>>(body.as<Body>(), force, 0.01, (int)n); };
  t.expect(body.at, 6 * n, 1e-12, 1, [=](size_t w) {
    size_t d = w % 3, i = w / 6;
    double v = body[6 * i + 3 + d] + 0.01 * force[3 * i + d];
    return w % 6 < 3 ? body[6 * i + d] + 0.01 * v : v;
  });
}

// Neighbours are near; of every 16 one is a wall.
struct Mesh {
  using T = int;
  size_t cells;
  BOTH T value(size_t k) const {
    uint32_t h = salted(3, k);
    return h % 16 == 0 ? -1 : (int)((k / 4 + cells + (h >> 8) % 4096 - 2048) % cells);
  }
};

static void euler_flux_trial(Trial &t, size_t n) {
  auto v = t.in(5 * n, Floats{1, 2, 1});
  auto nb = t.in(4 * n, Mesh{n});
  auto normal = t.in(12 * n, Floats{2, 0, 1});
  float *out = t.out<float>(5 * n);
  t.moved = (20 + 16 + 48 + 4 * 20 + 20) * n;
  t.launch = [=] { euler_flux<<<grid_of(n, 192), 192>>>(v, nb, normal, out, (int)n); };
  t.expect(out, 5 * n, 1e-4, 1, [=](size_t w) {
    size_t i = w / 5, k = w % 5;
    double sum = 0;
    auto press = [&](size_t c) {
      double a[5];
      for (int q = 0; q < 5; q++) a[q] = v[5 * c + q];
      return 0.4 * (a[4] - 0.5 * (a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) / a[0]);
    };
    for (size_t j = 4 * i; j < 4 * i + 4; j++) {
      double p = press(i), flow = 0, along = k > 0 && k < 4 ? normal[3 * j + k - 1] : 0;
      if (nb[j] < 0) { sum += along * p; continue; }
      for (size_t d = 0; d < 3; d++) flow += 0.5 * normal[3 * j + d] * ((double)v[5 * i + 1 + d] + v[5 * nb[j] + 1 + d]);
      sum += flow * ((double)v[5 * i + k] + v[5 * nb[j] + k]) + 0.5 * along * (p + press(nb[j]));
    }
    return sum;
  });
}

enum { MOST_NEIGHBOURS = 48 };
struct Near {
  using T = int;
  size_t n, each;
  BOTH T value(size_t k) const { return (int)((k / each + n + salted(4, k) % 2048 - 1024) % n); }
};

struct Counts {   // from half of the most on
  using T = int;
  BOTH T value(size_t k) const { return MOST_NEIGHBOURS / 2 + (int)(salted(5, k) % (MOST_NEIGHBOURS / 2)); }
};

static void lennard_jones_trial(Trial &t, size_t n) {
  auto p = t.in(4 * n, Floats{1, 0, 4});
  auto list = t.in(MOST_NEIGHBOURS * n, Near{n, MOST_NEIGHBOURS});
  auto count = t.in(n, Counts{});
  float3 *out = t.out<float3>(n);
  t.moved = (16 + MOST_NEIGHBOURS * 3 / 4 * 20 + 4 + 12) * n;
  t.launch = [=] { lennard_jones<<<grid_of(n, 128), 128>>>(p.as<const float4>(), list, count, out, MOST_NEIGHBOURS, (int)n); };
  t.expect((float *)out, 3 * n, 1e-4, 0.1, [=](size_t w) {
    size_t i = w / 3;
    float3 f = make_float3(0, 0, 0);
    for (int k = 0; k < count[i]; k++) attract(p.record<float4>(i), p.record<float4>(list[i * MOST_NEIGHBOURS + k]), f);
    return word_of<float>(f, w % 3);
  });
}

static void sort_apply_trial(Trial &t, size_t n) {
  auto in = t.in(8 * n, Floats{1, 0, 1});
  auto to = t.in(n, Permutation{(uint32_t)n - 1});
  Particle *out = t.out<Particle>(n);
  t.moved = (2 * sizeof(Particle) + 4) * n;
  t.launch = [=] { sort_apply<<<grid_of(n), BLOCK>>>(in.as<const Particle>(), out, to, (int)n); };
  auto from = std::make_shared<std::vector<size_t>>(n);
  for (size_t i = 0; i < n; i++) (*from)[to[i]] = i;
  t.expect((float *)out, 8 * n, 0, 1, [=](size_t w) { return in[8 * (*from)[w / 8] + w % 8]; });
}

static void count_cells_trial(Trial &t, size_t n) {
  enum { EDGE = 8, CELLS = EDGE * EDGE * EDGE };
  auto p = t.in(4 * n, Floats{1, 4, 4});
  auto count = t.in(CELLS, Same<int>{0});
  t.moved = 16 * n;
  t.launch = [=] { count_cells<<<grid_of(n), BLOCK>>>(p.as<const float4>(), count, 1.0f, EDGE, (int)n); };
  auto want = std::make_shared<std::vector<int>>();
  t.expect(count.at, CELLS, 0, 1, [=](size_t cell) {
    if (want->empty()) {
      want->resize(CELLS);
      for (size_t i = 0; i < n; i++) {
        float4 a = p.record<float4>(i);
        ++(*want)[((int)a.z * EDGE + (int)a.y) * EDGE + (int)a.x];
      }
    }
    return (*want)[cell];
  });
}

static void skin_vertices_trial(Trial &t, size_t n) {
  enum { BONES = 128 };
  auto bones = t.in(12 * BONES, Floats{1, 0, 1});
  auto bone = t.in(2 * n, Ints{2, BONES});
  auto vertex = t.in(3 * n, Floats{3, 0, 1});
  float *out = t.out<float>(3 * n);
  t.moved = 32 * n;
  t.launch = [=] { skin_vertices<<<grid_of(n), BLOCK>>>(bones, bone.as<const int2>(), vertex, out, (int)n); };
  t.expect(out, 3 * n, 1e-5, 1, [=](size_t w) {
    size_t i = w % n, d = w / n;
    auto moved = [&](int b) {
      double sum = bones[12 * b + 4 * d + 3];
      for (size_t c = 0; c < 3; c++) sum += (double)bones[12 * b + 4 * d + c] * vertex[c * n + i];
      return sum;
    };
    return 0.75 * moved(bone[2 * i]) + 0.25 * moved(bone[2 * i + 1]);
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"push_boris", "struct, part", GAIN | HAND, 1 << 15, 1 << 23, push_boris_trial},
    {"lbm_d2q9", "struct, whole", GAIN | HAND, 1 << 15, 1 << 22, lbm_d2q9_trial},
    {"rng_states", "struct, part", GAIN | HAND, 1 << 15, 1 << 22, rng_states_trial},
#ifndef BENCH_EXPERT
    {"lbm_d3q19", "struct, one field", GAIN, 32, 160, lbm_d3q19_trial},
    {"leapfrog", "struct, whole", GAIN, 30011, (1 << 22) - 5, leapfrog_trial},
    {"euler_flux", "by hand, whole", GAIN, 20011, (1 << 21) + 77, euler_flux_trial},
    {"lennard_jones", "walk, symbolic", GAIN, 10007, (1 << 20) - 3, lennard_jones_trial},
    {"sort_apply", "scatter", GAIN, 1 << 15, 1 << 22, sort_apply_trial},
    {"count_cells", "atomic", CONTROL, 1 << 15, 1 << 22, count_cells_trial},
    {"skin_vertices", "gather", CONTROL, 1 << 15, 1 << 23, skin_vertices_trial},
#endif
  });
}
