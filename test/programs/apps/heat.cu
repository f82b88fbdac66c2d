// SPDX-License-Identifier: Apache-2.0
// The heat equation on a plate, two halves in two streams that exchange their borders by events.
// Arguments: size steps.
#include <cstdio>
#include <cstdlib>
#include <utility>
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

__host__ __device__ float average(const float* t, int width, int at) {
  return 0.25f * ((t[at - 1] + t[at + 1]) + (t[at - width] + t[at + width]));
}

// Rows first to last (not included) of the inside of the plate.
__global__ void step(const float* from, float* to, int width, int first, int last) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + first;
  if (x < width - 1 && y < last)
    to[y * width + x] = average(from, width, y * width + x);
}

int main(int argc, char** argv) {
  int size = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 20;
  std::vector<float> host(size * size, 0.0f);
  for (int i = 0; i < size; ++i) {
    host[i] = 100.0f;                              // the top is hot
    host[i * size] = (float)i;                     // the left is warm
    host[(size - 1) * size + i] = (float)(i % 10); // the bottom is uneven
  }
  const size_t bytes = host.size() * sizeof(float);
  float *d_a, *d_b, *pinned;
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMallocHost(&pinned, bytes));
  CUDA_CHECK(cudaMemcpy(d_a, host.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, host.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize()); // the streams below wait for nobody
  cudaStream_t streams[2];
  cudaEvent_t done[2];
  for (int s = 0; s < 2; ++s) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
  }
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start, streams[0]));
  dim3 block(32, 4), grid((size + 29) / 32, (size / 2 + 3) / 4 + 1);
  int middle = size / 2;
  for (int i = 0; i < steps; ++i) {
    step<<<grid, block, 0, streams[0]>>>(d_a, d_b, size, 1, middle);
    step<<<grid, block, 0, streams[1]>>>(d_a, d_b, size, middle, size - 1);
    CUDA_CHECK(cudaGetLastError());
    for (int s = 0; s < 2; ++s)
      CUDA_CHECK(cudaEventRecord(done[s], streams[s]));
    for (int s = 0; s < 2; ++s)
      CUDA_CHECK(cudaStreamWaitEvent(streams[s], done[1 - s], 0));
    std::swap(d_a, d_b);
  }
  CUDA_CHECK(cudaMemcpyAsync(pinned, d_a, bytes, cudaMemcpyDeviceToHost, streams[0]));
  CUDA_CHECK(cudaEventRecord(stop, streams[0]));
  CUDA_CHECK(cudaStreamSynchronize(streams[0]));
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%d x %d, %d steps: %.3f ms\n", size, size, steps, ms);
  std::vector<float> next = host;
  for (int i = 0; i < steps; ++i) {
    for (int y = 1; y < size - 1; ++y)
      for (int x = 1; x < size - 1; ++x)
        next[y * size + x] = average(host.data(), size, y * size + x);
    host.swap(next);
  }
  for (size_t i = 0; i < host.size(); ++i)
    if (pinned[i] != host[i]) {
      printf("FAIL: cell %zu is %f, expected %f\n", i, pinned[i], host[i]);
      return 1;
    }
  CUDA_CHECK(cudaFreeHost(pinned));
  printf("PASS\n");
  return 0;
}
