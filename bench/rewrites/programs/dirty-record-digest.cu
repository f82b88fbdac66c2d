// SPDX-License-Identifier: Apache-2.0
// Recomputes the digest of the few records of a table that were changed since the last pass.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WORDS 16
#define ROUNDS 24

__device__ __forceinline__ uint32_t rotl(uint32_t v, int n) {
  return (v << n) | (v >> (32 - n));
}

__device__ uint64_t digest(const uint32_t* words) {
  uint32_t a = 0x243f6a88u, b = 0x85a308d3u;
  for (int r = 0; r < ROUNDS; ++r) {
    for (int w = 0; w < WORDS; ++w) {
      a = rotl(a ^ words[w], 7) * 0x9e3779b1u + r;
      b = rotl(b + a, 13) ^ words[(w * 5 + r) & (WORDS - 1)];
    }
  }
  return (static_cast<uint64_t>(a) << 32) | b;
}

__global__ void rehash(const uint32_t* records, const uint8_t* dirty, uint64_t* digests,
                       uint32_t count) {
  uint32_t r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count) return;
  if (dirty[r] == 0) return;
  digests[r] = digest(records + static_cast<size_t>(r) * WORDS);
}

int main(int argc, char** argv) {
  uint32_t count = argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 1000000u;
  std::vector<uint32_t> records(static_cast<size_t>(count) * WORDS);
  std::vector<uint8_t> dirty(count);
  std::vector<uint64_t> digests(count, 1);
  uint32_t s = 0xabcdu;
  for (uint32_t& w : records) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    w = s;
  }
  for (uint32_t r = 0; r < count; ++r) dirty[r] = records[size_t(r) * WORDS] % 100 == 0;

  uint32_t* dRecords;
  uint8_t* dDirty;
  uint64_t* dDigests;
  cudaMalloc(&dRecords, records.size() * sizeof(uint32_t));
  cudaMalloc(&dDirty, count);
  cudaMalloc(&dDigests, count * sizeof(uint64_t));
  cudaMemcpy(dRecords, records.data(), records.size() * sizeof(uint32_t),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dDirty, dirty.data(), count, cudaMemcpyHostToDevice);
  cudaMemcpy(dDigests, digests.data(), count * sizeof(uint64_t), cudaMemcpyHostToDevice);

  rehash<<<(count + 255) / 256, 256>>>(dRecords, dDirty, dDigests, count);

  cudaMemcpy(digests.data(), dDigests, count * sizeof(uint64_t), cudaMemcpyDeviceToHost);
  uint64_t mix = 0;
  for (uint32_t r = 0; r < count; ++r) mix = mix * 31 + digests[r];
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(mix));
  cudaFree(dRecords);
  cudaFree(dDirty);
  cudaFree(dDigests);
  return 0;
}
