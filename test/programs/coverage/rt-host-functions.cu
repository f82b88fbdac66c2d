// SPDX-License-Identifier: Apache-2.0
// COVERS: host callbacks, cudaLaunchHostFunc, cudaStreamAddCallback, streams
// Functions of the host run in stream order between kernels and copies.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define N 128
#define STREAMS 3

struct Job {
  int* host;
  int stage, id;
};
static std::atomic<int> finished{0}, outOfOrder{0};

static void CUDART_CB prepare(void* p) {
  Job* job = static_cast<Job*>(p);
  for (int i = 0; i < N; ++i)
    job->host[i] = i * job->id;
  job->stage = 1;
}

static void CUDART_CB finish(cudaStream_t, cudaError_t status, void* p) {
  Job* job = static_cast<Job*>(p);
  if (job->stage != 1 || status != cudaSuccess)
    ++outOfOrder;
  for (int i = 0; i < N; ++i)
    if (job->host[i] != i * job->id + 7)
      ++outOfOrder;
  job->stage = 2;
  ++finished;
}

__global__ void add(int* v, int k) {
  v[threadIdx.x] += k;
}

int main() {
  cudaStream_t streams[STREAMS];
  Job jobs[STREAMS];
  int* device[STREAMS];
  for (int s = 0; s < STREAMS; ++s) {
    if (cudaStreamCreate(&streams[s]) || cudaMalloc(&device[s], N * sizeof(int)))
      return puts("FAIL"), 1;
    jobs[s].id = s + 1;
    jobs[s].stage = 0;
    cudaMallocHost(&jobs[s].host, N * sizeof(int));
    cudaLaunchHostFunc(streams[s], prepare, &jobs[s]);
    cudaMemcpyAsync(device[s], jobs[s].host, N * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
    add<<<1, N, 0, streams[s]>>>(device[s], 7);
    cudaMemcpyAsync(jobs[s].host, device[s], N * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
    cudaStreamAddCallback(streams[s], finish, &jobs[s], 0);
  }
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess && finished == STREAMS && outOfOrder == 0;
  for (int s = 0; s < STREAMS; ++s) {
    ok = ok && jobs[s].stage == 2;
    cudaFree(device[s]);
    cudaFreeHost(jobs[s].host);
    cudaStreamDestroy(streams[s]);
  }
  printf("%d finished, %d out of order\n%s\n", finished.load(), outOfOrder.load(),
         ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
