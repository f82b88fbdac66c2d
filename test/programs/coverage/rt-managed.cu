// SPDX-License-Identifier: Apache-2.0
// COVERS: managed, __managed__
// A linked list and a class in managed memory, walked by host and device; __managed__ variables.
#include <cstdio>
#include <cstdlib>
#include <new>

#include <cuda_runtime.h>

__device__ __managed__ int visits = 0;
__managed__ float scale[4] = {1.0f, 2.0f, 4.0f, 8.0f};

struct Managed {
  void* operator new(size_t bytes) {
    void* p = nullptr;
    if (cudaMallocManaged(&p, bytes) != cudaSuccess)
      throw std::bad_alloc();
    cudaDeviceSynchronize();
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};

struct Node : Managed {
  int value;
  Node* next;
};

__global__ void sumList(const Node* head, int* out) {
  int sum = 0;
  for (const Node* n = head; n; n = n->next) {
    sum += n->value;
    atomicAdd(&visits, 1);
  }
  out[threadIdx.x] = (int)(sum * scale[threadIdx.x]);
}

__global__ void negate(Node* head) {
  for (Node* n = head; n; n = n->next)
    n->value = -n->value;
}

int main(int argc, char** argv) {
  int length = argc > 1 ? atoi(argv[1]) : 50, sum = 0;
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) {
    Node* n = new Node;
    n->value = i * i;
    n->next = head;
    head = n;
    sum += i * i;
  }
  int* out;
  if (cudaMallocManaged(&out, 4 * sizeof(int)) != cudaSuccess)
    return puts("FAIL"), 1;
  visits = 5;
  scale[3] = 16.0f;
  sumList<<<1, 4>>>(head, out);
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess && visits == 5 + 4 * length && out[0] == sum && out[1] == 2 * sum &&
            out[2] == 4 * sum && out[3] == 16 * sum;
  negate<<<1, 1>>>(head);
  ok = ok && cudaDeviceSynchronize() == cudaSuccess;
  int after = 0;
  while (head) {
    after += head->value;
    Node* next = head->next;
    delete head;
    head = next;
  }
  cudaFree(out);
  printf("%s: sum %d, after %d\n", cudaGetErrorString(e), sum, after);
  ok = ok && after == -sum;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
