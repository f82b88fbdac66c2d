// SPDX-License-Identifier: Apache-2.0
//
// Carrillo, Siegel and Li's benchmark of branch splitting (their figures 6 to 10). A decision mask
// says for every element which branch works on it; the if-branch needs few registers, the
// else-branch many. The branched version is one kernel, which the else-branch's registers hold at
// 67 % occupancy on a G80. The split version is one kernel per branch: the if-kernel runs at 100 %,
// but the mask and the common input are loaded twice and two kernels are launched.
//
// Both branches read `steps` values a block apart and do four dependent multiply-adds on each: one
// load in flight per warp, so that a G80 needs more than 16 warps to keep memory and arithmetic
// busy. The if-branch also gathers two values from far places. An uncoalesced access costs per
// thread, not per warp; it is why the worst case is not at 50 %: the paper sees time fall slowly
// beyond 16 %, "because of the reduced number of if-branch executions".
//
//   heddle run studies/branch-splitting/branch-splitting.cu --device 8800gtx -- --elements 262144
//   --every 40
#include "../../bench/cuda/benchmark.cuh"

constexpr int blockSize = 256;

/// Six registers are enough: the place, where to stop, the value, and what is being loaded.
__host__ __device__ float ifBranch(const float* in, const float* table, unsigned element,
                                   unsigned last, int steps, float x) {
  x += table[(element * 2654435761u) & last]; // two gathers
  x += table[(element * 2246822519u) & last];
  const float* const end = in + element + steps * blockSize;
#pragma unroll 1
  for (const float* place = in + element; place != end; place += blockSize) {
    x = fmaf(x, 0.5f, *place);
    x = fmaf(x, 0.25f, 1.0f);
    x = fmaf(x, 0.125f, 2.0f);
    x = fmaf(x, 0.5f, 1.0f);
  }
  return x;
}

/// As long as the if-branch, but with a polynomial of its own for every element, whose five
/// coefficients stay in registers throughout the loop.
__host__ __device__ float elseBranch(const float* in, unsigned element, int steps, float x) {
  const float a = 0.5f * x, b = 0.25f * x, c = 1.0f - x, d = 0.125f * x, e = 2.0f - x;
  const float* const end = in + element + steps * blockSize;
#pragma unroll 1
  for (const float* place = in + element; place != end; place += blockSize) {
    x = fmaf(x, a, *place);
    x = fmaf(x, b, c);
    x = fmaf(x, d, e);
    x = fmaf(x, a, c);
  }
  return x;
}

__global__ void branchedKernel(const int* mask, const float* common, const float* ifInput,
                               const float* elseInput, float* results, unsigned last, int steps) {
  const unsigned element = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = common[element];
  if (mask[element] == 0)
    results[element] = ifBranch(ifInput, common, element, last, steps, x);
  else
    results[element] = elseBranch(elseInput, element, steps, x);
}

__global__ void ifKernel(const int* mask, const float* common, const float* ifInput, float* results,
                         unsigned last, int steps) {
  const unsigned element = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[element] == 0)
    results[element] = ifBranch(ifInput, common, element, last, steps, common[element]);
}

__global__ void elseKernel(const int* mask, const float* common, const float* elseInput,
                           float* results, int steps) {
  const unsigned element = blockIdx.x * blockDim.x + threadIdx.x;
  if (mask[element] == 1)
    results[element] = elseBranch(elseInput, element, steps, common[element]);
}

/// Counts the warps in which both branches are wanted.
__global__ void countMixedWarps(const int* mask, int* mixed) {
  const unsigned wanted =
      __ballot_sync(0xffffffffu, mask[blockIdx.x * blockDim.x + threadIdx.x] == 1);
  if (threadIdx.x % 32 == 0 && wanted != 0 && wanted != 0xffffffffu)
    atomicAdd(mixed, 1);
}

