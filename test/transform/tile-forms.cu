// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// Tile loops as programs write them: copies through casts to longer types, arrays of inline functions, tiles that are read by assembly,
// several tiles one after the other, atomics beside the tile, functions that fill or read it.
// Beside each stands what looks like it and must stay.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
struct alignas(16) Four { u32 x, y, z, w; };
#define NUMBER(p) ((u32)(u64)(__attribute__((address_space(3))) const void *)(p))

// ---- casts ----

// CASE: four_words tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL four_words(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    *(Four *)&s[4 * TX] = *(const Four *)&g[((BX * k + i) * TILE + TX) * 4];
    __syncthreads();
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows of 80 bytes: of 16-bit elements, whose array is aligned to two bytes.
// CASE: padded_halves tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL padded_halves(const u16 *g, u32 *out, int k) {
  __shared__ u16 s[16][40];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    *(Four *)&s[TX / 4][TX % 4 * 8] = *(const Four *)&g[((BX * k + i) * TILE + TX) * 8];
    __syncthreads();
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][TX % 32];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows of 72 bytes: eight at a time are aligned, sixteen are not, whatever the source says.
// CASE: rows_of_72 tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL rows_of_72(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][18];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[TX / 4][TX % 4 * 4], __builtin_assume_aligned(&g[((BX * k + i) * TILE + TX) * 4], 16), 16);
    __syncthreads();
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][TX % 16];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Not copied by words at all: bytes, of a place that nobody knows to be aligned.
// CASE: loose_bytes tile=held block=64 full with=k=1,5 -- rand:{max(16,4*T*k)} zero:{4*T} i32:{k}
KERNEL loose_bytes(const u8 *g, u32 *out, int k) {
  __shared__ u8 s[4 * TILE + 4];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[4 * TX + 1], &g[((BX * k + i) * TILE + TX) * 4], 4);
    __syncthreads();
    sum = sum * 31 + s[TX + 1] + s[4 * TILE - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- arrays that other modules may have as well ----

inline __device__ u32 *of_inline_function() {
  __shared__ u32 s[TILE];
  return s;
}
// CASE: linked_once tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL linked_once(const u32 *g, u32 *out, int k) {
  u32 *s = of_inline_function(), sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- readers ----

__device__ static inline u32 read_at(u32 number) {
  u32 value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(number) : "memory");
  return value;
}
// CASE: by_number tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL by_number(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + read_at(NUMBER(&s[TILE - 1 - TX])) + read_at(NUMBER(s) + 4 * (TX / 2));
    __syncthreads();
  }
  out[ROW] = sum;
}
// Assembly makes the number, too.
// CASE: made_there tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL made_there(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, number;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(number) : "l"(s));
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + read_at(number + 4 * (TILE - 1 - TX));
    __syncthreads();
  }
  out[ROW] = sum;
}
// A number that is not moved on as its tile is.
// CASE: crossed tile=held block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL crossed(const u32 *g, u32 *out, int k) {
  __shared__ __attribute__((aligned(256))) u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + read_at((NUMBER(s) + 4 * TX) ^ 128);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Its own number tells where the tile is.
// CASE: told tile=held block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL told(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + (NUMBER(&s[TX]) - NUMBER(s));
    __syncthreads();
  }
  out[ROW] = sum;
}
// Assembly makes something else of it than an address.
// CASE: asked tile=held block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL asked(const u32 *g, u32 *out, int k) {
  __shared__ __attribute__((aligned(1024))) u32 s[TILE];
  u32 sum = 0, low;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    asm("and.b32 %0, %1, 1023;" : "=r"(low) : "r"(NUMBER(&s[(TX + i) % TILE])));
    sum = sum * 31 + s[TILE - 1 - TX] + low;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Assembly reads the tile, and takes the address apart beside that.
// CASE: unpacked tile=held block=64 full with=k=5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL unpacked(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, first = 0, value;
  u16 low, high;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    asm volatile("ld.shared.u32 %0, [%3]; mov.b32 {%1, %2}, %3;"
                 : "=&r"(value), "=h"(low), "=h"(high) : "r"(NUMBER(&s[TX])) : "memory");
    if (i == 0) first = low;
    sum = sum * 31 + value + (low - first);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Arrays that are aligned better than copies need it, beside one of odd size: each lies as it must in every slot.
// CASE: kept_aligned tile=pipelined block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL kept_aligned(const u32 *g, u32 *out, int k) {
  __shared__ u32 odd[TILE + 1];
  __shared__ __attribute__((aligned(128))) u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    odd[TX + 1] = g[(BX * k + i) * TILE + TX];
    s[TX] = g[(BX * k + i) * TILE + (TX ^ 1)];
    __syncthreads();
    typedef u32 Wide __attribute__((vector_size(32), aligned(128), may_alias));
    Wide wide = *(const Wide *)s;
    sum = sum * 31 + (wide[0] ^ wide[3] ^ wide[7]) + s[TILE - 1 - TX] + odd[TILE - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Assembly writes the tile.
// CASE: written_there tile=none block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL written_there(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(NUMBER(&s[TX])), "r"(sum) : "memory");
    sum = sum * 31 + s[TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What the use leaves in the tile is there in the next iteration, where that copies nothing.
// CASE: left_in_tile tile=held block=64 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL left_in_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == 0 || (TX + i) % 3) s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] += 7;
  }
  out[ROW] = sum;
}
// The pointer is made another one by what reads nothing, and is kept from iteration to iteration.
// CASE: aligned_down tile=held block=64 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL aligned_down(const u32 *g, u32 *out, int k) {
  __shared__ __attribute__((aligned(16))) u32 s[TILE];
  typedef __attribute__((address_space(3))) const u32 Shared; /* LLVM 22 cannot infer the space of what is masked and merged */
  __shared__ u32 other[4];
  Shared *four = (Shared *)other;
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    if (i % 3 == 0) four = __builtin_align_down((Shared *)&s[(TX + i) % TILE], 16);
    sum = sum * 31 + s[TILE - 1 - TX] + four[0];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Read for the first time before it is filled.
