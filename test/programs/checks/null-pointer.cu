// SPDX-License-Identifier: Apache-2.0
// An allocation whose failure nobody looked at: the kernel writes through a null pointer.
// EXPECT: write of 8 bytes through a null pointer: node->next = head;
// STOPS: a null pointer
#include <cuda_runtime.h>

struct Node {
  int value;
  Node* next;
};

__global__ void link(Node* node, Node* head) {
  if (threadIdx.x == 5)
    node->next = head; // HERE
}

int main() {
  Node* node = nullptr;
  cudaMalloc(&node, size_t(1) << 50);
  cudaGetLastError();
  link<<<1, 32>>>(node, node);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
