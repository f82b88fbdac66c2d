// SPDX-License-Identifier: Apache-2.0
//
// X-ray transport in a body of voxels: one physics (physics.cuh), many forms of the loop around it.
// All of them give the same bits. `native` is the program as one would write it first.
#include "xray.h"

#include "physics.cuh"

#include <heddle/regroup.cuh>
#include <heddle/schedule.cuh>
#include <heddle/split.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace xray {
namespace {

__device__ std::uint32_t thisThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ std::uint32_t allThreads() {
  return gridDim.x * blockDim.x;
}

/// A thread follows its X-rays one after the other, from scattering to scattering, step by step.
__global__ void native(Job job) {
  ScoreAtOnce scoring;
  for (std::uint32_t id = thisThread(); id < job.count; id += allThreads()) {
    Xray xray = emit(job, scoring, id);
    while (xray.state != State::New) {
      while (xray.state == State::Delta)
        deltaStep(job, scoring, xray);
      if (xray.state == State::Compton)
        scatterCompton(job, scoring, xray);
      else if (xray.state == State::Rayleigh)
        scatterRayleigh(job, xray);
    }
    finishXray(job, scoring, xray);
  }
}

/// The X-rays of a thread are those that native gives it.
class Strided {
public:
  __device__ explicit Strided(const Job&) : next_(thisThread()) {}
  __device__ bool take(const Job& job, std::uint32_t& id) {
    id = next_;
    next_ += allThreads();
    return id < job.count;
  }

private:
  std::uint32_t next_;
};

/// Whoever is done takes the next X-ray of all.
class Queued {
public:
  __device__ explicit Queued(const Job&) {}
  __device__ bool take(const Job& job, std::uint32_t& id) {
    id = atomicAdd(job.queue, 1u);
    return id < job.count;
  }
};

/// Each block has a share of the X-rays, and hands them out by a word of its own, so that blocks
/// do not wait for each other. One X-ray a thread is kept back: whoever is done early takes of these.
class QueuedInBlock {
public:
  __device__ explicit QueuedInBlock(const Job& job)
      : shared_(job.count - min(job.count, allThreads())), end_(startOf(blockIdx.x + 1)) {
    __shared__ std::uint32_t next;
    if (threadIdx.x == 0)
      next = startOf(blockIdx.x);
    __syncthreads();
    next_ = &next;
  }
  __device__ bool take(const Job& job, std::uint32_t& id) {
    id = atomicAdd(next_, 1u);
    if (id >= end_)
      id = shared_ + atomicAdd(job.queue, 1u);
    return id < job.count;
  }

private:
  __device__ std::uint32_t startOf(std::uint32_t block) const {
    return static_cast<std::uint32_t>(std::uint64_t{shared_} * block / gridDim.x);
  }
  std::uint32_t shared_; ///< X-rays in the shares of the blocks
  std::uint32_t end_;
  std::uint32_t* next_;
};

/// The machine of figure E.2: one loop, one state a turn.
__global__ void flattened(Job job) {
  ScoreAtOnce scoring;
  std::uint32_t next = thisThread();
  Xray xray{};
  while (xray.state != State::New || next < job.count) {
    switch (xray.state) {
    case State::New:
      xray = emit(job, scoring, next);
      next += allThreads();
      break;
    case State::Delta:
      deltaStep(job, scoring, xray);
      break;
    case State::Rayleigh:
      scatterRayleigh(job, xray);
      break;
    case State::Compton:
    default:
      scatterCompton(job, scoring, xray);
      break;
    }
    if (xray.state == State::New)
      finishXray(job, scoring, xray);
  }
}

/// The same, but a lane takes the next X-ray of a queue: none waits for one that has more to do.
template <class Source, class Scoring>
__device__ void followQueue(const Job& job, Scoring& scoring) {
  Source source(job);
  Xray xray{};
  std::uint32_t id = 0;
  while (xray.state != State::New || source.take(job, id)) {
    if (xray.state == State::New)
      xray = emit(job, scoring, id);
    else if (xray.state == State::Delta)
      deltaStep(job, scoring, xray);
    else if (xray.state == State::Rayleigh)
      scatterRayleigh(job, xray);
    else
      scatterCompton(job, scoring, xray);
    if (xray.state == State::New)
      finishXray(job, scoring, xray);
  }
}
__global__ void persistent(Job job) {
  ScoreAtOnce scoring;
  followQueue<Queued>(job, scoring);
}
__global__ void __launch_bounds__(blockSize, 4) persistentApart(Job job) {
  ScoreApart scoring;
  followQueue<QueuedInBlock>(job, scoring);
  scoring.addUp(job);
}

/// The same machine, one state a turn for all lanes of a warp that are in it.
template <class Policy, class Source, class Scoring>
__device__ void followScheduled(const Job& job, Scoring& scoring) {
  Source source(job);
  Xray xray{};
  std::uint32_t id = 0;
  heddle::scheduled_loop<Policy, states>(
      [&] {
        if (xray.state == State::New && !source.take(job, id))
          return heddle::done;
        return static_cast<int>(xray.state);
      },
      [&] { xray = emit(job, scoring, id); }, [&] { deltaStep(job, scoring, xray); },
      [&] { scatterRayleigh(job, xray); }, [&] { scatterCompton(job, scoring, xray); },
      [&] {
        if (xray.state == State::New)
          finishXray(job, scoring, xray);
      });
}
template <class Policy, class Source> __global__ void scheduled(Job job) {
  ScoreAtOnce scoring;
  followScheduled<Policy, Source>(job, scoring);
}
template <class Policy> __global__ void __launch_bounds__(blockSize, 4) scheduledApart(Job job) {
  ScoreApart scoring;
  followScheduled<Policy, QueuedInBlock>(job, scoring);
  scoring.addUp(job);
}

/// The same by hand, for visits as table E.2 has them. Most are steps: a lane that is to be scattered
/// or scored waits until others are, too. Rayleigh's are rare, and wait longest.
template <int Steps> __global__ void __launch_bounds__(blockSize, 4) rounds(Job job) {
  constexpr int roundsToRayleigh = 4;
  ScoreApart scoring;
  QueuedInBlock source(job);
  Xray xray{};
  std::uint32_t id = 0;
  bool isFirst = true;
  const auto begin = [&] { // of the next, behind the end of this one
    settle(job, scoring, xray);
    if (!isFirst)
      finishXray(job, scoring, xray);
    isFirst = false;
    const bool isLive = source.take(job, id);
    if (isLive)
      xray = send(job, scoring, id);
    return isLive;
  };
  for (;;) {
#pragma unroll 1
    for (int round = 0; round < roundsToRayleigh; ++round) {
      if (xray.state == State::New || xray.state == State::Leaves || xray.state == State::Absorbed)
        if (!begin()) {
          scoring.addUp(job);
          return;
        }
#pragma unroll 1
      for (int i = 0; i < Steps; ++i)
        if (xray.state == State::Delta)
          step(job, xray);
      if (xray.state == State::Compton)
        scatterCompton(job, scoring, xray);
    }
    if (xray.state == State::Rayleigh)
      scatterRayleigh(job, xray);
  }
}

/// Adds the doses of the blocks to the first, and clears them.
__global__ void addDoses(Job job) {
  const std::uint32_t voxels = job.countX * job.countY * job.countZ;
  for (std::uint32_t voxel = thisThread(); voxel < voxels; voxel += allThreads()) {
    Score sum = 0;
    for (std::uint32_t i = 1; i < job.doses; ++i) {
      sum += job.dose[i * voxels + voxel];
      job.dose[i * voxels + voxel] = 0;
    }
    job.dose[voxel] += sum;
  }
}

/// What travels between the threads of a block.
struct Traveller {
  Xray xray;
  std::uint32_t id;
  Strided source;
};

/// The X-rays of a block change threads, so that those of one state sit in the same warps.
__global__ void regrouped(Job job) {
  ScoreAtOnce scoring;
  Traveller traveller{{}, 0, Strided(job)};
  heddle::regrouped_loop<blockSize, states, Traveller>(
      traveller,
      [&](Traveller& state) {
        if (state.xray.state == State::New && !state.source.take(job, state.id))
          return heddle::done;
        return static_cast<int>(state.xray.state);
      },
      [&](Traveller& state) { state.xray = emit(job, scoring, state.id); },
      [&](Traveller& state) { deltaStep(job, scoring, state.xray); },
      [&](Traveller& state) { scatterRayleigh(job, state.xray); },
      [&](Traveller& state) { scatterCompton(job, scoring, state.xray); },
      [&](Traveller& state) {
        if (state.xray.state == State::New)
          finishXray(job, scoring, state.xray);
      });
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "xray: error: %s: %s, %s\n", what, cudaGetErrorName(status),
               cudaGetErrorString(status));
  std::exit(2);
}

