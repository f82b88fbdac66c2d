// SPDX-License-Identifier: Apache-2.0
// A step of a sort: half of the lists are split around a pivot, the others are merged from two
// halves.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int length = 64;

__device__ unsigned mixed(unsigned key) {
  return (key ^ key >> 15) * 2246822519u;
}

__global__ void step(const unsigned* from, const unsigned* kind, unsigned* to, unsigned* check,
                     int lists) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lists)
    return;
  const unsigned* in = from + i * length;
  unsigned* out = to + i * length;
  unsigned sum = 0;
  if (kind[i] & 1) {
    int low = 0, high = length - 1;
    const unsigned pivot = in[length / 2];
    for (int k = 0; k < length; ++k)
      out[in[k] < pivot ? low++ : high--] = in[k];
    for (int k = 0; k < length; ++k)
      sum = mixed(sum + out[k] * k);
    check[i] = sum + low;
  } else {
    int left = 0, right = length / 2;
    for (int k = 0; k < length; ++k) {
      const bool takesLeft = right == length || (left < length / 2 && in[left] <= in[right]);
      out[k] = in[takesLeft ? left++ : right++];
    }
    for (int k = 0; k < length; ++k)
      sum = mixed(sum + out[k] * k);
    check[i] = sum + right;
  }
}

int main(int argc, char** argv) {
  const int lists = argc > 1 ? std::atoi(argv[1]) : 20000;
  std::vector<unsigned> keys(std::size_t(lists) * length), kinds(lists), check(lists);
  unsigned state = 11;
  for (unsigned& key : keys)
    key = (state = state * 1664525u + 1013904223u) >> 12;
  for (unsigned& kind : kinds)
    kind = (state = state * 1664525u + 1013904223u) >> 20;
  unsigned *from, *to, *kind, *sums;
  cudaMalloc(&from, keys.size() * sizeof(unsigned));
  cudaMalloc(&to, keys.size() * sizeof(unsigned));
  cudaMalloc(&kind, kinds.size() * sizeof(unsigned));
  cudaMalloc(&sums, check.size() * sizeof(unsigned));
  cudaMemcpy(from, keys.data(), keys.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(kind, kinds.data(), kinds.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  step<<<(lists + 127) / 128, 128>>>(from, kind, to, sums, lists);
  cudaMemcpy(check.data(), sums, check.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (const unsigned each : check)
    sum = sum * 31 + each;
  std::printf("check %016llx\n", sum);
  cudaFree(from);
  cudaFree(to);
  cudaFree(kind);
  cudaFree(sums);
  return 0;
}
