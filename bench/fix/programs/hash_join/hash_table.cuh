// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace hashtable {

constexpr uint32_t kEmpty = 0xffffffffu;

struct Slot {
  uint32_t key;
  uint32_t value;
};

struct Table {
  Slot* slots;
  uint32_t mask;  // capacity - 1, capacity is a power of two
};

__host__ __device__ inline uint32_t hash(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6bu;
  k ^= k >> 13;
  k *= 0xc2b2ae35u;
  k ^= k >> 16;
  return k;
}

// Linear probing. Keys are unique.
__device__ inline void insert(Table t, uint32_t key, uint32_t value) {
  uint32_t pos = hash(key) & t.mask;
  while (true) {
    uint32_t previous = atomicCAS(&t.slots[pos].key, kEmpty, key);
    if (previous == kEmpty || previous == key) {
      t.slots[pos].value = value;
      return;
    }
    pos = (pos + 1) & t.mask;
  }
}

__device__ inline bool lookup(Table t, uint32_t key, uint32_t* value) {
  uint32_t pos = hash(key) & t.mask;
  while (t.slots[pos].key != kEmpty) {
    if (t.slots[pos].key == key) {
      *value = t.slots[pos].value;
      return true;
    }
    pos = (pos + 1) & t.mask;
  }
  return false;
}

}  // namespace hashtable
