// A kernel whose rows are masked by data is beside it as it was, to the letter (spare.cu has the others).
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out
// Rows of which data tell the words that are wanted. What is asked on entry is nothing that short rows gain by; and of which values are listed first as used by others the code of a search
// depends, which clang has unrolled.
// CHECK-DAG: _Z6weightPKdS0_Pdii$coalda1$arg3_u32_below_128: as it was{{$}}
__global__ void weight(const double *a, const double *x, double *o, int m, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; double s = 0; for (int j = 0; j < m; j++) { double w = x[j]; if (w <= 0) continue; s += w * a[i * m + j]; } o[i] = s; }
// CHECK-DAG: _Z7largestPKfPKiPfPijj$coalda1$arg4_u32_below_128: as it was{{$}}
__global__ void largest(const float *__restrict__ a, const int *__restrict__ valid, float *__restrict__ o, int *__restrict__ at, unsigned m, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float best = -1e30f; int k = -1; for (unsigned j = 0; j < m; j++) if (valid[j]) { float v = a[i * m + j]; if (v > best) { best = v; k = j; } } o[i] = best; at[i] = k; }
