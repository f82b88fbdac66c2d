// SPDX-License-Identifier: Apache-2.0
// Several host threads that launch, copy and allocate at once; each has its own last error and its
// own launch configuration.
#include <thread>

#include "../check.h"

__device__ int total;

__global__ void step(int* values, int n, int add) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = values[i] * 3 + add;
  if (i == 0)
    atomicAdd(&total, 1);
}

void work(int id, int n, int steps, std::vector<int>* result, int* errors) {
  cudaStream_t stream;
  int* values = nullptr;
  *errors += cudaStreamCreate(&stream) != cudaSuccess;
  *errors += cudaMalloc(&values, n * sizeof(int)) != cudaSuccess;
  *errors += cudaMemsetAsync(values, 0, n * sizeof(int), stream) != cudaSuccess;
  for (int k = 0; k < steps; ++k)
    step<<<(n + 31 + id) / (32 + id), 32 + id, 0, stream>>>(values, n, id + k);
  result->resize(n);
  *errors += cudaMemcpyAsync(result->data(), values, n * sizeof(int), cudaMemcpyDeviceToHost,
                             stream) != cudaSuccess;
  *errors += cudaStreamSynchronize(stream) != cudaSuccess;
  if (id == 0) { // this thread's own error
    cudaFree(reinterpret_cast<void*>(0x1234));
    *errors += cudaGetLastError() != cudaErrorInvalidValue;
  }
  *errors += cudaGetLastError() != cudaSuccess;
  *errors += cudaFree(values) != cudaSuccess;
  *errors += cudaStreamDestroy(stream) != cudaSuccess;
}

int main() {
  const int threads = 4, n = 300, steps = 10;
  std::vector<std::vector<int>> results(threads);
  std::vector<int> errors(threads, 0);
  std::vector<std::thread> pool;
  for (int id = 0; id < threads; ++id)
    pool.emplace_back(work, id, n, steps, &results[id], &errors[id]);
  for (std::thread& thread : pool)
    thread.join();
  for (int id = 0; id < threads; ++id) {
    int want = 0;
    for (int k = 0; k < steps; ++k)
      want = want * 3 + id + k;
    expectEqual("errors of a thread", errors[id], 0);
    expectArray("results", results[id], [=](size_t) { return want; });
  }
  int launches = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&launches, total, sizeof launches));
  expectEqual("launches", launches, threads * steps);
  return finish();
}
