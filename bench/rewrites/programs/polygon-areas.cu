// SPDX-License-Identifier: Apache-2.0
// Twice the signed area of map polygons stored in slots of equal size but used to various lengths.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define SLOT 64

__global__ void areas(const int2* corners, const unsigned char* used, long long* area, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < n) {
    int m = used[p];
    int2 last = corners[(m - 1) * n + p];
    long long twice = 0;
    for (int k = 0; k < m; ++k) {
      int2 c = corners[k * n + p];
      twice += 1LL * last.x * c.y - 1LL * c.x * last.y;
      last = c;
    }
    area[p] = twice;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300000;
  std::mt19937 gen(1854);
  std::vector<int2> corners(size_t(SLOT) * n);
  std::vector<unsigned char> used(n);
  std::vector<long long> area(n);
  for (int2& c : corners) c = make_int2(gen() % 10000, gen() % 10000);
  for (unsigned char& u : used) u = gen() % 10 == 0 ? 40 + gen() % 25 : 3 + gen() % 8;
  int2* dCorners;
  unsigned char* dUsed;
  long long* dArea;
  cudaMalloc(&dCorners, corners.size() * sizeof(int2));
  cudaMalloc(&dUsed, n);
  cudaMalloc(&dArea, n * sizeof(long long));
  cudaMemcpy(dCorners, corners.data(), corners.size() * sizeof(int2), cudaMemcpyHostToDevice);
  cudaMemcpy(dUsed, used.data(), n, cudaMemcpyHostToDevice);
  areas<<<(n + 127) / 128, 128>>>(dCorners, dUsed, dArea, n);
  cudaMemcpy(area.data(), dArea, n * sizeof(long long), cudaMemcpyDeviceToHost);
  long long sum = 0, magnitude = 0;
  for (long long a : area) {
    sum += a;
    magnitude += a < 0 ? -a : a;
  }
  std::printf("sum %lld magnitude %lld\n", sum, magnitude);
  cudaFree(dCorners);
  cudaFree(dUsed);
  cudaFree(dArea);
  return 0;
}
