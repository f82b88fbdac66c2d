// SPDX-License-Identifier: Apache-2.0
// Position of the first entry of every posting list that is at least a given document number.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void firstAtLeast(const int* __restrict__ listStart, const int* __restrict__ docs,
                             const int* __restrict__ wanted, int* __restrict__ position,
                             int lists) {
  int l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l < lists) {
    int want = wanted[l];
    int found = -1;
    for (int k = listStart[l]; k < listStart[l + 1]; ++k) {
      if (docs[k] >= want) {
        found = k - listStart[l];
        break;
      }
    }
    position[l] = found;
  }
}

int main(int argc, char** argv) {
  int lists = argc > 1 ? std::atoi(argv[1]) : 150000;
  std::mt19937 gen(64);
  std::exponential_distribution<float> length(1.0f / 90.0f);
  std::vector<int> listStart(lists + 1, 0), docs, wanted(lists);
  for (int l = 0; l < lists; ++l) {
    int n = static_cast<int>(length(gen));
    int doc = 0;
    for (int k = 0; k < n; ++k) {
      doc += 1 + gen() % 40;
      docs.push_back(doc);
    }
    listStart[l + 1] = static_cast<int>(docs.size());
    wanted[l] = gen() % 2500;
  }
  int *dStart, *dDocs, *dWanted, *dPos;
  cudaMalloc(&dStart, listStart.size() * sizeof(int));
  cudaMalloc(&dDocs, docs.size() * sizeof(int));
  cudaMalloc(&dWanted, lists * sizeof(int));
  cudaMalloc(&dPos, lists * sizeof(int));
  cudaMemcpy(dStart, listStart.data(), listStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dDocs, docs.data(), docs.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dWanted, wanted.data(), lists * sizeof(int), cudaMemcpyHostToDevice);
  firstAtLeast<<<(lists + 127) / 128, 128>>>(dStart, dDocs, dWanted, dPos, lists);
  std::vector<int> pos(lists);
  cudaMemcpy(pos.data(), dPos, lists * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  int found = 0;
  for (int p : pos) {
    sum += p;
    found += p >= 0;
  }
  std::printf("found %d of %d, sum of positions %lld\n", found, lists, sum);
  cudaFree(dStart);
  cudaFree(dDocs);
  cudaFree(dWanted);
  cudaFree(dPos);
  return 0;
}
