// SPDX-License-Identifier: Apache-2.0
// COVERS: graphs, graphs: update, graphs: capture
// A captured graph brought up to date by a second capture, a clone, and a child graph.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CUDA_RT_CALL(call)                                                                         \
  {                                                                                                \
    cudaError_t cudaStatus = call;                                                                 \
    if (cudaSuccess != cudaStatus) {                                                               \
      fprintf(stderr, "ERROR: %s in line %d failed with %s\n", #call, __LINE__,                    \
              cudaGetErrorString(cudaStatus));                                                     \
      puts("FAIL");                                                                                \
      exit(1);                                                                                     \
    }                                                                                              \
  }

__global__ void addTo(int* v, int k) {
  v[threadIdx.x] += k;
}

static cudaGraph_t capture(cudaStream_t s, int* v, int k, int* host) {
  cudaGraph_t g;
  CUDA_RT_CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  addTo<<<1, 64, 0, s>>>(v, k);
  CUDA_RT_CALL(cudaMemcpyAsync(host, v, 64 * sizeof(int), cudaMemcpyDeviceToHost, s));
  CUDA_RT_CALL(cudaStreamEndCapture(s, &g));
  return g;
}

int main() {
  cudaStream_t s;
  int *v, *host;
  CUDA_RT_CALL(cudaStreamCreate(&s));
  CUDA_RT_CALL(cudaMalloc(&v, 64 * sizeof(int)));
  CUDA_RT_CALL(cudaMallocHost(&host, 64 * sizeof(int)));
  CUDA_RT_CALL(cudaMemset(v, 0, 64 * sizeof(int)));
  cudaGraph_t first = capture(s, v, 1, host), second = capture(s, v, 100, host), clone, parent;
  cudaGraphExec_t exec, family;
  CUDA_RT_CALL(cudaGraphInstantiate(&exec, first, 0));
  CUDA_RT_CALL(cudaGraphLaunch(exec, s));
  CUDA_RT_CALL(cudaStreamSynchronize(s));
  bool ok = host[63] == 1;
  cudaGraphExecUpdateResultInfo info;
  CUDA_RT_CALL(cudaGraphExecUpdate(exec, second, &info));
  ok = ok && info.result == cudaGraphExecUpdateSuccess;
  CUDA_RT_CALL(cudaGraphLaunch(exec, s));
  CUDA_RT_CALL(cudaStreamSynchronize(s));
  ok = ok && host[5] == 101;
  CUDA_RT_CALL(cudaGraphClone(&clone, first));
  CUDA_RT_CALL(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t a, b;
  CUDA_RT_CALL(cudaGraphAddChildGraphNode(&a, parent, nullptr, 0, clone));
  CUDA_RT_CALL(cudaGraphAddChildGraphNode(&b, parent, &a, 1, second));
  CUDA_RT_CALL(cudaGraphInstantiate(&family, parent, 0));
  CUDA_RT_CALL(cudaGraphLaunch(family, s));
  CUDA_RT_CALL(cudaStreamSynchronize(s));
  ok = ok && host[40] == 202;
  for (cudaGraph_t g : {first, second, clone, parent})
    CUDA_RT_CALL(cudaGraphDestroy(g));
  CUDA_RT_CALL(cudaGraphExecDestroy(exec));
  CUDA_RT_CALL(cudaGraphExecDestroy(family));
  CUDA_RT_CALL(cudaStreamDestroy(s));
  CUDA_RT_CALL(cudaFree(v));
  CUDA_RT_CALL(cudaFreeHost(host));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
