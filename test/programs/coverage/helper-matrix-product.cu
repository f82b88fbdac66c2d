// SPDX-License-Identifier: Apache-2.0
// COVERS: helper_cuda.h, helper_string.h, helper_timer.h, static shared
// A matrix product with options read by the helpers of the vendor's samples.
// Arguments: -wA=COLUMNS -hA=ROWS -check=sum
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_string.h>

template <int BLOCK_SIZE>
__global__ void matrixMul(float* C, const float* A, const float* B, int wA, int wB) {
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE], Bs[BLOCK_SIZE][BLOCK_SIZE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * BLOCK_SIZE + ty,
      col = blockIdx.x * BLOCK_SIZE + tx;
  float sum = 0;
  for (int t = 0; t < wA; t += BLOCK_SIZE) {
    As[ty][tx] = A[row * wA + t + tx];
    Bs[ty][tx] = B[(t + ty) * wB + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * wB + col] = sum;
}

int main(int argc, char** argv) {
  const char** args = (const char**)argv;
  if (checkCmdLineFlag(argc, args, "help")) {
    printf("usage: -wA=COLUMNS -hA=ROWS (multiples of 16)\n");
    exit(EXIT_SUCCESS);
  }
  gpuDeviceInit(0);
  int wA = 64, hA = 32;
  if (checkCmdLineFlag(argc, args, "wA"))
    wA = getCmdLineArgumentInt(argc, args, "wA");
  if (checkCmdLineFlag(argc, args, "hA"))
    hA = getCmdLineArgumentInt(argc, args, "hA");
  char* mode = NULL;
  getCmdLineArgumentString(argc, args, "check", &mode);
  const int wB = 48;
  float *A, *B, *C;
  checkCudaErrors(cudaMallocManaged(&A, wA * hA * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&B, wA * wB * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&C, hA * wB * sizeof(float)));
  for (int i = 0; i < wA * hA; ++i)
    A[i] = 1.0f;
  for (int i = 0; i < wA * wB; ++i)
    B[i] = 0.01f * (i % 5);
  matrixMul<16><<<dim3(wB / 16, hA / 16), dim3(16, 16)>>>(C, A, B, wA, wB);
  getLastCudaError("matrixMul failed");
  checkCudaErrors(cudaDeviceSynchronize());
  int bad = 0;
  for (int i = 0; i < hA; ++i)
    for (int j = 0; j < wB; ++j) {
      double sum = 0;
      for (int k = 0; k < wA; ++k)
        sum += 0.01 * ((k * wB + j) % 5);
      bad += fabs(C[i * wB + j] - sum) > 1e-4;
    }
  int cores = _ConvertSMVer2Cores(8, 0);
  const char* name = _cudaGetErrorEnum(cudaErrorInvalidValue);
  bool ok = bad == 0 && cores == 64 && strcmp(name, "cudaErrorInvalidValue") == 0;
  checkCudaErrors(cudaFree(A));
  checkCudaErrors(cudaFree(B));
  checkCudaErrors(cudaFree(C));
  printf("%s%d wrong\n%s\n", mode ? mode : "", bad, ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
