// Hashes, ciphers and transforms: a block of 12 to 128 bytes a thread.
#include "suite.h"

static BOTH inline uint32_t turn(uint32_t x, int by) { return x << by | x >> (32 - by); }

// ---- ChaCha20: 64 bytes of key stream for each counter ------------------------------------------------------------

struct Key { uint32_t word[8], nonce[3]; };

static BOTH inline void quarter(uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d) {
  a += b, d = turn(d ^ a, 16);
  c += d, b = turn(b ^ c, 12);
  a += b, d = turn(d ^ a, 8);
  c += d, b = turn(b ^ c, 7);
}

static BOTH inline void chacha(const Key &key, uint32_t counter, uint32_t (&out)[16]) {
  uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int k = 0; k < 8; k++) start[4 + k] = key.word[k];
  start[12] = counter;
  for (int k = 0; k < 3; k++) start[13 + k] = key.nonce[k];
  for (int k = 0; k < 16; k++) out[k] = start[k];
  for (int round = 0; round < 10; round++) {
    for (int k = 0; k < 4; k++) quarter(out[k], out[4 + k], out[8 + k], out[12 + k]);
    for (int k = 0; k < 4; k++) quarter(out[k], out[4 + (k + 1) % 4], out[8 + (k + 2) % 4], out[12 + (k + 3) % 4]);
  }
  for (int k = 0; k < 16; k++) out[k] += start[k];
}

// ---- SHA-256 of one block -----------------------------------------------------------------------------------------

#define SHA_CONSTANTS { \
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, \
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, \
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, \
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, \
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, \
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, \
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, \
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2}
__constant__ uint32_t sha_constants[64] = SHA_CONSTANTS;
[[maybe_unused]] static const uint32_t host_sha_constants[64] = SHA_CONSTANTS;

static BOTH inline void sha256(uint32_t (&w)[16], uint32_t (&state)[8]) {
#ifdef __CUDA_ARCH__
  const uint32_t *constant = sha_constants;
#else
  const uint32_t *constant = host_sha_constants;
#endif
  uint32_t s[8];
  for (int k = 0; k < 8; k++) s[k] = state[k];
#pragma unroll
  for (int r = 0; r < 64; r++) {
    if (r >= 16) {
      uint32_t a = w[(r + 1) % 16], b = w[(r + 14) % 16];
      w[r % 16] += (turn(a, 25) ^ turn(a, 14) ^ a >> 3) + w[(r + 9) % 16] + (turn(b, 15) ^ turn(b, 13) ^ b >> 10);
    }
    uint32_t e = s[4], a = s[0];
    uint32_t one = s[7] + (turn(e, 26) ^ turn(e, 21) ^ turn(e, 7)) + ((e & s[5]) ^ (~e & s[6])) + constant[r] + w[r % 16];
    uint32_t two = (turn(a, 30) ^ turn(a, 19) ^ turn(a, 10)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; k--) s[k] = s[k - 1];
    s[4] += one;
    s[0] = one + two;
  }
  for (int k = 0; k < 8; k++) state[k] += s[k];
}
#define SHA_START {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// ---- a wide block cipher: 128 bytes, mixed pair by pair (XTEA's rounds) -------------------------------------------

struct Sector { uint32_t w[32]; };

static BOTH inline void encipher(Sector &s, const uint32_t (&key)[4]) {
#pragma unroll
  for (int pair = 0; pair < 32; pair += 2) {
    uint32_t a = s.w[pair], b = s.w[pair + 1], sum = 0;
    if (pair) a ^= s.w[pair - 2], b ^= s.w[pair - 1];   // chained
    for (int r = 0; r < 8; r++) {
      a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
      sum += 0x9e3779b9u;
      b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    }
    s.w[pair] = a, s.w[pair + 1] = b;
  }
}

// ---- the cosine transform of 8 numbers ----------------------------------------------------------------------------

struct Cosines { float c[8][8]; };

#ifdef BENCH_EXPERT
#include "expert.cuh"

