// SPDX-License-Identifier: Apache-2.0
// COVERS: cooperative groups, cooperative groups: thread_block
// A block reduction written with thread_block: ranks, sizes, indices and sync of the group.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = call;                                                                \
    if (error != cudaSuccess) {                                                                    \
      printf("Error: %s:%d, code: %d, reason: %s\nFAIL\n", __FILE__, __LINE__, error,              \
             cudaGetErrorString(error));                                                           \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

// Any group will do: the pattern of the programming guide, by whoever calls it.
template <typename Group> __device__ int reduceSum(Group g, int* temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i)
      val += temp[lane + i];
    g.sync();
  }
  return val;
}

__global__ void sumKernel(const int4* in, int n, int* out, int* wrong) {
  extern __shared__ int temp[];
  cg::thread_block block = cg::this_thread_block();
  dim3 index = block.thread_index(), group = block.group_index(), dim = block.dim_threads();
  unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (block.thread_rank() != rank || block.size() != blockDim.x * blockDim.y * blockDim.z ||
      index.y != threadIdx.y || group.x != blockIdx.x || dim.z != blockDim.z ||
      block.num_threads() != block.size())
    atomicAdd(wrong, 1);
  int sum = 0;
  for (int i = blockIdx.x * block.size() + block.thread_rank(); i < n / 4;
       i += block.size() * gridDim.x) {
    int4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  int total = reduceSum(block, temp, sum);
  cg::sync(block);
  if (block.thread_rank() == 0)
    atomicAdd(out, total);
}

int main(int argc, char** argv) {
  int n = (argc > 1 ? atoi(argv[1]) : 1 << 14) / 4 * 4;
  std::vector<int> data(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += data[i] = i % 11 - 3;
  int *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, 2 * sizeof(int)));
  CHECK(cudaMemset(out, 0, 2 * sizeof(int)));
  CHECK(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  dim3 block(16, 4, 2);
  sumKernel<<<6, block, 128 * sizeof(int)>>>((int4*)in, n, out, out + 1);
  CHECK(cudaGetLastError());
  int result[2];
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  printf("sum %d, expected %d, %d threads with wrong ranks\n", result[0], expected, result[1]);
  bool ok = result[0] == expected && result[1] == 0;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