template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
    clear();
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void clear() { check(cudaMemset(data_, 0, size_ * sizeof(T)), "cudaMemset"); }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    check(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return copy;
  }

private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Splitting: the X-rays lie in memory, and each state is a kernel of its own.

constexpr int resting = states; ///< the way of an X-ray that is done
struct WayOf {
  const Xray* xrays;
  const unsigned char* begun;
  __device__ int operator()(std::uint32_t i) const {
    return xrays[i].state == State::New && begun[i] != 0 ? resting
                                                         : static_cast<int>(xrays[i].state);
  }
};
template <State At> struct Visit {
  Job job;
  Xray* xrays;
  unsigned char* begun;
  __device__ void operator()(std::uint32_t i) const {
    ScoreAtOnce scoring;
    Xray xray = xrays[i];
    if constexpr (At == State::New) {
      xray = emit(job, scoring, i);
      begun[i] = 1;
    } else if constexpr (At == State::Delta) {
      deltaStep(job, scoring, xray);
    } else if constexpr (At == State::Rayleigh) {
      scatterRayleigh(job, xray);
    } else {
      scatterCompton(job, scoring, xray);
    }
    if (xray.state == State::New)
      finishXray(job, scoring, xray);
    xrays[i] = xray;
  }
};
struct Rest {
  __device__ void operator()(std::uint32_t) const {}
};

