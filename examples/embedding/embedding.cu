// The rows of a table that a list names, one for each token, scaled and written one after the other; a token for each thread.
// SIM: look_up --grid 2 --block 64 -- columns:128:50 frand:12800 zero:32768 i32:125 f32:8
#include "../example.h"

enum { WIDTH = 64 };

__global__ void look_up(const int *__restrict__ token, const float *__restrict__ table, float *__restrict__ out, int tokens, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens)
    return;
  const float *row = table + (size_t)token[i] * WIDTH;
  for (int d = 0; d < WIDTH; d++)
    out[(size_t)i * WIDTH + d] = scale * row[d];
}

int main() {
  const int tokens = 1 << 18, words = 50000;
  std::vector<int> token(tokens);
  std::vector<float> table((size_t)words * WIDTH);
  for (int i = 0; i < tokens; i++)
    token[i] = (int)(uniform(i) * uniform(~i) * words); // some words are frequent
  for (size_t i = 0; i < table.size(); i++)
    table[i] = uniform(i) - 0.5f;
  int *device_token = on_device(token);
  float *device_table = on_device(table), *device_out = on_device(std::vector<float>((size_t)tokens * WIDTH));
  auto launch = [&] { look_up<<<(tokens + 127) / 128, 128>>>(device_token, device_table, device_out, tokens, 8.0f); };
  float us = microseconds(launch);
  std::vector<float> out = on_host(device_out, (size_t)tokens * WIDTH);
  bool right = true;
  for (int i = 0; i < tokens; i++)
    for (int d = 0; d < WIDTH; d++)
      right &= out[(size_t)i * WIDTH + d] == 8.0f * table[(size_t)token[i] * WIDTH + d];
  return ended("embedding", right, us);
}
