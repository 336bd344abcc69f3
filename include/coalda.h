// COALDA in the source: what no analysis can find, a program says here.
//
//     #include <coalda.h>
//     auto f = coalda::copy(s, g, n);      // n elements from global to shared memory, by all threads of the block
//     coalda::wait(f);                     // from here on, all of them see the data
//     ... use s ...
//     coalda::done();                      // from here on, s may be filled again
//
// This is plain CUDA C++17: nvcc, clang, and clang with COALDA's plugin make the same results of it, at every level of optimization. A copy
// is loads and stores; of a loop around the lines above the plugin makes a ring of asynchronous copies. copy_async, copy_2d_async and
// gather_async are asynchronous with every compiler, from sm_80 on: for programs that have buffers of their own under way. Copies by channels
// are waited for by name, and from sm_90 on one thread begins all of a copy; store_async() is the way back.
// docs/header.md says of each call what it costs, and what the plugin makes of it.
//
// Contracts that hold of all calls:
//   * All threads of the block make them together, with the same arguments. The block may have any shape.
//   * Elements are trivially copyable, or is_bytes<> says that they may be copied so. Source and destination do not overlap.
//   * Numbers of elements, rows and columns are not negative; where one is 0, nothing is touched.
//   * From a copy to the wait for it nobody touches where it copies to, and nobody writes where it copies from.
#pragma once

#define COALDA_INLINE __device__ inline __attribute__((always_inline))

// ---- of a kernel, in front of __global__: to the plugin alone, other compilers pass them by ----

#ifdef __clang__
#define COALDA_OPTION(text) __attribute__((annotate("coalda." text)))
#else
#define COALDA_OPTION(text)
#endif
#define COALDA_OFF COALDA_OPTION("off")                // the kernel stays as it is
#define COALDA_STAGES(n) COALDA_OPTION("stages=" #n)   // of its rings
#define COALDA_REQUIRE(what) COALDA_OPTION("require=" what) // an error of the compilation where that is not made: "ring", "coalesced", ...
#define COALDA_BLOCK(n) COALDA_OPTION("block=" #n)     // bytes of a row that a thread of a walk moves at a time
#define COALDA_FULL_WARPS COALDA_OPTION("full")        // promised: no warp lacks lanes where it reads or writes global memory
#define COALDA_ALWAYS COALDA_OPTION("always")          // all that is right is made, whatever it costs: this kernel's programmer has timed it

struct __half2;
struct __nv_bfloat162;

namespace coalda {
// What a copy tells the caches of what it reads, and the kernel does not write: copy<16, evict_first>(s, g, n).
enum hint { evict_normal, evict_first, evict_last, no_allocate };

// May elements be copied as bytes? Pairs of CUDA's own have constructors that copy bytes; a program may say so of its types.
template <class T> constexpr bool is_bytes = __is_trivially_copyable(T);
template <> constexpr bool is_bytes<__half2> = true;
template <> constexpr bool is_bytes<__nv_bfloat162> = true;

namespace detail {

// ---- the threads of a block ----

COALDA_INLINE unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
COALDA_INLINE unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
constexpr unsigned warp_lanes = 32;

// Who makes a copy: the whole block, or some of its warps.
struct Block {
  COALDA_INLINE unsigned rank() const { return detail::rank(); }
  COALDA_INLINE unsigned threads() const { return detail::threads(); }
};

// ---- pieces: what one thread moves at once ----

// What the type, or the caller's promise, says of how places are aligned.
template <class T, unsigned Promised> constexpr unsigned alignment = Promised > alignof(T) ? Promised : alignof(T);

// 16, 8 or 4 bytes, as far as places are aligned; else an element.
template <class T, unsigned Promised> __host__ __device__ constexpr unsigned piece_bytes() {
  constexpr unsigned known = alignment<T, Promised>;
  static_assert((known & (known - 1)) == 0, "alignments are powers of two");
  static_assert(is_bytes<T>, "elements are copied as bytes");
  return known % 16 == 0 ? 16 : known % 8 == 0 ? 8 : known % 4 == 0 ? 4 : sizeof(T);
}

// Of words that may be parts of any type.
template <unsigned Bytes> struct __attribute__((may_alias)) Words { alignas(Bytes) unsigned word[Bytes / 4]; };
template <class T, unsigned Bytes, bool IsElement = sizeof(T) == Bytes> struct Unit { using type = T; };
template <class T, unsigned Bytes> struct Unit<T, Bytes, false> { using type = Words<Bytes>; };

// So many elements are how many pieces?
template <class T, unsigned Bytes, class N> COALDA_INLINE N pieces(N n) {
  if constexpr (sizeof(T) % Bytes == 0)
    return n * N(sizeof(T) / Bytes);
  else if constexpr (Bytes % sizeof(T) == 0)
    return n / N(Bytes / sizeof(T));
  else
    return n * N(sizeof(T)) / N(Bytes);
}

// An address as an instruction for shared memory wants it.
COALDA_INLINE unsigned shared_address(const void *p) {
#ifdef __clang__
  return (unsigned)(unsigned long long)(__attribute__((address_space(3))) const void *)p;
#else
  return (unsigned)__cvta_generic_to_shared(p);
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool has_async = true;
template <unsigned Bytes> COALDA_INLINE void begin_async(void *to, const void *from) {
  if constexpr (Bytes == 16) // past the first-level cache, as tiles are read once
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(Bytes) : "memory");
}
// The same by a policy of the second-level cache.
template <hint Hint> COALDA_INLINE unsigned long long policy() {
  unsigned long long made;
  if constexpr (Hint == evict_first)
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
  else
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(made));
  return made;
}
template <unsigned Bytes, hint Hint> COALDA_INLINE void begin_hinted(void *to, const void *from) {
  if constexpr (Hint == evict_normal || Hint == no_allocate) // of 16 bytes no copy has a place in the first-level cache
    begin_async<Bytes>(to, from);
  else if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "l"(policy<Hint>()) : "memory");
  else
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, %3;" ::"r"(shared_address(to)), "l"(from), "n"(Bytes), "l"(policy<Hint>())
                 : "memory");
}
COALDA_INLINE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Behind> COALDA_INLINE void await() { asm volatile("cp.async.wait_group %0;" ::"n"(Behind) : "memory"); }
#else
constexpr bool has_async = false;
template <unsigned Bytes> COALDA_INLINE void begin_async(void *, const void *) {}
template <unsigned Bytes, hint Hint> COALDA_INLINE void begin_hinted(void *, const void *) {}
COALDA_INLINE void commit() {}
template <int Behind> COALDA_INLINE void await() {}
#endif

// mbarriers, which are told when copies have come, from sm_80 on; from sm_90 on copies of any length, by the asynchronous proxy. That proxy and
// those of threads, the generic one, see shared memory apart: what both touch has a fence.proxy.async between, but for the end of a bulk copy,
// which PTX defines to be followed by one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool has_mbarrier = true;
COALDA_INLINE void phases_begin(unsigned barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
COALDA_INLINE void phase_arrive(unsigned barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(barrier) : "memory");
}
// One arrival when the copies that this thread has begun have come: one that the phase counts on, or one more.
template <bool IsCounted> COALDA_INLINE void copies_arrive(unsigned barrier) {
  if constexpr (IsCounted)
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
  else
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(barrier) : "memory");
}
#else
constexpr bool has_mbarrier = false;
COALDA_INLINE void phases_begin(unsigned, unsigned) {}
COALDA_INLINE void phase_arrive(unsigned) {}
template <bool IsCounted> COALDA_INLINE void copies_arrive(unsigned) {}
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr bool has_bulk = true;
COALDA_INLINE void warp_meet() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
COALDA_INLINE void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
COALDA_INLINE void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
COALDA_INLINE void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
COALDA_INLINE void arrive_expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
COALDA_INLINE void bulk_in(void *s, const void *g, unsigned bytes, unsigned barrier) {
  if (bytes > 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(s)), "l"(g), "r"(bytes),
                 "r"(barrier)
                 : "memory");
}
COALDA_INLINE void bulk_out(void *g, const void *s, unsigned bytes) {
  if (bytes > 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(g), "r"(shared_address(s)), "r"(bytes) : "memory");
}
COALDA_INLINE void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int Behind> COALDA_INLINE void await_reads() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Behind) : "memory"); }
COALDA_INLINE void await_writes() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
COALDA_INLINE bool phase_is_over(unsigned barrier, unsigned parity) { // the hardware lets the thread sleep for a while
  unsigned over;
  asm volatile("{ .reg .pred over; mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2; selp.u32 %0, 1, 0, over; }"
               : "=r"(over)
               : "r"(barrier), "r"(parity)
               : "memory");
  return over;
}
#else
constexpr bool has_bulk = false;
COALDA_INLINE void warp_meet() {}
COALDA_INLINE void fence_init() {}
COALDA_INLINE void fence_async() {}
COALDA_INLINE void expect(unsigned, unsigned) {}
COALDA_INLINE void arrive_expect(unsigned, unsigned) {}
COALDA_INLINE void bulk_in(void *, const void *, unsigned, unsigned) {}
COALDA_INLINE void bulk_out(void *, const void *, unsigned) {}
COALDA_INLINE void bulk_commit() {}
template <int Behind> COALDA_INLINE void await_reads() {}
COALDA_INLINE void await_writes() {}
COALDA_INLINE bool phase_is_over(unsigned barrier, unsigned parity) {
  unsigned over = 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("{ .reg .pred over; mbarrier.test_wait.parity.shared.b64 over, [%1], %2; selp.u32 %0, 1, 0, over; }"
               : "=r"(over)
               : "r"(barrier), "r"(parity)
               : "memory");
#endif
  return over;
}
#endif

