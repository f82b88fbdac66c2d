// SPDX-License-Identifier: Apache-2.0
// COVERS: thrust, thrust: copy_if, thrust: counting_iterator
// Prime numbers by copy_if over a counting iterator; remove_if and partition. Arguments: limit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/partition.h>
#include <thrust/remove.h>

struct IsPrime {
  __host__ __device__ bool operator()(int n) const {
    if (n < 2)
      return false;
    for (int d = 2; d * d <= n; ++d)
      if (n % d == 0)
        return false;
    return true;
  }
};

struct EndsWithThree {
  __host__ __device__ bool operator()(int n) const { return n % 10 == 3; }
};

int main(int argc, char** argv) {
  int limit = argc > 1 ? atoi(argv[1]) : 3000;
  thrust::counting_iterator<int> first(0);
  thrust::device_vector<int> primes(limit);
  auto end = thrust::copy_if(first, first + limit, primes.begin(), IsPrime());
  primes.erase(end, primes.end());
  std::vector<int> want, got(primes.size());
  for (int i = 0; i < limit; ++i)
    if (IsPrime()(i))
      want.push_back(i);
  thrust::copy(primes.begin(), primes.end(), got.begin());
  bool ok = got == want;
  auto middle = thrust::stable_partition(primes.begin(), primes.end(), EndsWithThree());
  auto split = std::stable_partition(want.begin(), want.end(), EndsWithThree());
  thrust::copy(primes.begin(), primes.end(), got.begin());
  ok = ok && got == want && middle - primes.begin() == split - want.begin();
  primes.resize(thrust::remove_if(primes.begin(), primes.end(), EndsWithThree()) - primes.begin());
  want.erase(want.begin(), split);
  got.resize(primes.size());
  thrust::copy(primes.begin(), primes.end(), got.begin());
  ok = ok && got == want;
  printf("%zu primes do not end with 3\n%s\n", got.size(), ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