using Block16 = Many<uint32_t, 16>;
using Block8 = Many<uint32_t, 8>;

extern "C" __global__ void chacha_stream(uint32_t *stream, Key key, uint32_t first, int n) {
  __shared__ Stage<Block16, BLOCK> stage;
  Block16 out;
  chacha(key, first + THREAD, out.v);
  stage.store(stream, out, n);
}

extern "C" __global__ void sha_blocks(const uint32_t *message, uint32_t *digest, int n) {
  __shared__ union { Stage<Block16, BLOCK> in; Stage<Block8, BLOCK> out; } stage;
  Block8 state = {SHA_START};
  Block16 m = stage.in.load(message, n);
  sha256(m.v, state.v);
  stage.out.store(digest, state, n);
}

extern "C" __global__ void encipher_sectors(const Sector *in, Sector *out, uint4 key, int n) {
  __shared__ Stage<Sector, 128> stage;
  uint32_t k[4] = {key.x, key.y, key.z, key.w};
  Sector s = stage.load(in, n);
  encipher(s, k);
  stage.store(out, s, n);
}

extern "C" __global__ void dct_rows(const float *in, float *out, const Cosines *cosines, int n) {
  __shared__ Stage<Many<float, 8>, BLOCK> stage;
  __shared__ Cosines cos;
  if (threadIdx.x < 64) cos.c[threadIdx.x / 8][threadIdx.x % 8] = cosines->c[threadIdx.x / 8][threadIdx.x % 8];
  Many<float, 8> from = stage.load(in, n), to;
#pragma unroll
  for (int u = 0; u < 8; u++) {
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += cos.c[u][k] * from.v[k];
    to.v[u] = sum;
  }
  stage.store(out, to, n);
}

#else

extern "C" __global__ void chacha_stream(uint32_t *stream, Key key, uint32_t first, int n) {
  int i = THREAD;
  if (i >= n) return;
  uint32_t out[16];
  chacha(key, first + i, out);
  for (int k = 0; k < 16; k++) stream[16 * i + k] = out[k];
}

extern "C" __global__ void sha_blocks(const uint32_t *message, uint32_t *digest, int n) {
  int i = THREAD;
  if (i >= n) return;
  uint32_t w[16], state[8] = SHA_START;
  for (int k = 0; k < 16; k++) w[k] = message[16 * i + k];
  sha256(w, state);
  for (int k = 0; k < 8; k++) digest[8 * i + k] = state[k];
}

extern "C" __global__ void encipher_sectors(const Sector *in, Sector *out, uint4 key, int n) {
  int i = THREAD;
  if (i < n) {
    uint32_t k[4] = {key.x, key.y, key.z, key.w};
    Sector s = in[i];
    encipher(s, k);
    out[i] = s;
  }
}

extern "C" __global__ void dct_rows(const float *in, float *out, const Cosines *cosines, int n) {
  __shared__ Cosines cos;
  if (threadIdx.x < 64) cos.c[threadIdx.x / 8][threadIdx.x % 8] = cosines->c[threadIdx.x / 8][threadIdx.x % 8];
  __syncthreads();
  int i = THREAD;
  if (i >= n) return;
  float v[8];
  for (int k = 0; k < 8; k++) v[k] = in[8 * i + k];
  for (int u = 0; u < 8; u++) {
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += cos.c[u][k] * v[k];
    out[8 * i + u] = sum;
  }
}
#endif

static const Key KEY = {{1, 22, 333, 4444, 55555, 666666, 7777777, 88888888}, {9, 99, 999}};

static void chacha_stream_trial(Trial &t, size_t n) {
  uint32_t *out = t.out<uint32_t>(16 * n);
  t.moved = 64 * n;
  t.launch = [=] { chacha_stream<<<grid_of(n), BLOCK>>>(out, KEY, 17, (int)n); };
  t.expect(out, 16 * n, 0, 1, [=](size_t w) {
    uint32_t block[16];
    chacha(KEY, 17 + (uint32_t)(w / 16), block);
    return block[w % 16];
  });
}