// Loads of words that tell the first-level cache what becomes of them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
constexpr bool has_hints = true;
#define COALDA_HINTED(bytes, vector, places, ...) \
  if constexpr (Bytes == bytes) { \
    if constexpr (Hint == evict_first) \
      asm("ld.global.nc.L1::evict_first" vector ".u32 " places ";" : __VA_ARGS__ : "l"(from)); \
    else if constexpr (Hint == evict_last) \
      asm("ld.global.nc.L1::evict_last" vector ".u32 " places ";" : __VA_ARGS__ : "l"(from)); \
    else \
      asm("ld.global.nc.L1::no_allocate" vector ".u32 " places ";" : __VA_ARGS__ : "l"(from)); \
  }
template <unsigned Bytes, hint Hint> COALDA_INLINE Words<Bytes> load_hinted(const void *from) {
  Words<Bytes> r;
  COALDA_HINTED(4, "", "%0, [%1]", "=r"(r.word[0]))
  COALDA_HINTED(8, ".v2", "{%0, %1}, [%2]", "=r"(r.word[0]), "=r"(r.word[1]))
  COALDA_HINTED(16, ".v4", "{%0, %1, %2, %3}, [%4]", "=r"(r.word[0]), "=r"(r.word[1]), "=r"(r.word[2]), "=r"(r.word[3]))
  return r;
}
#undef COALDA_HINTED
#else
constexpr bool has_hints = false;
template <unsigned Bytes, hint Hint> COALDA_INLINE Words<Bytes> load_hinted(const void *from) { return *(const Words<Bytes> *)from; }
#endif

// Copies one piece, or begins to; of a piece that may lie at any word, its words.
template <bool Async, unsigned Aligned = 0, hint Hint = evict_normal, class U> COALDA_INLINE void move(U *to, const U *from) {
  constexpr unsigned bytes = sizeof(U), known = alignment<U, Aligned>;
  constexpr bool is_piece = (bytes == 4 || bytes == 8 || bytes == 16) && known % bytes == 0;
  if constexpr ((!Async || !has_async) && has_hints && Hint != evict_normal && is_piece)
    *(Words<bytes> *)to = load_hinted<bytes, Hint>(from);
  else if constexpr (!Async || !has_async || known % 4 != 0)
    *to = *from;
  else if constexpr (is_piece)
    begin_hinted<bytes, Hint>(to, from);
  else
    for (unsigned k = 0; k < bytes / 4; k++)
      begin_hinted<4, Hint>((char *)to + 4 * k, (const char *)from + 4 * k);
}

// ---- the loops: each thread takes every so many-th piece ----
//
// Their counters are signed, and so do not wrap around: of a loop that ends at a number which the program computes, too, it is known then
// that its places are each filled once.

template <bool Async, unsigned Aligned, hint Hint = evict_normal, class T, class Crew = Block>
COALDA_INLINE void row(T *s, const T *g, unsigned n, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned all = pieces<T, bytes>(n);
  for (int k = crew.rank(); k < (int)all; k += (int)crew.threads())
    move<Async, Aligned, Hint>((U *)s + k, (const U *)g + k);
}

// From rows so far apart to rows so far apart: pitches of shared memory are unsigned, those of global memory long long.
template <bool Async, unsigned Aligned, hint Hint = evict_normal, class T, class To, class From, class Crew = Block>
COALDA_INLINE void rectangle(T *to, To to_pitch, const T *from, From from_pitch, unsigned rows, unsigned cols, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned width = pieces<T, bytes>(cols);
  const To to_step = pieces<T, bytes>(to_pitch);
  const From from_step = pieces<T, bytes>(from_pitch);
  for (unsigned k = crew.rank(); k < rows * width; k += crew.threads())
    move<Async, Aligned, Hint>((U *)to + (k / width * to_step + k % width), (const U *)from + (k / width * from_step + k % width));
}

template <bool Async, unsigned Aligned, hint Hint = evict_normal, class T, class I, class Crew = Block>
COALDA_INLINE void named_rows(T *s, const T *g, const I *index, unsigned rows, unsigned cols, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned width = pieces<T, bytes>(cols);
  for (unsigned k = crew.rank(); k < rows * width; k += crew.threads())
    move<Async, Aligned, Hint>((U *)s + k, (const U *)g + ((long long)index[k / width] * width + k % width));
}

} // namespace detail

// ---- futures ----

// A copy has begun when its call returns: what is to be said of it is an argument of the call.
#define COALDA_SAID_TOO_LATE \
  template <class... A> COALDA_INLINE void pad(A...) const { \
    static_assert(sizeof...(A) == ~0u, "a copy has begun when its call returns: write copy(s, g, n, coalda::pad(lo, hi, value))"); \
  } \
  template <class... A> COALDA_INLINE void transposed(A...) const { \
    static_assert(sizeof...(A) == ~0u, "a copy has begun when its call returns: write copy_2d(s, pitch, g, gpitch, rows, cols, coalda::transposed)"); \
  }

// Elements one after the other.
template <class T> struct span {
  T *data;
  unsigned size;
  COALDA_INLINE T &operator[](unsigned k) const { return data[k]; }
  COALDA_INLINE T *begin() const { return data; }
  COALDA_INLINE T *end() const { return data + size; }
};

// A copy that has begun. It may be copied and assigned; `data` is where it copies to, and span() all from its first place to its last one, of rows
// with what lies between them.
template <class T> struct future {
  T *data;
  unsigned size;
  COALDA_INLINE coalda::span<T> span() const { return {data, size}; }
  COALDA_SAID_TOO_LATE
};

// The same of the copies that are asynchronous with every compiler.
template <class T> struct async_future {
  T *data;
  unsigned size;
  COALDA_INLINE coalda::span<T> span() const { return {data, size}; }
  COALDA_SAID_TOO_LATE
};

// The same of a copy by a channel, which is waited for alone: by the end of a phase of the channel's mbarrier.
template <class T> struct channel_future {
  T *data;
  unsigned size, barrier, parity;
  COALDA_INLINE coalda::span<T> span() const { return {data, size}; }
  COALDA_INLINE channel_future last() const { return *this; }
  COALDA_SAID_TOO_LATE
};

// What a copy has brought, as the wait for it returns it: there is nothing left to wait for.
template <class T> struct awaited {
  T *data;
  unsigned size;
  COALDA_INLINE coalda::span<T> span() const { return {data, size}; }
  COALDA_INLINE T &operator[](unsigned k) const { return data[k]; }
};

// A store that is asynchronous.
template <class T> struct async_stored {
  T *data;
};

// A store that has begun; `data` is what it stores from.
template <class T> struct stored {
  T *data;
  template <class... A> COALDA_INLINE void after(A...) const {
    static_assert(sizeof...(A) == ~0u, "a store has begun when its call returns: write store(g, s, n, coalda::after(f))");
  }
};

// ---- what is said of a copy: further arguments of its call ----

namespace detail {
struct Nothing {};
template <class T> COALDA_INLINE T value_as(Nothing) { return T(); }
template <class T, class V> COALDA_INLINE T value_as(V value) { return (T)value; }
} // namespace detail

// So many places in front of what is copied, and behind it, have the value, or T().
template <class V> struct padding {
  unsigned lo, hi;
  V value;
};
COALDA_INLINE padding<detail::Nothing> pad(unsigned lo, unsigned hi) { return {lo, hi, {}}; }
template <class V> COALDA_INLINE padding<V> pad(unsigned lo, unsigned hi, V value) { return {lo, hi, value}; }

// So many rows above and below of what is copied, and columns left and right of it.
template <class V> struct frame {
  unsigned lo_rows, hi_rows, lo_cols, hi_cols;
  V value;
};
COALDA_INLINE frame<detail::Nothing> pad(unsigned lo_rows, unsigned hi_rows, unsigned lo_cols, unsigned hi_cols) {
  return {lo_rows, hi_rows, lo_cols, hi_cols, {}};
}
template <class V> COALDA_INLINE frame<V> pad(unsigned lo_rows, unsigned hi_rows, unsigned lo_cols, unsigned hi_cols, V value) {
  return {lo_rows, hi_rows, lo_cols, hi_cols, value};
}

// Rows become columns; what is padded is told of the rows and columns of g.
enum turned_t { transposed };

