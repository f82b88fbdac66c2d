// SPDX-License-Identifier: Apache-2.0
// Thrust: vectors, and sums and maps over them and over iterators that hold nothing.
#include "../check.h"
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

constexpr int count = 3000;

struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct Sum {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& pair) const {
    return thrust::get<0>(pair) + thrust::get<1>(pair);
  }
};

int main() {
  thrust::host_vector<int> numbers(count);
  long total = 0;
  for (int i = 0; i < count; ++i)
    total += numbers[i] = (i * 7919) % 3001;
  thrust::device_vector<int> keys = numbers, values(count), out(count);
  expectEqual("reduce", thrust::reduce(keys.begin(), keys.end(), 0L), total);

  thrust::sequence(values.begin(), values.end(), 5, 2);
  expectEqual("sequence", int(values[100]), 205);
  const thrust::counting_iterator<int> first(0);
  expectEqual("transform_reduce",
              thrust::transform_reduce(first, first + 1000, Square(), 0LL, thrust::plus<long long>()),
              332833500LL);
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(first, values.begin()));
  thrust::transform(pairs, pairs + count, out.begin(), Sum());
  expectEqual("zip", int(out[100]), 305);
  return finish();
}