/// Round by round, until the partition has no X-ray on its way.
void runSplit(const Job& job) {
  DeviceArray<Xray> xrays(job.count);
  DeviceArray<unsigned char> begun(job.count);
  DeviceArray<char> workspace(heddle::partition_bytes<states + 1>(job.count));
  constexpr int roundsBetweenLooks = 8;
  for (std::uint32_t live = job.count; live > 0;) {
    heddle::partition<states + 1> parts;
    for (int round = 0; round < roundsBetweenLooks; ++round) {
      check(heddle::make_partition(nullptr, job.count, WayOf{xrays.data(), begun.data()},
                                   workspace.data(), parts),
            "make_partition");
      check(heddle::for_each_way(nullptr, parts, Visit<State::New>{job, xrays.data(), begun.data()},
                                 Visit<State::Delta>{job, xrays.data(), begun.data()},
                                 Visit<State::Rayleigh>{job, xrays.data(), begun.data()},
                                 Visit<State::Compton>{job, xrays.data(), begun.data()}, Rest{}),
            "for_each_way");
    }
    check(cudaMemcpy(&live, parts.bounds + states, sizeof live, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
  }
}

using Kernel = void (*)(Job);

/// A form: a kernel, or for the split one none.
struct Form {
  const char* name;
  Kernel kernel;
  bool hasDoses = false; ///< blocks score apart
};

using heddle::fixed;
using heddle::word;
const Form forms[] = {
    {"native", native},
    {"flattened", flattened},
    {"persistent", persistent},
    {"alternating", scheduled<heddle::alternating, Strided>},
    {"fixed NDDDCR", scheduled<fixed<0, 1, 1, 1, 3, 2>, Strided>},
    {"fixed NDDDDDDDDCDDDDDDDDR",
     scheduled<fixed<0, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 2>, Strided>},
    {"frequency", scheduled<heddle::frequency, Strided>},
    {"laggard", scheduled<heddle::laggard, Strided>},
    {"aging", scheduled<heddle::aging, Strided>},
    {"cost-aging", scheduled<heddle::cost_aging<1, 1, 5, 10>, Strided>},
    {"word NDCR", scheduled<word<0, 1, 3, 2>, Strided>},
    {"word NDDDCR", scheduled<word<0, 1, 1, 1, 3, 2>, Strided>},
    {"persistent cost-aging", scheduled<heddle::cost_aging<1, 1, 5, 10>, Queued>},
    {"persistent apart", persistentApart, true},
    {"persistent aging apart", scheduledApart<heddle::aging>, true},
    {"persistent cost-aging apart", scheduledApart<heddle::cost_aging<1, 1, 5, 10>>, true},
    {"persistent word NDCR apart", scheduledApart<word<0, 1, 3, 2>>, true},
    {"persistent word NDDDCR apart", scheduledApart<word<0, 1, 1, 1, 3, 2>>, true},
    {"rounds of 2", rounds<2>, true},
    {"rounds of 5", rounds<5>, true},
    {"regrouped", regrouped},
    {"split", nullptr},
};

/// So many doses that blocks rarely meet in one, as long as they are as small as those of the box.
std::size_t dosesOf(const Phantom& phantom) {
  constexpr std::size_t most = 256, mostVoxels = 1 << 16;
  return std::clamp<std::size_t>(mostVoxels / phantom.voxels.size(), 1, most);
}

/// X-rays of one launch: a long run is cut into twenty, so that its progress can be seen.
std::uint32_t batchOf(std::uint32_t xrays) {
  return std::max(xrays / 20 + 1, 1u << 18);
}

/// What does not change from launch to launch, but for the addresses.
Job jobOf(const Phantom& phantom, const CrossSections& sections, const Setup& setup) {
  Job job{};
  job.countX = phantom.count[0];
  job.countY = phantom.count[1];
  job.countZ = phantom.count[2];
  const auto size = [&](int axis) { return phantom.count[axis] * phantom.voxel[axis]; };
  const auto reciprocal = [](double value) { return static_cast<float>(1 / value); };
  job.perSize = {reciprocal(phantom.voxel[0]), reciprocal(phantom.voxel[1]),
                 reciprocal(phantom.voxel[2])};
  job.size = {static_cast<float>(size(0)), static_cast<float>(size(1)),
              static_cast<float>(size(2))};
  job.energies = sections.energies;
  job.perKeV = static_cast<float>(sections.perKeV);
  job.seed = setup.seed;
  job.energy = static_cast<float>(setup.energy);
  job.source = {0.5f * job.size.x, static_cast<float>(-setup.sourceDistance), 0.5f * job.size.z};
  job.detectorY = job.size.y + static_cast<float>(setup.detectorDistance);
  // The shadow of the body's front, as the source throws it on the detector.
  const double toBody = setup.sourceDistance;
  const float grown = static_cast<float>((toBody + size(1) + setup.detectorDistance) / toBody);
  job.detectorWidth = job.size.x * grown;
  job.detectorHeight = job.size.z * grown;
  job.detectorX0 = job.source.x - 0.5f * job.detectorWidth;
  job.detectorZ0 = job.source.z - 0.5f * job.detectorHeight;
  job.beamWidth = setup.pencil ? 0.0f : job.detectorWidth;
  job.beamHeight = setup.pencil ? 0.0f : job.detectorHeight;
  job.pixelsX = setup.pixelsX;
  job.pixelsZ = setup.pixelsZ;
  return job;
}

/// Draws angles as the machine does, and nothing else.
template <bool IsCompton>
__global__ void sampleAngles(Job job, float width, int bins, unsigned* histogram, Score* left) {
  const std::uint32_t id = thisThread();
  if (id >= job.count)
    return;
  Xray xray{};
  xray.id = id;
  xray.energy = job.energy;
  float cosine;
  if constexpr (IsCompton) {
    const Compton compton = comptonOf(job, xray);
    cosine = compton.cosine;
    atomicAdd(left, energyScore(compton.left));
  } else {
    cosine = rayleighCosine(job, xray, width);
  }
  const int bin = static_cast<int>((cosine + 1.0f) * 0.5f * static_cast<float>(bins));
  atomicAdd(histogram + min(bin, bins - 1), 1u);
}

template <bool IsCompton>
Angles sample(double energy, double width, std::uint32_t count, int bins, std::uint32_t seed) {
  DeviceArray<unsigned> histogram(static_cast<std::size_t>(bins));
  DeviceArray<Score> left(1);
  Job job{};
  job.seed = seed;
  job.count = count;
  job.energy = static_cast<float>(energy);
  sampleAngles<IsCompton><<<(count + 127) / 128, 128>>>(job, static_cast<float>(width), bins,
                                                        histogram.data(), left.data());
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
  return {histogram.values(), static_cast<double>(left.values()[0]) * keVPerScore / count};
}

std::vector<Attenuation> entriesOf(const CrossSections& sections) {
  std::vector<Attenuation> entries;
  for (const CrossSections::Entry& entry : sections.attenuation)
    entries.push_back({entry.total, entry.compton, entry.scattered});
  return entries;
}

} // namespace

/// A run on the device: its tables and its scores.
class Simulation {
public:
  Simulation(const Phantom& phantom, const CrossSections& sections, const Setup& setup);
  void clear(); ///< of all scores
  /// X-rays from number `first` on. Does not wait for them, but in the split form.
  void launch(const std::string& form, Shape shape, std::uint32_t first, std::uint32_t count);
  Scores scores() const;

private:
  Setup setup_;
  DeviceArray<unsigned char> voxels_;
  DeviceArray<Attenuation> attenuation_;
  DeviceArray<float> majorant_, widths_;
  DeviceArray<Score> image_, dose_;
  DeviceArray<Counters> counters_;
  DeviceArray<std::uint32_t> queue_;
  Job job_;
};

bool Scores::operator==(const Scores& other) const {
  return image == other.image && dose == other.dose && xrays == other.xrays &&
         deltas == other.deltas && rayleighs == other.rayleighs && comptons == other.comptons &&
         primaries == other.primaries && emitted == other.emitted && escaped == other.escaped &&
         absorbed == other.absorbed;
}

std::vector<double> stateShares(const Scores& scores) {
  std::vector<double> shares;
  const auto all =
      static_cast<double>(scores.xrays + scores.deltas + scores.rayleighs + scores.comptons);
  for (const unsigned long long visits :
       {scores.xrays, scores.deltas, scores.rayleighs, scores.comptons})
    shares.push_back(static_cast<double>(visits) / all);
  return shares;
}

std::vector<std::string> formNames() {
  std::vector<std::string> names;
  for (const Form& form : forms)
    names.emplace_back(form.name);
  return names;
}

Shape defaultShape(std::uint32_t xrays) {
  int processors = 0, device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  constexpr std::uint32_t xraysPerThread = 8; // the fewest that make a loop of X-rays
  const std::uint32_t threads = std::max(xrays / xraysPerThread, 1u);
  const std::uint32_t blocks = (threads + blockSize - 1) / blockSize;
  return {static_cast<int>(std::min(blocks, 16 * static_cast<std::uint32_t>(processors))),
          blockSize};
}

Simulation::Simulation(const Phantom& phantom, const CrossSections& sections, const Setup& setup)
    : setup_(setup), voxels_(phantom.voxels), attenuation_(entriesOf(sections)),
      majorant_(sections.majorant), widths_(sections.formWidth),
      image_(static_cast<std::size_t>(setup.pixelsX) * static_cast<std::size_t>(setup.pixelsZ)),
      dose_(phantom.voxels.size() * dosesOf(phantom)), counters_(counterSlots), queue_(1),
      job_(jobOf(phantom, sections, setup)) {
  job_.voxels = voxels_.data();
  job_.attenuation = attenuation_.data();
  job_.majorant = majorant_.data();
  job_.formWidth = widths_.data();
  job_.image = image_.data();
  job_.dose = dose_.data();
  job_.doses = static_cast<std::uint32_t>(dosesOf(phantom));
  job_.counters = counters_.data();
  job_.queue = queue_.data();
}

void Simulation::clear() {
  image_.clear();
  dose_.clear();
  counters_.clear();
}

void Simulation::launch(const std::string& form, Shape shape, std::uint32_t first,
                        std::uint32_t count) {
  const Form* chosen = std::find_if(std::begin(forms), std::end(forms),
                                    [&](const Form& each) { return form == each.name; });
  job_.first = first;
  job_.count = count;
  queue_.clear();
  if (chosen->kernel == nullptr)
    runSplit(job_);
  else
    chosen->kernel<<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads)>>>(
        job_);
  if (chosen->hasDoses && job_.doses > 1)
    addDoses<<<static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.threads)>>>(job_);
  check(cudaGetLastError(), "launch");
}

