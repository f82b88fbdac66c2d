// SPDX-License-Identifier: Apache-2.0
// Numbers of 128 bits: products, sums and differences with carries, shifts, quotients and
// remainders, signed and not. nvcc writes division out in instructions with a carry.
#include <cstdint>

#include "../check.h"

typedef unsigned __int128 Wide;
typedef __int128 Signed;
constexpr int results = 16, values = 24;

__host__ __device__ void put(std::uint64_t*& to, Wide value) {
  *to++ = std::uint64_t(value);
  *to++ = std::uint64_t(value >> 64);
}

__host__ __device__ void compute(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                 std::uint64_t* to) {
  const Wide product = Wide(a) * b, sum = product + (Wide(1) << 70) + c;
  const Wide long_ = (Wide(c) << 20 | a >> 40) | 1;
  put(to, sum);
  put(to, product - Wide(c) * c);
  put(to, sum / (c | 1));
  put(to, sum % (c | 1));
  put(to, sum / long_);
  put(to, sum % long_);
  put(to, Wide(Signed(sum) / Signed(std::int64_t(c) | 1)));
  put(to, Wide(Signed(sum) % Signed(std::int64_t(c) | 1)));
}

__global__ void wide(const std::uint64_t* in, std::uint64_t* out) {
  const int i = threadIdx.x;
  compute(in[i], in[(i * 7 + 3) % values], in[(i * 5 + 1) % values], out + i * results);
}

int main() {
  std::uint64_t *in = nullptr, *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&in, values * sizeof(*in)));
  CHECK_CUDA(cudaMallocManaged(&out, values * results * sizeof(*out)));
  std::uint64_t state = 88172645463325252ull;
  for (int i = 0; i < values; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    in[i] = i < 4 ? ~std::uint64_t(0) - i * 59 : state >> (i % 6 * 9);
  }
  wide<<<1, values>>>(in, out);
  CHECK_LAUNCH();
  for (int i = 0; i < values; ++i) {
    std::uint64_t want[results];
    compute(in[i], in[(i * 7 + 3) % values], in[(i * 5 + 1) % values], want);
    for (int k = 0; k < results; ++k)
      if (out[i * results + k] != want[k]) {
        printf("FAIL: thread %d, word %d: %016llx, expected %016llx\n", i, k,
               (unsigned long long)out[i * results + k], (unsigned long long)want[k]);
        return 1;
      }
  }
  CHECK_CUDA(cudaFree(in));
  CHECK_CUDA(cudaFree(out));
  puts("PASS");
  return 0;
}
