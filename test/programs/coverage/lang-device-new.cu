// SPDX-License-Identifier: Apache-2.0
// COVERS: device malloc, device new
// Trees and arrays made with new and malloc on the device, kept over launches, freed there.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

struct Tree {
  int key, count;
  Tree *left, *right;
  __device__ explicit Tree(int k) : key(k), count(1), left(nullptr), right(nullptr) {}
  __device__ ~Tree() { count = -1; }
};

__device__ Tree* roots[64];

__global__ void build(int n) {
  int t = threadIdx.x;
  Tree* root = nullptr;
  for (int i = 0; i < n; ++i) {
    int key = (i * 37 + t * 11) % 101;
    Tree** at = &root;
    while (*at && (*at)->key != key)
      at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    if (*at)
      ++(*at)->count;
    else
      *at = new Tree(key);
  }
  roots[t] = root;
}

__device__ long long sumAndFree(Tree* t) {
  if (!t)
    return 0;
  long long s = (long long)t->key * t->count + sumAndFree(t->left) + sumAndFree(t->right);
  delete t;
  return s;
}

__global__ void finish(long long* sums) {
  sums[threadIdx.x] = sumAndFree(roots[threadIdx.x]);
}

__global__ void arrays(int* ok) {
  __shared__ int* shared;
  if (threadIdx.x == 0)
    shared = (int*)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (!shared)
    return;
  shared[threadIdx.x] = threadIdx.x;
  int* own = new int[8]();
  for (int i = 0; i < 8; ++i)
    own[i] += i;
  __syncthreads();
  ok[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x] + own[7] * 1000;
  delete[] own;
  __syncthreads();
  if (threadIdx.x == 0)
    free(shared);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  long long* sums;
  int* ok;
  if (cudaMallocManaged(&sums, 64 * sizeof(long long)) || cudaMallocManaged(&ok, 64 * sizeof(int)))
    return puts("FAIL"), 1;
  cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024); // the walk over a tree is recursive
  build<<<1, 64>>>(n);
  finish<<<1, 64>>>(sums);
  arrays<<<1, 64>>>(ok);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int t = 0; t < 64; ++t) {
    long long want = 0;
    for (int i = 0; i < n; ++i)
      want += (i * 37 + t * 11) % 101;
    bad += sums[t] != want || ok[t] != 63 - t + 7000;
  }
  cudaFree(sums);
  cudaFree(ok);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
