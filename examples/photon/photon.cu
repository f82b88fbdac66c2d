// SPDX-License-Identifier: Apache-2.0
//
// Photon transport in layered tissue: one physics (tissue.cuh), many forms of the loop around it.
// All of them give the same bits. `native` is the program as one would write it first.
//
//   heddle run examples/photon/main.cpp examples/photon/photon.cu -- examples/photon/skin.txt
//   heddle fix examples/photon/photon.cu examples/photon/main.cpp -- examples/photon/skin4.txt
#include "photon.h"
#include "tissue.cuh"

#include <heddle/regroup.cuh>
#include <heddle/schedule.cuh>
#include <heddle/split.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace photon {
namespace {

__device__ std::uint32_t thisThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ std::uint32_t allThreads() {
  return gridDim.x * blockDim.x;
}

/// A thread takes its photons one after the other, and each of them step by step.
__global__ void native(Job job) {
  for (std::uint32_t id = thisThread(); id < job.photons; id += allThreads()) {
    Photon photon = launchPhoton(job, id);
    while (photon.weight > 0.0f) {
      const Step step = drawStep(job, photon);
      if (step.hits)
        crossBoundary(job, photon, step.chance);
      else
        interact(job, photon, step.chance);
    }
    finishPhoton(job, photon);
  }
}

/// The photons of a thread are those that native gives it.
class Strided {
public:
  __device__ explicit Strided(const Job&) : next_(thisThread()) {}
  __device__ bool take(const Job& job, Photon& photon) {
    if (next_ >= job.photons)
      return false;
    photon = launchPhoton(job, next_);
    next_ += allThreads();
    return true;
  }

private:
  std::uint32_t next_;
};

/// Whoever is done takes the next photon of all.
class Queued {
public:
  __device__ explicit Queued(const Job&) {}
  __device__ bool take(const Job& job, Photon& photon) {
    const std::uint32_t id = atomicAdd(job.queue, 1u);
    if (id >= job.photons)
      return false;
    photon = launchPhoton(job, id);
    return true;
  }
};

/// One loop of steps: a lane whose photon is done launches its next, while others are on their way.
__global__ void flattened(Job job) {
  std::uint32_t next = thisThread();
  Photon photon{};
  while (photon.weight > 0.0f || next < job.photons) {
    if (!(photon.weight > 0.0f)) {
      photon = launchPhoton(job, next);
      next += allThreads();
    }
    const Step step = drawStep(job, photon);
    if (step.hits)
      crossBoundary(job, photon, step.chance);
    else
      interact(job, photon, step.chance);
    if (!(photon.weight > 0.0f))
      finishPhoton(job, photon);
  }
}

/// The same, but a lane takes the next photon of all: none waits for one that has more to do.
__device__ void followQueue(const Job& job) {
  Queued source(job);
  Photon photon{};
  while (photon.weight > 0.0f || source.take(job, photon)) {
    const Step step = drawStep(job, photon);
    if (step.hits)
      crossBoundary(job, photon, step.chance);
    else
      interact(job, photon, step.chance);
    if (!(photon.weight > 0.0f))
      finishPhoton(job, photon);
  }
}

__global__ void persistent(Job job) {
  followQueue(job);
}

/// The same, and few blocks share a grid to score in: sums on one cell wait for one another.
__global__ void persistentCopies(Job job) {
  job.absorbed = job.copies + blockIdx.x % gridCopies * job.depths * job.radii;
  followQueue(job);
}

/// Adds the copies to the grid, and clears them.
__global__ void addCopies(Job job) {
  const std::uint32_t cells = static_cast<std::uint32_t>(job.depths * job.radii);
  for (std::uint32_t cell = thisThread(); cell < cells; cell += allThreads()) {
    Score sum = job.absorbed[cell];
    for (std::uint32_t copy = 0; copy < gridCopies; ++copy) {
      sum += job.copies[copy * cells + cell];
      job.copies[copy * cells + cell] = 0;
    }
    job.absorbed[cell] = sum;
  }
}

/// The flattened loop, one of its two ways a turn.
template <class Policy, class Source> __global__ void scheduled(Job job) {
  Source source(job);
  Photon photon{};
  float chance = 0.0f;
  heddle::scheduled_loop<Policy, 2>(
      [&] {
        if (!(photon.weight > 0.0f) && !source.take(job, photon))
          return heddle::done;
        const Step step = drawStep(job, photon);
        chance = step.chance;
        return step.hits ? 0 : 1;
      },
      [&] { crossBoundary(job, photon, chance); }, [&] { interact(job, photon, chance); },
      [&] {
        if (!(photon.weight > 0.0f))
          finishPhoton(job, photon);
      });
}

/// Native's two loops; the inner one is scheduled.
template <class Policy> __global__ void scheduledInside(Job job) {
  for (std::uint32_t id = thisThread(); id < job.photons; id += allThreads()) {
    Photon photon = launchPhoton(job, id);
    float chance = 0.0f;
    heddle::scheduled_loop<Policy, 2>(
        [&] {
          if (!(photon.weight > 0.0f))
            return heddle::done;
          const Step step = drawStep(job, photon);
          chance = step.chance;
          return step.hits ? 0 : 1;
        },
        [&] { crossBoundary(job, photon, chance); }, [&] { interact(job, photon, chance); });
    finishPhoton(job, photon);
  }
}

/// What travels between the threads of a block.
struct Traveller {
  Photon photon;
  float chance;
  Strided source;
};

/// The photons of a block change threads, so that those at an edge sit in the same warps.
__global__ void regrouped(Job job) {
  Traveller traveller{{}, 0.0f, Strided(job)};
  heddle::regrouped_loop<blockSize, 2, Traveller>(
      traveller,
      [&](Traveller& state) {
        if (!(state.photon.weight > 0.0f) && !state.source.take(job, state.photon))
          return heddle::done;
        const Step step = drawStep(job, state.photon);
        state.chance = step.chance;
        return step.hits ? 0 : 1;
      },
      [&](Traveller& state) { crossBoundary(job, state.photon, state.chance); },
      [&](Traveller& state) { interact(job, state.photon, state.chance); },
      [&](Traveller& state) {
        if (!(state.photon.weight > 0.0f))
          finishPhoton(job, state.photon);
      });
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "photon: error: %s: %s, %s\n", what, cudaGetErrorName(status),
               cudaGetErrorString(status));
  std::exit(2);
}

