// SPDX-License-Identifier: Apache-2.0
// malloc, free, new and delete in kernels: each thread its own memory, kept from one launch to the
// next.
#include "../check.h"

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** heads) {
  const int i = threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k < i % 5 + 1; ++k) {
    Node* node = (Node*)malloc(sizeof(Node));
    node->value = i * 10 + k;
    node->next = head;
    head = node;
  }
  heads[i] = head;
}

__global__ void sumAndFree(Node** heads, int* sums) {
  const int i = threadIdx.x;
  int sum = 0;
  for (Node* node = heads[i]; node;) {
    Node* next = node->next;
    sum += node->value;
    free(node);
    node = next;
  }
  int* scratch = new int[i + 1];
  for (int k = 0; k <= i; ++k)
    scratch[k] = k;
  sums[i] = sum + scratch[i / 2];
  delete[] scratch;
}

int main() {
  DeviceArray<Node*> heads(64);
  DeviceArray<int> sums(64);
  build<<<1, 64>>>(heads);
  sumAndFree<<<1, 64>>>(heads, sums);
  CHECK_LAUNCH();
  expectArray("sums", sums.read(), [](size_t n) {
    const int i = int(n);
    int sum = i / 2;
    for (int k = 0; k < i % 5 + 1; ++k)
      sum += i * 10 + k;
    return sum;
  });
  return finish();
}
