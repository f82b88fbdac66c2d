// SPDX-License-Identifier: Apache-2.0
//
// What a GPU takes for threads that each walk through a record of their own, a word at a time:
// reads, writes, and both. Records from 4 to 512 bytes, of which all words are touched or the first
// alone; from one multiprocessor and from all; records that fit the L2, and many times as many.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_strided.cu -o device_strided &&
//   ./device_strided
#include "device.cuh"

namespace {

enum class Kind { Read, Write, WriteElsewhere, Change };

/// `records` of `words` words, one after the other for each thread; of each the first `touched`
/// words.
template <Kind kind, class Word>
__global__ void walk(Word* data, int words, int touched, int records, Word* sink) {
  const int threads = int(gridDim.x * blockDim.x), me = int(blockIdx.x * blockDim.x + threadIdx.x);
  Word sum{};
  for (int record = me; record < records; record += threads) {
    Word* at = data + std::size_t(record) * words;
#pragma unroll 1
    for (int k = 0; k < touched; ++k) {
      if (kind != Kind::Write)
        sum += at[k];
      if (kind == Kind::Write)
        at[k] = Word(k);
      if (kind == Kind::WriteElsewhere)
        at[unsigned(k + me / 32 * (32 / int(sizeof(Word)))) % unsigned(words)] = Word(k);
      if (kind == Kind::Change)
        at[k] = sum;
    }
  }
  if (kind == Kind::Read && sum == Word(1234567))
    *sink = sum;
}

template <Kind kind, class Word>
void measure(const char* name, int blocks, int threads, int words, int touched, std::size_t bytes,
             Word* data) {
  const int records = int(bytes / (words * sizeof(Word)));
  const double us = device::microsecondsOf(
      [&] { walk<kind><<<blocks, threads>>>(data, words, touched, records, data); });
  const double accesses = double(records) * touched / 32;
  const int busy = std::min(blocks, 132);
  std::printf("%-7s %d bytes, record of %3d bytes, %3d touched, %4d blocks of %4d, %5.1f MB: %9.2f "
              "us, %7.2f ns of a multiprocessor an access, %6.0f GB/s of records\n",
              name, int(sizeof(Word)), int(words * sizeof(Word)), int(touched * sizeof(Word)),
              blocks, threads, double(bytes) / 1e6, us, 1000 * us * busy / accesses,
              double(bytes) / us / 1000);
}

/// All words of a record, one instruction behind the other.
template <int words> __global__ void burst(float* data, int records) {
  const int threads = int(gridDim.x * blockDim.x), me = int(blockIdx.x * blockDim.x + threadIdx.x);
  for (int record = me; record < records; record += threads) {
    float* at = data + std::size_t(record) * words;
#pragma unroll
    for (int k = 0; k < words; ++k)
      asm volatile("st.global.f32 [%0], %1;" ::"l"(at + k), "f"(float(k)) : "memory");
  }
}

template <int words> void measureBurst(float* data) {
  for (const std::size_t bytes : {std::size_t(16) << 20, std::size_t(256) << 20}) {
    const int records = int(bytes / (words * 4));
    for (const int threads : {128, 1024}) {
      const double us = device::microsecondsOf(
          [&] { burst<words><<<(records + threads - 1) / threads, threads>>>(data, records); });
      std::printf("burst of %2d words, blocks of %4d, %5.1f MB: %9.2f us, %7.2f ns of a "
                  "multiprocessor a store\n",
                  words, threads, double(bytes) / 1e6, us,
                  1000 * us * 132 / (double(records) / 32 * words));
    }
  }
}

template <class Word> void all() {
  auto* data = device::array<Word>((256u << 20) / sizeof(Word));
  for (const int bytes : {4, 8, 16, 32, 64, 128, 256, 512}) {
    const int words = bytes / int(sizeof(Word));
    if (words == 0)
      continue;
    for (int part = 0; part < (words > 1 ? 2 : 1); ++part) {
      const int touched = part == 0 ? words : 1;
      struct Shape {
        int blocks, threads;
        std::size_t bytes;
      };
      for (const Shape& shape :
           {Shape{1, 1024, 1u << 17}, Shape{1, 128, 1u << 16}, Shape{264, 1024, 16u << 20},
            Shape{528, 128, 16u << 20}, Shape{1056, 256, 256u << 20}}) {
        measure<Kind::Read>("read", shape.blocks, shape.threads, words, touched, shape.bytes, data);
        measure<Kind::Write>("write", shape.blocks, shape.threads, words, touched, shape.bytes,
                             data);
        measure<Kind::WriteElsewhere>("spread", shape.blocks, shape.threads, words, touched,
                                      shape.bytes, data);
        measure<Kind::Change>("change", shape.blocks, shape.threads, words, touched, shape.bytes,
                              data);
      }
    }
  }
  CHECK(cudaFree(data));
}

} // namespace

int main() {
  auto* data = device::array<float>(64 << 20);
  measureBurst<1>(data);
  measureBurst<2>(data);
  measureBurst<3>(data);
  measureBurst<4>(data);
  measureBurst<6>(data);
  measureBurst<8>(data);
  measureBurst<14>(data);
  measureBurst<16>(data);
  measureBurst<32>(data);
  CHECK(cudaFree(data));
  all<float>();
  all<double>();
}
