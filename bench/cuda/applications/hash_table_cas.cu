// SPDX-License-Identifier: Apache-2.0
// An open-addressing hash table with insertions, look-ups and deletions by compare and swap.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <unordered_map>
#include <vector>

using Slot = unsigned long long; // the key in the upper half, the value in the lower one

constexpr uint32_t kEmpty = 0xffffffffu;
constexpr uint32_t kDeleted = 0xfffffffeu;
constexpr Slot kEmptySlot = (Slot)kEmpty << 32 | kEmpty;

struct Table {
  Slot* slots;
  uint32_t mask;
};

__host__ __device__ inline uint32_t mix(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k;
}

__host__ __device__ inline Slot pack(uint32_t key, uint32_t value) {
  return (Slot)key << 32 | value;
}

__global__ void clearTable(Table t) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= t.mask)
    t.slots[i] = kEmptySlot;
}

// A key that is there already keeps the larger of the two values.
__global__ void insert(Table t, const uint32_t* keys, const uint32_t* values, int n,
                       unsigned* probes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t key = keys[i], value = values[i];
  uint32_t at = mix(key) & t.mask;
  unsigned steps = 1;
  while (true) {
    Slot old = atomicCAS(&t.slots[at], kEmptySlot, pack(key, value));
    if (old == kEmptySlot)
      break;
    if ((uint32_t)(old >> 32) == key) {
      atomicMax(&t.slots[at], pack(key, value));
      break;
    }
    at = (at + 1) & t.mask;
    ++steps;
  }
  atomicMax(probes, steps);
}

__global__ void lookup(Table t, const uint32_t* keys, int n, uint32_t* out, int* hits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool hit = false;
  if (i < n) {
    uint32_t key = keys[i];
    uint32_t at = mix(key) & t.mask;
    uint32_t result = kEmpty;
    while (true) {
      Slot s = t.slots[at];
      uint32_t k = (uint32_t)(s >> 32);
      if (k == key) {
        result = (uint32_t)s;
        hit = true;
        break;
      }
      if (k == kEmpty)
        break;
      at = (at + 1) & t.mask;
    }
    out[i] = result;
  }
  unsigned mask = __ballot_sync(0xffffffffu, hit);
  if ((threadIdx.x & 31) == 0 && mask)
    atomicAdd(hits, __popc(mask));
}

// leaves a mark in place of the key; of threads with the same key only one counts
__global__ void erase(Table t, const uint32_t* keys, int n, int* erased) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t key = keys[i];
  uint32_t at = mix(key) & t.mask;
  while (true) {
    Slot s = atomicAdd(&t.slots[at], 0ull);
    uint32_t k = (uint32_t)(s >> 32);
    if (k == key) {
      if (atomicCAS(&t.slots[at], s, pack(kDeleted, 0)) == s)
        atomicAdd(erased, 1);
      break;
    }
    if (k == kEmpty)
      break;
    at = (at + 1) & t.mask;
  }
}

__global__ void occupancy(Table t, int* counts) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int kind = 3;
  if (i <= t.mask) {
    uint32_t k = (uint32_t)(t.slots[i] >> 32);
    kind = k == kEmpty ? 0 : k == kDeleted ? 1 : 2;
  }
  for (int c = 0; c < 3; ++c) {
    int sum = __syncthreads_count(kind == c);
    if (threadIdx.x == 0)
      atomicAdd(&counts[c], sum);
  }
}

template <class T> T* onDevice(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  const int batches = 4;
  uint32_t capacity = 1;
  while (capacity < 5u * n / 2)
    capacity *= 2;
  Table t{nullptr, capacity - 1};
  if (cudaMalloc(&t.slots, capacity * sizeof(Slot)) != cudaSuccess) {
    std::cout << "FAIL memory\n";
    return 1;
  }
  int zero = 0;
  std::vector<int> zeros(8, zero);
  int* counters = onDevice(zeros); // hits, erased, probes, occupancy (3)
  uint32_t* out;
  cudaMalloc(&out, n * sizeof(uint32_t));
  clearTable<<<(capacity + 511) / 512, 512>>>(t);

  std::unordered_map<uint32_t, uint32_t> want;
  want.reserve(2 * n);
  int wantHits = 0, wantErased = 0;
  long wrong = 0;
  int part = n / batches;
  for (int b = 0; b < batches; ++b) {
    // keys of the batch: some are there already, some come twice
    std::vector<uint32_t> keys(part), values(part), asked(n), gone(part / 2);
    for (int i = 0; i < part; ++i) {
      keys[i] = mix((b * part + i) * 3u / 4u) & 0x7fffffffu;
      values[i] = mix(i * 31u + b) % 1000000u;
    }
    for (int i = 0; i < n; ++i)
      asked[i] = mix(i % 3 ? i : i + 5000000) & 0x7fffffffu;
    for (int i = 0; i < part / 2; ++i)
      gone[i] = mix((b * part + i) / 2u) & 0x7fffffffu;
    uint32_t *dKeys = onDevice(keys), *dValues = onDevice(values), *dAsked = onDevice(asked),
             *dGone = onDevice(gone);
    insert<<<(part + 127) / 128, 128>>>(t, dKeys, dValues, part, (unsigned*)counters + 2);
    lookup<<<(n + 127) / 128, 128>>>(t, dAsked, n, out, counters);
    erase<<<(part / 2 + 127) / 128, 128>>>(t, dGone, part / 2, counters + 1);

    std::vector<uint32_t> answers(n);
    cudaMemcpy(answers.data(), out, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    for (int i = 0; i < part; ++i) {
      auto it = want.emplace(keys[i], values[i]).first;
      if (it->second < values[i])
        it->second = values[i];
    }
    for (int i = 0; i < n; ++i) {
      auto it = want.find(asked[i]);
      wantHits += it != want.end();
      wrong += answers[i] != (it == want.end() ? kEmpty : it->second);
    }
    for (uint32_t k : gone)
      wantErased += (int)want.erase(k);
    cudaFree(dKeys);
    cudaFree(dValues);
    cudaFree(dAsked);
    cudaFree(dGone);
  }
  occupancy<<<(capacity + 255) / 256, 256>>>(t, counters + 3);
  int got[8];
  if (cudaMemcpy(got, counters, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::cout << "FAIL " << cudaGetErrorString(cudaGetLastError()) << "\n";
    return 1;
  }
  std::cout << "hits " << got[0] << ", erased " << got[1] << ", longest probe " << got[2] << "\n";
  if (wrong || got[0] != wantHits || got[1] != wantErased || got[5] != (int)want.size() ||
      got[4] != wantErased) {
    std::cout << "FAIL " << wrong << " wrong answers, " << wantHits << " hits, " << wantErased
              << " erased, " << want.size() << " left\n";
    return 1;
  }
  std::cout << "PASS\n";
  return 0;
}
