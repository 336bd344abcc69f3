// y = A x of a sparse matrix in compressed rows, a row for each thread: where a row begins comes out of memory.
// SIM: multiply --grid 2 --block 64 -- rows:128:40 columns:5120:400 frand:20480 frand:1600 zero:512 i32:128
#include "../example.h"

__global__ void multiply(const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                         const float *__restrict__ x, float *__restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

int main() {
  const int rows = 1 << 20;
  std::vector<int> start(rows + 1), column;
  std::vector<float> value, x(rows);
  for (int i = 0; i < rows; i++) { // near the diagonal, as of a mesh
    const int count = 24 + (int)(16 * uniform(i));
    for (int k = 0; k < count; k++) {
      column.push_back(std::min(std::max(i + (int)(400 * uniform(64 * i + k)) - 200, 0), rows - 1));
      value.push_back(uniform(64 * i + k + 1) - 0.5f);
    }
    start[i + 1] = (int)column.size();
    x[i] = uniform(~i) - 0.5f;
  }
  int *device_start = on_device(start), *device_column = on_device(column);
  float *device_value = on_device(value), *device_x = on_device(x), *device_y = on_device(std::vector<float>(rows));
  auto launch = [&] { multiply<<<(rows + 127) / 128, 128>>>(device_start, device_column, device_value, device_x, device_y, rows); };
  float us = microseconds(launch);
  std::vector<float> y = on_host(device_y, rows);
  bool right = true;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += (double)value[k] * x[column[k]];
    right &= is_near(y[i], sum, 1e-3);
  }
  return ended("csr", right, us);
}
