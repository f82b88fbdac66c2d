// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: reduce
// Sums, maxima, a norm by transform_reduce, counts and places of extremes. Arguments: n.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

template <typename T> struct square {
  __host__ __device__ T operator()(const T& x) const { return x * x; }
};

struct isOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5000;
  std::vector<int> h(n);
  long long sum = 0;
  double squares = 0;
  int most = -1, where = 0, odd = 0;
  for (int i = 0; i < n; ++i) {
    h[i] = i * 7919 % 5003;
    sum += h[i];
    squares += (double)h[i] * h[i];
    odd += h[i] & 1;
    if (h[i] > most)
      most = h[i], where = i;
  }
  thrust::device_vector<int> d(h.begin(), h.end());
  long long s = thrust::reduce(d.begin(), d.end(), 0LL, thrust::plus<long long>());
  int m = thrust::reduce(thrust::device, d.begin(), d.end(), 0, thrust::maximum<int>());
  thrust::device_vector<double> x(h.begin(), h.end());
  double norm = std::sqrt(
      thrust::transform_reduce(x.begin(), x.end(), square<double>(), 0.0, thrust::plus<double>()));
  double dot = thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  auto place = thrust::max_element(d.begin(), d.end()) - d.begin();
  auto count = thrust::count_if(d.begin(), d.end(), isOdd());
  bool ok = s == sum && m == most && std::fabs(norm - std::sqrt(squares)) < 1e-6 * norm &&
            std::fabs(dot - squares) < 1e-9 * dot && place == where && count == odd;
  printf("sum %lld (%lld), max %d (%d) at %d (%d), odd %d (%d)\n", s, sum, m, most, (int)place,
         where, (int)count, odd);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
