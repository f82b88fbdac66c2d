// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's loop splitting (their figure 5). One loop sums products of two arrays
// and quotients of two others; it keeps four addresses in registers. Split into two loops, each
// needs two of them. That frees at least two registers, and on a G80 these can decide between 67
// and 100 % occupancy. The results are the same bit for bit.
//
//   heddle run studies/loop-splitting/loop-splitting.cu --device 8800gtx -- --threads 24576
//   --length 16
#include "../study.cuh"

constexpr int blockSize = 256;

/// The remainder as the G80 took it: fmodf would need more registers than both loops.
__device__ float remainderOf(float x, float y) {
  return x - truncf(__fdividef(x, y)) * y;
}

__global__ void oneLoop(const float* a, const float* b, const float* c, const float* d,
                        float* results, int length, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0, y = 0;
#pragma unroll 1
  for (int i = 0, place = thread; i < length; ++i, place += stride) {
    x += a[place] * b[place];
    y += __fdividef(c[place], d[place]);
  }
  results[thread] = remainderOf(x, y);
}

__global__ void twoLoops(const float* a, const float* b, const float* c, const float* d,
                         float* results, int length, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0, y = 0;
#pragma unroll 1
  for (int i = 0, place = thread; i < length; ++i, place += stride)
    x += a[place] * b[place];
#pragma unroll 1
  for (int i = 0, place = thread; i < length; ++i, place += stride)
    y += __fdividef(c[place], d[place]);
  results[thread] = remainderOf(x, y);
}

/// Values between 1 and 2, so that no quotient is extreme.
std::vector<float> randomValues(size_t count, unsigned state) {
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = 1.0f + static_cast<float>(state >> 8) / (1 << 24);
  }
  return values;
}

struct Input {
  std::vector<float> a, b, c, d;
};

/// Holds a few results against a sum in double precision; a remainder may be off by a whole
/// quotient.
void compareWithHost(const Input& in, const std::vector<float>& found, int threads, int length) {
  for (int thread = 0; thread < threads; thread += threads / 16) {
    double x = 0, y = 0;
    for (int i = 0; i < length; ++i) {
      const size_t place = static_cast<size_t>(i) * threads + thread;
      x += static_cast<double>(in.a[place]) * in.b[place];
      y += static_cast<double>(in.c[place]) / in.d[place];
    }
    const double off = std::fmod(std::abs(found[thread] - std::fmod(x, y)), y);
    study::require(std::min(off, y - off) < 1e-4 * x,
                   "thread " + std::to_string(thread) + " is off by " + std::to_string(off));
  }
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int threads = static_cast<int>(arguments.number("threads", 1 << 17));
  const int length = static_cast<int>(arguments.number("length", 32));
  const long long repeats = arguments.number("repeats", 1);
  arguments.done();
  if (threads % blockSize != 0)
    study::stop(2, "--threads must be a multiple of 256");

  const size_t count = static_cast<size_t>(threads) * length;
  const Input in{randomValues(count, 1), randomValues(count, 2), randomValues(count, 3),
                 randomValues(count, 4)};
  study::DeviceArray<float> a(in.a), b(in.b), c(in.c), d(in.d);
  study::DeviceArray<float> before(threads), after(threads);

  const auto measure = [&](const char* series, int loops, auto kernel, float* results) {
    const study::Residency found = study::residency(kernel, blockSize);
    const double time = study::microseconds(repeats, [&] {
      kernel<<<threads / blockSize, blockSize>>>(a.data(), b.data(), c.data(), d.data(), results,
                                                 length, threads);
    });
    study::Row(series)
        .set("experiment", "version")
        .set("loops", loops)
        .set("registers", found.registers)
        .set("occupancy", found.occupancy)
        .set("milliseconds", time / 1e3)
        .print();
    return std::pair(found.registers, time);
  };
  const auto [registersBefore, timeBefore] = measure("one loop", 1, oneLoop, before.data());
  const auto [registersAfter, timeAfter] = measure("two loops", 2, twoLoops, after.data());
  study::Row("gain")
      .set("experiment", "gain")
      .set("registersFreed", registersBefore - registersAfter)
      .set("speedup", timeBefore / timeAfter)
      .print();

  const std::vector<float> found = before.values();
  study::require(found == after.values(), "two loops differ from one");
  compareWithHost(in, found, threads, length);
}
