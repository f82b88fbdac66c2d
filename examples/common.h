// SPDX-License-Identifier: Apache-2.0
//
// What the lessons share: device arrays, random numbers and a checksum to print.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                                   \
      std::printf("%s: %s\n", #call, cudaGetErrorString(status));                                  \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

/// The next random number of 24 bits.
__device__ inline unsigned draw(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/// The next random number between 0 and 1.
__device__ inline float uniform(unsigned& state) {
  return static_cast<float>(draw(state)) * (1.0f / 16777216.0f);
}

inline std::vector<unsigned> makeSeeds(int count) {
  std::vector<unsigned> seeds(count);
  for (int i = 0; i < count; ++i)
    seeds[i] = 2654435761u * static_cast<unsigned>(i + 1);
  return seeds;
}

template <class T> T* toDevice(const std::vector<T>& values) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T> std::vector<T> toHost(const T* memory, int count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

template <class T> void printMean(const char* what, const std::vector<T>& values) {
  double sum = 0;
  for (const T value : values)
    sum += static_cast<double>(value);
  std::printf("%zu %s, mean %.6f\n", values.size(), what, sum / static_cast<double>(values.size()));
}
