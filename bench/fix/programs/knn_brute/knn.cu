// SPDX-License-Identifier: Apache-2.0
// k nearest neighbours by brute force. Each thread keeps the K best of its query in a sorted list.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#define CHECK_CUDA(expr)                                                                 \
  {                                                                                      \
    auto status = (expr);                                                                \
    if (status != cudaSuccess) {                                                         \
      std::cerr << #expr << " -> " << cudaGetErrorString(status) << '\n';                \
      std::exit(1);                                                                      \
    }                                                                                    \
  }

struct Neighbour {
  int distance;
  int index;
};

// Keeps `best` sorted; equal distances keep the smaller index first because candidates come in order.
template <int K>
__device__ void insert_sorted(Neighbour (&best)[K], int distance, int index) {
  if (distance >= best[K - 1].distance) return;
  int k = K - 1;
  while (k > 0 && best[k - 1].distance > distance) {
    best[k] = best[k - 1];
    --k;
  }
  best[k].distance = distance;
  best[k].index = index;
}

template <int K, int DIM>
__global__ void knn(const short* __restrict__ refs, int num_refs, const short* __restrict__ queries, int num_queries,
                    Neighbour* __restrict__ out) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= num_queries) return;

  Neighbour best[K];
  for (int k = 0; k < K; ++k) best[k] = {0x7fffffff, -1};
  for (int r = 0; r < num_refs; ++r) {
    int distance = 0;
    for (int d = 0; d < DIM; ++d) {
      int diff = refs[r * DIM + d] - queries[q * DIM + d];
      distance += diff * diff;
      if (distance >= best[K - 1].distance) break;  // cannot get better
    }
    insert_sorted<K>(best, distance, r);
  }
  for (int k = 0; k < K; ++k) out[q * K + k] = best[k];
}

int main() {
  constexpr int K = 8, DIM = 6, R = 1500, Q = 1000;
  std::mt19937 rng(11);
  std::vector<short> refs(R * DIM), queries(Q * DIM);
  for (auto& v : refs) v = rng() % 1000;
  for (auto& v : queries) v = rng() % 1000;

  short *d_refs, *d_queries;
  Neighbour* d_out;
  CHECK_CUDA(cudaMalloc(&d_refs, refs.size() * sizeof(short)));
  CHECK_CUDA(cudaMalloc(&d_queries, queries.size() * sizeof(short)));
  CHECK_CUDA(cudaMalloc(&d_out, Q * K * sizeof(Neighbour)));
  CHECK_CUDA(cudaMemcpy(d_refs, refs.data(), refs.size() * sizeof(short), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(d_queries, queries.data(), queries.size() * sizeof(short), cudaMemcpyHostToDevice));

  auto t0 = std::chrono::steady_clock::now();
  knn<K, DIM><<<(Q + 127) / 128, 128>>>(d_refs, R, d_queries, Q, d_out);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - t0;

  std::vector<Neighbour> out(Q * K);
  CHECK_CUDA(cudaMemcpy(out.data(), d_out, out.size() * sizeof(Neighbour), cudaMemcpyDeviceToHost));

  int errors = 0;
  long long checksum = 0;
  for (int q = 0; q < Q; ++q) {
    std::vector<std::pair<int, int>> all(R);
    for (int r = 0; r < R; ++r) {
      int s = 0;
      for (int d = 0; d < DIM; ++d) {
        int diff = refs[r * DIM + d] - queries[q * DIM + d];
        s += diff * diff;
      }
      all[r] = {s, r};
    }
    std::partial_sort(all.begin(), all.begin() + K, all.end());
    for (int k = 0; k < K; ++k) {
      if (out[q * K + k].distance != all[k].first || out[q * K + k].index != all[k].second) ++errors;
      checksum += (long long)out[q * K + k].index * (k + 1);
    }
  }
  std::cout << "kNN of " << Q << " queries among " << R << " points, K = " << K << ": " << elapsed.count() << " ms\n";
  std::cout << "checksum " << checksum << ", errors " << errors << std::endl;

  cudaFree(d_refs);
  cudaFree(d_queries);
  cudaFree(d_out);
  return errors ? 1 : 0;
}
