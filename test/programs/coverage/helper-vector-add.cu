// SPDX-License-Identifier: Apache-2.0
// COVERS: helper_cuda.h, helper_timer.h
// A vector addition in the manner of the vendor's samples, with their helpers. Arguments: -n=COUNT.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>

__global__ void vectorAdd(const float* A, const float* B, float* C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < numElements)
    C[i] = A[i] + B[i] + 0.0f;
}

int main(int argc, char** argv) {
  int devID = findCudaDevice(argc, (const char**)argv);
  cudaDeviceProp prop;
  checkCudaErrors(cudaGetDeviceProperties(&prop, devID));
  int n = 5000;
  if (checkCmdLineFlag(argc, (const char**)argv, "n"))
    n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  size_t size = n * sizeof(float);
  float *hA = (float*)malloc(size), *hB = (float*)malloc(size), *hC = (float*)malloc(size);
  for (int i = 0; i < n; ++i) {
    hA[i] = rand() / (float)RAND_MAX;
    hB[i] = rand() / (float)RAND_MAX;
  }
  float *dA = NULL, *dB = NULL, *dC = NULL;
  checkCudaErrors(cudaMalloc((void**)&dA, size));
  checkCudaErrors(cudaMalloc((void**)&dB, size));
  checkCudaErrors(cudaMalloc((void**)&dC, size));
  checkCudaErrors(cudaMemcpy(dA, hA, size, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(dB, hB, size, cudaMemcpyHostToDevice));
  StopWatchInterface* timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  vectorAdd<<<(n + 255) / 256, 256>>>(dA, dB, dC, n);
  getLastCudaError("vectorAdd launch failed");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  float ms = sdkGetTimerValue(&timer);
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaMemcpy(hC, dC, size, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += fabs(hA[i] + hB[i] - hC[i]) > 1e-5;
  checkCudaErrors(cudaFree(dA));
  checkCudaErrors(cudaFree(dB));
  checkCudaErrors(cudaFree(dC));
  free(hA), free(hB), free(hC);
  fprintf(stderr, "%s: %f ms\n", prop.name, ms);
  bool ok = bad == 0 && ms >= 0;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
