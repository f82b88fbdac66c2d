// SPDX-License-Identifier: Apache-2.0
// Managed memory: one pointer for host and device, a linked list in it, host writes between
// kernels.
#include "../check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void squareAll(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= values[i];
}
__global__ void sumList(const Node* head, long long* sum) {
  for (const Node* node = head; node; node = node->next)
    *sum += node->value;
}

int main() {
  const int n = 500;
  int* values = nullptr;
  Node* nodes = nullptr;
  long long* sum = nullptr;
  CHECK_CUDA(cudaMallocManaged(&values, n * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&nodes, n * sizeof(Node), cudaMemAttachGlobal));
  CHECK_CUDA(cudaMallocManaged((void**)&sum, sizeof *sum));
  for (int i = 0; i < n; ++i)
    values[i] = i;
  squareAll<<<4, 128>>>(values, n);
  CHECK_LAUNCH();
  long long want = 0;
  for (int i = 0; i < n; ++i) {
    expectEqual("square", values[i], i * i);
    nodes[i] = {values[i] + 1, i + 1 < n ? &nodes[(i + 1)] : nullptr};
    want += i * i + 1;
  }
  *sum = 0;
  sumList<<<1, 1>>>(nodes, sum);
  CHECK_LAUNCH();
  expectEqual("sum", *sum, want);
  std::vector<int> copy(n);
  CHECK_CUDA(cudaMemcpy(copy.data(), values, n * sizeof(int), cudaMemcpyDefault));
  CHECK_CUDA(cudaMemset(values, 0, n * sizeof(int)));
  CHECK_CUDA(cudaDeviceSynchronize());
  expectEqual("copied", copy[n - 1], (n - 1) * (n - 1));
  expectEqual("cleared", values[n - 1], 0);
  CHECK_CUDA(cudaFree(values));
  CHECK_CUDA(cudaFree(nodes));
  CHECK_CUDA(cudaFree(sum));
  return finish();
}
