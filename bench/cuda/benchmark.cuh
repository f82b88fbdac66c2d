// SPDX-License-Identifier: Apache-2.0
//
// What every benchmark of the device library and every study with `--records 1` needs: times of two
// or more ways to do a job, taken in turns in one run, and records of JSON. A benchmark prints one
// record a line on stdout; all else goes to stderr. scripts/measure programs runs them and adds the machine
// to each record.
//
//   const std::vector<Timing> times = timeInTurns({[&](int run) { native<<<...>>>(...); },
//                                                  [&](int run) { better<<<...>>>(...); }});
//   Record("scheduled_loop").set("policy", "aging").compare(times[1], "native", times[0], 1.34);
#pragma once

#include "../../studies/study.cuh"

#include <cstdint>
#include <functional>

namespace benchmark {

using study::DeviceArray;
using study::require;

/// Milliseconds of one run: the median of the samples, and how wide they lie: the distance of the
/// 10th to the 90th percentile as a share of the median.
struct Timing {
  double median = 0;
  double spread = 0;
};

inline Timing summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<size_t>(share * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  return {at(0.5), (at(0.9) - at(0.1)) / at(0.5)};
}

/// Called with the number of the run, so that it can pick another buffer each time.
using Run = std::function<void(int)>;

/// Milliseconds of `count` runs between two events, by the run.
inline double sample(const Run& run, int first, int count) {
  cudaEvent_t begin, end;
  float milliseconds = 0;
  STUDY_CHECK(cudaEventCreate(&begin));
  STUDY_CHECK(cudaEventCreate(&end));
  STUDY_CHECK(cudaEventRecord(begin));
  for (int i = 0; i < count; ++i)
    run(first + i);
  STUDY_CHECK(cudaGetLastError());
  STUDY_CHECK(cudaEventRecord(end));
  STUDY_CHECK(cudaEventSynchronize(end));
  STUDY_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  STUDY_CHECK(cudaEventDestroy(begin));
  STUDY_CHECK(cudaEventDestroy(end));
  return milliseconds / count;
}

/// Times several runs against each other: `samples` rounds, one sample of each run a round. Runs
/// shorter than `atLeastMs` are launched several times a sample, so that the clock's grain and the
/// gap of a single launch do not count. `samples` = 1 launches each once: enough where time is
/// modelled.
inline std::vector<Timing> timeInTurns(const std::vector<Run>& runs, int samples = 21,
                                       double atLeastMs = 0.5) {
  std::vector<int> counts(runs.size(), 1);
  for (size_t i = 0; i < runs.size() && samples > 1; ++i) {
    sample(runs[i], 0, 1); // warm up
    const double once = sample(runs[i], 1, 1);
    counts[i] = std::clamp(static_cast<int>(atLeastMs / once), 1, 1000);
  }
  std::vector<std::vector<double>> taken(runs.size());
  for (int round = 0; round < samples; ++round)
    for (size_t i = 0; i < runs.size(); ++i)
      taken[i].push_back(sample(runs[i], round * counts[i], counts[i]));
  std::vector<Timing> timings;
  for (std::vector<double>& each : taken)
    timings.push_back(summarize(std::move(each)));
  return timings;
}

/// One line of results: what was measured, against what, and whether it is as fast as it must be.
class Record {
public:
  explicit Record(std::string name) : name_(std::move(name)) {}
  Record& set(const std::string& parameter, const std::string& value) {
    return put(parameter, '"' + value + '"');
  }
  Record& set(const std::string& parameter, const char* value) {
    return set(parameter, std::string(value));
  }
  Record& set(const std::string& parameter, long long value) {
    return put(parameter, std::to_string(value));
  }
  Record& set(const std::string& parameter, int value) {
    return set(parameter, static_cast<long long>(value));
  }
  Record& set(const std::string& parameter, double value) { return put(parameter, text(value)); }

  /// Prints the record. `bar` is the least speedup over the baseline that is good enough; 0 where
  /// nothing is asked.
  void compare(const Timing& mine, const std::string& baseline, const Timing& base,
               double bar = 0) const {
    const double speedup = base.median / mine.median;
    std::printf("{\"name\": \"%s\", \"params\": {%s}, \"medianMs\": %s, \"spread\": %s, "
                "\"baseline\": \"%s\", \"baselineMs\": %s, \"speedup\": %s, \"bar\": %s, "
                "\"holds\": %s}\n",
                name_.c_str(), params_.c_str(), text(mine.median).c_str(),
                text(mine.spread).c_str(), baseline.c_str(), text(base.median).c_str(),
                text(speedup).c_str(), bar > 0 ? text(bar).c_str() : "null",
                speedup >= bar ? "true" : "false");
    std::fflush(stdout);
  }

private:
  static std::string text(double value) {
    if (!std::isfinite(value)) // JSON has no word for it
      study::stop(1, "a number of a record is not finite");
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return digits;
  }
  Record& put(const std::string& parameter, const std::string& value) {
    params_ += (params_.empty() ? "\"" : ", \"") + parameter + "\": " + value;
    return *this;
  }
  std::string name_;
  std::string params_;
};

/// One of several ways to do a job: how its record begins, and how it runs.
struct Contender {
  Record record;
  Run run;
};

/// Times the baseline and all contenders in turns, and prints a record of each contender.
inline void compareAll(const std::string& baseline, const Run& base,
                       const std::vector<Contender>& contenders, int samples) {
  std::vector<Run> runs = {base};
  for (const Contender& contender : contenders)
    runs.push_back(contender.run);
  const std::vector<Timing> times = timeInTurns(runs, samples);
  for (size_t i = 0; i < contenders.size(); ++i)
    contenders[i].record.compare(times[i + 1], baseline, times[0]);
}

/// Random numbers of 24 bits, from which each thread draws its own.
inline std::vector<unsigned> makeSeeds(size_t count) {
  std::vector<unsigned> seeds(count);
  uint32_t random = 12345;
  for (unsigned& seed : seeds) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    seed = random & 0x00FFFFFFu;
  }
  return seeds;
}

} // namespace benchmark
