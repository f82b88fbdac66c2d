// SPDX-License-Identifier: Apache-2.0
// COVERS: peers, cudaDeviceCanAccessPeer, cudaMemcpyPeer
// Copies between devices where there are several; a machine with one copies within it and says so.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA(x)                                                                                    \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                           \
    exit(1);                                                                                       \
  }

__global__ void twice(const int* from, int* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 2;
}

int main() {
  int devices = 0, n = 1000;
  CUDA(cudaGetDeviceCount(&devices));
  int peer = devices > 1 ? 1 : 0, can = -1, self = -1;
  CUDA(cudaDeviceCanAccessPeer(&self, 0, 0));
  bool ok = self == 0 || self == 1;
  if (devices > 1) {
    CUDA(cudaDeviceCanAccessPeer(&can, 0, peer));
    if (can)
      CUDA(cudaDeviceEnablePeerAccess(peer, 0));
  } else {
    ok = ok && cudaDeviceEnablePeerAccess(0, 0) != cudaSuccess;
    cudaGetLastError();
  }
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = i;
  int *a, *b;
  size_t bytes = n * sizeof(int);
  CUDA(cudaSetDevice(0));
  CUDA(cudaMalloc(&a, bytes));
  CUDA(cudaSetDevice(peer));
  CUDA(cudaMalloc(&b, bytes));
  CUDA(cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpyPeer(b, peer, a, 0, bytes));
  twice<<<(n + 255) / 256, 256>>>(b, b, n);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  cudaStream_t stream;
  CUDA(cudaSetDevice(0));
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemcpyPeerAsync(a, 0, b, peer, bytes, stream));
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(h.data(), a, bytes, cudaMemcpyDefault));
  for (int i = 0; i < n; ++i)
    ok = ok && h[i] == 2 * i;
  ok = ok && cudaSetDevice(devices) == cudaErrorInvalidDevice;
  cudaGetLastError();
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(a));
  CUDA(cudaFree(b));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
