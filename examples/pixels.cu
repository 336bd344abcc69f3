// Three bytes a pixel: each thread reads one RGB record and writes one grey byte.
__global__ void grey(const unsigned char *rgb, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}

// An indirect read: the addresses come from memory, so nothing is known about them in advance.
__global__ void gather(const float *src, const int *index, float *dst, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dst[i] = src[index[i]];
}
