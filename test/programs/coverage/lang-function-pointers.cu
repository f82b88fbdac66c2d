// SPDX-License-Identifier: Apache-2.0
// COVERS: function pointers, symbols
// Functions chosen at run time: a device pointer fetched by the host, a table in constant memory, a
// template argument, and pointers to members.
#include <cmath>
#include <cstdio>
#include <cstdlib>

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) {
  return a + b;
}
__device__ int subtract(int a, int b) {
  return a - b;
}
__device__ int larger(int a, int b) {
  return a > b ? a : b;
}

__device__ Operation larger_pointer = larger;
__constant__ Operation table[2] = {add, subtract};

struct Counter {
  int value;
  __device__ void up(int k) { value += k; }
  __device__ void down(int k) { value -= k; }
};

template <Operation F> __device__ int fold(const int* v, int n) {
  int r = v[0];
  for (int i = 1; i < n; ++i)
    r = F(r, v[i]);
  return r;
}

__global__ void run(const int* a, const int* b, int* out, int n, Operation chosen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Operation mine = i % 3 == 2 ? chosen : table[i % 3];
  Counter c = {mine(a[i], b[i])};
  void (Counter::*step)(int) = i % 2 ? &Counter::up : &Counter::down;
  (c.*step)(1000);
  out[i] = c.value + fold<larger>(a, 5);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500;
  int *a, *b, *out;
  if (cudaMallocManaged(&a, n * 4) || cudaMallocManaged(&b, n * 4) ||
      cudaMallocManaged(&out, n * 4))
    return puts("FAIL"), 1;
  for (int i = 0; i < n; ++i) {
    a[i] = i * 7 % 31;
    b[i] = i * 5 % 29;
  }
  Operation chosen;
  if (cudaMemcpyFromSymbol(&chosen, larger_pointer, sizeof chosen) != cudaSuccess)
    return puts("FAIL"), 1;
  run<<<(n + 63) / 64, 64>>>(a, b, out, n, chosen);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    int r = i % 3 == 0 ? a[i] + b[i] : i % 3 == 1 ? a[i] - b[i] : a[i] > b[i] ? a[i] : b[i];
    bad += out[i] != r + (i % 2 ? 1000 : -1000) + 28; // 0 7 14 21 28
  }
  cudaFree(a), cudaFree(b), cudaFree(out);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
