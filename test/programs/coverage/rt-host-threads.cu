// SPDX-License-Identifier: Apache-2.0
// COVERS: host threads, streams, per-thread default stream
// FLAGS: --default-stream per-thread -Xcompiler -pthread
// Several threads of the host, each with its own default stream, error state and memory.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

__global__ void fill(int* v, int n, int id) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = i * id;
}

__global__ void count(const int* v, int n, int id, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] == i * id)
    atomicAdd(total, 1);
}

static void work(int id, int n, int rounds, int* result) {
  int *v, *total;
  *result = -1;
  if (cudaSetDevice(0) || cudaMalloc(&v, n * sizeof(int)) || cudaMalloc(&total, sizeof(int)))
    return;
  if (id % 2) { // an error of this thread is no error of the others
    fill<<<1, 5000>>>(v, n, id);
    if (cudaGetLastError() == cudaSuccess)
      return;
  }
  cudaMemsetAsync(total, 0, sizeof(int), 0);
  for (int r = 0; r < rounds; ++r) {
    fill<<<(n + 127) / 128, 128>>>(v, n, id + r);
    count<<<(n + 127) / 128, 128>>>(v, n, id + r, total);
  }
  int host = 0;
  cudaMemcpyAsync(&host, total, sizeof(int), cudaMemcpyDeviceToHost, cudaStreamPerThread);
  cudaError_t e = cudaStreamSynchronize(cudaStreamPerThread);
  cudaFree(v);
  cudaFree(total);
  if (e == cudaSuccess && cudaGetLastError() == cudaSuccess)
    *result = host;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 5, n = 1000, rounds = 3;
  std::vector<std::thread> pool;
  std::vector<int> results(threads);
  for (int t = 0; t < threads; ++t)
    pool.emplace_back(work, t + 1, n, rounds, &results[t]);
  for (std::thread& t : pool)
    t.join();
  bool ok = true;
  for (int t = 0; t < threads; ++t)
    if (results[t] != n * rounds) {
      printf("thread %d: %d, expected %d\n", t, results[t], n * rounds);
      ok = false;
    }
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
