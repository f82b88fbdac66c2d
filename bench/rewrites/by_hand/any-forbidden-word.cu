// SPDX-License-Identifier: Apache-2.0
// Marks the documents that contain any of the words set in a block list bitmap.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int VOCABULARY = 1 << 16;

const int LANES = 16;

__global__ void blocked(const int* docStart, const uint16_t* words, const uint32_t* blockList,
                        bool* hit, int docs) {
  int d = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  if (d >= docs) return;
  unsigned team = 0xffffu << (threadIdx.x & 16);
  int end = docStart[d + 1];
  bool any = false;
  for (int base = docStart[d]; base < end && !any; base += LANES) {
    bool mine = false;
    if (base + lane < end) {
      unsigned w = words[base + lane];
      mine = (blockList[w / 32] >> (w % 32)) & 1u;
    }
    any = __any_sync(team, mine);
  }
  if (lane == 0) hit[d] = any;
}

int main(int argc, char** argv) {
  int docs = argc > 1 ? std::atoi(argv[1]) : 100000;
  unsigned s = 20240;
  auto rnd = [&] { return (s = s * 1664525u + 1013904223u) >> 7; };
  std::vector<int> docStart(docs + 1, 0);
  for (int d = 0; d < docs; ++d) {
    int len = 20 + rnd() % 80;
    if (rnd() % 20 == 0) len *= 12;
    docStart[d + 1] = docStart[d] + len;
  }
  std::vector<uint16_t> words(docStart[docs]);
  for (uint16_t& w : words) w = static_cast<uint16_t>(rnd());
  std::vector<uint32_t> blockList(VOCABULARY / 32, 0);
  for (int b = 0; b < 130; ++b) {
    unsigned w = rnd() % VOCABULARY;
    blockList[w / 32] |= 1u << (w % 32);
  }

  int* dStart;
  uint16_t* dWords;
  uint32_t* dList;
  bool* dHit;
  cudaMalloc(&dStart, docStart.size() * sizeof(int));
  cudaMalloc(&dWords, words.size() * sizeof(uint16_t));
  cudaMalloc(&dList, blockList.size() * sizeof(uint32_t));
  cudaMalloc(&dHit, docs * sizeof(bool));
  cudaMemcpy(dStart, docStart.data(), docStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dWords, words.data(), words.size() * sizeof(uint16_t), cudaMemcpyHostToDevice);
  cudaMemcpy(dList, blockList.data(), blockList.size() * sizeof(uint32_t),
             cudaMemcpyHostToDevice);
  blocked<<<(docs * LANES + 255) / 256, 256>>>(dStart, dWords, dList, dHit, docs);
  std::vector<char> hit(docs);
  cudaMemcpy(hit.data(), dHit, docs, cudaMemcpyDeviceToHost);
  int count = 0;
  long long where = 0;
  for (int d = 0; d < docs; ++d) {
    count += hit[d];
    where += hit[d] ? d : 0;
  }
  std::printf("blocked %d of %d, sum of ids %lld\n", count, docs, where);
  cudaFree(dStart);
  cudaFree(dWords);
  cudaFree(dList);
  cudaFree(dHit);
  return 0;
}
