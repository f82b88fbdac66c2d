// SPDX-License-Identifier: Apache-2.0
//
// As programs are: the kernel is a template in a header, numbers are random, a time and a place in memory are printed.
// clang-format off
#include "kernels/roles.cuh"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main() {
  const auto begin = std::chrono::steady_clock::now();
  const int count = 64 * 256;
  std::vector<float> values(count);
  std::srand(unsigned(time(nullptr)) ^ std::random_device{}());
  for (float& value : values)
    value = float(std::rand() % 1000) / 1000;
  float* device;
  cudaMalloc(&device, count * sizeof(float));
  cudaMemcpy(device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  roles << <64, 256 >> >(device, 400);
  cudaMemcpy(values.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (const float value : values)
    sum += value;
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
  std::printf("%d values at %p, host %p\n", count, static_cast<void*>(device), static_cast<void*>(values.data()));
  std::printf("elapsed: %.0f ns\n", spent.count());
  std::printf("sum %.6f\n", sum);
  cudaFree(device);
}
