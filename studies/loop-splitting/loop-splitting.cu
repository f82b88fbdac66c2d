// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's loop splitting (their figure 5). One loop sums products of two arrays
// and quotients of two others; it keeps four addresses in registers. Split into two loops, each
// needs two of them. That frees at least two registers, and on a G80 these can decide between 67
// and 100 % occupancy. The results are the same bit for bit.
//
//   heddle run studies/loop-splitting/loop-splitting.cu --device 8800gtx -- --threads 24576
//   --length 16
#include "../../bench/cuda/benchmark.cuh"

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

using Kernel = decltype(&oneLoop);

class Loops {
public:
  Loops(int threads, int length)
      : threads_(threads), length_(length), in_(makeInput(static_cast<size_t>(threads) * length)),
        a_(in_.a), b_(in_.b), c_(in_.c), d_(in_.d), before_(threads), after_(threads) {}
  void runOne() { run(oneLoop, before_.data()); }
  void runTwo() { run(twoLoops, after_.data()); }
  void check() const {
    const std::vector<float> found = before_.values();
    study::require(found == after_.values(), "two loops differ from one");
    compareWithHost(in_, found, threads_, length_);
  }

private:
  static Input makeInput(size_t count) {
    return {randomValues(count, 1), randomValues(count, 2), randomValues(count, 3),
            randomValues(count, 4)};
  }
  void run(Kernel kernel, float* results) {
    kernel<<<threads_ / blockSize, blockSize>>>(a_.data(), b_.data(), c_.data(), d_.data(), results,
                                                length_, threads_);
  }
  int threads_, length_;
  Input in_;
  study::DeviceArray<float> a_, b_, c_, d_, before_, after_;
};

void printRows(Loops& loops, int repeats) {
  const auto print = [](const char* series, int count, Kernel kernel, double time) {
    const study::Residency found = study::residency(kernel, blockSize);
    study::Row(series)
        .set("experiment", "version")
        .set("loops", count)
        .set("registers", found.registers)
        .set("occupancy", found.occupancy)
        .set("milliseconds", time / 1e3)
        .print();
    return found.registers;
  };
  const double timeBefore = study::microseconds(repeats, [&] { loops.runOne(); });
  const double timeAfter = study::microseconds(repeats, [&] { loops.runTwo(); });
  const int registersBefore = print("one loop", 1, oneLoop, timeBefore);
  const int registersAfter = print("two loops", 2, twoLoops, timeAfter);
  study::Row("gain")
      .set("experiment", "gain")
      .set("registersFreed", registersBefore - registersAfter)
      .set("speedup", timeBefore / timeAfter)
      .print();
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int threads = static_cast<int>(arguments.number("threads", 1 << 20));
  const int length = static_cast<int>(arguments.number("length", 32));
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  if (threads % blockSize != 0)
    study::stop(2, "--threads must be a multiple of 256");

  Loops loops(threads, length);
  if (records)
    benchmark::compareAll(
        "one loop", [&](int) { loops.runOne(); },
        {{benchmark::Record("loop-splitting").set("threads", threads),
          [&](int) { loops.runTwo(); }}},
        repeats);
  else
    printRows(loops, repeats);
  loops.check();
}
