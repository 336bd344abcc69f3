/* Stands before the toolkit's header of this name (-isystem include/coalda/cccl), so that clang takes `__shared__ cuda::barrier<...> b;`, and what
 * holds one: cuda::pipeline_shared_state, arrays, the program's own structs.
 *
 * What keeps clang from it is the body of the destructor, which invalidates the barrier. No destructor of a __shared__ variable ever runs, by nvcc
 * as by clang; but clang asks for an empty one ("initialization is not supported for __shared__ variables"). The body is the only choice of two
 * targets in that header, in the releases that are asked for below; in others nothing is changed, and clang says what it said.
 *
 * Programs call the destructor themselves (b->~barrier()), to use the bytes for something else, and cuda::pipeline does when it ends: there the
 * plugin puts the body back, before anything is inlined (transform/emit/end_barriers.c). Where no plugin is loaded such a call is an error. */
#ifndef COALDA_BARRIER_BLOCK_SCOPE_H
#define COALDA_BARRIER_BLOCK_SCOPE_H
#if defined(__clang__)
#pragma clang system_header
#endif
#if defined(__clang__) && defined(__CUDA__)
#include <cuda/std/detail/__config>
#if CCCL_VERSION >= 3000000 && CCCL_VERSION < 3001000
#define COALDA_EMPTIES
#endif
#endif

#ifdef COALDA_EMPTIES
/* What it includes comes first: the names below change in it alone. */
#include <cuda/__fwd/barrier.h>
#include <cuda/__fwd/barrier_native_handle.h>
#include <cuda/__ptx/instructions/mbarrier_arrive.h>
#include <cuda/std/__barrier/barrier.h>
#include <cuda/std/__barrier/poll_tester.h>
#include <cuda/std/chrono>

#pragma push_macro("NV_DISPATCH_TARGET")
#undef NV_DISPATCH_TARGET
#define COALDA_DISPATCH_2 _NV_TARGET_DISPATCH
#define COALDA_DISPATCH_4(...)
#define COALDA_DISPATCH_6 _NV_TARGET_DISPATCH
#define COALDA_DISPATCH_8 _NV_TARGET_DISPATCH
#define COALDA_DISPATCH(one, two, three, four, five, six, seven, eight, n, ...) COALDA_DISPATCH_##n
#define NV_DISPATCH_TARGET(...) COALDA_DISPATCH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1)(__VA_ARGS__)

/* Of what takes nothing, the destructor alone is ever called: the constructor is trivial. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define COALDA_LEFT_OUT                                                                                                                      \
  __attribute__((noinline, optnone, error("the destructor of cuda::barrier needs the COALDA plugin (docs/nvcc.md)")))
#else
#define COALDA_LEFT_OUT
#endif
#pragma push_macro("barrier")
#define COALDA_FIRST(first, ...) first
#define barrier(...) barrier(__VA_ARGS__) COALDA_FIRST(__VA_OPT__(, ) COALDA_LEFT_OUT, )
#endif

#include_next <cuda/__barrier/barrier_block_scope.h>

#ifdef COALDA_EMPTIES
#pragma pop_macro("NV_DISPATCH_TARGET")
#pragma pop_macro("barrier")
#undef COALDA_FIRST
#undef COALDA_LEFT_OUT
#undef COALDA_DISPATCH
#undef COALDA_DISPATCH_2
#undef COALDA_DISPATCH_4
#undef COALDA_DISPATCH_6
#undef COALDA_DISPATCH_8
#undef COALDA_EMPTIES
#endif
#endif
