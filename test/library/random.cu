// SPDX-License-Identifier: Apache-2.0
//
// heddle::curand_init against cuRAND's: states field by field, for sequences in a row or scattered,
// all lanes or some.
#include <heddle/random.cuh>

#include <cstdio>

constexpr int threads = 160;

/// How the sequences of a launch lie.
enum class Lie { Row, Unaligned, Tile, Back, Same, Sparse, Far, Last };

__device__ unsigned long long sequence_of(Lie lie, unsigned i) {
  switch (lie) {
  case Lie::Row:
    return i;
  case Lie::Unaligned:
    return i + 1013;
  case Lie::Tile:
    return i % 16 + i / 16 * 1000;
  case Lie::Back:
    return 5000 - i;
  case Lie::Same:
    return 77;
  case Lie::Sparse:
    return i * 37;
  case Lie::Far:
    return i + (1ull << 34) - 40;
  case Lie::Last:
    break;
  }
  return 0;
}

struct Start {
  unsigned long long seed;
  Lie lie;
  unsigned lanes; ///< a bit for each that comes
  bool own_seed, offset;
};

template <bool Shared> __global__ void start(curandState* states, Start s) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((s.lanes >> threadIdx.x % 32 & 1u) == 0)
    return;
  const unsigned long long seed = s.own_seed ? s.seed + i % 3 : s.seed;
  const unsigned long long offset = s.offset ? i % 5 * 1000003ull : 0;
  if (Shared)
    heddle::curand_init(seed, sequence_of(s.lie, i), offset, &states[i]);
  else
    curand_init(seed, sequence_of(s.lie, i), offset, &states[i]);
}

bool same(const curandState& a, const curandState& b) {
  bool all = a.d == b.d && a.boxmuller_flag == b.boxmuller_flag &&
             a.boxmuller_flag_double == b.boxmuller_flag_double &&
             a.boxmuller_extra == b.boxmuller_extra &&
             a.boxmuller_extra_double == b.boxmuller_extra_double;
  for (int k = 0; k < 5; ++k)
    all = all && a.v[k] == b.v[k];
  return all;
}

int main() {
  curandState *plain, *shared;
  cudaMallocManaged(&plain, threads * sizeof(curandState));
  cudaMallocManaged(&shared, threads * sizeof(curandState));
  const unsigned masks[] = {~0u, 0x7fu, 1u, 0x55555555u, 0xffff0000u, 0x0000ffffu};
  int cases = 0, differ = 0;
  for (int lie = 0; lie < int(Lie::Last); ++lie)
    for (unsigned lanes : masks)
      for (int kind = 0; kind < (lanes == ~0u ? 4 : 1); ++kind) {
        const Start s = {0x123456789abull, Lie(lie), lanes, kind == 1 || kind == 3, kind >= 2};
        cudaMemset(plain, 0x5a, threads * sizeof(curandState));
        cudaMemset(shared, 0x5a, threads * sizeof(curandState));
        start<false><<<1, threads>>>(plain, s);
        start<true><<<1, threads>>>(shared, s);
        cudaDeviceSynchronize();
        for (int i = 0; i < threads; ++i)
          differ += !same(plain[i], shared[i]);
        ++cases;
      }
  std::printf("%d cases, %d states differ: %s\n", cases, differ,
              cudaGetErrorString(cudaGetLastError()));
  return differ != 0;
}
