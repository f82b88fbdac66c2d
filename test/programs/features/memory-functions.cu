// SPDX-License-Identifier: Apache-2.0
// memset and memcpy in device code, of small and large constant and of variable sizes, from any
// address; copies of structs; and memmove, which nvcc does not have, over itself in both directions.
#include "../check.h"

#include <cstring>

constexpr int room = 5000; // bytes of a thread

__host__ __device__ unsigned char pattern(int i) {
  return static_cast<unsigned char>(i * 7 + i / 256);
}

struct Odd {
  char name[13];
  short number;
};
struct alignas(16) Vectors {
  float4 values[70];
};

template <int size> __device__ void setAndCopy(unsigned char* bytes, int shift) {
  unsigned char local[size + 16];
  memset(local + shift, 0x5a, size);
  for (int i = shift; i < size + shift; i += 3)
    local[i] = pattern(i);
  memcpy(bytes + shift, local + shift, size);
}

__global__ void constantSizes(unsigned char* out) {
  unsigned char* mine = out + threadIdx.x * room;
  const int shift = threadIdx.x % 16;
  setAndCopy<1>(mine, shift);
  setAndCopy<7>(mine + 50, shift);
  setAndCopy<24>(mine + 100, shift);
  setAndCopy<65>(mine + 150, shift);
  setAndCopy<333>(mine + 250, shift);
  setAndCopy<4000>(mine + 700, shift);
}

static void checkConstantSizes() {
  DeviceArray<unsigned char> out(32 * room);
  CHECK_CUDA(cudaMemset(out, 0, 32 * room));
  constantSizes<<<1, 32>>>(out);
  CHECK_LAUNCH();
  std::vector<unsigned char> want(32 * room);
  const int begins[] = {0, 50, 100, 150, 250, 700}, sizes[] = {1, 7, 24, 65, 333, 4000};
  for (int thread = 0; thread < 32; ++thread)
    for (int k = 0; k < 6; ++k)
      for (int i = 0; i < sizes[k]; ++i)
        want[thread * room + begins[k] + i + thread % 16] =
            i % 3 == 0 ? pattern(i + thread % 16) : 0x5a;
  expectArray("constant sizes", out.read(), [&](size_t i) { return want[i]; });
}

__global__ void variableSizes(unsigned char* to, const unsigned char* from, int value) {
  const int i = threadIdx.x;
  memset(to + i * room, value + i, 37 * i);
  memcpy(to + i * room + 2000, from + i, 31 * i);
}

static void checkVariableSizes() {
  std::vector<unsigned char> source(2000);
  for (int i = 0; i < 2000; ++i)
    source[i] = pattern(i);
  DeviceArray<unsigned char> to(32 * room), from(source);
  CHECK_CUDA(cudaMemset(to, 0, 32 * room));
  variableSizes<<<1, 32>>>(to, from, 3);
  CHECK_LAUNCH();
  expectArray("variable sizes", to.read(), [](size_t at) {
    const int thread = int(at / room), i = int(at % room);
    if (i < 37 * thread)
      return int(static_cast<unsigned char>(3 + thread));
    return i >= 2000 && i < 2000 + 31 * thread ? int(pattern(i - 2000 + thread)) : 0;
  });
}

__global__ void structs(Odd* odd, Vectors* vectors, int* words) {
  const int i = threadIdx.x;
  odd[i + 32] = odd[i];
  vectors[i + 32] = vectors[i];
  int local[300] = {};
  local[i] = words[i];
  int copy[300];
  memcpy(copy, local, sizeof copy);
  copy[299 - i] += 5;
  words[i] = copy[i] + copy[299 - i] + local[299 - i];
}

static void checkStructs() {
  std::vector<Odd> odd(64);
  std::vector<Vectors> vectors(64);
  std::vector<int> numbers(32);
  for (int i = 0; i < 32; ++i) {
    snprintf(odd[i].name, sizeof odd[i].name, "name %d", i);
    odd[i].number = short(i);
    numbers[i] = i + 1;
    for (int k = 0; k < 70; ++k)
      vectors[i].values[k] = make_float4(i, k, i + k, 1);
  }
  DeviceArray<Odd> odds(odd);
  DeviceArray<Vectors> lines(vectors);
  DeviceArray<int> words(numbers);
  structs<<<1, 32>>>(odds, lines, words);
  CHECK_LAUNCH();
  odd = odds.read();
  vectors = lines.read();
  for (int i = 0; i < 32; ++i) {
    expectTrue("name", strcmp(odd[i + 32].name, odd[i].name) == 0);
    expectEqual("number", odd[i + 32].number, short(i));
    expectTrue("vectors", memcmp(&vectors[i + 32], &vectors[i], sizeof(Vectors)) == 0);
  }
  expectArray("words", words.read(), [](size_t i) { return i + 6; });
}

#ifdef __clang__
__global__ void moves(unsigned char* bytes, int size) {
  const int i = threadIdx.x;
  unsigned char* mine = bytes + i * room;
  __builtin_memmove(mine + i, mine + 32 - i, size - i); // down, then up
  __builtin_memmove(mine + 1500 + i, mine + 1516, 40);
  __builtin_memmove(mine + 2000 + i, mine + 2016, 999);
}
#endif

static void checkMoves() {
#ifdef __clang__
  std::vector<unsigned char> want(32 * room);
  for (size_t i = 0; i < want.size(); ++i)
    want[i] = pattern(int(i));
  DeviceArray<unsigned char> bytes(want);
  moves<<<1, 32>>>(bytes, 1200);
  CHECK_LAUNCH();
  for (int i = 0; i < 32; ++i) {
    unsigned char* mine = want.data() + i * room;
    memmove(mine + i, mine + 32 - i, 1200 - i);
    memmove(mine + 1500 + i, mine + 1516, 40);
    memmove(mine + 2000 + i, mine + 2016, 999);
  }
  expectArray("moved", bytes.read(), [&](size_t i) { return want[i]; });
#endif
}

int main() {
  checkConstantSizes();
  checkVariableSizes();
  checkStructs();
  checkMoves();
  return finish();
}
