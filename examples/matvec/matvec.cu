// y = A x, a row for each thread: the textbook's loop, and neighbouring threads a whole row apart.
// SIM: multiply --grid 4 --block 64 -- frand:65536 frand:256 zero:1024 i32:250 i32:64
#include "../example.h"

__global__ void multiply(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = 0; j < columns; j++)
    sum += a[row * columns + j] * x[j];
  y[row] = sum;
}

int main() {
  const int rows = 1 << 16, columns = 1 << 10;
  std::vector<float> a((size_t)rows * columns), x(columns);
  for (size_t i = 0; i < a.size(); i++)
    a[i] = uniform(i) - 0.5f;
  for (int j = 0; j < columns; j++)
    x[j] = uniform(~j) - 0.5f;
  float *device_a = on_device(a), *device_x = on_device(x), *device_y = on_device(std::vector<float>(rows));
  auto launch = [&] { multiply<<<(rows + 127) / 128, 128>>>(device_a, device_x, device_y, rows, columns); };
  float us = microseconds(launch);
  std::vector<float> y = on_host(device_y, rows);
  bool right = true;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++)
      sum += (double)a[(size_t)i * columns + j] * x[j];
    right &= is_near(y[i], sum, 1e-3);
  }
  return ended("matvec", right, us);
}
