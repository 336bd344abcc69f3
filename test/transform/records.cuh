// What the tests of the rewrite share: thread numbers, and the prelude of the generated kernels instead of CUDA's headers.
#pragma once
#include "prelude.cuh"
#define KERNEL extern "C" __global__ void
// Threads along x, as most kernels number them: the stride from thread to thread is plain.
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)
// Every thread of any block.
#define ALL (blockIdx.x * block_size() + rank_in_block())
#define __syncthreads() __nvvm_bar_sync(0)
