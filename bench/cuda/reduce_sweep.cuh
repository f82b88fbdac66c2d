// SPDX-License-Identifier: Apache-2.0
//
// Ways to cut the kernel of device_reduce, all timed in turns with CUB and with reading alone, in
// the same rounds. For each size a table: a row a way, for each number of blocks its time and how
// it compares: `blocks: microseconds (time of CUB / its, time of reading / its)`.
#pragma once

#include "reading.cuh"

#include <heddle/device_reduce.cuh>

#include <algorithm>
#include <string>

namespace benchmark {

/// One row: the runs of one way, by number of blocks.
struct Way {
  std::string name;
  std::vector<size_t> blocks;
  size_t firstRun;
};

template <class T, class Rival> class Sweep {
public:
  Sweep(size_t most, int samples)
      : samples_(samples), pool_(most, samples), rival_(most), out_(2), sink_(1) {}

  void run(const char* type, int log2) {
    n_ = size_t{1} << log2;
    runs_.clear();
    ways_.clear();
    runs_.push_back([this](int) { rival_.run(pool_.next(n_), n_, out_.data() + 1); });
    for (const Reading& reading : readings())
      runs_.push_back([this, reading](int) {
        reading.run(pool_.next(n_), n_ * sizeof(T), 0x9e3779b9u, sink_.data());
      });
    sum_ = 0;
    for (size_t i = 0; i < n_; ++i)
      sum_ += unit * element(static_cast<uint32_t>(i));
    addWays();
    const std::vector<Timing> times = timeInTurns(runs_, samples_, 0.4);
    print(type, log2, times);
  }

private:
  void addWays() {
    add<heddle::reduce_tuning<128, 8>>("128x8");
    add<heddle::reduce_tuning<256, 4>>("256x4");
    add<heddle::reduce_tuning<256, 8>>("256x8");
    add<heddle::reduce_tuning<512, 4>>("512x4");
    add<heddle::reduce_tuning<512, 8>>("512x8");
    add<heddle::reduce_tuning<1024, 4>>("1024x4");
  }

  template <class Tuning> void add(const char* name) {
    const auto processors = static_cast<size_t>(study::multiprocessors());
    const auto in = heddle::detail::split_input(pool_.first(), n_);
    const size_t useful = heddle::detail::useful_blocks<Tuning>(in);
    Way way = {name, {}, runs_.size()};
    for (const size_t each : {1, 2, 3, 4, 6, 8}) {
      const size_t blocks = std::min(processors * each, useful);
      if (!way.blocks.empty() && way.blocks.back() == blocks)
        continue;
      way.blocks.push_back(blocks);
      reduce<Tuning>(pool_.first(), blocks);
      check(name);
      runs_.push_back([this, blocks](int) { reduce<Tuning>(pool_.next(n_), blocks); });
    }
    ways_.push_back(std::move(way));
  }
  template <class Tuning> void reduce(const T* from, size_t blocks) {
    STUDY_CHECK(heddle::detail::launch_reduce<Tuning>(heddle::detail::split_input(from, n_),
                                                      out_.data(), heddle::plus(), T(0),
                                                      workspace_.data(), blocks, nullptr));
  }
  void check(const char* name) {
    const auto found = static_cast<double>(out_.values()[0]);
    require(std::abs(found - sum_) <= 1e-5 * sum_, std::string("sum of ") + name);
    out_.fillWithNaN(); // so that the next one must write
  }

  void print(const char* type, int log2, const std::vector<Timing>& times) {
    const double cub = times[0].median;
    const auto firstReading = times.begin() + 1;
    const auto best =
        std::min_element(firstReading, firstReading + static_cast<long>(readings().size()),
                         [](auto& a, auto& b) { return a.median < b.median; });
    const double reading = best->median;
    std::printf("%s 2^%d: %s %.5g us, reading alone %.5g us (way %d), reading/CUB %.4f\n", type,
                log2, Rival::name, 1e3 * cub, 1e3 * reading, static_cast<int>(best - firstReading),
                reading / cub);
    for (const Way& way : ways_) {
      std::printf("  %-7s", way.name.c_str());
      for (size_t i = 0; i < way.blocks.size(); ++i) {
        const double took = times[way.firstRun + i].median;
        std::printf(" %5zu: %.5g (%.3f %.3f)", way.blocks[i], 1e3 * took, cub / took,
                    reading / took);
      }
      std::printf("\n");
    }
    std::fflush(stdout);
  }

  int samples_;
  size_t n_ = 0;
  double sum_ = 0;
  Pool<T> pool_;
  Rival rival_;
  DeviceArray<T> out_;
  DeviceArray<unsigned> sink_;
  heddle::reduce_workspace<T> workspace_;
  std::vector<Run> runs_;
  std::vector<Way> ways_;
};

} // namespace benchmark
