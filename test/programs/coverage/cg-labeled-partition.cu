// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: labeled_partition
// COVERS: cooperative groups: binary_partition
// A histogram where threads with the same label meet in a group, and odd and even ones in another.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define BINS 7

__global__ void byLabel(const int* labels, const int* weights, int n, int* counts, int* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int label = i < n ? labels[i] : BINS;
  cg::coalesced_group same = cg::labeled_partition(warp, label);
  int weight = cg::reduce(same, i < n ? weights[i] : 0, cg::plus<int>());
  if (same.thread_rank() == 0 && label < BINS) {
    atomicAdd(&counts[label], (int)same.num_threads());
    atomicAdd(&sums[label], weight);
  }
}

__global__ void oddAndEven(const int* values, int n, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  bool odd = i < n && values[i] % 2 != 0;
  auto part = cg::binary_partition(warp, odd);
  int total = cg::reduce(part, i < n ? values[i] : 0, cg::plus<int>());
  if (part.thread_rank() == 0)
    atomicAdd(&out[odd], total);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  int *labels, *weights, *out;
  cudaMallocManaged(&labels, n * sizeof(int));
  cudaMallocManaged(&weights, n * sizeof(int));
  cudaMallocManaged(&out, (2 * BINS + 2) * sizeof(int));
  int want[2 * BINS + 2] = {};
  for (int i = 0; i < n; ++i) {
    labels[i] = i * i % BINS;
    weights[i] = i % 19 + 1;
    want[labels[i]]++;
    want[BINS + labels[i]] += weights[i];
    want[2 * BINS + weights[i] % 2] += weights[i];
  }
  memset(out, 0, sizeof want);
  byLabel<<<(n + 127) / 128, 128>>>(labels, weights, n, out, out + BINS);
  oddAndEven<<<(n + 127) / 128, 128>>>(weights, n, out + 2 * BINS);
  cudaError_t status = cudaDeviceSynchronize();
  bool ok = status == cudaSuccess && memcmp(out, want, sizeof want) == 0;
  for (int b = 0; b < BINS; ++b)
    printf("label %d: %d threads, weight %d\n", b, out[b], out[BINS + b]);
  cudaFree(labels);
  cudaFree(weights);
  cudaFree(out);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
