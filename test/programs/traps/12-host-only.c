/* SPDX-License-Identifier: Apache-2.0 */
/* Trap 12: a plain C file that includes cuda_runtime.h and uses the device without any kernel. */
#include <cuda_runtime.h>
#include <stdio.h>

int main(void) {
  int in[64], out[64], i, count = 0;
  void *a = NULL, *b = NULL;
  cudaStream_t stream;
  struct cudaDeviceProp properties;
  enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
  dim3 block = {8, 8, 1};
  for (i = 0; i < 64; ++i)
    in[i] = i * i;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1 ||
      cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    printf("FAIL: no device\n");
    return 1;
  }
  cudaStreamCreate(&stream);
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMemset(b, 0xff, sizeof in);
  cudaMemcpyAsync(a, in, sizeof in, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync((char*)b + 128, a, 128, cudaMemcpyDeviceToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(out, b, sizeof out, back);
  for (i = 0; i < 64; ++i)
    if (out[i] != (i < 32 ? -1 : in[i - 32])) {
      printf("FAIL: out[%d] is %d\n", i, out[i]);
      return 1;
    }
  cudaFree(a);
  cudaFree(b);
  cudaStreamDestroy(stream);
  printf(block.x * block.y == 64 && properties.warpSize == 32 ? "PASS\n" : "FAIL: dimensions\n");
  return 0;
}
