// SPDX-License-Identifier: Apache-2.0
// COVERS: graphs: memory nodes
// A captured stream that allocates and frees: nodes of the graph, which runs more than once.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_TRY(x)                                                                                \
  do {                                                                                             \
    cudaError_t r = (x);                                                                           \
    if (r != cudaSuccess) {                                                                        \
      printf("%s at %d: %s\nFAIL\n", #x, __LINE__, cudaGetErrorString(r));                         \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i];
}
__global__ void add(const int* in, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, in[i]);
}

int main() {
  const int n = 100;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i;
  int *in, *sum, *scratch, got = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA_TRY(cudaMalloc(&in, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&sum, sizeof(int)));
  CUDA_TRY(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemset(sum, 0, sizeof(int)));
  CUDA_TRY(cudaStreamCreate(&stream));
  CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_TRY(cudaMallocAsync((void**)&scratch, n * sizeof(int), stream));
  square<<<1, 128, 0, stream>>>(in, scratch, n);
  add<<<1, 128, 0, stream>>>(scratch, sum, n);
  CUDA_TRY(cudaFreeAsync(scratch, stream));
  CUDA_TRY(cudaStreamEndCapture(stream, &graph));
  size_t number = 0;
  CUDA_TRY(cudaGraphGetNodes(graph, nullptr, &number));
  std::vector<cudaGraphNode_t> nodes(number);
  CUDA_TRY(cudaGraphGetNodes(graph, nodes.data(), &number));
  int kernels = 0, allocations = 0, frees = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CUDA_TRY(cudaGraphNodeGetType(node, &type));
    kernels += type == cudaGraphNodeTypeKernel;
    allocations += type == cudaGraphNodeTypeMemAlloc;
    frees += type == cudaGraphNodeTypeMemFree;
  }
  CUDA_TRY(cudaGraphInstantiate(&exec, graph, 0));
  for (int k = 0; k < 3; ++k)
    CUDA_TRY(cudaGraphLaunch(exec, stream));
  CUDA_TRY(cudaStreamSynchronize(stream));
  CUDA_TRY(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  CUDA_TRY(cudaGraphExecDestroy(exec));
  CUDA_TRY(cudaGraphDestroy(graph));
  CUDA_TRY(cudaDeviceGraphMemTrim(0));
  CUDA_TRY(cudaFree(in));
  CUDA_TRY(cudaFree(sum));
  printf("%d kernels, %d allocations, %d frees, sum %d\n", kernels, allocations, frees, got);
  const bool ok = kernels == 2 && allocations == 1 && frees == 1 && got == 3 * 328350;
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}
