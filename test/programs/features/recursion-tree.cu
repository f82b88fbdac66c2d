// SPDX-License-Identifier: Apache-2.0
// A recursive walk over a binary search tree in global memory: each thread asks for its own range.
#include "../check.h"

struct Node {
  int key, left, right;
};

__host__ __device__ __noinline__ int sumInRange(const Node* nodes, int at, int low, int high) {
  if (at < 0)
    return 0;
  const Node node = nodes[at];
  int sum = 0;
  if (node.key > low)
    sum += sumInRange(nodes, node.left, low, high);
  if (node.key >= low && node.key <= high)
    sum += node.key;
  if (node.key < high)
    sum += sumInRange(nodes, node.right, low, high);
  return sum;
}

__global__ void query(const Node* nodes, int* out) {
  const int i = threadIdx.x;
  out[i] = sumInRange(nodes, 0, i * 5, i * 5 + i % 60);
}

int main() {
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  std::vector<Node> nodes;
  for (int i = 0; i < 300; ++i) {
    const int key = (i * 197 + 31) % 599;
    int at = nodes.empty() ? -1 : 0;
    int* link = nullptr;
    while (at >= 0) {
      link = key < nodes[at].key ? &nodes[at].left : &nodes[at].right;
      at = *link;
    }
    if (link)
      *link = i;
    nodes.push_back({key, -1, -1});
  }
  DeviceArray<Node> device(nodes);
  DeviceArray<int> out(128);
  query<<<1, 128>>>(device, out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [&](size_t n) {
    const int low = int(n) * 5, high = low + int(n) % 60;
    int sum = 0;
    for (const Node& node : nodes)
      sum += node.key >= low && node.key <= high ? node.key : 0;
    return sum;
  });
  return finish();
}
