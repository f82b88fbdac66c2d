// SPDX-License-Identifier: Apache-2.0
// cudaLaunchKernel called directly, by function and by table of kernels, with arguments of all
// sizes and shared memory.
#include "../check.h"

struct Mixed {
  char c;
  double d;
  short s[3];
};

__global__ void mix(double* out, char c, short s, float f, Mixed mixed, const int* in, bool flag) {
  extern __shared__ int room[];
  const int i = threadIdx.x;
  room[i] = in[i];
  __syncthreads();
  out[i] =
      c + s + f + mixed.c + mixed.d + mixed.s[2] + room[blockDim.x - 1 - i] + (flag ? 0.5 : 0.0);
}
__global__ void addTo(int* values, int amount) {
  values[threadIdx.x] += amount;
}
__global__ void multiply(int* values, int factor) {
  values[threadIdx.x] *= factor;
}
template <class T> __global__ void fill(T* values, T value) {
  values[threadIdx.x] = value;
}

int main() {
  std::vector<int> numbers(32);
  for (int i = 0; i < 32; ++i)
    numbers[i] = i;
  DeviceArray<int> in(numbers);
  DeviceArray<double> out(32);
  double* outPointer = out;
  int* inPointer = in;
  char c = 3;
  short s = -300;
  float f = 0.25f;
  Mixed mixed{1, 1e6, {0, 0, 7}};
  bool flag = true;
  void* arguments[] = {&outPointer, &c, &s, &f, &mixed, &inPointer, &flag};
  CHECK_CUDA(cudaLaunchKernel((const void*)mix, dim3(1), dim3(32), arguments, 32 * sizeof(int), 0));
  CHECK_LAUNCH();
  expectArray("out", out.read(),
              [](size_t i) { return 3 - 300 + 0.25 + 1 + 1e6 + 7 + (31 - int(i)) + 0.5; });

  void (*const kernels[])(int*, int) = {addTo, multiply, addTo};
  int amounts[] = {5, 3, -2};
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (int k = 0; k < 3; ++k) {
    void* two[] = {&inPointer, &amounts[k]};
    CHECK_CUDA(cudaLaunchKernel(kernels[k], dim3(1), dim3(32), two, 0, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
  expectArray("in", in.read(), [](size_t i) { return (int(i) + 5) * 3 - 2; });

  double value = 2.5;
  void* two[] = {&outPointer, &value};
  CHECK_CUDA(cudaLaunchKernel(fill<double>, dim3(1), dim3(32), two));
  CHECK_LAUNCH();
  expectArray("filled", out.read(), [](size_t) { return 2.5; });
  return finish();
}
