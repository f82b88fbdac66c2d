// SPDX-License-Identifier: Apache-2.0
// CUB's functions over whole arrays: each is called twice, first for the size of its memory.
#include "../check.h"
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <numeric>

constexpr int count = 6000;

struct IsSmall {
  __host__ __device__ bool operator()(int x) const { return x < 1000; }
};

template <class Function> void twice(Function function) {
  void* storage = nullptr;
  size_t bytes = 0;
  CHECK_CUDA(function(storage, bytes));
  CHECK_CUDA(cudaMalloc(&storage, bytes));
  CHECK_CUDA(function(storage, bytes));
  CHECK_LAUNCH();
  CHECK_CUDA(cudaFree(storage));
}

int main() {
  std::vector<int> numbers(count), before(count), small;
  for (int i = 0; i < count; ++i)
    numbers[i] = (i * 7919) % 4001;
  std::exclusive_scan(numbers.begin(), numbers.end(), before.begin(), 0);
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(small), IsSmall());
  DeviceArray<int> given(numbers), sum(1), scanned(count), chosen(count), number(1), bins(4);

  twice([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, (int*)given, (int*)sum, count);
  });
  expectEqual("sum", sum.read()[0], std::accumulate(numbers.begin(), numbers.end(), 0));
  twice([&](void* storage, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, (int*)given, (int*)scanned, count);
  });
  expectArray("scanned", scanned.read(), [&](size_t i) { return before[i]; });
  twice([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, (int*)given, (int*)chosen, (int*)number, count,
                                 IsSmall());
  });
  expectEqual("number", number.read()[0], int(small.size()));
  const std::vector<int> found = chosen.read();
  for (size_t i = 0; i < small.size(); ++i)
    expectEqual("chosen", found[i], small[i]);
  twice([&](void* storage, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, (int*)given, (int*)bins, 5, 0, 4000,
                                               count);
  });
  expectArray("bins", bins.read(), [&](size_t bin) {
    return int(std::count_if(numbers.begin(), numbers.end(),
                             [&](int x) { return x < 4000 && x / 1000 == int(bin); }));
  });
  return finish();
}
