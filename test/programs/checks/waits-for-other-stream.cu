// SPDX-License-Identifier: Apache-2.0
// A consumer in one stream that waits for the producer in another. A GPU runs both together, if
// there is room; here one launch ends before the next begins, which the message must say.
// STOPS: nor can the host or another stream: Heddle runs one launch at a time
#include <cuda_runtime.h>

__global__ void consume(volatile int* flag, int* out) {
  while (*flag == 0) // HERE
    ;
  *out = *flag;
}

__global__ void produce(volatile int* flag) {
  *flag = 1;
}

int main() {
  int* memory = nullptr;
  cudaMalloc(&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  consume<<<1, 1, 0, one>>>(memory, memory + 1);
  produce<<<1, 1, 0, other>>>(memory);
  return cudaDeviceSynchronize();
}
