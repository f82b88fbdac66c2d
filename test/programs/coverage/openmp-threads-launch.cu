// SPDX-License-Identifier: Apache-2.0
// COVERS: openmp, openmp: threads that launch, streams
// FLAGS: -Xcompiler -fopenmp
// Each host thread has a stream and a slice of the data, and launches its own kernels.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <omp.h>

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\nFAIL\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 4000;
  int gpus = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&gpus));
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 100);
    y[i] = 1.0f;
  }
  int launched = 0;
#pragma omp parallel num_threads(threads)
  {
    int id = omp_get_thread_num(), count = omp_get_num_threads();
    HANDLE_ERROR(cudaSetDevice(id % gpus));
    int begin = (int)((long long)n * id / count), end = (int)((long long)n * (id + 1) / count),
        size = end - begin;
    cudaStream_t stream;
    HANDLE_ERROR(cudaStreamCreate(&stream));
    float *dx, *dy;
    HANDLE_ERROR(cudaMalloc(&dx, size * sizeof(float)));
    HANDLE_ERROR(cudaMalloc(&dy, size * sizeof(float)));
    HANDLE_ERROR(
        cudaMemcpyAsync(dx, &x[begin], size * sizeof(float), cudaMemcpyHostToDevice, stream));
    HANDLE_ERROR(
        cudaMemcpyAsync(dy, &y[begin], size * sizeof(float), cudaMemcpyHostToDevice, stream));
    for (int k = 1; k <= 3; ++k) {
      axpy<<<(size + 127) / 128, 128, 0, stream>>>((float)k, dx, dy, size);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(
        cudaMemcpyAsync(&y[begin], dy, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
    HANDLE_ERROR(cudaFree(dx));
    HANDLE_ERROR(cudaFree(dy));
    HANDLE_ERROR(cudaStreamDestroy(stream));
#pragma omp critical
    launched += 3;
  }
  int errors = 0;
  for (int i = 0; i < n; ++i)
    errors += y[i] != 1.0f + 6.0f * x[i];
  printf("%d errors\n%s\n", errors, errors || launched < 3 ? "FAIL" : "PASS");
  return errors ? 1 : 0;
}