static void sha_blocks_trial(Trial &t, size_t n) {
  auto message = t.in(16 * n, Bits{1});
  uint32_t *out = t.out<uint32_t>(8 * n);
  t.moved = 96 * n;
  t.launch = [=] { sha_blocks<<<grid_of(n), BLOCK>>>(message, out, (int)n); };
  t.expect(out, 8 * n, 0, 1, [=](size_t w) {
    uint32_t m[16], state[8] = SHA_START;
    for (size_t k = 0; k < 16; k++) m[k] = message[w / 8 * 16 + k];
    sha256(m, state);
    return state[w % 8];
  });
}

static void encipher_sectors_trial(Trial &t, size_t n) {
  auto in = t.in(32 * n, Bits{2});
  Sector *out = t.out<Sector>(n);
  t.moved = 256 * n;
  t.launch = [=] { encipher_sectors<<<grid_of(n, 128), 128>>>(in.as<const Sector>(), out, make_uint4(3, 5, 7, 11), (int)n); };
  t.expect((uint32_t *)out, 32 * n, 0, 1, [=](size_t w) {
    const uint32_t key[4] = {3, 5, 7, 11};
    Sector s = in.record<Sector>(w / 32);
    encipher(s, key);
    return s.w[w % 32];
  });
}

static void dct_rows_trial(Trial &t, size_t n) {
  auto in = t.in(8 * n, Floats{3, 0, 128});
  auto cosines = t.in(64, Floats{4, 0, 1});   // any matrix will do
  float *out = t.out<float>(8 * n);
  t.moved = 64 * n;
  t.launch = [=] { dct_rows<<<grid_of(n), BLOCK>>>(in, out, cosines.as<const Cosines>(), (int)n); };
  t.expect(out, 8 * n, 1e-5, 256, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < 8; k++) sum += (double)cosines[w % 8 * 8 + k] * in[w / 8 * 8 + k];
    return sum;
  });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

// A checksum of each page, word by word.
static BOTH inline uint32_t checksum(uint32_t sum, uint32_t word) {
  return turn((sum ^ word) * 0xcc9e2d51u, 13) * 5 + 0xe6546b64u;
}
extern "C" __global__ void page_checksums(const uint32_t *pages, uint32_t *sums, int words, int n) {
  int page = THREAD;
  if (page >= n) return;
  const uint32_t *at = pages + (size_t)page * words;
  uint32_t sum = 0;
  for (int k = 0; k < words; k++) sum = checksum(sum, at[k]);
  sums[page] = sum;
}

// 12 bytes in, 16 characters out.
static BOTH inline char letter(int six) {
  return (char)(six < 26 ? 'A' + six : six < 52 ? 'a' + six - 26 : six < 62 ? '0' + six - 52 : six == 62 ? '+' : '/');
}
extern "C" __global__ void base64(const uint8_t *__restrict__ in, char *__restrict__ out, int n) {
  int i = THREAD;
  if (i >= n) return;
  for (int k = 0; k < 4; k++) {
    uint8_t a = in[12 * i + 3 * k], b = in[12 * i + 3 * k + 1], c = in[12 * i + 3 * k + 2];
    out[16 * i + 4 * k] = letter(a >> 2);
    out[16 * i + 4 * k + 1] = letter((a & 3) << 4 | b >> 4);
    out[16 * i + 4 * k + 2] = letter((b & 15) << 2 | c >> 6);
    out[16 * i + 4 * k + 3] = letter(c & 63);
  }
}

// Keys looked up in a table with open addressing.
static BOTH inline uint32_t slot_of(uint32_t key) { return key * 0x9e3779b1u; }
extern "C" __global__ void probe_table(const uint2 *table, uint32_t mask, const uint32_t *keys, uint32_t *values, int n) {
  int i = THREAD;
  if (i >= n) return;
  uint32_t key = keys[i], slot = slot_of(key) & mask, found = ~0u;
  for (int tries = 0; tries < 8; tries++, slot = (slot + 1) & mask) {
    uint2 entry = table[slot];
    if (entry.x != key) continue;
    found = entry.y;
    break;
  }
  values[i] = found;
}

