// SPDX-License-Identifier: Apache-2.0
//
// Leaves another number on the device in each run: nothing can be proven of it.
#include <unistd.h>

__global__ void keep(int* numbers, int number) { numbers[threadIdx.x] = threadIdx.x == 5 ? number : 0; }

int main() {
  int* numbers;
  cudaMalloc(&numbers, 64 * sizeof(int));
  keep<<<1, 64>>>(numbers, getpid());
  return cudaDeviceSynchronize();
}
