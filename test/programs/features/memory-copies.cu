// SPDX-License-Identifier: Apache-2.0
// cudaMemcpy in every direction, also by cudaMemcpyDefault, with offsets, of zero bytes and to
// itself; Async forms.
#include <cstring>

#include "../check.h"

__global__ void increment(int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    ++values[i];
}

int main() {
  const int n = 1000;
  std::vector<int> a(n), b(n, -1);
  for (int i = 0; i < n; ++i)
    a[i] = i * 3;
  int *first = nullptr, *second = nullptr;
  const size_t bytes = n * sizeof(int);
  CHECK_CUDA(cudaMalloc(&first, bytes));
  CHECK_CUDA(cudaMalloc((void**)&second, bytes));
  expectTrue("two allocations differ", first != second);
  expectEqual("alignment of memory", size_t(first) % 256, size_t(0));

  CHECK_CUDA(cudaMemcpy(first, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice));
  increment<<<1, 128>>>(second, n);
  CHECK_CUDA(cudaMemcpy(b.data(), second, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
  expectArray("there and back", b, [](size_t i) { return int(i) * 3 + 1; });

  CHECK_CUDA(cudaMemcpy(first, b.data(), bytes, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemcpy(second, first + n / 2, bytes / 2, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemcpy(b.data() + 1, second, bytes / 2, cudaMemcpyDefault));
  expectArray("by default, with offsets", b, [](size_t i) {
    return i >= 1 && i <= 500 ? int(i - 1 + 500) * 3 + 1 : int(i) * 3 + 1;
  });

  std::vector<int> c(n);
  CHECK_CUDA(cudaMemcpy(c.data(), a.data(), bytes, cudaMemcpyHostToHost));
  expectArray("host to host", c, [](size_t i) { return int(i) * 3; });
  CHECK_CUDA(cudaMemcpy(first, a.data(), 0, cudaMemcpyHostToDevice));

  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemcpyAsync(first, a.data(), bytes, cudaMemcpyHostToDevice, stream));
  increment<<<1, 64, 0, stream>>>(first, n);
  CHECK_CUDA(cudaMemcpyAsync(second, first, bytes, cudaMemcpyDeviceToDevice, stream));
  increment<<<1, 64, 0, stream>>>(second, n);
  CHECK_CUDA(cudaMemcpyAsync(c.data(), second, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expectArray("in a stream", c, [](size_t i) { return int(i) * 3 + 2; });
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(first));
  CHECK_CUDA(cudaFree(second));
  CHECK_CUDA(cudaFree(nullptr)); // allowed
  return finish();
}
