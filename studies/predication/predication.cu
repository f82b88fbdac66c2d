// SPDX-License-Identifier: Apache-2.0
//
// An if-else whose two paths have `length` arithmetic instructions each, in two forms. The branch
// form jumps: a warp whose threads agree runs one path, a warp that diverges runs both, and each
// pays for the jump. The predicated form runs both paths always and selects a result. So
// predication wins where warps diverge; where they agree it wins only while the path it runs in
// vain is shorter than the jump: the break-even.
//
//   heddle run studies/predication/predication.cu --device 8800gtx -- --rounds 64
#include "../../bench/cuda/benchmark.cuh"

constexpr int warpLanes = 32;
constexpr int blockSize = 128;
constexpr int longest = 32;

enum class Form { Branch, Select };
enum class Condition { Divergent, Uniform };

template <int Length> __host__ __device__ float firstPath(float x) {
#pragma unroll
  for (int i = 0; i < Length; ++i)
    x = fmaf(x, 0.5f, 1.0f);
  return x;
}

/// Adds and multiplications in turn: a path that looks like the first would be merged with it.
template <int Length> __device__ float secondPath(float x) {
#pragma unroll
  for (int i = 0; i < Length; ++i)
    x = i % 2 == 0 ? __fadd_rn(x, 3.0f) : __fmul_rn(x, 0.25f);
  return x;
}

/// The condition changes with every round, so that it cannot be decided once for the whole loop.
/// The hint that it mostly holds keeps clang from turning the short branches into selects; nvcc may
/// do so all the same.
template <int Length, Form F>
__global__ void choose(float* results, float start, int rounds, Condition condition) {
  const int index = condition == Condition::Divergent ? threadIdx.x : threadIdx.x / warpLanes;
  float x = start;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const bool first = ((index + round) & 1) == 0;
    if (F == Form::Select) {
      const float a = firstPath<Length>(x), b = secondPath<Length>(x);
      x = first ? a : b;
    } else if (__builtin_expect(first, true)) {
      x = firstPath<Length>(x);
    } else {
      x = secondPath<Length>(x);
    }
  }
  results[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

struct Setting {
  int blocks, rounds;
  int repeats;
};

template <int Length, Form F>
void launch(study::DeviceArray<float>& results, Condition condition, const Setting& setting) {
  choose<Length, F><<<setting.blocks, blockSize>>>(results.data(), 1.0f, setting.rounds, condition);
}

/// Cycles in which one multiprocessor gets one warp through one round.
template <int Length, Form F>
double cyclesPerRound(Condition condition, const Setting& setting, std::vector<float>& found) {
  study::DeviceArray<float> results(static_cast<size_t>(setting.blocks) * blockSize);
  const double time = study::workMicroseconds(
      setting.repeats, [&] { launch<Length, F>(results, condition, setting); });
  found = results.values();
  const double warpRounds = static_cast<double>(setting.blocks) * (blockSize / warpLanes) *
                            setting.rounds / study::multiprocessors();
  return time * study::cyclesPerMicrosecond() / warpRounds;
}

void print(const char* form, const char* condition, int length, double cycles) {
  study::Row(std::string(form) + ", " + condition)
      .set("experiment", "time")
      .set("form", form)
      .set("condition", condition)
      .set("length", length)
      .set("cyclesPerRound", cycles)
      .print();
}

/// The smallest length from which on the branch is faster; one more than the longest when it never
/// is.
class BreakEven {
public:
  void add(int length, double branch, double select) {
    if (branch >= select)
      from_ = longest + 1;
    else
      from_ = std::min(from_, length);
  }
  int length() const { return from_; }

private:
  int from_ = longest + 1;
};

const char* nameOf(Condition condition) {
  return condition == Condition::Divergent ? "divergent" : "uniform";
}

void compareForms(int length, const std::vector<float>& branched,
                  const std::vector<float>& selected) {
  study::require(branched == selected,
                 "branch and select differ at length " + std::to_string(length));
  study::require(branched[0] != branched[warpLanes + 1], "both paths gave the same");
}

template <int Length>
void measure(Condition condition, const Setting& setting, BreakEven& breakEven) {
  std::vector<float> branched, selected;
  const double branch = cyclesPerRound<Length, Form::Branch>(condition, setting, branched);
  const double select = cyclesPerRound<Length, Form::Select>(condition, setting, selected);
  compareForms(Length, branched, selected);
  print("branch", nameOf(condition), Length, branch);
  print("select", nameOf(condition), Length, select);
  breakEven.add(Length, branch, select);
}

void measureAll(Condition condition, const Setting& setting) {
  BreakEven breakEven;
  measure<1>(condition, setting, breakEven);
  measure<2>(condition, setting, breakEven);
  measure<3>(condition, setting, breakEven);
  measure<4>(condition, setting, breakEven);
  measure<6>(condition, setting, breakEven);
  measure<8>(condition, setting, breakEven);
  measure<12>(condition, setting, breakEven);
  measure<16>(condition, setting, breakEven);
  measure<24>(condition, setting, breakEven);
  measure<longest>(condition, setting, breakEven);
  study::Row("break-even")
      .set("experiment", "break-even")
      .set("condition", nameOf(condition))
      .set("breakEven", breakEven.length())
      .print();
}

/// Predication over the branch.
template <int Length> void record(Condition condition, const Setting& setting) {
  const size_t threads = static_cast<size_t>(setting.blocks) * blockSize;
  study::DeviceArray<float> branched(threads), selected(threads);
  benchmark::compareAll(
      "branch", [&](int) { launch<Length, Form::Branch>(branched, condition, setting); },
      {{benchmark::Record("predication").set("condition", nameOf(condition)).set("length", Length),
        [&](int) { launch<Length, Form::Select>(selected, condition, setting); }}},
      setting.repeats);
  compareForms(Length, branched.values(), selected.values());
}

void recordAll(Condition condition, const Setting& setting) {
  record<1>(condition, setting);
  record<4>(condition, setting);
  record<8>(condition, setting);
  record<16>(condition, setting);
  record<longest>(condition, setting);
}

int main(int argc, char** argv) {
  study::Arguments arguments(argc, argv);
  Setting setting{};
  setting.rounds = static_cast<int>(arguments.number("rounds", 1024));
  setting.blocks = static_cast<int>(arguments.number("blocks", 12)) * study::multiprocessors();
  setting.repeats = arguments.repeats();
  const bool records = arguments.records();
  arguments.done();
  for (const Condition condition : {Condition::Divergent, Condition::Uniform})
    if (records)
      recordAll(condition, setting);
    else
      measureAll(condition, setting);
}