template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
    clear();
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* data() const { return data_; }
  void clear() { check(cudaMemset(data_, 0, size_ * sizeof(T)), "cudaMemset"); }
  void put(const std::vector<T>& values) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    check(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return copy;
  }

private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Splitting: the photons lie in memory, and each way is a kernel of its own.

/// A photon between two kernels: 0 and 1 are the ways, 2 is one that is done.
struct Resting {
  Photon photon;
  float chance;
  int way;
};

__device__ void drawNext(const Job& job, Resting& resting) {
  if (!(resting.photon.weight > 0.0f)) {
    finishPhoton(job, resting.photon);
    resting.way = 2;
    return;
  }
  const Step step = drawStep(job, resting.photon);
  resting.chance = step.chance;
  resting.way = step.hits ? 0 : 1;
}

__global__ void launchAll(Job job, Resting* resting) {
  const std::uint32_t id = thisThread();
  if (id >= job.photons)
    return;
  resting[id] = {launchPhoton(job, id), 0.0f, 0};
  drawNext(job, resting[id]);
}

struct WayOf {
  const Resting* resting;
  __device__ int operator()(std::uint32_t i) const { return resting[i].way; }
};
struct CrossAll {
  Job job;
  Resting* resting;
  __device__ void operator()(std::uint32_t i) const {
    Resting here = resting[i];
    crossBoundary(job, here.photon, here.chance);
    drawNext(job, here);
    resting[i] = here;
  }
};
struct InteractAll {
  Job job;
  Resting* resting;
  __device__ void operator()(std::uint32_t i) const {
    Resting here = resting[i];
    interact(job, here.photon, here.chance);
    drawNext(job, here);
    resting[i] = here;
  }
};
struct Rest {
  __device__ void operator()(std::uint32_t) const {}
};