unsigned scrambled(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

std::vector<float> randomValues(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(scrambled(static_cast<unsigned>(i) + seed) >> 8) / (1 << 24);
  return values;
}

enum class Layout { TwoSection, Random };

/// 1 where an element takes the else-branch: the first part of the data, or a random choice.
std::vector<int> decisionMask(Layout layout, size_t elements, double elseShare) {
  std::vector<int> mask(elements);
  for (size_t i = 0; i < elements; ++i)
    mask[i] = layout == Layout::TwoSection
                  ? static_cast<double>(i) < elseShare * static_cast<double>(elements)
                  : scrambled(static_cast<unsigned>(i) + 77u) < elseShare * 4294967296.0;
  return mask;
}

class Versions {
public:
  Versions(size_t elements, int steps, int repeats)
      : elements_(elements), blocks_(static_cast<unsigned>(elements / blockSize)), steps_(steps),
        repeats_(repeats), hostCommon_(randomValues(elements, 1)),
        hostIf_(randomValues(elements + steps * blockSize, 2)),
        hostElse_(randomValues(elements + steps * blockSize, 3)), mask_(elements),
        common_(hostCommon_), ifInput_(hostIf_), elseInput_(hostElse_), branched_(elements),
        split_(elements), mixed_(1) {}

  /// Times both versions under one mask, and holds their results against each other, bit for bit.
  void measure(Layout layout, double elsePercent) {
    const std::vector<int> mask = takeMask(layout, elsePercent);
    const double branchedTime = study::microseconds(repeats_, [&] { runBranched(); });
    const double splitTime = study::microseconds(repeats_, [&] { runSplit(); });
    compare(mask);
    if (elsePercent == 0)
      ifOnly_ = branchedTime;
    if (elsePercent == 100)
      elseOnly_ = branchedTime;
    const char* name = nameOf(layout);
    const double mixedShare = countMixed();
    const auto row = [&](const char* version, double time) {
      study::Row(version)
          .set("experiment", "time")
          .set("layout", name)
          .set("elsePercent", elsePercent)
          .set("milliseconds", time / 1e3)
          .set("relative", time / ifOnly_)
          .set("mixedWarps", mixedShare)
          .set("mixedWarpCount", mixedShare * static_cast<double>(elements_ / 32))
          .print();
    };
    row("branched", branchedTime);
    row("split", splitTime);
    study::Row(std::string("measured, ") + name)
        .set("experiment", "speedup")
        .set("layout", name)
        .set("elsePercent", elsePercent)
        .set("speedup", branchedTime / splitTime)
        .print();
  }

  /// The split version over the branched one under one mask; their results are compared, too.
  void record(Layout layout, int elsePercent) {
    const std::vector<int> mask = takeMask(layout, elsePercent);
    benchmark::compareAll(
        "branched", [&](int) { runBranched(); },
        {{benchmark::Record("branch-splitting")
              .set("layout", nameOf(layout))
              .set("elsePercent", elsePercent),
          [&](int) { runSplit(); }}},
        repeats_);
    compare(mask);
  }

  /// The bound of equation (1) for the worst case, with the branches' own times as they were
  /// measured at 0 and 100 %.
  void printBound(const std::vector<double>& percents) {
    const double ifShare = study::residency(ifKernel, blockSize).occupancy;
    const double elseShare = study::residency(elseKernel, blockSize).occupancy;
    const double together = study::residency(branchedKernel, blockSize).occupancy;
    const double launch = study::microseconds(repeats_, [] { study::emptyKernel<<<1, 32>>>(); });
    const double split = ifOnly_ * together / ifShare + elseOnly_ * together / elseShare + launch;
    for (const double percent : percents)
      study::Row("bound of equation (1)")
          .set("experiment", "speedup")
          .set("elsePercent", percent)
          .set("speedup", (ifOnly_ + elseOnly_) / split)
          .print();
  }

private:
  static const char* nameOf(Layout layout) {
    return layout == Layout::TwoSection ? "two sections" : "random";
  }
  /// Makes a mask the one that both versions run under.
  std::vector<int> takeMask(Layout layout, double elsePercent) {
    std::vector<int> mask = decisionMask(layout, elements_, elsePercent / 100);
    mask_.copyFrom(mask);
    branched_.fillWithNaN(); // what no kernel writes differs from everything, itself included
    split_.fillWithNaN();
    return mask;
  }
  void runBranched() {
    branchedKernel<<<blocks_, blockSize>>>(mask_.data(), common_.data(), ifInput_.data(),
                                           elseInput_.data(), branched_.data(), last(), steps_);
  }
  void runSplit() {
    ifKernel<<<blocks_, blockSize>>>(mask_.data(), common_.data(), ifInput_.data(), split_.data(),
                                     last(), steps_);
    elseKernel<<<blocks_, blockSize>>>(mask_.data(), common_.data(), elseInput_.data(),
                                       split_.data(), steps_);
  }
  /// Both versions agree, and a sample of them agrees with the host, all bit for bit.
  void compare(const std::vector<int>& mask) {
    const std::vector<float> found = branched_.values();
    study::require(found == split_.values(), "the split version differs from the branched one");
    for (unsigned i = 0; i < elements_; i += 1009) {
      const float x = hostCommon_[i];
      const float expected =
          mask[i] == 0 ? ifBranch(hostIf_.data(), hostCommon_.data(), i, last(), steps_, x)
                       : elseBranch(hostElse_.data(), i, steps_, x);
      study::require(found[i] == expected, "element " + std::to_string(i));
    }
  }
  double countMixed() {
    mixed_.clear();
    countMixedWarps<<<blocks_, blockSize>>>(mask_.data(), mixed_.data());
    return mixed_.values()[0] / static_cast<double>(elements_ / 32);
  }
  unsigned last() const { return static_cast<unsigned>(elements_ - 1); }

  size_t elements_;
  unsigned blocks_;
  int steps_;
  int repeats_;
  std::vector<float> hostCommon_, hostIf_, hostElse_;
  study::DeviceArray<int> mask_;
  study::DeviceArray<float> common_, ifInput_, elseInput_, branched_, split_;
  study::DeviceArray<int> mixed_;
  double ifOnly_ = 0, elseOnly_ = 0;
};

void printResidency(const char* kernel, study::Residency found) {
  study::Row(kernel)
      .set("experiment", "occupancy")
      .set("registers", found.registers)
      .set("occupancy", found.occupancy)
      .set("warps", found.warps)
      .print();
}

void printRows(Versions& versions, int every) {
  printResidency("branched kernel", study::residency(branchedKernel, blockSize));
  printResidency("if-kernel", study::residency(ifKernel, blockSize));
  printResidency("else-kernel", study::residency(elseKernel, blockSize));

  std::vector<double> percents = {0, 1, 2, 4, 8, 12, 16, 20};
  for (int percent = 20 + every; percent <= 100; percent += every)
    percents.push_back(percent);
  if (percents.back() != 100)
    percents.push_back(100);
  for (const Layout layout : {Layout::TwoSection, Layout::Random})
    for (const double percent : percents)
      versions.measure(layout, percent);
  versions.printBound(percents);
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  const auto elements = static_cast<size_t>(arguments.number("elements", 1 << 22));
  const int steps = static_cast<int>(arguments.number("steps", 48));
  const int every = static_cast<int>(arguments.number("every", 10)); // percent, above 20
  const int repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  if ((elements & (elements - 1)) != 0 || elements < blockSize)
    study::stop(2, "--elements must be a power of two, at least 256");

  Versions versions(elements, steps, repeats);
  if (!records)
    printRows(versions, every);
  else
    for (const Layout layout : {Layout::TwoSection, Layout::Random})
      for (const int percent : {0, 1, 4, 16, 50, 100})
        versions.record(layout, percent);
}