// CASE: read_before tile=held block=64 full with=k=1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL read_before(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i) sum = sum * 31 + read_at(NUMBER(&s[TX]));
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- several tiles ----

// CHECK-DAG: @_ZZ10two_phases{{.*}}1s.ring =
// CHECK-DAG: @_ZZ10two_phases{{.*}}1r.ring =
// CASE: two_phases tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL two_phases(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The first tile is read to the end of the iteration; a third one follows.
// CASE: three_phases tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL three_phases(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE], q[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33] + s[TX ^ 1];
    q[TX] = g[(BX * k + i) * TILE + (TX ^ 2)];
    __syncthreads();
    sum = sum * 31 + q[TX ^ 5] + r[TX ^ 3] + s[TX ^ 7];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Indices, and then the data that they name.
// CASE: named tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:1024 zero:{4*T} i32:{k}
KERNEL named(const u32 *index, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = index[(BX * k + i) * TILE + TX];
    __syncthreads();
    r[TX] = h[s[TX ^ 9] % 256];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One array for both: the first of its tiles gets one of its own.
// CASE: filled_twice tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL filled_twice(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- atomics ----

// CASE: counted tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counted(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  __shared__ int count[8];
  u32 sum = 0;
  if (TX < 8) count[TX] = 0;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __nvvm_atom_add_gen_i(&count[sum % 8], 1);
    __syncthreads();
  }
  out[ROW] = sum + count[TX % 8];
}
// Nobody asks what was there.
// CASE: counted_outside tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:32 zero:{4*T} i32:{k}
KERNEL counted_outside(const u32 *__restrict__ g, int *__restrict__ count, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __nvvm_atom_add_gen_i(&count[sum % 8], 1);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Of the tile itself.
// CASE: counted_in_tile tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counted_in_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    __nvvm_atom_add_gen_i((int *)&s[TX / 8], 1);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What was there decides: a ticket, whose holder comes to what another block has written by then.
// CASE: drawn tile=none block=64 grid=2 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:32 zero:{4*T} i32:{k}
KERNEL drawn(const u32 *__restrict__ g, int *__restrict__ count, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    if (__nvvm_atom_add_gen_i(&count[BX], 0) > 100) sum++;
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- calls ----

__device__ __noinline__ static void fill(u32 *s, const u32 *g) { s[TX] = g[TX]; }
__device__ __noinline__ static u32 read(const u32 *s, u32 sum) { return sum * 31 + s[TILE - 1 - TX]; }
__device__ __noinline__ static float scaled(const float *s, float by) { return s[TX ^ 1] * by; }
// CASE: by_calls tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL by_calls(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    fill(s, g + (BX * k + i) * TILE);
    __syncthreads();
    sum = read(s, sum);
    __syncthreads();
  }
  out[ROW] = sum;
}
// A function copies in a loop of its own, zeros behind the data.
template <typename T> __device__ __noinline__ static void fill_or_zero(T *s, const u32 *g, u32 limit) {
  for (u32 j = TX; j < 2 * TILE; j += blockDim.x)
    if (j < limit) s[j] = g[j];
    else s[j] = 0;
}
// CASE: by_guarded_call tile=pipelined block=64 full with=n=1,100,128,300,577 -- rand:{4*n} zero:{4*T} i32:{n}
KERNEL by_guarded_call(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < n; i += 2 * TILE) {
    fill_or_zero(s, g + i, n - i);
    __syncthreads();
    sum = sum * 31 + s[TX] + s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Elsewhere it fills an array that is no tile, and is there for that.
// CASE: by_call_again tile=pipelined block=64 full with=n=1,100,300 -- rand:{4*n} zero:{4*T} i32:{n}
KERNEL by_call_again(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[2 * TILE], r[2 * TILE];
  u32 sum = 0;
  fill_or_zero(r, g, n);
  __syncthreads();
  for (int i = 0; i < n; i += 2 * TILE) {
    fill_or_zero(s, g + i, n - i);
    __syncthreads();
    sum = sum * 31 + s[TX] + r[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What a call multiplies, and the caller adds, is rounded twice.
// CASE: rounded_twice tile=pipelined block=64 full with=k=0,1,5 -- frand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL rounded_twice(const float *g, float *out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = clampf(sum + scaled(s, sum + 1.25f));
    __syncthreads();
  }
  out[ROW] = sum;
}
