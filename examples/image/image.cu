// A blur of 3 x 3 pixels whose author counts rows by threadIdx.x, as one who comes from images[row][column] does.
// SIM: blur --grid 4,4 --block 16,16 -- frand:13120 zero:13120 i32:40 i32:82
#include "../example.h"

// The first and the last of the edge stand for what is outside.
__host__ __device__ inline float blurred(const float *in, int row, int column, int rows, int columns) {
  float sum = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      int r = row + i, c = column + j;
      r = r < 0 ? 0 : r >= rows ? rows - 1 : r;
      c = c < 0 ? 0 : c >= columns ? columns - 1 : c;
      sum += in[r * columns + c] * (float)((2 - i * i) * (2 - j * j)) / 16;
    }
  return sum;
}

__global__ void blur(const float *__restrict__ in, float *__restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    out[row * columns + column] = blurred(in, row, column, rows, columns);
}

int main() {
  const int rows = 4000, columns = 6000;
  std::vector<float> in((size_t)rows * columns);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = uniform(i);
  float *device_in = on_device(in), *device_out = on_device(in);
  dim3 block(16, 16), grid((rows + 15) / 16, (columns + 15) / 16);
  auto launch = [&] { blur<<<grid, block>>>(device_in, device_out, rows, columns); };
  float us = microseconds(launch);
  std::vector<float> out = on_host(device_out, in.size());
  bool right = true;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      right &= is_near(out[(size_t)i * columns + j], blurred(in.data(), i, j, rows, columns), 1e-5);
  return ended("image", right, us);
}
