// SPDX-License-Identifier: Apache-2.0
// Bounding box of a cloud of integer points, by atomic minimum and maximum.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Box {
  int lo[3];
  int hi[3];
};

__global__ void extent(const int3* points, Box* box, int n) {
  int3 lo = make_int3(INT_MAX, INT_MAX, INT_MAX);
  int3 hi = make_int3(INT_MIN, INT_MIN, INT_MIN);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int3 p = points[i];
    lo = make_int3(min(lo.x, p.x), min(lo.y, p.y), min(lo.z, p.z));
    hi = make_int3(max(hi.x, p.x), max(hi.y, p.y), max(hi.z, p.z));
  }
  lo.x = __reduce_min_sync(~0u, lo.x);
  lo.y = __reduce_min_sync(~0u, lo.y);
  lo.z = __reduce_min_sync(~0u, lo.z);
  hi.x = __reduce_max_sync(~0u, hi.x);
  hi.y = __reduce_max_sync(~0u, hi.y);
  hi.z = __reduce_max_sync(~0u, hi.z);
  if (threadIdx.x % 32 == 0) {
    atomicMin(&box->lo[0], lo.x);
    atomicMin(&box->lo[1], lo.y);
    atomicMin(&box->lo[2], lo.z);
    atomicMax(&box->hi[0], hi.x);
    atomicMax(&box->hi[1], hi.y);
    atomicMax(&box->hi[2], hi.z);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  std::mt19937 gen(1701);
  std::normal_distribution<double> normal(0.0, 10000.0);
  std::vector<int3> points(n);
  for (int3& p : points) {
    p.x = static_cast<int>(normal(gen));
    p.y = static_cast<int>(normal(gen));
    p.z = static_cast<int>(normal(gen));
  }
  Box box = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};
  int3* dPoints;
  Box* dBox;
  cudaMalloc(&dPoints, n * sizeof(int3));
  cudaMalloc(&dBox, sizeof(Box));
  cudaMemcpy(dPoints, points.data(), n * sizeof(int3), cudaMemcpyHostToDevice);
  cudaMemcpy(dBox, &box, sizeof(Box), cudaMemcpyHostToDevice);
  extent<<<528, 256>>>(dPoints, dBox, n);
  cudaMemcpy(&box, dBox, sizeof(Box), cudaMemcpyDeviceToHost);
  for (int d = 0; d < 3; ++d) std::printf("[%d, %d]\n", box.lo[d], box.hi[d]);
  cudaFree(dPoints);
  cudaFree(dBox);
  return 0;
}