namespace detail {
template <class A> constexpr bool is_frame = false;
template <class V> constexpr bool is_frame<frame<V>> = true;
template <class A> constexpr bool is_padding = false;
template <class V> constexpr bool is_padding<padding<V>> = true;
template <class... Said> constexpr bool is_turned = (__is_same(Said, turned_t) || ...);
template <class... Said> constexpr bool is_framed = (is_frame<Said> || ...);
template <class... Said> constexpr bool is_understood =
    ((is_frame<Said> || __is_same(Said, turned_t)) && ...) && ((int)is_frame<Said> + ... + 0) < 2 && ((int)__is_same(Said, turned_t) + ... + 0) < 2;

// The frame among what is said.
COALDA_INLINE frame<Nothing> frame_of() { return {0, 0, 0, 0, {}}; }
template <class A, class... Rest> COALDA_INLINE auto frame_of(A a, Rest... rest) {
  if constexpr (is_frame<A>)
    return a;
  else
    return frame_of(rest...);
}

// From the first place to the last one: of lines so far apart, and of what is said of rows.
COALDA_INLINE unsigned places(unsigned lines, unsigned pitch, unsigned length) { return lines > 0 && length > 0 ? (lines - 1) * pitch + length : 0; }
template <class... Said> COALDA_INLINE unsigned framed_places(unsigned pitch, unsigned rows, unsigned cols, Said... said) {
  const auto around = frame_of(said...);
  const unsigned height = around.lo_rows + rows + around.hi_rows, width = around.lo_cols + cols + around.hi_cols;
  return is_turned<Said...> ? places(width, pitch, height) : places(height, pitch, width);
}
template <class... Said> COALDA_INLINE unsigned framed_named_places(unsigned rows, unsigned cols, Said... said) {
  const auto around = frame_of(said...);
  return (around.lo_rows + rows + around.hi_rows) * (around.lo_cols + cols + around.hi_cols);
}
COALDA_INLINE unsigned padded_places(unsigned n) { return n; }
template <class V> COALDA_INLINE unsigned padded_places(unsigned n, padding<V> p) { return p.lo + n + p.hi; }

// s[k] = g[k - lo] where that is one of n, else the value.
template <bool Async, unsigned Aligned, hint Hint = evict_normal, class T, class V, class Crew = Block>
COALDA_INLINE void padded_row(T *s, const T *g, unsigned n, padding<V> p, Crew crew = {}) {
  const T value = value_as<T>(p.value);
  if constexpr (Aligned > 0) { // as promised of s + lo
    row<Async, Aligned, Hint>(s + p.lo, g, n, crew);
    for (unsigned k = crew.rank(); k < p.lo + p.hi; k += crew.threads())
      s[k < p.lo ? k : k + n] = value;
  } else {
    const int lo = p.lo;
    for (int k = crew.rank(); k < (int)(p.lo + n + p.hi); k += (int)crew.threads())
      if (k >= lo && k - lo < (int)n)
        move<Async, 0, Hint>(s + k, g + (k - lo));
      else
        s[k] = value;
  }
}

// Rows that begin where `begin` says, element by element.
template <bool Async, class T, class Begin, class Crew, class... Said>
COALDA_INLINE void framed_rows(T *s, unsigned pitch, Begin begin, unsigned rows, unsigned cols, Crew crew, Said... said) {
  static_assert(is_understood<Said...>, "of rows is said coalda::pad(lo_rows, hi_rows, lo_cols, hi_cols, value), coalda::transposed, or both");
  const auto around = frame_of(said...);
  const unsigned height = around.lo_rows + rows + around.hi_rows, width = around.lo_cols + cols + around.hi_cols;
  for (unsigned k = crew.rank(); k < height * width; k += crew.threads()) {
    const unsigned i = k / width, j = k % width, r = i - around.lo_rows, c = j - around.lo_cols;
    T *to = s + (is_turned<Said...> ? j * pitch + i : i * pitch + j);
    if (!is_framed<Said...> || (r < rows && c < cols)) // what lies in front is a large number
      move<Async>(to, begin(r) + c);
    else
      *to = value_as<T>(around.value);
  }
}

template <bool Async, class T, class Crew, class... Said>
COALDA_INLINE void framed_rectangle(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, Crew crew, Said... said) {
  framed_rows<Async>(s, pitch, [=](unsigned r) { return g + r * gpitch; }, rows, cols, crew, said...);
}
// They lie one after the other, or, turned, as many elements apart as there are rows.
template <bool Async, class T, class I, class Crew, class... Said>
COALDA_INLINE void framed_named_rows(T *s, const T *g, const I *index, unsigned rows, unsigned cols, Crew crew, Said... said) {
  const auto around = frame_of(said...);
  const unsigned pitch = is_turned<Said...> ? around.lo_rows + rows + around.hi_rows : around.lo_cols + cols + around.hi_cols;
  framed_rows<Async>(s, pitch, [=](unsigned r) { return g + (long long)index[r] * cols; }, rows, cols, crew, said...);
}
} // namespace detail

// ---- copies to shared memory ----
//
// Those that take a number in brackets may be told how places are aligned: by copy<16>(s, g, n), s, g, the bytes of a row and those of a
// pitch are multiples of 16. By copy<16, evict_first>(s, g, n), or copy<0, evict_first>, the caches are told what becomes of g, which the kernel
// does not write: of pieces of 4, 8 and 16 bytes, where the architecture has such hints. evict_first: it is read once; evict_last: it is read by many; no_allocate:
// it has no place in the first-level cache.

// s[k] = g[k] for k below n.
template <unsigned Aligned = 0, hint Hint = evict_normal, class T> [[nodiscard]] COALDA_INLINE future<T> copy(T *s, const T *g, unsigned n) {
  detail::row<false, Aligned, Hint>(s, g, n);
  return {s, n};
}
template <unsigned Aligned = 0, hint Hint = evict_normal, class T> [[nodiscard]] COALDA_INLINE async_future<T> copy_async(T *s, const T *g, unsigned n) {
  detail::row<true, Aligned, Hint>(s, g, n);
  detail::commit();
  return {s, n};
}

// s[r * pitch + c] = g[r * gpitch + c] for r below rows and c below cols.
template <unsigned Aligned = 0, hint Hint = evict_normal, class T>
[[nodiscard]] COALDA_INLINE future<T> copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  detail::rectangle<false, Aligned, Hint>(s, pitch, g, gpitch, rows, cols);
  return {s, detail::places(rows, pitch, cols)};
}
template <unsigned Aligned = 0, hint Hint = evict_normal, class T>
[[nodiscard]] COALDA_INLINE async_future<T> copy_2d_async(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  detail::rectangle<true, Aligned, Hint>(s, pitch, g, gpitch, rows, cols);
  detail::commit();
  return {s, detail::places(rows, pitch, cols)};
}

// Row r of s is row index[r] of g; rows have cols elements. The index lies in global or shared memory.
template <unsigned Aligned = 0, hint Hint = evict_normal, class T, class I> [[nodiscard]] COALDA_INLINE future<T> gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols) {
  detail::named_rows<false, Aligned, Hint>(s, g, index, rows, cols);
  return {s, rows * cols};
}
template <unsigned Aligned = 0, hint Hint = evict_normal, class T, class I>
[[nodiscard]] COALDA_INLINE async_future<T> gather_async(T *s, const T *g, const I *index, unsigned rows, unsigned cols) {
  detail::named_rows<true, Aligned, Hint>(s, g, index, rows, cols);
  detail::commit();
  return {s, rows * cols};
}

// s[k] = g[k - lo] for k - lo below n, and the value for the lo places in front of them and the hi places behind. By copy<16>, s + lo, g and the
// bytes of n are multiples of 16.
template <unsigned Aligned = 0, hint Hint = evict_normal, class T, class V> [[nodiscard]] COALDA_INLINE future<T> copy(T *s, const T *g, unsigned n, padding<V> p) {
  detail::padded_row<false, Aligned, Hint>(s, g, n, p);
  return {s, detail::padded_places(n, p)};
}
template <unsigned Aligned = 0, hint Hint = evict_normal, class T, class V>
[[nodiscard]] COALDA_INLINE async_future<T> copy_async(T *s, const T *g, unsigned n, padding<V> p) {
  detail::padded_row<true, Aligned, Hint>(s, g, n, p);
  detail::commit();
  return {s, detail::padded_places(n, p)};
}

// copy_2d(s, pitch, g, gpitch, rows, cols, pad(lo_rows, hi_rows, lo_cols, hi_cols, value)): s[(lo_rows + r) * pitch + lo_cols + c] = g[r * gpitch + c], and
// the value around them. With `transposed`, row and column of s change places. All of it moves element by element.
template <class T, class A, class... Said>
[[nodiscard]] COALDA_INLINE future<T> copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, A a, Said... said) {
  detail::framed_rectangle<false>(s, pitch, g, gpitch, rows, cols, detail::Block{}, a, said...);
  return {s, detail::framed_places(pitch, rows, cols, a, said...)};
}
template <class T, class A, class... Said>
[[nodiscard]] COALDA_INLINE async_future<T> copy_2d_async(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, A a, Said... said) {
  detail::framed_rectangle<true>(s, pitch, g, gpitch, rows, cols, detail::Block{}, a, said...);
  detail::commit();
  return {s, detail::framed_places(pitch, rows, cols, a, said...)};
}
// The same of rows that a list names. Rows of s lie one after the other, and columns too where they are turned: pad(0, 1, 0, 0) makes their pitch odd.
template <class T, class I, class A, class... Said>
[[nodiscard]] COALDA_INLINE future<T> gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols, A a, Said... said) {
  detail::framed_named_rows<false>(s, g, index, rows, cols, detail::Block{}, a, said...);
  return {s, detail::framed_named_places(rows, cols, a, said...)};
}
template <class T, class I, class A, class... Said>
[[nodiscard]] COALDA_INLINE async_future<T> gather_async(T *s, const T *g, const I *index, unsigned rows, unsigned cols, A a, Said... said) {
  detail::framed_named_rows<true>(s, g, index, rows, cols, detail::Block{}, a, said...);
  detail::commit();
  return {s, detail::framed_named_places(rows, cols, a, said...)};
}

// s[c * pitch + r] = g[r * gpitch + c]: the tile is stored turned. An odd pitch spares bank conflicts.
template <class T> [[nodiscard]] COALDA_INLINE future<T> copy_transposed(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  for (unsigned k = detail::rank(); k < rows * cols; k += detail::threads())
    s[k % cols * pitch + k / cols] = g[k / cols * gpitch + k % cols];
  return {s, detail::places(cols, pitch, rows)};
}

// s[k] = g[first + k] where 0 <= first + k < total, and the value where there is no data, for k below n.
template <class T> [[nodiscard]] COALDA_INLINE future<T> copy_padded(T *s, const T *g, long long first, unsigned n, long long total, T value) {
  for (unsigned k = detail::rank(); k < n; k += detail::threads())
    s[k] = first + k >= 0 && first + k < total ? g[first + k] : value;
  return {s, n};
}

