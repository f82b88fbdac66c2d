// SPDX-License-Identifier: Apache-2.0
// Advances a one-step fuel chemistry in the grid cells hot enough to burn (a few round regions).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t err_ = (call);                                                   \
    if (err_ != cudaSuccess) {                                                   \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,                     \
                   cudaGetErrorString(err_));                                    \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

__global__ void burn(float* temp, float* fuel, int nx, int ny, float ignition, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    int c = j * nx + i;
    float t = temp[c];
    if (t > ignition) {
      float y = fuel[c];
      for (int step = 0; step < 24; ++step) {
        float rate = 3.0f * y * expf(-6.0f / t);
        y -= dt * rate;
        t += 1.5f * dt * rate;
      }
      temp[c] = t;
      fuel[c] = y;
    }
  }
}

int main(int argc, char** argv) {
  int cells = argc > 1 ? std::atoi(argv[1]) : 1500 * 1500;
  int nx = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(cells))));
  int ny = nx;
  size_t n = static_cast<size_t>(nx) * ny;
  std::vector<float> temp(n), fuel(n);
  const float cx[4] = {0.2f, 0.7f, 0.4f, 0.85f}, cy[4] = {0.3f, 0.25f, 0.75f, 0.8f};
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      float t = 0.3f;
      for (int b = 0; b < 4; ++b) {
        float dx = i / float(nx) - cx[b], dy = j / float(ny) - cy[b];
        t += 1.4f * std::exp(-60.0f * (dx * dx + dy * dy));
      }
      temp[size_t(j) * nx + i] = t;
      fuel[size_t(j) * nx + i] = 1.0f - 0.1f * ((i * 7 + j * 13) % 10) / 10.0f;
    }
  }
  float *dTemp, *dFuel;
  CHECK(cudaMalloc(&dTemp, n * sizeof(float)));
  CHECK(cudaMalloc(&dFuel, n * sizeof(float)));
  CHECK(cudaMemcpy(dTemp, temp.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dFuel, fuel.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  dim3 threads(16, 16);
  dim3 blocks((nx + 15) / 16, (ny + 15) / 16);
  burn<<<blocks, threads>>>(dTemp, dFuel, nx, ny, 0.9f, 0.01f);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(temp.data(), dTemp, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(fuel.data(), dFuel, n * sizeof(float), cudaMemcpyDeviceToHost));
  double heat = 0, left = 0;
  for (size_t c = 0; c < n; ++c) {
    heat += temp[c];
    left += fuel[c];
  }
  std::printf("mean temperature %.5f mean fuel %.5f\n", heat / n, left / n);
  CHECK(cudaFree(dTemp));
  CHECK(cudaFree(dFuel));
  return 0;
}
