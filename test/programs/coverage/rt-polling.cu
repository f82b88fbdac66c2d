// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaStreamQuery, cudaEventQuery, streams, events
// A host that counts while it asks again and again whether stream and event are done.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CUDA(x)                                                                                    \
  if ((x) != cudaSuccess) {                                                                        \
    printf("%s\nFAIL\n", #x);                                                                      \
    exit(1);                                                                                       \
  }

__global__ void increment(int* data, int inc, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r)
    data[i] += inc;
}

int main(int argc, char** argv) {
  const int n = 1024;
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  int *host, *device;
  CUDA(cudaMallocHost((void**)&host, n * sizeof(int)));
  CUDA(cudaMalloc((void**)&device, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaEvent_t stop;
  cudaStream_t stream;
  CUDA(cudaEventCreate(&stop));
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  increment<<<n / 128, 128, 0, stream>>>(device, 2, rounds);
  CUDA(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaEventRecord(stop, stream));
  unsigned long counter = 0;
  cudaError_t state;
  while ((state = cudaEventQuery(stop)) == cudaErrorNotReady)
    ++counter;
  bool ok = state == cudaSuccess;
  while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady)
    ++counter;
  ok = ok && state == cudaSuccess && cudaGetLastError() != cudaErrorIllegalAddress;
  fprintf(stderr, "CPU executed %lu iterations while waiting\n", counter);
  for (int i = 0; i < n; ++i)
    ok = ok && host[i] == i + 2 * rounds;
  CUDA(cudaEventDestroy(stop));
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFreeHost(host));
  CUDA(cudaFree(device));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
