// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: BlockReduce, templates
// Sums and maxima of blocks by cub::BlockReduce with three algorithms. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/block/block_reduce.cuh>

#define CUDA_CHECK(x)                                                                              \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("%s:%d: %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorString(e));                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct Maximum {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <int BLOCK, cub::BlockReduceAlgorithm ALGORITHM>
__global__ void reduce(const int* in, int n, int* sum, int* most) {
  using BlockReduce = cub::BlockReduce<int, BLOCK, ALGORITHM>;
  __shared__ typename BlockReduce::TempStorage storage;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int valid = min(BLOCK, n - (int)blockIdx.x * BLOCK);
  int v = i < n ? in[i] : 0;
  int total = BlockReduce(storage).Sum(v);
  __syncthreads();
  int largest = BlockReduce(storage).Reduce(v, Maximum(), valid);
  if (threadIdx.x == 0) {
    atomicAdd(sum, total);
    atomicMax(most, largest);
  }
}

template <int BLOCK, cub::BlockReduceAlgorithm ALGORITHM>
bool test(const char* name, const std::vector<int>& data) {
  int n = (int)data.size(), sum = 0, most = data[0];
  for (int v : data) {
    sum += v;
    most = v > most ? v : most;
  }
  int *in, *out, got[2] = {0, -1000000};
  CUDA_CHECK(cudaMalloc(&in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&out, sizeof got));
  CUDA_CHECK(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(out, got, sizeof got, cudaMemcpyHostToDevice));
  reduce<BLOCK, ALGORITHM><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, n, out, out + 1);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  printf("%s of %d: sum %d (%d), most %d (%d)\n", name, BLOCK, got[0], sum, got[1], most);
  return got[0] == sum && got[1] == most;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000;
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = i * 37 % 1009 - 2000;
  bool ok = test<128, cub::BLOCK_REDUCE_WARP_REDUCTIONS>("warp reductions", data);
  ok &= test<64, cub::BLOCK_REDUCE_RAKING>("raking", data);
  ok &= test<96, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>("raking, commutative", data);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
