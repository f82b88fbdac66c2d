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

const int THREADS = 128;
const int TILES = 16;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void rehash(const uint32_t* records, const uint8_t* dirty, uint64_t* digests,
                       int records_n) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    pack(i < records_n && dirty[i] != 0, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    digests[i] = digest(records + static_cast<size_t>(i) * WORDS);
  }
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

  uint32_t blocks = (count + THREADS * TILES - 1) / (THREADS * TILES);
  rehash<<<blocks, THREADS>>>(dRecords, dDirty, dDigests, static_cast<int>(count));

  cudaMemcpy(digests.data(), dDigests, count * sizeof(uint64_t), cudaMemcpyDeviceToHost);
  uint64_t mix = 0;
  for (uint32_t r = 0; r < count; ++r) mix = mix * 31 + digests[r];
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(mix));
  cudaFree(dRecords);
  cudaFree(dDirty);
  cudaFree(dDigests);
  return 0;
}
