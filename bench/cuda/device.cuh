// SPDX-License-Identifier: Apache-2.0
//
// What the programs share that measure a GPU: checked calls, memory, medians, and kernels that time
// themselves by the cycle counter of their multiprocessor.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s: %s (%s:%d)\n", #call, cudaGetErrorString(status), __FILE__,        \
                   __LINE__);                                                                      \
      std::exit(2);                                                                                \
    }                                                                                              \
  } while (false)

namespace device {

template <class T> T* array(std::size_t count) {
  T* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, count * sizeof(T)));
  CHECK(cudaMemset(pointer, 0, count * sizeof(T)));
  return pointer;
}

template <class T> T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Marks the beginning and the end of what all threads of a block do between them.
struct Stopwatch {
  long long* cycles;
  long long begin = 0;

  __device__ void start() {
    __syncthreads();
    begin = clock64();
  }
  __device__ void stop() {
    __syncthreads();
    if (threadIdx.x == 0)
      cycles[blockIdx.x] = clock64() - begin;
  }
};

/// Cycles that the first block of a launch took: the median of several launches. `launch` gets the
/// place for the cycles of each block.
template <class Launch> double cyclesOf(Launch launch, int blocks = 1) {
  auto* cycles = array<long long>(std::size_t(blocks));
  std::vector<long long> samples;
  for (int repeat = 0; repeat < 11; ++repeat) {
    launch(cycles);
    CHECK(cudaGetLastError());
    long long found = 0;
    CHECK(cudaMemcpy(&found, cycles, sizeof found, cudaMemcpyDeviceToHost));
    samples.push_back(found);
  }
  CHECK(cudaFree(cycles));
  return double(median(samples));
}

/// Microseconds between two events around a launch: the median of several, after a first one.
template <class Launch> double microsecondsOf(Launch launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> samples;
  for (int repeat = 0; repeat < 12; ++repeat) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (repeat > 0)
      samples.push_back(1000 * milliseconds);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return median(samples);
}

/// Prints `"name": value,` or, as the last of an object, without the comma.
inline void print(const char* name, double value, const char* after = ",\n") {
  std::printf("    \"%s\": %.4g%s", name, value, after);
}

} // namespace device