// ---- waits ----

namespace detail {
template <class F> constexpr bool is_async = false;
template <class T> constexpr bool is_async<async_future<T>> = true;
template <class F> constexpr bool is_async_store = false;
template <class T> constexpr bool is_async_store<async_stored<T>> = true;
template <class F> constexpr bool is_channels = false;
template <class T> constexpr bool is_channels<channel_future<T>> = true;
template <class F> constexpr bool is_plain = false;
template <class T> constexpr bool is_plain<future<T>> = true;
template <class T> constexpr bool is_plain<stored<T>> = true;
template <class F> constexpr bool is_over = false;
template <class T> constexpr bool is_over<awaited<T>> = true;

// What a wait returns: of one copy, what it has brought.
template <class... F> struct Brought { using type = void; };
template <class T> struct Brought<future<T>> { using type = awaited<T>; };
template <class T> struct Brought<async_future<T>> { using type = awaited<T>; };
template <class T> struct Brought<channel_future<T>> { using type = awaited<T>; };

// One of several channels: a wait for it is one for its last copy.
struct Numbered;
template <> constexpr bool is_channels<Numbered> = true;

COALDA_INLINE bool is_leader() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0; }
template <class F> COALDA_INLINE void await_channel(const F &f) {
  if constexpr (is_channels<F> && has_mbarrier) {
    const auto last = f.last();
    while (!phase_is_over(last.barrier, last.parity)) {
    }
  }
}
} // namespace detail

// Afterwards all threads of the block see what these copies bring, and what these stores read may be written. Of asynchronous copies, up to
// `Behind` that began after these stay under way: wait<1>(f) where one other has begun since f. wait(f) waits for all that have begun. The same of
// asynchronous stores, which are counted apart. Copies by channels are waited for alone, whatever else is under way: each thread waits for
// itself, and nobody for other threads. A wait for one copy returns what it has brought, `auto tile = wait(f)`, which nobody can wait for.
template <int Behind = 0, class... F> COALDA_INLINE auto wait(const F &...f) -> typename detail::Brought<F...>::type {
  static_assert(sizeof...(F) > 0, "wait for what?");
  static_assert(!(detail::is_over<F> || ...), "this copy has been waited for: it is what a wait returned");
  static_assert(((detail::is_over<F> || detail::is_plain<F> || detail::is_async<F> || detail::is_async_store<F> || detail::is_channels<F>) && ...),
                "what is waited for is a future, as copies and stores return them, or a channel");
  static_assert(Behind == 0 || (detail::is_async<F> && ...) || (detail::is_async_store<F> && ...),
                "only asynchronous copies, or asynchronous stores, can be left under way");
  if constexpr ((detail::is_async<F> || ...))
    detail::await<Behind>();
  if constexpr ((detail::is_async_store<F> || ...))
    if (detail::is_leader())
      detail::await_reads<Behind>();
  (detail::await_channel(f), ...);
  if constexpr (!detail::has_mbarrier || !(detail::is_channels<F> && ...))
    __syncthreads();
  if constexpr (!__is_same(typename detail::Brought<F...>::type, void))
    return {f.data..., f.size...};
}

// Afterwards what was read so far may be filled again.
COALDA_INLINE void done() { __syncthreads(); }

// ---- bulk copies and stores: one thread for all of a row ----

namespace detail {
// A phase of an mbarrier.
struct Ticket {
  unsigned barrier, parity;
};

template <class T, unsigned Aligned> constexpr bool is_of_sixteens = alignment<T, Aligned> % 16 == 0;
// Bytes that are worth it: of a copy that begins and ends anywhere, and of a row. 16 rows of 256 bytes took the copy engine 0.9 microseconds, and 256
// threads 0.35 (H200).
constexpr unsigned bulk_least = 64, bulk_row_least = 1024;

// The bytes of a row in front of the first multiple of 16, and those from there to the last one; 0 of the latter: it does not go in one piece.
struct Parts {
  unsigned head, middle;
};
template <unsigned Piece> COALDA_INLINE Parts parts_of(const void *s, const void *g, unsigned bytes) {
  const unsigned to = shared_address(s), from = (unsigned)(unsigned long long)g, head = -to & 15;
  if (((to ^ from) & 15) != 0 || bytes < bulk_least || (16 % Piece != 0 && (head | (bytes & 15)) != 0))
    return {0, 0};
  return {head, (bytes - head) & ~15u};
}

// What lies in front of the middle and behind it, piece by piece.
template <bool Async, unsigned Aligned, class T> COALDA_INLINE void ends(T *to, const T *from, unsigned n, Parts parts, unsigned rank, unsigned threads) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned head = parts.head / bytes, middle = parts.middle / bytes, left = pieces<T, bytes>(n) - middle;
  for (unsigned k = rank; k < left; k += threads) {
    const unsigned at = k < head ? k : k + middle;
    move<Async, Aligned>((U *)to + at, (const U *)from + at);
  }
}

// The first warp, whose lanes may have different things to do.
COALDA_INLINE bool is_first_warp() { return rank() < warp_lanes; }
COALDA_INLINE unsigned lanes() { return threads() < warp_lanes ? threads() : warp_lanes; }

// All threads have copied, some by stores: the phase ends once all has come.
template <bool Stores> COALDA_INLINE void all_arrive(unsigned barrier) {
  if constexpr (Stores) {
    copies_arrive<false>(barrier);
    phase_arrive(barrier);
  } else {
    copies_arrive<true>(barrier);
  }
}
template <class T, unsigned Aligned> constexpr bool moves_by_stores = alignment<T, Aligned> % 4 != 0;

// Copies by a channel: which of its mbarriers is told of them, `c` says when the copy has been chosen.
template <unsigned Aligned, class T, class C> COALDA_INLINE Ticket row_by_all(const C &c, T *s, const T *g, unsigned n) {
  const Ticket t = c.begin(false);
  row<true, Aligned>(s, g, n);
  all_arrive<moves_by_stores<T, Aligned>>(t.barrier);
  return t;
}

template <unsigned Aligned, class T, class C> COALDA_INLINE Ticket bulk_row(const C &c, T *s, const T *g, unsigned n) {
  const unsigned bytes = n * (unsigned)sizeof(T);
  if constexpr (!has_bulk) {
    return row_by_all<Aligned>(c, s, g, n);
  } else if constexpr (is_of_sixteens<T, Aligned>) {
    const Ticket t = c.begin(true);
    if (is_leader()) {
      fence_async(); // what threads did with s before
      arrive_expect(t.barrier, bytes);
      bulk_in(s, g, bytes, t.barrier);
    }
    return t;
  } else {
    const Parts parts = parts_of<piece_bytes<T, Aligned>()>(s, g, bytes);
    if (parts.middle == 0)
      return row_by_all<Aligned>(c, s, g, n);
    const Ticket t = c.begin(true);
    if (is_first_warp()) {
      if (is_leader()) {
        fence_async();
        expect(t.barrier, parts.middle);
        bulk_in((char *)s + parts.head, (const char *)g + parts.head, parts.middle, t.barrier);
      }
      if (parts.middle < bytes) {
        ends<true, Aligned>(s, g, n, parts, rank(), lanes());
        copies_arrive<false>(t.barrier);
        warp_meet();
      }
      if (is_leader())
        phase_arrive(t.barrier);
    }
    return t;
  }
}

// Places of the value are filled by the first warp as well, whose first lane then arrives. Most tiles have none.
template <unsigned Aligned, class T, class V, class C> COALDA_INLINE Ticket bulk_row(const C &c, T *s, const T *g, unsigned n, padding<V> p) {
  if (p.lo + p.hi == 0)
    return bulk_row<Aligned>(c, s, g, n);
  const T value = value_as<T>(p.value);
  Parts parts = {0, n * (unsigned)sizeof(T)};
  if constexpr (has_bulk && !is_of_sixteens<T, Aligned>)
    parts = parts_of<piece_bytes<T, Aligned>()>(s + p.lo, g, n * (unsigned)sizeof(T));
  const bool is_bulk = has_bulk && (parts.middle > 0 || n == 0);
  const Ticket t = c.begin(is_bulk);
  if (!is_bulk) {
    padded_row<true, Aligned>(s, g, n, p);
    all_arrive<true>(t.barrier);
  } else if (is_first_warp()) {
    if (is_leader()) {
      fence_async();
      expect(t.barrier, parts.middle);
      bulk_in((char *)(s + p.lo) + parts.head, (const char *)g + parts.head, parts.middle, t.barrier);
    }
    if constexpr (!is_of_sixteens<T, Aligned>) {
      ends<true, Aligned>(s + p.lo, g, n, parts, rank(), lanes());
      copies_arrive<false>(t.barrier);
    }
    for (unsigned k = rank(); k < p.lo + p.hi; k += lanes())
      s[k < p.lo ? k : k + n] = value;
    warp_meet();
    if (is_leader())
      phase_arrive(t.barrier);
  }
  return t;
}

// A bulk copy for each row, by the lanes of the first warp: row r of s, from where `begin` says.
template <class T, class Begin> COALDA_INLINE void bulk_rows(unsigned barrier, T *s, unsigned pitch, Begin begin, unsigned rows, unsigned cols) {
  const unsigned bytes = cols * (unsigned)sizeof(T);
  if (!is_first_warp())
    return;
  fence_async();
  if (is_leader())
    arrive_expect(barrier, rows * bytes);
  for (unsigned r = rank(); r < rows; r += lanes())
    bulk_in(s + r * pitch, begin(r), bytes, barrier);
}

