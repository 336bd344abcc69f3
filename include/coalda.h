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
// gather_async are asynchronous with every compiler, from sm_80 on: for programs that have buffers of their own under way.
// docs/header.md says of each call what it costs, and what the plugin makes of it.
//
// Contracts that hold of all calls:
//   * All threads of the block make them together, with the same arguments. The block may have any shape.
//   * Elements are trivially copyable. Source and destination do not overlap.
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

namespace coalda {
namespace detail {

// ---- the threads of a block ----

COALDA_INLINE unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
COALDA_INLINE unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }

// Who makes a copy: the whole block, or some of its warps.
struct Block {
  COALDA_INLINE unsigned rank() const { return detail::rank(); }
  COALDA_INLINE unsigned threads() const { return detail::threads(); }
};

// ---- pieces: what one thread moves at once ----

// 16, 8 or 4 bytes, as far as the type, or the caller's promise, says how places are aligned; else an element.
template <class T, unsigned Promised> __host__ __device__ constexpr unsigned piece_bytes() {
  constexpr unsigned known = Promised > alignof(T) ? Promised : alignof(T);
  static_assert((known & (known - 1)) == 0, "alignments are powers of two");
  static_assert(__is_trivially_copyable(T), "elements are copied as bytes");
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
COALDA_INLINE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Behind> COALDA_INLINE void await() { asm volatile("cp.async.wait_group %0;" ::"n"(Behind) : "memory"); }
#else
constexpr bool has_async = false;
template <unsigned Bytes> COALDA_INLINE void begin_async(void *, const void *) {}
COALDA_INLINE void commit() {}
template <int Behind> COALDA_INLINE void await() {}
#endif

// Copies one piece, or begins to.
template <bool Async, class U> COALDA_INLINE void move(U *to, const U *from) {
  constexpr unsigned bytes = sizeof(U);
  if constexpr (Async && has_async && (bytes == 4 || bytes == 8 || bytes == 16))
    begin_async<bytes>(to, from);
  else
    *to = *from;
}

// ---- the loops: each thread takes every so many-th piece ----
//
// Their counters are signed, and so do not wrap around: of a loop that ends at a number which the program computes, too, it is known then
// that its places are each filled once.

template <bool Async, unsigned Aligned, class T, class Crew = Block> COALDA_INLINE void row(T *s, const T *g, unsigned n, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned all = pieces<T, bytes>(n);
  for (int k = crew.rank(); k < (int)all; k += (int)crew.threads())
    move<Async>((U *)s + k, (const U *)g + k);
}

template <bool Async, unsigned Aligned, class T, class Crew = Block>
COALDA_INLINE void rectangle(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned width = pieces<T, bytes>(cols), step = pieces<T, bytes>(pitch);
  const long long gstep = pieces<T, bytes>(gpitch);
  for (unsigned k = crew.rank(); k < rows * width; k += crew.threads())
    move<Async>((U *)s + (k / width * step + k % width), (const U *)g + (k / width * gstep + k % width));
}

template <bool Async, unsigned Aligned, class T, class I, class Crew = Block>
COALDA_INLINE void named_rows(T *s, const T *g, const I *index, unsigned rows, unsigned cols, Crew crew = {}) {
  constexpr unsigned bytes = piece_bytes<T, Aligned>();
  using U = typename Unit<T, bytes>::type;
  const unsigned width = pieces<T, bytes>(cols);
  for (unsigned k = crew.rank(); k < rows * width; k += crew.threads())
    move<Async>((U *)s + k, (const U *)g + ((long long)index[k / width] * width + k % width));
}

} // namespace detail

// ---- futures ----

// A copy that has begun. It may be copied and assigned; `data` is where it copies to.
template <class T> struct future {
  T *data;
};

// The same of the copies that are asynchronous with every compiler.
template <class T> struct async_future {
  T *data;
};

// A store that has begun; `data` is what it stores from.
template <class T> struct stored {
  T *data;
};

// ---- copies to shared memory ----
//
// Those that take a number in brackets may be told how places are aligned: by copy<16>(s, g, n), s, g, the bytes of a row and those of a
// pitch are multiples of 16.

// s[k] = g[k] for k below n.
template <unsigned Aligned = 0, class T> [[nodiscard]] COALDA_INLINE future<T> copy(T *s, const T *g, unsigned n) {
  detail::row<false, Aligned>(s, g, n);
  return {s};
}
template <unsigned Aligned = 0, class T> [[nodiscard]] COALDA_INLINE async_future<T> copy_async(T *s, const T *g, unsigned n) {
  detail::row<true, Aligned>(s, g, n);
  detail::commit();
  return {s};
}

// s[r * pitch + c] = g[r * gpitch + c] for r below rows and c below cols.
template <unsigned Aligned = 0, class T>
[[nodiscard]] COALDA_INLINE future<T> copy_2d(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  detail::rectangle<false, Aligned>(s, pitch, g, gpitch, rows, cols);
  return {s};
}
template <unsigned Aligned = 0, class T>
[[nodiscard]] COALDA_INLINE async_future<T> copy_2d_async(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  detail::rectangle<true, Aligned>(s, pitch, g, gpitch, rows, cols);
  detail::commit();
  return {s};
}

// Row r of s is row index[r] of g; rows have cols elements. The index lies in global or shared memory.
template <unsigned Aligned = 0, class T, class I> [[nodiscard]] COALDA_INLINE future<T> gather(T *s, const T *g, const I *index, unsigned rows, unsigned cols) {
  detail::named_rows<false, Aligned>(s, g, index, rows, cols);
  return {s};
}
template <unsigned Aligned = 0, class T, class I>
[[nodiscard]] COALDA_INLINE async_future<T> gather_async(T *s, const T *g, const I *index, unsigned rows, unsigned cols) {
  detail::named_rows<true, Aligned>(s, g, index, rows, cols);
  detail::commit();
  return {s};
}

// s[c * pitch + r] = g[r * gpitch + c]: the tile is stored turned. An odd pitch spares bank conflicts.
template <class T> [[nodiscard]] COALDA_INLINE future<T> copy_transposed(T *s, unsigned pitch, const T *g, long long gpitch, unsigned rows, unsigned cols) {
  for (unsigned k = detail::rank(); k < rows * cols; k += detail::threads())
    s[k % cols * pitch + k / cols] = g[k / cols * gpitch + k % cols];
  return {s};
}

// s[k] = g[first + k] where 0 <= first + k < total, and the value where there is no data, for k below n.
template <class T> [[nodiscard]] COALDA_INLINE future<T> copy_padded(T *s, const T *g, long long first, unsigned n, long long total, T value) {
  for (unsigned k = detail::rank(); k < n; k += detail::threads())
    s[k] = first + k >= 0 && first + k < total ? g[first + k] : value;
  return {s};
}

// ---- waits ----

namespace detail {
template <class F> constexpr bool is_async = false;
template <class T> constexpr bool is_async<async_future<T>> = true;
} // namespace detail

// Afterwards all threads of the block see what these copies bring, and what these stores read may be written. Of asynchronous copies, up to
// `Behind` that began after these stay under way: wait<1>(f) where one other has begun since f. wait(f) waits for all that have begun.
template <int Behind = 0, class... F> COALDA_INLINE void wait(const F &...) {
  static_assert(sizeof...(F) > 0, "wait for what?");
  static_assert(Behind == 0 || (detail::is_async<F> && ...), "only asynchronous copies can be left under way");
  if constexpr ((detail::is_async<F> || ...))
    detail::await<Behind>();
  __syncthreads();
}

// Afterwards what was read so far may be filled again.
COALDA_INLINE void done() { __syncthreads(); }

// ---- from shared to global memory ----

// g[k] = s[k] for k below n, of what all threads of the block see: it was waited for, or after() stands in front. s may be filled again once
// the store has been waited for.
template <unsigned Aligned = 0, class T> COALDA_INLINE stored<T> store(T *g, T *s, unsigned n) {
  detail::row<false, Aligned>(g, (const T *)s, n);
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

// after(f, ...).store(g, s, n): once these copies have come, and all threads have written their part of s. after() is for the latter alone.
struct Ordered {
  template <unsigned Aligned = 0, class T> COALDA_INLINE stored<T> store(T *g, T *s, unsigned n) const { return coalda::store<Aligned>(g, s, n); }
  template <unsigned Aligned = 0, class T, class I>
  COALDA_INLINE stored<T> scatter(T *g, T *s, const I *index, unsigned rows, unsigned cols) const {
    return coalda::scatter<Aligned>(g, s, index, rows, cols);
  }
};
COALDA_INLINE Ordered after() {
  __syncthreads();
  return {};
}
template <class... F> COALDA_INLINE Ordered after(const F &...f) {
  wait(f...);
  return {};
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
COALDA_INLINE void stop() { asm volatile("trap;"); }
#else
COALDA_INLINE void stop() {}
COALDA_INLINE void meet(unsigned, unsigned) {}
COALDA_INLINE void arrive(unsigned, unsigned) {}
#endif
constexpr unsigned warp_lanes = 32;
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

} // namespace coalda
