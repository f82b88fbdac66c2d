// SPDX-License-Identifier: Apache-2.0
// COVERS: clusters, clusters: distributed shared memory, clusters: occupancy, cudaLaunchKernelEx
// A histogram too large for the shared memory of one block, which lies in that of a cluster, and the
// softmax of long rows, each by a cluster whose blocks hand each other their maxima and sums.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status));   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void clusterHistogram(int* bins, int nbins, int binsPerBlock, const int* input, int n) {
  extern __shared__ int smem[];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x)
    smem[i] = 0;
  cluster.sync(); // all bins are zero before anyone counts
  int tid = (int)cg::this_grid().thread_rank();
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    int bin = input[i] < 0 ? 0 : input[i] >= nbins ? nbins - 1 : input[i];
    int* remote = cluster.map_shared_rank(smem, bin / binsPerBlock);
    atomicAdd(remote + bin % binsPerBlock, 1);
  }
  cluster.sync(); // nobody leaves while others count here
  int* mine = bins + rank * binsPerBlock;
  for (int i = threadIdx.x; i < binsPerBlock; i += blockDim.x)
    atomicAdd(&mine[i], smem[i]);
}

template <bool MAX> __device__ float combine(float a, float b) {
  return MAX ? fmaxf(a, b) : a + b;
}

// The result is in all threads of the cluster.
template <bool MAX> __device__ float clusterReduce(float value) {
  __shared__ float ofWarp[32];
  __shared__ float ofBlock;
  cg::cluster_group cluster = cg::this_cluster();
  const float nothing = MAX ? -INFINITY : 0.0f;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2)
    value = combine<MAX>(value, __shfl_xor_sync(0xffffffffu, value, d));
  if (lane == 0)
    ofWarp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < (int)blockDim.x / 32 ? ofWarp[lane] : nothing;
    for (int d = 16; d > 0; d /= 2)
      value = combine<MAX>(value, __shfl_xor_sync(0xffffffffu, value, d));
    if (lane == 0)
      ofBlock = value;
  }
  cluster.sync();
  value = nothing;
  for (unsigned r = 0; r < cluster.num_blocks(); ++r)
    value = combine<MAX>(value, *cluster.map_shared_rank(&ofBlock, r));
  cluster.sync();
  return value;
}

// A cluster of four blocks has a row.
__global__ void __cluster_dims__(4, 1, 1) softmax(const float* in, float* out, int columns) {
  cg::cluster_group cluster = cg::this_cluster();
  const float* row = in + (size_t)blockIdx.y * columns;
  float* result = out + (size_t)blockIdx.y * columns;
  int first = cluster.thread_rank(), step = cluster.num_threads();
  float most = -INFINITY, sum = 0.0f;
  for (int i = first; i < columns; i += step)
    most = fmaxf(most, row[i]);
  most = clusterReduce<true>(most);
  for (int i = first; i < columns; i += step)
    sum += expf(row[i] - most);
  sum = clusterReduce<false>(sum);
  for (int i = first; i < columns; i += step)
    result[i] = expf(row[i] - most) / sum;
}

static bool testHistogram(int n, int nbins, int clusterSize) {
  std::vector<int> in(n), want(nbins, 0), got(nbins);
  unsigned seed = 12345;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = (int)(seed >> 8) % (nbins + 20) - 10;
    ++want[in[i] < 0 ? 0 : in[i] >= nbins ? nbins - 1 : in[i]];
  }
  int *dIn, *dBins;
  CHECK(cudaMalloc(&dIn, n * sizeof(int)));
  CHECK(cudaMalloc(&dBins, nbins * sizeof(int)));
  CHECK(cudaMemcpy(dIn, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dBins, 0, nbins * sizeof(int)));

  int binsPerBlock = nbins / clusterSize;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4 * clusterSize);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = binsPerBlock * sizeof(int);
  CHECK(cudaFuncSetAttribute(clusterHistogram, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)config.dynamicSmemBytes));
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = clusterSize;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  int active = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&active, clusterHistogram, &config));
  CHECK(cudaLaunchKernelEx(&config, clusterHistogram, dBins, nbins, binsPerBlock,
                           (const int*)dIn, n));
  CHECK(cudaMemcpy(got.data(), dBins, nbins * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dBins));
  bool ok = got == want && active > 0;
  printf("histogram of %d bins in clusters of %d: %s\n", nbins, clusterSize, ok ? "ok" : "wrong");
  return ok;
}

static bool testSoftmax(int rows, int columns) {
  std::vector<float> in((size_t)rows * columns), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = (float)((i * 7919) % 1001) / 100.0f - 5.0f;
  float *dIn, *dResult;
  CHECK(cudaMalloc(&dIn, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&dResult, in.size() * sizeof(float)));
  CHECK(cudaMemcpy(dIn, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  softmax<<<dim3(4, rows), 96>>>(dIn, dResult, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dResult, in.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dIn));
  CHECK(cudaFree(dResult));
  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += exp((double)in[(size_t)r * columns + c]);
    for (int c = 0; c < columns; ++c) {
      size_t i = (size_t)r * columns + c;
      worst = fmax(worst, fabs(out[i] * sum / exp((double)in[i]) - 1));
    }
  }
  printf("softmax of %d rows of %d: %s\n", rows, columns, worst < 1e-5 ? "ok" : "wrong");
  return worst < 1e-5;
}

int main() {
  int device = 0, clusters = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device));
  if (!clusters) {
    puts("the device has no clusters");
    return 1;
  }
  bool ok = true;
  for (int size : {1, 2, 8})
    ok = testHistogram(20000, 16384, size) && ok;
  ok = testSoftmax(6, 1234) && ok;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
