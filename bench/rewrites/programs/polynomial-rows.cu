// SPDX-License-Identifier: Apache-2.0
// Evaluates polynomials of various lengths at their own points, highest coefficient first.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define PRIME 65521u

__global__ void evaluate(const unsigned* first, const unsigned* coefficient,
                         const unsigned* point, unsigned* value, unsigned n) {
  unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n) return;
  unsigned x = point[p];
  unsigned sum = 0;
  for (unsigned k = first[p]; k < first[p + 1]; ++k) {
    sum = (sum * x + coefficient[k]) % PRIME;
  }
  value[p] = sum;
}

int main(int argc, char** argv) {
  unsigned n = argc > 1 ? std::atoi(argv[1]) : 200000;
  unsigned s = 1819;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 9; };
  std::vector<unsigned> first(n + 1, 0), point(n), value(n);
  for (unsigned p = 0; p < n; ++p) {
    first[p + 1] = first[p] + 2 + rnd() % 62;
    point[p] = rnd() % 65536 % PRIME;
  }
  std::vector<unsigned> coefficient(first[n]);
  for (unsigned& c : coefficient) c = rnd() % PRIME;
  unsigned *dFirst, *dCoefficient, *dPoint, *dValue;
  cudaMalloc(&dFirst, first.size() * sizeof(unsigned));
  cudaMalloc(&dCoefficient, coefficient.size() * sizeof(unsigned));
  cudaMalloc(&dPoint, n * sizeof(unsigned));
  cudaMalloc(&dValue, n * sizeof(unsigned));
  cudaMemcpy(dFirst, first.data(), first.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(dCoefficient, coefficient.data(), coefficient.size() * sizeof(unsigned),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dPoint, point.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  evaluate<<<(n + 255) / 256, 256>>>(dFirst, dCoefficient, dPoint, dValue, n);
  cudaMemcpy(value.data(), dValue, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (unsigned v : value) sum += v;
  std::printf("sum of values %llu\n", sum);
  cudaFree(dFirst);
  cudaFree(dCoefficient);
  cudaFree(dPoint);
  cudaFree(dValue);
  return 0;
}
