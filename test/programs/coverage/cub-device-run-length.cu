// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceRunLengthEncode, cub: DeviceReduce
// Run lengths of a sequence, and sums by key over the same runs. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

#define CUDA_SAFE(x)                                                                               \
  do {                                                                                             \
    const cudaError_t e = (x);                                                                     \
    if (e != cudaSuccess) {                                                                        \
      printf("%s\nFAIL\n", cudaGetErrorString(e));                                                 \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

struct Add {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  std::vector<int> keys(n), values(n), unique, lengths, sums;
  for (int i = 0, left = 0, key = 0; i < n; ++i, --left) {
    if (left == 0) {
      key = (key + 5) % 11;
      left = 1 + i * 7 % 9;
      unique.push_back(key);
      lengths.push_back(0);
      sums.push_back(0);
    }
    keys[i] = key;
    values[i] = i % 10;
    ++lengths.back();
    sums.back() += values[i];
  }
  int *dkeys, *dvalues, *du, *dl, *druns;
  CUDA_SAFE(cudaMalloc(&dkeys, n * sizeof(int)));
  CUDA_SAFE(cudaMalloc(&dvalues, n * sizeof(int)));
  CUDA_SAFE(cudaMalloc(&du, n * sizeof(int)));
  CUDA_SAFE(cudaMalloc(&dl, n * sizeof(int)));
  CUDA_SAFE(cudaMalloc(&druns, sizeof(int)));
  CUDA_SAFE(cudaMemcpy(dkeys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_SAFE(cudaMemcpy(dvalues, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* temp = nullptr;
  size_t bytes = 0;
  CUDA_SAFE(cub::DeviceRunLengthEncode::Encode(temp, bytes, dkeys, du, dl, druns, n));
  CUDA_SAFE(cudaMalloc(&temp, bytes));
  CUDA_SAFE(cub::DeviceRunLengthEncode::Encode(temp, bytes, dkeys, du, dl, druns, n));
  int runs = 0;
  std::vector<int> u(unique.size()), l(unique.size());
  CUDA_SAFE(cudaMemcpy(&runs, druns, sizeof runs, cudaMemcpyDeviceToHost));
  CUDA_SAFE(cudaMemcpy(u.data(), du, u.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_SAFE(cudaMemcpy(l.data(), dl, l.size() * sizeof(int), cudaMemcpyDeviceToHost));
  bool ok = runs == (int)unique.size() && u == unique && l == lengths;
  CUDA_SAFE(cudaFree(temp));
  temp = nullptr;
  CUDA_SAFE(cub::DeviceReduce::ReduceByKey(temp, bytes, dkeys, du, dvalues, dl, druns, Add(), n));
  CUDA_SAFE(cudaMalloc(&temp, bytes));
  CUDA_SAFE(cub::DeviceReduce::ReduceByKey(temp, bytes, dkeys, du, dvalues, dl, druns, Add(), n));
  CUDA_SAFE(cudaMemcpy(l.data(), dl, l.size() * sizeof(int), cudaMemcpyDeviceToHost));
  ok = ok && l == sums;
  printf("%d runs of %zu\n", runs, unique.size());
  cudaFree(temp), cudaFree(dkeys), cudaFree(dvalues), cudaFree(du), cudaFree(dl), cudaFree(druns);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
