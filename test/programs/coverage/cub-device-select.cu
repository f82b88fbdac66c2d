// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceSelect
// Elements kept by a predicate, by flags, and the first of each run of equal ones. Arguments: n.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/device/device_select.cuh>

struct AtLeast {
  int limit;
  __host__ __device__ bool operator()(const int& v) const { return v >= limit; }
};

#define RUN(x)                                                                                     \
  do {                                                                                             \
    cudaError_t status = (x);                                                                      \
    if (status != cudaSuccess) {                                                                   \
      printf("%s\nFAIL\n", cudaGetErrorString(status));                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static std::vector<int> fetch(const int* out, const int* count) {
  int n = -1;
  RUN(cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost));
  std::vector<int> v(n < 0 ? 0 : n);
  RUN(cudaMemcpy(v.data(), out, v.size() * sizeof(int), cudaMemcpyDeviceToHost));
  return v;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000;
  std::vector<int> data(n), large, flagged, unique;
  std::vector<char> flags(n);
  for (int i = 0; i < n; ++i) {
    data[i] = i / 3 * 41 % 97;
    flags[i] = i % 7 == 1;
    if (data[i] >= 60)
      large.push_back(data[i]);
    if (flags[i])
      flagged.push_back(data[i]);
  }
  unique = data;
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  int *in, *out, *count;
  char *dflags, *temp;
  size_t capacity = 1 << 20, bytes = 0;
  RUN(cudaMalloc(&in, n * sizeof(int)));
  RUN(cudaMalloc(&out, n * sizeof(int)));
  RUN(cudaMalloc(&count, sizeof(int)));
  RUN(cudaMalloc(&dflags, n));
  RUN(cudaMalloc(&temp, capacity));
  RUN(cudaMemcpy(in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  RUN(cudaMemcpy(dflags, flags.data(), n, cudaMemcpyHostToDevice));
  RUN(cub::DeviceSelect::If(nullptr, bytes, in, out, count, n, AtLeast{60}));
  bool ok = bytes > 0 && bytes <= capacity;
  bytes = capacity;
  RUN(cub::DeviceSelect::If(temp, bytes, in, out, count, n, AtLeast{60}));
  ok = ok && fetch(out, count) == large;
  RUN(cub::DeviceSelect::Flagged(temp, bytes, in, dflags, out, count, n));
  ok = ok && fetch(out, count) == flagged;
  RUN(cub::DeviceSelect::Unique(temp, bytes, in, out, count, n));
  ok = ok && fetch(out, count) == unique;
  cudaFree(in), cudaFree(out), cudaFree(count), cudaFree(dflags), cudaFree(temp);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
