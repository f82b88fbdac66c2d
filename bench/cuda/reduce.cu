// SPDX-License-Identifier: Apache-2.0
//
// How fast heddle/reduce.cuh is: device_reduce against CUB's and against a kernel that does nothing
// but read, the collectives of warp and block against CUB's, and the rungs of the ladder against
// the first.
//
//   nvcc -O3 -std=c++17 -arch=native -I cuda/include bench/cuda/reduce.cu -o reduce && ./reduce
//
// --from K --to K: sizes 2^K. --samples N. --sweep 1: the kernel cut in other ways instead.
#include "benchmark.cuh"
#include "reading.cuh"
#include "reduce_sweep.cuh"

#include <heddle/reduce.cuh>

#include <cstdint>
#include <map>

#if __has_include(<cub/cub.cuh>)
#include <cub/cub.cuh>
#define HAS_CUB 1
#endif

namespace {

using benchmark::DeviceArray;
using benchmark::Pool;
using benchmark::Reading;
using benchmark::Record;
using benchmark::Run;
using benchmark::Timing;

struct Options {
  int from, to, samples;
};

template <class T> const char* nameOf();
template <> const char* nameOf<float>() {
  return "float";
}
template <> const char* nameOf<int>() {
  return "int32";
}
template <> const char* nameOf<double>() {
  return "double";
}

/// The sums of the first elements of a pool, as integers, where anyone asked for them.
class Reference {
public:
  explicit Reference(const Options& options) {
    sums_[1] = 0;
    for (int k = options.from; k <= options.to; ++k)
      for (const size_t n : {size_t{1} << k, (size_t{1} << k) + 1, (size_t{1} << k) - 3})
        sums_[n] = 0;
    int64_t sum = 0;
    size_t i = 0;
    for (auto& [end, sumBefore] : sums_) {
      for (; i < end; ++i)
        sum += benchmark::element(static_cast<uint32_t>(i));
      sumBefore = sum;
    }
  }
  int64_t sum(size_t first, size_t n) const {
    return sums_.at(first + n) - (first ? sums_.at(first) : 0);
  }

private:
  std::map<size_t, int64_t> sums_;
};

bool isSum(int found, int64_t sum) {
  return static_cast<uint32_t>(found) == static_cast<uint32_t>(sum);
}
bool isSum(double found, int64_t sum) {
  return found == static_cast<double>(sum) * benchmark::unit;
}
bool isSum(float found, int64_t sum) {
  const double expected = static_cast<double>(sum) * benchmark::unit;
  return std::abs(found - expected) <= 1e-6 * expected;
}

/// What to compare with: CUB where there is one, else the last rung of the ladder.
template <class T> class Rival {
public:
#ifdef HAS_CUB
  static constexpr const char* name = "cub::DeviceReduce::Sum";
  static constexpr double bar = 1.0;
  explicit Rival(size_t most) : bytes_(bytesFor(most)), memory_(bytes_) {}
  void run(const T* in, size_t n, T* out) {
    STUDY_CHECK(cub::DeviceReduce::Sum(memory_.data(), bytes_, in, out, static_cast<int>(n)));
  }

private:
  static size_t bytesFor(size_t most) {
    size_t bytes = 0;
    STUDY_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, static_cast<const T*>(nullptr),
                                       static_cast<T*>(nullptr), static_cast<int>(most)));
    return bytes;
  }
  size_t bytes_;
  DeviceArray<char> memory_;
#else
  static constexpr const char* name = "rung 5 of the ladder";
  static constexpr double bar = 0;
  explicit Rival(size_t most)
      : sums_{DeviceArray<T>(most / 2048 + 1), DeviceArray<T>(most / 2048 + 1)} {}
  void run(const T* in, size_t n, T*) {
    T* where = nullptr;
    T* const sums[2] = {sums_[0].data(), sums_[1].data()};
    STUDY_CHECK(heddle::ladder::add<5>(in, static_cast<unsigned>(n), sums, &where));
  }