template <unsigned Aligned, class T, class C>
COALDA_INLINE Ticket bulk_rectangle(const C &c, T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  const unsigned bytes = cols * (unsigned)sizeof(T), step = pitch * (unsigned)sizeof(T), gstep = (unsigned)gpitch * (unsigned)sizeof(T);
  const bool is_bulk = has_bulk && bytes >= bulk_row_least &&
                       (is_of_sixteens<T, Aligned> || ((shared_address(s) | (unsigned)(unsigned long long)g | bytes | step | gstep) & 15) == 0);
  const Ticket t = c.begin(is_bulk);
  if (is_bulk) {
    bulk_rows(t.barrier, s, pitch, [=](unsigned r) { return g + r * gpitch; }, rows, cols);
  } else {
    rectangle<true, Aligned>(s, pitch, g, gpitch, rows, cols);
    all_arrive<moves_by_stores<T, Aligned>>(t.barrier);
  }
  return t;
}
template <unsigned Aligned, class T, class C, class A, class... Said>
COALDA_INLINE Ticket bulk_rectangle(const C &c, T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, A a, Said... said) {
  const Ticket t = c.begin(false);
  framed_rectangle<true>(s, pitch, g, gpitch, rows, cols, Block{}, a, said...);
  all_arrive<true>(t.barrier);
  return t;
}

template <unsigned Aligned, class T, class I, class C>
COALDA_INLINE Ticket bulk_named_rows(const C &c, T *s, const T *g, const I *index, unsigned rows, unsigned cols) {
  const unsigned bytes = cols * (unsigned)sizeof(T);
  const bool is_bulk = has_bulk && bytes >= bulk_row_least &&
                       (is_of_sixteens<T, Aligned> || ((shared_address(s) | (unsigned)(unsigned long long)g | bytes) & 15) == 0);
  const Ticket t = c.begin(is_bulk);
  if (is_bulk) {
    bulk_rows(t.barrier, s, cols, [=](unsigned r) { return g + (long long)index[r] * cols; }, rows, cols);
  } else {
    named_rows<true, Aligned>(s, g, index, rows, cols);
    all_arrive<moves_by_stores<T, Aligned>>(t.barrier);
  }
  return t;
}
template <unsigned Aligned, class T, class I, class C, class A, class... Said>
COALDA_INLINE Ticket bulk_named_rows(const C &c, T *s, const T *g, const I *index, unsigned rows, unsigned cols, A a, Said... said) {
  const Ticket t = c.begin(false);
  framed_named_rows<true>(s, g, index, rows, cols, Block{}, a, said...);
  all_arrive<true>(t.barrier);
  return t;
}

// A store, of what all threads see. Where it does not go in one piece, a group without stores is counted.
template <unsigned Aligned, class T> COALDA_INLINE void bulk_store(T *g, const T *s, unsigned n) {
  const unsigned bytes = n * (unsigned)sizeof(T);
  Parts parts = {0, bytes};
  if constexpr (has_bulk && !is_of_sixteens<T, Aligned>)
    parts = parts_of<piece_bytes<T, Aligned>()>(s, g, bytes);
  if constexpr (has_bulk) {
    if (is_leader()) {
      bulk_out((char *)g + parts.head, (const char *)s + parts.head, parts.middle);
      bulk_commit();
    }
    if constexpr (is_of_sixteens<T, Aligned>)
      return;
  }
  if (!has_bulk || parts.middle == 0)
    row<false, Aligned>(g, s, n);
  else
    ends<false, Aligned>(g, s, n, parts, rank(), threads());
}
} // namespace detail

// ---- from shared to global memory ----

// g[k] = s[k] for k below n, of what all threads of the block see: it was waited for, or after() stands in front. s may be filled again once
// the store has been waited for.
template <unsigned Aligned = 0, class T> COALDA_INLINE stored<T> store(T *g, T *s, unsigned n) {
  detail::row<false, Aligned>(g, (const T *)s, n);
  return {s};
}

// g[r * gpitch + c] = s[r * pitch + c] for r below rows and c below cols.
template <unsigned Aligned = 0, class T>
COALDA_INLINE stored<T> store_2d(T *g, long long gpitch, T *s, unsigned pitch, unsigned rows, unsigned cols) {
  detail::rectangle<false, Aligned>(g, gpitch, (const T *)s, pitch, rows, cols);
  return {s};
}

// Row index[r] of g is row r of s. No two rows go to one place.
template <unsigned Aligned = 0, class T, class I> COALDA_INLINE stored<T> scatter(T *g, T *s, const I *index, unsigned rows, unsigned cols) {
  constexpr unsigned bytes = detail::piece_bytes<T, Aligned>();
  using U = typename detail::Unit<T, bytes>::type;
  const unsigned width = detail::pieces<T, bytes>(cols);
  for (unsigned k = detail::rank(); k < rows * width; k += detail::threads())
    ((U *)g)[(long long)index[k / width] * width + k % width] = ((const U *)s)[k];
  return {s};
}

// store(g, s, n, after(f, ...)), or after(f, ...).store(g, s, n): once these copies have come, and all threads have written their part of s. after() is
// for the latter alone.
struct Ordered {
  template <unsigned Aligned = 0, class T> COALDA_INLINE stored<T> store(T *g, T *s, unsigned n) const { return coalda::store<Aligned>(g, s, n); }
  template <unsigned Aligned = 0, class T, class I>
  COALDA_INLINE stored<T> scatter(T *g, T *s, const I *index, unsigned rows, unsigned cols) const {
    return coalda::scatter<Aligned>(g, s, index, rows, cols);
  }
  template <unsigned Aligned = 0, class T>
  COALDA_INLINE stored<T> store_2d(T *g, long long gpitch, T *s, unsigned pitch, unsigned rows, unsigned cols) const {
    return coalda::store_2d<Aligned>(g, gpitch, s, pitch, rows, cols);
  }
};
COALDA_INLINE Ordered after() {
  __syncthreads();
  return {};
}
template <class... F> COALDA_INLINE Ordered after(const F &...f) {
  wait(f...);
  if constexpr (detail::has_mbarrier && (detail::is_channels<F> && ...))
    __syncthreads();
  return {};
}
template <unsigned Aligned = 0, class T> COALDA_INLINE stored<T> store(T *g, T *s, unsigned n, Ordered) { return store<Aligned>(g, s, n); }
template <unsigned Aligned = 0, class T>
COALDA_INLINE stored<T> store_2d(T *g, long long gpitch, T *s, unsigned pitch, unsigned rows, unsigned cols, Ordered) {
  return store_2d<Aligned>(g, gpitch, s, pitch, rows, cols);
}
template <unsigned Aligned = 0, class T, class I>
COALDA_INLINE stored<T> scatter(T *g, T *s, const I *index, unsigned rows, unsigned cols, Ordered) {
  return scatter<Aligned>(g, s, index, rows, cols);
}

// The same by one thread, while the block goes on, in one bulk store: on sm_90 and above, and where g, s and the number of bytes are multiples of 16 or
// become so behind the first few bytes; else this is store(). What all threads wrote of s so far is stored, as behind after(). Before s is
// written again, and before the block ends, somebody waits for it:
//
//     coalda::async_stored<float> o = {};
//     for (unsigned i = 0; i < n; i++) {
//       coalda::wait<1>(o);                                    // the store before the last one has read its buffer
//       ... write r[i % 2] ...
//       o = coalda::store_async(out + i * 1024, r[i % 2], 1024);
//     }
//     coalda::wait(o);
//
// A later kernel sees what was stored, as it sees any store. Who reads it in the same kernel does so after landed(o).
template <unsigned Aligned = 0, class T> [[nodiscard]] COALDA_INLINE async_stored<T> store_async(T *g, T *s, unsigned n) {
  detail::fence_async(); // each thread's own writes, before the proxy reads them
  __syncthreads();
  detail::bulk_store<Aligned>(g, (const T *)s, n);
  return {s};
}

// Afterwards all threads of the block see in global memory what was stored asynchronously.
template <class... T> COALDA_INLINE void landed(const async_stored<T> &...) {
  if (detail::is_leader())
    detail::await_writes();
  __syncthreads();
}

// ---- channels: copies that are waited for by name ----
//
//     __shared__ coalda::channel memory[2];
//     auto c = coalda::open(memory);                           // once, by all threads of the block
//     auto f = c[0].copy(s, g, 1024);
//     auto h = c[1].copy(r, g + 1024, 1024);
//     coalda::wait(h);                                         // f may still be under way
//     ... use r ...
//     coalda::done();
//     h = c[1].copy(r, g + 2048, 1024);                        // a channel has one copy at a time
//
// wait(c[1]) is a wait for the channel's last copy, without a future.
//
// Before a channel copies again, all threads have waited for its last copy, and met: wait(f) alone lets none of them wait for the others, and who is
// two copies late waits for ever.
//
// From sm_90 on one thread begins a bulk copy, where places and sizes are multiples of 16 bytes: promised, by c[0].copy<16>(s, g, n), or found at
// run time. Rows that are shorter than 1024 bytes, rows about which more is said, and what is not aligned, all threads copy by cp.async. On sm_80 all threads copy by cp.async, and before by loads and stores: there wait(f) is a barrier.
//
// What is copied from was written before the kernel began: bulk copies need not see the kernel's own stores. What was in shared memory before, read or written
// by threads, has gone by once done() is behind: the thread that begins the copy makes the fence between the proxies.
struct channel {
  unsigned long long one, all; // mbarriers, from open() to the end of the kernel: of copies that one thread begins, and of those by all threads
};

