// SPDX-License-Identifier: Apache-2.0
// Travelling salesman: the best exchange of two edges of a tour, found by all threads together.
#include "common.h"

__host__ __device__ int lengthOf(short2 a, short2 b) {
  return (int)(sqrtf((float)((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y))) + 0.5f);
}

__host__ __device__ int gainOf(const short2* tour, int n, int i, int j) {
  short2 a = tour[i], b = tour[i + 1], c = tour[j], d = tour[(j + 1) % n];
  return lengthOf(a, b) + lengthOf(c, d) - lengthOf(a, c) - lengthOf(b, d);
}

__global__ void bestExchange(const short2* tour, int n, unsigned long long* best) {
  __shared__ unsigned long long local[128];
  unsigned long long mine = 0;
  for (int i = blockIdx.x; i < n - 2; i += gridDim.x)
    for (int j = i + 2 + threadIdx.x; j < n; j += blockDim.x) {
      int gain = gainOf(tour, n, i, j);
      if (gain > 0) {
        unsigned long long packed = (unsigned long long)gain << 32 | i << 16 | j;
        mine = packed > mine ? packed : mine;
      }
    }
  local[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half && local[threadIdx.x + half] > local[threadIdx.x])
      local[threadIdx.x] = local[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicMax(best, local[0]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 200);
  Random random(167);
  std::vector<short2> tour(n);
  for (short2& city : tour)
    city = make_short2(random.next() % 1000, random.next() % 1000);
  bool passed = true;
  for (int step = 0; step < 3; ++step) {
    auto* best = allocate<unsigned long long>(1);
    bestExchange<<<std::min(n, 528), 128>>>(upload(tour), n, best);
    unsigned long long got = download(best, 1)[0];
    int gain = (int)(got >> 32), i = got >> 16 & 0xffff, j = got & 0xffff, want = 0;
    for (int a = 0; a < n - 2; ++a)
      for (int b = a + 2; b < n; ++b)
        want = std::max(want, gainOf(tour.data(), n, a, b));
    passed &= gain == want && gainOf(tour.data(), n, i, j) == want;
    for (++i; i < j; ++i, --j)
      std::swap(tour[i], tour[j]);
  }
  return verdict(passed);
}
