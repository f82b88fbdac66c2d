// SPDX-License-Identifier: Apache-2.0
// Structs that are copied: a small one by wide loads, a large one without alignment by a loop of
// single bytes, which ptxas unrolls in part.
#include <cstdio>
#include <vector>

struct Small {
  float4 position;
  int kind, next;
};

struct Large {
  char text[8000];
};

__global__ void copySmall(const Small* from, Small* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i * 7 % n];
}

__global__ void copyLarge(const Large* from, Large* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

int main() {
  const int n = 3000, large = 64;
  std::vector<Small> small(n);
  for (int i = 0; i < n; ++i)
    small[i] = {{float(i), 1, 2, 3}, i % 5, i + 1};
  std::vector<Large> texts(large);
  for (int i = 0; i < large; ++i)
    for (char& letter : texts[i].text)
      letter = char(i + (&letter - texts[i].text) % 11);
  Small *from = nullptr, *to = nullptr;
  Large *texts_from = nullptr, *texts_to = nullptr;
  cudaMalloc(&from, n * sizeof(Small));
  cudaMalloc(&to, n * sizeof(Small));
  cudaMalloc(&texts_from, large * sizeof(Large));
  cudaMalloc(&texts_to, large * sizeof(Large));
  cudaMemcpy(from, small.data(), n * sizeof(Small), cudaMemcpyHostToDevice);
  cudaMemcpy(texts_from, texts.data(), large * sizeof(Large), cudaMemcpyHostToDevice);
  copySmall<<<(n + 127) / 128, 128>>>(from, to, n);
  copyLarge<<<2, 32>>>(texts_from, texts_to);
  cudaMemcpy(small.data(), to, n * sizeof(Small), cudaMemcpyDeviceToHost);
  cudaMemcpy(texts.data(), texts_to, large * sizeof(Large), cudaMemcpyDeviceToHost);
  long sum = 0, letters = 0;
  for (const Small& each : small)
    sum += long(each.position.x) * each.kind + each.next;
  for (const Large& each : texts)
    for (const char letter : each.text)
      letters += letter;
  printf("%ld %ld\n", sum, letters);
}
