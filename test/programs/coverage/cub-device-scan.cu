// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceScan
// Exclusive and inclusive prefix sums and a running minimum over the device. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/device/device_scan.cuh>

#define GPU(x)                                                                                     \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s -> %s\nFAIL\n", #x, cudaGetErrorString(e));                                         \
    exit(1);                                                                                       \
  }

struct Minimum {
  template <typename T> __host__ __device__ T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9001;
  std::vector<int> data(n), a(n), b(n), c(n);
  for (int i = 0; i < n; ++i)
    data[i] = (i * 73 + 11) % 127 - 40;
  int *in, *ex, *inc, *low;
  GPU(cudaMalloc(&in, n * sizeof(int)));
  GPU(cudaMalloc(&ex, n * sizeof(int)));
  GPU(cudaMalloc(&inc, n * sizeof(int)));
  GPU(cudaMalloc(&low, n * sizeof(int)));
  GPU(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* temp = NULL;
  size_t bytes = 0, most = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass)
      GPU(cudaMalloc(&temp, most));
    bytes = most;
    GPU(cub::DeviceScan::ExclusiveSum(temp, bytes, in, ex, n));
    most = bytes > most ? bytes : most;
    bytes = most;
    GPU(cub::DeviceScan::InclusiveSum(temp, bytes, in, inc, n));
    most = bytes > most ? bytes : most;
    bytes = most;
    GPU(cub::DeviceScan::ExclusiveScan(temp, bytes, in, low, Minimum(), 50, n));
    most = bytes > most ? bytes : most;
  }
  GPU(cudaMemcpy(a.data(), ex, n * sizeof(int), cudaMemcpyDeviceToHost));
  GPU(cudaMemcpy(b.data(), inc, n * sizeof(int), cudaMemcpyDeviceToHost));
  GPU(cudaMemcpy(c.data(), low, n * sizeof(int), cudaMemcpyDeviceToHost));
  int sum = 0, least = 50, bad = 0;
  for (int i = 0; i < n; ++i) {
    bad += a[i] != sum;
    bad += c[i] != least;
    sum += data[i];
    bad += b[i] != sum;
    least = data[i] < least ? data[i] : least;
  }
  GPU(cudaFree(temp));
  cudaFree(in), cudaFree(ex), cudaFree(inc), cudaFree(low);
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
