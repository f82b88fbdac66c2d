// SPDX-License-Identifier: Apache-2.0
// COVERS: graphs, graphs: explicit nodes, host callbacks
// A graph put together by hand: copy, memset, kernel, host function; then a kernel's arguments
// change.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

#define N 256
#define G(x)                                                                                       \
  if (cudaError_t status = (x)) {                                                                  \
    fprintf(stderr, "%s -> %s\n", #x, cudaGetErrorString(status));                                 \
    puts("FAIL");                                                                                  \
    exit(1);                                                                                       \
  }

__global__ void multiply(const int* in, int* out, int factor) {
  out[threadIdx.x] += in[threadIdx.x] * factor;
}

struct Report {
  const int* result;
  int calls;
  long long sum;
};

static void CUDART_CB report(void* data) {
  Report* r = (Report*)data;
  ++r->calls;
  r->sum = 0;
  for (int i = 0; i < N; ++i)
    r->sum += r->result[i];
}

int main() {
  int hostIn[N], hostOut[N], *in, *out;
  for (int i = 0; i < N; ++i)
    hostIn[i] = i;
  G(cudaMalloc(&in, sizeof hostIn));
  G(cudaMalloc(&out, sizeof hostOut));
  cudaGraph_t graph;
  G(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t copyIn, clear, kernel, copyOut, host;
  G(cudaGraphAddMemcpyNode1D(&copyIn, graph, nullptr, 0, in, hostIn, sizeof hostIn,
                             cudaMemcpyHostToDevice));
  cudaMemsetParams set = {};
  set.dst = out;
  set.value = 0;
  set.elementSize = 4;
  set.width = N;
  set.height = 1;
  G(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &set));
  int factor = 3;
  void* args[] = {&in, &out, &factor};
  cudaKernelNodeParams params = {};
  params.func = (void*)multiply;
  params.gridDim = dim3(1);
  params.blockDim = dim3(N);
  params.kernelParams = args;
  cudaGraphNode_t before[] = {copyIn, clear};
  G(cudaGraphAddKernelNode(&kernel, graph, before, 2, &params));
  G(cudaGraphAddMemcpyNode1D(&copyOut, graph, &kernel, 1, hostOut, out, sizeof hostOut,
                             cudaMemcpyDeviceToHost));
  Report state = {hostOut, 0, 0};
  cudaHostNodeParams call = {report, &state};
  G(cudaGraphAddHostNode(&host, graph, &copyOut, 1, &call));
  cudaGraphExec_t exec;
  G(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  G(cudaStreamCreate(&stream));
  const long long base = (long long)N * (N - 1) / 2;
  G(cudaGraphLaunch(exec, stream));
  G(cudaStreamSynchronize(stream));
  bool ok = state.calls == 1 && state.sum == 3 * base;
  factor = 5;
  G(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  G(cudaGraphLaunch(exec, stream));
  G(cudaStreamSynchronize(stream));
  ok = ok && state.calls == 2 && state.sum == 5 * base;
  cudaGraphNodeType type;
  G(cudaGraphNodeGetType(kernel, &type));
  ok = ok && type == cudaGraphNodeTypeKernel;
  G(cudaGraphExecDestroy(exec));
  G(cudaGraphDestroy(graph));
  G(cudaStreamDestroy(stream));
  G(cudaFree(in));
  G(cudaFree(out));
  printf("%d calls, sum %lld\n%s\n", state.calls, state.sum, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
