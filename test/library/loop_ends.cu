// SPDX-License-Identifier: Apache-2.0
//
// heddle::square_above and its kin against the loops that they stand for.
#include <heddle/loop_ends.cuh>

#include <cmath>
#include <cstdio>

template <class Int> __device__ Int endOfSquares(Int n, bool isClosed) {
  Int i = 0;
  while (isClosed ? static_cast<Int>(i * i) <= n : static_cast<Int>(i * i) < n)
    ++i;
  return i;
}

template <class Real> __device__ int endOfReals(Real x, bool isClosed) {
  int i = -300;
  while (isClosed ? static_cast<Real>(i) <= x : static_cast<Real>(i) < x)
    ++i;
  return i;
}

template <class Int> __device__ void squares(Int n, int* wrong) {
  const Int above = heddle::square_above(n), from = heddle::square_from(n);
  if (above != endOfSquares(n, true) || from != endOfSquares(n, false))
    atomicAdd(wrong, 1);
}

__global__ void compare(int* wrong) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  squares(i - 8, wrong);
  squares(i * i, wrong);
  squares(i * i - 1, wrong);
  squares(unsigned(i), wrong);
  squares(0xfffe0001u - unsigned(i % 2), wrong); // 65535 squared, and one less
  squares(0xfffe0002u + unsigned(i), wrong);     // squares wrap around
  squares(static_cast<long long>(i) * i, wrong);
  const float x = 0.25f * float(i - 1024);
  if (heddle::whole_above<int>(x) != endOfReals(x, true) || heddle::whole_from<int>(x) != endOfReals(x, false))
    atomicAdd(wrong, 1);
  const double root = sqrt(double(i));
  if (heddle::whole_above<int>(root) != endOfReals(root, true) || heddle::whole_from<int>(root) != endOfReals(root, false))
    atomicAdd(wrong, 1);
}

__global__ void large(long long* out) {
  out[0] = heddle::square_above(46340 * 46340);
  out[1] = heddle::square_above(46340 * 46340 - 1);
  out[2] = heddle::square_above(9223372036854775807ll);
  out[3] = heddle::square_above(3037000499ll * 3037000499ll - 1);
  out[4] = static_cast<long long>(heddle::square_above(4294967295ull * 4294967295ull - 1));
  out[5] = heddle::whole_above<int>(16777216.0f); // the next ones are rounded to it
  out[6] = heddle::whole_from<int>(nanf(""));
  out[7] = heddle::whole_above<int>(1e20);
}

int main() {
  int* wrong;
  long long* out;
  cudaMallocManaged(&wrong, sizeof(int));
  cudaMallocManaged(&out, 8 * sizeof(long long));
  *wrong = 0;
  compare<<<8, 256>>>(wrong);
  large<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  std::printf("%d wrong\n", *wrong);
  for (int i = 0; i < 8; ++i)
    std::printf("%lld\n", out[i]);
}
