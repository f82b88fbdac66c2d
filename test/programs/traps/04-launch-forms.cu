// SPDX-License-Identifier: Apache-2.0
// Trap 4: without the version of the SDK a compiler emits the launch of CUDA 8. Every form of
// <<<>>> must reach the kernel with its grid, block, shared memory and stream.
#include "../check.h"

__global__ void record(int* out) {
  extern __shared__ int room[];
  if (threadIdx.x == 0 && threadIdx.y == 0 && blockIdx.x == 0 && blockIdx.y == 0)
    *out = int(gridDim.x * 1000 + gridDim.y * 100 + blockDim.x * 10 + blockDim.y);
}
template <int N> __global__ void sized(int* out) {
  *out = N;
}

int main() {
  DeviceArray<int> out(6);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  record<<<2, 3>>>(out);
  record<<<dim3(2, 2), dim3(4, 2)>>>(out + 1);
  record<<<1, 2, 1024>>>(out + 2);
  record<<<dim3(3), dim3(5), 64 * sizeof(int), stream>>>(out + 3);
  sized<7><<<1, 1, 0, 0>>>(out + 4);
  void (*kernel)(int*) = record; // through a pointer
  kernel<<<9, 9>>>(out + 5);
  CHECK_LAUNCH();
  const int want[6] = {2131, 2242, 1121, 3151, 7, 9191};
  expectArray("launch", out.read(), [&](size_t i) { return want[i]; });
  CHECK_CUDA(cudaStreamDestroy(stream));
  return finish();
}
