// SPDX-License-Identifier: Apache-2.0
// Decodes streams of tagged values where each tag tells how many bytes follow it.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void decode(const unsigned char* bytes, const int* begin, unsigned* sums,
                       int* values, int streams) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= streams) return;
  unsigned sum = 0;
  int count = 0;
  int end = begin[s + 1];
  for (int k = begin[s]; k < end; ++k) {
    int length = bytes[k] & 3;
    unsigned v = bytes[k] >> 2;
    while (length > 0 && k + 1 < end) {
      ++k;
      v = v * 256 + bytes[k];
      --length;
    }
    sum += v;
    ++count;
  }
  sums[s] = sum;
  values[s] = count;
}

int main(int argc, char** argv) {
  int streams = argc > 1 ? std::atoi(argv[1]) : 150000;
  unsigned seed = 1948;
  auto rnd = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 13; };
  std::vector<int> begin(streams + 1, 0), values(streams);
  for (int s = 0; s < streams; ++s) begin[s + 1] = begin[s] + 10 + rnd() % 100;
  std::vector<unsigned char> bytes(begin[streams]);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(rnd());
  unsigned char* dBytes;
  int *dBegin, *dValues;
  unsigned* dSums;
  cudaMalloc(&dBytes, bytes.size());
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dValues, streams * sizeof(int));
  cudaMalloc(&dSums, streams * sizeof(unsigned));
  cudaMemcpy(dBytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  decode<<<(streams + 255) / 256, 256>>>(dBytes, dBegin, dSums, dValues, streams);
  std::vector<unsigned> sums(streams);
  cudaMemcpy(sums.data(), dSums, streams * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaMemcpy(values.data(), dValues, streams * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned mix = 0;
  long long count = 0;
  for (int s = 0; s < streams; ++s) {
    mix = mix * 31u + sums[s];
    count += values[s];
  }
  std::printf("values %lld check %08x\n", count, mix);
  cudaFree(dBytes);
  cudaFree(dBegin);
  cudaFree(dValues);
  cudaFree(dSums);
  return 0;
}
