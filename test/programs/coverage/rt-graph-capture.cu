// SPDX-License-Identifier: Apache-2.0
// COVERS: graphs, graphs: capture
// A step of several kernels captured from two streams, instantiated once, launched many times.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess) {                                                                        \
      printf("%s:%d: %s\nFAIL\n", __FILE__, __LINE__, cudaGetErrorName(e));                        \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

__global__ void add(int* v, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] += k;
}

__global__ void combine(int* a, const int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * 2 + b[i];
}

int main(int argc, char** argv) {
  int n = 500, rounds = argc > 1 ? atoi(argv[1]) : 5;
  int *a, *b;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMemset(a, 0, n * sizeof(int)));
  CHECK(cudaMemset(b, 0, n * sizeof(int)));
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add<<<4, 128, 0, first>>>(a, n, 1);
  add<<<4, 128, 0, second>>>(b, n, 10);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  combine<<<4, 128, 0, first>>>(a, b, n);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(first, &status));
  bool ok = status == cudaStreamCaptureStatusActive;
  CHECK(cudaStreamEndCapture(first, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  ok = ok && nodes == 3;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<int> h(n);
  CHECK(cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
  ok = ok && h[0] == 0; // capturing ran nothing
  int wantA = 0, wantB = 0;
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaGraphLaunch(exec, first));
    wantB += 10;
    wantA = (wantA + 1) * 2 + wantB;
  }
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int v : h)
    ok = ok && v == wantA;
  printf("%zu nodes, %d, expected %d\n", nodes, h[n - 1], wantA);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
