// SPDX-License-Identifier: Apache-2.0
// A few persistent blocks take tasks of uneven length from a queue, a warp at a time. Arguments:
// tasks.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__device__ unsigned nextTask;

__host__ __device__ unsigned work(unsigned task, int lane) {
  unsigned x = task * 32 + lane + 1;
  for (unsigned i = 0; i < task * 37 % 101; ++i)
    x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void __launch_bounds__(128)
    worker(unsigned tasks, unsigned* results, unsigned* perWarp) {
  const int lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  unsigned done = 0;
  while (true) {
    unsigned task;
    if (lane == 0)
      task = atomicAdd(&nextTask, 1u);
    task = __shfl_sync(0xffffffff, task, 0);
    if (task >= tasks)
      break;
    unsigned value = work(task, lane);
    for (int offset = 16; offset > 0; offset /= 2)
      value ^= __shfl_xor_sync(0xffffffff, value, offset);
    if (lane == 0)
      results[task] = value;
    ++done;
  }
  if (lane == 0)
    perWarp[warp] = done;
}

int main(int argc, char** argv) {
  unsigned tasks = argc > 1 ? atoi(argv[1]) : 600;
  int multiprocessors = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  int blocks = multiprocessors < 8 ? multiprocessors : 8, warps = blocks * 4;
  unsigned *d_results, *d_perWarp;
  std::vector<unsigned> results(tasks), perWarp(warps);
  CUDA_CHECK(cudaMalloc(&d_results, tasks * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_perWarp, warps * sizeof(unsigned)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  worker<<<blocks, 128>>>(tasks, d_results, d_perWarp);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(
      cudaMemcpy(results.data(), d_results, tasks * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(
      cudaMemcpy(perWarp.data(), d_perWarp, warps * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned done = 0;
  for (unsigned count : perWarp)
    done += count;
  printf("%u tasks by %d warps: %.3f ms\n", done, warps, ms);
  if (done != tasks) {
    printf("FAIL: %u tasks were done, expected %u\n", done, tasks);
    return 1;
  }
  for (unsigned task = 0; task < tasks; ++task) {
    unsigned want = 0;
    for (int lane = 0; lane < 32; ++lane)
      want ^= work(task, lane);
    if (results[task] != want) {
      printf("FAIL: task %u gives %u, expected %u\n", task, results[task], want);
      return 1;
    }
  }
  printf("PASS\n");
  return 0;
}