Scores Simulation::scores() const {
  Scores scores{image_.values(), dose_.values()};
  scores.dose.resize(voxels_.size());
  for (const Counters& slot : counters_.values()) {
    scores.xrays += slot.xrays;
    scores.deltas += slot.deltas;
    scores.rayleighs += slot.rayleighs;
    scores.comptons += slot.comptons;
    scores.primaries += slot.primaries;
    scores.emitted += slot.emitted;
    scores.escaped += slot.escaped;
    scores.absorbed += slot.absorbed;
  }
  return scores;
}

Scores simulate(const Phantom& phantom, const CrossSections& sections, const Setup& setup,
                const std::string& form, Shape shape, const std::function<void(double)>& progress) {
  Simulation simulation(phantom, sections, setup);
  const std::uint32_t batch = batchOf(setup.xrays);
  for (std::uint32_t first = 0; first < setup.xrays; first += batch) {
    progress(static_cast<double>(first) / setup.xrays);
    simulation.launch(form, shape, first, std::min(batch, setup.xrays - first));
    check(cudaDeviceSynchronize(), "kernel");
  }
  return simulation.scores();
}

Angles sampleCompton(double energy, std::uint32_t count, int bins, std::uint32_t seed) {
  return sample<true>(energy, 1, count, bins, seed);
}

Angles sampleRayleigh(double energy, double width, std::uint32_t count, int bins,
                      std::uint32_t seed) {
  return sample<false>(energy, width, count, bins, seed);
}

} // namespace xray
