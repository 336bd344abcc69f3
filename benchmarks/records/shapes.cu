// Records as they come in programs: bytes and shorts, mixed fields, padding, fields left out, updates in place, guards,
// two-dimensional blocks, indices written by hand. Here the plugin need not win; it must never lose.
#include "../bench.h"

#define INDEX (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct Rgb { unsigned char r, g, b; };
struct Five { unsigned char tag, b[4]; };
struct Seven { unsigned char b[7]; };
struct Mixed { char kind; short level; int id; double value; float weight; };   // bytes 1 and 20 to 23 are padding
struct Point { double x, y, z; };
struct Particle { float x, y, z, vx, vy, vz; };
struct Cell { unsigned a, b, c, d, e, f, g, h; };
struct Wide { unsigned w[16]; };

// ---- small fields ---------------------------------------------------------------------------------------------------

extern "C" __global__ void uchar3_copy(const uchar3 *in, uchar3 *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void uchar3_invert(const Rgb *in, Rgb *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  out[i].r = 255 - in[i].r;
  out[i].g = 255 - in[i].g;
  out[i].b = 255 - in[i].b;
}

extern "C" __global__ void bytes_5(const Five *in, Five *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void bytes_7(const Seven *in, Seven *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void short3_copy(const short3 *in, short3 *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void mixed_24(const Mixed *in, Mixed *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  Mixed v = in[i];
  out[i].kind = v.kind + 1;
  out[i].level = v.level;
  out[i].id = v.id ^ v.level;
  out[i].value = v.value;
  out[i].weight = v.weight;
}

extern "C" __global__ void double3_24(const Point *in, Point *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  Point p = in[i];
  out[i].x = p.z;
  out[i].y = p.x;
  out[i].z = p.y;
}

// ---- in place ---------------------------------------------------------------------------------------------------------

extern "C" __global__ void particle_24(Particle *p, float dt, int n) {
  int i = INDEX;
  if (i >= n) return;
  p[i].x += dt * p[i].vx;
  p[i].y += dt * p[i].vy;
  p[i].z += dt * p[i].vz;
}

extern "C" __global__ void update_32(Cell *p, int n) {
  int i = INDEX;
  if (i >= n) return;
  Cell c = p[i];
  c.a += c.h; c.b += c.a; c.c += c.b; c.d += c.c;
  c.e += c.d; c.f += c.e; c.g += c.f; c.h += c.g;
  p[i] = c;
}

extern "C" __global__ void count_64(Wide *p, int n) {
  int i = INDEX;
  if (i < n) p[i].w[3]++;
}

// ---- guards and shapes of the block -----------------------------------------------------------------------------------

// Blocks of 100 threads: the last warp of every block has 4.
extern "C" __global__ void ragged_36(const Words<9> *in, Words<9> *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

// Every other record on average: no warp is ever full.
extern "C" __global__ void masked_32(const Cell *in, Cell *out, int n) {
  int i = INDEX;
  if (i >= n || !(in[i].a & 1)) return;
  out[i] = in[i];
}

// Each field under a condition of its own: seven of eight are written, or one of sixteen.
#define EACH(holds) \
  int i = INDEX; \
  if (i >= n) return; \
  Cell c = in[i]; \
  if (holds(c.a)) out[i].a = c.a; \
  if (holds(c.b)) out[i].b = c.b; \
  if (holds(c.c)) out[i].c = c.c; \
  if (holds(c.d)) out[i].d = c.d; \
  if (holds(c.e)) out[i].e = c.e; \
  if (holds(c.f)) out[i].f = c.f; \
  if (holds(c.g)) out[i].g = c.g; \
  if (holds(c.h)) out[i].h = c.h;
BOTH bool is_often(uint32_t word) { return word & 7; }
BOTH bool is_rarely(uint32_t word) { return !(word & 15); }
extern "C" __global__ void often_32(const Cell *in, Cell *out, int n) { EACH(is_often) }
extern "C" __global__ void rarely_32(const Cell *in, Cell *out, int n) { EACH(is_rarely) }

extern "C" __global__ void block2d_32(const Cell *in, Cell *out, int width, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void loop_48(const Words<12> *in, Words<12> *out, int n) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// Both arrays start 4 bytes behind an aligned address.
extern "C" __global__ void shifted_32(const Cell *in, Cell *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void backward_32(const Cell *in, Cell *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[n - 1 - i];
}

// ---- indices by hand ----------------------------------------------------------------------------------------------------

extern "C" __global__ void hand_12(const unsigned *in, unsigned *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  out[3 * i] = c;
  out[3 * i + 1] = a;
  out[3 * i + 2] = b;
}

extern "C" __global__ void hand_28(const unsigned *in, unsigned *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  unsigned v[7];
  for (int k = 0; k < 7; k++) v[k] = in[7 * i + k];
  for (int k = 0; k < 7; k++) out[7 * i + k] = v[k] + v[(k + 1) % 7];
}

// The arrays may overlap for all the compiler knows, so each store stays before the next load.
extern "C" __global__ void woven_32(const Cell *in, Cell *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  out[i].a = in[i].a * 3; out[i].b = in[i].b * 3; out[i].c = in[i].c * 3; out[i].d = in[i].d * 3;
  out[i].e = in[i].e * 3; out[i].f = in[i].f * 3; out[i].g = in[i].g * 3; out[i].h = in[i].h * 3;
}

extern "C" __global__ void restrict_32(const Cell *__restrict__ in, Cell *__restrict__ out, int n) {
  int i = INDEX;
  if (i >= n) return;
  out[i].a = in[i].a * 3; out[i].b = in[i].b * 3; out[i].c = in[i].c * 3; out[i].d = in[i].d * 3;
  out[i].e = in[i].e * 3; out[i].f = in[i].f * 3; out[i].g = in[i].g * 3; out[i].h = in[i].h * 3;
}

// ---- fields left out ----------------------------------------------------------------------------------------------------

extern "C" __global__ void sparse_64(const Wide *in, Wide *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  unsigned a = in[i].w[0], b = in[i].w[5], c = in[i].w[15];
  out[i].w[1] = a + b;
  out[i].w[3] = b + c;
}

extern "C" __global__ void gaps_32(const Cell *in, Cell *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  Cell v = in[i];
  out[i].a = v.b;
  out[i].b = v.a;
  out[i].d = v.e;
  out[i].e = v.d;
  out[i].g = v.h;
}

extern "C" __global__ void pairs_64(const Wide *in, unsigned *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i].w[6] + in[i].w[7];
}

// ---- coalesced already: nothing to do, and nothing may be lost -----------------------------------------------------------

extern "C" __global__ void coalesced_4(const unsigned *in, unsigned *out, int n) {
  int i = INDEX;
  if (i < n) out[i] = in[i] * 3;
}

extern "C" __global__ void coalesced_uint4(const uint4 *in, uint4 *out, int n) {
  int i = INDEX;
  if (i >= n) return;
  uint4 v = in[i];
  out[i] = make_uint4(v.y, v.z, v.w, v.x);
}

// ---- what must come out -----------------------------------------------------------------------------------------------

#define EXPECT(Name, Element, w, ...) \
  struct Name : Straight<Element> { BOTH Element value(size_t w) const { __VA_ARGS__ } };
#define WORDS(Name, w, ...) EXPECT(Name, uint32_t, w, __VA_ARGS__)

EXPECT(SameBytes, uint8_t, b, return hash_byte(b);)
EXPECT(Inverted, uint8_t, b, return 255 - hash_byte(b);)
WORDS(Tripled, w, return hash(w) * 3;)
WORDS(Turned, w, return hash(w % 3 ? w - 1 : w + 2);)
WORDS(TurnedPairs, w, return hash(w % 6 < 2 ? w + 4 : w - 2);)
WORDS(TurnedVector, w, return hash(w % 4 == 3 ? w - 3 : w + 1);)
WORDS(Neighbours, w, return hash(w) + hash(w % 7 == 6 ? w - 6 : w + 1);)
WORDS(ShiftedByOne, w, return hash(w + 1);)
WORDS(Masked, w, return hash(w / 8 * 8) & 1 ? hash(w) : POISON;)
WORDS(Often, w, return is_often(hash(w)) ? hash(w) : POISON;)
WORDS(Rarely, w, return is_rarely(hash(w)) ? hash(w) : POISON;)
WORDS(Counted, w, return hash(w) + (w % 16 == 3);)
WORDS(PairSums, i, return hash(16 * i + 6) + hash(16 * i + 7);)
WORDS(Moved, w, return float_bits(hash_float(w) + (w % 6 < 3 ? 0.5f * hash_float(w + 3) : 0));)
// Field k becomes the sum of all old fields up to k, and of the last one.
WORDS(Updated, w, size_t first = w / 8 * 8; uint32_t sum = hash(first + 7);
      for (size_t k = first; k <= w; k++) sum += hash(k);
      return sum;)
WORDS(Sparse, w, size_t first = w / 16 * 16;
      if (w % 16 == 1) return hash(first) + hash(first + 5);
      return w % 16 == 3 ? hash(first + 5) + hash(first + 15) : POISON;)
WORDS(Gaps, w, size_t k = w % 8;
      return k == 0 || k == 3 || k == 6 ? hash(w + 1) : k == 1 || k == 4 ? hash(w - 1) : POISON;)
EXPECT(MixedBytes, uint8_t, b, size_t k = b % 24;
       if (k == 0) return hash_byte(b) + 1;
       if (k == 1 || k >= 20) return (uint8_t)POISON;
       // The short is sign-extended to the int's width.
       uint8_t sign = hash_byte(b - k + 3) & 0x80 ? 0xff : 0;
       return k >= 4 && k < 8 ? hash_byte(b) ^ (k < 6 ? hash_byte(b - 2) : sign) : hash_byte(b);)
// The output of a reversed copy, record by record; n is known when the check is made.
struct Backward : Straight<uint32_t> {
  size_t n;
  BOTH uint32_t value(size_t w) const { return hash((n - 1 - w / 8) * 8 + w % 8); }
};
static Tally check_backward(const Arrays &a, size_t n) {
  Backward expect;
  expect.n = n;
  return expects(expect, 8)(a, n);
}

// ---- the list ---------------------------------------------------------------------------------------------------------

enum { RAGGED = 100, PERSISTENT_BLOCKS = 132 * 8 };

template <class In, class Out>
Work move(const char *name, void (*kernel)(const In *, Out *, int), Check check, size_t moved = sizeof(In) + sizeof(Out), int threads = BLOCK) {
  auto run = [=](const Arrays &a, size_t n) { kernel<<<grid_of(n, threads), threads>>>((const In *)a.in, (Out *)a.out, (int)n); };
  return {name, "shape", sizeof(In), moved, run, check, sizeof(Out)};
}

// A number of words that the kernels index by hand as a record.
template <int M> Work by_hand(const char *name, void (*kernel)(const unsigned *, unsigned *, int), Check check) {
  auto run = [=](const Arrays &a, size_t n) { kernel<<<grid_of(n), BLOCK>>>((const unsigned *)a.in, (unsigned *)a.out, (int)n); };
  return {name, "shape", 4 * M, 8 * M, run, check};
}

template <class Record> Work in_place(const char *name, void (*kernel)(Record *, int), Check check, size_t moved) {
  auto run = [=](const Arrays &a, size_t n) { kernel<<<grid_of(n), BLOCK>>>((Record *)a.out, (int)n); };
  return {name, "shape", sizeof(Record), moved, run, check, 0, 0, true};
}

static Work particles() {
  auto run = [](const Arrays &a, size_t n) { particle_24<<<grid_of(n), BLOCK>>>((Particle *)a.out, 0.5f, (int)n); };
  return {"particle_24", "shape", sizeof(Particle), 36, run, expects(Moved{}, 6), 0, 0, true, true};
}

static Work block2d() {
  auto run = [](const Arrays &a, size_t n) {
    enum { SIDE = 16, WIDTH = 1 << 12 };
    dim3 grid(WIDTH / SIDE, grid_of(grid_of(n, WIDTH), SIDE));
    block2d_32<<<grid, dim3(SIDE, SIDE)>>>((const Cell *)a.in, (Cell *)a.out, WIDTH, (int)n);
  };
  return {"block2d_32", "shape", 32, 64, run, expects(Input{}, 8)};
}

static Work loop() {
  auto run = [](const Arrays &a, size_t n) { loop_48<<<PERSISTENT_BLOCKS, BLOCK>>>((const Words<12> *)a.in, (Words<12> *)a.out, (int)n); };
  return {"loop_48", "shape", 48, 96, run, expects(Input{}, 12)};
}

static Work shifted(Work work) {
  work.shift = 4;
  return work;
}

int main(int argc, char **argv) {
  return bench_main(argc, argv, {
    move("uchar3_copy", uchar3_copy, expects(SameBytes{}, 3)),
    move("uchar3_invert", uchar3_invert, expects(Inverted{}, 3)),
    move("bytes_5", bytes_5, expects(SameBytes{}, 5)),
    move("bytes_7", bytes_7, expects(SameBytes{}, 7)),
    move("short3_copy", short3_copy, expects(SameBytes{}, 6)),
    move("mixed_24", mixed_24, expects(MixedBytes{}, 24), 2 * 19),
    move("double3_24", double3_24, expects(TurnedPairs{}, 6)),
    particles(),
    in_place("update_32", update_32, expects(Updated{}, 8), 64),
    in_place("count_64", count_64, expects(Counted{}, 16), 8),
    move("ragged_36", ragged_36, expects(Input{}, 9), 72, RAGGED),
    move("masked_32", masked_32, expects(Masked{}, 8), 48),
    move("often_32", often_32, expects(Often{}, 8), 60),
    move("rarely_32", rarely_32, expects(Rarely{}, 8), 34),
    block2d(),
    loop(),
    shifted(move("shifted_32", shifted_32, expects(ShiftedByOne{}, 8))),
    move("backward_32", backward_32, check_backward),
    by_hand<3>("hand_12", hand_12, expects(Turned{}, 3)),
    by_hand<7>("hand_28", hand_28, expects(Neighbours{}, 7)),
    move("woven_32", woven_32, expects(Tripled{}, 8)),
    move("restrict_32", restrict_32, expects(Tripled{}, 8)),
    move("sparse_64", sparse_64, expects(Sparse{}, 16), 20),
    move("gaps_32", gaps_32, expects(Gaps{}, 8), 52),
    move("pairs_64", pairs_64, expects(PairSums{}, 1), 12),
    move("coalesced_4", coalesced_4, expects(Tripled{}, 1)),
    move("coalesced_uint4", coalesced_uint4, expects(TurnedVector{}, 4)),
  });
}