/// Round by round, until the partition has no photon on its way.
void runSplit(const Job& job) {
  DeviceArray<Resting> resting(job.photons);
  DeviceArray<char> workspace(heddle::partition_bytes<3>(job.photons));
  launchAll<<<(job.photons + blockSize - 1) / blockSize, blockSize>>>(job, resting.data());
  constexpr int roundsBetweenLooks = 8;
  for (std::uint32_t live = job.photons; live > 0;) {
    heddle::partition<3> parts;
    for (int round = 0; round < roundsBetweenLooks; ++round) {
      check(heddle::make_partition(nullptr, job.photons, WayOf{resting.data()}, workspace.data(),
                                   parts),
            "make_partition");
      check(heddle::for_each_way(nullptr, parts, CrossAll{job, resting.data()},
                                 InteractAll{job, resting.data()}, Rest{}),
            "for_each_way");
    }
    check(cudaMemcpy(&live, parts.bounds + 2, sizeof live, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
}

using Kernel = void (*)(Job);

/// A form: a kernel, or for the split one none.
struct Form {
  const char* name;
  Kernel kernel;
};

using heddle::fixed;
using heddle::word;
const Form forms[] = {
    {"native", native},
    {"flattened", flattened},
    {"persistent", persistent},
    {"persistent copies", persistentCopies},
    {"alternating", scheduled<heddle::alternating, Strided>},
    {"fixed AB", scheduled<fixed<0, 1>, Strided>},
    {"fixed ABB", scheduled<fixed<0, 1, 1>, Strided>},
    {"fixed ABBB", scheduled<fixed<0, 1, 1, 1>, Strided>},
    {"fixed ABBBBBB", scheduled<fixed<0, 1, 1, 1, 1, 1, 1>, Strided>},
    {"frequency", scheduled<heddle::frequency, Strided>},
    {"laggard", scheduled<heddle::laggard, Strided>},
    {"aging", scheduled<heddle::aging, Strided>},
    {"cost-aging", scheduled<heddle::cost_aging<2, 3>, Strided>},
    {"word AB", scheduled<word<0, 1>, Strided>},
    {"word ABB", scheduled<word<0, 1, 1>, Strided>},
    {"word ABBB", scheduled<word<0, 1, 1, 1>, Strided>},
    {"inner aging", scheduledInside<heddle::aging>},
    {"inner word ABB", scheduledInside<word<0, 1, 1>>},
    {"persistent aging", scheduled<heddle::aging, Queued>},
    {"regrouped", regrouped},
    {"split", nullptr},
};

std::vector<Layer> layersOf(const RunInput& run) {
  const auto outside = [](double index) {
    Layer layer{};
    layer.index = static_cast<float>(index);
    return layer;
  };
  std::vector<Layer> layers = {outside(run.above)};
  double depth = 0;
  for (const LayerInput& input : run.layers) {
    const double g = input.anisotropy, all = input.absorption + input.scattering;
    Layer layer = outside(input.index);
    layer.top = static_cast<float>(depth);
    layer.bottom = static_cast<float>(depth += input.thickness);
    layer.meanFreePath = static_cast<float>(1 / all);
    layer.absorbed = static_cast<float>(input.absorption / all);
    layer.oneMinusG = static_cast<float>(1 - g);
    layer.twoG = static_cast<float>(2 * g);
    layer.oneMinusG2 = static_cast<float>(1 - g * g);
    layer.plusG2 = static_cast<float>(1 + g * g);
    layer.overTwoG = g == 0 ? 0.0f : static_cast<float>(1 / (2 * g));
    layers.push_back(layer);
  }
  layers.push_back(outside(run.below));
  return layers;
}

/// What specular reflection leaves of a photon.
float launchWeightOf(const RunInput& run) {
  const double part = (run.above - run.layers[0].index) / (run.above + run.layers[0].index);
  return static_cast<float>(1 - part * part);
}

unsigned long long sumOf(const std::vector<unsigned long long>& bins) {
  unsigned long long sum = 0;
  for (const unsigned long long bin : bins)
    sum += bin;
  return sum;
}

/// Photons of one launch: a long run is cut into twenty, so that its progress can be seen.
std::uint32_t batchOf(std::uint32_t photons) {
  return std::max(photons / 20 + 1, 1u << 18);
}

} // namespace

/// A run on the device: its tables and its scores.
class Simulation {
public:
  explicit Simulation(const RunInput& run);
  void clear(); ///< of all scores
  /// Photons from number `first` on. Does not wait for them, but in the split form.
  void launch(const std::string& form, Shape shape, std::uint32_t first, std::uint32_t count);
  Scores scores() const;

private:
  RunInput run_;
  DeviceArray<Layer> layers_;
  DeviceArray<Score> absorbed_, reflected_, transmitted_, copies_;
  DeviceArray<Counters> counters_;
  DeviceArray<std::uint32_t> queue_;
  Job job_{};
};

bool Scores::operator==(const Scores& other) const {
  return absorbed == other.absorbed && reflected == other.reflected &&
         transmitted == other.transmitted && steps == other.steps && hits == other.hits &&
         photons == other.photons && reflectedSquares == other.reflectedSquares &&
         transmittedSquares == other.transmittedSquares && rouletteLost == other.rouletteLost &&
         rouletteGained == other.rouletteGained;
}

Totals totalsOf(const RunInput& run, const Scores& scores) {
  const double photons = static_cast<double>(run.photons);
  const auto share = [&](const std::vector<unsigned long long>& bins) {
    return transport::fromFixed<weightBits>(sumOf(bins)) / photons;
  };
  const auto error = [&](double mean, unsigned long long squares) {
    const double variance = transport::fromFixed<weightBits>(squares) / photons - mean * mean;
    return std::sqrt(std::max(variance, 0.0) / photons);
  };
  Totals totals{};
  totals.specular = 1 - static_cast<double>(launchWeightOf(run));
  totals.reflected = share(scores.reflected);
  totals.transmitted = share(scores.transmitted);
  totals.absorbed = share(scores.absorbed);
  totals.reflectedError = error(totals.reflected, scores.reflectedSquares);
  totals.transmittedError = error(totals.transmitted, scores.transmittedSquares);
  totals.hitProbability = static_cast<double>(scores.hits) / static_cast<double>(scores.steps);
  totals.stepsPerPhoton = static_cast<double>(scores.steps) / photons;
  totals.whole = run.photons * transport::fixed<weightBits>(launchWeightOf(run));
  const unsigned long long found = sumOf(scores.reflected) + sumOf(scores.transmitted) +
                                   sumOf(scores.absorbed) + scores.rouletteLost -
                                   scores.rouletteGained;
  totals.missing = static_cast<long long>(totals.whole - found);
  return totals;
}

std::vector<std::string> formNames() {
  std::vector<std::string> names;
  for (const Form& form : forms)
    names.emplace_back(form.name);
  return names;
}

Shape defaultShape(std::uint32_t photons) {
  int processors = 0, device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  constexpr std::uint32_t photonsPerThread = 8; // the fewest that make a loop of photons
  const std::uint32_t threads = std::max(photons / photonsPerThread, 1u);
  const std::uint32_t blocks = (threads + blockSize - 1) / blockSize;
  return {static_cast<int>(std::min(blocks, 8 * static_cast<std::uint32_t>(processors))),
          blockSize};
}

Simulation::Simulation(const RunInput& run)
    : run_(run), layers_(layersOf(run).size()),
      absorbed_(static_cast<std::size_t>(run.depths) * static_cast<std::size_t>(run.radii)),
      reflected_(static_cast<std::size_t>(run.radii)),
      transmitted_(static_cast<std::size_t>(run.radii)),
      copies_(gridCopies * static_cast<std::size_t>(run.depths) *
              static_cast<std::size_t>(run.radii)),
      counters_(counterSlots), queue_(1) {
  layers_.put(layersOf(run));
  job_ = {layers_.data(),
          static_cast<int>(run.layers.size()),
          run.seed,
          0,
          0,
          launchWeightOf(run),
          static_cast<float>(1 / run.dr),
          static_cast<float>(1 / run.dz),
          run.radii,
          run.depths,
          absorbed_.data(),
          reflected_.data(),
          transmitted_.data(),
          counters_.data(),
          queue_.data(),
          copies_.data()};
}

void Simulation::clear() {
  absorbed_.clear();
  reflected_.clear();
  transmitted_.clear();
  counters_.clear();
  copies_.clear();
}

void Simulation::launch(const std::string& form, Shape shape, std::uint32_t first,
                        std::uint32_t count) {
  const Form* chosen = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const Form& each) { return form == each.name; });
  job_.firstPhoton = first;
  job_.photons = count;
  queue_.clear();
  if (chosen->kernel == nullptr)
    runSplit(job_);
  else
    chosen->kernel<<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads)>>>(
        job_);
  if (chosen->kernel == persistentCopies)
    addCopies<<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads)>>>(job_);
  check(cudaGetLastError(), "launch");
}

Scores Simulation::scores() const {
  Scores scores{absorbed_.values(), reflected_.values(), transmitted_.values()};
  for (const Counters& slot : counters_.values()) {
    scores.steps += slot.steps;
    scores.hits += slot.hits;
    scores.photons += slot.photons;
    scores.reflectedSquares += slot.reflectedSquares;
    scores.transmittedSquares += slot.transmittedSquares;
    scores.rouletteLost += slot.rouletteLost;
    scores.rouletteGained += slot.rouletteGained;
  }
  return scores;
}

Scores simulate(const RunInput& run, const std::string& form, Shape shape,
                const std::function<void(double)>& progress) {
  Simulation simulation(run);
  const std::uint32_t batch = batchOf(run.photons);
  for (std::uint32_t first = 0; first < run.photons; first += batch) {
    progress(static_cast<double>(first) / run.photons);
    simulation.launch(form, shape, first, std::min(batch, run.photons - first));
    check(cudaDeviceSynchronize(), "kernel");
  }
  return simulation.scores();
}

} // namespace photon