namespace detail {
template <class Channel> struct Copier {
  template <unsigned Aligned = 0, class T, class... Said>
  COALDA_INLINE channel_future<T> copy(T *s, const T *g, unsigned n, Said... said) const {
    const Ticket t = bulk_row<Aligned>(*(const Channel *)this, s, g, n, said...);
    return {s, padded_places(n, said...), t.barrier, t.parity};
  }
  template <unsigned Aligned = 0, class T, class... Said>
  COALDA_INLINE channel_future<T> copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, Said... said) const {
    const Ticket t = bulk_rectangle<Aligned>(*(const Channel *)this, s, pitch, g, gpitch, rows, cols, said...);
    return {s, framed_places(pitch, rows, cols, said...), t.barrier, t.parity};
  }
  template <unsigned Aligned = 0, class T, class I, class... Said>
  COALDA_INLINE channel_future<T> gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols, Said... said) const {
    const Ticket t = bulk_named_rows<Aligned>(*(const Channel *)this, s, g, index, rows, cols, said...);
    return {s, framed_named_places(rows, cols, said...), t.barrier, t.parity};
  }
};

// What a thread knows of its channels, a bit for each: which phases their next copies end, and that the last one was by all threads.
struct Phases {
  unsigned one, all, by_all;
};

struct Numbered : Copier<Numbered> {
  unsigned place, number; // of the channel
  Phases *phases;
  COALDA_INLINE Numbered(unsigned first, unsigned number, Phases *phases)
      : place(first + number * (unsigned)sizeof(channel)), number(number), phases(phases) {}
  COALDA_INLINE Ticket begin(bool is_bulk) const {
    const unsigned bit = 1u << number;
    if (has_bulk && is_bulk)
      phases->one ^= bit, phases->by_all &= ~bit;
    else
      phases->all ^= bit, phases->by_all |= bit;
    return last();
  }
  COALDA_INLINE Ticket last() const {
    const bool by_all = !has_bulk || (phases->by_all >> number & 1);
    return {place + (by_all ? 8 : 0), ((by_all ? phases->all : phases->one) >> number & 1) ^ 1};
  }
};
template <class C> COALDA_INLINE void channels_open(C *first, unsigned n) {
  if (is_leader()) {
    for (unsigned k = 0; k < n; k++) {
      if (has_bulk)
        phases_begin(shared_address(&first[k].one), 1);
      phases_begin(shared_address(&first[k].all), threads());
    }
    fence_init();
  }
  __syncthreads();
}
} // namespace detail

// What each thread knows of N channels. It is not copied: a copy would not hear of phases that end.
template <unsigned N> struct channels {
  static_assert(N > 0 && N <= 32, "a thread keeps bits for each of up to 32 channels");
  unsigned first;
  detail::Phases phases = {0, 0, 0};
  COALDA_INLINE explicit channels(const channel *memory) : first(detail::shared_address(memory)) {}
  channels(const channels &) = delete;
  COALDA_INLINE detail::Numbered operator[](unsigned k) { return {first, k, &phases}; }
};
template <unsigned N> [[nodiscard]] COALDA_INLINE channels<N> open(channel (&c)[N]) {
  detail::channels_open(c, N);
  return channels<N>(c);
}

// ---- memory where it is used ----
//
//     auto f = coalda::copy(COALDA_BUFFER(float, 1024), g, 1024);     // f.data, f.span()
//     auto &s = COALDA_BUFFERS(float, 1024, 3);                       // s[0], s[1], s[2]
//     auto a = coalda::cached<coalda::shared, 1024>(COALDA_SHARED(coalda::tile<float, coalda::box<64, 16>>), coalda::matrix(ga, n));
//
// Each is an array of the block's, wherever the line stands: as a __shared__ variable it is there once, has no initial value, and another one in
// each instantiation of a template. Its elements begin at a multiple of 16 bytes.
#define COALDA_SHARED(...) \
  ([]() -> auto & { \
    using Memory = __VA_ARGS__; \
    __shared__ Memory memory; \
    return memory; \
  }())
#define COALDA_BUFFER(T, n) (COALDA_SHARED(coalda::detail::Room<T, (n), 1>).cell[0])
#define COALDA_BUFFERS(T, n, stages) (COALDA_SHARED(coalda::detail::Room<T, (n), (stages)>).cell)

namespace detail {
// N elements, and some more, so that all begin so.
template <class T, unsigned N, unsigned Stages> struct Room {
  static_assert(N > 0 && Stages > 0, "memory of nothing");
  static constexpr unsigned elements = (N + 15) / 16 * 16;
  alignas(16) T cell[Stages][elements];
};
} // namespace detail

// ---- lists in order ----
//
//     __shared__ coalda::order<int, 64> o;
//     coalda::sorted(o, index, 64);                            // all threads see it from here on
//     auto f = coalda::gather(s, g, o.index, 64, cols);        // rows of g from the first to the last
//     coalda::wait(f);
//     for (int j = 0; j < 64; j++) sum += s[o.place[j] * cols + c];    // as the list has them: row j of it lies at place[j]
//
// A list of up to N numbers from the least to the greatest, equal ones as they stood, and where each of them has gone. Each thread compares
// those of its own with all others: n * n / T comparisons, for lists of one tile. What o was before must have been read: done() stands in front.
template <class I, unsigned N> struct order {
  I index[N];
  unsigned place[N];
};
template <class I, unsigned N> COALDA_INLINE void sorted(order<I, N> &o, const I *index, unsigned n) {
  for (unsigned k = detail::rank(); k < n; k += detail::threads()) {
    const I mine = index[k];
    unsigned at = 0;
    for (unsigned j = 0; j < n; j++) {
      const I other = index[j];
      at += other < mine || (other == mine && j < k);
    }
    o.index[at] = mine;
    o.place[k] = at;
  }
  __syncthreads();
}

// ---- futures and buffers that change places ----

template <class T> COALDA_INLINE void swap(T &a, T &b) {
  const T first = a;
  a = b;
  b = first;
}
// a becomes what b was, b what c was, c what a was.
template <class T> COALDA_INLINE void rotate(T &a, T &b, T &c) {
  const T first = a;
  a = b;
  b = c;
  c = first;
}
template <class T> COALDA_INLINE T select(bool condition, T a, T b) { return condition ? a : b; }

// ---- warps with roles ----
//
//     coalda::roles<2, 3>(                                     // the last two warps copy, the others compute; three buffers
//         [&](auto &compute) {
//           for (unsigned i = 0; i < n; i++) {
//             compute.wait(i);                                 // tile i has come
//             ... use s[i % 3], by compute.rank() of compute.threads() ...
//             compute.finish(i);                               // its buffer may be filled again
//           }
//         },
//         [&](auto &copy) {
//           for (unsigned i = 0; i < n; i++) {
//             copy.start(i);                                   // its buffer may be filled
//             copy.copy(s[i % 3], g + i * 1024, 1024);
//             copy.finish(i);                                  // tile i is under way
//           }
//         });
//
// Both count from 0 by ones, equally far. The block has more than `Copy` warps, all of them whole: else the kernel is stopped. Nobody makes
// __syncthreads(), done() or wait(f) in there: threads that compute have a barrier of their own, compute.sync(). Before and after all threads
// meet. Barriers 1 to 2 * Buffers and 15 are taken.
//
// roles<2, 3>(n, compute, copy) runs the loops itself, of compute(self, i) and copy(self, i): this works in blocks of any shape, where all
// threads copy, and then compute, if there are no warps to spare.

namespace detail {
#ifdef __CUDA_ARCH__
// Lanes of a warp may come one after the other: those of a loop need not have met again.
COALDA_INLINE void meet(unsigned barrier, unsigned threads) { asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory"); }
COALDA_INLINE void arrive(unsigned barrier, unsigned threads) { asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory"); }
COALDA_INLINE void lanes_meet() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
COALDA_INLINE void stop() { asm volatile("trap;"); }
#else
COALDA_INLINE void lanes_meet() {}
COALDA_INLINE void stop() {}
COALDA_INLINE void meet(unsigned, unsigned) {}
COALDA_INLINE void arrive(unsigned, unsigned) {}
#endif
template <unsigned Copy> COALDA_INLINE bool has_roles() { return threads() % warp_lanes == 0 && threads() > Copy * warp_lanes; }

// For each buffer two barriers, at which all threads of the block are counted: one side waits there, the other goes on.
template <unsigned Buffers> COALDA_INLINE unsigned full(unsigned i) { return 1 + i % Buffers; }
template <unsigned Buffers> COALDA_INLINE unsigned freed(unsigned i) { return 1 + Buffers + i % Buffers; }

// The warps that compute: all threads of the block where they copy as well.
template <unsigned Copy, unsigned Buffers> struct Computing {
  bool alone; // nobody else copies
  COALDA_INLINE unsigned rank() const { return detail::rank(); }
  COALDA_INLINE unsigned threads() const { return alone ? detail::threads() : detail::threads() - Copy * warp_lanes; }
  COALDA_INLINE void wait(unsigned i) const { meet(full<Buffers>(i), detail::threads()); }
  COALDA_INLINE void finish(unsigned i) const { arrive(freed<Buffers>(i), detail::threads()); }
  COALDA_INLINE void sync() const {
    if (alone)
      __syncthreads();
    else
      meet(15, threads());
  }
};

// The warps that copy. All but the last tiles that they began have been told of: Buffers - 1 are under way.
template <unsigned Copy, unsigned Buffers> struct Copying {
  bool alone;
  unsigned begun;
  static constexpr unsigned behind = Buffers - 1;
  COALDA_INLINE unsigned threads() const { return alone ? detail::threads() : Copy * warp_lanes; }
  COALDA_INLINE unsigned rank() const { return detail::rank() - (detail::threads() - threads()); }
  COALDA_INLINE void start(unsigned i) const {
    if (i >= Buffers)
      meet(freed<Buffers>(i), detail::threads());
  }
  COALDA_INLINE void finish(unsigned i) {
    commit();
    if (i >= behind) {
      await<(int)behind>();
      arrive(full<Buffers>(i - behind), detail::threads());
    }
    begun = i + 1;
  }
  // Copies as those of the block, by these threads alone.
  template <unsigned Aligned = 0, class T> COALDA_INLINE void copy(T *s, const T *g, unsigned n) const { row<true, Aligned>(s, g, n, *this); }
  template <unsigned Aligned = 0, class T>
  COALDA_INLINE void copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) const {
    rectangle<true, Aligned>(s, pitch, g, gpitch, rows, cols, *this);
  }
  template <unsigned Aligned = 0, class T, class I>
  COALDA_INLINE void gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols) const {
    named_rows<true, Aligned>(s, g, index, rows, cols, *this);
  }
  template <unsigned Aligned = 0, class T, class V> COALDA_INLINE void copy(T *s, const T *g, unsigned n, padding<V> p) const {
    padded_row<true, Aligned>(s, g, n, p, *this);
  }
  template <class T, class A, class... Said>
  COALDA_INLINE void copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, A a, Said... said) const {
    framed_rectangle<true>(s, pitch, g, gpitch, rows, cols, *this, a, said...);
  }
  template <class T, class I, class A, class... Said>
  COALDA_INLINE void gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols, A a, Said... said) const {
    framed_named_rows<true>(s, g, index, rows, cols, *this, a, said...);
  }
  // What is under way comes, and nobody is left counted at a barrier that another loop may use.
  COALDA_INLINE void end() const {
    await<0>();
    for (unsigned i = begun > behind ? begun - behind : 0; i < begun; i++)
      arrive(full<Buffers>(i), detail::threads());
    for (unsigned i = begun > Buffers ? begun - Buffers : 0; i < begun; i++)
      meet(freed<Buffers>(i), detail::threads());
  }
};
} // namespace detail

