// SPDX-License-Identifier: Apache-2.0
// What the programs of the corpus share: checks of calls, copies, random numbers, the verdict.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

template <class T> T* allocate(size_t count) {
  T* device;
  CHECK(cudaMalloc(&device, count * sizeof(T)));
  CHECK(cudaMemset(device, 0, count * sizeof(T)));
  return device;
}

template <class T> T* upload(const std::vector<T>& host) {
  T* device;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T> std::vector<T> download(const T* device, size_t count) {
  std::vector<T> host(count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

struct Random {
  unsigned state;
  __host__ __device__ explicit Random(unsigned seed) : state(seed * 2654435761u + 12345u) {}
  __host__ __device__ unsigned next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  __host__ __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }
};

inline int argument(int argc, char** argv, int standard) {
  return argc > 1 ? atoi(argv[1]) : standard;
}

inline bool near(double got, double want, double tolerance) {
  return std::fabs(got - want) <= tolerance * (1 + std::fabs(want));
}

template <class T>
bool allNear(const std::vector<T>& got, const std::vector<T>& want, double tolerance) {
  for (size_t i = 0; i < want.size(); ++i)
    if (!near(got[i], want[i], tolerance))
      return false;
  return got.size() == want.size();
}

inline int verdict(bool passed) {
  printf(passed ? "PASS\n" : "FAIL\n");
  return passed ? 0 : 1;
}
