// SPDX-License-Identifier: Apache-2.0
// The game of life in one launch: all blocks meet at a barrier in global memory between
// generations. Arguments: size generations.
#include <algorithm>
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

struct Barrier {
  unsigned arrived;
  volatile unsigned generation;
};

__device__ Barrier barrier;

__device__ void gridSync() {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned generation = barrier.generation;
    __threadfence();
    if (atomicAdd(&barrier.arrived, 1u) == gridDim.x - 1) {
      barrier.arrived = 0;
      __threadfence();
      barrier.generation = generation + 1;
    } else {
      while (barrier.generation == generation)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}

__host__ __device__ int alive(const volatile int* cells, int size, int x, int y) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        sum += cells[(y + dy + size) % size * size + (x + dx + size) % size];
  return sum == 3 || (sum == 2 && cells[y * size + x]);
}

__global__ void life(volatile int* a, volatile int* b, int size, int generations) {
  for (int g = 0; g < generations; ++g) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size * size;
         i += gridDim.x * blockDim.x)
      b[i] = alive(a, size, i % size, i / size);
    gridSync();
    volatile int* t = a;
    a = b;
    b = t;
  }
}

int main(int argc, char** argv) {
  int size = argc > 1 ? atoi(argv[1]) : 64, generations = argc > 2 ? atoi(argv[2]) : 10;
  std::vector<int> cells(size * size), next(size * size);
  unsigned state = 77;
  for (int& cell : cells)
    cell = ((state = state * 1664525u + 1013904223u) >> 16) % 3 == 0;
  int perMultiprocessor = 0, multiprocessors = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, life, 128, 0));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  int blocks = std::min(perMultiprocessor * multiprocessors, 32);
  int *d_a, *d_b;
  CUDA_CHECK(cudaMalloc(&d_a, cells.size() * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_b, cells.size() * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_a, cells.data(), cells.size() * sizeof(int), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  life<<<blocks, 128>>>(d_a, d_b, size, generations);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::vector<int> got(cells.size());
  CUDA_CHECK(cudaMemcpy(got.data(), generations % 2 ? d_b : d_a, cells.size() * sizeof(int),
                        cudaMemcpyDeviceToHost));
  printf("%d x %d, %d generations, %d blocks: %.3f ms\n", size, size, generations, blocks, ms);
  for (int g = 0; g < generations; ++g) {
    for (int i = 0; i < size * size; ++i)
      next[i] = alive(cells.data(), size, i % size, i / size);
    cells.swap(next);
  }
  if (got != cells) {
    printf("FAIL: another world\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