template <unsigned Copy, unsigned Buffers = 2, class Compute, class Load> COALDA_INLINE void roles(Compute compute, Load copy) {
  static_assert(Copy > 0, "who copies?");
  static_assert(Buffers > 0 && Buffers <= 7, "a block has sixteen barriers");
  if (!detail::has_roles<Copy>())
    detail::stop();
  __syncthreads();
  if (detail::rank() < detail::threads() - Copy * detail::warp_lanes) {
    detail::Computing<Copy, Buffers> self{false};
    compute(self);
  } else {
    detail::Copying<Copy, Buffers> self{false, 0};
    copy(self);
    self.end();
  }
  detail::lanes_meet(); // lanes may have parted in either of them, and a warp comes to that barrier as one
  __syncthreads();
}

// compute(self, i) and copy(self, i) of i below n; tile i lies in buffer i % Buffers.
template <unsigned Copy, unsigned Buffers = 2, class Compute, class Load> COALDA_INLINE void roles(unsigned n, Compute compute, Load copy) {
  if (detail::has_roles<Copy>())
    return roles<Copy, Buffers>(
        [&](auto &self) {
          for (unsigned i = 0; i < n; i++) {
            self.wait(i);
            compute(self, i);
            self.finish(i);
          }
        },
        [&](auto &self) {
          for (unsigned i = 0; i < n; i++) {
            self.start(i);
            copy(self, i);
            self.finish(i);
          }
        });
  detail::Computing<Copy, Buffers> computing{true};
  detail::Copying<Copy, Buffers> copying{true, 0};
  __syncthreads();
  for (unsigned i = 0; i < n; i++) {
    copy(copying, i);
    detail::commit();
    detail::await<0>();
    __syncthreads();
    compute(computing, i);
    __syncthreads();
  }
}

// ---- records a whole block at a time ----

// M words a thread in memory, for n threads in blocks of B: word k of thread t of a block lies at m * B * block + k * B + t, so that threads side by side
// touch words side by side. The last block is whole in memory: it takes words(n) elements. On the host the same place is told by v.at(thread, k).
template <class T, int M, int B = 256> struct blocked {
  T *base;
  long long n; // threads
  static __host__ __device__ constexpr long long place(long long thread, int k) { return thread / B * (M * (long long)B) + (long long)k * B + thread % B; }
  static __host__ __device__ constexpr long long words(long long n) { return (n + B - 1) / B * (M * (long long)B); }
  struct record {
    T *first; // its words lie B elements apart
    __host__ __device__ T &operator[](int k) const { return first[(long long)k * B]; }
  };
  __host__ __device__ blocked(T *base, long long n) : base(base), n(n) {}
  __host__ __device__ record operator[](long long thread) const { return {base + place(thread, 0)}; }
  // From records one after the other, and back.
  __host__ __device__ void pack(const T *records) const {
    for (long long t = 0; t < n; t++)
      for (int k = 0; k < M; k++)
        base[place(t, k)] = records[t * M + k];
  }
  __host__ __device__ void unpack(T *records) const {
    for (long long t = 0; t < n; t++)
      for (int k = 0; k < M; k++)
        records[t * M + k] = base[place(t, k)];
  }
};

// ---- caches of a block of a matrix ----
//
//     __shared__ coalda::tile<float, coalda::box<64, 16>> sa;
//     __shared__ coalda::tile<float, coalda::box<16, 64>> sb;
//     auto a = coalda::cached<coalda::shared, 1024>(sa, coalda::matrix(ga, n));   // at most 1024 elements
//     auto b = coalda::cached<coalda::shared, 1024>(sb, coalda::matrix(gb, n));
//     for (int k = 0; k < n; k += 16) {                        // filled at the level of the loop that names it
//       auto f = a.move_to(row, k);
//       auto g = b.move_to(k, column);
//       coalda::wait(f, g);
//       ... a(i, j): element (i, j) of the matrix; a.at(r, c): element (r, c) of the block ...
//       coalda::done();
//     }
//
// With two buffers, tile<float, box<64, 16>, row, 2>, the next block comes while one is used, with every compiler, and one barrier an
// iteration is left:
//
//     a.next(row, 0), b.next(0, column);
//     for (int k = 0; k < n; k += 16) {
//       coalda::turn(a, b);                                    // what next() began has come, and what was read so far may be filled
//       if (k + 16 < n)
//         a.next(row, k + 16), b.next(k + 16, column);
//       ... use a and b ...
//     }

// Element (r, c) is data[r * pitch + c], computed in the type of the pitch, or int; all blocks lie in the matrix.
template <class T, class I> struct matrix {
  using index = decltype(I() + 0);
  T *data;
  index pitch;
  static constexpr bool is_bounded = false;
  COALDA_INLINE matrix(T *data, I pitch) : data(data), pitch(pitch) {}
  COALDA_INLINE T *place(long long r, long long c) const { return data + ((index)r * pitch + (index)c); }
  COALDA_INLINE bool has(long long, long long) const { return true; }
  COALDA_INLINE T read(long long r, long long c) const { return *place(r, c); }
};
namespace detail {
template <class T> struct Known { using type = T; }; // of another argument
} // namespace detail

// The value stands where a block has no element of the matrix, and is not stored there. Places are signed numbers: an unsigned -1 is not in
// front of the matrix, but far behind it.
template <class T, class I> struct bounded : matrix<T, I> {
  long long rows, cols;
  T value;
  static constexpr bool is_bounded = true;
  COALDA_INLINE bounded(T *data, I pitch, long long rows, long long cols, typename detail::Known<T>::type value = T())
      : matrix<T, I>(data, pitch), rows(rows), cols(cols), value(value) {}
  COALDA_INLINE bool has(long long r, long long c) const { return r >= 0 && r < rows && c >= 0 && c < cols; }
  COALDA_INLINE T read(long long r, long long c) const { return has(r, c) ? *this->place(r, c) : value; }
};

// Rows and columns of a block.
template <unsigned Rows, unsigned Cols> struct box {
  static constexpr unsigned rows = Rows, cols = Cols, elements = Rows * Cols;
};

namespace detail {
template <unsigned Budget, class Box, class... Inner> __host__ __device__ constexpr auto first_that_fits() {
  static_assert(Box::elements <= Budget || sizeof...(Inner) > 0, "no box has as few elements as the budget");
  if constexpr (Box::elements > Budget && sizeof...(Inner) > 0)
    return first_that_fits<Budget, Inner...>();
  else
    return Box{};
}
} // namespace detail

// The first of these boxes, of the outermost loop, the next one, and so on, that has no more elements than the budget.
template <unsigned Budget, class... Boxes> using fitting = decltype(detail::first_that_fits<Budget, Boxes...>());

// Where element (r, c) of a block lies: by rows or by columns, each with so many places behind it that nobody uses. An odd pitch spares bank
// conflicts where lanes side by side read across it; one of a multiple of 16 bytes lets pieces of 16 bytes be copied.
template <unsigned Pad> struct rows_padded {
  static constexpr bool is_turned = false;
  template <class Box> static constexpr unsigned lines = Box::rows;
  template <class Box> static constexpr unsigned pitch = Box::cols + Pad;
};
template <unsigned Pad> struct columns_padded {
  static constexpr bool is_turned = true;
  template <class Box> static constexpr unsigned lines = Box::cols;
  template <class Box> static constexpr unsigned pitch = Box::rows + Pad;
};
using row = rows_padded<0>;
using column = columns_padded<0>;
using padded = rows_padded<1>;

