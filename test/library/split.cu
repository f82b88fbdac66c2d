// SPDX-License-Identifier: Apache-2.0
//
// Branch splitting in both forms, and the partition under it, for 2 to 8 ways, lengths around every
// size the kernels are cut by, and shares from even to none. Held against the host; prints
// checksums.
#include <heddle/split.cuh>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define REQUIRE(condition)                                                                         \
  if (!(condition)) {                                                                              \
    std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
    std::exit(1);                                                                                  \
  }

template <class T> class DeviceVector {
public:
  explicit DeviceVector(size_t size, int fill = 0) : size_(size) {
    REQUIRE(cudaMalloc(&data_, size * sizeof(T) + 1) == cudaSuccess); // none is empty
    REQUIRE(cudaMemset(data_, fill, size * sizeof(T)) == cudaSuccess);
  }
  DeviceVector(const DeviceVector&) = delete;
  ~DeviceVector() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> values(size_t count) {
    std::vector<T> copy(count);
    REQUIRE(cudaMemcpy(copy.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return copy;
  }
  std::vector<T> values() { return values(size_); }

private:
  T* data_ = nullptr;
  size_t size_;
};

__host__ __device__ unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

enum class Shares { even, uneven, last, runs, none_odd };

/// Which way an index goes; counts how often it is asked.
struct Decide {
  unsigned ways;
  Shares shares;
  unsigned* asked;

  __host__ __device__ unsigned answer(unsigned i) const {
    const unsigned random = scrambled(i + 1);
    switch (shares) {
    case Shares::even:
      return random % ways;
    case Shares::uneven: // one in 64 leaves way 0
      return random % 64 == 0 ? random / 64 % ways : 0;
    case Shares::last:
      return ways - 1;
    case Shares::runs:
      return i / 100 % ways;
    case Shares::none_odd:
      return random % ways / 2 * 2;
    }
    return 0;
  }
  __device__ unsigned operator()(unsigned i) const {
    atomicAdd(&asked[i], 1);
    return answer(i);
  }
};

/// Each branch leaves another result, and leaves it only once right.
template <unsigned Way> struct Branch {
  unsigned* results;
  __device__ void operator()(unsigned i) const { results[i] += scrambled(i) * (Way + 1) + 1; }
};

unsigned long long mix(unsigned long long sum, const std::vector<unsigned>& values) {
  for (const unsigned value : values)
    sum = (sum ^ value) * 1099511628211ull;
  return sum;
}

template <int Ways> unsigned long long check_partition(size_t n, Shares shares) {
  DeviceVector<unsigned> asked(n);
  DeviceVector<char> workspace(heddle::partition_bytes<Ways>(n), 0xa5);
  const Decide decide{Ways, shares, asked.data()};
  heddle::partition<Ways> parts;
  REQUIRE(heddle::make_partition(cudaStream_t{}, n, decide, workspace.data(), parts) ==
          cudaSuccess);
  std::vector<std::vector<unsigned>> by_way(Ways);
  for (unsigned i = 0; i < n; ++i)
    by_way[decide.answer(i)].push_back(i);
  std::vector<unsigned> expected, bounds = {0};
  for (const std::vector<unsigned>& way : by_way) {
    expected.insert(expected.end(), way.begin(), way.end());
    bounds.push_back(static_cast<unsigned>(expected.size()));
  }
  std::vector<unsigned> found(n), found_bounds(Ways + 1);
  REQUIRE(parts.n == n);
  REQUIRE(cudaMemcpy(found.data(), parts.indices, n * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaMemcpy(found_bounds.data(), parts.bounds, 4 * (Ways + 1), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  REQUIRE(found_bounds == bounds);
  REQUIRE(found == expected);
  REQUIRE(asked.values() == std::vector<unsigned>(n, 1));
  return mix(mix(14695981039346656037ull, found), found_bounds);
}

template <int Ways, unsigned... Way>
unsigned long long check_split(size_t n, Shares shares,
                               std::integer_sequence<unsigned, Way...> /*ways*/) {
  DeviceVector<unsigned> asked(n), tested(n), partitioned(n);
  const Decide decide{Ways, shares, asked.data()};
  REQUIRE(heddle::split_by_test(cudaStream_t{}, n, decide, Branch<Way>{tested.data()}...) ==
          cudaSuccess);
  REQUIRE(heddle::split_by_partition(cudaStream_t{}, n, decide,
                                     Branch<Way>{partitioned.data()}...) == cudaSuccess);
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < n; ++i)
    expected.push_back(scrambled(i) * (decide.answer(i) + 1) + 1);
  REQUIRE(tested.values() == expected);
  REQUIRE(partitioned.values() == expected);
  REQUIRE(asked.values() == std::vector<unsigned>(n, Ways + 1));
  return mix(14695981039346656037ull, expected);
}

template <int Ways> void check_ways() {
  for (const size_t n : {0, 1, 31, 32, 33, 255, 1024, 8191, 8192, 8193, 50000})
    for (const Shares shares :
         {Shares::even, Shares::uneven, Shares::last, Shares::runs, Shares::none_odd}) {
      const unsigned long long parts = check_partition<Ways>(n, shares);
      const unsigned long long results =
          check_split<Ways>(n, shares, std::make_integer_sequence<unsigned, Ways>());
      if (n == 50000)
        std::printf("%d ways, shares %d: partition %016llx, results %016llx\n", Ways,
                    static_cast<int>(shares), parts, results);
    }
}

/// More counts than the scan takes at once.
void check_many_tiles() {
  std::printf("2 ways, 4000000 indices: partition %016llx\n",
              check_partition<2>(4000000, Shares::even));
  std::printf("8 ways, 9000000 indices: partition %016llx\n",
              check_partition<8>(9000000, Shares::even));
}

/// A decision that a branch overwrites is asked before; a lambda is a decision too.
void check_order() {
  DeviceVector<unsigned> state(1000);
  unsigned* const values = state.data();
  REQUIRE(heddle::split_by_partition(
              cudaStream_t{}, 1000, [values] __device__(unsigned i) { return values[i] != 0; },
              [values] __device__(unsigned i) { values[i] = i + 1; },
              [values] __device__(unsigned i) { values[i] = 0; }) == cudaSuccess);
  const std::vector<unsigned> found = state.values();
  for (unsigned i = 0; i < 1000; ++i)
    REQUIRE(found[i] == i + 1);
  std::printf("decided before any branch ran\n");
}

void check_errors() {
  DeviceVector<unsigned> one(1);
  const Decide decide{2, Shares::even, one.data()};
  const Branch<0> branch{one.data()};
  heddle::partition<2> parts;
  const size_t too_many = heddle::max_indices + 1;
  REQUIRE(heddle::make_partition(cudaStream_t{}, 1, decide, nullptr, parts) ==
          cudaErrorInvalidValue);
  REQUIRE(heddle::make_partition(cudaStream_t{}, too_many, decide, one.data(), parts) ==
          cudaErrorInvalidValue);
  REQUIRE(heddle::split_by_test(cudaStream_t{}, too_many, decide, branch, branch) ==
          cudaErrorInvalidValue);
  REQUIRE(heddle::split_by_partition(cudaStream_t{}, too_many, decide, branch, branch) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::printf("too many indices and no workspace are refused\n");
}

int main() {
  check_ways<2>();
  check_ways<3>();
  check_ways<4>();
  check_ways<5>();
  check_ways<6>();
  check_ways<7>();
  check_ways<8>();
  check_many_tiles();
  check_order();
  check_errors();
}