private:
  DeviceArray<T> sums_[2];
#endif
};

/// One size: device_reduce against the rival and, where the array is many times the cache, against
/// a kernel that only reads.
template <class T> class DeviceBench {
public:
  DeviceBench(const Options& options, const Reference& reference)
      : options_(options), reference_(reference),
        pool_((size_t{1} << options.to) + 2, options.samples),
        rival_((size_t{1} << options.to) + 2), out_(2), sink_(1) {}

  void run(size_t n, size_t first, int log2) {
    checkOnce(n, first);
    const Run mine = [&](int) { reduce(pool_.next(n) + first, n); };
    const Run other = [&](int) { rival_.run(pool_.next(n) + first, n, out_.data() + 1); };
    const std::vector<Timing> times = benchmark::timeInTurns({mine, other}, options_.samples);
    record(n, first, times[0]).compare(times[0], rival_.name, times[1], rival_.bar);
    if (log2 >= 28 && first == 0 && n == size_t{1} << log2)
      compareWithReading(n, mine);
  }

private:
  void reduce(const T* in, size_t n) {
    STUDY_CHECK(heddle::device_reduce(in, n, out_.data(), heddle::plus(), T(0), workspace_.data(),
                                      nullptr));
  }
  void checkOnce(size_t n, size_t first) {
    out_.fillWithNaN();
    reduce(pool_.first() + first, n);
    benchmark::require(isSum(out_.values()[0], reference_.sum(first, n)),
                       std::string("sum of ") + std::to_string(n) + " " + nameOf<T>());
  }
  Record record(size_t n, size_t first, const Timing& time) {
    Record made("device_reduce");
    made.set("type", nameOf<T>()).set("n", static_cast<long long>(n));
    made.set("first", static_cast<long long>(first));
    made.set("gigabytesPerSecond", 1e-6 * static_cast<double>(n * sizeof(T)) / time.median);
    return made;
  }
  void compareWithReading(size_t n, const Run& mine) {
    std::vector<Run> runs = {mine};
    for (const Reading& reading : benchmark::readings())
      runs.push_back(
          [&](int) { reading.run(pool_.next(n), n * sizeof(T), 0x9e3779b9u, sink_.data()); });
    const std::vector<Timing> times = benchmark::timeInTurns(runs, options_.samples);
    const Timing best = *std::min_element(times.begin() + 1, times.end(),
                                          [](auto& a, auto& b) { return a.median < b.median; });
    record(n, 0, times[0]).compare(times[0], "reading alone, the best way", best, 0.96);
  }

  Options options_;
  const Reference& reference_;
  Pool<T> pool_;
  Rival<T> rival_;
  DeviceArray<T> out_;
  DeviceArray<unsigned> sink_;
  heddle::reduce_workspace<T> workspace_;
};

template <class T> void benchDevice(const Options& options, const Reference& reference) {
  DeviceBench<T> bench(options, reference);
  for (int k = options.from; k <= options.to; ++k) {
    const size_t n = size_t{1} << k;
    bench.run(n, 0, k);
    bench.run(n - 3, 0, k);
    bench.run(n + 1, 0, k);
    bench.run(n, 1, k);
  }
}

constexpr int collectiveThreads = 256;
constexpr int repeats = 256;

struct Mine {
  struct Storage {
    heddle::block_reduce_storage<float, collectiveThreads> block;
  };
  static __device__ float warp(float x, Storage&) { return heddle::warp_reduce(x); }
  static __device__ float block(float x, Storage& s) { return heddle::block_reduce(x, s.block); }
};
#ifdef HAS_CUB
struct Cubs {
  union Storage {
    cub::WarpReduce<float>::TempStorage warp[collectiveThreads / 32];
    cub::BlockReduce<float, collectiveThreads>::TempStorage block;
  };
  static __device__ float warp(float x, Storage& s) {
    return cub::WarpReduce<float>(s.warp[threadIdx.x / 32]).Sum(x);
  }
  static __device__ float block(float x, Storage& s) {
    return cub::BlockReduce<float, collectiveThreads>(s.block).Sum(x);
  }
};
constexpr const char* cubsName = "the same of CUB";
#else
using Cubs = Mine;
constexpr const char* cubsName = "itself, for want of CUB";
#endif