// Memory of a cache.
template <class T, class Box, class Layout = row, unsigned Buffers = 1> struct tile {
  static_assert(Buffers == 1 || Buffers == 2, "one is used, and one may be filled");
  static constexpr unsigned pitch = Layout::template pitch<Box>, cells = (Layout::template lines<Box> * pitch + 15) / 16 * 16;
  static constexpr unsigned places = (Layout::template lines<Box> - 1) * pitch + (Layout::is_turned ? Box::rows : Box::cols); // of one buffer
  alignas(16) T cell[Buffers * cells];
  static COALDA_INLINE int place(int r, int c) { return Layout::is_turned ? c * (int)pitch + r : r * (int)pitch + c; }
};

// Where a cache lies: in shared memory, filled by all threads together; in registers of each thread, of a block of its own; nowhere, where
// what is read is contiguous and read once.
struct shared {};
struct registers {};
struct direct {};

namespace detail {
template <class Space, bool IsReused> struct Thrifty { using type = Space; };
template <class Space> struct Thrifty<Space, false> { using type = direct; };
} // namespace detail

// A block each of whose elements is read so often, by all threads together, lies there where that is more than once; else nowhere.
template <class Space, unsigned Reads> using thrifty = typename detail::Thrifty<Space, (Reads > 1)>::type;

namespace detail {

// f(k) for k below All, dealt out among the threads: loops of known length where their number is known.
template <unsigned All, unsigned Threads, class F> COALDA_INLINE void deal(F f) {
  if constexpr (Threads > 0) {
#pragma unroll
    for (unsigned j = 0; j < (All + Threads - 1) / Threads; j++)
      if (const unsigned k = rank() + j * Threads; All % Threads == 0 || k < All)
        f(k);
  } else {
    for (int k = rank(); k < (int)All; k += (int)threads())
      f((unsigned)k);
  }
}

// Where the block lies in the matrix.
struct Corner {
  long long row, col;
};

template <class Space, class M, class T, class Box, class Layout, unsigned Buffers, unsigned Aligned, unsigned Threads> struct Cache;

template <class M, class T, class Box, class Layout, unsigned Buffers, unsigned Aligned, unsigned Threads>
struct Cache<shared, M, T, Box, Layout, Buffers, Aligned, Threads> {
  using Tile = tile<T, Box, Layout, Buffers>;
  static constexpr bool is_shared = true;
  M a;
  T *cell;
  int used; // where the buffer begins that is used; with two, next() fills the first one first. Bits are crossed to change it, as a
            // difference would hide from ptxas that elements are aligned to 16 bytes, which it loads together
  Corner now, then;

  COALDA_INLINE Cache(Tile &memory, M a) : a(a), cell(memory.cell), used((int)((Buffers - 1) * Tile::cells)), now{0, 0}, then{0, 0} {
    if constexpr (Threads > 0)
      if (threads() != Threads)
        stop();
  }
  COALDA_INLINE T &at(int r, int c) const { return cell[used + Tile::place(r, c)]; }
  COALDA_INLINE T &operator()(long long r, long long c) const { return at((int)(r - now.row), (int)(c - now.col)); }

  // The block at (r, c), of which nothing is loaded: all of it is written.
  COALDA_INLINE void begin(long long r, long long c) { now = {r, c}; }
  [[nodiscard]] COALDA_INLINE future<T> move_to(long long r, long long c) {
    begin(r, c);
    fill<false>(cell + used, r, c);
    return {cell + used, Tile::places};
  }
  COALDA_INLINE void next(long long r, long long c) {
    static_assert(Buffers == 2, "the block that is used has the only buffer");
    then = {r, c};
    fill<true>(cell + (used ^ (int)Tile::cells), r, c);
    commit();
  }
  COALDA_INLINE void turn() {
    used ^= (int)Tile::cells;
    now = then;
  }
  // Once all threads have written their part, the block goes to the matrix.
  COALDA_INLINE stored<T> flush() const {
    __syncthreads();
    deal<Box::elements, Threads>([&](unsigned k) {
      const unsigned r = k / Box::cols, c = k % Box::cols;
      if (a.has(now.row + r, now.col + c))
        *a.place(now.row + r, now.col + c) = at(r, c);
    });
    return {cell + used};
  }

private:
  template <bool Async> COALDA_INLINE void fill(T *s, long long r, long long c) const {
    if constexpr (M::is_bounded) {
      if (!Async || !a.has(r, c) || !a.has(r + (Box::rows - 1), c + (Box::cols - 1))) {
        deal<Box::elements, Threads>([&](unsigned k) {
          const unsigned i = k / Box::cols, j = k % Box::cols;
          if (a.has(r + i, c + j))
            move<Async>(s + Tile::place(i, j), (const T *)a.place(r + i, c + j));
          else
            s[Tile::place(i, j)] = a.value;
        });
        return;
      }
    }
    if constexpr (Layout::is_turned) {
      deal<Box::elements, Threads>([&](unsigned k) {
        const unsigned i = k / Box::cols, j = k % Box::cols;
        move<Async>(s + Tile::place(i, j), (const T *)a.place(r + i, c + j));
      });
    } else if constexpr (Threads == 0) {
      rectangle<Async, Aligned>(s, Tile::pitch, (const T *)a.place(r, c), (long long)a.pitch, Box::rows, Box::cols);
    } else {
      constexpr unsigned bytes = piece_bytes<T, Aligned>();
      static_assert(Box::cols * sizeof(T) % bytes == 0 && Tile::pitch * sizeof(T) % bytes == 0, "rows are not of whole pieces");
      using U = typename Unit<T, bytes>::type;
      constexpr unsigned width = Box::cols * sizeof(T) / bytes, step = Tile::pitch * sizeof(T) / bytes;
      deal<Box::rows * width, Threads>([&](unsigned k) {
        move<Async, Aligned>((U *)s + (k / width * step + k % width), (const U *)a.place(r + k / width, c) + k % width);
      });
    }
  }
};

// Indices that are known once loops are unrolled make registers of the array.
template <class M, class T, class Box, class Layout, unsigned Buffers, unsigned Aligned, unsigned Threads>
struct Cache<registers, M, T, Box, Layout, Buffers, Aligned, Threads> {
  using Tile = tile<T, Box, Layout, Buffers>;
  static constexpr bool is_shared = false;
  M a;
  Tile &memory;
  Corner now, then;

  COALDA_INLINE Cache(Tile &memory, M a) : a(a), memory(memory), now{0, 0}, then{0, 0} {}
  COALDA_INLINE T &at(int r, int c) const { return memory.cell[Tile::place(r, c)]; }
  COALDA_INLINE T &operator()(long long r, long long c) const { return at((int)(r - now.row), (int)(c - now.col)); }
  COALDA_INLINE void begin(long long r, long long c) { now = {r, c}; }
  COALDA_INLINE future<T> move_to(long long r, long long c) { // nobody needs to wait for it
    begin(r, c);
    each([&](unsigned i, unsigned j) { at(i, j) = a.read(r + i, c + j); });
    return {memory.cell, Tile::places};
  }
  COALDA_INLINE void next(long long r, long long c) {
    static_assert(Buffers == 2, "the block that is used has the only buffer");
    then = {r, c};
    each([&](unsigned i, unsigned j) { memory.cell[Tile::cells + Tile::place(i, j)] = a.read(r + i, c + j); });
  }
  COALDA_INLINE void turn() {
    now = then;
    each([&](unsigned i, unsigned j) { at(i, j) = memory.cell[Tile::cells + Tile::place(i, j)]; });
  }
  COALDA_INLINE void flush() const {
    each([&](unsigned i, unsigned j) {
      if (a.has(now.row + i, now.col + j))
        *a.place(now.row + i, now.col + j) = at(i, j);
    });
  }

private:
  template <class F> static COALDA_INLINE void each(F f) {
#pragma unroll
    for (unsigned i = 0; i < Box::rows; i++)
#pragma unroll
      for (unsigned j = 0; j < Box::cols; j++)
        f(i, j);
  }
};

// The matrix itself.
template <class M, class T, class Box, class Layout, unsigned Buffers, unsigned Aligned, unsigned Threads>
struct Cache<direct, M, T, Box, Layout, Buffers, Aligned, Threads> {
  static constexpr bool is_shared = false;
  M a;
  Corner now, then;
  COALDA_INLINE Cache(M a) : a(a), now{0, 0}, then{0, 0} {}
  COALDA_INLINE T at(int r, int c) const { return a.read(now.row + r, now.col + c); }
  COALDA_INLINE T operator()(long long r, long long c) const { return a.read(r, c); }
  COALDA_INLINE future<T> move_to(long long r, long long c) {
    now = {r, c};
    return {nullptr, 0};
  }
  COALDA_INLINE void next(long long r, long long c) { then = {r, c}; }
  COALDA_INLINE void turn() { now = then; }
};
} // namespace detail

// A view of a block of the matrix, at most `Budget` elements of it. Promised are places, rows, and pitches of multiples of `Aligned` bytes, and
// that blocks have `Threads` threads, where that is said: else the kernel is stopped.
template <class Space, unsigned Budget, unsigned Aligned = 0, unsigned Threads = 0, class M, class T, class Box, class Layout, unsigned Buffers>
COALDA_INLINE auto cached(tile<T, Box, Layout, Buffers> &memory, M a) {
  static_assert(Box::elements <= Budget, "the block is larger than the budget");
  if constexpr (__is_same(Space, direct))
    return detail::Cache<Space, M, T, Box, Layout, Buffers, Aligned, Threads>(a);
  else
    return detail::Cache<Space, M, T, Box, Layout, Buffers, Aligned, Threads>(memory, a);
}

// What next() began of these caches has come, and is what they show; what was read of them so far may be filled again.
template <class... C> COALDA_INLINE void turn(C &...caches) {
  if constexpr ((C::is_shared || ...)) {
    detail::await<0>();
    __syncthreads();
  }
  (caches.turn(), ...);
}

} // namespace coalda
