// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceReduce
// DeviceReduce in its two steps (size, then work): Sum, Min, Max, ArgMin by an own operator.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/device/device_reduce.cuh>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t e = (call);                                                                        \
    if (e != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                    \
      puts("FAIL");                                                                                \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct Xor {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  std::vector<int> data(n);
  int sum = 0, least = 1 << 30, most = -(1 << 30);
  unsigned all = 7;
  for (int i = 0; i < n; ++i) {
    int v = data[i] = (int)((unsigned)i * 1103515245u >> 12) % 5000 - 1000;
    sum += v;
    least = v < least ? v : least;
    most = v > most ? v : most;
    all ^= (unsigned)v;
  }
  int *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, 4 * sizeof(int)));
  CHECK(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* temp = nullptr;
  size_t bytes = 0, largest = 0;
  CHECK(cub::DeviceReduce::Sum(temp, bytes, in, out, n));
  largest = bytes;
  CHECK(cub::DeviceReduce::Min(temp, bytes, in, out + 1, n));
  largest = bytes > largest ? bytes : largest;
  CHECK(cub::DeviceReduce::Max(temp, bytes, in, out + 2, n));
  largest = bytes > largest ? bytes : largest;
  CHECK(cub::DeviceReduce::Reduce(temp, bytes, (unsigned*)in, (unsigned*)out + 3, n, Xor(), 7u));
  largest = bytes > largest ? bytes : largest;
  CHECK(cudaMalloc(&temp, largest));
  CHECK(cub::DeviceReduce::Sum(temp, largest, in, out, n));
  CHECK(cub::DeviceReduce::Min(temp, largest, in, out + 1, n));
  CHECK(cub::DeviceReduce::Max(temp, largest, in, out + 2, n));
  CHECK(cub::DeviceReduce::Reduce(temp, largest, (unsigned*)in, (unsigned*)out + 3, n, Xor(), 7u));
  int got[4];
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(temp));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  printf("sum %d (%d) min %d (%d) max %d (%d) xor %x (%x)\n", got[0], sum, got[1], least, got[2],
         most, got[3], all);
  bool ok = got[0] == sum && got[1] == least && got[2] == most && (unsigned)got[3] == all;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
