static __device__ __forceinline__ void doubled(float *tile) {
  tile[threadIdx.x] *= 2;
}