/// A chain of reductions, each of which needs the one before.
template <class Way, bool Block> __global__ void chain(float* out, float scale) {
  __shared__ typename Way::Storage storage;
  float value = static_cast<float>(threadIdx.x);
  for (int i = 0; i < repeats; ++i) {
    value = scale * (Block ? Way::block(value, storage) : Way::warp(value, storage));
    if (Block)
      __syncthreads(); // before the storage is used again
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <bool Block> void benchCollective(const char* name, const Options& options) {
  const int blocks = study::multiprocessors() * (options.samples > 1 ? 8 : 1);
  DeviceArray<float> out(static_cast<size_t>(blocks) * collectiveThreads);
  const std::vector<Timing> times = benchmark::timeInTurns(
      {[&](int) { chain<Mine, Block><<<blocks, collectiveThreads>>>(out.data(), 0.01f); },
       [&](int) { chain<Cubs, Block><<<blocks, collectiveThreads>>>(out.data(), 0.01f); }},
      options.samples);
  Record(name)
      .set("type", "float")
      .set("threads", collectiveThreads)
      .compare(times[0], cubsName, times[1]);
}

template <int Rung> Run climb(Pool<int>& pool, size_t n, int* const (&sums)[2]) {
  return [&pool, n, sums](int) {
    int* where = nullptr;
    STUDY_CHECK(heddle::ladder::add<Rung>(pool.next(n), static_cast<unsigned>(n), sums, &where));
  };
}

void benchLadder(const Options& options) {
  const size_t n = size_t{1} << std::min(options.to, 24);
  Pool<int> pool(n, options.samples);
  DeviceArray<int> first(n / 1024), second(n / 1024);
  int* const sums[2] = {first.data(), second.data()};
  const std::vector<Timing> times = benchmark::timeInTurns(
      {climb<1>(pool, n, sums), climb<2>(pool, n, sums), climb<3>(pool, n, sums),
       climb<4>(pool, n, sums), climb<5>(pool, n, sums)},
      options.samples);
  for (int rung = 2; rung <= heddle::ladder::rungs; ++rung)
    Record("ladder")
        .set("rung", rung)
        .set("n", static_cast<long long>(n))
        .compare(times[static_cast<size_t>(rung - 1)], "rung 1", times[0]);
}

template <class T> void sweepSizes(int from, int to, int samples) {
  benchmark::Sweep<T, Rival<T>> sweep((size_t{1} << to) + 2, samples);
  for (int k = from; k <= to; ++k)
    sweep.run(nameOf<T>(), k);
}

} // namespace

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const Options options = {static_cast<int>(arguments.number("from", 16)),
                           static_cast<int>(arguments.number("to", 30)),
                           static_cast<int>(arguments.number("samples", 21))};
  const bool sweep = arguments.number("sweep", 2) == 1;
  arguments.done();
  benchmark::checkReadings((size_t{1} << 20) + 16 * 1237);
  if (options.from < 12 || options.to > 30 || options.from > options.to)
    study::stop(2, "--from and --to: expected 12 to 30, and from at most to");
  if (sweep) {
    sweepSizes<float>(options.from, options.to, options.samples);
    sweepSizes<double>(options.from, std::min(options.to, 23), options.samples);
    return 0;
  }
  const Reference reference(options);
  benchDevice<float>(options, reference);
  benchDevice<int>(options, reference);
  benchDevice<double>(options, reference);
  benchCollective<false>("warp_reduce", options);
  benchCollective<true>("block_reduce", options);
  benchLadder(options);
  return 0;
}
