// SPDX-License-Identifier: Apache-2.0
// k-means in the plane: centroids in constant memory, sums by atomics, the host moves the
// centroids. Arguments: points clusters.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define MAX_CLUSTERS 64

__constant__ int2 centroids[MAX_CLUSTERS];

// Whole numbers, so that sums are exact in any order.
__host__ __device__ int nearest(int2 p, const int2* c, int clusters) {
  int best = 0, bestDistance = 0x7fffffff;
  for (int k = 0; k < clusters; ++k) {
    int dx = p.x - c[k].x, dy = p.y - c[k].y, distance = dx * dx + dy * dy;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = k;
    }
  }
  return best;
}

__global__ void assign(const int2* points, int n, int clusters, int* owner, int* sums,
                       int* changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = nearest(points[i], centroids, clusters);
  if (owner[i] != k) {
    owner[i] = k;
    atomicAdd(changed, 1);
  }
  atomicAdd(&sums[3 * k], points[i].x);
  atomicAdd(&sums[3 * k + 1], points[i].y);
  atomicAdd(&sums[3 * k + 2], 1);
}

static void move(std::vector<int2>& c, const std::vector<int>& sums) {
  for (size_t k = 0; k < c.size(); ++k)
    if (sums[3 * k + 2])
      c[k] = make_int2(sums[3 * k] / sums[3 * k + 2], sums[3 * k + 1] / sums[3 * k + 2]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000, clusters = argc > 2 ? atoi(argv[2]) : 8;
  if (clusters < 1 || clusters > MAX_CLUSTERS || n < clusters) {
    printf("FAIL: 1 to %d clusters\n", MAX_CLUSTERS);
    return 1;
  }
  std::vector<int2> points(n);
  unsigned state = 11;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    points[i] = make_int2(i % clusters * 1000 + (int)(state >> 16) % 600,
                          i % 3 * 1500 + (int)(state >> 8) % 600);
  }
  std::vector<int2> c(points.begin(), points.begin() + clusters), reference = c;
  int2* d_points;
  int *d_owner, *d_sums, *d_changed, changed = 1, rounds = 0;
  std::vector<int> sums(3 * clusters), owner(n);
  CUDA_CHECK(cudaMalloc(&d_points, n * sizeof(int2)));
  CUDA_CHECK(cudaMalloc(&d_owner, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, sums.size() * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_changed, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_points, points.data(), n * sizeof(int2), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_owner, 0xff, n * sizeof(int)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  for (; changed > 0 && rounds < 20; ++rounds) {
    CUDA_CHECK(cudaMemcpyToSymbol(centroids, c.data(), clusters * sizeof(int2)));
    CUDA_CHECK(cudaMemset(d_sums, 0, sums.size() * sizeof(int)));
    CUDA_CHECK(cudaMemset(d_changed, 0, sizeof(int)));
    assign<<<(n + 127) / 128, 128>>>(d_points, n, clusters, d_owner, d_sums, d_changed);
    CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    move(c, sums);
  }
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(owner.data(), d_owner, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d points, %d clusters: %d rounds, %.3f ms\n", n, clusters, rounds, ms);
  std::vector<int> want(n);
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> s(3 * clusters, 0);
    for (int i = 0; i < n; ++i) {
      int k = want[i] = nearest(points[i], reference.data(), clusters);
      s[3 * k] += points[i].x;
      s[3 * k + 1] += points[i].y;
      ++s[3 * k + 2];
    }
    move(reference, s);
  }
  if (owner != want) {
    printf("FAIL: points belong elsewhere\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
