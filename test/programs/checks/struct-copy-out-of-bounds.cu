// SPDX-License-Identifier: Apache-2.0
// Copies a whole struct from behind the end of an array.
// EXPECT: a read outside: nodes[i] for i >= 20
// STOPS: reads 4 bytes at
#include <cuda_runtime.h>

struct Node {
  float point[3];
  int left, right, axis;
};

__global__ void look(const Node* nodes, float* out) {
  const int i = threadIdx.x;
  const Node node = nodes[i]; // HERE
  out[i] = node.point[node.axis];
}

int main() {
  Node* nodes = nullptr;
  float* out = nullptr;
  cudaMalloc(&nodes, 20 * sizeof(Node));
  cudaMemset(nodes, 0, 20 * sizeof(Node));
  cudaMalloc(&out, 32 * sizeof(float));
  look<<<1, 32>>>(nodes, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
