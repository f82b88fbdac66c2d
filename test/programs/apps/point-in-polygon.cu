// SPDX-License-Identifier: Apache-2.0
// Which points lie inside a polygon: a loop over the edges with a data-dependent branch. Arguments:
// points vertices.
#include <cmath>
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

__constant__ float2 polygon[1024];

__host__ __device__ bool inside(const float2* v, int vertices, float2 p) {
  bool in = false;
  for (int i = 0, j = vertices - 1; i < vertices; j = i++)
    if ((v[i].y > p.y) != (v[j].y > p.y)) {
      float slope = (p.y - v[i].y) / (v[j].y - v[i].y);
      if (p.x < (v[j].x - v[i].x) * slope + v[i].x)
        in = !in;
    }
  return in;
}

__global__ void test(const float2* points, int n, int vertices, int* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    result[i] = inside(polygon, vertices, points[i]) ? 1 : 0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000, vertices = argc > 2 ? atoi(argv[2]) : 60;
  if (vertices < 3 || vertices > 1024) {
    printf("FAIL: 3 to 1024 vertices\n");
    return 1;
  }
  std::vector<float2> v(vertices), points(n);
  for (int i = 0; i < vertices; ++i) { // a star
    double angle = 2 * M_PI * i / vertices, radius = i % 2 ? 0.4 : 1.0;
    v[i] = make_float2((float)(radius * cos(angle)), (float)(radius * sin(angle)));
  }
  srand(3);
  for (float2& p : points)
    p = make_float2(rand() % 20001 * 1e-4f - 1.0f, rand() % 20001 * 1e-4f - 1.0f);
  float2* d_points;
  int* d_result;
  CUDA_CHECK(cudaMalloc(&d_points, n * sizeof(float2)));
  CUDA_CHECK(cudaMalloc(&d_result, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpyToSymbol(polygon, v.data(), vertices * sizeof(float2)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  test<<<(n + 255) / 256, 256>>>(d_points, n, vertices, d_result);
  CUDA_CHECK(cudaEventRecord(stop));
  std::vector<int> result(n);
  CUDA_CHECK(cudaMemcpy(result.data(), d_result, n * sizeof(int), cudaMemcpyDeviceToHost));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  int count = 0, different = 0;
  for (int i = 0; i < n; ++i) {
    count += result[i];
    different += result[i] != (inside(v.data(), vertices, points[i]) ? 1 : 0);
  }
  printf("%d of %d points inside, %.3f ms\n", count, n, ms);
  // A point on an edge may fall to either side, by one rounding.
  if (different > n / 1000 || count == 0 || count == n) {
    printf("FAIL: %d differ\n", different);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
