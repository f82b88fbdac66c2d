// SPDX-License-Identifier: Apache-2.0
// k-means of points in four dimensions: labels, sums by atomics in shared memory, new centres.
#include "common.h"

const int K = 12;

__global__ void labelPoints(const float4* points, const float4* centers, int* labels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = points[i];
  float best = 1e30f;
  int label = 0;
  for (int k = 0; k < K; ++k) {
    float4 c = centers[k];
    float d = (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y) + (p.z - c.z) * (p.z - c.z) +
              (p.w - c.w) * (p.w - c.w);
    if (d < best) {
      best = d;
      label = k;
    }
  }
  labels[i] = label;
}

__global__ void sumClusters(const float4* points, const int* labels, float* sums, int* counts,
                            int n) {
  __shared__ float local[K][4];
  __shared__ int number[K];
  if (threadIdx.x < K) {
    number[threadIdx.x] = 0;
    for (int d = 0; d < 4; ++d)
      local[threadIdx.x][d] = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = labels[i];
    atomicAdd(&local[k][0], points[i].x);
    atomicAdd(&local[k][1], points[i].y);
    atomicAdd(&local[k][2], points[i].z);
    atomicAdd(&local[k][3], points[i].w);
    atomicAdd(&number[k], 1);
  }
  __syncthreads();
  if (threadIdx.x < K) {
    for (int d = 0; d < 4; ++d)
      atomicAdd(&sums[4 * threadIdx.x + d], local[threadIdx.x][d]);
    atomicAdd(&counts[threadIdx.x], number[threadIdx.x]);
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 2000), grid = (n + 127) / 128;
  Random random(139);
  std::vector<float4> points(n), centers(K);
  for (int i = 0; i < n; ++i)
    points[i] =
        make_float4(i % K + random.uniform(), i % 3 + random.uniform(), random.uniform(), i % 5);
  for (int k = 0; k < K; ++k)
    centers[k] = points[k * 7];
  float4* p = upload(points);
  int *labels = allocate<int>(n), *counts = allocate<int>(K);
  float* sums = allocate<float>(4 * K);
  bool passed = true;
  for (int step = 0; step < 3; ++step) {
    labelPoints<<<grid, 128>>>(p, upload(centers), labels, n);
    CHECK(cudaMemset(sums, 0, 4 * K * sizeof(float)));
    CHECK(cudaMemset(counts, 0, K * sizeof(int)));
    sumClusters<<<grid, 128>>>(p, labels, sums, counts, n);
    std::vector<float> total = download(sums, 4 * K), want(4 * K, 0.0f);
    std::vector<int> number = download(counts, K), mine = download(labels, n), wantNumber(K, 0);
    for (int i = 0; i < n; ++i) {
      ++wantNumber[mine[i]];
      want[4 * mine[i]] += points[i].x;
      want[4 * mine[i] + 3] += points[i].w;
    }
    passed &= number == wantNumber;
    for (int k = 0; k < K; ++k) {
      passed &=
          near(total[4 * k], want[4 * k], 1e-3) && near(total[4 * k + 3], want[4 * k + 3], 1e-3);
      if (number[k])
        centers[k] = make_float4(total[4 * k] / number[k], total[4 * k + 1] / number[k],
                                 total[4 * k + 2] / number[k], total[4 * k + 3] / number[k]);
    }
  }
  return verdict(passed);
}
