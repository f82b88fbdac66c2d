// SPDX-License-Identifier: Apache-2.0
//
// A program that tunes itself, as FFTW and ATLAS do: an experiment tries sizes of a block on three
// kernels and saves the best of each; the program then starts with what was saved. One kernel waits
// for memory, one computes, and in one the threads have very different amounts of work.
//
//   heddle run studies/self-tuning/self-tuning.cu --device c1060 -- --elements 100000
#include "../study.cuh"

#include <cstdlib>
#include <functional>
#include <map>

constexpr int warpLanes = 32;

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2.0f * in[i] + 1.0f;
}

__global__ void iterate(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
#pragma unroll 4
  for (int step = 0; step < 64; ++step)
    x = fmaf(x, 0.5f, 1.0f);
  out[i] = x;
}

/// One warp in sixteen has sixteen times the work.
__global__ void uneven(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  const int steps = i / warpLanes % 16 == 5 ? 512 : 32;
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    x = fmaf(x, 0.5f, 1.0f);
  out[i] = x;
}

using Kernel = void (*)(const float*, float*, int);

struct Subject {
  const char* name;
  Kernel kernel;
};
const Subject subjects[] = {{"memory", scale}, {"arithmetic", iterate}, {"uneven", uneven}};

class Bench {
public:
  Bench(int elements, int repeats)
      : elements_(elements), repeats_(repeats), in_(numbers(elements)), out_(elements) {}

  double microseconds(Kernel kernel, int threads) {
    const int blocks = (elements_ + threads - 1) / threads;
    return study::microseconds(
        repeats_, [&] { kernel<<<blocks, threads>>>(in_.data(), out_.data(), elements_); });
  }
  std::vector<float> results() const { return out_.values(); }
  double perElement(double microseconds) const { return 1e3 * microseconds / elements_; }

private:
  static std::vector<float> numbers(int count) {
    std::vector<float> all(count);
    for (int i = 0; i < count; ++i)
      all[i] = static_cast<float>(i % 1009);
    return all;
  }

  int elements_, repeats_;
  study::DeviceArray<float> in_, out_;
};

/// Where the experiment's result is kept between two starts of the program.
std::string savePath() {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/heddle-self-tuning-" +
         std::to_string(std::rand()) + ".txt";
}

void save(const std::string& path, const std::map<std::string, int>& best) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  study::require(file != nullptr, "cannot write " + path);
  for (const auto& each : best)
    std::fprintf(file, "%s %d\n", each.first.c_str(), each.second);
  std::fclose(file);
}

std::map<std::string, int> load(const std::string& path) {
  std::map<std::string, int> best;
  std::FILE* file = std::fopen(path.c_str(), "r");
  study::require(file != nullptr, "cannot read " + path);
  char name[32];
  for (int threads = 0; std::fscanf(file, "%31s %d", name, &threads) == 2;)
    best[name] = threads;
  std::fclose(file);
  return best;
}

/// What every size of block took.
struct Experiment {
  std::map<int, double> times; ///< microseconds by threads, whole warps
  std::map<int, double> occupancy;
  int best = 0;

  /// Of the sizes with all the warps that any of them has: the slowest over the fastest.
  double spreadAtFullOccupancy() const {
    double most = 0, slowest = 0, fastest = INFINITY;
    for (const auto& each : occupancy)
      most = std::max(most, each.second);
    for (const auto& each : times)
      if (occupancy.at(each.first) > most - 1e-9) {
        slowest = std::max(slowest, each.second);
        fastest = std::min(fastest, each.second);
      }
    return slowest / fastest;
  }
};

Experiment experiment(const Subject& subject, Bench& bench, int largest) {
  Experiment found;
  std::vector<float> first;
  for (const int threads : {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 768, 1024}) {
    if (threads > largest)
      break;
    const double time = bench.microseconds(subject.kernel, threads);
    const std::vector<float> results = bench.results();
    study::require(first.empty() || results == first,
                   std::string(subject.name) + " changes its results");
    first = results;
    const double wasted = bench.microseconds(subject.kernel, threads - warpLanes / 2);
    found.times[threads] = time;
    found.occupancy[threads] = study::residency(subject.kernel, threads).occupancy;
    if (found.best == 0 || time < found.times[found.best])
      found.best = threads;
    study::Row(subject.name)
        .set("threads", threads)
        .set("nanosecondsPerElement", bench.perElement(time))
        .set("occupancy", found.occupancy[threads])
        .print();
    study::Row(std::string(subject.name) + ", half a warp fewer")
        .set("threads", threads)
        .set("nanosecondsPerElement", bench.perElement(wasted))
        .print();
  }
  return found;
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const int elements = static_cast<int>(arguments.number("elements", 1000000));
  const int repeats = arguments.repeats();
  arguments.done();

  const int largest = study::deviceAttribute(cudaDevAttrMaxThreadsPerBlock);
  Bench bench(elements, repeats);
  const std::string path = savePath();
  std::map<std::string, Experiment> experiments;
  std::map<std::string, int> best;
  for (const Subject& subject : subjects) {
    experiments[subject.name] = experiment(subject, bench, largest);
    best[subject.name] = experiments[subject.name].best;
  }
  save(path, best);

  const std::map<std::string, int> saved = load(path);
  std::remove(path.c_str());
  for (const Subject& subject : subjects) {
    const Experiment& tried = experiments[subject.name];
    const int threads = saved.at(subject.name);
    const double time = bench.microseconds(subject.kernel, threads);
    double worst = 0;
    for (const auto& each : tried.times)
      worst = std::max(worst, each.second);
    study::Row("saved")
        .set("kernel", subject.name)
        .set("threads", threads)
        .set("overBest", time / tried.times.at(tried.best))
        .set("gainOverWorst", worst / time)
        .set("of192", tried.times.at(192) / tried.times.at(tried.best))
        .set("of256", tried.times.at(256) / tried.times.at(tried.best))
        .set("spreadAtFullOccupancy", tried.spreadAtFullOccupancy())
        .print();
  }
}
