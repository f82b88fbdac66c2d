// SPDX-License-Identifier: Apache-2.0
// Time steps of the wave equation on a membrane, in blocks of 32x8 threads.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void waveStep(const float* now, const float* before, float* after, int side,
                         float c2) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col <= 0 || row <= 0 || col >= side - 1 || row >= side - 1) return;
  int k = row * side + col;
  float lap = now[k - 1] + now[k + 1] + now[k - side] + now[k + side] - 4.0f * now[k];
  after[k] = 2.0f * now[k] - before[k] + c2 * lap;
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 1000 * 1000;
  int side = 4;
  while (side * side < cells) ++side;
  std::vector<float> u(side * side, 0.0f);
  for (int y = side / 4; y < side / 2; ++y) {
    for (int x = side / 3; x < side / 2; ++x) u[y * side + x] = 1.0f + ((x + y) % 5) * 0.1f;
  }
  size_t bytes = u.size() * sizeof(float);
  float* d[3];
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&d[k], bytes);
    cudaMemcpy(d[k], u.data(), bytes, cudaMemcpyHostToDevice);
  }
  dim3 threads(32, 8);
  dim3 blocks((side + 31) / 32, (side + 7) / 8);
  for (int t = 0; t < 6; ++t) {
    waveStep<<<blocks, threads>>>(d[(t + 1) % 3], d[t % 3], d[(t + 2) % 3], side, 0.2f);
  }
  cudaMemcpy(u.data(), d[(5 + 2) % 3], bytes, cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float v : u) {
    sum += v;
    squares += double(v) * v;
  }
  std::printf("sum %.4e energy %.4e\n", sum, squares);
  for (int k = 0; k < 3; ++k) cudaFree(d[k]);
  return 0;
}
