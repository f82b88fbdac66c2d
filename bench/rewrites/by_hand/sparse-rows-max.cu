// SPDX-License-Identifier: Apache-2.0
// Largest absolute entry of every row of a sparse matrix (for row equilibration).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

const int LANES = 16;

__global__ void rowMax(const int* start, const float* values, float* rowScale, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  int end = row < rows ? start[row + 1] : 0;
  float m = 0.0f;
  for (int k = row < rows ? start[row] + lane : 0; k < end; k += LANES) {
    m = fmaxf(m, fabsf(values[k]));
  }
  for (int d = LANES / 2; d > 0; d /= 2) m = fmaxf(m, __shfl_down_sync(~0u, m, d, LANES));
  if (row < rows && lane == 0) rowScale[row] = m > 0.0f ? 1.0f / m : 1.0f;
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 300000;
  std::mt19937 gen(42);
  std::exponential_distribution<double> lengths(1.0 / 40.0);
  std::vector<int> start(rows + 1, 0);
  for (int r = 0; r < rows; ++r) {
    start[r + 1] = start[r] + static_cast<int>(std::min(lengths(gen), 2000.0));
  }
  std::vector<float> values(start[rows]);
  for (float& v : values) v = (static_cast<int>(gen() % 20001) - 10000) / 4096.0f;

  int* dStart;
  float *dValues, *dScale;
  cudaMalloc(&dStart, start.size() * sizeof(int));
  cudaMalloc(&dValues, values.size() * sizeof(float));
  cudaMalloc(&dScale, rows * sizeof(float));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValues, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);

  rowMax<<<(rows * LANES + 255) / 256, 256>>>(dStart, dValues, dScale, rows);

  std::vector<float> scale(rows);
  cudaMemcpy(scale.data(), dScale, rows * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float s : scale) sum += s;
  std::printf("nonzeros %d, sum of scales %.9f\n", start[rows], sum);
  cudaFree(dStart);
  cudaFree(dValues);
  cudaFree(dScale);
  return 0;
}
