// SPDX-License-Identifier: Apache-2.0
// Trap 13: a check passes although its kernel never ran, because fresh memory holds zeros or the
// results of before.
// DIFFERS: Heddle poisons fresh memory and prints PASS; a GPU may hand out zeros or old values and print FAIL.
#include "../check.h"

__global__ void clear(int* out) {
  out[threadIdx.x] = 0;
}
__global__ void fill(int* out, int value) {
  out[threadIdx.x] = value;
}

bool allAre(const int* device, int want) {
  int host[64];
  CHECK_CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int value : host)
    if (value != want)
      return false;
  return true;
}

int main() {
  int *first = nullptr, *second = nullptr;
  CHECK_CUDA(cudaMalloc(&first, 64 * sizeof(int)));
  clear<<<1, 4096>>>(first); // too many threads: it never runs, and nobody asks
  expectTrue("the check notices that nothing was cleared", !allAre(first, 0));
  cudaGetLastError();
  fill<<<1, 64>>>(first, 7);
  CHECK_LAUNCH();
  CHECK_CUDA(cudaFree(first));
  CHECK_CUDA(cudaMalloc(&second, 64 * sizeof(int)));
  fill<<<1, 4096>>>(second, 7); // never runs either
  expectTrue("memory given back does not keep its values", !allAre(second, 7));
  cudaGetLastError();
  CHECK_CUDA(cudaFree(second));
  return finish();
}
