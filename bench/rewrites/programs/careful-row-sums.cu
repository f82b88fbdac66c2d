// SPDX-License-Identifier: Apache-2.0
// Row sums with a running compensation for rounding, for rows of very mixed magnitudes.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void compensatedSums(const int* start, const float* value, float2* result, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0.0f, lost = 0.0f;
    for (int k = start[r]; k < start[r + 1]; ++k) {
      float y = value[k] - lost;
      float t = sum + y;
      lost = (t - sum) - y;
      sum = t;
    }
    result[r] = make_float2(sum, lost);
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 150000;
  std::mt19937 gen(1965);
  std::vector<int> start(rows + 1, 0);
  for (int r = 0; r < rows; ++r) start[r + 1] = start[r] + 8 + gen() % 80;
  std::vector<float> value(start[rows]);
  for (float& v : value) {
    float m = (gen() & 0xffff) / 65536.0f + 1.0f;
    v = m * static_cast<float>(1 << (gen() % 24)) / 1024.0f;
  }
  int* dStart;
  float* dValue;
  float2* dResult;
  cudaMalloc(&dStart, start.size() * sizeof(int));
  cudaMalloc(&dValue, value.size() * sizeof(float));
  cudaMalloc(&dResult, rows * sizeof(float2));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValue, value.data(), value.size() * sizeof(float), cudaMemcpyHostToDevice);
  compensatedSums<<<(rows + 255) / 256, 256>>>(dStart, dValue, dResult, rows);
  std::vector<float2> result(rows);
  cudaMemcpy(result.data(), dResult, rows * sizeof(float2), cudaMemcpyDeviceToHost);
  double sum = 0, lost = 0;
  for (const float2& r : result) {
    sum += r.x;
    lost += r.y;
  }
  std::printf("sum %.9e lost %.9e\n", sum, lost);
  cudaFree(dStart);
  cudaFree(dValue);
  cudaFree(dResult);
  return 0;
}