static void page_checksums_trial(Trial &t, size_t n) {
  enum { WORDS = 1024 };
  auto pages = t.in(WORDS * n, Bits{1});
  uint32_t *out = t.out<uint32_t>(n);
  t.moved = 4 * WORDS * n;
  t.launch = [=] { page_checksums<<<grid_of(n, 128), 128>>>(pages, out, WORDS, (int)n); };
  t.expect(out, n, 0, 1, [=](size_t page) {
    uint32_t sum = 0;
    for (size_t k = 0; k < WORDS; k++) sum = checksum(sum, pages[page * WORDS + k]);
    return sum;
  });
}

static void base64_trial(Trial &t, size_t n) {
  auto in = t.in(12 * n, Bytes{1});
  char *out = t.out<char>(16 * n);
  t.moved = 28 * n;
  t.launch = [=] { base64<<<grid_of(n), BLOCK>>>(in, out, (int)n); };
  t.expect(out, 16 * n, 0, 1, [=](size_t w) {
    uint32_t three = in[w / 4 * 3] << 16 | in[w / 4 * 3 + 1] << 8 | in[w / 4 * 3 + 2];
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[three >> 6 * (3 - w % 4) & 63];
  });
}

// Keys stand up to two places behind where the search for them starts.
BOTH constexpr uint32_t inverse(uint32_t odd) {
  uint32_t x = odd;
  for (int step = 0; step < 5; step++) x *= 2 - odd * x;
  return x;
}
struct Table {
  using T = uint32_t;
  uint32_t mask;
  BOTH uint32_t key(uint32_t slot) const {
    constexpr uint32_t BACK = inverse(0x9e3779b1u);
    uint32_t h = salted(7, slot);
    return (((slot - h % 3) & mask) | (h & ~mask)) * BACK;
  }
  BOTH T value(size_t k) const { return k % 2 ? salted(8, k) : key((uint32_t)(k / 2)); }
};
// Half of the keys are in the table.
struct Keys {
  using T = uint32_t;
  Table table;
  BOTH T value(size_t k) const { return k % 2 ? salted(9, k) : table.key(salted(10, k) & table.mask); }
};

static void probe_table_trial(Trial &t, size_t n) {
  Table held = {(uint32_t)n / 2 - 1};
  auto table = t.in(n, held);
  auto keys = t.in(n, Keys{held});
  uint32_t *out = t.out<uint32_t>(n);
  t.moved = 16 * n;
  t.launch = [=] { probe_table<<<grid_of(n), BLOCK>>>(table.as<const uint2>(), held.mask, keys, out, (int)n); };
  t.expect(out, n, 0, 1, [=](size_t i) {
    for (uint32_t tries = 0, slot = slot_of(keys[i]); tries < 8; tries++, slot++)
      if (table[2 * (slot & held.mask)] == keys[i]) return table[2 * (slot & held.mask) + 1];
    return ~0u;
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"chacha_stream", "by hand, whole", GAIN | HAND, 1 << 14, 1 << 22, chacha_stream_trial},
    {"sha_blocks", "by hand, whole", GAIN | HAND, 1 << 14, 1 << 22, sha_blocks_trial},
    {"encipher_sectors", "struct, whole", GAIN | HAND, 1 << 14, 1 << 21, encipher_sectors_trial},
    {"dct_rows", "by hand, whole", GAIN | HAND, 1 << 16, 1 << 23, dct_rows_trial},
#ifndef BENCH_EXPERT
    {"page_checksums", "walk, symbolic", GAIN, 1 << 11, 1 << 17, page_checksums_trial},
    {"base64", "by hand, whole", CONTROL, 1 << 16, 1 << 24, base64_trial},
    {"probe_table", "gather", CONTROL, 1 << 16, 1 << 23, probe_table_trial},
#endif
  });
}
